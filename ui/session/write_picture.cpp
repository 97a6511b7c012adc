#include "ui/session/write_picture.h"

#include <QCoreApplication>
#include <cstring>

#include "render/gl/offscreen.h"

namespace clusterloom {

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
