#include "engine/blocks/space_division.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/hilbert_curve.h"
#include "engine/core/infinity.h"
#include "engine/core/parallel_for.h"
#include "engine/grid/slices.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostCutDims = 3;
constexpr std::size_t kCellsPerOwner = 4096;  // a cell is then about 1/4096 of an owner's share
constexpr double kFewBits = 18;               // of the number of cells: a table of 2 MB
constexpr std::size_t kMostSlices = 65536;
constexpr std::size_t kSmallestSample = 4096;
constexpr std::size_t kSamplesPerSlice = 32;

// A power of two, so that half of the curve is half of space.
std::size_t slicesPerDimension(int owners, std::size_t cutDims) {
  const double bits = std::log2(double(kCellsPerOwner) * owners);
  const auto dims = double(cutDims);
  const double most =
      std::ceil(bits / dims) * dims <= kFewBits ? std::ceil(bits / dims) : std::round(bits / dims);
  return std::min(kMostSlices, std::size_t{1} << int(most));
}

// The distance between the 5th and the 95th of 100 sorted values, so that outliers do not count.
double spreadOf(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return sorted[n - 1 - n / 20] - sorted[n / 20];
}

// At most `slices` slices, each with about as many of the sorted values, wider than ε.
std::vector<double> boundsOf(const std::vector<double>& sorted, std::size_t slices,
                             double squaredReach) {
  const std::size_t step = std::max<std::size_t>(1, sorted.size() / slices);
  std::vector<double> bounds{-kInfinity};
  double begin = sorted.front();
  for (std::size_t next = step; next < sorted.size() && bounds.size() < slices;) {
    const double x = sorted[next];
    if (x > begin && (x - begin) * (x - begin) > squaredReach) {
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

}  // namespace

int curveBits(int owners, std::size_t cutDims) {
  return int(std::bit_width(slicesPerDimension(owners, cutDims) - 1));
}

std::size_t cutDimsOf(std::size_t dims) { return std::min(dims, kMostCutDims); }

std::uint64_t wantedSample(int owners, std::size_t dims) {
  return std::max<std::uint64_t>(kSmallestSample,
                                 kSamplesPerSlice * slicesPerDimension(owners, cutDimsOf(dims)));
}

SpaceDivision cutCells(const std::vector<std::vector<double>>& columns, double eps, int owners,
                       std::vector<double>& extents) {
  std::vector<std::size_t> dims(columns.size());
  std::iota(dims.begin(), dims.end(), std::size_t{0});
  std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
    return spreadOf(columns[a]) > spreadOf(columns[b]);
  });
  dims.resize(cutDimsOf(dims.size()));
  std::sort(dims.begin(), dims.end());
  SpaceDivision division;
  division.dims = dims;
  for (const std::size_t j : dims)
    division.bounds.push_back(
        boundsOf(columns[j], slicesPerDimension(owners, dims.size()), eps * eps));
  for (const std::size_t j : dims)
    extents.insert(extents.end(), {columns[j].front(), columns[j].back()});
  setStrides(division);
  return division;
}

void setStrides(SpaceDivision& division) {
  division.stride.resize(division.dims.size());
  std::size_t cells = 1;
  for (std::size_t i = division.dims.size(); i-- > 0;) {
    division.stride[i] = cells;
    cells *= division.slices(i);
  }
}

std::vector<std::uint64_t> countCells(const SpaceDivision& division, const PointCloud& part,
                                      std::vector<std::uint32_t>* ofPoint) {
  using Counts = std::vector<std::uint64_t>;
  const std::size_t cells = division.cells();
  if (ofPoint != nullptr) ofPoint->resize(part.size());
  tbb::enumerable_thread_specific<Counts> local([&] { return Counts(cells); });
  parallelForBlocks(part.size(), 16384, [&](std::size_t begin, std::size_t end) {
    Counts& counts = local.local();
    std::vector<std::uint32_t> own(ofPoint == nullptr ? end - begin : 0);
    const auto found =
        ofPoint == nullptr ? std::span(own) : std::span(*ofPoint).subspan(begin, end - begin);
    division.cellsOf(part, begin, found);
    for (const std::uint32_t cell : found) ++counts[cell];
  });
  Counts sum(cells);
  for (const Counts& counts : local)
    std::transform(sum.begin(), sum.end(), counts.begin(), sum.begin(), std::plus<>());
  return sum;
}

