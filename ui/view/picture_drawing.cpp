#include "ui/view/picture_drawing.h"

#include <vtkRenderWindow.h>
#include <QOpenGLContext>
#include <QPointer>
#include <utility>

#include "engine/io/image_size.h"
#include "render/gl/offscreen.h"
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

/// Keeps the window of the last picture for a moment. The frames of a series and
/// the steps of a lesson are pictures of one size; in a new window all shaders are compiled again.
class KeptWindow : public QObject {
 public:
  /// `parent` belongs to whoever draws pictures: the window goes with it at the latest.
  static void keep(QObject* parent, std::unique_ptr<OffscreenWindow> window) {
    delete last();
    const int* size = window->window()->GetSize();
    constexpr double kMostPixels = 2e7;  // of larger ones the memory is freed at once
    if (double(size[0]) * size[1] > kMostPixels) return window.reset();
    last() = new KeptWindow(parent, std::move(window));
  }
  /// A window of this size; makes one where none is kept. Errors as OffscreenWindow's.
  static Result<std::unique_ptr<OffscreenWindow>> take(int width, int height) {
    std::unique_ptr<OffscreenWindow> window;
    if (last()) window = std::move(last()->window_);
    delete last();
    leaveQtContext();
    if (window) {
      const int* size = window->window()->GetSize();
      if (size[0] == width && size[1] == height) return window;
      window.reset();  // before another one takes memory
    }
    return OffscreenWindow::make(width, height);
  }

 protected:
  void timerEvent(QTimerEvent*) override { deleteLater(); }

 private:
  KeptWindow(QObject* parent, std::unique_ptr<OffscreenWindow> window)
      : QObject(parent), window_(std::move(window)) {
    constexpr int kKeptMs = 3000;
    startTimer(kKeptMs);
  }
  ~KeptWindow() override {
    if (!window_) return;
    leaveQtContext();
    window_.reset();
  }
  static QPointer<KeptWindow>& last() {
    static QPointer<KeptWindow> kept;
    return kept;
  }

  std::unique_ptr<OffscreenWindow> window_;
};

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
  auto window = KeptWindow::take(size_.pixels.width() * factor_, size_.pixels.height() * factor_);
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
  timer_.stop();
  scene_->detach();
  scene_.reset();
  window_->release();
  KeptWindow::keep(parent(), std::move(window_));
  done_([image, onBlack = onBlack_, factor = factor_] {
    return toQImage(reduced(onBlack ? withoutGround(*onBlack, *image) : *image, factor));
  });
  deleteLater();
}

}  // namespace clusterloom
