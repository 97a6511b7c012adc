#include "engine/dbscan/search_bound.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/grid/dimension_order.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kMostSearches = std::uint64_t{1} << 20;  // of rows of adjacent cells
constexpr std::size_t kMostDims = 6;

PointCloud corePoints(const PointCloud& cloud, std::span<const std::uint32_t> degrees,
                      std::uint32_t minPts) {
  PointCloud core;
  core.columns.resize(cloud.dims());
  for (std::size_t j = 0; j < cloud.dims(); ++j)
    for (std::size_t p = 0; p < cloud.size(); ++p)
      if (degrees[p] >= minPts) core.columns[j].push_back(cloud.columns[j][p]);
  return core;
}

// Cells over as many dimensions as can be searched; more dimensions separate more points.
Result<GridIndex> cellsOf(const PointCloud& core, double eps, const Task& task) {
  const std::vector<int> order = dimensionsByVariance(core);
  for (std::size_t k = std::min(core.dims(), kMostDims);; --k) {
    auto index = buildGridIndex(
        core, {.eps = eps, .reach = 1, .dims = {order.begin(), order.begin() + k}}, task);
    if (!index || k == 1) return index;
    std::uint64_t searches = index->cells();
    for (std::size_t i = 1; i < k; ++i) searches *= 3;
    if (searches <= kMostSearches) return index;
  }
}

}  // namespace

Result<std::uint64_t> leastPasses(const PointCloud& cloud, double eps,
                                  std::span<const std::uint32_t> degrees, std::uint32_t minPts,
                                  const Task& task) {
  const PointCloud core = corePoints(cloud, degrees, minPts);
  if (core.size() == 0) return 0;
  const auto index = cellsOf(core, eps, task);
  if (!index) return tl::unexpected(index.error());
  const RowWindow window = makeRowWindow(index->geometry);
  // Points are ascending within a cell: the first is the cell's lowest. Cells by their lowest core
  // points, so that each component is entered at the cell of its lowest core point.
  std::vector<std::uint32_t> entries(index->cells());
  std::iota(entries.begin(), entries.end(), 0U);
  const auto lowest = [&](std::uint32_t cell) { return index->pointIds[index->cellStart[cell]]; };
  std::sort(entries.begin(), entries.end(),
            [&](std::uint32_t a, std::uint32_t b) { return lowest(a) < lowest(b); });

  std::vector<bool> reached(index->cells(), false);
  std::vector<std::uint32_t> level;
  std::vector<std::uint32_t> next;
  std::uint64_t passes = 0;
  for (const std::uint32_t entry : entries) {
    if (reached[entry]) continue;
    reached[entry] = true;
    level.assign(1, entry);
    std::uint64_t depth = 0;  // D
    std::uint64_t points = 0;
    for (;; ++depth) {
      next.clear();
      for (const std::uint32_t cell : level) {
        if ((points & 0xfff) == 0 && task.cancelled()) return cancelledError();
        points += index->cellStart[cell + 1] - index->cellStart[cell];
        for (const std::int64_t offset : window.offsets) {
          const auto centre = std::int64_t(index->cellIds[cell]) + offset;
          std::size_t at = index->firstCellFrom(std::uint64_t(centre - window.reach));
          for (; at < index->cells() && std::int64_t(index->cellIds[at]) <= centre + window.reach;
               ++at) {
            if (reached[at]) continue;
            reached[at] = true;
            next.push_back(std::uint32_t(at));
          }
        }
      }
      if (next.empty()) break;
      std::swap(level, next);
    }
    if (points > 1) depth = std::max<std::uint64_t>(depth, 1);
    passes += std::min(depth + 2, (depth + 2) / 2 + 3);  // (D + 1) / 2, rounded up, is (D + 2) / 2
  }
  return passes;
}

}  // namespace clusterloom
