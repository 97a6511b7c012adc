#include <QtTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>
#include <thread>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Canonical squared distance from p to its k-th nearest point, itself the first, by sorting all.
double kthSquared(const PointCloud& cloud, std::size_t p, int k) {
  std::vector<double> squares;
  for (std::size_t q = 0; q < cloud.size(); ++q)
    squares.push_back(canonicalSquaredDistance(cloud, p, q));
  std::sort(squares.begin(), squares.end());
  return squares[static_cast<std::size_t>(k - 1)];
}

/// Processor time of this process: what other programs on the machine take does not count.
double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

class TestKDistance : public QObject {
  Q_OBJECT

 private slots:
  // Each distance is the smallest ε at which the point has k neighbours: no less, no more, to the
  // last bit, on ties and duplicates too.
  void areTheSmallestEps() {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kKinds[seed % draws::kKinds.size()];
      const PointCloud cloud =
          draws::draw(random, kind, 1 + random() % 200, 1 + random() % (seed % 9 == 0 ? 40 : 6));
      const int k = 1 + static_cast<int>(random() % std::min<std::size_t>(cloud.size(), 30));
      const auto found = kDistances(cloud, k, 1000000);
      QVERIFY(found.has_value());
      QCOMPARE(found->k, k);
      QCOMPARE(found->sampled, std::uint64_t{cloud.size()});
      std::vector<double> squares;
      for (std::size_t p = 0; p < cloud.size(); ++p) squares.push_back(kthSquared(cloud, p, k));
      std::sort(squares.begin(), squares.end(), std::greater<>());
      QCOMPARE(found->distances.size(), squares.size());
      for (std::size_t i = 0; i < squares.size(); ++i) {
        const double eps = found->distances[i];
        if (squares[i] < std::numeric_limits<double>::min()) {
          QCOMPARE(eps, std::sqrt(squares[i]));
          continue;
        }
        QVERIFY2(eps * eps >= squares[i], kind.c_str());
        const double below = std::nextafter(eps, 0.0);
        QVERIFY2(below * below < squares[i], kind.c_str());
      }
    }
  }

  void agreeWithDbscan() {
    std::mt19937_64 random(11);
    const PointCloud cloud = draws::draw(random, "blobs", 300, 2);
    const auto found = kDistances(cloud, 7, 300);
    QVERIFY(found.has_value());
    for (const std::size_t i : {std::size_t{0}, std::size_t{50}, std::size_t{299}}) {
      const double eps = found->distances[i];
      std::uint64_t core = 0;
      for (const double d : found->distances) core += d <= eps;
      QCOMPARE(bruteForceDbscan(cloud, {eps, 7})->coreCount, core);
    }
  }

  void samplesAreExactToo() {
    std::mt19937_64 random(2);
    const PointCloud cloud = draws::draw(random, "blobs", 2000, 3);
    std::vector<double> all = kDistances(cloud, 5, 2000)->distances;
    const auto sampled = kDistances(cloud, 5, 100);
    QVERIFY(sampled.has_value());
    QCOMPARE(sampled->sampled, std::uint64_t{100});
    QCOMPARE(sampled->distances.size(), std::size_t{100});
    QVERIFY(std::is_sorted(sampled->distances.rbegin(), sampled->distances.rend()));
    std::reverse(all.begin(), all.end());
    for (const double d : sampled->distances)
      QVERIFY(std::binary_search(all.begin(), all.end(), d));
    QCOMPARE(kDistances(cloud, 5, 100)->distances, sampled->distances);  // the same every time
  }

  void ofAllPointsEqualAWholeSample() {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const PointCloud cloud =
          draws::draw(random, kind, 1 + random() % 400, 1 + random() % (seed % 9 == 0 ? 40 : 6));
      const int k = 1 + static_cast<int>(random() % std::min<std::size_t>(cloud.size(), 64));
      const auto all = kDistancesOfAll(cloud, k, 10);
      const auto sample = kDistances(cloud, k, cloud.size());
      QVERIFY(all && sample);
      QVERIFY(all->isWhole && sample->isWhole);
      QCOMPARE(all->sampled, std::uint64_t{cloud.size()});
      QCOMPARE(all->distances, sample->distances);
      QCOMPARE(all->suggestedEps, sample->suggestedEps);
    }
  }

  // A sample where all points would take too long: by k, by dimensions, by the forecast alone.
  void samplesWhereAllTakeLong_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("k");
    QTest::addColumn<bool>("whole");
    QTest::newRow("two dimensions") << 100000 << 2 << 8 << true;
    QTest::newRow("k beyond the search") << 3000 << 2 << 65 << false;
    QTest::newRow("90 dimensions") << 30000 << 90 << 8 << false;
    QTest::newRow("90 dimensions, few points") << 1000 << 90 << 8 << true;
    QTest::newRow("16 dimensions") << 100000 << 16 << 8 << false;
  }
  void samplesWhereAllTakeLong() {
    QFETCH(int, points);
    QFETCH(int, dims);
    QFETCH(int, k);
    QFETCH(bool, whole);
    std::mt19937_64 random(8);
    const PointCloud cloud = draws::draw(random, "uniform", static_cast<std::size_t>(points),
                                         static_cast<std::size_t>(dims));
    const auto found = kDistancesOfAll(cloud, k, 500);
    QVERIFY(found.has_value());
    QCOMPARE(found->isWhole, whole);
    QCOMPARE(found->sampled, static_cast<std::uint64_t>(found->distances.size()));
    if (whole)
      QCOMPARE(found->sampled, std::uint64_t{cloud.size()});
    else
      QVERIFY(found->sampled <= 500);
    QVERIFY(std::is_sorted(found->distances.rbegin(), found->distances.rend()));
  }

  // In many dimensions products find them, or the queries of a tree together.
  void manyDimensionsEqualBruteForce_data() {
    QTest::addColumn<Metric>("metric");
    for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev})
      QTest::newRow(toText(metric).data()) << metric;
  }
  void manyDimensionsEqualBruteForce() {
    QFETCH(Metric, metric);
    std::mt19937_64 random(12);
    const PointCloud cloud = draws::draw(random, "blobs", 1500, 40);
    std::vector<std::vector<double>> squared(cloud.size());  // of each point, sorted
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      for (std::size_t q = 0; q < cloud.size(); ++q)
        squared[p].push_back(squaredLength(metric, cloud.dims(), [&](std::size_t j) {
          return cloud.columns[j][p] - cloud.columns[j][q];
        }));
      std::sort(squared[p].begin(), squared[p].end());
    }
    for (const int k : {1, 2, 20, 70}) {
      const auto found = kDistances(cloud, k, 1500, {}, metric);
      QVERIFY(found.has_value());
      QVERIFY(found->isWhole || k > kMaxNearest);
      if (!found->isWhole) continue;
      std::vector<double> expected;
      for (const auto& ofPoint : squared)
        expected.push_back(std::sqrt(ofPoint[std::size_t(k - 1)]));
      std::sort(expected.rbegin(), expected.rend());
      for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(std::abs(found->distances[i] - expected[i]) <= 1e-12 * expected[i]);
    }
  }

  // Two tight clusters and some background: the knee lies between their spacings.
  void kneeLiesBetweenTheScales() {
    std::mt19937_64 random(4);
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 950; ++i)
      rows.push_back({(i % 2) * 10 + 0.1 * draws::unit(random), 0.1 * draws::unit(random)});
    for (int i = 0; i < 50; ++i)
      rows.push_back({100 * draws::unit(random), 100 * draws::unit(random)});
    const auto found = kDistances(draws::fromRows(rows), 5, 1000);
    QVERIFY(found.has_value());
    QVERIFY2(found->suggestedEps > 0.003 && found->suggestedEps < 5,
             std::to_string(found->suggestedEps).c_str());
  }

  void suggestsALegalEpsForAnything() {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kKinds[seed % draws::kKinds.size()];
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 60, 1 + random() % 3);
      const auto found = kDistances(cloud, 1 + static_cast<int>(random() % cloud.size()), 50);
      QVERIFY(found.has_value());
      QVERIFY2(epsSquared(found->suggestedEps).has_value(), kind.c_str());
    }
  }

  void refusesBadCalls() {
    const PointCloud cloud = draws::fromRows({{0}, {1}, {2}});
    for (const int k : {0, -1, 4}) {
      QCOMPARE(kDistances(cloud, k, 10).error().kind, ErrorKind::BadCall);
      QCOMPARE(kDistancesOfAll(cloud, k, 10).error().kind, ErrorKind::BadCall);
    }
    QCOMPARE(kDistances(cloud, 1, 0).error().kind, ErrorKind::BadCall);
    QCOMPARE(kDistances(PointCloud{}, 1, 10).error().kind, ErrorKind::BadInput);
    std::stop_source source;
    source.request_stop();
    for (const auto call : {&kDistances, &kDistancesOfAll})
      for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Cosine})
        QCOMPARE(call(cloud, 2, 10, {source.get_token(), {}}, metric).error().kind,
                 ErrorKind::Cancelled);
  }

  // Where the tree visits nearly every point, or all points are equal, few points are asked.
  void endsSoonOnHardClouds_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("places");  // 0: all different
    QTest::addColumn<int>("k");
    QTest::addColumn<Metric>("metric");
    const Metric euclidean = Metric::Euclidean;
    QTest::newRow("90 dimensions") << 30000 << 90 << 0 << 8 << euclidean;
    QTest::newRow("128 dimensions") << 30000 << 128 << 0 << 8 << euclidean;
    QTest::newRow("128 dimensions, Manhattan") << 30000 << 128 << 0 << 8 << Metric::Manhattan;
    QTest::newRow("equal points") << 400000 << 2 << 1 << 8 << euclidean;
    QTest::newRow("two places") << 400000 << 2 << 2 << 8 << euclidean;
    QTest::newRow("two places, k over half") << 300000 << 2 << 2 << 200000 << euclidean;
  }
  void endsSoonOnHardClouds() {
    QFETCH(int, points);
    QFETCH(int, dims);
    QFETCH(int, places);
    QFETCH(int, k);
    QFETCH(Metric, metric);
    std::mt19937_64 random(6);
    PointCloud cloud;
    cloud.columns.resize(std::size_t(dims));
    for (int j = 0; j < dims; ++j)
      for (int p = 0; p < points; ++p)
        cloud.columns[std::size_t(j)].push_back(places > 0 ? p % places : draws::unit(random));
    const double before = cpuSeconds();
    const EpsRange range = sensibleEpsRange(cloud, {}, metric);
    QVERIFY(0 < range.low && range.low < range.high);
    const auto found = kDistances(cloud, k, 20000, {}, metric);
    QVERIFY(found.has_value());
    QVERIFY(found->sampled >= (dims > 16 ? 1000 : 16) && found->sampled == found->distances.size());
    const double spent = cpuSeconds() - before;
    QVERIFY2(spent < 8, std::to_string(spent).c_str());
    if (places == 0) {
      QVERIFY(found->sampled < 20000);
      return;
    }
    // Half of the points lie at each place.
    const double expected = places == 2 && k > points / 2 ? std::sqrt(2.0) : 0.0;
    for (const double d : found->distances) QVERIFY(std::abs(d - expected) < 1e-9);
    if (k > kMaxNearest) return;
    const auto all = kDistancesOfAll(cloud, k, 20000);
    QVERIFY(all && all->isWhole);
    for (const double d : all->distances) QCOMPARE(d, 0.0);
  }

  void rangeStops() {
    std::mt19937_64 random(6);
    std::stop_source source;
    source.request_stop();
    const PointCloud cloud = draws::draw(random, "uniform", 20000, 3);
    const EpsRange range = sensibleEpsRange(cloud, {source.get_token(), {}});
    QVERIFY(0 < range.low && range.low < range.high);
    QVERIFY(range.low != sensibleEpsRange(cloud).low);  // not measured
  }

  // While the tree is built and while it is searched.
  void stopsWithinATenthOfASecond() {
    std::mt19937_64 random(9);
    const PointCloud cloud = draws::draw(random, "uniform", 1500000, 3);
    for (const auto call : {&kDistances, &kDistancesOfAll})
      for (const std::string_view at : {"building the kd-tree", "measuring k-distances"})
        for (const int milliseconds : {0, 20}) {
          std::stop_source source;
          std::jthread stopper;
          std::atomic<std::clock_t> asked{};  // of this process, whatever else runs
          const auto ask = [&] {
            asked = std::clock();
            source.request_stop();
          };
          const Task task{.stop = source.get_token(),
                          .progress = [&](std::string_view stage, double) {
                            if (stage != at || stopper.joinable() || source.stop_requested())
                              return;
                            if (milliseconds == 0) return ask();
                            stopper = std::jthread([&] {
                              std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                              ask();
                            });
                          }};
          const auto found = call(cloud, 50, 1500000, task, Metric::Euclidean);
          const double threads = std::max(1U, std::thread::hardware_concurrency());
          const double late = double(std::clock() - asked.load()) / CLOCKS_PER_SEC / threads;
          if (found && milliseconds > 0) continue;  // a fast machine is done by then
          QVERIFY(!found);
          QCOMPARE(found.error().kind, ErrorKind::Cancelled);
          // 100 ms of all threads and slack: those on a loaded machine compute more slowly.
          QVERIFY2(late < 0.5, std::to_string(late).c_str());
        }
  }

  void rangeIsSensible_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kKinds) QTest::newRow(kind.c_str()) << kind.c_str();
  }
  void rangeIsSensible() {
    QFETCH(QString, kind);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud =
          draws::draw(random, kind.toStdString(), seed < 3 ? seed + 1 : 500, 1 + random() % 4);
      const EpsRange range = sensibleEpsRange(cloud);
      QVERIFY(epsSquared(range.low).has_value());
      QVERIFY(epsSquared(range.high).has_value());
      QVERIFY(range.low < range.high);
      const auto farthest = bruteForceCounts(cloud, range.high);
      // The diagonal reaches everything but for a rounding; sums in another order may miss it.
      QVERIFY(farthest->pairs * 10 >= 9 * cloud.size() * cloud.size());
    }
  }

  void rangeStartsNearTheSpacing() {
    std::mt19937_64 random(3);
    std::vector<std::vector<double>> rows;
    for (int x = 0; x < 400; ++x)
      for (int y = 0; y < 250; ++y) rows.push_back({x * 0.5, y * 0.5});
    std::shuffle(rows.begin(), rows.end(), random);
    const EpsRange range = sensibleEpsRange(draws::fromRows(rows));  // larger than its sample
    QVERIFY2(range.low > 0.1 && range.low <= 0.5, std::to_string(range.low).c_str());
    QVERIFY(std::abs(range.high - std::hypot(199.5, 124.5)) < 1e-9);
  }

  void rangeIsOfTheMetric() {
    // A square of side 3, its corners in one quarter of the plane.
    const PointCloud cloud = draws::fromRows({{1, 1}, {1, 4}, {4, 1}, {4, 4}});
    QCOMPARE(sensibleEpsRange(cloud, {}, Metric::Manhattan).high, 6.0);
    QCOMPARE(sensibleEpsRange(cloud, {}, Metric::Chebyshev).high, 3.0);
    const EpsRange cosine = sensibleEpsRange(cloud, {}, Metric::Cosine);
    QVERIFY(0 < cosine.low && cosine.low < cosine.high && cosine.high < 1);
    // Directions all around: the box of unit vectors has a diagonal of √8.
    const PointCloud around = draws::fromRows({{1, 0}, {0, 1}, {-1, 0}, {0, -1}});
    QCOMPARE(sensibleEpsRange(around, {}, Metric::Cosine).high, 2.0);
    const EpsRange none = sensibleEpsRange(draws::fromRows({{0, 0}, {1, 1}}), {}, Metric::Cosine);
    QVERIFY(0 < none.low && none.low < none.high);  // a point without a direction
  }

  void rangeOfNothingMuch() {
    for (const PointCloud& cloud :
         {draws::fromRows({{5, 5}}), PointCloud{}, draws::fromRows({{kInf}}),
          draws::fromRows(std::vector<std::vector<double>>(50, {1e9, -4}))}) {
      const EpsRange range = sensibleEpsRange(cloud);
      QVERIFY(0 < range.low && range.low < range.high && std::isfinite(range.high));
    }
  }
};

APPLESS_TEST(TestKDistance);
#include "tst_k_distance.moc"
