#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/hierarchy/dendrogram.h"

namespace clusterloom {

/// The points of a dendrogram from left to right, so that the points of each node are a run.
struct PositionOrder {
  LargeArray<std::uint32_t> order;      ///< point at each position
  LargeArray<std::uint32_t> positions;  ///< the inverse
  LargeArray<std::uint32_t> begins;     ///< of each merge: its first position
  /// By position: the merge that joins it to the position before, the lowest node that holds both;
  /// the number of merges at position 0. Sets of the points joined by merges below m are the runs
  /// between positions whose split is ≥ m.
  LargeArray<std::uint32_t> splits;
};

PositionOrder positionsOf(const Dendrogram& tree);

/// The largest of any range of an array, by maxima of blocks of 16, of blocks of blocks and so on.
class RangeMaximum {
 public:
  RangeMaximum() = default;
  /// `values` must outlive this.
  explicit RangeMaximum(std::span<const std::uint32_t> values);

  /// The largest of values[begin … end − 1], begin < end.
  std::uint32_t operator()(std::size_t begin, std::size_t end) const;

 private:
  std::span<const std::uint32_t> values_;
  std::vector<LargeArray<std::uint32_t>> blocks_;
};

}  // namespace clusterloom
