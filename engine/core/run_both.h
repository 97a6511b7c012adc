#pragma once

#include <tbb/parallel_invoke.h>

#include <cstddef>

namespace clusterloom {

/// One thread sorts fewer points than this before another thread starts to help.
inline constexpr std::size_t kWorthAnotherThread = 16384;

/// Runs both functions, at the same time where their work on `points` points is worth another
/// thread. Waiting for a thread takes processor time, most of all where other programs run.
template <class First, class Second>
void runBoth(std::size_t points, const First& first, const Second& second) {
  if (points < kWorthAnotherThread) {
    first();
    second();
  } else {
    tbb::parallel_invoke(first, second);
  }
}

}  // namespace clusterloom
