#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/output_set.h"

class vtkRenderWindow;

namespace clusterloom {

/// A picture: 4 bytes per pixel (R, G, B, alpha; 255 unless said otherwise), top row first.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;

  const std::uint8_t* pixel(int x, int y) const {
    return rgba.data() + 4 * (std::size_t(y) * std::size_t(width) + std::size_t(x));
  }
};

/// Pixels of the longest side of a picture.
inline constexpr int kLargestPicture = 16384;

/// A window without a display, in a surfaceless EGL context of its own. Scenes and charts attach to
/// it like to any other; `image` renders and reads the pixels back. Must be used by one thread.
class OffscreenWindow {
 public:
  /// Unavailable, with the reason, where EGL has no surfaceless platform; BadCall for sizes that
  /// are not 1 to 16384 pixels.
  static Result<std::unique_ptr<OffscreenWindow>> make(int width, int height);
  ~OffscreenWindow();

  vtkRenderWindow* window() const;
  void resize(int width, int height);
  /// Renders one frame.
  Image image();
  /// The two halves of `image`: a frame without its pixels, and the pixels of the last frame.
  void render();
  Image pixels();
  /// Makes no context current, for threads in which others draw, too.
  void release();

 private:
  struct Impl;
  explicit OffscreenWindow(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The bytes of a PNG, with an alpha channel where a pixel is not opaque. BadCall for an empty
/// picture; Io where it cannot be encoded.
Result<std::string> pngOf(const Image& image);

/// Writes it atomically (engine/io/output_set.h): the old file stays when anything fails. Io.
Result<void> writePng(const OutputTarget& target, const Image& image);

/// The picture whose copies on a black and on a white ground these are: where they differ the
/// ground shows through. Both of one size; channels are not premultiplied.
Image withoutGround(const Image& onBlack, const Image& onWhite);

/// Averages blocks of factor × factor pixels, weighted by their opacity. What is left over at the
/// right and at the bottom is cut off.
Image reduced(const Image& large, int factor);

}  // namespace clusterloom
