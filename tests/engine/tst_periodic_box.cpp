// Joins and DBSCAN in periodic boxes against a comparison of all pairs by min(|d|, L − |d|).
#include <QtTest/QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/dbscan/label_new_points.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/join/periodic_box.h"
#include "tests/engine/all_pairs_answer.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Periods = std::vector<double>;

std::shared_ptr<const Backend> inBox(const Periods& periods) {
  return std::move(*backendIn({.periods = periods}, {}, std::move(*makeBackend("cpu", {}))));
}

PointCloud cloudOf(std::vector<Coordinates> columns) {
  PointCloud cloud{std::move(columns), {}};
  for (std::size_t j = 0; j < cloud.dims(); ++j) cloud.names.push_back("d" + std::to_string(j));
  return cloud;
}

/// Points with `draw(j)` as coordinate j.
template <class Draw>
PointCloud drawn(std::size_t points, std::size_t dims, const Draw& draw) {
  std::vector<Coordinates> columns(dims, std::vector<double>(points));
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t j = 0; j < dims; ++j) columns[j][p] = draw(j);
  return cloudOf(std::move(columns));
}

/// The oracle's relation, on coordinates in [0, L).
struct Near {
  const PointCloud& a;
  const PointCloud& b;
  Periods periods;
  double eps;

  double squared(std::size_t p, std::size_t q) const {
    double sum = 0;
    for (std::size_t j = 0; j < a.dims(); ++j) {
      double d = std::abs(a.columns[j][p] - b.columns[j][q]);
      if (periods[j] > 0) d = std::min(d, periods[j] - d);
      sum += d * d;
    }
    return sum;
  }
  bool operator()(std::size_t p, std::size_t q) const { return squared(p, q) <= eps * eps; }
};

/// The cloud as the engine documents its input.
PointCloud wrappedBy(const PointCloud& cloud, const Periods& periods) {
  return *wrapped(cloud, *makePeriodicBox(periods, cloud), {});
}

std::vector<Strategy> strategies() {
  std::vector<Strategy> all(1);
  Strategy s;
  s.pattern = AccessPattern::Full;
  s.shortCircuit = Toggle::On;
  all.push_back(s);
  s.pattern = AccessPattern::LidUnicomp;
  s.indexedDims = 1;
  all.push_back(s);
  s = {};
  s.method = Method::BruteForce;
  all.push_back(s);
  return all;
}

QByteArray messageOf(const Error& error) { return QByteArray::fromStdString(error.message); }

void compareJoins(const PointCloud& cloud, const Periods& periods, double eps,
                  const AllPairsAnswer& expected) {
  const auto backend = inBox(periods);
  for (const AccessPattern pattern : {AccessPattern::Tile, AccessPattern::Full}) {
    Strategy strategy;
    strategy.pattern = pattern;
    const auto counts = backend->count(cloud, eps, strategy, {});
    QVERIFY2(counts, counts ? "" : messageOf(counts.error()));
    QCOMPARE(counts->pairs, std::uint64_t(expected.pairs.size()));
    std::vector<std::uint32_t> rows(cloud.size());
    for (const Pair& pair : expected.pairs) ++rows[std::size_t(pair.p)];
    QCOMPARE(counts->counts, rows);
    const auto pairs = backend->pairs(cloud, eps, strategy, {});
    QVERIFY(pairs);
    QVERIFY(std::equal(pairs->pairs.begin(), pairs->pairs.end(), expected.pairs.begin(),
                       expected.pairs.end()));
    const auto table = backend->neighbourTable(cloud, eps, strategy, {});
    QVERIFY(table);
    QCOMPARE(table->offsets.size(), cloud.size() + 1);
    QCOMPARE(table->ids.size(), expected.pairs.size());
    for (std::size_t p = 0; p < cloud.size(); ++p)
      for (std::uint64_t i = table->offsets[p]; i < table->offsets[p + 1]; ++i)
        QVERIFY((Pair{std::int32_t(p), table->ids[i]} == expected.pairs[i]));
  }
  const auto histogram = backend->histogram(cloud, eps, 7, {}, {});
  QVERIFY(histogram);
  const PointCloud points = wrappedBy(cloud, periods);
  std::uint64_t sum = 0;
  for (std::size_t bin = 0; bin < 7; ++bin) {
    const Near near{points, points, periods, histogram->upper[bin]};
    std::uint64_t within = 0;
    for (const Pair& pair : expected.pairs)
      if (near(std::size_t(pair.p), std::size_t(pair.q))) ++within;
    QCOMPARE(sum += histogram->pairs[bin], within);
  }
}

