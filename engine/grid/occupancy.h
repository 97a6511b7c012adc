#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {

/// Points per non-empty cell, estimated without building the index: of all cells a pseudo-random
/// 1/64, chosen by a hash of their ids, is counted with all its points. Deterministic; at least 1.
double estimatedPointsPerCell(const PointCloud& cloud, const CellGeometry& geometry);

}  // namespace clusterloom
