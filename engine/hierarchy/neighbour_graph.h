#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

/// The data that the hierarchies of every minPts up to K share: the K nearest neighbours of all
/// points and the spanning tree for K. A hierarchy of another minPts then needs a small tree and no
/// search of the cloud. An immutable value whose copies share their data; any thread may use it.
class NeighbourGraph {
 public:
  /// For 1 ≤ K ≤ kMaxNearest; K is lowered to the number of points where that is smaller. Errors
  /// are those of Hierarchy::build.
  static Result<NeighbourGraph> build(const PointCloud& cloud, const HierarchyOptions& most,
                                      const Task& task = {});

  std::size_t points() const;
  /// K, or the number of points where that is less.
  std::int64_t mostMinPts() const;
  std::uint64_t bytes() const;  ///< of memory that it keeps

  /// Equal to Hierarchy::build of the cloud. BadCall for a minPts below 1 or above K that is not
  /// above the number of points either; TooLarge, Cancelled.
  Result<Hierarchy> hierarchy(const HierarchyOptions& options, const Task& task = {}) const;

 private:
  struct Data;
  explicit NeighbourGraph(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace clusterloom
