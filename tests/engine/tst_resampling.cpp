#include <QtTest>
#include <cmath>
#include <random>
#include <stop_token>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/validity/resampling.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Points on a line: point i at i.
PointCloud line(std::size_t points) {
  PointCloud cloud{.columns = {{}}, .names = {"x"}};
  for (std::size_t i = 0; i < points; ++i) cloud.columns[0].push_back(static_cast<double>(i));
  return cloud;
}

LabelSample byPosition(int (*label)(double)) {
  return [label](const PointCloud& sample, const Task&) -> Result<std::vector<std::int32_t>> {
    std::vector<std::int32_t> labels;
    for (const double x : sample.columns[0]) labels.push_back(label(x));
    return labels;
  };
}

}  // namespace

/// Stability by resampling: samples, Jaccard indices, and DBSCAN on a cloud with a weak cluster.
class TestResampling : public QObject {
  Q_OBJECT

 private slots:
  void jaccardIndices() {
    // Labels by hundreds; a sample finds 0 as it is, 1 in two halves, 2 and 3 as one, 4 as noise.
    const PointCloud cloud = line(600);
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 600; ++i) labels.push_back(i < 500 ? 10 * (i / 100) : -1);
    const auto found = stabilityByResampling(
        cloud, labels, {.resamples = 50, .share = 0.5, .seed = 3}, byPosition([](double x) {
          const int hundred = static_cast<int>(x) / 100;
          if (hundred == 0) return 7;
          if (hundred == 1) return x < 150 ? 1 : 0;
          return hundred < 4 ? 2 : -1;
        }));
    QVERIFY(found.has_value());
    QCOMPARE(found->size(), std::size_t{5});
    QCOMPARE((*found)[0].jaccard, 1.0);
    QCOMPARE((*found)[0].found, 50U);
    QVERIFY((*found)[1].jaccard > 0.5 && (*found)[1].jaccard < 0.65);
    QVERIFY(std::abs((*found)[2].jaccard - 0.5) < 0.03);
    QVERIFY(std::abs((*found)[3].jaccard - 0.5) < 0.03);
    QCOMPARE((*found)[3].found, 0U);
    QCOMPARE((*found)[4].jaccard, 0.0);
    for (std::size_t c = 0; c < 5; ++c) {
      QCOMPARE((*found)[c].cluster, static_cast<std::int32_t>(10 * c));
      QCOMPARE((*found)[c].points, std::uint64_t{100});
      QCOMPARE((*found)[c].samples, 50U);
    }
  }

  /// Every point is as likely to be in a sample, in which it is once at most.
  void samples() {
    const PointCloud cloud = line(100);
    std::vector<int> drawn(100);
    std::vector<std::vector<double>> seen;
    const auto note = [&](const PointCloud& sample,
                          const Task&) -> Result<std::vector<std::int32_t>> {
      for (const double x : sample.columns[0]) ++drawn[static_cast<std::size_t>(x)];
      seen.push_back(sample.columns[0]);
      return std::vector<std::int32_t>(sample.size(), 0);
    };
    const std::vector<std::int32_t> labels(100, 0);
    const ResamplingOptions options{.resamples = 2000, .share = 0.3, .seed = 9};
    QVERIFY(stabilityByResampling(cloud, labels, options, note).has_value());
    for (const auto& sample : seen) {
      QCOMPARE(sample.size(), std::size_t{30});
      QVERIFY(std::is_sorted(sample.begin(), sample.end(), std::less_equal<>()));
    }
    // 600 expected, standard deviation 20.5.
    for (const int times : drawn) QVERIFY(std::abs(times - 600) < 103);
    const auto first = seen;
    seen.clear();
    QVERIFY(stabilityByResampling(cloud, labels, options, note).has_value());
    QVERIFY(seen == first);
    QVERIFY(seen[0] != seen[1]);
    // A cluster without points in any sample has no index.
    std::vector<std::int32_t> rare(100, -1);
    rare[50] = 4;
    const auto found =
        stabilityByResampling(cloud, rare, {.resamples = 1, .share = 0.01, .seed = 1},
                              byPosition([](double) { return 0; }));
    QVERIFY(found.has_value());
    QVERIFY((*found)[0].samples == 1 || std::isnan((*found)[0].jaccard));
  }

  void minPtsKeepTheirDensity() {
    QCOMPARE(minPtsOfSample(1, 0.5), 1);
    QCOMPARE(minPtsOfSample(11, 0.5), 6);
    QCOMPARE(minPtsOfSample(5, 0.8), 4);
    QCOMPARE(minPtsOfSample(2, 0.1), 1);
  }

  /// A dense cluster is found in every sample; a handful of points that are one by chance is not.
  void ofDbscan() {
    std::mt19937_64 random(4);
    std::vector<std::vector<double>> rows;
    for (int p = 0; p < 2000; ++p) rows.push_back({draws::normal(random), draws::normal(random)});
    for (int p = 0; p < 12; ++p)
      rows.push_back({30 + 0.45 * draws::normal(random), 0.45 * draws::normal(random)});
    const PointCloud cloud = draws::fromRows(rows);
    const auto backend = makeBackend("cpu", {});
    const auto labels = (*backend)->dbscan(cloud, {0.5, 7}, {}, {});
    QVERIFY(labels.has_value());
    const std::int32_t chance =
        labels->labels.back() >= 0
            ? labels->labels.back()
            : *std::max_element(labels->labels.end() - 12, labels->labels.end());
    QVERIFY(labels->labels[0] == 0 && chance > 0);
    const auto found = stabilityByResampling(
        cloud, labels->labels, {},
        [&](const PointCloud& sample, const Task& task) -> Result<std::vector<std::int32_t>> {
          const auto of = (*backend)->dbscan(sample, {0.5, minPtsOfSample(7, 0.5)}, {}, task);
          if (!of) return tl::unexpected(of.error());
          return of->labels;
        });
    QVERIFY(found.has_value());
    QVERIFY((*found)[0].found == 20 && (*found)[0].jaccard > 0.9);
    const ClusterStability& weak = (*found)[static_cast<std::size_t>(chance)];
    QCOMPARE(weak.cluster, chance);
    QVERIFY(weak.found < 20 && weak.jaccard < (*found)[0].jaccard);
  }

  void refusesAndStops() {
    const PointCloud cloud = line(10);
    const auto label = byPosition([](double) { return 0; });
    const std::vector<std::int32_t> labels(10, 0);
    const auto kindOf = [&](const ResamplingOptions& options, std::span<const std::int32_t> of) {
      return stabilityByResampling(cloud, of, options, label).error().kind;
    };
    QCOMPARE(kindOf({.share = 1}, labels), ErrorKind::BadCall);
    QCOMPARE(kindOf({.share = NAN}, labels), ErrorKind::BadCall);
    QCOMPARE(kindOf({.resamples = 0}, labels), ErrorKind::BadCall);
    QCOMPARE(kindOf({}, std::span(labels).first(9)), ErrorKind::BadInput);
    std::stop_source source;
    double last = -1;
    const auto stopped = stabilityByResampling(
        cloud, labels, {}, label, {source.get_token(), [&](std::string_view, double fraction) {
                                     last = fraction;
                                     if (fraction >= 0.5) source.request_stop();
                                   }});
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    QCOMPARE(last, 0.5);
  }
};

GUILESS_TEST(TestResampling);
#include "tst_resampling.moc"
