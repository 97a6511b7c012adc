#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/hierarchy/hierarchy.h"
#include "mutual_reachability.h"

using namespace clusterloom;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool equal(const Clustering& a, const Clustering& b) {
  return a.labels == b.labels && a.roles == b.roles && a.clusters == b.clusters &&
         a.coreCount == b.coreCount && a.borderCount == b.borderCount &&
         a.noiseCount == b.noiseCount;
}

/// Every legal ε at which the clustering may change, and its two neighbouring doubles.
std::set<double> everyEps(const AllPairs& pairs, const std::vector<double>& core,
                          const Dendrogram& tree) {
  std::set<double> squares(core.begin(), core.end());
  squares.insert(tree.squaredWeights.begin(), tree.squaredWeights.end());
  squares.insert(pairs.squared.begin(),
                 pairs.squared.begin() + static_cast<std::ptrdiff_t>(pairs.n));
  std::set<double> result{1e-150, 1.0, 1e150};
  for (const double square : squares) {
    const double eps = std::sqrt(square);
    for (const double e : {std::nextafter(eps, 0.0), eps, std::nextafter(eps, kInfinity)})
      if (epsSquared(e)) result.insert(e);
  }
  return result;
}

/// The nodes of clusters: their points are the core points of the cluster.
void checkNodes(const Hierarchy& hierarchy, const Clustering& clustering,
                const std::vector<std::uint32_t>& nodes) {
  QCOMPARE(nodes.size(), static_cast<std::size_t>(clustering.clusters));
  std::uint64_t core = 0;
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    const std::size_t begin = hierarchy.begin(nodes[c]);
    const std::uint32_t size = hierarchy.dendrogram().sizeOf(nodes[c]);
    std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t i = begin; i < begin + size; ++i) {
      const std::uint32_t p = hierarchy.order()[i];
      QCOMPARE(clustering.labels[p], static_cast<std::int32_t>(c));
      QVERIFY(clustering.roles[p] == PointRole::Core);
      lowest = std::min(lowest, p);
    }
    QCOMPARE(hierarchy.lowestPoint(nodes[c]), lowest);
    core += size;
  }
  QCOMPARE(core, clustering.coreCount);
}

}  // namespace

class TestHierarchy : public QObject {
  Q_OBJECT

 private slots:
  void labelsEqualThoseOfDbscanAtEveryEps() {
    for (std::uint64_t seed = 0; seed < 160; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = seed % 13 == 0 ? 90 : 1 + random() % 4;
      const std::size_t n = 1 + random() % 60;
      const PointCloud cloud = draws::draw(random, kind, n, dims);
      const AllPairs pairs(cloud);
      for (const std::int64_t minPts :
           {std::int64_t{1}, std::int64_t{2}, std::int64_t{3},
            4 + static_cast<std::int64_t>(random() % 12), static_cast<std::int64_t>(n) + 1}) {
        const auto hierarchy = Hierarchy::build(cloud, {minPts, 2});
        QVERIFY(hierarchy.has_value());
        const std::vector<double> core = pairs.core(minPts);
        QVERIFY(std::ranges::equal(hierarchy->squaredCoreDistances(), core));
        for (const double eps : everyEps(pairs, core, hierarchy->dendrogram())) {
          std::vector<std::uint32_t> nodes;
          const auto found = hierarchy->labels(eps, &nodes);
          QVERIFY(found.has_value());
          QVERIFY2(equal(*found, pairs.dbscan({eps, minPts})),
                   (kind + ", seed " + std::to_string(seed) + ", minPts " + std::to_string(minPts) +
                    ", eps " + std::to_string(eps))
                       .c_str());
          checkNodes(*hierarchy, *found, nodes);
        }
      }
    }
  }

