// Joins that several devices share, each with the whole cloud. CPU threads stand in for devices.
// The answers are those of brute force for every number of devices, deal and number of query sets,
// also when devices fail.
#include <QtTest>
#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/brute_force.h"
#include "engine/distributed/replicated_backend.h"
#include "engine/distributed/selection.h"
#include "tests/stand_in_device.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kLate = 10;  // unstopped it takes 30 s; 100 ms on an idle machine

StandInSpec oneThread() {
  StandInSpec spec;
  spec.speed.lanes = 1;
  return spec;
}

std::unique_ptr<Backend> replicated(const std::vector<StandInSpec>& specs,
                                    const ReplicatedOptions& options) {
  std::vector<ReplicatedDevice> devices;
  for (const StandInSpec& spec : specs)
    devices.push_back({makeStandInDevice(spec), std::move(*makeBackend("cpu", {.threads = 1}))});
  ReplicatedOptions own = options;
  own.threadsEach = 1;
  return makeReplicatedBackend(std::move(devices), own);
}

PointCloud drawn(const std::string& kind, std::size_t n, std::size_t dims, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return draws::draw(random, kind, n, dims);
}

/// Counts, pairs, table and histogram of a backend against brute force.
std::string wrong(const Backend& backend, const PointCloud& cloud, double eps,
                  const Strategy& strategy = {}) {
  const auto counts = bruteForceCounts(cloud, eps, {});
  const auto pairs = bruteForcePairs(cloud, eps, {});
  return agreement::ofJoins(backend, cloud, eps, *counts, *pairs, strategy);
}

}  // namespace

class TestReplicated : public QObject {
  Q_OBJECT

 private slots:
  void answersAreThoseOfBruteForce() {
    std::mt19937_64 random(17);
    for (int round = 0; round < 60; ++round) {
      const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const std::size_t n = 1 + random() % 300;
      const std::size_t dims = 1 + random() % 5;
      const PointCloud cloud = draws::draw(random, kind, n, dims);
      const double eps = draws::drawEps(random, cloud);
      std::vector<StandInSpec> specs(1 + random() % 8, oneThread());
      for (StandInSpec& spec : specs) {
        spec.speed.lanes = static_cast<int>(1 + random() % 3);
        if (random() % 2) spec.bufferPairs = 1 + random() % 300;  // rows are done in halves
      }
      const ReplicatedOptions options{.querySets = static_cast<std::uint32_t>(random() % 40),
                                      .deal = static_cast<Deal>(random() % 3)};
      const auto backend = replicated(specs, options);
      Strategy strategy;
      strategy.pattern = random() % 2 ? AccessPattern::Tile : AccessPattern::Full;
      strategy.indexedDims = static_cast<int>(random() % (dims + 1));
      strategy.precision = random() % 2 ? Precision::Double : Precision::Single;
      const std::string what = wrong(*backend, cloud, eps, strategy);
      QVERIFY2(what.empty(), qPrintable(QString("round %1, %2, %3 points, %4 devices, %5 sets: %6")
                                            .arg(round)
                                            .arg(kind.c_str())
                                            .arg(n)
                                            .arg(specs.size())
                                            .arg(options.querySets)
                                            .arg(what.c_str())));
    }
  }

