// The stability of clusters over ε against DBSCAN by brute force and Jaccard indices of sets.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <stop_token>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/validity/stability_over_eps.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Set = std::set<std::size_t>;

/// The points of each cluster.
std::map<std::int32_t, Set> clustersOf(const std::vector<std::int32_t>& labels) {
  std::map<std::int32_t, Set> clusters;
  for (std::size_t p = 0; p < labels.size(); ++p)
    if (labels[p] >= 0) clusters[labels[p]].insert(p);
  return clusters;
}

/// The mean, over the points of a sample that are in given clusters, of the Jaccard index of their
/// cluster; NaN without such points.
double meanIndex(const std::vector<std::int32_t>& given, const std::vector<std::int32_t>& found) {
  double sum = 0;
  double points = 0;
  for (const auto& [label, own] : clustersOf(given)) {
    double best = 0;
    for (const auto& [other, there] : clustersOf(found)) {
      Set both;
      std::set_intersection(own.begin(), own.end(), there.begin(), there.end(),
                            std::inserter(both, both.end()));
      best = std::max(best, double(both.size()) / double(own.size() + there.size() - both.size()));
    }
    sum += double(own.size()) * best;
    points += double(own.size());
  }
  return sum / points;
}

/// The ids of the points in each sample: those that samples of a line of the same length have.
std::vector<std::vector<std::size_t>> samplesOf(std::size_t points,
                                                const ResamplingOptions& options) {
  PointCloud line{.columns = {{}}, .names = {"x"}};
  for (std::size_t i = 0; i < points; ++i) line.columns[0].push_back(double(i));
  std::vector<std::vector<std::size_t>> samples;
  const auto kept = stabilityByResampling(
      line, std::vector<std::int32_t>(points, 0), options,
      [&](const PointCloud& sample, const Task&) -> Result<std::vector<std::int32_t>> {
        samples.emplace_back(sample.columns[0].begin(), sample.columns[0].end());
        return std::vector<std::int32_t>(sample.size(), 0);
      });
  return kept ? samples : std::vector<std::vector<std::size_t>>{};
}

/// The value that a share of the values is below, as NumPy's quantile.
double quantileOf(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * double(values.size() - 1);
  const double below = values[std::size_t(std::floor(at))];
  return below + (at - std::floor(at)) * (values[std::size_t(std::ceil(at))] - below);
}

bool isNear(double a, double b) {
  return std::abs(a - b) < 1e-12 || (std::isnan(a) && std::isnan(b));
}

void compare(const PointCloud& cloud, std::int64_t minPts, const std::vector<double>& eps,
             const ResamplingOptions& options) {
  const auto hierarchy = Hierarchy::build(cloud, {.minPts = minPts});
  QVERIFY(hierarchy.has_value());
  const auto found = stabilityOverEps(cloud, *hierarchy, eps, options, {.threads = 2});
  QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
  QCOMPARE(found->size(), eps.size());
  const auto samples = samplesOf(cloud.size(), options);
  QCOMPARE(samples.size(), std::size_t(options.resamples));
  for (std::size_t i = 0; i < eps.size(); ++i) {
    const auto whole = bruteForceDbscan(cloud, {eps[i], minPts});
    std::vector<double> means;
    for (const auto& ids : samples) {
      PointCloud sample{.columns = std::vector<Coordinates>(cloud.dims()), .names = cloud.names};
      std::vector<std::int32_t> given;
      for (const std::size_t p : ids) {
        for (std::size_t j = 0; j < cloud.dims(); ++j)
          sample.columns[j].push_back(cloud.columns[j][p]);
        given.push_back(whole->labels[p]);
      }
      const std::int64_t least = 1 + std::llround(options.share * double(minPts - 1));
      const double mean = meanIndex(given, bruteForceDbscan(sample, {eps[i], least})->labels);
      if (!std::isnan(mean)) means.push_back(mean);
    }
    const StabilityAt& at = (*found)[i];
    QCOMPARE(at.eps, eps[i]);
    if (means.empty()) {
      QVERIFY(std::isnan(at.mean) && std::isnan(at.low) && std::isnan(at.high));
      continue;
    }
    double sum = 0;
    for (const double mean : means) sum += mean;
    QVERIFY(isNear(at.mean, sum / double(means.size())));
    QVERIFY(isNear(at.low, quantileOf(means, 0.1)));
    QVERIFY(isNear(at.high, quantileOf(means, 0.9)));
  }
}

}  // namespace

