#pragma once

#include <memory>
#include <string>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

class Device;

/// A GPU that finds nearest neighbours and builds hierarchies. No exception leaves a call. Errors
/// are those of nearestNeighbours and Hierarchy::build; TooLarge also where the GPU's memory is too
/// small, Unavailable where it fails.
class HierarchyGpu {
 public:
  /// The GPU of that number, or the first that answers for −1; Unavailable, with the reason.
  static Result<HierarchyGpu> open(int device);
  HierarchyGpu(HierarchyGpu&&) noexcept;
  ~HierarchyGpu();

  Result<NearestNeighbours> nearest(const PointCloud& cloud, int k, const Task& task) const;
  Result<Hierarchy> hierarchy(const PointCloud& cloud, const HierarchyOptions& options,
                              const Task& task) const;

 private:
  explicit HierarchyGpu(std::unique_ptr<Device> device);
  std::unique_ptr<Device> device_;
};

}  // namespace clusterloom
