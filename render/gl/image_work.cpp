#include "render/gl/image_work.h"

#include <algorithm>
#include <array>

namespace clusterloom {

Image withoutGround(const Image& onBlack, const Image& onWhite) {
  Image image = onBlack;
  for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    // black = colour · alpha, white = colour · alpha + 255 · (1 − alpha). The channel that differs
    // least gives the alpha: rounding must not take colour away.
    int through = 255;
    for (std::size_t c = 0; c < 3; ++c)
      through = std::min(through, std::clamp(onWhite.rgba[i + c] - onBlack.rgba[i + c], 0, 255));
    const int alpha = 255 - through;
    for (std::size_t c = 0; c < 3; ++c) {
      const int colour = alpha == 0 ? 0 : (onBlack.rgba[i + c] * 255 + alpha / 2) / alpha;
      image.rgba[i + c] = std::uint8_t(std::min(colour, 255));
    }
    image.rgba[i + 3] = std::uint8_t(alpha);
  }
  return image;
}

Image reduced(const Image& large, int factor) {
  if (factor <= 1) return large;
  Image image;
  image.width = large.width / factor;
  image.height = large.height / factor;
  image.rgba.resize(4 * std::size_t(image.width) * std::size_t(image.height));
  const auto area = unsigned(factor * factor);
  std::uint8_t* out = image.rgba.data();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x, out += 4) {
      std::array<unsigned, 3> sum{};
      unsigned alpha = 0;
      for (int dy = 0; dy < factor; ++dy) {
        const std::uint8_t* pixel = large.pixel(factor * x, factor * y + dy);
        for (int dx = 0; dx < factor; ++dx, pixel += 4) {
          alpha += pixel[3];
          for (std::size_t c = 0; c < 3; ++c) sum[c] += unsigned{pixel[c]} * pixel[3];
        }
      }
      if (alpha == 0) continue;
      for (std::size_t c = 0; c < 3; ++c) out[c] = std::uint8_t((sum[c] + alpha / 2) / alpha);
      out[3] = std::uint8_t((alpha + area / 2) / area);
    }
  }
  return image;
}

}  // namespace clusterloom
