#include "render/scene/view_sample.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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
  sample.points = double(sample.pixels.size() / 2) / double(n) * double(points.size());
  return sample;
}

double overlapOf(const ViewSample& sample, int width, double diameter) {
  const std::size_t n = sample.pixels.size() / 2;
  if (n == 0 || width <= 0) return 1;
  constexpr double kDotsPerBin = 3;  // a side of a bin
  const double side = kDotsPerBin * diameter;
  const auto columns = std::size_t(width / side) + 1;
  std::vector<std::size_t> bin(n);
  for (std::size_t i = 0; i < n; ++i)
    bin[i] = std::size_t(sample.pixels[2 * i + 1] / side) * columns +
             std::size_t(sample.pixels[2 * i] / side);
  std::vector<double> counts(*std::max_element(bin.begin(), bin.end()) + 1);
  for (const std::size_t b : bin) ++counts[b];
  std::vector<double> around(n);
  std::transform(bin.begin(), bin.end(), around.begin(), [&](std::size_t b) { return counts[b]; });
  const auto middle = around.begin() + std::ptrdiff_t(n / 2);
  std::nth_element(around.begin(), middle, around.end());
  const double area = std::numbers::pi / 4 / (kDotsPerBin * kDotsPerBin);  // of a dot, in bins
  return std::max(1.0, *middle * sample.points / double(n) * area);
}

double opacityFor(double overlap) {
  constexpr double kCovered = 0.7;  // of the ground, where the overlap is the median
  constexpr double kFaintest = 0.16;
  constexpr double kBlended = 4;  // overlap from which on the density decides alone
  const double blended = 1 - std::pow(1 - kCovered, 1 / std::max(overlap, 1.0));
  const double part = std::clamp((overlap - 1) / (kBlended - 1), 0.0, 1.0);
  return std::lerp(1.0, std::max(blended, kFaintest), part);
}

}  // namespace clusterloom
