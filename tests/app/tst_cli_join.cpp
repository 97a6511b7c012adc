// clusterloom-cli join: counts and pairs equal to plain loops, for every pattern.
#include <QtTest/QtTest>

#include <QJsonArray>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliJoin : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void countsAndPairs_data();
  void countsAndPairs();
  void precision32WhereItCannot();
  void rowsOfTheFile();
  void figures();
  void phases();
  void candidatesOfOneCell();
  void sweep();
  void histogram();
  void everyMinPts();
  void summary();
};

void TestCliJoin::countsAndPairs_data() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<double>("eps");
  QTest::addColumn<QStringList>("options");
  for (const char* pattern : {"full", "unicomp", "lid-unicomp", "tile"})
    for (const int dims : {1, 2, 3, 5}) {
      const double eps = dims == 1 ? 0.1 : 0.3 * dims;
      QTest::addRow("%s, %d-D", pattern, dims) << dims << eps << QStringList{"--pattern", pattern};
    }
  QTest::newRow("lattice, tie at the root of 2")
      << 0 << std::sqrt(2.0) << words("--pattern unicomp --order cell");
  for (const char* pattern : {"full", "unicomp", "lid-unicomp", "tile"})
    QTest::addRow("lattice, 32 bits, %s", pattern)
        << 0 << std::sqrt(2.0) << QStringList{"--precision", "32", "--pattern", pattern};
  QTest::newRow("lattice, batches") << 0 << 2.0 << words("--batch-size 500");
}

void TestCliJoin::countsAndPairs() {
  QFETCH(int, dims);
  QFETCH(double, eps);
  QFETCH(QStringList, options);
  const oracle::Rows rows = dims == 0 ? oracle::lattice(15) : oracle::clumps(400, dims, 21);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const CliRun done =
      runCli(QStringList{"join", "cloud.csv", "--eps", QString::number(eps, 'g', 17), "--counts",
                         "counts.npy", "--pairs", "pairs.npy", "--json"} +
                 options,
             folder_.path());
  QVERIFY2(done.status == 0, done.err);

  const auto near = oracle::neighbours(rows, eps);
  std::vector<std::uint32_t> counts;
  std::vector<std::int32_t> pairs;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    counts.push_back(static_cast<std::uint32_t>(near[p].size()));
    for (const std::int32_t q : near[p]) {
      pairs.push_back(static_cast<std::int32_t>(p));
      pairs.push_back(q);
    }
  }
  const oracle::Npy countFile = oracle::readNpy(path("counts.npy"));
  QVERIFY2(countFile.header.contains("'descr':'<u4'"), countFile.header);
  QCOMPARE(countFile.values<std::uint32_t>(), counts);
  const oracle::Npy pairFile = oracle::readNpy(path("pairs.npy"));
  QVERIFY2(pairFile.header.contains("'descr':'<i4'"), pairFile.header);
  QVERIFY2(pairFile.header.contains("'fortran_order':False"), pairFile.header);
  QVERIFY2(pairFile.header.contains("'shape':(" + QByteArray::number(qulonglong(pairs.size() / 2)) +
                                    ",2)"),
           pairFile.header);
  QCOMPARE(pairFile.values<std::int32_t>(), pairs);
  QCOMPARE(done.json()["pairs"].toInt(-1), static_cast<int>(pairs.size() / 2));
  QCOMPARE(done.json()["strategy"].toString().contains("32-bit"), options.contains("32"));
}

/// Skipped rows and rows that are not read count.
void TestCliJoin::rowsOfTheFile() {
  QVERIFY(oracle::writeFile(path("gaps.csv"), "x\nnan\n0\n9\nnan\n0.5\n9\n"));
  QVERIFY(oracle::writeFile(path("other.csv"), "x\nnan\nnan\n0.2\n"));
  const auto values = [&](const char* call, const char* file) {
    const CliRun done = run(call);
    if (done.status != 0) qWarning("%s", done.err.constData());
    return oracle::readNpy(path(file)).values<std::int32_t>();
  };
  using Values = std::vector<std::int32_t>;
  const char* own = "join gaps.csv --eps 1 --skip-non-finite --counts c.npy --pairs p.npy";
  QCOMPARE(values(own, "p.npy"), (Values{1, 1, 1, 4, 2, 2, 2, 5, 4, 1, 4, 4, 5, 2, 5, 5}));
  QCOMPARE(values(own, "c.npy"), (Values{0, 2, 2, 0, 2, 2}));
  const char* two =
      "join gaps.csv --with other.csv --eps 1 --skip-non-finite --counts c.npy --pairs p.npy";
  QCOMPARE(values(two, "p.npy"), (Values{1, 2, 4, 2}));
  QCOMPARE(values(two, "c.npy"), (Values{0, 1, 0, 0, 1, 0}));
  // Rows 0, 2 and 4.
  const char* some =
      "join gaps.csv --eps 1 --skip-non-finite --every 2 --counts c.npy --pairs p.npy";
  QCOMPARE(values(some, "p.npy"), (Values{2, 2, 4, 4}));
  QCOMPARE(values(some, "c.npy"), (Values{0, 1, 1}));
}

