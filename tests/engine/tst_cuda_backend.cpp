#include <QtTest>

#include <random>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/brute_force.h"
#include "engine/cuda/join/kernels/sinks.h"
#include "engine/join/lane_program.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::string whyNoDevice() {
  const auto made = makeBackend("cuda", {});
  return made ? std::string() : made.error().message;
}

/// Runs the lane program over every query with one sink of a GPU, on the host's lane.
template <class Sink>
void askAll(const JoinView& view, const std::vector<std::uint32_t>& cellOf, Sink sinkOfAll) {
  SerialLane lane;
  for (std::uint32_t p = 0; p < cellOf.size(); ++p) {
    Sink sink = sinkOfAll;
    sink.begin(p, p);
    if (view.pattern == AccessPattern::Tile)
      queryByRows<0>(lane, view, p, cellOf[p], 0, 1, sink);
    else
      queryByCells<0>(lane, view, p, cellOf[p], 0, 1, sink);
    sink.finish(lane, LaneGroup{});
  }
}

}  // namespace

/// The CUDA backend: what can be checked anywhere. tst_cuda_device is for where a device answers.
class TestCudaBackend : public QObject {
  Q_OBJECT

 private slots:
  void saysWhyThereIsNone() {
    const auto made = makeBackend("cuda", {});
    if (made) {
      QCOMPARE((*made)->name(), std::string_view("cuda"));
      QVERIFY(!(*made)->describe().empty());
      return;
    }
    QCOMPARE(made.error().kind, ErrorKind::Unavailable);
    QVERIFY2(made.error().message.size() > 20, made.error().message.c_str());
  }

  void autoAnswersAnywhere() {
    const auto made = makeBackend("auto", {.threads = 2});
    QVERIFY(made.has_value());
    std::mt19937_64 random(3);
    const PointCloud cloud = draws::draw(random, "blobs", 500, 2);
    const auto expected = bruteForceDbscan(cloud, {0.3, 5});
    QVERIFY(expected.has_value());
    const std::string what = agreement::ofDbscan(**made, cloud, *expected, {});
    QVERIFY2(what.empty(), what.c_str());
    // Where a GPU could have answered and did not, it says why.
    const std::string reason = whyNoDevice();
    const auto names = availableBackends();
    const bool built = std::find(names.begin(), names.end(), "cuda") != names.end();
    if (built && !reason.empty())
      QVERIFY2((*made)->remark().find(reason) != std::string::npos, (*made)->remark().c_str());
    QCOMPARE((*made)->name(), std::string_view(reason.empty() ? "cuda" : "cpu"));
  }

  void legality() {
    constexpr BackendLimits kGpu{.name = "cuda", .threadGroups = true};
    const auto legal = [&](const Strategy& strategy) {
      return checkStrategy(strategy, SinkKind::Counts, kGpu, 3).has_value();
    };
    for (const int threads : {1, 2, 4, 8, 16, 32}) QVERIFY(legal({.threadsPerPoint = threads}));
    for (const int threads : {0, 3, 64}) QVERIFY(!legal({.threadsPerPoint = threads}));
    for (const int block : {0, 32, 96, 256, 1024}) QVERIFY(legal({.blockSize = block}));
    for (const int block : {-32, 16, 100, 1056}) QVERIFY(!legal({.blockSize = block}));
    for (const int streams : {0, 1, 3, 32}) QVERIFY(legal({.streams = streams}));
    for (const int streams : {-1, 33}) QVERIFY(!legal({.streams = streams}));
    QVERIFY(!legal({.precision = Precision::Single}));
    for (const SinkKind sink :
         {SinkKind::Counts, SinkKind::Pairs, SinkKind::NeighbourTable, SinkKind::Dbscan}) {
      const Strategy byKey{.route = ResultRoute::KeyValueSort};
      const bool rows = sink == SinkKind::Pairs || sink == SinkKind::NeighbourTable;
      QCOMPARE(checkStrategy(byKey, sink, {.name = "gpu", .keyValueSort = true}, 3).has_value(),
               rows);
      QVERIFY(!checkStrategy(byKey, sink, kGpu, 3));
    }
  }

