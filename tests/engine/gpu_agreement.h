#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "strategies.h"

/// A GPU backend against brute force on the CPU, without a test framework: used by a test where a
/// device answers and by a program that is run on a machine which has one.
namespace gpuAgreement {

using namespace clusterloom;

struct Tally {
  std::uint64_t joins = 0;    ///< strategies whose three joins agreed
  std::uint64_t dbscans = 0;  ///< strategies whose labels agreed
};

/// The reference results for one cloud, ε and minPts.
struct Judged {
  PointCloud cloud;
  double eps = 1;
  std::int64_t minPts = 1;
  Clustering clustering;
  NeighbourCounts counts;
  PairList pairs;
  std::shared_ptr<const PreparedCloud> prepared = {};  ///< null: runs are given the cloud

  JoinInput input() const { return prepared ? JoinInput(*prepared) : JoinInput(cloud); }
};

inline Judged judge(PointCloud cloud, double eps, std::int64_t minPts) {
  Judged judged{std::move(cloud), eps, minPts, {}, {}, {}};
  judged.clustering = *bruteForceDbscan(judged.cloud, {eps, minPts});
  judged.counts = *bruteForceCounts(judged.cloud, eps);
  judged.pairs = *bruteForcePairs(judged.cloud, eps);
  return judged;
}

/// From now on runs are given the prepared cloud.
inline void prepare(Judged& judged) {
  judged.prepared =
      std::make_shared<const PreparedCloud>(std::make_shared<const PointCloud>(judged.cloud));
}

/// One strategy on one cloud, where it is legal. What differs, or nothing.
inline std::string check(const Backend& gpu, const Judged& judged, const Strategy& strategy,
                         Tally& tally) {
  if (strategies::legal(strategy, strategies::For::Dbscan, true)) {
    std::string what = agreement::ofDbscan(gpu, judged.input(), judged.clustering, strategy);
    if (!what.empty()) return "dbscan: " + what;
    ++tally.dbscans;
  }
  if (strategies::legal(strategy, strategies::For::Join, true)) {
    std::string what =
        agreement::ofJoins(gpu, judged.input(), judged.eps, judged.counts, judged.pairs, strategy);
    if (!what.empty()) return "join: " + what;
    ++tally.joins;
  }
  return {};
}

/// Every pattern and order with 1, 4 and 32 threads per point, in one batch and in many, with and
/// without SORTIDU and SHORTC, on small clouds of 1, 2, 3, 6 and 9 dimensions, two of them
/// with outliers; then sorted keys,
/// precision 32 by every pattern, and the other methods. `more()` says whether there is time left.
inline std::string representative(const Backend& gpu, const std::function<bool()>& more,
                                  Tally& tally) {
  std::mt19937_64 random(2026);
  struct Case {
    const char* kind;
    std::size_t n;
    std::size_t dims;
    double eps;
  };
  for (const Case& c : {Case{"blobs", 700, 2, 0.3}, Case{"lattice", 300, 3, 1.0},
                        Case{"exponential", 400, 1, 0.002}, Case{"uniform", 300, 6, 4.0},
                        Case{"nodata", 600, 3, 1.2}, Case{"outliers 1e10", 600, 2, 0.3},
                        Case{"duplicates", 300, 9, 0.5}}) {
    const Judged judged = judge(draws::draw(random, c.kind, c.n, c.dims), c.eps, 5);
    for (const AccessPattern pattern : strategies::kPatterns)
      for (const QueryOrder order : strategies::kOrders)
        for (const int threads : {1, 4, 32})
          for (const std::uint64_t batch : {0, 500})
            for (const Toggle idu : strategies::kOnOff)
              for (const Toggle shortc : strategies::kOnOff) {
                if (!more()) return {};
                const Strategy strategy{.pattern = pattern,
                                        .order = order,
                                        .threadsPerPoint = threads,
                                        .sortIdu = idu,
                                        .shortCircuit = shortc,
                                        .batchPairs = batch};
                if (std::string what = check(gpu, judged, strategy, tally); !what.empty())
                  return std::string(c.kind) + ": " + what;
              }
    for (const AccessPattern pattern : strategies::kPatterns)
      for (const QueryOrder order : strategies::kOrders)
        for (const std::uint64_t batch : {0, 50}) {
          const Strategy strategy{.pattern = pattern,
                                  .order = order,
                                  .route = ResultRoute::KeyValueSort,
                                  .batchPairs = batch};
          if (std::string what = check(gpu, judged, strategy, tally); !what.empty())
            return std::string(c.kind) + ": " + what;
        }
    for (const AccessPattern pattern : strategies::kPatterns)
      for (const QueryOrder order : {QueryOrder::Cell, QueryOrder::WorkQueue})
        for (const int threads : {1, 32})
          for (const std::uint64_t batch : {0, 500})
            for (const Toggle shortc : strategies::kOnOff) {
              if (!more()) return {};
              const Strategy strategy{.pattern = pattern,
                                      .order = order,
                                      .threadsPerPoint = threads,
                                      .shortCircuit = shortc,
                                      .precision = Precision::Single,
                                      .batchPairs = batch};
              if (std::string what = check(gpu, judged, strategy, tally); !what.empty())
                return std::string(c.kind) + ": " + what;
            }
    for (const Method method : strategies::kOtherMethods)
      if (std::string what = check(gpu, judged, {.method = method}, tally); !what.empty())
        return std::string(c.kind) + ": " + what;
  }
  return {};
}

/// Batches that do not fit into their buffers are done again in halves, a query whose own row is
/// longer than a batch included, and nothing is lost or doubled: many copies of one point among
/// others, whose pairs the estimate spreads evenly over the batches.
inline std::string replays(const Backend& gpu) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 1200; ++i) rows.push_back({0.01 * i, 5.0});
  for (int i = 0; i < 120; ++i) rows.push_back({30.0, 20.0});
  const Judged judged = judge(draws::fromRows(rows), 0.05, 5);
  for (const ResultRoute route : {ResultRoute::CountScanFill, ResultRoute::KeyValueSort})
    for (const AccessPattern pattern : strategies::kPatterns)
      for (const std::uint64_t batch : {300, 50}) {
        // In cell order the batches of tiles are cut to fit: none of them would be done again.
        const bool tile = pattern == AccessPattern::Tile;
        const Strategy strategy{.pattern = pattern,
                                .order = tile ? QueryOrder::SortByWorkload : QueryOrder::Cell,
                                .route = route,
                                .batchPairs = batch};
        Tally tally;
        if (std::string what = check(gpu, judged, strategy, tally); !what.empty()) return what;
        const auto table = gpu.neighbourTable(judged.cloud, judged.eps, strategy, {});
        int replayed = 0;
        std::uint64_t pairs = 0;
        std::uint64_t queries = 0;
        for (const BatchStats& stats : table->stats.timeline) {
          replayed = std::max(replayed, stats.replays);
          pairs += stats.pairs;
          queries += stats.queries;
        }
        const std::string where = "replays, " + strategies::text(strategy) + ": ";
        if (replayed == 0) return where + "no batch was done again";
        if (queries != judged.cloud.size()) return where + "queries lost or doubled";
        if (!isHalf(pattern) && pairs != judged.counts.pairs) return where + "pairs of the batches";
      }
  return {};
}

