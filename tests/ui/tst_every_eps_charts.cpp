// The charts of every ε: tree, replay, map and reachability.
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <optional>

#include "render/paint/ticks.h"
#include "session_waits.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/replay.h"
#include "ui/session/result_words.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/window/frame_series.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

namespace {

OpenRequest blobs(std::uint64_t points, double eps) {
  OpenRequest request;
  request.sample = GeneratorSpec{"blobs", points, 2, 5};
  request.eps = eps;
  request.minPts = 6;
  return request;
}

}  // namespace

class TestEveryEpsCharts : public QObject, private ShownWindow {
  Q_OBJECT

  /// Opens points whose growth over ε can be played.
  bool openPlayable() {
    window_->openRequest(blobs(500, 1.2));
    if (!waitUntilSettled(*window_)) return false;
    session_->everyEps().setEnabled(true);
    return waitUntil([&] { return session_->replay().isPossible(); });
  }
  /// A step that can be undone.
  bool makeStep() {
    session_->setMinPts(8);
    return waitForResult(*session_) && waitUntil([&] { return session_->replay().isPossible(); });
  }

  /// Writes more frames than a test waits for; `stopped` is set when that has ended.
  FrameSeries* startGrowth(std::optional<bool>& stopped) {
    FrameSeries* series =
        FrameSeries::start(*session_, *window_->findChild<CloudView*>(), growthFrames(*session_),
                           {directory_->path(), "growth", 2000, {{200, 150}, 1, false}});
    connect(series, &FrameSeries::finished, window_.get(),
            [&](int, bool early) { stopped = early; });
    return series;
  }

