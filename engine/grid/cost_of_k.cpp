#include "engine/grid/cost_of_k.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/predicate.h"
#include "engine/grid/dimension_order.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"

namespace clusterloom {
namespace {

constexpr std::size_t kSample = 256;  // query points whose candidates are counted

// Cells of the first k indexed dimensions, as ranges of the index's cells: the linear id's slowest
// dimensions come first, so every prefix is a range of the one sort.
std::uint64_t distinctPrefixes(const GridIndex& index, std::uint64_t stride) {
  std::uint64_t count = 0;
  std::uint64_t previous = 0;
  for (const std::uint64_t id : index.cellIds) {
    const std::uint64_t prefix = id / stride;
    count += count == 0 || prefix != previous;
    previous = prefix;
  }
  return count;
}

std::uint64_t candidatesOf(const GridIndex& index, const RowWindow& window, std::uint64_t stride,
                           std::size_t cell) {
  std::uint64_t candidates = 0;
  const std::uint64_t prefix = index.cellIds[cell] / stride;
  for (const std::int64_t offset : window.offsets) {
    const std::int64_t row = static_cast<std::int64_t>(prefix) + offset;
    const std::size_t first = index.firstCellFrom(static_cast<std::uint64_t>(row - 1) * stride);
    const std::size_t last = index.firstCellFrom(static_cast<std::uint64_t>(row + 2) * stride);
    candidates += index.cellStart[last] - index.cellStart[first];
  }
  return candidates;
}

// The geometry of the first k indexed dimensions alone, for its row offsets.
CellGeometry prefixOf(const CellGeometry& geometry, std::size_t k) {
  CellGeometry prefix = geometry;
  prefix.dims.resize(k);
  for (auto& stride : prefix.stride) stride /= geometry.stride[k - 1];
  return prefix;
}

}  // namespace

Result<CostModel> costOfK(const PointCloud& cloud, double eps, const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  if (auto squared = epsSquared(eps); !squared) return tl::unexpected(squared.error());
  CostModel model;
  if (task.cancelled()) return cancelledError();
  model.dimensionOrder = dimensionsByVariance(cloud);
  const std::size_t most = std::min<std::size_t>(cloud.dims(), 8);
  auto index =
      buildGridIndex(cloud,
                     {.eps = eps,
                      .reach = 1,
                      .dims = {model.dimensionOrder.begin(), model.dimensionOrder.begin() + most}},
                     task);
  if (!index) return tl::unexpected(index.error());

  const std::size_t n = cloud.size();
  const std::size_t sample = std::min(n, kSample);
  const std::vector<std::uint32_t> cellOf = index->cellOfPosition();
  for (std::size_t k = 1; k <= most; ++k) {
    const std::uint64_t stride = index->geometry.stride[k - 1];
    const RowWindow window = makeRowWindow(prefixOf(index->geometry, k));
    std::vector<std::uint64_t> candidates(sample, 0);
    tbb::parallel_for(std::size_t{0}, sample, [&](std::size_t i) {
      if (!task.cancelled())
        candidates[i] = candidatesOf(*index, window, stride, cellOf[i * n / sample]);
    });
    if (task.cancelled()) return cancelledError();
    double sum = 0;
    for (const std::uint64_t c : candidates) sum += static_cast<double>(c);
    const std::uint64_t cells = distinctPrefixes(*index, stride);
    CostOfK cost;
    cost.k = static_cast<int>(k);
    cost.cellSearchOps =
        static_cast<double>(n) * std::pow(3.0, static_cast<double>(k)) *
        static_cast<double>(std::max(1, static_cast<int>(std::bit_width(cells - 1))));
    cost.distanceOps = sum * static_cast<double>(cloud.dims()) * static_cast<double>(n) /
                       static_cast<double>(sample);
    model.costs.push_back(cost);
  }
  model.best =
      std::min_element(model.costs.begin(), model.costs.end(),
                       [](const CostOfK& a, const CostOfK& b) { return a.total() < b.total(); })
          ->k;
  return model;
}

}  // namespace clusterloom
