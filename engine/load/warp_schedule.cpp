#include "engine/load/warp_schedule.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace clusterloom {

std::vector<WarpRun> scheduleWarps(std::span<const double> durations,
                                   std::span<const std::uint32_t> batchBegin,
                                   const SimtMachine& machine) {
  using Free = std::pair<double, std::uint32_t>;  // since when, and which slot; ties by slot
  std::vector<Free> slots(std::size_t(machine.warpSlots()));
  for (std::uint32_t s = 0; s < slots.size(); ++s) slots[s] = {0.0, s};
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free(std::greater<>(),
                                                                    std::move(slots));
  std::vector<WarpRun> runs(durations.size());
  const std::size_t batches = batchBegin.size() - 1;
  const auto streams = std::size_t(machine.streams);
  std::vector<double> batchEnd(batches, 0.0);
  for (std::size_t b = 0; b < batches; ++b) {
    const double released = b < streams ? 0.0 : batchEnd[b - streams];
    batchEnd[b] = released;
    for (std::uint32_t w = batchBegin[b]; w < batchBegin[b + 1]; ++w) {
      const auto [since, slot] = free.top();
      free.pop();
      const double start = std::max(since, released);
      runs[w] = {start, start + durations[w], slot};
      batchEnd[b] = std::max(batchEnd[b], runs[w].end);
      free.push({runs[w].end, slot});
    }
  }
  return runs;
}

}  // namespace clusterloom
