// What the session derives of data and result, and what it exports of them.
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "engine/cpu/brute_force.h"
#include "engine/io/read.h"
#include "holding_backend.h"
#include "session_folder.h"
#include "tests/test_program.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/follow_labels.h"
#include "ui/session/session_files.h"

using namespace clusterloom;

namespace {

void writeFile(const QString& path, const QByteArray& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(text), text.size());
}

}  // namespace

class TestSessionDerived : public QObject, SessionFolder {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("clusterloom-tests");
    QCoreApplication::setApplicationName("tst_session_derived");
  }
  void init() { directory_ = std::make_unique<QTemporaryDir>(); }

  void colourValues() {
    writeFile(path("kept.csv"),
              "x,y,height,kind\n0,0,5,tree\n1,0,-3,house\n0,1,7,tree\n9,9,2,car\n");
    auto session = makeSession();
    ReadOptions options;
    options.coordinates = {"x", "y"};
    OpenRequest request;
    request.path = path("kept.csv");
    request.read = options;
    request.eps = 1.0;
    request.minPts = 2;
    session->data().open(request);
    QVERIFY(waitForResult(*session));
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    const auto show = [&](ColourBy by, const QString& attribute, int dimension) {
      DisplayState display = session->display();
      display.colourBy = by;
      display.attribute = attribute;
      display.dimension = dimension;
      session->setDisplay(display);
      waitUntil(
          [&] {
            return session->derived().colourValues() &&
                   session->derived().colourValues()->by == by &&
                   !session->jobs().isActive(JobKind::ColourValues);
          },
          3000);
      return session->derived().colourValues();
    };
    auto values = show(ColourBy::Density, {}, 0);
    QVERIFY(values);
    QCOMPARE(values->values, (std::vector<float>{3, 2, 2, 1}));
    QCOMPARE(values->low, 1.0);
    QCOMPARE(values->high, 3.0);
    values = show(ColourBy::Attribute, "height", 0);
    // Few whole numbers: categories, in ascending order.
    QCOMPARE(values->values, (std::vector<float>{2, 0, 3, 1}));
    QCOMPARE(values->words, (std::vector<std::string>{"-3", "2", "5", "7"}));
    QCOMPARE(values->title, QString("height"));
    values = show(ColourBy::Attribute, "kind", 0);
    QCOMPARE(values->words.size(), std::size_t(3));
    QCOMPARE(values->words[std::size_t(values->values[3])], std::string("car"));
    values = show(ColourBy::Dimension, {}, 1);
    QCOMPARE(values->values, (std::vector<float>{0, 0, 1, 9}));
    QCOMPARE(failed.count(), 0);
    // Density follows ε.
    show(ColourBy::Density, {}, 0);
    session->setEps(20);
    QVERIFY(waitForResult(*session));
    QVERIFY(waitUntilIdle(*session));
    QCOMPARE(session->derived().colourValues()->values, (std::vector<float>{4, 4, 4, 4}));
    DisplayState display = session->display();
    display.colourBy = ColourBy::Attribute;
    display.attribute = "no such";
    session->setDisplay(display);
    QVERIFY(waitUntil([&] { return failed.count() == 1; }));
    display.colourBy = ColourBy::Cluster;
    session->setDisplay(display);
    QVERIFY(!session->derived().colourValues());
  }

  void gridCellsOnRequest() {
    auto session = opened(blobs(2000));
    QVERIFY(session);
    QVERIFY(!session->derived().gridCells());
    DisplayState display = session->display();
    display.gridShown = true;
    session->setDisplay(display);
    QVERIFY(waitUntil([&] { return session->derived().gridCells() != nullptr; }));
    const GridCells& cells = *session->derived().gridCells();
    const PointCloud& cloud = *session->data().cloud();
    QCOMPARE(cells.eps, session->parameters().dbscan.eps);
    QCOMPARE(cells.cellOfPoint.size(), cloud.size());
    std::uint64_t points = 0;
    for (const auto count : cells.points) points += count;
    QCOMPARE(points, std::uint64_t(2000));
    QVERIFY(std::is_sorted(cells.linearIds.begin(), cells.linearIds.end()));
    // Each point lies in its cell; all its neighbours lie in adjacent cells.
    const std::size_t k = cells.dims.size();
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      const auto c = std::size_t(cells.cellOfPoint[p]);
      for (std::size_t j = 0; j < k; ++j) {
        const double x = cloud.columns[std::size_t(cells.dims[j])][p];
        const double slack = 1e-9 * cells.eps;
        QVERIFY(cells.low[c * k + j] - slack <= x && x <= cells.high[c * k + j] + slack);
      }
    }
    const auto counts = bruteForceCounts(cloud, cells.eps);
    QVERIFY(counts);
    for (std::size_t c = 0; c < cells.size(); c += 7) {
      const CellDescription cell = describeCell(cells, std::int64_t(c));
      QCOMPARE(cell.linearId, cells.linearIds[c]);
      QCOMPARE(cell.adjacent.size() + 1, std::size_t(cells.adjacent[c]));
      std::uint64_t candidates = cell.points;
      for (const std::int64_t other : cell.adjacent) candidates += cells.points[std::size_t(other)];
      QCOMPARE(candidates, cell.candidates);
      for (const std::int64_t other : cell.adjacent)
        for (std::size_t j = 0; j < k; ++j)
          QVERIFY(std::abs(cells.low[std::size_t(other) * k + j] - cell.low[j]) < 1.5 * cells.eps);
    }
    for (std::size_t p = 0; p < cloud.size(); ++p)
      QVERIFY(counts->counts[p] <= cells.candidates[std::size_t(cells.cellOfPoint[p])]);
    QCOMPARE(describeCell(cells, -1).points, std::uint64_t(0));
    QCOMPARE(describeCell(cells, std::int64_t(cells.size())).points, std::uint64_t(0));

    // Boxes on axes swapped against the grid's.
    DisplaySpace space;
    space.axes = 2;
    space.dims = {1, 0, 2};
    const CellBoxes boxes = cellBoxesOf(cells, space);
    QCOMPARE(boxes.size(), cells.size());
    const auto axisOfX = std::size_t(1);
    const auto jOfX =
        std::size_t(std::find(cells.dims.begin(), cells.dims.end(), 0) - cells.dims.begin());
    QCOMPARE(boxes.low[axisOfX][5], cells.low[5 * k + jOfX]);

    session->setEps(session->parameters().dbscan.eps * 2);
    QVERIFY(waitUntil([&] {
      return session->derived().gridCells() &&
             session->derived().gridCells()->eps == session->parameters().dbscan.eps;
    }));
    display.gridShown = false;
    session->setDisplay(display);
    QVERIFY(!session->derived().gridCells());
  }

  void sweepOnRequest() {
    auto session = opened(blobs(2000));
    QVERIFY(session);
    QVERIFY(waitUntilIdle(*session));
    QVERIFY(session->derived().sweep().empty());
    session->derived().setSweepWanted(true);
    QVERIFY(waitUntilIdle(*session));
    QCOMPARE(session->derived().sweep().size(), std::size_t(33));
    for (std::size_t i = 0; i < 33; ++i) {
      const SweepPoint& point = session->derived().sweep()[i];
      if (i > 0) QVERIFY(session->derived().sweep()[i - 1].eps < point.eps);
      if (i % 8 != 0) continue;
      const auto judge = bruteForceDbscan(*session->data().cloud(),
                                          {point.eps, session->parameters().dbscan.minPts});
      QCOMPARE(point.clusters, judge->clusters);
      QCOMPARE(point.noise, judge->noiseCount);
    }
    session->setEps(session->parameters().dbscan.eps * 1.5);
    QVERIFY(waitUntilIdle(*session));
    QCOMPARE(session->derived().sweep().size(), std::size_t(33));  // ε does not touch it
    const auto before = session->derived().sweep();
    session->setMinPts(session->parameters().dbscan.minPts * 4);
    QVERIFY(session->derived().sweep().size() < 33);
    QVERIFY(waitUntilIdle(*session));
    QCOMPARE(session->derived().sweep().size(), std::size_t(33));
    QVERIFY(session->derived().sweep()[16].noise != before[16].noise);
  }

  void exports() {
    auto session = opened(blobs(3000));
    QVERIFY(session);
    QSignalSpy exported(&session->files(), &SessionFiles::exported);
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    // Two at once: neither undoes the other.
    session->files().exportLabelled(path("all.csv"));
    session->files().exportClusterTable(path("table.csv"));
    session->files().exportLabelled(path("one.csv"), {0}, false);
    session->files().exportLabelled(path("labels.npy"));
    QVERIFY(waitUntil([&] { return exported.count() == 4; }));
    QCOMPARE(failed.count(), 0);
    const auto again = readDataset(path("all.csv").toStdString());
    QVERIFY(again);
    QCOMPARE(again->cloud.size(), std::size_t(3000));
    const Clustering& clustering = session->clusterRun().result()->clustering;
    bool labelsSeen = false;
    const auto compare = [&](const std::string& name, const std::vector<double>& column) {
      if (name != "label") return;
      labelsSeen = true;
      for (std::size_t i = 0; i < 3000; ++i) QCOMPARE(column[i], double(clustering.labels[i]));
    };
    for (std::size_t j = 0; j < again->cloud.dims(); ++j)
      compare(again->cloud.names[j], again->cloud.columns[j]);
    for (const Attribute& attribute : again->attributes)
      if (const auto numbers = doublesOf(nullptr, attribute.values))
        compare(attribute.name, *numbers);
    QVERIFY(labelsSeen);
    QVERIFY(QFile::exists(path("all.csv.provenance.json")));
    const auto one = readDataset(path("one.csv").toStdString());
    QVERIFY(one);
    QCOMPARE(one->cloud.size(),
             std::size_t(std::count(clustering.labels.begin(), clustering.labels.end(), 0)));
    QFile table(path("table.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    int rows = 0;
    for (const QByteArray& line : table.readAll().split('\n'))
      rows += !line.isEmpty() && !line.startsWith('#');
    QCOMPARE(rows, clustering.clusters + 1);

    session->files().exportLabelled(path("no/such/directory/out.csv"));
    QVERIFY(waitUntil([&] { return failed.count() == 1; }));
    QCOMPARE(failed[0][0].value<Failure>().error.kind, ErrorKind::Io);
    session->files().exportLabelled(path("out.unknown"));
    QVERIFY(waitUntil([&] { return failed.count() == 2; }));
    QVERIFY(!QFile::exists(path("out.unknown")));
  }

  void cancelledExportLeavesTheOldFile() {
    auto session = opened(blobs(500000 / kSmaller));
    QVERIFY(session);
    const auto files = [&] {
      return QDir(directory_->path()).entryList(QDir::Files | QDir::Hidden);
    };
    bool kept = false;
    for (int turn = 0; turn < 5 && !kept; ++turn) {  // on a busy machine it may be written before
      writeFile(path("old.csv"), "old");
      session->files().exportLabelled(path("old.csv"));
      QVERIFY(session->jobs().isActive(JobKind::Export));
      // While it is written: the temporary file is there.
      while (files().size() < 2 && session->jobs().isActive(JobKind::Export)) QTest::qWait(1);
      session->cancel();
      QVERIFY(waitUntilIdle(*session));
      QVERIFY(waitUntil([&] { return files() == QStringList{"old.csv"}; }));
      QFile file(path("old.csv"));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray content = file.readAll();
      kept = content == "old";
      // Else it was written to its end: a header and a line for each point.
      if (!kept) QCOMPARE(content.count('\n'), qsizetype(500000 / kSmaller) + 1);
    }
    QVERIFY(kept);
  }
};

GUILESS_TEST(TestSessionDerived);
#include "tst_session_derived.moc"
