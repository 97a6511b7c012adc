#pragma once

#include <tbb/task_group.h>

#include <cstddef>
#include <exception>
#include <utility>

namespace clusterloom {

/// One thread sorts fewer points than this before another thread starts to help.
inline constexpr std::size_t kWorthAnotherThread = 16384;

/// Work that other threads of the caller's arena do while the caller goes on. The destructor waits.
class WorkBeside {
 public:
  template <class Run>
  explicit WorkBeside(const Run& run) {
    group_.run([this, run] {
      try {
        run();
      } catch (...) {
        thrown_ = std::current_exception();
      }
    });
  }
  ~WorkBeside() { group_.wait(); }
  WorkBeside(const WorkBeside&) = delete;
  WorkBeside& operator=(const WorkBeside&) = delete;

  /// Until the work is done; throws what it threw.
  void wait() {
    group_.wait();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  tbb::task_group group_;
  std::exception_ptr thrown_;
};

/// Runs both functions, at the same time where their work on `points` points is worth another
/// thread. Waiting for a thread takes processor time, most of all where other programs run. What
/// one throws is thrown when both have ended: TBB would cancel the parallel loops of the other one,
/// which would go on without their results.
template <class First, class Second>
void runBoth(std::size_t points, const First& first, const Second& second) {
  if (points < kWorthAnotherThread) {
    first();
    second();
  } else {
    WorkBeside other(second);
    first();
    other.wait();
  }
}

}  // namespace clusterloom
