// Which processor "auto" takes in a program that ends after a few runs: the CPU for what is done
// before a GPU has started, the device for everything else and from its start on.
#include <QtTest/QtTest>

#include <atomic>

#include "engine/auto_backend.h"
#include "engine/cloud/generators.h"
#include "engine/forwarding_backend.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// The CPU as a device that answers late.
class Device final : public JoinsBy<Device, ForwardingBackend> {
 public:
  Device() : JoinsBy(*makeBackend("cpu", {.threads = 2})) {}
  std::string_view name() const override { return "device"; }
  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    auto found = call.on(backend());
    if (found) found->stats.backend = "device";
    return found;
  }
};

std::unique_ptr<Backend> cpu() { return std::move(*makeBackend("cpu", {.threads = 2})); }

/// A late device, and how often it was started.
struct Late {
  int starts = 0;
  std::unique_ptr<Backend> backend = withLateDevice(cpu(), [this] {
    ++starts;
    return Result<std::unique_ptr<Backend>>(std::make_unique<Device>());
  });
};

PointCloud uniform(std::size_t points, std::size_t dims) {
  return std::move(generate({.kind = "unif", .points = points, .dims = dims, .seed = 5})->cloud);
}

/// A cloud of `points` points, all of them the same: for questions about its size.
PointCloud ofSize(std::size_t points, std::size_t dims) {
  PointCloud cloud;
  cloud.columns.assign(dims, std::vector<double>(points, 0.0));
  return cloud;
}

}  // namespace

class TestAutoBackend : public QObject {
  Q_OBJECT

 private slots:
  void smallRunsStartNoDevice() {
    Late late;
    const PointCloud cloud = uniform(36000, 2);
    const auto found = late.backend->dbscan(cloud, {.eps = 0.5, .minPts = 5}, {}, {});
    QVERIFY(found.has_value());
    QCOMPARE(found->stats.backend, "cpu");
    QCOMPARE(late.starts, 0);
    // Another one: the time of runs on the CPU adds up, and a busy machine makes it long.
    Late other;
    QVERIFY(other.backend->count(uniform(2000, 2), 0.5, {}, {}).has_value());
    QCOMPARE(other.backend->remark(), "");
    QCOMPARE(other.starts, 0);
    QCOMPARE(found->labels, (*cpu()).dbscan(cloud, {.eps = 0.5, .minPts = 5}, {}, {})->labels);
  }

  void largeRunsStartItOnceAndKeepIt() {
    Late late;
    const PointCloud cloud = uniform(20000, 2);
    for (int run = 0; run < 2; ++run) {
      const auto counts = late.backend->count(cloud, 0.2, {}, {});
      QVERIFY(counts.has_value());
      QCOMPARE(counts->stats.backend, "device");
    }
    // It is there now: small runs are its own.
    const auto found = late.backend->dbscan(cloud, {.eps = 0.5, .minPts = 5}, {}, {});
    QVERIFY(found.has_value());
    QCOMPARE(found->stats.backend, "device");
    QCOMPARE(late.starts, 1);
  }

  void otherMetricsStartItToo() {
    Late late;
    const auto backend = late.backend->withMetric(Metric::Manhattan);
    QVERIFY(backend.has_value());
    const PointCloud few = uniform(2000, 2);
    const auto found = (*backend)->count(few, 0.5, {}, {});
    QVERIFY(found.has_value());
    QCOMPARE(found->stats.backend, "cpu");
    QCOMPARE(late.starts, 0);
    QVERIFY((*backend)->count(uniform(20000, 2), 0.2, {}, {}).has_value());
    QCOMPARE(late.starts, 1);
    // Not the number of the Euclidean join.
    QVERIFY(found->pairs < late.backend->count(few, 0.5, {}, {})->pairs);
  }

  void manySmallRunsStartIt() {
    Late late;
    const PointCloud cloud = uniform(60000, 2);
    QElapsedTimer time;
    time.start();
    while (late.starts == 0 && time.elapsed() < 60000)
      QVERIFY(late.backend->dbscan(cloud, {.eps = 0.5, .minPts = 5}, {}, {}).has_value());
    QCOMPARE(late.starts, 1);
    QVERIFY(time.elapsed() >= 390);
  }

  void questionsStartIt() {
    Late late;
    QCOMPARE(late.backend->name(), std::string_view("device"));
    QVERIFY(!late.backend->describe().empty());
    QCOMPARE(late.starts, 1);
  }

  void whatOnlyTheDeviceCanDoIsItsOwn() {
    Late late;
    // The stand-in refuses it too; what matters is who was asked.
    Strategy strategy;
    strategy.threadsPerPoint = 8;
    QVERIFY(!late.backend->count(uniform(100, 2), 0.2, strategy, {}).has_value());
    QCOMPARE(late.starts, 1);
  }

  void whatOnlyTheCpuCanDoStartsNoDevice() {
    Late late;
    Strategy strategy;
    strategy.method = Method::RTree;
    QVERIFY(late.backend->count(uniform(20000, 2), 0.2, strategy, {}).has_value());
    QCOMPARE(late.starts, 0);
  }

  void withoutADeviceTheCpuSaysWhy() {
    const auto none = [] {
      return Result<std::unique_ptr<Backend>>(fail(ErrorKind::Unavailable, "There is none."));
    };
    const auto now = withDevice(cpu(), none);
    QCOMPARE(now->name(), std::string_view("cpu"));
    QCOMPARE(now->remark(), "There is none.");
    const auto late = withLateDevice(cpu(), none);
    QCOMPARE(late->remark(), "");
    const auto counts = late->count(uniform(20000, 2), 0.2, {}, {});
    QVERIFY(counts.has_value());
    QCOMPARE(counts->stats.backend, "cpu");
    QCOMPARE(late->remark(), "There is none.");
  }

  void theRule() {
    // Every point with every other one: 4·10⁸ coordinates.
    QVERIFY(joinBeforeStart(ofSize(14142, 2)));
    QVERIFY(!joinBeforeStart(ofSize(14143, 2)));
    QVERIFY(joinBeforeStart(ofSize(2000, 100)));
    QVERIFY(!joinBeforeStart(ofSize(2001, 100)));
    const PointCloud few = ofSize(200, 2);
    const PointCloud many = ofSize(1'000'000, 2);
    QVERIFY(joinBeforeStart(JoinInput(few, many)));
    QVERIFY(!joinBeforeStart(JoinInput(many, many)));

    const DbscanParams params{.eps = 1, .minPts = 5};
    QVERIFY(dbscanBeforeStart(ofSize(300'000, 3), params, {}));
    QVERIFY(!dbscanBeforeStart(ofSize(300'001, 3), params, {}));
    QVERIFY(!dbscanBeforeStart(ofSize(36'000, 4), params, {}));
    QVERIFY(dbscanBeforeStart(ofSize(10'000, 4), params, {}));
    // Core tests that find so many neighbours take as long as a join.
    QVERIFY(!dbscanBeforeStart(ofSize(300'000, 3), {.eps = 1, .minPts = 10'000}, {}));
    Strategy sparse;
    sparse.denseCells = Toggle::Off;
    QVERIFY(!dbscanBeforeStart(ofSize(300'000, 3), params, sparse));
    Strategy bruteForce;
    bruteForce.method = Method::BruteForce;
    QVERIFY(!dbscanBeforeStart(ofSize(300'000, 3), params, bruteForce));
  }
};

APPLESS_TEST(TestAutoBackend);
#include "tst_auto_backend.moc"
