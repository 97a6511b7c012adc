#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/paint/theme.h"

namespace clusterloom {

/// The colour of palette entry `index` ≥ 0 on a background of this kind. The first seven are the
/// colour-blind-safe hues of Okabe and Ito (2002), three of them shifted slightly to be readable on
/// either background; each of the others is as far as possible from all before it, and from the
/// greys of noise, as seen with normal vision, protanopia, deuteranopia and tritanopia. On a dark
/// background all have a contrast of at least 3 (WCAG 2.2, 1.4.11), so that from the eighth one on
/// they are others than on a light one. Hundreds are distinct (see kDistinctColours); beyond that
/// the palette repeats.
Colour clusterColour(std::int32_t index, Background background);

/// How many palette entries there are before clusterColour repeats.
inline constexpr std::int32_t kDistinctColours = 512;

/// Noise: a muted grey that recedes on a background of this kind.
Colour noiseColour(Background background);

/// Palette indices of the clusters of a preview such that clusters keep their colour while a
/// parameter is dragged (those of an exact result are their labels): pairs
/// (previous cluster, new cluster) are taken by falling number of points in common, ties by lower
/// previous then lower new label, and a new cluster takes the colour of the first free previous
/// cluster it meets. The others take the lowest indices that no cluster kept. O(n) and
/// deterministic.
/// `previousLabels` and `newLabels` are labels of the same points, in the same order (when their
/// lengths differ, as for another cloud, nothing is kept); `previousColours[c]` is the palette
/// index of previous cluster c. Returns one index per new cluster, no two alike.
std::vector<std::int32_t> assignColours(std::span<const std::int32_t> previousLabels,
                                        std::span<const std::int32_t> previousColours,
                                        std::span<const std::int32_t> newLabels,
                                        std::int32_t newClusters);

/// How many points a cluster of one result has in common with one of the next.
struct ClusterOverlap {
  std::uint64_t points = 0;
  std::int32_t before = 0;
  std::int32_t now = 0;
};

/// Palette indices of `newClusters` clusters that keep colours of the result before: pairs are
/// taken by falling number of points in common, ties by lower previous then lower new cluster, and
/// a new cluster takes the colour of the first free previous cluster it meets. The others take the
/// lowest indices that no cluster kept. A negative colour is kept by none. No two indices are
/// alike.
std::vector<std::int32_t> coloursByOverlap(std::vector<ClusterOverlap> overlaps,
                                           std::span<const std::int32_t> previousColours,
                                           std::int32_t newClusters);

}  // namespace clusterloom
