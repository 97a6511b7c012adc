#include "engine/hierarchy/border_lists.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/core/shared_progress.h"

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

bool joined(const BorderInput& input, std::uint32_t a, std::uint32_t b, double weight) {
  if (a == b) return true;
  const auto [low, high] = std::minmax(a, b);
  const std::uint32_t merge = input.splits(low + 1, high + 1);
  return input.dendrogram.squaredWeights[merge] <= weight;
}

void addRow(const BorderInput& input, std::size_t place, std::vector<Entry>& scratch, Rows& rows) {
  const std::uint32_t point = input.tree.ids[place];
  const double core = input.squaredCore[point];
  const auto distances = input.nearest.squaredDistancesOf(point);
  const std::uint32_t* listed =
      input.listed.data() + place * (static_cast<std::size_t>(input.nearest.k) - 1);
  const std::size_t others = static_cast<std::size_t>(input.minPts) - 2;
  scratch.clear();
  for (std::size_t i = 0; i < others; ++i) {
    const std::uint32_t other = input.tree.ids[listed[i]];
    const double reach = std::max(distances[i + 1], input.squaredCore[other]);
    if (reach < core) scratch.push_back({reach, input.order.positions[other]});
  }
  if (scratch.empty()) return;
  std::sort(scratch.begin(), scratch.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.reach, a.position) < std::pair(b.reach, b.position);
  });
  const std::size_t first = rows.entries.size();
  for (const Entry& entry : scratch) {
    const bool superfluous =
        std::any_of(rows.entries.begin() + static_cast<std::ptrdiff_t>(first), rows.entries.end(),
                    [&](const Entry& kept) {
                      return joined(input, kept.position, entry.position, entry.reach);
                    });
    if (!superfluous) rows.entries.push_back(entry);
  }
  rows.rows.push_back({point, static_cast<std::uint32_t>(rows.entries.size() - first)});
}

}  // namespace

bool buildBorderLists(const BorderInput& input, BorderLists& lists, const Task& task) {
  const LeafTree& tree = input.tree;
  lists.offsets.resize(tree.points + 1);
  std::fill(lists.offsets.begin(), lists.offsets.end(), 0);
  std::vector<Rows> parts;
  if (input.minPts > 2 && input.minPts <= static_cast<std::int64_t>(tree.points))
    parts.resize((tree.leaves + kLeavesAtOnce - 1) / kLeavesAtOnce);
  SharedProgress progress(task, "listing border points", parts.size());
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    if (task.cancelled()) return;
    std::vector<Entry> scratch;
    const std::size_t begin = part * kLeavesAtOnce * kLeaf;
    const std::size_t end = std::min(tree.points, begin + kLeavesAtOnce * kLeaf);
    for (std::size_t place = begin; place < end; ++place)
      addRow(input, place, scratch, parts[part]);
    for (const Row& row : parts[part].rows) lists.offsets[row.point + 1] = row.entries;
    progress.add(1);
  });
  if (task.cancelled()) return false;
  for (std::size_t p = 0; p < tree.points; ++p) lists.offsets[p + 1] += lists.offsets[p];
  lists.squaredReach.resize(lists.offsets.back());
  lists.positions.resize(lists.offsets.back());
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    const Entry* entry = parts[part].entries.data();
    for (const Row& row : parts[part].rows) {
      std::uint64_t to = lists.offsets[row.point];
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
