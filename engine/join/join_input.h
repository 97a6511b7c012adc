#pragma once

#include <cstdint>
#include <span>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"

namespace clusterloom {

/// What a join compares: the points of one cloud with each other, or those of two clouds. In A ⋈ B
/// the neighbours of each point of A (`queries`) are searched in B (`points`), the indexed cloud.
/// Made implicitly from one cloud. Keeps references: the clouds must outlive it.
///
/// Equal clouds given twice are a join of two clouds whose result is that of the self-join.
struct JoinInput {
  const PointCloud& queries;
  const PointCloud& points;
  bool twoClouds;

  JoinInput(const PointCloud& cloud) : queries(cloud), points(cloud), twoClouds(false) {}
  /// A ⋈ B as JoinInput(A, B).
  JoinInput(const PointCloud& queryCloud, const PointCloud& indexedCloud)
      : queries(queryCloud), points(indexedCloud), twoClouds(true) {}
};

/// `validate` of each cloud, and that both have the same number of dimensions. Of two clouds the
/// message says which one is meant.
Result<void> validate(const JoinInput& input);

/// BadCall unless there is a label for each of input.points.
Result<void> checkLabels(const JoinInput& input, std::span<const std::int32_t> labels);

}  // namespace clusterloom
