// Joins that the CPU shares with a stand-in for a GPU: the answers against brute force whatever the
// division, the clouds, and what goes wrong; and the schedule against its simulation.
#include <QtTest>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/hybrid/shared_join.h"
#include "engine/hybrid/simulate_division.h"
#include "tests/stand_in_device.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// The promise is 100 ms on an idle machine; tests run on loaded ones.
#ifdef __SANITIZE_THREAD__
constexpr double kLate = 60;
constexpr double kOfTheSum = 0.5;
#else
constexpr double kLate = 0.5;
constexpr double kOfTheSum = 0.95;  // of both sides' throughput, what adaptive must reach
#endif

constexpr Division kAllDivisions[] = {Division::Dyn, Division::Queries, Division::Candidates,
                                      Division::Adaptive};
constexpr std::uint32_t kAll = ~std::uint32_t{0};

struct Run {
  Division division = Division::Adaptive;
  StandInSpec device = {};
  int threads = 2;
  std::uint32_t cpuBatch = 16;
  std::uint64_t batchPairs = kSharedBatchPairs;
  AccessPattern pattern = AccessPattern::Tile;
  MakeCpuSide cpu = makeGridSide;
  SideRates expected = {};
};

struct Answer {
  std::vector<std::uint32_t> counts;  // by point
  NeighbourTable table;
  std::vector<SharedPass> passes;
  std::string note;
};

/// Counts and rows of a cloud by both.
Result<Answer> shared(const PointCloud& cloud, double eps, const Run& run, const Task& task = {}) {
  const auto plan =
      planJoin(cloud, eps, {.pattern = run.pattern, .order = QueryOrder::WorkQueue},
               SinkKind::NeighbourTable, {.name = "test", .threadGroups = true}, task);
  if (!plan) return tl::unexpected(plan.error());
  const auto device = makeStandInDevice(run.device);
  const SharedSetup setup{.device = *device,
                          .makeCpuSide = run.cpu,
                          .threads = run.threads,
                          .division = run.division,
                          .cpuBatch = run.cpuBatch,
                          .batchPairs = run.batchPairs,
                          .expected = run.expected};
  const JoinInput input(cloud);
  const SharedWork work{input, eps, *plan};
  SharedJoin join(setup, work, task);
  if (auto prepared = join.prepare(); !prepared) return tl::unexpected(prepared.error());
  Answer answer;
  std::vector<std::uint32_t> counts(cloud.size());
  JoinSink counting(counts);
  auto pass = join.pass({.stage = "counting"}, counting);
  if (!pass) return tl::unexpected(pass.error());
  answer.passes.push_back(*pass);
  answer.counts.resize(cloud.size());
  answer.table.offsets.assign(cloud.size() + 1, 0);
  for (std::size_t q = 0; q < counts.size(); ++q) {
    answer.counts[(*join.queries().points)[q]] = counts[q];
    answer.table.offsets[(*join.queries().points)[q] + 1] = counts[q];
  }
  std::partial_sum(answer.table.offsets.begin(), answer.table.offsets.end(),
                   answer.table.offsets.begin());
  answer.table.ids.resize(answer.table.offsets.back());
  JoinSink filling(answer.table, join.queries());
  pass = join.pass({.stage = "filling", .neighbours = counts}, filling);
  if (!pass) return tl::unexpected(pass.error());
  answer.passes.push_back(*pass);
  answer.note = join.note();
  return answer;
}

