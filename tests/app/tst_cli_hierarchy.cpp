// clusterloom-cli hierarchy: labels equal to DBSCAN's at every ε asked for, a tree that cuts into
// the same clusters, a curve that holds between its rows; skipped rows keep their place.
#include <QtTest/QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

namespace {

QByteArray number(double value) { return QByteArray::number(value, 'g', 17); }

/// Lines of a CSV file as numbers, without the names.
std::vector<std::vector<double>> readCsv(const QString& path, const QByteArray& names) {
  QList<QByteArray> lines = oracle::readFile(path).split('\n');
  std::vector<std::vector<double>> rows;
  if (lines.isEmpty() || lines.takeFirst() != names) return rows;
  for (const QByteArray& line : lines) {
    if (line.isEmpty()) continue;
    std::vector<double>& row = rows.emplace_back();
    for (const QByteArray& cell : line.split(',')) row.push_back(cell.toDouble());
  }
  return rows;
}

}  // namespace

class TestCliHierarchy : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void labels_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("minPts");
    QTest::newRow("2-D") << 2 << 6;
    QTest::newRow("5-D") << 5 << 4;
    QTest::newRow("1-D, all core") << 1 << 1;
    QTest::newRow("lattice: ties") << 0 << 5;
    QTest::newRow("no core points") << 2 << 1000;
  }
  void labels() {
    QFETCH(int, dims);
    QFETCH(int, minPts);
    const oracle::Rows rows =
        dims == 0 ? oracle::lattice(12) : oracle::clumps(400, static_cast<std::size_t>(dims), 3);
    QVERIFY(oracle::writeFile(path("cloud.csv"), oracle::csvOf(rows)));
    const std::vector<double> eps{0.05, 0.1, 0.3, 1, std::sqrt(2.0), 2.5};
    QByteArray list;
    for (const double e : eps) list += (list.isEmpty() ? "" : ",") + number(e);
    const CliRun done =
        runCli({"hierarchy", "cloud.csv", "--min-pts", QString::number(minPts), "--labels-at", list,
                "--labels", "labels.npy", "--tree", "tree.npy", "--curve", "curve.csv", "--json"},
               folder_.path());
    QVERIFY2(done.status == 0, done.err);
    const QJsonObject json = done.json();
    QCOMPARE(json["points"].toInt(), static_cast<int>(rows.size()));
    QCOMPARE(json["min_pts"].toInt(), minPts);
    QVERIFY(json["seconds"].toObject().contains("borders"));

    const oracle::Npy found = oracle::readNpy(path("labels.npy"));
    const QByteArray shape = "'shape':(" + QByteArray::number(qulonglong(eps.size())) + "," +
                             QByteArray::number(qulonglong(rows.size())) + ")";
    QVERIFY2(found.header.contains("'descr':'<i4'") && found.header.contains(shape), found.header);
    const std::vector<std::int32_t> labels = found.values<std::int32_t>();
    QCOMPARE(labels.size(), eps.size() * rows.size());
    const auto curve = readCsv(path("curve.csv"), "eps,clusters,noise,largest");
    QCOMPARE(static_cast<int>(curve.size()), json["curve_rows"].toInt());
    for (std::size_t i = 0; i < eps.size(); ++i) {
      const oracle::Labels expected =
          oracle::dbscan(rows, eps[i], static_cast<std::size_t>(minPts));
      const auto begin = labels.begin() + static_cast<std::ptrdiff_t>(i * rows.size());
      QVERIFY(std::equal(expected.labels.begin(), expected.labels.end(), begin));
      // The row of the curve that holds at this ε.
      std::vector<double> figures{0, 0, static_cast<double>(rows.size()), 0};
      for (const auto& row : curve)
        if (row[0] <= eps[i]) figures = row;
      std::map<std::int32_t, int> sizes;
      for (const std::int32_t label : expected.labels) ++sizes[label];
      QCOMPARE(static_cast<int>(figures[2]), sizes[-1]);
      sizes.erase(-1);
      QCOMPARE(static_cast<std::size_t>(figures[1]), sizes.size());
      int largest = 0;
      for (const auto& [label, size] : sizes) largest = std::max(largest, size);
      QCOMPARE(static_cast<int>(figures[3]), largest);
      checkTree(rows.size(), eps[i], expected, dims != 2 || minPts < 1000);
    }
  }

  void skippedRowsKeepTheirPlace() {
    oracle::Rows rows = oracle::clumps(60, 2, 4);
    QByteArray text = "x,y\n";
    for (std::size_t p = 0; p < rows.size(); ++p) {
      const bool gap = p == 0 || p == 17 || p == 59;
      text += gap ? QByteArray("nan,1\n") : number(rows[p][0]) + ',' + number(rows[p][1]) + '\n';
    }
    QVERIFY(oracle::writeFile(path("gaps.csv"), text));
    QVERIFY(oracle::writeFile(path("one.csv"), "x,y\n1,2\n"));
    QVERIFY(run("hierarchy one.csv --min-pts 1").out.contains("one cluster from ε = 0;"));
    QVERIFY(run("hierarchy one.csv --min-pts 2").out.contains("one cluster from ε = inf;"));
    QCOMPARE(run("hierarchy gaps.csv --min-pts 3").status, 1);
    const CliRun done =
        run("hierarchy gaps.csv --min-pts 3 --skip-non-finite --labels-at 0.2,0.6 --labels l.npy "
            "--tree t.npy");
    QVERIFY2(done.status == 0, done.err);
    oracle::Rows kept;
    for (std::size_t p = 0; p < rows.size(); ++p)
      if (p != 0 && p != 17 && p != 59) kept.push_back(rows[p]);
    std::vector<std::int32_t> expected;
    for (const double eps : {0.2, 0.6}) {
      const oracle::Labels labels = oracle::dbscan(kept, eps, 3);
      std::size_t next = 0;
      for (std::size_t p = 0; p < rows.size(); ++p)
        expected.push_back(p == 0 || p == 17 || p == 59 ? -2 : labels.labels[next++]);
    }
    QCOMPARE(oracle::readNpy(path("l.npy")).values<std::int32_t>(), expected);
    QVERIFY(oracle::readNpy(path("t.npy")).header.contains("'shape':(56,4)"));
  }

  void summary() {
    QVERIFY(oracle::writeFile(path("six.csv"), "x\n0\n1\n11\n12\n112\n113\n"));
    const CliRun done = run("hierarchy six.csv --min-pts 2 --curve c.csv");
    QVERIFY2(done.status == 0, done.err);
    for (const char* part :
         {"points      6 in 1 dimension", "one cluster from ε = 100", "3 clusters, ε from 1 to 10",
          "2 clusters, ε from 10 to 100", "written     c.csv"})
      QVERIFY2(done.out.contains(part), done.out);
    QCOMPARE(oracle::readFile(path("c.csv")),
             QByteArray("eps,clusters,noise,largest\n1,3,0,2\n10,2,0,4\n100,1,0,6\n"));
  }

  void refuses_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("part");
    QTest::newRow("no minPts") << "three.csv" << 2 << "--min-pts is required";
    QTest::newRow("minPts of 0") << "three.csv --min-pts 0" << 2 << "1";
    QTest::newRow("minPts too large") << "many.csv --min-pts 1025" << 2 << "1024";
    QTest::newRow("no ε") << "three.csv --min-pts 2 --labels l.npy" << 2 << "need each other";
    QTest::newRow("no labels") << "three.csv --min-pts 2 --labels-at 1" << 2 << "need each other";
    QTest::newRow("bad ε") << "three.csv --min-pts 2 --labels-at 1,0 --labels l.npy" << 2
                           << "positive";
    QTest::newRow("empty ε") << "three.csv --min-pts 2 --labels-at 1,,2 --labels l.npy" << 2
                             << "--labels-at";
    QTest::newRow("another format") << "three.csv --min-pts 2 --tree t.csv" << 2 << ".npy";
    QTest::newRow("curve as npy") << "three.csv --min-pts 2 --curve c.npy" << 2 << ".csv";
    QTest::newRow("another backend") << "three.csv --min-pts 2 --backend hybrid" << 2 << "hybrid";
    QTest::newRow("no GPU of the CPU")
        << "three.csv --min-pts 2 --backend cpu --device 0" << 2 << "--device";
    QTest::newRow("over the input") << "input.npy --min-pts 2 --tree input.npy" << 2 << "overwrite";
  }
  void refuses() {
    QFETCH(QString, call);
    QFETCH(int, status);
    QFETCH(QString, part);
    QVERIFY(oracle::writeFile(path("three.csv"), "x,y\n0,0\n3,0\n0,4\n"));
    QVERIFY(oracle::writeFile(path("many.csv"), oracle::csvOf(oracle::clumps(1100, 2, 1))));
    QVERIFY(oracle::writeFile(path("input.npy"), "untouched"));
    const CliRun done = run(("hierarchy " + call).toUtf8().constData());
    QCOMPARE(done.status, status);
    QVERIFY2(done.lastErrorLine().contains(part.toUtf8()), done.err);
    QCOMPARE(oracle::readFile(path("input.npy")), QByteArray("untouched"));
  }

  // All files appear, or none.
  void fullDiskLeavesOldFiles() {
    if (!QFile::exists("/proc/self")) QSKIP("there is no /proc");
    QVERIFY(oracle::writeFile(path("three.csv"), "x,y\n0,0\n3,0\n0,4\n"));
    QVERIFY(oracle::writeFile(path("old.npy"), "old"));
    const CliRun done =
        run("hierarchy three.csv --min-pts 2 --tree old.npy --curve /proc/self/curve.csv");
    QCOMPARE(done.status, 1);
    QCOMPARE(oracle::readFile(path("old.npy")), QByteArray("old"));
  }

 private:
  /// The linkage matrix cut at ε has the clusters of the core points.
  void checkTree(std::size_t points, double eps, const oracle::Labels& expected, bool finite) {
    const oracle::Npy tree = oracle::readNpy(path("tree.npy"));
    QVERIFY2(tree.header.contains("'descr':'<f8'"), tree.header);
    const std::vector<double> values = tree.values<double>();
    QCOMPARE(values.size(), 4 * (points - 1));
    std::vector<std::size_t> cluster(points);
    std::iota(cluster.begin(), cluster.end(), std::size_t{0});
    std::vector<std::vector<std::size_t>> members(2 * points - 1);
    for (std::size_t p = 0; p < points; ++p) members[p] = {p};
    for (std::size_t i = 0; i + 1 < points; ++i) {
      auto& both = members[points + i];
      for (const double child : {values[4 * i], values[4 * i + 1]}) {
        const auto& part = members[static_cast<std::size_t>(child)];
        both.insert(both.end(), part.begin(), part.end());
      }
      QCOMPARE(static_cast<std::size_t>(values[4 * i + 3]), both.size());
      QVERIFY(i == 0 || values[4 * i + 2] >= values[4 * i - 2]);
      QCOMPARE(std::isfinite(values[4 * i + 2]), finite);
      if (values[4 * i + 2] <= eps)
        for (const std::size_t p : both) cluster[p] = points + i;
    }
    // Nodes of several points are clusters of core points, and the other way round.
    std::map<std::size_t, std::int32_t> labelOf;
    for (std::size_t p = 0; p < points; ++p) {
      if (cluster[p] < points) continue;
      const auto [known, isNew] = labelOf.emplace(cluster[p], expected.labels[p]);
      QCOMPARE(expected.labels[p], known->second);
      QVERIFY(expected.labels[p] >= 0);
    }
    std::set<std::int32_t> distinct;
    for (const auto& [node, label] : labelOf) QVERIFY(distinct.insert(label).second);
  }
};

GUILESS_TEST(TestCliHierarchy);
#include "tst_cli_hierarchy.moc"
