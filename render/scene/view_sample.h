#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "render/scene/display_space.h"
#include "render/scene/picking.h"

namespace clusterloom {

/// Where a random sample of the points is in the picture.
struct ViewSample {
  std::vector<double> pixels;  ///< x, y, x, y, … of those within the picture
  double shown = 1;  ///< estimated fraction of all points within it, never 0; 1 without points
};

/// Projects the first drawn points, at most `most`: the drawn order is shuffled. Points of layer
/// Hidden are left out; empty `colours` hide nothing.
ViewSample sampleView(const DisplayPoints& points, std::span<const std::uint8_t> colours,
                      const ViewTransform& view, std::size_t most);

}  // namespace clusterloom
