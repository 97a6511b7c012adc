// Manhattan and Chebyshev distances: joins, DBSCAN, nearest neighbours and hierarchies beside
// comparisons of all pairs in plain loops, ties included; hierarchies of cosine distances.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/directions.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/smallest_eps.h"
#include "metric_agreement.h"
#include "plain_hdbscan.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace metricAgreement;

namespace {

std::shared_ptr<const Backend> backendOf(Metric metric, int threads = 2) {
  auto made = backendIn({.metric = metric}, {}, std::move(*makeBackend("cpu", {threads})));
  return std::move(*made);
}

/// What differs from the squares of all distances, sorted; empty when nothing does. Squares that
/// underflow are equal.
std::string differenceOf(Metric metric, const PointCloud& queries, const PointCloud& cloud,
                         const NearestNeighbours& found, std::size_t k, bool own) {
  return nearestDifference(queries.size(), cloud.size(), found, k, own,
                           [&](std::size_t p, std::size_t q) {
                             return std::pow(distanceOf(metric, queries, p, cloud, q), 2);
                           });
}

}  // namespace

class TestMetrics : public QObject {
  Q_OBJECT

 private slots:
  void joinsEqualAllPairs() {
    for (std::uint64_t seed = 1; seed <= 220; ++seed) {
      const Drawn of = drawn(seed, 250);
      const std::string what = joinDifference(*backendOf(of.metric, 1 + int(seed % 3)), of);
      QVERIFY2(what.empty(), (named(seed) + ": " + what).c_str());
    }
  }

  /// A leaf that is not full has no distances to points that are not there.
  void distancesAreThoseOfPoints() {
    for (const Metric metric : kBoth)
      for (int n = 1; n <= 40; ++n) {
        std::vector<std::vector<double>> rows;
        for (int i = 0; i < n; ++i) rows.push_back({10.0 * i});
        const auto found = backendOf(metric)->count(draws::fromRows(rows), 1, {}, {});
        QVERIFY(found.has_value());
        QVERIFY(found->stats.distanceCalculations <= std::uint64_t(n * n));
        if (n == 2) QCOMPARE(found->stats.distanceCalculations, std::uint64_t{4});
      }
  }

