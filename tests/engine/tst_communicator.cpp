// Ranks in one process: messages, collective functions, and what happens when a rank fails.
#include <QtTest/QtTest>

#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include "communicator_checks.h"
#include "engine/distributed/local_communicator.h"
#include "tests/test_program.h"

using namespace clusterloom;
using checks::expect;

namespace {

constexpr int kRanks[] = {1, 2, 3, 4, 5, 6, 7, 8};

Result<void> runOn(int ranks, const std::function<Result<void>(Communicator&, const Task&)>& body,
                   const Task& task = {}, const LocalRankOptions& options = {}) {
  return runLocalRanks(ranks, task, body, options);
}

QString textOf(const Result<void>& result) {
  return QString::fromStdString(result ? "no error" : result.error().message);
}

void ranksRow() {
  QTest::addColumn<int>("ranks");
  for (const int ranks : kRanks) QTest::addRow("%d", ranks) << ranks;
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
  void ranksThatSpin_data() { ranksRow(); }
  void ranksThatSpin();
  void failureReachesRanksThatWait_data();
  void failureReachesRanksThatWait();
  void failureStopsRanksThatCompute();
  void firstFailureStays();
  void failureOfOneRankAloneIsPlain();
  void stopReachesAllRanks_data() { ranksRow(); }
  void stopReachesAllRanks();
  void memoryThatRunsOutIsAnError();
  void lengthsThatDifferAreAnError();
  void progressArrives_data() { ranksRow(); }
  void progressArrives();
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
  const auto done = runOn(ranks, checks::messagesKeepTheirOrder);
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
  const auto done = runOn(ranks, checks::exchangesOfAnyLength);
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
  for (const int ranks : {1, 2})
    QVERIFY(runOn(
        ranks,
        [&](Communicator& c, const Task& task) { return checks::longMessage(c, bytes, task); }, {},
        {.chunkBytes = chunk}));
}

void TestCommunicator::reductions() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, checks::reductions);
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::reductionsKeepTheOrderOfRanks() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, checks::reductionsKeepTheOrderOfRanks);
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::broadcastsFromEveryRoot() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, checks::broadcastsFromEveryRoot);
  QVERIFY2(done, qPrintable(textOf(done)));
}

void TestCommunicator::gathers() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, checks::gathers);
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

// Ranks that keep their processor for a while when they wait get the same messages and errors.
void TestCommunicator::ranksThatSpin() {
  QFETCH(int, ranks);
  const LocalRankOptions options{.spin = std::chrono::microseconds(300)};
  const auto done = runOn(
      ranks,
      [&](Communicator& c, const Task& task) -> Result<void> {
        for (int i = 0; i < 50; ++i) {
          if (i % 10 == 0 && c.rank() == i / 10 % ranks)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));  // longer than others spin
          const auto sum = c.sum(c.rank() + i, task);
          if (!sum) return tl::unexpected(sum.error());
          if (*sum != ranks * (ranks - 1) / 2 + ranks * i)
            return fail(ErrorKind::BadInput, "wrong sum");
        }
        return {};
      },
      {}, options);
  QVERIFY2(done.has_value(), qPrintable(textOf(done)));
  const auto failed = runOn(
      ranks,
      [&](Communicator& c, const Task& task) -> Result<void> {
        if (c.rank() == ranks - 1) return fail(ErrorKind::BadInput, "no such file");
        return c.barrier(task);
      },
      {}, options);
  QVERIFY(!failed.has_value());
  QVERIFY2(textOf(failed).contains("no such file"), qPrintable(textOf(failed)));
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

void TestCommunicator::progressArrives() {
  QFETCH(int, ranks);
  const auto done = runOn(ranks, checks::progressArrives);
  QVERIFY2(done, qPrintable(textOf(done)));
}

APPLESS_TEST(TestCommunicator);
#include "tst_communicator.moc"
