#pragma once

#include <QImage>
#include <QObject>
#include <QSize>
#include <QTimer>
#include <functional>
#include <memory>

#include "engine/core/result.h"

namespace clusterloom {

class CloudScene;
class OffscreenWindow;
struct Image;

/// A picture of a scene that is not the one on the screen.
struct PictureSize {
  QSize pixels;              ///< of the file
  double ratio = 1;          ///< its pixels per logical pixel: scales points, text and lines
  bool transparent = false;  ///< without the background
};

/// Draws a scene into a picture of any size, slice by slice between the events of the window, which
/// stays usable meanwhile. It deletes itself when it is done.
class PictureDrawing : public QObject {
  Q_OBJECT

 public:
  /// `setUp` gives the scene its content. `done` gets a function that makes the picture from the
  /// pixels: long for large ones, so call it on a worker. Unavailable where nothing can be drawn
  /// without a display; BadCall for sizes beyond those of engine/io/image_size.h.
  using Make = std::function<QImage()>;
  static void start(QObject* parent, const PictureSize& size,
                    const std::function<void(CloudScene&)>& setUp,
                    std::function<void(Result<Make>)> done);
  ~PictureDrawing() override;

 private:
  PictureDrawing(QObject* parent, const PictureSize& size, std::function<void(Result<Make>)> done);
  Result<void> prepare(const std::function<void(CloudScene&)>& setUp);
  void step();

  PictureSize size_;
  std::function<void(Result<Make>)> done_;
  int factor_ = 1;  ///< rendered pixels per pixel of the file and side
  std::unique_ptr<OffscreenWindow> window_;
  std::unique_ptr<CloudScene> scene_;
  std::shared_ptr<Image> onBlack_;  ///< of a transparent picture, once it is drawn
  QTimer timer_;
};

}  // namespace clusterloom