void compareLabels(const PointCloud& cloud, const Periods& periods, double eps, std::int64_t minPts,
                   const AllPairsAnswer& expected) {
  const auto backend = inBox(periods);
  for (const Strategy& strategy : strategies()) {
    const auto found = backend->dbscan(cloud, {eps, minPts}, strategy, {});
    QVERIFY2(found, found ? "" : messageOf(found.error()));
    QCOMPARE(found->labels, expected.labels);
    QCOMPARE(found->clusters, expected.clusters);
    QCOMPARE(found->params.eps, eps);
    QCOMPARE(found->params.minPts, minPts);
    std::uint64_t core = 0;
    std::uint64_t noise = 0;
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      const PointRole role = expected.core[p]          ? PointRole::Core
                             : expected.labels[p] >= 0 ? PointRole::Border
                                                       : PointRole::Noise;
      QCOMPARE(int(found->roles[p]), int(role));
      core += role == PointRole::Core;
      noise += role == PointRole::Noise;
    }
    QCOMPARE(found->coreCount, core);
    QCOMPARE(found->noiseCount, noise);
    QCOMPARE(found->borderCount, cloud.size() - core - noise);
  }
}

void compareAll(const PointCloud& cloud, const Periods& periods, double eps,
                const std::vector<std::int64_t>& minPts) {
  const PointCloud points = wrappedBy(cloud, periods);
  const Near near{points, points, makePeriodicBox(periods, cloud)->periods, eps};
  compareJoins(cloud, periods, eps, answerByAllPairs(cloud.size(), 1, near));
  for (const std::int64_t least : minPts) {
    if (QTest::currentTestFailed()) return;
    compareLabels(cloud, periods, eps, least, answerByAllPairs(cloud.size(), least, near));
  }
}

}  // namespace

class TestPeriodicBox : public QObject {
  Q_OBJECT

 private slots:
  void allPairs_data() {
    QTest::addColumn<QList<double>>("periods");
    QTest::addColumn<int>("steps");  // 0: not on a lattice
    QTest::addColumn<int>("points");
    QTest::addColumn<QList<double>>("eps");
    QTest::newRow("ring") << QList<double>{40} << 40 << 30 << QList<double>{1, 2, 19.5};
    QTest::newRow("torus") << QList<double>{12, 12} << 12 << 60 << QList<double>{1, 1.5, 5.9};
    QTest::newRow("duplicates") << QList<double>{5, 5} << 5 << 60 << QList<double>{1, 2};
    QTest::newRow("stripe") << QList<double>{0, 10} << 12 << 50 << QList<double>{1, 2};
    QTest::newRow("corners") << QList<double>{6, 6, 6} << 6 << 70 << QList<double>{1, 2, 2.9};
    QTest::newRow("mixed") << QList<double>{6, 0, 7} << 7 << 70 << QList<double>{1, 2.5};
    QTest::newRow("six") << QList<double>{4, 0, 4, 4, 0, 4} << 4 << 60 << QList<double>{1, 1.9};
    QTest::newRow("decimals") << QList<double>{0.7, 1.1} << 0 << 60 << QList<double>{0.1, 0.2};
    QTest::newRow("drawn") << QList<double>{1, 3, 0} << 0 << 70 << QList<double>{0.2, 0.49};
    QTest::newRow("tiny") << QList<double>{1e-100, 3e-100} << 0 << 40 << QList<double>{2e-101};
    QTest::newRow("huge") << QList<double>{1e100, 3e99} << 0 << 40 << QList<double>{2e98, 1e99};
  }
  void allPairs() {
    QFETCH(QList<double>, periods);
    QFETCH(int, steps);
    QFETCH(int, points);
    QFETCH(QList<double>, eps);
    const Periods box(periods.begin(), periods.end());
    const double scale = *std::max_element(box.begin(), box.end());
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      std::mt19937_64 draw(seed);
      const PointCloud cloud = drawn(std::size_t(points), box.size(), [&](std::size_t j) -> double {
        const double period = box[j] > 0 ? box[j] : scale;
        const double turns = static_cast<double>(draw() % 5) - 2;  // points outside, too
        if (steps > 0) return static_cast<double>(draw() % unsigned(steps)) + turns * period;
        return (static_cast<double>(draw() >> 11) * 0x1p-53 + turns) * period;
      });
      for (const double e : eps) {
        compareAll(cloud, box, e, {1, 2, 3, 5, 9, 1000});
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  /// The faces themselves, and points next to them.
  void latticeOnTheFaces() {
    const double below = std::nextafter(8.0, 0.0);
    const PointCloud cloud = cloudOf({{0, 8, -8, below, 16, 1, 7, -0.0, -1e-30, 1e-30, 4},
                                      {0, 0, 8, below, 24, 7, 1, 0.0, 1e-30, 8, 4}});
    for (const double eps : {1e-20, 1.0, std::sqrt(2.0), 2.0, 3.9, std::nextafter(4.0, 0.0)})
      compareAll(cloud, {8, 8}, eps, {1, 2, 5, 6, 11});
    const PointCloud points = wrappedBy(cloud, {8, 8});
    for (const std::size_t p : {0, 1, 2, 4, 7}) {
      QCOMPARE(points.columns[0][p], 0.0);
      QVERIFY(!std::signbit(points.columns[0][p]));
    }
  }

  void randomBoxes() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      std::mt19937_64 draw(seed);
      const auto below = [&](std::uint64_t n) { return static_cast<double>(draw() % n); };
      Periods periods(1 + draw() % 4);
      for (double& period : periods) period = draw() % 3 == 0 ? 0 : 3 + below(8) / 2;
      periods[draw() % periods.size()] = 6;
      const double step = draw() % 2 == 0 ? 0.5 : 0.3;
      const PointCloud cloud =
          drawn(1 + draw() % 90, periods.size(), [&](std::size_t) { return below(30) * step - 5; });
      double eps = 0.25 + below(10) / 4;
      for (const double period : periods)
        if (period > 0) eps = std::min(eps, std::nextafter(period / 2, 0.0));
      compareAll(cloud, periods, eps, {1, 3, 5});
      if (QTest::currentTestFailed()) qFatal("seed %d", int(seed));
    }
  }

