#include "engine/cuda/device_cloud.h"

#include "engine/cuda/device_algorithms.h"

namespace clusterloom {

DeviceCloud uploadCloud(GpuRun& run, const PointCloud& cloud) {
  DeviceCloud there;
  there.size = cloud.size();
  there.dims = cloud.dims();
  there.coordinates = DeviceBuffer<double>(run.lease(), there.size * there.dims);
  for (std::size_t j = 0; j < there.dims; ++j)
    there.coordinates.upload(cloud.column(j), j * there.size);
  return there;
}

Bounds boundsOf(GpuRun& run, const DeviceCloud& cloud) {
  DeviceBuffer<double> ends(run.lease(), 2 * cloud.dims);
  for (std::size_t j = 0; j < cloud.dims; ++j)
    minMax(run.lease(), cloud.column(j), ends.data() + j, ends.data() + cloud.dims + j, cloud.size);
  PinnedBuffer<double> here(2 * cloud.dims);
  ends.download({here.data(), here.size()});
  run.wait();
  Bounds bounds;
  bounds.low.assign(here.data(), here.data() + cloud.dims);
  bounds.high.assign(here.data() + cloud.dims, here.data() + 2 * cloud.dims);
  return bounds;
}

}  // namespace clusterloom
