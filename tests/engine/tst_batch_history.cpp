// The choice of the batch size by earlier runs, the file that keeps them, and a backend that
// learns: a stand-in for a GPU reports a timeline that follows the model, so that the prediction is
// known.
#include <QtTest/QtTest>

#include <cmath>
#include <fstream>
#include <string>

#include "engine/batch_history.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kJoining = 0.5;    // T1 of the stand-in, seconds at 6,000,000 pairs
constexpr double kPerBatch = 0.01;  // θ
constexpr std::uint64_t kStandard = 2'000'000;

BatchRun runOf(double eps, std::uint64_t pairs, std::uint64_t batches) {
  return {.machine = "GPU",
          .work = "table",
          .eps = eps,
          .pairs = pairs,
          .batches = batches,
          .streams = 3,
          .seconds = kJoining * static_cast<double>(pairs) / 6e6 +
                     kPerBatch * static_cast<double>(batches)};
}

/// Makes tables of 6,000,000 · ε² pairs that hold nothing, in batches, in the time of the model.
class StandIn final : public Backend {
 public:
  std::string_view name() const override { return "stand-in"; }
  BackendLimits limits() const override { return {.name = "stand-in", .threadGroups = true}; }
  std::string describe() const override { return "GPU\tof a test"; }
  Result<NeighbourCounts> count(const JoinInput&, double, const Strategy&,
                                const Task&) const override {
    return NeighbourCounts{};
  }
  Result<PairList> pairs(const JoinInput&, double, const Strategy&, const Task&) const override {
    return fail(ErrorKind::Cancelled, "stopped");
  }
  Result<NeighbourTable> neighbourTable(const JoinInput&, double eps, const Strategy& strategy,
                                        const Task&) const override {
    NeighbourTable table;
    const auto pairs = static_cast<std::uint64_t>(6e6 * eps * eps);
    const std::uint64_t size = strategy.batchPairs > 0 ? strategy.batchPairs : kStandard;
    const std::uint64_t batches = std::max<std::uint64_t>(1, (pairs + size - 1) / size);
    for (std::uint64_t b = 0; b < batches; ++b)
      table.stats.timeline.push_back(
          {.stream = static_cast<int>(b % 3), .pairs = pairs / batches + (b < pairs % batches)});
    table.stats.seconds.join = runOf(eps, pairs, batches).seconds;
    return table;
  }
  Result<DistanceHistogram> histogram(const JoinInput&, double, int, const Strategy&,
                                      const Task&) const override {
    return DistanceHistogram{};
  }
  Result<LowestLabels> lowestLabels(const JoinInput&, std::span<const std::int32_t>, double,
                                    const Strategy&, const Task&) const override {
    return LowestLabels{};
  }
  Result<Clustering> dbscan(const JoinInput&, const DbscanParams&, const Strategy& strategy,
                            const Task&) const override {
    Clustering clustering;
    clustering.stats.batches = strategy.batchPairs;
    return clustering;
  }
  Result<LoadReport> load(const PointCloud&, double, const Strategy&, const LoadRequest&,
                          const Task&) const override {
    return LoadReport{};
  }
};

}  // namespace

class TestBatchHistory : public QObject {
  Q_OBJECT

 private slots:
  void choosesTheLeastPredictedTime() {
    const std::vector<BatchRun> runs{runOf(1, 6'000'000, 10), runOf(1, 6'000'000, 40)};
    const BatchChoice same = chooseBatch(runs, {"GPU", "table", 1, 2});
    // Batches only cost here: as few as there are streams.
    QCOMPARE(same.batchPairs, std::uint64_t{2'000'000});
    QVERIFY(std::abs(same.predicted - (kJoining + 3 * kPerBatch)) < 1e-9);
    // Twice the ε is four times the pairs in two dimensions.
    const BatchChoice wider = chooseBatch(runs, {"GPU", "table", 2, 2});
    QCOMPARE(wider.batchPairs, std::uint64_t{8'000'000});
    QVERIFY(std::abs(wider.predicted - (4 * kJoining + 3 * kPerBatch)) < 1e-9);
    // Where an ε was measured its pairs count, not the volume.
    std::vector<BatchRun> more = runs;
    more.push_back(runOf(2, 9'000'000, 5));
    QCOMPARE(chooseBatch(more, {"GPU", "table", 2, 2}).batchPairs, std::uint64_t{3'000'000});
  }

  void saysWhyItDoesNotChoose() {
    const auto note = [](const std::vector<BatchRun>& runs, const BatchWork& work) {
      const BatchChoice choice = chooseBatch(runs, work);
      return choice.batchPairs == 0 && choice.predicted == 0 ? choice.note : "chosen";
    };
    const BatchWork work{"GPU", "table", 1, 2};
    const std::vector<BatchRun> one{runOf(1, 6'000'000, 10)};
    QVERIFY(note({}, work).find("No earlier") != std::string::npos);
    QVERIFY(note(one, {"another GPU", "table", 1, 2}).find("No earlier") != std::string::npos);
    QVERIFY(note(one, {"GPU", "other work", 1, 2}).find("No earlier") != std::string::npos);
    QVERIFY(note(one, {"GPU", "table", 2, 2}).find("too few") != std::string::npos);
    // Repeated runs that differ by more than the batches do.
    std::vector<BatchRun> noisy{runOf(1, 6'000'000, 10), runOf(1, 6'000'000, 12),
                                runOf(1, 6'000'000, 10)};
    noisy.back().seconds += 0.3;
    QVERIFY(note(noisy, work).find("noise") != std::string::npos);
  }

