#include "ui/session/small_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace clusterloom {

namespace {

struct SmallFileTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::SmallFile)
};

tl::unexpected<Error> refuse(ErrorKind kind, const QString& path, const QString& why) {
  return fail(kind,
              QStringLiteral("%1: %2").arg(QDir::toNativeSeparators(path), why).toStdString());
}

}  // namespace

Result<QByteArray> readSmallFile(const QString& path) {
  // Before it is opened: opening a FIFO waits for a writer.
  const QFileInfo info(path);
  if (info.exists() && !info.isFile())
    return refuse(ErrorKind::BadInput, path,
                  SmallFileTexts::tr("is not a regular file. Choose a session or lesson file."));
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return refuse(ErrorKind::Io, path, file.errorString());
  const QByteArray bytes = file.read(kMostSmallFile + 1);
  if (file.error() != QFileDevice::NoError) return refuse(ErrorKind::Io, path, file.errorString());
  if (bytes.size() > kMostSmallFile)
    return refuse(
        ErrorKind::BadInput, path,
        SmallFileTexts::tr("is larger than 64 MiB, so it is not a session or lesson file."));
  return bytes;
}

}  // namespace clusterloom
