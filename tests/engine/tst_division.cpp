// How two processors share an order of queries: the estimator and its cuts, the two ends, the
// shares, the divider and its simulation.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

#include "engine/hybrid/batch_cuts.h"
#include "engine/hybrid/divider.h"
#include "engine/hybrid/shares.h"
#include "engine/hybrid/simulate_division.h"
#include "engine/join/batch_model.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

OrderedQueries queriesOf(std::vector<std::uint32_t> workloads) {
  std::vector<std::uint32_t> points(workloads.size());
  std::iota(points.begin(), points.end(), 0U);
  return orderedQueries(std::move(points), workloads);
}

/// What estimatedPairs sums up, query by query.
std::uint32_t estimatedNeighbours(const NeighbourSample& sample, std::uint32_t query) {
  const std::size_t s = query / sample.step;
  if (s + 1 >= sample.counts.size()) return sample.counts.back();
  if (query % sample.step == 0) return sample.counts[s];
  return std::max(sample.counts[s], sample.counts[s + 1]);
}

/// Heavy-tailed, non-increasing.
OrderedQueries skewed(std::uint32_t n) {
  std::vector<std::uint32_t> workloads(n);
  for (std::uint32_t i = 0; i < n; ++i) workloads[i] = 10 + 2'000'000 / (i + 50);
  return queriesOf(std::move(workloads));
}

OrderedQueries even(std::uint32_t n, std::uint32_t workload = 100) {
  return queriesOf(std::vector<std::uint32_t>(n, workload));
}

/// Whether the ranges cover 0 … n − 1, each query once.
bool coversOnce(std::vector<TicketRange> ranges, std::uint32_t n) {
  std::sort(ranges.begin(), ranges.end(),
            [](TicketRange a, TicketRange b) { return a.begin < b.begin; });
  std::uint32_t next = 0;
  for (const TicketRange& range : ranges) {
    if (range.begin != next || range.end <= range.begin) return false;
    next = range.end;
  }
  return next == n;
}

std::vector<TicketRange> rangesOf(const SharedPass& pass) {
  std::vector<TicketRange> ranges;
  for (const SharedBatch& batch : pass.batches)
    ranges.push_back({batch.firstQuery, batch.firstQuery + batch.queries});
  return ranges;
}

constexpr Division kDivisions[] = {Division::Dyn, Division::Queries, Division::Candidates,
                                   Division::Adaptive};

}  // namespace

class TestDivision : public QObject {
  Q_OBJECT

