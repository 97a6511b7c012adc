#include <vtkCallbackCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>
#include <QPainter>
#include <QSurfaceFormat>
#include <QTimerEvent>
#include <QWheelEvent>
#include <algorithm>

#include "render/gl/egl_context.h"
#include "ui/theme/theme.h"
#include "ui/view/vtk_view.h"

namespace clusterloom {

/// The inner widget that owns Qt's context. It is transparent for the mouse: the outer widget gets
/// the events, so that both ways of drawing see the same ones.
class GlCanvas : public QOpenGLWidget {
 public:
  explicit GlCanvas(VtkView* view) : QOpenGLWidget(view), view_(view) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setUpdateBehavior(QOpenGLWidget::NoPartialUpdate);
  }

 protected:
  // Qt calls this again when a floating dock gives the widget a new context.
  void initializeGL() override {
    connect(
        context(), &QOpenGLContext::aboutToBeDestroyed, view_,
        [view = view_] { view->releaseGl(); }, Qt::DirectConnection);
    view_->initialiseGl();
  }
  void resizeGL(int, int) override { view_->syncSize(); }
  void paintGL() override { view_->drawOnCanvas(); }

 private:
  VtkView* view_;
};

namespace {

/// A frame over the whole view, which has no border that could show the focus.
class FocusFrame : public QWidget {
 public:
  explicit FocusFrame(QWidget* view) : QWidget(view) {
    setObjectName(QStringLiteral("focusFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    constexpr double kWidth = 2;
    const double half = kWidth / 2;
    QPainter painter(this);
    painter.setPen(
        QPen(themeColours(palette()).accent, kWidth, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(QRectF(rect()).adjusted(half, half, -half, -half));
  }
};

bool platformHasOpenGlWidgets() {
  // QOpenGLWidget cannot be queried: offscreen it exists and never becomes valid.
  const QString platform = QGuiApplication::platformName();
  return platform == QLatin1String("xcb") || platform.startsWith(QLatin1String("wayland")) ||
         platform == QLatin1String("cocoa") || platform == QLatin1String("windows") ||
         platform == QLatin1String("eglfs");
}

/// Whether OpenGL is drawn by the processor. The application's context (AA_ShareOpenGLContexts)
/// says so, once for all views.
bool drawsInSoftware() {
  static const bool software = [] {
    QOpenGLContext* const context = QOpenGLContext::globalShareContext();
    QOffscreenSurface surface;
    if (context == nullptr) return false;
    surface.setFormat(context->format());
    surface.create();
    if (!context->makeCurrent(&surface)) return false;
    const auto* name =
        reinterpret_cast<const char*>(context->functions()->glGetString(GL_RENDERER));
    const QByteArray renderer(name);
    context->doneCurrent();
    return renderer.contains("llvmpipe") || renderer.contains("softpipe") ||
           renderer.contains("Software Rasterizer");
  }();
  return software;
}

/// Whether there are contexts without a surface here; tried once for all views.
bool hasSurfaceless() {
  static const bool has = [] {
    const auto context = EglContext::make();
    if (!context) qWarning("%s", context.error().message.c_str());
    return context.has_value();
  }();
  return has;
}

/// With OpenGL widgets in it, Qt composes the whole window by OpenGL whenever anything in it
/// changes. In software that takes longer than to read a frame back.
VtkView::Surface bestSurface() {
  if (!platformHasOpenGlWidgets()) return VtkView::Surface::Surfaceless;
  const bool widgets = qEnvironmentVariable("CLUSTERLOOM_SURFACE") == QLatin1String("widget");
  if (widgets || !drawsInSoftware() || !hasSurfaceless()) return VtkView::Surface::OpenGlWidget;
  return VtkView::Surface::Surfaceless;
}

}  // namespace

void VtkView::prepareApplication() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setRedBufferSize(8);
  format.setGreenBufferSize(8);
  format.setBlueBufferSize(8);
  format.setAlphaBufferSize(8);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  format.setSamples(0);
  format.setSwapInterval(0);
  QSurfaceFormat::setDefaultFormat(format);
  // Without sharing, floating a dock would discard VTK's buffers.
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

VtkView::VtkView(QWidget* parent, Surface surface) : QWidget(parent), window_(makeHostedWindow()) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  window_->SetMultiSamples(0);
  window_->SetOwnContext(0);
  window_->SetReadyForRendering(false);
  interactor_->SetRenderWindow(window_);
  interactor_->SetEnableRender(false);  // Render() only raises RenderEvent, which asks for a frame
  callback_->SetClientData(this);
  callback_->SetCallback(&VtkView::onVtkEvent);
  for (const unsigned long event :
       {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent,
        vtkCommand::WindowSupportsOpenGLEvent, vtkCommand::WindowIsDirectEvent}) {
    window_->AddObserver(event, callback_);
  }
  for (const unsigned long event :
       {vtkCommand::RenderEvent, vtkCommand::CreateTimerEvent, vtkCommand::DestroyTimerEvent}) {
    interactor_->AddObserver(event, callback_);
  }
  interactor_->Initialize();

  if (surface == Surface::Automatic) surface = bestSurface();
  if (surface == Surface::OpenGlWidget) {
    window_->SetFrameBlitModeToBlitToCurrent();
    canvas_ = new GlCanvas(this);
  } else {
    window_->SetFrameBlitModeToNoBlit();
  }
  focusFrame_ = new FocusFrame(this);
}

VtkView::~VtkView() {
  // Before QOpenGLWidget's destructor: its context emits a signal after our members are destroyed.
  releaseGl();
  window_->RemoveObserver(callback_);
  interactor_->RemoveObserver(callback_);
  interactor_->SetRenderWindow(nullptr);  // they reference each other
  window_->SetInteractor(nullptr);
  delete canvas_;
}

void VtkView::addRenderer(vtkRenderer* renderer) { window_->AddRenderer(renderer); }

vtkRenderWindow* VtkView::renderWindow() const { return window_; }

vtkRenderWindowInteractor* VtkView::interactor() const { return interactor_; }

bool VtkView::canDraw() const {
  if (canvas_ != nullptr) return canvas_->isValid() || !canvas_->isVisible();
  return hasSurfaceless();
}

void VtkView::requestFrame() {
  stale_ = true;
  if (canvas_ != nullptr) {
    canvas_->update();
  } else {
    update();
  }
}

QImage VtkView::grabFrame() {
  if (canvas_ != nullptr) return canvas_->grabFramebuffer();
  drawSurfaceless();
  return image_;
}

QPoint VtkView::toDisplay(const QPointF& position) const {
  const qreal ratio = devicePixelRatioF();
  return QPoint(qRound(position.x() * ratio), qRound((height() - position.y()) * ratio) - 1);
}

bool VtkView::isCurrent() const {
  if (canvas_ != nullptr) {
    return canvas_->context() != nullptr && QOpenGLContext::currentContext() == canvas_->context();
  }
  return surfaceless_ && surfaceless_->isCurrent();
}

bool VtkView::makeCurrent() {
  if (isCurrent()) return true;
  if (canvas_ == nullptr) return surfaceless_ && surfaceless_->makeCurrent();
  QOpenGLContext* context = canvas_->context();
  if (context == nullptr) return false;
  // Not QOpenGLWidget::makeCurrent: that binds Qt's frame buffer, in the middle of VTK's work.
  if (context->surface() != nullptr && context->makeCurrent(context->surface())) return true;
  canvas_->makeCurrent();
  return isCurrent();
}

void VtkView::initialiseGl() {
  window_->SetForceMaximumHardwareLineWidth(1);
  window_->SetReadyForRendering(true);
  window_->SetMapped(1);
  window_->OpenGLInitContext();
  window_->OpenGLInit();
}

void VtkView::releaseGl() {
  if (!window_->GetReadyForRendering()) return;
  if (canvas_ != nullptr && canvas_->context() != nullptr) {
    disconnect(canvas_->context(), nullptr, this, nullptr);
  }
  makeCurrent();
  window_->Finalize();
  window_->SetReadyForRendering(false);
  if (canvas_ != nullptr) canvas_->doneCurrent();
}

void VtkView::syncSize() {
  const qreal ratio = devicePixelRatioF();
  const int width = std::max(1, qRound(this->width() * ratio));
  const int height = std::max(1, qRound(this->height() * ratio));
  const int* current = window_->GetSize();
  window_->SetDPI(qRound(72 * ratio));
  if (current[0] == width && current[1] == height) return;
  window_->SetSize(width, height);
  interactor_->UpdateSize(width, height);
  interactor_->InvokeEvent(vtkCommand::ConfigureEvent);
}

void VtkView::noteFrame(double milliseconds) {
  lastFrameMilliseconds_ = milliseconds;
  ++frames_;
  stale_ = false;
  Q_EMIT frameDrawn();
}

void VtkView::drawOnCanvas() {
  if (!window_->GetReadyForRendering()) return;
  QElapsedTimer clock;
  clock.start();
  drawing_ = true;
  syncSize();
  QOpenGLFunctions* gl = canvas_->context()->functions();
  vtkOpenGLState* state = window_->GetState();
  state->Reset();  // VTK caches the state of GL, which Qt has changed
  state->Push();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, canvas_->defaultFramebufferObject());
  aboutToDraw();
  window_->Render();
  state->Pop();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, canvas_->defaultFramebufferObject());
  // VTK leaves the background's alpha at 0, and Qt would show the window through the scene.
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  gl->glClearColor(0, 0, 0, 1);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  drawing_ = false;
  noteFrame(double(clock.nsecsElapsed()) * 1e-6);
}

void VtkView::drawSurfaceless() {
  // Not before the first frame: most charts of a window are never looked at.
  if (!surfaceless_ && hasSurfaceless()) {
    if (auto context = EglContext::make()) surfaceless_ = std::move(*context);
    if (makeCurrent()) initialiseGl();
  }
  if (!makeCurrent()) return;
  QElapsedTimer clock;
  clock.start();
  drawing_ = true;
  syncSize();
  aboutToDraw();
  window_->Render();
  const int* size = window_->GetSize();
  QImage upsideDown(size[0], size[1], QImage::Format_RGBX8888);
  vtkNew<vtkUnsignedCharArray> pixels;
  pixels->SetArray(upsideDown.bits(), vtkIdType(upsideDown.sizeInBytes()), 1);
  window_->GetRGBACharPixelData(0, 0, size[0] - 1, size[1] - 1, 0, pixels);
  // VTK leaves the background's alpha at 0; this format has none.
  image_ = std::move(upsideDown).mirrored(false, true).convertToFormat(QImage::Format_RGB32);
  image_.setDevicePixelRatio(devicePixelRatioF());
  drawing_ = false;
  noteFrame(double(clock.nsecsElapsed()) * 1e-6);
}

void VtkView::paintEvent(QPaintEvent*) {
  if (canvas_ != nullptr) return;
  if (!hasSurfaceless()) {
    QPainter(this).drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                            tr("This view needs OpenGL 3.2, which is not available here."));
    return;
  }
  if (stale_) drawSurfaceless();
  QPainter(this).drawImage(0, 0, image_);
}

