// Traces of lanes put together: by hand, and against fibers in lockstep.
#include <QTest>

#include <numeric>
#include <random>

#include "cloud_draws.h"
#include "engine/core/predicate.h"
#include "engine/join/join_plan.h"
#include "engine/join/join_view.h"
#include "engine/join/lane_program.h"
#include "engine/load/idle_caused.h"
#include "engine/load/trace_lane.h"
#include "fibers/fiber_block.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

PerLoop<std::uint64_t> byLoop(std::uint64_t cell, std::uint64_t search, std::uint64_t candidate,
                              std::uint64_t hit) {
  return {cell, search, candidate, hit};
}

/// Receives pairs one by one: a sink for which the lane program's own loop runs.
struct HearPairs {
  std::uint64_t pairs = 0;
  bool hit(std::uint32_t, std::uint32_t) {
    ++pairs;
    return false;
  }
};

/// Runs `program(lane, id)` for `lanes` lanes, traced and in lockstep, which must agree.
template <class Program>
WarpSteps stepsBothWays(std::uint32_t lanes, const Program& program) {
  AlignedLoops loops;
  std::vector<std::uint64_t> scratch;
  for (std::uint32_t id = 0; id < lanes; ++id) {
    TraceLane lane(loops, scratch, id);
    program(lane, id);
  }
  WarpSteps lockstep;
  const auto fault = runWarp([&](FiberLane& lane) { program(lane, lane.id()); }, lanes, &lockstep);
  if (fault) QTest::qFail(fault->message.c_str(), __FILE__, __LINE__);
  if (!(loops.steps() == lockstep)) QTest::qFail("trace and lockstep differ", __FILE__, __LINE__);
  return loops.steps();
}

/// `turns` turns of a loop; `within(turn)` after each step.
template <class Lane, class Within>
void loopOf(Lane& lane, Loop loop, std::uint32_t turns, const Within& within) {
  lane.enter(loop);
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    lane.step(loop);
    within(turn);
  }
  lane.leave(loop);
}
constexpr auto kNothing = [](std::uint32_t) {};

JoinPlan planFor(double eps, AccessPattern pattern, int dims, int k) {
  JoinPlan plan;
  plan.squaredEps = *epsSquared(eps);
  plan.strategy.pattern = pattern;
  plan.strategy.indexedDims = k;
  plan.dims.resize(static_cast<std::size_t>(k));
  std::iota(plan.dims.begin(), plan.dims.end(), 0);
  if (k < dims) plan.sortWithinCells = k;
  return plan;
}

}  // namespace

class TestTraceLane : public QObject {
  Q_OBJECT
 private slots:
  // A loop takes a warp as long as the lane that stays longest: 0 + 1 + … + 31 of 32 × 31.
  void aLoopLastsAsLongAsItsLongestLane() {
    const WarpSteps steps = stepsBothWays(
        32, [](auto& lane, std::uint32_t id) { loopOf(lane, Loop::Candidate, id, kNothing); });
    QCOMPARE(steps.steps, byLoop(0, 0, 31, 0));
    QCOMPARE(steps.laneSteps, byLoop(0, 0, 496, 0));
  }

  // Lanes meet again after an inner loop: 3 + 3 turns for (3, 1) and (1, 3), not 4.
  void lanesMeetAgainAfterAnInnerLoop() {
    const WarpSteps steps = stepsBothWays(2, [](auto& lane, std::uint32_t id) {
      loopOf(lane, Loop::Cell, 2, [&](std::uint32_t turn) {
        loopOf(lane, Loop::Candidate, turn == id ? 3 : 1, kNothing);
      });
    });
    QCOMPARE(steps.steps, byLoop(2, 0, 6, 0));
    QCOMPARE(steps.laneSteps, byLoop(4, 0, 8, 0));
  }

