// What is copied as a call of the command line or as a batch script.
#include <QCoreApplication>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <mutex>
#include <random>
#include <set>

#include "engine/batch_history.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "session_folder.h"
#include "tests/test_program.h"
#include "ui/session/cluster_run.h"
#include "ui/session/command_line.h"
#include "ui/session/recovery.h"
#include "ui/session/session_files.h"
#include "ui/session/session_state.h"

using namespace clusterloom;

class TestSessionCopied : public QObject, SessionFolder {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("clusterloom-tests");
    QCoreApplication::setApplicationName("tst_session_copied");
  }
  void init() { directory_ = std::make_unique<QTemporaryDir>(); }

  void shellQuoting() {
    QCOMPARE(shellQuoted("plain/path-1_2.csv"), QString("plain/path-1_2.csv"));
    QCOMPARE(shellQuoted(""), QString("''"));
    QCOMPARE(shellQuoted("a b"), QString("'a b'"));
    QCOMPARE(shellQuoted("it's"), QString("'it'\\''s'"));
    QCOMPARE(shellQuoted("$HOME;rm"), QString("'$HOME;rm'"));
    // The reference is the shell itself.
    for (const QString& text : {QString("a'b\"c d$e`f\\g*?[h]~#!&|;<>()\nnew\tline"),
                                QString("ä ö"), QString("-n"), QString("''")}) {
      QProcess shell;
      shell.start("/bin/sh", {"-c", "printf %s " + shellQuoted(text)});
      QVERIFY(shell.waitForFinished(240000));
      QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), text);
    }
  }

  void batchScriptsClusterEveryRow() {
    SessionState state;
    QCOMPARE(batchScriptOf(state), QString());
    state.dataPath = "/d/c.csv";
    state.parameters.dbscan = {0.1, 4};
    state.read.every = 50;
    state.threads = 3;
    state.device = 1;
    const QString script = batchScriptOf(state);
    QVERIFY2(script.contains("clusterloom-cli cluster /d/c.csv --eps 0.1 --min-pts 151 \\\n"),
             qPrintable(script));
    QVERIFY(script.startsWith("#!/bin/bash\n#SBATCH "));
    QVERIFY(script.contains("one row of 50"));
    QVERIFY(script.contains("c-labels.npy"));
    QVERIFY(!script.contains("--every") && !script.contains("--device"));
    // Of the file alone: the window's threads are those of one machine.
    QVERIFY(!script.contains("--threads 3"));
  }

  /// The number of the GPU goes to the backends that use one, into session files and into copied
  /// command lines.
  void theDeviceIsKept() {
    QTemporaryDir directory;
    // Workers make backends side by side: the chosen one, and the fastest for the sweep.
    using Asked = std::multiset<std::pair<std::string, int>>;
    const auto asked = std::make_shared<Asked>();
    const auto mutex = std::make_shared<std::mutex>();
    const auto histories = std::make_shared<std::set<std::string>>();
    const auto maker = [asked, mutex, histories](const std::string& name, BackendOptions how) {
      {
        const std::lock_guard lock(*mutex);
        asked->emplace(name, how.device);
        histories->insert(how.batchHistory);
      }
      how.device = -1;
      return makeBackend(name == "cuda" ? "cpu" : name, how);
    };
    Session session(nullptr, directory.filePath("a"), maker);
    const auto times = [&](const char* name, int device) {
      const std::lock_guard lock(*mutex);
      return int(asked->count({name, device}));
    };
    session.clusterRun().setBackend("cuda");
    session.clusterRun().setDevice(1);
    session.data().openSample({"moons", 300, 2, 1});
    QVERIFY(waitForResult(session));
    QCOMPARE(times("cuda", 1), 1);
    // What batched joins take is kept where the command line and Python keep it.
    {
      const std::lock_guard lock(*mutex);
      QVERIFY(*histories == std::set<std::string>{batchHistoryFile()});
    }
    QVERIFY2(session.files().commandLine().contains("--device 1"),
             qPrintable(session.files().commandLine()));
    QSignalSpy saved(&session.files(), &SessionFiles::sessionSaved);
    session.files().saveSession(directory.filePath("s.clusterloom"));
    QVERIFY(waitUntil([&] { return saved.count() == 1; }));
    // A backend without a GPU is not given the device, and it is not forgotten.
    session.clusterRun().setBackend("cpu");
    QVERIFY(waitUntil([&] { return times("cpu", -1) == 1; }));
    QCOMPARE(times("cpu", 1), 0);
    QVERIFY(!session.files().commandLine().contains("--device"));
    QCOMPARE(session.clusterRun().device(), 1);

    Session other(nullptr, directory.filePath("b"), maker);
    other.data().openSession(directory.filePath("s.clusterloom"));
    QVERIFY(waitForResult(other));
    QCOMPARE(times("cuda", 1), 2);
    QCOMPARE(other.state().device, 1);
  }

  void commandLineGivesTheSameLabels() {
#if !defined(CLUSTERLOOM_CLI)
    QSKIP("the command line is not built here");
#elif defined(__SANITIZE_THREAD__)
    QSKIP("ThreadSanitizer cannot see into TBB, of which the command line starts several threads");
#else
    const QString cli = QFileInfo(QStringLiteral(CLUSTERLOOM_CLI)).absolutePath();
    // A file whose name and content need care: blanks, a quote, a decimal comma, a row to skip.
    QFile file(path("it's a cloud.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::mt19937 random(3);
    std::normal_distribution<double> spread(0, 1);
    file.write("höhe;x;y\n");
    for (int i = 0; i < 900; ++i)
      file.write(QString("%1;%2;%3\n")
                     .arg(spread(random) * 10)
                     .arg(spread(random) + 4 * (i % 3))
                     .arg(spread(random))
                     .replace('.', ',')
                     .toUtf8());
    file.write("1;nan;2\n");
    file.close();
    QFile mpirun(path("mpirun"));
    QVERIFY(mpirun.open(QIODevice::WriteOnly));
    mpirun.write(
        "#!/bin/bash\n[[ $1 == -n && $3 == --bind-to && $4 == none ]] || exit 9\n"
        "exec \"${@:5}\" --ranks \"$2\"\n");
    mpirun.close();
    QVERIFY(mpirun.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    for (int variant = 0; variant < 4; ++variant) {
      Session session(nullptr, path("autosave"));
      OpenRequest request;
      if (variant < 3) {
        request.path = file.fileName();
        request.read.coordinates = {"x", "y"};
        request.read.skipNonFinite = true;
        request.read.text.decimalSign = TextOptions::DecimalSign::Comma;
      } else {
        request.sample = GeneratorSpec{"moons", 1000, 2, 17};
      }
      if (variant == 1) request.scaling = ScalingChoice{Scaling::Kind::Factors, {-0.5, 2.0}};
      if (variant == 2) {
        request.scaling = ScalingChoice{Scaling::Kind::Unit, {}};
        Strategy strategy;
        strategy.pattern = AccessPattern::Unicomp;
        strategy.order = QueryOrder::SortByWorkload;
        strategy.indexedDims = 1;
        strategy.earlyStop = Toggle::Off;
        request.run = RunOptions{strategy};
      }
      session.data().open(request);
      QVERIFY(waitForResult(session));
      if (variant == 2) session.clusterRun().setBackend("cpu", 1);
      QVERIFY(waitForResult(session));
      const QString call =
          session.files().commandLine() + " --labels " + shellQuoted(path("labels.npy"));
      QProcess shell;
      auto environment = QProcessEnvironment::systemEnvironment();
      environment.insert("PATH", directory_->path() + ":" + cli + ":" + environment.value("PATH"));
      environment.insert("SLURM_NTASKS", "3");
      environment.insert("SLURM_CPUS_PER_TASK", "2");
      shell.setProcessEnvironment(environment);
      shell.setWorkingDirectory(directory_->path());
      shell.start("/bin/sh", {"-c", call});
      QVERIFY(shell.waitForFinished(240000));
      const QByteArray complaint = shell.readAllStandardError();
      QVERIFY2(shell.exitCode() == 0, qPrintable(call + "\n" + QString::fromUtf8(complaint)));
      QVERIFY(writeNpy(
          path("wanted.npy").toStdString(),
          labelsPerInputRow(*session.data().dataset(), session.clusterRun().result()->clustering)));
      QFile made(path("labels.npy"));
      QFile wanted(path("wanted.npy"));
      QVERIFY(made.open(QIODevice::ReadOnly) && wanted.open(QIODevice::ReadOnly));
      QVERIFY2(made.readAll() == wanted.readAll(), qPrintable(call));
      QVERIFY(session.clusterRun().result()->clustering.clusters >= 1);
      // The batch script with an mpirun that starts the ranks in one process.
      const QString script = session.files().batchScript();
      QFile::remove(path("labels.npy"));
      shell.start("/bin/bash", {"-c", script});
      QVERIFY(shell.waitForFinished(240000));
      const QByteArray said = shell.readAllStandardError();
      QVERIFY2(shell.exitCode() == 0, qPrintable(script + "\n" + QString::fromUtf8(said)));
      const QString stem = variant < 3 ? "it's a cloud" : "moons";
      QFile ofRanks(path(qPrintable(stem + "-labels.npy")));
      QVERIFY(wanted.seek(0));
      QVERIFY(ofRanks.open(QIODevice::ReadOnly));
      QVERIFY(ofRanks.readAll() == wanted.readAll());
    }
#endif
  }
};

GUILESS_TEST(TestSessionCopied);
#include "tst_session_copied.moc"
