#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/core/task.h"

namespace clusterloom {

/// Takes memory that has not been touched from the system now, in huge pages where it may, on all
/// threads of the caller's TBB arena. Optional: without it everything works, only slower. Ends
/// early when the task is stopped.
void takeLargePages(void* memory, std::size_t bytes, const Task& task);

/// Resizes an empty vector of values that are about to be written. One thread that first touches
/// small pages would take longer than to write the values. The vector is shorter when the task was
/// stopped. Throws std::bad_alloc.
template <class T>
void resizeOnLargePages(std::vector<T>& values, std::size_t size, const Task& task) {
  constexpr std::size_t kAtOnce = (std::size_t{64} << 20) / sizeof(T);
  values.reserve(size);
  takeLargePages(values.data(), size * sizeof(T), task);
  while (values.size() < size && !task.cancelled())
    values.resize(std::min(size, values.size() + kAtOnce));
}

}  // namespace clusterloom
