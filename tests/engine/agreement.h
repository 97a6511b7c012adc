#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "strategies.h"

/// How a result differs from the reference; empty when it does not.
namespace agreement {

using namespace clusterloom;

inline std::string failed(const Error& error) { return "error: " + error.message; }

inline std::string difference(const Clustering& found, const Clustering& expected) {
  for (std::size_t p = 0; p < expected.labels.size(); ++p)
    if (p >= found.labels.size() || found.labels[p] != expected.labels[p])
      return "label of point " + std::to_string(p) + " is " +
             (p < found.labels.size() ? std::to_string(found.labels[p]) : "missing") + ", not " +
             std::to_string(expected.labels[p]);
  if (found.labels.size() != expected.labels.size()) return "too many labels";
  if (found.roles != expected.roles) return "roles differ";
  if (found.clusters != expected.clusters) return "number of clusters differs";
  if (found.coreCount != expected.coreCount || found.borderCount != expected.borderCount ||
      found.noiseCount != expected.noiseCount)
    return "role counts differ";
  if (found.params.eps != expected.params.eps || found.params.minPts != expected.params.minPts)
    return "parameters differ";
  return {};
}

/// All four calls of a backend against brute force, with one strategy.
inline std::string ofDbscan(const Backend& backend, const JoinInput& input,
                            const Clustering& expected, const Strategy& strategy) {
  const auto found = backend.dbscan(input, expected.params, strategy, {});
  std::string what = found ? difference(*found, expected) : failed(found.error());
  if (!what.empty()) what = backend.describe() + ", " + strategies::text(strategy) + ": " + what;
  return what;
}

/// A histogram beside the distances of all pairs within ε: each bin's upper edge is an ε of its
/// own, and the bins up to it are that join's pairs.
inline std::string ofHistogram(const Backend& backend, const JoinInput& input, double eps,
                               const PairList& pairs, const Strategy& strategy, int bins = 7) {
  const auto histogram = backend.histogram(input, eps, bins, strategy, {});
  if (!histogram) return failed(histogram.error());
  if (histogram->pairs.size() != static_cast<std::size_t>(bins) ||
      histogram->upper.size() != histogram->pairs.size())
    return "bins of the histogram";
  std::vector<double> edges;
  for (const double upper : histogram->upper) edges.push_back(upper * upper);
  std::vector<std::uint64_t> expected(edges.size(), 0);
  for (const Pair& pair : pairs.pairs) {
    double square = 0;
    for (std::size_t j = 0; j < input.points.dims(); ++j) {
      const double difference = input.queries.column(j)[std::size_t(pair.p)] -
                                input.points.column(j)[std::size_t(pair.q)];
      square += difference * difference;
    }
    const auto edge = std::lower_bound(edges.begin(), edges.end(), square);
    if (edge == edges.end()) return "edges of the histogram";
    ++expected[static_cast<std::size_t>(edge - edges.begin())];
  }
  return histogram->pairs == expected ? "" : "histogram of distances";
}

inline std::string ofJoins(const Backend& backend, const JoinInput& input, double eps,
                           const NeighbourCounts& counts, const PairList& pairs,
                           const Strategy& strategy) {
  const PointCloud& cloud = input.points;
  const std::string where = backend.describe() + ", " + strategies::text(strategy) + ": ";
  Strategy counting = strategy;
  counting.route = ResultRoute::CountScanFill;  // counts are no pairs
  const auto counted = backend.count(input, eps, counting, {});
  if (!counted) return where + failed(counted.error());
  if (counted->counts != counts.counts) return where + "counts differ";
  if (counted->pairs != counts.pairs) return where + "number of pairs differs";
  if (counted->candidates < counted->pairs) return where + "fewer candidates than pairs";
  if (counted->candidates > counts.candidates) return where + "more candidates than n²";

  const auto listed = backend.pairs(input, eps, strategy, {});
  if (!listed) return where + failed(listed.error());
  if (listed->pairs != pairs.pairs) return where + "pairs differ";
  double phases = 0;
  for (const JoinPhase& phase : listed->stats.phases) phases += phase.seconds;
  if (!listed->stats.phases.empty() && std::abs(phases - listed->stats.seconds.join) > 1e-9)
    return where + "phases are not the join";
  // Counts and lists may index other dimensions, and so may a processor that does a run alone.
  const auto sameRun = [&](const RunStats& stats) {
    return !backend.limits().hybrid && stats.indexedDims == counted->stats.indexedDims;
  };
  if (sameRun(listed->stats) && listed->candidates != counted->candidates)
    return where + "candidates of the pairs";

  // Plain loops over more pairs would take longer than all else.
  constexpr std::size_t kMostCompared = std::size_t{1} << 28;
  const bool binned = strategy.method == Method::Grid || strategy.method == Method::Products;
  if (binned && pairs.pairs.size() <= kMostCompared / cloud.dims())
    if (const std::string what = ofHistogram(backend, input, eps, pairs, counting); !what.empty())
      return where + what;

  const auto table = backend.neighbourTable(input, eps, strategy, {});
  if (!table) return where + failed(table.error());
  if (sameRun(table->stats) && table->candidates != counted->candidates)
    return where + "candidates of the table";
  if (table->offsets.size() != cloud.size() + 1 || table->offsets.front() != 0 ||
      table->ids.size() != pairs.pairs.size())
    return where + "shape of the neighbour table";
  std::size_t i = 0;
  for (std::size_t p = 0; p < cloud.size(); ++p) {
    if (table->offsets[p + 1] - table->offsets[p] != counts.counts[p])
      return where + "offsets of the neighbour table";
    for (std::uint64_t at = table->offsets[p]; at < table->offsets[p + 1]; ++at, ++i)
      if (table->ids[at] != pairs.pairs[i].q) return where + "ids of the neighbour table";
  }
  return {};
}

}  // namespace agreement
