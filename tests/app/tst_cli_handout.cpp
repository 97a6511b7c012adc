// The subcommand handout, which becomes the program of the window: pages that hold everything in
// them, in the language of the lesson.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "cli_process.h"
#include "oracle.h"
#include "tests/test_program.h"

class TestCliHandout : public QObject, CliFolder {
  Q_OBJECT

  QByteArray contents(const QString& name) const {
    return oracle::readFile(folder_.filePath(name));
  }

 private slots:
#ifdef CLUSTERLOOM_HAS_PICTURES
  void writesTheLessonsOfTheProgram_data();
  void writesTheLessonsOfTheProgram();
  void takesTheLanguageOfTheFolder();
  void fullDiskLeavesNothing();
  void refusesWhatIsNoLesson_data();
  void refusesWhatIsNoLesson();
#endif
  void needsTheWindow();
  void lanesOfARun();
};

#ifdef CLUSTERLOOM_HAS_PICTURES

void TestCliHandout::writesTheLessonsOfTheProgram_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QString>("title");
  QTest::addColumn<QString>("answers");
  QTest::newRow("en") << "en"
                      << "What a warp is"
                      << "<h2>Answers</h2>";
  QTest::newRow("de") << "de"
                      << "Warps, und warum sie"
                      << "<h2>Antworten</h2>";
}

void TestCliHandout::writesTheLessonsOfTheProgram() {
  QFETCH(QString, language);
  QFETCH(QString, title);
  QFETCH(QString, answers);
  const CliRun done =
      run("handout 1 --output page.html --lane-view lanes.html --step 3 "
          "--notebook book.ipynb --language " +
          language);
  QVERIFY2(done.status == 0, done.err);
  const QString page = QString::fromUtf8(contents("page.html"));
  QVERIFY(page.contains(title));
  QVERIFY(page.contains("lang=\"" + language + '"'));
  QVERIFY(page.contains(answers));
  QCOMPARE(page.count("<section class=\"step\">"), 5);
  QVERIFY(page.count("src=\"data:image/png;base64,") == 5);
  QVERIFY(page.count("src=\"data:image/svg+xml;base64,") >= 5);
  const QByteArray lanes = contents("lanes.html");
  QVERIFY(lanes.contains(("lang=\"" + language + '"').toUtf8()));
  QVERIFY(lanes.size() < 1'000'000);
  QVERIFY(contents("book.ipynb").contains("clusterloom.generate"));
  for (const QByteArray& whole : {page.toUtf8(), lanes})
    for (const char* link : {"src=\"http", "href=", "url(", "@import", "fetch("})
      QVERIFY2(!whole.contains(link), link);
}

void TestCliHandout::takesTheLanguageOfTheFolder() {
  QVERIFY(QDir(folder_.path()).mkpath("de"));
  const QByteArray german =
      oracle::readFile(CLUSTERLOOM_SOURCE_DIR "/resources/lessons/de/3-sorting-by-workload.json");
  QVERIFY(oracle::writeFile(folder_.filePath("de/mine.json"), german));
  QVERIFY(oracle::writeFile(folder_.filePath("mine.json"), german));
  const CliRun there = run("handout de/mine.json --output there.html --slides");
  QVERIFY2(there.status == 0, there.err);
  QVERIFY(contents("there.html").contains("Antworten"));
  const CliRun here = run("handout mine.json --lane-view lanes.html");
  QVERIFY2(here.status == 0, here.err);
  QVERIFY(contents("lanes.html").contains("lang=\"en\""));
}

/// All files or none: the second does not fit.
void TestCliHandout::fullDiskLeavesNothing() {
  QTemporaryDir folder;
  QProcess process;
  process.setWorkingDirectory(folder.path());
  process.start("sh", {"-c",
                       "ulimit -f 100; exec \"$0\" handout 1 --lane-view lanes.html --output "
                       "page.html",
                       CLUSTERLOOM_CLI});
  QVERIFY(process.waitForFinished(240000));
  const QByteArray said = process.readAllStandardError();
  QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 1, said);
  QVERIFY2(said.contains("page.html"), said);
  QVERIFY(QDir(folder.path()).isEmpty());
}

