// clusterloom-cli --memory: the results of a run in memory, and what it leaves behind.
#include <QtTest/QtTest>

#include <csignal>
#include <filesystem>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliLargeClouds : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase();
  void labelsAreThoseInMemory();
  void otherResultsAreThoseInMemory_data();
  void otherResultsAreThoseInMemory();
  void summaryAndNote();
  void linesBeforeTheTable();
  void tooLittleSpaceIsFoundBefore_data();
  void tooLittleSpaceIsFoundBefore();
  void stopLeavesNothing();
  void aKilledRunLosesNothing();

 private:
  void startLongRun(QProcess& process);
};

void TestCliLargeClouds::initTestCase() {
  QVERIFY(QDir(folder_.path()).mkdir("scratch"));
  QCOMPARE(run("generate blobs --points 900000 --dims 2 big.npy").status, 0);
  QCOMPARE(run("generate blobs --points 200000 --dims 2 --seed 2 new.npy").status, 0);
}

void TestCliLargeClouds::labelsAreThoseInMemory() {
  const CliRun whole = run("cluster big.npy --eps 0.02 --min-pts 8 --labels whole.npy --json");
  // The provenance of an earlier file would be wrong beside the new one.
  QVERIFY(QFile::copy(path("whole.npy"), path("blocks.npy")));
  QVERIFY(oracle::writeFile(path("blocks.npy.provenance.json"), R"({"program": "Clusterloom"})"));
  QCOMPARE(whole.status, 0);
  const CliRun blocks = run(
      "cluster big.npy --eps 0.02 --min-pts 8 --memory 128M --scratch scratch --labels blocks.npy "
      "--json");
  QVERIFY2(blocks.status == 0, blocks.err);
  QCOMPARE(oracle::readFile(path("blocks.npy")), oracle::readFile(path("whole.npy")));
  for (const char* figure : {"points", "clusters", "core", "border", "noise"})
    QCOMPARE(blocks.json()[figure], whole.json()[figure]);
  QVERIFY(blocks.json()["blocks"].toObject()["count"].toInt() > 1);
  QVERIFY(QDir(path("scratch")).isEmpty());
  QVERIFY(!QFile::exists(path("blocks.npy.provenance.json")));
}

void TestCliLargeClouds::otherResultsAreThoseInMemory_data() {
  QTest::addColumn<QByteArray>("call");
  QTest::addColumn<QByteArray>("figures");
  QTest::newRow("weights") << QByteArray(
                                  "cluster big.npy --columns x --weights y --eps 1e-5 "
                                  "--min-pts 300 --labels ")
                           << QByteArray("file points clusters core border noise weights");
  QTest::newRow("periodic box") << QByteArray(
                                       "cluster big.npy --period 0.9,1.1 --eps 0.02 --min-pts 300 "
                                       "--labels ")
                                << QByteArray(
                                       "points eps min_pts period clusters core border noise");
  QTest::newRow("Manhattan") << QByteArray(
                                    "cluster big.npy --metric manhattan --eps 0.02 --min-pts 8 "
                                    "--labels ")
                             << QByteArray("points eps metric clusters core border noise");
  QTest::newRow("counts") << QByteArray("join big.npy --eps 0.02 --counts ")
                          << QByteArray("file points dims skipped eps pairs selectivity");
  QTest::newRow("counts of two clouds")
      << QByteArray("join new.npy --with big.npy --eps 0.02 --counts ")
      << QByteArray("file points dims skipped eps with pairs selectivity");
  QTest::newRow("labels of new points")
      << QByteArray("label new.npy --from big.npy --eps 0.02 --min-pts 8 --labels ")
      << QByteArray("file points dims skipped eps min_pts from labelled unlabelled");
}

void TestCliLargeClouds::otherResultsAreThoseInMemory() {
  QFETCH(QByteArray, call);
  QFETCH(QByteArray, figures);
  const CliRun whole = run((call + "whole.npy --json").constData());
  QVERIFY2(whole.status == 0, whole.err);
  const CliRun blocks =
      run((call + "blocks.npy --memory 128M --scratch scratch --json").constData());
  QVERIFY2(blocks.status == 0, blocks.err);
  QCOMPARE(oracle::readFile(path("blocks.npy")), oracle::readFile(path("whole.npy")));
  for (const QByteArray& figure : figures.split(' ')) {
    QVERIFY(blocks.json().contains(figure));
    QCOMPARE(blocks.json()[figure], whole.json()[figure]);
  }
  QVERIFY(blocks.json()["blocks"].toObject()["count"].toInt() > 1);
  QVERIFY(QDir(path("scratch")).isEmpty());
}

void TestCliLargeClouds::summaryAndNote() {
  const CliRun done = run("cluster big.npy --eps 0.02 --min-pts 8 --memory 1G --scratch scratch");
  QCOMPARE(done.status, 0);
  QVERIFY(done.out.contains("\nblocks      1; 0 points near borders read twice\n"));
  QVERIFY(done.err.contains("note: 900,000 points in 1 block; up to "));
  QVERIFY(done.err.contains("will be written to scratch, where "));
  QVERIFY(QDir(path("scratch")).isEmpty());
}

