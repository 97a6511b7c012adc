// The model of a join's load: by hand, against brute force and the CPU backend, sampled against
// whole, and a warp's trace against its tallies.
#include <tbb/task_arena.h>

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/brute_force.h"
#include "engine/join/join_plan.h"
#include "engine/join/threads_per_point.h"
#include "engine/load/load_model.h"
#include "engine/load/load_plan.h"
#include "engine/load/simt_backend.h"
#include "engine/load/warp_sample.h"
#include "engine/load/warp_schedule.h"
#include "engine/load/weights.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Numbers = PerLoop<std::uint64_t>;
constexpr LoopWeights kUnit;

Strategy plain(AccessPattern pattern = AccessPattern::Full, QueryOrder order = QueryOrder::Cell) {
  return {.pattern = pattern,
          .order = order,
          .indexedDims = 1,
          .sortIdu = Toggle::Off,
          .shortCircuit = Toggle::Off};
}

PointCloud onALine(std::vector<double> x) {
  PointCloud cloud;
  cloud.columns = {std::move(x)};
  cloud.names = {"x"};
  return cloud;
}

LoadReport reportOf(const PointCloud& cloud, double eps, const Strategy& strategy,
                    const LoadRequest& request = {}, const SimtMachine& machine = {}) {
  const auto report = modelLoad(cloud, eps, strategy, request, machine, kUnit, {});
  if (!report) QTest::qFail(report.error().message.c_str(), __FILE__, __LINE__);
  return report ? *report : LoadReport{};
}

bool sameFloats(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

bool sameFigures(const LoadReport& a, const LoadReport& b) {
  const auto equal = [](const WarpLoad& x, const WarpLoad& y) {
    return x.number == y.number && x.steps == y.steps && x.laneSteps == y.laneSteps &&
           x.start == y.start && x.end == y.end && x.multiprocessor == y.multiprocessor &&
           x.slot == y.slot && x.longestLane == y.longestLane && x.shortestLane == y.shortestLane;
  };
  return std::equal(a.warps.begin(), a.warps.end(), b.warps.begin(), b.warps.end(), equal) &&
         a.wee == b.wee && a.weeError == b.weeError && a.makespan == b.makespan &&
         a.pointOfTicket == b.pointOfTicket &&
         sameFloats(a.idleCausedByTicket, b.idleCausedByTicket) && a.batchBegin == b.batchBegin &&
         a.distanceCalculations == b.distanceCalculations && a.pairs == b.pairs;
}

}  // namespace

