// Do runs on the CPU show their stages to profilers, nested as they are, and cost nothing else?
#include <QTemporaryDir>
#include <QtTest>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cloud_draws.h"
#include "engine/core/profiler_range.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// What was recorded: the ranges that were begun, each with those around it, as "join/core test".
struct Recorder {
  std::mutex mutex;
  std::map<std::thread::id, std::vector<std::string>> open;  // by thread
  std::set<std::string> begun;
  bool endedTooOften = false;
};

Recorder& recorder() {
  static Recorder one;
  return one;
}

void beginRange(const char* name) {
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  auto& open = r.open[std::this_thread::get_id()];
  open.push_back(open.empty() ? name : open.back() + "/" + name);
  r.begun.insert(open.back());
}

void endRange() {
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  auto& open = r.open[std::this_thread::get_id()];
  if (open.empty())
    r.endedTooOften = true;
  else
    open.pop_back();
}

/// The ranges that `body` begins; {"not ended"} where one is left open.
template <class Body>
std::set<std::string> rangesOf(const Body& body) {
  static constexpr RangeSink kRecord{beginRange, endRange};
  Recorder& r = recorder();
  r.open.clear();
  r.begun.clear();
  r.endedTooOften = false;
  const RangeSink* const before = rangeSink.exchange(&kRecord);
  body();
  rangeSink = before;
  for (const auto& [thread, open] : r.open)
    if (!open.empty() || r.endedTooOften) return {"not ended"};
  return r.begun;
}

PointCloud someCloud() {
  std::mt19937_64 random(7);
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 3000; ++i) rows.push_back({draws::unit(random), draws::unit(random)});
  return draws::fromRows(rows);
}

}  // namespace

class TestProfilerRange : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rangesNest() {
    const auto found = rangesOf([] {
      const ProfilerRange outer("outer");
      ProfilerRange inner("first");
      inner.next("second");
      const ProfilerRange innermost("third");
    });
    QCOMPARE(found,
             (std::set<std::string>{"outer", "outer/first", "outer/second", "outer/second/third"}));
  }

  /// A range keeps to the sink that it began with, also where that is none.
  void nobodyListens() {
    const auto found = rangesOf([] {
      const RangeSink* const recording = rangeSink.exchange(nullptr);
      {
        ProfilerRange range("unheard");
        range.next("unheard too");
        rangeSink = recording;
      }
    });
    QCOMPARE(found, std::set<std::string>());
  }

  void clustering() {
    const PointCloud cloud = someCloud();
    const auto backend = makeCpuBackend(1);
    auto found =
        rangesOf([&] { QVERIFY(backend->dbscan(cloud, {.eps = 0.02, .minPts = 5}, {}, {})); });
    for (const char* stage : {"index", "index/grid", "join", "join/core test", "join/union",
                              "labels", "labels/border points"})
      QVERIFY2(found.contains(stage), stage);
    Strategy strategy;
    strategy.pattern = AccessPattern::Full;
    strategy.order = QueryOrder::SortByWorkload;
    found = rangesOf(
        [&] { QVERIFY(backend->dbscan(cloud, {.eps = 0.02, .minPts = 5}, strategy, {})); });
    for (const char* stage : {"index/grid", "index/schedule", "core test", "join", "labels"})
      QVERIFY2(found.contains(stage), stage);
  }

  void hierarchies() {
    const PointCloud cloud = someCloud();
    const auto found = rangesOf([&] {
      const auto hierarchy = Hierarchy::build(cloud, {.minPts = 5, .threads = 1});
      QVERIFY(hierarchy);
      QVERIFY(hierarchy->labels(0.02));
    });
    for (const char* stage :
         {"hierarchy/index", "hierarchy/nearest neighbours/finding neighbours",
          "hierarchy/spanning tree", "hierarchy/clusters/edges by weight",
          "hierarchy/clusters/dendrogram", "hierarchy/clusters/border lists", "labels"})
      QVERIFY2(found.contains(stage), stage);
  }

  void files() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("cloud.npy").toStdString();
    Dataset dataset;
    dataset.cloud = someCloud();
    const auto found = rangesOf([&] {
      QVERIFY(writeDataset(path, dataset));
      QVERIFY(readDataset(path));
    });
    QCOMPARE(found, (std::set<std::string>{"reading", "writing"}));
  }
};

APPLESS_TEST(TestProfilerRange);
#include "tst_profiler_range.moc"