  // The sinks of GPU joins, run on the host's lane.
  void sinks_data() {
    QTest::addColumn<int>("pattern");
    for (int pattern = 0; pattern < 4; ++pattern)
      QTest::addRow("%s", toText(AccessPattern(pattern)).c_str()) << pattern;
  }
  void sinks() {
    QFETCH(int, pattern);
    std::mt19937_64 random(31);
    const PointCloud cloud = draws::draw(random, "blobs", 300, 2);
    const double eps = 0.35;
    const std::int64_t minPts = 6;
    const std::size_t n = cloud.size();
    JoinPlan plan;
    plan.squaredEps = *epsSquared(eps);
    plan.strategy.pattern = AccessPattern(pattern);
    plan.strategy.shortCircuit = Toggle::Off;
    plan.dims = {0, 1};
    const auto index = buildGridIndex(cloud, {.eps = eps, .reach = 1, .dims = plan.dims}, {});
    QVERIFY(index.has_value());
    const HostJoinView host(*index, plan);
    const auto cellOf = index->cellOfPosition();
    const bool half = isHalf(plan.strategy.pattern);
    const auto expected = bruteForceCounts(cloud, eps);
    const auto clustering = bruteForceDbscan(cloud, {eps, minPts});

    std::vector<std::uint32_t> counts(n, 0), found(n, 0);
    askAll(host.view, cellOf,
           LaneCountSink<SerialLane>{.counts = counts.data(), .found = found.data(), .half = half});
    for (std::size_t p = 0; p < n; ++p) QCOMPARE(counts[p], expected->counts[index->pointIds[p]]);

    // Rows of what each query found; a mark stands for the pair's other end.
    std::vector<std::uint64_t> start(n + 1, 0);
    for (std::size_t p = 0; p < n; ++p) start[p + 1] = start[p] + found[p];
    for (const bool shared : {false, true}) {
      std::vector<std::uint32_t> ids(start[n]), cursors(n, 0);
      askAll(host.view, cellOf,
             LaneFillSink<SerialLane>{.pointIds = index->pointIds.data(),
                                      .rowStart = start.data(),
                                      .cursors = shared ? cursors.data() : nullptr,
                                      .ids = ids.data()});
      LargeArray<Pair> pairs;
      for (std::size_t p = 0; p < n; ++p)
        for (std::uint64_t at = start[p]; at < start[p + 1]; ++at) {
          const auto mine = static_cast<std::int32_t>(index->pointIds[p]);
          const auto other = static_cast<std::int32_t>(ids[at] & 0x7fffffffU);
          pairs.push_back({mine, other});
          if (ids[at] >> 31) pairs.push_back({other, mine});
        }
      std::sort(pairs.begin(), pairs.end());
      QVERIFY(pairs == bruteForcePairs(cloud, eps)->pairs);
    }

    // Pairs as keys, and how many there would have been where they do not fit.
    const LargeArray<Pair> pairs = bruteForcePairs(cloud, eps)->pairs;
    for (const std::size_t capacity : {pairs.size(), pairs.size() / 2}) {
      std::vector<std::uint64_t> keys(capacity);
      std::uint64_t written = 0;
      askAll(host.view, cellOf,
             LanePairSink<SerialLane>{.pointIds = index->pointIds.data(),
                                      .keys = keys.data(),
                                      .capacity = capacity,
                                      .found = &written});
      QCOMPARE(written, pairs.size());
      if (capacity < pairs.size()) continue;
      std::sort(keys.begin(), keys.end());
      for (std::size_t i = 0; i < keys.size(); ++i)
        QCOMPARE(keys[i], LanePairSink<SerialLane>::keyOf(std::uint32_t(pairs[i].p),
                                                          std::uint32_t(pairs[i].q)));
    }

    std::vector<std::uint8_t> core(n);
    std::vector<std::uint32_t> parent(n), labels(n, ~0U);
    for (std::uint32_t p = 0; p < n; ++p) {
      core[p] = counts[p] >= static_cast<std::uint32_t>(minPts);
      parent[p] = p;
    }
    askAll(host.view, cellOf,
           LaneUnionSink<SerialLane>{.parent = parent.data(), .core = core.data()});
    SerialLane lane;
    for (std::uint32_t p = 0; p < n; ++p) {
      if (!core[p]) continue;
      const std::uint32_t root = findRoot(lane, parent.data(), p);
      QVERIFY(root <= p && core[root]);
      labels[p] = static_cast<std::uint32_t>(clustering->labels[index->pointIds[p]]);
      QCOMPARE(clustering->labels[index->pointIds[root]], clustering->labels[index->pointIds[p]]);
      for (std::uint32_t q = 0; q < p; ++q)
        if (core[q] && findRoot(lane, parent.data(), q) != root)
          QVERIFY(clustering->labels[index->pointIds[q]] != clustering->labels[index->pointIds[p]]);
    }
    askAll(host.view, cellOf,
           LaneBorderSink<SerialLane>{.labels = labels.data(), .core = core.data()});
    for (std::size_t p = 0; p < n; ++p)
      QCOMPARE(static_cast<std::int32_t>(labels[p]), clustering->labels[index->pointIds[p]]);
  }
};

APPLESS_TEST(TestCudaBackend);
#include "tst_cuda_backend.moc"
