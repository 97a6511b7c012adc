// clusterloom-cli knn: distances and ids equal to plain loops; skipped rows keep their place.
#include <QtTest/QtTest>
#include <algorithm>
#include <cmath>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

namespace {

/// Ids and distances of the k nearest points of every row, itself first.
struct Expected {
  std::vector<std::int32_t> ids;
  std::vector<double> distances;
};

/// By comparison of all pairs. A row without coordinates was skipped.
Expected nearest(const oracle::Rows& rows, std::size_t k) {
  Expected expected;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (rows[p].empty()) {
      expected.ids.insert(expected.ids.end(), k, -2);
      expected.distances.insert(expected.distances.end(), k, std::nan(""));
      continue;
    }
    std::vector<std::pair<double, std::int32_t>> others;
    for (std::size_t q = 0; q < rows.size(); ++q)
      if (q != p && !rows[q].empty())
        others.emplace_back(oracle::squaredDistance(rows[p], rows[q]),
                            static_cast<std::int32_t>(q));
    std::sort(others.begin(), others.end());
    expected.ids.push_back(static_cast<std::int32_t>(p));
    expected.distances.push_back(0);
    for (std::size_t i = 0; i + 1 < k; ++i) {
      expected.ids.push_back(others[i].second);
      expected.distances.push_back(std::sqrt(others[i].first));
    }
  }
  return expected;
}

