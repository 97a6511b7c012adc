#pragma once

#include <cstddef>
#include <string_view>

#include "engine/core/large_array.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"

namespace clusterloom {

/// Resizes `values` and takes their memory from the system now, page by page, on all threads: the
/// first touch of a gigabyte costs a second, during which a later writer could not react to a stop.
/// Elements stay uninitialized. `stage` must be a literal. False when the task was stopped. Throws
/// std::bad_alloc.
template <class T>
bool resizeAndTouch(LargeArray<T>& values, std::size_t size, std::string_view stage,
                    const Task& task) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kPagesAtOnce = 4096;
  values.resize(size);
  const std::size_t pages = (size * sizeof(T) + kPage - 1) / kPage;
  SharedProgress progress(task, stage, pages);
  auto* bytes = reinterpret_cast<volatile char*>(values.data());
  parallelForBlocks(pages, kPagesAtOnce, task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) bytes[p * kPage] = 0;
    if (!task.cancelled()) progress.add(end - begin);
  });
  return !task.cancelled();
}

}  // namespace clusterloom
