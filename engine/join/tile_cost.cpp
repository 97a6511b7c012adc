#include "engine/join/tile_cost.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "engine/cloud/stratified_sample.h"
#include "engine/core/instruction_sets.h"
#include "engine/core/parallel_for.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPoints = 4096;
constexpr std::size_t kQueries = 256;

/// Cell coordinates by indexed dimension; kOutside where no cell is.
using Cells = std::vector<std::vector<std::uint32_t>>;
constexpr std::uint32_t kOutside = 0xffffffffU;

/// Some points of a cloud, in the dimensions of `order`, which become dimensions 0, 1, ….
PointCloud sampleOf(const PointCloud& cloud, const std::vector<int>& order, std::size_t count) {
  const std::vector<std::uint32_t> ids = stratifiedSample(cloud.size(), count);
  PointCloud sample;
  sample.columns.assign(order.size(), std::vector<double>(count));
  parallelForBlocks(count, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      const auto& x = cloud.columns[std::size_t(order[j])];
      for (std::size_t i = begin; i < end; ++i) sample.columns[j][i] = x[ids[i]];
    }
  });
  return sample;
}

Cells cellsOf(const CellGeometry& geometry, const PointCloud& points) {
  Cells cells(points.dims());
  parallelFor(points.dims(), 1, [&](std::size_t j) {
    cells[j].assign(points.size(), kOutside);
    const bool hasSlices = geometry.hasSlices(j);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double x = points.columns[j][i];
      // A query may lie beside all points; the padding of the geometry is as wide as ε.
      const double steps = hasSlices ? 0 : (x - geometry.origin[j]) / geometry.side[j];
      if (steps < 0)
        cells[j][i] = steps >= -1 ? 0 : kOutside;
      else if (steps < geometry.extent[j] - 1.0)
        cells[j][i] = geometry.coordinate(x, j);
    }
  });
  return cells;
}

bool isInside(const Cells& cells, std::size_t i) {
  return std::ranges::none_of(cells, [&](const auto& cell) { return cell[i] == kOutside; });
}

/// By k − 1: candidates of the queries.
using Hits = std::array<std::uint64_t, kMostK>;

/// Cell coordinates modulo 2¹⁶ by indexed dimension: eight are compared by one instruction. Points
/// that are 65,536 cells apart count as near, which no estimate notices.
using ShortCells = std::vector<std::vector<std::uint16_t>>;

ShortCells shortened(const Cells& cells) {
  ShortCells shorter;
  for (const auto& column : cells) shorter.emplace_back(column.begin(), column.end());
  return shorter;
}

// Sampled candidates of one query. In the cells adjacent by k dimensions are those whose first k
// cell coordinates differ by at most 1.
CLUSTERLOOM_CLONES void addCandidates(const ShortCells& points, const Cells& queries,
                                      std::size_t query, Hits& hits) {
  constexpr std::size_t kChunk = 512;
  const std::size_t size = points.front().size();
  for (std::size_t begin = 0; begin < size; begin += kChunk) {
    const std::size_t count = std::min(kChunk, size - begin);
    std::array<std::uint16_t, kChunk> near;
    near.fill(1);
    for (std::size_t j = 0; j < points.size(); ++j) {
      const std::uint16_t* const cell = points[j].data() + begin;
      const auto first = std::uint16_t(queries[j][query] - 1);
      std::uint16_t kept = 0;
      for (std::size_t i = 0; i < count; ++i) {
        near[i] &= std::uint16_t(std::uint16_t(cell[i] - first) <= 2);
        kept = std::uint16_t(kept + near[i]);
      }
      if (kept == 0) break;
      hits[j] += kept;
    }
  }
}

}  // namespace

Result<CostModel> costOfTiles(const JoinInput& input, double eps, const std::vector<int>& order,
                              double searchStep, const Task& task) {
  const std::size_t most = std::min(order.size(), kMostK);
  const std::vector<int> indexed(order.begin(), order.begin() + std::ptrdiff_t(most));
  const std::size_t n = input.points.size();
  const std::size_t drawn = std::min(input.queries.size(), kQueries);
  // Of one cloud the queries are some of the sampled points.
  const std::size_t pointCount = std::min(n, kPoints);
  const PointCloud points = sampleOf(input.points, indexed, pointCount);
  const PointCloud queries =
      input.twoClouds ? sampleOf(input.queries, indexed, drawn) : PointCloud{};
  std::vector<int> dims(most);
  std::iota(dims.begin(), dims.end(), 0);
  const auto geometry = makeCellGeometry(points, boundsOf(points), eps, 1, dims, task);
  if (!geometry) return tl::unexpected(geometry.error());
  const Cells ofPoints = cellsOf(*geometry, points);
  const ShortCells shortOfPoints = shortened(ofPoints);
  const Cells ofQueries = input.twoClouds ? cellsOf(*geometry, queries) : Cells{};
  const Cells& asking = input.twoClouds ? ofQueries : ofPoints;
  const std::size_t places = input.twoClouds ? drawn : pointCount;

  struct Sum {
    Hits hits{};
    std::uint64_t inside = 0;  // queries that have cells around them
  };
  const auto add = [](Sum a, const Sum& b) {
    for (std::size_t k = 0; k < kMostK; ++k) a.hits[k] += b.hits[k];
    a.inside += b.inside;
    return a;
  };
  const Sum sum = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, drawn), Sum{},
      [&](const auto& range, Sum part) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const std::size_t place = i * places / drawn;
          if (!isInside(asking, place)) continue;
          ++part.inside;
          addCandidates(shortOfPoints, asking, place, part.hits);
        }
        return part;
      },
      add);
  if (task.cancelled()) return cancelledError();

  CostModel model;
  model.dimensionOrder = order;
  model.sampled = drawn;
  const double ofAllQueries = double(input.queries.size()) / double(drawn);
  // Of one cloud every query is among the points and finds itself, which is no sample.
  const std::uint64_t itself = input.twoClouds ? 0 : 1;
  const double ofAllPoints =
      pointCount > itself ? double(n - itself) / double(pointCount - itself) : 0;
  double cells = 1;
  for (std::size_t k = 1; k <= most; ++k) {
    cells = std::min(cells * std::max(1.0, double(geometry->extent[k - 1]) - 2), double(n));
    const int depth = std::max(1, int(std::bit_width(std::uint64_t(cells) - 1)));
    const double searches = double(sum.inside) * std::pow(3.0, double(k - 1));
    const auto themselves = double(sum.inside * itself);
    const double candidates = themselves + ofAllPoints * (double(sum.hits[k - 1]) - themselves);
    model.costs.push_back({.k = int(k),
                           .cellSearchOps = searchStep * ofAllQueries * searches * depth,
                           .distanceOps = ofAllQueries * candidates * double(input.points.dims())});
  }
  model.best = cheapestOf(model.costs);
  return model;
}

}  // namespace clusterloom