/// What is wrong with an answer; empty when nothing is.
std::string wrong(const PointCloud& cloud, double eps, const Result<Answer>& answer) {
  if (!answer) return "error: " + answer.error().message;
  const auto counts = bruteForceCounts(cloud, eps, {});
  const auto pairs = bruteForcePairs(cloud, eps, {});
  if (answer->counts != counts->counts) return "counts differ";
  std::size_t at = 0;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::uint64_t i = answer->table.offsets[p]; i < answer->table.offsets[p + 1]; ++i, ++at)
      if (pairs->pairs[at].p != static_cast<std::int32_t>(p) ||
          pairs->pairs[at].q != answer->table.ids[i])
        return "row of point " + std::to_string(p) + " differs";
  if (at != pairs->pairs.size()) return "pairs are missing";
  for (const SharedPass& pass : answer->passes) {
    std::vector<SharedBatch> batches = pass.batches;
    std::sort(batches.begin(), batches.end(), [](const SharedBatch& a, const SharedBatch& b) {
      return a.firstQuery < b.firstQuery;
    });
    std::uint32_t next = 0;
    for (const SharedBatch& batch : batches) {
      if (batch.firstQuery != next) return "batches overlap or leave queries out";
      next += batch.queries;
      if (batch.end < batch.start) return "a batch ends before it starts";
    }
    if (next != cloud.size()) return "batches leave the last queries out";
    if (pass.gpuQueries < 0 || pass.gpuQueries > 1 || pass.imbalance < 0 || pass.imbalance > 1)
      return "shares are out of range";
  }
  return {};
}

PointCloud blobs(std::size_t n, std::uint64_t seed = 7, std::size_t dims = 2) {
  std::mt19937_64 random(seed);
  return draws::draw(random, "blobs", n, dims);
}

/// The CPU's side, slowed down to a speed: so that a whole schedule is known beforehand.
class PacedSide final : public CpuSide {
 public:
  PacedSide(std::unique_ptr<CpuSide> side, double secondsPerQuery)
      : side_(std::move(side)), seconds_(secondsPerQuery) {}
  std::unique_ptr<CpuWorker> worker() const override;

  const std::unique_ptr<CpuSide> side_;
  const double seconds_;
};

class PacedWorker final : public CpuWorker {
 public:
  explicit PacedWorker(const PacedSide& side) : side_(side), worker_(side.side_->worker()) {}
  std::uint32_t count(std::uint32_t point, std::uint32_t enough) override {
    pace();
    return worker_->count(point, enough);
  }
  void row(std::uint32_t point, std::span<std::int32_t> row) override {
    pace();
    worker_->row(point, row);
  }

 private:
  // Sleeps are inexact: the next ones are shorter by what one was too long.
  void pace() {
    const auto now = std::chrono::steady_clock::now();
    if (now > due_ + std::chrono::milliseconds(20)) due_ = now;  // it had nothing to do
    due_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(side_.seconds_));
    if (due_ > now + std::chrono::milliseconds(1)) std::this_thread::sleep_until(due_);
  }
  const PacedSide& side_;
  std::unique_ptr<CpuWorker> worker_;
  std::chrono::steady_clock::time_point due_{};
};

std::unique_ptr<CpuWorker> PacedSide::worker() const {
  return std::make_unique<PacedWorker>(*this);
}

MakeCpuSide paced(double secondsPerQuery) {
  return [secondsPerQuery](const SharedWork& work,
                           const Task& task) -> Result<std::unique_ptr<CpuSide>> {
    auto side = makeGridSide(work, task);
    if (!side) return tl::unexpected(side.error());
    return std::make_unique<PacedSide>(std::move(*side), secondsPerQuery);
  };
}

}  // namespace

class TestSharedJoin : public QObject {
  Q_OBJECT