  // A loop that some lanes leave out does not shift the one after it.
  void aLoopLeftOutShiftsNothing() {
    const WarpSteps steps = stepsBothWays(2, [](auto& lane, std::uint32_t id) {
      loopOf(lane, Loop::Cell, 3, [&](std::uint32_t turn) {
        if (turn == id) return;
        loopOf(lane, Loop::Search, 2, kNothing);
        if (turn == 2) loopOf(lane, Loop::Candidate, 5, kNothing);
      });
    });
    QCOMPARE(steps.steps, byLoop(3, 6, 5, 0));
    QCOMPARE(steps.laneSteps, byLoop(6, 8, 10, 0));
  }

  // A hit is a step of its own, once for all lanes that hit in the same turn.
  void hitsInOneTurnAreOneStep() {
    const WarpSteps steps = stepsBothWays(3, [](auto& lane, std::uint32_t id) {
      loopOf(lane, Loop::Candidate, 200, [&](std::uint32_t turn) {
        if (turn == 70 || (turn == 150 + id)) lane.mark(Loop::Hit);
      });
    });
    QCOMPARE(steps.steps, byLoop(0, 0, 200, 4));
    QCOMPARE(steps.laneSteps, byLoop(0, 0, 600, 6));
  }

  // Lanes 0, 1 and 2 take 1, 3 and 3 turns; in turn 0 all hit, in turn 2 only lane 2.
  //   turn 0: 3 active, turns 1 and 2: 2 active; hits: 3 in turn 0, 1 in turn 2.
  void idlingIsCausedByThoseThatWork() {
    AlignedLoops loops;
    std::vector<std::uint64_t> scratch;
    for (std::uint32_t id = 0; id < 3; ++id) {
      TraceLane lane(loops, scratch, id);
      loopOf(lane, Loop::Candidate, id == 0 ? 1 : 3, [&](std::uint32_t turn) {
        if (turn == 0 || (turn == 2 && id == 2)) lane.mark(Loop::Hit);
      });
    }
    const SharedSteps shared = sharedStepsOf(loops);
    const LoopWeights candidates{{0, 0, 1, 0}};
    QCOMPARE(idleCaused(shared, 0, candidates), 29.0 / 3);
    QCOMPARE(idleCaused(shared, 1, candidates), 29.0 / 3 + 2 * 15);
    QCOMPARE(idleCaused(shared, 2, candidates), 29.0 / 3 + 2 * 15);
    QCOMPARE(idleCaused(shared, 3, candidates), 0.0);
    const LoopWeights hits{{0, 0, 0, 0.5}};
    QCOMPARE(idleCaused(shared, 0, hits), 0.5 * 29 / 3);
    QCOMPARE(idleCaused(shared, 1, hits), 0.5 * 29 / 3);
    QCOMPARE(idleCaused(shared, 2, hits), 0.5 * (29.0 / 3 + 31));
  }

  // In integers: the lanes of a step share all of what idles in it, and no step is lost.
  void allIdlingIsShared() {
    std::mt19937_64 random(21);
    for (int round = 0; round < 200; ++round) {
      AlignedLoops loops;
      std::vector<std::uint64_t> scratch;
      const auto lanes = static_cast<std::uint32_t>(1 + random() % 32);
      for (std::uint32_t id = 0; id < lanes; ++id) {
        TraceLane lane(loops, scratch, id);
        loopOf(lane, Loop::Cell, static_cast<std::uint32_t>(random() % 4), [&](std::uint32_t) {
          if (random() % 3 == 0) return;
          loopOf(lane, Loop::Candidate, static_cast<std::uint32_t>(random() % 200),
                 [&](std::uint32_t) {
                   if (random() % 3 == 0) lane.mark(Loop::Hit);
                 });
        });
      }
      const WarpSteps steps = loops.steps();
      const SharedSteps shared = sharedStepsOf(loops);
      for (std::size_t loop = 0; loop < kLoops; ++loop) {
        std::uint64_t all = 0;
        std::uint64_t idle = 0;
        for (std::uint32_t active = 1; active <= 32; ++active) {
          std::uint64_t laneSteps = 0;
          for (const auto& lane : shared.of) laneSteps += lane[loop][active];
          QCOMPARE(laneSteps % active, std::uint64_t{0});
          all += laneSteps / active;
          idle += laneSteps / active * (32 - active);
        }
        QCOMPARE(all, steps.steps[loop]);
        QCOMPARE(idle, 32 * steps.steps[loop] - steps.laneSteps[loop]);
      }
    }
  }

