// Periodic boxes, longitude and latitude, and ε by dimension in the session and the data panel.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <random>

#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/hierarchy/stable_partition.h"
#include "one_session.h"
#include "render/paint/ticks.h"
#include "tests/test_program.h"
#include "ui/charts/chart_page.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/added_points.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/command_line.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/load_lab.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/suggestion.h"

using namespace clusterloom;

namespace {

Space sphere() {
  Space space;
  space.sphere.emplace();
  return space;
}

Space box(std::vector<double> periods) {
  Space space;
  space.periods = std::move(periods);
  return space;
}

}  // namespace

class TestSpace : public QObject, OneSession {
  Q_OBJECT

  /// A file of points around the corner of a box, or around the date line.
  void write(const char* name, const char* header, double width, double middleOfY) {
    std::mt19937_64 draw(6);
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(header);
    const auto unit = [&] { return static_cast<double>(draw() % 100000) / 1e5 - 0.5; };
    for (int i = 0; i < 300; ++i) {
      double x = (i % 3 == 0 ? width : 0.04 * width) * unit();
      if (x < -width / 2) x += width;
      const double y = middleOfY + (i % 3 == 0 ? 100 : 4) * unit();
      file.write(QByteArray::number(x + width / 2, 'g', 17) + ',' + QByteArray::number(y, 'g', 17) +
                 '\n');
      // The other side of the cluster lies at the other face.
      file.write(QByteArray::number(i % 2 == 0 ? 0.01 * width * (unit() + 0.5)
                                               : width - 0.01 * width * (unit() + 0.5),
                                    'g', 17) +
                 ',' + QByteArray::number(y, 'g', 17) + '\n');
    }
  }
  /// turned.csv: the points of earth.csv, latitude first.
  bool writeTurned() {
    QFile from(path("earth.csv"));
    QFile to(path("turned.csv"));
    if (!from.open(QIODevice::ReadOnly) || !to.open(QIODevice::WriteOnly)) return false;
    from.readLine();
    to.write("Latitude,LNG\n");
    while (!from.atEnd()) {
      const QList<QByteArray> cells = from.readLine().trimmed().split(',');
      to.write(cells[1] + ',' + cells[0] + '\n');
    }
    return true;
  }
  void open(const char* name, double eps, const Space& space) {
    OpenRequest request;
    request.path = path(name);
    request.minPts = 5;
    request.eps = eps;
    request.space = space;
    session_->data().open(request);
    settle();
  }
  std::vector<std::int32_t> labelsIn(const Space& space, double eps,
                                     const Scaling& scaling = {}) const {
    const auto backend = backendIn(space, scaling, std::move(*makeBackend("cpu", {})));
    return (*backend)
        ->dbscan(applyScaling(session_->data().dataset()->cloud, scaling), {eps, 5}, {}, {})
        ->labels;
  }
  /// Whether the session has the k-distances of its cloud by this metric.
  bool kDistancesAreThoseOf(Metric metric) const {
    const auto shown = session_->derived().kDistances();
    const auto expected = kDistancesOfAll(*session_->data().cloud(), 5, 5000, {}, metric);
    return shown && expected && shown->distances == expected->distances;
  }
  /// What the copied command line writes.
  std::vector<std::int32_t> labelsByCommandLine() const {
    return labelsOfCall(commandLineOf(session_->state()));
  }

 private Q_SLOTS:
  void init() {
    directory_ = std::make_unique<QTemporaryDir>();
    session_ = std::make_unique<Session>(nullptr, directory_->filePath("autosave"));
    write("box.csv", "x,y\n", 50, 50);
    write("earth.csv", "lon,lat\n", 360, 0);
  }
  void cleanup() {
    session_.reset();
    directory_.reset();
  }

  void aBoxIsAStepThatUndoes() {
    open("box.csv", 0.4, {});
    const auto plain = labels();
    session_->setSpace(box({50, 0}));
    settle();
    QCOMPARE(labels(), labelsIn(box({50, 0}), 0.4));
    QVERIFY(labels() != plain);
    QCOMPARE(session_->parameters().dbscan.eps, 0.4);
    QCOMPARE(session_->undoStack()->undoText(), QString("Distances"));
    QCOMPARE(labelsByCommandLine(), labels());
    session_->undoStack()->undo();
    settle();
    QCOMPARE(labels(), plain);
    QVERIFY(session_->parameters().space.isEuclidean());
  }

