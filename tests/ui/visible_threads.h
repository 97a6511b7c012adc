#pragma once

#include <cstddef>

#ifdef __SANITIZE_THREAD__
#include <tbb/global_control.h>

/// By how much clouds whose size only makes work are made smaller: ThreadSanitizer slows
/// everything.
inline constexpr std::size_t kSmaller = 10;

/// TBB is not built with ThreadSanitizer, which therefore sees none of its hand-overs and reports
/// each as a race. With one thread for TBB what is left to check is what these tests are about: the
/// session's own workers against the event loop.
class VisibleThreads {
  tbb::global_control one_{tbb::global_control::max_allowed_parallelism, 1};
};
#else
inline constexpr std::size_t kSmaller = 1;
class VisibleThreads {};
#endif
