#include <GL/glew.h>
// GLEW must come before any other GL header.
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkObjectFactory.h>

#include <algorithm>

#include "render/gl/hosted_window.h"

namespace clusterloom {
namespace {

class HostedWindow final : public vtkGenericOpenGLRenderWindow {
 public:
  static HostedWindow* New();
  vtkTypeMacro(HostedWindow, vtkGenericOpenGLRenderWindow);

  void OpenGLInitContext() override {
    // A GLEW built for GLX finds no GLX display under EGL and reports that after it has loaded
    // every entry point: a success here, not to be printed.
    constexpr GLenum kNoGlxDisplay = 4;
    if (!this->Initialized) {
      const GLenum outcome = glewInit();
      if (outcome == GLEW_OK || outcome == kNoGlxDisplay) this->GlewInitValid = true;
      if (outcome == kNoGlxDisplay) {
        this->ContextCreationTime.Modified();
        this->Initialized = true;
        return;
      }
    }
    this->Superclass::OpenGLInitContext();
  }

  // VTK queries the default framebuffer, which a context without a surface does not have. What is
  // drawn into has 8 bits per channel.
  int GetColorBufferSizes(int* rgba) override {
    std::fill_n(rgba, 4, 8);
    return 32;
  }

 private:
  HostedWindow() = default;
};

vtkStandardNewMacro(HostedWindow);

}  // namespace

vtkSmartPointer<vtkGenericOpenGLRenderWindow> makeHostedWindow() {
  return vtkSmartPointer<HostedWindow>::New();
}

}  // namespace clusterloom