 private slots:
  void answersAreThoseOfBruteForce_data() {
    QTest::addColumn<int>("division");
    for (const Division division : kAllDivisions)
      QTest::newRow(toText(division).c_str()) << int(division);
  }
  void answersAreThoseOfBruteForce() {
    QFETCH(int, division);
    std::mt19937_64 random(11);
    for (int round = 0; round < 60; ++round) {
      const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const std::size_t n = 1 + random() % 400;
      const PointCloud cloud = draws::draw(random, kind, n, 1 + random() % 5);
      const double eps = draws::drawEps(random, cloud);
      const Run run{
          .division = Division(division),
          .device = {.speed = {.lanes = static_cast<int>(1 + random() % 4)},
                     .bufferPairs = random() % 2 ? kSharedBatchPairs : 1 + random() % 300},
          .threads = static_cast<int>(1 + random() % 5),
          .cpuBatch = static_cast<std::uint32_t>(1 + random() % 100),
          .batchPairs = 1 + random() % 5000,
          .pattern = random() % 2 ? AccessPattern::Tile : AccessPattern::Full,
          .expected = random() % 2 ? SideRates{} : SideRates{double(1 + random() % 100), 50}};
      const std::string what = wrong(cloud, eps, shared(cloud, eps, run));
      QVERIFY2(what.empty(), qPrintable(QString("round %1, %2, %3 points: %4")
                                            .arg(round)
                                            .arg(kind.c_str())
                                            .arg(n)
                                            .arg(what.c_str())));
    }
  }

  void tinyClouds() {
    for (const Division division : kAllDivisions)
      for (const std::size_t n : {1, 2, 3, 5})
        for (const int threads : {1, 8}) {
          const PointCloud cloud = blobs(n);
          const std::string what =
              wrong(cloud, 0.5,
                    shared(cloud, 0.5,
                           {.division = division, .threads = threads, .cpuBatch = kCpuBatch}));
          QVERIFY2(what.empty(), what.c_str());
        }
  }