  // Lane 0 takes branches 0 and 1, lane 1 only branch 1: they run the latter together.
  void branchesAreTakenTogether() {
    const WarpSteps steps = stepsBothWays(2, [](auto& lane, std::uint32_t id) {
      for (int i = 0; i < 2; ++i) {
        lane.branch(i);
        if (i == 0 && id == 1) continue;
        loopOf(lane, Loop::Cell, i == 0 ? 2 : 7, kNothing);
      }
    });
    QCOMPARE(steps.steps, byLoop(9, 0, 0, 0));
    QCOMPARE(steps.laneSteps, byLoop(16, 0, 0, 0));
  }

  void traceAndLockstepAgreeOnJoins_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("dims");
    QTest::addColumn<quint32>("size");
    const char* names[] = {"full", "unicomp", "lid-unicomp", "tile"};
    for (int pattern = 0; pattern < 4; ++pattern)
      for (const int dims : {1, 2, 3, 6})
        for (const quint32 size : {1U, 2U, 8U, 32U})
          QTest::addRow("%s, %d dimensions, %u lanes per query", names[pattern], dims, size)
              << pattern << dims << size;
  }
  void traceAndLockstepAgreeOnJoins() {
    QFETCH(int, pattern);
    QFETCH(int, dims);
    QFETCH(quint32, size);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims) * 10 + size);
    for (const bool fewerIndexed : {false, true}) {
      const int k = fewerIndexed ? std::max(1, std::min(dims - 1, 3)) : std::min(dims, 4);
      const PointCloud cloud =
          draws::draw(random, "exponential", 300, static_cast<std::size_t>(dims));
      const double eps = dims < 3 ? 0.004 : 0.02;
      const JoinPlan plan = planFor(eps, static_cast<AccessPattern>(pattern), dims, k);
      const auto index = buildGridIndex(
          cloud,
          {.eps = eps, .reach = 1, .dims = plan.dims, .sortWithinCells = plan.sortWithinCells}, {});
      QVERIFY(index.has_value());
      const HostJoinView host(*index, plan);
      const auto cellOf = index->cellOfPosition();
      for (std::uint32_t first = 0; first < cloud.size(); first += 97) {
        std::uint64_t pairs = 0;
        std::uint64_t decided = 0;
        const auto program = [&](auto& lane, std::uint32_t id, auto sink) {
          const std::uint32_t query = (first + 13 * (id / size)) % 300;
          decided +=
              plan.strategy.pattern == AccessPattern::Tile
                  ? queryByRows<0>(lane, host.view, query, cellOf[query], id % size, size, sink)
                  : queryByCells<0>(lane, host.view, query, cellOf[query], id % size, size, sink);
          pairs += sink.pairs;
        };
        const WarpSteps steps = stepsBothWays(
            32, [&](auto& lane, std::uint32_t id) { program(lane, id, HearPairs{}); });
        // Twice, by trace and by lockstep.
        QCOMPARE(steps.laneSteps[static_cast<int>(Loop::Candidate)] * 2, decided);
        const std::uint64_t pairsHeard = pairs / 2;

        // The quick scan of a counting sink takes the same turns and hits.
        AlignedLoops loops;
        std::vector<std::uint64_t> scratch;
        pairs = 0;
        for (std::uint32_t id = 0; id < 32; ++id) {
          TraceLane lane(loops, scratch, id);
          program(lane, id, CountPairs{});
        }
        QVERIFY(loops.steps() == steps);
        QCOMPARE(pairs, pairsHeard);
      }
    }
  }
};

APPLESS_TEST(TestTraceLane);
#include "tst_trace_lane.moc"
