// Work at the same time: does it go on when other work fails, and do failures arrive?
#include <tbb/parallel_for.h>
#include <QTest>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/core/run_both.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestRunBoth : public QObject {
  Q_OBJECT

 private slots:
  void bothRun_data() {
    QTest::addColumn<quint64>("points");
    QTest::newRow("one thread") << quint64{1};
    QTest::newRow("two threads") << quint64{kWorthAnotherThread};
  }
  void bothRun() {
    QFETCH(quint64, points);
    std::atomic<int> ran = 0;
    runBoth(
        points, [&] { ran += 1; }, [&] { ran += 2; });
    QCOMPARE(ran.load(), 3);
  }

  // TBB would cancel the loop of the second one.
  void aFailureLeavesTheOtherItsLoops() {
    constexpr int kRounds = 200;
    std::atomic<int> rounds = 0;
    std::atomic<bool> begun = false;
    bool thrown = false;
    try {
      runBoth(
          kWorthAnotherThread,
          [&] {
            const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
            while (!begun && std::chrono::steady_clock::now() < until) std::this_thread::yield();
            throw std::runtime_error("no memory");
          },
          [&] {
            begun = true;
            for (int round = 0; round < kRounds; ++round) {
              tbb::parallel_for(0, 1, [&](int) { rounds += 1; });
              std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
          });
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    QVERIFY(thrown);
    QVERIFY(rounds == kRounds || rounds == 0);  // 0: one thread ran the first one before
  }

  void workBesideIsDoneWhenWaitedFor() {
    std::vector<int> values;
    {
      WorkBeside work([&] { values.assign(1000, 7); });
      work.wait();
      QCOMPARE(values, std::vector<int>(1000, 7));
      work.wait();
    }
    {
      const WorkBeside work([&] { values.clear(); });
    }
    QVERIFY(values.empty());
  }
  void workBesideThrowsWhenWaitedFor() {
    const auto fail = [] { throw std::runtime_error("no memory"); };
    WorkBeside work(fail);
    QVERIFY_EXCEPTION_THROWN(work.wait(), std::runtime_error);
    const WorkBeside nobodyAsks(fail);
  }
};

APPLESS_TEST(TestRunBoth);
#include "tst_run_both.moc"
