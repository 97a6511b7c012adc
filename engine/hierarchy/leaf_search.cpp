#include "engine/hierarchy/leaf_search.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "engine/core/infinity.h"
#include "engine/core/instruction_sets.h"
#include "engine/hierarchy/leaf_lanes.h"
#include "engine/hierarchy/leaf_tree_nodes.h"

namespace clusterloom {
namespace {

// The queries of a leaf are searched for together: one walk over the tree, in which a leaf is read
// for those queries that it may hold neighbours of.
//
// Why no neighbour is lost, ties included: the bounds of leaf_lanes.h are at most the canonical
// squared distances of the points of a box, and a box is left out only where its bound and the
// lowest id in it, compared in that order, do not come before the last neighbour found so far. Then
// no point of the box does.

constexpr std::uint32_t kNobody = LeafTree::kNobody;
constexpr std::size_t kMostOthers = kMaxNearest;

using Pair = double __attribute__((vector_size(16)));

/// Squared distance and id, by which neighbours are ordered.
struct Rank {
  double squared;
  std::uint32_t id;
};

CLUSTERLOOM_INLINE bool comesBefore(const Rank& a, const Rank& b) {
  return a.squared < b.squared || (a.squared <= b.squared && a.id < b.id);
}

/// The nearest other points of each query of a leaf, found so far: `others` of them each,
/// ascending; +∞ and kNobody where none has been found yet.
struct Found {
  alignas(
      64) double last[kLeafSize];  ///< squared distance of the last one; −1 for lanes without query
  std::uint32_t lastId[kLeafSize];
  double squared[kLeafSize][kMostOthers];
  std::uint32_t ids[kLeafSize][kMostOthers];
};

/// Inserts a point that comes before the last one.
CLUSTERLOOM_INLINE void insert(Found& found, std::size_t others, std::uint32_t query,
                               const Rank& rank) {
  double* squared = found.squared[query];
  std::uint32_t* ids = found.ids[query];
  std::size_t at = others - 1;
  for (; at > 0 && comesBefore(rank, {squared[at - 1], ids[at - 1]}); --at) {
    squared[at] = squared[at - 1];
    ids[at] = ids[at - 1];
  }
  squared[at] = rank.squared;
  ids[at] = rank.id;
  found.last[query] = squared[others - 1];
  found.lastId[query] = ids[others - 1];
}

/// Bounds below the squared distances of all points of box `own` and those of boxes a and b, both
/// computed at once.
template <int D, Measure M>
CLUSTERLOOM_INLINE void boundsOf(const double* own, const double* a, const double* b,
                                 std::size_t dims, const double* periods, double& boundA,
                                 double& boundB) {
  const std::size_t n = D > 0 ? D : dims;
  Pair sums{};
  for (std::size_t j = 0; j < n; ++j) {
    const Pair below = Pair{a[j], b[j]} - own[n + j];
    const Pair above = own[j] - Pair{a[n + j], b[n + j]};
    Pair gap;
    findGap<M>(below, above, periods, j, gap);
    addToLength<M>(sums, gap);
  }
  squareLength<M>(sums);
  boundA = sums[0];
  boundB = sums[1];
}

/// The largest squared distance of a last neighbour so far.
CLUSTERLOOM_INLINE double farthestLast(const Found& found) {
  const Lanes last = load(found.last);
  const Eight eight = last.first > last.second ? last.first : last.second;
  double farthest = eight[0];
  for (int i = 1; i < 8; ++i) farthest = eight[i] > farthest ? eight[i] : farthest;
  return farthest;
}

/// Whether a box may hold a neighbour of some query, given a bound below its distances from all of
/// them.
CLUSTERLOOM_INLINE bool mayHold(const Found& found, double farthest, double bound,
                                const std::uint32_t& lowestId) {
  if (bound < farthest) return true;
  if (bound > farthest) return false;
  for (std::uint32_t i = 0; i < kLeafSize; ++i)
    if (comesBefore({bound, lowestId}, {found.last[i], found.lastId[i]})) return true;
  return false;
}

/// A subtree still to be visited.
struct PendingLeaf : TreeNode {
  double bound;
};

/// Compares the queries of `own` with the points of a leaf. Whether any neighbour was found.
template <int D, Measure M>
CLUSTERLOOM_INLINE bool visitLeaf(const LeafTree& tree, const double* own, const PendingLeaf& leaf,
                                  std::size_t others, Found& found, std::uint64_t& scans) {
  const double* periods = tree.periods.data();
  const Lanes bounds = boundsTo<D, M>(own, tree.lowOf(leaf.node), tree.dims, periods);
  std::uint32_t queries = atMost(bounds, load(found.last));
  if (queries == 0) return false;
  alignas(64) double bound[kLeafSize];
  alignas(64) double squared[kLeafSize];
  std::memcpy(bound, &bounds, sizeof bound);
  const double* points = tree.coordinatesOf(leaf.firstLeaf);
  const std::uint32_t* ids = tree.idsOf(leaf.firstLeaf);
  const std::uint32_t lowest = tree.lowestId[leaf.node];
  bool any = false;
  for (; queries != 0; queries &= queries - 1) {
    const auto query = std::uint32_t(std::countr_zero(queries));
    if (!comesBefore({bound[query], lowest}, {found.last[query], found.lastId[query]})) continue;
    ++scans;
    std::uint32_t hits =
        measure<D, M>(own, query, points, tree.dims, periods, found.last[query], squared);
    for (; hits != 0; hits &= hits - 1) {
      const auto lane = std::uint32_t(std::countr_zero(hits));
      const Rank rank{squared[lane], ids[lane]};
      if (!comesBefore(rank, {found.last[query], found.lastId[query]})) continue;
      insert(found, others, query, rank);
      any = true;
    }
  }
  return any;
}

/// Begins with no points, or with those of the leaf itself where it is one of the tree.
template <int D, Measure M>
CLUSTERLOOM_INLINE void start(const LeafTree& tree, const double* own, const std::uint32_t* ids,
                              std::uint32_t queries, bool ofTree, std::size_t others,
                              Found& found) {
  alignas(64) double squared[kLeafSize];
  for (std::uint32_t query = 0; query < kLeafSize; ++query) {
    found.last[query] = query < queries ? kInfinity : -1.0;
    found.lastId[query] = query < queries ? kNobody : 0;
    std::fill_n(found.squared[query], others, kInfinity);
    std::fill_n(found.ids[query], others, kNobody);
    if (!ofTree || query >= queries) continue;
    std::uint32_t hits =
        measure<D, M>(own, query, own, tree.dims, tree.periods.data(), kInfinity, squared);
    hits &= ~(std::uint32_t{1} << query);
    for (; hits != 0; hits &= hits - 1) {
      const auto lane = std::uint32_t(std::countr_zero(hits));
      const Rank rank{squared[lane], ids[lane]};
      if (comesBefore(rank, {found.last[query], found.lastId[query]}))
        insert(found, others, query, rank);
    }
  }
}

void writeRows(const NeighbourRows& rows, bool ofTree, std::size_t firstPlace,
               const std::uint32_t* ids, std::uint32_t queries, const Found& found) {
  const std::size_t others = rows.k - ofTree;
  for (std::uint32_t query = 0; query < queries; ++query) {
    const std::size_t place = rows.byPlace ? firstPlace + query : ids[query];
    if (rows.ids == nullptr) {
      rows.squaredDistances[place] = found.last[query];
      continue;
    }
    const std::size_t row = place * rows.k;
    if (ofTree) {
      rows.ids[row] = ids[query];
      rows.squaredDistances[row] = 0;
    }
    std::copy_n(found.ids[query], others, rows.ids + row + ofTree);
    std::copy_n(found.squared[query], others, rows.squaredDistances + row + ofTree);
  }
}

/// The queries are the points of the tree where `of` is `tree`; a template of both cases would take
/// twice the time to compile.
template <int D, Measure M>
CLUSTERLOOM_CLONES std::uint64_t searchIn(const LeafTree& of, const LeafTree& tree,
                                          const NeighbourRows& rows, std::uint32_t begin,
                                          std::uint32_t end, std::uint64_t mostScans,
                                          const Task& task) {
  constexpr std::size_t kDepth = 64;  // of any tree of 32-bit leaf numbers, with room
  const std::size_t dims = D > 0 ? D : tree.dims;
  const bool ofTree = &of == &tree;
  const std::size_t others = rows.k - ofTree;
  std::uint64_t scans = 0;
  Found found;
  PendingLeaf stack[kDepth];
  for (std::uint32_t leaf = begin; leaf < end; ++leaf) {
    const double* own = of.coordinatesOf(leaf);
    const std::uint32_t* ids = of.idsOf(leaf);
    const auto queries =
        std::uint32_t(std::min<std::size_t>(kLeafSize, of.points - std::size_t{leaf} * kLeafSize));
    const double* ownBox = of.lowOf(nodeOfLeaf(of, leaf));
    start<D, M>(tree, own, ids, queries, ofTree, others, found);
    scans += queries;
    double farthest = farthestLast(found);
    std::size_t height = 0;
    stack[height++] = {{0, 0, tree.leaves}, 0.0};
    while (height > 0) {
      const PendingLeaf top = stack[--height];
      if (!mayHold(found, farthest, top.bound, tree.lowestId[top.node])) continue;
      if (top.leaves == 1) {
        if (ofTree && top.firstLeaf == leaf) continue;
        if (task.cancelled() || scans > mostScans) return scans;
        if (visitLeaf<D, M>(tree, own, top, others, found, scans)) farthest = farthestLast(found);
        continue;
      }
      PendingLeaf left{top.left(), 0.0};
      PendingLeaf right{top.right(), 0.0};
      boundsOf<D, M>(ownBox, tree.lowOf(left.node), tree.lowOf(right.node), dims,
                     tree.periods.data(), left.bound, right.bound);
      // The side with the leaf itself first, else the nearer one.
      const bool leftFirst =
          ofTree && leaf - top.firstLeaf < top.leaves
              ? leaf < right.firstLeaf
              : left.bound < right.bound || (left.bound <= right.bound &&
                                             tree.lowestId[left.node] < tree.lowestId[right.node]);
      stack[height++] = leftFirst ? right : left;
      stack[height++] = leftFirst ? left : right;
    }
    writeRows(rows, ofTree, std::size_t{leaf} * kLeafSize, ids, queries, found);
  }
  return scans;
}

std::uint64_t searchAny(const LeafTree& of, const LeafTree& tree, const NeighbourRows& rows,
                        std::uint32_t begin, std::uint32_t end, std::uint64_t mostScans,
                        const Task& task) {
  const auto fewDims = [&]<Measure M>() {
    switch (tree.dims) {
      case 2: return searchIn<2, M>(of, tree, rows, begin, end, mostScans, task);
      case 3: return searchIn<3, M>(of, tree, rows, begin, end, mostScans, task);
      default: return searchIn<0, M>(of, tree, rows, begin, end, mostScans, task);
    }
  };
  switch (measureOf(tree)) {
    case Measure::Boxed: return fewDims.template operator()<Measure::Boxed>();
    case Measure::Manhattan: return fewDims.template operator()<Measure::Manhattan>();
    case Measure::Chebyshev: return fewDims.template operator()<Measure::Chebyshev>();
    case Measure::Euclidean: break;
  }
  switch (tree.dims) {
    case 1: return searchIn<1, Measure::Euclidean>(of, tree, rows, begin, end, mostScans, task);
    case 2: return searchIn<2, Measure::Euclidean>(of, tree, rows, begin, end, mostScans, task);
    case 3: return searchIn<3, Measure::Euclidean>(of, tree, rows, begin, end, mostScans, task);
    case 4: return searchIn<4, Measure::Euclidean>(of, tree, rows, begin, end, mostScans, task);
    case 5: return searchIn<5, Measure::Euclidean>(of, tree, rows, begin, end, mostScans, task);
    default: return searchIn<0, Measure::Euclidean>(of, tree, rows, begin, end, mostScans, task);
  }
}

}  // namespace

std::uint64_t searchLeaves(const LeafTree& tree, const NeighbourRows& rows, std::uint32_t begin,
                           std::uint32_t end, std::uint64_t mostScans, const Task& task) {
  return searchAny(tree, tree, rows, begin, end, mostScans, task);
}

void searchLeavesOf(const LeafTree& queries, const LeafTree& tree, const NeighbourRows& rows,
                    std::uint32_t begin, std::uint32_t end, const Task& task) {
  searchAny(queries, tree, rows, begin, end, std::numeric_limits<std::uint64_t>::max(), task);
}

}  // namespace clusterloom
