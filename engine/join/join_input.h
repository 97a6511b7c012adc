#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/grid/prepared_cloud.h"

namespace clusterloom {

/// The input of a join: the points of one cloud are compared with each other, or with those of
/// another cloud. In A ⋈ B the neighbours of each point of A (`queries`) are searched in B
/// (`points`), the indexed cloud. Made implicitly from one cloud, which may be a prepared one: a
/// run then finds, or keeps, what does not depend on ε. Keeps references: the clouds must outlive
/// it.
///
/// Equal clouds given twice are a join of two clouds whose result is that of the self-join.
struct JoinInput {
  const PointCloud& queries;
  const PointCloud& points;
  bool twoClouds;
  const PreparedCloud* prepared = nullptr;  ///< of `points`; null: nothing is kept

  JoinInput(const PointCloud& cloud) : queries(cloud), points(cloud), twoClouds(false) {}
  JoinInput(const PreparedCloud& cloud)
      : queries(cloud.cloud()), points(cloud.cloud()), twoClouds(false), prepared(&cloud) {}
  /// A ⋈ B as JoinInput(A, B).
  JoinInput(const PointCloud& queryCloud, const PointCloud& indexedCloud)
      : queries(queryCloud), points(indexedCloud), twoClouds(true) {}
  JoinInput(const PointCloud& queryCloud, const PreparedCloud& indexedCloud)
      : queries(queryCloud),
        points(indexedCloud.cloud()),
        twoClouds(true),
        prepared(&indexedCloud) {}
};

/// `validate` of each cloud, and that both have the same number of dimensions. Of two clouds the
/// message says which one is meant.
Result<void> validate(const JoinInput& input);
/// The check of the dimensions alone.
Result<void> checkDims(const JoinInput& input);

/// The bounds of input.points: those that a prepared cloud keeps, else computed.
Bounds boundsOf(const JoinInput& input);
std::vector<int> dimensionsByVariance(const JoinInput& input);

/// BadCall unless there is a label for each of input.points.
Result<void> checkLabels(const JoinInput& input, std::span<const std::int32_t> labels);

}  // namespace clusterloom
