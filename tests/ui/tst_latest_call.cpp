// Computations that follow the pointer: the newest delivers, and one without memory nothing.
#include <QtTest>
#include <atomic>
#include <new>
#include <semaphore>
#include <stop_token>

#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/view/latest_call.h"

using namespace clusterloom;

class TestLatestCall : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void newestDelivers() {
    LatestCall calls(nullptr);
    std::binary_semaphore go{0};
    QList<int> delivered;
    const auto done = [&](int value) { delivered << value; };
    calls.start(
        [&] {
          go.acquire();
          return 1;
        },
        done);
    calls.start([] { return 2; }, done);  // replaced before it runs
    calls.start([] { return 3; }, done);
    go.release();
    QVERIFY(waitUntil([&] { return !delivered.isEmpty(); }));
    QCOMPARE(delivered, QList<int>{3});
  }

  /// The program goes on, and so does the next computation, waiting or not.
  void outOfMemory() {
    LatestCall calls(nullptr);
    std::binary_semaphore go{0};
    QList<int> delivered;
    const auto done = [&](int value) { delivered << value; };
    const auto fails = []() -> int { throw std::bad_alloc(); };
    calls.start(
        [&] {
          go.acquire();
          return fails();
        },
        done);
    calls.start([] { return 2; }, done);
    go.release();
    QVERIFY(waitUntil([&] { return !delivered.isEmpty(); }));
    calls.start(fails, done);
    QTest::qWait(50);  // it ends, as the newest
    QCOMPARE(delivered, QList<int>{2});
    calls.start([] { return 4; }, done);
    QVERIFY(waitUntil([&] { return delivered.size() > 1; }));
    QCOMPARE(delivered, (QList<int>{2, 4}));
  }

  void forgottenDeliversNothing() {
    LatestCall calls(nullptr);
    bool delivered = false;
    calls.start([] { return 1; }, [&](int) { delivered = true; });
    calls.forget();
    QTest::qWait(50);
    QVERIFY(!delivered);
  }

  void whatNoLongerDeliversStops() {
    std::counting_semaphore begun{0};
    std::atomic<int> stopped = 0;
    bool delivered = false;
    const auto untilStopped = [&](const std::stop_token& stop) {
      begun.release();
      while (!stop.stop_requested()) QThread::msleep(1);
      return ++stopped;
    };
    {
      LatestCall calls(nullptr);
      const auto start = [&] { calls.start(untilStopped, [&](int) { delivered = true; }); };
      const auto hasBegun = [&] { return begun.try_acquire(); };
      start();
      QVERIFY(waitUntil(hasBegun));
      start();  // stops the one before
      QVERIFY(waitUntil(hasBegun));
      calls.forget();
      QVERIFY(waitUntil([&] { return stopped == 2; }));
      start();
      QVERIFY(waitUntil(hasBegun));
    }
    QCOMPARE(stopped.load(), 3);
    QVERIFY(!delivered);
  }
};

GUILESS_TEST(TestLatestCall);
#include "tst_latest_call.moc"
