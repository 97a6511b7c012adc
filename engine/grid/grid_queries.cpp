#include "engine/grid/grid_queries.h"

#include <algorithm>
#include <numeric>

#include "engine/core/chunks.h"
#include "engine/grid/sort_by_key.h"

namespace clusterloom {
namespace {

constexpr std::size_t kQueriesPerBlock = 16384;

}  // namespace

void queryCellIds(const CellGeometry& geometry, const Bounds& bounds, double squaredEps,
                  const PointCloud& queries, std::size_t begin, std::span<std::uint64_t> ids) {
  const auto clamped = [&](std::size_t j, double x) {
    return std::min(std::max(x, bounds.low[j]), bounds.high[j]);
  };
  PointCloud inside;  // the indexed dimensions of the clamped queries
  inside.columns.resize(queries.dims());
  for (const int dim : geometry.dims) {
    const auto j = std::size_t(dim);
    std::vector<double>& column = inside.columns[j].own();
    column.resize(ids.size());
    withValues(queries.columns[j], [&](const auto& x) {
      for (std::size_t p = 0; p < ids.size(); ++p) column[p] = clamped(j, x[begin + p]);
    });
  }
  geometry.linearIds(inside, 0, ids);
  std::vector<double> sums(ids.size(), 0);
  for (std::size_t j = 0; j < queries.dims(); ++j)
    withValues(queries.columns[j], [&](const auto& x) {
      for (std::size_t p = 0; p < ids.size(); ++p) {
        const double difference = x[begin + p] - clamped(j, x[begin + p]);
        sums[p] += difference * difference;
      }
    });
  for (std::size_t p = 0; p < ids.size(); ++p)
    if (sums[p] > squaredEps) ids[p] = kNoCell;
}

Result<GridQueries> addQueries(const PointCloud& queries, const Bounds& bounds, double squaredEps,
                               GridIndex& index, const Task& task) {
  const std::size_t n = queries.size();
  std::vector<std::uint64_t> all(n);
  std::vector<std::size_t> before(chunksOf(n, kQueriesPerBlock) + 1, 0);
  forChunks(n, kQueriesPerBlock, [&](std::size_t b, std::size_t begin, std::size_t end) {
    if (task.cancelled()) return;
    const auto ids = std::span(all).subspan(begin, end - begin);
    queryCellIds(index.geometry, bounds, squaredEps, queries, begin, ids);
    before[b + 1] = std::size_t(
        std::count_if(ids.begin(), ids.end(), [](std::uint64_t id) { return id != kNoCell; }));
  });
  if (task.cancelled()) return cancelledError();
  std::partial_sum(before.begin(), before.end(), before.begin());
  std::vector<std::uint64_t> ids(before.back());
  std::vector<std::uint32_t> points(before.back());  // by rank
  forChunks(n, kQueriesPerBlock, [&](std::size_t b, std::size_t begin, std::size_t end) {
    std::size_t to = before[b];
    for (std::size_t p = begin; p < end; ++p)
      if (all[p] != kNoCell) {
        ids[to] = all[p];
        points[to++] = std::uint32_t(p);
      }
  });
  GridQueries result;
  result.ranks.resize(ids.size());
  std::iota(result.ranks.begin(), result.ranks.end(), 0U);
  if (!sortByKey(ids, result.ranks, index.geometry.linearIds() - 1, task)) return cancelledError();
  result.pointIds.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) result.pointIds[i] = points[result.ranks[i]];
  const std::size_t first = index.size();
  result.cells = cellRunsOf(ids, std::uint32_t(first));
  for (std::size_t j = 0; j < queries.dims(); ++j) {
    if (task.cancelled()) return cancelledError();
    std::vector<double>& to = index.ordered.columns[j];
    to.resize(first + ids.size());
    withValues(queries.columns[j], [&](auto from) {
      forChunks(ids.size(), kQueriesPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) to[first + i] = from[result.pointIds[i]];
      });
    });
  }
  return result;
}

QueryCells queryCells(const GridIndex& index, const GridQueries& queries) {
  return {.firstQuery = std::uint32_t(index.size()),
          .firstCell = std::uint32_t(index.cells()),
          .pointIds = queries.pointIds,
          .ranks = queries.ranks,
          .ids = queries.cells.ids,
          .start = queries.cells.start};
}

}  // namespace clusterloom
