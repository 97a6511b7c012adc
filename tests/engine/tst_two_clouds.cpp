// Joins of two clouds against plain loops: counts, pairs, tables, histograms and lowest labels, by
// every strategy that is legal, with queries inside, on the faces of, beyond and far from the other
// cloud.
#include <QtTest>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "engine/core/predicate.h"
#include "engine/dbscan/label_new_points.h"
#include "engine/grid/grid_queries.h"
#include "engine/join/cost_of_k.h"
#include "tests/test_program.h"
#include "two_clouds.h"

using namespace clusterloom;

namespace {

std::unique_ptr<Backend> cpu() { return std::move(*makeBackend("cpu", {.threads = 2})); }

twoClouds::Clouds drawn(std::uint64_t seed, const std::string& kind, std::size_t queries,
                        std::size_t points, std::size_t dims) {
  std::mt19937_64 random(seed);
  return twoClouds::draw(random, kind, queries, points, dims);
}

std::string differs(const twoClouds::Clouds& clouds, const Strategy& strategy = {}) {
  return twoClouds::difference(*cpu(), clouds, twoClouds::expect(clouds), strategy);
}

}  // namespace

class TestTwoClouds : public QObject {
  Q_OBJECT
 private slots:
  void randomClouds() {
    const auto backend = cpu();
    const char* asked = std::getenv("CLUSTERLOOM_SEEDS");
    const std::uint64_t seeds = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 150;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const std::string what = twoClouds::randomCase(*backend, seed);
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void everyWay_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("dims");
    QTest::newRow("blobs") << "blobs" << 2;
    QTest::newRow("lattice") << "lattice" << 3;
    QTest::newRow("line") << "exponential" << 1;
    QTest::newRow("offset") << "offset" << 2;
    QTest::newRow("outliers") << "outliers 1e10" << 2;
    QTest::newRow("no data") << "nodata" << 3;
    QTest::newRow("six dimensions") << "uniform" << 6;
  }
  void everyWay() {
    QFETCH(QString, kind);
    QFETCH(int, dims);
    const auto backend = cpu();
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      const auto clouds = drawn(seed, kind.toStdString(), 150, 120, static_cast<std::size_t>(dims));
      const auto expected = twoClouds::expect(clouds);
      std::vector<Strategy> ways;
      for (const Strategy& strategy : strategies::all(static_cast<std::size_t>(dims)))
        if (strategy.denseCells == Toggle::Auto && strategy.earlyStop == Toggle::Auto &&
            strategy.indexedDims <= 3 && twoClouds::legal(strategy))
          ways.push_back(strategy);
      // One in seven, which shares no factor with the number of values of any option.
      int done = 0;
      for (std::size_t i = seed; i < ways.size(); i += 7) {
        const Strategy& strategy = ways[i];
        const std::string what = twoClouds::difference(*backend, clouds, expected, strategy);
        QVERIFY2(what.empty(), what.c_str());
        ++done;
      }
      QVERIFY(done > 60);
      const std::string what =
          twoClouds::difference(*backend, clouds, expected, {.method = Method::BruteForce});
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void anyNumberOfDimensions() {
    for (const std::size_t dims : {1, 4, 5, 7, 8, 12, 20, 41, 90})
      for (const Precision precision : {Precision::Double, Precision::Single}) {
        const std::string what =
            differs(drawn(dims, "blobs", 90, 110, dims), {.precision = precision});
        QVERIFY2(what.empty(), what.c_str());
      }
  }

  void aCloudWithItself() {
    const auto backend = cpu();
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud =
          draws::draw(random, draws::kAllKinds[seed % draws::kAllKinds.size()], 300, 1 + seed % 4);
      const double eps = draws::drawEps(random, cloud);
      const JoinInput two(cloud, cloud);
      const auto counts = backend->count(cloud, eps, {}, {});
      const auto pairs = backend->pairs(cloud, eps, {}, {});
      const auto bins = backend->histogram(cloud, eps, 5, {}, {});
      QVERIFY(backend->count(two, eps, {}, {})->counts == counts->counts);
      const Strategy grid{.indexedDims = int(cloud.dims())};  // others examine other candidates
      QVERIFY(backend->count(two, eps, grid, {})->candidates ==
              backend->count(cloud, eps, grid, {})->candidates);
      QVERIFY(backend->pairs(two, eps, {}, {})->pairs == pairs->pairs);
      QVERIFY(backend->histogram(two, eps, 5, {}, {})->pairs == bins->pairs);
    }
  }

