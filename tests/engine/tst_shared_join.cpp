// Joins that the CPU shares with a stand-in for a GPU: the answers against brute force whatever the
// division, the clouds, and what goes wrong.
#include <QtTest>
#include <algorithm>
#include <random>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/hybrid/shared_join.h"
#include "shared_join_runs.h"
#include "tests/stand_in_device.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace shared_runs;

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
    bool met = false;
    for (int turn = 0; turn < 20 && !met; ++turn) {  // the threads of one side may run late
      const auto answer = shared(cloud, 0.1, run);
      const std::string what = wrong(cloud, 0.1, answer);
      QVERIFY2(what.empty(), what.c_str());
      const SharedPass& pass = answer->passes[0];
      met = pass.meeting > 0 && pass.meeting < 2000 && pass.gpuQueries > 0 && pass.gpuQueries < 1;
    }
    QVERIFY(met);
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
        const Run run{.division = division,
                      .device = {.speed = {.lanes = 2, .queriesPerSecond = 1e5},
                                 .batchesBeforeFailure = batches},
                      .cpuBatch = 8,
                      .batchPairs = 4000};
        auto answer = shared(cloud, 0.2, run);
        // Under Dyn the CPU may have done all before the device's threads ran.
        for (int turn = 0; turn < 20 && batches == 0 && answer && answer->note.empty(); ++turn)
          answer = shared(cloud, 0.2, run);
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
};

APPLESS_TEST(TestSharedJoin);
#include "tst_shared_join.moc"
