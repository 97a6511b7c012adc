#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clusterloom {

/// `wanted` of n ids, ascending; every such set is equally likely (Knuth, selection sampling). The
/// same for the same seed and stream on every machine.
std::vector<std::uint32_t> drawSample(std::size_t n, std::size_t wanted, std::uint64_t seed,
                                      std::uint64_t stream);

/// The overlap of a cluster with the clusters of a sample.
struct Overlap {
  std::uint32_t points = 0;  ///< of the cluster that are in the sample
  /// The largest |C ∩ D| / |C ∪ D| of these points, C, and a cluster D that was found in the
  /// sample; 0 where none of them is in one.
  double jaccard = 0;
};

/// The overlaps of clusters 0 … `clusters` − 1. `given` and `found` have two labels for each point
/// of the sample, below 0 for noise; those found are numbered from 0. A few passes over the points.
std::vector<Overlap> overlapsOf(std::span<const std::int32_t> given, std::size_t clusters,
                                std::span<const std::int32_t> found);

}  // namespace clusterloom
