// The numbering of clusters and the roles of points, for sizes that several threads share.
#include <QtTest/QtTest>

#include <map>
#include <numeric>
#include <random>

#include "engine/dbscan/labelling.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestLabelling : public QObject {
  Q_OBJECT

 private slots:
  void numbersByLowestCorePoint_data() {
    QTest::addColumn<int>("items");
    QTest::addColumn<int>("sets");
    QTest::newRow("none") << 0 << 1;
    QTest::newRow("one") << 1 << 1;
    QTest::newRow("few sets") << 100000 << 7;
    QTest::newRow("many sets") << 100000 << 60000;
  }
  void numbersByLowestCorePoint() {
    QFETCH(int, items);
    QFETCH(int, sets);
    const auto n = static_cast<std::uint32_t>(items);
    std::mt19937_64 random(11);
    std::vector<std::uint32_t> pointIds(n);
    std::iota(pointIds.begin(), pointIds.end(), 0U);
    std::shuffle(pointIds.begin(), pointIds.end(), random);
    std::vector<std::uint32_t> setOf(n);
    std::vector<std::uint8_t> core(n);
    std::map<std::uint32_t, std::uint32_t> lowest;  // core point by set
    for (std::uint32_t i = 0; i < n; ++i) {
      setOf[i] = static_cast<std::uint32_t>(random() % static_cast<std::uint64_t>(sets)) % n;
      core[i] = random() % 3 != 0;
      if (core[i] == 0) continue;
      const auto [at, isNew] = lowest.emplace(setOf[i], pointIds[i]);
      at->second = std::min(at->second, pointIds[i]);
    }
    std::map<std::uint32_t, std::uint32_t> setByPoint;
    for (const auto& [set, point] : lowest) setByPoint.emplace(point, set);
    std::vector<std::int32_t> expected(n, kNoise);
    std::int32_t next = 0;
    for (const auto& [point, set] : setByPoint) expected[set] = next++;

    const ClusterNumbers numbers = numberClusters(setOf, core, pointIds);
    QCOMPARE(numbers.clusters, next);
    QVERIFY(
        std::equal(numbers.ofSet.begin(), numbers.ofSet.end(), expected.begin(), expected.end()));
  }

  void countsRoles() {
    std::mt19937_64 random(12);
    Clustering clustering;
    std::vector<std::uint8_t> core(100000);
    std::uint64_t counts[3] = {};
    std::vector<PointRole> expected;
    for (std::uint8_t& isCore : core) {
      isCore = random() % 2;
      clustering.labels.push_back(isCore || random() % 4 == 0 ? 3 : kNoise);
      expected.push_back(isCore                               ? PointRole::Core
                         : clustering.labels.back() == kNoise ? PointRole::Noise
                                                              : PointRole::Border);
      ++counts[static_cast<int>(expected.back())];
    }
    fillRoles(clustering, core);
    QVERIFY(clustering.roles == expected);
    QCOMPARE(clustering.noiseCount, counts[0]);
    QCOMPARE(clustering.borderCount, counts[1]);
    QCOMPARE(clustering.coreCount, counts[2]);
  }
};

APPLESS_TEST(TestLabelling);
#include "tst_labelling.moc"
