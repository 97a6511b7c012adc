#include <QtTest>

#include <algorithm>
#include <atomic>
#include <limits>
#include <random>
#include <stop_token>
#include <thread>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/large_pages.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/sweep.h"
#include "engine/grid/dimension_order.h"
#include "engine/grid/prepared_cloud.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Numbers of devices that no machine has.
constexpr int kDevice = 1001;
constexpr int kOther = 1002;

/// Counts the copies that exist.
class CountedCopy final : public DeviceCopy {
 public:
  explicit CountedCopy(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  ~CountedCopy() override { --alive_; }

 private:
  std::atomic<int>& alive_;
};

std::shared_ptr<const PointCloud> drawn(const char* kind, std::size_t points, std::size_t dims) {
  std::mt19937_64 random(4);
  return std::make_shared<const PointCloud>(draws::draw(random, kind, points, dims));
}

}  // namespace

/// A cloud with what runs share, and the copies that devices keep of it.
class TestPreparedCloud : public QObject {
  Q_OBJECT

 private slots:
  void knowsWhatIsIndependentOfEps() {
    const auto cloud = drawn("exponential", 700, 4);
    const PreparedCloud prepared(cloud);
    QCOMPARE(&prepared.cloud(), cloud.get());
    QVERIFY(prepared.valid().has_value());
    QCOMPARE(prepared.bounds().low, boundsOf(*cloud).low);
    QCOMPARE(prepared.bounds().high, boundsOf(*cloud).high);
    QCOMPARE(prepared.byVariance(), dimensionsByVariance(*cloud));
  }

  void refusesWhatTheCloudRefuses() {
    auto broken = std::make_shared<PointCloud>();
    broken->columns = {{1, 2, std::numeric_limits<double>::quiet_NaN()}, {1, 2, 3}};
    const PreparedCloud prepared(broken);
    const auto backend = makeBackend("cpu", {.threads = 2});
    for (int run = 0; run < 2; ++run) {
      const auto plain = (*backend)->dbscan(*broken, {1, 2}, {}, {});
      const auto found = (*backend)->dbscan(prepared, {1, 2}, {}, {});
      QVERIFY(!plain && !found);
      QCOMPARE(found.error().kind, ErrorKind::BadInput);
      QCOMPARE(found.error().message, plain.error().message);
    }
    const PreparedCloud empty(std::make_shared<const PointCloud>());
    QVERIFY(!(*backend)->count(empty, 1, {}, {}));
  }

