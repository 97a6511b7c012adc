#pragma once

#include <tbb/parallel_invoke.h>

#include <cstddef>

namespace clusterloom {

/// Fewer points than this are sorted sooner than another thread comes to help.
inline constexpr std::size_t kWorthAnotherThread = 16384;

/// Runs both functions, at the same time where they are about `points` points and that is worth
/// another thread. Who waits for a thread takes processor time until it comes, most where other
/// programs run.
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
