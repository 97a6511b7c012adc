#include "engine/grid/cell_geometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace clusterloom {
namespace {

constexpr double kUnitRoundoff = 0x1p-53;
constexpr double kMaxCoordinateBits = 31;
constexpr double kMostCells = 0x1p31;
constexpr double kMaxIdBits = 62;
constexpr std::size_t kMostSlices = 1U << 21;  // of a dimension: bounds the memory of the tables

// Why side ≥ (ε/r)·(1 + 8u(E + 2)) keeps every accepted pair within r cells, u = 2⁻⁵³, E ≤ 2³¹
// cells in the dimension. If the predicate accepts p and q then, sums of non-negative terms never
// rounding below a term, fl(fl(dx)²) ≤ fl(ε²), hence |dx| ≤ ε(1 + 2.1u). The computed quotient t =
// fl(fl(x − lo)/side) differs from the true one by at most E(2u + u²), so |t_p − t_q| ≤ r(1 +
// 2.1u)/(1 + 8u(E + 2)) + 4.1uE. With u(E + 2) < 2⁻²¹ that is at most r, since 2.1r + 4.1E ≤
// 7.9r(E + 2), and numbers at most r apart have floors at most r apart. The 4 in place of 2
// accounts for rounding the side itself.
double safeSide(double eps, int reach, double cells) {
  return eps / reach * (1.0 + 8.0 * kUnitRoundoff * (cells + 4.0));
}

double cellsOf(double range, double side, int reach) {
  return std::floor(range / side) + 1.0 + 2.0 * reach;
}

// Cuts indexed dimension i into cells of one length and returns their number, which may be too
// large to use.
double cutEvenly(const Bounds& bounds, double eps, std::size_t i, CellGeometry& geometry) {
  const auto j = std::size_t(geometry.dims[i]);
  const int reach = geometry.reach;
  const double range = bounds.high[j] - bounds.low[j];
  const double narrow = cellsOf(range, eps / reach, reach);
  if (narrow > kMostCells) return narrow;
  const double side = safeSide(eps, reach, narrow);
  geometry.origin[i] = bounds.low[j];
  geometry.side[i] = side;
  // Points of one cell differ by at most side·(1 + 4uE) by the bound on the quotient above.
  geometry.span[i] = 1.01 * side;
  geometry.pairSpan[i] = 2.02 * side;
  return cellsOf(range, side, reach);
}

// Numbers from 0 on by ascending size.
std::vector<std::size_t> ascending(const std::vector<double>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
  return order;
}

// Distributes the bits of linear ids: dimensions with few cells take what they need, the others an
// equal share of the rest.
class IdBits {
 public:
  explicit IdBits(std::size_t dimensions) : left_(dimensions) {}
  double share() const { return std::min(kMaxCoordinateBits, bits_ / double(left_)); }
  void take(double cells) {
    bits_ -= std::log2(cells);
    --left_;
  }
  std::size_t left() const { return left_; }

