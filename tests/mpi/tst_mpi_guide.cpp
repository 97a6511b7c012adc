// The commands of the guide that start ranks work as they are printed, the Slurm script with an
// srun made of mpirun.
#include <QtTest/QtTest>

#include <QRegularExpression>
#include <QTemporaryDir>

#include "mpirun.h"
#include "tests/test_program.h"

class TestMpiGuide : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void commandsWork();
  void slurmScriptWorks();

 private:
  static QString page(const QString& name) {
    QFile file(QString(CLUSTERLOOM_SOURCE_DIR) + "/resources/guide/" + name + ".md");
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  // Runs a program in the folder of the clouds, with this build's clusterloom-cli in the path.
  RanksEnded run(const QString& program, const QStringList& arguments,
                 QProcessEnvironment environment) const {
    environment.insert("PATH", folder_.filePath("bin") + ':' + QFileInfo(CLUSTERLOOM_CLI).path() +
                                   ':' + QFileInfo(CLUSTERLOOM_MPIRUN).path() + ':' +
                                   environment.value("PATH"));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder_.path());
    process.start(program, arguments);
    RanksEnded ended;
    if (process.waitForFinished(240000)) ended.status = process.exitCode();
    ended.output = QString::fromUtf8(process.readAllStandardOutput());
    ended.errors = QString::fromUtf8(process.readAllStandardError());
    return ended;
  }
  QByteArray bytes(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder_;
};

// The clouds of the page and of those before it.
void TestMpiGuide::initTestCase() {
  if (!hasMpirun()) QSKIP("no mpirun here (package openmpi-bin)");
  for (const char* call : {"generate shapes --points 9000 shapes.csv",
                           "generate blobs --points 50000 --dims 3 --seed 5 blobs.npy",
                           "cluster blobs.npy --eps 0.5 --min-pts 8 --labels one.npy"}) {
    const auto made = run(CLUSTERLOOM_CLI, QString(call).split(' '), rankEnvironment());
    QVERIFY2(made.status == 0, qPrintable(made.errors));
  }
  QVERIFY(!bytes("one.npy").isEmpty());
}

void TestMpiGuide::commandsWork() {
  int calls = 0;
  const QRegularExpression line("^mpirun -n (\\d+) clusterloom-cli ([^\\n]+)$",
                                QRegularExpression::MultilineOption);
  for (const char* name : {"clusters-of-machines", "batch"}) {
    const QString text = page(name);
    for (auto found = line.globalMatch(text); found.hasNext(); ++calls) {
      const QRegularExpressionMatch call = found.next();
      const auto ended =
          run(CLUSTERLOOM_MPIRUN,
              rankArguments(call.captured(1).toInt(), CLUSTERLOOM_CLI, call.captured(2).split(' ')),
              rankEnvironment());
      QVERIFY2(ended.status == 0, qPrintable(call.captured(0) + '\n' + ended.errors));
    }
  }
  QVERIFY(calls >= 2);
  QVERIFY(bytes("two.npy") == bytes("one.npy"));
}

void TestMpiGuide::slurmScriptWorks() {
  const QRegularExpression block("```bash\\n(#!/bin/bash\\n.*?)```",
                                 QRegularExpression::DotMatchesEverythingOption);
  const QString script = block.match(page("clusters-of-machines")).captured(1);
  QVERIFY(script.contains("srun"));
  const auto write = [&](const QString& name, const QString& text) {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
    QVERIFY(file.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner));
  };
  QVERIFY(QDir(folder_.path()).mkdir("bin"));
  // Without its own options, which come first.
  write("bin/srun",
        "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\n"
        "exec mpirun --oversubscribe -n 3 \"$@\"\n");
  write("job.sh", script);
  QProcessEnvironment environment = rankEnvironment();
  environment.insert("SLURM_CPUS_PER_TASK", "1");
  const auto ended = run("bash", {"job.sh"}, environment);
  QVERIFY2(ended.status == 0, qPrintable(ended.errors));
  QVERIFY(bytes("labels.npy") == bytes("one.npy"));
  QVERIFY(bytes("run.json").contains("\"ranks\""));
}

GUILESS_TEST(TestMpiGuide);
#include "tst_mpi_guide.moc"
