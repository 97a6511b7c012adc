#include "engine/cpu/tree_join.h"

#include <algorithm>
#include <atomic>
#include <climits>

#include "engine/core/lower_bound.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/cpu/tree_walk.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {
namespace {

/// The base of all sinks of joins: the leaf and the queries in it.
struct SinkOfLeaf {
  explicit SinkOfLeaf(const TreeJoin& of) : join(of) {}

  CLUSTERLOOM_INLINE std::uint32_t wanted() const { return lanes; }
  CLUSTERLOOM_INLINE bool skips(const TreeNode&) const { return false; }
  CLUSTERLOOM_INLINE bool takes(const TreeNode&) const { return false; }
  CLUSTERLOOM_INLINE void finish() const {}

  const TreeJoin& join;
  const std::uint32_t* ids = nullptr;
  std::uint32_t lanes = 0;
};

struct CountOfLeaf : SinkOfLeaf {
  CountOfLeaf(const TreeJoin& of, std::uint32_t least, std::span<std::uint32_t> answers)
      : SinkOfLeaf(of), enough(least), counts(answers) {}

  CLUSTERLOOM_INLINE bool begin(std::uint32_t leaf, std::uint32_t queries) {
    ids = join.queries().idsOf(leaf);
    all = lanes = queries;
    std::fill_n(found, kLeafSize, 0U);
    return true;
  }
  CLUSTERLOOM_INLINE bool takes(const TreeNode& node) {
    const auto more = std::uint32_t(node.endPlace(join.points) - node.firstPlace());
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      add(std::uint32_t(std::countr_zero(left)), more);
    return true;
  }
  CLUSTERLOOM_INLINE bool hits(std::uint32_t query, std::uint32_t, std::uint32_t bits,
                               const double*) {
    add(query, std::uint32_t(std::popcount(bits)));
    return true;
  }
  CLUSTERLOOM_INLINE void finish() const {
    for (std::uint32_t left = all; left != 0; left &= left - 1) {
      const auto query = std::uint32_t(std::countr_zero(left));
      counts[ids[query]] = found[query];
    }
  }
  CLUSTERLOOM_INLINE void add(std::uint32_t query, std::uint32_t more) {
    found[query] += more;
    if (found[query] >= enough) lanes &= ~(1U << query);
  }

  const std::uint32_t enough;
  const std::span<std::uint32_t> counts;
  std::uint32_t all = 0;
  std::uint32_t found[kLeafSize];
};

struct RowsOfLeaf : SinkOfLeaf {
  RowsOfLeaf(const TreeJoin& of, std::span<const std::uint64_t> begins, std::int32_t* rows,
             const Task& stop)
      : SinkOfLeaf(of), offsets(begins), table(rows), task(stop) {}

  CLUSTERLOOM_INLINE bool begin(std::uint32_t leaf, std::uint32_t queries) {
    ids = join.queries().idsOf(leaf);
    lanes = queries;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto query = std::uint32_t(std::countr_zero(left));
      next[query] = table + offsets[ids[query]];
    }
    return true;
  }
  CLUSTERLOOM_INLINE bool takes(const TreeNode& node) {
    const std::uint32_t* first = join.points.ids.data() + node.firstPlace();
    const std::uint32_t* last = join.points.ids.data() + node.endPlace(join.points);
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      if (task.cancelled()) return true;  // a node may be the whole cloud
      const auto query = std::uint32_t(std::countr_zero(left));
      next[query] = std::copy(first, last, next[query]);
    }
    return true;
  }
  CLUSTERLOOM_INLINE bool hits(std::uint32_t query, std::uint32_t leaf, std::uint32_t bits,
                               const double*) {
    const std::uint32_t* found = join.points.idsOf(leaf);
    for (; bits != 0; bits &= bits - 1)
      *next[query]++ = std::int32_t(found[std::countr_zero(bits)]);
    return true;
  }

  const std::span<const std::uint64_t> offsets;
  std::int32_t* const table;
  const Task& task;
  std::int32_t* next[kLeafSize];
};

