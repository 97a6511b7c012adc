#include "engine/grid/cell_geometry.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {
namespace {

constexpr double kUnitRoundoff = 0x1p-53;
constexpr double kMaxCellsPerDimension = 0x1p31;
constexpr double kMaxLinearId = 0x1p62;

// Why side ≥ (ε/r)·(1 + 8u(E + 2)) keeps every accepted pair within r cells, u = 2⁻⁵³, E cells in
// the dimension. If the predicate accepts p and q then, sums of non-negative terms never rounding
// below a term, fl(fl(dx)²) ≤ fl(ε²), hence |dx| ≤ ε(1 + 2.1u). The computed quotient t = fl(fl(x −
// lo)/side) differs from the true one by at most E(2u + u²), so |t_p − t_q| ≤ r(1 + 2.1u)/(1 + 8u(E
// + 2)) + 4.1uE. With u(E + 2) < 2⁻²¹ that is at most r, since 2.1r + 4.1E ≤ 7.9r(E + 2), and
// numbers at most r apart have floors at most r apart. The 4 in place of 2 pays for rounding the
// side itself.
double safeSide(double eps, int reach, double cells) {
  return eps / reach * (1.0 + 8.0 * kUnitRoundoff * (cells + 4.0));
}

double cellsOf(double range, double side, int reach) {
  return std::floor(range / side) + 1.0 + 2.0 * reach;
}

}  // namespace

std::vector<std::uint32_t> CellGeometry::coordinatesOf(std::uint64_t linearId) const {
  std::vector<std::uint32_t> coordinates(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    coordinates[i] = static_cast<std::uint32_t>(linearId / stride[i]);
    linearId %= stride[i];
  }
  return coordinates;
}

CellGeometry makeCellGeometry(const Bounds& bounds, double eps, int reach,
                              const std::vector<int>& dims) {
  CellGeometry geometry;
  geometry.reach = reach;
  geometry.dims = dims;
  const std::size_t k = dims.size();
  std::vector<double> cells(k);
  std::vector<double> ranges(k);
  for (std::size_t i = 0; i < k; ++i) {
    const auto j = static_cast<std::size_t>(dims[i]);
    const double range = bounds.high[j] - bounds.low[j];
    ranges[i] = range;
    const double most = std::min(cellsOf(range, eps / reach, reach), kMaxCellsPerDimension);
    double side = safeSide(eps, reach, most);
    // The last cell of a full-length dimension must still have a coordinate below 2³¹.
    side = std::max(side, range / (kMaxCellsPerDimension - 4.0 - 2.0 * reach));
    geometry.origin.push_back(bounds.low[j]);
    geometry.side.push_back(side);
    cells[i] = cellsOf(range, side, reach);
  }
  bool enlarged = false;
  for (;;) {
    double product = 1.0;
    for (const double c : cells) product *= c;
    if (product <= kMaxLinearId) break;
    const auto longest =
        static_cast<std::size_t>(std::max_element(cells.begin(), cells.end()) - cells.begin());
    geometry.side[longest] *= 2.0;
    cells[longest] = cellsOf(ranges[longest], geometry.side[longest], reach);
    enlarged = true;
  }
  for (std::size_t i = 0; i < k; ++i) {
    geometry.extent.push_back(static_cast<std::uint32_t>(cells[i]));
    if (geometry.side[i] > 1.5 * eps / reach) enlarged = true;
  }
  geometry.stride.assign(k, 1);
  for (std::size_t i = k; i-- > 1;)
    geometry.stride[i - 1] = geometry.stride[i] * geometry.extent[i];
  if (enlarged)
    geometry.note =
        "Cells are longer than ε in some dimensions: ε is so small against the range that cell ids "
        "would overflow. The result is exact all the same.";
  return geometry;
}

}  // namespace clusterloom
