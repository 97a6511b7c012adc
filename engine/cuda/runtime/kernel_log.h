#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

#include "engine/cuda/runtime/memory.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// The shape of a kernel launch.
struct KernelShape {
  std::string name;
  const void* function = nullptr;
  unsigned block = 0;
  std::size_t sharedBytes = 0;  ///< dynamic shared memory of a block
};

/// The times of kernels, summed by name. Events are reused, so a run may launch any number of
/// kernels. For one host thread at a time.
class KernelLog {
 public:
  /// Queues what `launch()` launches on `stream`, one `kernel`, between two events.
  template <class Launch>
  void time(cudaStream_t stream, const KernelShape& kernel, Launch&& launch) {
    Timed& timed = next(kernel);
    timed.start.record(stream);
    launch();
    CUDA_CHECK_LAUNCH();
    timed.end.record(stream);
  }
  /// Adds up the times of queued kernels, so that their events can be reused. All of them must have
  /// ended.
  void settle();
  /// Adds the sums of another log.
  void add(const std::vector<KernelStats>& stats);
  /// One entry per kernel, in the order of their first launches. All queued kernels must have
  /// ended.
  const std::vector<KernelStats>& stats();

 private:
  struct Timed {
    std::size_t stats = 0;
    Event start;
    Event end;
  };
  Timed& next(const KernelShape& kernel);

  std::vector<KernelStats> stats_;
  std::vector<Timed> queued_;
  std::size_t used_ = 0;
};

}  // namespace clusterloom
