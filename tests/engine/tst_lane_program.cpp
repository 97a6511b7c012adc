#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/point_distance.h"
#include "engine/core/predicate.h"
#include "engine/grid/dimension_order.h"
#include "engine/join/join_plan.h"
#include "engine/join/join_view.h"
#include "engine/join/lane_program.h"
#include "engine/join/schedule.h"
#include "metric_agreement.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using IdPair = std::pair<std::uint32_t, std::uint32_t>;

struct CollectSink {
  std::multiset<IdPair>& pairs;
  bool hit(std::uint32_t p, std::uint32_t q) {
    pairs.emplace(p, q);
    return false;
  }
};

JoinPlan planFor(double eps, AccessPattern pattern, int k) {
  JoinPlan plan;
  plan.squaredEps = *epsSquared(eps);
  plan.strategy.pattern = pattern;
  plan.strategy.indexedDims = k;
  for (int j = 0; j < k; ++j) plan.dims.push_back(j);
  return plan;
}

}  // namespace

/// The lane programs: which cells a pattern visits, that every ordered pair comes exactly once, and
/// what the schedules hand out.
class LaneProgram : public QObject {
  Q_OBJECT
 private slots:
  void halfPatternsVisitEveryPairOfCellsOnce_data() {
    QTest::addColumn<int>("dims");
    for (int dims = 1; dims <= 6; ++dims) QTest::addRow("%d dimensions", dims) << dims;
  }
  void halfPatternsVisitEveryPairOfCellsOnce() {
    QFETCH(int, dims);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims) + 40);
    const PointCloud cloud = draws::draw(random, "uniform", 700, static_cast<std::size_t>(dims));
    std::map<AccessPattern, std::multiset<IdPair>> visits;
    for (const auto pattern :
         {AccessPattern::Full, AccessPattern::Unicomp, AccessPattern::LidUnicomp}) {
      const JoinPlan plan = planFor(dims < 3 ? 0.3 : 2.5, pattern, dims);
      const auto index =
          buildGridIndex(cloud, {.eps = dims < 3 ? 0.3 : 2.5, .reach = 1, .dims = plan.dims}, {});
      QVERIFY(index.has_value());
      const HostJoinView host(*index, plan);
      SerialLane lane;
      for (std::uint32_t c = 0; c < host.view.cells; ++c)
        visitAdjacentCells<0>(lane, host.view, c, [&](std::uint32_t other) {
          visits[pattern].emplace(c, other);
          return false;
        });
    }
    const auto& full = visits[AccessPattern::Full];
    QVERIFY(dims > 5 || !full.empty());
    for (const auto& [a, b] : full) {
      QCOMPARE(full.count({a, b}), std::size_t{1});
      QCOMPARE(full.count({b, a}), std::size_t{1});
    }
    for (const auto half : {AccessPattern::Unicomp, AccessPattern::LidUnicomp}) {
      QCOMPARE(visits[half].size() * 2, full.size());
      for (const auto& [a, b] : full)
        QCOMPARE(visits[half].count({a, b}) + visits[half].count({b, a}), std::size_t{1});
    }
  }

  void everyOrderedPairComesOnce_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("k");
    QTest::addColumn<bool>("sortIdu");
    QTest::addColumn<bool>("shortCircuit");
    for (int pattern = 0; pattern < 4; ++pattern)
      for (const auto& [dims, k] :
           std::vector<std::pair<int, int>>{{1, 1}, {2, 2}, {2, 1}, {3, 3}, {5, 2}, {6, 6}})
        for (const bool sortIdu : {false, true})
          for (const bool shortCircuit : {false, true})
            QTest::addRow("pattern %d, n %d, k %d%s%s", pattern, dims, k, sortIdu ? " SORTIDU" : "",
                          shortCircuit ? " SHORTC" : "")
                << pattern << dims << k << sortIdu << shortCircuit;
  }
  void everyOrderedPairComesOnce() {
    QFETCH(int, pattern);
    QFETCH(int, dims);
    QFETCH(int, k);
    QFETCH(bool, sortIdu);
    QFETCH(bool, shortCircuit);
    std::mt19937_64 random(77);
    const PointCloud cloud = draws::draw(random, "lattice", 220, static_cast<std::size_t>(dims));
    const double eps = dims < 3 ? 1.0 : std::sqrt(2.0);
    JoinPlan plan = planFor(eps, static_cast<AccessPattern>(pattern), k);
    plan.strategy.shortCircuit = shortCircuit ? Toggle::On : Toggle::Off;
    if (shortCircuit) plan.sumOrder = dimensionsByVariance(cloud);
    if (sortIdu) plan.sortWithinCells = std::min(k, dims - 1);
    const auto index = buildGridIndex(
        cloud, {.eps = eps, .reach = 1, .dims = plan.dims, .sortWithinCells = plan.sortWithinCells},
        {});
    QVERIFY(index.has_value());
    const HostJoinView host(*index, plan);
    const auto cellOf = index->cellOfPosition();

    std::multiset<IdPair> expected;
    std::uint64_t examined = 0;
    for (std::uint32_t p = 0; p < cloud.size(); ++p)
      for (std::uint32_t q = 0; q < cloud.size(); ++q)
        if (withinEps(canonicalSquaredDistance(index->ordered, p, q), eps * eps))
          expected.emplace(p, q);
    // By cells or by rows, with the number of dimensions read from the view and known at compile
    // time; `lanes` lanes per query share its candidates without losing or doubling one.
    std::multiset<IdPair> found;
    CollectSink sink{found};
    const auto ask = [&]<int D>(Dims<D>, std::uint32_t lanes) {
      SerialLane lane;
      std::uint64_t decided = 0;
      found.clear();
      for (std::uint32_t p = 0; p < cloud.size(); ++p)
        for (std::uint32_t phase = 0; phase < lanes; ++phase)
          decided += plan.strategy.pattern == AccessPattern::Tile
                         ? queryByRows<D>(lane, host.view, p, cellOf[p], phase, lanes, sink)
                         : queryByCells<D>(lane, host.view, p, cellOf[p], phase, lanes, sink);
      return decided;
    };
    for (const std::uint32_t lanes : {1U, 2U, 32U}) {
      examined = ask(Dims<0>{}, lanes);
      QVERIFY(found == expected);
      withDims(dims, [&](auto known) { QCOMPARE(ask(known, lanes), examined); });
      QVERIFY(found == expected);
    }

    // The same with distances in float, with the predicate where they do not decide.
    JoinPlan singlePlan = plan;
    singlePlan.strategy.precision = Precision::Single;
    singlePlan.single =
        singlePrecisionFor(index->geometry, boundsOf(cloud), eps, singlePlan.sumOrder);
    QVERIFY(singlePlan.single.band <= kWidestBand);
    const HostJoinView single(*index, singlePlan);
    const auto askInSingle = [&]<int D>(Dims<D>) {
      SerialLane lane;
      std::uint64_t decided = 0;
      found.clear();
      for (std::uint32_t p = 0; p < cloud.size(); ++p)
        decided += plan.strategy.pattern == AccessPattern::Tile
                       ? queryByRows<D, float>(lane, single.view, p, cellOf[p], 0, 1, sink)
                       : queryByCells<D, float>(lane, single.view, p, cellOf[p], 0, 1, sink);
      return decided;
    };
    QCOMPARE(askInSingle(Dims<0>{}), examined);
    QVERIFY(found == expected);
    withDims(dims, [&](auto known) { QCOMPARE(askInSingle(known), examined); });
    QVERIFY(found == expected);

    // With a directory of every linear id the rows are the same.
    if (plan.strategy.pattern == AccessPattern::Tile) {
      const CellGeometry& geometry = index->geometry;
      std::vector<std::uint32_t> directory;
      for (std::uint64_t id = 0; id <= geometry.stride[0] * geometry.extent[0]; ++id)
        directory.push_back(index->cellStart[index->firstCellFrom(id)]);
      JoinView withDirectory = host.view;
      withDirectory.directory = directory.data();
      SerialLane lane;
      std::uint64_t decided = 0;
      found.clear();
      for (std::uint32_t p = 0; p < cloud.size(); ++p)
        decided += queryByRows<0>(lane, withDirectory, p, cellOf[p], 0, 1, sink);
      QVERIFY(found == expected);
      QCOMPARE(decided, examined);
    }

    // What the schedule predicts is what the program examines, unless SORTIDU narrows it.
    std::uint64_t predicted = 0;
    const auto workloads = cellWorkloads(*index, index->cellIds, host.view.pattern, {});
    for (std::uint32_t p = 0; p < cloud.size(); ++p) predicted += workloads[cellOf[p]];
    if (sortIdu)
      QVERIFY(examined <= predicted);
    else
      QCOMPARE(examined, predicted);
  }

  void pairsByOtherMetrics() {
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
      const metricAgreement::Drawn of = metricAgreement::drawn(seed, 150);
      const auto most = static_cast<int>(std::min<std::size_t>(of.cloud.dims(), 4));
      const int k = 1 + static_cast<int>(seed) % most;
      for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Tile}) {
        JoinPlan plan = planFor(of.eps, pattern, k);
        plan.metric = of.metric;
        const auto index =
            buildGridIndex(of.cloud, {.eps = of.eps, .reach = 1, .dims = plan.dims}, {});
        QVERIFY(index.has_value());
        const HostJoinView host(*index, plan);
        const auto cellOf = index->cellOfPosition();
        std::multiset<IdPair> expected;
        for (std::uint32_t p = 0; p < of.cloud.size(); ++p)
          for (std::uint32_t q = 0; q < of.cloud.size(); ++q)
            if (metricAgreement::distanceOf(of.metric, index->ordered, p, index->ordered, q) <=
                of.eps)
              expected.emplace(p, q);
        std::multiset<IdPair> found;
        CollectSink sink{found};
        SerialLane lane;
        for (std::uint32_t p = 0; p < of.cloud.size(); ++p)
          if (pattern == AccessPattern::Tile)
            queryByRows<0>(lane, host.view, p, cellOf[p], 0, 1, sink);
          else
            queryByCells<0>(lane, host.view, p, cellOf[p], 0, 1, sink);
        QVERIFY2(found == expected, metricAgreement::named(seed).c_str());
      }
    }
  }

  void schedulesHandOutEveryQueryOnce_data() {
    QTest::addColumn<int>("order");
    QTest::addColumn<int>("batches");
    for (int order = 0; order < 5; ++order)
      for (const int batches : {1, 3, 7, 500})
        QTest::addRow("order %d, %d batches", order, batches) << order << batches;
  }
  void schedulesHandOutEveryQueryOnce() {
    QFETCH(int, order);
    QFETCH(int, batches);
    std::mt19937_64 random(12);
    const PointCloud cloud = draws::draw(random, "exponential", 500, 2);
    const JoinPlan plan = planFor(0.01, AccessPattern::Full, 2);
    const auto index = buildGridIndex(cloud, {.eps = 0.01, .reach = 1, .dims = plan.dims}, {});
    QVERIFY(index.has_value());
    const HostJoinView host(*index, plan);
    const auto cellOf = index->cellOfPosition();
    const auto workloads = cellWorkloads(*index, index->cellIds, host.view.pattern, {});
    const Schedule schedule =
        makeSchedule(cloud, ownQueries(*index), plan.dims, workloads,
                     static_cast<QueryOrder>(order), static_cast<std::size_t>(batches), {});
    QCOMPARE(schedule.batches(), static_cast<std::size_t>(batches));
    QCOMPARE(schedule.batchBegin.back(), cloud.size());
    QCOMPARE(schedule.workQueue, static_cast<QueryOrder>(order) == QueryOrder::WorkQueue);
    std::vector<std::uint32_t> sorted = schedule.queries;
    std::sort(sorted.begin(), sorted.end());
    for (std::uint32_t p = 0; p < sorted.size(); ++p) QCOMPARE(sorted[p], p);

    const auto heavierFirst = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin + 1; i < end; ++i)
        if (workloads[cellOf[schedule.queries[i - 1]]] < workloads[cellOf[schedule.queries[i]]])
          return false;
      return true;
    };
    if (static_cast<QueryOrder>(order) == QueryOrder::WorkQueue)
      QVERIFY(heavierFirst(0, cloud.size()));
    if (static_cast<QueryOrder>(order) == QueryOrder::SortByWorkload)
      for (std::size_t b = 0; b < schedule.batches(); ++b)
        QVERIFY(heavierFirst(schedule.batchBegin[b], schedule.batchBegin[b + 1]));
    if (static_cast<QueryOrder>(order) == QueryOrder::Input && batches == 3)
      for (std::size_t i = 0; i < 4; ++i) QCOMPARE(index->pointIds[schedule.queries[i]], 3 * i);
  }

  void binsOrderUniformAndLeaveExponentialData() {
    // [Gowanlock 2019, §3.2.1]: unit-length bins order Unif data and leave raw Expo data as
    // generated.
    std::mt19937_64 random(13);
    for (const bool uniform : {true, false}) {
      const PointCloud cloud = draws::draw(random, uniform ? "uniform" : "exponential", 300, 1);
      const JoinPlan plan = planFor(0.1, AccessPattern::Full, 1);
      const auto index = buildGridIndex(cloud, {.eps = 0.1, .reach = 1, .dims = plan.dims}, {});
      QVERIFY(index.has_value());
      const Schedule schedule =
          makeSchedule(cloud, ownQueries(*index), plan.dims, {}, QueryOrder::Bins, 1, {});
      const double low = boundsOf(cloud).low[0];
      for (std::size_t i = 1; i < cloud.size(); ++i) {
        const std::uint32_t before = index->pointIds[schedule.queries[i - 1]];
        const std::uint32_t after = index->pointIds[schedule.queries[i]];
        if (uniform)
          QVERIFY(std::floor(cloud.columns[0][before] - low) <=
                  std::floor(cloud.columns[0][after] - low) + 1e-9);
        else
          QVERIFY(before < after);
      }
    }
  }

  void refusesWhatItCannotDo_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("threads per point") << 0 << "one thread per point";
    QTest::newRow("three threads") << 1 << "1, 2, 4, 8, 16 or 32";
    QTest::newRow("streams") << 2 << "streams";
    QTest::newRow("block size") << 3 << "thread blocks";
    QTest::newRow("dense cells, 32 bits") << 4 << "64 bits";
    QTest::newRow("early stop, half pattern") << 5 << "full or tile";
    QTest::newRow("dense cells, full pattern") << 6 << "tile pattern";
    QTest::newRow("k too large") << 7 << "between 1 and 2";
    QTest::newRow("k negative") << 8 << "between 1 and 2";
    QTest::newRow("dense cells, batches") << 9 << "one batch";
  }
  void refusesWhatItCannotDo() {
    QFETCH(int, which);
    QFETCH(QString, says);
    Strategy s;
    if (which == 0) s.threadsPerPoint = 8;
    if (which == 1) s.threadsPerPoint = 3;
    if (which == 2) s.streams = 3;
    if (which == 3) s.blockSize = 256;
    if (which == 4) {
      s.precision = Precision::Single;
      s.denseCells = Toggle::On;
    }
    if (which == 5) {
      s.pattern = AccessPattern::Unicomp;
      s.earlyStop = Toggle::On;
    }
    if (which == 6) {
      s.pattern = AccessPattern::Full;
      s.denseCells = Toggle::On;
    }
    if (which == 7) s.indexedDims = 3;
    if (which == 8) s.indexedDims = -1;
    if (which == 9) {
      s.denseCells = Toggle::On;
      s.batchPairs = 10;
    }
    const auto backend = makeBackend("cpu", {});
    QVERIFY(backend.has_value());
    const PointCloud cloud = draws::fromRows({{0, 0}, {1, 1}});
    const auto result = (*backend)->dbscan(cloud, {1.0, 2}, s, {});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().kind, ErrorKind::BadCall);
    QVERIFY2(QString::fromStdString(result.error().message).contains(says),
             result.error().message.c_str());
  }

  void batchesFollowTheEstimate() {
    std::mt19937_64 random(14);
    const PointCloud cloud = draws::draw(random, "uniform", 20000, 2);
    const auto backend = makeBackend("cpu", {.threads = 2});
    Strategy s;
    s.pattern = AccessPattern::Full;
    const auto whole = (*backend)->count(cloud, 0.2, s, {});
    QVERIFY(whole.has_value());
    QCOMPARE(whole->stats.batches, std::uint64_t{1});
    s.batchPairs = whole->pairs / 10;
    for (const auto order : {QueryOrder::SortByWorkload, QueryOrder::WorkQueue}) {
      s.order = order;
      const auto batched = (*backend)->count(cloud, 0.2, s, {});
      QVERIFY(batched.has_value());
      // 5 % more is estimated than expected, from 1 % of the points.
      QVERIFY(batched->stats.batches >= 10 && batched->stats.batches <= 13);
      QVERIFY(batched->counts == whole->counts);
    }
  }
};

APPLESS_TEST(LaneProgram);
#include "tst_lane_program.moc"
