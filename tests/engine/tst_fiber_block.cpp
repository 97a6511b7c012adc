// A block of warps on the CPU: barriers and votes that wait, shared memory whose accesses
// are watched, and faults that are found.
#include <QtTest/QtTest>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fibers/fiber_block.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr std::uint32_t kAll = ~0U;

std::string textOf(const std::optional<WarpFault>& fault) { return fault ? fault->message : ""; }

/// Records that it was destroyed.
struct Witness {
  int& gone;
  ~Witness() { ++gone; }
};

/// A program that a block must not run, and what is to be said of it.
struct Wrong {
  const char* name;
  BlockShape shape;
  WarpFaultKind kind;
  const char* says;
  FiberProgram program;
};

/// Of lanes that wait for each other.
std::vector<Wrong> wrongWaits() {
  return {
      {"a thread leaves while others wait at the barrier",
       {.threads = 96},
       WarpFaultKind::LaneLeft,
       "lane 7 of warp 1, which has ended",
       [](FiberLane& lane) {
         if (lane.thread() != 39) lane.blockSync();
       }},
      {"a warp leaves while others vote",
       {.threads = 64},
       WarpFaultKind::LaneLeft,
       "lane 0 of warp 1",
       [](FiberLane& lane) {
         if (lane.thread() < 32) lane.blockAny(true);
       }},
      {"one turn of the loop too few",
       {.threads = 64},
       WarpFaultKind::LaneLeft,
       "lane 5 of warp 0",
       [](FiberLane& lane) {
         for (int i = 0; i < (lane.thread() == 5 ? 3 : 4); ++i) lane.blockSync();
       }},
      {"lanes of one warp at different barriers",
       {.threads = 32},
       WarpFaultKind::DifferentBarriers,
       "lane 1",
       [](FiberLane& lane) {
         if (lane.id() % 2 == 0)
           lane.blockSync();
         else
           lane.blockSync();
       }},
      {"warps at different barriers",
       {.threads = 64},
       WarpFaultKind::DifferentBarriers,
       "warp 1",
       [](FiberLane& lane) {
         if (lane.thread() < 32)
           lane.blockSync();
         else
           lane.blockAny(false);
       }},
      {"a lane at the barrier that its warp waits for",
       {.threads = 64},
       WarpFaultKind::Deadlock,
       "lanes 0 to 2 of warp 1 in a sync with mask 0xffffffff, lane 3 of warp 1 at the block "
       "barrier "
       "of tst_fiber_block.cpp:",
       [](FiberLane& lane) {
         if (lane.thread() != 35) lane.sync(kAll);
         lane.blockSync();
         if (lane.thread() == 35) lane.sync(kAll);
       }},
      {"a partial warp asked for whole",
       {.threads = 40},
       WarpFaultKind::LaneLeft,
       "lane 8 of warp 1",
       [](FiberLane& lane) { lane.ballot(kAll, true); }},
      {"a fault in the second warp only",
       {.threads = 64},
       WarpFaultKind::NotInMask,
       "lane 4 of warp 1",
       [](FiberLane& lane) { lane.sync(lane.thread() == 36 ? 1U : 1U << lane.id()); }},
  };
}

/// Of shared memory.
std::vector<Wrong> wrongAccesses() {
  return {
      {"a read beyond the shared memory",
       {.threads = 32, .sharedBytes = 32 * sizeof(double)},
       WarpFaultKind::SharedOutside,
       "thread 31 writes byte 256 of the shared memory, which has 256",
       [](FiberLane& lane) { lane.shared<double>()[lane.thread() + 1] = 1; }},
      {"before the shared memory",
       {.threads = 1, .sharedBytes = 64},
       WarpFaultKind::SharedOutside,
       "which has 64",
       [](FiberLane& lane) { lane.shared<int>()[~std::size_t{0}] = 1; }},
      {"half outside",
       {.threads = 1, .sharedBytes = 12},
       WarpFaultKind::SharedOutside,
       "byte 8",
       [](FiberLane& lane) { lane.shared<double>()[1] = 1; }},
      {"a read of what was never written",
       {.threads = 32, .sharedBytes = 4 * 32},
       WarpFaultKind::SharedUnwritten,
       "byte 124",
       [](FiberLane& lane) {
         const auto shared = lane.shared<int>();
         if (lane.thread() < 31) shared[lane.thread()] = 1;
         lane.blockSync();
         if (shared[31 - lane.thread()] != 1) throw std::runtime_error("never here");
       }},
      {"a read of another thread's word, no barrier between",
       {.threads = 64, .sharedBytes = 8 * 64},
       WarpFaultKind::SharedRace,
       "no block barrier is between",
       [](FiberLane& lane) {
         const auto shared = lane.shared<double>();
         shared[lane.thread()] = lane.thread();
         lane.step(Loop::Candidate);  // by now all have written
         if (shared[(lane.thread() + 1) % 64] < 0) throw std::runtime_error("never here");
       }},
      {"a write to a word that another thread has read since the barrier",
       {.threads = 64, .sharedBytes = 8},
       WarpFaultKind::SharedRace,
       "thread 63 writes byte 0",
       [](FiberLane& lane) {
         const auto shared = lane.shared<std::uint32_t>();
         if (lane.thread() == 0) shared[0] = 1;
         lane.blockSync();
         if (shared[0] == 0) throw std::runtime_error("never here");
         lane.sync(kAll);  // orders the lanes of one warp only
         if (lane.thread() == 63) shared[0] = 2;
       }},
      {"two that write one word",
       {.threads = 2, .sharedBytes = 4},
       WarpFaultKind::SharedRace,
       "thread 1 writes byte 0 of the shared memory, thread 0 writes it",
       [](FiberLane& lane) { lane.shared<int>()[0] = 1; }},
      {"a store where another reads plainly",
       {.threads = 2, .sharedBytes = 4},
       WarpFaultKind::SharedRace,
       "stores",
       [](FiberLane& lane) {
         const auto shared = lane.shared<int>();
         if (lane.thread() == 0) lane.store(shared, 1);
         lane.blockSync();
         if (lane.thread() == 0)
           lane.store(shared, 2);
         else if (shared[0] == 7)
           throw std::runtime_error("never here");
       }},
      {"half of a word of another thread",
       {.threads = 2, .sharedBytes = 16},
       WarpFaultKind::SharedRace,
       "byte 4",
       [](FiberLane& lane) {
         if (lane.thread() == 0)
           lane.shared<double>()[0] = 1;
         else
           lane.shared<int>()[1] = 1;
       }},
  };
}

