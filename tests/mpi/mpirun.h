#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QString>
#include <QStringList>

// Programs as ranks of mpirun. Where it is missing the tests are skipped.

inline bool hasMpirun() { return QFileInfo(CLUSTERLOOM_MPIRUN).isExecutable(); }

// The command line of `ranks` ranks of a program, even where there are fewer processors.
inline QStringList rankArguments(int ranks, const QString& program, const QStringList& arguments) {
  return QStringList{"--oversubscribe", "-n", QString::number(ranks), program} + arguments;
}

// Open MPI refuses root without being told twice, and waits for processors in a busy loop.
inline QProcessEnvironment rankEnvironment() {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                           "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"})
    environment.insert(name, "1");
  return environment;
}

struct RanksEnded {
  int status = -1;
  QString output;
  QString errors;
  qint64 milliseconds = 0;
};

inline RanksEnded runRanks(int ranks, const QString& program, const QStringList& arguments) {
  QElapsedTimer clock;
  clock.start();
  QProcess process;
  process.setProcessEnvironment(rankEnvironment());
  process.start(CLUSTERLOOM_MPIRUN, rankArguments(ranks, program, arguments));
  RanksEnded ended;
  if (process.waitForFinished(240000) && process.exitStatus() == QProcess::NormalExit)
    ended.status = process.exitCode();
  ended.output = QString::fromUtf8(process.readAllStandardOutput());
  ended.errors = QString::fromUtf8(process.readAllStandardError());
  ended.milliseconds = clock.elapsed();
  return ended;
}

// As runRanks, each rank in a folder of its own: folder/0, folder/1, … A shell chooses it, since
// with one call for each rank (mpirun -n 1 a : -n 1 b) the mpirun of Open MPI 5.0.7 crashes
// (open-mpi/ompi#13303).
inline RanksEnded runRanksIn(const QString& folder, int ranks, const QString& program,
                             const QStringList& arguments) {
  const QStringList change{"-c", "cd \"$0/$OMPI_COMM_WORLD_RANK\" && exec \"$@\"", folder};
  return runRanks(ranks, "/bin/sh", change + QStringList{program} + arguments);
}

// Whether a process waits for a signal or handles it. Until then the signal ends it at once.
inline bool takesSignal(qint64 process, int signal) {
  QFile file(QString("/proc/%1/status").arg(process));
  if (!file.open(QIODevice::ReadOnly)) return false;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (line.startsWith("SigBlk:") || line.startsWith("SigCgt:"))
      if (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1) return true;
  return false;
}

// Waits until rank 0 has written `messages` messages, progress among them; false where it does not.
// The process's channels are merged.
inline bool waitForMessages(QProcess& process, int messages) {
  QByteArray said;
  while (said.count("clusterloom-cli: ") < messages) {
    if (!process.waitForReadyRead(30000)) return false;
    said += process.readAll();
  }
  return true;
}
