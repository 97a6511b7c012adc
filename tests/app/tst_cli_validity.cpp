// clusterloom-cli validity FILE LABELS: figures of clusters, as text, JSON and CSV.
#include <QtTest/QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliValidity : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase();
  void figures();
  void undefined();
  void resampling();
  void skippedRowsAreLeftOut();
  void otherNumbersOfRowsAreRefused();

 private:
  void write(const QString& name, const QByteArray& text) {
    QVERIFY(oracle::writeFile(folder_.filePath(name), text));
  }
};

/// Two pairs of points and one point that is noise: separation 9 from first inner node to first
/// inner node, 1 inside.
void TestCliValidity::initTestCase() {
  write("line.csv", "x\n0\n1\n9\n10\n30\n");
  write("labels.txt", "0\n0\n3\n3\n-1\n");
}

void TestCliValidity::figures() {
  const CliRun done = run("validity line.csv labels.txt --clusters out.csv --json");
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject json = done.json();
  QCOMPARE(json["points"].toInt(), 5);
  QCOMPARE(json["noise"].toInt(), 1);
  QVERIFY(std::abs(json["validity"].toDouble() - 4.0 / 5 * 8 / 9) < 1e-12);
  const QJsonArray clusters = json["clusters"].toArray();
  QCOMPARE(clusters.size(), 2);
  const QJsonObject second = clusters[1].toObject();
  QCOMPARE(second["cluster"].toInt(), 3);
  QCOMPARE(second["points"].toInt(), 2);
  QCOMPARE(second["sparseness"].toDouble(), 1.0);
  QCOMPARE(second["separation"].toDouble(), 9.0);
  QCOMPARE(second["nearest"].toInt(-1), 0);
  QVERIFY(!second.contains("jaccard"));
  const QByteArray table = oracle::readFile(folder_.filePath("out.csv"));
  QVERIFY2(table.startsWith("cluster,points,validity,sparseness,separation,nearest\n0,2,0.888"),
           table);
  QVERIFY2(table.endsWith(",1,9,0\n"), table);
  const CliRun text = run("validity line.csv labels.txt --scale 2");
  QVERIFY2(text.status == 0, text.err);
  QVERIFY2(text.out.contains("0.711111"), text.out);
  QVERIFY2(text.out.contains("2 points, validity 0.888889 (2 inside, 18 to cluster 0)"), text.out);
}

void TestCliValidity::undefined() {
  write("one.txt", "0\n0\n0\n1\n-1\n");
  const CliRun text = run("validity line.csv one.txt");
  QVERIFY2(text.status == 0, text.err);
  QVERIFY2(text.out.contains("undefined"), text.out);
  const CliRun done = run("validity line.csv one.txt --json --clusters one.csv");
  QVERIFY(done.json()["validity"].isNull());
  QVERIFY(done.json()["clusters"].toArray()[1].toObject()["nearest"].isNull());
  QVERIFY(oracle::readFile(folder_.filePath("one.csv")).endsWith("\n1,1,,,,\n"));
}

void TestCliValidity::resampling() {
  write("cloud.csv", oracle::csvOf(oracle::clumps(400, 2, 3)));
  const CliRun labels = run("cluster cloud.csv --eps 1 --min-pts 8 --labels cloud.npy");
  QVERIFY2(labels.status == 0, labels.err);
  const QString call = "validity cloud.csv cloud.npy --resample 5 --eps 1 --min-pts 8";
  const CliRun done = run(call + " --json --seed 7 --share 0.6");
  QVERIFY2(done.status == 0, done.err);
  const QJsonObject how = done.json()["resampling"].toObject();
  QCOMPARE(how["samples"].toInt(), 5);
  QCOMPARE(how["min_pts_of_samples"].toInt(), 5);
  const QJsonArray clusters = done.json()["clusters"].toArray();
  QVERIFY(!clusters.isEmpty());
  for (const auto& cluster : clusters) {
    const QJsonObject row = cluster.toObject();
    QVERIFY(row["jaccard"].toDouble() > 0 && row["jaccard"].toDouble() <= 1);
    QCOMPARE(row["samples"].toInt(), 5);
    QVERIFY(row["found"].toInt(-1) >= 0 && row["found"].toInt() <= 5);
  }
  const CliRun again = run(call + " --json --seed 7 --share 0.6 --threads 1");
  QCOMPARE(again.json()["clusters"], done.json()["clusters"]);
  const CliRun alone = run(call + " --json --seed 7 --share 0.6 --no-dbcv");
  QVERIFY(alone.json()["validity"].isNull());
  QCOMPARE(alone.json()["noise"], done.json()["noise"]);
  for (int i = 0; i < clusters.size(); ++i) {
    const QJsonObject row = alone.json()["clusters"].toArray()[i].toObject();
    QCOMPARE(row["jaccard"], clusters[i].toObject()["jaccard"]);
    QVERIFY(row["sparseness"].isNull());
  }
  QVERIFY(!run(call + " --no-dbcv").out.contains("validity"));
  const CliRun text = run(call);
  QVERIFY2(text.out.contains("of 5 samples, Jaccard "), text.out);
}

void TestCliValidity::skippedRowsAreLeftOut() {
  write("gap.csv", "x\n0\n1\nnan\n9\n10\n30\n");
  write("gap.txt", "0\n0\n-2\n3\n3\n-1\n");
  const CliRun done = run("validity gap.csv gap.txt --skip-non-finite --json");
  QVERIFY2(done.status == 0, done.err);
  QCOMPARE(done.json()["skipped"].toInt(), 1);
  QCOMPARE(done.json()["clusters"], run("validity line.csv labels.txt --json").json()["clusters"]);
}

void TestCliValidity::otherNumbersOfRowsAreRefused() {
  write("short.txt", "0\n1\n");
  const CliRun done = run("validity line.csv short.txt");
  QCOMPARE(done.status, 1);
  QVERIFY2(done.lastErrorLine().contains("short.txt"), done.err);
  QCOMPARE(run("validity line.csv missing.txt").status, 1);
}

APPLESS_TEST(TestCliValidity);
#include "tst_cli_validity.moc"
