// The model of a join's load: by hand, against brute force and the CPU backend, sampled against
// whole, and a warp's trace against its tallies.
#include <tbb/task_arena.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/brute_force.h"
#include "engine/join/join_plan.h"
#include "engine/join/threads_per_point.h"
#include "engine/load/load_kernel.h"
#include "engine/load/load_model.h"
#include "engine/load/simt_backend.h"
#include "engine/load/warp_sample.h"
#include "line_loads.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace lineLoads;

namespace {

using Numbers = PerLoop<std::uint64_t>;

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
    const LoadReport report = reportOf(cloud, 1.0, plainStrategy());
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

  // The same by tiles: one row per query, found in the directory without a search: A and B read the
  // five points of both, C its own. Half of the machine's 32 lanes are to be kept, and four for
  // each of the 6 queries do that: two turns for five candidates, the second for one lane of the
  // four.
  void aTileByHand() {
    const PointCloud cloud = onALine({0.1, 0.22, 0.3, 1.2, 1.25, 10.5});
    Strategy tile = plainStrategy();
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

  // As for the device: what a kernel does with its pairs decides what a strategy may ask for.
  void countsAreNotSorted() {
    Strategy sorted = plainStrategy();
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
    const LoadReport report = reportOf(cloud, 1.0, plainStrategy(AccessPattern::LidUnicomp));
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
    Strategy strategy = plainStrategy();
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
      Strategy strategy = plainStrategy(AccessPattern::Full, order);
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
    QCOMPARE(reportOf(cloud, eps, plainStrategy(), {.kernel = LoadKernel::Counts}).stats.batches,
             std::uint64_t{1});
    QVERIFY(reportOf(cloud, eps, plainStrategy()).stats.strategy.find("100000000 pairs") !=
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
      Strategy strategy = plainStrategy(pattern, QueryOrder::WorkQueue);
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
      Strategy strategy = plainStrategy(AccessPattern::Full, order);
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

  void aSampleIsNearTheWhole() {
    std::mt19937_64 random(9);
    const PointCloud cloud = draws::draw(random, "exponential", 6000, 2);
    const Strategy strategy = plainStrategy(AccessPattern::Full, QueryOrder::Input);
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
    const LoadReport one = reportOf(onALine({3.0}), 1.0, plainStrategy());
    QCOMPARE(one.warps.size(), std::size_t{1});
    QCOMPARE(one.warps[0].steps, (Numbers{1, 0, 1, 1}));
    QCOMPARE(one.pairs, std::uint64_t{1});

    const LoadReport twins = reportOf(onALine(std::vector<double>(100, 2.5)), 1.0, plainStrategy());
    QCOMPARE(twins.warps.size(), std::size_t{4});
    QCOMPARE(twins.pairs, std::uint64_t{10000});
    QCOMPARE(twins.warps[0].steps, (Numbers{1, 0, 100, 100}));
    QCOMPARE(twins.warps[0].laneSteps, (Numbers{32, 0, 3200, 3200}));
    QCOMPARE(twins.warps[3].tickets, 4U);
    QCOMPARE(twins.warps[3].laneSteps, (Numbers{4, 0, 400, 400}));

    const auto none = modelLoad(onALine({}), 1.0, plainStrategy(), {}, {}, kUnit, {});
    QVERIFY(!none.has_value());
    QCOMPARE(none.error().kind, ErrorKind::BadInput);
    const auto flat = modelLoad(onALine({1.0}), 0.0, plainStrategy(), {}, {}, kUnit, {});
    QCOMPARE(flat.error().kind, ErrorKind::BadCall);
    for (const Method method : strategies::kOtherMethods) {
      Strategy other;
      other.method = method;
      const auto refused = modelLoad(onALine({1.0}), 1.0, other, {}, {}, kUnit, {});
      QVERIFY(!refused.has_value());
      QCOMPARE(refused.error().kind, ErrorKind::BadCall);
    }
    Strategy single = plainStrategy();
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
    QVERIFY(modelLoad(cloud, 30.0, plainStrategy(), {}, {}, kUnit, listening).has_value());
    QVERIFY(stages.size() > 1);
    const double threads = std::max(1U, std::thread::hardware_concurrency());
    for (const std::string& at : stages) {
      std::stop_source stop;
      std::optional<std::clock_t> asked;  // of this process, whatever else runs
      const Task task{.stop = stop.get_token(), .progress = [&](std::string_view stage, double) {
                        if (stage != at || stop.stop_requested()) return;
                        asked = std::clock();
                        stop.request_stop();
                      }};
      // All points are neighbours of each other: 4 · 10¹⁰ candidates.
      const auto report = modelLoad(cloud, 30.0, plainStrategy(), {}, {}, kUnit, task);
      const double late = asked ? double(std::clock() - *asked) / CLOCKS_PER_SEC / threads : -1.0;
      QVERIFY2(!report.has_value(), at.c_str());
      QCOMPARE(report.error().kind, ErrorKind::Cancelled);
      // 100 ms of all threads and slack: those on a loaded machine compute more slowly.
      QVERIFY2(0 <= late && late < 0.5, (at + ": " + std::to_string(late)).c_str());
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
    QVERIFY(modelLoad(cloud, 0.2, plainStrategy(), {}, {}, kUnit, task).has_value());
    QVERIFY(stages.contains("index"));
    QVERIFY(last > 0.9);
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
    const auto direct =
        modelLoad(cloud, 0.5, plainStrategy(), {}, {}, weightsOf(LoadKernel::Pairs), {});
    const auto one = (*simt)->load(cloud, 0.5, plainStrategy(), {}, {});
    const auto two = (*cpu)->load(cloud, 0.5, plainStrategy(), {}, {});
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
