#pragma once

#include <cstdint>
#include <vector>

#include "engine/hybrid/query_ends.h"

namespace clusterloom {

/// b_s of [Gallet 2020, §5.3], the pairs of a batch's buffer.
inline constexpr std::uint64_t kSharedBatchPairs = 50'000'000;

/// Neighbours of queries 0, step, 2·step, … of an order of non-increasing workload.
struct NeighbourSample {
  std::uint32_t step = 1;
  std::vector<std::uint32_t> counts;
};

/// One of this many queries is sampled: one of a hundred [Gallet 2020, §4.3], of fewer where the
/// sample would be too small.
std::uint32_t neighbourSampleStep(std::uint32_t queries);

/// The estimated neighbours of queries [0, queries) in all, for non-increasing workloads [Gallet
/// 2020, §4.3]: a sampled query has its own count, one between two samples the larger of the two,
/// one after the last sample the last. The sample is not empty.
std::uint64_t estimatedPairs(const NeighbourSample& sample, std::uint32_t queries);

/// Cuts queries [0, queries) into batches of at most `pairs` estimated pairs each, greedily from
/// the front, and at least `least` batches where there are as many queries [Gallet 2020, §4.3]. A
/// query with more pairs gets its own batch. Returns the first query of each batch, and `queries`.
std::vector<std::uint32_t> cutBatches(const NeighbourSample& sample, std::uint32_t queries,
                                      std::uint64_t pairs, std::uint32_t least);

/// The two batches that replace one whose buffer was too small, [b, m) and [m, e). `range` has at
/// least two queries.
inline std::pair<TicketRange, TicketRange> halvesOf(TicketRange range) {
  const std::uint32_t middle = range.begin + (range.end - range.begin) / 2;
  return {{range.begin, middle}, {middle, range.end}};
}

}  // namespace clusterloom