class TestStabilityOverEps : public QObject {
  Q_OBJECT

 private slots:
  void equalsDbscanOfEachSample() {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const PointCloud cloud = draws::draw(random, kind, 20 + random() % 120, 1 + random() % 3);
      double span = 0;
      for (const auto& column : cloud.columns) {
        const auto [low, high] = std::minmax_element(column.begin(), column.end());
        span = std::max(span, *high - *low);
      }
      if (!(span > 0) || !std::isfinite(span * span)) span = 1;
      const std::vector<double> eps{span * 1e-3, span * 0.02, span * 0.05,
                                    span * 0.1,  span * 0.3,  span * 2};
      const auto minPts = std::int64_t(1 + random() % 7);
      compare(cloud, minPts, eps, {.resamples = 5, .share = 0.3 + 0.1 * double(seed % 6)});
      if (QTest::currentTestFailed()) qFatal("seed %d, %s", int(seed), kind.c_str());
    }
  }

  /// Two dense groups: their partition is stable, what is found of the noise between is not.
  void aStablePartitionIsSeen() {
    std::mt19937_64 random(3);
    std::vector<std::vector<double>> rows;
    for (int p = 0; p < 600; ++p)
      rows.push_back({(p % 2) * 40 + draws::normal(random), draws::normal(random)});
    const PointCloud cloud = draws::fromRows(rows);
    const auto hierarchy = Hierarchy::build(cloud, {.minPts = 7});
    const auto found = stabilityOverEps(cloud, *hierarchy, std::vector<double>{0.2, 5, 100});
    QVERIFY(found.has_value());
    QVERIFY2((*found)[0].mean < 0.9, std::to_string((*found)[0].mean).c_str());
    QVERIFY((*found)[0].low < (*found)[0].mean && (*found)[0].mean < (*found)[0].high);
    for (const std::size_t whole : {1, 2}) {
      QVERIFY((*found)[whole].mean == 1.0 && (*found)[whole].low == 1.0);
      QVERIFY((*found)[whole].high == 1.0);
    }
    // One thread gives the same.
    const auto again =
        stabilityOverEps(cloud, *hierarchy, std::vector<double>{0.2}, {}, {.threads = 1});
    QVERIFY(again && (*again)[0].mean == (*found)[0].mean && (*again)[0].low == (*found)[0].low);
  }

  void refusesAndStops() {
    const PointCloud cloud{.columns = {{0, 1, 2, 3, 4, 5, 6, 7}}, .names = {"x"}};
    const PointCloud other{.columns = {{0, 1}}, .names = {"x"}};
    const auto hierarchy = Hierarchy::build(cloud, {.minPts = 2});
    const std::vector<double> eps{1};
    const auto kindOf = [&](const PointCloud& of, const std::vector<double>& at,
                            const ResamplingOptions& options) {
      return stabilityOverEps(of, *hierarchy, at, options).error().kind;
    };
    QCOMPARE(kindOf(other, eps, {}), ErrorKind::BadInput);
    QCOMPARE(kindOf(cloud, {0.0}, {}), ErrorKind::BadCall);
    QCOMPARE(kindOf(cloud, {NAN}, {}), ErrorKind::BadCall);
    QCOMPARE(kindOf(cloud, eps, {.share = 1}), ErrorKind::BadCall);
    QCOMPARE(kindOf(cloud, eps, {.resamples = 0}), ErrorKind::BadCall);
    QVERIFY(stabilityOverEps(cloud, *hierarchy, {})->empty());
    std::stop_source source;
    double last = -1;
    const auto stopped =
        stabilityOverEps(cloud, *hierarchy, eps, {}, {},
                         {source.get_token(), [&](std::string_view, double fraction) {
                            last = fraction;
                            if (fraction >= 0.5) source.request_stop();
                          }});
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    QCOMPARE(last, 0.5);
  }
};

GUILESS_TEST(TestStabilityOverEps);
#include "tst_stability_over_eps.moc"
