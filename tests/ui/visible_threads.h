#pragma once

#include <cstddef>

#ifdef __SANITIZE_THREAD__
#include <tbb/global_control.h>

/// Reduces clouds whose size only makes work, because ThreadSanitizer is
/// slow.
inline constexpr std::size_t kSmaller = 10;

/// TBB is not built with ThreadSanitizer, which therefore does not see its synchronization and
/// reports races. With one thread for TBB the tests still check their subject: the session's own
/// workers against the event loop.
class VisibleThreads {
  tbb::global_control one_{tbb::global_control::max_allowed_parallelism, 1};
};
#else
inline constexpr std::size_t kSmaller = 1;
class VisibleThreads {};
#endif
