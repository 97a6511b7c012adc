// The choice of the batch size by earlier runs, the file that keeps them, and a backend that
// learns: a stand-in for a GPU reports a timeline that follows the model, so that the prediction is
// known.
#include <QtTest/QtTest>

#include <cmath>
#include <fstream>
#include <string>

#include "engine/batch_history.h"
#include "engine/joins_by.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kJoining = 0.5;    // T1 of the stand-in, seconds at 6,000,000 pairs
constexpr double kPerBatch = 0.01;  // θ
constexpr double kLocking = 0.03;   // T2 of a new backend, whatever b_s
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

// The same with 0.01 s a million pairs of a batch until each of the three streams has its buffers.
BatchRun withBuffers(BatchRun run) {
  run.buffers = 1e-8 * static_cast<double>(run.pairs) / static_cast<double>(run.batches);
  run.seconds += 3 * run.buffers;
  return run;
}

/// Makes tables of 6,000,000 · ε² pairs that hold nothing, in batches, in the time of the model.
class StandIn final : public JoinsBy<StandIn> {
 public:
  std::string_view name() const override { return "stand-in"; }
  BackendLimits limits() const override { return {.name = "stand-in", .threadGroups = true}; }
  std::string describe() const override { return "GPU\tof a test"; }
  template <class T>
  Result<T> join(const JoinCall<T>&) const {
    return T{};
  }
  Result<PairList> join(const JoinCall<PairList>&) const {
    return fail(ErrorKind::Cancelled, "stopped");
  }
  Result<Clustering> join(const JoinCall<Clustering>& call) const {
    Clustering clustering;
    clustering.stats.batches = call.strategy.batchPairs;
    return clustering;
  }
  Result<NeighbourTable> join(const JoinCall<NeighbourTable>& call) const {
    NeighbourTable table;
    const auto pairs = static_cast<std::uint64_t>(6e6 * call.eps * call.eps);
    const std::uint64_t size = call.strategy.batchPairs > 0 ? call.strategy.batchPairs : kStandard;
    const std::uint64_t batches = std::max<std::uint64_t>(1, (pairs + size - 1) / size);
    for (std::uint64_t b = 0; b < batches; ++b)
      table.stats.timeline.push_back(
          {.stream = static_cast<int>(b % 3), .pairs = pairs / batches + (b < pairs % batches)});
    table.stats.streamsReady = used_ ? 0 : 3 * kLocking;
    used_ = true;
    table.stats.seconds.join = runOf(call.eps, pairs, batches).seconds + table.stats.streamsReady;
    return table;
  }
  Result<LoadReport> load(const PointCloud&, double, const Strategy&, const LoadRequest&,
                          const Task&) const override {
    return LoadReport{};
  }

