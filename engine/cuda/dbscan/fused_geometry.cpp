#include "engine/cuda/dbscan/fused_geometry.h"

#include <algorithm>

#include "engine/core/metric.h"
#include "engine/cuda/grid/cell_lists.h"

namespace clusterloom {
namespace {

// Sub-cells pay where the occupied ones hold some points each; in sparse clouds their wider window
// costs more than it saves. Uniform clouds take as long with both at 5 to 7 points an ε-cell, where
// the occupied ones of 4 or 8 sub-cells hold this many (bench_divided --costs).
double pointsPerSubCell(std::size_t dims) { return dims < 3 ? 1.7 : 1.4; }
// They also pay where few cells hold most of the points, however sparse the others are. Only clouds
// whose dimensions are cut into slices are asked: the estimate waits.
constexpr double kManyCompanions = 100;

}  // namespace

bool allTight(const CellGeometry& geometry, std::size_t dims, const GpuFusedPlan& plan) {
  if (geometry.dims.size() != dims) return false;
  const auto span = [&](std::size_t i) { return geometry.span[i]; };
  return squaredLength(plan.metric, dims, span) <= 0.99 * plan.squaredEps;
}

CellGeometry chooseGeometry(GpuRun& run, const DeviceCloud& cloud, const Bounds& bounds, double eps,
                            const GpuFusedPlan& plan) {
  const bool possible = cloud.dims <= 3 && plan.dims.size() == cloud.dims;
  Stretches stretches = stretchesOf(run, cloud, eps);
  if (plan.reach == 1 || !possible) return geometryOf(run, stretches, bounds, eps, 1, plan.dims);
  CellGeometry subCells = geometryOf(run, stretches, bounds, eps, 2, plan.dims);
  if (plan.reach == 2) return subCells;
  const auto n = double(cloud.size);
  const auto all = double(subCells.linearIds());
  const bool hasSlices = std::any_of(subCells.slices.begin(), subCells.slices.end(),
                                     [](const auto& slices) { return !slices.empty(); });
  const double enough = pointsPerSubCell(cloud.dims);
  if (n >= enough * all || n >= enough * estimateOccupiedCells(run, cloud, subCells) ||
      (hasSlices && estimateCompanions(run, cloud, subCells) >= kManyCompanions))
    return subCells;
  return geometryOf(run, stretches, bounds, eps, 1, plan.dims);
}

}  // namespace clusterloom
