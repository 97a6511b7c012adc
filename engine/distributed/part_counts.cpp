#include "engine/distributed/part_counts.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <vector>

#include "engine/core/stopwatch.h"
#include "engine/core/within_memory.h"
#include "engine/distributed/device_threads.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPointsAtOnce = std::size_t{1} << 15;

// Adds up the counts of all parts in the first one; how many points each part had. Every point is
// its own neighbour, so that it is of the part that has a count for it.
std::vector<std::uint64_t> addParts(const std::vector<std::span<std::uint32_t>>& parts) {
  using Points = std::vector<std::uint64_t>;
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, parts.front().size(), kPointsAtOnce), Points(parts.size()),
      [&](const auto& range, Points points) {
        for (std::size_t r = 0; r < parts.size(); ++r) {
          const std::span<std::uint32_t> part = parts[r];
          std::uint64_t ofPart = 0;
          for (std::size_t i = range.begin(); i < range.end(); ++i) {
            ofPart += part[i] > 0 ? 1 : 0;
            if (r > 0) parts.front()[i] += part[i];
          }
          points[r] += ofPart;
        }
        return points;
      },
      [](Points a, const Points& b) {
        std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>{});
        return a;
      });
}

}  // namespace

Result<std::optional<NeighbourCounts>> countByParts(
    std::span<const std::unique_ptr<SharedDevice>> devices, const SharedWork& work,
    const Task& task) {
  const auto parts = std::uint32_t(devices.size());
  const Stopwatch watch;
  const Task quiet{.stop = task.stop, .progress = {}};  // progress comes from one thread
  std::vector<Result<std::optional<NeighbourCounts>>> made(parts);
  std::vector<double> ends(parts);
  const auto started = onThreads(parts, [&](std::size_t r) {
    made[r] = withinMemory([&] {
      const QueryPart part{.part = std::uint32_t(r), .parts = parts};
      return devices[r]->countPart(work, part, r == 0 ? task : quiet);
    });
    ends[r] = watch.seconds();
  });
  if (task.cancelled()) return cancelledError();
  const auto isThere = [](const auto& part) { return part && *part; };
  if (!started || !std::ranges::all_of(made, isThere)) return std::nullopt;

  const double joined = watch.seconds();
  std::vector<std::span<std::uint32_t>> counts;
  for (auto& part : made) counts.emplace_back((**part).counts);
  const std::vector<std::uint64_t> points = addParts(counts);
  NeighbourCounts all;
  all.counts.swap((**made.front()).counts);
  all.candidates = (**made.front()).candidates;
  all.stats.cells = (**made.front()).stats.cells;
  for (std::uint32_t r = 0; r < parts; ++r) {
    const NeighbourCounts& part = **made[r];
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
                               .points = points[r],
                               .batches = stats.batches});
  }
  all.stats.seconds.join = watch.seconds() - all.stats.seconds.index;
  return std::optional(std::move(all));
}

}  // namespace clusterloom
