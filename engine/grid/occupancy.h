#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/lane.h"
#include "engine/core/mixed_bits.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {

/// Points per non-empty cell, estimated without building the index: of all cells a pseudo-random
/// 1/64, chosen by a hash of their ids, is counted with all its points. Deterministic; at least 1.
double estimatedPointsPerCell(const PointCloud& cloud, const CellGeometry& geometry);

/// How many other points share the cell of a point, on average over the points, estimated from some
/// 4,096 of them. Where most cells hold few points and some hold very many, the result is large
/// although there are few points per cell on average. Deterministic and fast.
double estimatedCompanions(const PointCloud& cloud, const CellGeometry& geometry);
/// The same from the linear ids of a sample of a cloud of `points` points: point
/// `companionOf(i, sample, points)` for i < sample = companionSample(points).
double estimatedCompanions(std::vector<std::uint64_t> sampledIds, std::size_t points);
std::size_t companionSample(std::size_t points);

/// One point of the i-th of `sample` equal parts of the rows. Every n-th row would be rows of one
/// kind where tables repeat with a period.
CLUSTERLOOM_LANE std::size_t companionOf(std::size_t i, std::size_t sample, std::size_t points) {
  const std::size_t begin = i * points / sample;
  const std::size_t end = (i + 1) * points / sample;
  return begin + std::size_t(mixedBits(i + 1) % (end - begin));
}

}  // namespace clusterloom
