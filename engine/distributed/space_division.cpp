#include "engine/distributed/space_division.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/hilbert_curve.h"
#include "engine/core/infinity.h"
#include "engine/grid/slices.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostCutDims = 3;
constexpr std::size_t kCellsPerRank = 4096;  // a cell is then about 1/4096 of a rank's share
constexpr double kFewBits = 18;              // of the number of cells: a table of 2 MB
constexpr std::size_t kMostSlices = 65536;
constexpr std::size_t kSmallestSample = 4096;
constexpr std::size_t kSamplesPerSlice = 32;

// A power of two, so that half of the curve is half of space.
std::size_t slicesPerDimension(int ranks, std::size_t cutDims) {
  const double bits = std::log2(static_cast<double>(kCellsPerRank) * ranks);
  const auto dims = static_cast<double>(cutDims);
  const double most =
      std::ceil(bits / dims) * dims <= kFewBits ? std::ceil(bits / dims) : std::round(bits / dims);
  return std::min(kMostSlices, std::size_t{1} << static_cast<int>(most));
}

// The distance between the 5th and the 95th of 100 sorted values, so that outliers do not count.
double spreadOf(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return sorted[n - 1 - n / 20] - sorted[n / 20];
}

// At most `slices` slices, each with about as many of the sorted values, wider than ε.
std::vector<double> boundsOf(const std::vector<double>& sorted, std::size_t slices,
                             double squaredEps) {
  const std::size_t step = std::max<std::size_t>(1, sorted.size() / slices);
  std::vector<double> bounds{-kInfinity};
  double begin = sorted.front();
  for (std::size_t next = step; next < sorted.size() && bounds.size() < slices;) {
    const double x = sorted[next];
    if (x > begin && (x - begin) * (x - begin) > squaredEps) {
      bounds.push_back(x);
      begin = x;
      next += step;
    } else {
      ++next;
    }
  }
  bounds.push_back(kInfinity);
  return bounds;
}

// Chooses the dimensions and slices from a sample, sorted columns one after the other. `extents`
// gets the lowest and highest sampled coordinate of each cut dimension.
SpaceDivision cutsOf(const std::vector<std::vector<double>>& columns, double eps, int ranks,
                     std::vector<double>& extents) {
  std::vector<std::size_t> dims(columns.size());
  std::iota(dims.begin(), dims.end(), std::size_t{0});
  std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
    return spreadOf(columns[a]) > spreadOf(columns[b]);
  });
  dims.resize(std::min(dims.size(), kMostCutDims));
  std::sort(dims.begin(), dims.end());
  SpaceDivision division;
  division.dims = dims;
  for (const std::size_t j : dims)
    division.bounds.push_back(
        boundsOf(columns[j], slicesPerDimension(ranks, dims.size()), eps * eps));
  for (const std::size_t j : dims)
    extents.insert(extents.end(), {columns[j].front(), columns[j].back()});
  return division;
}

// Number of bits of a slice's number.
int curveBits(int ranks, std::size_t cutDims) {
  return static_cast<int>(std::bit_width(slicesPerDimension(ranks, cutDims) - 1));
}

// Points of this rank by cell; notes the cell of each.
std::vector<std::uint64_t> countCells(const SpaceDivision& division, std::size_t cells,
                                      const PointCloud& part, std::vector<std::uint32_t>& ofPoint) {
  using Counts = std::vector<std::uint64_t>;
  ofPoint.resize(part.size());
  tbb::enumerable_thread_specific<Counts> local([&] { return Counts(cells); });
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, part.size(), 16384), [&](const auto& range) {
    Counts& counts = local.local();
    const auto found = std::span(ofPoint).subspan(range.begin(), range.size());
    division.cellsOf(part, range.begin(), found);
    for (const std::uint32_t cell : found) ++counts[cell];
  });
  Counts sum(cells);
  for (const Counts& counts : local)
    std::transform(sum.begin(), sum.end(), counts.begin(), sum.begin(), std::plus<>());
  return sum;
}

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

// The cells of a grid of 2^bits slices in each dimension along a curve, as Σ slice · 2^(bits · i).
std::vector<std::uint32_t> curveThrough(std::size_t dims, int bits) {
  std::vector<std::uint32_t> along(std::size_t{1} << (static_cast<int>(dims) * bits));
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, along.size(), 2048), [&](const auto& range) {
    for (std::size_t cell = range.begin(); cell < range.end(); ++cell) {
      std::uint32_t at[kMostCutDims];
      for (std::size_t i = 0; i < dims; ++i)
        at[i] =
            static_cast<std::uint32_t>(cell >> (static_cast<int>(i) * bits)) & ((1U << bits) - 1U);
      along[hilbertPlace(at, static_cast<int>(dims), bits)] = static_cast<std::uint32_t>(cell);
    }
  });
  return along;
}

