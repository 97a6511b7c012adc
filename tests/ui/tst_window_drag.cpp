// ε dragged by the mouse over a million points with every ε prepared: the labels of a frame are
// those of the slider when it was drawn or when the frame before it was, and no event handler
// blocks the event loop for long.
#include <QApplication>
#include <QElapsedTimer>
#include <QSlider>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "event_watch.h"
#include "shown_window.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "visible_threads.h"

using namespace clusterloom;

namespace {

Watched<QApplication>& application() {
  return *static_cast<Watched<QApplication>*>(QCoreApplication::instance());
}

/// What was seen while the slider moved.
struct Drag {
  int moves = 0;
  std::vector<double> frameMs;
  std::vector<double> apartMs;  ///< from the frame before to each
  bool alwaysRunning = true;
  std::vector<int> age;  ///< of the labels of each frame, in frames
};

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::size_t(q * double(values.size() - 1))];
}

}  // namespace

class TestWindowDrag : public QObject, private ShownWindow {
  Q_OBJECT

  /// Moves the pressed slider to and fro, a step every 16 ms.
  Drag drag(int milliseconds) {
    Drag seen;
    std::vector<double> values;        ///< of ε, in the order in which the slider had them
    std::vector<std::size_t> atFrame;  ///< how many there were when each frame was drawn
    const auto noteValue = [&] {
      const double eps = session_->parameters().dbscan.eps;
      if (values.empty() || values.back() != eps) values.push_back(eps);
    };
    noteValue();
    CloudView* view = window_->cloudView();
    QObject here;
    connect(session_.get(), &Session::parametersChanged, &here, noteValue);
    QElapsedTimer sinceFrame;
    sinceFrame.start();
    connect(view, &VtkView::frameDrawn, &here, [&] {
      seen.apartMs.push_back(double(sinceFrame.nsecsElapsed()) * 1e-6);
      sinceFrame.start();
      seen.frameMs.push_back(view->lastFrameMilliseconds());
      atFrame.push_back(values.size());
      const auto shown = view->shownResult();
      std::size_t have = 0;
      for (std::size_t i = values.size(); shown && i > 0 && have == 0; --i)
        if (values[i - 1] == shown->parameters.dbscan.eps) have = i;
      int age = 0;
      while (std::size_t(age) < atFrame.size() &&
             have < atFrame[atFrame.size() - 1 - std::size_t(age)])
        ++age;
      seen.age.push_back(age);
    });
    QSlider* slider = window_->parameters()->eps()->slider();
    const QPoint from(slider->width() * slider->value() / slider->maximum(), slider->height() / 2);
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    QTimer hand;
    hand.setTimerType(Qt::PreciseTimer);
    QObject::connect(&hand, &QTimer::timeout, &hand, [&] {
      ++seen.moves;
      // Another ε waits for a frame or for a worker, and says so.
      if (!session_->clusterRun().isResultCurrent())
        seen.alwaysRunning &= session_->clusterRun().state() == RunState::Running;
      const int phase = seen.moves % 80;
      const int offset = phase < 40 ? phase - 20 : 60 - phase;
      QTest::mouseMove(slider, from + QPoint(offset, 0));
    });
    hand.start(16);
    QElapsedTimer clock;
    clock.start();
    // A slow machine draws few frames.
    while (clock.elapsed() < milliseconds ||
           (seen.frameMs.size() < 4 && clock.elapsed() < 30 * milliseconds))
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 10);
    hand.stop();
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from);
    return seen;
  }

 private Q_SLOTS:
  void labelsFollowTheSlider_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << 2;
    QTest::newRow("3-D") << 3;
  }

  void labelsFollowTheSlider() {
    QFETCH(int, dims);
    QVERIFY(showWindow({1440, 900}));
    for (VtkView* view : window_->findChildren<VtkView*>())
      connect(view, &VtkView::frameDrawn, view, [] { application().noteFrame(); });
    session_->everyEps().setEnabled(true);
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 1'000'000 / kSmaller, std::size_t(dims), 7};
    request.minPts = 10;
    session_->data().open(request);
    const EveryEps& every = session_->everyEps();
    // A million points take 5 s of both processors, and other tests run beside this one.
    constexpr int kLong = 120000;
    QVERIFY(waitUntil([&] { return every.hierarchy() || every.state() == EveryEps::State::Large; },
                      kLong));
    session_->everyEps().build();  // should a slow machine not do it unasked
    QVERIFY(waitUntil([&] { return every.state() == EveryEps::State::Ready; }, kLong));
    QVERIFY(waitUntilSettled(*window_, 60000));
    application().forget();
    const Drag seen = drag(2000);
    std::map<int, int> ages;
    for (const int age : seen.age) ++ages[age];
    QStringList counts;
    for (const auto& [age, frames] : ages) counts << QStringLiteral("%1: %2").arg(age).arg(frames);
    qInfo(
        "%d moves, %zu frames, %.1f ms apart, drawn in %.1f ms (longest %.1f); frames by age of "
        "their labels: %s",
        seen.moves, seen.frameMs.size(), quantile(seen.apartMs, 0.5), quantile(seen.frameMs, 0.5),
        quantile(seen.frameMs, 1), qPrintable(counts.join(QStringLiteral(", "))));
    const HandlerTime drawing = application().drawing();
    const HandlerTime other = application().other();
    qInfo(
        "longest handler that drew: %.1f ms, %.1f and %.1f ms of processor (%s); of the others: "
        "%.1f, "
        "%.1f (%s)",
        drawing.ms, drawing.processorMs, drawing.secondProcessorMs, drawing.where.c_str(), other.ms,
        other.processorMs, other.where.c_str());
    QVERIFY(seen.frameMs.size() >= 3);
    QVERIFY(seen.alwaysRunning);
    // A run does not wait for a frame for longer than a second: where frames are that far apart, as
    // beside other tests, labels may be older.
    for (std::size_t i = 0; i < seen.age.size(); ++i) {
      double ms = 0;  // since the slider had their ε
      for (std::size_t k = 0; k < std::size_t(seen.age[i]) && k <= i; ++k)
        ms += seen.apartMs[i - k];
      QVERIFY2(seen.age[i] <= 1 || ms > 800, qPrintable(QString::number(ms)));
    }
    QVERIFY(drawing.secondProcessorMs < 100);
    QVERIFY(other.secondProcessorMs < 50);
    // At rest everything is drawn, with the labels of the slider.
    QVERIFY(waitUntilSettled(*window_, 60000));
    QCOMPARE(window_->cloudView()->scene().drawnFraction(), 1.0);
    QCOMPARE(window_->cloudView()->shownResult()->parameters.dbscan.eps,
             session_->parameters().dbscan.eps);
    QVERIFY(window_->cloudView()->shownResult()->hierarchy != nullptr);
    QVERIFY(waitUntil([&] { return session_->derived().statistics() != nullptr; }));
    shot(window_.get(), "drag");
  }

  /// Clusters that are selected while labels are on their way stay selected.
  void clustersSelectedMeanwhileAreFollowed() {
    QVERIFY(showWindow({1200, 800}));
    QVERIFY(openSquares());
    session_->setDragging(true);
    session_->setEps(1.7);
    session_->setSelectedClusters({1});
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->selection().clusters, std::set<std::int32_t>{1});
    session_->setDragging(false);
  }
};

namespace {

int run(int argc, char** argv) {
  [[maybe_unused]] const VisibleThreads visibleThreads;
  prepareTestApplication();
  Watched<QApplication> application(argc, argv);
  applyTheme(application, ThemeChoice::Dark);
  return test_program::run<TestWindowDrag>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_window_drag.moc"
