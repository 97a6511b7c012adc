#pragma once

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QString>
#include <QStringList>

// Programs as ranks of mpirun. Where it is missing the tests are skipped.

inline bool hasMpirun() { return QFileInfo(CLUSTERLOOM_MPIRUN).isExecutable(); }

// The command line of so many ranks of a program, more than there are processors if need be.
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
  if (process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit)
    ended.status = process.exitCode();
  ended.output = QString::fromUtf8(process.readAllStandardOutput());
  ended.errors = QString::fromUtf8(process.readAllStandardError());
  ended.milliseconds = clock.elapsed();
  return ended;
}
