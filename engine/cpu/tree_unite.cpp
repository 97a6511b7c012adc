#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <atomic>

#include "engine/core/parallel_for.h"
#include "engine/cpu/tree_join.h"
#include "engine/cpu/tree_walk.h"
#include "engine/cpu/union_find.h"

namespace clusterloom {
namespace {

// Core points of nodes that are no wider than ε are united first. A node is *uniform* once all its
// core points are known to be of one set, which stays so. Two uniform nodes of one set need no
// comparison, and two of different sets only one pair within ε.

constexpr std::uint32_t kNoCore = LeafTree::kNobody;

struct CoreSets {
  CoreSets(const TreeJoin& of, std::span<const std::uint8_t> core)
      : join(of),
        sets(of.points.points),
        coreLanes(of.points.leaves),
        leafNodes(of.points.leaves),
        firstCore(of.points.nodes()),
        uniform(of.points.nodes()) {
    const LeafTree& tree = join.points;
    findLeafNodes(0, 0, tree.leaves, leafNodes);
    std::fill(uniform.begin(), uniform.end(), std::uint8_t{0});
    parallelFor<std::uint32_t>(tree.leaves, 1024,
                               [&](std::uint32_t leaf) { noteLeaf(leaf, core); });
    foldNodes(0, tree.leaves, [&](std::size_t node, std::size_t left, std::size_t right) {
      firstCore[node] = firstCore[left] != kNoCore ? firstCore[left] : firstCore[right];
    });
  }

  void noteLeaf(std::uint32_t leaf, std::span<const std::uint8_t> core) {
    std::uint32_t lanes = 0;
    for (std::uint32_t lane = 0; lane < kLeafSize; ++lane) {
      const std::uint32_t id = join.points.idsOf(leaf)[lane];
      if (id != LeafTree::kNobody && core[id] != 0) lanes |= 1U << lane;
    }
    coreLanes[leaf] = lanes;
    firstCore[leafNodes[leaf]] =
        lanes == 0 ? kNoCore : leaf * kLeafSize + std::uint32_t(std::countr_zero(lanes));
  }

  bool isUniform(std::size_t node) {
    return std::atomic_ref<std::uint8_t>(uniform[node]).load(std::memory_order_relaxed) != 0;
  }
  void setUniform(std::size_t node) {
    std::atomic_ref<std::uint8_t>(uniform[node]).store(1, std::memory_order_relaxed);
  }
  /// Whether a leaf is uniform, by a look at its points where that is not known.
  bool leafIsUniform(std::uint32_t leaf) {
    const std::size_t node = leafNodes[leaf];
    if (isUniform(node)) return true;
    const std::uint32_t root = sets.find(firstCore[node]);
    for (std::uint32_t left = coreLanes[leaf]; left != 0; left &= left - 1)
      if (sets.find(leaf * kLeafSize + std::uint32_t(std::countr_zero(left))) != root) return false;
    setUniform(node);
    return true;
  }

  const TreeJoin& join;
  UnionFind sets;  ///< of places
  LargeArray<std::uint32_t> coreLanes;
  LargeArray<std::uint32_t> leafNodes;
  LargeArray<std::uint32_t> firstCore;  ///< a place with a core point of each node, or kNoCore
  LargeArray<std::uint8_t> uniform;     ///< by node
};

/// Unites the core points of each node that is no wider than ε.
template <Measure M>
void uniteNarrow(CoreSets& core, const TreeNode& top, bool inNarrow, const Task& task) {
  constexpr std::uint32_t kSideBySide = 1024;  // leaves from which on children are done so
  if (core.firstCore[top.node] == kNoCore || task.cancelled()) return;
  const LeafTree& tree = core.join.points;
  const double* box = tree.lowOf(top.node);
  if (!inNarrow && spanOf<0, M>(box, box, tree.dims) <= core.join.squaredEps) {
    const std::uint32_t first = core.firstCore[top.node];
    const auto unite = [&](const tbb::blocked_range<std::uint32_t>& range) {
      if (task.cancelled()) return;
      for (std::uint32_t leaf = range.begin(); leaf < range.end(); ++leaf)
        for (std::uint32_t left = core.coreLanes[leaf]; left != 0; left &= left - 1)
          core.sets.unite(first, leaf * kLeafSize + std::uint32_t(std::countr_zero(left)));
    };
    // Most nodes are small, and this is for the few that hold most of a cloud.
    const tbb::blocked_range<std::uint32_t> leaves(top.firstLeaf, top.firstLeaf + top.leaves,
                                                   kSideBySide);
    if (top.leaves < kSideBySide)
      unite(leaves);
    else
      tbb::parallel_for(leaves, unite);
    inNarrow = true;
  }
  if (inNarrow) core.setUniform(top.node);
  if (top.leaves == 1) return;
  if (top.leaves >= kSideBySide)
    tbb::parallel_invoke([&] { uniteNarrow<M>(core, top.left(), inNarrow, task); },
                         [&] { uniteNarrow<M>(core, top.right(), inNarrow, task); });
  else {
    uniteNarrow<M>(core, top.left(), inNarrow, task);
    uniteNarrow<M>(core, top.right(), inNarrow, task);
  }
}

/// Unites the core points of a leaf with those of it and of later leaves.
struct UnionOfLeaf {
  explicit UnionOfLeaf(CoreSets& of) : core(of) {}

