// clusterloom-cli compare FILE OTHER: figures of two files of labels, equal to plain loops.
#include <QtTest/QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliCompare : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void figures();
  void columnsWithNumbersAsNames();
  void ofTwoRuns();
  void skippedRowsAreLeftOut();
  void noCommonRowIsAnError();
  void otherNumbersOfRowsAreRefused();

 private:
  void write(const QString& name, const QByteArray& text) {
    QVERIFY(oracle::writeFile(folder_.filePath(name), text));
  }
};

void TestCliCompare::figures() {
  write("a.txt", "0\n0\n0\n1\n1\n1\n2\n2\n2\n");
  write("b.csv", "x,label\n5,0\n5,0\n5,1\n5,1\n5,1\n5,-1\n5,-1\n5,-1\n5,-1\n");
  const CliRun done = run("compare a.txt b.csv --json");
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject json = done.json();
  QCOMPARE(json["points"].toInt(), 9);
  QCOMPARE(json["skipped"].toInt(-1), 0);
  QCOMPARE(json["pairs"].toInt(), 36);
  QCOMPARE(json["pairs_together"].toInt(), 5);
  QCOMPARE(json["pairs_together_in_file"].toInt(), 9);
  QCOMPARE(json["pairs_together_in_other"].toInt(), 10);
  QCOMPARE(json["adjusted_rand_index"].toDouble(), 5.0 / 14);
  const QJsonObject file = json["file"].toObject();
  QCOMPARE(file["file"].toString(), QString("a.txt"));
  QCOMPARE(file["clusters"].toInt(), 3);
  QCOMPARE(file["noise"].toInt(-1), 0);
  QCOMPARE(file["largest_cluster"].toInt(), 3);
  const QJsonObject other = json["other"].toObject();
  QCOMPARE(other["clusters"].toInt(), 2);
  QCOMPARE(other["noise"].toInt(), 4);
  QCOMPARE(other["largest_cluster"].toInt(), 3);
  const CliRun text = run("compare a.txt b.csv");
  QVERIFY2(text.status == 0, text.err);
  QVERIFY2(text.out.contains("adjusted Rand index 0.357143\n"), text.out);
  QVERIFY2(text.out.contains("b.csv: 2 clusters, 4 noise, largest cluster 3\n"), text.out);
}

/// A column is named like the number of the column "label".
void TestCliCompare::columnsWithNumbersAsNames() {
  write("a.csv", "1,2,label\n10,20,0\n11,20,0\n30,40,1\n31,40,1\n");
  write("b.csv", "1,2,label\n10,20,0\n11,20,1\n30,40,0\n31,40,1\n");
  const CliRun done = run("compare a.csv b.csv --json");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(done.json()["adjusted_rand_index"].toDouble(), -0.5);
}

/// Labels that the program wrote itself, in two formats; the index by all pairs.
void TestCliCompare::ofTwoRuns() {
  const oracle::Rows rows = oracle::clumps(60, 2, 3);
  write("cloud.csv", oracle::csvOf(rows));
  const auto cluster = [&](const QString& eps, const QString& out) {
    const CliRun done = run("cluster cloud.csv --eps " + eps + " --min-pts 4 --labels " + out);
    QVERIFY2(done.status == 0, done.err);
  };
  cluster("0.5", "fine.npy");
  cluster("2", "coarse.csv");
  const std::vector<std::int32_t> a = oracle::dbscan(rows, 0.5, 4).labels;
  const std::vector<std::int32_t> b = oracle::dbscan(rows, 2, 4).labels;
  double inA = 0;
  double inB = 0;
  double inBoth = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      inA += a[i] == a[j];
      inB += b[i] == b[j];
      inBoth += a[i] == a[j] && b[i] == b[j];
    }
  const double all = double(a.size()) * double(a.size() - 1) / 2;
  const double expected = inA * inB / all;
  const double index = (inBoth - expected) / ((inA + inB) / 2 - expected);
  QVERIFY(index < 0.999);  // the two runs differ
  const CliRun done = run("compare fine.npy coarse.csv --json");
  QVERIFY2(done.status == 0, done.err);
  QVERIFY(std::abs(done.json()["adjusted_rand_index"].toDouble() - index) < 1e-12);
  const CliRun same = run("compare fine.npy fine.npy --json");
  QVERIFY2(same.status == 0, same.err);
  QCOMPARE(same.json()["adjusted_rand_index"].toDouble(), 1.0);
}

void TestCliCompare::skippedRowsAreLeftOut() {
  write("a.txt", "0\n-2\n0\n1\n1\n");
  write("b.txt", "3\n3\n3\n-2\n0\n");
  const CliRun done = run("compare a.txt b.txt");
  QVERIFY2(done.status == 0, done.err);
  QVERIFY2(done.out.contains("2 rows"), done.out);
  const CliRun json = run("compare a.txt b.txt --json");
  QCOMPARE(json.json()["points"].toInt(), 3);
  QCOMPARE(json.json()["skipped"].toInt(), 2);
  QCOMPARE(json.json()["adjusted_rand_index"].toDouble(), 1.0);
}

void TestCliCompare::noCommonRowIsAnError() {
  write("a.txt", "-2\n0\n");
  write("b.txt", "1\n-2\n");
  const CliRun done = run("compare a.txt b.txt");
  QCOMPARE(done.status, 1);
  QVERIFY2(done.lastErrorLine().contains("No row has a label in both a.txt and b.txt"), done.err);
}

void TestCliCompare::otherNumbersOfRowsAreRefused() {
  write("a.txt", "0\n1\n");
  write("b.txt", "0\n1\n1\n");
  const CliRun done = run("compare a.txt b.txt");
  QCOMPARE(done.status, 1);
  QVERIFY2(done.lastErrorLine().contains("b.txt: has 3 labels, but a.txt has 2"), done.err);
  QCOMPARE(run("compare a.txt missing.txt").status, 1);
}

APPLESS_TEST(TestCliCompare);
#include "tst_cli_compare.moc"
