// A warp on the CPU: collectives that really wait, faults that are found, and the lane programs of
// the joins with several lanes per query.
#include <QtTest/QtTest>

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "cloud_draws.h"
#include "engine/core/predicate.h"
#include "engine/cpu/brute_force.h"
#include "engine/cuda/join/kernels/sinks.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/grid_queries.h"
#include "engine/join/join_view.h"
#include "engine/join/lane_program.h"
#include "fibers/fiber_block.h"
#include "tests/test_program.h"
#include "two_clouds.h"

using namespace clusterloom;

namespace {

constexpr std::uint32_t kAll = ~0U;

/// The lanes of `id`'s group when `size` neighbouring lanes are one.
LaneGroup groupOf(std::uint32_t id, std::uint32_t size) {
  return {.mask = (size == 32 ? kAll : (1U << size) - 1) << (id / size * size),
          .size = size,
          .phase = id % size};
}

std::string textOf(const std::optional<WarpFault>& fault) { return fault ? fault->message : ""; }

/// Records that it was destroyed.
struct Witness {
  int& gone;
  ~Witness() { ++gone; }
};

}  // namespace

class TestFiberWarp : public QObject {
  Q_OBJECT

 private slots:
  void everyLaneRunsOnce() {
    for (const std::uint32_t lanes : {1U, 5U, 32U}) {
      std::vector<int> runs(32, 0);
      QVERIFY(!runWarp([&](FiberLane& lane) { ++runs[lane.id()]; }, lanes));
      for (std::uint32_t i = 0; i < 32; ++i) QCOMPARE(runs[i], i < lanes ? 1 : 0);
    }
  }

  void lanesGoOnTurnByTurn() {
    std::string trace;
    const auto fault = runWarp(
        [&](FiberLane& lane) {
          lane.enter(Loop::Candidate);
          for (std::uint32_t i = 0; i < 1 + lane.id(); ++i) {
            lane.step(Loop::Candidate);
            trace += static_cast<char>('a' + lane.id());
          }
          lane.leave(Loop::Candidate);
        },
        3);
    QVERIFY(!fault);
    QCOMPARE(trace, std::string("abcbcc"));
  }

  void reducesByShuffle_data() {
    QTest::addColumn<quint32>("size");
    for (const quint32 size : {1U, 2U, 4U, 8U, 16U, 32U}) QTest::addRow("%u lanes", size) << size;
  }
  void reducesByShuffle() {
    QFETCH(quint32, size);
    std::vector<std::uint32_t> sums(32);
    const auto fault = runWarp([&](FiberLane& lane) {
      // Lanes come to the reduction at different times.
      for (std::uint32_t i = 0; i < lane.id() * 7 % 5; ++i) lane.step(Loop::Candidate);
      sums[lane.id()] = sumOverGroup(lane, groupOf(lane.id(), size), (lane.id() + 1) * 1000 + 7);
    });
    QVERIFY2(!fault, textOf(fault).c_str());
    for (std::uint32_t first = 0; first < 32; first += size) {
      std::uint32_t expected = 0;
      for (std::uint32_t i = first; i < first + size; ++i) expected += (i + 1) * 1000 + 7;
      QCOMPARE(sums[first], expected);
    }
  }

  void shufflesKeepEveryBit() {
    std::vector<double> got(32);
    std::vector<std::uint64_t> wide(32);
    const auto fault = runWarp([&](FiberLane& lane) {
      const std::uint32_t next = (lane.id() + 1) % 32;
      got[lane.id()] = lane.shuffle(kAll, 1.0 / (lane.id() + 3), next);
      wide[lane.id()] = lane.shuffle(kAll, ~std::uint64_t{0} - lane.id(), 31 - lane.id());
    });
    QVERIFY(!fault);
    for (std::uint32_t i = 0; i < 32; ++i) {
      QCOMPARE(got[i], 1.0 / ((i + 1) % 32 + 3));
      QCOMPARE(wide[i], ~std::uint64_t{0} - (31 - i));
    }
  }

  void ballots() {
    std::vector<std::uint32_t> said(32), halves(32);
    const auto fault = runWarp([&](FiberLane& lane) {
      said[lane.id()] = lane.ballot(kAll, lane.id() % 3 == 0);
      // Divergent: each half votes on its own, one of them twice, before all meet again.
      if (lane.id() < 16) {
        halves[lane.id()] = lane.ballot(0x0000ffffU, lane.id() % 2 == 0);
      } else {
        lane.ballot(0xffff0000U, true);
        halves[lane.id()] = lane.ballot(0xffff0000U, lane.id() == 20);
      }
      lane.sync(kAll);
    });
    QVERIFY2(!fault, textOf(fault).c_str());
    for (std::uint32_t i = 0; i < 32; ++i) {
      QCOMPARE(said[i], 0x49249249U);
      QCOMPARE(halves[i], i < 16 ? 0x00005555U : 1U << 20);
    }
  }

