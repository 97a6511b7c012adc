#pragma once

#include <memory>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/join/join_input.h"

namespace clusterloom {

class Device;

/// A GPU that finds nearest neighbours and builds hierarchies of the points of an input; it keeps
/// its copy of a prepared cloud. No exception leaves a call. Errors
/// are those of nearestNeighbours and Hierarchy::build; TooLarge also where the GPU's memory is too
/// small, Unavailable where it fails.
class HierarchyGpu {
 public:
  /// The GPU of that number, or the first that answers for −1; Unavailable, with the reason.
  static Result<HierarchyGpu> open(int device);
  HierarchyGpu(HierarchyGpu&&) noexcept;
  ~HierarchyGpu();

  Result<NearestNeighbours> nearest(const JoinInput& input, int k, const Task& task) const;
  Result<Hierarchy> hierarchy(const JoinInput& input, const HierarchyOptions& options,
                              const Task& task) const;

 private:
  explicit HierarchyGpu(std::unique_ptr<Device> device);
  std::unique_ptr<Device> device_;
};

}  // namespace clusterloom
