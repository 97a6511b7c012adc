#pragma once

#include <cstdint>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"

namespace clusterloom {

/// Points that are clustered group by group: `of[p]` is the group of point p, < `count`.
struct PointGroups {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
};

/// Points of equal values: numbers that are equal (missing ones too), or the same word. Groups are
/// numbered by their first point.
PointGroups groupsOf(const ColumnValues& values);

/// The cloud in which points of different groups are farther apart than ε and all other distances
/// are as they were: one more dimension, in which the groups are 2 ε or more apart. Every exact
/// answer for it, on every backend, is that of each group alone.
///
/// Performance. One more dimension for the grid; a cloud that is moved here is not copied.
///
/// Errors. BadCall for an ε that no join takes; TooLarge where the cloud has kMaxDims dimensions
/// already.
Result<PointCloud> apartByGroup(PointCloud cloud, const PointGroups& groups, double eps);

}  // namespace clusterloom
