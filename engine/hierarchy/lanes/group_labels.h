#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/lanes/group_hierarchy.h"

// DBSCAN's labels at one ε from a hierarchy in the memory of a machine; hierarchy_labels.cpp does
// the same on the CPU.

namespace clusterloom {

/// A hierarchy and the state of a labelling, as plain pointers. A word has a bit for each of 32
/// positions or points.
struct LabellingView {
  std::uint32_t points = 0;
  std::uint32_t words = 0;
  double squaredEps = 0;
  const double* weights = nullptr;
  const std::uint32_t* splits = nullptr;
  const std::uint32_t* order = nullptr;
  const std::uint32_t* positions = nullptr;
  const double* squaredCore = nullptr;
  const double* firstReach = nullptr;
  const EarlyPoint* early = nullptr;
  const std::uint32_t* offsets = nullptr;
  const double* reaches = nullptr;
  const std::uint32_t* borders = nullptr;  ///< positions

  std::uint32_t* merged = nullptr;  ///< how many merges there are up to ε
  std::uint32_t* joined = nullptr;  ///< words: positions joined to the one before
  std::uint32_t* starts = nullptr;  ///< words: first positions of clusters
  std::uint32_t* before = nullptr;  ///< starts before each word, and of all
  std::uint32_t* lowest = nullptr;  ///< core point of each cluster, by its first position
  std::uint32_t* marks = nullptr;   ///< words: the lowest points
  std::uint32_t* ranks = nullptr;   ///< marks before each word
  std::int32_t* number = nullptr;   ///< of each cluster, by its first position
  std::int32_t* labels = nullptr;   ///< by point
  PointRole* roles = nullptr;

  /// The cluster of a core point at a position.
  CLUSTERLOOM_LANE std::uint32_t clusterAt(std::uint32_t position) const {
    const std::uint32_t upTo = starts[position / 32] & (~std::uint32_t{0} >> (31 - position % 32));
    return before[position / 32] + bitCount(upTo) - 1;
  }
};

/// One warp searches for the number of merges up to ε.
struct FindMerged {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t) const {
    std::uint32_t low = 0;
    std::uint32_t high = v.points - 1;
    while (low < high) {
      const std::uint32_t step = (high - low + 31) / 32;
      const std::uint64_t probe = low + std::uint64_t{lane.id()} * step;
      const bool within = probe < high && v.weights[probe] <= v.squaredEps;
      const std::uint32_t count = bitCount(lane.ballot(kAllLanes, within));
      if (count == 0) break;
      const std::uint64_t end = low + std::uint64_t{count} * step;
      low += (count - 1) * step + 1;
      if (end < high) high = std::uint32_t(end);
    }
    if (lane.id() == 0) *v.merged = low;
  }
};

/// Runs of joined positions, a warp a word.
struct MarkRuns {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t word) const {
    const std::uint32_t merged = *v.merged;
    const std::uint32_t position = word * 32 + lane.id();
    const std::uint32_t joined =
        lane.ballot(kAllLanes, position < v.points && v.splits[position] < merged);
    if (lane.id() != 0) return;
    const std::uint64_t after = std::uint64_t{word} * 32 + 32;
    const bool next = after < v.points && v.splits[after] < merged;
    v.joined[word] = joined;
    v.starts[word] = ~joined & (joined >> 1 | std::uint32_t(next) << 31);
  }
};

/// Points that are core but not joined to others yet.
struct MarkEarly {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    const EarlyPoint early = v.early[i];
    if (!(early.squaredCore <= v.squaredEps) || early.merge < *v.merged) return;
    const std::uint32_t position = v.positions[early.point];
    lane.add(v.starts + position / 32, std::uint32_t{1} << position % 32);  // not marked yet
  }
};

struct CountBits {
  const std::uint32_t* words;
  std::uint32_t* counts;
  std::uint32_t size;  ///< of words; there is one count more

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    counts[i] = i < size ? bitCount(words[i]) : 0;
  }
};

struct BeginClusters {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t word) const {
    v.marks[word] = 0;
    for (std::uint32_t c = v.before[word]; c < v.before[word + 1]; ++c)
      v.lowest[c] = GroupTreeView::kNobody;
  }
};

/// The lowest core point of each cluster, a warp a word of positions.
struct FindLowest {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t word) const {
    const std::uint32_t joined = v.joined[word];
    const std::uint32_t starts = v.starts[word];
    if ((joined | starts) == 0) return;
    // A run's positions are its start and the joined ones.
    const bool inside = ((joined | starts) >> lane.id() & 1) != 0;
    const std::uint32_t position = word * 32 + lane.id();
    std::uint32_t point = inside ? v.order[position] : GroupTreeView::kNobody;
    const std::uint32_t cluster = inside ? v.clusterAt(position) : 0;
    // Most words lie within one cluster.
    if (joined == kAllLanes) {
      point = overWarp(lane, point, Minimum());
      if (lane.id() != 0) return;
    } else if (!inside) {
      return;
    }
    if (point < lane.load(v.lowest + cluster)) lane.least(v.lowest + cluster, point);
  }
};

