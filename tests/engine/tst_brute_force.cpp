#include <QtTest>
#include <cmath>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "golden_file.h"
#include "tests/test_program.h"

using namespace clusterloom;

/// Brute force, the reference of other tests, against scikit-learn's labels and hand-made cases;
/// the R-tree against brute force.
class TestBruteForce : public QObject {
  Q_OBJECT

 private slots:
  void givesTheGoldenLabels() {
    const auto cases = golden::readAll();
    QVERIFY(cases.size() > 50);
    for (const golden::Case& golden : cases) {
      QVERIFY(!golden.name.empty());
      for (const golden::Run& run : golden.runs) {
        const auto clustering = bruteForceDbscan(golden.cloud, run.params);
        QVERIFY(clustering.has_value());
        QVERIFY2(clustering->labels == run.labels, golden.name.c_str());
      }
    }
  }

  void countsByHand() {
    // 0 — 1 — 2, a gap, 4; ε = 1 reaches the next point exactly.
    const PointCloud cloud = draws::fromRows({{0}, {1}, {2}, {4}});
    const auto counts = bruteForceCounts(cloud, 1.0);
    QVERIFY(counts.has_value());
    QCOMPARE(counts->counts, (std::vector<std::uint32_t>{2, 3, 2, 1}));
    QCOMPARE(counts->pairs, std::uint64_t{8});
    const auto pairs = bruteForcePairs(cloud, 1.0);
    QVERIFY(pairs.has_value());
    const LargeArray<Pair> expected{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}};
    QVERIFY(pairs->pairs == expected);

    const auto clustering = bruteForceDbscan(cloud, {1.0, 3});
    QVERIFY(clustering.has_value());
    QCOMPARE(clustering->labels, (std::vector<std::int32_t>{0, 0, 0, kNoise}));
    QVERIFY(clustering->roles == (std::vector<PointRole>{PointRole::Border, PointRole::Core,
                                                         PointRole::Border, PointRole::Noise}));
    QCOMPARE(clustering->clusters, 1);
    QCOMPARE(clustering->coreCount, std::uint64_t{1});
    QCOMPARE(clustering->borderCount, std::uint64_t{2});
    QCOMPARE(clustering->noiseCount, std::uint64_t{1});
  }

  // (0,0) is 1 + 2⁻⁵² away in squares: its root is 1, but it is no neighbour at ε = 1.
  void doesNotDecideByTheRoot() {
    std::vector<std::vector<double>> rows(201, {1.0, 0x1p-26});
    rows[0] = {0, 0};
    const auto clustering = bruteForceDbscan(draws::fromRows(rows), {1.0, 2});
    QVERIFY(clustering.has_value());
    QCOMPARE(clustering->labels[0], kNoise);
    QCOMPARE(clustering->labels[1], 0);
    QCOMPARE(clustering->clusters, 1);
  }

  void refusesBadCalls() {
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    QCOMPARE(bruteForceDbscan(cloud, {1.0, 0}).error().kind, ErrorKind::BadCall);
    QCOMPARE(bruteForceDbscan(cloud, {0.0, 2}).error().kind, ErrorKind::BadCall);
    QCOMPARE(bruteForceCounts(cloud, -1).error().kind, ErrorKind::BadCall);
    QCOMPARE(bruteForcePairs(cloud, std::nan("")).error().kind, ErrorKind::BadCall);
    QCOMPARE(bruteForceCounts(PointCloud{}, 1).error().kind, ErrorKind::BadInput);
    QCOMPARE(bruteForceCounts(draws::fromRows({{std::nan("")}}), 1).error().kind,
             ErrorKind::BadInput);
  }

  void stopsWhenAsked() {
    std::stop_source source;
    source.request_stop();
    const Task stopped{source.get_token(), {}};
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    QCOMPARE(bruteForceCounts(cloud, 1, stopped).error().kind, ErrorKind::Cancelled);
    QCOMPARE(bruteForcePairs(cloud, 1, stopped).error().kind, ErrorKind::Cancelled);
    QCOMPARE(bruteForceDbscan(cloud, {1, 2}, stopped).error().kind, ErrorKind::Cancelled);
  }

  // The method of that name, through the backend's four calls.
  void theBackendHasIt() {
    const auto backend = makeBackend("cpu", {.threads = 2});
    QVERIFY(backend.has_value());
    constexpr Strategy kBruteForce{.method = Method::BruteForce};
    std::mt19937_64 random(5);
    const PointCloud cloud = draws::draw(random, "lattice", 150, 3);
    const double eps = std::sqrt(2.0);
    const auto counts = bruteForceCounts(cloud, eps);
    const auto pairs = bruteForcePairs(cloud, eps);
    const auto labels = bruteForceDbscan(cloud, {eps, 6});
    QVERIFY(counts.has_value() && pairs.has_value() && labels.has_value());
    const std::string joins =
        agreement::ofJoins(**backend, cloud, eps, *counts, *pairs, kBruteForce);
    QVERIFY2(joins.empty(), joins.c_str());
    const std::string dbscan = agreement::ofDbscan(**backend, cloud, *labels, kBruteForce);
    QVERIFY2(dbscan.empty(), dbscan.c_str());
    // It was not the grid that answered.
    const auto found = (*backend)->count(cloud, eps, kBruteForce, {});
    QCOMPARE(found->stats.strategy, std::string("brute-force"));
    QCOMPARE(found->stats.backend, std::string("cpu"));
    QCOMPARE(found->stats.distanceCalculations, std::uint64_t{150 * 150});
    QCOMPARE(found->stats.cells, std::uint64_t{0});
    std::stop_source source;
    source.request_stop();
    QCOMPARE(
        (*backend)->neighbourTable(cloud, eps, kBruteForce, {source.get_token(), {}}).error().kind,
        ErrorKind::Cancelled);
  }
};

APPLESS_TEST(TestBruteForce);
#include "tst_brute_force.moc"