  void oneCloudsLowestLabels() {
    const auto clouds = drawn(3, "blobs", 200, 200, 2);
    const auto expected = twoClouds::expect({clouds.points, clouds.points, clouds.eps});
    const auto found = cpu()->lowestLabels(clouds.points, expected.given, clouds.eps, {}, {});
    QVERIFY(found->labels == expected.lowest);
  }

  void farAway() {
    auto clouds = drawn(1, "uniform", 200, 300, 3);
    for (double& x : clouds.queries.columns[1]) x += 1e6;
    const auto expected = twoClouds::expect(clouds);
    QVERIFY(expected.pairs.empty());
    std::mt19937_64 random(2);
    for (int i = 0; i < 60; ++i) {
      const std::string what =
          twoClouds::difference(*cpu(), clouds, expected, twoClouds::drawStrategy(random, 3));
      QVERIFY2(what.empty(), what.c_str());
    }
    QCOMPARE(cpu()->count(JoinInput(clouds.queries, clouds.points), clouds.eps, {}, {})->candidates,
             std::uint64_t{0});
  }

  // Differences that overflow are no neighbours and no crash.
  void oppositeEndsOfTheDoubles() {
    twoClouds::Clouds clouds;
    clouds.points = draws::fromRows({{1.7e308, 0}, {1.6e308, 1}});
    clouds.queries = draws::fromRows({{-1.7e308, 0}, {0, 0}, {-1.7e308, 1}});
    clouds.eps = 1;
    std::mt19937_64 random(4);
    const auto expected = twoClouds::expect(clouds);
    QVERIFY(expected.pairs.empty());
    for (int i = 0; i < 60; ++i) {
      const std::string what =
          twoClouds::difference(*cpu(), clouds, expected, twoClouds::drawStrategy(random, 2));
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void onePoint() {
    for (const double x : {0.0, 1.0, 1.0 + 0x1p-52, -1.0, 5.0}) {
      const twoClouds::Clouds clouds{draws::fromRows({{x, 0}}), draws::fromRows({{0, 0}}), 1.0};
      const std::string what = differs(clouds);
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  // A query beyond a face whose folded offset would equal that of a point two cells away.
  void beyondAFaceInSinglePrecision() {
    twoClouds::Clouds clouds;
    clouds.eps = 1;
    for (int i = 0; i < 40; ++i) {
      auto& rows = i % 2 == 0 ? clouds.points : clouds.queries;
      if (rows.columns.empty()) rows.columns.resize(2);
      rows.columns[0].push_back(i % 2 == 0 ? 0.25 * i : 0.25 * i - 3.5);
      rows.columns[1].push_back(0);
    }
    for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Tile})
      for (const Toggle toggle : strategies::kOnOff) {
        const std::string what = differs(clouds, {.pattern = pattern,
                                                  .sortIdu = toggle,
                                                  .shortCircuit = toggle,
                                                  .precision = Precision::Single});
        QVERIFY2(what.empty(), what.c_str());
      }
  }

  // Where one query cell meets one cell of points, counts come from boxes, not from n² distances.
  void equalPointsAreQuick() {
    const std::size_t n = 200'000;
    const PointCloud a = draws::fromRows(std::vector<std::vector<double>>(n, {3.5, -1}));
    const PointCloud b = draws::fromRows(std::vector<std::vector<double>>(n, {3.25, -1}));
    const auto counts = cpu()->count(JoinInput(a, b), 0.5, {}, {});
    QVERIFY(counts.has_value());
    QCOMPARE(counts->pairs, std::uint64_t{n} * n);
    QVERIFY(counts->counts == std::vector<std::uint32_t>(n, n));
    const auto bins = cpu()->histogram(JoinInput(a, b), 0.5, 4, {}, {});
    QVERIFY(bins->pairs == (std::vector<std::uint64_t>{0, std::uint64_t{n} * n, 0, 0}));
  }

  // The contract of grid/grid_queries.h: pairs that the predicate accepts lie in adjacent cells,
  // and no query with a neighbour is left out.
  void queriesLoseNoPair() {
    std::size_t pairs = 0;
    std::size_t leftOut = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = 1 + seed % 3;
      const auto clouds = drawn(seed, kind, 80, 80, dims);
      if (!validate(clouds.queries)) continue;
      const int reach = 1 + static_cast<int>(seed / 2 % 2);
      std::vector<int> indexed;
      for (std::size_t j = 0; j < dims; ++j) indexed.push_back(static_cast<int>(j));
      const Bounds bounds = boundsOf(clouds.points);
      const auto geometry = makeCellGeometry(clouds.points, bounds, clouds.eps, reach, indexed);
      QVERIFY(geometry.has_value());
      std::vector<std::uint64_t> ids(clouds.queries.size());
      queryCellIds(*geometry, bounds, clouds.eps * clouds.eps, clouds.queries, 0, ids);
      leftOut += static_cast<std::size_t>(std::count(ids.begin(), ids.end(), kNoCell));
      for (const Pair& pair : twoClouds::expect(clouds).pairs) {
        ++pairs;
        const std::uint64_t id = ids[static_cast<std::size_t>(pair.p)];
        QVERIFY(id != kNoCell);
        const auto a = geometry->coordinatesOf(id);
        const auto b = geometry->coordinatesOf(
            geometry->linearId(clouds.points, static_cast<std::size_t>(pair.q)));
        for (std::size_t i = 0; i < a.size(); ++i) {
          QVERIFY(std::abs(static_cast<std::int64_t>(a[i]) - static_cast<std::int64_t>(b[i])) <=
                  reach);
          QVERIFY(a[i] >= static_cast<std::uint32_t>(reach));
          QVERIFY(a[i] + static_cast<std::uint32_t>(reach) < geometry->extent[i]);
        }
      }
    }
    QVERIFY2(pairs > 10'000 && leftOut > 500,
             (std::to_string(pairs) + ", " + std::to_string(leftOut)).c_str());
  }

  void costOfKAsksTheQueries() {
    const auto clouds = drawn(6, "blobs", 400, 300, 4);
    const JoinInput input(clouds.queries, clouds.points);
    const Strategy strategy = decideWithoutK({}, SinkKind::Counts, 4, {});
    const auto model = costOfK(input, clouds.eps, strategy);
    QVERIFY(model.has_value());
    QCOMPARE(model->costs.size(), std::size_t{4});
    QVERIFY(model->sampled >= 32 && model->sampled <= 256);
    auto moved = clouds.queries;
    for (double& x : moved.columns[0]) x += 1e9;
    const auto far = costOfK(JoinInput(moved, clouds.points), clouds.eps, strategy);
    for (const CostOfK& cost : far->costs) QCOMPARE(cost.total(), 0.0);
    QVERIFY(model->costs[0].distanceOps > 0);
    // A query between the points, with none near it.
    const PointCloud lonely = draws::fromRows({{0, 10}});
    const PointCloud corners = draws::fromRows({{0, 0}, {10, 10}});
    const auto between = costOfK(JoinInput(lonely, corners), 1, {.pattern = AccessPattern::Full});
    QVERIFY(between.has_value());
    for (const CostOfK& cost : between->costs) QVERIFY(std::isfinite(cost.total()));
    QCOMPARE(between->costs[1].distanceOps, 0.0);
  }

  void refusals() {
    const auto backend = cpu();
    const PointCloud good = draws::fromRows({{0, 0}, {1, 1}});
    const PointCloud flat = draws::fromRows({{0}, {1}});
    const PointCloud bad = draws::fromRows({{0, std::numeric_limits<double>::quiet_NaN()}});
    const std::vector<std::int32_t> labels{0, 1};
    const auto errors = [&](const JoinInput& input, double eps, const Strategy& strategy) {
      std::vector<Error> found;
      const auto add = [&](const auto& result) {
        found.push_back(result ? Error{ErrorKind::Cancelled, ""} : result.error());
      };
      add(backend->count(input, eps, strategy, {}));
      add(backend->pairs(input, eps, strategy, {}));
      add(backend->neighbourTable(input, eps, strategy, {}));
      add(backend->histogram(input, eps, 3, strategy, {}));
      add(backend->lowestLabels(input, labels, eps, strategy, {}));
      return found;
    };
    const auto allSay = [&](const std::vector<Error>& found, ErrorKind kind, const char* words) {
      return std::all_of(found.begin(), found.end(), [&](const Error& error) {
        return error.kind == kind && error.message.find(words) != std::string::npos;
      });
    };
    QVERIFY(allSay(errors({flat, good}, 1, {}), ErrorKind::BadInput, "dimensions"));
    QVERIFY(allSay(errors({bad, good}, 1, {}), ErrorKind::BadInput, "query points"));
    QVERIFY(allSay(errors({good, bad}, 1, {}), ErrorKind::BadInput, "searched"));
    QVERIFY(allSay(errors({PointCloud{}, good}, 1, {}), ErrorKind::BadInput, "query points"));
    QVERIFY(allSay(errors({good, PointCloud{}}, 1, {}), ErrorKind::BadInput, "searched"));
    QVERIFY(allSay(errors({good, good}, -1, {}), ErrorKind::BadCall, ""));
    for (const AccessPattern half : {AccessPattern::Unicomp, AccessPattern::LidUnicomp})
      QVERIFY(allSay(errors({good, good}, 1, {.pattern = half}), ErrorKind::BadCall,
                     "choose full or tile"));
    QVERIFY(
        allSay(errors({good, good}, 1, {.method = Method::GDbscanPaper}), ErrorKind::BadCall, ""));
    QVERIFY(allSay(errors({good, good}, 1, {.method = Method::SuperEgo}), ErrorKind::BadCall, ""));
    QVERIFY(backend->count({good, good}, 1, {.method = Method::RTree}, {})
                .error()
                .message.find("with itself only") != std::string::npos);
    const std::vector<std::int32_t> tooFew{0};
    const auto found = backend->lowestLabels({good, good}, tooFew, 1, {}, {});
    QCOMPARE(found.error().kind, ErrorKind::BadCall);
    QCOMPARE(bruteForceLowestLabelsKind(good, tooFew), ErrorKind::BadCall);
    constexpr BackendLimits kOne{.name = "one"};
    const auto legal = checkStrategy({}, SinkKind::Counts, kOne, 2, JoinSides::TwoClouds);
    QVERIFY(!legal && legal.error().message.find("one backend") != std::string::npos);
    constexpr BackendLimits kTwo{.name = "two", .twoClouds = true};
    QVERIFY(checkStrategy({}, SinkKind::Counts, kTwo, 2, JoinSides::TwoClouds).has_value());
    QVERIFY(!checkStrategy({}, SinkKind::Dbscan, kTwo, 2, JoinSides::TwoClouds));
  }

  // Points of the cloud itself get their own labels; others what core points near them give.
  void newPointsAreLabelled() {
    const auto backend = cpu();
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const auto clouds = drawn(seed, seed % 2 == 0 ? "blobs" : "tenths", 150, 250, 2);
      const auto clustering = backend->dbscan(clouds.points, {clouds.eps, 4}, {}, {});
      QVERIFY(clustering.has_value());
      const auto own = labelNewPoints(*backend, clouds.points, *clustering, clouds.points, {}, {});
      QVERIFY(own->labels == clustering->labels);
      const auto found =
          labelNewPoints(*backend, clouds.points, *clustering, clouds.queries, {}, {});
      std::vector<std::int32_t> expected(clouds.queries.size(), -1);
      for (const Pair& pair : twoClouds::expect(clouds).pairs) {
        const auto q = static_cast<std::size_t>(pair.q);
        if (clustering->roles[q] != PointRole::Core) continue;
        std::int32_t& label = expected[static_cast<std::size_t>(pair.p)];
        if (label < 0 || clustering->labels[q] < label) label = clustering->labels[q];
      }
      QVERIFY(found->labels == expected);
    }
  }

