#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Points of a leaf of LeafTree.
inline constexpr std::uint32_t kLeafSize = 16;

/// A kd-tree whose leaves hold kLeafSize points each (the last one the rest), stored without
/// pointers. Leaves are numbered from left to right. A node holds consecutive leaves; one with c >
/// 1 leaves has (c + 1) / 2 of them in its left child and the others in its right child. Nodes are
/// in preorder: node 0 is the root, the left child of node i is node i + 1, and its right child is
/// node i + 2·⌈c/2⌉, since a node of c leaves has 2c − 1 nodes in its subtree.
///
/// Points are divided at the median of the dimension in which they extend farthest, ties by id.
struct LeafTree {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  std::size_t points = 0;
  std::size_t dims = 0;
  std::uint32_t leaves = 0;
  /// Leaf by leaf, dimension-major within each: leaves × dims × kLeafSize. NaN where the last leaf
  /// has no point, so that no comparison with a distance to it is true.
  LargeArray<double> coordinates;
  LargeArray<std::uint32_t> ids;       ///< leaves × kLeafSize; kNobody where there is no point
  LargeArray<double> boxes;            ///< nodes × 2 × dims: lowest and highest coordinates
  LargeArray<std::uint32_t> lowestId;  ///< of each node's points
  /// For a wrapped cloud in a periodic box: the period of each dimension, +∞ where there is none.
  /// Empty: no box. Searches then take the distances of the box.
  std::vector<double> periods = {};
  /// Euclidean, Manhattan or Chebyshev, the last two without periods: what searches compute.
  Metric metric = Metric::Euclidean;

  std::size_t nodes() const { return 2 * std::size_t{leaves} - 1; }
  const double* coordinatesOf(std::uint32_t leaf) const {
    return coordinates.data() + std::size_t{leaf} * dims * kLeafSize;
  }
  const std::uint32_t* idsOf(std::uint32_t leaf) const {
    return ids.data() + std::size_t{leaf} * kLeafSize;
  }
  const double* lowOf(std::size_t node) const { return boxes.data() + node * 2 * dims; }
  const double* highOf(std::size_t node) const { return lowOf(node) + dims; }
};

/// Bytes that buildLeafTree allocates at most, the tree among them.
std::uint64_t leafTreePeakBytes(std::size_t points, std::size_t dims);
/// Bytes of the tree.
std::uint64_t leafTreeBytes(std::size_t points, std::size_t dims);

/// The tree of a cloud that satisfies `validate`, built by the threads of the caller's arena.
/// Cancelled. Throws std::bad_alloc.
Result<LeafTree> buildLeafTree(const PointCloud& cloud, const Task& task);

/// The tree of the cloud wrapped into the box of `periods`, as makePeriodicBox
/// (engine/join/periodic_box.h) takes them; of the cloud itself where there are none. BadCall for
/// other periods, and for both periods and a tree metric. `metric` other than one of trees counts
/// as Euclidean.
Result<LeafTree> buildLeafTree(const PointCloud& cloud, const std::vector<double>& periods,
                               Metric metric, const Task& task);

}  // namespace clusterloom
