#pragma once

#include <tbb/parallel_invoke.h>

#include <cstddef>
#include <exception>

namespace clusterloom {

/// One thread sorts fewer points than this before another thread starts to help.
inline constexpr std::size_t kWorthAnotherThread = 16384;

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
    std::exception_ptr thrown[2];
    const auto caught = [&thrown](int which, const auto& run) {
      try {
        run();
      } catch (...) {
        thrown[which] = std::current_exception();
      }
    };
    tbb::parallel_invoke([&] { caught(0, first); }, [&] { caught(1, second); });
    for (const std::exception_ptr& one : thrown)
      if (one) std::rethrow_exception(one);
  }
}

}  // namespace clusterloom
