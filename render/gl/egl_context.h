#pragma once

#include <vtkSmartPointer.h>

#include <memory>

#include "engine/core/result.h"

class vtkGenericOpenGLRenderWindow;

namespace clusterloom {

/// A surfaceless EGL context with core OpenGL 3.2: drawing without a display.
class EglContext {
 public:
  /// Unavailable, with the reason, where the driver has none.
  static Result<std::unique_ptr<EglContext>> make();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  bool makeCurrent();
  bool isCurrent() const;
  void release();

 private:
  explicit EglContext(void* context) : context_(context) {}
  void* context_;
};

/// A render window for a GL context with another owner (a Qt widget, an EglContext). It is a
/// vtkGenericOpenGLRenderWindow that accepts contexts whose GLEW was built for GLX, silently.
vtkSmartPointer<vtkGenericOpenGLRenderWindow> makeHostedWindow();

}  // namespace clusterloom
