#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// What Hierarchy::build is expected to take on this machine.
struct HierarchyForecast {
  double seconds = 0;
  std::uint64_t bytes = 0;      ///< that the hierarchy keeps
  std::uint64_t peakBytes = 0;  ///< while it is built
};

/// Whether there is a hierarchy for this minPts (hierarchy.h names the range).
bool hierarchyPossible(std::size_t points, std::int64_t minPts);

/// Builds hierarchies of two seeded samples and extends their times and sizes as powers of the
/// number of points: time grows faster where more dimensions matter. Clouds that are no larger
/// than a sample get zeros, without a measurement. Cancelled; else the errors of Hierarchy::build.
Result<HierarchyForecast> forecastHierarchy(const PointCloud& cloud, std::int64_t minPts,
                                            const Task& task = {});

}  // namespace clusterloom
