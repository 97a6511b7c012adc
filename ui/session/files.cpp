#include "ui/session/files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cstring>

#include "engine/io/output_set.h"
#include "render/gl/offscreen.h"

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

bool isSameFile(const QString& one, const QString& other) {
  return isSameFile(one.toStdString(), other.toStdString());
}

bool isOneOf(const QString& path, const QStringList& files) {
  return std::ranges::any_of(files, [&](const QString& file) { return isSameFile(path, file); });
}

Result<void> writePicture(const QString& path, const std::function<QImage()>& make) {
  const QImage shot = make().convertToFormat(QImage::Format_RGBA8888);
  if (shot.isNull())
    return tooLarge(
        QCoreApplication::translate(
            "clusterloom", "The picture does not fit into the memory. Choose fewer pixels.")
            .toStdString());
  Image pixels;
  pixels.width = shot.width();
  pixels.height = shot.height();
  const std::size_t row = std::size_t(4) * std::size_t(pixels.width);
  pixels.rgba.resize(row * std::size_t(pixels.height));
  for (int y = 0; y < pixels.height; ++y)
    std::memcpy(pixels.rgba.data() + std::size_t(y) * row, shot.constScanLine(y), row);
  return writePng(path.toStdString(), pixels);
}

}  // namespace clusterloom
