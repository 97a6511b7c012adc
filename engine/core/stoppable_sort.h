#pragma once

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <stop_token>

#include "engine/core/task.h"

namespace clusterloom {

/// Sorts on all threads of the caller's TBB arena; after a stop, which it notices at once, the
/// order is unspecified.
template <class Values, class Less>
void sortUnlessStopped(Values& values, const Less& less, const Task& task) {
  tbb::task_group_context context;
  const std::stop_callback stop(task.stop, [&] { context.cancel_group_execution(); });
  tbb::parallel_for(
      0, 1, [&](int) { tbb::parallel_sort(values.begin(), values.end(), less); }, context);
}

}  // namespace clusterloom
