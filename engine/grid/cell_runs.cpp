#include "engine/grid/cell_runs.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>

#include "engine/core/run_both.h"

namespace clusterloom {

CellRuns cellRunsOf(std::span<const std::uint64_t> sortedIds, std::uint32_t first) {
  constexpr std::size_t kCellsPerTask = 16384;
  const std::size_t n = sortedIds.size();
  const std::size_t blocks = (n + kCellsPerTask - 1) / kCellsPerTask;
  const auto startsCell = [&](std::size_t p) { return p == 0 || sortedIds[p] != sortedIds[p - 1]; };
  std::vector<std::size_t> before(blocks + 1, 0);
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
    std::size_t count = 0;
    for (std::size_t p = b * kCellsPerTask; p < std::min(n, (b + 1) * kCellsPerTask); ++p)
      count += startsCell(p);
    before[b + 1] = count;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  CellRuns runs;
  runBoth(
      n, [&] { runs.ids.resize(before.back()); }, [&] { runs.start.resize(before.back() + 1); });
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
    std::size_t cell = before[b];
    for (std::size_t p = b * kCellsPerTask; p < std::min(n, (b + 1) * kCellsPerTask); ++p)
      if (startsCell(p)) {
        runs.ids[cell] = sortedIds[p];
        runs.start[cell++] = first + std::uint32_t(p);
      }
  });
  runs.start.back() = first + std::uint32_t(n);
  return runs;
}

}  // namespace clusterloom
