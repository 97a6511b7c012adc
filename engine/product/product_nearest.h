#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Finds the nearest neighbours of every point of a valid cloud by products of rounded coordinates,
/// for many dimensions or many neighbours: rows of `k` entries by point, 2 ≤ k ≤ number of points,
/// in the order of NearestNeighbours (engine/hierarchy/nearest_neighbours.h). Exact, ties by id. On
/// the caller's TBB arena. Cost: at most n products of 16-bit integers for each ordered pair of
/// points. Cancelled.
Result<void> nearestByProducts(const PointCloud& cloud, std::size_t k, std::span<std::uint32_t> ids,
                               std::span<double> squaredDistances, const Task& task);

struct RoundedPoints;

/// The same for points that are rounded already, rows by position; ids are those of points.
Result<void> nearestByProducts(const RoundedPoints& points, std::size_t k,
                               std::span<std::uint32_t> ids, std::span<double> squaredDistances,
                               const Task& task);

/// The same for every point of `queries`, another valid cloud of the same dimensions, among the
/// points of `cloud`: rows of nearestOf (engine/hierarchy/nearest_neighbours.h), 1 ≤ k.
Result<void> nearestByProductsOf(const PointCloud& queries, const PointCloud& cloud, std::size_t k,
                                 std::span<std::uint32_t> ids, std::span<double> squaredDistances,
                                 const Task& task);

}  // namespace clusterloom
