#pragma once

#include <nvtx3/nvToolsExt.h>

#include "engine/core/task.h"

namespace clusterloom {

/// A named phase of the host's work for a GPU: an NVTX range of this thread, which profilers
/// (Nsight Systems, Nsight Compute's --nvtx-include) show beside the kernels and copies queued in
/// it. Costs a few nanoseconds where no profiler listens. With a task the phase is reported as its
/// stage too. Names are literals.
class GpuPhase {
 public:
  explicit GpuPhase(const char* name) { nvtxRangePushA(name); }
  GpuPhase(const char* name, const Task& task) : task_(&task) {
    nvtxRangePushA(name);
    task.report(name, 0);
  }
  ~GpuPhase() { nvtxRangePop(); }
  GpuPhase(const GpuPhase&) = delete;
  GpuPhase& operator=(const GpuPhase&) = delete;

  /// Ends this phase and begins the next one.
  void next(const char* name) {
    nvtxRangePop();
    nvtxRangePushA(name);
    if (task_ != nullptr) task_->report(name, 0);
  }

 private:
  const Task* task_ = nullptr;
};

}  // namespace clusterloom
