#include "render/gl/frame_keeper.h"

#include <GL/glew.h>

#include <initializer_list>

namespace clusterloom {
namespace {

/// Restores bindings and the scissor test at the end of the scope: VTK caches them.
class Bindings {
 public:
  Bindings() {
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_);
    glGetIntegerv(GL_RENDERBUFFER_BINDING, &renderBuffer_);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture_);
    scissor_ = glIsEnabled(GL_SCISSOR_TEST);
    if (scissor_) glDisable(GL_SCISSOR_TEST);
    while (glGetError() != GL_NO_ERROR) {
    }
  }
  ~Bindings() {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
    glBindRenderbuffer(GL_RENDERBUFFER, static_cast<GLuint>(renderBuffer_));
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture_));
    if (scissor_) glEnable(GL_SCISSOR_TEST);
  }
  Bindings(const Bindings&) = delete;
  Bindings& operator=(const Bindings&) = delete;
  GLuint draw() const { return static_cast<GLuint>(draw_); }

 private:
  GLint draw_ = 0;
  GLint read_ = 0;
  GLint renderBuffer_ = 0;
  GLint texture_ = 0;
  GLboolean scissor_ = GL_FALSE;
};

GLint attachmentParameter(GLenum attachment, GLenum parameter) {
  GLint value = 0;
  glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, attachment, parameter, &value);
  return value;
}

/// The depth format of the bound frame buffer: a blit of depth needs the same one.
GLenum depthFormat(GLuint drawBuffer) {
  const GLenum depth = drawBuffer == 0 ? GL_DEPTH : GL_DEPTH_ATTACHMENT;
  const GLenum stencil = drawBuffer == 0 ? GL_STENCIL : GL_STENCIL_ATTACHMENT;
  const GLint bits = attachmentParameter(depth, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE);
  const bool real =
      attachmentParameter(depth, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) == GL_FLOAT;
  const bool stencilled =
      attachmentParameter(stencil, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) != GL_NONE &&
      attachmentParameter(stencil, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE) > 0;
  while (glGetError() != GL_NO_ERROR) {
  }
  if (real) return stencilled ? GL_DEPTH32F_STENCIL8 : GL_DEPTH_COMPONENT32F;
  if (stencilled) return GL_DEPTH24_STENCIL8;
  if (bits == 32) return GL_DEPTH_COMPONENT32;
  return bits == 16 ? GL_DEPTH_COMPONENT16 : GL_DEPTH_COMPONENT24;
}

/// Memory for depths of this format in the bound texture, to be read as they are.
void allocateDepths(GLenum format, int width, int height) {
  const bool stencilled = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
  const GLenum type = format == GL_DEPTH24_STENCIL8    ? GL_UNSIGNED_INT_24_8
                      : format == GL_DEPTH32F_STENCIL8 ? GL_FLOAT_32_UNSIGNED_INT_24_8_REV
                                                       : GL_FLOAT;
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0,
               stencilled ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT, type, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
}

bool blit(GLuint from, GLuint to, int width, int height) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                    GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  return glGetError() == GL_NO_ERROR;
}

}  // namespace

bool FrameKeeper::allocate(int width, int height, unsigned drawBuffer) {
  if (frameBuffer_ != 0 && width == width_ && height == height_) return true;
  const GLenum format = depthFormat(drawBuffer);
  release();
  glGenFramebuffers(1, &frameBuffer_);
  glGenRenderbuffers(1, &colour_);
  glGenTextures(1, &depth_);
  glBindRenderbuffer(GL_RENDERBUFFER, colour_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindTexture(GL_TEXTURE_2D, depth_);
  allocateDepths(format, width, height);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frameBuffer_);
  glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
  const bool stencilled = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER,
                         stencilled ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                         GL_TEXTURE_2D, depth_, 0);
  width_ = width;
  height_ = height;
  return glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool FrameKeeper::keep(int width, int height) {
  const Bindings bindings;
  kept_ = allocate(width, height, bindings.draw()) &&
          blit(bindings.draw(), frameBuffer_, width, height);
  return kept_;
}

bool FrameKeeper::restore(int width, int height) {
  if (!holds(width, height)) return false;
  const Bindings bindings;
  return blit(frameBuffer_, bindings.draw(), width, height);
}

bool FrameKeeper::holds(int width, int height) const {
  return kept_ && width == width_ && height == height_;
}

void FrameKeeper::release() {
  if (frameBuffer_ != 0) {
    glDeleteFramebuffers(1, &frameBuffer_);
    glDeleteRenderbuffers(1, &colour_);
    glDeleteTextures(1, &depth_);
  }
  abandon();
}

void FrameKeeper::abandon() {
  frameBuffer_ = colour_ = depth_ = 0;
  width_ = height_ = 0;
  kept_ = false;
}

}  // namespace clusterloom