  // A lane may wait with all while others still meet among themselves.
  void someMayBeLate() {
    std::uint32_t sum = 0;
    const auto fault = runWarp([&](FiberLane& lane) {
      if (lane.id() >= 24)
        for (int i = 0; i < 5; ++i) lane.sync(0xff000000U);
      const std::uint32_t all = lane.shuffle(kAll, lane.id() == 31 ? 42U : 0U, 31);
      if (lane.id() == 0) sum = all;
    });
    QVERIFY2(!fault, textOf(fault).c_str());
    QCOMPARE(sum, 42U);
  }

  void syncOrdersMemory() {
    std::vector<std::uint32_t> board(32, 0);
    int wrong = 0;
    const auto fault = runWarp([&](FiberLane& lane) {
      for (std::uint32_t round = 1; round < 20; ++round) {
        for (std::uint32_t i = 0; i < (lane.id() * round) % 4; ++i) lane.step(Loop::Search);
        lane.store(&board[lane.id()], round);
        lane.sync(kAll);
        for (const std::uint32_t& entry : board) wrong += lane.load(&entry) != round;
        lane.sync(kAll);
      }
    });
    QVERIFY(!fault);
    QCOMPARE(wrong, 0);
  }

  void faultsAreFound_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<WarpFaultKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("a lane leaves while others wait") << 0 << WarpFaultKind::LaneLeft << "lane 5";
    QTest::newRow("lanes that never were") << 1 << WarpFaultKind::LaneLeft << "lane 8";
    QTest::newRow("masks differ") << 2 << WarpFaultKind::DifferentMasks << "0xfffffff7";
    QTest::newRow("not in its own mask") << 3 << WarpFaultKind::NotInMask << "lane 9";
    QTest::newRow("source outside the mask") << 4 << WarpFaultKind::SourceOutsideMask << "lane 20";
    QTest::newRow("source beyond the warp") << 5 << WarpFaultKind::SourceOutsideMask << "lane 32";
    QTest::newRow("collectives differ") << 6 << WarpFaultKind::DifferentCollectives << "ballot";
    QTest::newRow("a ring of three") << 7 << WarpFaultKind::Deadlock << "lane 2";
    QTest::newRow("in a branch that not all take") << 8 << WarpFaultKind::LaneLeft << "ended";
    QTest::newRow("too few turns of a loop") << 9 << WarpFaultKind::LaneLeft << "lane 0";
  }
  void faultsAreFound() {
    QFETCH(int, which);
    QFETCH(WarpFaultKind, kind);
    QFETCH(QString, says);
    int gone = 0;
    const std::uint32_t lanes = which == 1 ? 8 : 32;
    const auto fault = runWarp(
        [&](FiberLane& lane) {
          const Witness witness{gone};
          const std::uint32_t id = lane.id();
          if (which == 0 && id == 5) return;
          if (which == 0 || which == 1) lane.ballot(kAll, true);
          if (which == 2) lane.sync(id == 4 ? 0xfffffff7U : kAll);
          if (which == 3) lane.sync(id == 9 ? 0x1ffU : kAll);
          if (which == 4) lane.shuffle(id < 16 ? 0xffffU : 0xffff0000U, id, 20);
          if (which == 5) lane.shuffle(kAll, id, id + 1);
          if (which == 6) {
            if (id % 2 == 0)
              lane.ballot(kAll, true);
            else
              lane.shuffle(kAll, id, 0);
          }
          if (which == 7 && id < 3) lane.sync(1U << id | 1U << (id + 1) % 3);
          if (which == 8 && id % 2 == 0) lane.sync(kAll);
          if (which == 9)
            for (std::uint32_t i = 0; i < id + 1; ++i) lane.sync(kAll);
        },
        lanes);
    QVERIFY(fault.has_value());
    QVERIFY2(fault->kind == kind, fault->message.c_str());
    QVERIFY2(QString::fromStdString(fault->message).contains(says), fault->message.c_str());
    QCOMPARE(gone, static_cast<int>(lanes));  // nothing is left on the stacks of waiting lanes
  }

  void exceptionsComeOut() {
    int gone = 0;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, runWarp([&](FiberLane& lane) {
                               const Witness witness{gone};
                               if (lane.id() == 7) throw std::runtime_error("seven");
                               lane.sync(kAll);
                             }));
    QVERIFY(gone >= 8);
  }

  // [Gallet 2019, §III-D]: with k lanes per query the leader of a warp takes the tickets and shares
  // them.
  void programsWithGroupsCountTheSame_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("dims");
    QTest::addColumn<quint32>("size");
    QTest::addColumn<bool>("queue");
    const char* names[] = {"full", "unicomp", "lid-unicomp", "tile"};
    for (int pattern = 0; pattern < 4; ++pattern)
      for (const int dims : {1, 2, 3, 6})
        for (const quint32 size : {1U, 4U, 32U})
          for (const bool queue : {false, true})
            QTest::addRow("%s, %d dimensions, %u lanes per query%s", names[pattern], dims, size,
                          queue ? ", work queue" : "")
                << pattern << dims << size << queue;
  }
  void programsWithGroupsCountTheSame() {
    QFETCH(int, pattern);
    QFETCH(int, dims);
    QFETCH(quint32, size);
    QFETCH(bool, queue);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims) * 10 + size);
    const PointCloud cloud = draws::draw(random, "lattice", 100, static_cast<std::size_t>(dims));
    const double eps = dims < 3 ? 1.0 : std::sqrt(2.0);
    JoinPlan plan;
    plan.squaredEps = *epsSquared(eps);
    plan.strategy.pattern = static_cast<AccessPattern>(pattern);
    plan.strategy.indexedDims = std::min(dims, 3);
    plan.dims.resize(static_cast<std::size_t>(plan.strategy.indexedDims));
    std::iota(plan.dims.begin(), plan.dims.end(), 0);
    const auto index = buildGridIndex(cloud, {.eps = eps, .reach = 1, .dims = plan.dims}, {});
    QVERIFY(index.has_value());
    const HostJoinView host(*index, plan);
    const auto cellOf = index->cellOfPosition();
    const auto expected = bruteForceCounts(cloud, eps);
    QVERIFY(expected.has_value());

    const auto n = static_cast<std::uint32_t>(cloud.size());
    const std::uint32_t groups = 32 / size;
    std::vector<std::uint32_t> counts(n, 0);
    std::uint32_t head = 0;
    withDims(dims, [&]<int D>(Dims<D>) {
      const auto ask = [&](FiberLane& lane, std::uint32_t query) {
        const LaneGroup group = groupOf(lane.id(), size);
        LaneCountSink<FiberLane> sink;
        sink.counts = counts.data();
        sink.half = isHalf(plan.strategy.pattern);
        sink.begin(query, query);
        if (plan.strategy.pattern == AccessPattern::Tile)
          queryByRows<D>(lane, host.view, query, cellOf[query], group.phase, size, sink);
        else
          queryByCells<D>(lane, host.view, query, cellOf[query], group.phase, size, sink);
        sink.finish(lane, group);
      };
      const auto warp = [&](std::uint32_t begin) {
        return runWarp([&](FiberLane& lane) {
          std::uint32_t first = begin;
          do {
            if (queue) {
              const std::uint32_t taken = lane.id() == 0 ? lane.add(&head, groups) : 0;
              first = lane.shuffle(kAll, taken, 0);
            }
            const std::uint32_t query = first + lane.id() / size;
            if (query < n) ask(lane, query);
            lane.sync(kAll);
          } while (queue && first < n);
        });
      };
      for (std::uint32_t first = 0; first < n; first += queue ? n : groups) {
        const auto fault = warp(first);
        QVERIFY2(!fault, textOf(fault).c_str());
      }
    });
    for (std::uint32_t p = 0; p < n; ++p) QCOMPARE(counts[p], expected->counts[index->pointIds[p]]);
  }

  // The queries of another cloud, whose cells follow the grid's, with and without a directory: what
  // they count, and the lowest label among the labelled points that they meet.
  void groupsJoinTwoClouds_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<quint32>("size");
    QTest::addColumn<bool>("tile");
    QTest::addColumn<bool>("directory");
    QTest::addColumn<bool>("single");
    for (const int dims : {1, 2, 3})
      for (const quint32 size : {1U, 8U, 32U})
        for (const bool single : {false, true})
          for (const int way : {0, 1, 2})
            QTest::addRow("%s%s%s, %d dimensions, %u lanes per query", way == 0 ? "full" : "tile",
                          way == 2 ? " with a directory" : "", single ? ", 32-bit" : "", dims, size)
                << dims << size << (way > 0) << (way == 2) << single;
  }
  void groupsJoinTwoClouds() {
    QFETCH(int, dims);
    QFETCH(quint32, size);
    QFETCH(bool, tile);
    QFETCH(bool, directory);
    QFETCH(bool, single);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims) * 10 + size);
    const auto clouds = twoClouds::draw(random, "lattice", 90, 110, static_cast<std::size_t>(dims));
    const auto expected = twoClouds::expect(clouds);
    JoinPlan plan;
    plan.squaredEps = *epsSquared(clouds.eps);
    plan.strategy.pattern = tile ? AccessPattern::Tile : AccessPattern::Full;
    plan.strategy.indexedDims = dims;
    plan.dims.resize(static_cast<std::size_t>(dims));
    std::iota(plan.dims.begin(), plan.dims.end(), 0);
    auto index =
        buildGridIndex(clouds.points, {.eps = clouds.eps, .reach = 1, .dims = plan.dims}, {});
    QVERIFY(index.has_value());
    const Bounds bounds = boundsOf(clouds.points);
    const auto queries = addQueries(clouds.queries, bounds, plan.squaredEps, *index, {});
    QVERIFY(queries.has_value());
    if (single) {
      plan.single = singlePrecisionFor(index->geometry, bounds, clouds.eps, {});
      plan.strategy.precision = Precision::Single;
    }
    const HostJoinView host(*index, plan, &*queries);
    JoinView view = host.view;
    std::vector<std::uint32_t> firstOfId;
    for (std::uint64_t id = 0; directory && id <= index->geometry.linearIds(); ++id)
      firstOfId.push_back(index->cellStart[index->firstCellFrom(id)]);
    if (directory) view.directory = firstOfId.data();

    const QueryCells cells = queryCells(*index, *queries);
    const std::size_t positions = cells.firstQuery + cells.size();
    std::vector<std::uint32_t> cellOf(positions, 0);
    for (std::uint32_t c = 0; c < cells.cells(); ++c)
      std::fill(cellOf.begin() + cells.start[c], cellOf.begin() + cells.start[c + 1],
                cells.firstCell + c);
    std::vector<std::uint32_t> counts(positions, 0);
    std::vector<std::uint32_t> lowest(positions, ~0U);
    std::vector<std::uint8_t> labelled(positions, 0);
    for (std::size_t p = 0; p < index->size(); ++p) {
      lowest[p] = static_cast<std::uint32_t>(expected.given[index->pointIds[p]]);
      labelled[p] = expected.given[index->pointIds[p]] >= 0;
    }
    const auto ask = [&]<int D, class Real>(FiberLane& lane, std::uint32_t query, Dims<D>, Real) {
      const LaneGroup group = groupOf(lane.id(), size);
      const auto run = [&](auto sink) {
        sink.begin(query, query);
        if (tile)
          queryByRows<D, Real>(lane, view, query, cellOf[query], group.phase, size, sink);
        else
          queryByCells<D, Real>(lane, view, query, cellOf[query], group.phase, size, sink);
        sink.finish(lane, group);
      };
      run(LaneCountSink<FiberLane>{.counts = counts.data()});
      run(LaneBorderSink<FiberLane>{.labels = lowest.data(), .core = labelled.data()});
    };
    const std::uint32_t groups = 32 / size;
    withDims(dims, [&](auto known) {
      for (std::uint32_t first = cells.firstQuery; first < positions; first += groups) {
        const auto fault = runWarp([&](FiberLane& lane) {
          const std::uint32_t query = first + lane.id() / size;
          if (query < positions) withReal(view, [&](auto real) { ask(lane, query, known, real); });
          lane.sync(kAll);
        });
        QVERIFY2(!fault, textOf(fault).c_str());
      }
    });
    std::vector<std::uint32_t> countOfPoint(clouds.queries.size(), 0);
    std::vector<std::int32_t> labelOfPoint(clouds.queries.size(), -1);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      countOfPoint[cells.pointIds[i]] = counts[cells.firstQuery + i];
      labelOfPoint[cells.pointIds[i]] = static_cast<std::int32_t>(lowest[cells.firstQuery + i]);
    }
    QVERIFY(countOfPoint == expected.counts);
    QVERIFY(labelOfPoint == expected.lowest);
  }
};

APPLESS_TEST(TestFiberWarp);
#include "tst_fiber_warp.moc"
