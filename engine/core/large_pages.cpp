#include "engine/core/large_pages.h"

#ifdef __linux__
#include <sys/mman.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#endif

#include <cstdint>

namespace clusterloom {

void takeLargePages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes,
                    [[maybe_unused]] const Task& task) {
#if defined(__linux__) && defined(MADV_POPULATE_WRITE)
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  if (bytes < 2 * kHugePage) return;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) / kPage;
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kPage;
  const std::uintptr_t first = begin * kPage;
  const std::uintptr_t last = end * kPage;
  const auto advise = [](std::uintptr_t from, std::uintptr_t to, int advice) {
    return madvise(reinterpret_cast<void*>(from), to - from, advice) == 0;
  };
  if (!advise(first, last, MADV_HUGEPAGE)) return;
  tbb::parallel_for(tbb::blocked_range<std::uintptr_t>(first / kHugePage, last / kHugePage + 1, 1),
                    [&](const auto& range) {
                      if (task.cancelled()) return;
                      const std::uintptr_t from = std::max(first, range.begin() * kHugePage);
                      const std::uintptr_t to = std::min(last, range.end() * kHugePage);
                      if (from < to) advise(from, to, MADV_POPULATE_WRITE);
                    });
#endif
}

}  // namespace clusterloom
