// Ctrl-C: the program ends within a second with status 130 and leaves old outputs as they were.
#include <QtTest/QtTest>

#include <unistd.h>

#include <csignal>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

namespace {

/// Waits until the program has computed for this time, whatever else the machine does; false where
/// it ends before.
bool waitForWork(QProcess& process, double seconds) {
  QElapsedTimer patience;
  patience.start();
  while (process.state() == QProcess::Running && patience.elapsed() < 60000) {
    // After the name in brackets, which may hold blanks: state, and the times from the 12th on.
    const QByteArray line =
        oracle::readFile(QString("/proc/%1/stat").arg(process.processId())).split(')').last();
    const QList<QByteArray> fields = line.trimmed().split(' ');
    const double ticks = fields.value(11).toDouble() + fields.value(12).toDouble();
    if (ticks / double(sysconf(_SC_CLK_TCK)) >= seconds) return true;
    process.waitForFinished(5);
  }
  return false;
}

}  // namespace

class TestCliInterrupt : public QObject, CliFolder {
  Q_OBJECT

 private slots:
  void initTestCase();
  void stopsTheWork_data();
  void stopsTheWork();
  void stopsWriting();
  void stopsDrawing();
  void stopsASweep();
  void ignoredSignalsStayIgnored();
};

void TestCliInterrupt::initTestCase() {
  QCOMPARE(runCli(words("generate unif --points 1000000 big.npy"), folder_.path()).status, 0);
}

void TestCliInterrupt::stopsTheWork_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("output");
  QTest::addColumn<int>("signal");
  // Each would run for minutes.
  QTest::newRow("join, SIGINT") << words("join big.npy --eps 20 --counts kept.npy") << "kept.npy"
                                << SIGINT;
  QTest::newRow("join, SIGTERM") << words("join big.npy --eps 20 --counts kept.npy") << "kept.npy"
                                 << SIGTERM;
  QTest::newRow("join, SIGHUP") << words("join big.npy --eps 20 --counts kept.npy") << "kept.npy"
                                << SIGHUP;
  QTest::newRow("cluster, SIGINT")
      << words(
             "cluster big.npy --eps 20 --min-pts 900000 --dense-cells off --early-stop off "
             "--pattern full --labels kept.csv")
      << "kept.csv" << SIGINT;
}

void TestCliInterrupt::stopsTheWork() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, output);
  QFETCH(int, signal);
  QVERIFY(oracle::writeFile(path(output), "old"));
  const QStringList before = QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden);
  QProcess process;
  takeSignals(process);
  process.setWorkingDirectory(folder_.path());
  process.start(CLUSTERLOOM_CLI, arguments);
  QVERIFY(process.waitForStarted());
  QVERIFY(waitForWork(process, 0.5));
  QElapsedTimer timer;
  timer.start();
  QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
  QVERIFY(process.waitForFinished(240000));
  const qint64 elapsed = timer.elapsed();
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 130);
  // Unstopped it takes minutes.
  QVERIFY2(elapsed < 8000, qPrintable(QString::number(elapsed) + " ms"));
  QCOMPARE(process.readAllStandardOutput(), QByteArray());
  QVERIFY(process.readAllStandardError().trimmed().split('\n').last().contains("interrupted"));
  QCOMPARE(oracle::readFile(path(output)), QByteArray("old"));
  QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden), before);
}

/// Stopped in the middle of an export: the old file stays and the temporary one is removed.
void TestCliInterrupt::stopsWriting() {
  QVERIFY(oracle::writeFile(path("kept.csv"), "old"));
  const QStringList before = QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden);
  int status = 0;
  for (int turn = 0; turn < 10 && status == 0; ++turn) {  // 0: written before the signal came
    QVERIFY(oracle::writeFile(path("kept.csv"), "old"));
    QProcess process;
    takeSignals(process);
    process.setWorkingDirectory(folder_.path());
    process.start(CLUSTERLOOM_CLI,
                  words("cluster big.npy --eps 0.2 --min-pts 5 --labels kept.csv"));
    QVERIFY(process.waitForStarted());
    bool writing = false;
    while (!writing && process.state() == QProcess::Running) {
      process.waitForFinished(5);
      writing =
          QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden).size() > before.size();
    }
    if (writing) ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(240000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    status = process.exitCode();
  }
  QCOMPARE(status, 130);
  QCOMPARE(oracle::readFile(path("kept.csv")), QByteArray("old"));
  QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden), before);
}

/// Drawing cannot be stopped half-way, but the program can.
void TestCliInterrupt::stopsDrawing() {
#ifdef CLUSTERLOOM_HAS_PICTURES
  QVERIFY(oracle::writeFile(path("kept.png"), "old"));
  const QStringList before = QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden);
  // The clustering alone, as a measure of when drawing begins.
  QElapsedTimer timer;
  timer.start();
  QCOMPARE(runCli(words("cluster big.npy --eps 0.2 --min-pts 5"), folder_.path()).status, 0);
  const qint64 clustering = timer.elapsed();
  QProcess process;
  takeSignals(process);
  process.setWorkingDirectory(folder_.path());
  process.start(CLUSTERLOOM_CLI, words("cluster big.npy --eps 0.2 --min-pts 5 --image kept.png"));
  QVERIFY(process.waitForStarted());
  if (process.waitForFinished(int(clustering) + 300)) QSKIP("the picture was drawn too soon");
  timer.restart();
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(240000));
  const qint64 elapsed = timer.elapsed();
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  if (process.exitCode() == 0 && elapsed < 200) QSKIP("the picture was drawn too soon");
  QCOMPARE(process.exitCode(), 130);
  QVERIFY2(elapsed < 8000, qPrintable(QString::number(elapsed) + " ms"));
  QVERIFY(process.readAllStandardError().contains("interrupted"));
  QCOMPARE(oracle::readFile(path("kept.png")), QByteArray("old"));
  QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden), before);
#else
  QSKIP("this build draws no pictures");
#endif
}

/// What a sweep has printed stays; each line is whole.
void TestCliInterrupt::stopsASweep() {
  QProcess process;
  takeSignals(process);
  process.setWorkingDirectory(folder_.path());
  process.start(CLUSTERLOOM_CLI, words("join big.npy --sweep-eps 0.05:50:40"));
  QVERIFY(process.waitForStarted());
  QVERIFY(process.waitForReadyRead(20000));
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.exitCode(), 130);
  const QByteArray out = process.readAllStandardOutput();
  QVERIFY(out.endsWith('\n'));
  for (const QByteArray& line : out.trimmed().split('\n'))
    QVERIFY(QJsonDocument::fromJson(line).isObject());
}

/// Background jobs of a script have SIGINT ignored: they run on.
void TestCliInterrupt::ignoredSignalsStayIgnored() {
  QProcess process;
  process.setChildProcessModifier([] { std::signal(SIGINT, SIG_IGN); });
  process.setWorkingDirectory(folder_.path());
  process.start(CLUSTERLOOM_CLI, words("join big.npy --eps 0.3 --json"));
  QVERIFY(process.waitForStarted());
  for (int i = 0; i < 5; ++i) {
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QTest::qSleep(20);
  }
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.exitCode(), 0);
}

GUILESS_TEST(TestCliInterrupt);
#include "tst_cli_interrupt.moc"
