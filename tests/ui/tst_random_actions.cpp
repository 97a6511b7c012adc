// Key and mouse events drawn from a seed, on the window, its dialogs, and the window of the
// lessons. After each of them the panels show the session's parameters and display; and whenever
// the window has come to rest, panels, table, view, status, exports and copied call speak of one
// result, which plain loops confirm.
//   CLUSTERLOOM_ACTIONS_SECONDS   how long each of both (8)
//   CLUSTERLOOM_ACTIONS_SEED      of the events (1)
#include <QDesktopServices>
#include <QtTest>
#include <csignal>
#include <random>

#include "random_actions.h"
#include "shown_window.h"
#include "ui/window/lesson_window.h"
#include "window_faults.h"

using namespace clusterloom;

namespace {

constexpr int kStepsBetweenRests = 4;
constexpr std::array kSchemes{"file", "http", "https", "mailto"};
constexpr int kRestsBetweenExports = 5;

const ActionLog* crashLog = nullptr;
struct sigaction beforeCrash {};

/// Writes the last actions and leaves the signal to the handler before.
void onCrash(int signal) {
  if (crashLog != nullptr) crashLog->write(STDERR_FILENO);
  sigaction(signal, &beforeCrash, nullptr);
}

}  // namespace

class TestRandomActions : public QObject, ShownWindow {
  Q_OBJECT

 public Q_SLOTS:
  /// Nothing is opened outside of the program.
  void ignore(const QUrl& /*url*/) {}

 private Q_SLOTS:
  void initTestCase() {
    for (const char* const scheme : kSchemes)
      QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "ignore");
  }
  void cleanupTestCase() {
    for (const char* const scheme : kSchemes)
      QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
  }
  void cleanup() { closeWindow(); }

  void actions() {
    QVERIFY(showWindow({1200, 800}));
    disable(*window_, {"quit", "lessons", "aboutQt"});
    QVERIFY(openSquares());
    const QStringList files{path("squares.csv"),
                            writeSquares(directory_->path(), "others.csv", "a,b,sort\n"),
                            writeSpace(path("space.csv"))};
    run(*window_, *session_, files, directory_->path(), [this] {
      if (session_->data().dataset()) return QString();
      // Whatever else is set: the chart in front may have nothing to show, and runs may have to be
      // asked for, so that the window does not settle.
      OpenRequest squares;
      squares.path = path("squares.csv");
      squares.eps = 1.5;
      squares.minPts = 4;
      window_->openRequest(squares);
      return waitUntil(
                 [this] {
                   return session_->data().dataset() &&
                          (session_->clusterRun().result() || !session_->clusterRun().autoRun());
                 },
                 120'000)
                 ? QString()
                 : "the squares do not open again";
    });
  }

  void lessons() {
    const QTemporaryDir folder;
    QVERIFY(folder.isValid());
    LessonWindow lessons;
    MainWindow& window = lessons.window();
    window.resize(1200, 800);
    window.show();
    QVERIFY(activate(window));
    disable(window, {"quit", "closeData", "aboutQt"});
    QVERIFY(waitUntilSettled(window));
    run(window, window.session(), {writeSquares(folder.path())}, folder.path(),
        [] { return QString(); });
  }

 private:
  static void disable(MainWindow& window, const QList<const char*>& names) {
    for (const char* const name : names) window.action(name)->setEnabled(false);
  }

  /// Three blobs in three dimensions, with a weight, a column of words, and one of few numbers.
  static QString writeSpace(const QString& file) {
    std::mt19937 random(3);
    std::normal_distribution<double> spread(0, 0.4);
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return {};
    out.write("x,y,z,weight,sort,year\n");
    const QStringList sorts{"oak", "beech", "fir"};
    for (int i = 0; i < 300; ++i)
      out.write(QStringLiteral("%1,%2,%3,%4,%5,%6\n")
                    .arg(5 * (i % 3) + spread(random))
                    .arg(spread(random))
                    .arg(i % 2 + spread(random))
                    .arg(1 + i % 4)
                    .arg(sorts[i % 3])
                    .arg(2000 + i % 5)
                    .toUtf8());
    return file;
  }

  /// Neither a dialog nor a menu is open.
  static bool isFree() {
    return !QApplication::activePopupWidget() && !QApplication::activeModalWidget();
  }

  /// `reopen` gives a window without data some, or a fault.
  static void run(MainWindow& window, Session& session, const QStringList& files,
                  const QString& folder, const std::function<QString()>& reopen) {
    // Without a time the same number of actions on every machine.
    constexpr int kSteps = 50;
    const double seconds = qEnvironmentVariable("CLUSTERLOOM_ACTIONS_SECONDS", "0").toDouble();
    const auto seed = qEnvironmentVariable("CLUSTERLOOM_ACTIONS_SEED", "1").toULongLong();
    const WindowFaults faults(window, session);
    RandomActions actions(window, seed, files, folder);
    crashLog = &actions.log();
    struct sigaction handler {};
    handler.sa_handler = &onCrash;
    sigaction(SIGSEGV, &handler, &beforeCrash);

    QElapsedTimer clock;
    clock.start();
    int steps = 0;
    int rests = 0;
    QString fault;
    for (; fault.isEmpty() &&
           (seconds > 0 ? double(clock.elapsed()) < 1000 * seconds : steps < kSteps);
         ++steps) {
      actions.step();
      fault = faults.now();
      if (!fault.isEmpty() || steps % kStepsBetweenRests != 0) continue;
      if (!isFree()) {
        fault = faults.atRest();
        continue;
      }
      fault = ++rests % kRestsBetweenExports == 0 ? faults.ofExport(folder) : faults.ofUndo();
      if (fault.isEmpty()) fault = reopen();
    }
    if (fault.isEmpty()) {
      actions.closeOthers();
      fault = faults.atRest();
    }
    sigaction(SIGSEGV, &beforeCrash, nullptr);
    crashLog = nullptr;
    QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("%1\nseed %2, step %3, after:%4")
                                             .arg(fault)
                                             .arg(seed)
                                             .arg(steps)
                                             .arg(actions.log().text())));
    qInfo("%d actions, %d times at rest", steps, rests);
    QVERIFY(steps > 0);
  }
};

/// Nothing is read or written outside of folders of this process.
static int runRandomActions(int argc, char** argv) {
  static const QTemporaryDir home;
  qputenv("HOME", home.path().toLocal8Bit());
  QDir::setCurrent(home.path());
  qputenv("QTEST_FUNCTION_TIMEOUT", "7200000");  // it is said how long it takes
  return runWindowTest<TestRandomActions>(argc, argv);
}

TEST_ENTRY(&runRandomActions);
#include "tst_random_actions.moc"
