// The job queue: numbers, staleness, cancelling, progress, ends.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

#include "tests/test_program.h"
#include "ui/jobs/job_queue.h"

using namespace clusterloom;

namespace {

/// For what must come at some time: only a failure takes so long.
constexpr int kPatienceMs = 60'000;

/// Waits as engine code does, checking the stop token.
void workUntilStopped(const Task& task) {
  QElapsedTimer timer;
  timer.start();
  while (!task.cancelled() && timer.elapsed() < kPatienceMs)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void waitUntilIdle(const JobQueue& queue) {
  QTRY_VERIFY_WITH_TIMEOUT(queue.active().empty(), kPatienceMs);
}

}  // namespace

class TestJobs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void resultComesOnOwnersThread() {
    JobQueue queue;
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    int answer = 0;
    queue.start<int>(
        JobKind::Cluster, "six times seven",
        [&worker](const Task&) -> Result<int> {
          worker = QThread::currentThread();
          return 42;
        },
        [&](Result<int> result) {
          receiver = QThread::currentThread();
          answer = result.value();
        });
    QCOMPARE(answer, 0);  // never delivered from within start()
    waitUntilIdle(queue);
    QCOMPARE(answer, 42);
    QCOMPARE(receiver, QThread::currentThread());
    QVERIFY(worker != QThread::currentThread());
  }

  void numbersGrow() {
    JobQueue queue;
    QCOMPARE(queue.newest(JobKind::Load), quint64(0));
    const quint64 a = queue.start(JobKind::Load, "a", [](const Job&) {});
    const quint64 b = queue.start(JobKind::Cluster, "b", [](const Job&) {});
    const quint64 c = queue.start(JobKind::Load, "c", [](const Job&) {});
    QVERIFY(a < b && b < c);
    QCOMPARE(queue.newest(JobKind::Load), c);
    QCOMPARE(queue.newest(JobKind::Cluster), b);
    waitUntilIdle(queue);
  }

  void staleResultsAreNeverDelivered() {
    // Jobs that ignore being stopped and deliver all the same: only the newest may come through.
    JobQueue queue;
    std::vector<int> seen;
    std::atomic<int> ran = 0;
    quint64 last = 0;
    for (int i = 0; i < 300; ++i) {
      last = queue.start(JobKind::Cluster, "run", [&, i](const Job& job) {
        ++ran;
        std::this_thread::sleep_for(std::chrono::microseconds(200 * (i % 7)));
        job.deliver([&seen, i] { seen.push_back(i); });
        job.deliver([&seen, i] { seen.push_back(i); });
      });
      if (i % 5 == 0) QTest::qWait(1);
      // Whatever was delivered so far was the newest at that moment.
      if (!seen.empty()) QVERIFY(seen.back() <= i);
    }
    waitUntilIdle(queue);
    QCOMPARE(queue.newest(JobKind::Cluster), last);
    QVERIFY(seen.size() >= 2);
    QCOMPARE(seen[seen.size() - 2], 299);
    QCOMPARE(seen.back(), 299);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QVERIFY(ran <= 300);
  }

  void aDeliveryUnderwayIsDroppedWhenANewerJobStarts() {
    JobQueue queue;
    bool oldSeen = false;
    std::atomic<bool> posted = false;
    queue.start(JobKind::Cluster, "old", [&](const Job& job) {
      job.deliver([&oldSeen] { oldSeen = true; });
      posted = true;
    });
    while (!posted) std::this_thread::yield();  // the event is in the queue, not yet handled
    bool newSeen = false;
    queue.start(JobKind::Cluster, "new",
                [&](const Job& job) { job.deliver([&newSeen] { newSeen = true; }); });
    waitUntilIdle(queue);
    QVERIFY(!oldSeen);
    QVERIFY(newSeen);
  }

