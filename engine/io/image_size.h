#pragma once

#include <string_view>

#include "engine/core/result.h"

namespace clusterloom {

/// Limits of pictures in files.
inline constexpr int kShortestPictureSide = 16;
inline constexpr int kLongestPictureSide = 16384;
inline constexpr double kMostPicturePixels = 1e8;

/// Width and height of a picture in pixels.
struct ImageSize {
  int width = 0;
  int height = 0;
};

/// Reads "1600x1200". BadCall where the text has another form or is outside the limits above.
Result<ImageSize> parseImageSize(std::string_view text);

}  // namespace clusterloom
