// The nearest neighbours of every point against a comparison of all pairs in plain loops.
#include <QtTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <random>
#include <thread>

#include "cloud_draws.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Squared distances from one point to all of a cloud, each summed by ascending dimension.
/// Dimension after dimension, which is many times as fast as pair after pair where there are
/// thousands.
std::vector<double> squaresFrom(const PointCloud& queries, std::size_t p, const PointCloud& cloud) {
  std::vector<double> sums(cloud.size());
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    const double x = queries.columns[j][p];
    const double* const column = cloud.columns[j].data();
    for (std::size_t q = 0; q < sums.size(); ++q) sums[q] += (x - column[q]) * (x - column[q]);
  }
  return sums;
}

/// What differs from the definition; empty when nothing does.
std::string differenceFromAllPairs(const PointCloud& cloud, int k, const NearestNeighbours& found) {
  const std::size_t n = cloud.size();
  const std::size_t entries = std::min<std::size_t>(n, static_cast<std::size_t>(k));
  if (found.points != n || found.k != static_cast<int>(entries)) return "wrong shape";
  if (found.ids.size() != n * entries || found.squaredDistances.size() != n * entries)
    return "wrong size";
  std::vector<std::pair<double, std::uint32_t>> others;
  for (std::size_t p = 0; p < n; ++p) {
    others.clear();
    const std::vector<double> squares = squaresFrom(cloud, p, cloud);
    for (std::size_t q = 0; q < n; ++q)
      if (q != p) others.emplace_back(squares[q], static_cast<std::uint32_t>(q));
    std::sort(others.begin(), others.end());
    const auto ids = found.idsOf(p);
    const auto squared = found.squaredDistancesOf(p);
    if (ids[0] != p || squared[0] != 0) return "point " + std::to_string(p) + " is not its first";
    for (std::size_t i = 1; i < entries; ++i)
      if (ids[i] != others[i - 1].second || squared[i] != others[i - 1].first)
        return "neighbour " + std::to_string(i) + " of point " + std::to_string(p) + " is " +
               std::to_string(ids[i]) + " at " + std::to_string(squared[i]) + ", not " +
               std::to_string(others[i - 1].second) + " at " + std::to_string(others[i - 1].first);
  }
  return {};
}

std::string difference(const PointCloud& cloud, int k, int threads = 0) {
  const auto found = nearestNeighbours(cloud, k, threads);
  if (!found) return "error: " + found.error().message;
  return differenceFromAllPairs(cloud, k, *found);
}

/// The same for the points of another cloud; empty when nothing differs.
std::string differenceOf(const PointCloud& queries, const PointCloud& cloud, int k, int threads) {
  const auto found = nearestOf(queries, cloud, k, threads);
  if (!found) return "error: " + found.error().message;
  const std::size_t entries = std::min(cloud.size(), static_cast<std::size_t>(k));
  if (found->points != queries.size() || found->k != static_cast<int>(entries))
    return "wrong shape";
  for (std::size_t p = 0; p < queries.size(); ++p) {
    std::vector<std::pair<double, std::uint32_t>> all;
    const std::vector<double> squares = squaresFrom(queries, p, cloud);
    for (std::size_t q = 0; q < cloud.size(); ++q)
      all.emplace_back(squares[q], static_cast<std::uint32_t>(q));
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < entries; ++i)
      if (found->idsOf(p)[i] != all[i].second || found->squaredDistancesOf(p)[i] != all[i].first)
        return "neighbour " + std::to_string(i) + " of point " + std::to_string(p);
  }
  return {};
}

}  // namespace

class TestNearestNeighbours : public QObject {
  Q_OBJECT

