#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "engine/core/task.h"

namespace clusterloom {

/// Requests huge pages for memory that has not been touched. Optional: without them everything
/// works, only slower.
inline void adviseHugePages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kPage * kPage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

/// Resizes an empty vector whose values are about to be written, on huge pages where it spans
/// several: the first touch of small pages costs more than the values. The vector is shorter when
/// the task was stopped. Throws std::bad_alloc.
template <class T>
void resizeOnLargePages(std::vector<T>& values, std::size_t size, const Task& task) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  constexpr std::size_t kAtOnce = (std::size_t{64} << 20) / sizeof(T);
  values.reserve(size);
  if (size * sizeof(T) >= 2 * kHugePage) adviseHugePages(values.data(), size * sizeof(T));
  while (values.size() < size && !task.cancelled())
    values.resize(std::min(size, values.size() + kAtOnce));
}

}  // namespace clusterloom
