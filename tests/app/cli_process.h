#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <csignal>

/// How a run of clusterloom-cli ended.
struct CliRun {
  int status = -1;
  QByteArray out;
  QByteArray err;

  QByteArray lastErrorLine() const { return err.trimmed().split('\n').last(); }
  QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// Signals as a terminal's foreground program has them, whatever started the test.
inline void takeSignals(QProcess& process) {
  process.setChildProcessModifier([] {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
  });
}

/// Runs the program in `folder` with no standard input and waits for its end.
inline CliRun runCli(const QStringList& arguments, const QString& folder) {
  QProcess process;
  takeSignals(process);
  process.setWorkingDirectory(folder);
  process.setStandardInputFile(QProcess::nullDevice());
  process.start(CLUSTERLOOM_CLI, arguments);
  CliRun run;
  if (!process.waitForFinished(240000)) {
    process.kill();
    process.waitForFinished(240000);
    run.err = "did not end";
    return run;
  }
  run.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
  run.out = process.readAllStandardOutput();
  run.err = process.readAllStandardError();
  return run;
}

/// "cluster cloud.csv --eps 1" as a list; no argument has a blank in it.
inline QStringList words(const char* text) {
  return QString::fromUtf8(text).split(' ', Qt::SkipEmptyParts);
}

/// Fixture of tests that run the program in a folder of their own.
class CliFolder {
 protected:
  QString path(const QString& name) const { return folder_.filePath(name); }
  CliRun run(const QStringList& arguments) const { return runCli(arguments, folder_.path()); }
  /// No argument has a blank in it.
  CliRun run(const char* call) const { return run(words(call)); }
  CliRun run(const QString& call) const { return run(call.toUtf8().constData()); }

  QTemporaryDir folder_;
};
