#pragma once

#include <ctime>

namespace clusterloom {

/// Processor time of this thread so far: a busy machine does not change it.
inline double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

}  // namespace clusterloom
