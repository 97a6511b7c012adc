#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

/// The expected cost of Hierarchy::build on this machine.
struct HierarchyForecast {
  double seconds = 0;           ///< on all processors, if nothing else runs
  double processorSeconds = 0;  ///< by one thread
  std::uint64_t bytes = 0;      ///< that the hierarchy keeps
  std::uint64_t peakBytes = 0;  ///< while it is built
};

/// Whether trees find the neighbours that the hierarchy for this minPts needs. Then its time can be
/// forecast, and the window prepares it. Hierarchy::build accepts larger minPts.
bool hierarchyPossible(std::size_t points, std::int64_t minPts);

/// Builds hierarchies of up to three seeded samples by one thread and extends their processor
/// times, which other work does not change, and sizes as powers of the number of points: time grows
/// faster where more dimensions matter. Where products compare all pairs (isSearchedByProducts),
/// times are extended as one part for each point and one for each pair. By measurement, processors
/// share all of the work but a tenth. Clouds of at most 20,000 points get zeros, without a
/// measurement; from 16 dimensions on those of at most 5,000 points, the fewer the more dimensions.
/// Cancelled; else the errors of Hierarchy::build.
Result<HierarchyForecast> forecastHierarchy(const PointCloud& cloud,
                                            const HierarchyOptions& options, const Task& task = {});

}  // namespace clusterloom