// The cells of a division along a curve through a grid of at least as many slices.
std::vector<std::uint32_t> cellsAlongCurve(const SpaceDivision& division, std::size_t cells,
                                           const std::vector<std::uint32_t>& along, int bits) {
  std::vector<std::uint32_t> order;
  order.reserve(cells);
  for (const std::uint32_t place : along) {
    std::size_t cell = 0;
    bool there = true;
    for (std::size_t i = 0; i < division.dims.size(); ++i) {
      const std::size_t slice = place >> (static_cast<int>(i) * bits) & ((1U << bits) - 1U);
      there &= slice < division.slices(i);
      cell += slice * division.stride[i];
    }
    if (there) order.push_back(static_cast<std::uint32_t>(cell));
  }
  return order;
}

// Deals the cells that hold points, along the curve, so that the middle of a cell's workload lies
// in its rank's share.
std::vector<int> dealCells(const std::vector<std::uint32_t>& alongCurve,
                           const std::vector<double>& workloads, int ranks) {
  // Every rank adds in the same order and gets the same sums.
  const double total = std::accumulate(workloads.begin(), workloads.end(), 0.0);
  std::vector<int> owner(workloads.size(), SpaceDivision::kNobody);
  double before = 0;
  for (const std::uint32_t cell : alongCurve) {
    const double own = workloads[cell];
    if (own <= 0) continue;
    owner[cell] = std::min(
        ranks - 1, static_cast<int>((before + own / 2) * static_cast<double>(ranks) / total));
    before += own;
  }
  return owner;
}

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

std::uint32_t SpaceDivision::cellOf(const PointCloud& cloud, std::size_t p) const {
  return divisionCell(view(), [&](std::uint32_t j) { return cloud.columns[j][p]; });
}

void SpaceDivision::cellsOf(const PointCloud& cloud, std::size_t first,
                            std::span<std::uint32_t> cells) const {
  std::fill(cells.begin(), cells.end(), 0);
  std::vector<std::uint32_t> found(cells.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    slicesOf(bounds[i], cloud.column(dims[i]).subspan(first, cells.size()), found.data());
    const auto step = static_cast<std::uint32_t>(stride[i]);
    for (std::size_t p = 0; p < cells.size(); ++p) cells[p] += found[p] * step;
  }
}

SliceGuess guessOf(const std::vector<double>& bounds, std::vector<std::uint16_t>& first) {
  static_assert(kMostSlices <= 65536);
  const std::size_t slices = bounds.size() - 1;
  SliceGuess guess;
  if (slices > 2) {
    guess.begin = bounds[1];
    const double scale = (SliceGuess::kParts - 2) / (bounds[slices - 1] - bounds[1]);
    if (std::isfinite(scale)) guess.scale = scale;
  }
  first.assign(SliceGuess::kParts + 1, 0);
  std::uint32_t from = 0;
  for (std::size_t s = 1; s <= slices; ++s) {
    const std::uint32_t to = s < slices ? guess.part(bounds[s]) + 1 : SliceGuess::kParts + 1;
    std::fill(first.begin() + from, first.begin() + to, static_cast<std::uint16_t>(s - 1));
    from = to;
  }
  guess.first = first.data();
  return guess;
}

DivisionView SpaceDivision::view() const {
  static_assert(kMostCutDims == DivisionView::kMostCuts);
  DivisionView v;
  v.cuts = static_cast<int>(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    v.dims[i] = static_cast<std::uint32_t>(dims[i]);
    v.bounds[i] = bounds[i].data();
    v.slices[i] = static_cast<std::uint32_t>(slices(i));
    v.stride[i] = static_cast<std::uint32_t>(stride[i]);
  }
  v.owner = owner.data();
  return v;
}