/// A dimension that is not indexed and spans 10⁶ ε leaves 32 bits useless: 64 are used, and the
/// program reports it.
void TestCliJoin::precision32WhereItCannot() {
  QVERIFY(oracle::writeFile(path("long.csv"), "x,y\n0,0\n0.5,0\n0.5,1e6\n0,1e6\n3,2e6\n"));
  const char* call = "join long.csv --eps 0.5 --index-dims 1 --reorder off --precision %1 --json";
  const QJsonObject in64 = run(qPrintable(QString(call).arg(64))).json();
  const CliRun in32 = run(qPrintable(QString(call).arg(32)));
  QVERIFY2(in32.status == 0, in32.err);
  QCOMPARE(in32.json()["pairs"], in64["pairs"]);
  QCOMPARE(in32.json()["pairs"].toInt(), 9);
  QCOMPARE(in32.json()["strategy"], in64["strategy"]);
  QVERIFY2(in32.json()["note"].toString().contains("64 bits"), in32.out);
  QVERIFY(!in64.contains("note"));
}

void TestCliJoin::figures() {
  const oracle::Rows rows = oracle::clumps(400, 2, 21);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const CliRun done = run("join cloud.csv --eps 0.5 --pattern full --sort-idu off --json");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(done.err, QByteArray());
  const QJsonObject json = done.json();
  double pairs = 0;
  for (const auto& list : oracle::neighbours(rows, 0.5)) pairs += static_cast<double>(list.size());
  QCOMPARE(json["points"].toInt(), 400);
  QCOMPARE(json["pairs"].toDouble(), pairs);
  QCOMPARE(json["selectivity"].toDouble(), (pairs - 400) / 400);
  // The full pattern examines every candidate once, and candidates hold all pairs.
  QCOMPARE(json["distance_calculations"].toDouble(), json["candidates"].toDouble());
  QVERIFY(json["candidates"].toDouble() >= pairs);
  QVERIFY(json["candidates"].toDouble() <= 400.0 * 400.0);
  QVERIFY(!json.contains("min_pts") && !json.contains("clusters"));
  for (const char* stage : {"read", "index", "join", "write", "total"})
    QVERIFY2(json["seconds"].toObject()[stage].isDouble(), stage);
  // A half pattern does half the work for the same pairs.
  const QJsonObject half = run("join cloud.csv --eps 0.5 --pattern lid-unicomp --json").json();
  QCOMPARE(half["pairs"].toDouble(), pairs);
  QCOMPARE(half["candidates"].toDouble(), json["candidates"].toDouble());
  QVERIFY(half["distance_calculations"].toDouble() < json["candidates"].toDouble());
}

/// What pairs cost beside counts: each phase by itself, and no sum that counts one twice.
void TestCliJoin::phases() {
  const oracle::Rows rows = oracle::clumps(400, 2, 21);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const char* call = "join cloud.csv --eps 0.5 --pattern full --json";
  const QJsonObject counted = run(call).json();
  const CliRun done = run((QByteArray(call) + " --pairs p.npy --counts c.npy").constData());
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject json = done.json();
  for (const char* figure : {"pairs", "candidates", "selectivity"})
    QCOMPARE(json[figure].toDouble(), counted[figure].toDouble());
  QStringList names;
  double seconds = 0;
  double distances = 0;
  for (const QJsonValue& value : json["phases"].toArray()) {
    const QJsonObject phase = value.toObject();
    names << phase["phase"].toString();
    seconds += phase["seconds"].toDouble();
    distances += phase["distance_calculations"].toDouble();
    if (names.last() == "counting" || names.last() == "filling")
      QCOMPARE(phase["distance_calculations"].toDouble(),
               counted["distance_calculations"].toDouble());
  }
  QCOMPARE(names, (QStringList{"counting", "filling", "sorting", "transfer"}));
  QVERIFY(std::abs(seconds - json["seconds"].toObject()["join"].toDouble()) < 1e-9);
  QCOMPARE(distances, json["distance_calculations"].toDouble());
  QCOMPARE(distances, 2 * counted["distance_calculations"].toDouble());
  QCOMPARE(counted["phases"].toArray().size(), 1);
  const CliRun text = run("join cloud.csv --eps 0.5 --pairs p.npy --histogram h.csv");
  QVERIFY2(text.out.contains("\nphases      counting "), text.out);
  QVERIFY2(text.out.contains(", histogram "), text.out);
  // Brute force counts once as well.
  const QJsonObject brute =
      run("join cloud.csv --eps 0.5 --method brute-force --pairs p.npy --json").json();
  QCOMPARE(brute["candidates"].toDouble(), 400.0 * 400);
  QCOMPARE(brute["distance_calculations"].toDouble(), 2 * 400.0 * 400);
  QStringList bruteNames;
  for (const QJsonValue& value : brute["phases"].toArray())
    bruteNames << value.toObject()["phase"].toString();
  QCOMPARE(bruteNames, (QStringList{"counting", "filling"}));
}

