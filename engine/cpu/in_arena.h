#pragma once

#include <tbb/task_arena.h>

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

}  // namespace clusterloom