  // Devices with a way of their own to count a part of the queries, and what happens where one of
  // them has none or fails.
  void countsByParts() {
    StandInSpec own = oneThread();
    own.countsParts = true;
    StandInSpec dead = own;
    dead.failsToBegin = true;
    std::mt19937_64 random(23);
    for (int round = 0; round < 20; ++round) {
      const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 300, 1 + random() % 4);
      const double eps = draws::drawEps(random, cloud);
      const std::vector<StandInSpec> specs(1 + random() % 5, own);
      const auto expected = bruteForceCounts(cloud, eps, {});
      const auto counts = replicated(specs, {})->count(cloud, eps, {}, {});
      QVERIFY(counts.has_value());
      QCOMPARE(counts->counts, expected->counts);
      QCOMPARE(counts->pairs, expected->pairs);
      QVERIFY(counts->stats.strategy.ends_with("by parts"));
      QCOMPARE(counts->stats.ranks.size(), specs.size());
      std::uint64_t points = 0;
      for (const RankStats& rank : counts->stats.ranks) points += rank.points;
      QCOMPARE(points, std::uint64_t{cloud.size()});
    }
    const PointCloud cloud = drawn("blobs", 900, 2, 4);
    const auto expected = bruteForceCounts(cloud, 0.3, {});
    using Specs = std::vector<StandInSpec>;
    for (const Specs& specs : {Specs{own, oneThread()}, Specs{own, dead}}) {
      const auto counts = replicated(specs, {})->count(cloud, 0.3, {}, {});
      QVERIFY(counts.has_value());
      QCOMPARE(counts->counts, expected->counts);
      QVERIFY(counts->stats.strategy.ends_with("deal queue"));
    }
    // A deal that was asked for, or another order, is done as asked.
    const Specs two{own, own};
    Strategy byWork;
    byWork.order = QueryOrder::WorkQueue;
    for (const auto& [options, strategy] : std::vector<std::pair<ReplicatedOptions, Strategy>>{
             {{.deal = Deal::Fixed}, {}}, {{.querySets = 5}, {}}, {{}, byWork}}) {
      const auto counts = replicated(two, options)->count(cloud, 0.3, strategy, {});
      QVERIFY(counts.has_value());
      QCOMPARE(counts->counts, expected->counts);
      QVERIFY(!counts->stats.strategy.ends_with("by parts"));
    }
    std::stop_source stop;
    stop.request_stop();
    const Task stopped{.stop = stop.get_token(), .progress = {}};
    QCOMPARE(replicated(two, {})->count(cloud, 0.3, {}, stopped).error().kind,
             ErrorKind::Cancelled);
  }

  void tinyCloudsAndDuplicates() {
    for (const Deal deal : {Deal::Fixed, Deal::Single, Deal::Queue})
      for (const std::size_t n : {1, 2, 3, 5}) {
        const auto backend =
            replicated(std::vector<StandInSpec>(8, oneThread()), {.querySets = 30, .deal = deal});
        for (const char* kind : {"uniform", "duplicates", "lattice"}) {
          const std::string what = wrong(*backend, drawn(kind, n, 2, n), 1.0);
          QVERIFY2(what.empty(), what.c_str());
        }
      }
  }

  void twoClouds() {
    const PointCloud queries = drawn("blobs", 200, 2, 1);
    const PointCloud points = drawn("uniform", 300, 2, 2);
    const auto backend = replicated({oneThread(), oneThread(), oneThread()}, {});
    const auto one = makeBackend("cpu", {.threads = 1});
    const JoinInput input(queries, points);
    QCOMPARE(backend->count(input, 0.5, {}, {})->counts, (*one)->count(input, 0.5, {}, {})->counts);
    QVERIFY(backend->pairs(input, 0.5, {}, {})->pairs == (*one)->pairs(input, 0.5, {}, {})->pairs);
    QCOMPARE(backend->histogram(input, 0.5, 9, {}, {})->pairs,
             (*one)->histogram(input, 0.5, 9, {}, {})->pairs);
  }

  void figuresOfDevices() {
    const PointCloud cloud = drawn("blobs", 4000, 2, 3);
    for (const Deal deal : {Deal::Fixed, Deal::Single, Deal::Queue}) {
      const auto backend =
          replicated(std::vector<StandInSpec>(3, oneThread()), {.querySets = 12, .deal = deal});
      const auto counts = backend->count(cloud, 0.2, {}, {});
      QVERIFY(counts.has_value());
      QCOMPARE(counts->stats.ranks.size(), std::size_t{3});
      QCOMPARE(counts->stats.batches, std::uint64_t{12});
      std::uint64_t points = 0;
      std::uint64_t candidates = 0;
      for (const RankStats& rank : counts->stats.ranks) {
        points += rank.points;
        candidates += rank.candidates;
        QVERIFY(rank.index > 0 && rank.join >= 0 && rank.waiting >= 0);
        if (deal == Deal::Fixed) {
          QCOMPARE(rank.batches, std::uint64_t{4});
          // Uniform selections of the order by workload hardly differ.
          QVERIFY(std::abs(3.0 * double(rank.candidates) / double(counts->candidates) - 1) < 0.02);
        }
      }
      QCOMPARE(points, std::uint64_t{4000});
      QCOMPARE(candidates, counts->candidates);
      QVERIFY(QString::fromStdString(counts->stats.strategy)
                  .endsWith(QString::fromStdString("deal " + toText(deal))));
    }
  }

  /// [Gowanlock 2019, §6.2] as printed: set i has the points i, i + m, i + 2m, … of the cloud, and
  /// device i mod g does it.
  void singleQueriesAreDealtAsPrinted() {
    const PointCloud cloud = drawn("blobs", 1003, 2, 12);
    constexpr std::size_t kSets = 12;
    const auto backend = replicated(std::vector<StandInSpec>(3, oneThread()),
                                    {.querySets = kSets, .deal = Deal::Single});
    const auto counts = backend->count(cloud, 0.2, {.indexedDims = 2}, {});
    QVERIFY(counts.has_value());
    QVERIFY(counts->stats.strategy.find("input order") != std::string::npos);
    // The candidates of each set, by a join of its points with the cloud.
    const auto one = makeBackend("cpu", {.threads = 1});
    const auto& sets = counts->stats.querySets;
    QCOMPARE(sets.size(), kSets);
    for (std::uint32_t s = 0; s < kSets; ++s) {
      QCOMPARE(sets[s].set, s);
      QCOMPARE(sets[s].device, s % 3);
      const PointCloud selection = selectionOf(cloud, s, kSets);
      QCOMPARE(sets[s].queries, static_cast<std::uint32_t>(selection.size()));
      const auto own = (*one)->count(JoinInput(selection, cloud), 0.2, {.indexedDims = 2}, {});
      QCOMPARE(sets[s].candidates, own->candidates);
    }
  }

  /// [Gowanlock 2019, figure 10]: each set's time, of every stage, also where devices fail.
  void timesOfQuerySets() {
    const PointCloud cloud = drawn("blobs", 3000, 2, 3);
    // One stream that takes a microsecond for 20 candidates.
    StandInSpec paced = oneThread();
    paced.speed.candidatesPerSecond = 2e7;
    for (const Deal deal : {Deal::Fixed, Deal::Single, Deal::Queue}) {
      const auto table = replicated({paced, paced}, {.querySets = 8, .deal = deal})
                             ->neighbourTable(cloud, 0.2, {}, {});
      QVERIFY(table.has_value());
      const std::vector<QuerySetStats>& sets = table->stats.querySets;
      QCOMPARE(sets.size(), std::size_t{16});
      std::uint64_t queries = 0;
      for (std::size_t i = 0; i < sets.size(); ++i) {
        QCOMPARE(sets[i].stage, std::string(i < 8 ? "counting" : "filling"));
        QCOMPARE(sets[i].set, static_cast<std::uint32_t>(i % 8));
        QVERIFY(sets[i].seconds >= static_cast<double>(sets[i].candidates) / 2e7);
        QVERIFY(sets[i].start >= 0);
        queries += sets[i].queries;
      }
      QCOMPARE(queries, std::uint64_t{6000});
    }
    StandInSpec breaks = oneThread();
    breaks.batchesBeforeFailure = 3;
    const auto table = replicated({breaks, oneThread()}, {.querySets = 8, .deal = Deal::Fixed})
                           ->neighbourTable(cloud, 0.2, {}, {});
    QVERIFY(table.has_value());
    std::map<std::string, std::uint64_t> queries;
    for (const QuerySetStats& set : table->stats.querySets) {
      queries[set.stage] += set.queries;
      QVERIFY(set.device < 2 && set.set < 8);
    }
    QCOMPARE(queries,
             (std::map<std::string, std::uint64_t>{{"counting", 3000}, {"filling", 3000}}));
  }

  /// A slow device gets fewer sets from the queue.
  void queueBalancesUnequalDevices() {
    const PointCloud cloud = drawn("uniform", 4000, 2, 4);
    StandInSpec slow = oneThread();
    slow.speed.queriesPerSecond = 400;
    StandInSpec fast = oneThread();
    fast.speed.queriesPerSecond = 40000;
    const auto backend = replicated({slow, fast}, {.querySets = 40, .deal = Deal::Queue});
    const auto counts = backend->count(cloud, 0.1, {}, {});
    QVERIFY(counts.has_value());
    QVERIFY(counts->stats.ranks[0].batches < counts->stats.ranks[1].batches / 2);
  }

  void failingDevicesLeaveTheirSets_data() {
    QTest::addColumn<int>("deal");
    QTest::newRow("fixed") << int(Deal::Fixed);
    QTest::newRow("single") << int(Deal::Single);
    QTest::newRow("queue") << int(Deal::Queue);
  }
  void failingDevicesLeaveTheirSets() {
    QFETCH(int, deal);
    const PointCloud cloud = drawn("blobs", 500, 2, 5);
    const auto counts = bruteForceCounts(cloud, 0.4, {});
    const auto pairs = bruteForcePairs(cloud, 0.4, {});
    StandInSpec dead = oneThread();
    dead.failsToBegin = true;
    StandInSpec orderless = oneThread();
    orderless.failsToOrder = true;
    for (const int after : {0, 1, 3, 7}) {
      StandInSpec breaks = oneThread();
      breaks.speed.lanes = 2;
      breaks.batchesBeforeFailure = after;
      const auto backend =
          replicated({orderless, breaks, oneThread(), dead}, {.querySets = 16, .deal = Deal(deal)});
      const auto counted = backend->count(cloud, 0.4, {}, {});
      QVERIFY2(counted.has_value(), counted ? "" : counted.error().message.c_str());
      QCOMPARE(counted->counts, counts->counts);
      const QString note = QString::fromStdString(counted->stats.note);
      QVERIFY2(note.contains("does not answer"), qPrintable(note));
      const auto listed = backend->pairs(cloud, 0.4, {}, {});
      QVERIFY2(listed.has_value(), listed ? "" : listed.error().message.c_str());
      QVERIFY(listed->pairs == pairs->pairs);
    }
  }

  void whereAllFail() {
    const PointCloud cloud = drawn("blobs", 300, 2, 6);
    StandInSpec dead = oneThread();
    dead.failsToBegin = true;
    const auto none = replicated({dead, dead}, {})->count(cloud, 0.4, {}, {});
    QVERIFY(!none);
    QVERIFY(none.error().message.find("does not answer") != std::string::npos);
    StandInSpec breaks = oneThread();
    breaks.batchesBeforeFailure = 2;
    for (const Deal deal : {Deal::Fixed, Deal::Single, Deal::Queue}) {
      const auto later =
          replicated({breaks, breaks}, {.querySets = 20, .deal = deal})->count(cloud, 0.4, {}, {});
      QVERIFY(!later);
      QVERIFY(later.error().message.find("has failed") != std::string::npos);
    }
  }

  void stops() {
    const PointCloud cloud = drawn("uniform", 3000, 2, 7);
    StandInSpec slow = oneThread();
    slow.speed.queriesPerSecond = 50;
    const auto backend = replicated({slow, slow}, {});
    std::stop_source stop;
    Stopwatch watch;
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      watch.lap();
      stop.request_stop();
    });
    const auto counted = backend->count(cloud, 0.1, {}, {.stop = stop.get_token(), .progress = {}});
    const double seconds = watch.lap();
    later.join();
    QVERIFY(!counted);
    QCOMPARE(counted.error().kind, ErrorKind::Cancelled);
    QVERIFY2(seconds < kLate, qPrintable(QString::number(seconds)));
  }

  void badCalls() {
    const PointCloud cloud = drawn("uniform", 50, 2, 8);
    const auto backend = replicated({oneThread(), oneThread()}, {});
    const auto kind = [&](const Strategy& strategy, double eps) {
      const auto counted = backend->count(cloud, eps, strategy, {});
      return counted ? ErrorKind::Io : counted.error().kind;
    };
    QCOMPARE(kind({}, -1), ErrorKind::BadCall);
    QCOMPARE(kind({.pattern = AccessPattern::Unicomp}, 1), ErrorKind::BadCall);
    QCOMPARE(kind({.order = QueryOrder::Input}, 1), ErrorKind::BadCall);
    QCOMPARE(kind({.method = Method::BruteForce}, 1), ErrorKind::BadCall);
    QCOMPARE(kind({.division = Division::Dyn}, 1), ErrorKind::BadCall);
    QCOMPARE(kind({.referenceEps = 2}, 1), ErrorKind::BadCall);
    QCOMPARE(backend->histogram(cloud, 1, 0, {}, {}).error().kind, ErrorKind::BadCall);
    const auto none = makeBackend("cpu", {.allDevices = true});
    QCOMPARE(none.error().kind, ErrorKind::BadCall);
  }
};

APPLESS_TEST(TestReplicated);
#include "tst_replicated.moc"
