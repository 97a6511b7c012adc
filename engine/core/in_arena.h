#pragma once

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <optional>
#include <string_view>

#include "engine/core/thread_check.h"
#include "engine/core/within_memory.h"

namespace clusterloom {

/// The Result that `run` returns, or outOfMemory(). It runs on an arena of its own, so that numbers
/// of threads are respected and several backends can work at once.
template <class Run>
auto inArena(int threads, const Run& run) -> decltype(run()) {
  return withinMemory([&] {
    tbb::task_arena arena(threads);
    return arena.execute(run);
  });
}

/// The same for any number of threads; 0: as many as the machine has. TooLarge where they cannot be
/// started, and with `message` where memory runs out.
template <class Run>
auto inArenaOf(int threads, std::string_view message, const Run& run) -> decltype(run()) {
  const int available = tbb::info::default_concurrency();
  if (threads <= 0) threads = available;
  return withinMemory(
      [&]() -> decltype(run()) {
        std::optional<tbb::global_control> moreThreads;
        if (threads > available) {
          if (auto possible = checkThreads(threads); !possible)
            return tl::unexpected(possible.error());
          moreThreads.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(threads));
        }
        tbb::task_arena arena(threads);
        return arena.execute(run);
      },
      message);
}

}  // namespace clusterloom
