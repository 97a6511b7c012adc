#include "engine/ego/ego_index.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "engine/core/parallel_for.h"
#include "engine/grid/cell_geometry.h"
#include "engine/grid/dimension_order.h"
#include "engine/grid/sort_by_key.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPointsPerBlock = 4096;

/// Cell coordinate of each point in one dimension, and how many bits the largest has.
struct CellColumn {
  std::vector<std::uint32_t> cells;
  int bits = 0;
};

Result<CellColumn> cellColumn(const PointCloud& cloud, const Bounds& bounds, double eps, int dim,
                              const Task& task) {
  const auto geometry = makeCellGeometry(cloud, bounds, eps, 1, {dim}, task);
  if (!geometry) return tl::unexpected(geometry.error());
  CellColumn column{std::vector<std::uint32_t>(cloud.size()),
                    int(std::bit_width(geometry->extent[0] - 1))};
  parallelForBlocks(cloud.size(), kPointsPerBlock, [&](std::size_t begin, std::size_t end) {
    withValues(cloud.columns[std::size_t(dim)], [&](const auto& x) {
      for (std::size_t p = begin; p < end; ++p) column.cells[p] = geometry->coordinate(x[p], 0);
    });
  });
  return column;
}

/// EGO-sort: the points by their cell coordinates, the first column slowest, ties by point id. The
/// columns are packed into as few 64-bit keys as they fill, and sorted by them from the last on.
Result<std::vector<std::uint32_t>> egoSort(const std::vector<CellColumn>& columns,
                                           const Task& task) {
  const std::size_t n = columns.front().cells.size();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint64_t> keys(n);
  for (std::size_t end = columns.size(); end > 0;) {
    std::size_t begin = end;
    int bits = 0;
    while (begin > 0 && bits + columns[begin - 1].bits <= 64) bits += columns[--begin].bits;
    parallelForBlocks(n, kPointsPerBlock, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        std::uint64_t key = 0;
        for (std::size_t c = begin; c < end; ++c)
          key = key << columns[c].bits | columns[c].cells[order[i]];
        keys[i] = key;
      }
    });
    const std::uint64_t largest = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    if (!sortByKey(keys, order, largest, task)) return cancelledError();
    end = begin;
  }
  return order;
}

template <class Values>
auto inOrder(const Values& values, const std::vector<std::uint32_t>& order) {
  std::vector<std::decay_t<decltype(values[0])>> ordered(order.size());
  parallelForBlocks(order.size(), kPointsPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ordered[i] = values[order[i]];
  });
  return ordered;
}

void addSequences(std::vector<EgoSequence>& sequences, std::uint32_t begin, std::uint32_t end) {
  const std::size_t number = sequences.size();
  sequences.push_back({begin, end, 0});
  if (end - begin < EgoIndex::kShortest) return;
  const std::uint32_t middle = begin + (end - begin) / 2;
  addSequences(sequences, begin, middle);
  sequences[number].right = std::uint32_t(sequences.size());
  addSequences(sequences, middle, end);
}

}  // namespace

Result<EgoIndex> buildEgoIndex(const PointCloud& cloud, double eps, const Task& task) {
  EgoIndex index;
  index.dims = dimensionsByMeanStep(cloud);
  index.wide =
      int(std::ranges::count_if(meanSteps(cloud), [&](double step) { return step >= eps / 2; }));
  const Bounds bounds = boundsOf(cloud);
  std::vector<CellColumn> columns;
  for (std::size_t i = 0; i < index.dims.size(); ++i) {
    task.report("EGO-sort", double(i) / double(2 * index.dims.size()));
    auto column = cellColumn(cloud, bounds, eps, index.dims[i], task);
    if (!column) return tl::unexpected(column.error());
    columns.push_back(std::move(*column));
    if (task.cancelled()) return cancelledError();
  }
  task.report("EGO-sort", 0.5);
  auto order = egoSort(columns, task);
  if (!order) return tl::unexpected(order.error());
  index.pointIds = std::move(*order);
  index.ordered.names = cloud.names;
  for (const Coordinates& column : cloud.columns) {
    if (task.cancelled()) return cancelledError();
    index.ordered.columns.push_back(
        withValues(column, [&](const auto& x) { return inOrder(x, index.pointIds); }));
  }
  for (CellColumn& column : columns) {
    if (task.cancelled()) return cancelledError();
    index.cellOf.push_back(inOrder(column.cells, index.pointIds));
    column.cells = {};
  }
  addSequences(index.sequences, 0, std::uint32_t(cloud.size()));
  index.cells.resize(index.sequences.size() * index.dims.size());
  for (std::size_t s = 0; s < index.sequences.size(); ++s)
    for (std::size_t i = 0; i < index.dims.size(); ++i)
      index.cells[s * index.dims.size() + i] = {index.cellOf[i][index.sequences[s].begin],
                                                index.cellOf[i][index.sequences[s].end - 1]};
  if (task.cancelled()) return cancelledError();
  return index;
}

}  // namespace clusterloom
