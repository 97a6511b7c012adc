#pragma once

#include <cstddef>

#include "engine/cuda/dbscan/fused_dbscan.h"
#include "engine/cuda/grid/device_geometry.h"

namespace clusterloom {

/// Whether every cell is tight by its shape alone: with 1 % to spare the predicate of the plan
/// holds for any two points of one cell, however it rounds.
bool allTight(const CellGeometry& geometry, std::size_t dims, const GpuFusedPlan& plan);

/// The cells of the plan, or where it leaves them open the faster choice by a forecast: cells of
/// width ε, or sub-cells of half of it. May wait.
CellGeometry chooseGeometry(GpuRun& run, const DeviceCloud& cloud, const Bounds& bounds, double eps,
                            const GpuFusedPlan& plan);

}  // namespace clusterloom
