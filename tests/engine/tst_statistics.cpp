#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/validity/cluster_statistics.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

bool saysAnywhere(const ClusteringStatistics& statistics, const std::string& words) {
  return std::any_of(
      statistics.redFlags.begin(), statistics.redFlags.end(),
      [&](const std::string& flag) { return flag.find(words) != std::string::npos; });
}

/// A clustering of n points made by hand; every point is core.
Clustering byHand(std::vector<std::int32_t> labels, std::int32_t clusters) {
  Clustering result;
  result.params = {1.0, 2};
  result.clusters = clusters;
  for (const std::int32_t label : labels) {
    result.roles.push_back(label < 0 ? PointRole::Noise : PointRole::Core);
    (label < 0 ? result.noiseCount : result.coreCount) += 1;
  }
  result.labels = std::move(labels);
  return result;
}

}  // namespace

class TestStatistics : public QObject {
  Q_OBJECT

 private slots:
  void byHandTwoClusters() {
    const PointCloud cloud = draws::fromRows({{0, 0}, {2, 0}, {0, 1}, {9, 9}, {5, 5}, {5, 7}});
    Clustering clustering = byHand({0, 0, 0, kNoise, 1, 1}, 2);
    clustering.roles[2] = PointRole::Border;
    const auto statistics = statisticsOf(cloud, clustering);
    QVERIFY(statistics.has_value());
    QCOMPARE(statistics->clusters.size(), std::size_t{2});
    const ClusterStatistics& a = statistics->clusters[0];
    QCOMPARE(a.label, 0);
    QCOMPARE(a.size, std::uint64_t{3});
    QCOMPARE(a.core, std::uint64_t{2});
    QCOMPARE(a.border, std::uint64_t{1});
    QCOMPARE(a.low, (std::vector<double>{0, 0}));
    QCOMPARE(a.high, (std::vector<double>{2, 1}));
    QVERIFY(std::abs(a.centroid[0] - 2.0 / 3) < 1e-15 && std::abs(a.centroid[1] - 1.0 / 3) < 1e-15);
    QCOMPARE(a.density, 1.5);
    QCOMPARE(a.nearest, 1);
    const ClusterStatistics& b = statistics->clusters[1];
    QCOMPARE(b.density, 1.0);  // its box is flat in x: 2 points over a length of 2
    QCOMPARE(b.nearest, 0);
    QCOMPARE(b.nearestDistance, a.nearestDistance);
    QVERIFY(std::abs(b.nearestDistance - std::hypot(5 - 2.0 / 3, 6 - 1.0 / 3)) < 1e-14);
  }

