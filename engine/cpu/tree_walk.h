#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/cpu/tree_join.h"
#include "engine/hierarchy/leaf_lanes.h"
#include "engine/hierarchy/leaf_tree_nodes.h"

namespace clusterloom {

/// The squared length of the largest differences of the points of two boxes: no pair is further
/// apart.
template <int D, Measure M>
CLUSTERLOOM_INLINE double spanOf(const double* lowA, const double* lowB, std::size_t dims) {
  const std::size_t n = D > 0 ? D : dims;
  double length = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double up = lowB[n + j] - lowA[j];
    const double down = lowA[n + j] - lowB[j];
    addToLength<M>(length, up > down ? up : down);
  }
  squareLength<M>(length);
  return length;
}

/// Bits of the lanes of a leaf that have points.
inline std::uint32_t lanesOf(const LeafTree& tree, std::uint32_t leaf) {
  const std::size_t here = tree.points - std::size_t{leaf} * kLeafSize;
  return here >= kLeafSize ? 0xffffU : (1U << here) - 1;
}

/// Walks over the nodes within ε of a leaf of queries. A sink offers:
///   begin(leaf, lanes)       before the walk; false: no walk
///   skips(node)              whether a subtree is left out
///   takes(node)              takes a subtree of which all points are neighbours of all queries, or
///                            returns false, and its parts follow
///   wanted()                 bits of the queries that are still to be compared; 0 ends the walk
///   hits(query, leaf, bits, squared)  lanes of a leaf that are neighbours of a query, with all
///                            squared lengths there; false: the leaf needs no more queries
///   finish()                 after the walk
/// Returns the points that were compared.
template <int D, Measure M, class Sink>
CLUSTERLOOM_INLINE std::uint64_t walkLeaf(const LeafTree& of, std::uint32_t leaf,
                                          std::size_t leafNode, const TreeJoin& join, Sink& sink,
                                          const Task& task) {
  constexpr std::size_t kDepth = 64;  // of any tree of 32-bit leaf numbers, with room
  const LeafTree& tree = join.points;
  const std::size_t dims = D > 0 ? D : tree.dims;
  const double* own = of.coordinatesOf(leaf);
  const double* ownBox = of.lowOf(leafNode);
  const double limit = join.squaredEps;
  const Lanes limits = allLanes(limit);
  std::uint64_t compared = 0;
  if (!sink.begin(leaf, lanesOf(of, leaf))) return 0;
  TreeNode stack[kDepth];
  std::size_t height = 0;
  stack[height++] = {0, 0, tree.leaves};
  while (height > 0 && sink.wanted() != 0) {
    const TreeNode top = stack[--height];
    const double* box = tree.lowOf(top.node);
    if (!(boundOf<D, M>(ownBox, box, dims, nullptr) <= limit) || sink.skips(top)) continue;
    if (spanOf<D, M>(ownBox, box, dims) <= limit && sink.takes(top)) continue;
    if (top.leaves > 1) {
      // The side of the leaf itself first, where core tests find most.
      const TreeNode left = top.left();
      const TreeNode right = top.right();
      const bool leftFirst = leaf < right.firstLeaf;
      stack[height++] = leftFirst ? right : left;
      stack[height++] = leftFirst ? left : right;
      continue;
    }
    if (task.cancelled()) return compared;
    const Lanes bounds = boundsTo<D, M>(own, box, dims, nullptr);
    const double* points = tree.coordinatesOf(top.firstLeaf);
    for (std::uint32_t queries = atMost(bounds, limits) & sink.wanted(); queries != 0;
         queries &= queries - 1) {
      const auto query = std::uint32_t(std::countr_zero(queries));
      alignas(64) double squared[kLeafSize];
      compared += top.endPlace(tree) - top.firstPlace();
      const std::uint32_t bits = measure<D, M>(own, query, points, dims, nullptr, limit, squared);
      if (bits != 0 && !sink.hits(query, top.firstLeaf, bits, squared)) break;
    }
  }
  sink.finish();
  return compared;
}

template <int D, Measure M, class Sink>
CLUSTERLOOM_CLONES std::uint64_t walkLeaves(const TreeJoin& join, std::uint32_t begin,
                                            std::uint32_t end, Sink& sink, const Task& task) {
  std::uint64_t compared = 0;
  const LeafTree& of = join.queries();
  for (std::uint32_t leaf = begin; leaf < end && !task.cancelled(); ++leaf)
    compared += walkLeaf<D, M>(of, leaf, nodeOfLeaf(of, leaf), join, sink, task);
  return compared;
}

template <Measure M, class Sink>
std::uint64_t walkDims(const TreeJoin& join, std::uint32_t begin, std::uint32_t end, Sink& sink,
                       const Task& task) {
  switch (join.points.dims) {
    case 2: return walkLeaves<2, M>(join, begin, end, sink, task);
    case 3: return walkLeaves<3, M>(join, begin, end, sink, task);
    default: return walkLeaves<0, M>(join, begin, end, sink, task);
  }
}

/// Calls f(the measure of the join as a constant). Joins have no periods.
template <class F>
auto withMeasure(const TreeJoin& join, const F& f) {
  switch (join.points.metric) {
    case Metric::Manhattan: return f(std::integral_constant<Measure, Measure::Manhattan>{});
    case Metric::Chebyshev: return f(std::integral_constant<Measure, Measure::Chebyshev>{});
    default: return f(std::integral_constant<Measure, Measure::Euclidean>{});
  }
}

/// Walks for all leaves of queries; `makeSink()` makes a sink for some of them.
template <class MakeSink>
std::uint64_t walkTree(const TreeJoin& join, std::string_view stage, const Task& task,
                       const MakeSink& makeSink) {
  constexpr std::uint32_t kWalksAtOnce = 16;
  const std::uint32_t leaves = join.queries().leaves;
  SharedProgress progress(task, stage, leaves);
  std::atomic<std::uint64_t> compared{0};
  parallelForBlocks<std::uint32_t>(
      leaves, kWalksAtOnce, task, [&](std::uint32_t begin, std::uint32_t end) {
        auto sink = makeSink();
        compared += withMeasure(
            join, [&](auto measure) { return walkDims<measure()>(join, begin, end, sink, task); });
        progress.add(end - begin);
      });
  return compared;
}

}  // namespace clusterloom
