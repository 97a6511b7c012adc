// The most stable partition with meaning, against clusterings at every ε.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/cloud/generators.h"
#include "engine/hierarchy/eps_advice.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/stable_partition.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// How many clusters have `leastSize` core points or more; 0 where they say nothing of the cloud.
std::uint32_t largerClusters(const Clustering& clustering, std::size_t leastSize) {
  std::vector<std::size_t> core(static_cast<std::size_t>(clustering.clusters), 0);
  for (std::size_t p = 0; p < clustering.labels.size(); ++p)
    if (clustering.roles[p] == PointRole::Core)
      ++core[static_cast<std::size_t>(clustering.labels[p])];
  std::erase_if(core, [&](std::size_t size) { return size < leastSize; });
  std::size_t points = 0;
  for (const std::size_t size : core) points += size;
  const bool good = core.size() >= 2 && 2 * points >= clustering.labels.size() &&
                    !isNearlyAll(*std::max_element(core.begin(), core.end()), points);
  return good ? static_cast<std::uint32_t>(core.size()) : 0;
}

/// The same by a clustering just above each merge.
std::optional<Plateau> bruteForce(const Hierarchy& hierarchy, std::size_t leastSize) {
  const auto& weights = hierarchy.dendrogram().squaredWeights;
  const std::set<double> squares(weights.begin(), weights.end());
  std::optional<Plateau> best;
  Plateau open;
  for (const double square : squares) {
    const double eps = std::sqrt(square);
    const std::uint32_t clusters = largerClusters(*hierarchy.labels(eps * (1 + 1e-12)), leastSize);
    if (clusters == open.clusters) continue;
    open.to = eps;
    const double ratio = open.clusters > 0 ? open.to / open.from : 0;
    if (ratio >= (best ? best->to / best->from : 1.2)) best = open;
    open = {eps, eps, clusters};
  }
  return best;
}

}  // namespace

class TestStablePartition : public QObject {
  Q_OBJECT

 private slots:
  void equalsBruteForce_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("minPts");
    for (const char* kind : {"blobs", "moons", "rings", "varied", "shapes", "unif", "lattice"})
      for (const int minPts : {1, 5, 12})
        QTest::addRow("%s, minPts %d", kind, minPts) << QString(kind) << minPts;
  }
  void equalsBruteForce() {
    QFETCH(QString, kind);
    QFETCH(int, minPts);
    const auto cloud = generate({kind.toStdString(), 500, 2, 11})->cloud;
    const auto hierarchy = Hierarchy::build(cloud, {.minPts = minPts});
    const std::size_t least = leastSizeWithMeaning(cloud.size(), minPts);
    const auto found = mostStablePartition(hierarchy->dendrogram(), least, 1e-9);
    const auto expected = bruteForce(*hierarchy, least);
    QCOMPARE(found.has_value(), expected.has_value());
    if (!found) return;
    QCOMPARE(found->clusters, expected->clusters);
    QCOMPARE(found->from, expected->from);
    QCOMPARE(found->to, expected->to);
    QCOMPARE(largerClusters(*hierarchy->labels(middleOf(*found)), least), found->clusters);
  }

  /// The components that made a cloud are found, and small fragments do not count.
  void findsComponents_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<uint>("components");
    QTest::newRow("blobs") << "blobs" << 8U;
    QTest::newRow("moons") << "moons" << 2U;
    QTest::newRow("rings") << "rings" << 3U;
    QTest::newRow("varied") << "varied" << 6U;
    QTest::newRow("spiral") << "spiral" << 3U;
    QTest::newRow("shapes") << "shapes" << 8U;
    QTest::newRow("none") << "unif" << 0U;
  }
  void findsComponents() {
    QFETCH(QString, kind);
    QFETCH(uint, components);
    const auto cloud = generate({kind.toStdString(), 20000, 2, 7})->cloud;
    const auto hierarchy = Hierarchy::build(cloud, {.minPts = 10});
    const auto found =
        mostStablePartition(hierarchy->dendrogram(), leastSizeWithMeaning(cloud.size(), 10), 1e-9);
    QCOMPARE(found ? found->clusters : 0U, components);
  }

  void limits() {
    QCOMPARE(leastSizeWithMeaning(10, 1), std::size_t{2});
    QCOMPARE(leastSizeWithMeaning(1000, 10), std::size_t{10});
    QCOMPARE(leastSizeWithMeaning(100001, 10), std::size_t{501});
    // Equal points are clusters at every ε: the range begins where it may.
    PointCloud twice;
    twice.names = {"x"};
    twice.columns = {{0, 0, 0, 7, 7, 7}};
    const auto hierarchy = Hierarchy::build(twice, {.minPts = 2});
    const auto found = mostStablePartition(hierarchy->dendrogram(), 2, 0.5);
    QVERIFY(found.has_value());
    QCOMPARE(found->from, 0.5);
    QCOMPARE(found->to, 7.0);
    QCOMPARE(found->clusters, 2U);
    // Without core points there is nothing.
    QVERIFY(!mostStablePartition(Hierarchy::build(twice, {.minPts = 7})->dendrogram(), 2, 0.5));
  }
};

APPLESS_TEST(TestStablePartition);
#include "tst_stable_partition.moc"