/// Skipped and said wherever rows are read in parts.
void TestCliLargeClouds::linesBeforeTheTable() {
  QByteArray csv = "Measurements of May\nsite A\nx,y\nm,m\n";
  for (int i = 0; i < 400; ++i)
    csv += QByteArray::number(i % 20) + ',' + QByteArray::number(i / 20 * (i % 3)) + '\n';
  QVERIFY(oracle::writeFile(path("title.csv"), csv));
  QByteArray labels;
  for (const char* more : {"", " --memory 1G --scratch scratch", " --ranks 3"}) {
    const CliRun done =
        run((QByteArray("cluster title.csv --eps 1 --min-pts 4 --labels title.npy") + more)
                .constData());
    QVERIFY2(done.status == 0, done.err);
    QVERIFY2(done.err.contains("title.csv: the first 2 lines are not rows of the table"), done.err);
    if (labels.isEmpty()) labels = oracle::readFile(path("title.npy"));
    QCOMPARE(oracle::readFile(path("title.npy")), labels);
  }
}

void TestCliLargeClouds::tooLittleSpaceIsFoundBefore_data() {
  QTest::addColumn<QByteArray>("call");
  QTest::newRow("cluster") << QByteArray("cluster few.npy --eps 1 --min-pts 4 --labels ");
  QTest::newRow("text") << QByteArray("cluster few.csv --eps 1 --min-pts 4 --labels ");
  QTest::newRow("join") << QByteArray("join few.npy --eps 1 --counts ");
  QTest::newRow("label") << QByteArray(
      "label few.npy --from few.csv --eps 1 --min-pts 4 --labels ");
}

void TestCliLargeClouds::tooLittleSpaceIsFoundBefore() {
  QFETCH(QByteArray, call);
  // A disk that never has space, so that no other one has to be filled.
  const char* const full = "/proc";
  std::error_code error;
  if (const auto disk = std::filesystem::space(full, error); error || disk.available > 0)
    QSKIP("This system has no folder of a file system without space.");
  QCOMPARE(run("generate unif --points 20000 few.npy").status, 0);
  QCOMPARE(run("generate unif --points 20000 few.csv").status, 0);
  QVERIFY(oracle::writeFile(path("kept.npy"), "old"));
  const auto files = [&] {
    return QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  };
  const QStringList before = files();
  for (const char* output : {"kept.npy", "none.npy"}) {
    const CliRun done = run((call + output + " --memory 128M --scratch " + full).constData());
    QCOMPARE(done.status, 1);
    QVERIFY2(done.err.contains("/proc: up to ") &&
                 done.err.contains(" are needed for scratch files, and 0 bytes are free. Free some "
                                   "space or choose another folder."),
             done.err);
    // It is the only message: nothing had begun.
    QCOMPARE(done.err.trimmed().count('\n'), 0);
    QVERIFY(done.out.isEmpty());
    QCOMPARE(files(), before);
    QCOMPARE(oracle::readFile(path("kept.npy")), QByteArray("old"));
  }
}

void TestCliLargeClouds::startLongRun(QProcess& process) {
  QVERIFY(oracle::writeFile(path("kept.npy"), "old"));
  process.setWorkingDirectory(folder_.path());
  // Would run for minutes.
  process.start(CLUSTERLOOM_CLI,
                words("cluster big.npy --eps 2 --min-pts 800000 --dense-cells off --early-stop off "
                      "--memory 1G --scratch scratch --labels kept.npy"));
  QVERIFY(process.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(!QDir(path("scratch")).isEmpty(), 30000);
}

void TestCliLargeClouds::stopLeavesNothing() {
  QProcess process;
  takeSignals(process);
  startLongRun(process);
  if (QTest::currentTestFailed()) return;
  QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.exitCode(), 130);
  QCOMPARE(oracle::readFile(path("kept.npy")), QByteArray("old"));
  QVERIFY(QDir(path("scratch")).isEmpty());
}

void TestCliLargeClouds::aKilledRunLosesNothing() {
  QProcess process;
  startLongRun(process);
  if (QTest::currentTestFailed()) return;
  process.kill();
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.exitStatus(), QProcess::CrashExit);
  QCOMPARE(oracle::readFile(path("kept.npy")), QByteArray("old"));
  QVERIFY(!QDir(path("scratch")).isEmpty());
  // The next run removes what the killed one has left.
  const CliRun next =
      run("cluster new.npy --eps 0.02 --min-pts 8 --memory 128M --scratch scratch "
          "--labels kept.npy");
  QVERIFY2(next.status == 0, next.err);
  QVERIFY(QDir(path("scratch")).isEmpty());
  QVERIFY(oracle::readFile(path("kept.npy")).size() > 800000);
}

GUILESS_TEST(TestCliLargeClouds);
#include "tst_cli_large_clouds.moc"
