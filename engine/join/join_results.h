#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/core/run_stats.h"

namespace clusterloom {

// In a self-join p and q are points of the cloud, and every point is its own neighbour. In a join
// A ⋈ B of two clouds p is a point of A and q one of B (engine/join/join_input.h).

/// Neighbours of every point p within ε.
struct NeighbourCounts {
  std::vector<std::uint32_t> counts;  ///< one per point p
  std::uint64_t pairs = 0;            ///< ordered pairs: the sum of counts
  std::uint64_t candidates = 0;       ///< what the full pattern examines
  RunStats stats;
};

/// An ordered pair of point ids within ε.
struct Pair {
  std::int32_t p;
  std::int32_t q;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// Every ordered pair within ε, sorted by (p, q).
struct PairList {
  LargeArray<Pair> pairs;
  std::uint64_t candidates = 0;  ///< as NeighbourCounts::candidates
  RunStats stats;
};

/// CSR neighbour table: neighbours of p are ids[offsets[p] … offsets[p + 1]), ascending.
struct NeighbourTable {
  std::vector<std::uint64_t> offsets;  ///< one more than there are points p
  LargeArray<std::int32_t> ids;
  std::uint64_t candidates = 0;  ///< as NeighbourCounts::candidates
  RunStats stats;
};

/// Ordered pairs by distance: bin i holds those beyond upper[i − 1] and within
/// upper[i], so that the sum up to i is the number of pairs at ε = upper[i], exactly.
struct DistanceHistogram {
  std::vector<double> upper;         ///< equal steps; the last is ε
  std::vector<std::uint64_t> pairs;  ///< one per bin
  RunStats stats;
};

/// The lowest label among the labelled points q within ε of every point p; kNoise where there is
/// none.
struct LowestLabels {
  std::vector<std::int32_t> labels;  ///< one per point p
  RunStats stats;
};

}  // namespace clusterloom
