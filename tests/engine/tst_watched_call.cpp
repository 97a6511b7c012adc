// Work in another thread that the caller's thread watches: progress comes to it, and it can stop
// it.
#include <QtTest/QtTest>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "engine/core/watched_call.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestWatchedCall : public QObject {
  Q_OBJECT

 private slots:
  void looksInTheCallersThread();
  void stopsOnce();
  void withoutReports();
  void throwsWhatTheWorkThrows();
};

void TestWatchedCall::looksInTheCallersThread() {
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> seen = false;
  std::vector<std::string> stages;
  double last = -1;
  bool elsewhere = false;
  bool twice = false;
  watchedCall(
      [&](const Task& task) {
        elsewhere = std::this_thread::get_id() != caller;
        task.report("first", 0.25);
        while (!seen) std::this_thread::yield();
        task.report("second", 0.5);
        task.report("second", 0.75);
      },
      [&](const WatchedProgress* told) {
        if (std::this_thread::get_id() != caller) return false;
        if (told == nullptr) return true;
        // What was told is not told again; the last two reports may both be seen.
        twice |= seen && told->stage == stages.back() && told->fraction == last;
        if (stages.empty() || stages.back() != told->stage) stages.push_back(told->stage);
        last = told->fraction;
        seen = true;
        return true;
      });
  QVERIFY(elsewhere && !twice);
  QCOMPARE(stages, (std::vector<std::string>{"first", "second"}));
  QCOMPARE(last, 0.75);  // the newest, also where the work has ended
}

void TestWatchedCall::stopsOnce() {
  int looks = 0;
  bool stopped = false;
  const auto start = std::chrono::steady_clock::now();
  watchedCall(
      [&](const Task& task) {
        const auto longest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!task.cancelled() && std::chrono::steady_clock::now() < longest)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        stopped = task.cancelled();
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
      },
      [&](const WatchedProgress*) { return ++looks < 3; });
  QVERIFY(stopped);
  QCOMPARE(looks, 3);
  QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

void TestWatchedCall::withoutReports() {
  bool reports = true;
  watchedCall([&](const Task& task) { reports = bool(task.progress); },
              [](const WatchedProgress* told) { return told == nullptr; }, false);
  QVERIFY(!reports);
}

void TestWatchedCall::throwsWhatTheWorkThrows() {
  bool thrown = false;
  try {
    watchedCall([](const Task&) { throw std::runtime_error("broken"); },
                [](const WatchedProgress*) { return true; });
  } catch (const std::runtime_error& error) {
    thrown = std::string(error.what()) == "broken";
  }
  QVERIFY(thrown);
}

APPLESS_TEST(TestWatchedCall);
#include "tst_watched_call.moc"