/// Marks the lowest points of the clusters that start in a word.
struct MarkLowest {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t word) const {
    for (std::uint32_t c = v.before[word]; c < v.before[word + 1]; ++c)
      lane.add(v.marks + v.lowest[c] / 32, std::uint32_t{1} << v.lowest[c] % 32);
  }
};

/// Numbers clusters in the order of their lowest core points.
struct NumberClusters {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t word) const {
    for (std::uint32_t c = v.before[word]; c < v.before[word + 1]; ++c) {
      const std::uint32_t low = v.lowest[c];
      const std::uint32_t below = v.marks[low / 32] & ((std::uint32_t{1} << low % 32) - 1);
      v.number[c] = std::int32_t(v.ranks[low / 32] + bitCount(below));
    }
  }
};

struct LabelPoints {
  LabellingView v;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t point) const {
    std::int32_t label = kNoise;
    PointRole role = PointRole::Noise;
    if (v.squaredCore[point] <= v.squaredEps) {
      role = PointRole::Core;
      label = v.number[v.clusterAt(v.positions[point])];
    } else if (v.firstReach[point] <= v.squaredEps) {
      // The lowest number among the core points within ε (border_lists.cpp has the proof).
      role = PointRole::Border;
      std::uint32_t entry = v.offsets[point];
      const std::uint32_t after = v.offsets[point + 1];
      label = v.number[v.clusterAt(v.borders[entry])];
      while (++entry < after && v.reaches[entry] <= v.squaredEps)
        label = Minimum()(label, v.number[v.clusterAt(v.borders[entry])]);
    }
    v.labels[point] = label;
    v.roles[point] = role;
  }
};

/// Labels in the memory of a machine, with the buffers for finding them again for another ε.
template <class Machine>
struct GroupLabels {
  template <class T>
  using Array = typename Machine::template Array<T>;
  Array<std::int32_t> labels;
  Array<PointRole> roles;
  Array<std::uint32_t> scratch;
  Array<std::int32_t> number;
};

/// Labels and roles of all points at ε, given fl(ε·ε), equal to those of Hierarchy::labels.
/// `labels` is filled again where it has been used for this hierarchy before.
template <class Machine>
void labelGroups(Machine& machine, const GroupHierarchy<Machine>& from, double squaredEps,
                 GroupLabels<Machine>& labels) {
  const std::size_t n = from.borders.squaredCore.size();
  const std::size_t words = (n + 31) / 32;
  if (labels.labels.size() != n) {
    labels.labels = machine.template make<std::int32_t>(n);
    labels.roles = machine.template make<PointRole>(n);
    labels.number = machine.template make<std::int32_t>(n);
    labels.scratch = machine.template make<std::uint32_t>(5 * (words + 1) + n + 1);
  }
  LabellingView v;
  v.points = std::uint32_t(n);
  v.words = std::uint32_t(words);
  v.squaredEps = squaredEps;
  v.weights = from.dendrogram.weights.data();
  v.splits = from.dendrogram.splits.data();
  v.order = from.dendrogram.order.data();
  v.positions = from.dendrogram.positions.data();
  v.squaredCore = from.borders.squaredCore.data();
  v.firstReach = from.borders.firstReach.data();
  v.early = from.borders.early.data();
  v.offsets = from.borders.offsets.data();
  v.reaches = from.borders.squaredReach.data();
  v.borders = from.borders.positions.data();
  std::uint32_t* scratch = labels.scratch.data();
  v.joined = scratch;
  v.starts = scratch + (words + 1);
  v.before = scratch + 2 * (words + 1);
  v.marks = scratch + 3 * (words + 1);
  v.ranks = scratch + 4 * (words + 1);
  v.merged = scratch + 5 * (words + 1);
  v.lowest = v.merged + 1;
  v.number = labels.number.data();
  v.labels = labels.labels.data();
  v.roles = labels.roles.data();

  machine.warps(1, FindMerged{v});
  machine.warps(words, MarkRuns{v});
  machine.each(from.borders.early.size(), MarkEarly{v});
  machine.each(words + 1, CountBits{v.starts, v.before, v.words});
  machine.exclusiveScan(v.before, v.before, words + 1);
  machine.each(words, BeginClusters{v});
  machine.warps(words, FindLowest{v});
  machine.each(words, MarkLowest{v});
  machine.each(words + 1, CountBits{v.marks, v.ranks, v.words});
  machine.exclusiveScan(v.ranks, v.ranks, words + 1);
  machine.each(words, NumberClusters{v});
  machine.each(n, LabelPoints{v});
  machine.stage("labels");
}

}  // namespace clusterloom