  void joinsOfTwoCloudsEqualAllPairs() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      const Drawn of = drawn(seed, 250);
      const std::string what = twoCloudDifference(*backendOf(of.metric), of);
      QVERIFY2(what.empty(), (named(seed) + ": " + what).c_str());
    }
  }

  void dbscanEqualsAllPairs() {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      const Drawn of = drawn(seed, 400);
      const std::string what = dbscanDifference(*backendOf(of.metric, 1 + int(seed % 3)), of);
      QVERIFY2(what.empty(), (named(seed) + ": " + what).c_str());
    }
  }

  /// More leaves than a thread takes at once, and ε from below one neighbour to all points.
  void dbscanOfManyPoints() {
    std::mt19937_64 random(5);
    for (const Metric metric : kBoth)
      for (const std::string kind : {"uniform", "blobs", "lattice", "duplicates"})
        for (const double eps : {0.1, 0.5, 1.0, 2.0, 100.0}) {
          Drawn of{
              draws::draw(random, kind, 2500, 3), {}, metric, eps, 1 + std::int64_t(random() % 40)};
          const auto found = backendOf(metric)->dbscan(of.cloud, {of.eps, of.minPts}, {}, {});
          QVERIFY(found);
          QVERIFY2(found->labels == answerOf(of).labels,
                   (kind + " " + std::to_string(eps)).c_str());
        }
  }

  /// Integer weights are points that are repeated.
  void weightsAreRepeatedPoints() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      std::mt19937_64 random(seed);
      Drawn of = drawn(seed, 60);
      std::vector<double> weights(of.cloud.size());
      std::vector<std::size_t> owner;
      PointCloud repeated = of.cloud;
      for (auto& column : repeated.columns) column.clear();
      for (std::size_t p = 0; p < weights.size(); ++p) {
        weights[p] = double(1 + random() % 3);
        for (int i = 0; i < int(weights[p]); ++i) {
          owner.push_back(p);
          for (std::size_t j = 0; j < of.cloud.dims(); ++j)
            repeated.columns[j].push_back(of.cloud.columns[j][p]);
        }
      }
      const auto found =
          weightedDbscan(*backendOf(of.metric), of.cloud, weights, {of.eps, of.minPts}, {}, {});
      QVERIFY2(found, found ? "" : found.error().message.c_str());
      of.cloud = repeated;
      const AllPairsAnswer answer = answerOf(of);
      for (std::size_t i = 0; i < owner.size(); ++i)
        QVERIFY2(found->labels[owner[i]] == answer.labels[i], named(seed).c_str());
    }
  }

  /// Whether points that differ have a square distance that is not a normal number.
  static bool lacksSquares(Metric metric, const PointCloud& a, const PointCloud& b) {
    for (std::size_t p = 0; p < a.size(); ++p)
      for (std::size_t q = 0; q < b.size(); ++q) {
        const double distance = distanceOf(metric, a, p, b, q);
        if (distance > 0 && !epsSquared(distance)) return true;
      }
    return false;
  }

  void neighboursEqualAllPairs() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      const Drawn of = drawn(seed, 300);
      // Above 64 by other lists.
      const std::size_t k = seed % 4 == 0 ? 65 + seed % 150 : 1 + seed * 7 % 64;
      HierarchyPlace place;
      const auto found = findNearest(of.cloud, int(k), 2, {"auto", -1}, {}, &place, {}, of.metric);
      if (!found && lacksSquares(of.metric, of.cloud, of.cloud)) continue;
      QVERIFY2(found, found ? "" : found.error().message.c_str());
      QCOMPARE(place.backend, std::string("cpu"));
      const std::string own = differenceOf(of.metric, of.cloud, of.cloud, *found, k, true);
      QVERIFY2(own.empty(), (own + ", " + named(seed)).c_str());
      const auto others =
          findNearest({of.queries, of.cloud}, int(k), 1, {}, {}, nullptr, {}, of.metric);
      if (!others && lacksSquares(of.metric, of.queries, of.cloud)) continue;
      QVERIFY2(others, others ? "" : others.error().message.c_str());
      const std::string two = differenceOf(of.metric, of.queries, of.cloud, *others, k, false);
      QVERIFY2(two.empty(), (two + " of two, " + named(seed)).c_str());
    }
  }

  /// Of all points and of a sample that holds all of them.
  void kDistancesEqualAllPairs() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      const Drawn of = drawn(seed, 200);
      const std::size_t n = of.cloud.size();
      const auto k = 1 + std::size_t(seed) % std::min<std::size_t>(n, 64);
      std::vector<double> expected;
      for (std::size_t p = 0; p < n; ++p) {
        std::vector<double> row;
        for (std::size_t q = 0; q < n; ++q)
          row.push_back(distanceOf(of.metric, of.cloud, p, of.cloud, q));
        std::nth_element(row.begin(), row.begin() + std::ptrdiff_t(k - 1), row.end());
        expected.push_back(row[k - 1]);
      }
      std::sort(expected.rbegin(), expected.rend());
      for (const auto call : {&kDistances, &kDistancesOfAll}) {
        const auto found = call(of.cloud, int(k), n, {}, of.metric);
        QVERIFY2(found && found->isWhole, named(seed).c_str());
        QCOMPARE(found->distances.size(), n);
        QVERIFY(epsSquared(found->suggestedEps).has_value());
        for (std::size_t i = 0; i < n; ++i)
          if (expected[i] == 0 || std::isnormal(expected[i] * expected[i]))
            QVERIFY2(found->distances[i] == expected[i], named(seed).c_str());
      }
    }
  }

  /// In many dimensions, where Euclidean distances go by products, and with more neighbours than
  /// trees search for all points at once.
  void kDistancesInManyDimensions() {
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "blobs", 300, 40);
    for (const Metric metric : kBoth)
      for (const int k : {2, 100}) {
        const auto found = kDistancesOfAll(cloud, k, 300, {}, metric);
        QVERIFY(found && found->isWhole);
        const double eps = found->distances[150];
        const auto run = backendOf(metric)->dbscan(cloud, {eps, k}, {}, {});
        QVERIFY(run);
        QCOMPARE(std::int64_t(run->coreCount),
                 std::int64_t(std::count_if(found->distances.begin(), found->distances.end(),
                                            [&](double d) { return d <= eps; })));
      }
  }

  /// At every ε at which something changes, and beside it.
  void hierarchiesHaveTheLabelsOfDbscan() {
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
      Drawn of = drawn(seed, 70);
      if (seed % 9 == 0) of.minPts = 65 + std::int64_t(seed % 5);
      const auto hierarchy = buildHierarchy(
          of.cloud, {.minPts = of.minPts, .threads = 2, .metric = of.metric}, {"auto", -1});
      QVERIFY2(hierarchy, hierarchy ? "" : hierarchy.error().message.c_str());
      std::set<double> values;
      for (std::size_t p = 0; p < of.cloud.size(); ++p)
        for (std::size_t q = 0; q < p; ++q) {
          const double distance = distanceOf(of.metric, of.cloud, p, of.cloud, q);
          if (epsSquared(distance) && values.size() < 60) values.insert(distance);
        }
      for (const double value : values)
        for (const double eps : {std::nextafter(value, 0.0), value}) {
          of.eps = eps;
          const auto labels = hierarchy->labels(eps);
          QVERIFY(labels);
          QVERIFY2(labels->labels == answerOf(of).labels, named(seed).c_str());
        }
    }
  }

  void spanningTreesAreLightest() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Drawn of = drawn(seed, 90);
      const std::size_t n = of.cloud.size();
      std::vector<double> core(n, std::numeric_limits<double>::infinity());
      std::vector<std::vector<double>> weights(n, std::vector<double>(n));
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = 0; q < n; ++q)
          weights[p][q] = distanceOf(of.metric, of.cloud, p, of.cloud, q);
        std::vector<double> sorted = weights[p];
        std::sort(sorted.begin(), sorted.end());
        if (of.minPts <= std::int64_t(n)) core[p] = sorted[std::size_t(of.minPts) - 1];
      }
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = 0; q < n; ++q)
          weights[p][q] = std::max({weights[p][q], core[p], core[q]});
      std::mt19937_64 random(seed);
      const auto expected = plain::spanningTree(weights, random);
      const auto found =
          findSpanningTree(of.cloud, {.minPts = of.minPts, .threads = 2, .metric = of.metric});
      QVERIFY2(found, found ? "" : found.error().message.c_str());
      QCOMPARE(found->size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(smallestEps((*found)[i].squaredWeight) == expected[i].squaredWeight,
                 named(seed).c_str());
    }
  }

  /// D ≤ ε is asked by squares: the same for every D and ε.
  void squaresKeepTheOrder() {
    std::mt19937_64 random(3);
    for (int i = 0; i < 200000; ++i) {
      const double x = std::ldexp(1 + draws::unit(random), int(random() % 900) - 450);
      const double above = std::nextafter(x, 1e300);
      QVERIFY(x * x < above * above);
      QVERIFY(std::sqrt(x * x) == x);
    }
  }

  /// Cosine distances of neighbours, and labels of hierarchies, where no pair is at ε.
  void cosineAgreesWithTheDefinition() {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud = draws::draw(random, "blobs", 80, 2 + random() % 20);
      const PointCloud units = *directions(cloud, {});
      const auto cosine = [&](std::size_t p, std::size_t q) {
        double sum = 0;
        for (const auto& column : units.columns)
          sum += (column[p] - column[q]) * (column[p] - column[q]);
        return sum / 2;
      };
      HierarchyPlace place;
      const auto nearest = findNearest(cloud, 6, 2, {}, {}, &place, {}, Metric::Cosine);
      QVERIFY2(nearest, nearest ? "" : nearest.error().message.c_str());
      const auto two = findNearest({cloud, cloud}, 1, 2, {}, {}, nullptr, {}, Metric::Cosine);
      QVERIFY(two);
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        std::vector<double> all;
        for (std::size_t q = 0; q < cloud.size(); ++q) all.push_back(cosine(p, q));
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < 6; ++i)
          QCOMPARE(std::sqrt(nearest->squaredDistancesOf(p)[i]), all[i]);
        QCOMPARE(two->squaredDistancesOf(p)[0], 0.0);
      }
      const auto hierarchy = buildHierarchy(cloud, {.minPts = 4, .metric = Metric::Cosine}, {});
      QVERIFY2(hierarchy, hierarchy ? "" : hierarchy.error().message.c_str());
      const auto backend =
          *backendIn({.metric = Metric::Cosine}, {}, std::move(*makeBackend("cpu", {})));
      const double middle = cosine(0, 1);
      for (const double eps : {0.9 * middle, 1.1 * middle, 3 * middle})
        QVERIFY(hierarchy->labels(eps)->labels == backend->dbscan(cloud, {eps, 4}, {}, {})->labels);
      const auto edges = findSpanningTree(cloud, {.minPts = 4, .metric = Metric::Cosine});
      QVERIFY(edges);
      QCOMPARE(edges->back().squaredWeight, hierarchy->dendrogram().squaredWeights.back());
    }
  }

  void whatIsRefused() {
    std::mt19937_64 random(1);
    const PointCloud cloud = draws::draw(random, "uniform", 50, 2);
    const auto says = [](const auto& result, const char* text) {
      return !result && result.error().kind == ErrorKind::BadCall &&
             result.error().message.find(text) != std::string::npos;
    };
    for (const Metric metric : kBoth) {
      const auto backend = backendOf(metric);
      QCOMPARE(backend->name(), std::string_view("cpu"));
      QVERIFY(says(backend->count(cloud, 1, {.method = Method::SuperEgo}, {}), "super-ego"));
      QVERIFY(says(backend->count(cloud, 1, {.pattern = AccessPattern::Full}, {}), "pattern"));
      QVERIFY(says(backend->count(cloud, 1, {.method = Method::BruteForce}, {}), "brute-force"));
      QVERIFY(says(backend->dbscan(cloud, {1, 3}, {.denseCells = Toggle::On}, {}), "dense cells"));
      QVERIFY(says(backend->dbscan(cloud, {1, 0}, {}, {}), "minPts"));
      QVERIFY(says(backend->dbscan(JoinInput(cloud, cloud), {1, 3}, {}, {}), "one cloud"));
      QVERIFY(says(backend->count(cloud, -1, {}, {}), "positive"));
      QVERIFY(says(backend->load(cloud, 1, {}, {}, {}), "Euclidean"));
      QCOMPARE(backend->count(draws::fromRows({}), 1, {}, {}).error().kind, ErrorKind::BadInput);
      QVERIFY(says(planJoin(cloud, 1, {}, SinkKind::Counts, backend->limits(), {}), "no plan"));
      QVERIFY(says(makeBackend("simt", {}).value()->withMetric(metric), "auto or cpu"));
      QVERIFY(
          says(checkSpace({.periods = {1, 1}, .metric = metric}, Scaling::Kind::None), "periods"));
      QVERIFY(
          says(checkSpace({.sphere = Sphere{}, .metric = metric}, Scaling::Kind::None), "spheres"));
      QVERIFY(says(findNearest(cloud, 3, 0, {"auto", -1}, {}, nullptr, {20, 20}, metric), "box"));
      QVERIFY(says(buildHierarchy(cloud, {.periods = {20, 20}, .metric = metric}, {}), "box"));
      QVERIFY(says(findNearest(cloud, 3, 0, {"cuda", -1}, {}, nullptr, {}, metric),
                   "by the CPU, not by cuda"));
      QVERIFY(says(buildHierarchy(cloud, {.metric = metric}, {"cuda", -1}), "not by cuda"));
      std::stop_source stop;
      stop.request_stop();
      const Task stopped{stop.get_token(), {}};
      QCOMPARE(backend->dbscan(cloud, {1, 3}, {}, stopped).error().kind, ErrorKind::Cancelled);
      QCOMPARE(backend->pairs(cloud, 1, {}, stopped).error().kind, ErrorKind::Cancelled);
    }
    QVERIFY(says(parseMetric("taxi"), "manhattan"));
    QVERIFY(says(buildHierarchy(cloud, {.periods = {20, 20}, .metric = Metric::Cosine}, {}),
                 "directions"));
    const PointCloud zero = draws::fromRows({{1, 1}, {0, 0}});
    QCOMPARE(findNearest(zero, 1, 0, {}, {}, nullptr, {}, Metric::Cosine).error().kind,
             ErrorKind::BadInput);
  }

  void onePoint() {
    const PointCloud one = draws::fromRows({{3, 4}});
    for (const Metric metric : kBoth) {
      QCOMPARE(backendOf(metric)->count(one, 1, {}, {})->pairs, std::uint64_t(1));
      QCOMPARE(backendOf(metric)->dbscan(one, {1, 1}, {}, {})->labels[0], 0);
      QCOMPARE(backendOf(metric)->dbscan(one, {1, 2}, {}, {})->labels[0], kNoise);
      QCOMPARE(findNearest(one, 3, 0, {}, {}, nullptr, {}, metric)->k, 1);
    }
  }
};

APPLESS_TEST(TestMetrics);
#include "tst_metrics.moc"
