#include "engine/hierarchy/border_lists.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <vector>

#include "engine/core/shared_progress.h"
#include "engine/hierarchy/range_maximum.h"

namespace clusterloom {
namespace {

// The lists decide border points for every ε, with e = fl(ε·ε):
//
// A point p that is not core at ε has fewer than minPts points within ε, itself included, so
// e < core(p). A point q ≠ p is core and within ε of p when t = max(d²(p, q), core(q)) ≤ e. Then
// d²(p, q) ≤ e < core(p), the distance of the minPts-th point of p's list. All points closer than
// that come before it in the list, whatever the order of equal distances: they are among the
// first minPts − 2 others. So the entries with t < core(p) among those decide, and points that tie
// with the end of the list do not matter.
//
// An entry (q, t) is left out when a kept one (r, s) has s ≤ t, and q and r are joined by tree
// edges of weight ≤ t. Wherever q counts, at e ≥ t, r counts as well and is in the same cluster,
// since the tree joins the core points of a cluster by edges of weight ≤ e.

constexpr std::uint32_t kLeaf = LeafTree::kLeaf;
constexpr std::uint32_t kLeavesAtOnce = 64;

struct Entry {
  double reach;
  std::uint32_t position;
  std::uint32_t valley;
};

struct Row {
  std::uint32_t point;
  std::uint32_t entries;
};

/// The rows of some leaves, one after another.
struct Rows {
  std::vector<Row> rows;
  std::vector<Entry> entries;
};

class Lister {
 public:
  explicit Lister(const BorderInput& input) : input_(input) {
    const std::size_t n = input.tree.points;
    positions_.resize(n);
    weights_.resize(n);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 16384), [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        positions_[i] = input.order.positions[input.tree.ids[i]];
        const std::uint32_t split = input.order.splits[i];
        weights_[i] = i == 0 ? 0 : input.dendrogram.squaredWeights[split];
      }
    });
    heaviest_ = RangeMaximum<double>(weights_);
  }

  Rows listRows(std::size_t begin, std::size_t end) const {
    Rows rows;
    std::vector<Entry> scratch;
    for (std::size_t place = begin; place < end; ++place) addRow(place, scratch, rows);
    return rows;
  }

 private:
  /// Whether the points of two entries are joined by tree edges up to the reach of the later one.
  /// Their core distances are not above it, so that points of one valley are.
  bool joined(const Entry& earlier, const Entry& later) const {
    if (earlier.valley == later.valley) return true;
    const auto [low, high] = std::minmax(earlier.position, later.position);
    return heaviest_.allAtMost(low + std::size_t{1}, high + std::size_t{1}, later.reach);
  }

  void addRow(std::size_t place, std::vector<Entry>& scratch, Rows& rows) const {
    const std::uint32_t point = input_.tree.ids[place];
    const double core = input_.spanning.core[place];
    constexpr std::size_t kAhead = 12;
    input_.lists.prefetch(place + kAhead);
    const double* distances = input_.lists.squaredDistancesOf(place);
    const std::uint32_t* listed = input_.lists.placesOf(place);
    const std::size_t others = static_cast<std::size_t>(input_.minPts) - 2;
    scratch.clear();
    for (std::size_t i = 0; i < others; ++i) {
      const double reach = std::max(distances[i], input_.spanning.core[listed[i]]);
      if (!(reach < core)) continue;
      // Few entries, in ascending order.
      const Entry entry{reach, positions_[listed[i]], input_.spanning.valley[listed[i]]};
      std::size_t at = scratch.size();
      scratch.push_back(entry);
      for (; at > 0 && isBefore(entry, scratch[at - 1]); --at) scratch[at] = scratch[at - 1];
      scratch[at] = entry;
    }
    if (scratch.empty()) return;
    const std::size_t first = rows.entries.size();
    for (const Entry& entry : scratch) {
      bool superfluous = false;
      for (std::size_t i = first; i < rows.entries.size() && !superfluous; ++i)
        superfluous = joined(rows.entries[i], entry);
      if (!superfluous) rows.entries.push_back(entry);
    }
    rows.rows.push_back({point, static_cast<std::uint32_t>(rows.entries.size() - first)});
  }

  static bool isBefore(const Entry& a, const Entry& b) {
    return a.reach < b.reach || (a.reach == b.reach && a.position < b.position);
  }

  const BorderInput& input_;
  LargeArray<std::uint32_t> positions_;  // in dendrogram order, by place
  LargeArray<double> weights_;           // of the splits
  RangeMaximum<double> heaviest_;
};

}  // namespace

bool buildBorderLists(const BorderInput& input, BorderLists& lists, const Task& task) {
  const LeafTree& tree = input.tree;
  lists.offsets.resize(tree.points + 1);
  std::fill(lists.offsets.begin(), lists.offsets.end(), 0);
  std::vector<Rows> parts;
  if (input.minPts > 2 && input.minPts <= static_cast<std::int64_t>(tree.points))
    parts.resize((tree.leaves + kLeavesAtOnce - 1) / kLeavesAtOnce);
  std::atomic<std::uint64_t> entries{0};
  {
    const Lister lister(input);
    SharedProgress progress(task, "listing border points", parts.size());
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
      if (task.cancelled()) return;
      const std::size_t begin = part * kLeavesAtOnce * kLeaf;
      parts[part] = lister.listRows(begin, std::min(tree.points, begin + kLeavesAtOnce * kLeaf));
      for (const Row& row : parts[part].rows) lists.offsets[row.point + 1] = row.entries;
      entries += parts[part].entries.size();
      progress.add(1);
    });
  }
  if (task.cancelled()) return false;
  if (entries > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
  for (std::size_t p = 0; p < tree.points; ++p) lists.offsets[p + 1] += lists.offsets[p];
  lists.squaredReach.resize(lists.offsets.back());
  lists.positions.resize(lists.offsets.back());
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    const Entry* entry = parts[part].entries.data();
    for (const Row& row : parts[part].rows) {
      std::uint32_t to = lists.offsets[row.point];
      for (std::uint32_t i = 0; i < row.entries; ++i, ++to, ++entry) {
        lists.squaredReach[to] = entry->reach;
        lists.positions[to] = entry->position;
      }
    }
    parts[part] = {};
  });
  return !task.cancelled();
}

}  // namespace clusterloom
