// Self-joins in a ring of ranks in this process: the answers against brute force for every number
// of ranks, and what happens when a rank fails or the job is stopped.
#include <QtTest>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include "cloud_draws.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/brute_force.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/ring_join.h"
#include "engine/distributed/selection.h"
#include "engine/forwarding_backend.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// Unstopped it would not end. The promise is 100 ms on an idle machine; tests run on loaded ones.
constexpr double kLate = 10;

std::unique_ptr<Backend> oneThread() { return std::move(*makeBackend("cpu", {.threads = 1})); }

/// The answers of all ranks, as one machine's.
struct Whole {
  std::vector<std::uint64_t> counts;
  std::uint64_t pairs = 0;
  std::uint64_t candidates = 0;
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::uint64_t> histogram;
  std::vector<std::uint64_t> blocks;  // the counts by partToBlock, blocks in turn
  std::vector<RankStats> ranks;
};

/// Counts, rows and a histogram of a cloud on `ranks` ranks.
Result<Whole> ring(const PointCloud& cloud, double eps, int ranks, const Strategy& strategy,
                   const Backend& backend, const Task& task = {}) {
  Whole whole;
  const std::size_t n = cloud.size();
  whole.counts.assign(n, 0);
  whole.rows.resize(n);
  whole.blocks.assign(n, 0);
  std::mutex mutex;
  const auto g = static_cast<std::uint64_t>(ranks);
  const auto done =
      runLocalRanks(ranks, task, [&](Communicator& communicator, const Task& own) -> Result<void> {
        const auto rank = static_cast<std::uint64_t>(communicator.rank());
        const PointCloud part = selectionOf(cloud, rank, g);
        const RingInput input{
            .part = part, .points = n, .backend = backend, .eps = eps, .strategy = strategy};
        const auto counts = ringCounts(communicator, input, own);
        if (!counts) return tl::unexpected(counts.error());
        const auto block =
            partToBlock(communicator, std::span<const std::uint64_t>(counts->counts), n, own);
        if (!block) return tl::unexpected(block.error());
        const auto table = ringTable(communicator, input, own);
        if (!table) return tl::unexpected(table.error());
        if (table->pairs != counts->pairs || table->candidates != counts->candidates)
          return fail(ErrorKind::BadInput, "the sums of rows are not those of counts");
        const auto histogram = ringHistogram(communicator, input, 7, own);
        if (!histogram) return tl::unexpected(histogram.error());
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < part.size(); ++i) {
          whole.counts[rank + i * g] = counts->counts[i];
          whole.rows[rank + i * g].assign(
              table->ids.begin() + static_cast<std::ptrdiff_t>(table->offsets[i]),
              table->ids.begin() + static_cast<std::ptrdiff_t>(table->offsets[i + 1]));
        }
        std::copy(block->begin(), block->end(),
                  whole.blocks.begin() + static_cast<std::ptrdiff_t>(blockBegin(n, g, rank)));
        if (rank > 0 && (whole.pairs != 0 && whole.pairs != counts->pairs))
          return fail(ErrorKind::BadInput, "ranks have different sums");
        whole.pairs = counts->pairs;
        whole.candidates = counts->candidates;
        whole.histogram = histogram->pairs;
        if (rank == 0) whole.ranks = counts->stats.ranks;
        return {};
      });
  if (!done) return tl::unexpected(done.error());
  return whole;
}

std::string wrong(const PointCloud& cloud, double eps, const Result<Whole>& whole) {
  if (!whole) return "error: " + whole.error().message;
  const auto counts = bruteForceCounts(cloud, eps, {});
  const auto pairs = bruteForcePairs(cloud, eps, {});
  if (whole->pairs != counts->pairs) return "the number of pairs differs";
  if (whole->candidates < whole->pairs) return "fewer candidates than pairs";
  for (std::size_t p = 0; p < cloud.size(); ++p)
    if (whole->counts[p] != counts->counts[p] || whole->blocks[p] != counts->counts[p])
      return "the count of point " + std::to_string(p) + " differs";
  std::size_t at = 0;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (const std::int64_t q : whole->rows[p]) {
      if (at >= pairs->pairs.size() || pairs->pairs[at].p != static_cast<std::int32_t>(p) ||
          pairs->pairs[at].q != q)
        return "row of point " + std::to_string(p) + " differs";
      ++at;
    }
  if (at != pairs->pairs.size()) return "pairs are missing";
  const auto histogram = oneThread()->histogram(cloud, eps, 7, {}, {});
  if (!histogram || histogram->pairs != whole->histogram) return "histograms differ";
  return {};
}

PointCloud drawn(const std::string& kind, std::size_t n, std::size_t dims, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return draws::draw(random, kind, n, dims);
}

