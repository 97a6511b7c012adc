// How the command line behaves as a task of Slurm, by the variables that Slurm sets.
#include <sched.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "cli_process.h"
#include "tests/test_program.h"

class TestCliSlurm : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  /// As a task with these variables; `bound`: to one processor.
  CliRun run(const QStringList& arguments, const QMap<QString, QString>& variables,
             bool bound = false) const {
    QProcess process;
    process.setWorkingDirectory(folder_.path());
    process.setStandardInputFile(QProcess::nullDevice());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto one = variables.begin(); one != variables.end(); ++one)
      environment.insert(one.key(), one.value());
    process.setProcessEnvironment(environment);
    if (bound)
      process.setChildProcessModifier([] {
        cpu_set_t all;
        sched_getaffinity(0, sizeof all, &all);
        int first = 0;
        while (!CPU_ISSET(first, &all)) ++first;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        sched_setaffinity(0, sizeof one, &one);
      });
    process.start(CLUSTERLOOM_CLI, arguments);
    CliRun ended;
    if (!process.waitForFinished(240000)) return ended;
    ended.status = process.exitCode();
    ended.out = process.readAllStandardOutput();
    ended.err = process.readAllStandardError();
    return ended;
  }
  const QStringList cluster_ = words("cluster c.csv --eps 1.5 --min-pts 5 --labels labels.npy");

 private Q_SLOTS:
  void initTestCase() {
    const CliRun made = runCli(words("generate blobs --points 300 c.csv"), folder_.path());
    QVERIFY2(made.status == 0, made.err);
  }
  void init() { QFile::remove(folder_.filePath("labels.npy")); }

  /// srun -n 3 without MPI: no task does the work, one says how it is started.
  void tasksWithoutMpiAreRefused() {
    for (const char* task : {"0", "2"}) {
      const CliRun ended = run(cluster_, {{"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", task}});
      QCOMPARE(ended.status, 2);
      QCOMPARE(ended.err.contains("3 tasks") && ended.err.contains("srun --mpi=pmix"),
               *task == '0');
      QVERIFY(!QFile::exists(folder_.filePath("labels.npy")));
    }
  }

  /// A script of several tasks (sbatch), and subcommands that are for one process.
  void oneProcessIsNotRefused() {
    CliRun ended = run(cluster_, {{"SLURM_NTASKS", "3"}, {"SLURM_PROCID", "0"}});
    QVERIFY2(ended.status == 0, ended.err);
    ended = run(cluster_, {{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}});
    QVERIFY2(ended.status == 0, ended.err);
    ended = run(words("info c.csv"), {{"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", "1"}});
    QVERIFY2(ended.status == 0, ended.err);
    QVERIFY(!ended.out.isEmpty());
  }

  void threadsAreThoseOfTheTask() {
    if (QThread::idealThreadCount() < 2) QSKIP("one processor");
    const QStringList call = cluster_ + QStringList{"--json", "--backend", "cpu"};
    const CliRun given = run(call, {{"SLURM_CPUS_PER_TASK", "1"}});
    QCOMPARE(given.json()["threads"].toInt(), 1);
    const CliRun all = run(call, {});
    QVERIFY(all.json()["threads"].toInt() > 1);
    const CliRun asked = run(call + QStringList{"--threads", "2"}, {{"SLURM_CPUS_PER_TASK", "1"}});
    QCOMPARE(asked.json()["threads"].toInt(), 2);
    QCOMPARE(asked.err, QByteArray());
  }

  void tooFewProcessorsAreNoted() {
    if (QThread::idealThreadCount() < 2) QSKIP("one processor");
    const CliRun ended = run(cluster_ + QStringList{"--threads", "4"}, {}, true);
    QVERIFY2(ended.status == 0, ended.err);
    QVERIFY2(ended.err.contains("bound to 1 of"), ended.err);
    QVERIFY(!run(cluster_ + QStringList{"--threads", "1"}, {}, true).err.contains("bound"));
  }
};

APPLESS_TEST(TestCliSlurm);
#include "tst_cli_slurm.moc"
