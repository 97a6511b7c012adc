// DBSCAN of weighted points against a comparison of all pairs.
#include <QtTest/QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/forwarding_backend.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Points on a lattice: many equal points, and distances that tie with ε.
PointCloud lattice(std::uint64_t seed, std::size_t points, std::size_t dims, int steps) {
  std::mt19937_64 draw(seed);
  PointCloud cloud;
  cloud.columns.assign(dims, std::vector<double>(points));
  for (auto& column : cloud.columns)
    for (double& x : column) x = static_cast<double>(draw() % static_cast<std::uint64_t>(steps));
  for (std::size_t j = 0; j < dims; ++j) cloud.names.push_back(std::to_string(j));
  return cloud;
}

bool near(const PointCloud& cloud, std::size_t p, std::size_t q, double eps) {
  double sum = 0;
  for (const auto& column : cloud.columns) sum += (column[p] - column[q]) * (column[p] - column[q]);
  return sum <= eps * eps;
}

struct Answer {
  std::vector<std::int32_t> labels;
  std::vector<bool> core;
};

Answer byAllPairs(const PointCloud& cloud, const std::vector<double>& weights, double eps,
                  double least) {
  const std::size_t n = cloud.size();
  Answer answer{std::vector<std::int32_t>(n, -1), std::vector<bool>(n)};
  for (std::size_t p = 0; p < n; ++p) {
    double sum = 0;
    for (std::size_t q = 0; q < n; ++q)
      if (near(cloud, p, q, eps)) sum += weights[q];
    answer.core[p] = sum >= least;
  }
  std::int32_t clusters = 0;
  for (std::size_t start = 0; start < n; ++start) {
    if (!answer.core[start] || answer.labels[start] >= 0) continue;
    std::vector<std::size_t> waiting{start};
    answer.labels[start] = clusters;
    while (!waiting.empty()) {
      const std::size_t p = waiting.back();
      waiting.pop_back();
      for (std::size_t q = 0; q < n; ++q) {
        if (!answer.core[q] || answer.labels[q] >= 0 || !near(cloud, p, q, eps)) continue;
        answer.labels[q] = clusters;
        waiting.push_back(q);
      }
    }
    ++clusters;
  }
  for (std::size_t p = 0; p < n; ++p) {
    if (answer.core[p]) continue;
    std::int32_t lowest = clusters;
    for (std::size_t q = 0; q < n; ++q)
      if (answer.core[q] && near(cloud, p, q, eps)) lowest = std::min(lowest, answer.labels[q]);
    if (lowest < clusters) answer.labels[p] = lowest;
  }
  return answer;
}

/// The CPU, which tells of batches of counts and tables as a GPU does.
class BatchedTables final : public JoinsBy<BatchedTables, ForwardingBackend> {
 public:
  using ForwardingBackend::join;
  using JoinsBy::JoinsBy;
  Result<NeighbourCounts> join(const JoinCall<NeighbourCounts>& call) const {
    return told(call.on(backend()), 4, "count");
  }
  Result<NeighbourTable> join(const JoinCall<NeighbourTable>& call) const {
    auto table = told(call.on(backend()), 3, "fill");
    table->stats.predictions = {{.join = "table", .predicted = 2, .measured = 1.5}};
    return table;
  }

 private:
  template <class T>
  static Result<T> told(Result<T> result, std::size_t batches, const char* kernel) {
    result->stats.timeline.resize(batches);
    result->stats.kernels = {{.name = kernel, .seconds = 1, .launches = 1}};
    return result;
  }
};

/// The CPU, which lists no neighbours.
class WithoutTables final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  Result<NeighbourTable> neighbourTable(const JoinInput&, double, const Strategy&,
                                        const Task&) const override {
    return badCall("no tables here");
  }
};

/// Notes the prepared cloud of each join.
class NotedPrepared final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  Result<NeighbourCounts> count(const JoinInput& input, double eps, const Strategy& strategy,
                                const Task& task) const override {
    seen.push_back(input.prepared);
    return ForwardingBackend::count(input, eps, strategy, task);
  }
  Result<NeighbourTable> neighbourTable(const JoinInput& input, double eps,
                                        const Strategy& strategy, const Task& task) const override {
    seen.push_back(input.prepared);
    return ForwardingBackend::neighbourTable(input, eps, strategy, task);
  }

  mutable std::vector<const PreparedCloud*> seen;
};

}  // namespace

