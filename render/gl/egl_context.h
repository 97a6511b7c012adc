#pragma once

#include <memory>

#include "engine/core/result.h"

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

}  // namespace clusterloom
