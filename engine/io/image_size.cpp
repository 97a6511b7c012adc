#include "engine/io/image_size.h"

#include <charconv>
#include <string>

namespace clusterloom {

Result<ImageSize> parseImageSize(std::string_view text) {
  const char* const end = text.data() + text.size();
  ImageSize size;
  const auto [x, first] = std::from_chars(text.data(), end, size.width);
  const bool both = first == std::errc() && x != end && *x == 'x';
  const auto [rest, second] =
      both ? std::from_chars(x + 1, end, size.height) : std::from_chars_result{end, first};
  const auto inRange = [](int side) {
    return side >= kShortestPictureSide && side <= kLongestPictureSide;
  };
  if (both && second == std::errc() && rest == end && inRange(size.width) && inRange(size.height) &&
      1.0 * size.width * size.height <= kMostPicturePixels)
    return size;
  return badCall("'" + std::string(text) + "' is not of the form WxH with sides of " +
                 std::to_string(kShortestPictureSide) + " to " +
                 std::to_string(kLongestPictureSide) + " and at most " +
                 std::to_string(int(kMostPicturePixels / 1e6)) + " million pixels");
}

}  // namespace clusterloom