class TestWeightedDbscan : public QObject {
  Q_OBJECT

  std::unique_ptr<Backend> backend_ = std::move(*makeBackend("cpu", {}));

  Result<Clustering> run(const PointCloud& cloud, const std::vector<double>& weights, double eps,
                         std::int64_t minPts, const Strategy& strategy = {}) const {
    return weightedDbscan(*backend_, cloud, weights, {eps, minPts}, strategy, {});
  }

 private slots:
  void labelsAreThoseOfAllPairs_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("lowest");
    QTest::addColumn<double>("step");
    QTest::newRow("counts") << 2 << 0.0 << 1.0;
    QTest::newRow("quarters") << 2 << 0.25 << 0.25;
    QTest::newRow("negative") << 2 << -2.0 << 0.5;
    QTest::newRow("one dimension") << 1 << 0.0 << 0.5;
    QTest::newRow("three dimensions") << 3 << -1.0 << 0.5;
    QTest::newRow("six dimensions") << 6 << 0.0 << 0.5;
    QTest::newRow("rounded sums") << 2 << 0.1 << 0.1;
  }
  void labelsAreThoseOfAllPairs() {
    QFETCH(int, dims);
    QFETCH(double, lowest);
    QFETCH(double, step);
    const int steps[] = {0, 150, 22, 9, 6, 5, 4};
    const PointCloud cloud = lattice(std::uint64_t(dims), 400, std::size_t(dims), steps[dims]);
    std::mt19937_64 draw(7);
    std::vector<double> weights(cloud.size());
    for (double& w : weights) w = lowest + step * static_cast<double>(draw() % 8);
    for (const std::int64_t minPts : {1, 4, 9}) {
      const Answer expected = byAllPairs(cloud, weights, 1, static_cast<double>(minPts));
      for (const AccessPattern pattern :
           {AccessPattern::Tile, AccessPattern::Full, AccessPattern::Unicomp}) {
        Strategy strategy;
        strategy.pattern = pattern;
        const auto found = run(cloud, weights, 1, minPts, strategy);
        QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
        QCOMPARE(found->labels, expected.labels);
        std::uint64_t core = 0;
        for (std::size_t p = 0; p < cloud.size(); ++p) {
          QCOMPARE(found->roles[p] == PointRole::Core, bool(expected.core[p]));
          core += expected.core[p] ? 1 : 0;
        }
        QCOMPARE(found->coreCount, core);
        QCOMPARE(found->coreCount + found->borderCount + found->noiseCount, cloud.size());
        QCOMPARE(found->params.minPts, minPts);
      }
    }
  }

  void weightsOfOneAreNone() {
    const PointCloud cloud = lattice(3, 3000, 2, 60);
    const auto plain = backend_->dbscan(cloud, {1, 4}, {}, {});
    const auto weighted = run(cloud, std::vector<double>(cloud.size(), 1), 1, 4);
    QVERIFY(plain && weighted);
    QCOMPARE(weighted->labels, plain->labels);
    QVERIFY(weighted->roles == plain->roles);
    QCOMPARE(weighted->clusters, plain->clusters);
  }

  /// A weight k stands for k equal points.
  /// Each core point has the rank that owned it, the others none.
  void ownersAreOfAllPoints() {
    BackendOptions options;
    options.ranks = 3;
    const auto ranks = makeBackend("cpu", options);
    const PointCloud cloud = lattice(5, 400, 2, 22);
    std::mt19937_64 draw(9);
    std::vector<double> weights(cloud.size());
    for (double& w : weights) w = static_cast<double>(draw() % 3);
    const auto found = weightedDbscan(**ranks, cloud, weights, {1, 4}, {}, {});
    const auto expected = run(cloud, weights, 1, 4);
    QVERIFY(found && expected);
    QCOMPARE(found->labels, expected->labels);
    QVERIFY(found->coreCount > 0 && found->coreCount < cloud.size());
    QVERIFY(found->stats.owners);
    QCOMPARE(found->stats.owners->size(), cloud.size());
    for (std::size_t p = 0; p < cloud.size(); ++p)
      QCOMPARE((*found->stats.owners)[p] < 3, found->roles[p] == PointRole::Core);
  }

  /// What the batch-size model said of the neighbour table, its batches and all kernels are told.
  void joinsAreTold() {
    const PointCloud cloud = lattice(6, 300, 2, 20);
    const BatchedTables backend(std::shared_ptr<const Backend>(std::move(*makeBackend("cpu", {}))));
    std::vector<double> weights(cloud.size(), 2);
    weights[0] = 0.5;
    const auto found = weightedDbscan(backend, cloud, weights, {1, 4}, {}, {});
    QVERIFY(found && found->coreCount > 0);
    const RunStats& stats = found->stats;
    QCOMPARE(stats.predictions.size(), std::size_t{1});
    QCOMPARE(stats.predictions[0].measured, 1.5);
    QCOMPARE(stats.timeline.size(), std::size_t{3});
    QCOMPARE(stats.kernels.size(), std::size_t{2});
    QCOMPARE(stats.kernels[0].name, std::string("count"));
  }

  /// Each join of the points finds what their prepared cloud keeps: with whole tables and in parts.
  void joinsUseThePreparedCloud() {
    const auto points = std::make_shared<const PointCloud>(lattice(6, 300, 2, 20));
    std::vector<double> weights(points->size());
    for (std::size_t p = 0; p < weights.size(); ++p) weights[p] = 1 + static_cast<double>(p % 3);
    const PreparedCloud prepared(points);
    const auto expected = run(*points, weights, 1, 6);
    for (const std::uint64_t mostPairs : {kMostWeightedPairs, std::uint64_t{50}}) {
      const NotedPrepared backend(
          std::shared_ptr<const Backend>(std::move(*makeBackend("cpu", {}))));
      const auto found = weightedDbscan(backend, prepared, weights, {1, 6}, {}, {}, {}, mostPairs);
      QVERIFY(found && expected);
      QCOMPARE(found->labels, expected->labels);
      QVERIFY(backend.seen.size() >= (mostPairs == kMostWeightedPairs ? 2u : 3u));
      for (const PreparedCloud* each : backend.seen) QCOMPARE(each, &prepared);
    }
  }

  void twoCloudsAreRefused() {
    const PointCloud cloud = lattice(6, 30, 2, 20);
    const std::vector<double> weights(cloud.size(), 1);
    const auto found = weightedDbscan(*backend_, JoinInput(cloud, cloud), weights, {1, 4}, {}, {});
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::BadCall);
  }

  void aWeightStandsForEqualPoints() {
    const PointCloud cloud = lattice(4, 500, 2, 40);
    std::vector<double> weights(cloud.size());
    PointCloud repeated{std::vector<Coordinates>(2), cloud.names};
    std::vector<std::size_t> first;
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      weights[p] = static_cast<double>(1 + p % 3);
      first.push_back(repeated.size());
      for (std::size_t copy = 0; copy <= p % 3; ++copy)
        for (std::size_t j = 0; j < 2; ++j) repeated.columns[j].push_back(cloud.columns[j][p]);
    }
    const auto weighted = run(cloud, weights, 1, 6);
    const auto plain = backend_->dbscan(repeated, {1, 6}, {}, {});
    QVERIFY(weighted && plain);
    QVERIFY(weighted->clusters > 1 && weighted->noiseCount > 0);
    for (std::size_t p = 0; p < cloud.size(); ++p)
      QCOMPARE(weighted->labels[p], plain->labels[first[p]]);
  }

  /// The number of neighbours decides: 50 million pairs are not listed.
  void pointsOfOnePlaceNeedNoRows() {
    PointCloud cloud = lattice(7, 20'000, 1, 4);
    for (std::size_t p = 0; p < cloud.size(); ++p) cloud.columns[0][p] *= 10;
    cloud.columns[0][5] = 1000;
    std::vector<double> weights(cloud.size());
    for (std::size_t p = 0; p < weights.size(); ++p) weights[p] = 1 + static_cast<double>(p % 3);
    const WithoutTables backend(std::shared_ptr<const Backend>(std::move(*makeBackend("cpu", {}))));
    const auto found = weightedDbscan(backend, cloud, weights, {1, 12}, {}, {});
    QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
    QCOMPARE(found->clusters, 4);
    QCOMPARE(found->noiseCount, std::uint64_t{1});
    weights[7] = -1;  // then sums are needed
    QVERIFY(!weightedDbscan(backend, cloud, weights, {1, 12}, {}, {}));
  }

  /// Just enough, or not, by sums that are rounded.
  void sumsAtTheLimitAreAdded() {
    PointCloud cloud = lattice(8, 1000, 1, 1);
    for (const double weight : {0.1, 0.3, 1.0 / 3}) {
      const std::vector<double> weights(cloud.size(), weight);
      double sum = 0;
      for (const double w : weights) sum += w;
      const auto least = static_cast<std::int64_t>(std::ceil(sum));
      QCOMPARE(run(cloud, weights, 1, least)->coreCount,
               sum >= static_cast<double>(least) ? cloud.size() : 0);
      QCOMPARE(run(cloud, weights, 1, least - 1)->coreCount, cloud.size());
      QCOMPARE(run(cloud, weights, 1, least + 1)->coreCount, std::uint64_t{0});
    }
  }

  /// More pairs than one table holds: the rows are divided between several.
  void manyPairsAreDivided() {
    PointCloud cloud = lattice(5, 17'000, 1, 2);
    std::vector<double> weights(cloud.size(), 1);
    std::uint64_t zeros = 0;
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      cloud.columns[0][p] *= 10;
      if (cloud.columns[0][p] == 0) ++zeros;
    }
    weights[0] = 0.5;  // half a point less on one of the two places
    const std::uint64_t there = cloud.columns[0][0] == 0 ? zeros : cloud.size() - zeros;
    const std::uint64_t elsewhere = cloud.size() - there;
    QVERIFY(there * there + elsewhere * elsewhere > std::uint64_t{1} << 27);
    const auto found = run(cloud, weights, 1, static_cast<std::int64_t>(there));
    QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
    QCOMPARE(found->coreCount, elsewhere >= there ? elsewhere : 0);
  }

  void onePointAndNoCore() {
    const PointCloud one{{{1.0}, {2.0}}, {"x", "y"}};
    QCOMPARE(run(one, {3}, 1, 3)->labels, std::vector<std::int32_t>{0});
    const auto none = run(one, {2.5}, 1, 3);
    QCOMPARE(none->labels, std::vector<std::int32_t>{kNoise});
    QCOMPARE(none->clusters, 0);
    QCOMPARE(none->noiseCount, std::uint64_t{1});
    // minPts above the number of points, which without weights is all noise.
    QCOMPARE(run(one, {1e9}, 1, 1000)->labels, std::vector<std::int32_t>{0});
  }

  void badCalls() {
    const PointCloud cloud = lattice(1, 10, 2, 3);
    const std::vector<double> ones(10, 1);
    const auto kindOf = [](const Result<Clustering>& result) {
      return result ? QString("fine") : QString::fromStdString(result.error().message);
    };
    QVERIFY(kindOf(run(cloud, std::vector<double>(9, 1), 1, 2)).contains("9 weights for 10"));
    auto bad = ones;
    bad[4] = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(kindOf(run(cloud, bad, 1, 2)).contains("point 4"));
    QVERIFY(kindOf(run(cloud, ones, 1, 0)).contains("minPts"));
    QVERIFY(kindOf(run(cloud, ones, 0, 2)).contains("ε"));
    QVERIFY(kindOf(run({}, {}, 1, 2)).contains("no dimensions"));
    Strategy groups;
    groups.threadsPerPoint = 8;
    QVERIFY(kindOf(run(cloud, ones, 1, 2, groups)).contains("one thread per point"));
  }

  void aStopEndsIt() {
    std::stop_source stop;
    const PointCloud cloud = lattice(6, 20'000, 2, 100);
    const std::vector<double> ones(cloud.size(), 1);
    const Task task{stop.get_token(), [&](std::string_view, double) { stop.request_stop(); }};
    const auto found = weightedDbscan(*backend_, cloud, ones, {3, 5}, {}, task);
    QVERIFY(!found && found.error().kind == ErrorKind::Cancelled);
  }
};

APPLESS_TEST(TestWeightedDbscan);
#include "tst_weighted_dbscan.moc"
