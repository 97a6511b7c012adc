#include "engine/cuda/kernel_times.h"

#include <algorithm>

namespace clusterloom {
namespace {

KernelStory storyOf(const KernelShape& kernel) {
  KernelStory story;
  story.name = kernel.name;
  cudaFuncAttributes attributes{};
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel.function));
  story.registers = attributes.numRegs;
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel.function, static_cast<int>(kernel.block), kernel.sharedBytes));
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  int threads = 1;
  CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  story.occupancy = static_cast<double>(blocks) * kernel.block / threads;
  return story;
}

}  // namespace

KernelTimes::Timed& KernelTimes::begin(const KernelShape& kernel) {
  const auto known = std::find_if(stories_.begin(), stories_.end(),
                                  [&](const KernelStory& s) { return s.name == kernel.name; });
  const auto story = static_cast<std::size_t>(known - stories_.begin());
  if (known == stories_.end()) stories_.push_back(storyOf(kernel));
  if (used_ == queued_.size()) queued_.emplace_back();
  Timed& timed = queued_[used_++];
  timed.story = story;
  timed.start.record(stream_);
  return timed;
}

void KernelTimes::settle() {
  for (std::size_t i = 0; i < used_; ++i) {
    KernelStory& story = stories_[queued_[i].story];
    story.seconds += millisecondsBetween(queued_[i].start, queued_[i].end) / 1e3;
    ++story.launches;
  }
  used_ = 0;
}

}  // namespace clusterloom