  // At 1,000 values of ε, against the engine's DBSCAN, whose reference is brute force.
  void labelsEqualThoseOfTheEngine() {
    const auto cpu = makeBackend("cpu", {});
    QVERIFY(cpu.has_value());
    std::uint64_t seed = 0;
    for (const char* kind : {"blobs", "exponential", "lattice", "tenths", "duplicates"}) {
      std::mt19937_64 random(++seed);
      const PointCloud cloud = draws::draw(random, kind, 4000, 1 + seed % 3);
      const auto minPts = static_cast<std::int64_t>(2 + 3 * seed);
      const auto hierarchy = Hierarchy::build(cloud, {minPts, 2});
      QVERIFY(hierarchy.has_value());
      const auto cores = hierarchy->squaredCoreDistances();
      for (int i = 0; i < 200; ++i) {
        // Most values of ε about the core distances, where roles change.
        double eps = draws::drawEps(random, cloud);
        if (i % 2 == 0) eps = std::sqrt(cores[random() % cores.size()]);
        if (!epsSquared(eps)) continue;
        const auto expected = (*cpu)->dbscan(cloud, {eps, minPts}, Strategy{}, {});
        QVERIFY(expected.has_value());
        QVERIFY2(equal(*hierarchy->labels(eps), *expected), kind);
      }
    }
  }

  void agreesWithBruteForce() {
    std::mt19937_64 random(5);
    const PointCloud cloud = draws::draw(random, "blobs", 700, 3);
    const auto hierarchy = Hierarchy::build(cloud, {6, 2});
    QVERIFY(hierarchy.has_value());
    for (const double eps : {0.05, 0.1, 0.2, 0.4, 0.8, 3.0})
      QVERIFY(equal(*hierarchy->labels(eps), *bruteForceDbscan(cloud, {eps, 6})));
  }

  // One list of neighbours serves every smaller minPts.
  void takesGivenNeighbours() {
    std::mt19937_64 random(6);
    const PointCloud cloud = draws::draw(random, "blobs", 500, 2);
    const auto nearest = nearestNeighbours(cloud, 12, 2);
    QVERIFY(nearest.has_value());
    for (const std::int64_t minPts : {1, 2, 5, 12}) {
      const auto hierarchy = Hierarchy::build(cloud, *nearest, {minPts, 2});
      QVERIFY(hierarchy.has_value());
      for (const double eps : {0.05, 0.1, 0.2, 0.4})
        QVERIFY(equal(*hierarchy->labels(eps), *bruteForceDbscan(cloud, {eps, minPts})));
    }
    QCOMPARE(Hierarchy::build(cloud, *nearest, {13, 2}).error().kind, ErrorKind::BadCall);
    QCOMPARE(Hierarchy::build(draws::draw(random, "blobs", 5, 2), *nearest, {3, 2}).error().kind,
             ErrorKind::BadCall);
  }

  void refusesBadCalls() {
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "blobs", 100, 2);
    for (const std::int64_t minPts : {-1, 0, kMaxNearest + 1})
      QCOMPARE(Hierarchy::build(cloud, {minPts, 2}).error().kind, ErrorKind::BadCall);
    QCOMPARE(Hierarchy::build(PointCloud{}, {}).error().kind, ErrorKind::BadInput);
    const auto hierarchy = Hierarchy::build(cloud, {4, 2});
    QVERIFY(hierarchy.has_value());
    for (const double eps : {0.0, -1.0, kInfinity, std::nan(""), 1e-200, 1e200})
      QCOMPARE(hierarchy->labels(eps).error().kind, ErrorKind::BadCall);
  }

  void stops() {
    std::mt19937_64 random(8);
    const PointCloud cloud = draws::draw(random, "blobs", 50000, 2);
    std::stop_source at;
    // Stops at each stage in turn.
    std::set<std::string> stages;
    QVERIFY(Hierarchy::build(
                cloud, {6, 2},
                {{}, [&](std::string_view stage, double) { stages.insert(std::string(stage)); }})
                .has_value());
    QVERIFY(stages.size() >= 4);
    for (const std::string& last : stages) {
      std::stop_source source;
      const Task task{source.get_token(), [&](std::string_view stage, double) {
                        if (stage == last) source.request_stop();
                      }};
      const auto stopped = Hierarchy::build(cloud, {6, 2}, task);
      QVERIFY2(!stopped, last.c_str());
      QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    }
  }
};

QTEST_GUILESS_MAIN(TestHierarchy)
#include "tst_hierarchy.moc"
