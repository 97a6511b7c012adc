// The backend hybrid with a stand-in for the GPU: the answers of every call against brute force,
// what it refuses, and what its statistics say. tst_cancel stops it.
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <cmath>
#include <fstream>
#include <random>

#include "cloud_draws.h"
#include "engine/core/number_text.h"
#include "engine/cpu/brute_force.h"
#include "engine/hybrid/hybrid_backend.h"
#include "engine/hybrid/shares.h"
#include "engine/shared_rates.h"
#include "hybrid_agreement.h"
#include "tests/stand_in_device.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::unique_ptr<Backend> hybrid(const StandInSpec& device = {}, int threads = 2) {
  return makeHybridBackend(makeStandInDevice(device), threads);
}

/// With a backend of the device's own, which the CPU stands in for as well.
std::unique_ptr<Backend> choosing(double gpuCandidatesPerSecond,
                                  std::unique_ptr<RateMemory> rates = nullptr) {
  auto alone = makeBackend("cpu", {.threads = 1});
  return makeHybridBackend(
      makeStandInDevice({.speed = {.lanes = 2, .candidatesPerSecond = gpuCandidatesPerSecond}}), 2,
      std::move(*alone), std::move(rates));
}

PointCloud blobs(std::size_t n) {
  std::mt19937_64 random(7);
  return draws::draw(random, "blobs", n, 2);
}

}  // namespace