struct BinsOfLeaf : SinkOfLeaf {
  BinsOfLeaf(const TreeJoin& of, const DistanceBins& edges, std::span<std::uint64_t> answers)
      : SinkOfLeaf(of), bins(edges), counts(answers), found(edges.squared.size(), 0) {}
  BinsOfLeaf(const BinsOfLeaf&) = delete;
  BinsOfLeaf& operator=(const BinsOfLeaf&) = delete;
  ~BinsOfLeaf() {
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != 0)
        std::atomic_ref<std::uint64_t>(counts[i]).fetch_add(found[i], std::memory_order_relaxed);
  }

  CLUSTERLOOM_INLINE bool begin(std::uint32_t, std::uint32_t queries) {
    lanes = queries;
    return true;
  }
  CLUSTERLOOM_INLINE bool hits(std::uint32_t, std::uint32_t, std::uint32_t bits,
                               const double* squared) {
    for (; bits != 0; bits &= bits - 1)
      ++found[lowerBound(bins.squared.data(), std::uint32_t{0},
                         std::uint32_t(bins.squared.size()) - 1, squared[std::countr_zero(bits)])];
    return true;
  }

  const DistanceBins& bins;
  const std::span<std::uint64_t> counts;
  std::vector<std::uint64_t> found;
};

/// No label: above all others, so that the lowest can be compared as they are.
constexpr std::int32_t kUnlabelled = INT_MAX;

struct LowestOfLeaf : SinkOfLeaf {
  /// Labels of places and the lowest ones of nodes; kUnlabelled where there is none.
  struct Labels {
    LargeArray<std::int32_t> ofPlace;
    LargeArray<std::int32_t> ofNode;
  };

  LowestOfLeaf(const TreeJoin& of, const Labels& labelled, std::span<const std::uint8_t> asked,
               std::span<std::int32_t> answers)
      : SinkOfLeaf(of), given(labelled), asks(asked), labels(answers) {}

  CLUSTERLOOM_INLINE bool begin(std::uint32_t leaf, std::uint32_t queries) {
    ids = join.queries().idsOf(leaf);
    lanes = 0;
    for (std::uint32_t left = queries; left != 0; left &= left - 1) {
      const auto query = std::uint32_t(std::countr_zero(left));
      best[query] = kUnlabelled;
      if (asks.empty() || asks[ids[query]] != 0) lanes |= 1U << query;
    }
    highest = kUnlabelled;
    return lanes != 0;
  }
  CLUSTERLOOM_INLINE bool skips(const TreeNode& node) const {
    return given.ofNode[node.node] >= highest;
  }
  CLUSTERLOOM_INLINE bool takes(const TreeNode& node) {
    const std::int32_t label = given.ofNode[node.node];
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto query = std::uint32_t(std::countr_zero(left));
      best[query] = std::min(best[query], label);
    }
    findHighest();
    return true;
  }
  CLUSTERLOOM_INLINE bool hits(std::uint32_t query, std::uint32_t leaf, std::uint32_t bits,
                               const double*) {
    const std::int32_t* found = given.ofPlace.data() + std::size_t{leaf} * kLeafSize;
    std::int32_t least = best[query];
    for (; bits != 0; bits &= bits - 1) least = std::min(least, found[std::countr_zero(bits)]);
    if (least == best[query]) return true;
    best[query] = least;
    findHighest();
    return true;
  }
  CLUSTERLOOM_INLINE void finish() const {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto query = std::uint32_t(std::countr_zero(left));
      labels[ids[query]] = best[query] == kUnlabelled ? kNoise : best[query];
    }
  }
  CLUSTERLOOM_INLINE void findHighest() {
    highest = -1;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      highest = std::max(highest, best[std::countr_zero(left)]);
  }

  const Labels& given;
  const std::span<const std::uint8_t> asks;
  const std::span<std::int32_t> labels;
  std::int32_t highest = kUnlabelled;  ///< the largest of `best`
  std::int32_t best[kLeafSize];
};

