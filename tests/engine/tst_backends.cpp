// What every backend guarantees, with any wrapper: the requested number of threads, and values
// instead of exceptions.
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <QTest>
#include <algorithm>
#include <atomic>
#include <functional>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/join/backend_kinds.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kEps = 0.35;

/// A call of a backend that gives only the error, or nothing where it succeeded.
struct Call {
  const char* name;
  std::function<Result<void>(const Backend&, const PointCloud&, const Task&)> run;
};

template <class T>
Result<void> errorOnly(const Result<T>& result) {
  if (!result) return tl::unexpected(result.error());
  return {};
}

const std::vector<Call>& calls() {
  static const std::vector<Call> kCalls{
      {"count", [](const Backend& b, const PointCloud& c,
                   const Task& t) { return errorOnly(b.count(c, kEps, {}, t)); }},
      {"pairs", [](const Backend& b, const PointCloud& c,
                   const Task& t) { return errorOnly(b.pairs(c, kEps, {}, t)); }},
      {"table", [](const Backend& b, const PointCloud& c,
                   const Task& t) { return errorOnly(b.neighbourTable(c, kEps, {}, t)); }},
      {"histogram", [](const Backend& b, const PointCloud& c,
                       const Task& t) { return errorOnly(b.histogram(c, kEps, 8, {}, t)); }},
      {"dbscan",
       [](const Backend& b, const PointCloud& c, const Task& t) {
         return errorOnly(b.dbscan(c, {kEps, 4}, {}, t));
       }},
      {"load", [](const Backend& b, const PointCloud& c,
                  const Task& t) { return errorOnly(b.load(c, kEps, {}, {}, t)); }},
  };
  return kCalls;
}

/// All that run where there is no GPU.
std::vector<std::string> backendsWithoutGpu() {
  std::vector<std::string> names;
  for (const BackendKind& kind : kBackendKinds)
    if (!kind.onDevice || kind.decides) names.emplace_back(kind.name);
  return names;
}

PointCloud someCloud() {
  std::mt19937_64 random(7);
  return draws::draw(random, "blobs", 600, 2);
}

}  // namespace

class TestBackends : public QObject {
  Q_OBJECT

 private slots:
  void callsOnThreads_data() {
    QTest::addColumn<QString>("backend");
    QTest::addColumn<int>("call");
    for (const std::string& backend : backendsWithoutGpu())
      for (std::size_t i = 0; i < calls().size(); ++i)
        if (!backendKind(backend).modelsOnly || std::string(calls()[i].name) == "load")
          QTest::addRow("%s %s", backend.c_str(), calls()[i].name)
              << QString::fromStdString(backend) << static_cast<int>(i);
  }
  void callsOnThreads() {
    QFETCH(QString, backend);
    QFETCH(int, call);
    // A number that no default gives.
    const int threads = tbb::info::default_concurrency() + 1;
    const auto made = makeBackend(backend.toStdString(), {.threads = threads});
    QVERIFY(made.has_value());
    if ((*made)->name() == "cuda") QSKIP("a GPU answers: its calls do not run on CPU threads");
    std::atomic<int> reports{0}, others{0};
    Task task;
    task.progress = [&](std::string_view, double) {
      ++reports;
      if (tbb::this_task_arena::max_concurrency() != threads) ++others;
    };
    const auto done = calls()[static_cast<std::size_t>(call)].run(**made, someCloud(), task);
    QVERIFY2(done.has_value(), done ? "" : done.error().message.c_str());
    QVERIFY(reports > 0);
    QCOMPARE(others.load(), 0);
  }

  void exhaustedMemoryIsAnError_data() { callsOnThreads_data(); }
  void exhaustedMemoryIsAnError() {
    QFETCH(QString, backend);
    QFETCH(int, call);
    const auto made = makeBackend(backend.toStdString(), {.threads = 2});
    QVERIFY(made.has_value());
    // As an allocation inside the call would end it; a call reports before it allocates much.
    Task task;
    task.progress = [](std::string_view, double) { throw std::bad_alloc(); };
    const auto done = calls()[static_cast<std::size_t>(call)].run(**made, someCloud(), task);
    QVERIFY(!done.has_value());
    QCOMPARE(done.error().kind, ErrorKind::TooLarge);
    QVERIFY2(done.error().message.find("memory") != std::string::npos,
             done.error().message.c_str());
  }

  /// What the table says of a kind is what its backend does.
  void kindsSayWhatBackendsCanDo() {
    for (const BackendKind& kind : kBackendKinds) {
      const std::string name(kind.name);
      QCOMPARE(backendKind(name).name, kind.name);
      if (!kind.onDevice) {
        const auto refused = makeBackend(name, {.threads = 1, .device = 0});
        // In a build without GPUs, too, this is the reason.
        QVERIFY2(!refused && refused.error().kind == ErrorKind::BadCall, name.c_str());
        const auto made = makeBackend(name, {.threads = 1});
        QVERIFY2(made && (*made)->name() == kind.name, name.c_str());
        QCOMPARE((*made)->count(someCloud(), kEps, {}, {}).has_value(), !kind.modelsOnly);
      }
      if (!kind.sharesDevices) {
        const auto refused = makeBackend(name, {.threads = 1, .devices = {0, 1}});
        QVERIFY2(!refused && refused.error().kind == ErrorKind::BadCall, name.c_str());
      }
    }
    QVERIFY(backendKind(kDeviceBackend).onDevice && !backendKind(kDeviceBackend).decides);
    QVERIFY(backendKind(kSharingBackend).sharesJoins);
    QVERIFY(backendKind("abacus").name.empty() && !backendKind("abacus").onDevice);
    for (const std::string& name : availableBackends()) {
      const BackendKind kind = backendKind(name);
      QVERIFY2(!kind.name.empty() && !kind.decides && !kind.modelsOnly, name.c_str());
    }
  }

  void statisticsNameTheThreads() {
    for (const std::string& name : backendsWithoutGpu()) {
      const auto made = makeBackend(name, {.threads = 1});
      QVERIFY(made.has_value());
      if ((*made)->name() == "cuda") continue;
      const auto report = (*made)->load(someCloud(), kEps, {}, {}, {});
      QVERIFY(report.has_value());
      QCOMPARE(report->stats.threads, 1);
      QVERIFY(!report->measured);
    }
  }
};

APPLESS_TEST(TestBackends);
#include "tst_backends.moc"