class TestLoadModel : public QObject {
  Q_OBJECT
 private slots:
  // Cells A = {0.1, 0.22, 0.3}, B = {1.2, 1.25}, C = {10.5} on a line, ε = 1; one warp.
  //   own cell   A lanes 3 turns, B 2, C 1: 3 turns of the warp, 9 + 4 + 1 = 14 of lanes, all hit.
  //   cell loop  A: own, right; B: left, own; C: own. 2 turns; 3·2 + 2·2 + 1 = 11 of lanes.
  //   turn 0     B lanes search for A (2 turns of 3 cells: 2, 4) and scan it (3 turns, 6); 1.2 hits
  //              the second and third, 1.25 the third: 2 turns, 3 of lanes.
  //   turn 1     A lanes search for B (2, 6) and scan it (2 turns, 6); 0.22 hits 1.2 and 0.3 both:
  //   2
  //              turns, 3 of lanes.
  void aWarpByHand() {
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2, 1.25, 10.5});
    const LoadReport report = reportOf(cloud, 1.0, plain());
    QCOMPARE(report.warps.size(), std::size_t{1});
    const WarpLoad& warp = report.warps.front();
    QCOMPARE(warp.steps, (Numbers{2, 4, 8, 7}));
    QCOMPARE(warp.laneSteps, (Numbers{11, 10, 26, 20}));
    QCOMPARE(warp.longestLane, std::uint64_t{5});
    QCOMPARE(warp.shortestLane, std::uint64_t{1});
    QCOMPARE(warp.tickets, 6U);
    QCOMPARE(report.candidates, std::uint64_t{26});
    QCOMPARE(report.distanceCalculations, std::uint64_t{26});
    QCOMPARE(report.pairs, std::uint64_t{20});
    QCOMPARE(report.wee, 67.0 / (32 * 21));
    QCOMPARE(report.weeError, 0.0);
    QCOMPARE(report.makespan, 21.0);
    QCOMPARE(report.idealMakespan, 21.0 / (132 * 64));
    const LoopWeights weights{{3, 0, 1, 0}};
    QCOMPARE(warpExecutionEfficiency(warp.steps, warp.laneSteps, weights),
             (3.0 * 11 + 26) / (32 * (3.0 * 2 + 8)));
  }

  // The idling of that warp, 32 · 21 − 67 = 605 lane-steps, by who causes it. Of a step that 6
  // lanes take each causes 26/6, of one that 5 take 27/5, and so on.
  //   own cell   turns of 6, 5 and 3 lanes, all hit; cell loop: turns of 6 and 5.
  //   turn 0     2 searches and 3 candidates of the two lanes of B; 1.2 hits alone, then both do.
  //   turn 1     2 searches and 2 candidates of the three lanes of A; 0.22 and 0.3 hit, then 0.3.
  void whoCausesIdlingByHand() {
    const LoadReport report = reportOf(onALine({0.1, 0.22, 0.3, 1.2, 1.25, 10.5}), 1.0, plain());
    const double six = 26.0 / 6;
    const double five = 27.0 / 5;
    const double three = 29.0 / 3;
    const double two = 15;
    const double one = 31;
    const double ofA = 3 * (six + five) + 2 * three + 4 * three;
    const double ofB = 3 * (six + five) + 5 * two;
    const std::vector<double> expected{ofA,       ofA + two, ofA + two + one, ofB + one + two,
                                       ofB + two, 3 * six};
    QCOMPARE(std::accumulate(expected.begin(), expected.end(), 0.0), 605.0);
    QCOMPARE(report.idleCausedByTicket.size(), expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t)
      QCOMPARE(report.idleCausedByTicket[t], static_cast<float>(expected[report.pointOfTicket[t]]));
  }

  // Against the steps of each warp one by one, and against the sums of the report.
  void idlingIsCausedAsTracesTell() {
    std::mt19937_64 random(22);
    const LoopWeights weights{{2, 3, 16, 8}};
    for (int round = 0; round < 60; ++round) {
      const std::size_t dims = 1 + random() % 4;
      const PointCloud cloud = draws::draw(
          random, draws::kAllKinds[random() % draws::kAllKinds.size()], 1 + random() % 300, dims);
      const double eps = draws::drawEps(random, cloud);
      Strategy strategy = strategies::draw(random, dims, strategies::For::Join, true);
      strategy.precision = Precision::Double;
      const auto model = LoadModel::make(cloud, eps, strategy, LoadKernel::Pairs, {}, {});
      QVERIFY(model.has_value());
      const auto report = model->report({}, weights, {});
      QVERIFY(report.has_value());
      QCOMPARE(report->idleCausedByTicket.size(), cloud.size());
      for (const WarpLoad& warp : report->warps) {
        std::vector<double> expected(warp.tickets, 0);
        const auto trace = model->trace(warp.number, {.mostSteps = 1U << 30}, {});
        QVERIFY(trace.has_value());
        for (std::size_t step = 0; step < trace->steps(); ++step) {
          const int active = std::popcount(trace->activeOfStep[step]);
          const double weight = weights.of[static_cast<std::size_t>(trace->loopOfStep[step])];
          for (std::uint32_t lane = 0; lane < 32; ++lane)
            if (trace->active(step, lane))
              expected[lane / static_cast<std::uint32_t>(report->threadsPerPoint)] +=
                  weight * (32 - active) / active;
        }
        double sum = 0;
        for (std::uint32_t t = 0; t < warp.tickets; ++t) {
          const double found = report->idleCausedByTicket[warp.firstTicket + t];
          QVERIFY2(std::abs(found - expected[t]) <= 1e-6 * expected[t],
                   strategies::text(strategy).c_str());
          sum += found;
        }
        double idle = 0;
        for (std::size_t loop = 0; loop < kLoops; ++loop)
          idle +=
              weights.of[loop] * static_cast<double>(32 * warp.steps[loop] - warp.laneSteps[loop]);
        QVERIFY2(std::abs(sum - idle) <= 1e-6 * idle, strategies::text(strategy).c_str());
      }
    }
  }

  // In input order the few points in the dense region make the many outside wait: the more
  // candidates a point has, the more idling it causes.
  void densePointsCauseIdling() {
    const auto data = generate({.kind = "expo", .points = 20000, .dims = 2, .seed = 1}, {});
    QVERIFY(data.has_value());
    const PointCloud& cloud = data->cloud;
    Strategy strategy = plain(AccessPattern::Full, QueryOrder::Input);
    strategy.indexedDims = 2;
    const auto model = LoadModel::make(cloud, 0.002, strategy, LoadKernel::Pairs, {}, {});
    QVERIFY(model.has_value());
    const auto report = model->report({}, weightsOf(LoadKernel::Pairs), {});
    QVERIFY(report.has_value());
    const std::vector<std::uint32_t> cellOf = model->index().cellOfPosition();
    std::vector<std::uint64_t> workload(cloud.size());
    for (std::size_t at = 0; at < cloud.size(); ++at)
      workload[model->index().pointIds[at]] = model->workloadOfCell()[cellOf[at]];
    std::vector<std::pair<std::uint64_t, double>> byWorkload;
    for (std::size_t t = 0; t < cloud.size(); ++t)
      byWorkload.emplace_back(workload[report->pointOfTicket[t]], report->idleCausedByTicket[t]);
    std::sort(byWorkload.begin(), byWorkload.end());
    // Mean of each tenth of the points, the sparsest first.
    std::vector<double> tenths(10, 0);
    for (std::size_t i = 0; i < byWorkload.size(); ++i)
      tenths[i * 10 / byWorkload.size()] += byWorkload[i].second;
    QVERIFY(std::is_sorted(tenths.begin(), tenths.end()));
    const double all = std::accumulate(tenths.begin(), tenths.end(), 0.0);
    QVERIFY2(tenths.back() > 0.45 * all, std::to_string(tenths.back() / all).c_str());
    const double sparseHalf = std::accumulate(tenths.begin(), tenths.begin() + 5, 0.0);
    QVERIFY2(sparseHalf < 0.07 * all, std::to_string(sparseHalf / all).c_str());
  }

  // The same by tiles: one row per query, found in the directory without a search: A and B read the
  // five points of both, C its own. Half of the machine's 32 lanes are to be kept, and four for
  // each of the 6 queries do that: two turns for five candidates, the second for one lane of the
  // four.
  void aTileByHand() {
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2, 1.25, 10.5});
    Strategy tile = plain();
    tile.pattern = AccessPattern::Tile;
    tile.order = QueryOrder::Cell;
    const LoadReport report =
        reportOf(cloud, 1.0, tile, {}, {.multiprocessors = 1, .warpsPerMultiprocessor = 1});
    QCOMPARE(report.threadsPerPoint, 4);
    QVERIFY2(report.stats.note.find("4 threads share each query point") != std::string::npos,
             report.stats.note.c_str());
    QCOMPARE(report.warps.size(), std::size_t{1});
    QCOMPARE(report.warps.front().steps, (Numbers{1, 0, 2, 2}));
    QCOMPARE(report.warps.front().laneSteps, (Numbers{24, 0, 26, 20}));
    QCOMPARE(report.pairs, std::uint64_t{20});
  }

  // A report names the GPU that is modelled, and has no remark where nothing is to be said.
  void theMachineIsNamed() {
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2});
    const LoadReport standard = reportOf(cloud, 1.0, plain(), {}, {});
    QCOMPARE(standard.machine, std::string("H200"));
    QCOMPARE(standard.streams, 3);
    QCOMPARE(standard.clockGHz, 1.98);
    QCOMPARE(standard.stats.note, std::string());
    Strategy twoStreams = plain();
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
    auto report = modelLoad(cloud, 1.0, plain(), request, {});
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
    const auto fitted = modelLoad(cloud, 1.0, plain(), request, {});
    request.machine = *machineFromText("tiny");
    request.machine.weights = LoopWeights{};
    const auto equal = modelLoad(cloud, 1.0, plain(), request, {});
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
    Strategy tile = plain(AccessPattern::Tile);
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
      QCOMPARE(threadsPerPointOnGpu(plain(other), 1, kThreadsOfH200), 1);

    // The model of machines and batches of different sizes.
    std::mt19937_64 random(13);
    const PointCloud cloud = draws::draw(random, "uniform", 4000, 2);
    tile = plain(AccessPattern::Tile);
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

  // As for the device: what a kernel does with its pairs decides what a strategy may ask for.
  void countsAreNotSorted() {
    Strategy sorted = plain();
    sorted.route = ResultRoute::KeyValueSort;
    const PointCloud cloud = onALine({1.0, 2.0});
    QVERIFY(modelLoad(cloud, 1.0, sorted, {}, {}, kUnit, {}).has_value());
    const auto refused =
        modelLoad(cloud, 1.0, sorted, {.kernel = LoadKernel::Counts}, {}, kUnit, {});
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().kind, ErrorKind::BadCall);
    QCOMPARE(withBatchesOf(LoadKernel::Pairs, sorted).batchPairs, std::uint64_t{100'000'000});
    QCOMPARE(withBatchesOf(LoadKernel::Counts, sorted).batchPairs, std::uint64_t{0});
    sorted.batchPairs = 7;
    QCOMPARE(withBatchesOf(LoadKernel::Pairs, sorted).batchPairs, std::uint64_t{7});
  }

  // The same by a half pattern: only A looks at B (higher id); hits there stand for two pairs.
  void aHalfPatternByHand() {
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2, 1.25, 10.5});
    const LoadReport report = reportOf(cloud, 1.0, plain(AccessPattern::LidUnicomp));
    const WarpLoad& warp = report.warps.front();
    QCOMPARE(warp.steps, (Numbers{2, 2, 5, 5}));
    QCOMPARE(warp.laneSteps, (Numbers{11, 6, 20, 17}));
    QCOMPARE(report.candidates, std::uint64_t{26});
    QCOMPARE(report.distanceCalculations, std::uint64_t{20});
    QCOMPARE(report.pairs, std::uint64_t{20});
  }

  // Two threads per point: 12 lanes, candidates by twos, everything else done by both.
  void threadsPerPointByHand() {
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2, 1.25, 10.5});
    Strategy strategy = plain();
    strategy.threadsPerPoint = 2;
    const LoadReport report = reportOf(cloud, 1.0, strategy);
    const WarpLoad& warp = report.warps.front();
    QCOMPARE(warp.steps[0], std::uint64_t{2});
    QCOMPARE(warp.laneSteps[0], std::uint64_t{22});
    QCOMPARE(warp.laneSteps[1], std::uint64_t{20});
    QCOMPARE(warp.steps[2], std::uint64_t{2 + 2 + 1});  // 3, 3 and 2 candidates between two lanes
    QCOMPARE(warp.laneSteps[2], std::uint64_t{26});
    QCOMPARE(warp.laneSteps[3], std::uint64_t{20});
    QCOMPARE(report.threadsPerPoint, 2);
  }

  void everyStrategyServesAllAndFindsAll() {
    std::mt19937_64 random(5);
    const auto cpu = makeBackend("cpu", {});
    QVERIFY(cpu.has_value());
    for (int round = 0; round < 150; ++round) {
      const std::string kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const std::size_t dims = 1 + random() % 6;
      const std::size_t n = round % 10 == 0 ? 33 : 1 + random() % 300;
      const PointCloud cloud = draws::draw(random, kind, n, dims);
      const double eps = draws::drawEps(random, cloud);
      Strategy strategy = strategies::draw(random, dims, strategies::For::Join, true);
      strategy.precision = Precision::Double;
      const bool sorted = strategy.route == ResultRoute::KeyValueSort;  // makes no counts
      const LoadKernel kernel =
          sorted || random() % 2 == 0 ? LoadKernel::Pairs : LoadKernel::Counts;
      const LoadReport report = reportOf(cloud, eps, strategy, {.kernel = kernel});
      const auto brute = bruteForceCounts(cloud, eps);
      QVERIFY(brute.has_value());
      QVERIFY2(report.pairs == brute->pairs, strategies::text(strategy).c_str());

      // What the CPU does in the same way, with one thread per point and no streams: what is left
      // to the engine, it decides for a GPU otherwise.
      const auto plan = planJoin(cloud, eps, strategy, sinkOf(kernel), kSimtLimits, {});
      QVERIFY(plan.has_value());
      Strategy onCpu = plan->strategy;
      onCpu.threadsPerPoint = 1;
      onCpu.streams = onCpu.blockSize = 0;
      onCpu.route = ResultRoute::CountScanFill;
      const auto counts = (*cpu)->count(cloud, eps, onCpu, {});
      QVERIFY(counts.has_value());
      QCOMPARE(report.candidates, counts->candidates);
      QVERIFY2(report.distanceCalculations == counts->stats.distanceCalculations,
               strategies::text(strategy).c_str());

      std::set<std::uint32_t> served(report.pointOfTicket.begin(), report.pointOfTicket.end());
      QCOMPARE(served.size(), n);
      QCOMPARE(*served.rbegin(), static_cast<std::uint32_t>(n - 1));
      QCOMPARE(report.allWarps, static_cast<std::uint64_t>(report.warps.size()));
      std::uint32_t ticket = 0;
      Numbers sum{};
      for (std::uint32_t w = 0; w < report.warps.size(); ++w) {
        const WarpLoad& warp = report.warps[w];
        QCOMPARE(warp.number, w);
        QCOMPARE(warp.firstTicket, ticket);
        QVERIFY(warp.tickets >= 1);
        QVERIFY(warp.tickets * static_cast<std::uint32_t>(report.threadsPerPoint) <= 32);
        QVERIFY(report.batchBegin[warp.batch] <= ticket);
        ticket += warp.tickets;
        QVERIFY(ticket <= report.batchBegin[warp.batch + 1]);
        for (std::size_t loop = 0; loop < kLoops; ++loop) {
          sum[loop] += warp.laneSteps[loop];
          QVERIFY(warp.steps[loop] <= warp.laneSteps[loop]);
          QVERIFY(warp.laneSteps[loop] <= 32 * warp.steps[loop]);
        }
      }
      QCOMPARE(ticket, static_cast<std::uint32_t>(n));
      QCOMPARE(sum, report.laneSteps);
      QCOMPARE(sum[static_cast<std::size_t>(Loop::Candidate)], report.distanceCalculations);
    }
  }

  void batchesFollowTheEstimateAndWarpsDoNotSpanThem() {
    std::mt19937_64 random(6);
    const PointCloud cloud = draws::draw(random, "uniform", 2000, 2);
    const double eps = 0.5;
    const auto brute = bruteForceCounts(cloud, eps);
    QVERIFY(brute.has_value());
    for (const QueryOrder order : strategies::kOrders) {
      Strategy strategy = plain(AccessPattern::Full, order);
      strategy.indexedDims = 2;
      strategy.batchPairs = brute->pairs / 7;
      const LoadReport report = reportOf(cloud, eps, strategy);
      const std::size_t batches = report.batchBegin.size() - 1;
      // 20 queries are asked.
      QVERIFY2(batches >= 5 && batches <= 10, std::to_string(batches).c_str());
      std::size_t warps = 0;
      for (std::size_t b = 0; b < batches; ++b)
        warps += (report.batchBegin[b + 1] - report.batchBegin[b] + 31) / 32;
      QCOMPARE(report.warps.size(), warps);
      QCOMPARE(report.stats.batches, static_cast<std::uint64_t>(batches));
    }
    // Of themselves, only the kernel that writes pairs is batched.
    QCOMPARE(reportOf(cloud, eps, plain(), {.kernel = LoadKernel::Counts}).stats.batches,
             std::uint64_t{1});
    QVERIFY(reportOf(cloud, eps, plain()).stats.strategy.find("100000000 pairs") !=
            std::string::npos);
  }

  // The heaviest queries of the queue have many times the pairs of the last ones; its batches have
  // about equal results all the same, and are no more than those of other orders.
  void batchesOfAWorkQueueHaveEqualResults() {
    std::mt19937_64 random(9);
    const PointCloud cloud = draws::draw(random, "exponential", 12000, 2);
    const double eps = 0.004;
    const auto brute = bruteForceCounts(cloud, eps);
    QVERIFY(brute.has_value());
    for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Tile}) {
      Strategy strategy = plain(pattern, QueryOrder::WorkQueue);
      strategy.indexedDims = 2;
      strategy.batchPairs = brute->pairs / 10;
      const LoadReport report = reportOf(cloud, eps, strategy, {.sampleWarps = 20});
      const std::size_t batches = report.batchBegin.size() - 1;
      // A tenth more than 10 by the margin of the estimate and its error.
      QVERIFY2(batches >= 10 && batches <= 12, std::to_string(batches).c_str());
      for (std::size_t b = 0; b < batches; ++b) {
        double pairs = 0;
        for (std::size_t t = report.batchBegin[b]; t < report.batchBegin[b + 1]; ++t)
          pairs += brute->counts[report.pointOfTicket[t]];
        const double part = pairs * static_cast<double>(batches) / double(brute->pairs);
        QVERIFY2(part > 0.7 && part < 1.3, std::to_string(part).c_str());
      }
      const auto queriesOf = [&](std::size_t b) {
        return report.batchBegin[b + 1] - report.batchBegin[b];
      };
      QVERIFY(queriesOf(batches - 1) > 4 * queriesOf(0));
    }
  }

  void sortedOrdersKeepPointsOfACellTogether() {
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "uniform", 3000, 2);
    for (const QueryOrder order : {QueryOrder::SortByWorkload, QueryOrder::WorkQueue}) {
      Strategy strategy = plain(AccessPattern::Full, order);
      strategy.indexedDims = 2;
      const auto model = LoadModel::make(cloud, 1.0, strategy, LoadKernel::Counts, {}, {});
      QVERIFY(model.has_value());
      const auto report = model->report({.kernel = LoadKernel::Counts}, kUnit, {});
      QVERIFY(report.has_value());
      std::map<std::uint32_t, std::uint32_t> cellOfPoint;
      const GridIndex& index = model->index();
      const auto cellOf = index.cellOfPosition();
      for (std::size_t p = 0; p < index.size(); ++p) cellOfPoint[index.pointIds[p]] = cellOf[p];
      std::set<std::uint32_t> left;
      std::uint32_t current = cellOfPoint[report->pointOfTicket[0]];
      for (const std::uint32_t point : report->pointOfTicket) {
        const std::uint32_t cell = cellOfPoint[point];
        if (cell != current) QVERIFY(left.insert(current).second);
        QVERIFY(!left.contains(cell));
        QVERIFY(model->workloadOfCell()[cell] <= model->workloadOfCell()[current]);
        current = cell;
      }
    }
  }

  void aTraceAgreesWithItsTallies_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("threads");
    for (const AccessPattern pattern : strategies::kPatterns)
      for (const int threads : {1, 4, 32})
        QTest::addRow("%s, %d threads per point", toText(pattern).c_str(), threads)
            << static_cast<int>(pattern) << threads;
  }
  void aTraceAgreesWithItsTallies() {
    QFETCH(int, pattern);
    QFETCH(int, threads);
    std::mt19937_64 random(8);
    const PointCloud cloud = draws::draw(random, "exponential", 333, 2);
    Strategy strategy = plain(static_cast<AccessPattern>(pattern), QueryOrder::Input);
    strategy.indexedDims = 2;
    strategy.threadsPerPoint = threads;
    const double eps = 0.01;
    const auto model = LoadModel::make(cloud, eps, strategy, LoadKernel::Pairs, {}, {});
    QVERIFY(model.has_value());
    const auto report = model->report({}, kUnit, {});
    QVERIFY(report.has_value());
    for (std::uint32_t w = 0; w < model->warps(); w += 3) {
      const auto trace = model->trace(w, {}, {});
      QVERIFY(trace.has_value());
      const WarpLoad& warp = report->warps[w];
      QCOMPARE(trace->load.steps, warp.steps);
      QCOMPARE(trace->load.laneSteps, warp.laneSteps);
      QCOMPARE(trace->allSteps,
               std::accumulate(warp.steps.begin(), warp.steps.end(), std::uint64_t{0}));
      QCOMPARE(static_cast<std::uint64_t>(trace->steps()), trace->allSteps);
      Numbers steps{};
      Numbers laneSteps{};
      for (std::size_t s = 0; s < trace->steps(); ++s) {
        const auto loop = static_cast<std::size_t>(trace->loopOfStep[s]);
        QVERIFY(trace->activeOfStep[s] != 0);
        ++steps[loop];
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
          if (!trace->active(s, lane)) {
            QCOMPARE(trace->at(s, lane), WarpTrace::kNothing);
            continue;
          }
          ++laneSteps[loop];
          const std::uint32_t query = trace->queryPoint[lane];
          QVERIFY(query < cloud.size());
          // A hit is the candidate of the step before, and within ε.
          if (trace->loopOfStep[s] == Loop::Hit) {
            QVERIFY(trace->active(s - 1, lane));
            QCOMPARE(trace->at(s, lane), trace->at(s - 1, lane));
          }
          if (trace->loopOfStep[s] == Loop::Candidate) {
            const std::uint32_t candidate = trace->at(s, lane);
            const bool hit = s + 1 < trace->steps() && trace->loopOfStep[s + 1] == Loop::Hit &&
                             trace->active(s + 1, lane);
            QCOMPARE(hit, canonicalSquaredDistance(cloud, query, candidate) <= eps * eps);
          }
        }
      }
      QCOMPARE(steps, warp.steps);
      QCOMPARE(laneSteps, warp.laneSteps);
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t ticket = lane / static_cast<std::uint32_t>(report->threadsPerPoint);
        if (ticket >= warp.tickets) {
          QCOMPARE(trace->queryPoint[lane], WarpTrace::kNothing);
          continue;
        }
        QCOMPARE(trace->queryPoint[lane], report->pointOfTicket[warp.firstTicket + ticket]);
        QCOMPARE(model->warpOfPoint(trace->queryPoint[lane]), w);
      }
      // Asked for by its points, the warp does the same.
      const std::span<const std::uint32_t> points =
          std::span(report->pointOfTicket).subspan(warp.firstTicket, warp.tickets);
      const auto byPoints = model->traceOf(points, {}, {});
      QVERIFY(byPoints.has_value());
      QCOMPARE(byPoints->queryPoint, trace->queryPoint);
      QCOMPARE(byPoints->activeOfStep, trace->activeOfStep);
      QCOMPARE(byPoints->looksAt, trace->looksAt);
      QCOMPARE(byPoints->load.tickets, warp.tickets);
      // A window is a piece of the whole.
      const WarpWindow window{.firstStep = trace->allSteps / 3, .mostSteps = 20};
      const auto piece = model->trace(w, window, {});
      QVERIFY(piece.has_value());
      QVERIFY(piece->steps() > 0);
      for (std::size_t s = 0; s < piece->steps(); ++s) {
        const auto at = static_cast<std::size_t>(piece->firstStep) + s;
        QCOMPARE(piece->loopOfStep[s], trace->loopOfStep[at]);
        QCOMPARE(piece->activeOfStep[s], trace->activeOfStep[at]);
        for (std::uint32_t lane = 0; lane < 32; ++lane)
          QCOMPARE(piece->at(s, lane), trace->at(at, lane));
      }
    }
    QVERIFY(!model->trace(model->warps(), {}, {}).has_value());
    const std::vector<std::uint32_t> tooMany(33 / static_cast<std::size_t>(threads) + 1, 5);
    QCOMPARE(model->traceOf(tooMany, {}, {}).error().kind, ErrorKind::BadCall);
    QCOMPARE(model->traceOf(std::vector<std::uint32_t>{333}, {}, {}).error().kind,
             ErrorKind::BadCall);
  }

  void aSampleIsNearTheWhole() {
    std::mt19937_64 random(9);
    const PointCloud cloud = draws::draw(random, "exponential", 6000, 2);
    const Strategy strategy = plain(AccessPattern::Full, QueryOrder::Input);
    const LoadReport whole = reportOf(cloud, 0.01, strategy);
    const LoadReport one = reportOf(cloud, 0.01, strategy, {.sampleWarps = 1});
    for (std::size_t t = 0; t < cloud.size(); ++t) {
      const WarpLoad& warp = one.warps.front();
      if (t >= warp.firstTicket && t < warp.firstTicket + warp.tickets)
        QCOMPARE(one.idleCausedByTicket[t], whole.idleCausedByTicket[t]);
      else
        QVERIFY(std::isnan(one.idleCausedByTicket[t]));
    }
    constexpr int kSeeds = 60;
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const LoadReport part = reportOf(cloud, 0.01, strategy, {.sampleWarps = 40, .seed = seed});
      QCOMPARE(part.warps.size(), std::size_t{40});
      QCOMPARE(part.allWarps, whole.allWarps);
      const double errors = (part.wee - whole.wee) / part.weeError;
      QVERIFY2(std::abs(errors) <= 4, std::to_string(errors).c_str());
      squares += errors * errors;
      QCOMPARE(part.candidates, whole.candidates);
      const double ratio = static_cast<double>(part.distanceCalculations) /
                           static_cast<double>(whole.distanceCalculations);
      QVERIFY(std::abs(ratio - 1) < 0.15);
      for (const WarpLoad& warp : part.warps) {
        const WarpLoad& same = whole.warps[warp.number];
        QCOMPARE(warp.steps, same.steps);
        QCOMPARE(warp.firstTicket, same.firstTicket);
      }
    }
    // The reported error is the actual error, over many samples.
    const double ratio = std::sqrt(squares / kSeeds);
    QVERIFY2(ratio > 0.75 && ratio < 1.3, std::to_string(ratio).c_str());
  }

  void threadsAndSeedsDecideNothingElse() {
    std::mt19937_64 random(10);
    const PointCloud cloud = draws::draw(random, "blobs", 5000, 3);
    const LoadRequest request{.sampleWarps = 50, .seed = 3};
    LoadReport one;
    tbb::task_arena alone(1);
    alone.execute([&] { one = reportOf(cloud, 0.3, {}, request); });
    LoadReport many;
    many = reportOf(cloud, 0.3, {}, request);
    QVERIFY(sameFigures(one, many));
    QVERIFY(!sameFigures(one, reportOf(cloud, 0.3, {}, {.sampleWarps = 50, .seed = 4})));
  }

  void smallAndStrangeClouds() {
    const LoadReport one = reportOf(onALine({3.0}), 1.0, plain());
    QCOMPARE(one.warps.size(), std::size_t{1});
    QCOMPARE(one.warps[0].steps, (Numbers{1, 0, 1, 1}));
    QCOMPARE(one.pairs, std::uint64_t{1});

    const LoadReport twins = reportOf(onALine(std::vector<double>(100, 2.5)), 1.0, plain());
    QCOMPARE(twins.warps.size(), std::size_t{4});
    QCOMPARE(twins.pairs, std::uint64_t{10000});
    QCOMPARE(twins.warps[0].steps, (Numbers{1, 0, 100, 100}));
    QCOMPARE(twins.warps[0].laneSteps, (Numbers{32, 0, 3200, 3200}));
    QCOMPARE(twins.warps[3].tickets, 4U);
    QCOMPARE(twins.warps[3].laneSteps, (Numbers{4, 0, 400, 400}));

    const auto none = modelLoad(onALine({}), 1.0, plain(), {}, {}, kUnit, {});
    QVERIFY(!none.has_value());
    QCOMPARE(none.error().kind, ErrorKind::BadInput);
    const auto flat = modelLoad(onALine({1.0}), 0.0, plain(), {}, {}, kUnit, {});
    QCOMPARE(flat.error().kind, ErrorKind::BadCall);
    for (const Method method : strategies::kOtherMethods) {
      Strategy other;
      other.method = method;
      const auto refused = modelLoad(onALine({1.0}), 1.0, other, {}, {}, kUnit, {});
      QVERIFY(!refused.has_value());
      QCOMPARE(refused.error().kind, ErrorKind::BadCall);
    }
    Strategy single = plain();
    single.precision = Precision::Single;
    QVERIFY(!modelLoad(onALine({1.0}), 1.0, single, {}, {}, kUnit, {}).has_value());
  }

  // Asked from within, at the first report of each stage, so that no machine is done before.
  void aStopIsHeardOf() {
    std::mt19937_64 random(11);
    const PointCloud cloud = draws::draw(random, "uniform", 200000, 2);
    std::set<std::string> stages;
    const Task listening{
        .stop = {}, .progress = [&](std::string_view stage, double) { stages.emplace(stage); }};
    QVERIFY(modelLoad(cloud, 30.0, plain(), {}, {}, kUnit, listening).has_value());
    QVERIFY(stages.size() > 1);
    for (const std::string& at : stages) {
      std::stop_source stop;
      std::optional<Stopwatch> sinceAsked;
      const Task task{.stop = stop.get_token(), .progress = [&](std::string_view stage, double) {
                        if (stage != at || stop.stop_requested()) return;
                        sinceAsked.emplace();
                        stop.request_stop();
                      }};
      // All points are neighbours of each other: 4 · 10¹⁰ candidates.
      const auto report = modelLoad(cloud, 30.0, plain(), {}, {}, kUnit, task);
      const double late = sinceAsked ? sinceAsked->seconds() : -1.0;
      QVERIFY2(!report.has_value(), at.c_str());
      QCOMPARE(report.error().kind, ErrorKind::Cancelled);
      // 100 ms, and slack for a loaded machine.
      QVERIFY2(0 <= late && late < 1.0, (at + ": " + std::to_string(late)).c_str());
    }
  }

  void progressIsTold() {
    std::mt19937_64 random(12);
    const PointCloud cloud = draws::draw(random, "uniform", 20000, 2);
    double last = -1;
    std::set<std::string> stages;
    const Task task{.stop = {}, .progress = [&](std::string_view stage, double fraction) {
                      if (stage == "tracing warps") {
                        QVERIFY(fraction >= last);
                        last = fraction;
                      }
                      stages.emplace(stage);
                    }};
    QVERIFY(modelLoad(cloud, 0.2, plain(), {}, {}, kUnit, task).has_value());
    QVERIFY(stages.contains("index"));
    QVERIFY(last > 0.9);
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

  void samplesTakeOneOfEachStratum() {
    for (const std::uint32_t all : {1U, 7U, 100U, 62501U})
      for (const std::uint32_t size : {1U, 3U, 7U, 100U, 1000U}) {
        if (size > all) continue;
        const auto sample = sampleWarps(all, size, 17);
        const auto strata = strataOf(all, size);
        QCOMPARE(strata.front(), 0U);
        QCOMPARE(strata.back(), all);
        for (std::uint32_t i = 0; i < size; ++i)
          QVERIFY(sample[i] >= strata[i] && sample[i] < strata[i + 1]);
        if (size == all)
          for (std::uint32_t i = 0; i < size; ++i) QCOMPARE(sample[i], i);
      }
  }

  void ratiosByHand() {
    const std::vector<double> top{1, 2, 3, 6};
    const std::vector<double> bottom{2, 4, 6, 12};
    QCOMPARE(ratioOf(top, bottom, 100).value, 0.5);
    QCOMPARE(ratioOf(top, bottom, 100).error, 0.0);  // the ratio is the same in each
    const std::vector<double> other{2, 1, 3, 6};
    // Residuals 1, −1, 0, 0: variance 4 · (1 − 4/8), over 24².
    QCOMPARE(ratioOf(other, bottom, 8).error, std::sqrt(2.0) / 24);
    QCOMPARE(ratioOf(other, bottom, 4).error, 0.0);
  }

  void theBackendsGiveTheModel() {
    std::mt19937_64 random(14);
    const PointCloud cloud = draws::draw(random, "blobs", 700, 2);
    const auto simt = makeBackend("simt", {});
    const auto cpu = makeBackend("cpu", {.threads = 2});
    QVERIFY(simt.has_value() && cpu.has_value());
    const auto direct = modelLoad(cloud, 0.5, plain(), {}, {}, weightsOf(LoadKernel::Pairs), {});
    const auto one = (*simt)->load(cloud, 0.5, plain(), {}, {});
    const auto two = (*cpu)->load(cloud, 0.5, plain(), {}, {});
    QVERIFY(direct.has_value() && one.has_value() && two.has_value());
    QVERIFY(sameFigures(*one, *direct));
    QVERIFY(sameFigures(*two, *direct));
    QCOMPARE(one->stats.backend, std::string("simt"));
    QVERIFY(!one->measured);
    QCOMPARE((*simt)->count(cloud, 0.5, {}, {}).error().kind, ErrorKind::BadCall);
    QCOMPARE((*simt)->dbscan(cloud, {0.5, 3}, {}, {}).error().kind, ErrorKind::BadCall);
  }
};

APPLESS_TEST(TestLoadModel);
#include "tst_load_model.moc"
