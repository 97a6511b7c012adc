#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/core/large_array.h"
#include "engine/core/rank_stats.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

/// A rank's share of a self-join in a ring [Gowanlock 2019, §6.3]. `part` is a uniform selection:
/// of g ranks, rank r holds the points r, r + g, … of the cloud, none where there are fewer points.
/// All ranks name the same cloud, ε and strategy, and each its own backend.
struct RingInput {
  const PointCloud& part;
  std::uint64_t points = 0;  ///< of the whole cloud, at least 1
  const Backend& backend;
  double eps = 0;
  Strategy strategy;
};

/// Neighbours of this rank's points in the whole cloud.
struct RingCounts {
  std::vector<std::uint64_t> counts;  ///< one for each of its points
  std::uint64_t pairs = 0;            ///< of all ranks: ordered, each point with itself included
  std::uint64_t candidates = 0;       ///< of all ranks, for the full pattern
  RunStats stats;                     ///< this rank's; `ranks` of all
};

/// Neighbours of this rank's points, as points of the whole cloud.
struct RingTable {
  std::vector<std::uint64_t> offsets;  ///< row i: ids[offsets[i] … offsets[i + 1])
  LargeArray<std::int64_t> ids;        ///< ascending in each row
  std::uint64_t pairs = 0;             ///< as RingCounts
  std::uint64_t candidates = 0;
  RunStats stats;
};

// In g rounds each rank joins its points with every part of the cloud, as a join of two clouds by
// its backend. The parts go round: while one is joined, the next one arrives. Rank 0 decides what
// the strategy leaves open (k, REORDER, …) for all ranks and rounds.
//
// Collective: all ranks call the same function. A rank that fails ends it on all ranks; the error
// names the rank.

/// Seconds of the ring's communication without its joins [Gowanlock 2019, §6.3, equation 2]: every
/// part goes round once, and all ranks wait for each other after each round. The same on all ranks.
Result<double> ringSeconds(Communicator& communicator, const PointCloud& part, std::uint64_t points,
                           const Task& task);

/// Adds the counts of a round: sums[i] += counts[i], with equal sizes. Parallel.
void addCounts(std::span<std::uint64_t> sums, std::span<const std::uint32_t> counts);
Result<RingCounts> ringCounts(Communicator& communicator, const RingInput& input, const Task& task);
/// TooLarge where the rows of a rank do not fit into its memory.
Result<RingTable> ringTable(Communicator& communicator, const RingInput& input, const Task& task);
/// The histogram of the whole cloud, on all ranks.
Result<DistanceHistogram> ringHistogram(Communicator& communicator, const RingInput& input,
                                        int bins, const Task& task);

}  // namespace clusterloom