 private slots:
  void estimatesAsTheFigure() {
    // [Gallet 2020, figure 6]: samples 30, 20, 22 at every fourth query of twelve.
    const NeighbourSample sample{.step = 4, .counts = {30, 20, 22}};
    const std::vector<std::uint32_t> expected{30, 30, 30, 30, 20, 22, 22, 22, 22, 22, 22, 22};
    for (std::uint32_t q = 0; q < 12; ++q) QCOMPARE(estimatedNeighbours(sample, q), expected[q]);
    QCOMPARE(estimatedPairs(sample, 12),
             std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}));
    // The tail has the last sample's.
    QCOMPARE(estimatedNeighbours(sample, 500), 22U);
    QCOMPARE(estimatedPairs(sample, 3), std::uint64_t{90});
  }

  void cutsGreedily() {
    std::mt19937_64 random(5);
    for (int round = 0; round < 300; ++round) {
      const auto n = static_cast<std::uint32_t>(1 + random() % 400);
      const auto step = static_cast<std::uint32_t>(1 + random() % 12);
      NeighbourSample sample{.step = step, .counts = {}};
      for (std::uint32_t q = 0; q < n; q += step)
        sample.counts.push_back(static_cast<std::uint32_t>(random() % 60));
      const std::uint64_t pairs = 1 + random() % 500;
      const auto least = static_cast<std::uint32_t>(1 + random() % 8);
      const auto begins = cutBatches(sample, n, pairs, least);
      // The oracle: query by query.
      std::uint64_t total = 0;
      for (std::uint32_t q = 0; q < n; ++q) total += estimatedNeighbours(sample, q);
      QCOMPARE(estimatedPairs(sample, n), total);
      const std::uint64_t limit = std::max<std::uint64_t>(1, std::min(pairs, total / least));
      std::vector<std::uint32_t> expected{0};
      std::uint64_t used = 0;
      for (std::uint32_t q = 0; q < n; ++q) {
        const std::uint32_t each = estimatedNeighbours(sample, q);
        if (q > expected.back() && each > 0 && used + each > limit) {
          expected.push_back(q);
          used = 0;
        }
        used += each;
      }
      expected.push_back(n);
      QCOMPARE(begins, expected);
      if (total >= least && limit == total / least && sample.counts.back() > 0)
        QVERIFY(begins.size() > std::min<std::size_t>(least, n));
    }
  }

  void cutsKeepTheLeastNumber() {
    const NeighbourSample sample{.step = 100, .counts = std::vector<std::uint32_t>(10, 7)};
    QVERIFY(cutBatches(sample, 1000, kSharedBatchPairs, 6).size() >= 7);
    QCOMPARE(cutBatches(sample, 1000, kSharedBatchPairs, 1).size(), std::size_t{2});
    const auto single = cutBatches({.step = 1, .counts = {9}}, 1, 3, 6);
    QCOMPARE(single, (std::vector<std::uint32_t>{0, 1}));
  }

  void halvesCoverTheRange() {
    const auto [a, b] = halvesOf({10, 15});
    QCOMPARE(a, (TicketRange{10, 12}));
    QCOMPARE(b, (TicketRange{12, 15}));
  }

  void endsMeetInsideABatch() {
    QueryEnds ends(100);
    const auto forty = [](std::uint32_t, std::uint32_t) { return 40U; };
    QCOMPARE(ends.takeFront(100, forty), (TicketRange{0, 40}));
    QCOMPARE(ends.takeBack(0, forty), (TicketRange{60, 100}));
    // The front takes what is left.
    QCOMPARE(ends.takeFront(100, forty), (TicketRange{40, 60}));
    QVERIFY(ends.takeFront(100, forty).empty());
    QVERIFY(ends.takeBack(0, forty).empty());
    QueryEnds limited(100);
    QCOMPARE(limited.takeFront(30, forty), (TicketRange{0, 30}));
    QVERIFY(limited.takeFront(30, forty).empty());
    QCOMPARE(limited.takeBack(65, forty), (TicketRange{65, 100}));
    QVERIFY(limited.takeBack(65, forty).empty());
    QCOMPARE(limited.left(), (TicketRange{30, 65}));
  }

  void manyThreadsTakeEveryQueryOnce() {
    for (const std::uint32_t n : {0U, 1U, 2U, 1000U, 200'000U}) {
      QueryEnds ends(n);
      std::mutex mutex;
      std::vector<TicketRange> all;
      std::vector<std::thread> threads;
      for (int t = 0; t < 6; ++t)
        threads.emplace_back([&, t] {
          std::vector<TicketRange> mine;
          for (;;) {
            const auto size = [&](std::uint32_t, std::uint32_t) {
              return static_cast<std::uint32_t>(1 + (mine.size() * 7 + t) % 13);
            };
            const TicketRange range = t < 2 ? ends.takeFront(n, size) : ends.takeBack(0, size);
            if (range.empty()) break;
            mine.push_back(range);
          }
          const std::lock_guard lock(mutex);
          all.insert(all.end(), mine.begin(), mine.end());
        });
      for (std::thread& thread : threads) thread.join();
      QVERIFY(coversOnce(all, n));
    }
  }

  void sharesAreThePapers() {
    // The GPU three times as fast as the CPU.
    QCOMPARE(gpuShare(3, 1), 0.75);
    QCOMPARE(gpuShare(0, 0), 0.5);
    QCOMPARE(boundaryByQueries(100, 0.75), 75U);
    QCOMPARE(boundaryByQueries(0, 0.75), 0U);
    QCOMPARE(boundaryByQueries(10, 2), 10U);
    const OrderedQueries queries = queriesOf({50, 30, 10, 6, 4});  // sums 50, 80, 90, 96, 100
    QCOMPARE(boundaryByCandidates(queries, 0.5), 1U);
    QCOMPARE(boundaryByCandidates(queries, 0.6), 1U);
    QCOMPARE(boundaryByCandidates(queries, 0.66), 2U);
    QCOMPARE(boundaryByCandidates(queries, 0.65), 1U);  // equally close: the shorter one
    QCOMPARE(boundaryByCandidates(queries, 0.0), 0U);
    QCOMPARE(boundaryByCandidates(queries, 1.0), 5U);
    QCOMPARE(boundaryByCandidates(queriesOf({7}), 0.4), 0U);
  }

  void modelIsThePapers() {
    // [Gallet 2020, eq. 1 to 3] written out: 2 s and 6 s at ε_r, 1.5 times ε_r in 3 dimensions.
    constexpr double kPoints = 5000;
    const double volumes = workloadRatio(0.2, 0.3, 3);
    QVERIFY(std::abs(volumes - 1.5 * 1.5 * 1.5) < 1e-12);
    const double gpu = 2 * volumes;
    const double cpu = 6 * volumes;
    const DivisionForecast made = forecastDivision({.gpu = 2, .cpu = 6}, 0.2, volumes);
    QCOMPARE(made.referenceEps, 0.2);
    QCOMPARE(made.volumeRatio, volumes);
    QCOMPARE(made.gpuAlone, gpu);
    QCOMPARE(made.cpuAlone, cpu);
    QVERIFY(std::abs(made.together - kPoints / (kPoints / gpu + kPoints / cpu)) < 1e-12);
    QCOMPARE(gpuShare(made.cpuAlone, made.gpuAlone), 0.75);
    // One side that takes no time does everything at once.
    QCOMPARE(forecastDivision({.gpu = 0, .cpu = 6}, 0.2, 1).together, 0.0);
  }

  void everyDivisionDoesEveryQueryOnce() {
    for (const Division division : kDivisions)
      for (const std::uint32_t n : {1U, 2U, 7U, 1000U, 30'000U})
        for (const int streams : {0, 1, 3})
          for (const int threads : {1, 5}) {
            const OrderedQueries queries = skewed(n);
            DivisionPlan plan{.division = division, .cuts = {0, n / 3, n / 2, n}};
            const SideModel gpu{.lanes = streams, .candidatesPerSecond = 1e9};
            const SideModel cpu{.lanes = threads, .candidatesPerSecond = 1e8};
            if (streams == 0 && isStatic(division)) plan.division = Division::Dyn;
            const SharedPass pass = simulateDivision(queries, plan, gpu, cpu);
            QVERIFY(coversOnce(rangesOf(pass), n));
            for (const SharedBatch& batch : pass.batches) {
              QVERIFY(batch.processor == Processor::Cpu
                          ? batch.firstQuery >= pass.meeting
                          : batch.firstQuery + batch.queries <= pass.meeting);
              QVERIFY(batch.start < batch.end);
            }
          }
  }

  void modelsThePapersImbalance() {
    const OrderedQueries queries = skewed(200'000);
    // GPU queries cost by candidates only, CPU queries something by themselves: the share by
    // queries gives the GPU nearly all candidates, the share by candidates fits.
    const SideModel gpu{.lanes = 3, .candidatesPerSecond = 3e8};
    const SideModel cpu{.lanes = 4, .candidatesPerSecond = 1e8};
    NeighbourSample sample{.step = 100, .counts = {}};
    for (std::uint32_t q = 0; q < queries.size(); q += 100)
      sample.counts.push_back(static_cast<std::uint32_t>(queries.candidates(q, q + 1) / 3));
    const auto imbalance = [&](Division division) {
      DivisionPlan plan{.division = division,
                        .cuts = cutBatches(sample, queries.size(), 5'000'000, 6),
                        .cpuBatch = 256};
      return simulateDivision(queries, plan, gpu, cpu).imbalance;
    };
    const double byQueries = imbalance(Division::Queries);
    const double byCandidates = imbalance(Division::Candidates);
    const double adaptive = imbalance(Division::Adaptive);
    const double dyn = imbalance(Division::Dyn);
    QVERIFY2(byQueries > 0.4, std::to_string(byQueries).c_str());
    QVERIFY2(byCandidates < 0.2, std::to_string(byCandidates).c_str());
    QVERIFY2(dyn < byQueries, std::to_string(dyn).c_str());
    QVERIFY2(adaptive <= 0.03, std::to_string(adaptive).c_str());
    // Batches on demand go by no model.
    QVERIFY(!simulateDivision(queries, {.division = Division::Dyn, .cuts = {0, queries.size()}},
                              gpu, cpu)
                 .forecast);
  }

  void adaptiveEndsTogetherForManySpeeds() {
    const OrderedQueries queries = skewed(500'000);
    const double all = static_cast<double>(queries.candidatesBefore.back());
    for (const double ratio : {0.1, 0.5, 1.0, 4.0, 30.0}) {
      const SideModel gpu{
          .lanes = 3, .candidatesPerSecond = ratio * all, .secondsPerBatch = 3e-5, .readyAt = 0.01};
      const SideModel cpu{
          .lanes = 16, .queriesPerSecond = 1e8, .candidatesPerSecond = all, .readyAt = 0.02};
      const SharedPass pass = simulateDivision(queries, {.division = Division::Adaptive}, gpu, cpu);
      const double together = 1 / (1 / secondsAlone(gpu, queries) + 1 / secondsAlone(cpu, queries));
      const double end = std::max(pass.gpuEnd, pass.cpuEnd);
      QVERIFY2(pass.imbalance <= 0.03, qPrintable(QString("ratio %1: imbalance %2, end %3 of %4")
                                                      .arg(ratio)
                                                      .arg(pass.imbalance)
                                                      .arg(end)
                                                      .arg(together)));
      QVERIFY2(end < 1.1 * together + 0.02,
               qPrintable(QString("ratio %1: %2 of %3").arg(ratio).arg(end).arg(together)));
    }
  }

  void adaptiveReachesTheSumOfBothSides() {
    const OrderedQueries queries = skewed(500'000);
    const double all = static_cast<double>(queries.candidatesBefore.back());
    // What is expected of the GPU is right, or wrong by a factor of two either way.
    for (const double ratio : {0.1, 0.2, 0.5, 1.0, 2.0, 8.0})
      for (const double error : {0.5, 1.0, 2.0}) {
        // Work as the divider counts it.
        const SideModel gpu{.lanes = 3,
                            .queriesPerSecond = 10 * all / kQueryWork,
                            .candidatesPerSecond = 10 * all,
                            .secondsPerBatch = 3e-5};
        const SideModel cpu{.lanes = 16,
                            .queriesPerSecond = ratio * gpu.queriesPerSecond,
                            .candidatesPerSecond = ratio * gpu.candidatesPerSecond};
        const DivisionPlan plan{.division = Division::Adaptive, .expected = {error, ratio}};
        const SharedPass pass = simulateDivision(queries, plan, gpu, cpu);
        const double together =
            1 / (1 / secondsAlone(gpu, queries) + 1 / secondsAlone(cpu, queries));
        const double end = std::max(pass.gpuEnd, pass.cpuEnd);
        const auto text =
            qPrintable(QString("CPU/GPU %1, expected GPU × %2: %3 of %4, imbalance %5")
                           .arg(ratio)
                           .arg(error)
                           .arg(end)
                           .arg(together)
                           .arg(pass.imbalance));
        QVERIFY2(end <= together / 0.95, text);
        QVERIFY2(pass.imbalance <= 0.03, text);
      }
  }

  void expectedRatesMakeFirstBatchesLarge() {
    const OrderedQueries queries = skewed(500'000);
    const SideModel gpu{.lanes = 3, .candidatesPerSecond = 1e9};
    const SideModel cpu{.lanes = 16, .candidatesPerSecond = 1e8};
    const auto gpuBatches = [&](SideRates expected) {
      const DivisionPlan plan{.division = Division::Adaptive, .expected = expected};
      std::vector<SharedBatch> batches = simulateDivision(queries, plan, gpu, cpu).batches;
      std::erase_if(batches, [](const SharedBatch& b) { return b.processor == Processor::Cpu; });
      return batches;
    };
    const auto blind = gpuBatches({});
    const auto told = gpuBatches({.gpu = 1e9, .cpu = 1e8});
    const double all = queries.workBefore(queries.size());
    const auto workOfFirst = [&](const std::vector<SharedBatch>& batches) {
      return queries.workBefore(batches[2].firstQuery + batches[2].queries) / all;
    };
    QVERIFY(workOfFirst(blind) < 0.05);
    QVERIFY(workOfFirst(told) > 0.3 && workOfFirst(told) < 0.6);
    QVERIFY(told.size() < blind.size());
  }

  void sharesWhereItPays() {
    using By = SharingChoice::By;
    // A second of work for the GPU.
    const auto who = [](double cpuToGpu, double ready = 0, double cost = 0, double work = 1) {
      return whoShould({.rates = {.gpu = 1, .cpu = cpuToGpu},
                        .work = work,
                        .gpuReadyAt = ready / 10,
                        .cpuReadyAt = ready,
                        .costOfSharing = cost});
    };
    QVERIFY(who(0.04) == By::Gpu);
    QVERIFY(who(0.1) == By::Both);
    QVERIFY(who(1) == By::Both);
    QVERIFY(who(10) == By::Both);
    QVERIFY(who(40) == By::Cpu);
    // The CPU's index is there only when the GPU is done.
    QVERIFY(who(0.5, 2) == By::Gpu);
    QVERIFY(who(0.5, 0.1) == By::Both);
    // To share costs more than it saves.
    QVERIFY(who(0.5, 0, 0.5) == By::Gpu);
    QVERIFY(who(0.5, 0, 0.02, 0.03) == By::Gpu);
    QVERIFY(who(0) == By::Both);  // unknown
    // A GPU that is slower where it shares.
    const auto slowed = [](double cpuToGpu) {
      return whoShould({.rates = {.gpu = 1, .cpu = cpuToGpu}, .work = 1, .gpuSharedFraction = 0.6});
    };
    QVERIFY(slowed(0.3) == By::Gpu);
    QVERIFY(slowed(0.5) == By::Both);
    const SharingForecast half{.rates = {2, 2}, .work = 4, .gpuReadyAt = 1, .cpuReadyAt = 1};
    QCOMPARE(secondsOfGpu(half), 3.0);
    QCOMPARE(secondsOfBoth(half), 2.0);
    QVERIFY(fasterSide({1, 2}) == By::Cpu);
    QVERIFY(fasterSide({2, 1}) == By::Gpu);
    QVERIFY(fasterSide({}) == By::Gpu);
  }

  void staticShareWaitsForTheSlowerSide() {
    const OrderedQueries queries = even(10'000);
    // Even workloads: both static divisions are right.
    const SideModel gpu{.lanes = 2, .candidatesPerSecond = 3e6};
    const SideModel cpu{.lanes = 2, .candidatesPerSecond = 1e6};
    for (const Division division : {Division::Queries, Division::Candidates}) {
      const SharedPass pass = simulateDivision(
          queries, {.division = division, .cuts = {0, 2500, 5000, 7500, 10'000}, .cpuBatch = 100},
          gpu, cpu);
      QCOMPARE(pass.meeting, 7500U);
      QCOMPARE(pass.predictedShare, 0.75);
      QVERIFY(pass.forecast.has_value());
      QCOMPARE(pass.forecast->gpuAlone, 1e6 / 3e6);
      QCOMPARE(pass.forecast->cpuAlone, 1.0);
      QVERIFY(std::abs(pass.forecast->together - 0.25) < 1e-12);
      QVERIFY(pass.end() >= pass.forecast->together);
      QVERIFY(pass.imbalance < 0.4);
    }
  }

  void cpuTakesOverFromAFailedGpu() {
    for (const Division division : kDivisions) {
      const OrderedQueries queries = skewed(10'000);
      Divider divider(queries, {.division = division,
                                .boundary = 6000,
                                .cuts = {0, 1000, 3000, 10'000},
                                .cpuBatch = 64,
                                .streams = 2,
                                .threads = 1});
      std::vector<TicketRange> done;
      const auto finished = divider.nextForGpu();
      const auto broken = divider.nextForGpu();
      QVERIFY(finished && broken);
      done.push_back(*finished);
      if (const auto range = divider.nextForCpu()) done.push_back(*range);
      divider.gpuFailed(*broken);
      QVERIFY(!divider.nextForGpu());
      QVERIFY(!divider.cpuIsDone());
      while (const auto range = divider.nextForCpu()) done.push_back(*range);
      QVERIFY(divider.cpuIsDone());
      QVERIFY(coversOnce(done, queries.size()));
    }
  }

  void droppedWorkIsNotHandedOut() {
    const OrderedQueries queries = even(100);
    Divider divider(queries, {.cuts = {0, 100}});
    divider.drop();
    QVERIFY(!divider.nextForGpu());
    QVERIFY(!divider.nextForCpu());
    QVERIFY(divider.cpuIsDone());
  }
};

APPLESS_TEST(TestDivision);
#include "tst_division.moc"
