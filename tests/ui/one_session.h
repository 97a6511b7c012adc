#pragma once

#include <QDebug>
#include <QFile>
#include <QProcess>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "session_folder.h"
#include "ui/session/cluster_run.h"

/// Fixture of tests of one session without a window, whose labels copied calls give, too.
class OneSession : protected SessionFolder {
 protected:
  void settle() {
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilIdle(*session_));
  }
  const std::vector<std::int32_t>& labels() const {
    return session_->clusterRun().result()->clustering.labels;
  }
  /// The last `points` numbers of an .npy file; none where it has fewer.
  static std::vector<std::int32_t> readLabels(const QString& path, std::size_t points) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray bytes = file.readAll().right(qsizetype(points * 4));
    std::vector<std::int32_t> values(points);
    if (bytes.size() < qsizetype(points * 4)) return {};
    std::memcpy(values.data(), bytes.data(), points * 4);
    return values;
  }
#ifdef CLUSTERLOOM_CLI
  /// What a call of the command line writes; none where it fails.
  std::vector<std::int32_t> labelsOfCall(QString line) const {
    line.replace(QStringLiteral("clusterloom-cli"), QStringLiteral(CLUSTERLOOM_CLI));
    QProcess process;
    process.start("sh", {"-c", line + " --labels " + path("line.npy")});
    if (process.waitForFinished(240000) && process.exitCode() == 0)
      return readLabels(path("line.npy"), session_->data().cloud()->size());
    qWarning() << line << process.readAllStandardError();
    return {};
  }
#endif

  std::unique_ptr<clusterloom::Session> session_;
};