class TestHybridBackend : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithBruteForce_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 8; ++seed) QTest::addRow("seed %d", seed) << seed;
  }
  void agreesWithBruteForce() {
    QFETCH(int, seed);
    gpuAgreement::Tally tally;
    for (int round = 0; round < 5; ++round) {
      const auto backend =
          hybrid({.speed = {.lanes = 1 + (seed + round) % 3},
                  .bufferPairs = round % 2 == 0 ? kSharedBatchPairs : 7U << (seed + round)},
                 1 + (seed + round) % 4);
      const std::string what = hybridAgreement::randomCase(
          *backend, static_cast<std::uint64_t>(10 * seed + round), false, tally);
      QVERIFY2(what.empty(), what.c_str());
    }
    QVERIFY(tally.joins > 0);
  }

  void overflowsAreReplayed() {
    const std::string what = hybridAgreement::replays(*hybrid({.bufferPairs = 50}));
    QVERIFY2(what.empty(), what.c_str());
  }

  void dbscanWhenNothingCanBeCore() {
    const PointCloud cloud = blobs(20);
    const auto expected = bruteForceDbscan(cloud, {0.2, 50});
    QVERIFY(expected.has_value());
    const std::string what = agreement::ofDbscan(*hybrid(), cloud, *expected, {});
    QVERIFY2(what.empty(), what.c_str());
  }

  void statisticsTellWhoDidWhat() {
    const PointCloud cloud = blobs(3000);
    const auto backend = hybrid({.speed = {.lanes = 2, .queriesPerSecond = 8'000}});
    QVERIFY(backend->describe().find("stand-in") != std::string::npos);
    const auto table =
        backend->neighbourTable(cloud, 0.1, {.division = Division::Dyn, .cpuBatch = 20}, {});
    QVERIFY(table.has_value());
    const RunStats& stats = table->stats;
    QCOMPARE(stats.backend, std::string("hybrid"));
    QCOMPARE(stats.threads, 2);
    QVERIFY(stats.strategy.find("division dyn") != std::string::npos);
    QVERIFY(stats.strategy.find("work-queue") != std::string::npos);
    QVERIFY(stats.note.empty());
    QVERIFY(stats.cells > 0 && stats.distanceCalculations > 0);
    QCOMPARE(stats.passes.size(), std::size_t{2});
    QCOMPARE(stats.passes[0].stage, std::string("counting"));
    QCOMPARE(stats.passes[1].stage, std::string("filling"));
    std::size_t batches = 0;
    for (const SharedPass& pass : stats.passes) {
      batches += pass.batches.size();
      QCOMPARE(pass.queries, 3000U);
      QCOMPARE(pass.order->size(), std::size_t{3000});
      // One side may do all where the system runs the other's threads late; tst_shared_join has
      // both at work.
      std::uint32_t ofGpu = 0;
      std::uint32_t ofCpu = 0;
      for (const SharedBatch& batch : pass.batches)
        (batch.processor == Processor::Gpu ? ofGpu : ofCpu) += batch.queries;
      QCOMPARE(ofGpu + ofCpu, 3000U);
      QCOMPARE(pass.gpuQueries, ofGpu / 3000.0);
      QCOMPARE(pass.gpuEnd > 0, ofGpu > 0);
      QCOMPARE(pass.cpuEnd > 0, ofCpu > 0);
      const double later = std::max(pass.gpuEnd, pass.cpuEnd);
      QCOMPARE(pass.imbalance, std::abs(pass.gpuEnd - pass.cpuEnd) / later);
      QVERIFY(pass.start + later <= stats.seconds.total + 0.05);
    }
    QCOMPARE(stats.batches, batches);
    QVERIFY(stats.seconds.join > 0);
    const auto counted = backend->count(cloud, 0.1, {}, {});
    QVERIFY(counted->stats.strategy.find("adaptive") != std::string::npos);
    // The CPU's own work is told as such.
    const auto histogram = backend->histogram(cloud, 0.1, 5, {}, {});
    QVERIFY(histogram->stats.note.find("CPU") != std::string::npos);
  }

  void cpuAloneSaysSo() {
    const PointCloud cloud = blobs(2000);
    const auto expected = bruteForceCounts(cloud, 0.1);
    for (const StandInSpec& device :
         {StandInSpec{.failsToBegin = true}, StandInSpec{.batchesBeforeFailure = 0}}) {
      const auto counted = hybrid(device)->count(cloud, 0.1, {.cpuBatch = 8}, {});
      QVERIFY(counted.has_value());
      QCOMPARE(counted->counts, expected->counts);
      QVERIFY2(counted->stats.note.find("The CPU did the rest") != std::string::npos,
               counted->stats.note.c_str());
    }
  }

  void refusesWhatItCannot_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("words");
    QTest::newRow("unicomp") << 0 << "full or tile";
    QTest::newRow("lid-unicomp") << 1 << "full or tile";
    QTest::newRow("input order") << 2 << "work-queue";
    QTest::newRow("sort-by-workload") << 3 << "work-queue";
    QTest::newRow("brute force") << 4 << "grid";
    QTest::newRow("key-value sort") << 5 << "does not sort key/value pairs";
    QTest::newRow("dense cells") << 6 << "Dense cells";
    QTest::newRow("New-Super-EGO for two clouds") << 7 << "itself only";
  }
  void refusesWhatItCannot() {
    QFETCH(int, which);
    QFETCH(QString, words);
    const Strategy strategies[] = {
        {.pattern = AccessPattern::Unicomp}, {.pattern = AccessPattern::LidUnicomp},
        {.order = QueryOrder::Input},        {.order = QueryOrder::SortByWorkload},
        {.method = Method::BruteForce},      {.route = ResultRoute::KeyValueSort},
        {.denseCells = Toggle::On},          {.cpuMethod = CpuMethod::NewSuperEgo}};
    const auto backend = hybrid();
    const PointCloud cloud = blobs(50);
    const JoinInput input = which == 7 ? JoinInput(cloud, cloud) : JoinInput(cloud);
    const auto pairs = backend->pairs(input, 0.1, strategies[which], {});
    QVERIFY(!pairs);
    QCOMPARE(pairs.error().kind, ErrorKind::BadCall);
    QVERIFY2(pairs.error().message.find(words.toStdString()) != std::string::npos,
             pairs.error().message.c_str());
  }

  void othersRefuseItsOptions() {
    const PointCloud cloud = blobs(50);
    const auto cpu = makeBackend("cpu", {.threads = 1});
    for (const Strategy& strategy :
         {Strategy{.division = Division::Dyn}, Strategy{.cpuMethod = CpuMethod::NewSuperEgo},
          Strategy{.cpuBatch = 5}, Strategy{.referenceEps = 5},
          Strategy{.method = Method::BruteForce, .division = Division::Queries}}) {
      const auto counted = (*cpu)->count(cloud, 0.1, strategy, {});
      QVERIFY(!counted);
      QCOMPARE(counted.error().kind, ErrorKind::BadCall);
      QVERIFY2(counted.error().message.find("hybrid") != std::string::npos,
               counted.error().message.c_str());
    }
  }

  /// [Gallet 2020, eq. 1 to 3] with a device whose time is its candidates': what is predicted from
  /// another ε, and what the run took.
  void modelsOfStaticDivisions() {
    const PointCloud cloud = blobs(4000);
    constexpr double kEps = 0.2;
    constexpr double kRate = 4e6;  // candidates per second
    const auto backend = hybrid({.speed = {.lanes = 2, .candidatesPerSecond = kRate}});
    const auto candidatesAt = [&](double eps) {
      return static_cast<double>((*makeBackend("cpu", {.threads = 1}))
                                     ->count(cloud, eps, {.indexedDims = 2}, {})
                                     ->candidates);
    };
    for (const Division division : {Division::Queries, Division::Candidates})
      for (const double reference : {0.0, 0.1, 0.4}) {
        Strategy strategy{.indexedDims = 2, .division = division, .referenceEps = reference};
        const auto table = backend->neighbourTable(cloud, kEps, strategy, {});
        QVERIFY2(table.has_value(), table ? "" : table.error().message.c_str());
        const SharedPass& pass = table->stats.passes[0];
        QVERIFY(pass.forecast.has_value());
        const DivisionForecast& model = *pass.forecast;
        const double timedAt = reference > 0 ? reference : kEps;
        QCOMPARE(model.referenceEps, timedAt);
        QVERIFY(std::abs(model.volumeRatio - std::pow(kEps / timedAt, 2)) < 1e-12);
        // The device was timed at the reference, as fast as it is or slower.
        const double expected = candidatesAt(timedAt) / kRate * model.volumeRatio;
        QVERIFY2(model.gpuAlone > 0.99 * expected,
                 qPrintable(QString("from ε %1: %2 s, expected %3 s")
                                .arg(timedAt)
                                .arg(model.gpuAlone)
                                .arg(expected)));
        QVERIFY(model.cpuAlone > 0);
        const double together = 1 / (1 / model.gpuAlone + 1 / model.cpuAlone);
        QVERIFY(std::abs(model.together / together - 1) < 1e-9);
        QCOMPARE(pass.predictedShare, gpuShare(model.cpuAlone, model.gpuAlone));
        QVERIFY(pass.end() > 0);
        // Rows are divided by the same share; their time is another one.
        QCOMPARE(table->stats.passes[1].predictedShare, pass.predictedShare);
        QVERIFY(!table->stats.passes[1].forecast);
        if (reference > 0)
          QVERIFY(table->stats.strategy.find("reference ε " + roundTripText(reference)) !=
                  std::string::npos);
      }
    // On demand nothing is predicted.
    const auto dyn = backend->count(cloud, kEps, {.division = Division::Dyn}, {});
    QVERIFY(dyn.has_value() && !dyn->stats.passes[0].forecast);
    // Core tests may stop early, which the sampled queries did not.
    const auto clustering =
        backend->dbscan(cloud, {kEps, 5}, {.division = Division::Queries, .referenceEps = 0.1}, {});
    QVERIFY(clustering.has_value());
    QVERIFY(clustering->stats.passes[0].predictedShare >= 0);
    QVERIFY(!clustering->stats.passes[0].forecast);
  }

  void referenceEpsIsChecked() {
    const PointCloud cloud = blobs(50);
    const auto refused = [&](const Backend& backend, const Strategy& strategy, const char* word) {
      const auto counted = backend.count(cloud, 0.1, strategy, {});
      return !counted && counted.error().kind == ErrorKind::BadCall &&
             counted.error().message.find(word) != std::string::npos;
    };
    for (const Division division : {Division::Adaptive, Division::Dyn})
      QVERIFY(refused(*hybrid(), {.division = division, .referenceEps = 0.2}, "fixed shares"));
    QVERIFY(!refused(*hybrid(), {.division = Division::Queries, .referenceEps = 0.2}, ""));
    QVERIFY(refused(*hybrid(), {.division = Division::Queries, .referenceEps = 1e-120}, "too far"));
    QVERIFY(refused(**makeBackend("cpu", {.threads = 1}), {.referenceEps = 0.2}, "reference ε"));
    // A device that fails at the reference leaves everything to the CPU, as one that fails later.
    const auto alone =
        hybrid({.failsToBegin = true})
            ->count(cloud, 0.1, {.division = Division::Queries, .referenceEps = 0.2}, {});
    QVERIFY(alone.has_value());
    QCOMPARE(alone->counts, bruteForceCounts(cloud, 0.1)->counts);
    QVERIFY(!alone->stats.passes[0].forecast);
    // Of two clouds no query may have a neighbour at the reference.
    PointCloud apart = cloud;
    for (double& x : apart.columns[0]) x += 100;
    const auto none = hybrid()->count(JoinInput(apart, cloud), 150,
                                      {.division = Division::Candidates, .referenceEps = 0.5}, {});
    QVERIFY2(none.has_value(), none ? "" : none.error().message.c_str());
    QCOMPARE(none->pairs, std::uint64_t{50 * 50});
  }

  void twoCloudsAgreeWithPlainLoops() {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto backend = hybrid({.speed = {.lanes = 1 + static_cast<int>(seed % 3)},
                                   .bufferPairs = seed % 2 == 0 ? kSharedBatchPairs : 40});
      const std::string what = hybridAgreement::twoCloudCase(*backend, seed, false);
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void noQueryNearTheOtherCloud() {
    const PointCloud points = blobs(60);
    PointCloud far = blobs(50);
    for (double& x : far.columns[0]) x += 1e6;
    const JoinInput input(far, points);
    for (const Division division : {Division::Adaptive, Division::Dyn, Division::Queries}) {
      const auto counted = hybrid()->count(input, 0.1, {.division = division}, {});
      QVERIFY2(counted.has_value(), counted ? "" : counted.error().message.c_str());
      QCOMPARE(counted->counts, std::vector<std::uint32_t>(50, 0));
      QCOMPARE(counted->pairs, std::uint64_t{0});
      const auto table = hybrid()->neighbourTable(input, 0.1, {.division = division}, {});
      QVERIFY(table.has_value());
      QCOMPARE(table->offsets, std::vector<std::uint64_t>(51, 0));
    }
  }

  void adaptiveLeavesJoinsToTheFasterSide() {
    const PointCloud cloud = blobs(6000);
    const double eps = 0.6;  // many candidates: sharing costs little beside them
    const auto expected = bruteForceCounts(cloud, eps);
    const auto by = [&](const Backend& backend, Division division = Division::Adaptive) {
      const auto counted = backend.count(cloud, eps, {.division = division}, {});
      if (!counted || counted->counts != expected->counts) return std::optional<SharingChoice>();
      const RunStats& stats = counted->stats;
      const bool both = !stats.sharing || stats.sharing->by == SharingChoice::By::Both;
      if (stats.backend != "hybrid" || stats.passes.empty() == both || stats.note.empty() != both)
        return std::optional<SharingChoice>();
      return stats.sharing ? stats.sharing : SharingChoice{.cpuToGpu = -1};
    };
    const auto fast = choosing(1e15);
    const auto onGpu = by(*fast);
    QVERIFY(onGpu && onGpu->by == SharingChoice::By::Gpu);
    QVERIFY(onGpu->cpuToGpu > 0 && onGpu->cpuToGpu < 0.08);
    double cpuRate = onGpu->cpuToGpu * 1e15;
    for (int turn = 0; turn < 10; ++turn) {  // a sample that is disturbed says far too little
      const auto again = by(*choosing(1e15));
      QVERIFY(again.has_value());
      cpuRate = std::max(cpuRate, again->cpuToGpu * 1e15);
    }
    // The other divisions share whatever it costs.
    const auto dyn = by(*fast, Division::Dyn);
    QVERIFY(dyn && dyn->cpuToGpu == -1);
    bool byCpu = false;
    for (int attempt = 0; attempt < 20 && !byCpu; ++attempt) {
      const auto onCpu = by(*choosing(cpuRate / 1e3));
      QVERIFY(onCpu.has_value());
      byCpu = onCpu->by == SharingChoice::By::Cpu;
    }
    QVERIFY(byCpu);
    // On a loaded machine the CPU's rate is another one each time it is sampled.
    bool shared = false;
    for (int attempt = 0; attempt < 20 && !shared; ++attempt) {
      const auto both = by(*choosing(cpuRate * std::ldexp(1, attempt % 5 - 2)));
      QVERIFY(both.has_value());
      shared = both->by == SharingChoice::By::Both;
    }
    QVERIFY(shared);
    // It goes by what it measured: the stand-in is as slow as a CPU. On a loaded machine one side
    // may have done all of a shared run.
    bool measured = false;
    for (int attempt = 0; attempt < 20 && !measured; ++attempt) {
      QVERIFY(by(*fast, Division::Dyn).has_value());
      const auto again = by(*fast);
      QVERIFY(again.has_value());
      measured = again->cpuToGpu > 2 * onGpu->cpuToGpu;
    }
    QVERIFY(measured);
  }

  void ratesAreKeptForLaterPrograms() {
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/cache/shared-rates";
    const PointCloud cloud = blobs(3000);
    const auto ratio = [&](double rate) {
      const auto counted = choosing(rate, sharedRatesIn(path))->count(cloud, 0.3, {}, {});
      return counted && counted->stats.sharing ? counted->stats.sharing->cpuToGpu : -1;
    };
    const double first = ratio(1e15);
    QVERIFY(first > 0 && first < 0.08);
    QVERIFY(readSharedRates(path).size() == 1);
    const SideRates kept = readSharedRates(path).begin()->second;
    // The sampled rate of the CPU; what the device only states is not kept.
    QCOMPARE(kept.cpu / 1e15, first);
    QCOMPARE(kept.gpu, 0.0);
    QCOMPARE(ratio(1e15), first);
    // A memory gives the mean of what it knew and learned.
    RateMemory memory({{"kind", {4, 0}}});
    memory.learn("kind", {2, 5});
    QCOMPARE(memory.of("kind").gpu, 3.0);
    QCOMPARE(memory.of("kind").cpu, 5.0);
    QVERIFY(!memory.of("other").known());
    // Those of other programs stay.
    QVERIFY(keepSharedRates(path, {{"other machine", {1, 2}}}));
    QVERIFY(ratio(1e15) > 0);
    QCOMPARE(readSharedRates(path).size(), std::size_t{2});
    QCOMPARE(readSharedRates(path).at("other machine").cpu, 2.0);
    // A file that is not of this kind is as none, and is replaced.
    for (const char* text : {"clusterloom shared rates 1\nkind\t1\n", "something else\n",
                             "clusterloom shared rates 1\nkind\tx\t1\n", ""}) {
      std::ofstream(path) << text;
      QVERIFY(readSharedRates(path).empty());
      QVERIFY(ratio(1e15) < 0.08);
      QCOMPARE(readSharedRates(path).size(), std::size_t{1});
    }
    // Where nothing can be kept, runs succeed all the same.
    const auto counted =
        choosing(1e15, sharedRatesIn("/proc/none/shared-rates"))->count(cloud, 0.3, {}, {});
    QVERIFY(counted.has_value());
  }

  void whatIsNotSharedGoesToTheFasterSide() {
    const PointCloud cloud = blobs(800);
    const auto expected = bruteForceDbscan(cloud, {0.2, 5});
    for (const double rate : {1e15, 1.0}) {
      const auto backend = choosing(rate);
      const auto side = rate > 1 ? SharingChoice::By::Gpu : SharingChoice::By::Cpu;
      const auto clustering = backend->dbscan(cloud, {0.2, 5}, {}, {});
      QVERIFY(clustering.has_value());
      QCOMPARE(clustering->labels, expected->labels);
      QVERIFY(clustering->stats.sharing && clustering->stats.sharing->by == side);
      QVERIFY(clustering->stats.note.find("not shared") != std::string::npos);
      const auto histogram = backend->histogram(cloud, 0.2, 4, {}, {});
      QVERIFY(histogram.has_value());
      QVERIFY(histogram->stats.sharing && histogram->stats.sharing->by == side);
      const auto lowest = backend->lowestLabels(cloud, expected->labels, 0.2, {}, {});
      QVERIFY(lowest.has_value());
      QVERIFY(lowest->stats.sharing && lowest->stats.sharing->by == side);
      if (rate == 1.0) continue;  // which would take as long as it says
      // The papers' divisions share the core test.
      const auto dyn = backend->dbscan(cloud, {0.2, 5}, {.division = Division::Dyn}, {});
      QVERIFY(dyn.has_value());
      QCOMPARE(dyn->labels, expected->labels);
      QCOMPARE(dyn->stats.passes.size(), std::size_t{1});
    }
  }

  void equalPointsAreDecidedAtOnce() {
    PointCloud cloud = blobs(500);
    for (auto& column : cloud.columns) column.resize(300'500, column[0]);
    // 9 · 10¹⁰ pairs, of which the CPU decides none one by one. The device is not to get there.
    const auto counted = hybrid({.failsToBegin = true})->count(cloud, 0.01, {}, {});
    QVERIFY2(counted.has_value(), counted ? "" : counted.error().message.c_str());
    QVERIFY(counted->pairs >= 300'000ULL * 300'000ULL);
    QVERIFY(counted->stats.distanceCalculations < 1'000'000'000);
    QCOMPARE(counted->counts[400'000 % 300'500], counted->counts[0]);
  }

  void badInputIsAnError() {
    const auto backend = hybrid();
    QCOMPARE(backend->count(PointCloud{}, 1, {}, {}).error().kind, ErrorKind::BadInput);
    QCOMPARE(backend->count(blobs(5), -1, {}, {}).error().kind, ErrorKind::BadCall);
    QCOMPARE(backend->dbscan(blobs(5), {1, 0}, {}, {}).error().kind, ErrorKind::BadCall);
  }

  void exhaustedMemoryIsAnError() {
    const auto backend = hybrid();
    for (int after = 0; after < 12; ++after) {
      std::atomic<int> reports{0};
      Task task;
      task.progress = [&](std::string_view, double) {
        if (reports++ >= after) throw std::bad_alloc();
      };
      const auto found = backend->dbscan(blobs(600), {0.2, 4}, {.cpuBatch = 10}, task);
      if (found) {
        QVERIFY(reports <= after);
        continue;
      }
      QCOMPARE(found.error().kind, ErrorKind::TooLarge);
    }
  }
};

APPLESS_TEST(TestHybridBackend);
#include "tst_hybrid_backend.moc"
