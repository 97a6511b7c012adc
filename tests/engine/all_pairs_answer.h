#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// DBSCAN and joins by a comparison of all pairs, for any relation of neighbours.
struct AllPairsAnswer {
  std::vector<std::int32_t> labels;
  std::vector<bool> core;
  std::int32_t clusters = 0;
  std::vector<Pair> pairs;  ///< sorted
};

template <class Near>
AllPairsAnswer answerByAllPairs(std::size_t n, std::int64_t minPts, const Near& near) {
  AllPairsAnswer answer{std::vector<std::int32_t>(n, -1), std::vector<bool>(n), 0, {}};
  std::vector<std::vector<std::size_t>> neighbours(n);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t q = 0; q < n; ++q) {
      if (!near(p, q)) continue;
      neighbours[p].push_back(q);
      answer.pairs.push_back({static_cast<std::int32_t>(p), static_cast<std::int32_t>(q)});
    }
    answer.core[p] = static_cast<std::int64_t>(neighbours[p].size()) >= minPts;
  }
  for (std::size_t start = 0; start < n; ++start) {
    if (!answer.core[start] || answer.labels[start] >= 0) continue;
    std::vector<std::size_t> waiting{start};
    answer.labels[start] = answer.clusters;
    while (!waiting.empty()) {
      const std::size_t p = waiting.back();
      waiting.pop_back();
      for (const std::size_t q : neighbours[p]) {
        if (!answer.core[q] || answer.labels[q] >= 0) continue;
        answer.labels[q] = answer.clusters;
        waiting.push_back(q);
      }
    }
    ++answer.clusters;
  }
  for (std::size_t p = 0; p < n; ++p) {
    if (answer.core[p]) continue;
    std::int32_t lowest = answer.clusters;
    for (const std::size_t q : neighbours[p])
      if (answer.core[q]) lowest = std::min(lowest, answer.labels[q]);
    if (lowest < answer.clusters) answer.labels[p] = lowest;
  }
  return answer;
}

/// What differs from all squared distances, sorted; empty when nothing does. `squared(p, q)`: of
/// query p and point q. `own`: a point is the first of its row.
template <class Squared>
std::string nearestDifference(std::size_t queries, std::size_t points,
                              const NearestNeighbours& found, std::size_t k, bool own,
                              const Squared& squared) {
  const std::size_t entries = std::min(k, points);
  if (found.points != queries || found.k != static_cast<int>(entries)) return "wrong shape";
  for (std::size_t p = 0; p < queries; ++p) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::size_t q = 0; q < points; ++q)
      if (!own || q != p) all.emplace_back(squared(p, q), static_cast<std::uint32_t>(q));
    std::sort(all.begin(), all.end());
    if (own) all.insert(all.begin(), {0.0, static_cast<std::uint32_t>(p)});
    for (std::size_t i = 0; i < entries; ++i)
      if (found.idsOf(p)[i] != all[i].second || found.squaredDistancesOf(p)[i] != all[i].first)
        return "neighbour " + std::to_string(i) + " of point " + std::to_string(p);
  }
  return {};
}

}  // namespace clusterloom
