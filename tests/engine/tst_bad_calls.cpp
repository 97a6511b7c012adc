#include <QtTest>
#include <cmath>
#include <functional>
#include <limits>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/memory_budget.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::unique_ptr<Backend> cpu() { return std::move(*makeBackend("cpu", {.threads = 1})); }

/// The error of each of the four calls; an empty message where a call did not fail.
std::vector<Error> errorsOf(const PointCloud& cloud, double eps, std::int64_t minPts,
                            const Strategy& strategy) {
  const auto backend = cpu();
  std::vector<Error> errors;
  const auto note = [&](const auto& result) {
    errors.push_back(result ? Error{} : result.error());
  };
  note(backend->dbscan(cloud, {eps, minPts}, strategy, {}));
  note(backend->count(cloud, eps, strategy, {}));
  note(backend->pairs(cloud, eps, strategy, {}));
  note(backend->neighbourTable(cloud, eps, strategy, {}));
  return errors;
}

}  // namespace

/// What cannot be done is refused with a message, by every call, and never crashes.
class TestBadCalls : public QObject {
  Q_OBJECT

 private slots:
  void eps_data() {
    QTest::addColumn<double>("eps");
    for (const double eps : {0.0, -0.0, -1.0, kNaN, kInf, -kInf, 1e-200, 1e200, 1e-160, 5e-324})
      QTest::addRow("%g", eps) << eps;
  }
  void eps() {
    QFETCH(double, eps);
    for (const Error& error : errorsOf(draws::fromRows({{0}, {1}}), eps, 2, {})) {
      QCOMPARE(error.kind, ErrorKind::BadCall);
      QVERIFY2(error.message.find("ε") != std::string::npos, error.message.c_str());
    }
  }

  void minPts() {
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    for (const std::int64_t bad :
         {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
      const auto found = cpu()->dbscan(cloud, {1.0, bad}, {}, {});
      QVERIFY(!found);
      QCOMPARE(found.error().kind, ErrorKind::BadCall);
      QVERIFY(found.error().message.find("minPts") != std::string::npos);
    }
    for (const std::int64_t large :
         {std::int64_t{3}, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1,
          std::numeric_limits<std::int64_t>::max()}) {
      for (const Strategy& strategy : strategies::all(1)) {
        if (!strategies::legal(strategy, strategies::For::Dbscan)) continue;
        const auto found = cpu()->dbscan(cloud, {1.0, large}, strategy, {});
        QVERIFY(found.has_value());
        QVERIFY2(found->noiseCount == 2 && found->clusters == 0,
                 strategies::text(strategy).c_str());
      }
    }
  }

  void clouds_data() {
    QTest::addColumn<int>("which");
    const char* names[] = {"no dimensions", "no points",      "ragged",          "NaN",
                           "infinite",      "minus infinite", "range overflows", "4097 dimensions"};
    for (int i = 0; i < 8; ++i) QTest::newRow(names[i]) << i;
  }
  void clouds() {
    QFETCH(int, which);
    PointCloud cloud = draws::fromRows({{0, 0}, {1, 1}, {2, 2}});
    if (which == 0) cloud = {};
    if (which == 1) cloud.columns.assign(2, {});
    if (which == 2) cloud.columns[1].own().pop_back();
    if (which == 3) cloud.columns[1][2] = kNaN;
    if (which == 4) cloud.columns[0][1] = kInf;
    if (which == 5) cloud.columns[0][1] = -kInf;
    if (which == 6) cloud.columns[1] = {-1.7e308, 1.7e308, 0};
    if (which == 7) cloud = draws::fromRows({std::vector<double>(kMaxDims + 1, 1.0)});
    for (const Error& error : errorsOf(cloud, 1, 2, {})) {
      QCOMPARE(error.kind, ErrorKind::BadInput);
      QVERIFY(!error.message.empty());
    }
  }

  void messagesNameTheRow() {
    PointCloud cloud = draws::fromRows({{0, 0}, {1, 1}, {2, 2}});
    cloud.names = {"east", "north"};
    cloud.columns[1][2] = kNaN;
    const std::string message = errorsOf(cloud, 1, 2, {}).front().message;
    QVERIFY2(message.find("2") != std::string::npos || message.find("3") != std::string::npos,
             message.c_str());
  }

  void widestCloudsWork() {
    std::mt19937_64 random(1);
    for (const std::size_t dims : {kMaxGridDims, kMaxDims}) {
      const PointCloud cloud = draws::draw(random, "uniform", 40, dims);
      const auto found = cpu()->dbscan(cloud, {20, 2}, {}, {});
      QVERIFY(found.has_value());
    }
  }

  void indexedDims_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("k");
    QTest::addColumn<bool>("good");
    QTest::newRow("auto") << 2 << 0 << true;
    QTest::newRow("all") << 2 << 2 << true;
    QTest::newRow("more than there are") << 2 << 3 << false;
    QTest::newRow("negative") << 2 << -1 << false;
    QTest::newRow("eight of ten") << 10 << 8 << true;
    QTest::newRow("nine of ten") << 10 << 9 << false;
  }
  void indexedDims() {
    QFETCH(int, dims);
    QFETCH(int, k);
    QFETCH(bool, good);
    std::mt19937_64 random(1);
    const PointCloud cloud = draws::draw(random, "uniform", 20, static_cast<std::size_t>(dims));
    for (const Error& error : errorsOf(cloud, 1, 2, {.indexedDims = k})) {
      QCOMPARE(error.message.empty(), good);
      if (!good) QCOMPARE(error.kind, ErrorKind::BadCall);
    }
  }