const std::vector<Wrong>& wrongs() {
  static const std::vector<Wrong> all = [] {
    std::vector<Wrong> both = wrongWaits();
    for (Wrong& wrong : wrongAccesses()) both.push_back(std::move(wrong));
    return both;
  }();
  return all;
}

}  // namespace

class TestFiberBlock : public QObject {
  Q_OBJECT

 private slots:
  void everyThreadRunsOnce_data() {
    QTest::addColumn<quint32>("threads");
    for (const quint32 threads : {1U, 5U, 31U, 32U, 33U, 64U, 100U, 256U, 1000U, 1024U})
      QTest::addRow("%u threads", threads) << threads;
  }
  void everyThreadRunsOnce() {
    QFETCH(quint32, threads);
    std::vector<int> runs(threads, 0);
    int wrong = 0;
    const auto fault = runBlock(
        [&](FiberLane& lane) {
          ++runs[lane.thread()];
          wrong += lane.thread() % 32 != lane.id() || lane.threads() != threads ||
                   lane.block() != 3 || lane.blocks() != 7;
        },
        {.threads = threads, .block = 3, .blocks = 7});
    QVERIFY2(!fault, textOf(fault).c_str());
    QVERIFY(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
    QCOMPARE(wrong, 0);
  }

  // Early threads wait: what all have done before a barrier is visible after it, whatever the order
  // of the warps.
  void barriersHoldAllBack_data() {
    QTest::addColumn<quint32>("threads");
    QTest::addColumn<quint64>("schedule");
    for (const quint32 threads : {1U, 32U, 50U, 256U, 1024U})
      for (const quint64 schedule : {0U, 1U, 2U, 3U})
        QTest::addRow("%u threads, schedule %u", threads, static_cast<unsigned>(schedule))
            << threads << schedule;
  }
  void barriersHoldAllBack() {
    QFETCH(quint32, threads);
    QFETCH(quint64, schedule);
    std::vector<std::uint32_t> round(threads, 0);
    int early = 0;
    const auto fault = runBlock(
        [&](FiberLane& lane) {
          for (std::uint32_t now = 1; now < 6; ++now) {
            for (std::uint32_t i = 0; i < lane.thread() * now % 5; ++i) lane.step(Loop::Search);
            round[lane.thread()] = now;
            lane.blockSync();
            early += std::any_of(round.begin(), round.end(),
                                 [&](std::uint32_t there) { return there < now; });
          }
        },
        {.threads = threads, .schedule = schedule});
    QVERIFY2(!fault, textOf(fault).c_str());
    QCOMPARE(early, 0);
  }

  void votes() {
    for (const std::uint32_t threads : {1U, 32U, 70U, 1024U})
      for (std::uint32_t who = 0; who <= threads;
           who += threads / 3 + 1) {  // the last does not exist
        std::vector<int> said(threads, -1);
        int second = 0;
        const auto fault = runBlock(
            [&](FiberLane& lane) {
              said[lane.thread()] = lane.blockAny(lane.thread() == who);
              second += lane.blockAny(false);  // nothing stays of the vote before
            },
            {.threads = threads});
        QVERIFY2(!fault, textOf(fault).c_str());
        QCOMPARE(std::count(said.begin(), said.end(), who < threads ? 1 : 0),
                 static_cast<std::ptrdiff_t>(threads));
        QCOMPARE(second, 0);
      }
  }

  // Warps have their collectives to themselves while others wait at the barrier.
  void warpsMeetAmongThemselves() {
    std::vector<std::uint32_t> ballots(128, 0);
    const auto fault = runBlock(
        [&](FiberLane& lane) {
          const std::uint32_t warp = lane.thread() / 32;
          for (std::uint32_t i = 0; i < warp; ++i)
            ballots[lane.thread()] = lane.ballot(kAll, lane.id() == i);
          lane.blockSync();
        },
        {.threads = 128});
    QVERIFY2(!fault, textOf(fault).c_str());
    for (std::uint32_t t = 0; t < 128; ++t) QCOMPARE(ballots[t], t < 32 ? 0U : 1U << (t / 32 - 1));
  }

  // The usual tree: a sum over the block in its shared memory.
  void reducesInSharedMemory_data() { everyThreadRunsOnce_data(); }
  void reducesInSharedMemory() {
    QFETCH(quint32, threads);
    double sum = 0;
    std::uint32_t half = 1;
    while (2 * half < threads) half *= 2;
    const auto fault = runBlock(
        [&](FiberLane& lane) {
          const auto terms = lane.shared<double>() + 1;
          const std::uint32_t t = lane.thread();
          terms[t] = t + 0.5;
          for (std::uint32_t apart = half; apart > 0; apart /= 2) {
            lane.blockSync();
            if (t < apart && t + apart < lane.threads()) terms[t] = terms[t] + terms[t + apart];
          }
          if (t == 0) sum = terms[0];
        },
        {.threads = threads, .sharedBytes = (threads + std::size_t{1}) * sizeof(double)});
    QVERIFY2(!fault, textOf(fault).c_str());
    QCOMPARE(sum, 0.5 * threads * threads);
  }

  // Threads that wait at a flag without a barrier: load and store may meet.
  void loadsMayMeetStores() {
    int heard = 0;
    const auto fault = runBlock(
        [&](FiberLane& lane) {
          const auto flag = lane.shared<int>();
          if (lane.thread() == 0) flag[0] = 0;
          lane.blockSync();
          if (lane.thread() >= 40) lane.store(flag, 5);
          while (lane.load(flag) == 0) lane.step(Loop::Search);
          heard += lane.load(flag) == 5;
        },
        {.threads = 64, .sharedBytes = 4});
    QVERIFY2(!fault, textOf(fault).c_str());
    QCOMPARE(heard, 64);
  }

  void sharedMemoryIsGarbageAtFirst() {
    SharedMemory memory(8);
    double there = 0;
    std::memcpy(&there, memory.at(0), sizeof there);
    QVERIFY(there < -1e280);
  }

  // Each warp counts its own steps, and idles at no barrier.
  void stepsAreCountedByWarp() {
    std::vector<WarpSteps> steps;
    const auto fault = runBlock(
        [](FiberLane& lane) {
          lane.enter(Loop::Candidate);
          for (std::uint32_t i = 0; i < lane.thread() / 32 + 1 + lane.id() % 2; ++i)
            lane.step(Loop::Candidate);
          lane.leave(Loop::Candidate);
          lane.blockSync();
        },
        {.threads = 72}, &steps);
    QVERIFY2(!fault, textOf(fault).c_str());
    QCOMPARE(steps.size(), std::size_t{3});
    constexpr auto kCandidate = static_cast<std::size_t>(Loop::Candidate);
    for (std::uint64_t w = 0; w < 3; ++w) {
      const std::uint64_t lanes = w < 2 ? 32 : 8;
      QCOMPARE(steps[w].steps[kCandidate], w + 2);
      QCOMPARE(steps[w].laneSteps[kCandidate], lanes * (w + 1) + lanes / 2);
    }
  }

  void faultsAreFound_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<quint64>("schedule");
    for (std::size_t i = 0; i < wrongs().size(); ++i)
      for (const quint64 schedule : {0U, 9U})
        QTest::addRow("%s, schedule %u", wrongs()[i].name, static_cast<unsigned>(schedule))
            << static_cast<int>(i) << schedule;
  }
  void faultsAreFound() {
    QFETCH(int, which);
    QFETCH(quint64, schedule);
    const Wrong& wrong = wrongs()[static_cast<std::size_t>(which)];
    BlockShape shape = wrong.shape;
    shape.schedule = schedule;
    int began = 0;
    int gone = 0;
    const auto fault = runBlock(
        [&](FiberLane& lane) {
          ++began;
          const Witness witness{gone};
          wrong.program(lane);
        },
        shape);
    QVERIFY(fault.has_value());
    QVERIFY2(fault->kind == wrong.kind, fault->message.c_str());
    if (schedule == 0)
      QVERIFY2(fault->message.find(wrong.says) != std::string::npos, fault->message.c_str());
    QCOMPARE(gone, began);  // nothing is left on the stacks of waiting threads
  }

  void exceptionsComeOut() {
    int began = 0;
    int gone = 0;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, runBlock(
                                                     [&](FiberLane& lane) {
                                                       ++began;
                                                       const Witness witness{gone};
                                                       if (lane.thread() == 70)
                                                         throw std::runtime_error("seventy");
                                                       lane.blockSync();
                                                     },
                                                     {.threads = 96}));
    QVERIFY(began > 70);
    QCOMPARE(gone, began);
  }
};

APPLESS_TEST(TestFiberBlock);
#include "tst_fiber_block.moc"
