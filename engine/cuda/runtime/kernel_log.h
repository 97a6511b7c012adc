#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

#include "engine/cuda/runtime/memory.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// A kernel as it is launched.
struct KernelShape {
  std::string name;
  const void* function = nullptr;
  unsigned block = 0;
  std::size_t sharedBytes = 0;  ///< dynamic shared memory of a block
};

/// What kernels took, summed by name. Events are used again and again, so a run may launch as often
/// as it likes. For one host thread at a time.
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
  /// Adds up what has been queued, so that its events can be used again. All of it must be past.
  void settle();
  /// Adds what another log has added up.
  void add(const std::vector<KernelStats>& stats);
  /// One a kernel, in the order of their first launches. All that has been queued must be past.
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