  void stops() {
    std::mt19937_64 random(1);
    const PointCloud a = draws::draw(random, "uniform", 30000, 2);
    const PointCloud b = draws::draw(random, "uniform", 30000, 2);
    const std::vector<std::int32_t> labels(b.size(), 1);
    const JoinInput input(a, b);
    const auto backend = cpu();
    // Stopped before, and in the middle of each stage that is told of.
    for (const char* stage : {"", "index", "counting", "filling", "border points"}) {
      std::stop_source source;
      if (*stage == 0) source.request_stop();
      std::atomic<bool> told = false;
      const Task task{source.get_token(), [&](std::string_view name, double) {
                        if (name != stage) return;
                        told = true;
                        source.request_stop();
                      }};
      const auto stopped = [&](const auto& result) {
        return !result && result.error().kind == ErrorKind::Cancelled;
      };
      const std::string at = stage;
      if (at.empty() || at == "index" || at == "counting") {
        QVERIFY(stopped(backend->count(input, 1, {}, task)));
        QVERIFY(stopped(backend->histogram(input, 1, 5, {}, task)));
      }
      if (at != "border points") QVERIFY(stopped(backend->pairs(input, 1, {}, task)));
      if (at.empty() || at == "border points")
        QVERIFY(stopped(backend->lowestLabels(input, labels, 1, {}, task)));
      QVERIFY(at.empty() || told);
    }
  }

 private:
  static ErrorKind bruteForceLowestLabelsKind(const PointCloud& cloud,
                                              const std::vector<std::int32_t>& labels) {
    return cpu()
        ->lowestLabels({cloud, cloud}, labels, 1, {.method = Method::BruteForce}, {})
        .error()
        .kind;
  }
};

APPLESS_TEST(TestTwoClouds);
#include "tst_two_clouds.moc"