std::vector<int> dealCells(const SpaceDivision& division, const std::vector<double>& workloads,
                           int bits, int owners) {
  // The cells with work by their places on the curve.
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> ofPlace(std::size_t{1} << (int(division.dims.size()) * bits), kNone);
  parallelFor(workloads.size(), 2048, [&](std::size_t cell) {
    if (workloads[cell] <= 0) return;
    std::uint32_t at[kMostCutDims];
    for (std::size_t i = 0; i < division.dims.size(); ++i)
      at[i] = std::uint32_t(cell / division.stride[i] % division.slices(i));
    ofPlace[hilbertPlace(at, int(division.dims.size()), bits)] = std::uint32_t(cell);
  });
  // Ranks add in the same order and get the same sums.
  const double total = std::accumulate(workloads.begin(), workloads.end(), 0.0);
  std::vector<int> owner(workloads.size(), SpaceDivision::kNobody);
  double before = 0;
  for (const std::uint32_t cell : ofPlace) {
    if (cell == kNone) continue;
    const double own = workloads[cell];
    owner[cell] = std::min(owners - 1, int((before + own / 2) * double(owners) / total));
    before += own;
  }
  return owner;
}

std::size_t SpaceDivision::cells() const { return dims.empty() ? 1 : stride[0] * slices(0); }

std::uint32_t SpaceDivision::cellOf(const PointCloud& cloud, std::size_t p) const {
  return divisionCell(view(), [&](std::uint32_t j) { return cloud.columns[j][p]; });
}

void SpaceDivision::cellsOf(const PointCloud& cloud, std::size_t first,
                            std::span<std::uint32_t> cells) const {
  std::fill(cells.begin(), cells.end(), 0);
  std::vector<std::uint32_t> found(cells.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    slicesOf(bounds[i], cloud.columns[dims[i]], first, found);
    const auto step = std::uint32_t(stride[i]);
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
    std::fill(first.begin() + from, first.begin() + to, std::uint16_t(s - 1));
    from = to;
  }
  guess.first = first.data();
  return guess;
}

DivisionView SpaceDivision::view() const {
  static_assert(kMostCutDims == DivisionView::kMostCuts);
  DivisionView v;
  v.cuts = int(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    v.dims[i] = std::uint32_t(dims[i]);
    v.bounds[i] = bounds[i].data();
    v.slices[i] = std::uint32_t(slices(i));
    v.stride[i] = std::uint32_t(stride[i]);
  }
  v.owner = owner.data();
  return v;
}

std::vector<std::uint8_t> NearOwners::innerCells(const SpaceDivision& division) {
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

const std::vector<int>& NearOwners::of(const PointCloud& cloud, std::size_t p) {
  owners_.clear();
  const auto coordinate = [&](std::uint32_t j) { return cloud.columns[j][p]; };
  const auto note = [&](std::uint32_t cell) {
    const int owner = division_.owner[cell];
    if (owner != self_ && owner != SpaceDivision::kNobody &&
        std::find(owners_.begin(), owners_.end(), owner) == owners_.end())
      owners_.push_back(owner);
  };
  if (longest_)
    visitNearCells<0, true>(division_, coordinate, squaredReach_, 0, 0.0, note);
  else
    visitNearCells<0>(division_, coordinate, squaredReach_, 0, 0.0, note);
  std::sort(owners_.begin(), owners_.end());
  return owners_;
}

}  // namespace clusterloom
