#include <QtTest>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/hybrid/hybrid_backend.h"
#include "tests/stand_in_device.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Clock = std::chrono::steady_clock;

// The limit is 100 ms on an idle machine; tests run on loaded ones.
#ifdef __SANITIZE_THREAD__
// TBB is not instrumented: ThreadSanitizer examines a supposed race at every access.
constexpr double kLate = 60;
#else
constexpr double kLate = 0.5;
#endif

/// Runs `call`, asks it to stop after `seconds`, and returns how long after that it came back; −1
/// when it was done before. `kind` gets the kind of its error.
double latenessOnce(double seconds, const std::function<ErrorKind(const Task&)>& call,
                    ErrorKind& kind) {
  std::stop_source source;
  std::atomic<bool> asked{false};
  Clock::time_point askedAt;
  std::mutex mutex;
  std::condition_variable done;
  bool finished = false;
  std::thread stopper([&] {
    std::unique_lock lock(mutex);
    if (done.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return finished; }))
      return;
    askedAt = Clock::now();
    asked = true;
    source.request_stop();
  });
  kind = call({source.get_token(), {}});
  const auto back = Clock::now();
  {
    const std::lock_guard lock(mutex);
    finished = true;
  }
  done.notify_one();
  stopper.join();
  return asked ? std::chrono::duration<double>(back - askedAt).count() : -1.0;
}

/// The same of the first of five calls that is not late: a busy machine delays one now and then.
double lateness(double seconds, const std::function<ErrorKind(const Task&)>& call,
                ErrorKind& kind) {
  double late = latenessOnce(seconds, call, kind);
  for (int turn = 1; turn < 5 && late >= kLate; ++turn) late = latenessOnce(seconds, call, kind);
  return late;
}

/// Dense enough to keep any strategy busy for a long while.
PointCloud busyCloud(std::size_t dims) {
  std::mt19937_64 random(1);
  return draws::draw(random, "uniform", 400000, dims);
}

/// Two clumps whose boxes lie within ε of each other while none of their points do.
PointCloud nearMiss(std::size_t n) {
  std::mt19937_64 random(2);
  std::vector<std::vector<double>> rows;
  const auto jitter = [&] { return 1e-3 * draws::unit(random); };
  for (std::size_t i = 0; i < n / 3; ++i) rows.push_back({-0.15 + jitter(), -0.15 + jitter()});
  for (std::size_t i = 0; i < n / 3; ++i) rows.push_back({0.99 + jitter(), 0.51 + jitter()});
  for (std::size_t i = 0; i < n / 3; ++i) rows.push_back({0.51 + jitter(), 0.99 + jitter()});
  rows.push_back({-0.5, -0.5});  // the grid's corner
  return draws::fromRows(rows);
}

}  // namespace

class TestCancel : public QObject {
  Q_OBJECT

