#include "engine/cuda/kernel_log.h"

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

// Index of the story of that name; the number of stories when there is none.
std::size_t find(const std::vector<KernelStory>& stories, const std::string& name) {
  const auto known = std::find_if(stories.begin(), stories.end(),
                                  [&](const KernelStory& s) { return s.name == name; });
  return static_cast<std::size_t>(known - stories.begin());
}

}  // namespace

KernelLog::Timed& KernelLog::next(const KernelShape& kernel) {
  const std::size_t story = find(stories_, kernel.name);
  if (story == stories_.size()) stories_.push_back(storyOf(kernel));
  if (used_ == queued_.size()) queued_.emplace_back();
  Timed& timed = queued_[used_++];
  timed.story = story;
  return timed;
}

void KernelLog::settle() {
  for (std::size_t i = 0; i < used_; ++i) {
    KernelStory& story = stories_[queued_[i].story];
    story.seconds += millisecondsBetween(queued_[i].start, queued_[i].end) / 1e3;
    ++story.launches;
  }
  used_ = 0;
}

void KernelLog::add(const std::vector<KernelStory>& stories) {
  for (const KernelStory& other : stories) {
    const std::size_t at = find(stories_, other.name);
    if (at == stories_.size()) {
      stories_.push_back(other);
    } else {
      stories_[at].seconds += other.seconds;
      stories_[at].launches += other.launches;
    }
  }
}

const std::vector<KernelStory>& KernelLog::stories() {
  settle();
  return stories_;
}

}  // namespace clusterloom
