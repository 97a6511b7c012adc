#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "engine/cuda/memory.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// A kernel as it is launched.
struct KernelShape {
  const char* name = "";
  const void* function = nullptr;
  unsigned block = 0;
  std::size_t sharedBytes = 0;  ///< dynamic shared memory of a block
};

/// What kernels of one stream took, summed by name. Events are used again and again, so a run may
/// launch as often as it likes.
class KernelTimes {
 public:
  explicit KernelTimes(cudaStream_t stream) : stream_(stream) {}

  /// Queues what `launch()` launches, one `kernel`, between two events.
  template <class Launch>
  void time(const KernelShape& kernel, Launch&& launch) {
    Timed& timed = begin(kernel);
    launch();
    CUDA_CHECK_LAUNCH();
    timed.end.record(stream_);
  }
  /// Adds up what has been queued. All of it must be past.
  void settle();
  /// One a kernel, in the order of their first launches.
  const std::vector<KernelStory>& stories() const { return stories_; }

 private:
  struct Timed {
    std::size_t story = 0;
    Event start;
    Event end;
  };
  Timed& begin(const KernelShape& kernel);

  cudaStream_t stream_;
  std::vector<KernelStory> stories_;
  std::vector<Timed> queued_;
  std::size_t used_ = 0;
};

}  // namespace clusterloom
