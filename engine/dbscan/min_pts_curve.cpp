#include "engine/dbscan/min_pts_curve.h"

#include <algorithm>
#include <numeric>

#include "engine/core/disjoint_sets.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kStopPairs = std::uint64_t{1} << 20;  // between two looks at the task

/// Points by descending number of neighbours.
std::vector<std::uint32_t> byNeighbours(const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  return order;
}

}  // namespace

Result<MinPtsCurve> minPtsCurve(const NeighbourTable& table, const Task& task) {
  const std::size_t n = table.offsets.empty() ? 0 : table.offsets.size() - 1;
  std::vector<std::uint32_t> counts(n);
  for (std::size_t p = 0; p < n; ++p)
    counts[p] = std::uint32_t(table.offsets[p + 1] - table.offsets[p]);
  const std::vector<std::uint32_t> order = byNeighbours(counts);

  // A point is noise for every minPts above the largest number of neighbours around it: `reach`.
  std::vector<std::uint32_t> reach(n, 0);
  std::vector<std::uint32_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0U);
  MinPtsCurve curve;
  SerialLane lane;
  std::uint32_t clusters = 0;
  std::uint64_t pairs = 0;
  std::uint64_t nextLook = kStopPairs;
  for (std::size_t i = 0; i < n;) {
    const std::uint32_t level = counts[order[i]];
    for (; i < n && counts[order[i]] == level; ++i) {
      const std::uint32_t p = order[i];
      ++clusters;
      for (std::uint64_t k = table.offsets[p]; k < table.offsets[p + 1]; ++k) {
        const auto q = std::uint32_t(table.ids[k]);
        reach[p] = std::max(reach[p], counts[q]);
        // Of two with equal numbers the later one in the order finds the earlier one.
        const bool isCore = counts[q] > level || (counts[q] == level && q < p);
        if (isCore && unite(lane, parent.data(), p, q)) --clusters;
      }
      pairs += counts[p];
      if (pairs < nextLook) continue;
      nextLook = pairs + kStopPairs;
      if (task.cancelled()) return cancelledError();
      task.report("uniting", double(pairs) / double(table.ids.size()));
    }
    curve.minPts.push_back(level);  // up to here; turned into "from here" below
    curve.clusters.push_back(clusters);
    curve.core.push_back(std::uint32_t(i));
  }
  if (task.cancelled()) return cancelledError();

  std::sort(reach.begin(), reach.end());
  for (const std::uint64_t level : curve.minPts)
    curve.noise.push_back(
        std::uint32_t(std::lower_bound(reach.begin(), reach.end(), level) - reach.begin()));
  for (auto* column : {&curve.clusters, &curve.core, &curve.noise})
    std::reverse(column->begin(), column->end());
  std::reverse(curve.minPts.begin(), curve.minPts.end());
  // A row for "at most m" begins where the one before it ends.
  curve.minPts.push_back(0);
  std::rotate(curve.minPts.begin(), curve.minPts.end() - 1, curve.minPts.end());
  for (std::uint64_t& from : curve.minPts) ++from;
  curve.clusters.push_back(0);
  curve.core.push_back(0);
  curve.noise.push_back(std::uint32_t(n));
  return curve;
}

}  // namespace clusterloom