  void newerJobStopsOlderOfItsKindOnly() {
    JobQueue queue;
    QSignalSpy ended(&queue, &JobQueue::ended);
    std::atomic<bool> begun = false;
    std::atomic<bool> clusterStopped = false;
    std::atomic<bool> sweepStopped = false;
    const quint64 old = queue.start(JobKind::Cluster, "old", [&](const Job& job) {
      begun = true;
      workUntilStopped(job.task());
      clusterStopped = job.task().cancelled();
    });
    std::atomic<bool> release = false;
    const quint64 sweep = queue.start(JobKind::Sweep, "sweep", [&](const Job& job) {
      while (!release && !job.task().cancelled()) std::this_thread::yield();
      sweepStopped = job.task().cancelled();
    });
    QTRY_VERIFY_WITH_TIMEOUT(begun, kPatienceMs);
    const quint64 young = queue.start(JobKind::Cluster, "young", [](const Job&) {});
    QCOMPARE(ended.count(), 1);  // reported at once, not when the work returns
    QCOMPARE(ended[0][0].value<quint64>(), old);
    QCOMPARE(ended[0][2].value<JobEnd>(), JobEnd::Superseded);
    QTRY_VERIFY_WITH_TIMEOUT(!queue.isActive(JobKind::Cluster), kPatienceMs);
    release = true;
    waitUntilIdle(queue);
    QVERIFY(clusterStopped);
    QVERIFY(!sweepStopped);
    QCOMPARE(ended.count(), 3);
    QCOMPARE(ended[1][0].value<quint64>(), young);
    QCOMPARE(ended[2][0].value<quint64>(), sweep);
    QCOMPARE(ended[2][2].value<JobEnd>(), JobEnd::Done);
  }

  void clusteringDoesNotWaitBehindLongJobs() {
    JobQueue queue;
    const std::array kinds{JobKind::KDistance, JobKind::Export, JobKind::Statistics};
    std::atomic<std::size_t> begun = 0;
    std::atomic<std::size_t> ended = 0;
    for (const JobKind kind : kinds)
      queue.start(kind, "long", [&](const Job& job) {
        ++begun;
        workUntilStopped(job.task());
        ++ended;
      });
    QTRY_COMPARE_WITH_TIMEOUT(begun.load(), kinds.size(), kPatienceMs);
    bool done = false;
    queue.start(JobKind::Cluster, "cluster",
                [&](const Job& job) { job.deliver([&done] { done = true; }); });
    QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
    QCOMPARE(ended.load(), std::size_t{0});
    queue.cancelAll();
    QTRY_COMPARE_WITH_TIMEOUT(ended.load(), kinds.size(), kPatienceMs);
  }

  void cancelFreesTheCallerAndDeliversNothing() {
    JobQueue queue;
    QSignalSpy ended(&queue, &JobQueue::ended);
    bool delivered = false;
    std::atomic<bool> running = false;
    std::atomic<bool> release = false;
    std::atomic<bool> returned = false;
    queue.start(JobKind::Cluster, "stubborn", [&](const Job& job) {
      running = true;
      while (!release) std::this_thread::yield();  // slow to stop
      job.deliver([&delivered] { delivered = true; });
      returned = true;
    });
    while (!running) std::this_thread::yield();
    queue.cancel(JobKind::Cluster);  // would never return if it waited
    QCOMPARE(ended.count(), 1);
    QCOMPARE(ended[0][2].value<JobEnd>(), JobEnd::Cancelled);
    QVERIFY(!queue.isActive(JobKind::Cluster));
    release = true;
    QTRY_VERIFY_WITH_TIMEOUT(returned, kPatienceMs);
    QTest::qWait(20);
    QVERIFY(!delivered);
    QCOMPARE(ended.count(), 1);
    queue.cancel(JobKind::Cluster);  // nothing to cancel is no error
    QCOMPARE(ended.count(), 1);
  }

  void waitingJobThatGrowsStaleNeverRuns() {
    JobQueue queue;
    std::atomic<bool> release = false;
    // Statistics and the grid share a worker: the second waits for the first.
    queue.start(JobKind::Statistics, "holds the lane", [&](const Job&) {
      while (!release) std::this_thread::yield();
    });
    std::atomic<int> ran = 0;
    for (int i = 0; i < 10; ++i) queue.start(JobKind::Grid, "grid", [&](const Job&) { ++ran; });
    release = true;
    waitUntilIdle(queue);
    QCOMPARE(ran.load(), 1);
  }

