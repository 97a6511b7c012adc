#include <tbb/parallel_for.h>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/cpu/brute_force.h"
#include "engine/cpu/methods.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/join/join_plan.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::unique_ptr<Backend> cpu(int threads) {
  return std::move(*makeBackend("cpu", {.threads = threads}));
}

// All methods and precisions of joins that were designed for the CPU.
std::vector<Strategy> allWays() {
  std::vector<Strategy> ways;
  for (const Method method : strategies::kCpuMethods) {
    ways.push_back({.method = method});
    if (isEgo(method)) ways.push_back({.method = method, .precision = Precision::Single});
  }
  ways.push_back({.method = Method::NewSuperEgo, .order = QueryOrder::WorkQueue});
  return ways;
}

}  // namespace

/// R-tree, Super-EGO, New-Super-EGO, k-d tree and products through the backend, beside brute force.
class CpuMethods : public QObject {
  Q_OBJECT
 private slots:
  void agreeWithBruteForce() {
    const auto one = cpu(1);
    const auto three = cpu(3);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = seed % 20 == 19 ? 90 : 1 + random() % 10;
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 200, dims);
      const double eps = draws::drawEps(random, cloud);
      const auto minPts = static_cast<std::int64_t>(1 + random() % 8);
      const auto counts = bruteForceCounts(cloud, eps);
      const auto pairs = bruteForcePairs(cloud, eps);
      const auto labels = bruteForceDbscan(cloud, {eps, minPts});
      QVERIFY(counts && pairs && labels);
      for (const Strategy& way : allWays()) {
        const Backend& backend = random() % 2 == 0 ? *one : *three;
        std::string what = agreement::ofJoins(backend, cloud, eps, *counts, *pairs, way);
        if (what.empty()) what = agreement::ofDbscan(backend, cloud, *labels, way);
        QVERIFY2(what.empty(), (kind + ", seed " + std::to_string(seed) + ": " + what).c_str());
      }
    }
  }

  // Counts of one cloud: Super-EGO from 4 dimensions on and where 2 are sparse, a grid of 2 where 3
  // are, else a grid of all. Other results, other clouds and options that are set go by the grid.
  void countsByWhatIsQuickest() {
    const auto backend = cpu(2);
    const auto made = [](std::size_t points, std::size_t dims) {
      return generate({.kind = "unif", .points = points, .dims = dims, .seed = 7})->cloud;
    };
    const auto way = [&](const PointCloud& cloud, double eps, const Strategy& asked = {}) {
      return planJoin(cloud, eps, asked, SinkKind::Counts, backend->limits(), {})->strategy;
    };
    for (const std::size_t dims : {4, 6, 11}) {
      const PointCloud cloud = made(500, dims);
      QCOMPARE(way(cloud, 10).method, Method::SuperEgo);
      QCOMPARE(way(cloud, 10, {.reorder = Toggle::On}).method, Method::Grid);
      QCOMPARE(planJoin(cloud, 10, {}, SinkKind::Pairs, backend->limits(), {})->strategy.method,
               Method::Grid);
      QCOMPARE(planJoin({cloud, cloud}, 10, {}, SinkKind::Counts, backend->limits(), {})
                   ->strategy.method,
               Method::Grid);
      QCOMPARE(backend->count(cloud, 10, {}, {})->stats.strategy, std::string("super-ego"));
    }
    const PointCloud flat = made(120'000, 2);
    QCOMPARE(way(flat, 0.3).method, Method::SuperEgo);
    QCOMPARE(way(flat, 2).method, Method::Grid);
    const PointCloud solid = made(120'000, 3);
    QCOMPARE(way(solid, 2).indexedDims, 2);
    QCOMPARE(way(solid, 6).indexedDims, 3);
    QCOMPARE(way(made(1000, 2), 0.3).method, Method::Grid);
    QVERIFY(backend->count(flat, 0.3, {}, {})->counts ==
            backend->count(flat, 0.3, {.indexedDims = 2}, {})->counts);
    QVERIFY(backend->count(solid, 2, {}, {})->counts ==
            backend->count(solid, 2, {.indexedDims = 3}, {})->counts);
  }

  // Thousands of neighbours in up to 3 dimensions: nodes of a tree are counted as a whole.
  void manyNeighboursGoByTheTree() {
    const auto backend = cpu(2);
    for (const std::size_t dims : {1, 2, 3}) {
      const PointCloud cloud =
          generate({.kind = "unif", .points = 120'000, .dims = dims, .seed = 7})->cloud;
      const double eps = dims == 1 ? 2 : dims == 2 ? 8 : 16;
      const Strategy grid{.reorder = Toggle::On};
      const auto counts = backend->count(cloud, eps, {}, {});
      QVERIFY(counts.has_value());
      QCOMPARE(counts->stats.strategy, std::string("kd-tree"));
      QVERIFY(counts->counts == backend->count(cloud, eps, grid, {})->counts);
      const auto found = backend->dbscan(cloud, {eps, 6100}, {}, {});
      QVERIFY(found.has_value());
      QCOMPARE(found->stats.strategy, std::string("kd-tree"));
      const std::string what =
          agreement::difference(*found, *backend->dbscan(cloud, {eps, 6100}, grid, {}));
      QVERIFY2(what.empty(), what.c_str());
      QVERIFY(backend->dbscan(cloud, {eps, 10}, {}, {})->stats.strategy != "kd-tree");
      std::vector<std::int32_t> labels(cloud.size());
      for (std::size_t p = 0; p < labels.size(); ++p)
        labels[p] = std::int32_t((p * 7919) % 1000) - 500;
      const JoinInput both(cloud, cloud);
      const auto lowest = backend->lowestLabels(both, labels, eps, {}, {});
      QVERIFY(lowest.has_value());
      QCOMPARE(lowest->stats.strategy, std::string("kd-tree"));
      QVERIFY(lowest->labels == backend->lowestLabels(both, labels, eps, grid, {})->labels);
    }
  }

  // DBSCAN of one cloud: the k-d tree from 4 dimensions on where points have many candidates and
  // are many, else the grid or products.
  void clustersByWhatIsQuickest() {
    const auto backend = cpu(2);
    const auto made = [](std::size_t points, std::size_t dims) {
      return generate({.kind = "unif", .points = points, .dims = dims, .seed = 7})->cloud;
    };
    const auto way = [&](const PointCloud& cloud, double eps, const Strategy& asked = {},
                         SinkKind sink = SinkKind::Dbscan) {
      return planJoin(cloud, eps, asked, sink, backend->limits(), {})->strategy.method;
    };
    const PointCloud cloud = made(40'000, 6);
    QCOMPARE(way(cloud, 25), Method::KdTree);
    QCOMPARE(way(cloud, 3), Method::Grid);
    QCOMPARE(way(cloud, 25, {.reorder = Toggle::On}), Method::Grid);
    QVERIFY(way(cloud, 25, {}, SinkKind::Pairs) != Method::KdTree);
    QVERIFY(way(made(2500, 6), 25) != Method::KdTree);
    QCOMPARE(way(made(30'000, 3), 25), Method::Grid);
    for (const std::int64_t minPts : {5, 400}) {
      const auto found = backend->dbscan(cloud, {25, minPts}, {}, {});
      QVERIFY(found.has_value());
      QCOMPARE(found->stats.strategy, std::string("kd-tree"));
      const auto grid = backend->dbscan(cloud, {25, minPts}, {.reorder = Toggle::On}, {});
      QVERIFY(grid.has_value());
      const std::string what = agreement::difference(*found, *grid);
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void losesNoPairToRounding() {
    // x = 1 − 2⁻⁵³ and y = 2: farther than ε = 1 apart, yet neighbours, their difference rounding
    // to 1.
    const PointCloud cloud = draws::fromRows({{1 - 0x1p-53}, {2}});
    for (const Strategy& way : allWays())
      QCOMPARE(cpu(1)->count(cloud, 1.0, way, {})->pairs, std::uint64_t{4});
  }

  // What was examined: all of it is decided; New-Super-EGO and the R-tree examine no more than
  // Super-EGO, which compares whole sequences and uses each distance twice.
  void saysWhatItExamined() {
    std::mt19937_64 random(4);
    const PointCloud cloud = draws::draw(random, "uniform", 3000, 2);
    const auto backend = cpu(2);
    const auto counted = [&](Method method) {
      return *backend->count(cloud, 0.2, {.method = method}, {});
    };
    const NeighbourCounts tree = counted(Method::RTree);
    const NeighbourCounts super = counted(Method::SuperEgo);
    const NeighbourCounts newSuper = counted(Method::NewSuperEgo);
    const NeighbourCounts grid = *backend->count(cloud, 0.2, {.indexedDims = 2}, {});
    QCOMPARE(tree.stats.distanceCalculations, tree.candidates);
    QCOMPARE(newSuper.stats.distanceCalculations, newSuper.candidates);
    QVERIFY(super.stats.distanceCalculations < super.candidates);
    QVERIFY(super.stats.distanceCalculations > super.candidates / 2);
    QVERIFY(tree.candidates < newSuper.candidates);
    QVERIFY(newSuper.candidates <= super.candidates);
    QVERIFY(super.candidates < std::uint64_t{3000} * 3000 / 4);
    // The box of side 2ε is 4/9 of the 3 × 3 cells; the point itself is in both.
    const double ratio =
        static_cast<double>(tree.candidates - 3000) / static_cast<double>(grid.candidates - 3000);
    QVERIFY2(std::abs(ratio - 4.0 / 9) < 0.03, std::to_string(ratio).c_str());
    QCOMPARE(tree.stats.strategy, std::string("r-tree"));
    QCOMPARE(super.stats.strategy, std::string("super-ego"));
    // Another order of the queries examines the same.
    const NeighbourCounts byWorkload = *backend->count(
        cloud, 0.2, {.method = Method::NewSuperEgo, .order = QueryOrder::WorkQueue}, {});
    QCOMPARE(byWorkload.stats.strategy, std::string("new-super-ego, work-queue order"));
    QCOMPARE(byWorkload.candidates, newSuper.candidates);
    QCOMPARE(newSuper.stats.strategy, std::string("new-super-ego"));
  }

  // [Gallet 2020, §4.5]: the most candidates in the grid first, and points of one cell together.
  void queriesComeByTheirWorkload() {
    std::mt19937_64 random(9);
    const PointCloud cloud = draws::draw(random, "blobs", 1500, 2);
    const double eps = 0.15;
    const std::size_t n = cloud.size();
    std::vector<std::array<long, 2>> cell(n);
    for (std::size_t j = 0; j < 2; ++j) {
      const auto& x = cloud.columns[j];
      const double low = *std::ranges::min_element(x);
      for (std::size_t p = 0; p < n; ++p)
        cell[p][j] = static_cast<long>(std::floor((x[p] - low) / (eps * (1 + 1e-12))));
    }
    const auto workload = [&](std::size_t p) {
      return std::ranges::count_if(cell, [&](const auto& other) {
        return std::abs(other[0] - cell[p][0]) <= 1 && std::abs(other[1] - cell[p][1]) <= 1;
      });
    };
    const auto index = buildEgoIndex(cloud, eps, {});
    QVERIFY(index.has_value());
    const auto order = positionsByWorkload(cloud, eps, *index, {});
    QVERIFY(order.has_value());
    QCOMPARE(order->size(), n);
    QCOMPARE(std::set<std::uint32_t>(order->begin(), order->end()).size(), n);
    std::set<std::array<long, 2>> left;  // cells whose points have all come
    for (std::size_t q = 1; q < n; ++q) {
      const std::size_t before = index->pointIds[(*order)[q - 1]];
      const std::size_t point = index->pointIds[(*order)[q]];
      QVERIFY(workload(point) <= workload(before));
      if (cell[point] != cell[before]) left.insert(cell[before]);
      QVERIFY(!left.contains(cell[point]));
    }
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(positionsByWorkload(cloud, eps, *index, {stop.get_token(), {}}).error().kind,
             ErrorKind::Cancelled);
  }

  void precision32SaysWhereItIsNotUsed() {
    std::mt19937_64 random(5);
    const PointCloud cloud = draws::draw(random, "uniform", 500, 3);
    const Strategy single{.method = Method::SuperEgo, .precision = Precision::Single};
    const auto used = cpu(1)->count(cloud, 0.5, single, {});
    QCOMPARE(used->stats.strategy, std::string("super-ego, 32-bit"));
    QVERIFY(used->stats.note.empty());
    const auto notUsed = cpu(1)->count(cloud, 1e-6, single, {});
    QCOMPARE(notUsed->stats.strategy, std::string("super-ego"));
    QVERIFY(notUsed->stats.note.find("Precision 32 was not used") != std::string::npos);
    QVERIFY(notUsed->counts == cpu(1)->count(cloud, 1e-6, {}, {})->counts);
  }

  void refusals() {
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    for (const Method method : strategies::kCpuMethods) {
      const auto histogram = cpu(1)->histogram(cloud, 1, 5, {.method = method}, {});
      QCOMPARE(histogram.has_value(), method == Method::Products);
      if (!histogram) QCOMPARE(histogram.error().kind, ErrorKind::BadCall);
      const auto two = cpu(1)->count({cloud, cloud}, 1, {.method = method}, {});
      QCOMPARE(two.has_value(), method == Method::Products || method == Method::KdTree);
      const auto bad = cpu(1)->count(cloud, -1, {.method = method}, {});
      QCOMPARE(bad.error().kind, ErrorKind::BadCall);
      const auto empty = cpu(1)->count(PointCloud{}, 1, {.method = method}, {});
      QCOMPARE(empty.error().kind, ErrorKind::BadInput);
    }
    const auto tree =
        cpu(1)->count(cloud, 1, {.method = Method::RTree, .precision = Precision::Single}, {});
    QVERIFY(tree.error().message.find("precision") != std::string::npos);
    for (const Strategy& ordered :
         {Strategy{.method = Method::SuperEgo, .order = QueryOrder::WorkQueue},
          Strategy{.method = Method::NewSuperEgo, .order = QueryOrder::SortByWorkload}}) {
      const auto counted = cpu(1)->count(cloud, 1, ordered, {});
      QVERIFY(!counted);
      QVERIFY(counted.error().message.find("query order") != std::string::npos);
    }
  }

  // A list that cannot fit is refused before 2 × 10⁵ points are compared with each other.
  void refusesListsThatCannotFit() {
    std::mt19937_64 random(6);
    const PointCloud cloud = draws::draw(random, "uniform", 200000, 2);
    for (const Method method : {Method::SuperEgo, Method::RTree}) {
      const auto pairs = cpu(2)->pairs(cloud, 9.0, {.method = method}, {});
      QVERIFY(!pairs);
      QCOMPARE(pairs.error().kind, ErrorKind::TooLarge);
    }
  }

  // DBSCAN where each point would examine all others; a sample of the searches shows it at once.
  void refusesDbscanThatTakesMinutes() {
    std::mt19937_64 random(8);
    PointCloud cloud = draws::draw(random, "uniform", 300000, 2);
    const Strategy tree{.method = Method::RTree};
    const auto refused = cpu(1)->dbscan(cloud, {1e6, 4}, tree, {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
    QVERIFY(refused.error().message.find("the method grid") != std::string::npos);
    for (std::vector<double>& column : cloud.columns) column.resize(2000);
    const auto fine = cpu(1)->dbscan(cloud, {1e6, 4}, tree, {});
    QVERIFY(fine.has_value());
    QCOMPARE(fine->clusters, 1);
  }

  // In a periodic box the tree also holds the images of the points.
  void refusesDbscanInABoxThatTakesMinutes() {
    std::mt19937_64 random(8);
    PointCloud cloud = draws::draw(random, "uniform", 100000, 2);
    std::vector<double> periods;
    for (std::vector<double>& column : cloud.columns) {
      const auto [low, high] = std::minmax_element(column.begin(), column.end());
      periods.push_back(*high - *low);
    }
    const double eps = 0.49 * *std::min_element(periods.begin(), periods.end());
    const std::shared_ptr<const Backend> box =
        std::move(*backendIn({.periods = periods}, {}, cpu(1)));
    const Strategy tree{.method = Method::RTree};
    const auto refused = box->dbscan(cloud, {eps, 4}, tree, {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
    QVERIFY(refused.error().message.find("the method grid") != std::string::npos);
    for (std::vector<double>& column : cloud.columns) column.resize(1000);
    QVERIFY(box->dbscan(cloud, {eps, 4}, tree, {}).has_value());
  }

  void stopsBeforeAndWhile() {
    std::stop_source source;
    source.request_stop();
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "uniform", 4000, 3);
    for (const Strategy& way : allWays()) {
      QCOMPARE(cpu(2)->count(cloud, 1, way, {source.get_token(), {}}).error().kind,
               ErrorKind::Cancelled);
      // At each stage that reports progress.
      for (int at = 1; at < 6; ++at) {
        std::stop_source later;
        int reports = 0;
        const Task task{later.get_token(), [&](std::string_view, double) {
                          if (++reports == at) later.request_stop();
                        }};
        const auto found = cpu(2)->neighbourTable(cloud, 1, way, task);
        QVERIFY(reports < at || (!found && found.error().kind == ErrorKind::Cancelled));
      }
    }
  }
};

GUILESS_TEST(CpuMethods);
#include "tst_cpu_methods.moc"
