// Ranks in one process: messages, collective functions, and what happens when a rank fails.
#include <QtTest/QtTest>

#include <atomic>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

#include "engine/distributed/local_communicator.h"

using namespace clusterloom;

namespace {

constexpr int kRanks[] = {1, 2, 3, 4, 5, 6, 7, 8};

Result<void> runOn(int ranks, const std::function<Result<void>(Communicator&, const Task&)>& body,
                   const Task& task = {}, const LocalRankOptions& options = {}) {
  return runLocalRanks(ranks, task, body, options);
}

// What a test found wrong on a rank: QCOMPARE does not work outside the main thread.
Result<void> expect(bool fine, const std::string& what) {
  if (!fine) return fail(ErrorKind::BadInput, "wrong: " + what);
  return {};
}

QString textOf(const Result<void>& result) {
  return QString::fromStdString(result ? "no error" : result.error().message);
}

void ranksRow() {
  QTest::addColumn<int>("ranks");
  for (const int ranks : kRanks) QTest::addRow("%d", ranks) << ranks;
}

// The values that rank `from` sends to rank `to` in the given round: any number, often none.
std::vector<std::uint64_t> drawnFor(unsigned seed, int from, int to, std::size_t most) {
  std::mt19937_64 random(seed * 10007ULL + static_cast<unsigned>(from) * 101 +
                         static_cast<unsigned>(to));
  std::vector<std::uint64_t> values(random() % 3 == 0 ? 0 : random() % most);
  for (auto& value : values) value = random();
  return values;
}

}  // namespace

class TestCommunicator : public QObject {
  Q_OBJECT

 private slots:
  void ranksKnowThemselves_data() { ranksRow(); }
  void ranksKnowThemselves();
  void messagesKeepTheirOrder_data() { ranksRow(); }
  void messagesKeepTheirOrder();
  void transfersMayBeAwaitedInAnyOrder();
  void exchangesOfAnyLength_data() { ranksRow(); }
  void exchangesOfAnyLength();
  void longMessagesAreCopiedInChunks_data();
  void longMessagesAreCopiedInChunks();
  void reductions_data() { ranksRow(); }
  void reductions();
  void reductionsKeepTheOrderOfRanks_data() { ranksRow(); }
  void reductionsKeepTheOrderOfRanks();
  void broadcastsFromEveryRoot_data() { ranksRow(); }
  void broadcastsFromEveryRoot();
  void gathers_data() { ranksRow(); }
  void gathers();
  void barrierWaitsForAll_data() { ranksRow(); }
  void barrierWaitsForAll();
  void failureReachesRanksThatWait_data();
  void failureReachesRanksThatWait();
  void failureStopsRanksThatCompute();
  void firstFailureStays();
  void failureOfOneRankAloneIsPlain();
  void stopReachesAllRanks_data() { ranksRow(); }
  void stopReachesAllRanks();
  void memoryThatRunsOutIsAnError();
  void lengthsThatDifferAreAnError();
  void onlyTheFirstRankReportsProgress();
};

void TestCommunicator::ranksKnowThemselves() {
  QFETCH(int, ranks);
  std::mutex mutex;
  std::vector<int> seen;
  const auto done = runOn(ranks, [&](Communicator& c, const Task&) {
    const std::lock_guard lock(mutex);
    seen.push_back(c.rank());
    return expect(c.size() == ranks && !c.host().empty(), "size or host");
  });
  QVERIFY2(done, qPrintable(textOf(done)));
  std::sort(seen.begin(), seen.end());
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  QVERIFY(seen == all);
}

