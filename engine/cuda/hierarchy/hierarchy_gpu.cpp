#include "engine/cuda/hierarchy/hierarchy_gpu.h"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/hierarchy/device_hierarchy.h"
#include "engine/cuda/product/nearest_search.h"
#include "engine/cuda/product/product_tiles.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/failure.h"
#include "engine/cuda/runtime/probe.h"
#include "engine/hierarchy/hierarchy_builder.h"

namespace clusterloom {
namespace {

/// From these dimensions on boxes of the tree rule out so few points that products of all pairs are
/// faster (tests/bench/RESULTS.md).
constexpr std::size_t kLeastDimsOfProducts = 16;

/// Calls `body(run, points)` with the input's points on the device, which it may keep; what is
/// thrown in this module becomes a value.
template <class T, class Body>
Result<T> onDevice(const Device& device, const JoinInput& input, const Task& task,
                   const Body& body) {
  try {
    return retriedWithoutCopies(device, [&](GpuRun::Copies copies) -> Result<T> {
      GpuRun run(device, task, copies);
      return body(run, pointsOnDevice(run, input));
    });
  } catch (const CudaStopped&) {
    return cancelledError();
  } catch (const CudaFailure& failure) {
    if (task.cancelled()) return cancelledError();
    if (failure.code() == cudaErrorMemoryAllocation)
      return tooLarge(
          "The GPU's memory is too small for this cloud. Use the CPU or a smaller cloud.");
    return tl::unexpected(errorOf(failure));
  } catch (const std::bad_alloc&) {
    return tooLarge(
        "Not enough memory for the result. Use a smaller k or minPts, or a smaller cloud.");
  }
}

}  // namespace

HierarchyGpu::HierarchyGpu(std::unique_ptr<Device> device, bool products)
    : device_(std::move(device)), products_(products) {}
HierarchyGpu::HierarchyGpu(HierarchyGpu&&) noexcept = default;
HierarchyGpu::~HierarchyGpu() = default;

Result<HierarchyGpu> HierarchyGpu::open(int device) {
  const auto gpu = findGpu(device);
  if (!gpu) return tl::unexpected(gpu.error());
  try {
    return HierarchyGpu(std::make_unique<Device>(gpu->id), gpu->major >= kLeastMajorOfProducts);
  } catch (const CudaFailure& failure) {
    return unavailable(errorOf(failure).message);
  }
}

bool HierarchyGpu::findsNearest(std::size_t dims, int k) const {
  return products_ || (dims <= kMaxGridDims && k <= kMaxNearest);
}

bool HierarchyGpu::buildsHierarchies(std::size_t dims) const {
  return products_ || dims <= kMaxGridDims;
}

Result<NearestNeighbours> HierarchyGpu::nearest(const JoinInput& input, int k,
                                                const Task& task) const {
  if (auto valid = validate(input.points); !valid) return tl::unexpected(valid.error());
  if (auto fine = checkNearest(k); !fine) return tl::unexpected(fine.error());
  const std::size_t dims = input.points.dims();
  const int row = int(std::min<std::size_t>(std::size_t(k), input.points.size()));
  const bool byTree = dims <= kMaxGridDims && row <= kMaxNearest;
  if (row == 1) return nearestNeighbours(input.points, row, 0, task);
  const bool byProducts = products_ && (!byTree || dims >= kLeastDimsOfProducts);
  return onDevice<NearestNeighbours>(
      *device_, input, task,
      [&](GpuRun& run, const std::shared_ptr<const DeviceCloud>& points) -> NearestNeighbours {
        if (byProducts)
          if (auto found = nearestByProductsOnGpu(run, points, row, {.mayGiveUp = byTree}))
            return std::move(*found);
        return nearestOnGpu(run, *points, row);
      });
}

Result<Hierarchy> HierarchyGpu::hierarchy(const JoinInput& input, const HierarchyOptions& options,
                                          const Task& task) const {
  // One point has no tree.
  if (input.points.size() < 2) return Hierarchy::build(input.points, options, task);
  if (auto fine = HierarchyBuilder::check(input.points, options); !fine)
    return tl::unexpected(fine.error());
  const std::size_t dims = input.points.dims();
  const bool byTree = dims <= kMaxGridDims;
  const bool byProducts = products_ && (!byTree || dims >= kLeastDimsOfProducts);
  return onDevice<Hierarchy>(
      *device_, input, task,
      [&](GpuRun& run, const std::shared_ptr<const DeviceCloud>& points) -> Result<Hierarchy> {
        if (byProducts)
          if (auto made =
                  hierarchyByProductsOnGpu(run, points, options.minPts, {.mayGiveUp = byTree}))
            return std::move(*made);
        return hierarchyOnGpu(run, *points, options.minPts);
      });
}

}  // namespace clusterloom
