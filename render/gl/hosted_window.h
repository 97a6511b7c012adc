#pragma once

#include <vtkSmartPointer.h>

class vtkGenericOpenGLRenderWindow;

namespace clusterloom {

/// A render window for a GL context with another owner (a Qt widget, an EglContext). It is a
/// vtkGenericOpenGLRenderWindow that accepts contexts whose GLEW was built for GLX, silently.
vtkSmartPointer<vtkGenericOpenGLRenderWindow> makeHostedWindow();

}  // namespace clusterloom
