#include "engine/cpu/brute_force.h"

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "engine/cloud/point_distance.h"
#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"

namespace clusterloom {
namespace {

/// Distances computed between two checks of the stop token: well under a millisecond of work.
constexpr std::size_t kDistancesPerLook = 1 << 16;

/// Calls visit(q) for every neighbour q of query point p, ascending. False when stopped.
template <class Visit>
bool visitNeighbours(const JoinInput& input, std::size_t p, double squaredEps, const Task& task,
                     Visit&& visit) {
  const std::size_t n = input.points.size();
  const std::size_t block = std::max<std::size_t>(1, kDistancesPerLook / input.points.dims());
  for (std::size_t begin = 0; begin < n; begin += block) {
    if (task.cancelled()) return false;
    const std::size_t end = std::min(n, begin + block);
    for (std::size_t q = begin; q < end; ++q) {
      if (withinEps(canonicalSquaredDistance(input.queries, p, input.points, q), squaredEps))
        visit(q);
    }
  }
  return true;
}

/// Calls visit(p) for every query point and reports the stage. False as soon as visit returns
/// false.
template <class Visit>
bool visitPoints(const JoinInput& input, std::string_view stage, const Task& task, Visit&& visit) {
  const std::size_t n = input.queries.size();
  const std::size_t step = std::max<std::size_t>(1, n / 100);
  for (std::size_t p = 0; p < n; ++p) {
    if (p % step == 0) task.report(stage, double(p) / double(n));
    if (!visit(p)) return false;
  }
  task.report(stage, 1.0);
  return true;
}

RunStats statsOf(const JoinInput& input, const char* reference, std::uint64_t sweeps,
                 const Stopwatch& watch) {
  RunStats stats;
  stats.backend = reference;
  stats.threads = 1;
  stats.strategy = "plain loops";
  stats.batches = 1;
  stats.distanceCalculations = sweeps * input.queries.size() * input.points.size();
  stats.seconds.join = stats.seconds.total = watch.seconds();
  return stats;
}

/// ε² of a valid call.
Result<double> checkedSquare(const JoinInput& input, double eps) {
  if (auto valid = validate(input); !valid) return tl::unexpected(valid.error());
  return epsSquared(eps);
}

Result<NeighbourCounts> countWithin(const JoinInput& input, double squaredEps, const Task& task) {
  const Stopwatch watch;
  NeighbourCounts result;
  result.counts.assign(input.queries.size(), 0);
  const bool done = visitPoints(input, "counting neighbours", task, [&](std::size_t p) {
    std::uint32_t count = 0;
    if (!visitNeighbours(input, p, squaredEps, task, [&](std::size_t) { ++count; })) return false;
    result.counts[p] = count;
    result.pairs += count;
    return true;
  });
  if (!done) return cancelledError();
  result.candidates = std::uint64_t(input.queries.size()) * input.points.size();
  result.stats = statsOf(input, "brute force", 1, watch);
  return result;
}

}  // namespace

Result<NeighbourCounts> bruteForceCounts(const JoinInput& input, double eps, const Task& task) {
  const auto squaredEps = checkedSquare(input, eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  return countWithin(input, *squaredEps, task);
}

Result<PairList> bruteForcePairs(const JoinInput& input, double eps, const Task& task) {
  const Stopwatch watch;
  const auto squaredEps = checkedSquare(input, eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  auto counts = countWithin(input, *squaredEps, task);
  if (!counts) return tl::unexpected(counts.error());
  const double counting = watch.seconds();
  const std::uint64_t bytes = counts->pairs * sizeof(Pair);
  if (bytes > availableMemory()) {
    return tooLarge("the join has " + std::to_string(counts->pairs) + " pairs, " +
                    std::to_string(bytes >> 20) +
                    " MiB, more than the memory that is free; use a smaller ε");
  }
  PairList result;
  try {
    result.pairs.reserve(counts->pairs);
  } catch (const std::bad_alloc&) {
    return tooLarge("no memory for " + std::to_string(counts->pairs) + " pairs");
  }
  const bool done = visitPoints(input, "collecting pairs", task, [&](std::size_t p) {
    return visitNeighbours(input, p, *squaredEps, task, [&](std::size_t q) {
      result.pairs.push_back({std::int32_t(p), std::int32_t(q)});
    });
  });
  if (!done) return cancelledError();
  result.candidates = counts->candidates;
  result.stats = statsOf(input, "brute force", 2, watch);
  result.stats.phases = {{"counting", counting, result.candidates},
                         {"filling", result.stats.seconds.join - counting, result.candidates}};
  return result;
}

Result<LowestLabels> bruteForceLowestLabels(const JoinInput& input,
                                            std::span<const std::int32_t> labels, double eps,
                                            const Task& task) {
  const Stopwatch watch;
  const auto squaredEps = checkedSquare(input, eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  if (auto fits = checkLabels(input, labels); !fits) return tl::unexpected(fits.error());
  LowestLabels result;
  result.labels.assign(input.queries.size(), kNoise);
  const bool done = visitPoints(input, "looking for labels", task, [&](std::size_t p) {
    std::int32_t& lowest = result.labels[p];
    return visitNeighbours(input, p, *squaredEps, task, [&](std::size_t q) {
      if (labels[q] >= 0 && (lowest == kNoise || labels[q] < lowest)) lowest = labels[q];
    });
  });
  if (!done) return cancelledError();
  result.stats = statsOf(input, "brute force", 1, watch);
  return result;
}

Result<Clustering> bruteForceDbscan(const PointCloud& cloud, const DbscanParams& params,
                                    const Task& task) {
  const Stopwatch watch;
  if (params.minPts < 1) return badCall("minPts must be at least 1");
  const auto squaredEps = checkedSquare(cloud, params.eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  auto counts = countWithin(cloud, *squaredEps, task);
  if (!counts) return tl::unexpected(counts.error());

  Clustering result;
  result.params = params;
  result.labels.assign(cloud.size(), kNoise);
  result.roles.assign(cloud.size(), PointRole::Noise);
  for (std::size_t p = 0; p < cloud.size(); ++p) {
    if (counts->counts[p] >= params.minPts) result.roles[p] = PointRole::Core;
  }

  std::vector<std::size_t> frontier;
  const bool grown = visitPoints(cloud, "growing clusters", task, [&](std::size_t seed) {
    if (result.roles[seed] != PointRole::Core || result.labels[seed] != kNoise) return true;
    const std::int32_t label = result.clusters++;
    result.labels[seed] = label;
    frontier.assign(1, seed);
    while (!frontier.empty()) {
      const std::size_t p = frontier.back();
      frontier.pop_back();
      const bool visited = visitNeighbours(cloud, p, *squaredEps, task, [&](std::size_t q) {
        if (result.roles[q] != PointRole::Core || result.labels[q] != kNoise) return;
        result.labels[q] = label;
        frontier.push_back(q);
      });
      if (!visited) return false;
    }
    return true;
  });
  if (!grown) return cancelledError();

  const bool bordered = visitPoints(cloud, "placing border points", task, [&](std::size_t p) {
    if (result.roles[p] == PointRole::Core) {
      ++result.coreCount;
      return true;
    }
    std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
    const bool visited = visitNeighbours(cloud, p, *squaredEps, task, [&](std::size_t q) {
      if (result.roles[q] == PointRole::Core) lowest = std::min(lowest, result.labels[q]);
    });
    if (!visited) return false;
    if (lowest == std::numeric_limits<std::int32_t>::max()) {
      ++result.noiseCount;
      return true;
    }
    result.labels[p] = lowest;
    result.roles[p] = PointRole::Border;
    ++result.borderCount;
    return true;
  });
  if (!bordered) return cancelledError();
  result.stats = statsOf(cloud, "brute force", 2, watch);
  return result;
}

}  // namespace clusterloom
