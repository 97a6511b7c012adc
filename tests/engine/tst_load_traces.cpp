// Traces of warps against the tallies of the model, and who causes that lanes idle.
#include <tbb/task_arena.h>

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <span>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/join/threads_per_point.h"
#include "engine/load/load_kernel.h"
#include "engine/load/load_model.h"
#include "line_loads.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace lineLoads;

namespace {

using Numbers = PerLoop<std::uint64_t>;

}  // namespace

class TestLoadTraces : public QObject {
  Q_OBJECT
 private slots:
  // The idling of that warp, 32 · 21 − 67 = 605 lane-steps, by who causes it. Of a step that 6
  // lanes take each causes 26/6, of one that 5 take 27/5, and so on.
  //   own cell   turns of 6, 5 and 3 lanes, all hit; cell loop: turns of 6 and 5.
  //   turn 0     2 searches and 3 candidates of the two lanes of B; 1.2 hits alone, then both do.
  //   turn 1     2 searches and 2 candidates of the three lanes of A; 0.22 and 0.3 hit, then 0.3.
  void whoCausesIdlingByHand() {
    const LoadReport report =
        reportOf(onALine({0.1, 0.22, 0.3, 1.2, 1.25, 10.5}), 1.0, plainStrategy());
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
    Strategy strategy = plainStrategy(AccessPattern::Full, QueryOrder::Input);
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
    Strategy strategy = plainStrategy(static_cast<AccessPattern>(pattern), QueryOrder::Input);
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
      QCOMPARE(byPoints->machine, std::optional(SimtMachine{}));
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
};

APPLESS_TEST(TestLoadTraces);
#include "tst_load_traces.moc"