void VtkView::resizeEvent(QResizeEvent*) {
  if (canvas_ != nullptr) canvas_->setGeometry(rect());
  focusFrame_->setGeometry(rect());
  syncSize();
  stale_ = true;
}

// As in a browser, the frame shows which view takes the keys only after the keyboard moved the
// focus: a click needs no such mark.
void VtkView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  const Qt::FocusReason reason = event->reason();
  if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
      reason == Qt::ShortcutFocusReason) {
    focusFrame_->show();
    focusFrame_->raise();
  } else if (reason == Qt::MouseFocusReason) {
    focusFrame_->hide();
  }
}

void VtkView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  const Qt::FocusReason reason = event->reason();
  if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) focusFrame_->hide();
}

void VtkView::onVtkEvent(vtkObject*, unsigned long event, void* self, void* data) {
  auto* view = static_cast<VtkView*>(self);
  switch (event) {
    case vtkCommand::WindowMakeCurrentEvent: view->makeCurrent(); break;
    case vtkCommand::WindowIsCurrentEvent: *static_cast<bool*>(data) = view->isCurrent(); break;
    case vtkCommand::WindowSupportsOpenGLEvent:
    case vtkCommand::WindowIsDirectEvent: *static_cast<int*>(data) = 1; break;
    case vtkCommand::RenderEvent:
      if (!view->drawing_) view->requestFrame();
      break;
    case vtkCommand::CreateTimerEvent: {
      const int id = *static_cast<int*>(data);
      view->timers_[id] = view->startTimer(int(view->interactor_->GetTimerDuration(id)));
      break;
    }
    case vtkCommand::DestroyTimerEvent: {
      const int id = *static_cast<int*>(data);
      if (view->timers_.contains(id)) view->killTimer(view->timers_.take(id));
      break;
    }
    default: break;
  }
}

