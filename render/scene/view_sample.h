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
  double points = 0;           ///< estimated number of all points within it
  double shown = 1;  ///< estimated fraction of all points within it, never 0; 1 without points
};

/// Projects the first drawn points, at most `most`: the drawn order is shuffled. Points of layer
/// Hidden are left out; empty `colours` hide nothing.
ViewSample sampleView(const DisplayPoints& points, std::span<const std::uint8_t> colours,
                      const ViewTransform& view, std::size_t most);

/// How many dots of this diameter (pixels) lie over each other where the points are: the median
/// over the points, estimated. 1 where they lie apart.
double overlapOf(const ViewSample& sample, int width, double diameter);

/// The opacity at which the density of dots that lie over each other is seen: where as many do as
/// `overlap` says, the ground hardly shines through, and it does where fewer do. 1 for no overlap,
/// and never so faint that a dot alone is lost.
double opacityFor(double overlap);

}  // namespace clusterloom
