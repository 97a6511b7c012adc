#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/predicate.h"
#include "tests/engine/all_pairs_answer.h"

/// Manhattan and Chebyshev distances of a backend beside comparisons of all pairs in plain loops,
/// without a test framework: for tests and for a program that is run where there is a GPU.
namespace metricAgreement {

using namespace clusterloom;

inline constexpr Metric kBoth[] = {Metric::Manhattan, Metric::Chebyshev};

/// The distance by its definition, in the order of the columns.
inline double distanceOf(Metric metric, const PointCloud& a, std::size_t p, const PointCloud& b,
                         std::size_t q) {
  double distance = 0;
  for (std::size_t j = 0; j < a.dims(); ++j) {
    const double difference = std::fabs(a.columns[j][p] - b.columns[j][q]);
    if (metric == Metric::Manhattan)
      distance += difference;
    else if (difference > distance)
      distance = difference;
  }
  return distance;
}

/// ε: mostly the distance of some pair, or one of the doubles beside it.
inline double epsOf(std::mt19937_64& random, Metric metric, const PointCloud& cloud) {
  double smallest = 0;
  const std::size_t p = random() % cloud.size();
  for (int tries = 1 << (random() % 8); tries > 0; --tries) {
    const double distance = distanceOf(metric, cloud, p, cloud, random() % cloud.size());
    if (distance > 0 && (smallest <= 0 || distance < smallest)) smallest = distance;
  }
  if (smallest <= 0) smallest = 1;
  switch (random() % 5) {
    case 0: smallest = std::nextafter(smallest, 0.0); break;
    case 1: smallest = std::nextafter(smallest, 1e300); break;
    case 2: smallest *= 0.5 + draws::unit(random); break;
    default: break;
  }
  return epsSquared(smallest) ? smallest : 1.0;
}

struct Drawn {
  PointCloud cloud;
  PointCloud queries;
  Metric metric;
  double eps;
  std::int64_t minPts;
};

/// Clouds of any kind with at most `most` points.
inline Drawn drawn(std::uint64_t seed, std::size_t most) {
  std::mt19937_64 random(seed);
  const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
  const std::size_t dims = seed % 7 == 0 ? 7 + random() % 84 : 1 + random() % 6;
  const std::size_t points = seed % 11 == 0 ? 1 + random() % 3 : 1 + random() % most;
  Drawn made{draws::draw(random, kind, points, dims),
             draws::draw(random, kind, 1 + random() % most, dims), kBoth[random() % 2], 1,
             1 + std::int64_t(random() % 9)};
  made.eps = epsOf(random, made.metric, made.cloud);
  return made;
}

inline std::string named(std::uint64_t seed) { return "seed " + std::to_string(seed); }

inline AllPairsAnswer answerOf(const Drawn& of) {
  return answerByAllPairs(of.cloud.size(), of.minPts, [&](std::size_t p, std::size_t q) {
    return distanceOf(of.metric, of.cloud, p, of.cloud, q) <= of.eps;
  });
}

inline bool samePairs(const PairList& found, const std::vector<Pair>& expected) {
  return std::equal(found.pairs.begin(), found.pairs.end(), expected.begin(), expected.end());
}

/// How DBSCAN by `backend`, which has the metric of the draw, differs; empty where it does not.
inline std::string dbscanDifference(const Backend& backend, const Drawn& of) {
  const AllPairsAnswer answer = answerOf(of);
  const auto found = backend.dbscan(of.cloud, {of.eps, of.minPts}, {}, {});
  if (!found) return found.error().message;
  if (found->labels != answer.labels || found->clusters != answer.clusters) return "labels";
  for (std::size_t p = 0; p < of.cloud.size(); ++p)
    if ((found->roles[p] == PointRole::Core) != answer.core[p]) return "roles";
  return {};
}

/// The same of all joins of the cloud with itself.
inline std::string joinDifference(const Backend& backend, const Drawn& of) {
  const AllPairsAnswer answer = answerOf(of);
  const auto pairs = backend.pairs(of.cloud, of.eps, {}, {});
  if (!pairs) return pairs.error().message;
  if (!samePairs(*pairs, answer.pairs)) return "pairs";
  const auto counts = backend.count(of.cloud, of.eps, {}, {});
  if (!counts) return counts.error().message;
  std::vector<std::uint32_t> expected(of.cloud.size(), 0);
  for (const Pair& pair : answer.pairs) ++expected[std::size_t(pair.p)];
  if (counts->pairs != answer.pairs.size() || counts->counts != expected) return "counts";
  const auto table = backend.neighbourTable(of.cloud, of.eps, {}, {});
  if (!table) return table.error().message;
  if (table->ids.size() != answer.pairs.size()) return "size of the table";
  for (std::size_t i = 0; i < answer.pairs.size(); ++i) {
    const Pair& pair = answer.pairs[i];
    if (table->ids[i] != pair.q || i < table->offsets[std::size_t(pair.p)] ||
        i >= table->offsets[std::size_t(pair.p) + 1])
      return "table";
  }
  constexpr int kBins = 5;
  const auto bins = backend.histogram(of.cloud, of.eps, kBins, {}, {});
  if (!bins) return bins.error().message;
  std::uint64_t sum = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    std::uint64_t below = 0;
    for (const Pair& pair : answer.pairs)
      below += distanceOf(of.metric, of.cloud, std::size_t(pair.p), of.cloud,
                          std::size_t(pair.q)) <= bins->upper[bin];
    sum += bins->pairs[bin];
    if (sum != below) return "histogram";
  }
  return {};
}

