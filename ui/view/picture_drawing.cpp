#include "ui/view/picture_drawing.h"

#include <vtkRenderWindow.h>
#include <QOpenGLContext>
#include <utility>

#include "engine/io/image_size.h"
#include "render/gl/image_work.h"
#include "render/scene/cloud_scene.h"

namespace clusterloom {

namespace {

constexpr Colour kBlack{0, 0, 0};
constexpr Colour kWhite{255, 255, 255};
/// Larger pictures are smooth enough without oversampling.
constexpr double kOversampledPixels = 1e7;

/// Qt does not notice when another context becomes current: it must give up its own before.
void leaveQtContext() {
  if (QOpenGLContext* context = QOpenGLContext::currentContext()) context->doneCurrent();
}

QImage toQImage(const Image& image) {
  return QImage(image.rgba.data(), image.width, image.height, 4 * image.width,
                QImage::Format_RGBA8888)
      .copy();
}

}  // namespace

void PictureDrawing::start(QObject* parent, const PictureSize& size,
                           const std::function<void(CloudScene&)>& setUp,
                           std::function<void(Result<Make>)> done) {
  auto* drawing = new PictureDrawing(parent, size, std::move(done));
  if (auto prepared = drawing->prepare(setUp); !prepared) {
    drawing->done_(tl::unexpected(prepared.error()));
    drawing->deleteLater();
  }
}

PictureDrawing::PictureDrawing(QObject* parent, const PictureSize& size,
                               std::function<void(Result<Make>)> done)
    : QObject(parent), size_(size), done_(std::move(done)) {
  timer_.setInterval(0);
  connect(&timer_, &QTimer::timeout, this, &PictureDrawing::step);
}

PictureDrawing::~PictureDrawing() {
  if (!window_) return;
  leaveQtContext();
  scene_->detach();
  scene_.reset();
  window_.reset();
}

Result<void> PictureDrawing::prepare(const std::function<void(CloudScene&)>& setUp) {
  const double pixels = double(size_.pixels.width()) * size_.pixels.height();
  if (pixels > kMostPicturePixels)
    return badCall("a picture may have 100 million pixels; choose fewer");
  if (pixels <= kOversampledPixels) factor_ = 2;
  leaveQtContext();
  auto window =
      OffscreenWindow::make(size_.pixels.width() * factor_, size_.pixels.height() * factor_);
  if (!window) return tl::unexpected(window.error());
  window_ = std::move(*window);
  scene_ = std::make_unique<CloudScene>();
  scene_->attach(window_->window());
  scene_->setPixelRatio(size_.ratio * factor_);
  setUp(*scene_);
  if (size_.transparent) scene_->setGround(kBlack);
  window_->release();
  timer_.start();
  return {};
}

void PictureDrawing::step() {
  leaveQtContext();
  window_->render();
  if (scene_->moreToDraw()) return window_->release();
  auto image = std::make_shared<Image>(window_->pixels());
  if (size_.transparent && !onBlack_) {
    onBlack_ = std::move(image);
    scene_->setGround(kWhite);
    return window_->release();
  }
  window_->release();
  timer_.stop();
  done_([image, onBlack = onBlack_, factor = factor_] {
    return toQImage(reduced(onBlack ? withoutGround(*onBlack, *image) : *image, factor));
  });
  deleteLater();
}

}  // namespace clusterloom
