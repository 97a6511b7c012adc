// Answers that cells or parameters give without n² distances: the same as brute force, in seconds.
#include <QtTest>
#include <cmath>
#include <ctime>
#include <numeric>
#include <random>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/join/distance_bins.h"
#include "engine/join/whole_cells.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::unique_ptr<Backend> cpu() { return std::move(*makeBackend("cpu", {})); }

PointCloud equalPoints(std::size_t n) {
  PointCloud cloud;
  cloud.columns = {std::vector<double>(n, 3.5), std::vector<double>(n, -1)};
  return cloud;
}

/// Groups of equal or nearly equal points at a few places, some within ε of each other, and noise.
PointCloud heaps(std::uint64_t seed, std::size_t dims) {
  std::mt19937_64 random(seed);
  const double spread = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 1e-3 : 0.05;
  std::vector<std::vector<double>> rows;
  for (int heap = 0; heap < 6; ++heap) {
    std::vector<double> place;
    for (std::size_t j = 0; j < dims; ++j)
      place.push_back(std::floor(4 * draws::unit(random)) * 0.5);  // distances on the edges of bins
    for (int i = 0; i < 90; ++i) {
      std::vector<double> row = place;
      for (double& x : row) x += spread * draws::unit(random);
      rows.push_back(row);
    }
  }
  for (int i = 0; i < 40; ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < dims; ++j) row.push_back(2 * draws::unit(random));
    rows.push_back(row);
  }
  return draws::fromRows(rows);
}

/// Ordered pairs by bin, by the predicate alone.
std::vector<std::uint64_t> histogramByBruteForce(const PointCloud& cloud,
                                                 const DistanceBins& bins) {
  std::vector<std::uint64_t> pairs(bins.squared.size());
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::size_t q = 0; q < cloud.size(); ++q) {
      const double squared = canonicalSquaredDistance(cloud, p, q);
      const auto at = std::lower_bound(bins.squared.begin(), bins.squared.end(), squared);
      if (at != bins.squared.end()) ++pairs[static_cast<std::size_t>(at - bins.squared.begin())];
    }
  return pairs;
}

}  // namespace

class TestCheapAnswers : public QObject {
  Q_OBJECT

 private slots:
  void equalBruteForceOnHeaps() {
    const auto backend = cpu();
    std::size_t decided = 0;
    for (std::uint64_t seed = 0; seed < 36; ++seed) {
      const std::size_t dims = 1 + seed % 4;
      const PointCloud cloud = heaps(seed, dims);
      for (const double eps : {0.5, 0.3, 1.0}) {
        for (const Precision precision : {Precision::Double, Precision::Single}) {
          Strategy strategy;
          strategy.precision = precision;
          const auto counts = backend->count(cloud, eps, strategy, {});
          QVERIFY(counts.has_value());
          QCOMPARE(counts->counts, bruteForceCounts(cloud, eps, {})->counts);
          const auto bins = makeDistanceBins(eps, seed % 2 == 0 ? 10 : 3);
          const auto histogram =
              backend->histogram(cloud, eps, int(bins->squared.size()), strategy, {});
          QVERIFY(histogram.has_value());
          QCOMPARE(histogram->pairs, histogramByBruteForce(cloud, *bins));
        }
        std::vector<int> all(dims);
        std::iota(all.begin(), all.end(), 0);
        const auto index =
            buildGridIndex(cloud, {.eps = eps, .reach = 1, .dims = all, .sortWithinCells = -1}, {});
        const double squared = eps * eps;
        const WholeCells whole = decideWholeCells(*index, ownQueries(*index), {&squared, 1}, {});
        decided += std::size_t(std::count(whole.decided.begin(), whole.decided.end(), 1));
      }
    }
    QVERIFY2(decided > 100, std::to_string(decided).c_str());  // the shortcut was taken
  }

