#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/range_maximum.h"

namespace clusterloom {

/// The edges of a minimum spanning forest of these edges, by weight ascending; incomplete once the
/// task is cancelled. On the caller's TBB arena.
std::vector<TreeEdge> minimumForest(std::size_t points, std::vector<TreeEdge> edges,
                                    const Task& task);

/// A spanning forest, and the largest weight on the path between any two of its points.
class Bottlenecks {
 public:
  /// The bottlenecks of a minimum spanning forest of the edges; incomplete once the task is
  /// cancelled. On the caller's TBB arena.
  Bottlenecks(std::size_t points, std::vector<TreeEdge> edges, const Task& task);
  Bottlenecks(Bottlenecks&&) = default;  // a copy would refer to the splits of the original
  Bottlenecks& operator=(Bottlenecks&&) = default;

  /// +∞ for points of two trees, 0 for one point.
  double between(std::uint32_t a, std::uint32_t b) const {
    if (a == b) return 0;
    const auto [low, high] = std::minmax(positions_[a], positions_[b]);
    return heaviest_(low + std::size_t{1}, high + std::size_t{1});
  }
  bool inOneTree(std::uint32_t a, std::uint32_t b) const { return trees_[a] == trees_[b]; }
  /// Whether a point is the lowest of its tree.
  bool isFirst(std::uint32_t point) const { return trees_[point] == point; }
  /// By weight ascending.
  const std::vector<TreeEdge>& edges() const { return edges_; }
  /// Moves the edges out; this cannot be used afterwards.
  std::vector<TreeEdge> takeEdges() { return std::move(edges_); }

 private:
  std::vector<TreeEdge> edges_;
  std::vector<std::uint32_t> trees_;      ///< lowest point of the tree of each point
  std::vector<std::uint32_t> positions_;  ///< in an order in which every cut leaves runs
  LargeArray<double> splits_;             ///< by position: what joins it to the position before
  RangeMaximum<double> heaviest_;         ///< of splits_
};

}  // namespace clusterloom