  void equalPointsAndHeavySkew() {
    PointCloud cloud = blobs(300);
    for (auto& column : cloud.columns) column.resize(1200, column[0]);  // 900 equal points
    for (const Division division : kAllDivisions) {
      const auto answer = shared(cloud, 0.2, {.division = division, .batchPairs = 50'000});
      const std::string what = wrong(cloud, 0.2, answer);
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void headsMeetInsideABatch() {
    // Both take 0.1 s alone: the CPU comes to the middle of what would be the device's next batch.
    const PointCloud cloud = blobs(2000);
    const Run run{.division = Division::Dyn,
                  .device = {.speed = {.lanes = 1, .queriesPerSecond = 20'000}},
                  .cpuBatch = 7,
                  .cpu = paced(1e-4)};
    const auto answer = shared(cloud, 0.1, run);
    const std::string what = wrong(cloud, 0.1, answer);
    QVERIFY2(what.empty(), what.c_str());
    QVERIFY(answer->passes[0].meeting > 0 && answer->passes[0].meeting < 2000);
    QVERIFY(answer->passes[0].gpuQueries > 0 && answer->passes[0].gpuQueries < 1);
  }

  void overflowsAreReplayed() {
    const PointCloud cloud = blobs(1500);
    for (const Division division : kAllDivisions) {
      // The device's buffer is far smaller than it was said to be.
      const auto answer = shared(
          cloud, 0.3,
          {.division = division, .device = {.bufferPairs = 60}, .threads = 1, .cpuBatch = 4});
      const std::string what = wrong(cloud, 0.3, answer);
      QVERIFY2(what.empty(), what.c_str());
      int most = 0;
      for (const SharedBatch& batch : answer->passes[1].batches)
        most = std::max(most, batch.replays);
      QVERIFY(most > 1 || answer->passes[1].gpuQueries == 0);
    }
  }

  void cpuDoesWhatAFailedDeviceLeaves() {
    const PointCloud cloud = blobs(1500);
    for (const Division division : kAllDivisions)
      for (const int batches : {0, 1, 2, 5, 9}) {
        const auto answer = shared(cloud, 0.2,
                                   {.division = division,
                                    .device = {.speed = {.lanes = 2, .queriesPerSecond = 1e5},
                                               .batchesBeforeFailure = batches},
                                    .cpuBatch = 8,
                                    .batchPairs = 4000});
        const std::string what = wrong(cloud, 0.2, answer);
        QVERIFY2(what.empty(), what.c_str());
        if (batches == 0) {
          QCOMPARE(answer->passes[0].gpuQueries, 0.0);
          QVERIFY2(answer->note.find("has failed") != std::string::npos, answer->note.c_str());
          QVERIFY(answer->note.find("CPU did the rest") != std::string::npos);
        }
      }
    const auto never = shared(cloud, 0.2, {.device = {.failsToBegin = true}});
    QVERIFY2(wrong(cloud, 0.2, never).empty(), wrong(cloud, 0.2, never).c_str());
    QVERIFY(never->note.find("does not answer") != std::string::npos);
    QVERIFY(shared(cloud, 0.2, {})->note.empty());
  }

  void deviceBeginsWhileTheOrderIsCopied() {
    const PointCloud cloud = blobs(4000);
    const auto answer = shared(
        cloud, 0.2,
        {.device = {.speed = {.lanes = 2}, .orderSeconds = 0.3}, .expected = {.gpu = 3, .cpu = 1}});
    const std::string what = wrong(cloud, 0.2, answer);
    QVERIFY2(what.empty(), what.c_str());
    // Both streams' first batches, three eighths of the work together, and they were over when the
    // order came.
    double candidates = 0;
    int early = 0;
    for (const SharedBatch& batch : answer->passes[0].batches) {
      candidates += static_cast<double>(batch.candidates);
      early += batch.start < 0.2;
      QVERIFY(batch.processor == Processor::Gpu || batch.start > 0.29);
    }
    QVERIFY(early >= 2);
    double first = 0;
    for (const SharedBatch& batch : answer->passes[0].batches)
      if (batch.start < 0.2) first += static_cast<double>(batch.candidates);
    QVERIFY2(std::abs(first / candidates - 3.0 / 8) < 0.05,
             qPrintable(QString::number(first / candidates)));
  }

  void deviceThatFailsBeforeTheOrderLeavesAllToTheCpu() {
    const PointCloud cloud = blobs(1500);
    for (const StandInSpec& device :
         {StandInSpec{.failsToOrder = true},
          StandInSpec{.speed = {.lanes = 2, .queriesPerSecond = 5000}, .failsToOrder = true},
          StandInSpec{.orderSeconds = 0.05, .batchesBeforeFailure = 1}}) {
      const auto answer = shared(cloud, 0.2, {.device = device});
      const std::string what = wrong(cloud, 0.2, answer);
      QVERIFY2(what.empty(), what.c_str());
      QVERIFY2(answer->note.find("CPU did the rest") != std::string::npos, answer->note.c_str());
      if (device.failsToOrder) QCOMPARE(answer->passes[0].gpuQueries, 0.0);
    }
  }

  void adaptiveReachesTheSumOfBothSides() {
    // Both sides sleep through most of their time, so that other programs hardly matter; a run may
    // still be disturbed.
    const PointCloud cloud = blobs(12'000);
    for (const double ratio : {0.1, 0.4, 1.0, 3.0}) {
      const SideModel gpu{.lanes = 2, .queriesPerSecond = 20'000};
      const SideModel cpu{.lanes = 2, .queriesPerSecond = ratio * gpu.queriesPerSecond};
      const double together =
          static_cast<double>(cloud.size()) / (gpu.queriesPerSecond + cpu.queriesPerSecond);
      double best = 1e9;
      for (int turn = 0; turn < 4 && best > together / kOfTheSum; ++turn) {
        // What is expected may be wrong by half.
        const auto answer = shared(cloud, 0.05,
                                   {.device = {.speed = gpu},
                                    .cpuBatch = 256,
                                    .cpu = paced(cpu.lanes / cpu.queriesPerSecond),
                                    .expected = {turn % 2 == 0 ? 1.5 : 0.7, ratio}});
        QVERIFY(answer.has_value());
        best = std::min(best, std::max(answer->passes[0].gpuEnd, answer->passes[0].cpuEnd));
      }
      QVERIFY2(best <= together / kOfTheSum,
               qPrintable(
                   QString("CPU/GPU %1: %2 s, together %3 s").arg(ratio).arg(best).arg(together)));
    }
  }

  /// What both take alone: the device as it is paced, the CPU as it is paced, by samples.
  void timesOfEachSideAlone() {
    const PointCloud cloud = blobs(6000);
    const auto plan = planJoin(cloud, 0.1, {.order = QueryOrder::WorkQueue}, SinkKind::Counts,
                               {.name = "test"}, {});
    QVERIFY(plan.has_value());
    const JoinInput input(cloud);
    const SharedWork work{input, 0.1, *plan};
    const Task task;
    const auto device = makeStandInDevice({.speed = {.lanes = 2, .queriesPerSecond = 20'000}});
    const SharedSetup setup{
        .device = *device, .makeCpuSide = paced(1e-4), .threads = 2, .division = Division::Queries};
    SharedJoin join(setup, work, task);
    QVERIFY(join.prepare().has_value());
    const auto alone = join.secondsAlone();
    QVERIFY(alone.has_value() && alone->has_value());
    // 0.3 s each; a loaded machine takes longer.
    QVERIFY2((**alone).gpu > 0.29, qPrintable(QString::number((**alone).gpu)));
    QVERIFY2((**alone).cpu > 0.27, qPrintable(QString::number((**alone).cpu)));
    std::vector<std::uint32_t> counts(join.size());
    JoinSink sink(counts);
    const auto pass = join.pass({.stage = "counting"}, sink);
    QVERIFY(pass.has_value() && pass->forecast.has_value());
    QCOMPARE(pass->forecast->gpuAlone, (**alone).gpu);
    QCOMPARE(pass->forecast->cpuAlone, (**alone).cpu);
    // A given model is taken as it is.
    const SharedSetup told{.device = *device,
                           .threads = 2,
                           .division = Division::Queries,
                           .forecast = forecastDivision({.gpu = 1, .cpu = 3}, 0.05, 4)};
    SharedJoin other(told, work, task);
    QVERIFY(other.prepare().has_value());
    JoinSink again(counts);
    const auto byModel = other.pass({.stage = "counting"}, again);
    QVERIFY(byModel.has_value());
    QCOMPARE(byModel->predictedShare, 0.75);
    QCOMPARE(byModel->meeting, 4500U);
    QCOMPARE(byModel->forecast->together, 3.0);
    const auto broken = makeStandInDevice({.failsToBegin = true});
    const SharedSetup without{.device = *broken, .division = Division::Queries};
    SharedJoin none(without, work, task);
    QVERIFY(none.prepare().has_value());
    const auto nothing = none.secondsAlone();
    QVERIFY(nothing.has_value() && !nothing->has_value());
  }

  void countsMayStopEarly() {
    const PointCloud cloud = blobs(800);
    const auto exact = bruteForceCounts(cloud, 0.2, {});
    const auto plan = planJoin(cloud, 0.2, {.order = QueryOrder::WorkQueue}, SinkKind::Counts,
                               {.name = "test"}, {});
    const auto device = makeStandInDevice({});
    const SharedSetup setup{.device = *device, .threads = 2, .cpuBatch = 32};
    const JoinInput input(cloud);
    const SharedWork work{input, 0.2, *plan};
    const Task task;
    SharedJoin join(setup, work, task);
    QVERIFY(join.prepare());
    std::vector<std::uint32_t> counts(cloud.size());
    JoinSink sink(counts);
    QVERIFY(join.pass({.stage = "core test", .enough = 5}, sink));
    for (std::size_t q = 0; q < counts.size(); ++q)
      QCOMPARE(counts[q] >= 5, exact->counts[(*join.queries().points)[q]] >= 5);
  }

  void failedCpuEndsTheJoin() {
    const PointCloud cloud = blobs(1000);
    const auto broken = [](const SharedWork&, const Task&) -> Result<std::unique_ptr<CpuSide>> {
      return fail(ErrorKind::TooLarge, "no memory for the index");
    };
    // Slow, so that the CPU has its share left to do.
    const auto answer = shared(cloud, 0.2,
                               {.division = Division::Queries,
                                .device = {.speed = {.lanes = 2, .queriesPerSecond = 1e5}},
                                .cpu = broken});
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, ErrorKind::TooLarge);
  }

  void stopsEverywhere() {
    const PointCloud cloud = blobs(40'000);
    for (const Division division : kAllDivisions)
      for (const double after : {0.0, 0.01, 0.05, 0.2, 0.5}) {
        std::stop_source source;
        std::atomic<bool> asked{false};
        std::chrono::steady_clock::time_point at;
        std::thread stopper([&] {
          std::this_thread::sleep_for(std::chrono::duration<double>(after));
          at = std::chrono::steady_clock::now();
          asked = true;
          source.request_stop();
        });
        // A second for each of the two passes at least.
        const auto answer = shared(cloud, 0.05,
                                   {.division = division,
                                    .device = {.speed = {.lanes = 2, .queriesPerSecond = 20'000}},
                                    .cpuBatch = 64,
                                    .cpu = paced(2.0 / 20'000)},
                                   {source.get_token(), {}});
        const auto back = std::chrono::steady_clock::now();
        stopper.join();
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, ErrorKind::Cancelled);
        const double late = std::chrono::duration<double>(back - at).count();
        QVERIFY2(late < kLate, qPrintable(QString::number(late)));
      }
  }

  void scheduleIsAsSimulated_data() {
    QTest::addColumn<int>("division");
    for (const Division division : kAllDivisions)
      QTest::newRow(toText(division).c_str()) << int(division);
  }
  void scheduleIsAsSimulated() {
    QFETCH(int, division);
    const PointCloud cloud = blobs(12'000);
    const double eps = 0.05;
    // Both sides by queries per second: 30,000 on two streams and 15,000 on two threads.
    const SideModel gpu{.lanes = 2, .queriesPerSecond = 30'000};
    const SideModel cpu{.lanes = 2, .queriesPerSecond = 15'000};
    const Run run{.division = Division(division),
                  .device = {.speed = gpu},
                  .threads = cpu.lanes,
                  .cpuBatch = 128,
                  .batchPairs = 20'000,
                  .cpu = paced(cpu.lanes / cpu.queriesPerSecond)};
    const auto plan = planJoin(cloud, eps, {.order = QueryOrder::WorkQueue}, SinkKind::Counts,
                               {.name = "test"}, {});
    const JoinInput input(cloud);
    const SharedWork work{input, eps, *plan};
    const auto queries = orderByGrid(work, {});
    QVERIFY(queries.has_value());
    const auto counts = bruteForceCounts(cloud, eps, {});
    NeighbourSample sample{.step = 12, .counts = {}};
    for (std::uint32_t q = 0; q < queries->size(); q += 12)
      sample.counts.push_back(counts->counts[(*queries->points)[q]]);
    DivisionPlan plan2{.division = run.division, .cuts = {0, queries->size()}, .cpuBatch = 128};
    if (run.division != Division::Adaptive)
      plan2.cuts = cutBatches(sample, queries->size(), run.batchPairs, 4);
    const SharedPass simulated = simulateDivision(*queries, plan2, gpu, cpu);
    // The static divisions go by short samples, which other programs disturb.
    QString text;
    for (int turn = 0; turn < 8; ++turn) {
      const auto answer = shared(cloud, eps, run);
      QVERIFY2(answer.has_value(), answer ? "" : answer.error().message.c_str());
      const SharedPass& real = answer->passes[0];
      if (std::abs(real.gpuQueries - simulated.gpuQueries) < 0.1 &&
          std::abs(real.imbalance - simulated.imbalance) < 0.2)
        return;
      text += QString("meeting %1, simulated %2; imbalance %3, simulated %4. ")
                  .arg(real.meeting)
                  .arg(simulated.meeting)
                  .arg(real.imbalance)
                  .arg(simulated.imbalance);
    }
    QVERIFY2(false, qPrintable(text));
  }
};

APPLESS_TEST(TestSharedJoin);
#include "tst_shared_join.moc"