  void equalPointsInSeconds() {
    const auto backend = cpu();
    const std::size_t n = 1000000;
    const PointCloud cloud = equalPoints(n);
    const double before = cpuSeconds();
    const auto counts = backend->count(cloud, 0.5, {}, {});
    QVERIFY(counts.has_value());
    QCOMPARE(counts->pairs, std::uint64_t{n} * n);
    QCOMPARE(counts->counts, std::vector<std::uint32_t>(n, n));
    const auto histogram = backend->histogram(cloud, 0.5, 50, {}, {});
    QVERIFY(histogram.has_value());
    QCOMPARE(histogram->pairs.front(), std::uint64_t{n} * n);
    QCOMPARE(histogram->pairs.back(), std::uint64_t{0});
    const auto pairs = backend->pairs(cloud, 0.5, {}, {});
    QVERIFY(!pairs);
    QCOMPARE(pairs.error().kind, ErrorKind::TooLarge);
    QVERIFY2(pairs.error().message.find("at least 1000000000000 pairs") != std::string::npos,
             pairs.error().message.c_str());
    const double spent = cpuSeconds() - before;
    QVERIFY2(spent < 10, std::to_string(spent).c_str());
  }

  // A quarter of all pairs, but no cell is decided by its box: a sample says what it would be.
  void largeEpsIsRefusedBySample() {
    std::mt19937_64 random(5);
    const PointCloud cloud = draws::draw(random, "uniform", 1000000, 2);
    const Bounds bounds = boundsOf(cloud);
    const double eps = 0.6 * (bounds.high[0] - bounds.low[0]);
    const auto backend = cpu();
    for (const AccessPattern pattern : {AccessPattern::Tile, AccessPattern::LidUnicomp}) {
      Strategy strategy;
      strategy.pattern = pattern;
      const double before = cpuSeconds();
      const auto pairs = backend->pairs(cloud, eps, strategy, {});
      QVERIFY(!pairs);
      QCOMPARE(pairs.error().kind, ErrorKind::TooLarge);
      QVERIFY2(pairs.error().message.find("standard error") != std::string::npos,
               pairs.error().message.c_str());
      const double spent = cpuSeconds() - before;
      QVERIFY2(spent < 10, std::to_string(spent).c_str());
    }
  }

  void loadOfEqualPointsIsSampled() {
    Strategy full;
    full.pattern = AccessPattern::Full;
    for (const std::size_t n : {std::size_t{100000}, std::size_t{1000000}}) {
      const double before = cpuSeconds();
      const auto report = cpu()->load(equalPoints(n), 0.5, full, {}, {});
      QVERIFY(report.has_value());
      QVERIFY(report->warps.size() < report->allWarps);
      QCOMPARE(report->candidates, std::uint64_t{n} * n);
      // Scaled up from the sampled warps, the last of which may serve fewer points.
      QVERIFY(std::abs(static_cast<double>(report->pairs) / static_cast<double>(n) /
                           static_cast<double>(n) -
                       1) < 0.02);
      const double spent = cpuSeconds() - before;
      QVERIFY2(spent < 40, std::to_string(spent).c_str());
    }
  }

  void minPtsAboveTheNumberOfPoints() {
    const auto backend = cpu();
    std::mt19937_64 random(8);
    const PointCloud small = draws::draw(random, "blobs", 300, 3);
    const auto expected = bruteForceDbscan(small, {0.5, 301}, {});
    const auto noise = backend->dbscan(small, {0.5, 301}, {}, {});
    QVERIFY(noise.has_value());
    QCOMPARE(noise->labels, expected->labels);
    QCOMPARE(noise->roles, expected->roles);
    QCOMPARE(noise->noiseCount, std::uint64_t{300});
    QCOMPARE(noise->stats.backend, std::string("cpu"));
    QVERIFY(noise->stats.note.find("minPts is larger") != std::string::npos);
    // At the number of points the work is done.
    QCOMPARE(backend->dbscan(small, {1e6, 300}, {}, {})->coreCount, std::uint64_t{300});
    QCOMPARE(backend->dbscan(small, {-1, 301}, {}, {}).error().kind, ErrorKind::BadCall);

    const PointCloud large = draws::draw(random, "uniform", 5000000, 2);
    const Bounds bounds = boundsOf(large);
    const double before = cpuSeconds();
    const auto all =
        backend->dbscan(large, {0.1 * (bounds.high[0] - bounds.low[0]), 5000001}, {}, {});
    QVERIFY(all.has_value());
    QCOMPARE(all->noiseCount, std::uint64_t{5000000});
    const double spent = cpuSeconds() - before;
    QVERIFY2(spent < 5, std::to_string(spent).c_str());
  }
};

APPLESS_TEST(TestCheapAnswers);
#include "tst_cheap_answers.moc"
