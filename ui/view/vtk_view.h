#pragma once

#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <QHash>
#include <QImage>
#include <QWidget>
#include <memory>

class vtkCallbackCommand;
class vtkGenericOpenGLRenderWindow;
class vtkGenericRenderWindowInteractor;
class vtkObject;
class vtkRenderWindow;
class vtkRenderWindowInteractor;
class vtkRenderer;

namespace clusterloom {

class EglContext;
class GlCanvas;

/// The widget that connects Qt and VTK: it shows renderers, passes Qt's events to VTK's interactor
/// and draws on request. The pixels come from a QOpenGLWidget, or from a surfaceless context whose
/// frames are read back: on platforms where Qt has no such widgets (offscreen), and where OpenGL is
/// software, unless the environment has CLUSTERLOOM_SURFACE=widget. Tests drive both in the same
/// way. Everything happens on the UI thread.
class VtkView : public QWidget {
  Q_OBJECT

 public:
  enum class Surface { Automatic, OpenGlWidget, Surfaceless };

  explicit VtkView(QWidget* parent = nullptr, Surface surface = Surface::Automatic);
  ~VtkView() override;

  /// Sets the surface format and the attributes that must be set before the QApplication is made.
  static void prepareApplication();

  void addRenderer(vtkRenderer* renderer);
  vtkRenderWindow* renderWindow() const;
  vtkRenderWindowInteractor* interactor() const;

  /// False where neither way of drawing works here; the view then shows a sentence that says so.
  bool canDraw() const;
  /// Draws soon; several requests make one frame.
  void requestFrame();
  /// Frames drawn so far and the time of the last one.
  quint64 frames() const { return frames_; }
  double lastFrameMilliseconds() const { return lastFrameMilliseconds_; }
  /// Draws now and returns the picture, in device pixels.
  QImage grabFrame();

  /// A position of this widget in VTK's display coordinates (device pixels, y upwards).
  QPoint toDisplay(const QPointF& position) const;

 Q_SIGNALS:
  void frameDrawn();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void timerEvent(QTimerEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

  /// Called with the context current just before each frame.
  virtual void aboutToDraw() {}
  /// Frees everything on the GPU. Destructors of derived classes call it before they take their
  /// scenes away.
  void releaseGl();

 private:
  friend class GlCanvas;
  static void onVtkEvent(vtkObject* caller, unsigned long event, void* self, void* data);
  bool makeCurrent();
  bool isCurrent() const;
  void initialiseGl();
  void syncSize();
  void drawOnCanvas();
  void drawSurfaceless();
  void noteFrame(double milliseconds);
  void tellPosition(const QPointF& position, Qt::KeyboardModifiers modifiers, int repeat);

  vtkSmartPointer<vtkGenericOpenGLRenderWindow> window_;
  vtkNew<vtkGenericRenderWindowInteractor> interactor_;
  vtkNew<vtkCallbackCommand> callback_;
  GlCanvas* canvas_ = nullptr;
  QWidget* focusFrame_;  ///< on the picture while the keyboard has brought the focus here
  std::unique_ptr<EglContext> surfaceless_;
  QImage image_;  ///< the last frame of the surfaceless path
  QHash<int, int> timers_;
  bool drawing_ = false;
  bool stale_ = true;
  quint64 frames_ = 0;
  double lastFrameMilliseconds_ = 0;
  double wheelRest_ = 0;
};

}  // namespace clusterloom