 private:
  mutable bool used_ = false;
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
    QVERIFY(std::abs(same.prediction->predicted - (kJoining + 3 * kPerBatch)) < 1e-9);
    // Twice the ε is four times the pairs in two dimensions.
    const BatchChoice wider = chooseBatch(runs, {"GPU", "table", 2, 2});
    QCOMPARE(wider.batchPairs, std::uint64_t{8'000'000});
    QVERIFY(std::abs(wider.prediction->predicted - (4 * kJoining + 3 * kPerBatch)) < 1e-9);
    QCOMPARE(wider.prediction->volume, 4.0);
    // Where an ε was measured its pairs count, not the volume.
    std::vector<BatchRun> more = runs;
    more.push_back(runOf(2, 9'000'000, 5));
    QCOMPARE(chooseBatch(more, {"GPU", "table", 2, 2}).batchPairs, std::uint64_t{3'000'000});
  }

  // What a stream's buffers take bounds the batch: θ·c/b + S·t·b is least at b = √(θ·c/(S·t)).
  void buffersAreWeighed() {
    const std::vector<BatchRun> runs{withBuffers(runOf(1, 6'000'000, 10)),
                                     withBuffers(runOf(1, 6'000'000, 40))};
    const BatchChoice choice = chooseBatch(runs, {"GPU", "table", 1, 2});
    QVERIFY(choice.prediction.has_value());
    const BatchPrediction& model = *choice.prediction;
    QVERIFY(std::abs(model.joining - kJoining) < 1e-9);
    QVERIFY(std::abs(model.perBatch - kPerBatch) < 1e-9);
    QCOMPARE(model.streams, 3);
    // √(0.01 · 6·10⁶ / (3 · 10⁻⁸)) = 1.41 million pairs: 4 or 5 batches.
    QVERIFY(model.batches == 4 || model.batches == 5);
    const double pairs = static_cast<double>(choice.batchPairs);
    QVERIFY(std::abs(model.buffers - 1e-8 * pairs) < 1e-7);
    QVERIFY(std::abs(model.predicted - (kJoining + model.batches * kPerBatch + 3e-8 * pairs)) <
            1e-6);
  }

  // A batch size of the caller's own is predicted as well, with the batches that the engine makes.
  void predictsWhatIsAskedFor() {
    const std::vector<BatchRun> runs{withBuffers(runOf(1, 6'000'000, 10)),
                                     withBuffers(runOf(1, 6'000'000, 40))};
    const auto asked = [&](std::uint64_t size) {
      return chooseBatch(runs, {"GPU", "table", 1, 2, size});
    };
    const BatchChoice small = asked(300'000);
    QCOMPARE(small.batchPairs, std::uint64_t{300'000});
    QCOMPARE(small.note, std::string());
    QCOMPARE(small.prediction->batches, 20.0);
    QVERIFY(std::abs(small.prediction->predicted - (kJoining + 20 * kPerBatch + 3 * 0.003)) < 1e-6);
    QCOMPARE(asked(1'000'000'000).prediction->batches, 3.0);
    QVERIFY(!chooseBatch({}, {"GPU", "table", 1, 2, 300'000}).prediction.has_value());
  }

  void saysWhyItDoesNotChoose() {
    const auto note = [](const std::vector<BatchRun>& runs, const BatchWork& work) {
      const BatchChoice choice = chooseBatch(runs, work);
      return choice.batchPairs == 0 && !choice.prediction ? choice.note : "chosen";
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
    QVERIFY(!choice.prediction.has_value());
  }

  void keepsRunsInAFile() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("new/folder/runs").toStdString();
    QVERIFY(readBatchHistory(path).runs.empty());
    QVERIFY(readBatchHistory(path).remark.empty());
    const std::vector<BatchRun> runs{runOf(0.1, 123, 10),
                                     withBuffers(runOf(1e-5, 6'000'000'000'000, 40))};
    QVERIFY(writeBatchHistory(path, runs).has_value());
    QVERIFY(readBatchHistory(path).runs == runs);
    QVERIFY(writeBatchHistory(path, std::vector<BatchRun>(1000, runs[0])).has_value());
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{400});
    QVERIFY(!writeBatchHistory("/proc/no/such/file", runs).has_value());
  }

  void ignoresBadContent_data() {
    QTest::addColumn<QByteArray>("content");
    const QByteArray first = "clusterloom batch runs 2\n";
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("another file") << QByteArray("a,b\n1,2\n");
    QTest::newRow("a later version") << QByteArray("clusterloom batch runs 3\n");
    QTest::newRow("too few fields") << first + "GPU\ttable\t1\t5\t2\t3\t1\n";
    QTest::newRow("too many fields") << first + "GPU\ttable\t1\t5\t2\t3\t1\t1\t1\n";
    QTest::newRow("no number") << first + "GPU\ttable\tx\t5\t2\t3\t1\t0\n";
    QTest::newRow("not finite") << first + "GPU\ttable\tnan\t5\t2\t3\t1\t0\n";
    QTest::newRow("infinite time") << first + "GPU\ttable\t1\t5\t2\t3\tinf\t0\n";
    QTest::newRow("buffers before the start") << first + "GPU\ttable\t1\t5\t2\t3\t1\t-1\n";
    QTest::newRow("no streams") << first + "GPU\ttable\t1\t5\t2\t0\t1\t0\n";
    QTest::newRow("one batch") << first + "GPU\ttable\t1\t5\t1\t3\t1\t0\n";
    QTest::newRow("cut off") << first + "GPU\ttable\t1\t5\t2\t3\t1\t0\nGPU\ttab";
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

  // First the standard size, then half of it, then by the model, which the stand-in follows. The
  // first run of a backend takes memory and teaches nothing of the others.
  void aBackendLearns() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("cache/runs").toStdString();
    PointCloud cloud;
    cloud.columns = {{0, 1}, {0, 1}};
    const auto backend = withBatchHistory(std::make_unique<StandIn>(), path);
    const auto table = [&](double eps, const Strategy& strategy = {}) {
      return backend->neighbourTable(cloud, eps, strategy, {})->stats;
    };
    QCOMPARE(table(2).timeline.size(), std::size_t{12});
    const RunStats first = table(2);
    QCOMPARE(first.timeline.size(), std::size_t{12});
    QVERIFY(first.predictions.empty());
    QVERIFY(first.note.find("standard batch size") != std::string::npos);
    const RunStats second = table(2);
    QCOMPARE(second.timeline.size(), std::size_t{24});
    QVERIFY(second.note.find("Half the batch size") != std::string::npos);
    const auto isPredicted = [](const RunStats& stats, double buffers) {
      if (stats.predictions.size() != 1) return false;
      const BatchPrediction& told = stats.predictions.front();
      return told.join == "table" && told.measured == stats.seconds.join &&
             std::abs(told.predicted - told.measured) < 1e-9 &&
             std::abs(told.joining * told.volume + told.perBatch * told.batches +
                      told.streams * told.buffers - told.predicted) < 1e-9 &&
             std::abs(told.buffers - buffers) < 1e-9;
    };
    const RunStats third = table(2);
    QCOMPARE(third.timeline.size(), std::size_t{3});
    QVERIFY(isPredicted(third, 0));
    const RunStats wider = table(3);
    QCOMPARE(wider.timeline.size(), std::size_t{3});
    QVERIFY(isPredicted(wider, 0));
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{5});
    // A size of the caller's own stays, is predicted and is learnt from.
    const RunStats asked = table(2, {.batchPairs = 4'000'000});
    QCOMPARE(asked.timeline.size(), std::size_t{6});
    QVERIFY(isPredicted(asked, 0));
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{6});
    // What fails, or was done at once, is not kept; DBSCAN is passed on.
    QVERIFY(!backend->pairs(cloud, 2, {}, {}).has_value());
    const RunStats once = table(0.1);
    QCOMPARE(once.timeline.size(), std::size_t{1});
    QVERIFY(once.predictions.empty());
    QCOMPARE(backend->dbscan(cloud, {.eps = 2, .minPts = 1}, {}, {})->stats.batches,
             std::uint64_t{0});
    QCOMPARE(readBatchHistory(path).runs.size(), std::size_t{6});

    // A call of the command line is always the first run of its backend.
    const auto call = [&] {
      return withBatchHistory(std::make_unique<StandIn>(), path)
          ->neighbourTable(cloud, 2, {}, {})
          ->stats;
    };
    QCOMPARE(call().timeline.size(), std::size_t{24});
    QVERIFY(isPredicted(call(), kLocking));
  }

  void theFileIsInTheCacheFolder() {
    const QByteArray cache = qgetenv("XDG_CACHE_HOME");
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", "/people/one");
    qputenv("XDG_CACHE_HOME", "/caches");
    QCOMPARE(batchHistoryFile(), std::string("/caches/clusterloom/batch-runs"));
    qputenv("XDG_CACHE_HOME", "not/absolute");
    QCOMPARE(batchHistoryFile(), std::string("/people/one/.cache/clusterloom/batch-runs"));
    qunsetenv("HOME");
    QCOMPARE(batchHistoryFile(), std::string());
    qputenv("HOME", home);
    qputenv("XDG_CACHE_HOME", cache);
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
