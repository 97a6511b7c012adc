#pragma once

#include "engine/core/profiler_range.h"
#include "engine/core/task.h"

namespace clusterloom {

/// A named phase of the host's work for a GPU: a range of this thread, which profilers (Nsight
/// Systems, Nsight Compute's --nvtx-include) show beside the kernels and copies queued in it. With
/// a task the phase is reported as its stage too. Names are literals.
class GpuPhase {
 public:
  explicit GpuPhase(const char* name) : range_(name) {}
  GpuPhase(const char* name, const Task& task) : range_(name), task_(&task) {
    task.report(name, 0);
  }

  /// Ends this phase and begins the next one.
  void next(const char* name) {
    range_.next(name);
    if (task_ != nullptr) task_->report(name, 0);
  }

 private:
  ProfilerRange range_;
  const Task* task_ = nullptr;
};

}  // namespace clusterloom
