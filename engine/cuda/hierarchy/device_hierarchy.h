#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// The k nearest neighbours of every point of a non-empty cloud, equal to those of
/// nearestNeighbours, 1 ≤ k ≤ kMaxNearest. Throws CudaFailure, CudaStopped.
NearestNeighbours nearestOnGpu(GpuRun& run, const DeviceCloud& cloud, int k);

/// The hierarchy of a cloud of at least two points, equal to that of Hierarchy::build; minPts is in
/// the range that HierarchyOptions names. TooLarge. Throws CudaFailure, CudaStopped.
Result<Hierarchy> hierarchyOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts);

/// Names and milliseconds of stages, in their order; stages of rounds come again and again.
using StageTimes = std::vector<std::pair<std::string, double>>;

/// How a hierarchy is built by products.
struct HierarchyByProducts {
  /// Returns nullopt where bytes prove too little (NearestByProducts).
  bool mayGiveUp = false;
  StageTimes* stages = nullptr;                 ///< takes their times, if given
  std::vector<KernelStats>* kernels = nullptr;  ///< takes those of products and of their pairs
};

/// The same by products of bytes on matrix units, for many dimensions (ForestSearch). Needs compute
/// capability kLeastMajorOfProducts (product_tiles.h).
std::optional<Result<Hierarchy>> hierarchyByProductsOnGpu(GpuRun& run,
                                                          std::shared_ptr<const DeviceCloud> cloud,
                                                          std::int64_t minPts,
                                                          const HierarchyByProducts& options = {});

/// Builds that of the tree in the device's memory alone and times its stages by events.
StageTimes timeHierarchyOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts);

/// Labels of `eps`, each BadCall or valid, from a hierarchy that stays in the device's memory.
struct LabelTimes {
  std::vector<double> milliseconds;  ///< of each ε, the labels staying on the device
  std::vector<std::int32_t> labels;  ///< of the last ε
};
Result<LabelTimes> timeLabelsOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts,
                                   std::span<const double> eps);

}  // namespace clusterloom
