#include "engine/hierarchy/nearest_neighbours.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "engine/core/memory_budget.h"
#include "engine/core/shared_progress.h"
#include "engine/core/thread_check.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/join/instruction_sets.h"

namespace clusterloom {
namespace {

// The queries of a leaf are searched for together: one walk over the tree, in which a leaf is read
// for those queries that it may hold neighbours of.
//
// Why no neighbour is lost, ties included. For a query q, a box [low, high] and a point x in it,
// the gap g = max(fl(low − q), fl(q − high), 0) of a dimension is at most |fl(x − q)|: rounding is
// monotone, so low ≤ x gives fl(low − q) ≤ fl(x − q), and x ≤ high gives fl(q − high) ≤ fl(q − x).
// Products and sums of such terms are monotone for the same reason. Hence the sum of fl(g·g) over
// the dimensions, added in the cloud's own order, is at most the canonical squared distance of q
// and x. With the gap between two boxes in place of g the same holds for all queries of the leaf.
// A box is left out only where this bound and the lowest id in the box, compared in that order, do
// not come before the last neighbour found so far; then no point of the box does.

constexpr std::uint32_t kLeaf = LeafTree::kLeaf;
constexpr std::uint32_t kNobody = LeafTree::kNobody;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostOthers = kMaxNearest - 1;

using Eight = double __attribute__((vector_size(64)));
using Bits = std::int64_t __attribute__((vector_size(64)));

/// A value for each of the kLeaf lanes of a leaf.
struct Lanes {
  Eight first;
  Eight second;
};

CLUSTERLOOM_INLINE Lanes load(const double* values) {
  Lanes lanes;
  std::memcpy(&lanes.first, values, sizeof lanes.first);
  std::memcpy(&lanes.second, values + 8, sizeof lanes.second);
  return lanes;
}

/// Bit i: the value of lane i is at most that of `limits`. NaN never is.
CLUSTERLOOM_INLINE std::uint32_t atMost(const Lanes& values, const Lanes& limits) {
  constexpr Bits kLow = {1, 2, 4, 8, 16, 32, 64, 128};
  constexpr Bits kHigh = {256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  const Bits hits =
      ((values.first <= limits.first) & kLow) | ((values.second <= limits.second) & kHigh);
  std::int64_t mask = 0;
  for (int i = 0; i < 8; ++i) mask |= hits[i];
  return static_cast<std::uint32_t>(mask);
}

CLUSTERLOOM_INLINE Lanes allLanes(double value) {
  const Eight all = Eight{} + value;
  return {all, all};
}

/// Squared distance and id, by which neighbours are ordered.
struct Rank {
  double squared;
  std::uint32_t id;
};

CLUSTERLOOM_INLINE bool comesBefore(const Rank& a, const Rank& b) {
  return a.squared < b.squared || (a.squared == b.squared && a.id < b.id);
}

/// The nearest other points of each query of a leaf, found so far: `others` of them each,
/// ascending; +∞ and kNobody where none has been found yet.
struct Found {
  alignas(64) double last[kLeaf];  ///< squared distance of the last one; −1 for lanes without query
  std::uint32_t lastId[kLeaf];
  double squared[kLeaf][kMostOthers];
  std::uint32_t ids[kLeaf][kMostOthers];
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

// Dimensions added between two looks at whether any point can still be a neighbour, where their
// number is not known when this is compiled.
constexpr std::size_t kDimsAtOnce = 8;

/// Canonical squared distances of query lane `query` of leaf `own` to the points of a leaf. D is
/// the number of dimensions, or 0 for any. Returns the lanes at most `limit` away.
template <int D>
CLUSTERLOOM_INLINE std::uint32_t measure(const double* own, std::uint32_t query, const double* leaf,
                                         std::size_t dims, double limit, double* squared) {
  Lanes sums{};
  const Lanes limits = allLanes(limit);
  const std::size_t n = D > 0 ? D : dims;
  for (std::size_t j = 0; j < n; ++j) {
    const double q = own[j * kLeaf + query];
    const Lanes x = load(leaf + j * kLeaf);
    const Eight first = q - x.first;
    const Eight second = q - x.second;
    sums.first += first * first;
    sums.second += second * second;
    // Partial sums never decrease.
    if (D == 0 && (j + 1) % kDimsAtOnce == 0 && atMost(sums, limits) == 0) return 0;
  }
  std::memcpy(squared, &sums.first, sizeof sums.first);
  std::memcpy(squared + 8, &sums.second, sizeof sums.second);
  return atMost(sums, limits);
}

/// Adds the square of each x's gap to [low, high].
CLUSTERLOOM_INLINE void addSquaredGap(const Eight& x, double low, double high, Eight& sum) {
  const Eight below = low - x;
  const Eight above = x - high;
  const Eight larger = below > above ? below : above;
  const Eight gap = larger > 0.0 ? larger : Eight{};
  sum += gap * gap;
}

/// Bounds below the squared distances of the queries of `own` and all points of a box.
template <int D>
CLUSTERLOOM_INLINE Lanes boundsTo(const double* own, const double* low, std::size_t dims) {
  const std::size_t n = D > 0 ? D : dims;
  const double* high = low + n;
  Lanes sums{};
  for (std::size_t j = 0; j < n; ++j) {
    const Lanes x = load(own + j * kLeaf);
    addSquaredGap(x.first, low[j], high[j], sums.first);
    addSquaredGap(x.second, low[j], high[j], sums.second);
  }
  return sums;
}

/// A bound below all squared distances of the points of two boxes.
template <int D>
CLUSTERLOOM_INLINE double boundOf(const double* lowA, const double* lowB, std::size_t dims) {
  const std::size_t n = D > 0 ? D : dims;
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double below = lowB[j] - lowA[n + j];
    const double above = lowA[j] - lowB[n + j];
    const double larger = below > above ? below : above;
    const double g = larger > 0 ? larger : 0.0;
    sum += g * g;
  }
  return sum;
}

/// What a search works on.
struct Search {
  const LeafTree& tree;
  const Task& task;
  NearestNeighbours& result;
  std::size_t others;
};

/// The rank of the last neighbour so far that comes last among the queries of a leaf.
CLUSTERLOOM_INLINE Rank lastOfAll(const Found& found) {
  Rank last{-1.0, 0};
  for (std::uint32_t i = 0; i < kLeaf; ++i)
    if (comesBefore(last, {found.last[i], found.lastId[i]}))
      last = {found.last[i], found.lastId[i]};
  return last;
}

/// A subtree still to be visited.
struct Pending {
  std::size_t node;
  std::uint32_t firstLeaf;
  std::uint32_t leaves;
  double bound;
};

/// Compares the queries of `own` with the points of a leaf. Whether any neighbour was found.
template <int D>
CLUSTERLOOM_INLINE bool visitLeaf(const Search& search, const double* own, const Pending& leaf,
                                  Found& found) {
  const LeafTree& tree = search.tree;
  const Lanes bounds = boundsTo<D>(own, tree.lowOf(leaf.node), tree.dims);
  std::uint32_t queries = atMost(bounds, load(found.last));
  if (queries == 0) return false;
  alignas(64) double bound[kLeaf];
  alignas(64) double squared[kLeaf];
  std::memcpy(bound, &bounds, sizeof bound);
  const double* points = tree.coordinatesOf(leaf.firstLeaf);
  const std::uint32_t* ids = tree.idsOf(leaf.firstLeaf);
  const std::uint32_t lowest = tree.lowestId[leaf.node];
  bool any = false;
  for (; queries != 0; queries &= queries - 1) {
    const auto query = static_cast<std::uint32_t>(std::countr_zero(queries));
    if (!comesBefore({bound[query], lowest}, {found.last[query], found.lastId[query]})) continue;
    std::uint32_t hits = measure<D>(own, query, points, tree.dims, found.last[query], squared);
    for (; hits != 0; hits &= hits - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(hits));
      const Rank rank{squared[lane], ids[lane]};
      if (!comesBefore(rank, {found.last[query], found.lastId[query]})) continue;
      insert(found, search.others, query, rank);
      any = true;
    }
  }
  return any;
}

/// Begins with the points of the leaf itself.
template <int D>
CLUSTERLOOM_INLINE void startWithOwn(const Search& search, const double* own,
                                     const std::uint32_t* ids, std::uint32_t queries,
                                     Found& found) {
  alignas(64) double squared[kLeaf];
  for (std::uint32_t query = 0; query < kLeaf; ++query) {
    found.last[query] = query < queries ? kInfinity : -1.0;
    found.lastId[query] = query < queries ? kNobody : 0;
    std::fill_n(found.squared[query], search.others, kInfinity);
    std::fill_n(found.ids[query], search.others, kNobody);
    if (query >= queries) continue;
    std::uint32_t hits = measure<D>(own, query, own, search.tree.dims, kInfinity, squared);
    hits &= ~(std::uint32_t{1} << query);
    for (; hits != 0; hits &= hits - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(hits));
      const Rank rank{squared[lane], ids[lane]};
      if (comesBefore(rank, {found.last[query], found.lastId[query]}))
        insert(found, search.others, query, rank);
    }
  }
}

CLUSTERLOOM_INLINE void writeRows(const Search& search, const std::uint32_t* ids,
                                  std::uint32_t queries, const Found& found) {
  NearestNeighbours& result = search.result;
  for (std::uint32_t query = 0; query < queries; ++query) {
    const std::size_t row = ids[query] * static_cast<std::size_t>(result.k);
    result.ids[row] = ids[query];
    result.squaredDistances[row] = 0;
    std::copy_n(found.ids[query], search.others, result.ids.data() + row + 1);
    std::copy_n(found.squared[query], search.others, result.squaredDistances.data() + row + 1);
  }
}

/// The node of a leaf.
std::size_t nodeOfLeaf(const LeafTree& tree, std::uint32_t leaf) {
  std::size_t node = 0;
  std::uint32_t first = 0;
  for (std::uint32_t leaves = tree.leaves; leaves > 1;) {
    const std::uint32_t left = (leaves + 1) / 2;
    const bool isLeft = leaf < first + left;
    node += isLeft ? 1 : 2 * std::size_t{left};
    if (!isLeft) first += left;
    leaves = isLeft ? left : leaves - left;
  }
  return node;
}

/// Finds the neighbours of the points of leaves [begin, end) and writes their rows.
template <int D>
CLUSTERLOOM_CLONES void searchLeaves(const Search& search, std::uint32_t begin, std::uint32_t end) {
  constexpr std::size_t kDepth = 64;  // of any tree of 32-bit leaf numbers, with room
  const LeafTree& tree = search.tree;
  const std::size_t dims = D > 0 ? D : tree.dims;
  Found found;
  Pending stack[kDepth];
  for (std::uint32_t leaf = begin; leaf < end; ++leaf) {
    const double* own = tree.coordinatesOf(leaf);
    const std::uint32_t* ids = tree.idsOf(leaf);
    const auto queries = static_cast<std::uint32_t>(
        std::min<std::size_t>(kLeaf, tree.points - std::size_t{leaf} * kLeaf));
    const double* ownBox = tree.lowOf(nodeOfLeaf(tree, leaf));
    startWithOwn<D>(search, own, ids, queries, found);
    Rank last = lastOfAll(found);
    std::size_t height = 0;
    stack[height++] = {0, 0, tree.leaves, 0.0};
    while (height > 0) {
      const Pending top = stack[--height];
      if (!comesBefore({top.bound, tree.lowestId[top.node]}, last)) continue;
      if (top.leaves == 1) {
        if (top.firstLeaf == leaf) continue;
        if (search.task.cancelled()) return;
        if (visitLeaf<D>(search, own, top, found)) last = lastOfAll(found);
        continue;
      }
      const std::uint32_t leftLeaves = (top.leaves + 1) / 2;
      Pending left{top.node + 1, top.firstLeaf, leftLeaves, 0.0};
      Pending right{top.node + 2 * std::size_t{leftLeaves}, top.firstLeaf + leftLeaves,
                    top.leaves - leftLeaves, 0.0};
      left.bound = boundOf<D>(ownBox, tree.lowOf(left.node), dims);
      right.bound = boundOf<D>(ownBox, tree.lowOf(right.node), dims);
      // The side with the leaf itself first, else the nearer one.
      const bool leftFirst = leaf - top.firstLeaf < top.leaves
                                 ? leaf < right.firstLeaf
                                 : comesBefore({left.bound, tree.lowestId[left.node]},
                                               {right.bound, tree.lowestId[right.node]});
      stack[height++] = leftFirst ? right : left;
      stack[height++] = leftFirst ? left : right;
    }
    writeRows(search, ids, queries, found);
  }
}

void searchLeavesOf(const Search& search, std::uint32_t begin, std::uint32_t end) {
  switch (search.tree.dims) {
    case 1:
      return searchLeaves<1>(search, begin, end);
    case 2:
      return searchLeaves<2>(search, begin, end);
    case 3:
      return searchLeaves<3>(search, begin, end);
    case 4:
      return searchLeaves<4>(search, begin, end);
    case 5:
      return searchLeaves<5>(search, begin, end);
    default:
      return searchLeaves<0>(search, begin, end);
  }
}

Result<NearestNeighbours> findAll(const PointCloud& cloud, int k, const Task& task) {
  const std::size_t n = cloud.size();
  NearestNeighbours result;
  result.points = n;
  result.k = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(k), n));
  const std::uint64_t entries = n * static_cast<std::uint64_t>(result.k);
  const std::uint64_t bytes =
      entries * (sizeof(double) + sizeof(std::uint32_t)) + leafTreePeakBytes(n, cloud.dims());
  const std::uint64_t available = availableMemory();
  if (bytes > available)
    return fail(ErrorKind::TooLarge, "The " + std::to_string(result.k) + " nearest neighbours of " +
                                         std::to_string(n) + " points need " + memoryText(bytes) +
                                         ", and " + memoryText(available) +
                                         " are free. Use a smaller k or a smaller cloud.");
  const auto tree = buildLeafTree(cloud, task);
  if (!tree) return tl::unexpected(tree.error());
  result.ids.resize(entries);
  result.squaredDistances.resize(entries);
  if (result.k == 1) {
    for (std::size_t p = 0; p < n; ++p) result.ids[p] = static_cast<std::uint32_t>(p);
    std::fill(result.squaredDistances.begin(), result.squaredDistances.end(), 0.0);
    return result;
  }
  const Search search{*tree, task, result, static_cast<std::size_t>(result.k) - 1};
  SharedProgress progress(task, "finding neighbours", tree->leaves);
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, tree->leaves, 32), [&](const auto& range) {
    if (task.cancelled()) return;
    searchLeavesOf(search, range.begin(), range.end());
    progress.add(range.size());
  });
  if (task.cancelled()) return cancelledError();
  return result;
}

}  // namespace

Result<NearestNeighbours> nearestNeighbours(const PointCloud& cloud, int k, int threads,
                                            const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  if (k < 1 || k > kMaxNearest)
    return fail(ErrorKind::BadCall, "k must be between 1 and " + std::to_string(kMaxNearest) +
                                        ", not " + std::to_string(k));
  const int available = tbb::info::default_concurrency();
  if (threads <= 0) threads = available;
  if (threads > available)
    if (auto possible = checkThreads(threads); !possible) return tl::unexpected(possible.error());
  try {
    std::optional<tbb::global_control> moreThreads;
    if (threads > available)
      moreThreads.emplace(tbb::global_control::max_allowed_parallelism,
                          static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    return arena.execute([&] { return findAll(cloud, k, task); });
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::TooLarge,
                "Not enough memory for nearest neighbours. Use a smaller k or a smaller cloud.");
  }
}

}  // namespace clusterloom