bool sameWithNan(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

class TestCliKnn : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void distancesAndIds_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("threads");
    QTest::newRow("2-D") << 2 << 10 << 2;
    QTest::newRow("5-D, one thread") << 5 << 4 << 1;
    QTest::newRow("1-D, itself only") << 1 << 1 << 3;
    QTest::newRow("lattice: ties") << 0 << 7 << 2;
    QTest::newRow("lattice: all that is allowed") << 0 << 64 << 2;
  }
  void distancesAndIds() {
    QFETCH(int, dims);
    QFETCH(int, k);
    QFETCH(int, threads);
    const oracle::Rows rows =
        dims == 0 ? oracle::lattice(12) : oracle::clumps(500, static_cast<std::size_t>(dims), 3);
    QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
    const CliRun done =
        runCli({"knn", "cloud.csv", "-k", QString::number(k), "--threads", QString::number(threads),
                "--distances", "distances.npy", "--ids", "ids.npy", "--json"},
               folder_.path());
    QVERIFY2(done.status == 0, done.err);
    const Expected expected = nearest(rows, static_cast<std::size_t>(k));
    const oracle::Npy ids = oracle::readNpy(path("ids.npy"));
    const oracle::Npy distances = oracle::readNpy(path("distances.npy"));
    const QByteArray shape = "'shape':(" + QByteArray::number(qulonglong(rows.size())) + "," +
                             QByteArray::number(k) + ")";
    QVERIFY2(ids.header.contains("'descr':'<i4'") && ids.header.contains(shape), ids.header);
    QVERIFY2(distances.header.contains("'descr':'<f8'") && distances.header.contains(shape),
             distances.header);
    QCOMPARE(ids.values<std::int32_t>(), expected.ids);
    QCOMPARE(distances.values<double>(), expected.distances);
    const QJsonObject json = done.json();
    QCOMPARE(json["points"].toInt(), static_cast<int>(rows.size()));
    QCOMPARE(json["k"].toInt(), k);
    QCOMPARE(json["threads"].toInt(), threads);
    QCOMPARE(json["backend"].toString(), "cpu");  // small clouds stay there
    double highest = 0;
    for (const double d : expected.distances) highest = std::max(highest, d);
    QCOMPARE(json["last_distance"].toObject()["highest"].toDouble(), highest);
  }

  /// By min(|d|, L − |d|), wherever the points lie; with --scale the periods are scaled, too.
  void periodicBox() {
    const oracle::Rows rows = oracle::lattice(9);
    QVERIFY(oracle::writeFile(path("box.csv"), oracle::csvOf(rows)));
    const double period = 6;  // of the first dimension
    const auto squared = [&](std::size_t p, std::size_t q) {
      const double d = std::fmod(std::abs(rows[p][0] - rows[q][0]), period);
      const double across = std::min(d, period - d);
      double sum = across * across;
      for (std::size_t j = 1; j < rows[p].size(); ++j)
        sum += (rows[p][j] - rows[q][j]) * (rows[p][j] - rows[q][j]);
      return sum;
    };
    for (const double factor : {1.0, 0.5}) {
      QStringList call{"knn",         "box.csv",       "-k",    "9",
                       "--period",    "6,-",           "--ids", "ids.npy",
                       "--distances", "distances.npy", "--json"};
      if (factor != 1) call << QStringList{"--scale", "0.5,0.5"};
      const CliRun done = runCli(call, folder_.path());
      QVERIFY2(done.status == 0, done.err);
      Expected expected;
      for (std::size_t p = 0; p < rows.size(); ++p) {
        std::vector<std::pair<double, std::int32_t>> all;
        for (std::size_t q = 0; q < rows.size(); ++q)
          all.emplace_back(q == p ? -1 : squared(p, q), static_cast<std::int32_t>(q));
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < 9; ++i) {
          expected.ids.push_back(all[i].second);
          expected.distances.push_back(i == 0 ? 0 : factor * std::sqrt(all[i].first));
        }
      }
      QCOMPARE(oracle::readNpy(path("ids.npy")).values<std::int32_t>(), expected.ids);
      QCOMPARE(oracle::readNpy(path("distances.npy")).values<double>(), expected.distances);
      QCOMPARE(done.json()["period"].toArray()[0].toDouble(), period);
    }
    QVERIFY(run("knn box.csv -k 65 --period 6,-").err.contains("64 in a periodic box"));
    QVERIFY(run("knn box.csv -k 3 --period 6,6,6").err.contains("one period per dimension"));
    QVERIFY(run("knn box.csv -k 3 --backend cuda --period 6,-").status != 0);
    // The labels of a hierarchy and of HDBSCAN* know the box, too.
    const CliRun hierarchy =
        run("hierarchy box.csv --min-pts 4 --labels-at 1,1.5 --labels h.npy --json --period 6,-");
    QVERIFY2(hierarchy.status == 0, hierarchy.err);
    QCOMPARE(hierarchy.json()["period"].toArray()[0].toDouble(), period);
    std::vector<std::int32_t> each;
    for (const char* call : {"cluster box.csv --eps 1 --min-pts 4 --labels c.npy --period 6,-",
                             "cluster box.csv --eps 1.5 --min-pts 4 --labels c.npy --period 6,-"}) {
      const CliRun cluster = run(call);
      QVERIFY2(cluster.status == 0, cluster.err);
      const auto own = oracle::readNpy(path("c.npy")).values<std::int32_t>();
      each.insert(each.end(), own.begin(), own.end());
    }
    QCOMPARE(oracle::readNpy(path("h.npy")).values<std::int32_t>(), each);
    const CliRun hdbscan = run("hdbscan box.csv --min-cluster-size 5 --json --period 6,-");
    QVERIFY2(hdbscan.status == 0, hdbscan.err);
    QCOMPARE(hdbscan.json()["period"].toArray()[0].toDouble(), period);
  }

  void skippedRowsKeepTheirPlace() {
    oracle::Rows rows = oracle::clumps(60, 2, 4);
    QByteArray text = "x,y\n";
    for (std::size_t p = 0; p < rows.size(); ++p) {
      if (p == 0 || p == 17 || p == 18 || p == 59) rows[p].clear();
      text += rows[p].empty() ? QByteArray("nan,1\n")
                              : QByteArray::number(rows[p][0], 'g', 17) + ',' +
                                    QByteArray::number(rows[p][1], 'g', 17) + '\n';
    }
    QVERIFY(oracle::writeFile(path("gaps.csv"), text));
    QCOMPARE(run("knn gaps.csv -k 3 --ids ids.npy").status, 1);
    const CliRun done =
        run("knn gaps.csv -k 3 --skip-non-finite --ids ids.npy --distances distances.npy");
    QVERIFY2(done.status == 0, done.err);
    const Expected expected = nearest(rows, 3);
    QCOMPARE(oracle::readNpy(path("ids.npy")).values<std::int32_t>(), expected.ids);
    QVERIFY(
        sameWithNan(oracle::readNpy(path("distances.npy")).values<double>(), expected.distances));
  }

  void idsAreRowsOfTheFile() {
    QVERIFY(oracle::writeFile(path("steps.csv"), "x\n0\n5\nnan\n5\n1\n5\n3\n"));
    const CliRun done = run("knn steps.csv -k 2 --every 2 --skip-non-finite --ids ids.npy");
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(oracle::readNpy(path("ids.npy")).values<std::int32_t>(),
             (std::vector<std::int32_t>{0, 4, -2, -2, 4, 0, 6, 4}));
  }

  void inAnotherCloud_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("k");
    QTest::newRow("2-D") << 2 << 5;
    QTest::newRow("nearest only") << 3 << 1;
    QTest::newRow("many dimensions") << 20 << 7;
    QTest::newRow("lattice: ties, more than trees find") << 0 << 100;
    QTest::newRow("all points") << 1 << 300;
  }
  void inAnotherCloud() {
    QFETCH(int, dims);
    QFETCH(int, k);
    const auto width = static_cast<std::size_t>(dims);
    const oracle::Rows file = dims == 0 ? oracle::lattice(7) : oracle::clumps(120, width, 3);
    oracle::Rows other = dims == 0 ? oracle::lattice(12) : oracle::clumps(300, width, 8);
    other[1] = other[0];  // a tie
    QVERIFY(oracle::writeFile(path("new.csv"), oracle::csvOf(file)));
    QVERIFY(oracle::writeFile(path("old.csv"), oracle::csvOf(other)));
    const CliRun done = runCli({"knn", "new.csv", "-k", QString::number(k), "--with", "old.csv",
                                "--ids", "ids.npy", "--distances", "distances.npy", "--json"},
                               folder_.path());
    QVERIFY2(done.status == 0, done.err);
    Expected expected;
    for (const auto& row : file) {
      std::vector<std::pair<double, std::int32_t>> all;
      for (std::size_t q = 0; q < other.size(); ++q)
        all.emplace_back(oracle::squaredDistance(row, other[q]), static_cast<std::int32_t>(q));
      std::sort(all.begin(), all.end());
      for (int i = 0; i < k; ++i) {
        expected.ids.push_back(all[static_cast<std::size_t>(i)].second);
        expected.distances.push_back(std::sqrt(all[static_cast<std::size_t>(i)].first));
      }
    }
    QCOMPARE(oracle::readNpy(path("ids.npy")).values<std::int32_t>(), expected.ids);
    QCOMPARE(oracle::readNpy(path("distances.npy")).values<double>(), expected.distances);
    const QJsonObject json = done.json();
    QCOMPARE(json["points"].toInt(), static_cast<int>(file.size()));
    QCOMPARE(json["with"].toObject()["file"].toString(), QString("old.csv"));
    QCOMPARE(json["with"].toObject()["points"].toInt(), static_cast<int>(other.size()));
  }

  // Coordinates are matched by their names, and in blocks the call is refused.
  void columnsInAnotherOrder() {
    QVERIFY(oracle::writeFile(path("xy.csv"), "x,y\n0,5\n1,5\n2,5\n"));
    QVERIFY(oracle::writeFile(path("yx.csv"), "y,x\n5,0\n5,1\n5,2\n"));
    const CliRun done = run("knn yx.csv -k 1 --with xy.csv --distances o.npy");
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(oracle::readNpy(path("o.npy")).values<double>(), (std::vector<double>{0, 0, 0}));
    QVERIFY2(done.err.contains("xy.csv has the coordinates of yx.csv in another order"), done.err);
    const CliRun label = run("label yx.csv --from xy.csv --eps 1 --min-pts 2 --json");
    QCOMPARE(label.json()["labelled"].toInt(), 3);
    const CliRun named = run("label yx.csv --from xy.csv --columns x,y --eps 1 --min-pts 2 --json");
    QCOMPARE(named.json()["labelled"].toInt(), 3);
    QVERIFY2(named.err.isEmpty(), named.err);
    for (const char* call : {"label yx.csv --from xy.csv --eps 1 --min-pts 2 --memory 1G",
                             "join yx.csv --with xy.csv --eps 1 --memory 1G"}) {
      const CliRun blocks = run(call);
      QCOMPARE(blocks.status, 1);
      QVERIFY2(blocks.err.contains("the same coordinates in different orders"), blocks.err);
      QVERIFY2(run(QString(call) + " --columns x,y").status == 0, call);
    }
  }

  // Ids are rows of the other file, skipped ones counted; both clouds are scaled by its ranges.
  void rowsOfTheOtherFile() {
    QVERIFY(oracle::writeFile(path("few.csv"), "x,y\n0,0\nnan,1\n2,10\n"));
    QVERIFY(oracle::writeFile(path("many.csv"), "x,y\nnan,0\n0,3\n4,0\n0,20\n"));
    const CliRun done =
        run("knn few.csv -k 2 --with many.csv --skip-non-finite --ids i.npy --distances d.npy");
    QVERIFY2(done.status == 0, done.err);
    for (const char* note : {"few.csv: 1 of 3 rows", "many.csv: 1 of 4 rows"})
      QVERIFY2(done.err.contains(note), done.err);
    QCOMPARE(oracle::readNpy(path("i.npy")).values<std::int32_t>(),
             (std::vector<std::int32_t>{1, 2, -2, -2, 1, 2}));
    const double nan = std::nan("");
    QVERIFY(sameWithNan(oracle::readNpy(path("d.npy")).values<double>(),
                        {3, 4, nan, nan, std::sqrt(53.0), std::sqrt(104.0)}));
    for (const char* part : {"with        3 points of many.csv", "2 of each point"})
      QVERIFY2(done.out.contains(part), done.out);
    QVERIFY2(!done.out.contains("itself"), done.out);
    const CliRun unit =
        run("knn few.csv -k 1 --with many.csv --skip-non-finite --scale unit --distances d.npy");
    QVERIFY2(unit.status == 0, unit.err);
    // x by 1/4 and y by 1/20: (2, 10) is at (0.5, 0.5), and the nearest at (0, 0.15).
    const double third = std::sqrt((0.5 - 0.0) * 0.5 + (0.5 - 0.15) * (0.5 - 0.15));
    QVERIFY(std::abs(oracle::readNpy(path("d.npy")).values<double>()[2] - third) < 1e-12);
  }

  void scaledUnits() {
    QVERIFY(oracle::writeFile(path("three.csv"), "x,y\n0,0\n3,0\n0,4\n"));
    const CliRun done = run("knn three.csv -k 2 --scale 2,1 --distances scaled.npy --ids near.npy");
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(oracle::readNpy(path("scaled.npy")).values<double>(),
             (std::vector<double>{0, 4, 0, 6, 0, 4}));
    QCOMPARE(oracle::readNpy(path("near.npy")).values<std::int32_t>(),
             (std::vector<std::int32_t>{0, 2, 1, 0, 2, 0}));
  }

  void summary() {
    QVERIFY(oracle::writeFile(path("three.csv"), "x,y\n0,0\n3,0\n0,4\n"));
    const CliRun done = run("knn three.csv -k 2 --ids near.npy");
    QVERIFY2(done.status == 0, done.err);
    for (const char* part : {"points      3 in 2 dimensions", "2 of each point", "3 … 4, median 3",
                             "searching", "written     near.npy"})
      QVERIFY2(done.out.contains(part), done.out);
  }

  void refuses_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("part");
    QTest::newRow("no k") << "knn three.csv" << 2 << "--neighbours is required";
    QTest::newRow("k of 0") << "knn three.csv -k 0" << 2 << "1";
    QTest::newRow("k too large") << "knn three.csv -k 1025" << 2 << "1024";
    QTest::newRow("k above the points") << "knn three.csv -k 4" << 2 << "3 points";
    QTest::newRow("k above the points of the other cloud")
        << "knn three.csv -k 2 --with one.csv" << 2 << "one.csv has only 1 point. ";
    QTest::newRow("other dimensions")
        << "knn three.csv -k 1 --with line.csv" << 1 << "same dimensions";
    QTest::newRow("no such file") << "knn three.csv -k 1 --with none.csv" << 1 << "none.csv";
    QTest::newRow("no such column")
        << "knn three.csv -k 1 --with line.csv --columns x,y" << 2 << "line.csv";
    QTest::newRow("over the other cloud")
        << "knn three.csv -k 1 --with input.npy --ids input.npy" << 2 << "overwrite";
    QTest::newRow("a GPU for two clouds")
        << "knn three.csv -k 1 --with one.csv --backend cuda" << 2 << "by the CPU";
    QTest::newRow("another format") << "knn three.csv -k 2 --ids ids.csv" << 2 << ".npy";
    QTest::newRow("one file twice")
        << "knn three.csv -k 2 --ids a.npy --distances a.npy" << 2 << "both write";
    QTest::newRow("no folder") << "knn three.csv -k 2 --ids none/a.npy" << 2 << "no folder";
    QTest::newRow("another backend") << "knn three.csv -k 2 --backend simt" << 2 << "simt";
    QTest::newRow("over the input") << "knn input.npy -k 2 --ids input.npy" << 2 << "overwrite";
  }
  void refuses() {
    QFETCH(QString, call);
    QFETCH(int, status);
    QFETCH(QString, part);
    QVERIFY(oracle::writeFile(path("three.csv"), "x,y\n0,0\n3,0\n0,4\n"));
    QVERIFY(oracle::writeFile(path("one.csv"), "x,y\n1,1\n"));
    QVERIFY(oracle::writeFile(path("line.csv"), "x\n1\n2\n"));
    QVERIFY(oracle::writeFile(path("input.npy"), "untouched"));
    const CliRun done = run(call.toUtf8().constData());
    QCOMPARE(done.status, status);
    QVERIFY2(done.lastErrorLine().contains(part.toUtf8()), done.err);
    QCOMPARE(oracle::readFile(path("input.npy")), QByteArray("untouched"));
  }

  // Both files appear, or none.
  void fullDiskLeavesOldFiles() {
    if (!QFile::exists("/proc/self")) QSKIP("there is no /proc");
    QVERIFY(oracle::writeFile(path("three.csv"), "x,y\n0,0\n3,0\n0,4\n"));
    QVERIFY(oracle::writeFile(path("old.npy"), "old"));
    const CliRun done = run("knn three.csv -k 2 --distances old.npy --ids /proc/self/ids.npy");
    QCOMPARE(done.status, 1);
    QCOMPARE(oracle::readFile(path("old.npy")), QByteArray("old"));
  }
};

GUILESS_TEST(TestCliKnn);
#include "tst_cli_knn.moc"
