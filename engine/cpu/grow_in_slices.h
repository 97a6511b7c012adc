#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/shared_progress.h"

namespace clusterloom {

/// Resizes an empty `values` to `size` zeros. A result of gigabytes takes seconds to clear, which a
/// plain resize would spend deaf to the stop token; this looks at it every few milliseconds.
/// `stage` must be a literal. False when the task was cancelled.
template <class T>
bool growInSlices(std::vector<T>& values, std::size_t size, std::string_view stage,
                  const Task& task) {
  constexpr std::size_t kSlice = (std::size_t{16} << 20) / sizeof(T);
  SharedProgress progress(task, stage, size);
  values.reserve(size);
  while (values.size() < size && !task.cancelled()) {
    const std::size_t slice = std::min(kSlice, size - values.size());
    values.resize(values.size() + slice);
    progress.add(slice);
  }
  return !task.cancelled();
}

}  // namespace clusterloom
