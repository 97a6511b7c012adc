// What is kept between runs: what a crash leaves, and recent files.
#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdlib>

#include "engine/io/write.h"
#include "session_folder.h"
#include "tests/test_program.h"
#include "ui/session/cluster_run.h"
#include "ui/session/recent_files.h"
#include "ui/session/recovery.h"
#include "ui/session/session_files.h"
#include "ui/session/session_state.h"

using namespace clusterloom;

namespace {

/// Waits until a session with this minPts is kept in the folder of autosaves; false when none is.
bool waitForAutosave(const QString& folder, std::int64_t minPts) {
  return waitUntil([&] {
    const QDir autosaves(folder);
    const QStringList names = autosaves.entryList({"*.json"}, QDir::Files);
    return std::any_of(names.begin(), names.end(), [&](const QString& name) {
      const auto saved = loadSessionFile(autosaves.filePath(name));
      return saved && saved->parameters.dbscan.minPts == minPts;
    });
  });
}

/// Leaves an autosave and ends without closing anything, as a crash does.
[[noreturn]] void crash(const QString& directory) {
  Session session(nullptr, directory);
  session.data().openSample({"blobs", 1500, 2, 5});
  waitForResult(session);
  session.setEps(session.parameters().dbscan.eps * 1.25);
  session.setMinPts(7);
  waitForResult(session);
  waitForAutosave(directory, 7);
  std::_Exit(42);
}

}  // namespace

