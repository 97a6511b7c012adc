#pragma once

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

#include "gpu_agreement.h"
#include "two_clouds.h"

/// The backend hybrid against brute force, without a test framework: used by a test with a stand-in
/// for the GPU and by a program that is run on a machine which has one.
namespace hybridAgreement {

using namespace clusterloom;

/// A legal strategy of the backend, drawn at random.
inline Strategy draw(std::mt19937_64& random, std::size_t dims, bool gpu) {
  const auto toggle = [&] { return static_cast<Toggle>(random() % 3); };
  Strategy s;
  s.pattern = random() % 2 ? AccessPattern::Tile : AccessPattern::Full;
  s.order = random() % 2 ? QueryOrder::Cell : QueryOrder::WorkQueue;
  s.indexedDims = static_cast<int>(random() % (std::min<std::size_t>(dims, 8) + 1));
  s.reorder = toggle();
  s.sortIdu = toggle();
  s.shortCircuit = toggle();
  s.precision = random() % 2 ? Precision::Double : Precision::Single;
  if (random() % 2) s.batchPairs = 1 + random() % 5000;
  s.division = static_cast<Division>(random() % 4);
  s.cpuMethod = static_cast<CpuMethod>(random() % 2);
  if (random() % 2) s.cpuBatch = static_cast<std::uint32_t>(1 + random() % 200);
  if (gpu) {
    s.threadsPerPoint = 1 << random() % 6;
    s.streams = static_cast<int>(random() % 6);
    s.blockSize = static_cast<int>(random() % 33) * 32;
  }
  return s;
}

/// The case of one seed. What differs, or nothing.
inline std::string randomCase(const Backend& backend, std::uint64_t seed, bool gpu,
                              gpuAgreement::Tally& tally) {
  std::mt19937_64 random(seed);
  const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
  const std::size_t n = 1 + random() % (seed % 10 == 0 ? 2000 : 300);
  PointCloud cloud = draws::draw(random, kind, n, 1 + random() % 9);
  const double eps = draws::drawEps(random, cloud);
  auto judged =
      gpuAgreement::judge(std::move(cloud), eps, static_cast<std::int64_t>(1 + random() % 20));
  if (seed % 2 != 0) prepare(judged);
  for (int i = 0; i < 3; ++i) {
    Strategy strategy = draw(random, judged.cloud.dims(), gpu);
    if (isStatic(strategy.division) && i == 0) strategy.referenceEps = 1.5 * eps;
    std::string what =
        agreement::ofJoins(backend, judged.input(), eps, judged.counts, judged.pairs, strategy);
    strategy.earlyStop = static_cast<Toggle>(random() % 3);
    if (what.empty())
      what = agreement::ofDbscan(backend, judged.input(), judged.clustering, strategy);
    if (!what.empty())
      return "hybrid, seed " + std::to_string(seed) + ", " + kind + ", " + std::to_string(n) +
             " × " + std::to_string(judged.cloud.dims()) + ", division " +
             toText(strategy.division) + ", CPU by " + toText(strategy.cpuMethod) + ", CPU batch " +
             std::to_string(strategy.cpuBatch) + ", " + what;
    ++tally.joins;
    ++tally.dbscans;
  }
  return {};
}

/// The same for two clouds.
inline std::string twoCloudCase(const Backend& backend, std::uint64_t seed, bool gpu) {
  std::mt19937_64 random(seed);
  const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
  const std::size_t queries = 1 + random() % 250;
  const std::size_t points = 1 + random() % 250;
  const auto clouds = twoClouds::draw(random, kind, queries, points, 1 + random() % 9);
  if (!validate(JoinInput(clouds.queries, clouds.points))) return {};  // moved beyond any range
  const auto expected = twoClouds::expect(clouds);
  for (int i = 0; i < 3; ++i) {
    Strategy strategy = draw(random, clouds.points.dims(), gpu);
    strategy.cpuMethod = CpuMethod::Grid;
    const std::string what = twoClouds::difference(backend, clouds, expected, strategy);
    if (!what.empty())
      return "hybrid, two clouds, seed " + std::to_string(seed) + ", " + kind + ", " +
             std::to_string(queries) + " ⋈ " + std::to_string(points) + " × " +
             std::to_string(clouds.points.dims()) + ", division " + toText(strategy.division) +
             ": " + what;
  }
  return {};
}

/// Buffers that are too small for what the estimate lets into a batch: many copies of one point
/// among others. Every query once, by one of the two, and the answer right.
inline std::string replays(const Backend& backend) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 6000; ++i) rows.push_back({0.01 * i, 5.0});
  for (int i = 0; i < 400; ++i) rows.push_back({30.0, 20.0});
  const auto judged = gpuAgreement::judge(draws::fromRows(rows), 0.05, 5);
  for (const Division division :
       {Division::Dyn, Division::Queries, Division::Candidates, Division::Adaptive})
    for (const std::uint64_t batch : {300, 50}) {
      const Strategy strategy{.batchPairs = batch, .division = division, .cpuBatch = 4};
      const auto table = backend.neighbourTable(judged.cloud, judged.eps, strategy, {});
      if (!table) return "replays: " + table.error().message;
      if (table->ids.size() != judged.pairs.pairs.size()) return "replays: number of pairs";
      for (std::size_t i = 0; i < judged.pairs.pairs.size(); ++i)
        if (table->ids[i] != judged.pairs.pairs[i].q) return "replays: ids of the table";
      for (const SharedPass& pass : table->stats.passes) {
        std::uint64_t queries = 0;
        for (const SharedBatch& done : pass.batches) queries += done.queries;
        if (queries != judged.cloud.size()) return "replays: queries lost or doubled";
      }
    }
  return {};
}

}  // namespace hybridAgreement