/// A backend whose n-th join fails.
class FailingBackend final : public ForwardingBackend {
 public:
  explicit FailingBackend(int after) : ForwardingBackend(oneThread()), after_(after) {}
  Result<NeighbourCounts> count(const JoinInput& input, double eps, const Strategy& strategy,
                                const Task& task) const override {
    if (joins_.fetch_add(1) >= after_) return fail(ErrorKind::TooLarge, "This rank is full.");
    return backend().count(input, eps, strategy, task);
  }

 private:
  const int after_;
  mutable std::atomic<int> joins_{0};
};

/// One that waits until it is stopped.
class WaitingBackend final : public ForwardingBackend {
 public:
  WaitingBackend() : ForwardingBackend(oneThread()) {}
  Result<NeighbourCounts> count(const JoinInput&, double, const Strategy&,
                                const Task& task) const override {
    while (!task.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return cancelledError();
  }
};

}  // namespace

class TestRingJoin : public QObject {
  Q_OBJECT

 private slots:
  // Nothing is joined; all ranks know when the last one has all parts. More ranks than points, too.
  void theRingAloneIsTimed() {
    const PointCloud cloud = drawn("uniform", 37, 3, 5);
    for (const int ranks : {1, 2, 5, 40}) {
      std::mutex mutex;
      std::vector<double> seconds;
      const auto done = runLocalRanks(
          ranks, {}, [&](Communicator& communicator, const Task& own) -> Result<void> {
            const PointCloud part =
                selectionOf(cloud, std::uint64_t(communicator.rank()), std::uint64_t(ranks));
            const auto took = ringSeconds(communicator, part, cloud.size(), own);
            if (!took) return tl::unexpected(took.error());
            const std::lock_guard lock(mutex);
            seconds.push_back(*took);
            return {};
          });
      QVERIFY2(done, done ? "" : done.error().message.c_str());
      QCOMPARE(seconds.size(), std::size_t(ranks));
      QVERIFY(seconds.front() > 0);
      for (const double one : seconds) QCOMPARE(one, seconds.front());
    }
  }

  void answersAreThoseOfBruteForce_data() {
    QTest::addColumn<int>("ranks");
    for (int ranks = 1; ranks <= 8; ++ranks) QTest::addRow("%d", ranks) << ranks;
  }
  void answersAreThoseOfBruteForce() {
    QFETCH(int, ranks);
    const auto backend = oneThread();
    std::mt19937_64 random(static_cast<std::uint64_t>(ranks));
    for (int round = 0; round < 25; ++round) {
      const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const std::size_t n = 1 + random() % 250;
      const std::size_t dims = 1 + random() % 5;
      const PointCloud cloud = draws::draw(random, kind, n, dims);
      const double eps = draws::drawEps(random, cloud);
      Strategy strategy;
      strategy.pattern = random() % 2 ? AccessPattern::Tile : AccessPattern::Full;
      strategy.order = random() % 2 ? QueryOrder::Cell : QueryOrder::WorkQueue;
      strategy.indexedDims = static_cast<int>(random() % (dims + 1));
      strategy.precision = random() % 2 ? Precision::Double : Precision::Single;
      const std::string what = wrong(cloud, eps, ring(cloud, eps, ranks, strategy, *backend));
      QVERIFY2(what.empty(), qPrintable(QString("round %1, %2, %3 points: %4")
                                            .arg(round)
                                            .arg(kind.c_str())
                                            .arg(n)
                                            .arg(what.c_str())));
    }
  }

  void fewerPointsThanRanks() {
    const auto backend = oneThread();
    for (const std::size_t n : {1, 2, 3, 7})
      for (const char* kind : {"uniform", "duplicates", "lattice"}) {
        const PointCloud cloud = drawn(kind, n, 2, n);
        const std::string what = wrong(cloud, 1.0, ring(cloud, 1.0, 8, {}, *backend));
        QVERIFY2(what.empty(), what.c_str());
      }
  }

