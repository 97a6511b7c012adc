// Exact joins by products of rounded coordinates: the bounds that decide pairs, the tiles of each
// instruction set, and joins in many dimensions beside brute force.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <random>
#include <stop_token>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/borrowed_cloud.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/brute_force.h"
#include "engine/product/product_cost.h"
#include "engine/product/product_join.h"
#include "narrow_memory.h"
#include "product_agreement.h"
#include "rounded_bytes.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

Result<RoundedPoints> rounded(const PointCloud& cloud) {
  const PointCloud* const clouds[] = {&cloud};
  return roundPoints(cloud, roundingFor(clouds, {}), {});
}

using PointPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The pairs that runProductJoin finds, by positions, in order.
PointPairs pairsOf(const ProductInput& input, double eps) {
  std::mutex mutex;
  PointPairs pairs;
  const auto done = runProductJoin(input, eps, *epsSquared(eps), "", {}, [&] {
    return [&](std::uint32_t p, std::uint32_t q) {
      const std::lock_guard lock(mutex);
      pairs.emplace_back(p, q);
    };
  });
  if (!done) return {};
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace

class ProductJoin : public QObject {
  Q_OBJECT
 private slots:
  void agreesWithBruteForce() {
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    const std::size_t dims[] = {1, 2, 3, 7, 16, 31, 33, 64, 90, 128};
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t n = seed % 3 == 0 ? 1 + random() % 5 : 1 + random() % 400;
      const PointCloud cloud =
          productAgreement::hardCloud(random, seed, n, dims[random() % std::size(dims)]);
      if (!validate(JoinInput(cloud))) continue;
      const double eps = productAgreement::someEps(random, cloud);
      const auto counts = bruteForceCounts(cloud, eps);
      const auto pairs = bruteForcePairs(cloud, eps);
      const auto labels =
          bruteForceDbscan(cloud, {eps, static_cast<std::int64_t>(1 + random() % 8)});
      QVERIFY(counts && pairs && labels);
      const Strategy way{.method = Method::Products};
      std::string what = agreement::ofJoins(*backend, cloud, eps, *counts, *pairs, way);
      if (what.empty()) what = agreement::ofDbscan(*backend, cloud, *labels, way);
      QVERIFY2(what.empty(), ("seed " + std::to_string(seed) + ": " + what).c_str());
    }
  }

  /// Tiny differences beside a huge range: squares of the distances that rounding moves points by
  /// underflow, so that no pair is proven to be inside.
  void roundingThatUnderflows() {
    std::vector<std::vector<double>> rows(64, {-0x1p66});
    for (int i = 0; i < 128; ++i) rows.push_back({i % 2 == 0 ? 1e-147 : -1e-147});
    for (int i = 0; i < 64; ++i) rows.push_back({0x1p66});
    const PointCloud cloud = draws::fromRows(rows);
    const double eps = 1e-150;
    const auto counts = bruteForceCounts(cloud, eps);
    QVERIFY(counts.has_value());
    QCOMPARE(*std::max_element(counts->counts.begin(), counts->counts.end()), 64U);
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    const auto found = backend->count(cloud, eps, Strategy{.method = Method::Products}, {});
    QVERIFY(found.has_value());
    QVERIFY(found->counts == counts->counts);
  }

  /// Before the first pair, too: the means of a large cloud take seconds.
  void stopsWhileItRounds() {
    // One row that is all points: many without memory.
    const std::vector<float> row(1024, 1.5F);
    const PointCloud cloud = borrowedCloud({.first = row.data(),
                                            .points = 2'000'000,
                                            .dims = row.size(),
                                            .pointStride = 0,
                                            .dimStride = sizeof(float),
                                            .single = true,
                                            .owner = nullptr});
    std::stop_source source;
    const Task task{source.get_token(), {}};
    const PointCloud* const clouds[] = {&cloud};
    source.request_stop();
    const double before = threadSeconds();
    const Rounding rounding = roundingFor(clouds, task);
    QVERIFY(threadSeconds() - before < 0.1);
    const auto points = roundPoints(cloud, rounding, task);
    QVERIFY(!points);
    QCOMPARE(points.error().kind, ErrorKind::Cancelled);
  }

  void agreesOnTwoClouds() {
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = 1 + random() % 40;
      const PointCloud points = productAgreement::hardCloud(random, seed, 1 + random() % 200, dims);
      PointCloud queries = productAgreement::hardCloud(random, seed, 1 + random() % 200, dims);
      for (std::size_t j = 0; j < dims; ++j) queries.columns[j][0] = points.columns[j][0];
      const JoinInput input(queries, points);
      if (!validate(input)) continue;
      const double eps = productAgreement::someEps(random, points);
      std::vector<std::int32_t> labels(points.size());
      for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random() % 5) - 1;
      const Strategy way{.method = Method::Products};
      const auto counts = bruteForceCounts(input, eps);
      const auto pairs = bruteForcePairs(input, eps);
      const auto lowest = bruteForceLowestLabels(input, labels, eps);
      QVERIFY(counts && pairs && lowest);
      const auto counted = backend->count(input, eps, way, {});
      const auto listed = backend->pairs(input, eps, way, {});
      QVERIFY2(counted && counted->counts == counts->counts, std::to_string(seed).c_str());
      QVERIFY2(listed && listed->pairs == pairs->pairs, std::to_string(seed).c_str());
      const auto found = backend->lowestLabels(input, labels, eps, way, {});
      QVERIFY(found && found->labels == lowest->labels);
      QCOMPARE(agreement::ofHistogram(*backend, input, eps, *pairs, way), std::string());
    }
  }

  /// Pairs exactly at the edges of bins, at equal points, far from the origin, in few bins and in
  /// many: the distances of rounded points leave some open.
  void histogramsAtTheEdges() {
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    const Strategy way{.method = Method::Products};
    for (const std::size_t dims : {1, 2, 3, 16, 33, 129, 300}) {
      for (const std::size_t points : {1, 2, 90, 300}) {
        for (const double offset : {0.0, 1e9}) {
          std::mt19937_64 random(dims + points);
          std::vector<std::vector<double>> rows(points, std::vector<double>(dims, offset));
          // Few coordinates differ, by whole numbers, so that many distances are whole.
          for (std::vector<double>& row : rows)
            for (std::size_t j = 0; j < std::min<std::size_t>(dims, 3); ++j)
              row[random() % dims] += static_cast<double>(random() % 5);
          const PointCloud cloud = draws::fromRows(rows);
          std::vector<std::vector<double>> asking(rows.begin(), rows.begin() + 1);
          asking.insert(asking.end(), rows.begin() + std::ptrdiff_t(points / 2), rows.end());
          const PointCloud queries = draws::fromRows(asking);
          const JoinInput two(queries, cloud);
          for (const double eps : {6.0, 0.5, 100.0}) {
            const auto pairs = bruteForcePairs(cloud, eps);
            const auto between = bruteForcePairs(two, eps);
            for (const int bins : {1, 6, 60, 4096}) {
              std::string what = agreement::ofHistogram(*backend, cloud, eps, *pairs, way, bins);
              if (what.empty())
                what = agreement::ofHistogram(*backend, two, eps, *between, way, bins);
              QVERIFY2(what.empty(), (std::to_string(dims) + "-D, " + std::to_string(points) +
                                      " points, ε " + std::to_string(eps) + ": " + what)
                                         .c_str());
            }
          }
        }
      }
    }
  }

  // Where nothing is set, in as many dimensions as a cloud may have.
  void manyDimensions() {
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    for (const std::size_t dims : {kMaxGridDims + 1, std::size_t{768}, kMaxDims}) {
      std::mt19937_64 random(dims);
      const PointCloud cloud = draws::draw(random, "blobs", 150, dims);
      const double eps = 0.4 * std::sqrt(2.0 * static_cast<double>(dims));
      const auto expected = bruteForceDbscan(cloud, {eps, 4});
      QVERIFY(expected && expected->clusters > 0);
      const auto found = backend->dbscan(cloud, {eps, 4}, {}, {});
      QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
      QCOMPARE(agreement::difference(*found, *expected), std::string());
      QCOMPARE(found->stats.strategy, std::string("products"));
      QVERIFY(backend->count(cloud, eps, {}, {})->counts == bruteForceCounts(cloud, eps)->counts);
      for (const Strategy& way : {Strategy{.indexedDims = 2}, Strategy{.method = Method::SuperEgo}})
        QCOMPARE(backend->count(cloud, eps, way, {}).error().kind, ErrorKind::BadCall);
      const auto pairs = bruteForcePairs(cloud, eps);
      QCOMPARE(agreement::ofHistogram(*backend, cloud, eps, *pairs, {}), std::string());
      QCOMPARE(backend->histogram(cloud, eps, 7, {}, {})->stats.strategy, std::string("products"));
      QCOMPARE(backend->histogram(cloud, eps, 7, {.method = Method::BruteForce}, {}).error().kind,
               ErrorKind::BadCall);
      QCOMPARE((*makeBackend("simt", {}))->load(cloud, eps, {}, {}, {}).error().kind,
               ErrorKind::BadCall);
    }
  }

  // With little memory the pairs that unions and border points need are not kept.
  void pairsThatAreNotKeptAreFoundAgain() {
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    std::mt19937_64 random(9);
    const PointCloud cloud = draws::draw(random, "uniform", 2500, 6);
    std::vector<std::uint32_t> counts;
    double eps = 0;
    for (eps = 0.5; counts.empty() || counts[counts.size() / 2] < 1200; eps *= 1.1) {
      counts = bruteForceCounts(cloud, eps)->counts;
      std::nth_element(counts.begin(), counts.begin() + 1250, counts.end());
    }
    eps /= 1.1;
    const DbscanParams params{eps, counts[1250]};
    const Strategy way{.method = Method::Products};
    const auto expected = bruteForceDbscan(cloud, params);
    const auto kept = backend->dbscan(cloud, params, way, {});
    QCOMPARE(agreement::difference(*kept, *expected), std::string());
    const NarrowMemory narrow(20 << 20);
    const auto found = backend->dbscan(cloud, params, way, {});
    QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
    QCOMPARE(agreement::difference(*found, *expected), std::string());
    QVERIFY(found->stats.distanceCalculations >= 3 * kept->stats.distanceCalculations);
  }

  // By itself where the grid would compare nearly all points, and only there.
  void isChosenWhereItIsCheaper() {
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    std::mt19937_64 random(8);
    PointCloud cloud = draws::draw(random, "blobs", 3000, 30);
    const double eps = 0.4 * std::sqrt(60.0);
    const auto chosen = backend->count(cloud, eps, {}, {});
    const auto byGrid = backend->count(cloud, eps, {.indexedDims = 3}, {});
    QCOMPARE(chosen->stats.strategy, std::string("products"));
    QVERIFY(chosen->counts == byGrid->counts);
    const auto bins = backend->histogram(cloud, eps, 30, {}, {});
    QCOMPARE(bins->stats.strategy, std::string("products"));
    QVERIFY(bins->pairs == backend->histogram(cloud, eps, 30, {.indexedDims = 3}, {})->pairs);
    cloud = draws::draw(random, "uniform", 3000, 4);
    QVERIFY(backend->count(cloud, 0.2, {}, {})->stats.strategy != "products");
  }

  // What a GPU leaves open of a cloud that is much wider than its dense part, and finds near.
  void sharesOfPairsFollowTheCloud() {
    std::mt19937_64 random(9);
    std::normal_distribution<double> core;
    std::exponential_distribution<double> tails(40);
    for (const std::size_t dims : {16, 40}) {
      PointCloud dense;
      PointCloud exponential;
      dense.columns.assign(dims, std::vector<double>(4000));
      exponential.columns = dense.columns;
      for (std::size_t j = 0; j < dims; ++j)
        for (std::size_t p = 0; p < 4000; ++p) {
          dense.columns[j][p] = core(random);
          exponential.columns[j][p] = tails(random);
        }
      const double eps = std::sqrt(2.0 * double(dims));  // the usual distance of two points
      const PairShares alone = sharesOfPairs(dense, dense, eps);
      QVERIFY(alone.near > 0.3 && alone.near < 0.7);
      for (std::size_t p = 0; p < 4000; p += 50) dense.columns[0][p] = 1e6 * core(random);
      const PairShares wide = sharesOfPairs(dense, dense, eps);
      QVERIFY2(wide.open > 0.8 && alone.open < 0.2, qPrintable(QString::number(alone.open)));
      const double open = sharesOfPairs(exponential, exponential, eps / 40).open;
      QVERIFY2((open < 0.01) == (dims <= kWordDims), qPrintable(QString::number(open)));
    }
  }

  // Every pair that the bounds decide, by the predicate; and that they decide most of them.
  void boundsDecideRightly() {
    std::uint64_t decided = 0;
    std::uint64_t undecided = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud = productAgreement::hardCloud(random, seed, 150, 1 + random() % 40);
      const double eps = productAgreement::someEps(random, cloud);
      const auto squaredEps = epsSquared(eps);
      const auto points = rounded(cloud);
      QVERIFY(points && squaredEps);
      QVERIFY(*std::max_element(points->norms.begin(), points->norms.end()) < 1 << 29);
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        for (std::size_t q = 0; q < cloud.size(); ++q) {
          const std::size_t a = leafOf(*points, p);
          const std::size_t b = leafOf(*points, q);
          const bool near =
              withinEps(canonicalSquaredDistance(cloud, points->pointIds[p], points->pointIds[q]),
                        *squaredEps);
          const TileReach reach = tileReach({*points, a}, {*points, b}, eps);
          const std::int64_t square = squareOf(*points, p, q);
          if (square > reach.outside ||
              leastDistance({*points, a}, {*points, b}) > reachOut({*points, a}, {*points, b}, eps))
            QVERIFY(!near);
          if (square <= reach.inside) QVERIFY(near);
          ++(square > reach.outside || square <= reach.inside ? decided : undecided);
        }
      }
    }
    QVERIFY2(decided > 4 * undecided,
             (std::to_string(decided) + ", " + std::to_string(undecided)).c_str());
  }

  // Panels that are not kept: those of some leaves are made at a time.
  void panelsThatAreMade() {
    std::uint64_t found = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = 1 + random() % 40;
      PointCloud cloud = productAgreement::hardCloud(random, seed, 1500, dims);
      const PointCloud others = productAgreement::hardCloud(random, seed + 1, 700, dims);
      if (!validate(JoinInput(cloud)) || !validate(JoinInput(others))) continue;
      const double eps = productAgreement::someEps(random, cloud);
      const PointCloud* const clouds[] = {&cloud, &others};
      const Rounding rounding = roundingFor(clouds, {});
      const std::size_t most = random() % 6 * kTilePoints * (dims + 1);
      const auto kept = roundPoints(cloud, rounding, {});
      const auto made = roundPoints(cloud, rounding, {}, most);
      const auto queries = roundPoints(others, rounding, {}, most);
      QVERIFY(kept && made && queries && made->panels.empty());
      QVERIFY(panelsAtOnce(*made) < made->leaves.size());
      QCOMPARE(made->pointIds, kept->pointIds);
      QCOMPARE(made->norms, kept->norms);
      LeafPanels panels(*made, 3);
      for (std::size_t leaf = 0; leaf < made->leaves.size(); ++leaf) {
        QCOMPARE(made->leaves[leaf].error, kept->leaves[leaf].error);
        const auto first = kept->panels.begin() + std::ptrdiff_t(leaf * kept->leafSize());
        QVERIFY(std::equal(first, first + std::ptrdiff_t(kept->leafSize()), panels.of(leaf)));
      }
      const PointPairs pairs = pairsOf({*made}, eps);
      found += pairs.size();
      QCOMPARE(pairs, pairsOf({*kept}, eps));
      QCOMPARE(pairsOf({*made, &*queries}, eps), pairsOf({*kept, &*queries}, eps));
    }
    QVERIFY(found > 10'000);
  }

  // What a GPU's kernels do with bytes: the sign of a sum, and the sum that is enough.
  void sumsOfBytesDecideRightly() {
    std::uint64_t decided = 0;
    std::uint64_t undecided = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = 1 + random() % 40;
      const PointCloud cloud = productAgreement::hardCloud(random, seed, 150, dims);
      const double eps = productAgreement::someEps(random, cloud);
      const auto squaredEps = epsSquared(eps);
      const RoundedBytes rounded = roundedBytes(cloud);
      const auto& [scale, bytes, norms, errors] = rounded;
      if (scale == 0) continue;
      const std::size_t n = cloud.size();
      for (const std::int32_t value : bytes) QVERIFY(std::abs(value) <= kLargestByte);
      const ScaledEps scaled = scaledEps(scale, eps, dims, largestDistanceOfBytes(dims));
      for (std::size_t p = 0; p < n; ++p) {
        QVERIFY(startOfProduct(tileReach(scaled, errors[p]).outside, norms[p], kNormOfNobody) < 0);
        for (std::size_t q = 0; q < n; ++q) {
          const TileReach reach = tileReach(scaled, errors[p] + errors[q]);
          std::int32_t sum = startOfProduct(reach.outside, norms[p], norms[q]);
          sum += rounded.product(p, q);
          const bool near = withinEps(canonicalSquaredDistance(cloud, p, q), *squaredEps);
          if (sum < 0) QVERIFY(!near);
          if (sum >= certainSum(reach)) QVERIFY(near);
          ++(sum < 0 || sum >= certainSum(reach) ? decided : undecided);
        }
      }
    }
    QVERIFY2(decided > 2 * undecided,
             (std::to_string(decided) + ", " + std::to_string(undecided)).c_str());
  }

  // What they do with 16 bits as two bytes each, step by step, in numbers that cannot overflow.
  void sumsOfWordsDecideRightly() {
    std::uint64_t decided = 0;
    std::uint64_t undecided = 0;
    std::uint64_t passed = 0;
    const auto fits = [](std::int64_t sum) { return sum == std::int32_t(sum); };
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = 1 + random() % 32;
      const PointCloud cloud = productAgreement::hardCloud(random, seed, 150, dims);
      const double eps = productAgreement::someEps(random, cloud);
      const auto squaredEps = epsSquared(eps);
      const PointCloud* const clouds[] = {&cloud};
      const auto [centre, scale] = roundingFor(clouds, {});
      if (scale == 0) continue;
      const std::size_t n = cloud.size();
      std::vector<std::int32_t> words(n * dims);
      std::vector<std::int32_t> norms(n);
      for (std::size_t p = 0; p < n; ++p) {
        double error = 0;
        for (std::size_t j = 0; j < dims; ++j) {
          std::int32_t& word = words[p * dims + j];
          word = roundedCoordinate(cloud.columns[j][p], centre[j], scale, error);
          norms[p] += word * word;
          QVERIFY(std::abs(highByte(word)) <= 127 && std::int8_t(lowByte(word)) == lowByte(word));
          QCOMPARE(256 * highByte(word) + lowByte(word), word);
        }
        QVERIFY(norms[p] < kNormOfNobody);
        QVERIFY(std::sqrt(error) <= largestErrorOfWords(scale, dims));
      }
      const TileReach reach = tileReach(scaledEps(scale, eps, dims, kLargestRoundedDistance),
                                        2 * largestErrorOfWords(scale, dims));
      // The sum of which the sign is looked at first, and the exact one.
      struct Sums {
        std::int64_t first;
        std::int64_t exact;
      };
      const auto sumsOf = [&](std::int32_t outside, std::int32_t startX, std::int32_t startY,
                              std::int64_t high, std::int64_t mixed, std::int64_t low) {
        const std::int64_t first =
            256 * (high + partOfColumn(startY)) + partOfRow(outside, startX, dims) + mixed;
        return Sums{first, 256 * first + restOfColumn(startY, dims) + low};
      };
      const std::int32_t nobody = startOfWords(kNormOfNobody);
      constexpr std::int32_t kMostOutside = 46340 * 46340;
      for (const std::int32_t outside : {0, reach.outside, kMostOutside})
        for (const std::int32_t start : {0, startOfWords(kNormOfNobody - 1), nobody})
          for (const Sums sums :
               {sumsOf(outside, start, nobody, 0, 0, 0), sumsOf(outside, nobody, start, 0, 0, 0)}) {
            QVERIFY(sums.exact < 0 && fits(256 * sums.first) && fits(sums.exact));
          }
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = 0; q < n; ++q) {
          std::int64_t high = 0;
          std::int64_t mixed = 0;
          std::int64_t low = 0;
          for (std::size_t j = 0; j < dims; ++j) {
            const std::int32_t x = words[p * dims + j];
            const std::int32_t y = words[q * dims + j];
            high += highByte(x) * highByte(y);
            mixed += highByte(x) * lowByte(y) + lowByte(x) * highByte(y);
            low += lowByte(x) * lowByte(y);
          }
          const auto [first, sum] = sumsOf(reach.outside, startOfWords(norms[p]),
                                           startOfWords(norms[q]), high, mixed, low);
          QVERIFY(fits(256 * first) && fits(sum));
          if (sum >= 0) QVERIFY(first >= 0);
          passed += first >= 0;
          const bool near = withinEps(canonicalSquaredDistance(cloud, p, q), *squaredEps);
          if (sum < 0) QVERIFY(!near);
          if (sum >= certainSumOfWords(reach)) QVERIFY(near);
          ++(sum < 0 || sum >= certainSumOfWords(reach) ? decided : undecided);
        }
      }
    }
    QVERIFY(passed < decided + undecided);
    QVERIFY2(decided > 5 * undecided,
             (std::to_string(decided) + ", " + std::to_string(undecided)).c_str());
  }

  void tilesOfAllProcessorsAgree() {
    std::mt19937_64 random(3);
    for (const std::size_t dims : {1, 2, 5, 64, 129}) {
      const auto points = rounded(draws::draw(random, "blobs", 2 * kTilePoints, dims));
      QVERIFY(points);
      const auto run = [&](TileFunction function) {
        std::pair<std::vector<std::int32_t>, std::vector<std::uint64_t>> result(
            std::vector<std::int32_t>(kTilePoints * kTilePoints),
            std::vector<std::uint64_t>(kTilePoints));
        function({points->panels.data(), points->panels.data() + points->leafSize(),
                  points->pairsOfDims, points->norms.data(), points->norms.data() + kTilePoints,
                  1 << 26, result.first.data(), result.second.data()});
        return result;
      };
      const auto plain = run(productTilePlain);
      for (std::size_t p = 0; p < kTilePoints; ++p) {
        for (std::size_t q = 0; q < kTilePoints; ++q) {
          const std::int64_t square = squareOf(*points, p, kTilePoints + q);
          QCOMPARE(std::int64_t{plain.first[p * kTilePoints + q]}, square);
          QCOMPARE((plain.second[p] >> q & 1) != 0, square <= 1 << 26);
        }
      }
      QVERIFY(run(bestProductTile()) == plain);
#ifdef CLUSTERLOOM_X86_TILES
      if (__builtin_cpu_supports("avx2")) QVERIFY(run(productTileAvx2) == plain);
#endif
    }
  }

  // Leaves of clusters far apart are not compared.
  void skipsDistantLeaves() {
    std::mt19937_64 random(5);
    PointCloud cloud = draws::draw(random, "uniform", 4000, 20);
    for (std::size_t p = 0; p < cloud.size(); ++p)
      cloud.columns[p % 7][p] += 1000 * static_cast<double>(1 + p % 7);
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    const auto counted = backend->count(cloud, 5, {.method = Method::Products}, {});
    QVERIFY(counted);
    QVERIFY(counted->counts == bruteForceCounts(cloud, 5)->counts);
    QVERIFY(counted->candidates < std::uint64_t{4000} * 4000 / 5);
  }

 private:
  static std::size_t leafOf(const RoundedPoints& points, std::size_t position) {
    std::size_t leaf = 0;
    while (position >= points.leaves[leaf].first + points.leaves[leaf].count) ++leaf;
    return leaf;
  }

  static std::int64_t squareOf(const RoundedPoints& points, std::size_t p, std::size_t q) {
    const auto value = [&](std::size_t at, std::size_t j) {
      const std::size_t leaf = leafOf(points, at);
      const std::size_t place = at - points.leaves[leaf].first;
      return std::int64_t{
          points.panels[leaf * points.leafSize() +
                        (place / kPanelPoints * points.pairsOfDims + j / 2) * 2 * kPanelPoints +
                        place % kPanelPoints * 2 + j % 2]};
    };
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < points.dims; ++j) {
      const std::int64_t difference = value(p, j) - value(q, j);
      sum += difference * difference;
    }
    return sum;
  }
};

GUILESS_TEST(ProductJoin);
#include "tst_product_join.moc"
