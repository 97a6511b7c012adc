// Derived results: what makes them stale, and which of several is kept.
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <thread>

#include "tests/test_program.h"
#include "ui/jobs/derived_result.h"

using namespace clusterloom;

namespace {

constexpr int kPatienceMs = 60'000;

}  // namespace

class TestJobsDerived : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    changes_ = failures_ = stops_ = runs_ = 0;
    release_ = true;
  }

  void theNewestInputsAreKept() {
    JobQueue queue;
    auto square = squareOn(queue);
    release_ = false;
    update(square, 2);
    QVERIFY(square.isRunning());
    update(square, 3);
    update(square, 3);
    release_ = true;
    QTRY_VERIFY_WITH_TIMEOUT(square.get(), kPatienceMs);
    QCOMPARE(*square.get(), 9);
    QVERIFY(square.isOf(3) && !square.isOf(2) && !square.isRunning());
    waitUntilIdle(queue);
    QCOMPARE(changes_, 1);
    QCOMPARE(stops_, 0);
    QVERIFY(runs_ <= 2);
  }

  void theSameInputsStartNothing() {
    JobQueue queue;
    auto square = squareOn(queue);
    update(square, 4);
    QTRY_VERIFY_WITH_TIMEOUT(square.isOf(4), kPatienceMs);
    waitUntilIdle(queue);
    update(square, 4);
    QVERIFY(queue.active().empty());
    QCOMPARE(runs_.load(), 1);
  }

  void anEarlierResultStaysUntilTheNextOneUnlessReplaced() {
    JobQueue queue;
    auto square = squareOn(queue);
    update(square, 2);
    QTRY_VERIFY_WITH_TIMEOUT(square.get(), kPatienceMs);
    release_ = false;
    update(square, 3);
    QCOMPARE(*square.get(), 4);
    square.replace(5, "square", work(5));
    QVERIFY(!square.get());
    QCOMPARE(changes_, 2);
    release_ = true;
    QTRY_VERIFY_WITH_TIMEOUT(square.isOf(5), kPatienceMs);
    waitUntilIdle(queue);
  }

  void afterAStopTheSameInputsStartAgain() {
    JobQueue queue;
    auto square = squareOn(queue);
    release_ = false;
    update(square, 2);
    queue.cancel(JobKind::Grid);
    QVERIFY(!square.isRunning() && !square.isAsked(2));
    QCOMPARE(stops_, 1);
    release_ = true;
    update(square, 2);
    QTRY_VERIFY_WITH_TIMEOUT(square.isOf(2), kPatienceMs);
    waitUntilIdle(queue);
  }

  void aJobMayBeStoppedWhileItStarts() {
    JobQueue queue;
    auto square = squareOn(queue);
    const auto stops = connect(&queue, &JobQueue::started, this,
                               [&](quint64, JobKind kind) { queue.cancel(kind); });
    update(square, 2);
    QVERIFY(!square.isRunning() && !square.isAsked(2));
    QCOMPARE(stops_, 1);
    disconnect(stops);
    update(square, 2);
    QTRY_VERIFY_WITH_TIMEOUT(square.isOf(2), kPatienceMs);
    waitUntilIdle(queue);
  }

  void aFailureIsNotRepeatedByItself() {
    JobQueue queue;
    auto square = squareOn(queue);
    update(square, -1);
    QTRY_COMPARE_WITH_TIMEOUT(failures_, 1, kPatienceMs);
    waitUntilIdle(queue);
    update(square, -1);
    QVERIFY(queue.active().empty());
    square.retry();
    update(square, -1);
    QTRY_COMPARE_WITH_TIMEOUT(failures_, 2, kPatienceMs);
    waitUntilIdle(queue);
    QVERIFY(!square.get());
  }

  void withoutAHandlerTheQueueReportsFailures() {
    JobQueue queue;
    QSignalSpy failed(&queue, &JobQueue::failed);
    DerivedResult<int, int> square(queue, JobKind::Grid, [] {});
    square.update(-1, "square", work(-1));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QCOMPARE(failed[0][0].value<Failure>().job, JobKind::Grid);
    waitUntilIdle(queue);
  }

  void whatIsNotWantedIsNotComputed() {
    JobQueue queue;
    auto square = squareOn(queue);
    release_ = false;
    update(square, 2);
    QVERIFY(!square.setWanted(false));
    QVERIFY(!square.isRunning());
    update(square, 2);
    QVERIFY(queue.active().empty());
    QVERIFY(square.setWanted(true));
    QVERIFY(!square.setWanted(true));
    release_ = true;
    update(square, 2);
    QTRY_VERIFY_WITH_TIMEOUT(square.isOf(2), kPatienceMs);
    waitUntilIdle(queue);
    square.drop();
    QVERIFY(!square.get() && !square.isAsked(2));
    waitUntilIdle(queue);
  }

 private:
  using Square = DerivedResult<int, int>;

  Square squareOn(JobQueue& queue) {
    return {queue, JobKind::Grid, [this] { ++changes_; }, [this](const Error&) { ++failures_; },
            [this] { ++stops_; }};
  }
  Square::Work work(int number) {
    return [this, number](const Task& task) -> Result<int> {
      ++runs_;
      while (!release_ && !task.cancelled()) std::this_thread::yield();
      if (number < 0) return fail(ErrorKind::BadInput, "no negative numbers");
      return number * number;
    };
  }
  void update(Square& square, int number) { square.update(number, "square", work(number)); }
  void waitUntilIdle(const JobQueue& queue) {
    QTRY_VERIFY_WITH_TIMEOUT(queue.active().empty(), kPatienceMs);
  }

  int changes_ = 0;
  int failures_ = 0;
  int stops_ = 0;
  std::atomic<int> runs_ = 0;
  std::atomic<bool> release_ = true;
};

GUILESS_TEST(TestJobsDerived);
#include "tst_jobs_derived.moc"
