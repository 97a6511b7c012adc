// The machine that a load is modelled on: names, clocks, weights, threads per point, and the order
// of its warps.
#include <tbb/task_arena.h>

#include <QTest>

#include <random>
#include <set>
#include <span>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/join/threads_per_point.h"
#include "engine/load/load_kernel.h"
#include "engine/load/load_model.h"
#include "engine/load/simt_machine.h"
#include "line_loads.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace lineLoads;

class TestLoadMachine : public QObject {
  Q_OBJECT
 private slots:
  // A report names the GPU that is modelled, and has no remark where nothing is to be said.
  void theMachineIsNamed() {
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2});
    const LoadReport standard = reportOf(cloud, 1.0, plainStrategy(), {}, {});
    QCOMPARE(standard.machine, std::string("H200"));
    QCOMPARE(standard.streams, 3);
    QCOMPARE(standard.clockGHz, 1.98);
    QCOMPARE(standard.stats.note, std::string());
    Strategy twoStreams = plainStrategy();
    twoStreams.streams = 2;
    const LoadReport small = reportOf(cloud, 1.0, twoStreams, {}, {.multiprocessors = 8});
    QCOMPARE(small.machine, std::string("GPU"));
    QCOMPARE(small.multiprocessors, 8);
    QCOMPARE(small.streams, 2);
  }

  // A machine is named or given by its figures; its text makes it again.
  void machinesHaveNames() {
    for (const SimtMachine& known : knownMachines()) {
      QCOMPARE(nameOf(known), known.name);
      const auto again = machineFromText(toText(known));
      QVERIFY(again && *again == known);
    }
    QCOMPARE(knownMachines().front(), SimtMachine{});
    QCOMPARE(nameOf(*machineFromText("a100")), std::string("A100"));
    const auto own = machineFromText("8x4x2");
    QVERIFY(own);
    QCOMPARE(own->multiprocessors, 8);
    QCOMPARE(own->warpsPerMultiprocessor, 4);
    QCOMPARE(own->streams, 2);
    QCOMPARE(nameOf(*own), std::string("GPU"));
    QCOMPARE(toText(*own), std::string("8x4x2"));
    for (const char* wrong : {"", "B100", "8", "0x4", "8x", "8x4x2x1", "2000x4", "8x4x65", "8x4@",
                              "8x4@0", "8x4@11", "8x4@1@2", "@1.5", "A100@fast"}) {
      const auto read = machineFromText(wrong);
      QVERIFY2(!read, wrong);
      QVERIFY(read.error().message.find("Titan-X") != std::string::npos);
    }
  }

  // A clock may follow; with another one a preset loses its name.
  void machinesHaveClocks() {
    QCOMPARE(machineFromText("8x4")->clockGHz, 1.98);
    QCOMPARE(machineFromText("a100")->clockGHz, 1.41);
    const auto own = machineFromText("8x4x2@1.5");
    QVERIFY(own);
    QCOMPARE(own->clockGHz, 1.5);
    QCOMPARE(own->streams, 2);
    QCOMPARE(toText(*own), std::string("8x4x2@1.5"));
    const auto slower = machineFromText("A100@1.2");
    QVERIFY(slower);
    QCOMPARE(nameOf(*slower), std::string("GPU"));
    QCOMPARE(toText(*slower), std::string("108x64@1.2"));
    QCOMPARE(machineFromText("A100@1.41")->name, std::string("A100"));
    QCOMPARE(toText(*machineFromText("A100@1.41")), std::string("A100"));
  }

  // A multiprocessor issues four instructions a cycle, which its warps share; one warp alone issues
  // one.
  void stepsBecomeSeconds() {
    const auto seconds = [](const char* machine, double steps) {
      return machineFromText(machine)->seconds(steps);
    };
    QCOMPARE(seconds("8x64@2", 1e6), 1e6 * 16 / 2e9);
    QCOMPARE(seconds("8x4@2", 1e6), 1e6 / 2e9);
    QCOMPARE(seconds("8x1@2", 1e6), 1e6 / 2e9);
    QCOMPARE(seconds("8x64@1", 1e6), 2 * seconds("8x64@2", 1e6));
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2});
    LoadRequest request;
    request.machine = *machineFromText("8x8@0.5");
    auto report = modelLoad(cloud, 1.0, plainStrategy(), request, {});
    QVERIFY(report && report->makespan > 0);
    QCOMPARE(secondsOf(*report, report->makespan), report->makespan * 2 / 0.5e9);
    report->measured = true;
    QCOMPARE(secondsOf(*report, 3.5), 3.5);
  }

  // A step costs what the machine says; without weights of its own, what the kernel says.
  void weightsAreThoseOfTheMachine() {
    QVERIFY(weightsFromText("fitted") && !*weightsFromText("fitted"));
    QCOMPARE(**weightsFromText("unit"), LoopWeights{});
    QCOMPARE(**weightsFromText("0,1.5,16,8"), (LoopWeights{{0, 1.5, 16, 8}}));
    for (const char* wrong : {"", "1", "1,2,3", "1,2,3,4,5", "-1,1,1,1", "0,0,0,0", "a,b,c,d"})
      QVERIFY2(!weightsFromText(wrong), wrong);
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2});
    LoadRequest request;
    const auto fitted = modelLoad(cloud, 1.0, plainStrategy(), request, {});
    request.machine = *machineFromText("tiny");
    request.machine.weights = LoopWeights{};
    const auto equal = modelLoad(cloud, 1.0, plainStrategy(), request, {});
    QVERIFY(fitted && equal);
    QCOMPARE(fitted->weights, weightsOf(LoadKernel::Pairs));
    QCOMPARE(equal->weights, LoopWeights{});
    QCOMPARE(equal->machine, std::string("tiny"));
    QCOMPARE(equal->wee, warpExecutionEfficiency(fitted->steps, fitted->laneSteps, LoopWeights{}));
    QVERIFY(equal->wee != fitted->wee);
  }

  // Threads per point on a GPU of `resident` threads for a batch of `queries` queries; the device
  // calls the same function.
  void threadsPerPointFollowTheMachine() {
    constexpr std::size_t kThreadsOfH200 = 132 * 2048;
    Strategy tile = plainStrategy(AccessPattern::Tile);
    const auto threads = [&](std::size_t queries, std::size_t resident) {
      return threadsPerPointOnGpu(tile, queries, resident);
    };
    QCOMPARE(threads(2'000'000, kThreadsOfH200), 1);
    QCOMPARE(threads(135'168, kThreadsOfH200), 1);  // half of the threads
    QCOMPARE(threads(135'167, kThreadsOfH200), 2);
    QCOMPARE(threads(67'583, kThreadsOfH200), 4);
    QCOMPARE(threads(10'000, kThreadsOfH200), 16);
    QCOMPARE(threads(1, kThreadsOfH200), 32);
    QCOMPARE(threads(10'000, 16 * 1024), 1);
    tile.threadsPerPoint = 8;  // who says a number gets it
    QCOMPARE(threads(1, kThreadsOfH200), 8);
    QCOMPARE(threads(2'000'000, kThreadsOfH200), 8);
    for (const AccessPattern other :
         {AccessPattern::Full, AccessPattern::Unicomp, AccessPattern::LidUnicomp})
      QCOMPARE(threadsPerPointOnGpu(plainStrategy(other), 1, kThreadsOfH200), 1);

    // The model of machines and batches of different sizes.
    std::mt19937_64 random(13);
    const PointCloud cloud = draws::draw(random, "uniform", 4000, 2);
    tile = plainStrategy(AccessPattern::Tile);
    tile.indexedDims = 2;
    struct Case {
      SimtMachine machine;
      std::uint64_t batchPairs;
    };
    std::uint64_t pairs = 0;
    std::set<int> seen;
    for (const Case& c : {Case{{}, 0}, Case{{.multiprocessors = 4}, 0},
                          Case{{.multiprocessors = 4, .warpsPerMultiprocessor = 32}, 0},
                          Case{{.multiprocessors = 4}, 5000}, Case{{.multiprocessors = 1}, 5000}}) {
      tile.batchPairs = c.batchPairs;
      const LoadReport report = reportOf(cloud, 0.5, tile, {}, c.machine);
      const std::size_t batches = report.batchBegin.size() - 1;
      QCOMPARE(batches > 1, c.batchPairs > 0);
      const int expected =
          threads(cloud.size() / batches, 32 * static_cast<std::size_t>(c.machine.warpSlots()));
      QCOMPARE(report.threadsPerPoint, expected);
      seen.insert(expected);
      std::size_t warps = 0;
      const std::size_t queriesAWarp = 32 / static_cast<std::size_t>(expected);
      for (std::size_t b = 0; b < batches; ++b)
        warps +=
            (report.batchBegin[b + 1] - report.batchBegin[b] + queriesAWarp - 1) / queriesAWarp;
      QCOMPARE(report.warps.size(), warps);
      // However many share a query, the join is the same.
      if (pairs != 0) QCOMPARE(report.pairs, pairs);
      pairs = report.pairs;
    }
    QVERIFY(seen.size() >= 3);

    // What a device has decided stands, one thread too, whatever the machine would have taken.
    tile.batchPairs = 0;
    for (const int decided : {1, 4}) {
      const auto model = LoadModel::make(cloud, 0.5, tile, LoadKernel::Counts, {}, {}, decided);
      QVERIFY(model.has_value());
      const auto report = model->report({.kernel = LoadKernel::Counts}, {}, {});
      QVERIFY(report.has_value());
      QCOMPARE(report->threadsPerPoint, decided);
      const auto points = std::span(report->pointOfTicket).first(32U / unsigned(decided));
      QVERIFY(model->traceOf(points, {}, {}).has_value());
    }
  }

  // Two multiprocessors of one warp, two streams. Batch 0: 5, 1, 1; batch 1: 1; batch 2: 2, 2.
  void warpsAreScheduledInOrderOfLaunch() {
    const SimtMachine machine{.multiprocessors = 2, .warpsPerMultiprocessor = 1, .streams = 2};
    const std::vector<double> durations{5, 1, 1, 1, 2, 2};
    const std::vector<std::uint32_t> batchBegin{0, 3, 4, 6};
    const auto runs = scheduleWarps(durations, batchBegin, machine);
    const std::vector<double> starts{0, 0, 1, 2, 5, 5};
    const std::vector<std::uint32_t> slotOf{0, 1, 1, 1, 1, 0};
    for (std::size_t w = 0; w < runs.size(); ++w) {
      QCOMPARE(runs[w].start, starts[w]);
      QCOMPARE(runs[w].end, starts[w] + durations[w]);
      QCOMPARE(runs[w].slot, slotOf[w]);
    }
  }
};

APPLESS_TEST(TestLoadMachine);
#include "tst_load_machine.moc"