 private slots:
  void freesTheCaller_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("order");
    QTest::addColumn<bool>("dense");
    for (int pattern = 0; pattern < 4; ++pattern)
      for (int order = 0; order < 5; ++order)
        QTest::addRow("%s, %s", toText(AccessPattern(pattern)).c_str(),
                      toText(QueryOrder(order)).c_str())
            << pattern << order << false;
    QTest::newRow("dense cells") << int(AccessPattern::Tile) << int(QueryOrder::Cell) << true;
  }
  void freesTheCaller() {
    QFETCH(int, pattern);
    QFETCH(int, order);
    QFETCH(bool, dense);
    const Strategy strategy{.pattern = AccessPattern(pattern),
                            .order = QueryOrder(order),
                            .denseCells = dense ? Toggle::On : Toggle::Off,
                            .earlyStop = Toggle::Off};
    static const PointCloud cloud = busyCloud(2);
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    ErrorKind kind;
    int stopped = 0;
    for (const double seconds : {0.002, 0.05}) {
      const double late = lateness(
          seconds,
          [&](const Task& task) {
            const auto found = backend->dbscan(cloud, {1.0, 5000}, strategy, task);
            return found ? ErrorKind::Io : found.error().kind;
          },
          kind);
      if (late < 0) continue;
      ++stopped;
      QCOMPARE(kind, ErrorKind::Cancelled);
      QVERIFY2(late < kLate, std::to_string(late).c_str());
    }
    QVERIFY(stopped > 0);
  }

  void freesTheCallerOfJoins() {
    static const PointCloud cloud = busyCloud(3);
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    const std::map<std::string, std::function<ErrorKind(const Task&)>> calls{
        {"count",
         [&](const Task& task) {
           const auto found = backend->count(cloud, 2.0, {}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }},
        {"pairs",
         [&](const Task& task) {
           const auto found = backend->pairs(cloud, 0.6, {}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }},
        {"neighbour table",
         [&](const Task& task) {
           const auto found = backend->neighbourTable(cloud, 0.6, {}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }},
        {"brute force",
         [&](const Task& task) {
           const auto found = bruteForceDbscan(cloud, {1, 5}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }},
        {"R-tree",
         [&](const Task& task) {
           const auto found = backend->count(cloud, 2.0, {.method = Method::RTree}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }},
        {"k-d tree, DBSCAN",
         [&](const Task& task) {
           const auto found = backend->dbscan(cloud, {2.0, 5}, {.method = Method::KdTree}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }},
        {"Super-EGO, DBSCAN",
         [&](const Task& task) {
           const auto found = backend->dbscan(cloud, {2.0, 5}, {.method = Method::SuperEgo}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }},
        {"New-Super-EGO", [&](const Task& task) {
           const auto found = backend->count(cloud, 2.0, {.method = Method::NewSuperEgo}, task);
           return found ? ErrorKind::Io : found.error().kind;
         }}};
    for (const auto& [name, call] : calls)
      for (const double seconds : {0.02, 0.2}) {
        ErrorKind kind;
        const double late = lateness(seconds, call, kind);
        if (late < 0) continue;
        QVERIFY2(kind == ErrorKind::Cancelled, name.c_str());
        QVERIFY2(late < kLate, (name + ": " + std::to_string(late)).c_str());
      }
  }

  // In every stage of joins that the CPU shares with a stand-in for a GPU.
  void freesTheCallerOfSharedJoins() {
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "blobs", 30'000, 2);
    // A quarter of a second for a pass by the device alone.
    const auto backend = makeHybridBackend(
        makeStandInDevice({.speed = {.lanes = 2, .queriesPerSecond = 50'000}}), 1);
    int stopped = 0;
    for (const double seconds : {0.0, 0.003, 0.02, 0.05, 0.1, 0.2, 0.3}) {
      ErrorKind kind;
      const double late = lateness(
          seconds,
          [&](const Task& task) {
            const auto table =
                backend->neighbourTable(cloud, 0.3, {.division = Division::Queries}, task);
            return table ? ErrorKind::Io : table.error().kind;
          },
          kind);
      if (late < 0) continue;
      ++stopped;
      QCOMPARE(kind, ErrorKind::Cancelled);
      QVERIFY2(late < kLate, std::to_string(late).c_str());
    }
    QVERIFY(stopped > 0);  // how many depends on the machine
  }

  // Hundreds of thousands of points in two cells that face each other: comparing them all would
  // take seconds on one thread without a check of the stop token.
  void largeCellsFacingEachOther() {
    const std::size_t n = 600000;
    const PointCloud cloud = nearMiss(n);
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    const std::clock_t start = std::clock();  // of this process, whatever else runs
    const auto found = backend->dbscan(cloud, {1.0, 10}, {}, {});
    const double taken = double(std::clock() - start) / CLOCKS_PER_SEC;
    QVERIFY(found.has_value());
    QVERIFY2(taken < 4.0, std::to_string(taken).c_str());
    std::vector<std::int32_t> expected(cloud.size(), 1);
    std::fill_n(expected.begin(), n / 3, 0);
    expected.back() = 0;
    QVERIFY(found->labels == expected);
  }

  void stoppedBeforeItBegins() {
    std::stop_source source;
    source.request_stop();
    const Task stopped{source.get_token(), {}};
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    const auto backend = std::move(*makeBackend("cpu", {}));
    std::mt19937_64 random(1);
    for (int i = 0; i < 40; ++i) {
      const Strategy s = strategies::draw(random, 1, strategies::For::Join);
      QCOMPARE(backend->dbscan(cloud, {1, 2}, s, stopped).error().kind, ErrorKind::Cancelled);
      QCOMPARE(backend->count(cloud, 1, s, stopped).error().kind, ErrorKind::Cancelled);
      QCOMPARE(backend->pairs(cloud, 1, s, stopped).error().kind, ErrorKind::Cancelled);
      QCOMPARE(backend->neighbourTable(cloud, 1, s, stopped).error().kind, ErrorKind::Cancelled);
    }
  }

  // Clearing the memory of a large result is work like any other: it says how far it is, and a stop
  // half-way through ends it there. The other thread may still report what it has done.
  void stopsWhileItReservesMemory() {
    const PointCloud onePlace = draws::fromRows(
        std::vector<std::vector<double>>(4000, std::vector<double>{0.0}));  // 16 million pairs
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    std::stop_source source;
    double last = 0;
    int toldAfter = 0;
    bool otherStage = false;
    Task task{source.get_token(), [&](std::string_view stage, double fraction) {
                if (source.stop_requested()) {
                  ++toldAfter;
                  otherStage |= stage != "reserving memory";
                  return;
                }
                if (stage != "reserving memory" || fraction == 0) return;
                last = fraction;
                source.request_stop();
              }};
    const auto table = backend->neighbourTable(onePlace, 1, {}, task);
    QVERIFY(!table.has_value());
    QCOMPARE(table.error().kind, ErrorKind::Cancelled);
    QVERIFY(last > 0 && last < 1);
    QVERIFY(!otherStage);
    QVERIFY2(toldAfter <= 1, std::to_string(toldAfter).c_str());
  }

  // Progress goes forwards within a stage, one call at a time, and reaches no stage twice.
  void progressIsMonotone() {
    std::mt19937_64 random(3);
    const PointCloud cloud = draws::draw(random, "blobs", 20000, 3);
    const auto backend = std::move(*makeBackend("cpu", {.threads = 4}));
    for (int i = 0; i < 12; ++i) {
      Strategy strategy;
      if (i > 0) strategy = strategies::draw(random, 3, strategies::For::Dbscan);
      strategy.batchPairs = 0;
      std::atomic<int> inside{0};
      std::vector<std::string> stages;
      double last = 0;
      bool overlapped = false, backwards = false, outOfRange = false;
      Task task;
      task.progress = [&](std::string_view stage, double fraction) {
        overlapped |= ++inside != 1;
        if (stages.empty() || stages.back() != stage) {
          stages.emplace_back(stage);
          last = 0;
        }
        backwards |= fraction < last;
        outOfRange |= !(fraction >= 0 && fraction <= 1);
        last = fraction;
        --inside;
      };
      const auto found = backend->dbscan(cloud, {0.2, 8}, strategy, task);
      QVERIFY(found.has_value());
      const std::string text = strategies::text(strategy);
      QVERIFY2(!overlapped, text.c_str());
      QVERIFY2(!backwards, text.c_str());
      QVERIFY2(!outOfRange, text.c_str());
      QVERIFY2(!stages.empty(), text.c_str());
      auto once = stages;
      std::sort(once.begin(), once.end());
      QVERIFY2(std::adjacent_find(once.begin(), once.end()) == once.end(), text.c_str());
    }
  }

  // Several engines at once, and one engine from several threads.
  void severalEnginesAtOnce() {
    std::mt19937_64 random(8);
    const PointCloud cloud = draws::draw(random, "blobs", 3000, 3);
    const auto judge = bruteForceDbscan(cloud, {0.3, 6});
    QVERIFY(judge.has_value());
    const auto shared = std::move(*makeBackend("cpu", {.threads = 2}));
    std::vector<std::string> complaints(6);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < complaints.size(); ++t)
      threads.emplace_back([&, t] {
        std::mt19937_64 own(t);
        const auto mine = std::move(*makeBackend("cpu", {.threads = static_cast<int>(1 + t % 3)}));
        for (int i = 0; i < 12 && complaints[t].empty(); ++i)
          complaints[t] = agreement::ofDbscan(i % 2 ? *mine : *shared, cloud, *judge,
                                              strategies::draw(own, 3, strategies::For::Dbscan));
      });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& complaint : complaints) QVERIFY2(complaint.empty(), complaint.c_str());
  }

  // A stopped run leaves another one alone.
  void stoppingOneLeavesTheOthers() {
    static const PointCloud cloud = busyCloud(2);
    const auto backend = std::move(*makeBackend("cpu", {.threads = 2}));
    std::stop_source source;
    std::thread stopped([&] {
      (void)backend->dbscan(cloud, {1.0, 5000}, {}, {source.get_token(), {}});
    });
    const auto found = backend->dbscan(cloud, {0.02, 5}, {}, {});
    source.request_stop();
    stopped.join();
    QVERIFY(found.has_value());
    const auto again = backend->dbscan(cloud, {0.02, 5}, {}, {});
    QVERIFY(found->labels == again->labels);
  }
};

APPLESS_TEST(TestCancel);
#include "tst_cancel.moc"
