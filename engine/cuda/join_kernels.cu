#include "engine/cuda/join_kernels.h"

#include <algorithm>

#include "engine/cuda/failure.h"

namespace clusterloom {

std::vector<KernelStory> KernelLog::stories() const {
  std::vector<KernelStory> stories;
  for (const Entry& entry : entries_) {
    auto story = std::find_if(stories.begin(), stories.end(),
                              [&](const KernelStory& s) { return s.name == entry.name; });
    if (story == stories.end()) {
      cudaFuncAttributes attributes{};
      CUDA_CHECK(cudaFuncGetAttributes(&attributes, entry.kernel));
      int blocks = 0;
      CUDA_CHECK(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry.kernel, entry.blockSize, 0));
      int device = 0;
      CUDA_CHECK(cudaGetDevice(&device));
      int threads = 1;
      CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
      story = stories.insert(
          stories.end(), {.name = entry.name,
                          .registers = attributes.numRegs,
                          .occupancy = static_cast<double>(blocks * entry.blockSize) / threads});
    }
    story->seconds += millisecondsBetween(entry.start, entry.end) / 1e3;
    ++story->launches;
  }
  return stories;
}

}  // namespace clusterloom