 private slots:
  void equalAllPairsInManyDimensions() {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = seed % 20 == 19 ? kMaxDims : 16 + random() % 300;
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 300, dims);
      const int k = 1 + static_cast<int>(random() % kMaxNearest);
      const std::string differs = difference(cloud, k, 1 + static_cast<int>(seed % 3));
      QVERIFY2(differs.empty(), (kind + ", seed " + std::to_string(seed) + ": " + differs).c_str());
    }
  }

  void equalAllPairsOfTwoClouds() {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = 1 + random() % 20;
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 400, dims);
      PointCloud queries = draws::draw(random, kind, 1 + random() % 200, dims);
      if (seed % 3 == 0) queries = cloud;  // a point is then one of its own neighbours
      // Every other time more than trees find.
      const int k = 1 + static_cast<int>(random() % (seed % 2 == 0 ? kMaxNearest : 500));
      const std::string differs = differenceOf(queries, cloud, k, 1 + static_cast<int>(seed % 3));
      QVERIFY2(differs.empty(), (kind + ", seed " + std::to_string(seed) + ": " + differs).c_str());
    }
    const PointCloud line{.columns = {{0, 1}}, .names = {"x"}};
    const PointCloud plane{.columns = {{0, 1}, {0, 1}}, .names = {"x", "y"}};
    QVERIFY(!nearestOf(line, plane, 1));
    QVERIFY(!nearestOf(line, line, 0) && !nearestOf(line, line, kMaxNeighbours + 1));
    // Not a variable: GCC 12 warns of one as if it were not initialized.
    const auto stop = std::make_unique<std::stop_source>();
    stop->request_stop();
    const auto stopped = nearestOf(line, line, 1, 1, {stop->get_token(), {}});
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
  }

  void equalAllPairs_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kAllKinds)
      QTest::newRow(kind.c_str()) << QString::fromStdString(kind);
  }
  void equalAllPairs() {
    QFETCH(QString, kind);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = seed % 10 == 9 ? 1 + random() % 90 : std::size_t{1} + seed % 8;
      const PointCloud cloud =
          draws::draw(random, kind.toStdString(), 1 + random() % (seed % 4 == 0 ? 700 : 150), dims);
      const int k = 1 + static_cast<int>(random() % kMaxNearest);
      const std::string differs = difference(cloud, k, 1 + static_cast<int>(seed % 3));
      QVERIFY2(differs.empty(),
               ("seed " + std::to_string(seed) + ", " + std::to_string(cloud.size()) + " points, " +
                std::to_string(dims) + " dimensions, k " + std::to_string(k) + ": " + differs)
                   .c_str());
    }
  }

  // Every number of points around the sizes of leaves, and every k.
  void allSizes() {
    std::mt19937_64 random(5);
    for (std::size_t n = 1; n <= 100; ++n) {
      const PointCloud cloud = draws::draw(random, n % 2 ? "lattice" : "blobs", n, 1 + n % 3);
      const std::string differs = difference(cloud, 1 + static_cast<int>(n % kMaxNearest));
      QVERIFY2(differs.empty(), differs.c_str());
    }
    const PointCloud cloud = draws::draw(random, "tenths", 300, 2);
    for (int k = 1; k <= kMaxNearest; ++k) {
      const std::string differs = difference(cloud, k);
      QVERIFY2(differs.empty(), differs.c_str());
    }
  }

  // More than trees find, in any number of dimensions.
  void manyNeighbours() {
    std::mt19937_64 random(9);
    for (const std::size_t dims : {1, 2, 5, 20}) {
      for (const char* kind : {"tenths", "duplicates", "blobs"}) {
        const PointCloud cloud = draws::draw(random, kind, 300, dims);
        for (const int k : {kMaxNearest + 1, 200, 300, kMaxNeighbours}) {
          const std::string differs = difference(cloud, k);
          QVERIFY2(differs.empty(), differs.c_str());
        }
      }
    }
  }

  // Squared distances that overflow are +∞ and are ordered by id.
  void overflowingDistances() {
    const PointCloud cloud =
        draws::fromRows({{-1e200, 0}, {1e200, 0}, {0, 1e200}, {1, 0}, {0, -1e200}, {2, 0}});
    for (int k = 1; k <= 7; ++k) {
      const std::string differs = difference(cloud, k);
      QVERIFY2(differs.empty(), differs.c_str());
    }
  }

  // Many equal points: the lowest ids, without a comparison of all pairs.
  void equalPoints_data() {
    QTest::addColumn<int>("places");
    QTest::newRow("one place") << 1;
    QTest::newRow("two places") << 2;
    QTest::newRow("a hundred places") << 100;
  }
  void equalPoints() {
    QFETCH(int, places);
    std::mt19937_64 random(9);
    constexpr std::size_t kPoints = 200000;
    std::vector<std::vector<double>> rows;
    std::vector<std::vector<std::uint32_t>> at(static_cast<std::size_t>(places));
    for (std::uint32_t p = 0; p < kPoints; ++p) {
      const std::size_t place = random() % at.size();
      rows.push_back({static_cast<double>(place % 10), static_cast<double>(place / 10)});
      at[place].push_back(p);
    }
    constexpr int kAsked = 12;
    const auto found = nearestNeighbours(draws::fromRows(rows), kAsked);
    QVERIFY(found.has_value());
    for (const auto& same : at)
      for (const std::uint32_t p : same) {
        std::vector<std::uint32_t> expected{p};
        for (std::size_t i = 0; expected.size() < kAsked; ++i)
          if (same[i] != p) expected.push_back(same[i]);
        const auto ids = found->idsOf(p);
        QVERIFY(std::equal(ids.begin(), ids.end(), expected.begin(), expected.end()));
        QCOMPARE(found->squaredDistancesOf(p).back(), 0.0);
      }
  }

  void threadsGiveEqualAnswers() {
    std::mt19937_64 random(3);
    for (const char* kind : {"uniform", "lattice", "exponential"}) {
      const PointCloud cloud = draws::draw(random, kind, 30000, 3);
      const auto one = nearestNeighbours(cloud, 10, 1);
      QVERIFY(one.has_value());
      for (const int threads : {0, 2, 5}) {
        const auto several = nearestNeighbours(cloud, 10, threads);
        QVERIFY(several.has_value());
        QVERIFY(several->ids == one->ids);
        QVERIFY(several->squaredDistances == one->squaredDistances);
      }
      // Larger than what the test above compares with all pairs: some of the points.
      for (int i = 0; i < 50; ++i) {
        const std::size_t p = random() % cloud.size();
        std::vector<std::pair<double, std::uint32_t>> all;
        for (std::uint32_t q = 0; q < cloud.size(); ++q)
          if (q != p) all.emplace_back(canonicalSquaredDistance(cloud, p, q), q);
        std::partial_sort(all.begin(), all.begin() + 9, all.end());
        for (std::size_t j = 0; j < 9; ++j) {
          QCOMPARE(one->idsOf(p)[j + 1], all[j].second);
          QCOMPARE(one->squaredDistancesOf(p)[j + 1], all[j].first);
        }
      }
    }
  }

  void refusesBadCalls() {
    const PointCloud cloud = draws::fromRows({{0}, {1}, {2}});
    for (const int k : {0, -1, kMaxNeighbours + 1}) {
      const auto found = nearestNeighbours(cloud, k);
      QVERIFY(!found);
      QCOMPARE(found.error().kind, ErrorKind::BadCall);
    }
    QCOMPARE(nearestNeighbours(PointCloud{}, 1).error().kind, ErrorKind::BadInput);
    const PointCloud bad = draws::fromRows({{0}, {std::numeric_limits<double>::quiet_NaN()}});
    QCOMPARE(nearestNeighbours(bad, 1).error().kind, ErrorKind::BadInput);
  }

  void reportsProgress() {
    std::mt19937_64 random(3);
    const PointCloud cloud = draws::draw(random, "uniform", 50000, 2);
    std::atomic<int> reports{0};
    std::atomic<bool> outside{false};
    Task task;
    task.progress = [&](std::string_view, double fraction) {
      ++reports;
      if (!(fraction >= 0 && fraction <= 1)) outside = true;
    };
    QVERIFY(nearestNeighbours(cloud, 5, 2, task).has_value());
    QVERIFY(reports > 10);
    QVERIFY(!outside);
  }

  // A stop ends the call soon, in few dimensions and in many, whenever it comes. The limit is 100
  // ms on an idle machine.
  void stops_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("after");
    QTest::newRow("before it begins") << 10000 << 2 << 0.0;
    QTest::newRow("building") << 2000000 << 2 << 0.05;
    QTest::newRow("searching") << 500000 << 8 << 1.0;
    QTest::newRow("many dimensions") << 100000 << 60 << 0.5;
  }
  void stops() {
    QFETCH(int, points);
    QFETCH(int, dims);
    QFETCH(double, after);
    std::mt19937_64 random(6);
    const PointCloud cloud = draws::draw(random, "uniform", static_cast<std::size_t>(points),
                                         static_cast<std::size_t>(dims));
    std::stop_source source;
    std::atomic<std::clock_t> asked = std::clock();  // of this process, whatever else runs
    if (after == 0) source.request_stop();
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(after));
      asked = std::clock();
      source.request_stop();
    });
    const auto found = nearestNeighbours(cloud, 20, 0, {source.get_token(), {}});
    const std::clock_t back = std::clock();
    stopper.join();
    if (found) QSKIP("it was done before the stop");
    QCOMPARE(found.error().kind, ErrorKind::Cancelled);
    const double threads = std::max(1U, std::thread::hardware_concurrency());
    QVERIFY(double(back - asked) / CLOCKS_PER_SEC / threads < 0.5);
  }
};

GUILESS_TEST(TestNearestNeighbours);
#include "tst_nearest_neighbours.moc"
