// The band of stability in the ε sweep: its button, its values, what is stopped and goes.
#include <QFile>
#include <QPushButton>
#include <QTest>

#include "engine/dbscan/sweep.h"
#include "render/charts/chart.h"
#include "session_waits.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/session/derived_results.h"
#include "ui/session/eps_stability.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"

using namespace clusterloom;

class TestStabilityBand : public QObject, private ShownWindow {
  Q_OBJECT

  EpsStability& stability() { return session_->epsStability(); }
  QPushButton* button() const { return window_->findChild<QPushButton*>("stabilityButton"); }
  void press() const { QTest::mouseClick(button(), Qt::LeftButton); }
  bool isReady() { return stability().state() == CheckState::Ready; }
  /// The chart of every ε, shown.
  Chart& chart() const { return window_->findChild<ChartView*>("epsCurveChart")->chart(); }
  bool says(const std::string& text) const {
    for (const std::string& words : chart().words())
      if (words.find(text) != std::string::npos) return true;
    return false;
  }
  bool open(std::uint64_t points) {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", points, 2, 5};
    request.minPts = 7;
    window_->openRequest(request);
    if (!waitUntilSettled(*window_)) return false;
    window_->findChild<ChartsPanel*>()->showTab(ChartId::Sweep);
    session_->everyEps().setEnabled(true);
    return waitUntil([&] { return bool(session_->derived().exactSweep()); });
  }

  /// The band on show is that of the cloud, computed here by one thread.
  void compareWithEngine() {
    const auto hierarchy = session_->everyEps().hierarchy();
    const auto& eps = session_->derived().exactSweep()->curve.eps;
    const auto expected =
        stabilityOverEps(*session_->data().cloud(), *hierarchy,
                         *geometricEps(eps.front(), eps.back(), 48), {}, {.threads = 1});
    QVERIFY(expected.has_value());
    const auto band = stability().band();
    QCOMPARE(band->size(), expected->size());
    for (std::size_t i = 0; i < band->size(); ++i) {
      QCOMPARE((*band)[i].eps, (*expected)[i].eps);
      QCOMPARE((*band)[i].mean, (*expected)[i].mean);
      QCOMPARE((*band)[i].low, (*expected)[i].low);
      QCOMPARE((*band)[i].high, (*expected)[i].high);
    }
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1280, 800})); }
  void cleanup() { closeWindow(); }

  /// Equal points change at the least ε; the band begins where others do.
  void equalPoints() {
    QFile file(path("equal.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y\n");
    for (int i = 0; i < 60; ++i) file.write(QByteArray::number(i * i % 97) + ",1\n");
    file.write("0,1\n0,1\n0,1\n");
    file.close();
    OpenRequest request;
    request.path = file.fileName();
    request.eps = 2;
    request.minPts = 3;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->findChild<ChartsPanel*>()->showTab(ChartId::Sweep);
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return bool(session_->derived().exactSweep()); }));
    press();
    QVERIFY(waitUntil([&] { return isReady(); }));
    QVERIFY(stability().band()->front().eps >= 1);
  }

  void noEpsHasClusters() {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 20, 2, 5};
    request.minPts = 30;
    request.eps = 1;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    window_->findChild<ChartsPanel*>()->showTab(ChartId::Sweep);
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return bool(session_->derived().exactSweep()); }));
    QCOMPARE(session_->derived().exactSweep()->curve.rows(), std::size_t(0));
    QVERIFY(!window_->findChild<QPushButton*>("stabilityButton")->isVisible());
  }

  void bandComesAndGoesWithTheButton() {
    window_->findChild<ChartsPanel*>()->showTab(ChartId::Sweep);
    QVERIFY(!button()->isVisible());  // no ε is prepared
    QVERIFY(open(900));
    QVERIFY(button()->isVisible());
    QCOMPARE(button()->text(), QString("Stability"));
    QVERIFY(!stability().band() && !says("stability %"));
    QCOMPARE(chart().table()().names.size(), std::size_t{4});
    press();
    QVERIFY(waitUntil([&] { return isReady(); }));
    QCOMPARE(button()->text(), QString("Hide stability"));
    compareWithEngine();
    QVERIFY(waitUntil([&] { return says("stability %"); }));
    const DataTable table = chart().table()();
    QCOMPARE(table.names.back(), std::string("stability_high_percent"));
    const auto withValues = std::count_if(table.rows.begin(), table.rows.end(),
                                          [](const auto& row) { return !row[4].empty(); });
    QVERIFY(withValues > 40 && withValues <= 48);
    shot(window_.get(), "stability");
    // Another minPts: it goes with the curve, and comes again by itself.
    session_->setMinPts(9);
    QVERIFY(waitUntil([&] {
      // Where a busy machine took long for the hierarchy, it is not computed unasked.
      if (stability().state() == CheckState::Asks) stability().run();
      const auto hierarchy = session_->everyEps().hierarchy();
      return hierarchy && hierarchy->minPts() == 9 && isReady();
    }));
    compareWithEngine();
    press();
    QCOMPARE(button()->text(), QString("Stability"));
    QVERIFY(!stability().band());
    QCOMPARE(chart().table()().names.size(), std::size_t{4});
  }

  void stoppedByThePress() {
    QVERIFY(open(100000));
    QVERIFY(stability().seconds() > 0.1);
    press();
    // On a slow machine it is said to take long, and asks.
    if (stability().state() == CheckState::Asks) press();
    QCOMPARE(stability().state(), CheckState::Running);
    QCOMPARE(button()->text(), QString("Stop"));
    press();
    QVERIFY(waitUntil([&] { return stability().state() == CheckState::Asks; }));
    QVERIFY(button()->text().startsWith("Stability: about "));
    QVERIFY(!stability().band());
    press();
    QCOMPARE(stability().state(), CheckState::Running);
    stability().setWanted(false);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!stability().band());
    QCOMPARE(stability().state(), CheckState::Off);
  }
};

WINDOW_TEST(TestStabilityBand);
#include "tst_stability_band.moc"