  void asksForAnotherSizeOnce() {
    const std::vector<BatchRun> one{runOf(1, 6'000'000, 10)};
    const BatchChoice choice = chooseBatch(one, {"GPU", "table", 1, 2});
    QCOMPARE(choice.batchPairs, std::uint64_t{300'000});
    QCOMPARE(choice.predicted, 0.0);
  }

  void keepsRunsInAFile() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("new/folder/runs").toStdString();
    QVERIFY(readBatchHistory(path).runs.empty());
    QVERIFY(readBatchHistory(path).remark.empty());
    const std::vector<BatchRun> runs{runOf(0.1, 123, 10), runOf(1e-5, 6'000'000'000'000, 40)};
    QVERIFY(writeBatchHistory(path, runs).has_value());
    QVERIFY(readBatchHistory(path).runs == runs);
    QVERIFY(writeBatchHistory(path, std::vector<BatchRun>(1000, runs[0])).has_value());
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{400});
    QVERIFY(!writeBatchHistory("/proc/no/such/file", runs).has_value());
  }

  void ignoresBadContent_data() {
    QTest::addColumn<QByteArray>("content");
    const QByteArray first = "clusterloom batch runs 1\n";
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("another file") << QByteArray("a,b\n1,2\n");
    QTest::newRow("a later version") << QByteArray("clusterloom batch runs 2\n");
    QTest::newRow("too few fields") << first + "GPU\ttable\t1\t5\t2\t3\n";
    QTest::newRow("too many fields") << first + "GPU\ttable\t1\t5\t2\t3\t1\t1\n";
    QTest::newRow("no number") << first + "GPU\ttable\tx\t5\t2\t3\t1\n";
    QTest::newRow("not finite") << first + "GPU\ttable\tnan\t5\t2\t3\t1\n";
    QTest::newRow("infinite time") << first + "GPU\ttable\t1\t5\t2\t3\tinf\n";
    QTest::newRow("no streams") << first + "GPU\ttable\t1\t5\t2\t0\t1\n";
    QTest::newRow("one batch") << first + "GPU\ttable\t1\t5\t1\t3\t1\n";
    QTest::newRow("cut off") << first + "GPU\ttable\t1\t5\t2\t3\t1\nGPU\ttab";
    QTest::newRow("too large") << first + QByteArray(2 << 20, 'x');
  }
  void ignoresBadContent() {
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("runs").toStdString();
    std::ofstream(path) << content.toStdString();
    const BatchHistory history = readBatchHistory(path);
    QVERIFY(history.runs.empty());
    QVERIFY(history.remark.find("ignored") != std::string::npos);
    QVERIFY(!readBatchHistory(folder.path().toStdString()).remark.empty());
  }

  // First the standard size, then half of it, then by the model, which the stand-in follows.
  void aBackendLearns() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("cache/runs").toStdString();
    const auto backend = withBatchHistory(std::make_unique<StandIn>(), path);
    PointCloud cloud;
    cloud.columns = {{0, 1}, {0, 1}};
    const auto table = [&](double eps, const Strategy& strategy = {}) {
      return backend->neighbourTable(cloud, eps, strategy, {})->stats;
    };
    const RunStats first = table(2);
    QCOMPARE(first.timeline.size(), std::size_t{12});
    QCOMPARE(first.predictedJoin, 0.0);
    QVERIFY(first.note.find("standard batch size") != std::string::npos);
    const RunStats second = table(2);
    QCOMPARE(second.timeline.size(), std::size_t{24});
    QVERIFY(second.note.find("Half the batch size") != std::string::npos);
    const RunStats third = table(2);
    QCOMPARE(third.timeline.size(), std::size_t{3});
    QVERIFY(std::abs(third.predictedJoin - third.seconds.join) < 1e-9);
    const RunStats wider = table(3);
    QCOMPARE(wider.timeline.size(), std::size_t{3});
    QVERIFY(std::abs(wider.predictedJoin - wider.seconds.join) < 1e-9);
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{4});
    // A size of the caller's own stays, and is learnt from.
    const RunStats asked = table(2, {.batchPairs = 4'000'000});
    QCOMPARE(asked.timeline.size(), std::size_t{6});
    QCOMPARE(asked.predictedJoin, 0.0);
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{5});
    // What fails, or was done at once, is not kept; DBSCAN is passed on.
    QVERIFY(!backend->pairs(cloud, 2, {}, {}).has_value());
    QCOMPARE(table(0.1).timeline.size(), std::size_t{1});
    QCOMPARE(backend->dbscan(cloud, {.eps = 2, .minPts = 1}, {}, {})->stats.batches,
             std::uint64_t{0});
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{5});
  }

  void aFileThatCannotBeUsedFailsNoRun() {
    const auto backend = withBatchHistory(std::make_unique<StandIn>(), "/proc/no/such/file");
    PointCloud cloud;
    cloud.columns = {{0, 1}};
    const auto table = backend->neighbourTable(cloud, 2, {}, {});
    QVERIFY(table.has_value());
    QVERIFY(table->stats.note.find("could not be kept") != std::string::npos);
  }
};

APPLESS_TEST(TestBatchHistory);
#include "tst_batch_history.moc"