  /// An export of the clusters of HDBSCAN* on show has their probabilities.
  void exportsHaveProbabilities(const FlatClusters& flat) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("taken.csv");
    session_->files().exportLabelled(path);
    QVERIFY(waitUntil([&] { return QFile::exists(path); }));
    const auto back = readDataset(path.toStdString());
    QVERIFY(back.has_value());
    const Attribute& column = back->attributes.at(back->attributes.size() - 2);  // before label
    QCOMPARE(column.name, std::string("probability"));
    QCOMPARE(std::get<std::vector<double>>(column.values), flat.probabilities);
    std::vector<double> ofFirst;  // of cluster 0
    for (std::size_t p = 0; p < flat.labels.size(); ++p)
      if (flat.labels[p] == 0) ofFirst.push_back(flat.probabilities[p]);
    session_->files().exportLabelled(path, {0});
    QVERIFY(waitUntilIdle(*session_));
    const auto first = readDataset(path.toStdString());
    QVERIFY(first.has_value());
    QCOMPARE(
        std::get<std::vector<double>>(first->attributes.at(first->attributes.size() - 2).values),
        ofFirst);
    const auto two = std::make_shared<const std::vector<std::uint32_t>>(
        std::initializer_list<std::uint32_t>{1, 3});
    session_->files().exportPoints(path, two, nullptr, false);
    QVERIFY(waitUntilIdle(*session_));
    const auto few = readDataset(path.toStdString());
    QVERIFY(few.has_value());
    QCOMPARE(std::get<std::vector<double>>(few->attributes.at(few->attributes.size() - 2).values),
             (std::vector<double>{flat.probabilities[1], flat.probabilities[3]}));
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1200, 860})); }
  void cleanup() { closeWindow(); }

  void treeAndItsClusters() {
    OpenRequest request = blobs(3000, 1.2);
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    auto* charts = window_->findChild<ChartsPanel*>();
    charts->showTab(ChartId::Tree);
    QVERIFY(waitUntil([&] { return charts->isReady(); }));
    const auto picture = session_->clusterTree().tree();
    QCOMPARE(picture->tree.minClusterSize, 6U);
    QVERIFY(!picture->flat.taken.empty());
    shot(window_.get(), "tree_chart");
    // A click selects the points of a cluster.
    const std::int32_t cluster = picture->flat.taken.front();
    session_->clusterTree().select(cluster);
    QVERIFY(waitUntil([&] { return bool(session_->selection().points); }));
    QCOMPARE(session_->selection().points->size(),
             std::size_t(picture->tree.clusters[std::size_t(cluster)].size));
    shot(window_.get(), "tree_selected");
    session_->clusterTree().select(-1);
    QVERIFY(!session_->selection().points);

    // The clusters that are taken come on show, and a run replaces them.
    QTest::mouseClick(window_->findChild<QPushButton*>("showTaken"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return session_->clusterRun().result()->hdbscan.has_value(); }));
    QVERIFY(waitUntilSettled(*window_));
    const auto result = session_->clusterRun().result();
    QCOMPARE(result->clustering.labels, picture->flat.labels);
    QVERIFY(!session_->clusterRun().isResultCurrent());
    QCOMPARE(resultText(session_->clusterRun(), session_->parameters()),
             QString("clusters of HDBSCAN* with at least 6 points"));
    shot(window_.get(), "tree_shown");
    const QString call = "clusterloom-cli hdbscan blobs.npy --min-cluster-size 6 --min-pts 6";
    QVERIFY2(session_->files().commandLine().endsWith(call),
             qPrintable(session_->files().commandLine()));
    exportsHaveProbabilities(picture->flat);
    session_->clusterRun().run();
    QVERIFY(waitForResult(*session_));
    QVERIFY(!session_->clusterRun().result()->hdbscan);
    QVERIFY(!session_->files().commandLine().contains("hdbscan"));

    // Other options give another tree.
    window_->findChild<QSpinBox*>("minClusterSize")->setValue(50);
    QVERIFY(waitUntil([&] { return session_->clusterTree().tree()->tree.minClusterSize == 50; }));
    auto* take = window_->findChild<QComboBox*>("clusterSelection");
    take->setCurrentIndex(1);
    Q_EMIT take->activated(1);
    QVERIFY(waitUntil([&] {
      return session_->jobs().active().empty() &&
             session_->clusterTree().options().selection == ClusterSelection::Leaves;
    }));
  }

  /// Over ε: runs until every ε is prepared, then the exact curve.
  void everyNumberOfClusters() {
    window_->openRequest(blobs(3000, 1.2));
    QVERIFY(waitUntilSettled(*window_));
    auto* charts = window_->findChild<ChartsPanel*>();
    charts->showTab(ChartId::Sweep);
    QVERIFY(waitUntil([&] { return charts->isReady(); }));
    QVERIFY(!session_->derived().exactSweep());
    QVERIFY(window_->findChild<QWidget*>("sweepChart")->isVisible());
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return bool(session_->derived().exactSweep()); }));
    QVERIFY(window_->findChild<QWidget*>("epsCurveChart")->isVisible());
    QVERIFY(!window_->findChild<QWidget*>("sweepChart")->isVisible());
    shot(window_.get(), "exact_curve");
    // The curve says at each ε what the result there is.
    const auto sweep = session_->derived().exactSweep();
    QVERIFY(!sweep->plateaus.empty());
    const Plateau& plateau = sweep->plateaus.front();
    session_->setEps(std::sqrt(plateau.from * plateau.to));
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, std::int32_t(plateau.clusters));
    const auto row = std::size_t(std::upper_bound(sweep->curve.eps.begin(), sweep->curve.eps.end(),
                                                  session_->parameters().dbscan.eps) -
                                 sweep->curve.eps.begin() - 1);
    QCOMPARE(session_->clusterRun().result()->clustering.noiseCount,
             std::uint64_t(sweep->curve.noise[row]));
    session_->everyEps().setEnabled(false);
    QVERIFY(waitUntil([&] { return charts->isReady(); }));
    QVERIFY(!session_->derived().exactSweep());
    QVERIFY(window_->findChild<QWidget*>("sweepChart")->isVisible());
  }

  void replayPlaysAndSteps() {
    window_->openRequest(blobs(3000, 1.2));
    QVERIFY(waitUntilSettled(*window_));
    window_->charts()->showTab(ChartId::Sweep);
    session_->everyEps().setEnabled(true);
    Replay& replay = session_->replay();
    QVERIFY(waitUntil([&] { return replay.isPossible(); }));
    const int steps = session_->undoStack()->count();
    // A step goes to the very next number of clusters.
    const auto row = [&] {
      const auto& eps = session_->derived().exactSweep()->curve.eps;
      return std::size_t(
          std::upper_bound(eps.begin(), eps.end(), session_->parameters().dbscan.eps) -
          eps.begin());
    };
    QVERIFY(waitForResult(*session_));
    std::int32_t before = session_->clusterRun().result()->clustering.clusters;
    const double start = session_->parameters().dbscan.eps;
    for (int i = 0; i < 4; ++i) {
      QTest::mouseClick(window_->findChild<QToolButton*>("replayForward"), Qt::LeftButton);
      QVERIFY(waitForResult(*session_));
      const std::int32_t now = session_->clusterRun().result()->clustering.clusters;
      QVERIFY(now != before);
      const double eps = session_->parameters().dbscan.eps;
      const auto& curve = session_->derived().exactSweep()->curve.eps;
      QVERIFY(eps >= curve[row() - 1] && eps <= 1.001 * curve[row() - 1]);
      QVERIFY2(shortestText(eps).size() < shortestText(curve[row() - 1]).size(),
               qPrintable(shortestText(eps)));
      before = now;
    }
    QVERIFY(session_->parameters().dbscan.eps > start);
    const std::size_t at = row();
    replay.step(-1);
    QVERIFY(row() < at);
    QVERIFY(waitForResult(*session_));
    QVERIFY(session_->clusterRun().result()->clustering.clusters != before);
    replay.step(1);
    QCOMPARE(row(), at);

    // Playing ends at the largest ε, as one undo step, every frame from the hierarchy.
    session_->undoStack()->setIndex(steps);
    session_->setEps(replay.epsAt(0.6));
    QVERIFY(waitForResult(*session_));
    const int undone = session_->undoStack()->count();
    replay.setDuration(1);
    int frames = 0;
    bool all = true;
    connect(&session_->clusterRun(), &ClusterRun::resultChanged, &replay, [&] {
      ++frames;
      all = all && session_->clusterRun().result()->hierarchy;
    });
    QTest::mouseClick(window_->findChild<QToolButton*>("replayPlay"), Qt::LeftButton);
    QVERIFY(replay.isPlaying());
    QVERIFY(waitUntil([&] { return !replay.isPlaying(); }));
    QVERIFY(!session_->isDragging());
    QCOMPARE(session_->parameters().dbscan.eps, replay.epsAt(1));
    // Few digits, as what the mouse sets, wherever it is paused.
    for (int i = 0; i <= 40; ++i)
      QCOMPARE(replay.epsAt(i / 40.0), roundedTo(replay.epsAt(i / 40.0), 4));
    QVERIFY(waitForResult(*session_));
    QVERIFY(frames >= 1 && all);  // a busy machine may draw the last one only
    QCOMPARE(session_->undoStack()->count(), undone + 1);
    session_->undoStack()->undo();
    QCOMPARE(session_->parameters().dbscan.eps, replay.epsAt(0.6));

    // Another wish pauses it.
    replay.setDuration(60);
    replay.play();
    QVERIFY(replay.isPlaying());
    session_->setEps(1.7);
    QVERIFY(waitUntil([&] { return !replay.isPlaying(); }));
    QCOMPARE(session_->parameters().dbscan.eps, 1.7);

    // It runs where nothing runs by itself, each frame and the last one.
    QVERIFY(waitForResult(*session_));
    session_->clusterRun().setAutoRun(false);
    session_->setEps(replay.epsAt(0.6));
    QVERIFY(!session_->clusterRun().isResultCurrent());
    frames = 0;
    replay.setDuration(1);
    replay.play();
    QVERIFY(waitUntil([&] { return !replay.isPlaying(); }));
    QCOMPARE(session_->parameters().dbscan.eps, replay.epsAt(1));
    QVERIFY(waitForResult(*session_));
    QVERIFY(frames >= 2 && all);
    const double last = session_->parameters().dbscan.eps;
    replay.step(-1);
    QVERIFY(session_->parameters().dbscan.eps < last);
    QVERIFY(waitForResult(*session_));
    // And a stop is one.
    session_->setEps(replay.epsAt(0.1));
    replay.setDuration(60);
    const auto stops =
        connect(&session_->jobs(), &JobQueue::started, &replay, [this](quint64, JobKind kind) {
          if (kind == JobKind::Cluster) session_->cancel();
        });
    replay.play();
    QVERIFY(waitUntil([&] { return !replay.isPlaying(); }));
    disconnect(stops);
  }

  void framesAreSaved() {
    window_->openRequest(blobs(500, 1.2));
    QVERIFY(waitUntilSettled(*window_));
    window_->charts()->showTab(ChartId::Sweep);
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return session_->replay().isPossible(); }));
    QDir folder(directory_->path());
    QVERIFY(folder.mkdir("frames"));
    QVERIFY(folder.cd("frames"));
    int written = -1;
    bool stopped = true;
    FrameSeries* series =
        FrameSeries::start(*session_, *window_->findChild<CloudView*>(), growthFrames(*session_),
                           {folder.path(), "growth", 4, {{200, 150}, 1, false}});
    connect(series, &FrameSeries::finished, window_.get(), [&](int count, bool early) {
      written = count;
      stopped = early;
    });
    QVERIFY(waitUntil([&] { return written >= 0; }));
    QCOMPARE(written, 4);
    QVERIFY(!stopped);
    QCOMPARE(session_->parameters().dbscan.eps, 1.2);
    QCOMPARE(folder.entryList(QDir::Files), QStringList({"growth-0001.png", "growth-0002.png",
                                                         "growth-0003.png", "growth-0004.png"}));
    const QImage first(folder.filePath("growth-0001.png"));
    QCOMPARE(first.size(), QSize(200, 150));
    QVERIFY(first != QImage(folder.filePath("growth-0004.png")));
    // Where runs do not start by themselves, each frame has one all the same.
    QVERIFY(waitForResult(*session_));
    session_->clusterRun().setAutoRun(false);
    written = -1;
    series =
        FrameSeries::start(*session_, *window_->findChild<CloudView*>(), growthFrames(*session_),
                           {folder.path(), "asked", 2, {{200, 150}, 1, false}});
    connect(series, &FrameSeries::finished, window_.get(), [&](int count) { written = count; });
    QVERIFY(waitUntil([&] { return written >= 0; }));
    QCOMPARE(written, 2);
    QCOMPARE(session_->parameters().dbscan.eps, 1.2);
    QVERIFY(waitForResult(*session_));
    session_->clusterRun().setAutoRun(true);
    QCOMPARE(QImage(folder.filePath("asked-0001.png")), first);
    // A folder that cannot be written to ends it with a message.
    written = -1;
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    series =
        FrameSeries::start(*session_, *window_->findChild<CloudView*>(), growthFrames(*session_),
                           {folder.filePath("none"), "growth", 4, {{200, 150}, 1, false}});
    connect(series, &FrameSeries::finished, window_.get(), [&](int count, bool early) {
      written = count;
      stopped = early;
    });
    QVERIFY(waitUntil([&] { return written >= 0; }));
    QVERIFY(written == 0 && stopped && failed.count() == 1);
    QCOMPARE(session_->parameters().dbscan.eps, 1.2);
  }

  void framesEndWithTheirData() {
    QVERIFY(openPlayable());
    std::optional<bool> stopped;
    FrameSeries* series = startGrowth(stopped);
    connect(series, &FrameSeries::progressed, window_.get(), [&](int done) {
      if (done == 1) session_->data().openSample(GeneratorSpec{"blobs", 400});
    });
    QVERIFY(waitUntil([&] { return session_->data().cloud()->size() == 400; }));
    QVERIFY(waitForResult(*session_));
    QCOMPARE(stopped, std::optional(true));
    QCOMPARE(session_->undoStack()->count(), 0);
    QCOMPARE(session_->parameters().dbscan.eps, session_->data().suggestedEps());
  }

  /// Undo ends the drag that they are of.
  void undoEndsFrames() {
    QVERIFY(openPlayable() && makeStep());
    const int steps = session_->undoStack()->count();
    std::optional<bool> stopped;
    FrameSeries* series = startGrowth(stopped);
    connect(series, &FrameSeries::progressed, window_.get(), [&](int done) {
      if (done == 2) window_->action("undo")->trigger();
    });
    QVERIFY(waitUntil([&] { return stopped.has_value(); }));
    QVERIFY(*stopped);
    QCOMPARE(session_->undoStack()->count(), steps + 1);  // the drag, undone
    QCOMPARE(session_->parameters().dbscan.eps, 1.2);
    QCOMPARE(session_->parameters().dbscan.minPts, 8);
  }

  /// What plays is a step, which undo takes back.
  void undoWhileItPlays() {
    QVERIFY(openPlayable() && makeStep());
    const Parameters before = session_->parameters();
    session_->replay().play();
    QVERIFY(waitUntil([&] { return !(session_->parameters() == before); }));
    window_->action("undo")->trigger();
    QVERIFY(waitUntil([&] { return !session_->replay().isPlaying(); }));
    QVERIFY(session_->parameters() == before);
    QVERIFY(session_->undoStack()->canRedo());
    window_->action("undo")->trigger();
    QVERIFY(session_->parameters().dbscan.minPts != before.dbscan.minPts);
  }

  void mapOverEpsAndMinPts() {
    window_->openRequest(blobs(2000, 1.2));
    QVERIFY(waitUntilSettled(*window_));
    window_->charts()->showTab(ChartId::Map);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    const auto map = session_->clusterTree().map();
    QVERIFY(map->eps.size() > 20 && map->minPts.size() > 10);
    const auto backend = makeBackend("cpu", {});
    for (const std::size_t row : {std::size_t{0}, std::size_t{4}, map->minPts.size() - 1}) {
      for (const std::size_t column : {std::size_t{3}, std::size_t{20}, map->eps.size() - 1}) {
        const auto run = (*backend)->dbscan(*session_->data().cloud(),
                                            {map->eps[column], map->minPts[row]}, {}, {});
        QCOMPARE(std::int32_t(map->clusters[map->at(row, column)]), run->clusters);
        QCOMPARE(std::uint64_t(map->noise[map->at(row, column)]), run->noiseCount);
      }
    }
    shot(window_.get(), "map");
    // A click sets both parameters, as one step; the map stays.
    QVERIFY(waitUntilSettled(*window_));  // a click is for what has been drawn
    const int steps = session_->undoStack()->count();
    auto* view = window_->findChild<QWidget*>("mapChart");
    QTest::mouseClick(view, Qt::LeftButton, {}, {view->width() / 2, view->height() * 2 / 5});
    QVERIFY(waitForResult(*session_));
    QCOMPARE(session_->undoStack()->count(), steps + 1);
    QVERIFY(session_->parameters().dbscan.minPts != 6);
    // What the map says of this place is what the run gives.
    const auto column =
        std::find(map->eps.begin(), map->eps.end(), session_->parameters().dbscan.eps);
    const auto row =
        std::find(map->minPts.begin(), map->minPts.end(), session_->parameters().dbscan.minPts);
    QVERIFY(column != map->eps.end() && row != map->minPts.end());
    const std::size_t at =
        map->at(std::size_t(row - map->minPts.begin()), std::size_t(column - map->eps.begin()));
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, std::int32_t(map->clusters[at]));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(session_->clusterTree().map() == map);
    session_->undoStack()->undo();
    QCOMPARE(session_->parameters().dbscan.eps, 1.2);
    QCOMPARE(session_->parameters().dbscan.minPts, std::int64_t{6});
  }

  void reachabilityPlot() {
    window_->openRequest(blobs(3000, 1.2));
    QVERIFY(waitUntilSettled(*window_));
    auto* charts = window_->findChild<ChartsPanel*>();
    charts->showTab(ChartId::Reachability);
    QVERIFY(waitUntil([&] { return charts->isReady(); }));
    QCOMPARE(session_->clusterTree().reachability()->order.size(), std::size_t{3000});
    session_->setPickedPoint(17);
    shot(window_.get(), "reachability_chart");
    // The hierarchy of a chart is no wish that runs use it.
    session_->setEps(1.3);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!session_->clusterRun().result()->hierarchy);
  }
};

WINDOW_TEST(TestEveryEpsCharts);
#include "tst_every_eps_charts.moc"