LowestOfLeaf::Labels labelsOfTree(const LeafTree& tree, std::span<const std::int32_t> given) {
  LowestOfLeaf::Labels labels;
  labels.ofPlace.resize(std::size_t{tree.leaves} * kLeafSize);
  labels.ofNode.resize(tree.nodes());
  LargeArray<std::uint32_t> leafNodes(tree.leaves);
  findLeafNodes(0, 0, tree.leaves, leafNodes);
  parallelFor<std::uint32_t>(tree.leaves, 1024, [&](std::uint32_t leaf) {
    std::int32_t least = kUnlabelled;
    for (std::uint32_t lane = 0; lane < kLeafSize; ++lane) {
      const std::uint32_t id = tree.idsOf(leaf)[lane];
      const std::int32_t label = id == LeafTree::kNobody || given[id] < 0 ? kUnlabelled : given[id];
      labels.ofPlace[std::size_t{leaf} * kLeafSize + lane] = label;
      least = std::min(least, label);
    }
    labels.ofNode[leafNodes[leaf]] = least;
  });
  foldNodes(0, tree.leaves, [&](std::size_t node, std::size_t left, std::size_t right) {
    labels.ofNode[node] = std::min(labels.ofNode[left], labels.ofNode[right]);
  });
  return labels;
}

}  // namespace

Result<TreeJoin> prepareTreeJoin(const JoinInput& input, Metric metric, double squaredEps,
                                 const Task& task) {
  const std::size_t dims = input.points.dims();
  std::uint64_t bytes = leafTreePeakBytes(input.points.size(), dims);
  if (input.twoClouds)  // one is built after the other
    bytes = std::max(bytes, leafTreeBytes(input.points.size(), dims) +
                                leafTreePeakBytes(input.queries.size(), dims));
  if (const std::uint64_t available = availableMemory(); bytes > available)
    return tooLarge("The tree of " + std::to_string(input.points.size()) + " points needs " +
                    memoryText(bytes) + ", and " + memoryText(available) +
                    " are free. Use a smaller cloud, or for Euclidean distances the method grid.");
  TreeJoin join;
  join.twoClouds = input.twoClouds;
  join.squaredEps = squaredEps;
  auto points = buildLeafTree(input.points, {}, metric, task);
  if (!points) return tl::unexpected(points.error());
  join.points = std::move(*points);
  if (!input.twoClouds) return join;
  auto others = buildLeafTree(input.queries, {}, metric, task);
  if (!others) return tl::unexpected(others.error());
  join.others = std::move(*others);
  return join;
}

std::uint64_t countByTree(const TreeJoin& join, std::string_view stage, std::uint32_t enough,
                          std::span<std::uint32_t> counts, const Task& task) {
  return walkTree(join, stage, task, [&] { return CountOfLeaf(join, enough, counts); });
}

std::uint64_t fillByTree(const TreeJoin& join, std::span<const std::uint64_t> offsets,
                         std::int32_t* ids, const Task& task) {
  return walkTree(join, "filling", task, [&] { return RowsOfLeaf(join, offsets, ids, task); });
}

std::uint64_t binByTree(const TreeJoin& join, const DistanceBins& bins,
                        std::span<std::uint64_t> counts, const Task& task) {
  return walkTree(join, "counting", task, [&] { return BinsOfLeaf(join, bins, counts); });
}

std::uint64_t lowestByTree(const TreeJoin& join, std::span<const std::int32_t> given,
                           std::span<const std::uint8_t> asks, std::span<std::int32_t> labels,
                           const Task& task) {
  const LowestOfLeaf::Labels labelled = labelsOfTree(join.points, given);
  return walkTree(join, "border points", task,
                  [&] { return LowestOfLeaf(join, labelled, asks, labels); });
}

}  // namespace clusterloom