  void aBoxIsScaledWithItsDimensions() {
    open("box.csv", 0.4, box({50, 100}));
    session_->setScaling({.kind = Scaling::Kind::Factors, .factors = {2, 1}});
    session_->setEps(0.8);
    settle();
    const Scaling scaling{Scaling::Kind::Factors, {0, 0}, {2, 1}};
    QCOMPARE(labels(), labelsIn(box({50, 100}), 0.8, scaling));
    QCOMPARE(labelsByCommandLine(), labels());
  }

  void theSphereHasAnEpsInMetres() {
    open("earth.csv", 0.5, {});
    session_->setSpace(sphere());
    settle();
    // A new ε is suggested, since its unit is another one.
    const double eps = session_->parameters().dbscan.eps;
    QVERIFY2(eps > 1000 && eps < 3e6, qPrintable(QString::number(eps)));
    QVERIFY(session_->data().epsRange().high <= 3.1415927 * kEarthRadius);
    QCOMPARE(labels(), labelsIn(sphere(), eps));
    QCOMPARE(labelsByCommandLine(), labels());
    session_->undoStack()->undo();
    settle();
    QCOMPARE(session_->parameters().dbscan.eps, 0.5);
    QCOMPARE(labels(), labelsIn({}, 0.5));
  }

  /// The order of the columns follows from their names, as on the command line; a hint says where
  /// to choose.
  void latitudeMayBeFirst() {
    QVERIFY(writeTurned());
    open("earth.csv", 3e5, sphere());
    const auto expected = labels();
    open("turned.csv", 0.5, {});
    DataPanel panel(*session_);
    auto* space = panel.findChild<QComboBox*>("space");
    auto* note = panel.findChild<QLabel*>("spaceNote");
    QVERIFY2(note->isVisibleTo(&panel) && note->text().contains("latitude, longitude"),
             qPrintable(note->text()));
    space->setCurrentIndex(2);
    Q_EMIT space->activated(2);
    session_->setEps(3e5);
    settle();
    QVERIFY(session_->parameters().space.sphere->latitudeFirst);
    QCOMPARE(labels(), expected);
    QCOMPARE(labelsByCommandLine(), expected);
    const auto again =
        sessionFromJson(toJson(session_->state(), directory_->path()), directory_->path());
    QVERIFY(again && again->parameters.space == session_->parameters().space);
    session_->files().exportLabelled(path("turned.ply"), {}, true);
    QVERIFY(waitUntilIdle(*session_));
    QFile file(path("turned.ply"));
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("latitude and longitude in"));
    // No hint for other names.
    open("box.csv", 0.4, {});
    QVERIFY(!note->isVisibleTo(&panel));
    QCOMPARE(space->itemText(2), QString("longitude, latitude"));
  }

  /// Beside other coordinates the hint says to take these two alone.
  void degreesAmongOthersAreNoticed() {
    QFile file(path("quakes.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("depth,lat,lon\n1,47.5,8.5\n2,47.25,8.5\n3,47.5,8.75\n");
    file.close();
    OpenRequest request;
    request.path = path("quakes.csv");
    request.minPts = 2;
    request.eps = 1;
    request.read.coordinates = {"depth", "lat", "lon"};
    session_->data().open(request);
    settle();
    DataPanel panel(*session_);
    const auto* note = panel.findChild<QLabel*>("spaceNote");
    QVERIFY(note->isVisibleTo(&panel));
    QVERIFY2(note->text().contains("lon and lat degrees"), qPrintable(note->text()));
    // Those are what a guess takes.
    request.read.coordinates.clear();
    session_->data().open(request);
    settle();
    QCOMPARE(session_->data().dataset()->cloud.names, (std::vector<std::string>{"lat", "lon"}));
    QVERIFY2(note->text().contains("latitude, longitude"), qPrintable(note->text()));
  }

  /// One sphere for all tabs, but each cloud has the order of its own names.
  void eachTabHasTheOrderOfItsNames() {
    QVERIFY(writeTurned());
    open("earth.csv", 3e5, sphere());
    const auto expected = labels();
    session_->clouds().addFile(path("turned.csv"));
    QVERIFY(waitUntil([this] { return session_->clouds().current() == 1; }));
    settle();
    QVERIFY(session_->parameters().space.sphere->latitudeFirst);
    QCOMPARE(labels(), expected);
    QCOMPARE(labelsByCommandLine(), expected);
    // The comparison runs the one that is not on show.
    CloudComparison& comparison = session_->cloudComparison();
    comparison.setWanted(true);
    session_->setMinPts(9);
    settle();
    QVERIFY(waitUntil([&] { return comparison.isCurrent() && !comparison.isRunning(); }));
    QCOMPARE(comparison.adjustedRandIndex(0, 1), std::optional<double>(1));
    QCOMPARE(comparison.clouds()[0].figures.noise, comparison.clouds()[1].figures.noise);
    comparison.setWanted(false);
    session_->clouds().show(0);
    QVERIFY(waitUntil([this] { return session_->clouds().current() == 0; }));
    settle();
    QVERIFY(!session_->parameters().space.sphere->latitudeFirst);
    session_->undoStack()->undo();
    settle();
    QVERIFY(!session_->parameters().space.sphere->latitudeFirst);
    QCOMPARE(labels(), expected);
  }

  void addedPointsHaveTheOrderOfTheirNames() {
    QVERIFY(writeTurned());
    open("earth.csv", 3e5, sphere());
    AddedPoints& added = session_->addedPoints();
    added.open(path("turned.csv"));
    QVERIFY(waitUntil([&] { return added.isCurrent(); }));
    // Each point is one of the cloud and gets its label.
    QCOMPARE(added.labels().labels->labels, labels());
    QCOMPARE(added.cloud()->columns, session_->data().cloud()->columns);
  }

  /// A session that was saved with longitude first, whatever the names.
  void theOrderOfASessionFollowsFromTheNames() {
    QVERIFY(writeTurned());
    open("turned.csv", 3e5, sphere());
    const auto expected = labels();
    QByteArray json = toJson(session_->state(), directory_->path());
    QVERIFY(json.contains("\"latitudeFirst\": true"));
    json.replace("\"latitudeFirst\": true", "\"latitudeFirst\": false");
    QFile file(path("old.clusterloom"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    file.close();
    open("box.csv", 0.4, {});
    session_->data().openSession(path("old.clusterloom"));
    settle();
    QCOMPARE(labels(), expected);
    QVERIFY(session_->parameters().space.sphere->latitudeFirst);
  }

  void metricsAreStepsThatUndo() {
    open("box.csv", 2, {});
    const auto plain = labels();
    DataPanel panel(*session_);
    auto* box = panel.findChild<QComboBox*>("space");
    const auto* note = panel.findChild<QLabel*>("spaceNote");
    for (const Metric metric : {Metric::Manhattan, Metric::Chebyshev}) {
      box->setCurrentIndex(box->findText(metric == Metric::Manhattan ? "Manhattan" : "Chebyshev"));
      Q_EMIT box->activated(box->currentIndex());
      settle();
      QCOMPARE(session_->parameters().space, (Space{.metric = metric}));
      QCOMPARE(session_->parameters().dbscan.eps, 2.0);
      QCOMPARE(labels(), labelsIn({.metric = metric}, 2));
      QVERIFY(labels() != plain);
      QCOMPARE(labelsByCommandLine(), labels());
      QVERIFY(kDistancesAreThoseOf(metric));
      QCOMPARE(note->text(), QString("The map of ε and minPts, grid and warp load are not shown."));
      session_->files().saveSession(path("metric.loom"));
      QVERIFY(waitUntilIdle(*session_));
      session_->undoStack()->undo();
      settle();
      QCOMPARE(labels(), plain);
      QCOMPARE(box->currentText(), QString("Euclidean"));
      session_->files().openSession(path("metric.loom"));
      settle();
      QCOMPARE(session_->parameters().space, (Space{.metric = metric}));
      session_->setSpace({});
      settle();
    }
  }

  /// Of its own hierarchy, or, where nothing is stable, the knee of its own k-distances.
  void theFirstEpsIsThatOfTheMetric() {
    for (const bool uniform : {false, true})
      for (const Metric metric : {Metric::Manhattan, Metric::Chebyshev, Metric::Cosine}) {
        OpenRequest request;
        request.minPts = 5;
        request.space.metric = metric;
        if (uniform)
          request.sample = GeneratorSpec{"unif", 2000, 4, 7};
        else
          request.path = path("box.csv");
        session_->data().open(request);
        settle();
        const PointCloud& cloud = *session_->data().cloud();
        const auto& suggestion = session_->data().suggestion();
        QVERIFY(suggestion && suggestion->isExact);
        const auto hierarchy = Hierarchy::build(cloud, {.minPts = 5, .metric = metric});
        const auto stable =
            mostStablePartition(hierarchy->dendrogram(), leastSizeWithMeaning(cloud.size(), 5),
                                sensibleEpsRange(cloud, {}, metric).low);
        QCOMPARE(suggestion->stable.has_value(), stable.has_value());
        if (stable) {
          QCOMPARE(suggestion->stable->clusters, stable->clusters);
          QCOMPARE(suggestion->stable->from, stable->from);
          QCOMPARE(suggestion->stable->to, stable->to);
          continue;
        }
        const double knee = briefKnee(kDistances(cloud, 5, 2000, {}, metric)->suggestedEps);
        QVERIFY(suggestion->isBelowKnee ? suggestion->eps < knee : suggestion->eps == knee);
      }
  }

  /// Its ε is no length: one is suggested, which finds something.
  void cosineHasAnEpsOfItsOwn() {
    open("box.csv", 2, {});
    session_->setSpace({.metric = Metric::Cosine});
    QVERIFY(waitUntil([this] { return !session_->data().awaitsEps(); }));
    settle();
    const double eps = session_->parameters().dbscan.eps;
    QVERIFY2(eps > 0 && eps < 0.5, qPrintable(QString::number(eps)));
    QVERIFY(session_->data().epsRange().high <= 2);
    QVERIFY(kDistancesAreThoseOf(Metric::Cosine));
    QCOMPARE(labels(), labelsIn({.metric = Metric::Cosine}, eps));
    QCOMPARE(labelsByCommandLine(), labels());
    DataPanel panel(*session_);
    QVERIFY(panel.findChild<QLabel*>("spaceNote")->text().contains("cos of the angle"));
    ParametersPanel parameters(*session_);
    const auto* angle = parameters.findChild<QLabel*>("epsAngle");
    QVERIFY(angle->isVisibleTo(&parameters));
    session_->setEps(0.5);
    QCOMPARE(angle->text(), QString("= 60°"));
    session_->setSpace({});
    QVERIFY(!angle->isVisibleTo(&parameters));
  }

  void whatIsEuclideanIsNotShown() {
    open("box.csv", 0.4, {});
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QVERIFY(session_->derived().kDistances());
    session_->setSpace(box({50, 0}));
    settle();
    QVERIFY(!session_->derived().kDistances());
    QVERIFY(!session_->loadLab().question());
    DisplayState display = session_->display();
    display.gridShown = true;
    session_->setDisplay(display);
    QVERIFY(waitUntilIdle(*session_));
    QVERIFY(!session_->derived().gridCells());
    session_->setSpace({});
    settle();
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QVERIFY(waitUntil([this] { return session_->derived().kDistances() != nullptr; }));
    QVERIFY(session_->derived().gridCells());
    open("earth.csv", 3e5, sphere());
    QCOMPARE(int(session_->everyEps().state()), int(EveryEps::State::OtherSpace));
    QVERIFY(!session_->everyEps().hierarchy());
  }

  /// Charts of every ε are there in a box, where no drag in them reaches an ε that runs refuse.
  void chartsOfEveryEpsInABox() {
    session_->everyEps().setEnabled(true);
    open("box.csv", 0.4, box({50, 0}));
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    ParametersPanel panel(*session_);
    const auto* state = panel.findChild<QLabel*>("everyEpsState");
    QCOMPARE(state->text(), QString("exact at every ε"));
    const auto pageOf = [this](ChartId id) {
      return std::unique_ptr<ChartPage>(chartPage(id).make(*session_));
    };
    const auto distances = pageOf(ChartId::KDistance);
    const auto tree = pageOf(ChartId::Tree);
    const auto plot = pageOf(ChartId::Reachability);
    const auto map = pageOf(ChartId::Map);
    QVERIFY(tree->applies() && plot->applies() && !map->applies() && !distances->applies());
    const QSignalSpy failures(&session_->jobs(), &JobQueue::failed);
    dragEps(*session_, 100, true);
    settle();
    QCOMPARE(failures.count(), 0);
    QCOMPARE(session_->parameters().dbscan.eps, mostEps(box({50, 0}), {}));
    // The map needs Euclidean distances, and asks for nothing.
    session_->everyEps().setEnabled(false);
    map->setActive(true);
    QCOMPARE(int(session_->everyEps().state()), int(EveryEps::State::Off));
    map->setActive(false);
    session_->everyEps().setEnabled(true);
    session_->setSpace({.metric = Metric::Cosine});
    QVERIFY(waitUntil([this] { return !session_->data().awaitsEps(); }));
    settle();
    QVERIFY(tree->applies() && plot->applies() && !map->applies() && distances->applies());
    QVERIFY(waitUntil([this] { return session_->everyEps().hierarchy() != nullptr; }));
    QCOMPARE(state->text(), QString("exact at every ε"));
    dragEps(*session_, 100, true);
    settle();
    QCOMPARE(failures.count(), 0);
    QCOMPARE(session_->parameters().dbscan.eps, mostEps({.metric = Metric::Cosine}, {}));
    open("earth.csv", 3e5, sphere());
    QVERIFY(!tree->applies() && !plot->applies() && !distances->applies());
    QCOMPARE(state->text(), QString("not for these distances"));
  }

  void sessionsKeepTheSpace() {
    open("box.csv", 0.4, box({50, 0}));
    const auto before = labels();
    session_->files().saveSession(path("box.loom"));
    QVERIFY(waitUntilIdle(*session_));
    session_->closeData();
    QVERIFY(session_->parameters().space.isEuclidean());
    session_->files().openSession(path("box.loom"));
    settle();
    QCOMPARE(session_->parameters().space.periods, (std::vector<double>{50, 0}));
    QCOMPARE(labels(), before);
    SessionState state = session_->state();
    state.parameters.space = sphere();
    const auto again = sessionFromJson(toJson(state, directory_->path()), directory_->path());
    QVERIFY(again && again->parameters.space == state.parameters.space);
  }

  void provenanceNamesTheSpace() {
    open("box.csv", 0.4, box({50, 0}));
    session_->files().exportLabelled(path("out.ply"), {}, true);
    QVERIFY(waitUntilIdle(*session_));
    QFile file(path("out.ply"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("periods 50,-"));
    Parameters other = session_->parameters();
    other.space = {};
    QVERIFY(differenceText(session_->parameters(), other).contains("a periodic box"));
  }

  void aSpaceThatDoesNotFitIsReverted() {
    open("box.csv", 0.4, {});
    const QSignalSpy failures(&session_->jobs(), &JobQueue::failed);
    session_->setSpace(box({50, 0, 0}));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failures.count(), 1);
    QVERIFY(session_->parameters().space.isEuclidean());
    session_->setSpace(sphere());  // latitudes up to 100
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(failures.count(), 2);
    QVERIFY(session_->parameters().space.isEuclidean());
    settle();
  }

  void thePanelTakesPeriods() {
    open("box.csv", 0.4, {});
    DataPanel panel(*session_);
    auto* space = panel.findChild<QComboBox*>("space");
    auto* periods = panel.findChild<QLineEdit*>("periods");
    auto* error = panel.findChild<QLabel*>("spaceError");
    QVERIFY(!periods->isVisibleTo(&panel));
    space->setCurrentIndex(1);
    Q_EMIT space->activated(1);
    QVERIFY(periods->isVisibleTo(&panel));
    QVERIFY(session_->parameters().space.isEuclidean());
    for (const char* wrong : {"50", "50, x", "-50, 0"}) {
      periods->setText(wrong);
      Q_EMIT periods->editingFinished();
      QVERIFY2(error->isVisibleTo(&panel), wrong);
      QVERIFY(session_->parameters().space.isEuclidean());
    }
    periods->setText("50, 0");
    Q_EMIT periods->editingFinished();
    QVERIFY(!error->isVisibleTo(&panel));
    settle();
    QCOMPARE(session_->parameters().space.periods, (std::vector<double>{50, 0}));
    QVERIFY(panel.findChild<QLabel*>("spaceNote")->isVisibleTo(&panel));
    space->setCurrentIndex(2);
    Q_EMIT space->activated(2);
    QVERIFY(session_->parameters().space.sphere && session_->parameters().space.periods.empty());
    QVERIFY(!panel.findChild<QComboBox*>("scaling")->isEnabled());
    QVERIFY(!panel.findChild<QLineEdit*>("epsOfDimensions")->isVisibleTo(&panel));
  }

  /// Periods that were entered are of the file before, wherever the cursor is.
  void thePanelFollowsOtherData() {
    open("box.csv", 0.4, {});
    DataPanel panel(*session_);
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto* space = panel.findChild<QComboBox*>("space");
    auto* periods = panel.findChild<QLineEdit*>("periods");
    const auto enter = [&](const char* text) {
      space->setCurrentIndex(1);
      Q_EMIT space->activated(1);
      periods->setFocus();
      periods->selectAll();
      QTest::keyClicks(periods, text);
    };
    enter("50, 0");
    QTest::keyClick(periods, Qt::Key_Return);
    settle();
    QVERIFY(periods->hasFocus() && !session_->parameters().space.isEuclidean());
    open("earth.csv", 1, {});
    QVERIFY(session_->parameters().space.isEuclidean());
    QCOMPARE(space->currentIndex(), 0);
    QVERIFY(!periods->isVisible());
    // While they are entered, other parameters leave them.
    periods->clear();
    enter("5");
    session_->setMinPts(6);
    QVERIFY(periods->isVisible() && space->currentIndex() == 1);
    settle();
    open("box.csv", 0.4, {});
    QCOMPARE(space->currentIndex(), 0);
    QVERIFY(!periods->isVisible());
  }

  void aBoxWithoutPeriodsIsNone() {
    open("box.csv", 0.4, {});
    DataPanel panel(*session_);
    auto* space = panel.findChild<QComboBox*>("space");
    auto* periods = panel.findChild<QLineEdit*>("periods");
    space->setCurrentIndex(1);
    Q_EMIT space->activated(1);
    QVERIFY(periods->isVisibleTo(&panel));
    Q_EMIT periods->editingFinished();
    QCOMPARE(space->currentIndex(), 0);
    QVERIFY(!periods->isVisibleTo(&panel) && session_->parameters().space.isEuclidean());
  }

  void anEpsForEachDimension() {
    open("box.csv", 0.4, {});
    DataPanel panel(*session_);
    auto* eps = panel.findChild<QLineEdit*>("epsOfDimensions");
    QCOMPARE(eps->text(), QString("0.4, 0.4"));
    for (const char* wrong : {"0.4", "0.4, 0", "0.4, -1", "0.4, x", "1, 2, 3"}) {
      eps->setText(wrong);
      Q_EMIT eps->editingFinished();
      QVERIFY2(panel.findChild<QLabel*>("epsError")->isVisibleTo(&panel), wrong);
      QCOMPARE(int(session_->parameters().scaling.kind), int(Scaling::Kind::None));
    }
    eps->setText("0.4, 0.4");  // what it was
    Q_EMIT eps->editingFinished();
    QVERIFY(!panel.findChild<QLabel*>("epsError")->isVisibleTo(&panel));
    eps->setText("0.4, 1.6");
    Q_EMIT eps->editingFinished();
    QVERIFY(!panel.findChild<QLabel*>("epsError")->isVisibleTo(&panel));
    settle();
    // ε stays; the second dimension counts a quarter.
    QCOMPARE(session_->parameters().dbscan.eps, 0.4);
    QCOMPARE(session_->parameters().scaling.factors, (std::vector<double>{1, 0.25}));
    QCOMPARE(eps->text(), QString("0.4, 1.6"));
    const Scaling scaling{Scaling::Kind::Factors, {0, 0}, {1, 0.25}};
    QCOMPARE(labels(), labelsIn({}, 0.4, scaling));
    QCOMPARE(labelsByCommandLine(), labels());
    // The slider changes all in proportion; leaving the field changes nothing.
    session_->setEps(0.6);
    settle();
    QCOMPARE(eps->text(), QString("0.6, 2.4"));
    const int steps = session_->undoStack()->count();
    Q_EMIT eps->editingFinished();
    QCOMPARE(session_->undoStack()->count(), steps);
  }
};

TEST_ENTRY((&test_program::runIn<QApplication, TestSpace>));
#include "tst_space.moc"