class TestSessionRecovery : public QObject, SessionFolder {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("clusterloom-tests");
    QCoreApplication::setApplicationName("tst_session_recovery");
  }
  void init() { directory_ = std::make_unique<QTemporaryDir>(); }

  void aCrashLeavesASessionToRestore() {
    const QString autosaves = path("autosave");
    {
      Session calm(nullptr, autosaves);
      QVERIFY(!calm.files().hasRecoverableSession());
      calm.data().openSample({"blobs", 500, 2, 1});
      QVERIFY(waitForResult(calm));
      QVERIFY(waitForAutosave(autosaves, calm.parameters().dbscan.minPts));
      Session neighbour(nullptr, autosaves);  // a second window: the first is alive
      QVERIFY(!neighbour.files().hasRecoverableSession());
    }
    QVERIFY(QDir(autosaves).entryList({"*.json"}).isEmpty());  // a clean end leaves nothing

    QProcess process;
    process.start(QCoreApplication::applicationFilePath(),
                  {"tst_session_recovery", "--crash", autosaves});
    QVERIFY(process.waitForFinished(240000));
    QCOMPARE(process.exitCode(), 42);

    Session session(nullptr, autosaves);
    QVERIFY(session.files().hasRecoverableSession());
    session.files().restoreRecoverableSession();
    QVERIFY(waitForResult(session));
    QCOMPARE(session.data().dataset()->cloud.size(), std::size_t(1500));
    QCOMPARE(session.parameters().dbscan.minPts, std::int64_t(7));
    QVERIFY(session.files().isModified());  // not saved yet
    QCOMPARE(session.files().sessionPath(), QString());
    QVERIFY(waitUntilIdle(session));
    QVERIFY(!session.files().hasRecoverableSession());
    QCOMPARE(QDir(autosaves).entryList({"*.json"}, QDir::Files).size(), 1);  // kept anew
  }

  void aRestoredSessionKeepsItsFile() {
    const QString file = path("kept.clusterloom");
    QVERIFY(QDir(directory_->path()).mkdir("crashed"));
    {
      Session session(nullptr, path("autosave"));
      session.data().openSample({"blobs", 500, 2, 1});
      QVERIFY(waitForResult(session));
      QSignalSpy saved(&session.files(), &SessionFiles::sessionSaved);
      session.files().saveSession(file);
      QVERIFY(waitUntil([&] { return saved.count() == 1; }));
      session.setMinPts(9);
      QVERIFY(waitForResult(session));
      QVERIFY(waitForAutosave(path("autosave"), 9));
      // What a crash would leave.
      const QDir autosaves(path("autosave"));
      const QStringList left = autosaves.entryList({"*.json"}, QDir::Files);
      QCOMPARE(left.size(), 1);
      QVERIFY(QFile::copy(autosaves.filePath(left.front()), path("crashed/left.json")));
    }
    Session session(nullptr, path("crashed"));
    session.files().restoreRecoverableSession();
    QVERIFY(waitForResult(session));
    QCOMPARE(session.parameters().dbscan.minPts, std::int64_t(9));
    QCOMPARE(session.files().sessionPath(), file);  // the window's title, and where Save goes
    QVERIFY(session.files().isModified());
  }

  void restoringOneSessionKeepsTheOthers() {
    const QString autosaves = path("autosave");
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(),
                  {"tst_session_recovery", "--crash", autosaves});
    QVERIFY(process.waitForFinished(240000));
    QCOMPARE(process.exitCode(), 42);
    // What another program would have left.
    const QDir folder(autosaves);
    const QStringList left = folder.entryList({"*.json"}, QDir::Files);
    QVERIFY(QFile::copy(folder.filePath(left.front()), folder.filePath("other.json")));
    QVERIFY(
        QFile::copy(folder.filePath(left.front() + ".lock"), folder.filePath("none.json.lock")));
    Session session(nullptr, autosaves);
    session.files().restoreRecoverableSession();
    QVERIFY(waitForResult(session) && waitUntilIdle(session));
    QVERIFY(!folder.exists("none.json.lock"));         // of a program that had nothing to keep
    QVERIFY(session.files().hasRecoverableSession());  // of the other program
  }

  void recoveryWithoutAPlaceToWriteIsHarmless() {
    QFile file(path("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    Session session(nullptr, path("file") + "/below");
    QVERIFY(!session.files().hasRecoverableSession());
    session.data().openSample({"blobs", 300, 2, 1});
    QVERIFY(waitForResult(session));
    session.closeData();
  }

  void recentFilesAreKept() {
    clearRecentFiles();
    QVERIFY(recentFiles().empty());
    QStringList made;
    for (int i = 0; i < 13; ++i) {
      made << path(QString("f%1.csv").arg(i));
      QFile file(made.back());
      QVERIFY(file.open(QIODevice::WriteOnly));
      addRecentFile({made.back(), false, {}, {}});
    }
    QCOMPARE(recentFiles().size(), std::size_t(10));
    QCOMPARE(recentFiles().front().path, made[12]);
    RecentFile again{made[5], false, {}, {}};
    again.read.coordinates = {"2", "0"};
    again.read.keep = {"1"};
    again.read.keepOthers = false;
    again.read.skipNonFinite = true;
    again.read.text.delimiter = ';';
    again.read.text.header = TextOptions::Header::No;
    again.scaling = {Scaling::Kind::Factors, {2, -0.1}};
    addRecentFile(again);
    addRecentFile({made[6], true, {}, {}});
    QCOMPARE(recentFiles().size(), std::size_t(10));
    QCOMPARE(recentFiles()[0].path, made[6]);
    QVERIFY(recentFiles()[0].isSession);
    // The choices made on import come back.
    const RecentFile kept = recentFiles()[1];
    QCOMPARE(kept.path, made[5]);
    QVERIFY(!kept.isSession);
    QCOMPARE(kept.read.coordinates, again.read.coordinates);
    QCOMPARE(kept.read.keep, again.read.keep);
    QVERIFY(!kept.read.keepOthers && kept.read.skipNonFinite);
    QCOMPARE(kept.read.text.delimiter, ';');
    QVERIFY(kept.read.text.header == TextOptions::Header::No);
    QVERIFY(kept.scaling == again.scaling);
    QVERIFY(QFile::remove(made[12]));
    QCOMPARE(recentFiles().size(), std::size_t(9));
    clearRecentFiles();
  }
};

namespace {

int run(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  const QStringList arguments = application.arguments();
  if (arguments.size() == 3 && arguments[1] == "--crash") crash(arguments[2]);
  return test_program::run<TestSessionRecovery>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_session_recovery.moc"