void TestCliHandout::refusesWhatIsNoLesson_data() {
  QTest::addColumn<QString>("call");
  QTest::addColumn<QByteArray>("says");
  QTest::addColumn<int>("status");
  QTest::newRow("number") << "handout 99 --output o.html" << QByteArray("1-what-a-warp-is") << 2;
  QTest::newRow("step") << "handout 1 --lane-view o.html --step 9" << QByteArray("5 steps") << 2;
  QTest::newRow("no warp") << "handout 8 --lane-view o.html" << QByteArray("picks a warp") << 2;
  QTest::newRow("step without a warp")
      << "handout 1 --lane-view o.html --step 1" << QByteArray("picks no warp") << 2;
  QTest::newRow("language") << "handout 1 --output o.html --language xx" << QByteArray("--language")
                            << 2;
  QTest::newRow("not a lesson") << "handout bad.json --output o.html" << QByteArray("bad.json")
                                << 1;
}

void TestCliHandout::refusesWhatIsNoLesson() {
  QFETCH(QString, call);
  QFETCH(QByteArray, says);
  QFETCH(int, status);
  QVERIFY(oracle::writeFile(folder_.filePath("bad.json"), "{}"));
  const CliRun done = run(call);
  QVERIFY2(done.status == status, done.err);
  QVERIFY2(done.err.contains(says), done.err);
  QVERIFY(!QFile::exists(folder_.filePath("o.html")));
}

#endif

/// Beside the program there may be no window.
void TestCliHandout::needsTheWindow() {
  const QString alone = folder_.filePath("clusterloom-cli");
  QVERIFY(QFile::copy(CLUSTERLOOM_CLI, alone));
  QProcess process;
  process.setWorkingDirectory(folder_.path());
  process.start(alone, {"handout", "1", "--output", "none.html"});
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.exitCode(), 2);
  const QByteArray said = process.readAllStandardError();
  QVERIFY2(said.contains("needs the program of the window"), said);
  QVERIFY(!QFile::exists(folder_.filePath("none.html")));
}

/// load makes the page without the window.
void TestCliHandout::lanesOfARun() {
  QCOMPARE(run("generate expo --points 3000 expo.npy").status, 0);
  const CliRun longest = run("load expo.npy --eps 0.004 --lane-view longest.html --warps w.csv");
  QVERIFY2(longest.status == 0, longest.err);
  QVERIFY(longest.out.contains("longest.html"));
  const CliRun first = run("load expo.npy --eps 0.004 --lane-view first.html --warp 0 --json");
  QVERIFY2(first.status == 0, first.err);
  QVERIFY(contents("first.html").contains("Modelled: warp 0 takes "));
  QVERIFY(contents("first.html").contains(" H200: 132 multiprocessors × 64 warps, 1.98 GHz.\""));
  // Number, steps of the four loops: the columns of the table.
  const QList<QByteArray> rows = contents("w.csv").trimmed().split('\n');
  double most = 0;
  QByteArray number;
  const QList<QByteArray> names = rows.first().trimmed().split(',');
  for (qsizetype row = 1; row < rows.size(); ++row) {
    const QList<QByteArray> cells = rows[row].trimmed().split(',');
    const auto value = [&](const char* name) { return cells[names.indexOf(name)].toDouble(); };
    const double cost = value("end") - value("start");
    if (cost <= most) continue;
    most = cost;
    number = cells[names.indexOf("warp")];
  }
  QVERIFY2(contents("longest.html").contains("Modelled: warp " + number + " takes "), number);
  QCOMPARE(run("load expo.npy --eps 0.004 --machine 8x4@1.5 --lane-view own.html").status, 0);
  QVERIFY(contents("own.html").contains("GPU: 8 multiprocessors × 4 warps, 1.5 GHz."));
  QVERIFY(contents("longest.html").size() < 1'000'000);
}

GUILESS_TEST(TestCliHandout);
#include "tst_cli_handout.moc"
