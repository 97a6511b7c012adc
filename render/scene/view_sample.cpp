#include "render/scene/view_sample.h"

#include <algorithm>

#include "render/scene/axes_layout.h"
#include "render/scene/point_colours.h"

namespace clusterloom {

ViewSample sampleView(const DisplayPoints& points, std::span<const std::uint8_t> colours,
                      const ViewTransform& view, std::size_t most) {
  ViewSample sample;
  const std::size_t n = std::min(points.size(), most);
  if (n == 0 || view.width <= 0) return sample;
  for (std::size_t i = 0; i < n; ++i) {
    if (4 * i + 3 < colours.size() && colours[4 * i + 3] == std::uint8_t(DrawLayer::Hidden))
      continue;
    const float* xyz = points.xyz.data() + 3 * i;
    double x = 0;
    double y = 0;
    const bool visible = projectPlace(view, {double(xyz[0]), double(xyz[1]), double(xyz[2])}, x, y);
    if (!visible || x < 0 || y < 0 || x > view.width || y > view.height) continue;
    sample.pixels.push_back(x);
    sample.pixels.push_back(y);
  }
  const auto within = std::max<std::size_t>(sample.pixels.size() / 2, 1);
  sample.shown = double(within) / double(n);
  return sample;
}

}  // namespace clusterloom
