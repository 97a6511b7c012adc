#pragma once

#include <QProcess>
#include <QTemporaryDir>

/// Fixture of tests that run the window program as a process.
class WindowProcess {
 protected:
  struct Ended {
    int status = -1;
    QString out;
    QString err;
  };
  Ended run(const QStringList& arguments) const {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // Settings, recent files and autosaves of the tests are separate.
    for (const char* home : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
      environment.insert(QString::fromLatin1(home), directory_.path());
    }
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(CLUSTERLOOM_WINDOW), arguments);
    if (!process.waitForFinished(240000)) {
      process.kill();
      process.waitForFinished(240000);
      return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }

  QTemporaryDir directory_;
};
