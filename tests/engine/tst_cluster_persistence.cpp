#include <QtTest>
#include <cmath>
#include <random>
#include <set>

#include "engine/cpu/brute_force.h"
#include "engine/validity/cluster_persistence.h"
#include "engine/validity/resampling.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Points = std::set<std::uint32_t>;

/// The core points of each cluster at an ε, by brute force.
std::vector<Points> coresAt(const PointCloud& cloud, double eps, std::int64_t minPts) {
  const auto found = bruteForceDbscan(cloud, {eps, minPts});
  std::vector<Points> cores(std::size_t(found->clusters));
  for (std::uint32_t p = 0; p < cloud.size(); ++p)
    if (found->roles[p] == PointRole::Core) cores[std::size_t(found->labels[p])].insert(p);
  return cores;
}

bool isFound(const Points& cluster, const std::vector<Points>& among) {
  for (const Points& other : among) {
    std::size_t shared = 0;
    for (const std::uint32_t p : other) shared += cluster.count(p);
    const auto all = double(cluster.size() + other.size() - shared);
    if (double(shared) >= kFoundAgain * all) return true;
  }
  return false;
}

/// The distances of a cloud, ascending: all values of ε at which clusters can change.
std::vector<double> distancesOf(const PointCloud& cloud) {
  std::set<double> distances;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::size_t q = 0; q < p; ++q) {
      const double x = cloud.columns[0][p] - cloud.columns[0][q];
      const double y = cloud.columns[1][p] - cloud.columns[1][q];
      // A little more, so that its square is not below that of the pair.
      if (const double d = std::sqrt(x * x + y * y); d > 0) distances.insert(d * (1 + 1e-14));
    }
  return {distances.begin(), distances.end()};
}

/// Three heaps of whole coordinates, so that many distances are equal, and a point far away.
PointCloud heaps(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> step(0, 9);
  PointCloud cloud{.columns = {{}, {}}, .names = {"x", "y"}};
  for (int i = 0; i < 45; ++i) {
    cloud.columns[0].push_back(step(random) + 16.0 * (i % 3));
    cloud.columns[1].push_back(step(random) + 5.0 * (i % 2));
  }
  cloud.columns[0].push_back(100);
  cloud.columns[1].push_back(0);
  return cloud;
}

}  // namespace

/// The range of ε over which a cluster persists, against brute force at every distance.
class TestClusterPersistence : public QObject {
  Q_OBJECT

 private slots:
  void rangesAreThoseOfBruteForce_data() {
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<int>("minPts");
    for (const unsigned seed : {1U, 2U, 3U})
      for (const int minPts : {1, 2, 4})
        QTest::addRow("seed %u, minPts %d", seed, minPts) << seed << minPts;
  }

  void rangesAreThoseOfBruteForce() {
    QFETCH(unsigned, seed);
    QFETCH(int, minPts);
    const PointCloud cloud = heaps(seed);
    const auto hierarchy = Hierarchy::build(cloud, {.minPts = minPts});
    QVERIFY(hierarchy.has_value());
    const std::vector<double> steps = distancesOf(cloud);
    std::vector<std::vector<Points>> at;
    for (const double eps : steps) at.push_back(coresAt(cloud, eps, minPts));
    int checked = 0;
    for (std::size_t here = 0; here < steps.size(); here += 5) {
      std::vector<std::uint32_t> nodes;
      const auto labels = hierarchy->labels(steps[here], &nodes);
      QVERIFY(labels.has_value());
      const auto ranges = persistenceOf(*hierarchy, nodes);
      QCOMPARE(ranges.size(), at[here].size());
      for (std::size_t c = 0; c < ranges.size(); ++c, ++checked) {
        std::size_t first = here;
        while (first > 0 && isFound(at[here][c], at[first - 1])) --first;
        std::size_t last = here;
        while (last < steps.size() && isFound(at[here][c], at[last])) ++last;
        const double from = ranges[c].from;
        // Below all distances there are clusters of single points, of minPts 1 from 0 on.
        QVERIFY(first > 0 ? std::abs(from - steps[first]) < 1e-9 : from <= steps[0]);
        QVERIFY(last < steps.size() ? std::abs(ranges[c].to - steps[last]) < 1e-9
                                    : ranges[c].to == kInfinity);
      }
    }
    QVERIFY(checked > 20);
  }

  void aLoneClusterNeverGoes() {
    const PointCloud cloud{.columns = {{0, 1, 2, 3}}, .names = {"x"}};
    const auto hierarchy = Hierarchy::build(cloud, {.minPts = 2});
    std::vector<std::uint32_t> nodes;
    QVERIFY(hierarchy->labels(1.5, &nodes).has_value());
    const auto ranges = persistenceOf(*hierarchy, nodes);
    QCOMPARE(ranges.size(), std::size_t{1});
    QCOMPARE(ranges[0].from, 1.0);
    QCOMPARE(ranges[0].to, kInfinity);
    QCOMPARE(ranges[0].ratio(), kInfinity);
    QVERIFY(persistenceOf(*hierarchy, {}).empty());
  }
};

APPLESS_TEST(TestClusterPersistence);
#include "tst_cluster_persistence.moc"