/// All points in one cell: candidates are all ordered pairs.
void TestCliJoin::candidatesOfOneCell() {
  QVERIFY(oracle::writeFile(path("near.csv"), "x,y\n0,0\n0.1,0\n0,0.1\n0.1,0.1\n"));
  const QJsonObject json = run("join near.csv --eps 10 --json").json();
  QCOMPARE(json["candidates"].toInt(), 16);
  QCOMPARE(json["pairs"].toInt(), 16);
  QCOMPARE(json["selectivity"].toDouble(), 3.0);
}

void TestCliJoin::sweep() {
  const oracle::Rows rows = oracle::clumps(200, 2, 21);
  QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
  const CliRun done = run("join cloud.csv --sweep-eps 0.5:2:3");
  QVERIFY2(done.status == 0, done.err);
  const QList<QByteArray> lines = done.out.trimmed().split('\n');
  QCOMPARE(lines.size(), 3);
  for (const QByteArray& line : lines) {
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    std::size_t pairs = 0;
    for (const auto& list : oracle::neighbours(rows, json["eps"].toDouble())) pairs += list.size();
    QCOMPARE(json["pairs"].toInt(-1), static_cast<int>(pairs));
  }
}

// Every row's edge is an ε of its own, which plain loops count.
/// The curve says for every minPts what a run finds.
void TestCliJoin::everyMinPts() {
  const oracle::Rows rows = oracle::clumps(120, 2, 4);
  QVERIFY(oracle::writeFile(path("clumps.csv"), oracle::csvOf(rows)));
  const CliRun done = runCli({"join", "clumps.csv", "--eps", "0.7", "--min-pts-curve", "every.csv"},
                             folder_.path());
  QVERIFY2(done.status == 0, done.err);
  const QList<QByteArray> lines = oracle::readFile(path("every.csv")).trimmed().split('\n');
  QCOMPARE(lines.front(), QByteArray("min_pts,clusters,core,noise"));
  QVERIFY(lines.size() > 4);
  for (std::size_t minPts = 1; minPts <= rows.size() + 1; ++minPts) {
    QList<QByteArray> row;
    for (const QByteArray& line : lines.mid(1))
      if (line.split(',')[0].toULongLong() <= minPts) row = line.split(',');
    const oracle::Labels labels = oracle::dbscan(rows, 0.7, minPts);
    const auto most = std::max_element(labels.labels.begin(), labels.labels.end());
    QCOMPARE(row[1].toInt(), *most + 1);
    QCOMPARE(row[2].toULongLong(), qulonglong(labels.core));
    QCOMPARE(row[3].toULongLong(), qulonglong(labels.noise));
  }
}

void TestCliJoin::histogram() {
  const oracle::Rows rows = oracle::lattice(6);
  QVERIFY(oracle::writeFile(path("lattice.csv"), oracle::csvOf(rows)));
  // In more dimensions than the grid has, the same distances: the others are constant.
  oracle::Rows wide = rows;
  for (std::vector<double>& row : wide) row.resize(150, 2.5);
  QVERIFY(oracle::writeFile(path("wide.csv"), oracle::csvOf(wide)));
  for (const char* way : {"lattice.csv --pattern full", "lattice.csv --pattern unicomp",
                          "lattice.csv --pattern lid-unicomp", "lattice.csv --pattern tile",
                          "lattice.csv --method products", "wide.csv"}) {
    const CliRun done = run("join " + QString(way) + " --eps 3 --histogram h.csv --bins 6 --json");
    QVERIFY2(done.status == 0, done.err);
    QFile file(path("h.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 7);
    QCOMPARE(lines[0], QByteArray("distance,pairs,pairs_up_to"));
    std::uint64_t before = 0;
    for (int i = 1; i <= 6; ++i) {
      const QList<QByteArray> cells = lines[i].split(',');
      QCOMPARE(cells[0].toDouble(), 0.5 * i);
      std::uint64_t expected = 0;
      for (const auto& near : oracle::neighbours(rows, 0.5 * i)) expected += near.size();
      QCOMPARE(cells[2].toULongLong(), expected);
      QCOMPARE(cells[1].toULongLong(), expected - before);
      before = expected;
    }
  }
  // ε has a square, the end of the first bin has none.
  const CliRun narrow = run("join lattice.csv --eps 2e-154 --histogram h.csv --bins 6");
  QCOMPARE(narrow.status, 2);
  QVERIFY2(narrow.err.contains("bins are too narrow") && !narrow.err.contains("ε is too small"),
           narrow.err);
}

void TestCliJoin::summary() {
  QVERIFY(oracle::writeFile(path("near.csv"), "x,y\n0,0\n0.1,0\n0,0.1\n9,9\n"));
  const CliRun done = run("join near.csv --eps 1");
  QCOMPARE(done.status, 0);
  QVERIFY2(done.out.contains("pairs       10 "), done.out);
}

GUILESS_TEST(TestCliJoin);
#include "tst_cli_join.moc"
