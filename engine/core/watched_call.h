#pragma once

#include <functional>
#include <string>

#include "engine/core/task.h"

namespace clusterloom {

/// The last progress that a call has reported.
struct WatchedProgress {
  std::string stage;
  double fraction = 0;
};

/// Runs work(task) in another thread and returns when it has ended, for callers whose progress and
/// stop requests belong to their own thread: this thread calls `look` every 50 ms, with the newest
/// progress where there is some that it has not seen, else with nullptr. Once `look` has returned
/// false, the task is stopped and `look` is not called again. Without `reports` the work need not
/// report progress. An exception of `work` is thrown in this thread; `look` must not throw.
void watchedCall(const std::function<void(const Task&)>& work,
                 const std::function<bool(const WatchedProgress*)>& look, bool reports = true);

}  // namespace clusterloom
