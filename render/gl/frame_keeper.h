#pragma once

namespace clusterloom {

/// Keeps a copy of the frame buffer that is being drawn into (colour and depth), so that the next
/// frame can continue from it. All calls need the GL context current and the frame buffer bound for
/// drawing.
class FrameKeeper {
 public:
  /// Keeps a copy of the bound frame buffer. False when the driver fails; nothing is kept then.
  bool keep(int width, int height);
  /// Copies the kept picture back. False when none of this size is kept.
  bool restore(int width, int height);
  bool holds(int width, int height) const;
  /// The kept depths as a texture, 0 without any; 1 is farthest.
  unsigned depthTexture() const { return kept_ ? depth_ : 0; }
  /// Frees the copy.
  void release();
  /// Forgets the copy without touching GL: its context is gone.
  void abandon();

 private:
  bool allocate(int width, int height, unsigned drawBuffer);

  unsigned frameBuffer_ = 0;
  unsigned colour_ = 0;
  unsigned depth_ = 0;
  int width_ = 0;
  int height_ = 0;
  bool kept_ = false;
};

}  // namespace clusterloom
