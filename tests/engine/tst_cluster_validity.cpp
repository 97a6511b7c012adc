#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stop_token>

#include "cloud_draws.h"
#include "engine/cloud/point_distance.h"
#include "engine/core/infinity.h"
#include "engine/validity/cluster_validity.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// The generator of the recorded cases, which is as short in Python.
struct Lcg {
  std::uint64_t x;
  double unit() {
    x = (1103515245 * x + 12345) % (std::uint64_t{1} << 31);
    return static_cast<double>(x) / 2147483648.0;
  }
};

struct Case {
  PointCloud cloud;
  std::vector<std::int32_t> labels;
};

/// Clusters in a row along the first dimension, each wider than the one before, then noise.
Case blobs(std::uint64_t seed, int clusters, int points, std::size_t dims, int noise,
           double step = 0) {
  Lcg random{seed};
  Case made;
  made.cloud.columns.resize(dims);
  made.cloud.names.assign(dims, "x");
  for (int p = 0; p < clusters * points + noise; ++p) {
    const int c = p < clusters * points ? p % clusters : -1;
    for (std::size_t j = 0; j < dims; ++j) {
      double value = 0;
      if (c < 0) {
        value = 4 * clusters * random.unit();
      } else {
        value = j == 0 ? 3.0 * c : 0.0;
        value += random.unit();
        value += random.unit();
        value += random.unit() * (1 + c);
      }
      if (step > 0) value = std::floor(value / step) * step;
      made.cloud.columns[j].push_back(value);
    }
    made.labels.push_back(c);
  }
  return made;
}

/// One cluster by the definitions of the paper, with matrices and the plainest Prim.
struct PlainCluster {
  std::vector<std::size_t> points;
  std::vector<double> core;
  std::vector<std::size_t> inner;  // of points
  double sparseness = 0;
};

PlainCluster plainCluster(const Case& given, std::int32_t label) {
  PlainCluster c;
  for (std::size_t p = 0; p < given.labels.size(); ++p)
    if (given.labels[p] == label) c.points.push_back(p);
  const std::size_t n = c.points.size();
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::sqrt(canonicalSquaredDistance(given.cloud, c.points[a], c.points[b]));
  };
  const auto d = static_cast<double>(given.cloud.dims());
  for (std::size_t a = 0; a < n; ++a) {
    double sum = 0;
    for (std::size_t b = 0; b < n; ++b)
      if (distance(a, b) > 0) sum += std::pow(1 / distance(a, b), d);
    c.core.push_back(std::pow(sum / static_cast<double>(n - 1), -1 / d));
  }
  const auto reach = [&](std::size_t a, std::size_t b) {
    return std::max({distance(a, b), c.core[a], c.core[b]});
  };
  std::vector<std::size_t> tree{0};
  std::vector<int> degree(n);
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  while (tree.size() < n) {
    std::pair<double, std::pair<std::size_t, std::size_t>> best{kInfinity, {}};
    for (std::size_t q = 0; q < n; ++q) {
      if (std::find(tree.begin(), tree.end(), q) != tree.end()) continue;
      for (const std::size_t p : tree) best = std::min(best, {reach(p, q), {q, p}});
    }
    edges.push_back(best.second);
    ++degree[best.second.first];
    ++degree[best.second.second];
    tree.push_back(best.second.first);
  }
  for (std::size_t p = 0; p < n; ++p)
    if (degree[p] > 1) c.inner.push_back(p);
  for (const auto& [p, q] : edges)
    if (degree[p] > 1 && degree[q] > 1) c.sparseness = std::max(c.sparseness, reach(p, q));
  return c;
}

double plainSeparation(const Case& given, const PlainCluster& a, const PlainCluster& b) {
  double least = kInfinity;
  for (const std::size_t p : a.inner)
    for (const std::size_t q : b.inner)
      least = std::min(
          least,
          std::max({a.core[p], b.core[q],
                    std::sqrt(canonicalSquaredDistance(given.cloud, a.points[p], b.points[q]))}));
  return least;
}

