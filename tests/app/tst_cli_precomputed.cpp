// cluster and hdbscan of given distances, which SciPy's sparse matrices hold.
#include <QtTest/QtTest>
#include <cmath>

#include "cli_process.h"
#include "oracle.h"
#include "tests/io/npz_archive.h"
#include "tests/test_program.h"

using clusterloom::testing::SparseFormat;
using clusterloom::testing::sparseNpz;
using clusterloom::testing::SparseRowsOf;

namespace {

/// The distances of points up to a length, without those of points to themselves.
SparseRowsOf distancesOf(const oracle::Rows& rows, double most) {
  SparseRowsOf matrix;
  matrix.starts.push_back(0);
  for (std::size_t p = 0; p < rows.size(); ++p) {
    for (std::size_t q = 0; q < rows.size(); ++q) {
      const double distance = std::sqrt(oracle::squaredDistance(rows[p], rows[q]));
      if (p == q || distance > most) continue;
      matrix.ids.push_back(std::int64_t(q));
      matrix.values.push_back(distance);
    }
    matrix.starts.push_back(std::int64_t(matrix.ids.size()));
  }
  return matrix;
}

}  // namespace

class TestCliPrecomputed : public QObject, CliFolder {
  Q_OBJECT

  oracle::Rows rows_;

  void write(const char* name, const SparseRowsOf& matrix, const SparseFormat& how = {}) {
    QVERIFY(oracle::writeFile(path(name), QByteArray::fromStdString(sparseNpz(matrix, how))));
  }
  std::vector<std::int32_t> labelsIn(const char* name) const {
    return oracle::readNpy(path(name)).values<std::int32_t>();
  }

 private slots:
  void initTestCase() {
    rows_ = oracle::clumps(300, 2, 4);
    rows_[7] = rows_[8];  // a distance of 0, which is stored
    write("near.npz", distancesOf(rows_, 1.5));
    write("all.npz", distancesOf(rows_, 1e9), {.deflated = false});
  }

  void clusters() {
    for (const double eps : {0.5, 1.0}) {
      const oracle::Labels expected = oracle::dbscan(oracle::neighbours(rows_, eps), 5);
      const CliRun done = runCli({"cluster", "near.npz", "--metric", "precomputed", "--eps",
                                  QString::number(eps), "--min-pts", "5", "--labels", "out.npy"},
                                 folder_.path());
      QVERIFY2(done.status == 0, done.err);
      QVERIFY(expected.clusters > 1);
      QCOMPARE(labelsIn("out.npy"), expected.labels);
      QVERIFY2(done.out.contains("300 with ") && done.out.contains("out.npy"), done.out);
    }
    const CliRun json =
        run("cluster near.npz --metric precomputed --eps 1 --min-pts 5 --json --labels out.npy");
    const oracle::Labels expected = oracle::dbscan(oracle::neighbours(rows_, 1), 5);
    QCOMPARE(json.json()["clusters"].toInt(), expected.clusters);
    QCOMPARE(json.json()["noise"].toInt(), expected.noise);
    QCOMPARE(json.json()["points"].toInt(), 300);
    QCOMPARE(json.json()["metric"].toString(), QString("precomputed"));
    const CliRun sweep =
        run("cluster near.npz --metric precomputed --sweep-eps 0.2:1.4:4 --min-pts 5");
    QCOMPARE(sweep.out.trimmed().split('\n').size(), 4);
  }

  /// Of all distances HDBSCAN* is that of the points; a point does not count itself where its
  /// distance to itself is not stored.
  void hdbscan() {
    QByteArray csv = "x,y\n";
    for (const auto& row : rows_)
      csv += QByteArray::number(row[0], 'g', 17) + ',' + QByteArray::number(row[1], 'g', 17) + '\n';
    QVERIFY(oracle::writeFile(path("points.csv"), csv));
    const CliRun done =
        run("hdbscan all.npz --metric precomputed --min-cluster-size 12 --min-pts 4 --labels l.npy "
            "--probabilities p.npy --clusters c.csv --condensed-tree t.csv --tree t.npy "
            "--outlier-scores s.npy");
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(run("hdbscan points.csv --min-cluster-size 12 --min-pts 5 --labels l2.npy "
                 "--probabilities p2.npy")
                 .status,
             0);
    QCOMPARE(labelsIn("l.npy"), labelsIn("l2.npy"));
    const auto own = oracle::readNpy(path("p.npy")).values<double>();
    const auto other = oracle::readNpy(path("p2.npy")).values<double>();
    for (std::size_t i = 0; i < own.size(); ++i) QVERIFY(std::abs(own[i] - other[i]) < 1e-9);
    for (const char* name : {"c.csv", "t.csv", "t.npy", "s.npy"})
      QVERIFY(QFile::exists(path(name)));
    const CliRun json = run("hdbscan all.npz --metric precomputed --min-cluster-size 12 --json");
    QCOMPARE(json.json()["min_pts"].toInt(), 12);
    QCOMPARE(json.json()["distances"].toInt(), 300 * 299);
    // No processor was chosen.
    QVERIFY(!json.json().contains("backend"));
    QVERIFY2(done.out.contains(" clustering ") && !done.out.contains("CPU"), done.out);
    const CliRun parts =
        run("hdbscan near.npz --metric precomputed --min-cluster-size 5 --min-pts 1");
    QVERIFY(parts.status != 0);
    QVERIFY2(parts.err.contains("near.npz: "), parts.err);
  }

  void refusals_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* call, const char* part) {
      QTest::newRow(call) << call << part;
    };
    add("cluster near.npz --eps 1 --min-pts 5", "a sparse matrix of SciPy, not points");
    add("cluster points.csv --metric precomputed --eps 1 --min-pts 5", "is not a sparse matrix");
    add("cluster near.npz --metric precomputed --eps -1 --min-pts 5", "positive");
    add("cluster near.npz --metric precomputed --eps 1 --min-pts 5 --labels out.csv",
        "coordinates");
    add("cluster near.npz --metric precomputed --eps 1 --min-pts 5 --scale unit", "--scale is not");
    add("cluster near.npz --metric precomputed --eps 1 --min-pts 5 --threads 2",
        "--threads is not");
    add("cluster near.npz --metric precomputed --eps 1 --min-pts 5 --columns x,y",
        "--columns is not possible with --metric precomputed");
    add("cluster near.npz --metric precomputed --eps 1 --min-pts 5 --clusters c.csv",
        "--clusters is not");
    add("hdbscan near.npz --metric precomputed --provenance on --labels l.npy",
        "--provenance is not");
    add("hdbscan near.npz --metric precomputed --labels l.csv", "coordinates");
    add("hdbscan near.npz --metric precomputed --min-pts 200", "needs at least as many");
    add("join near.npz --metric precomputed --eps 1 --counts c.npy", "is for cluster and hdbscan");
    add("hierarchy near.npz --metric precomputed --min-pts 4", "is for cluster and hdbscan");
    add("knn near.npz --metric precomputed -k 4", "is for cluster and hdbscan");
  }
  void refusals() {
    QFETCH(QString, call);
    QFETCH(QString, part);
    QVERIFY(oracle::writeFile(path("points.csv"), "x,y\n1,2\n3,4\n"));
    const CliRun done = run(call.toUtf8().constData());
    QVERIFY(done.status != 0);
    QVERIFY2(done.err.contains(part.toUtf8()), done.err);
  }
};

GUILESS_TEST(TestCliPrecomputed);
#include "tst_cli_precomputed.moc"