  void progressIsThrottled() {
    JobQueue queue;
    QSignalSpy progressed(&queue, &JobQueue::progressed);
    std::atomic<int> seen = 0;
    connect(&queue, &JobQueue::progressed, this, [&seen] { ++seen; });
    std::atomic<qint64> took = 0;
    queue.start(JobKind::Load, "chatty", [&](const Job& job) {
      QElapsedTimer timer;
      timer.start();
      for (int i = 0; seen < 5; ++i) job.task().report("reading", 1 - 1 / (1.0 + i));
      took = timer.elapsed();
    });
    waitUntilIdle(queue);
    // However long it took: at most 20 a second.
    QVERIFY2(progressed.count() <= took / 50 + 2, qPrintable(QString::number(took)));
    QCOMPARE(progressed[0][2].toString(), QString("reading"));
    for (int i = 1; i < progressed.count(); ++i)
      QVERIFY(progressed[i][3].toDouble() > progressed[i - 1][3].toDouble());
  }

  void activeTellsStageAndFraction() {
    JobQueue queue;
    std::atomic<bool> release = false;
    queue.start(JobKind::Load, "Reading a file", [&](const Job& job) {
      job.task().report("reading", 0.25);
      while (!release) std::this_thread::yield();
    });
    QTRY_VERIFY_WITH_TIMEOUT(!queue.active().empty() && queue.active()[0].fraction == 0.25,
                             kPatienceMs);
    const JobInfo info = queue.active()[0];
    QCOMPARE(info.title, QString("Reading a file"));
    QCOMPARE(info.stage, QString("reading"));
    QCOMPARE(info.kind, JobKind::Load);
    release = true;
    waitUntilIdle(queue);
  }

  void anExceptionIsReportedAndTheLaneGoesOn() {
    JobQueue queue;
    QSignalSpy failed(&queue, &JobQueue::failed);
    QSignalSpy ended(&queue, &JobQueue::ended);
    queue.start(JobKind::Statistics, "throws", [](const Job&) { throw std::bad_alloc(); });
    bool done = false;
    queue.start(JobKind::Grid, "next", [&](const Job& job) { job.deliver([&] { done = true; }); });
    waitUntilIdle(queue);
    QCOMPARE(failed.count(), 1);
    const auto failure = failed[0][0].value<Failure>();
    QCOMPARE(failure.job, JobKind::Statistics);
    QVERIFY(failure.error.message.find("memory") != std::string::npos);
    QCOMPARE(ended[0][2].value<JobEnd>(), JobEnd::Threw);
    QVERIFY(done);
  }

  void eachJobIsToldItsEndOnce() {
    JobQueue queue;
    std::vector<JobEnd> ends;
    const JobQueue::Ends note = [&](JobEnd end) { ends.push_back(end); };
    const JobQueue::Work wait = [](const Job& job) { workUntilStopped(job.task()); };
    queue.start(JobKind::Sweep, "replaced", wait, note);
    queue.start(JobKind::Sweep, "cancelled", wait, note);
    queue.cancel(JobKind::Sweep);
    queue.start(
        JobKind::Grid, "throws", [](const Job&) { throw std::bad_alloc(); }, note);
    waitUntilIdle(queue);
    queue.start(
        JobKind::Grid, "done", [](const Job&) {}, note);
    waitUntilIdle(queue);
    const std::vector<JobEnd> expected{JobEnd::Superseded, JobEnd::Cancelled, JobEnd::Threw,
                                       JobEnd::Done};
    QVERIFY(ends == expected);
  }

