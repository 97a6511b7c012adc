#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// Bounds of the labels that points within ε of a place have, without looking at these points: the
/// cells around each, in the first dimensions, keep the highest label in a hash table. Only a join
/// finds the labels themselves.
class NearLabels {
 public:
  /// `points` are ids of `cloud`; point p has the label labels[p] ≥ 0. ε > 0. Parallel on the
  /// caller's TBB arena.
  NearLabels(const PointCloud& cloud, std::span<const std::uint32_t> points,
             std::span<const std::int32_t> labels, double eps);
  /// No label of these points within ε of point `p` of a cloud of as many dimensions is higher; −1
  /// where there is none for certain.
  std::int32_t highest(const PointCloud& cloud, std::size_t p) const;

 private:
  double slice(double coordinate) const;
  void mark(const PointCloud& cloud, std::size_t p, std::int32_t label, std::size_t dim,
            std::uint64_t hash);

  std::size_t dims_;
  double width_;  // of a cell
  double reach_;
  bool all_ = false;  // points are not distinguished
  std::vector<std::int32_t> cells_;
};

}  // namespace clusterloom
