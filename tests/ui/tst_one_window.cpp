// A file that another process was called with opens in the open window: real processes, and what
// the window asks.
#include <QFile>
#include <QLocalSocket>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QtTest>
#include <csignal>

#include "app/one_window.h"
#include "shown_window.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/theme.h"
#include "ui/window/handed_over.h"

using namespace clusterloom;

class TestOneWindow : public QObject, ShownWindow {
  Q_OBJECT

  using Process = std::unique_ptr<QProcess>;

  QTemporaryDir home_;

  /// Starts the window program with settings and a folder for sockets of this test's own.
  Process start(const QStringList& arguments) {
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* home : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
      environment.insert(QString::fromLatin1(home), home_.path());
    process->setProcessEnvironment(environment);
    process->start(QStringLiteral(CLUSTERLOOM_WINDOW), arguments);
    return process;
  }
  static bool ends(QProcess& process) {
    return waitUntil([&] { return process.state() == QProcess::NotRunning; });
  }
  static void kill(QProcess& process) {
    process.kill();
    process.waitForFinished(240000);
  }
  static bool someoneListens() {
    QLocalSocket socket;
    socket.connectToServer(windowSocket());
    return socket.waitForConnected(1000);
  }
  /// Whether the program ends a connection with what is no call: its window is there then, too.
  static bool endsWhatIsNoCall() {
    QLocalSocket noise;
    noise.connectToServer(windowSocket());
    if (!noise.waitForConnected(10000)) return false;
    noise.write(QByteArray(200000, 'x'));
    return waitUntil([&] { return noise.state() == QLocalSocket::UnconnectedState; });
  }
  QString cloud(const QString& name) {
    const QString path = home_.filePath(name);
    QProcess::execute(QStringLiteral(CLUSTERLOOM_CLI),
                      {"generate", "moons", "--points", "300", path});
    return path;
  }
  /// Whether a window has opened this file: it is in the list of recent files then.
  bool isRemembered(const QString& name) const {
    QFile settings(home_.filePath("Clusterloom/Clusterloom.conf"));
    return settings.open(QIODevice::ReadOnly) && settings.readAll().contains(name.toUtf8());
  }
  QMessageBox* question() const {
    return qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
  }
  bool answer(const QString& text) {
    QMessageBox* box = question();
    if (box == nullptr) return false;
    for (QAbstractButton* button : box->buttons()) {
      if (button->text().remove('&') != text) continue;
      button->click();
      return waitUntil([&] { return question() == nullptr; });
    }
    return false;
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(QFile::setPermissions(home_.path(),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("XDG_RUNTIME_DIR", home_.path().toUtf8());
    applyTheme(*qApp, ThemeChoice::Light);
  }
  void cleanup() { closeWindow(); }

  void anotherProcessHandsItsFileOver() {
    QVERIFY(showWindow({1000, 700}));
    FileReceiver receiver;
    QVERIFY(receiver.listen());
    FileReceiver second;
    QVERIFY(!second.listen());
    receiver.onFiles([&](const QStringList& paths) { return takeHandedOver(*window_, paths, {}); });
    const QString path = cloud("Wolke ä.npy");
    const Process process = start({path});
    QVERIFY(ends(*process));
    QCOMPARE(process->exitCode(), 0);
    QVERIFY(waitUntil([&] { return bool(session_->data().dataset()); }));
    QCOMPARE(session_->data().dataset()->source.path, path.toStdString());
  }

  void whatIsOpenIsNotReplacedWithoutAQuestion() {
    QVERIFY(showWindow({1000, 700}));
    QVERIFY(openSquares());
    const auto before = session_->data().dataset();
    const QString path = cloud("other.npy");
    QStringList elsewhere;
    const auto take = [&] {
      return takeHandedOver(*window_, {path},
                            [&](const QStringList& others) { elsewhere << others; });
    };
    QVERIFY(take());
    QVERIFY(question() != nullptr && question()->text().contains("other.npy"));
    shot(question(), "one-window-question");
    QVERIFY(!take());  // one question at a time
    QVERIFY(answer("Cancel"));
    QCOMPARE(session_->data().dataset(), before);
    QVERIFY(take());
    QVERIFY(answer("Another window"));
    QCOMPARE(elsewhere, QStringList{path});
    QCOMPARE(session_->data().dataset(), before);
    QVERIFY(take());
    QVERIFY(answer("Open here"));
    QVERIFY(waitUntil([&] {
      const auto now = session_->data().dataset();
      return now && now->source.path == path.toStdString();
    }));
    QCOMPARE(elsewhere.size(), 1);
  }

  /// Several files of a call open in tabs, the first of them on show.
  void severalFilesAreHandedOver() {
    QVERIFY(showWindow({1000, 700}));
    FileReceiver receiver;
    QVERIFY(receiver.listen());
    QStringList elsewhere;
    receiver.onFiles([&](const QStringList& paths) {
      return takeHandedOver(*window_, paths,
                            [&](const QStringList& others) { elsewhere << others; });
    });
    const QStringList paths{cloud("a.npy"), cloud("b.npy"), cloud("c.npy")};
    Process process = start(paths);
    QVERIFY(ends(*process));
    QCOMPARE(process->exitCode(), 0);
    QVERIFY(waitUntil([&] { return session_->clouds().count() == 3; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(session_->clouds().titles(), (QStringList{"a.npy", "b.npy", "c.npy"}));
    QCOMPARE(session_->clouds().current(), 0);
    QVERIFY(!session_->data().awaitsEps());
    // Where something is open, one question for all.
    process = start(paths.mid(1));
    QVERIFY(waitUntil([&] { return question() != nullptr; }));
    QVERIFY2(question()->text().contains("b.npy and 1 other file"), qPrintable(question()->text()));
    QVERIFY(answer("Another window"));
    QCOMPARE(elsewhere, paths.mid(1));
    QVERIFY(ends(*process));
  }

  void changesToASessionAreAskedFor() {
    QVERIFY(showWindow({1000, 700}));
    QVERIFY(openSquares());
    session_->files().saveSession(directory_->filePath("work.clusterloom"));
    QVERIFY(waitUntil([&] { return !session_->files().sessionPath().isEmpty(); }));
    QVERIFY(waitUntil([&] { return !session_->files().isModified(); }));
    session_->setEps(1.7);
    QVERIFY(waitUntil([&] { return session_->files().isModified(); }));
    const auto before = session_->data().dataset();
    QVERIFY(takeHandedOver(*window_, {"/other.npy"}, {}));
    QVERIFY(question() && !question()->text().contains("work.clusterloom"));
    for (QAbstractButton* button : question()->buttons())
      if (button->text().remove('&') == "Open here") {
        button->click();
        break;
      }
    // The next question, in place of the first.
    QVERIFY(
        waitUntil([&] { return question() && question()->text().contains("work.clusterloom"); }));
    QVERIFY(answer("Cancel"));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(session_->data().dataset(), before);
  }

  void twoProgramsAndACrash() {
    const QString first = cloud("first.npy");
    const QString second = cloud("second.npy");
    const QString third = cloud("third.npy");
    Process running = start({});
    QVERIFY(waitUntil([] { return someoneListens(); }));

    // What is no call ends the connection, not the program.
    QVERIFY(endsWhatIsNoCall());

    const Process handing = start({first});
    QVERIFY(ends(*handing));
    QCOMPARE(handing->exitCode(), 0);
    QVERIFY(waitUntil([&] { return isRemembered("first.npy"); }));
    QCOMPARE(running->state(), QProcess::Running);

    // The socket is left behind; the next program replaces it.
    kill(*running);
    QVERIFY(QFile::exists(windowSocket()));
    running = start({});
    QVERIFY(waitUntil([] { return someoneListens(); }) && endsWhatIsNoCall());
    const Process again = start({second});
    QVERIFY(ends(*again));
    QCOMPARE(again->exitCode(), 0);
    QVERIFY(waitUntil([&] { return isRemembered("second.npy"); }));

    // A window of its own, and a picture, attach to none.
    const Process own = start({"--new-window", third});
    QVERIFY(waitUntil([&] { return isRemembered("third.npy"); }));
    QCOMPARE(own->state(), QProcess::Running);
    const QString picture = home_.filePath("picture.png");
    const Process drawing = start({third, "--screenshot", picture});
    QVERIFY(ends(*drawing));
    QVERIFY2(drawing->exitCode() == 0, drawing->readAllStandardError().constData());
    QVERIFY(QFile::exists(picture));
    QCOMPARE(running->state(), QProcess::Running);
    kill(*own);
    kill(*running);
  }
};

WINDOW_TEST(TestOneWindow, std::nullopt);
#include "tst_one_window.moc"