  void namesThePointThatIsNotFinite() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity})
      for (std::size_t at = 0; at < 40; ++at) {
        auto broken = std::make_shared<PointCloud>();
        broken->columns.assign(2, std::vector<double>(40, -1.5));
        QVERIFY(PreparedCloud(std::make_shared<const PointCloud>(*broken)).valid());
        broken->columns[at % 2][at] = bad;
        const PreparedCloud prepared(broken);
        const auto& valid = prepared.valid();
        QVERIFY(!valid);
        const std::string point = "Point " + std::to_string(at) + " ";
        QVERIFY2(valid.error().message.rfind(point, 0) == 0, valid.error().message.c_str());
      }
  }

  void memoryOnLargePages() {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5'000'001}}) {
      std::vector<std::int32_t> values;
      resizeOnLargePages(values, size, {});
      QCOMPARE(values.size(), size);
      QVERIFY(std::all_of(values.begin(), values.end(), [](std::int32_t v) { return v == 0; }));
    }
    std::stop_source stop;
    stop.request_stop();
    std::vector<std::int32_t> values;
    resizeOnLargePages(values, 5'000'001, Task{stop.get_token(), {}});
    QVERIFY(values.empty());
  }

  void givesTheSameResults_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kAllKinds)
      QTest::addRow("%s", kind.c_str()) << QString::fromStdString(kind);
  }
  void givesTheSameResults() {
    QFETCH(QString, kind);
    const auto backend = makeBackend("cpu", {.threads = 2});
    std::mt19937_64 random(77);
    for (const std::size_t dims : {1, 2, 3, 6}) {
      const auto cloud =
          std::make_shared<const PointCloud>(draws::draw(random, kind.toStdString(), 250, dims));
      if (!validate(*cloud)) continue;
      const PreparedCloud prepared(cloud);
      for (int i = 0; i < 4; ++i) {
        const double eps = draws::drawEps(random, *cloud);
        const auto labels = bruteForceDbscan(*cloud, {eps, 4});
        const auto counts = bruteForceCounts(*cloud, eps);
        const auto pairs = bruteForcePairs(*cloud, eps);
        const Strategy strategy =
            i == 0 ? Strategy{} : strategies::draw(random, dims, strategies::For::Join, false);
        std::string what = agreement::ofDbscan(**backend, prepared, *labels, {});
        if (what.empty())
          what = agreement::ofJoins(**backend, prepared, eps, *counts, *pairs, strategy);
        QVERIFY2(what.empty(), what.c_str());
        const JoinInput two(*cloud, prepared);
        const auto ofTwo = (*backend)->count(two, eps, {}, {});
        QVERIFY(ofTwo && ofTwo->counts == counts->counts);
      }
    }
  }

  void sweepsOverEps() {
    const auto cloud = drawn("blobs", 900, 2);
    const PreparedCloud prepared(cloud);
    const auto backend = makeBackend("cpu", {.threads = 2});
    const auto eps = geometricEps(0.05, 2, 7);
    const auto plain = sweepEps(**backend, *cloud, *eps, 5, {}, {});
    const auto found = sweepEps(**backend, prepared, *eps, 5, {}, {});
    QVERIFY(plain && found);
    QCOMPARE(found->size(), plain->size());
    for (std::size_t i = 0; i < plain->size(); ++i) {
      QCOMPARE((*found)[i].clusters, (*plain)[i].clusters);
      QCOMPARE((*found)[i].noise, (*plain)[i].noise);
      QCOMPARE((*found)[i].largest, (*plain)[i].largest);
    }
  }

  void dbscanIsOfOneCloud() {
    const auto cloud = drawn("blobs", 50, 2);
    for (const BackendOptions& options :
         {BackendOptions{.threads = 1}, BackendOptions{.threads = 1, .ranks = 2}}) {
      const auto backend = makeBackend("cpu", options);
      QVERIFY(backend.has_value());
      const auto found = (*backend)->dbscan(JoinInput(*cloud, *cloud), {1, 3}, {}, {});
      QVERIFY(!found);
      QCOMPARE(found.error().kind, ErrorKind::BadCall);
    }
  }

  void keepsOneCopyForEachDevice() {
    std::atomic<int> alive = 0;
    {
      const PreparedCloud prepared(drawn("blobs", 10, 2));
      QVERIFY(!prepared.copyOn(kDevice));
      const auto first = prepared.keepCopy(kDevice, std::make_shared<CountedCopy>(alive));
      QCOMPARE(prepared.copyOn(kDevice), first);
      QCOMPARE(prepared.keepCopy(kDevice, std::make_shared<CountedCopy>(alive)), first);
      QCOMPARE(alive.load(), 1);
      QVERIFY(!prepared.copyOn(kOther));
      QVERIFY(prepared.keepCopy(kOther, std::make_shared<CountedCopy>(alive)) != first);
      QCOMPARE(alive.load(), 2);
    }
    QCOMPARE(alive.load(), 0);
  }

  void dropsTheCopiesOfAllClouds() {
    std::atomic<int> alive = 0;
    const PreparedCloud one(drawn("blobs", 10, 2));
    const PreparedCloud two(drawn("lattice", 10, 2));
    for (const PreparedCloud* cloud : {&one, &two})
      cloud->keepCopy(kDevice, std::make_shared<CountedCopy>(alive));
    one.keepCopy(kOther, std::make_shared<CountedCopy>(alive));
    auto inUse = two.copyOn(kDevice);
    QCOMPARE(PreparedCloud::dropCopies(kDevice), 2);
    QVERIFY(!one.copyOn(kDevice) && !two.copyOn(kDevice) && one.copyOn(kOther));
    QCOMPARE(alive.load(), 2);  // a run keeps its own
    inUse.reset();
    QCOMPARE(alive.load(), 1);
    QCOMPARE(PreparedCloud::dropCopies(kDevice), 0);
    // A later run makes it again.
    two.keepCopy(kDevice, std::make_shared<CountedCopy>(alive));
    QVERIFY(two.copyOn(kDevice));
  }

  void isSharedByThreads() {
    std::atomic<int> alive = 0;
    std::atomic<bool> wrong = false;
    {
      const auto cloud = drawn("uniform", 20000, 3);
      const PreparedCloud prepared(cloud);
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
          if (!prepared.valid() || prepared.bounds().low.size() != 3 ||
              prepared.byVariance().size() != 3)
            wrong = true;
          for (int i = 0; i < 2000; ++i) {
            auto copy = prepared.copyOn(kDevice);
            if (!copy) copy = prepared.keepCopy(kDevice, std::make_shared<CountedCopy>(alive));
            if (!copy || alive < 1) wrong = true;
            if (t == 0) PreparedCloud::dropCopies(kDevice);
            // Others come and go meanwhile.
            const PreparedCloud passing(cloud);
            passing.keepCopy(kDevice, copy);
          }
        });
      for (std::thread& thread : threads) thread.join();
    }
    QVERIFY(!wrong);
    QCOMPARE(alive.load(), 0);
  }
};

APPLESS_TEST(TestPreparedCloud);
#include "tst_prepared_cloud.moc"