void TestCommunicator::messagesKeepTheirOrder() {
  QFETCH(int, ranks);
  // Every rank sends ten messages of different lengths round the ring, this rank itself with one.
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    const int to = (c.rank() + 1) % ranks;
    const int from = (c.rank() + ranks - 1) % ranks;
    std::vector<std::vector<int>> sent(10);
    std::vector<std::vector<int>> got(10);
    std::vector<std::unique_ptr<Transfer>> transfers;
    for (std::size_t i = 0; i < 10; ++i) {
      sent[i].assign(10 - i, c.rank() * 100 + static_cast<int>(i));
      got[i].resize(10 - i);
      transfers.push_back(c.start({{to, std::as_bytes(std::span(sent[i]))}},
                                  {{from, std::as_writable_bytes(std::span(got[i]))}}));
    }
    for (const auto& transfer : transfers)
      if (auto fine = transfer->wait(task); !fine) return fine;
    for (std::size_t i = 0; i < 10; ++i)
      if (got[i] != std::vector<int>(10 - i, from * 100 + static_cast<int>(i)))
        return expect(false, "message " + std::to_string(i));
    return {};
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::transfersMayBeAwaitedInAnyOrder() {
  const auto done = runOn(2, [&](Communicator& c, const Task& task) -> Result<void> {
    const int other = 1 - c.rank();
    int out[2] = {10 + c.rank(), 20 + c.rank()};
    int in[2] = {};
    std::unique_ptr<Transfer> transfers[2];
    for (int i = 0; i < 2; ++i)
      transfers[i] = c.start({{other, std::as_bytes(std::span(&out[i], 1))}},
                             {{other, std::as_writable_bytes(std::span(&in[i], 1))}});
    const int first = c.rank();
    for (const int i : {first, 1 - first})
      if (auto fine = transfers[i]->wait(task); !fine) return fine;
    return expect(in[0] == 10 + other && in[1] == 20 + other, "values");
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::exchangesOfAnyLength() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    for (unsigned round = 0; round < 50; ++round) {
      const std::size_t most = round % 2 == 0 ? 5 : 3000;
      std::vector<std::vector<std::uint64_t>> toEach;
      for (int r = 0; r < ranks; ++r) toEach.push_back(drawnFor(round, c.rank(), r, most));
      const auto got = c.exchange(toEach, task);
      if (!got) return tl::unexpected(got.error());
      for (int r = 0; r < ranks; ++r)
        if ((*got)[static_cast<std::size_t>(r)] != drawnFor(round, r, c.rank(), most))
          return expect(false, "values of rank " + std::to_string(r));
    }
    return {};
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::longMessagesAreCopiedInChunks_data() {
  QTest::addColumn<qulonglong>("chunk");
  QTest::addColumn<qulonglong>("bytes");
  for (const qulonglong chunk : {1ULL, 7ULL, 4096ULL, 65536ULL})
    for (const qulonglong bytes : {1ULL, 6ULL, 7ULL, 8ULL, 65535ULL, 65536ULL, 65537ULL, 200000ULL})
      QTest::addRow("%llu by %llu", bytes, chunk) << chunk << bytes;
}

void TestCommunicator::longMessagesAreCopiedInChunks() {
  QFETCH(qulonglong, chunk);
  QFETCH(qulonglong, bytes);
  const auto done = runOn(2,
                          [&](Communicator& c, const Task& task) -> Result<void> {
                            std::vector<std::uint8_t> values(bytes);
                            const auto valueAt = [](std::size_t i) {
                              return static_cast<std::uint8_t>(i * 31 + 7);
                            };
                            if (c.rank() == 1)
                              return c.receive(0, std::span(values), task).and_then([&] {
                                for (std::size_t i = 0; i < values.size(); ++i)
                                  if (values[i] != valueAt(i))
                                    return expect(false, "byte " + std::to_string(i));
                                return Result<void>();
                              });
                            for (std::size_t i = 0; i < values.size(); ++i) values[i] = valueAt(i);
                            return c.send(1, std::span<const std::uint8_t>(values), task);
                          },
                          {}, {.chunkBytes = chunk});
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::reductions() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    const auto sum = c.sum<std::uint64_t>(1ULL << (8 * c.rank()), task);
    const auto least = c.least(10.0 - c.rank(), task);
    const auto largest = c.largest(std::int32_t{c.rank() * c.rank()}, task);
    if (!sum || !least || !largest) return expect(false, "a reduction failed");
    std::uint64_t wanted = 0;
    for (int r = 0; r < ranks; ++r) wanted += 1ULL << (8 * r);
    if (auto fine = expect(*sum == wanted, "sum"); !fine) return fine;
    if (auto fine = expect(*least == 11.0 - ranks, "least"); !fine) return fine;
    return expect(*largest == (ranks - 1) * (ranks - 1), "largest");
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::reductionsKeepTheOrderOfRanks() {
  QFETCH(int, ranks);
  // Appending digits is associative, but not commutative.
  struct Digits {
    std::uint64_t value = 0;
    std::uint64_t base = 1;
  };
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    std::vector<Digits> values(3);
    for (std::size_t i = 0; i < 3; ++i)
      values[i] = {static_cast<std::uint64_t>(c.rank() + 1) % 10 + (i == 2 ? 1 : 0), 10};
    auto fine = c.allReduce(
        std::span(values),
        [](const Digits& a, const Digits& b) {
          return Digits{a.value * b.base + b.value, a.base * b.base};
        },
        task);
    if (!fine) return fine;
    std::uint64_t wanted = 0;
    for (int r = 0; r < ranks; ++r) wanted = wanted * 10 + static_cast<std::uint64_t>(r + 1);
    if (auto right = expect(values[0].value == wanted, "digits"); !right) return right;
    return expect(values[1].value == wanted && values[2].value != wanted, "elements");
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::broadcastsFromEveryRoot() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    for (int root = 0; root < ranks; ++root) {
      std::vector<std::uint64_t> values;
      if (c.rank() == root) values = drawnFor(1, root, root, 1000);
      if (auto sent = c.broadcast(root, values, task); !sent) return sent;
      if (values != drawnFor(1, root, root, 1000))
        return expect(false, "values of root " + std::to_string(root));
    }
    return {};
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::gathers() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    const auto ofAll = c.allGather(c.rank() * 7, task);
    if (!ofAll) return tl::unexpected(ofAll.error());
    for (int r = 0; r < ranks; ++r)
      if ((*ofAll)[static_cast<std::size_t>(r)] != r * 7) return expect(false, "all-gather");
    const int root = ranks / 2;
    const auto own = drawnFor(2, c.rank(), 0, 100);
    const auto onRoot = c.gather(root, std::span<const std::uint64_t>(own), task);
    if (!onRoot) return tl::unexpected(onRoot.error());
    if (c.rank() != root) return expect(onRoot->empty(), "gather on another rank");
    for (int r = 0; r < ranks; ++r)
      if ((*onRoot)[static_cast<std::size_t>(r)] != drawnFor(2, r, 0, 100))
        return expect(false, "gather");
    return {};
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::barrierWaitsForAll() {
  QFETCH(int, ranks);
  std::atomic<int> arrived{0};
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    for (int round = 1; round <= 20; ++round) {
      if (c.rank() == round % ranks) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++arrived;
      if (auto fine = c.barrier(task); !fine) return fine;
      if (arrived < round * ranks) return expect(false, "a rank left the barrier early");
      if (auto fine = c.barrier(task); !fine) return fine;
    }
    return {};
  });
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::failureReachesRanksThatWait_data() {
  QTest::addColumn<int>("ranks");
  QTest::addColumn<int>("failing");
  for (const int ranks : {2, 3, 8})
    for (const int failing : {0, 1, ranks - 1})
      QTest::addRow("%d of %d", failing, ranks) << ranks << failing;
}

void TestCommunicator::failureReachesRanksThatWait() {
  QFETCH(int, ranks);
  QFETCH(int, failing);
  std::atomic<int> ended{0};
  QElapsedTimer clock;
  clock.start();
  const auto done = runOn(ranks, [&](Communicator& c, const Task& task) -> Result<void> {
    if (c.rank() == failing) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return fail(ErrorKind::Io, "part.npy cannot be read.");
    }
    // The others wait in different functions.
    Result<void> answer;
    double value = 0;
    if (c.rank() % 3 == 0) answer = c.receive(failing, std::span(&value, 1), task);
    if (c.rank() % 3 == 1) answer = c.barrier(task);
    if (c.rank() % 3 == 2)
      if (auto sum = c.sum(value, task); !sum) answer = tl::unexpected(sum.error());
    if (!answer) ++ended;
    return answer;
  });
  QVERIFY(clock.elapsed() < 5000);
  QCOMPARE(ended.load(), ranks - 1);
  QVERIFY(!done);
  QCOMPARE(done.error().kind, ErrorKind::Io);
  const QString text = textOf(done);
  QVERIFY2(text.startsWith(QString("Rank %1 on ").arg(failing)), qPrintable(text));
  QVERIFY2(text.endsWith(": part.npy cannot be read."), qPrintable(text));
}

void TestCommunicator::failureStopsRanksThatCompute() {
  QElapsedTimer clock;
  clock.start();
  const auto done = runOn(3, [&](Communicator& c, const Task& task) -> Result<void> {
    if (c.rank() == 2) return fail(ErrorKind::TooLarge, "no memory");
    while (!task.cancelled() && clock.elapsed() < 20000)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return cancelledError();  // what a stopped engine call returns
  });
  QVERIFY(clock.elapsed() < 5000);
  QVERIFY(!done);
  QCOMPARE(done.error().kind, ErrorKind::TooLarge);
}

void TestCommunicator::firstFailureStays() {
  const auto ranks = makeLocalCommunicators(2);
  ranks[1]->fail({.kind = ErrorKind::Io, .message = "first"});
  ranks[0]->fail({.kind = ErrorKind::BadInput, .message = "second"});
  QVERIFY(ranks[0]->ended().stop_requested());
  QCOMPARE(ranks[0]->failure()->kind, ErrorKind::Io);
  QCOMPARE(ranks[1]->failure()->message, ranks[0]->failure()->message);
  QVERIFY(ranks[0]->failure()->message.starts_with("Rank 1 on "));
  // Later calls fail at once, an empty exchange too.
  QVERIFY(!ranks[0]->barrier({}));
  QVERIFY(!ranks[0]->start({}, {})->wait({}));
}

void TestCommunicator::failureOfOneRankAloneIsPlain() {
  const auto done = runOn(
      1, [](Communicator&, const Task&) -> Result<void> { return fail(ErrorKind::Io, "lost"); });
  QCOMPARE(textOf(done), QString("lost"));
}

void TestCommunicator::stopReachesAllRanks() {
  QFETCH(int, ranks);
  std::stop_source source;
  std::atomic<int> ended{0};
  QElapsedTimer clock;
  clock.start();
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  const auto done = runOn(ranks,
                          [&](Communicator& c, const Task& task) -> Result<void> {
                            // One rank computes, the others wait for it.
                            if (c.rank() == 0) {
                              while (!task.cancelled() && clock.elapsed() < 20000)
                                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                              ++ended;
                              return cancelledError();
                            }
                            auto answer = c.barrier(task);
                            if (!answer && answer.error().kind == ErrorKind::Cancelled) ++ended;
                            return answer;
                          },
                          {.stop = source.get_token(), .progress = {}});
  QVERIFY(clock.elapsed() < 5000);
  QVERIFY(!done);
  QCOMPARE(done.error().kind, ErrorKind::Cancelled);
  QCOMPARE(ended.load(), ranks);
}

void TestCommunicator::memoryThatRunsOutIsAnError() {
  const auto done = runOn(2, [](Communicator& c, const Task& task) -> Result<void> {
    if (c.rank() == 1) throw std::bad_alloc();
    return c.barrier(task);
  });
  QVERIFY(!done);
  QCOMPARE(done.error().kind, ErrorKind::TooLarge);
  QVERIFY2(textOf(done).startsWith("Rank 1 on "), qPrintable(textOf(done)));
}

void TestCommunicator::lengthsThatDifferAreAnError() {
  const auto done = runOn(2, [](Communicator& c, const Task& task) -> Result<void> {
    std::vector<int> values(c.rank() == 0 ? 3 : 4);
    return c.rank() == 0 ? c.send(1, std::span<const int>(values), task)
                         : c.receive(0, std::span(values), task);
  });
  QVERIFY(!done);
  QVERIFY2(textOf(done).contains("different lengths"), qPrintable(textOf(done)));
}

void TestCommunicator::onlyTheFirstRankReportsProgress() {
  std::atomic<int> reports{0};
  const Task task{.stop = {}, .progress = [&](std::string_view, double) { ++reports; }};
  const auto done = runOn(
      4,
      [](Communicator&, const Task& own) -> Result<void> {
        own.report("stage", 1);
        return {};
      },
      task);
  QVERIFY(done);
  QCOMPARE(reports.load(), 1);
}

QTEST_APPLESS_MAIN(TestCommunicator)
#include "tst_communicator.moc"