 private:
  double bits_ = kMaxIdBits;
  std::size_t left_;
};

void useSlices(const SliceList& list, std::size_t i, CellGeometry& geometry) {
  std::vector<double>& bounds = geometry.slices[i];
  bounds.reserve(list.slices.size() + 1);
  double span = 0;
  double pairSpan = 0;
  const Slice* before = nullptr;
  for (const Slice& slice : list.slices) {
    bounds.push_back(slice.begin);
    if (slice.points > 0) {
      span = std::max(span, slice.high - slice.low);
      if (before != nullptr && before->points > 0)
        pairSpan = std::max(pairSpan, slice.high - before->low);
    }
    before = &slice;
  }
  bounds.push_back(list.end);
  geometry.span[i] = span;
  geometry.pairSpan[i] = std::max(span, pairSpan);
}

// Cuts the given indexed dimensions into slices, for which `bits` are left. Returns their numbers
// of cells.
Result<void> cutIntoSlices(Stretches& stretches, double eps, const std::vector<std::size_t>& which,
                           IdBits bits, CellGeometry& geometry, const Task& task) {
  const int reach = geometry.reach;
  std::vector<int> dims;
  for (const std::size_t i : which) dims.push_back(geometry.dims[i]);
  if (auto found = stretches.find(dims); !found) return tl::unexpected(found.error());
  std::vector<SliceList> lists;
  std::vector<double> cells;
  for (const int dim : dims) {
    auto narrow = narrowestSlices(stretches.of(dim), eps, reach, task);
    if (!narrow) return tl::unexpected(narrow.error());
    auto list = mergedSlices(std::move(*narrow), kMostSlices, task);
    if (!list) return tl::unexpected(list.error());
    cells.push_back(double(list->slices.size()) + 2.0 * reach);
    lists.push_back(std::move(*list));
  }
  for (const std::size_t at : ascending(cells)) {
    const double most = std::floor(std::exp2(bits.share())) - 2.0 * reach - 1;
    auto merged = mergedSlices(std::move(lists[at]), std::size_t(most), task);
    if (!merged) return tl::unexpected(merged.error());
    const std::size_t i = which[at];
    useSlices(*merged, i, geometry);
    geometry.extent[i] = std::uint32_t(merged->slices.size()) + 2 * std::uint32_t(reach);
    bits.take(geometry.extent[i]);
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> CellGeometry::coordinatesOf(std::uint64_t linearId) const {
  std::vector<std::uint32_t> coordinates(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    coordinates[i] = std::uint32_t(linearId / stride[i]);
    linearId %= stride[i];
  }
  return coordinates;
}

void CellGeometry::linearIds(const PointCloud& cloud, std::size_t begin,
                             std::span<std::uint64_t> ids) const {
  std::fill(ids.begin(), ids.end(), 0);
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto dim = std::size_t(dims[i]);
    if (!hasSlices(i)) {
      withValues(cloud.columns[dim], [&](auto x) {
        for (std::size_t p = 0; p < ids.size(); ++p)
          ids[p] += evenCoordinate(x[begin + p], i) * stride[i];
      });
      continue;
    }
    found.resize(ids.size());
    slicesOf(slices[i], cloud.columns[dim], begin, found);
    for (std::size_t p = 0; p < ids.size(); ++p)
      ids[p] += (found[p] + std::uint64_t(reach)) * stride[i];
  }
}

double CellGeometry::lowEdge(std::uint32_t coordinate, std::size_t i) const {
  const std::uint32_t cell = coordinate - std::uint32_t(reach);
  return hasSlices(i) ? slices[i][cell] : origin[i] + double(cell) * side[i];
}

double CellGeometry::highEdge(std::uint32_t coordinate, std::size_t i) const {
  const std::uint32_t cell = coordinate - std::uint32_t(reach);
  return hasSlices(i) ? slices[i][cell + 1] : lowEdge(coordinate, i) + side[i];
}

Result<CellGeometry> makeCellGeometry(const PointCloud& cloud, const Bounds& bounds, double eps,
                                      int reach, const std::vector<int>& dims, const Task& task) {
  Stretches stretches = stretchesOf(cloud, eps, task);
  return makeCellGeometry(stretches, bounds, eps, reach, dims, task);
}

Result<CellGeometry> makeCellGeometry(Stretches& stretches, const Bounds& bounds, double eps,
                                      int reach, const std::vector<int>& dims, const Task& task) {
  CellGeometry geometry;
  geometry.reach = reach;
  geometry.dims = dims;
  const std::size_t k = dims.size();
  for (auto* lengths : {&geometry.origin, &geometry.side, &geometry.span, &geometry.pairSpan})
    lengths->assign(k, 0.0);
  geometry.slices.resize(k);
  geometry.extent.assign(k, 0);
  std::vector<double> cells(k);
  double bitsOfAll = 0;
  double mostBits = 0;
  for (std::size_t i = 0; i < k; ++i) {
    cells[i] = cutEvenly(bounds, eps, i, geometry);
    bitsOfAll += std::log2(cells[i]);
    mostBits = std::max(mostBits, std::log2(cells[i]));
  }
  const bool fits = bitsOfAll <= kMaxIdBits && mostBits <= kMaxCoordinateBits;
  IdBits bits(k);
  std::vector<std::size_t> tooLong;
  for (const std::size_t i : ascending(cells)) {
    if (fits || (tooLong.empty() && std::log2(cells[i]) <= bits.share())) {
      geometry.extent[i] = std::uint32_t(cells[i]);
      bits.take(cells[i]);
    } else {
      tooLong.push_back(i);
    }
  }
  if (!tooLong.empty())
    if (auto cut = cutIntoSlices(stretches, eps, tooLong, bits, geometry, task); !cut)
      return tl::unexpected(cut.error());
  geometry.stride.assign(k, 1);
  for (std::size_t i = k; i-- > 1;)
    geometry.stride[i - 1] = geometry.stride[i] * geometry.extent[i];
  return geometry;
}

}  // namespace clusterloom
