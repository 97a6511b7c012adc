#pragma once

#include <span>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "ui/session/point_set.h"

namespace clusterloom {

/// How a part of a data set treats the rows that it leaves out.
enum class OtherRows {
  Skipped,  ///< they count as skipped, so that exports with a line per row keep their places
  None,     ///< there are no other rows: a separate data set
};

/// The points of `data` whose numbers are in `points` (ascending, within the data), with their
/// attributes. Cancelled.
Result<Dataset> subsetOf(const Dataset& data, std::span<const std::uint32_t> points,
                         OtherRows others, const Task& task = {});

/// Labels and roles of some points, ascending, and how many of each role there are.
Clustering partOf(const Clustering& whole, std::span<const std::uint32_t> points);

/// Numbers of points of a data set as numbers within its part `kept` (null: all of it); those that
/// the part lacks are left out. Both ascending.
std::vector<std::uint32_t> withinKept(std::span<const std::uint32_t> points, const PointSet& kept);
/// The opposite: numbers within `kept` as numbers of the whole.
std::vector<std::uint32_t> ofWhole(std::span<const std::uint32_t> points, const PointSet& kept);

}  // namespace clusterloom
