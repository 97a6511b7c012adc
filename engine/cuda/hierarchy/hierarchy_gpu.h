#pragma once

#include <cstddef>
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

  /// Whether it finds k nearest neighbours in `dims` dimensions: all that a cloud may have where
  /// it has products of bytes, from compute capability 8.0 on.
  bool findsNearest(std::size_t dims, int k) const;
  /// The same for hierarchies.
  bool buildsHierarchies(std::size_t dims) const;
  Result<NearestNeighbours> nearest(const JoinInput& input, int k, const Task& task) const;
  Result<Hierarchy> hierarchy(const JoinInput& input, const HierarchyOptions& options,
                              const Task& task) const;

 private:
  HierarchyGpu(std::unique_ptr<Device> device, bool products);
  std::unique_ptr<Device> device_;
  bool products_ = false;
};

}  // namespace clusterloom