bool near(double found, double expected) {
  return std::abs(found - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool equal(const Validity& a, const Validity& b) {
  return same(a.index, b.index) &&
         std::equal(a.clusters.begin(), a.clusters.end(), b.clusters.begin(), b.clusters.end(),
                    [](const ClusterValidity& x, const ClusterValidity& y) {
                      return x.cluster == y.cluster && x.points == y.points &&
                             same(x.sparseness, y.sparseness) && same(x.separation, y.separation) &&
                             x.nearest == y.nearest && same(x.validity, y.validity);
                    });
}

}  // namespace

/// DBCV against the published implementation, the definitions and itself.
class TestClusterValidity : public QObject {
  Q_OBJECT

 private slots:
  /// What validity_index of hdbscan 0.8.44 gives (per_cluster_scores=True) for the same clouds.
  void asPublished() {
    struct Recorded {
      Case given;
      double index;
      std::vector<double> clusters;
    };
    const std::vector<Recorded> all{
        {blobs(1, 3, 40, 2, 20),
         0.3036721367012577,
         {0.6063754408882637, 0.4400022837742065, 0.01647475379193201}},
        {blobs(2, 4, 30, 3, 0),
         0.11755459908080303,
         {0.5647931086201136, 0.3990763644236969, -0.2865682726382695, -0.20708280408232888}},
        {blobs(3, 2, 50, 1, 10), 0.6777571294262357, {0.7861144472867204, 0.7049512374509982}},
        {blobs(4, 3, 40, 10, 5),
         0.032932585388083926,
         {0.3252816804328942, -0.08358619333115933, -0.1387811577639726}},
        {blobs(5, 3, 60, 2, 9, 0.5),  // a lattice with duplicates
         0.18762588396817367,
         {0.43960375889449854, 0.15141777560524858, 0}},
        {blobs(6, 2, 2, 2, 0),  // trees without inner nodes
         0.5862852379719657,
         {0.6596753764034633, 0.5128950995404682}},
        {blobs(7, 5, 100, 2, 0),
         -0.08169206135916533,
         {0.6350010076785126, 0.3998478381277672, -0.2886696503449178, -0.592481831085188,
          -0.5621576711720007}},
        {blobs(8, 3, 3, 4, 2),  // without inner edges
         0.2742491965916425,
         {0.6625469179905131, 0.5510920654924233, -0.20805859598024706}}};
    for (const Recorded& recorded : all) {
      const auto found = densityBasedValidity(recorded.given.cloud, recorded.given.labels);
      QVERIFY(found.has_value());
      QVERIFY2(near(found->index, recorded.index),
               qPrintable(QString::number(found->index, 'g', 17)));
      QCOMPARE(found->clusters.size(), recorded.clusters.size());
      for (std::size_t c = 0; c < recorded.clusters.size(); ++c)
        QVERIFY(near(found->clusters[c].validity, recorded.clusters[c]));
    }
  }

  /// All figures of each cluster, with the cluster that is nearest.
  void byDefinition() {
    for (std::uint64_t seed = 20; seed < 32; ++seed) {
      const Case given = blobs(seed, 5, 25, 1 + seed % 4, 12);
      std::vector<PlainCluster> plain;
      for (std::int32_t c = 0; c < 5; ++c) plain.push_back(plainCluster(given, c));
      const auto found = densityBasedValidity(given.cloud, given.labels, 2);
      QVERIFY(found.has_value());
      QCOMPARE(found->noise, std::uint64_t{12});
      for (std::size_t c = 0; c < 5; ++c) {
        const ClusterValidity& row = found->clusters[c];
        QCOMPARE(row.points, std::uint64_t{25});
        QVERIFY(near(row.sparseness, plain[c].sparseness));
        std::pair<double, std::int32_t> least{kInfinity, -1};
        for (std::size_t other = 0; other < 5; ++other)
          if (other != c)
            least = std::min(least, {plainSeparation(given, plain[c], plain[other]),
                                     static_cast<std::int32_t>(other)});
        QVERIFY(near(row.separation, least.first));
        QCOMPARE(row.nearest, least.second);
      }
    }
  }

  void whatIsUndefined() {
    // A cluster of one point counts as noise; labels need not be consecutive.
    const PointCloud line{.columns = {{0, 1, 10, 11, 50, 60}}, .names = {"x"}};
    const std::vector<std::int32_t> labels{7, 7, 2, 2, 1'000'000, -1};
    const auto found = densityBasedValidity(line, labels);
    QVERIFY(found.has_value());
    QCOMPARE(found->clusters.size(), std::size_t{3});
    QCOMPARE(found->noise, std::uint64_t{1});
    QCOMPARE(found->clusters[0].cluster, 2);
    QCOMPARE(found->clusters[0].nearest, 7);
    QCOMPARE(found->clusters[0].separation, 10.0);  // from first point to first point
    QCOMPARE(found->clusters[0].sparseness, 1.0);
    QCOMPARE(found->clusters[0].validity, 0.9);
    QCOMPARE(found->clusters[2].cluster, 1'000'000);
    QVERIFY(std::isnan(found->clusters[2].validity));
    QVERIFY(near(found->index, 0.9 * 4 / 6));
    // One cluster has nothing to be separated from.
    const auto one = densityBasedValidity(line, std::vector<std::int32_t>(6, 0));
    QVERIFY(one.has_value() && std::isnan(one->index));
    QVERIFY(one->clusters[0].sparseness > 0 && std::isnan(one->clusters[0].validity));
    QCOMPARE(one->clusters[0].nearest, -1);
    const auto none = densityBasedValidity(line, std::vector<std::int32_t>(6, -1));
    QVERIFY(none.has_value() && std::isnan(none->index) && none->clusters.empty());
    // All points of a cluster at one place; two clusters there.
    const PointCloud places{.columns = {{0, 0, 5, 5, 5, 5}}, .names = {"x"}};
    const auto same = densityBasedValidity(places, std::vector<std::int32_t>{0, 0, 1, 1, 2, 2});
    QVERIFY(same.has_value());
    QCOMPARE(same->clusters[0].validity, 1.0);
    QCOMPARE(same->clusters[0].nearest, 1);  // of two the first
    QCOMPARE(same->clusters[1].validity, 0.0);
    QCOMPARE(densityBasedValidity(line, std::vector<std::int32_t>(5, 0)).error().kind,
             ErrorKind::BadInput);
  }

  /// (1 / distance)^d would overflow or vanish.
  void manyDimensions() {
    Case given = blobs(40, 3, 30, 900, 0);
    const auto found = densityBasedValidity(given.cloud, given.labels);
    for (auto& column : given.cloud.columns)
      for (double& value : column) value *= 0x1p-200;
    const auto tiny = densityBasedValidity(given.cloud, given.labels);
    QVERIFY(found.has_value() && std::isfinite(found->index));
    QCOMPARE(tiny->index, found->index);
    QCOMPARE(tiny->clusters[1].separation, std::ldexp(found->clusters[1].separation, -200));
  }

  /// A cluster that threads share, beside small ones.
  void anyNumberOfThreads() {
    Case given = blobs(50, 3, 300, 2, 50);
    std::mt19937_64 random(5);
    for (int p = 0; p < 17'000; ++p) {
      for (auto& column : given.cloud.columns) column.push_back(20 + draws::normal(random));
      given.labels.push_back(3);
    }
    const auto one = densityBasedValidity(given.cloud, given.labels, 1);
    const auto four = densityBasedValidity(given.cloud, given.labels, 4);
    QVERIFY(one.has_value() && four.has_value());
    QVERIFY(std::isfinite(one->index) && equal(*one, *four));
  }

  void stops() {
    const Case given = blobs(60, 2, 6000, 2, 0);
    std::stop_source source;
    double last = 0;
    bool falls = false;
    const auto stopped = densityBasedValidity(
        given.cloud, given.labels, 2, {source.get_token(), [&](std::string_view, double fraction) {
                                         falls = falls || fraction < last;
                                         last = fraction;
                                         if (fraction > 0.1) source.request_stop();
                                       }});
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    QVERIFY(!falls && last > 0.1 && last < 0.9);
  }
};

GUILESS_TEST(TestClusterValidity);
#include "tst_cluster_validity.moc"
