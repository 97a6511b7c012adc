// What needs a GPU; without one the program skips, and CTest shows it skipped, with the reason.
#include <QtTest>

#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchies.h"
#include "gpu_agreement.h"
#include "metric_agreement.h"
#include "product_agreement.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestCudaDevice : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithBruteForce() {
    const auto gpu = makeBackend("cuda", {});
    if (!gpu) QSKIP(("no device: " + gpu.error().message).c_str());
    const std::string lost = gpuAgreement::replays(**gpu);
    QVERIFY2(lost.empty(), lost.c_str());
    const std::string unequal = gpuAgreement::queueBatches(**gpu);
    QVERIFY2(unequal.empty(), unequal.c_str());
    const std::string shared = gpuAgreement::sharesPreparedCloud(**gpu);
    QVERIFY2(shared.empty(), shared.c_str());
    gpuAgreement::Tally tally;
    const Stopwatch watch;
    std::string what = gpuAgreement::representative(
        **gpu, [&] { return watch.seconds() < 20; }, tally);
    for (std::uint64_t seed = 1; what.empty() && watch.seconds() < 40; ++seed)
      what = gpuAgreement::randomCase(**gpu, seed, tally);
    QVERIFY2(what.empty(), what.c_str());
    QVERIFY(tally.joins > 50 && tally.dbscans > 50);
  }

  void metricsAgreeWithAllPairs() {
    const auto gpu = makeBackend("cuda", {});
    if (!gpu) QSKIP(("no device: " + gpu.error().message).c_str());
    const Stopwatch watch;
    std::uint64_t seed = 1;
    for (; seed < 30 || watch.seconds() < 10; ++seed) {
      const std::string what = metricAgreement::randomCase(**gpu, seed);
      QVERIFY2(what.empty(), what.c_str());
    }
  }

  void productsAgreeWithBruteForce() {
    const auto gpu = makeBackend("cuda", {});
    if (!gpu) QSKIP(("no device: " + gpu.error().message).c_str());
    if (!(*gpu)->limits().products) QSKIP("the device has no products of bytes");
    const Stopwatch watch;
    std::uint64_t cases = 0;
    const std::string what = productAgreement::onGpu(
        **gpu, [&] { return watch.seconds() < 30; }, cases);
    QVERIFY2(what.empty(), what.c_str());
    QVERIFY(cases > 30);
  }

  void nearestNeighboursAgreeWithAllPairs() {
    const auto gpu = makeBackend("cuda", {});
    if (!gpu) QSKIP(("no device: " + gpu.error().message).c_str());
    if (!(*gpu)->limits().products) QSKIP("the device has no products of bytes");
    const Stopwatch watch;
    std::uint64_t cases = 0;
    const std::string what = productAgreement::ofNearest(
        [](const PointCloud& cloud, int k) { return findNearest(cloud, k, 0, {"cuda"}); },
        [&] { return watch.seconds() < 30; }, cases);
    QVERIFY2(what.empty(), what.c_str());
    QVERIFY(cases > 30);
  }
};

APPLESS_TEST(TestCudaDevice);
#include "tst_cuda_device.moc"
