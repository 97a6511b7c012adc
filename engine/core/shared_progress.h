#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "engine/core/profiler_range.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Progress of one stage that several threads work on: they add the work they have done, and the
/// task receives it from one thread at a time, never decreasing. Profilers show it as a range of
/// the thread that makes and destroys it. `stage` must be a literal; the task must outlive this.
class SharedProgress {
 public:
  SharedProgress(const Task& task, std::string_view stage, std::uint64_t total)
      : range_(stage.data()),
        task_(task),
        stage_(stage),
        total_(std::max<std::uint64_t>(1, total)) {
    task_.report(stage_, 0.0);
  }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;

  /// Adds work done. A thread that finds another one reporting continues its work.
  void add(std::uint64_t work) {
    const std::uint64_t done = done_.fetch_add(work, std::memory_order_relaxed) + work;
    if (!task_.progress) return;
    std::unique_lock<std::mutex> lock(reporting_, std::try_to_lock);
    if (!lock.owns_lock() || done <= reported_) return;
    reported_ = done;
    task_.report(stage_, std::min(1.0, double(done) / double(total_)));
  }

 private:
  const ProfilerRange range_;
  const Task& task_;
  const std::string_view stage_;
  const std::uint64_t total_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex reporting_;
  std::uint64_t reported_ = 0;
};

}  // namespace clusterloom
