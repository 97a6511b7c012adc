#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/failure.h"
#include "engine/grid/prepared_cloud.h"
#include "engine/join/join_input.h"

namespace clusterloom {

/// A cloud in device memory: dimension-major (coordinate j of point i is data[j · stride() + i]).
struct DeviceCloud {
  DeviceBuffer<double> coordinates;
  std::size_t size = 0;
  std::size_t dims = 0;
  /// Unused values behind each column, for points that are added later. Only a cloud that was
  /// divided between GPUs has any.
  std::size_t gap = 0;
  const PointCloud* host = nullptr;   ///< what was uploaded; null for points made on the device
  std::optional<Bounds> bounds = {};  ///< where they are known

  std::size_t stride() const { return size + gap; }
  const double* column(std::size_t j) const { return coordinates.data() + j * stride(); }
};

/// For the stats of a run that dropped the copies of prepared clouds.
inline constexpr const char* kCopiesDropped =
    "The GPU's memory ran short: the copies of clouds kept there were dropped.";

/// Queues the copy; the cloud must outlive the result.
DeviceCloud uploadCloud(GpuRun& run, const PointCloud& cloud);

/// The points of a join on the device. Those of a prepared cloud are the copy that the device
/// keeps; where it keeps none, they are uploaded, and kept with their bounds unless that takes more
/// than a quarter of the free memory or the run keeps nothing. May be used until the end of the
/// run, by all its streams.
std::shared_ptr<const DeviceCloud> pointsOnDevice(GpuRun& run, const JoinInput& input);

/// Returns attempt(copies), which makes a GpuRun with these copies. Where a call fails, the copies
/// of clouds that the device keeps are dropped: where its memory ran out, and there were copies,
/// the attempt is repeated without keeping any.
template <class Attempt>
auto retriedWithoutCopies(const Device& device, const Attempt& attempt) {
  try {
    return attempt(GpuRun::Copies::Kept);
  } catch (const CudaFailure& failure) {
    // Those on a device that is lost are dropped, too.
    const bool dropped = PreparedCloud::dropCopies(device.id()) > 0;
    if (!dropped || failure.code() != cudaErrorMemoryAllocation) throw;
  }
  return attempt(GpuRun::Copies::OfTheRun);
}

/// Coordinates of the points i · size / count for i < count ≤ size in these dimensions, one after
/// the other. Waits.
std::vector<std::vector<double>> sampleOf(GpuRun& run, const DeviceCloud& cloud,
                                          const std::vector<int>& dims, std::size_t count);

/// Bounds of points that come one after the other.
class BoundsSoFar {
 public:
  BoundsSoFar(GpuRun& run, std::size_t dims);
  /// Queues the update by the points first … first + count − 1 of a cloud.
  void add(const DeviceCloud& cloud, std::size_t first, std::size_t count);
  /// The bounds of all points so far, at least one. Waits.
  Bounds read();

 private:
  GpuRun& run_;
  std::size_t dims_;
  DeviceBuffer<unsigned long long> ends_;
};

/// Bounds of a non-empty cloud; waits for them where they are not known.
Bounds boundsOf(GpuRun& run, const DeviceCloud& cloud);

}  // namespace clusterloom
