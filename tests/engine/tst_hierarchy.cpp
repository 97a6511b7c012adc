#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/minimum_spanning_tree.h"
#include "mutual_reachability.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool equal(const Clustering& a, const Clustering& b) {
  return a.labels == b.labels && a.roles == b.roles && a.clusters == b.clusters &&
         a.coreCount == b.coreCount && a.borderCount == b.borderCount &&
         a.noiseCount == b.noiseCount;
}

/// Every legal ε at which the clustering may change, and its two neighbouring doubles.
std::set<double> everyEps(const PairDistances& pairs, const std::vector<double>& core,
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

/// The row of the curve that holds at ε, or all noise.
void checkCurve(const EpsCurve& curve, const Clustering& expected) {
  const auto row = std::upper_bound(curve.eps.begin(), curve.eps.end(), expected.params.eps) -
                   curve.eps.begin() - 1;
  std::vector<std::uint32_t> sizes(static_cast<std::size_t>(expected.clusters) + 1);
  for (const std::int32_t label : expected.labels)
    if (label >= 0) ++sizes[static_cast<std::size_t>(label)];
  const std::uint32_t largest = *std::max_element(sizes.begin(), sizes.end());
  const auto at = static_cast<std::size_t>(row);
  QCOMPARE(row < 0 ? 0 : curve.clusters[at], static_cast<std::uint32_t>(expected.clusters));
  QCOMPARE(row < 0 ? static_cast<std::uint32_t>(expected.labels.size()) : curve.noise[at],
           static_cast<std::uint32_t>(expected.noiseCount));
  QCOMPARE(row < 0 ? 0 : curve.largest[at], largest);
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
      const PairDistances pairs(cloud);
      for (const std::int64_t minPts :
           {std::int64_t{1}, std::int64_t{2}, std::int64_t{3},
            4 + static_cast<std::int64_t>(random() % 12), static_cast<std::int64_t>(n) + 1}) {
        const auto hierarchy = Hierarchy::build(cloud, {minPts, 2});
        QVERIFY(hierarchy.has_value());
        const std::vector<double> core = pairs.core(minPts);
        QVERIFY(std::ranges::equal(hierarchy->squaredCoreDistances(), core));
        const auto curve = epsCurve(*hierarchy);
        QVERIFY(curve.has_value());
        std::set<double> epsilons = everyEps(pairs, core, hierarchy->dendrogram());
        for (const double eps : curve->eps) {
          epsilons.insert(eps);
          if (epsSquared(std::nextafter(eps, 0.0))) epsilons.insert(std::nextafter(eps, 0.0));
        }
        for (std::size_t i = 1; i < curve->rows(); ++i) {
          QVERIFY(curve->eps[i - 1] < curve->eps[i]);
          QVERIFY(curve->clusters[i - 1] != curve->clusters[i] ||
                  curve->noise[i - 1] != curve->noise[i] ||
                  curve->largest[i - 1] != curve->largest[i]);
        }
        for (const double eps : epsilons) {
          std::vector<std::uint32_t> nodes;
          const auto found = hierarchy->labels(eps, &nodes);
          QVERIFY(found.has_value());
          const Clustering expected = pairs.dbscan({eps, minPts});
          checkCurve(*curve, expected);
          QVERIFY2(equal(*found, expected),
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

  // Points that change their cluster, clusters that shrink: on a larger cloud with many borders.
  void curveFollowsBorderPoints() {
    bool shrinks = false;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud =
          draws::draw(random, seed % 2 == 0 ? "uniform" : "exponential", 3000, 2);
      const auto hierarchy = Hierarchy::build(cloud, {20, 2});
      QVERIFY(hierarchy.has_value());
      const auto curve = epsCurve(*hierarchy);
      QVERIFY(curve.has_value());
      QVERIFY(curve->rows() > 100);
      for (int i = 0; i < 400; ++i) {
        double eps = curve->eps[random() % curve->rows()];
        if (i % 2 == 0) eps = std::nextafter(eps, 0.0);
        checkCurve(*curve, *hierarchy->labels(eps));
      }
      for (std::size_t i = 1; i < curve->rows(); ++i)
        shrinks = shrinks || curve->largest[i] < curve->largest[i - 1];
    }
    QVERIFY(shrinks);
  }

  void longestPlateausComeFirst() {
    // Three pairs, the distances between them 10 and 100.
    const PointCloud cloud = draws::fromRows({{0}, {1}, {11}, {12}, {112}, {113}});
    const auto curve = epsCurve(*Hierarchy::build(cloud, {2, 1}));
    QVERIFY(curve.has_value());
    QCOMPARE(std::vector<double>(curve->eps.begin(), curve->eps.end()),
             (std::vector<double>{1, 10, 100}));
    const auto plateaus = longestPlateaus(*curve, 5);
    QCOMPARE(plateaus.size(), std::size_t{2});
    QCOMPARE(plateaus[0].from, 1.0);
    QCOMPARE(plateaus[0].to, 10.0);
    QCOMPARE(plateaus[0].clusters, 3U);
    QCOMPARE(plateaus[1].clusters, 2U);
    QCOMPARE(longestPlateaus(*curve, 1).size(), std::size_t{1});
    QVERIFY(longestPlateaus(EpsCurve{}, 3).empty());
  }

  // Neighbours that trees do not find: lists of which the spanning tree reads the beginning.
  void moreNeighboursThanTreesFind() {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const PointCloud cloud = draws::draw(random, kind, 310, 1 + seed % 4);
      const PairDistances pairs(cloud);
      for (const std::int64_t minPts : {kMaxNearest + 1, 100, 310}) {
        const auto hierarchy = Hierarchy::build(cloud, {minPts, 2});
        QVERIFY(hierarchy.has_value());
        const std::vector<double> core = pairs.core(minPts);
        QVERIFY(std::ranges::equal(hierarchy->squaredCoreDistances(), core));
        std::set<double> epsilons = everyEps(pairs, core, hierarchy->dendrogram());
        std::vector<double> some(epsilons.begin(), epsilons.end());
        for (std::size_t i = 0; i < 40; ++i) {
          const double eps = some[random() % some.size()];
          QVERIFY2(equal(*hierarchy->labels(eps), pairs.dbscan({eps, minPts})),
                   (kind + ", minPts " + std::to_string(minPts) + ", eps " + std::to_string(eps))
                       .c_str());
        }
        const auto tree = minimumSpanningTree(cloud, {minPts, 2});
        QVERIFY(tree.has_value());
        double total = 0;
        for (const TreeEdge& edge : *tree) total += edge.squaredWeight;
        double expected = 0;
        for (const double weight : hierarchy->dendrogram().squaredWeights) expected += weight;
        QVERIFY(std::abs(total - expected) <= 1e-9 * expected);
      }
    }
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

  /// Larger than any cloud, and than a sum with it.
  void aMinPtsBeyondAllNumbers() {
    const PointCloud cloud = draws::fromRows({{0, 0}, {1, 0}, {2, 0}});
    const auto hierarchy = Hierarchy::build(cloud, {std::numeric_limits<std::int64_t>::max(), 2});
    QVERIFY(hierarchy.has_value());
    QCOMPARE(hierarchy->labels(1e9)->clusters, 0);
  }

  void refusesBadCalls() {
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "blobs", 100, 2);
    for (const std::int64_t minPts : {-1, 0})
      QCOMPARE(Hierarchy::build(cloud, {minPts, 2}).error().kind, ErrorKind::BadCall);
    const PointCloud many = draws::draw(random, "blobs", kMaxNeighbours + 1, 2);
    QCOMPARE(Hierarchy::build(many, {kMaxNeighbours + 1, 2}).error().kind, ErrorKind::BadCall);
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

GUILESS_TEST(TestHierarchy);
#include "tst_hierarchy.moc"