Result<SpaceCuts> cutSpace(Communicator& communicator, PointsToDivide& part,
                           const DbscanParams& params, const Task& task) {
  const auto pointsOfAll = communicator.sum<std::uint64_t>(part.size(), task);
  if (!pointsOfAll) return tl::unexpected(pointsOfAll.error());
  const std::size_t cutDims = std::min(part.dims(), kMostCutDims);
  const std::size_t slices = slicesPerDimension(communicator.size(), cutDims);
  const std::uint64_t wanted = std::max<std::uint64_t>(kSmallestSample, kSamplesPerSlice * slices);
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
    division = cutsOf(*columns, params.eps, communicator.size(), cuts.extents);
  if (auto sent = broadcastCuts(communicator, division, cuts.extents, task); !sent)
    return tl::unexpected(sent.error());

  division.stride.resize(division.dims.size());
  cuts.cells = 1;
  for (std::size_t i = division.dims.size(); i-- > 0;) {
    division.stride[i] = cuts.cells;
    cuts.cells *= division.slices(i);
  }
  cuts.bits = curveBits(communicator.size(), cutDims);
  cuts.points = *pointsOfAll;
  return cuts;
}

Result<DividedPart> divideSpace(Communicator& communicator, const PointCloud& part,
                                const DbscanParams& params, const Task& task) {
  // The curve does not depend on the points: it is followed while these are looked at.
  std::vector<std::uint32_t> along;
  InBackground curve([&] {
    const std::size_t cutDims = std::min(part.dims(), kMostCutDims);
    along = curveThrough(cutDims, curveBits(communicator.size(), cutDims));
  });
  HostPoints sampled(part);
  auto cuts = cutSpace(communicator, sampled, params, task);
  if (!cuts) return tl::unexpected(cuts.error());
  DividedPart divided{std::move(cuts->division), {}};
  curve.wait();
  std::vector<std::uint32_t> order;
  InBackground ordering(
      [&] { order = cellsAlongCurve(divided.division, cuts->cells, along, cuts->bits); });
  std::vector<std::uint64_t> points =
      countCells(divided.division, cuts->cells, part, divided.cells);
  if (auto sent = communicator.allReduce(std::span(points), std::plus<>(), task); !sent)
    return tl::unexpected(sent.error());
  const std::vector<double> workloads =
      workloadsOf(divided.division, points, cuts->extents, part.dims(), params);
  ordering.wait();
  divided.division.owner = dealCells(order, workloads, communicator.size());
  return divided;
}

std::vector<std::uint8_t> NearRanks::innerCells(const SpaceDivision& division) {
  // The lowest and the highest owner of the cells around each, dimension by dimension.
  std::vector<int> low = division.owner;
  std::vector<int> high = division.owner;
  std::replace(low.begin(), low.end(), SpaceDivision::kNobody, std::numeric_limits<int>::max());
  std::vector<int> lowest(low.size());
  std::vector<int> highest(low.size());
  for (std::size_t i = 0; i < division.dims.size(); ++i) {
    const std::size_t step = division.stride[i];
    const std::size_t line = step * division.slices(i);
    const std::size_t cells = low.size();
    const auto note = [&](std::size_t cell, std::size_t before, std::size_t after) {
      lowest[cell] = std::min(std::min(low[before], low[cell]), low[after]);
      highest[cell] = std::max(std::max(high[before], high[cell]), high[after]);
    };
    for (std::size_t cell = step; cell + step < cells; ++cell) note(cell, cell - step, cell + step);
    // The first and the last slice have one neighbour.
    for (std::size_t first = 0; first < cells; first += line)
      for (std::size_t j = 0; j < step; ++j) {
        const std::size_t begin = first + j;
        const std::size_t end = begin + line - step;
        note(begin, begin, std::min(begin + step, end));
        note(end, end == begin ? end : end - step, end);
      }
    low.swap(lowest);
    high.swap(highest);
  }
  std::vector<std::uint8_t> inner(low.size());
  for (std::size_t cell = 0; cell < inner.size(); ++cell)
    inner[cell] = division.owner[cell] != SpaceDivision::kNobody && low[cell] == high[cell];
  return inner;
}

const std::vector<int>& NearRanks::of(const PointCloud& cloud, std::size_t p) {
  ranks_.clear();
  visitNearCells<0>(
      division_, [&](std::uint32_t j) { return cloud.columns[j][p]; }, squaredEps_, 0, 0.0,
      [&](std::uint32_t cell) {
        const int rank = division_.owner[cell];
        if (rank != self_ && rank != SpaceDivision::kNobody &&
            std::find(ranks_.begin(), ranks_.end(), rank) == ranks_.end())
          ranks_.push_back(rank);
      });
  std::sort(ranks_.begin(), ranks_.end());
  return ranks_;
}

}  // namespace clusterloom
