#include "render/gl/egl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glew.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkObjectFactory.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace clusterloom {
namespace {

std::string reason(const char* what) {
  char code[16];
  std::snprintf(code, sizeof code, "0x%04x", unsigned(eglGetError()));
  return std::string("no picture can be drawn without a display: ") + what + " (EGL error " + code +
         "). Install a driver with surfaceless EGL, such as Mesa's (libegl-mesa0)";
}

/// The EGL display of the process; it is never terminated, because other contexts may use it.
EGLDisplay surfacelessDisplay() {
  static EGLDisplay display = []() -> EGLDisplay {
    const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get == nullptr) return EGL_NO_DISPLAY;
    EGLDisplay found = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (found == EGL_NO_DISPLAY || !eglInitialize(found, nullptr, nullptr)) return EGL_NO_DISPLAY;
    return found;
  }();
  return display;
}

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

Result<std::unique_ptr<EglContext>> EglContext::make() {
  EGLDisplay display = surfacelessDisplay();
  if (display == EGL_NO_DISPLAY) return unavailable(reason("there is no surfaceless EGL platform"));
  if (!eglBindAPI(EGL_OPENGL_API)) return unavailable(reason("EGL has no desktop OpenGL"));
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                           EGL_NONE};
  EGLConfig config = nullptr;
  EGLint found = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0)
    return unavailable(reason("EGL has no fitting configuration"));
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            2,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT) return unavailable(reason("there is no OpenGL 3.2 context"));
  return std::unique_ptr<EglContext>(new EglContext(context));
}

EglContext::~EglContext() {
  if (isCurrent()) release();
  eglDestroyContext(surfacelessDisplay(), context_);
}

bool EglContext::makeCurrent() {
  eglBindAPI(EGL_OPENGL_API);
  return eglMakeCurrent(surfacelessDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
}

bool EglContext::isCurrent() const {
  eglBindAPI(EGL_OPENGL_API);
  return eglGetCurrentContext() == context_;
}

void EglContext::release() {
  eglMakeCurrent(surfacelessDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

vtkSmartPointer<vtkGenericOpenGLRenderWindow> makeHostedWindow() {
  return vtkSmartPointer<HostedWindow>::New();
}

}  // namespace clusterloom