void VtkView::timerEvent(QTimerEvent* event) {
  int id = timers_.key(event->timerId(), -1);
  if (id < 0) return QWidget::timerEvent(event);
  interactor_->InvokeEvent(vtkCommand::TimerEvent, &id);
  if (interactor_->IsOneShotTimer(id)) interactor_->DestroyTimer(id);
}

bool VtkView::event(QEvent* event) {
  if (event->type() == QEvent::Enter) interactor_->InvokeEvent(vtkCommand::EnterEvent);
  if (event->type() == QEvent::Leave) interactor_->InvokeEvent(vtkCommand::LeaveEvent);
  return QWidget::event(event);
}

void VtkView::tellPosition(const QPointF& position, Qt::KeyboardModifiers modifiers, int repeat) {
  const QPoint display = toDisplay(position);
  interactor_->SetEventInformation(display.x(), display.y(),
                                   modifiers.testFlag(Qt::ControlModifier),
                                   modifiers.testFlag(Qt::ShiftModifier), 0, repeat);
  interactor_->SetAltKey(modifiers.testFlag(Qt::AltModifier));
}

void VtkView::mouseMoveEvent(QMouseEvent* event) {
  tellPosition(event->position(), event->modifiers(), 0);
  interactor_->InvokeEvent(vtkCommand::MouseMoveEvent);
}