  void tiesAndDuplicatesAcrossParts() {
    const auto backend = oneThread();
    PointCloud cloud = drawn("lattice", 200, 2, 1);
    for (auto& column : cloud.columns) column.resize(300, column[0]);  // equal points on all ranks
    for (const int ranks : {2, 3, 5}) {
      const std::string what =
          wrong(cloud, std::sqrt(2.0), ring(cloud, std::sqrt(2.0), ranks, {}, *backend));
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void figuresOfRanks() {
    const PointCloud cloud = drawn("blobs", 999, 2, 8);
    const auto whole = ring(cloud, 0.3, 4, {}, *oneThread());
    QVERIFY(whole.has_value());
    QCOMPARE(whole->ranks.size(), std::size_t{4});
    std::uint64_t points = 0;
    std::uint64_t candidates = 0;
    for (const RankStats& rank : whole->ranks) {
      QCOMPARE(rank.batches, std::uint64_t{4});
      QVERIFY(rank.bytesSent >= 3 * 249 * 2 * 8 && rank.bytesSent <= 3 * 250 * 2 * 8);
      QVERIFY(rank.end >= rank.index + rank.join);
      QVERIFY(!rank.name.empty());
      points += rank.points;
      candidates += rank.candidates;
    }
    QCOMPARE(points, std::uint64_t{999});
    QCOMPARE(candidates, whole->candidates);
  }

  void failingRankEndsAll() {
    const PointCloud cloud = drawn("uniform", 400, 2, 2);
    const auto good = oneThread();
    for (const int failing : {0, 2, 4})
      for (const int after : {0, 1, 3}) {
        const FailingBackend bad(after);
        std::atomic<int> ended = 0;
        const Stopwatch watch;
        const auto done =
            runLocalRanks(5, {}, [&](Communicator& communicator, const Task& own) -> Result<void> {
              const PointCloud part =
                  selectionOf(cloud, static_cast<std::uint64_t>(communicator.rank()), 5);
              const bool here = communicator.rank() == failing;
              const RingInput input{.part = part,
                                    .points = 400,
                                    .backend = here ? static_cast<const Backend&>(bad) : *good,
                                    .eps = 0.5,
                                    .strategy = {}};
              const auto counts = ringCounts(communicator, input, own);
              ++ended;
              if (!counts) return tl::unexpected(counts.error());
              return {};
            });
        QVERIFY(!done);
        QCOMPARE(ended.load(), 5);
        QCOMPARE(done.error().kind, ErrorKind::TooLarge);
        const QString message = QString::fromStdString(done.error().message);
        QVERIFY2(message.contains("This rank is full"), qPrintable(message));
        QVERIFY2(message.contains(QString("ank %1").arg(failing)), qPrintable(message));
        QVERIFY(watch.seconds() < 20);
      }
  }

  void stopReachesAllRanks() {
    const PointCloud cloud = drawn("uniform", 100, 2, 3);
    const WaitingBackend waiting;
    std::stop_source stop;
    Stopwatch watch;
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      watch.lap();
      stop.request_stop();
    });
    const auto done = ring(cloud, 0.5, 3, {}, waiting, {.stop = stop.get_token(), .progress = {}});
    const double seconds = watch.lap();
    later.join();
    QVERIFY(!done);
    QCOMPARE(done.error().kind, ErrorKind::Cancelled);
    QVERIFY2(seconds < kLate, qPrintable(QString::number(seconds)));
  }

  void badCallsAreThoseOfRankZero() {
    const PointCloud cloud = drawn("uniform", 50, 2, 4);
    const auto backend = oneThread();
    QCOMPARE(ring(cloud, -1, 3, {}, *backend).error().kind, ErrorKind::BadCall);
    QCOMPARE(ring(cloud, 1, 3, {.pattern = AccessPattern::Unicomp}, *backend).error().kind,
             ErrorKind::BadCall);
    QCOMPARE(ring(cloud, 1, 3, {.method = Method::RTree}, *backend).error().kind,
             ErrorKind::BadCall);
  }

  void progressIsOfAllRounds() {
    const PointCloud cloud = drawn("uniform", 3000, 2, 5);
    double last = 0;
    bool falls = false;
    std::string stage;
    const Task task{.stop = {}, .progress = [&](std::string_view name, double done) {
                      if (name != "counting") return;
                      falls = falls || (done < last && done > 0.3);
                      last = std::max(last, done);
                    }};
    std::atomic<int> failed = 0;
    const auto backend = oneThread();
    const auto done =
        runLocalRanks(3, task, [&](Communicator& communicator, const Task& own) -> Result<void> {
          const PointCloud part =
              selectionOf(cloud, static_cast<std::uint64_t>(communicator.rank()), 3);
          const auto counts = ringCounts(
              communicator,
              {.part = part, .points = 3000, .backend = *backend, .eps = 0.5, .strategy = {}}, own);
          if (!counts) ++failed;
          return {};
        });
    QVERIFY(done.has_value());
    QCOMPARE(failed.load(), 0);
    QVERIFY(!falls);
    QVERIFY(last > 0.99 && last <= 1);
  }

  void blocksCoverAllRows() {
    for (const std::uint64_t rows : {0, 1, 5, 17, 1000})
      for (const std::uint64_t ranks : {1, 2, 3, 8}) {
        QCOMPARE(blockBegin(rows, ranks, 0), std::uint64_t{0});
        QCOMPARE(blockBegin(rows, ranks, ranks), rows);
        std::uint64_t parts = 0;
        for (std::uint64_t r = 0; r < ranks; ++r) {
          const std::uint64_t size = blockBegin(rows, ranks, r + 1) - blockBegin(rows, ranks, r);
          QVERIFY(size == rows / ranks || size == rows / ranks + 1);
          parts += partSize(rows, ranks, r);
        }
        QCOMPARE(parts, rows);
      }
  }
};

APPLESS_TEST(TestRingJoin);
#include "tst_ring_join.moc"
