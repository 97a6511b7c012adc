#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/core/run_stats.h"

namespace clusterloom {

/// Neighbours of every point within ε, the point itself included.
struct NeighbourCounts {
  std::vector<std::uint32_t> counts;  ///< one per point
  std::uint64_t pairs = 0;            ///< ordered pairs, self included: the sum of counts
  std::uint64_t candidates = 0;       ///< what the full pattern examines
  RunStats stats;
};

/// An ordered pair of point ids within ε.
struct Pair {
  std::int32_t p;
  std::int32_t q;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// Every ordered pair within ε, self included, sorted by (p, q).
struct PairList {
  LargeArray<Pair> pairs;
  RunStats stats;
};

/// CSR neighbour table: neighbours of p are ids[offsets[p] … offsets[p + 1]), ascending, p
/// included.
struct NeighbourTable {
  std::vector<std::uint64_t> offsets;  ///< n + 1
  LargeArray<std::int32_t> ids;
  RunStats stats;
};

/// Ordered pairs by distance, self included: bin i holds those beyond upper[i − 1] and within
/// upper[i], so that the sum up to i is the number of pairs at ε = upper[i], exactly.
struct DistanceHistogram {
  std::vector<double> upper;         ///< equal steps; the last is ε
  std::vector<std::uint64_t> pairs;  ///< one per bin
  RunStats stats;
};

}  // namespace clusterloom