  CLUSTERLOOM_INLINE bool begin(std::uint32_t queries, std::uint32_t) {
    leaf = queries;
    lanes = core.coreLanes[leaf];
    if (lanes == 0) return false;
    first = core.firstCore[core.leafNodes[leaf]];
    uniform = core.leafIsUniform(leaf);
    return true;
  }
  CLUSTERLOOM_INLINE std::uint32_t wanted() const { return lanes; }
  CLUSTERLOOM_INLINE bool skips(const TreeNode& node) {
    const std::uint32_t other = core.firstCore[node.node];
    if (other == kNoCore || node.firstLeaf + node.leaves <= leaf) return true;
    if (node.leaves > 1)
      return uniform && core.isUniform(node.node) && core.sets.same(first, other);
    if (!uniform) uniform = core.leafIsUniform(leaf);
    targetIsUniform = core.leafIsUniform(node.firstLeaf);
    return uniform && targetIsUniform && core.sets.same(first, other);
  }
  CLUSTERLOOM_INLINE bool takes(const TreeNode& node) {
    if (!core.isUniform(node.node)) return false;
    const std::uint32_t other = core.firstCore[node.node];
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      core.sets.unite(placeOf(std::uint32_t(std::countr_zero(left))), other);
    return true;
  }
  CLUSTERLOOM_INLINE bool hits(std::uint32_t query, std::uint32_t target, std::uint32_t bits,
                               const double*) {
    bits &= core.coreLanes[target];
    for (; bits != 0; bits &= bits - 1) {
      core.sets.unite(placeOf(query), target * kLeafSize + std::uint32_t(std::countr_zero(bits)));
      if (targetIsUniform) return !uniform;
    }
    return true;
  }
  CLUSTERLOOM_INLINE void finish() const {}
  CLUSTERLOOM_INLINE std::uint32_t placeOf(std::uint32_t lane) const {
    return leaf * kLeafSize + lane;
  }

  CoreSets& core;
  std::uint32_t leaf = 0;
  std::uint32_t lanes = 0;
  std::uint32_t first = 0;       ///< place of a core point of the leaf
  bool uniform = false;          ///< the leaf
  bool targetIsUniform = false;  ///< the leaf that is compared
};

}  // namespace

LargeArray<std::uint32_t> uniteByTree(const TreeJoin& join, std::span<const std::uint8_t> core,
                                      std::uint64_t& compared, const Task& task) {
  CoreSets sets(join, core);
  const TreeNode all{0, 0, join.points.leaves};
  withMeasure(join, [&](auto measure) { uniteNarrow<measure()>(sets, all, false, task); });
  compared += walkTree(join, "union", task, [&] { return UnionOfLeaf(sets); });
  LargeArray<std::uint32_t> roots(join.points.points);
  parallelFor(roots.size(), 16384,
              [&](std::size_t place) { roots[place] = sets.sets.find(std::uint32_t(place)); });
  return roots;
}

}  // namespace clusterloom