  void invariants() {
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kKinds[seed % draws::kKinds.size()];
      const std::size_t dims = 1 + random() % 7;
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 400, dims);
      const auto clustering = bruteForceDbscan(
          cloud, {draws::drawEps(random, cloud), static_cast<std::int64_t>(1 + random() % 5)});
      QVERIFY(clustering.has_value());
      const auto statistics = statisticsOf(cloud, *clustering);
      QVERIFY(statistics.has_value());
      QCOMPARE(statistics->clusters.size(), static_cast<std::size_t>(clustering->clusters));
      std::uint64_t points = 0, core = 0, border = 0;
      for (std::size_t c = 0; c < statistics->clusters.size(); ++c) {
        const ClusterStatistics& cluster = statistics->clusters[c];
        QCOMPARE(cluster.label, static_cast<std::int32_t>(c));
        QVERIFY(cluster.core >= 1);
        QCOMPARE(cluster.core + cluster.border, cluster.size);
        points += cluster.size;
        core += cluster.core;
        border += cluster.border;
        checkBox(cloud, *clustering, cluster, kind);
        checkNearest(statistics->clusters, cluster);
        QVERIFY(cluster.density > 0);
      }
      QCOMPARE(points + clustering->noiseCount, std::uint64_t{cloud.size()});
      QCOMPARE(core, clustering->coreCount);
      QCOMPARE(border, clustering->borderCount);
    }
  }

  // Duplicates at UTM coordinates: sums would have lost digits, and the box would not hold the
  // mean.
  void centroidOfDuplicatesIsExact() {
    const std::vector<double> place{448262.119, 5411932.678, 0.1};
    const PointCloud cloud = draws::fromRows(std::vector<std::vector<double>>(100000, place));
    const auto statistics = statisticsOf(cloud, byHand(std::vector<std::int32_t>(100000, 0), 1));
    QVERIFY(statistics.has_value());
    QCOMPARE(statistics->clusters[0].centroid, place);
    QCOMPARE(statistics->clusters[0].density, std::numeric_limits<double>::infinity());
    QCOMPARE(statistics->clusters[0].nearest, -1);
  }

  void hugeCoordinatesDoNotOverflow() {
    const PointCloud cloud = draws::fromRows({{8e307}, {8e307}, {8.5e307}, {8.6e307}});
    const auto statistics = statisticsOf(cloud, byHand({0, 0, 1, 1}, 2));
    QVERIFY(statistics.has_value());
    QCOMPARE(statistics->clusters[0].centroid[0], 8e307);
    QVERIFY(std::isfinite(statistics->clusters[1].centroid[0]));
  }

  void nearestOfEqualsIsTheLowest() {
    const PointCloud cloud = draws::fromRows({{0}, {1}, {2}, {2}, {2}});
    const auto statistics = statisticsOf(cloud, byHand({2, 1, 0, 3, 4}, 5));
    QVERIFY(statistics.has_value());
    const auto& clusters = statistics->clusters;
    QCOMPARE(clusters[1].nearest, 0);  // 0, 2, 3 and 4 are all one away
    QCOMPARE(clusters[0].nearest, 3);
    QCOMPARE(clusters[3].nearest, 0);
    QCOMPARE(clusters[4].nearest, 0);
    QCOMPARE(clusters[4].nearestDistance, 0.0);
    QCOMPARE(clusters[2].nearest, 1);
  }

  void redFlags() {
    const PointCloud cloud = draws::fromRows(std::vector<std::vector<double>>(1000, {1.0}));
    Clustering none = byHand(std::vector<std::int32_t>(1000, kNoise), 0);
    QVERIFY(saysAnywhere(*statisticsOf(cloud, none), "No point is core"));

    std::vector<std::int32_t> labels(1000, kNoise);
    std::fill_n(labels.begin(), 5, 0);
    QVERIFY(
        saysAnywhere(*statisticsOf(cloud, byHand(labels, 1)), "Almost no point is core (0.5 %)"));

    std::fill_n(labels.begin(), 300, 0);
    const auto noisy = statisticsOf(cloud, byHand(labels, 1));
    QVERIFY(saysAnywhere(*noisy, "More than half of the points are noise (70.0 %)"));
    QVERIFY(!saysAnywhere(*noisy, "Almost"));

    std::fill_n(labels.begin(), 990, 0);
    QVERIFY(saysAnywhere(*statisticsOf(cloud, byHand(labels, 1)), "in one cluster (99.0 %)"));

    for (int i = 0; i < 1000; ++i) labels[static_cast<std::size_t>(i)] = i / 5;
    QVERIFY(saysAnywhere(*statisticsOf(cloud, byHand(labels, 200)), "There are 200 clusters"));

    for (int i = 0; i < 1000; ++i) labels[static_cast<std::size_t>(i)] = i / 250;
    QVERIFY(statisticsOf(cloud, byHand(labels, 4))->redFlags.empty());
  }

  // In many dimensions nearest centroids of very many clusters would take hours; they are left out
  // and that is said.
  void saysWhenNearestIsNotSought() {
    const std::size_t n = 120000;
    std::mt19937_64 random(1);
    const PointCloud cloud = draws::draw(random, "uniform", n, 12);
    std::vector<std::int32_t> labels(n);
    for (std::size_t p = 0; p < n; ++p) labels[p] = static_cast<std::int32_t>(p);
    const auto statistics = statisticsOf(cloud, byHand(labels, static_cast<std::int32_t>(n)));
    QVERIFY(statistics.has_value());
    QVERIFY(saysAnywhere(*statistics, "too many clusters"));
    QCOMPARE(statistics->clusters[7].nearest, -1);
  }

  void refusesWhatDoesNotFit() {
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    QCOMPARE(statisticsOf(cloud, byHand({0}, 1)).error().kind, ErrorKind::BadCall);
    QCOMPARE(statisticsOf(cloud, byHand({0, 1}, 1)).error().kind, ErrorKind::BadCall);
    QCOMPARE(statisticsOf(PointCloud{}, byHand({}, 0)).error().kind, ErrorKind::BadInput);
  }

  void stopsWhenAsked() {
    std::stop_source source;
    source.request_stop();
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    const auto stopped = statisticsOf(cloud, byHand({0, 1}, 2), {source.get_token(), {}});
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
  }

 private:
  static void checkBox(const PointCloud& cloud, const Clustering& clustering,
                       const ClusterStatistics& cluster, const std::string& kind) {
    for (std::size_t j = 0; j < cloud.dims(); ++j) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      long double sum = 0;
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        if (clustering.labels[p] != cluster.label) continue;
        low = std::min(low, cloud.columns[j][p]);
        high = std::max(high, cloud.columns[j][p]);
        sum += static_cast<long double>(cloud.columns[j][p]);
      }
      QCOMPARE(cluster.low[j], low);
      QCOMPARE(cluster.high[j], high);
      QVERIFY(low <= cluster.centroid[j] && cluster.centroid[j] <= high);
      const double mean = static_cast<double>(sum / static_cast<long double>(cluster.size));
      const double scale = std::max(std::abs(low), std::abs(high));
      QVERIFY2(std::abs(cluster.centroid[j] - mean) <=
                   1e-14 * scale + std::numeric_limits<double>::min(),
               kind.c_str());
    }
  }

  static void checkNearest(const std::vector<ClusterStatistics>& clusters,
                           const ClusterStatistics& cluster) {
    std::int32_t nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const ClusterStatistics& other : clusters) {
      if (other.label == cluster.label) continue;
      const double squared = canonicalSquaredDistance(
          cluster.centroid.size(), [&](std::size_t j) { return cluster.centroid[j]; },
          [&](std::size_t j) { return other.centroid[j]; });
      if (squared < least) {
        least = squared;
        nearest = other.label;
      }
    }
    QCOMPARE(cluster.nearest, nearest);
    if (nearest >= 0) QCOMPARE(cluster.nearestDistance, std::sqrt(least));
  }
};

APPLESS_TEST(TestStatistics);
#include "tst_statistics.moc"
