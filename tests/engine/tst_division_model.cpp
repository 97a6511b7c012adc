// The modelled time line of a join by CPU and GPU together: its queries against plain loops, and
// what each division makes of speeds that are given.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stop_token>

#include "engine/cloud/generators.h"
#include "engine/hybrid/model_division.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

PointCloud expo(std::size_t points) {
  return generate({.kind = "expo", .points = points, .dims = 2, .seed = 7})->cloud;
}

constexpr double kEps = 0.004;

Strategy dividedBy(Division division) {
  Strategy strategy;
  strategy.pattern = AccessPattern::Full;
  strategy.division = division;
  return strategy;
}

bool coversOnce(const SharedPass& pass, std::uint32_t n) {
  std::vector<SharedBatch> batches = pass.batches;
  std::sort(batches.begin(), batches.end(),
            [](const auto& a, const auto& b) { return a.firstQuery < b.firstQuery; });
  std::uint32_t next = 0;
  for (const SharedBatch& batch : batches) {
    if (batch.firstQuery != next) return false;
    next += batch.queries;
  }
  return next == n;
}

constexpr Division kDivisions[] = {Division::Dyn, Division::Queries, Division::Candidates,
                                   Division::Adaptive};

}  // namespace

class TestDivisionModel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void queriesAreThoseOfAPlainLoop() {
    const PointCloud cloud = expo(1500);
    const auto timed = timeQueries(cloud, kEps, dividedBy(Division::Dyn), 3, {});
    QVERIFY2(timed, timed ? "" : timed.error().message.c_str());
    const OrderedQueries& queries = timed->queries;
    QCOMPARE(queries.size(), 1500U);
    std::vector<std::uint32_t> points = *queries.points;
    for (std::uint32_t q = 0; q < queries.size(); ++q) {
      const std::uint32_t p = points[q];
      std::uint32_t neighbours = 0;
      for (std::size_t other = 0; other < cloud.size(); ++other) {
        const double dx = cloud.columns[0][p] - cloud.columns[0][other];
        const double dy = cloud.columns[1][p] - cloud.columns[1][other];
        neighbours += dx * dx + dy * dy <= kEps * kEps ? 1 : 0;
      }
      QCOMPARE(timed->neighbours.counts[q], neighbours);
      QVERIFY(queries.candidates(q, q + 1) >= neighbours);
      QVERIFY(q == 0 || queries.candidates(q, q + 1) <= queries.candidates(q - 1, q));
    }
    std::sort(points.begin(), points.end());
    for (std::uint32_t p = 0; p < points.size(); ++p) QCOMPARE(points[p], p);
    QCOMPARE(timed->cpu.lanes, 3);
    QVERIFY(timed->cpu.candidatesPerSecond > 0 || timed->cpu.queriesPerSecond > 0);
  }

  /// For speeds that are known: the same order, one query of several counted, and nearly the same
  /// time lines.
  void aSampleTellsTheSame() {
    const PointCloud cloud = expo(20'000);
    const auto timed = timeQueries(cloud, kEps, dividedBy(Division::Dyn), 2, {});
    const auto sampled = sampleQueries(cloud, kEps, dividedBy(Division::Dyn), {});
    QVERIFY(timed);
    QVERIFY2(sampled, sampled ? "" : sampled.error().message.c_str());
    QCOMPARE(*sampled->queries.points, *timed->queries.points);
    QCOMPARE(sampled->queries.candidatesBefore, timed->queries.candidatesBefore);
    const NeighbourSample& sample = sampled->neighbours;
    QCOMPARE(sample.step, 20U);
    QCOMPARE(sample.counts.size(), std::size_t{1000});
    for (std::size_t s = 0; s < sample.counts.size(); ++s)
      QCOMPARE(sample.counts[s], timed->neighbours.counts[s * sample.step]);
    const ModelledSides sides{.gpu = {.lanes = 3, .candidatesPerSecond = 2e7},
                              .cpu = {.lanes = 4, .candidatesPerSecond = 1e7}};
    for (const Division division : kDivisions) {
      Strategy strategy = dividedBy(division);
      strategy.batchPairs = 100'000;
      const SharedPass all = modelDivision(*timed, strategy, sides);
      const SharedPass some = modelDivision(*sampled, strategy, sides);
      QVERIFY(coversOnce(some, 20'000));
      QVERIFY2(std::abs(some.end() / all.end() - 1) < 0.05,
               qPrintable(QString::number(some.end() / all.end())));
    }
    // Fewer queries than are sampled of more: all of them.
    const PointCloud few = expo(300);
    QCOMPARE(sampleQueries(few, kEps, dividedBy(Division::Dyn), {})->neighbours.counts,
             timeQueries(few, kEps, dividedBy(Division::Dyn), 1, {})->neighbours.counts);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(sampleQueries(few, kEps, {}, {.stop = stop.get_token(), .progress = {}}).error().kind,
             ErrorKind::Cancelled);
  }

  void fewPointsAndManyThreads() {
    for (const std::size_t points : {1U, 2U, 33U})
      for (const int threads : {1, 20}) {
        const PointCloud cloud = expo(points);
        const auto timed = timeQueries(cloud, kEps, dividedBy(Division::Dyn), threads, {});
        QVERIFY2(timed, timed ? "" : timed.error().message.c_str());
        for (const Division division : kDivisions) {
          const ModelledSides sides{.gpu = {.lanes = 3, .candidatesPerSecond = 1e6},
                                    .cpu = {.lanes = threads, .candidatesPerSecond = 1e5}};
          const SharedPass pass = modelDivision(*timed, dividedBy(division), sides);
          QVERIFY(coversOnce(pass, static_cast<std::uint32_t>(points)));
          QCOMPARE(pass.division, toText(division));
          QVERIFY(pass.imbalance >= 0 && pass.imbalance <= 1);
        }
      }
  }

  /// Candidates cost the time: a share of the candidates is right, a share of the queries is not.
  void aStaticShareIsAsGoodAsItsMeasure() {
    const auto timed = timeQueries(expo(20000), kEps, dividedBy(Division::Dyn), 2, {});
    QVERIFY(timed);
    const auto imbalances = [&](const ModelledSides& sides) {
      std::vector<double> found;
      for (const Division division : kDivisions) {
        Strategy strategy = dividedBy(division);
        strategy.cpuBatch = 64;
        strategy.batchPairs = 50000;
        const SharedPass pass = modelDivision(*timed, strategy, sides);
        if (!coversOnce(pass, 20000)) return std::vector<double>(4, -1);
        found.push_back(pass.imbalance);
      }
      return found;
    };
    const auto byCandidates = imbalances({.gpu = {.lanes = 2, .candidatesPerSecond = 4e7},
                                          .cpu = {.lanes = 4, .candidatesPerSecond = 2e7}});
    QVERIFY2(byCandidates[1] > 0.3, qPrintable(QString::number(byCandidates[1])));
    QVERIFY2(byCandidates[2] < 0.1, qPrintable(QString::number(byCandidates[2])));
    const auto byQueries = imbalances({.gpu = {.lanes = 2, .queriesPerSecond = 4e4},
                                       .cpu = {.lanes = 4, .queriesPerSecond = 2e4}});
    QVERIFY2(byQueries[1] < 0.2, qPrintable(QString::number(byQueries[1])));
    QVERIFY2(byQueries[2] > 0.3, qPrintable(QString::number(byQueries[2])));
    for (const auto& found : {byCandidates, byQueries}) {
      QVERIFY2(found[0] < 0.2, qPrintable(QString::number(found[0])));
      QVERIFY2(found[3] < 0.03, qPrintable(QString::number(found[3])));
    }
  }

  /// The cloud of the load lab [teaching.md of the guide, step 9]: a join of a few milliseconds
  /// whose light queries cost more by themselves than their candidates, as two threads were
  /// measured, and a GPU as fast as 40 of them.
  void adaptiveEndsTogetherInShortJoins() {
    const auto timed = timeQueries(expo(20000), kEps, dividedBy(Division::Dyn), 2, {});
    QVERIFY(timed);
    for (const double queries : {3.2e5, 2e6})
      for (const double gpu : {20.0, 10.0}) {
        const ModelledSides sides{
            .gpu = {.lanes = 3,
                    .queriesPerSecond = gpu * queries,
                    .candidatesPerSecond = gpu * 4.6e9},
            .cpu = {.lanes = 2, .queriesPerSecond = queries, .candidatesPerSecond = 4.6e9}};
        const SharedPass adaptive = modelDivision(*timed, dividedBy(Division::Adaptive), sides);
        const SharedPass dyn = modelDivision(*timed, dividedBy(Division::Dyn), sides);
        const QString text = QString("%1 queries/s, GPU × %2: %3, Dyn %4")
                                 .arg(queries)
                                 .arg(gpu)
                                 .arg(adaptive.imbalance)
                                 .arg(dyn.imbalance);
        QVERIFY2(adaptive.imbalance < 0.12, qPrintable(text));
        QVERIFY2(adaptive.end() < 1.01 * dyn.end(), qPrintable(text));
      }
  }

  /// T^HEGJoin [Gallet 2020, eq. 3] is what both would take if neither waited for the other: a
  /// division by a fixed share takes as long or longer.
  void staticDivisionsAreForecast() {
    const auto timed = timeQueries(expo(5000), kEps, dividedBy(Division::Dyn), 2, {});
    QVERIFY(timed);
    const ModelledSides sides{.gpu = {.lanes = 3, .candidatesPerSecond = 4e7},
                              .cpu = {.lanes = 2, .candidatesPerSecond = 1e7}};
    const double candidates = static_cast<double>(timed->queries.candidatesBefore.back());
    for (const Division division : kDivisions) {
      const SharedPass pass = modelDivision(*timed, dividedBy(division), sides);
      QCOMPARE(pass.forecast.has_value(), isStatic(division));
      if (!pass.forecast) continue;
      QVERIFY(std::abs(pass.forecast->together / (candidates / 5e7) - 1) < 1e-9);
      QVERIFY(pass.end() >= pass.forecast->together * (1 - 1e-9));
    }
  }

  /// The speeds of a modelled pass are found again.
  void speedsOfAPass() {
    QCOMPARE(fittedSide({}, Processor::Gpu).lanes, 0);
    const auto timed = timeQueries(expo(20000), kEps, dividedBy(Division::Dyn), 2, {});
    QVERIFY(timed);
    const auto near = [](double found, double given) {
      return given == 0 ? found == 0 : std::abs(found / given - 1) < 1e-6;
    };
    for (const auto& [candidates, queries] :
         {std::pair{3e6, 0.0}, std::pair{0.0, 2e4}, std::pair{5e6, 8e4}}) {
      const ModelledSides sides{
          .gpu = {.lanes = 3, .candidatesPerSecond = 3e6},
          .cpu = {.lanes = 5, .queriesPerSecond = queries, .candidatesPerSecond = candidates}};
      Strategy strategy = dividedBy(Division::Adaptive);
      strategy.cpuBatch = 100;
      const SharedPass pass = modelDivision(*timed, strategy, sides);
      const SideModel cpu = fittedSide(pass, Processor::Cpu);
      QCOMPARE(cpu.lanes, 5);
      QVERIFY2(near(cpu.candidatesPerSecond, candidates) || candidates == 0,
               qPrintable(QString::number(cpu.candidatesPerSecond)));
      QVERIFY2(near(cpu.queriesPerSecond, queries) || queries == 0,
               qPrintable(QString::number(cpu.queriesPerSecond)));
      QVERIFY(near(fittedSide(pass, Processor::Gpu).candidatesPerSecond, 3e6));
    }
    // One batch does not tell queries from candidates.
    SharedPass one;
    one.batches = {{.processor = Processor::Cpu, .end = 2, .queries = 10, .candidates = 600}};
    QCOMPARE(fittedSide(one, Processor::Cpu).candidatesPerSecond, 300.0);
    QCOMPARE(fittedSide(one, Processor::Cpu).queriesPerSecond, 0.0);
    one.batches[0].end = 0;
    QCOMPARE(fittedSide(one, Processor::Cpu).candidatesPerSecond, 0.0);
  }

  void strategiesOfOneProcessorCountByTheGrid() {
    const PointCloud cloud = expo(800);
    const auto full = timeQueries(cloud, kEps, dividedBy(Division::Dyn), 2, {});
    QVERIFY(full);
    Strategy half = dividedBy(Division::Dyn);
    half.pattern = AccessPattern::Unicomp;
    half.threadsPerPoint = 8;
    for (const Strategy& strategy :
         {half, Strategy{.method = Method::BruteForce}, Strategy{.method = Method::SuperEgo}}) {
      const auto timed = timeQueries(cloud, kEps, strategy, 2, {});
      QVERIFY2(timed, timed ? "" : timed.error().message.c_str());
      QCOMPARE(timed->neighbours.counts, full->neighbours.counts);
    }
  }

  void stopsAndErrors() {
    std::stop_source stop;
    stop.request_stop();
    const auto stopped =
        timeQueries(expo(50000), kEps, dividedBy(Division::Dyn), 2, {stop.get_token(), {}});
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    const auto noEps = timeQueries(expo(10), -1, dividedBy(Division::Dyn), 2, {});
    QVERIFY(!noEps);
    QVERIFY(!timeQueries(PointCloud{}, kEps, dividedBy(Division::Dyn), 2, {}));
  }
};

GUILESS_TEST(TestDivisionModel);
#include "tst_division_model.moc"