/// Batches of a work queue have about equal results, and are about as many as in other orders;
/// pairs are counted, filled and listed in phases of their own.
inline std::string queueBatches(const Backend& gpu) {
  std::mt19937_64 random(2028);
  const PointCloud cloud = draws::draw(random, "exponential", 12000, 2);
  const double eps = 0.004;
  const Strategy queue{.pattern = AccessPattern::Full,
                       .order = QueryOrder::WorkQueue,
                       .batchPairs = bruteForceCounts(cloud, eps)->pairs / 10};
  const auto listed = gpu.pairs(cloud, eps, queue, {});
  if (!listed) return "batches of a work queue: " + listed.error().message;
  const std::vector<BatchStats>& batches = listed->stats.timeline;
  if (batches.size() < 8 || batches.size() > 14)
    return "a work queue has " + std::to_string(batches.size()) + " batches";
  const double mean =
      static_cast<double>(listed->pairs.size()) / static_cast<double>(batches.size());
  for (const BatchStats& batch : batches)
    if (batch.replays == 0 && static_cast<double>(batch.pairs) > 1.5 * mean)
      return "batches of a work queue are not equal";
  std::vector<std::string> phases;
  for (const JoinPhase& phase : listed->stats.phases) phases.push_back(phase.name);
  if (phases != std::vector<std::string>{"counting", "filling", "sorting", "transfer"})
    return "phases of pairs";
  if (!(listed->stats.streamsReady > 0)) return "nobody says when streams had their buffers";
  return {};
}

/// Runs of several threads on one prepared cloud, of which the first may upload it, while others
/// drop its copies: all labels are those of brute force.
inline std::string sharesPreparedCloud(const Backend& gpu) {
  std::mt19937_64 random(2027);
  Judged judged = judge(draws::draw(random, "blobs", 1500, 2), 0.2, 5);
  prepare(judged);
  constexpr int kThreads = 4;
  std::vector<std::string> wrong(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20 && wrong[t].empty(); ++i) {
        wrong[t] = agreement::ofDbscan(gpu, judged.input(), judged.clustering, {});
        if (t == 0 && i % 4 == 3)
          for (const GpuDevice& device : gpu.devices()) PreparedCloud::dropCopies(device.number);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& what : wrong)
    if (!what.empty()) return "shared prepared cloud: " + what;
  return {};
}

/// The case of one seed: a cloud of any kind and some strategies, all drawn at random. The cloud is
/// a prepared one for odd seeds.
inline std::string randomCase(const Backend& gpu, std::uint64_t seed, Tally& tally) {
  std::mt19937_64 random(seed);
  const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
  const std::size_t n = 1 + random() % (seed % 10 == 0 ? 2000 : 400);
  PointCloud cloud = draws::draw(random, kind, n, 1 + random() % 12);
  const double eps = draws::drawEps(random, cloud);
  Judged judged = judge(std::move(cloud), eps, static_cast<std::int64_t>(1 + random() % 20));
  if (seed % 2 != 0) prepare(judged);
  for (int i = 0; i < 6; ++i) {
    const auto use = i % 2 == 0 ? strategies::For::Dbscan : strategies::For::Join;
    const Strategy strategy =
        i == 0 ? Strategy{} : strategies::draw(random, judged.cloud.dims(), use, true);
    if (std::string what = check(gpu, judged, strategy, tally); !what.empty()) {
      char number[40];
      std::snprintf(number, sizeof number, "%a", eps);
      return "seed " + std::to_string(seed) + ", " + kind + ", " + std::to_string(n) + " × " +
             std::to_string(judged.cloud.dims()) + ", eps " + number + ", minPts " +
             std::to_string(judged.minPts) + ", " + what;
    }
  }
  return {};
}

}  // namespace gpuAgreement