  /// The border point at 0 has a core point of cluster 0 within ε only as an image, whose cluster
  /// in the cloud with images comes after that of cluster 1.
  void borderPointsTakeTheLowestMergedCluster() {
    const PointCloud cloud = cloudOf({{98.4, 98.6, 98.8, 99.0, 1.0, 1.2, 1.4, 1.6, 0.0}});
    const auto found = inBox({100})->dbscan(cloud, {1, 4}, {}, {});
    QVERIFY(found);
    QCOMPARE(found->labels, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1, 0}));
    QCOMPARE(int(found->roles[8]), int(PointRole::Border));
  }

  /// A cluster that closes around the ring, and one that only the wrap makes one.
  void clustersSpanTheWrap() {
    std::vector<double> ring(100);
    std::iota(ring.begin(), ring.end(), 0.0);
    QCOMPARE(inBox({100})->dbscan(cloudOf({ring}), {1, 3}, {}, {})->clusters, 1);
    QCOMPARE(inBox({100})->dbscan(cloudOf({ring}), {1, 3}, {}, {})->coreCount, std::uint64_t(100));
    const PointCloud ends = cloudOf({{0, 1, 2, 50, 51, 52, 97, 98, 99}});
    QCOMPARE(inBox({100})->dbscan(ends, {1, 2}, {}, {})->labels,
             (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, 0, 0, 0}));
  }

  void aLargerCloudEqualsBruteForce() {
    std::mt19937_64 draw(11);
    const Periods periods{20, 20, 0};
    const PointCloud cloud = drawn(1500, 3, [&](std::size_t j) {
      return static_cast<double>(draw() % (j == 2 ? 8 : 80)) / 4;
    });
    const Near near{cloud, cloud, periods, 0.75};
    for (const std::int64_t minPts : {4, 8, 12})
      compareLabels(cloud, periods, 0.75, minPts, answerByAllPairs(cloud.size(), minPts, near));
  }

  void otherPrecisionsAndOptionsAgree() {
    std::mt19937_64 draw(5);
    const Periods periods{10, 10};
    const PointCloud cloud =
        drawn(800, 2, [&](std::size_t) { return static_cast<double>(draw() % 100) / 10; });
    const auto backend = inBox(periods);
    const auto standard = backend->dbscan(cloud, {0.3, 4}, {}, {});
    QVERIFY(standard);
    std::vector<Strategy> others(5);
    others[0].precision = Precision::Single;
    others[1].denseCells = Toggle::Off;
    others[2].earlyStop = Toggle::Off;
    others[3].order = QueryOrder::SortByWorkload;
    others[3].pattern = AccessPattern::Unicomp;
    others[4].method = Method::RTree;
    for (const Strategy& strategy : others) {
      const auto found = backend->dbscan(cloud, {0.3, 4}, strategy, {});
      QVERIFY2(found, found ? "" : messageOf(found.error()));
      QCOMPARE(found->labels, standard->labels);
    }
  }

  void twoCloudsAndLabelsOfNewPoints() {
    std::mt19937_64 draw(3);
    const Periods periods{9, 0, 8};
    const auto some = [&](std::size_t points) {
      return drawn(points, 3, [&](std::size_t) { return static_cast<double>(draw() % 24) - 8; });
    };
    const PointCloud a = some(150);
    const PointCloud b = some(200);
    const auto backend = inBox(periods);
    const PointCloud wrappedA = wrappedBy(a, periods);
    const PointCloud wrappedB = wrappedBy(b, periods);
    const Near near{wrappedA, wrappedB, periods, 1.5};
    const auto table = backend->neighbourTable(JoinInput(a, b), 1.5, {}, {});
    const auto clustering = backend->dbscan(b, {1.5, 4}, {}, {});
    QVERIFY(table && clustering);
    const auto labels = labelNewPoints(*backend, b, *clustering, a, {}, {});
    QVERIFY(labels);
    for (std::size_t p = 0; p < a.size(); ++p) {
      std::vector<std::int32_t> expected;
      std::int32_t lowest = clustering->clusters;
      for (std::size_t q = 0; q < b.size(); ++q) {
        if (!near(p, q)) continue;
        expected.push_back(std::int32_t(q));
        if (clustering->roles[q] == PointRole::Core)
          lowest = std::min(lowest, clustering->labels[q]);
      }
      const auto row = table->ids.begin();
      QVERIFY(std::equal(row + std::ptrdiff_t(table->offsets[p]),
                         row + std::ptrdiff_t(table->offsets[p + 1]), expected.begin(),
                         expected.end()));
      QCOMPARE(labels->labels[p], lowest < clustering->clusters ? lowest : kNoise);
    }
    // Each point of the cloud itself gets its own label.
    QCOMPARE(labelNewPoints(*backend, b, *clustering, b, {}, {})->labels, clustering->labels);
  }

  void weightsWorkInABox() {
    std::mt19937_64 draw(8);
    const PointCloud cloud =
        drawn(300, 2, [&](std::size_t) { return static_cast<double>(draw() % 20); });
    const Periods periods{20, 20};
    const auto plain = inBox(periods)->dbscan(cloud, {1, 4}, {}, {});
    QVERIFY(plain.has_value());
    for (const Strategy& strategy : strategies()) {
      const auto weighted = weightedDbscan(
          *inBox(periods), cloud, std::vector<double>(cloud.size(), 1), {1, 4}, strategy, {});
      QVERIFY2(weighted.has_value(), weighted ? "" : weighted.error().message.c_str());
      QCOMPARE(weighted->labels, plain->labels);
    }
  }

  /// Coordinates move by multiples of L, by less than half a unit besides.
  void wrappingIsExact() {
    std::mt19937_64 draw(2);
    for (const double period : {10.0, 0.1, 1.0 / 3, 8.0, 6e-20, 7.7e200}) {
      const PointCloud cloud = drawn(2000, 1, [&](std::size_t) {
        return period * (static_cast<double>(draw() >> 11) * 0x1p-50 - 4);
      });
      const auto box = makePeriodicBox({period}, cloud);
      const double length = box->periods[0];
      QVERIFY(std::abs(length - period) <= 0x1p-52 * period);
      QCOMPARE(makePeriodicBox({length}, cloud)->periods[0], length);
      const double unit = std::ldexp(1.0, std::ilogb(length) - 51);
      const PointCloud points = *wrapped(cloud, *box, {});
      QCOMPARE(wrapped(points, *box, {})->columns, points.columns);
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        const double w = points.columns[0][p];
        QVERIFY(w >= 0 && w < length);
        QCOMPARE(std::fmod(w, unit), 0.0);
        // Differences of coordinate and image are exact.
        const double v = points.columns[0][(p + 1) % cloud.size()];
        QCOMPARE(std::fma(1.0, w, length) - length, w);
        QCOMPARE(w - (v - length) - length, w - v);
        const double moved = std::remainder(cloud.columns[0][p] - w, length);
        QVERIFY(std::abs(moved) <= unit + std::abs(cloud.columns[0][p]) * 0x1p-52);
      }
    }
  }

  void theTextOfPeriods() {
    QCOMPARE(*parsePeriods("10,-,0,2.5"), (Periods{10, 0, 0, 2.5}));
    QCOMPARE(periodsText({10, 0, 0.1}), std::string("10,-,0.1"));
    for (const char* text : {"", "10,", "x", "-1", "1;2", "nan", "inf", "1,,2"})
      QVERIFY2(!parsePeriods(text), text);
  }

  void periodsFollowTheScaling() {
    const PointCloud cloud = cloudOf({{0, 1, 2, 18, 19}, {0, 0, 0, 0, 0}});
    const auto scaling = makeScaling(Scaling::Kind::Factors, cloud, {-0.5, 3});
    const auto backend =
        backendIn({.periods = {20, 0}}, *scaling, std::move(*makeBackend("cpu", {})));
    QVERIFY(backend);
    const auto found = (*backend)->dbscan(applyScaling(cloud, *scaling), {0.5, 3}, {}, {});
    QVERIFY(found);
    QCOMPARE(found->labels, (std::vector<std::int32_t>{0, 0, 0, 0, 0}));
  }

  void wrongCallsAreRefused() {
    const PointCloud cloud = cloudOf({{0, 1, 2}, {0, 1, 2}});
    const auto messageFor = [&](const Periods& periods, double eps, std::int64_t minPts = 2) {
      const auto found = inBox(periods)->dbscan(cloud, {eps, minPts}, {}, {});
      return found ? QString() : QString::fromStdString(found.error().message);
    };
    QVERIFY(messageFor({10, 10}, 1).isEmpty());
    QVERIFY(messageFor({10}, 1).contains("2 are needed, 1 given"));
    QVERIFY(messageFor({0, 0}, 1).contains("other than 0"));
    QVERIFY(messageFor({10, -1}, 1).contains("d1"));
    QVERIFY(messageFor({10, std::numeric_limits<double>::infinity()}, 1).contains("d1"));
    QVERIFY(messageFor({std::nan(""), 3}, 1).contains("d0"));
    QVERIFY(messageFor({10, 4}, 2).contains("less than half"));
    QVERIFY(messageFor({10, 4}, 2).contains("d1"));
    QVERIFY(messageFor({10, 4}, std::nextafter(2.0, 0.0)).isEmpty());
    QVERIFY(messageFor({10, 4}, -1).contains("positive"));
    QVERIFY(messageFor({10, 4}, 1, 0).contains("minPts"));
    QVERIFY(!inBox({10, 4})->count(cloud, 2, {}, {}));
    Strategy half;
    half.pattern = AccessPattern::Unicomp;
    const auto counts = inBox({10, 4})->count(cloud, 1, half, {});
    QVERIFY(!counts && counts.error().message.starts_with("A periodic box joins"));
    QVERIFY(!inBox({10, 4})->load(cloud, 1, {}, {}, {}));
    QVERIFY(!inBox({10, 4})->dbscan(cloudOf({{}, {}}), {1, 2}, {}, {}));
    QVERIFY(!inBox({10, 4})->dbscan(JoinInput(cloud, cloud), {1, 2}, {}, {}));
    const std::vector<std::int32_t> short1(2);
    QVERIFY(!inBox({10, 4})->lowestLabels(cloud, short1, 1, {}, {}));
  }

  /// Angles of a molecule: most images within 2ε are far from all others.
  void manyPeriodicDimensions() {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal(0, 0.08);
    for (const double middle : {0.0, 0.5}) {
      const PointCloud cloud =
          drawn(60, 9, [&](std::size_t j) { return (j % 3 == 0 ? middle : 0.0) + normal(random); });
      const Periods periods(9, 1);
      const PointCloud points = wrappedBy(cloud, periods);
      for (const double eps : {0.2, 0.3, 0.45}) {
        const Near near{points, points, makePeriodicBox(periods, cloud)->periods, eps};
        for (const std::int64_t least : {2, 5, 20})
          compareLabels(cloud, periods, eps, least, answerByAllPairs(cloud.size(), least, near));
      }
    }
  }

  /// 2^40 images of each point.
  void tooManyImagesAreRefused() {
    const PointCloud cloud = drawn(10, 40, [](std::size_t) { return 0.3; });
    const auto found = inBox(Periods(40, 1))->dbscan(cloud, {0.49, 2}, {}, {});
    QVERIFY(!found);
    QCOMPARE(int(found.error().kind), int(ErrorKind::TooLarge));
  }

  void stopsAtOnce() {
    std::stop_source source;
    source.request_stop();
    Task task;
    task.stop = source.get_token();
    const PointCloud cloud = drawn(10, 2, [](std::size_t) { return 0.5; });
    const auto found = inBox({3, 3})->dbscan(cloud, {1, 2}, {}, task);
    QVERIFY(!found);
    QCOMPARE(int(found.error().kind), int(ErrorKind::Cancelled));
  }
};

GUILESS_TEST(TestPeriodicBox);
#include "tst_periodic_box.moc"