  void aStopIsNoFailure() {
    JobQueue queue;
    QSignalSpy failed(&queue, &JobQueue::failed);
    queue.report(JobKind::Load, Error{ErrorKind::Cancelled, "stopped"});
    QCOMPARE(failed.count(), 0);
    queue.report(JobKind::Load, Error{ErrorKind::BadInput, "broken"}, "cloud.csv");
    QCOMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].value<Failure>().path, QString("cloud.csv"));
  }

  void longWorkGivesWayToWhatIsAwaited_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("clustering") << int(JobKind::Cluster);
    QTest::newRow("the first ε") << int(JobKind::Suggest);
    QTest::newRow("the picture") << int(JobKind::Scene);
  }
  void longWorkGivesWayToWhatIsAwaited() {
    QFETCH(int, kind);
    const auto awaited = static_cast<JobKind>(kind);
    JobQueue queue;
    std::atomic<bool> release = false;
    std::atomic<bool> arrived = false;
    std::atomic<bool> went = false;
    queue.start(awaited, "runs", [&](const Job&) {
      while (!release) std::this_thread::yield();
    });
    queue.start(JobKind::Sweep, "gives way", [&](const Job& job) {
      arrived = true;
      job.giveWay();
      went = true;
    });
    QTRY_VERIFY_WITH_TIMEOUT(arrived, kPatienceMs);
    QTest::qWait(50);
    QVERIFY(!went);
    // A newer run takes the place of this one: there is still one.
    queue.start(awaited, "runs again", [&](const Job&) {
      while (!release) std::this_thread::yield();
    });
    QTest::qWait(50);
    QVERIFY(!went);
    release = true;
    QTRY_VERIFY_WITH_TIMEOUT(went, kPatienceMs);
    waitUntilIdle(queue);
  }

  // Drawing may go on between runs and while one waits.
  void longWorkGivesWayToDrawing() {
    JobQueue queue(nullptr, std::chrono::hours(24));
    std::atomic<bool> release = false;
    std::atomic<int> step = 0;
    const auto sweep = [&](const Job& job) {
      step = 1;
      job.giveWay();
      step = 2;
    };
    queue.setDrawing(true);
    queue.start(JobKind::Sweep, "gives way", sweep);
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 1, kPatienceMs);
    QTest::qWait(50);
    QCOMPARE(step.load(), 1);
    queue.start(JobKind::Cluster, "runs", [&](const Job&) {
      while (!release) std::this_thread::yield();
    });
    queue.setDrawing(false);
    QTest::qWait(50);
    QCOMPARE(step.load(), 1);
    release = true;
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 2, kPatienceMs);
    // A stop ends the waiting.
    queue.setDrawing(true);
    queue.start(JobKind::Sweep, "gives way", sweep);
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 1, kPatienceMs);
    queue.cancel(JobKind::Sweep);
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 2, kPatienceMs);
    waitUntilIdle(queue);
  }

  // A picture of which no frame comes any more: the limit is over as soon as it is drawn.
  void longWorkDoesNotGiveWayForEver() {
    JobQueue queue(nullptr, std::chrono::milliseconds(0));
    queue.setDrawing(true);
    std::atomic<bool> went = false;
    queue.start(JobKind::Sweep, "gives way", [&](const Job& job) {
      job.giveWay();
      went = true;
    });
    QTRY_VERIFY_WITH_TIMEOUT(went, kPatienceMs);
    // The limit is for drawing alone.
    std::atomic<bool> release = false;
    std::atomic<int> step = 0;
    queue.start(JobKind::Cluster, "runs", [&](const Job&) {
      while (!release) std::this_thread::yield();
    });
    queue.start(JobKind::Sweep, "gives way", [&](const Job& job) {
      step = 1;
      job.giveWay();
      step = 2;
    });
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 1, kPatienceMs);
    QTest::qWait(50);
    QCOMPARE(step.load(), 1);
    release = true;
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 2, kPatienceMs);
    waitUntilIdle(queue);
  }

  void waitingForClusteringEndsWithAStop() {
    JobQueue queue;
    std::atomic<bool> release = false;
    std::atomic<int> step = 0;
    queue.start(JobKind::Cluster, "runs", [&](const Job&) {
      while (!release) std::this_thread::yield();
    });
    queue.start(JobKind::Sweep, "gives way", [&](const Job& job) {
      step = 1;
      job.giveWay();
      step = 2;
    });
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 1, kPatienceMs);
    queue.cancel(JobKind::Sweep);
    QTRY_COMPARE_WITH_TIMEOUT(step.load(), 2, kPatienceMs);
    release = true;
    waitUntilIdle(queue);
  }

  void everyGroupHasAWorkerOfItsOwn() {
    QCOMPARE(groupOf(JobKind::Load), JobKind::Load);
    QCOMPARE(groupOf(JobKind::OpenLabels), JobKind::Load);
    QCOMPARE(groupOf(JobKind::Cluster), JobKind::Cluster);
    QCOMPARE(groupOf(JobKind::Autosave), JobKind::Export);
    QCOMPARE(groupOf(JobKind::FileLabels), JobKind::FileLevels);
    QCOMPARE(groupOf(JobKind::ClearLevels), JobKind::ClearLevels);
    for (const JobKind kind : {JobKind::FileLevels, JobKind::FileLabels})
      QVERIFY(isStoppedByHand(kind) && isStoppedLast(kind));
    QVERIFY(!isStoppedByHand(JobKind::ClearLevels));
    for (const JobKind kind : {JobKind::FileSelection, JobKind::FileBox, JobKind::KeepRows})
      QVERIFY(isStoppedByHand(kind) && !isStoppedLast(kind));
    QVERIFY(std::is_sorted(kJobGroups.begin(), kJobGroups.end()));
    // As many kinds at once as there are groups: none waits for another one.
    JobQueue queue;
    std::atomic<std::size_t> running = 0;
    std::atomic<bool> release = false;
    for (const JobKind kind : kJobGroups)
      queue.start(kind, "runs", [&](const Job&) {
        ++running;
        while (!release) std::this_thread::yield();
      });
    QTRY_COMPARE_WITH_TIMEOUT(running.load(), kJobGroups.size(), kPatienceMs);
    release = true;
    waitUntilIdle(queue);
  }

  void startingFromADeliveryWorks() {
    JobQueue queue;
    int chain = 0;
    std::function<void()> next = [&] {
      if (++chain < 20)
        queue.start(JobKind::Cluster, "link", [&](const Job& job) { job.deliver(next); });
    };
    next();
    waitUntilIdle(queue);
    QCOMPARE(chain, 20);
  }

  void destructionStopsWorkAndDeliversNothing() {
    bool delivered = false;
    std::atomic<int> running = 0;
    std::atomic<int> stopped = 0;
    {
      JobQueue queue;
      for (const JobKind kind : {JobKind::Cluster, JobKind::Sweep, JobKind::Preview})
        queue.start(kind, "runs", [&](const Job& job) {
          ++running;
          workUntilStopped(job.task());
          if (job.task().cancelled()) ++stopped;
          job.deliver([&delivered] { delivered = true; });
        });
      QTRY_COMPARE_WITH_TIMEOUT(running.load(), 3, kPatienceMs);
    }
    QTRY_COMPARE_WITH_TIMEOUT(stopped.load(), 3, kPatienceMs);
    QTest::qWait(20);
    QVERIFY(!delivered);
  }

  void destructionDoesNotWaitForEverForDeafWork() {
    auto begun = std::make_shared<std::atomic<bool>>(false);
    auto release = std::make_shared<std::atomic<bool>>(false);
    auto over = std::make_shared<std::atomic<bool>>(false);
    {
      JobQueue queue;
      queue.start(JobKind::Cluster, "unstoppable", [begun, release, over](const Job& job) {
        *begun = true;
        while (!*release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        job.deliver([] { QFAIL("delivered to a queue that is gone"); });
        *over = true;
      });
      QTRY_VERIFY_WITH_TIMEOUT(*begun, kPatienceMs);
      QTest::ignoreMessage(QtWarningMsg, QRegularExpression("did not stop in time"));
    }
    QVERIFY(!*over);
    *release = true;
    QTRY_VERIFY_WITH_TIMEOUT(*over, kPatienceMs);
    QTest::qWait(20);
  }

  void storm() {
    // Many kinds, many starts and cancels, progress from the workers: for the sanitizers.
    JobQueue queue;
    std::atomic<int> delivered = 0;
    for (int i = 0; i < 2000; ++i) {
      const auto kind = static_cast<JobKind>(i * 7 % kJobKinds);
      queue.start(kind, "storm", [&delivered, i](const Job& job) {
        for (int step = 0; step < i % 50 && !job.task().cancelled(); ++step)
          job.task().report("storm", step / 50.0);
        job.deliver([&delivered] { ++delivered; });
      });
      if (i % 13 == 0) queue.cancel(static_cast<JobKind>(i % kJobKinds));
      if (i % 50 == 0) QCoreApplication::processEvents();
    }
    waitUntilIdle(queue);
    QVERIFY(delivered > 0 && delivered <= 2000);
  }
};

GUILESS_TEST(TestJobs);
#include "tst_jobs.moc"