/// The same of joins of the queries with the cloud.
inline std::string twoCloudDifference(const Backend& backend, const Drawn& of) {
  std::vector<std::int32_t> given(of.cloud.size());
  for (std::size_t q = 0; q < given.size(); ++q) given[q] = std::int32_t(q * 7 % 11) - 3;
  std::vector<Pair> expected;
  std::vector<std::int32_t> lowest(of.queries.size(), kNoise);
  std::vector<std::uint32_t> numbers(of.queries.size(), 0);
  for (std::size_t p = 0; p < of.queries.size(); ++p)
    for (std::size_t q = 0; q < of.cloud.size(); ++q) {
      if (!(distanceOf(of.metric, of.queries, p, of.cloud, q) <= of.eps)) continue;
      expected.push_back({std::int32_t(p), std::int32_t(q)});
      ++numbers[p];
      if (given[q] >= 0 && (lowest[p] < 0 || given[q] < lowest[p])) lowest[p] = given[q];
    }
  const JoinInput both(of.queries, of.cloud);
  const auto pairs = backend.pairs(both, of.eps, {}, {});
  if (!pairs) return pairs.error().message;
  if (!samePairs(*pairs, expected)) return "pairs of two clouds";
  const auto counts = backend.count(both, of.eps, {}, {});
  if (!counts) return counts.error().message;
  if (counts->counts != numbers) return "counts of two clouds";
  const auto labels = backend.lowestLabels(both, given, of.eps, {}, {});
  if (!labels) return labels.error().message;
  if (labels->labels != lowest) return "lowest labels";
  return {};
}

/// All of it by the backend's own metrics, for one seed.
inline std::string randomCase(const Backend& backend, std::uint64_t seed) {
  const Drawn of = drawn(seed, seed % 10 == 0 ? 900 : 250);
  const auto made = backend.withMetric(of.metric);
  if (!made) return made.error().message;
  std::string what = dbscanDifference(**made, of);
  if (what.empty()) what = joinDifference(**made, of);
  if (what.empty()) what = twoCloudDifference(**made, of);
  if (what.empty()) return {};
  return named(seed) + ", " + std::string(toText(of.metric)) + " distances: " + what;
}

}  // namespace metricAgreement
