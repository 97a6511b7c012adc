#include "engine/distributed/part_counts.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <new>
#include <vector>

#include "engine/core/stopwatch.h"
#include "engine/distributed/device_threads.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPointsAtOnce = std::size_t{1} << 15;

// Calls use(i) for the counts of a part; how many points the part had. Every point is its own
// neighbour, so that it is of the part that has a count for it.
template <class Use>
std::uint64_t forEachCount(const std::vector<std::uint32_t>& part, const Use& use) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, part.size(), kPointsAtOnce), std::uint64_t{0},
      [&](const auto& range, std::uint64_t points) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          use(i);
          points += part[i] > 0 ? 1 : 0;
        }
        return points;
      },
      std::plus<>{});
}

}  // namespace

Result<std::optional<NeighbourCounts>> countByParts(
    std::span<const std::unique_ptr<SharedDevice>> devices, const SharedWork& work,
    const Task& task) {
  const auto parts = static_cast<std::uint32_t>(devices.size());
  const Stopwatch watch;
  const Task quiet{.stop = task.stop, .progress = {}};  // progress comes from one thread
  std::vector<Result<std::optional<NeighbourCounts>>> made(parts);
  std::vector<double> ends(parts);
  const auto started = onThreads(parts, [&](std::size_t r) {
    try {
      const QueryPart part{.part = static_cast<std::uint32_t>(r), .parts = parts};
      made[r] = devices[r]->countPart(work, part, r == 0 ? task : quiet);
    } catch (const std::bad_alloc&) {
      made[r] = std::nullopt;
    }
    ends[r] = watch.seconds();
  });
  if (task.cancelled()) return cancelledError();
  const auto isThere = [](const auto& part) { return part && *part; };
  if (!started || !std::ranges::all_of(made, isThere)) return std::nullopt;

  const double joined = watch.seconds();
  NeighbourCounts all;
  for (std::uint32_t r = 0; r < parts; ++r) {
    NeighbourCounts& part = **made[r];
    std::uint64_t points = 0;
    if (r == 0) {
      all.counts.swap(part.counts);
      all.candidates = part.candidates;
      all.stats.cells = part.stats.cells;
      points = forEachCount(all.counts, [](std::size_t) {});
    } else {
      points = forEachCount(part.counts, [&](std::size_t i) { all.counts[i] += part.counts[i]; });
    }
    all.pairs += part.pairs;
    const RunStats& stats = part.stats;
    all.stats.batches += stats.batches;
    all.stats.distanceCalculations += stats.distanceCalculations;
    all.stats.seconds.index = std::max(all.stats.seconds.index, stats.seconds.index);
    all.stats.kernels.insert(all.stats.kernels.end(), stats.kernels.begin(), stats.kernels.end());
    all.stats.ranks.push_back({.name = devices[r]->describe(),
                               .index = stats.seconds.index,
                               .join = stats.seconds.join,
                               .waiting = joined - ends[r],
                               .end = ends[r],
                               .points = points,
                               .batches = stats.batches});
  }
  all.stats.seconds.join = watch.seconds() - all.stats.seconds.index;
  return std::optional(std::move(all));
}

}  // namespace clusterloom
