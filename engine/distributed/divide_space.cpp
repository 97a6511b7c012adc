#include "engine/distributed/divide_space.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cmath>

namespace clusterloom {
namespace {

class HostPoints final : public PointsToDivide {
 public:
  explicit HostPoints(const PointCloud& part) : part_(part) {}

  std::size_t size() const override { return part_.size(); }
  std::size_t dims() const override { return part_.dims(); }
  std::vector<std::vector<double>> sample(std::size_t count) override {
    std::vector<std::vector<double>> sample(part_.dims());
    for (std::size_t j = 0; j < part_.dims(); ++j)
      for (std::size_t i = 0; i < count; ++i)
        sample[j].push_back(part_.columns[j][i * part_.size() / count]);
    return sample;
  }

 private:
  const PointCloud& part_;
};

// What DBSCAN of a point costs where an ε-cell holds `density` points in `dims` dimensions, in
// points of a dense cluster. Where an ε-cell has so many points that those of its parts are within
// ε of each other, they are core without a search. Up to that number each of them searches its
// neighbours, the fewer points the more cells, so that all of them cost about the same. Fitted on
// exponential clouds, tests/bench/RESULTS.md.
double costOnCpu(double density, std::int64_t minPts, std::size_t dims) {
  // Parts of side ε/√k are within ε: there are k^(k/2) of them, and minPts points fill one.
  const auto k = static_cast<double>(dims);
  const double full = static_cast<double>(minPts) * std::pow(k, k / 2);
  return 1 + 2 * std::min(1.0, full / density);
}

// What DBSCAN of each cell's points costs. Points are taken to lie evenly in a cell. Dimensions
// that are not cut leave cells of unknown size: all points then cost the same.
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
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, points.size(), 1024), [&](const auto& range) {
        for (std::size_t cell = range.begin(); cell < range.end(); ++cell)
          if (points[cell] > 0)
            workloads[cell] *= costOnCpu(workloads[cell] / epsCells[cell], params.minPts, cuts);
      });
  return workloads;
}

// Work for another thread of the caller's TBB arena, done at the latest when this object's life
// ends.
class InBackground {
 public:
  template <class Work>
  explicit InBackground(const Work& work) {
    group_.run(work);
  }
  ~InBackground() { group_.wait(); }
  InBackground(const InBackground&) = delete;
  InBackground& operator=(const InBackground&) = delete;
  void wait() { group_.wait(); }

 private:
  tbb::task_group group_;
};

// The sample of all ranks, sorted, dimension by dimension, on rank 0.
Result<std::vector<std::vector<double>>> gatherSample(Communicator& communicator,
                                                      PointsToDivide& part, std::size_t count,
                                                      const Task& task) {
  std::vector<std::vector<double>> own = part.sample(count);
  tbb::parallel_for(std::size_t{0}, own.size(),
                    [&](std::size_t j) { std::sort(own[j].begin(), own[j].end()); });
  std::vector<double> sent;
  for (const auto& column : own) sent.insert(sent.end(), column.begin(), column.end());
  const auto all = communicator.gather(0, std::span<const double>(sent), task);
  if (!all) return tl::unexpected(all.error());
  std::vector<std::vector<double>> columns(part.dims());
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (const auto& some : *all) {
      const auto size = static_cast<std::ptrdiff_t>(some.size() / columns.size());
      const auto first = some.begin() + static_cast<std::ptrdiff_t>(j) * size;
      const auto middle = static_cast<std::ptrdiff_t>(columns[j].size());
      columns[j].insert(columns[j].end(), first, first + size);
      std::inplace_merge(columns[j].begin(), columns[j].begin() + middle, columns[j].end());
    }
  return columns;
}

// Rank 0's dimensions, bounds and extents on all ranks, in one message.
Result<void> broadcastCuts(Communicator& communicator, SpaceDivision& division,
                           std::vector<double>& extents, const Task& task) {
  std::vector<double> message;
  for (std::size_t i = 0; i < division.dims.size(); ++i) {
    message.insert(message.end(),
                   {static_cast<double>(division.dims[i]), extents[2 * i], extents[2 * i + 1],
                    static_cast<double>(division.bounds[i].size())});
    message.insert(message.end(), division.bounds[i].begin(), division.bounds[i].end());
  }
  if (auto sent = communicator.broadcast(0, message, task); !sent) return sent;
  division = {};
  extents.clear();
  for (auto next = message.begin(); next != message.end();) {
    division.dims.push_back(static_cast<std::size_t>(next[0]));
    extents.insert(extents.end(), {next[1], next[2]});
    const auto size = static_cast<std::ptrdiff_t>(next[3]);
    next += 4;
    division.bounds.emplace_back(next, next + size);
    next += size;
  }
  return {};
}

}  // namespace

Result<SpaceCuts> cutSpace(Communicator& communicator, PointsToDivide& part,
                           const DbscanParams& params, const Task& task) {
  const auto pointsOfAll = communicator.sum<std::uint64_t>(part.size(), task);
  if (!pointsOfAll) return tl::unexpected(pointsOfAll.error());
  const std::uint64_t wanted = wantedSample(communicator.size(), part.dims());
  const double share = static_cast<double>(part.size()) / static_cast<double>(*pointsOfAll);
  const auto columns = gatherSample(
      communicator, part,
      std::min<std::uint64_t>(
          part.size(), static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(wanted)))),
      task);
  if (!columns) return tl::unexpected(columns.error());
  SpaceCuts cuts;
  SpaceDivision& division = cuts.division;
  if (communicator.rank() == 0)
    division = cutCells(*columns, params.eps, communicator.size(), cuts.extents);
  if (auto sent = broadcastCuts(communicator, division, cuts.extents, task); !sent)
    return tl::unexpected(sent.error());

  setStrides(division);
  cuts.cells = division.cells();
  cuts.bits = curveBits(communicator.size(), cutDimsOf(part.dims()));
  cuts.points = *pointsOfAll;
  return cuts;
}

Result<DividedPart> divideSpace(Communicator& communicator, const PointCloud& part,
                                const DbscanParams& params, const Task& task) {
  // The curve does not depend on the points: it is followed while these are looked at.
  std::vector<std::uint32_t> along;
  InBackground curve([&] {
    const std::size_t cutDims = cutDimsOf(part.dims());
    along = curveThrough(cutDims, curveBits(communicator.size(), cutDims));
  });
  HostPoints sampled(part);
  auto cuts = cutSpace(communicator, sampled, params, task);
  if (!cuts) return tl::unexpected(cuts.error());
  DividedPart divided{std::move(cuts->division), {}};
  curve.wait();
  std::vector<std::uint32_t> order;
  InBackground ordering([&] { order = cellsAlongCurve(divided.division, along, cuts->bits); });
  std::vector<std::uint64_t> points = countCells(divided.division, part, &divided.cells);
  if (auto sent = communicator.allReduce(std::span(points), std::plus<>(), task); !sent)
    return tl::unexpected(sent.error());
  const std::vector<double> workloads =
      workloadsOf(divided.division, points, cuts->extents, part.dims(), params);
  ordering.wait();
  divided.division.owner = dealCells(order, workloads, communicator.size());
  return divided;
}

}  // namespace clusterloom
