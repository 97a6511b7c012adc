#include "engine/hierarchy/graph_dendrogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "engine/core/disjoint_sets.h"
#include "engine/core/lane.h"
#include "engine/core/memory_budget.h"
#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"
#include "engine/core/stoppable_sort.h"

namespace clusterloom {
namespace {

constexpr std::size_t kEdgesPerLook = 1 << 16;  // between two looks at the stop token
constexpr std::size_t kRowsOfCores = 4096;      // the same

/// By point: the minPts-th smallest distance of its row.
Result<std::vector<double>> coreDistancesOf(const SparseDistances& distances, std::int64_t minPts,
                                            const Task& task) {
  const auto stored = [&](std::size_t p) { return distances.starts[p + 1] - distances.starts[p]; };
  for (std::size_t p = 0; p < distances.points(); ++p)
    if (stored(p) < minPts)
      return badInput("Row " + std::to_string(p) + " (counted from 0) holds " +
                      std::to_string(stored(p)) + " distances, and minPts " +
                      std::to_string(minPts) +
                      " needs at least as many. Store more distances, or use a smaller minPts.");
  std::vector<double> core(distances.points());
  parallelForBlocks(core.size(), kRowsOfCores, task, [&](std::size_t begin, std::size_t end) {
    std::vector<double> row;
    for (std::size_t p = begin; p < end; ++p) {
      const double* const values = distances.values.data();
      row.assign(values + distances.starts[p], values + distances.starts[p + 1]);
      const auto kth = row.begin() + (minPts - 1);
      std::nth_element(row.begin(), kth, row.end());
      core[p] = *kth;
    }
  });
  if (task.cancelled()) return cancelledError();
  return core;
}

}  // namespace

Result<void> checkDistancesFit(std::uint64_t points, std::uint64_t stored,
                               std::uint64_t bytesOfEach) {
  constexpr std::uint64_t kBytesOfAPoint = 64;
  const std::uint64_t bytes = stored * bytesOfEach + points * kBytesOfAPoint;
  const std::uint64_t available = availableMemory();
  if (bytes <= available) return {};
  return tooLarge("The hierarchy of " + groupedText(stored) + " stored distances needs " +
                  memoryText(bytes) + ", and " + memoryText(available) +
                  " are free. Store fewer distances of each point.");
}

Result<Dendrogram> dendrogramOfGraph(std::size_t points, std::vector<TreeEdge> edges,
                                     const Task& task) {
  if (points == 0) return badInput("There are no points.");
  for (const TreeEdge& edge : edges)
    if (edge.a >= points || edge.b >= points || !(edge.squaredWeight >= 0))
      return badInput("An edge must join two of the " + std::to_string(points) +
                      " points and have a weight that is not negative.");
  const auto isLighter = [](const TreeEdge& left, const TreeEdge& right) {
    return left.squaredWeight < right.squaredWeight;
  };
  sortUnlessStopped(edges, isLighter, task);
  if (task.cancelled()) return cancelledError();
  std::vector<std::uint32_t> sets(points);
  std::iota(sets.begin(), sets.end(), 0U);
  SerialLane lane;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < edges.size() && taken + 1 < points; ++i) {
    if (i % kEdgesPerLook == 0 && task.cancelled()) return cancelledError();
    if (unite(lane, sets.data(), edges[i].a, edges[i].b)) edges[taken++] = edges[i];
  }
  if (taken + 1 < points)
    return badInput("The edges leave the points in " + std::to_string(points - taken) +
                    " parts without a connection.");
  edges.resize(taken);
  return dendrogramOf(points, edges);
}

Result<Dendrogram> dendrogramOfDistances(const SparseDistances& distances, std::int64_t minPts,
                                         const Task& task) {
  if (minPts < 1) return badCall("minPts must be 1 or more, not " + std::to_string(minPts));
  if (auto fine = checkDistances(distances); !fine) return tl::unexpected(fine.error());
  if (auto fits = checkDistancesFit(distances.points(), distances.values.size(),
                                    sizeof(std::int64_t) + sizeof(double));
      !fits)
    return tl::unexpected(fits.error());
  if (auto fine = checkSymmetric(distances, task); !fine) return tl::unexpected(fine.error());
  const auto core = coreDistancesOf(distances, minPts, task);
  if (!core) return tl::unexpected(core.error());
  std::vector<TreeEdge> edges;
  edges.reserve(distances.values.size() / 2 + 1);
  for (std::size_t p = 0; p < distances.points(); ++p)
    for (auto i = std::size_t(distances.starts[p]); i < std::size_t(distances.starts[p + 1]); ++i) {
      const auto q = std::size_t(distances.ids[i]);
      if (p >= q) continue;  // each pair is stored twice
      const double reach = std::max({(*core)[p], (*core)[q], distances.values[i]});
      if (reach > 0 && !std::isnormal(reach * reach))
        return badInput("A distance of " + roundTripText(reach) +
                        " has no square as a number of 64 bits. Scale the distances.");
      edges.push_back({std::uint32_t(p), std::uint32_t(q), reach * reach});
    }
  return dendrogramOfGraph(distances.points(), std::move(edges), task);
}

}  // namespace clusterloom