  void whatACpuCannotExpress_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("threads per point") << 0;
    QTest::newRow("no threads per point") << 1;
    QTest::newRow("three threads per point") << 2;
    QTest::newRow("streams") << 3;
    QTest::newRow("block size") << 4;
  }
  void whatACpuCannotExpress() {
    QFETCH(int, which);
    Strategy strategy;
    if (which == 0) strategy.threadsPerPoint = 8;
    if (which == 1) strategy.threadsPerPoint = 0;
    if (which == 2) strategy.threadsPerPoint = 3;
    if (which == 3) strategy.streams = 3;
    if (which == 4) strategy.blockSize = 256;
    for (const Error& error : errorsOf(draws::fromRows({{0}, {1}}), 1, 2, strategy)) {
      QCOMPARE(error.kind, ErrorKind::BadCall);
      QVERIFY(error.message.size() > 10);
    }
  }

  // The engine's table of legal combinations against the rules written down in strategies.h.
  void legalCombinations() {
    const PointCloud cloud = draws::fromRows({{0, 0}, {1, 1}});
    int refused = 0, done = 0;
    const auto all = strategies::all(2);
    // One in seven, which shares no factor with the number of values of any option.
    for (std::size_t i = 0; i < all.size(); i += 7) {
      const Strategy& strategy = all[i];
      const auto errors = errorsOf(cloud, 1, 2, strategy);
      for (std::size_t call = 0; call < errors.size(); ++call) {
        const bool legal = strategies::legal(
            strategy, call == 0 ? strategies::For::Dbscan : strategies::For::Join);
        QVERIFY2(errors[call].message.empty() == legal, strategies::text(strategy).c_str());
        if (!legal) QCOMPARE(errors[call].kind, ErrorKind::BadCall);
        (legal ? done : refused) += 1;
      }
    }
    QVERIFY(refused > 100 && done > 100);
  }

  void otherMethodsThanTheGrid() {
    const PointCloud cloud = draws::fromRows({{0, 0}, {1, 1}});
    constexpr BackendLimits kGpu{.name = "gpu",
                                 .threadGroups = true,
                                 .singlePrecision = true,
                                 .gDbscan = true,
                                 .products = true};
    int refused = 0, done = 0;
    for (const Strategy& strategy : strategies::otherMethods()) {
      const auto errors = errorsOf(cloud, 1, 2, strategy);
      for (std::size_t call = 0; call < errors.size(); ++call) {
        const auto use = call == 0 ? strategies::For::Dbscan : strategies::For::Join;
        const bool legal = strategies::legal(strategy, use);
        QVERIFY2(errors[call].message.empty() == legal, strategies::text(strategy).c_str());
        if (!legal) QCOMPARE(errors[call].kind, ErrorKind::BadCall);
        (legal ? done : refused) += 1;
      }
      for (const auto sink :
           {SinkKind::Counts, SinkKind::Pairs, SinkKind::NeighbourTable, SinkKind::Dbscan}) {
        const auto use = sink == SinkKind::Dbscan ? strategies::For::Dbscan : strategies::For::Join;
        QVERIFY2(checkStrategy(strategy, sink, kGpu, 2).has_value() ==
                     strategies::legal(strategy, use, true),
                 strategies::text(strategy).c_str());
      }
    }
    // Through each of four calls: brute force, R-tree, k-d tree, products, both of EGO in two
    // precisions, and New-Super-EGO in order of workload.
    QCOMPARE(done, 36);
    QVERIFY(refused > 200);
    // The message says what to do.
    const auto says = [&](const Strategy& strategy, const char* words) {
      return errorsOf(cloud, 1, 2, strategy).front().message.find(words) != std::string::npos;
    };
    QVERIFY(says({.method = Method::GDbscanShared}, "for GPUs"));
    QVERIFY(says({.method = Method::BruteForce, .indexedDims = 2}, "indexed dimensions"));
  }

  void refusesPairsBeyondMemory() {
    // n points in one place have n² pairs.
    const double memory = static_cast<double>(availableMemory());
    const auto n = static_cast<std::size_t>(std::sqrt(2 * memory / sizeof(Pair)));
    if (n > 100000) QSKIP("so much memory that counting the pairs would take long");
    const PointCloud cloud = draws::fromRows(std::vector<std::vector<double>>(n, {1.0}));
    const auto pairs = cpu()->pairs(cloud, 1, {}, {});
    QVERIFY(!pairs);
    QCOMPARE(pairs.error().kind, ErrorKind::TooLarge);
    QVERIFY2(pairs.error().message.find(std::to_string(n * n)) != std::string::npos,
             pairs.error().message.c_str());
  }

  void backendsByName() {
    QVERIFY(makeBackend("cpu", {}).has_value());
    QVERIFY(makeBackend("auto", {}).has_value());
    QCOMPARE(makeBackend("abacus", {}).error().kind, ErrorKind::BadCall);
    QCOMPARE(makeBackend("", {}).error().kind, ErrorKind::BadCall);
    QVERIFY(!makeBackend("cpu", {.threads = -1}));
    const auto names = availableBackends();
    QVERIFY(std::find(names.begin(), names.end(), "cpu") != names.end());
    // A backend of this build may lack its device here; then it says so.
    for (const std::string& name : names) {
      const auto made = makeBackend(name, {});
      QVERIFY2(made || (name != "cpu" && made.error().kind == ErrorKind::Unavailable &&
                        made.error().message.size() > 10),
               name.c_str());
    }
    for (const char* name : {"cuda", "hybrid"})
      if (std::find(names.begin(), names.end(), name) == names.end())
        QCOMPARE(makeBackend(name, {}).error().kind, ErrorKind::Unavailable);
  }
};

APPLESS_TEST(TestBadCalls);
#include "tst_bad_calls.moc"
