#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The centre of points, and the directions along which they vary most.
struct PrincipalAxes {
  std::vector<double> centre;  ///< their mean
  /// Unit vectors, of the largest variance first; the largest entry of each is positive. Empty
  /// beyond those asked for.
  std::array<std::vector<double>, 3> directions;
  std::array<double, 3> explained{};  ///< share of the variance along each, in [0, 1]
};

/// Of how many points the axes of a cloud are computed: of all, or of an even sample whose
/// covariance takes a second or two.
std::size_t principalSample(std::size_t points, std::size_t dims);

/// The first `count` ≤ min(3, dimensions) principal axes of a cloud that is not empty: eigenvectors
/// of the covariance of a stratified sample of principalSample points, to the precision of doubles.
/// The same on every machine but for rounding. Cancelled.
Result<PrincipalAxes> principalAxes(const PointCloud& cloud, std::size_t count,
                                    const Task& task = {});

}  // namespace clusterloom
