#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {

/// Points per non-empty cell, estimated without building the index: of all cells a pseudo-random
/// 1/64, chosen by a hash of their ids, is counted with all its points. Deterministic; at least 1.
double estimatedPointsPerCell(const PointCloud& cloud, const CellGeometry& geometry);

/// How many other points share the cell of a point, on average over the points, estimated from some
/// 4,096 of them. Where most cells hold few points and some hold very many, the result is large
/// although there are few points per cell on average. Deterministic and fast.
double estimatedCompanions(const PointCloud& cloud, const CellGeometry& geometry);
/// The same from the linear ids of a sample of a cloud of `points` points:
/// point i · points / sample for i < sample = companionSample(points).
double estimatedCompanions(std::vector<std::uint64_t> sampledIds, std::size_t points);
std::size_t companionSample(std::size_t points);

}  // namespace clusterloom
