// Progress over all ranks: the stage of the rank that is furthest behind, with the mean of all.
#include <QtTest/QtTest>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "engine/distributed/local_communicator.h"
#include "engine/distributed/rank_progress.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

struct Report {
  std::string stage;
  double fraction;
};

// Keeps what is reported; notices two reports at once.
struct Listener {
  std::mutex mutex;
  std::vector<Report> reports;
  std::atomic<int> inside{0};
  std::atomic<bool> overlapped{false};

  ProgressFn function() {
    return [this](std::string_view stage, double fraction) {
      if (++inside > 1) overlapped = true;
      {
        const std::lock_guard lock(mutex);
        reports.push_back({std::string(stage), fraction});
      }
      --inside;
    };
  }
  bool has(const std::string& stage, double low, double high) {
    const std::lock_guard lock(mutex);
    return std::any_of(reports.begin(), reports.end(), [&](const Report& report) {
      return report.stage == stage && report.fraction >= low && report.fraction <= high;
    });
  }
};

// Returns what `holds` says in the end; 20 s at most.
template <class Holds>
bool comes(const Holds& holds) {
  for (int i = 0; i < 4000 && !holds(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return holds();
}

}  // namespace

class TestRankProgress : public QObject {
  Q_OBJECT

 private slots:
  void meanOfTheLastStage();
  void waitingRankReportsForTheOthers();
  void rounds();
  void rankWithoutStagesOfItsOwn();
  void oneRankReportsAsItIs();
  void nothingAfterTheEnd();
};

void TestRankProgress::meanOfTheLastStage() {
  QCOMPARE(progressOf({}).fraction, 0.0);
  const auto one = progressOf({3.25});
  QCOMPARE(one.stage, 3);
  QCOMPARE(one.fraction, 0.25);
  // Ranks that are further count as done.
  const auto three = progressOf({3.25, 5.5, 3.75});
  QCOMPARE(three.stage, 3);
  QCOMPARE(three.fraction, (0.25 + 1 + 0.75) / 3);
  QCOMPARE(progressOf({0, 9, 9, 9}).fraction, 0.75);
}

// Rank 0 is done early: what is reported while it waits is the progress of the other one.
void TestRankProgress::waitingRankReportsForTheOthers() {
  Listener listener;
  const Task task{.stop = {}, .progress = listener.function()};
  std::atomic<bool> seen{false};
  const auto done = runLocalRanks(2, task, [&](Communicator& c, const Task& own) -> Result<void> {
    own.report("moving points", 1);
    own.report("join", c.rank() == 0 ? 1 : 0.5);
    if (c.rank() == 1) seen = comes([&] { return listener.has("join", 0.74, 0.76); });
    own.report("join", 1);
    return c.barrier(own);
  });
  QVERIFY(done.has_value());
  QVERIFY(seen);
  QVERIFY(!listener.overlapped);
}

// Stages that come again do not let the progress fall, and the end is reported.
void TestRankProgress::rounds() {
  Listener listener;
  const Task task{.stop = {}, .progress = listener.function()};
  const auto done = runLocalRanks(3, task, [&](Communicator& c, const Task& own) -> Result<void> {
    for (int round = 0; round < 4; ++round) {
      own.report("index", round / 4.0);
      std::this_thread::sleep_for(std::chrono::milliseconds(5 * c.rank()));
      own.report("counting", round / 4.0);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      own.report("counting", (round + 1) / 4.0);
    }
    return {};
  });
  QVERIFY(done.has_value());
  double last = 0;
  for (const Report& report : listener.reports) {
    if (report.stage != "counting") continue;
    QVERIFY(report.fraction >= last);
    last = report.fraction;
  }
  QVERIFY(last > 0.99);
}

// Rank 0 has no points: it never joins, and says what the others do.
void TestRankProgress::rankWithoutStagesOfItsOwn() {
  Listener listener;
  const Task task{.stop = {}, .progress = listener.function()};
  std::atomic<bool> seen{false};
  std::atomic<bool> last{false};
  const auto done = runLocalRanks(2, task, [&](Communicator& c, const Task& own) -> Result<void> {
    own.report("moving points", 0);
    if (c.rank() == 1) {
      own.report("join", 0.5);
      seen = comes([&] { return listener.has("clustering", 0.74, 0.76); });
    }
    if (c.rank() == 0) own.report("merging clusters", 0);
    if (auto all = c.barrier(own); !all) return all;
    own.report("merging clusters", 0.5);
    if (c.rank() == 0) last = comes([&] { return listener.has("merging clusters", 0.49, 0.51); });
    return c.barrier(own);
  });
  QVERIFY(done.has_value());
  QVERIFY(seen);
  QVERIFY(last);
}

void TestRankProgress::oneRankReportsAsItIs() {
  Listener listener;
  const Task task{.stop = {}, .progress = listener.function()};
  QVERIFY(runLocalRanks(1, task, [&](Communicator&, const Task& own) -> Result<void> {
            own.report("anything", 0.125);
            return {};
          }).has_value());
  QCOMPARE(listener.reports.size(), std::size_t{1});
  QCOMPARE(listener.reports[0].stage, std::string("anything"));
  QCOMPARE(listener.reports[0].fraction, 0.125);
}

void TestRankProgress::nothingAfterTheEnd() {
  Listener listener;
  const Task task{.stop = {}, .progress = listener.function()};
  QVERIFY(runLocalRanks(3, task, [&](Communicator& c, const Task& own) -> Result<void> {
            own.report("reading", 0.5);
            return c.barrier(own);
          }).has_value());
  const std::size_t before = listener.reports.size();
  QVERIFY(before > 0);
  QTest::qSleep(300);
  QCOMPARE(listener.reports.size(), before);
}

GUILESS_TEST(TestRankProgress);
#include "tst_rank_progress.moc"