void VtkView::mousePressEvent(QMouseEvent* event) {
  tellPosition(event->position(), event->modifiers(), 0);
  if (event->button() == Qt::LeftButton) {
    interactor_->InvokeEvent(vtkCommand::LeftButtonPressEvent);
  } else if (event->button() == Qt::MiddleButton) {
    interactor_->InvokeEvent(vtkCommand::MiddleButtonPressEvent);
  } else if (event->button() == Qt::RightButton) {
    interactor_->InvokeEvent(vtkCommand::RightButtonPressEvent);
  }
}

void VtkView::mouseReleaseEvent(QMouseEvent* event) {
  tellPosition(event->position(), event->modifiers(), 0);
  if (event->button() == Qt::LeftButton) {
    interactor_->InvokeEvent(vtkCommand::LeftButtonReleaseEvent);
  } else if (event->button() == Qt::MiddleButton) {
    interactor_->InvokeEvent(vtkCommand::MiddleButtonReleaseEvent);
  } else if (event->button() == Qt::RightButton) {
    interactor_->InvokeEvent(vtkCommand::RightButtonReleaseEvent);
  }
}

void VtkView::mouseDoubleClickEvent(QMouseEvent* event) {
  mousePressEvent(event);
  if (event->button() == Qt::LeftButton)
    interactor_->InvokeEvent(vtkCommand::LeftButtonDoubleClickEvent);
}

void VtkView::wheelEvent(QWheelEvent* event) {
  // Touch pads send small steps: VTK gets whole notches.
  wheelRest_ += event->angleDelta().y() / 120.0;
  tellPosition(event->position(), event->modifiers(), 0);
  for (; wheelRest_ >= 1; wheelRest_ -= 1) {
    interactor_->InvokeEvent(vtkCommand::MouseWheelForwardEvent);
  }
  for (; wheelRest_ <= -1; wheelRest_ += 1) {
    interactor_->InvokeEvent(vtkCommand::MouseWheelBackwardEvent);
  }
  event->accept();
}

}  // namespace clusterloom
