#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "strategies.h"

/// Joins of two clouds against plain loops, without a test framework: for tests and for a program
/// that is run where there is a GPU.
namespace twoClouds {

using namespace clusterloom;

struct Clouds {
  PointCloud queries;  ///< A
  PointCloud points;   ///< B
  double eps = 1;
};

/// The answers, by the predicate written down a second time.
struct Expected {
  std::vector<std::uint32_t> counts;
  std::vector<Pair> pairs;
  std::vector<double> squares;       ///< squared distance of each pair
  std::vector<std::int32_t> given;   ///< labels of B, made up
  std::vector<std::int32_t> lowest;  ///< labels of A
};

inline Expected expect(const Clouds& clouds) {
  Expected expected;
  for (std::size_t q = 0; q < clouds.points.size(); ++q)
    expected.given.push_back(q % 3 == 0 ? -1 - static_cast<int>(q % 2)
                                        : static_cast<int>((q * 7) % 11));
  const double squaredEps = clouds.eps * clouds.eps;
  for (std::size_t p = 0; p < clouds.queries.size(); ++p) {
    std::uint32_t count = 0;
    std::int32_t lowest = -1;
    for (std::size_t q = 0; q < clouds.points.size(); ++q) {
      double square = 0;
      for (std::size_t j = 0; j < clouds.points.dims(); ++j) {
        const double difference = clouds.queries.columns[j][p] - clouds.points.columns[j][q];
        square += difference * difference;
      }
      if (!(square <= squaredEps)) continue;
      ++count;
      expected.pairs.push_back({static_cast<std::int32_t>(p), static_cast<std::int32_t>(q)});
      expected.squares.push_back(square);
      const std::int32_t label = expected.given[q];
      if (label >= 0 && (lowest < 0 || label < lowest)) lowest = label;
    }
    expected.counts.push_back(count);
    expected.lowest.push_back(lowest);
  }
  return expected;
}

inline bool legal(const Strategy& s, bool gpu = false) {
  return strategies::legal(s, strategies::For::Join, gpu) &&
         (!isCpuMethod(s.method) || s.method == Method::KdTree) &&
         (s.method != Method::Grid || !isHalf(s.pattern));
}

/// A legal strategy drawn at random.
inline Strategy drawStrategy(std::mt19937_64& random, std::size_t dims, bool gpu = false) {
  for (;;) {
    const Strategy s = strategies::draw(random, dims, strategies::For::Join, gpu);
    if (legal(s, gpu)) return s;
  }
}

/// All five calls of a backend with one strategy. How they differ; nothing where they do not.
inline std::string difference(const Backend& backend, const Clouds& clouds,
                              const Expected& expected, const Strategy& strategy) {
  const std::string where = backend.describe() + ", " + strategies::text(strategy) + ": ";
  const JoinInput input(clouds.queries, clouds.points);
  const auto failed = [&](const Error& error) { return where + "error: " + error.message; };
  Strategy counting = strategy;
  counting.route = ResultRoute::CountScanFill;

  const auto counted = backend.count(input, clouds.eps, counting, {});
  if (!counted) return failed(counted.error());
  if (counted->counts != expected.counts) return where + "counts differ";
  if (counted->pairs != expected.pairs.size()) return where + "number of pairs differs";
  if (counted->candidates < counted->pairs) return where + "fewer candidates than pairs";
  if (counted->candidates > clouds.queries.size() * clouds.points.size())
    return where + "more candidates than there are pairs of points";

  const PreparedCloud prepared(std::make_shared<const PointCloud>(clouds.points));
  const auto again = backend.count(JoinInput(clouds.queries, prepared), clouds.eps, counting, {});
  if (!again) return failed(again.error());
  if (again->counts != expected.counts) return where + "counts in a prepared cloud differ";

  const auto listed = backend.pairs(input, clouds.eps, strategy, {});
  if (!listed) return failed(listed.error());
  if (!std::equal(listed->pairs.begin(), listed->pairs.end(), expected.pairs.begin(),
                  expected.pairs.end()))
    return where + "pairs differ";

  const auto table = backend.neighbourTable(input, clouds.eps, strategy, {});
  if (!table) return failed(table.error());
  if (table->offsets.size() != clouds.queries.size() + 1 || table->offsets.front() != 0 ||
      table->ids.size() != expected.pairs.size())
    return where + "shape of the neighbour table";
  std::size_t i = 0;
  for (std::size_t p = 0; p < clouds.queries.size(); ++p) {
    if (table->offsets[p + 1] - table->offsets[p] != expected.counts[p])
      return where + "offsets of the neighbour table";
    for (std::uint64_t at = table->offsets[p]; at < table->offsets[p + 1]; ++at, ++i)
      if (table->ids[at] != expected.pairs[i].q) return where + "ids of the neighbour table";
  }

  const auto labels = backend.lowestLabels(input, expected.given, clouds.eps, counting, {});
  if (!labels) return failed(labels.error());
  if (labels->labels != expected.lowest) return where + "lowest labels differ";

  if (strategy.method != Method::Grid && strategy.method != Method::Products) return {};
  const auto histogram = backend.histogram(input, clouds.eps, 7, counting, {});
  if (!histogram) return failed(histogram.error());
  if (histogram->pairs.size() != 7) return where + "bins of the histogram";
  std::uint64_t upTo = 0;
  for (std::size_t bin = 0; bin < 7; ++bin) {
    upTo += histogram->pairs[bin];
    const double edge = histogram->upper[bin] * histogram->upper[bin];
    if (upTo !=
        static_cast<std::uint64_t>(std::count_if(expected.squares.begin(), expected.squares.end(),
                                                 [edge](double square) { return square <= edge; })))
      return where + "histogram of distances";
  }
  return {};
}

/// Two clouds cut from one of a kind of draws::draw, the queries moved in some way: not at all, by
/// a part of the other cloud's extent, onto its faces or ε beyond them, or far away.
inline Clouds draw(std::mt19937_64& random, const std::string& kind, std::size_t queries,
                   std::size_t points, std::size_t dims) {
  const PointCloud both = draws::draw(random, kind, queries + points, dims);
  Clouds clouds;
  clouds.eps = draws::drawEps(random, both);
  std::vector<bool> asks(queries + points, false);
  for (std::size_t i = 0; i < queries; ++i) asks[i] = true;
  std::shuffle(asks.begin(), asks.end(), random);
  for (const auto& column : both.columns) {
    std::vector<double>& a = clouds.queries.columns.emplace_back();
    std::vector<double>& b = clouds.points.columns.emplace_back();
    for (std::size_t p = 0; p < column.size(); ++p) (asks[p] ? a : b).push_back(column[p]);
  }
  const Bounds bounds = boundsOf(clouds.points);
  const auto way = random() % 6;
  for (std::size_t j = 0; j < dims; ++j) {
    const double extent = bounds.high[j] - bounds.low[j];
    const double shift = (draws::unit(random) - 0.5) * extent;
    for (double& x : clouds.queries.columns[j]) {
      if (way == 1) x += shift;
      if (way == 2 && random() % 2 == 0) x = random() % 2 == 0 ? bounds.low[j] : bounds.high[j];
      if (way == 3 && random() % 3 == 0)
        x = draws::nudged(
            random, random() % 2 == 0 ? bounds.low[j] - clouds.eps : bounds.high[j] + clouds.eps);
      if (way == 4 && random() % 8 == 0) x += (random() % 2 == 0 ? 3 : -3) * (extent + clouds.eps);
    }
  }
  return clouds;
}

/// What a GPU expresses: both patterns and every order with 1, 8 and 32 threads per query, in one
/// batch and in many, with SORTIDU and SHORTC, both routes, precision 32 and brute force, on
/// several kinds of clouds, one with no query near the other cloud. What differs, or nothing;
/// `done` counts the strategies that agree.
inline std::string representative(const Backend& gpu, std::uint64_t& done) {
  struct Case {
    const char* kind;
    std::size_t dims;
    double shift;  ///< of the queries in the first dimension
  };
  std::mt19937_64 random(77);
  for (const Case& c : {Case{"blobs", 2, 0}, Case{"lattice", 3, 0}, Case{"exponential", 1, 0},
                        Case{"uniform", 6, 0}, Case{"outliers 1e10", 2, 0}, Case{"nodata", 3, 0},
                        Case{"uniform", 2, 1e9}}) {
    Clouds clouds = draw(random, c.kind, 400, 500, c.dims);
    for (double& x : clouds.queries.columns[0]) x += c.shift;
    const Expected expected = expect(clouds);
    const auto differs = [&](const Strategy& strategy) -> std::string {
      if (!legal(strategy, true)) return {};
      const std::string what = difference(gpu, clouds, expected, strategy);
      ++done;
      return what.empty() ? what : std::string(c.kind) + ": " + what;
    };
    for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Tile})
      for (const QueryOrder order : strategies::kOrders)
        for (const int threads : {1, 8, 32})
          for (const std::uint64_t batch : {0, 60})
            for (const Toggle toggle : strategies::kOnOff)
              if (std::string what = differs({.pattern = pattern,
                                              .order = order,
                                              .threadsPerPoint = threads,
                                              .sortIdu = toggle,
                                              .shortCircuit = toggle,
                                              .batchPairs = batch});
                  !what.empty())
                return what;
    for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Tile})
      for (const std::uint64_t batch : {0, 60}) {
        for (const Strategy& strategy :
             {Strategy{.pattern = pattern, .route = ResultRoute::KeyValueSort, .batchPairs = batch},
              Strategy{.pattern = pattern, .precision = Precision::Single, .batchPairs = batch}})
          if (std::string what = differs(strategy); !what.empty()) return what;
      }
    if (std::string what = differs({.method = Method::BruteForce}); !what.empty()) return what;
  }
  return {};
}

/// The case of one seed: clouds of any kind and some strategies, all drawn at random.
inline std::string randomCase(const Backend& backend, std::uint64_t seed, bool gpu = false) {
  std::mt19937_64 random(seed);
  const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
  const std::size_t most = seed % 10 == 0 ? 1000 : 250;
  const std::size_t queries = 1 + random() % most;
  const std::size_t points = 1 + random() % most;
  const Clouds clouds = draw(random, kind, queries, points, 1 + random() % 9);
  if (!validate(JoinInput(clouds.queries, clouds.points))) return {};  // moved beyond any range
  const Expected expected = expect(clouds);
  for (int i = 0; i < 4; ++i) {
    const Strategy strategy = i == 0 ? Strategy{} : drawStrategy(random, clouds.points.dims(), gpu);
    std::string what = difference(backend, clouds, expected, strategy);
    if (!what.empty())
      return "seed " + std::to_string(seed) + ", " + kind + ", " + std::to_string(queries) + " ⋈ " +
             std::to_string(points) + " × " + std::to_string(clouds.points.dims()) + ": " + what;
  }
  return {};
}

}  // namespace twoClouds
