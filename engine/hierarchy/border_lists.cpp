#include "engine/hierarchy/border_lists.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <vector>

#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/hierarchy/range_maximum.h"

namespace clusterloom {
namespace {

// The lists decide border points for every ε, with e = fl(ε·ε):
//
// A point p that is not core at ε has fewer than minPts points within ε, itself included, so
// e < core(p). A point q ≠ p is core and within ε of p when t = max(d²(p, q), core(q)) ≤ e. Then
// d²(p, q) ≤ e < core(p), the distance of the minPts-th point of p's list. All points closer than
// that come before it in the list, in any order of equal distances: they are among the
// first minPts − 2 others. So the entries with t < core(p) among those decide, and points that tie
// with the end of the list do not matter.
//
// An entry (q, t) is left out when a kept one (r, s) has s ≤ t, and q and r are joined by tree
// edges of weight ≤ t. Wherever q counts, at e ≥ t, r counts as well and is in the same cluster,
// since the tree joins the core points of a cluster by edges of weight ≤ e.

constexpr std::uint32_t kBorderLeavesAtOnce = 64;
constexpr std::size_t kBorderPlacesAhead = 12;  // places between fetching a row and reading it

struct Entry {
  double reach;
  std::uint32_t position;
};

/// An entry before it is known to be needed.
struct Candidate {
  double reach;
  std::uint32_t place;
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
    parallelFor(n, 16384, [&](std::size_t i) {
      positions_[i] = input.order.positions[input.tree.ids[i]];
      const std::uint32_t split = input.order.splits[i];
      weights_[i] = i == 0 ? 0 : input.dendrogram.squaredWeights[split];
    });
    heaviest_ = RangeMaximum<double>(weights_);
  }

  Rows listRows(std::size_t begin, std::size_t end) const {
    Rows rows;
    std::vector<Candidate> candidates(std::size_t(input_.minPts));
    for (std::size_t place = begin; place < end; ++place) addRow(place, candidates.data(), rows);
    return rows;
  }

 private:
  /// Whether the points of two entries are joined by tree edges up to the reach of the later one.
  bool joined(const Entry& earlier, const Entry& later) const {
    const auto [low, high] = std::minmax(earlier.position, later.position);
    return heaviest_.allAtMost(low + std::size_t{1}, high + std::size_t{1}, later.reach);
  }

  /// The entries below the core distance of a place. Returns how many there are.
  std::size_t candidatesOf(std::size_t place, Candidate* candidates) const {
    const double core = input_.spanning.core[place];
    const std::uint32_t* listed = input_.lists.placesOf(place);
    const std::size_t others = std::size_t(input_.minPts) - 2;
    const double* distances = input_.lists.squaredDistancesOf(place);
    input_.lists.prefetch(place + kBorderPlacesAhead);
    std::size_t count = 0;
    for (std::size_t i = 0; i < others; ++i) {
      const double reach = std::max(distances[i], input_.spanning.core[listed[i]]);
      candidates[count] = {reach, listed[i]};
      count += reach < core;
    }
    return count;
  }

  /// `candidates`: room for minPts of them.
  void addRow(std::size_t place, Candidate* candidates, Rows& rows) const {
    std::size_t count = candidatesOf(place, candidates);
    if (count == 0) return;
    const std::size_t first = rows.entries.size();
    while (count > 0) {
      std::size_t least = 0;
      for (std::size_t i = 1; i < count; ++i)
        least = candidates[i].reach < candidates[least].reach ? i : least;
      const std::uint32_t valley = input_.spanning.valley[candidates[least].place];
      const Entry entry{candidates[least].reach, positions_[candidates[least].place]};
      bool superfluous = false;
      for (std::size_t i = first; i < rows.entries.size() && !superfluous; ++i)
        superfluous = joined(rows.entries[i], entry);
      if (!superfluous) rows.entries.push_back(entry);
      // Later ones of the same valley are joined to this one by the larger of the core distances,
      // which is not above their reach.
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; ++i) {
        candidates[left] = candidates[i];
        left += input_.spanning.valley[candidates[i].place] != valley;
      }
      count = left;
    }
    rows.rows.push_back({input_.tree.ids[place], std::uint32_t(rows.entries.size() - first)});
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
  if (input.minPts > 2 && input.minPts <= std::int64_t(tree.points))
    parts.resize((tree.leaves + kBorderLeavesAtOnce - 1) / kBorderLeavesAtOnce);
  std::atomic<std::uint64_t> entries{0};
  {
    const Lister lister(input);
    SharedProgress progress(task, "listing border points", parts.size());
    parallelFor(parts.size(), 1, [&](std::size_t part) {
      if (task.cancelled()) return;
      const std::size_t begin = part * kBorderLeavesAtOnce * kLeafSize;
      parts[part] =
          lister.listRows(begin, std::min(tree.points, begin + kBorderLeavesAtOnce * kLeafSize));
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
  parallelFor(parts.size(), 1, [&](std::size_t part) {
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
