#include "engine/distributed/divide_space.h"

#include <algorithm>
#include <cmath>

#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

// Coordinates of the points i · size / count for i < count ≤ size, dimension by dimension, sorted.
std::vector<std::vector<double>> sortedSample(const PointCloud& part, std::size_t count) {
  std::vector<std::vector<double>> sample(part.dims());
  parallelFor(part.dims(), 1, [&](std::size_t j) {
    for (std::size_t i = 0; i < count; ++i)
      sample[j].push_back(part.columns[j][i * part.size() / count]);
    std::sort(sample[j].begin(), sample[j].end());
  });
  return sample;
}

// The cost of DBSCAN for a point where an ε-cell holds `density` points in `dims` dimensions, in
// points of a dense cluster. Where an ε-cell has so many points that those of its parts are within
// ε of each other, they are core without a search. Up to that number each of them searches its
// neighbours, the fewer points the more cells, so that all of them cost about the same. Fitted on
// exponential clouds, tests/bench/RESULTS.md.
double costOnCpu(double density, std::int64_t minPts, std::size_t dims) {
  // Parts of side ε/√k are within ε: there are k^(k/2) of them, and minPts points fill one.
  const auto k = double(dims);
  const double full = double(minPts) * std::pow(k, k / 2);
  return 1 + 2 * std::min(1.0, full / density);
}

// The cost of DBSCAN for the points of each cell. Points are taken to lie evenly in a cell.
// Dimensions that are not cut leave cells of unknown size: all points then cost the same.
std::vector<double> workloadsOf(const SpaceDivision& division,
                                const std::vector<std::uint64_t>& points,
                                const std::vector<double>& extents, std::size_t dims,
                                const DbscanParams& params) {
  std::vector<double> workloads(points.begin(), points.end());
  const std::size_t cuts = division.dims.size();
  if (cuts < dims) return workloads;
  std::vector<double> epsCells{1.0};  // in each cell of the cuts so far
  for (std::size_t i = 0; i < cuts; ++i) {
    std::vector<double> ofSlices;
    for (std::size_t s = 0; s < division.slices(i); ++s) {
      const double begin = std::max(division.bounds[i][s], extents[2 * i]);
      const double end = std::min(division.bounds[i][s + 1], extents[2 * i + 1]);
      ofSlices.push_back(std::max(1.0, (end - begin) / params.eps));
    }
    std::vector<double> next;
    next.reserve(epsCells.size() * ofSlices.size());
    for (const double before : epsCells)
      for (const double here : ofSlices) next.push_back(before * here);
    epsCells = std::move(next);
  }
  parallelFor(points.size(), 1024, [&](std::size_t cell) {
    if (points[cell] > 0)
      workloads[cell] *= costOnCpu(workloads[cell] / epsCells[cell], params.minPts, cuts);
  });
  return workloads;
}

// The sample of all ranks, sorted, dimension by dimension, on rank 0.
Result<std::vector<std::vector<double>>> gatherSample(Communicator& communicator,
                                                      const PointCloud& part, std::size_t count,
                                                      const Task& task) {
  std::vector<double> sent;
  for (const auto& column : sortedSample(part, count))
    sent.insert(sent.end(), column.begin(), column.end());
  const auto all = communicator.gather(0, std::span<const double>(sent), task);
  if (!all) return tl::unexpected(all.error());
  std::vector<std::vector<double>> columns(part.dims());
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (const auto& some : *all) {
      const std::size_t size = some.size() / columns.size();
      mergeSorted(columns[j], std::span(some).subspan(j * size, size));
    }
  return columns;
}

// Rank 0's dimensions, bounds and extents on all ranks, in one message.
Result<void> broadcastCuts(Communicator& communicator, SpaceDivision& division,
                           std::vector<double>& extents, const Task& task) {
  std::vector<double> message;
  for (std::size_t i = 0; i < division.dims.size(); ++i) {
    message.insert(message.end(), {double(division.dims[i]), extents[2 * i], extents[2 * i + 1],
                                   double(division.bounds[i].size())});
    message.insert(message.end(), division.bounds[i].begin(), division.bounds[i].end());
  }
  if (auto sent = communicator.broadcast(0, message, task); !sent) return sent;
  division = {};
  extents.clear();
  for (auto next = message.begin(); next != message.end();) {
    division.dims.push_back(std::size_t(next[0]));
    extents.insert(extents.end(), {next[1], next[2]});
    const auto size = std::ptrdiff_t(next[3]);
    next += 4;
    division.bounds.emplace_back(next, next + size);
    next += size;
  }
  return {};
}

}  // namespace

void mergeSorted(std::vector<double>& values, std::span<const double> others) {
  const auto middle = std::ptrdiff_t(values.size());
  values.insert(values.end(), others.begin(), others.end());
  std::inplace_merge(values.begin(), values.begin() + middle, values.end());
}

std::size_t sampleOfPart(std::uint64_t points, std::uint64_t ofAll, int ranks, std::size_t dims) {
  const double share = double(points) / double(ofAll);
  const double wanted = std::ceil(share * double(wantedSample(ranks, dims)));
  return std::min(points, std::uint64_t(wanted));
}

SpaceCuts cutBySample(const std::vector<std::vector<double>>& sample, std::uint64_t points,
                      const DbscanParams& params, int ranks) {
  SpaceCuts cuts;
  cuts.division = cutCells(sample, params.eps, ranks, cuts.extents);
  cuts.cells = cuts.division.cells();
  cuts.bits = curveBits(ranks, cuts.division.dims.size());
  cuts.points = points;
  return cuts;
}

namespace {

// As cutBySample, from a sample that is spread over the ranks.
Result<SpaceCuts> cutSpace(Communicator& communicator, const PointCloud& part,
                           const DbscanParams& params, const Task& task) {
  const auto points = communicator.sum<std::uint64_t>(part.size(), task);
  if (!points) return tl::unexpected(points.error());
  const auto sample =
      gatherSample(communicator, part,
                   sampleOfPart(part.size(), *points, communicator.size(), part.dims()), task);
  if (!sample) return tl::unexpected(sample.error());
  SpaceCuts cuts;
  if (communicator.rank() == 0) cuts = cutBySample(*sample, *points, params, communicator.size());
  if (auto sent = broadcastCuts(communicator, cuts.division, cuts.extents, task); !sent)
    return tl::unexpected(sent.error());
  setStrides(cuts.division);
  return cuts;
}

}  // namespace

Result<DividedPart> divideSpace(Communicator& communicator, const PointCloud& part,
                                const DbscanParams& params, const Task& task) {
  auto cuts = cutSpace(communicator, part, params, task);
  if (!cuts) return tl::unexpected(cuts.error());
  DividedPart divided{std::move(cuts->division), {}};
  std::vector<std::uint64_t> points = countCells(divided.division, part, &divided.cells);
  if (auto sent = communicator.allReduce(std::span(points), std::plus<>(), task); !sent)
    return tl::unexpected(sent.error());
  const std::vector<double> workloads =
      workloadsOf(divided.division, points, cuts->extents, part.dims(), params);
  const int bits = curveBits(communicator.size(), divided.division.dims.size());
  divided.division.owner = dealCells(divided.division, workloads, bits, communicator.size());
  return divided;
}

}  // namespace clusterloom
