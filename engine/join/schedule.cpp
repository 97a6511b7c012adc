#include "engine/join/schedule.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>

#include "engine/join/lane_program.h"

namespace clusterloom {
namespace {

std::vector<std::uint32_t> inputOrder(const GridIndex& index) {
  std::vector<std::uint32_t> positions(index.size());
  for (std::size_t p = 0; p < index.size(); ++p)
    positions[index.pointIds[p]] = static_cast<std::uint32_t>(p);
  return positions;
}

// Points by the unit-length bin they fall into in each indexed dimension, the input order within.
std::vector<std::uint32_t> binOrder(const PointCloud& cloud, const GridIndex& index) {
  const std::vector<std::uint32_t> positionOf = inputOrder(index);
  const CellGeometry bins = makeCellGeometry(boundsOf(cloud), 1.0, 1, index.geometry.dims);
  std::vector<std::uint64_t> binOf(cloud.size(), 0);
  for (std::size_t i = 0; i < bins.dims.size(); ++i) {
    const auto& x = cloud.columns[static_cast<std::size_t>(bins.dims[i])];
    for (std::size_t id = 0; id < x.size(); ++id)
      binOf[id] += bins.coordinate(x[id], i) * bins.stride[i];
  }
  std::vector<std::uint32_t> ids(cloud.size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::stable_sort(ids.begin(), ids.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return binOf[a] < binOf[b]; });
  for (std::uint32_t& id : ids) id = positionOf[id];
  return ids;
}

std::vector<std::uint32_t> strided(const std::vector<std::uint32_t>& order,
                                   const std::vector<std::size_t>& batchBegin) {
  const std::size_t batches = batchBegin.size() - 1;
  std::vector<std::uint32_t> result(order.size());
  for (std::size_t b = 0; b < batches; ++b) {
    std::size_t to = batchBegin[b];
    for (std::size_t i = b; i < order.size(); i += batches) result[to++] = order[i];
  }
  return result;
}

// First query of each batch when query i of the order goes to batch i mod `batches`.
std::vector<std::size_t> stridedBatches(std::size_t n, std::size_t batches) {
  std::vector<std::size_t> begin(batches + 1, 0);
  for (std::size_t b = 0; b < batches; ++b)
    begin[b + 1] = begin[b] + (n + batches - 1 - b) / batches;
  return begin;
}

}  // namespace

std::vector<std::uint64_t> cellWorkloads(const JoinView& view) {
  std::vector<std::uint64_t> workload(view.cells);
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, view.cells, 256), [&](const auto& range) {
    SerialLane lane;
    for (std::uint32_t c = range.begin(); c < range.end(); ++c) {
      std::uint64_t candidates = view.cellStart[c + 1] - view.cellStart[c];
      visitAdjacentCells<0>(lane, view, c, [&](std::uint32_t other) {
        candidates += view.cellStart[other + 1] - view.cellStart[other];
        return false;
      });
      workload[c] = candidates;
    }
  });
  return workload;
}

Schedule makeSchedule(const PointCloud& cloud, const GridIndex& index, const JoinView& view,
                      const std::vector<std::uint32_t>& cellOfPosition, QueryOrder order,
                      std::size_t batches) {
  Schedule schedule;
  schedule.workQueue = order == QueryOrder::WorkQueue;
  schedule.batchBegin = stridedBatches(index.size(), batches);
  switch (order) {
    case QueryOrder::Cell: {
      std::vector<std::uint32_t> positions(index.size());
      std::iota(positions.begin(), positions.end(), 0U);
      schedule.queries = strided(positions, schedule.batchBegin);
      return schedule;
    }
    case QueryOrder::Bins:
      schedule.queries = strided(binOrder(cloud, index), schedule.batchBegin);
      return schedule;
    case QueryOrder::Input:
      schedule.queries = strided(inputOrder(index), schedule.batchBegin);
      return schedule;
    case QueryOrder::SortByWorkload:
    case QueryOrder::WorkQueue:
      break;
  }
  const std::vector<std::uint64_t> workload = cellWorkloads(view);
  const auto heavier = [&](std::uint32_t a, std::uint32_t b) {
    return workload[cellOfPosition[a]] > workload[cellOfPosition[b]];
  };
  if (schedule.workQueue) {
    schedule.queries = inputOrder(index);
    std::stable_sort(schedule.queries.begin(), schedule.queries.end(), heavier);
  } else {
    schedule.queries = strided(inputOrder(index), schedule.batchBegin);
    for (std::size_t b = 0; b < schedule.batches(); ++b)
      std::stable_sort(schedule.queries.begin() + schedule.batchBegin[b],
                       schedule.queries.begin() + schedule.batchBegin[b + 1], heavier);
  }
  return schedule;
}

}  // namespace clusterloom
