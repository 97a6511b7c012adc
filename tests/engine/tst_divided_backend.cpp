// DBSCAN divided between ranks of this process: which device and threads each rank gets, the labels
// and roles of one backend, and the record of what each rank did.
#include <QtTest/QtTest>

#include <algorithm>
#include <set>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/run_stats.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/distributed/divided_backend.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/rank_record.h"
#include "engine/forwarding_backend.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// A CPU backend that says which GPU it stands for.
class StandIn final : public ForwardingBackend {
 public:
  StandIn(int device, int devices)
      : ForwardingBackend(makeCpuBackend(1)), device_(device), devices_(devices) {}
  std::string describe() const override { return "GPU " + std::to_string(device_); }
  std::vector<GpuDevice> devices() const override {
    std::vector<GpuDevice> all;
    for (int d = 0; d < devices_; ++d) all.push_back({.number = d, .name = "stand-in"});
    return all;
  }

 private:
  int device_;
  int devices_;
};

// A machine with `gpus` GPUs; keeps every call.
struct Machine {
  int gpus = 0;
  std::vector<BackendOptions> calls = {};

  MakeBackend maker() {
    return [this](const std::string& name,
                  const BackendOptions& options) -> Result<std::unique_ptr<Backend>> {
      calls.push_back(options);
      if (name == "cuda" && gpus == 0) return fail(ErrorKind::Unavailable, "No GPU answers.");
      if (options.device >= gpus) return fail(ErrorKind::Unavailable, "There is no such GPU.");
      return std::make_unique<StandIn>(std::max(0, options.device), gpus);
    };
  }
};

QString devicesOf(const LocalRanks& ranks) {
  QStringList all;
  for (const auto& backend : ranks.backends) all << QString::fromStdString(backend->describe());
  return all.join(',').remove("GPU ");
}

// Ranks on devices that answer, fail, or leave the run to others.
class StandInRanks final : public RanksOnDevices {
 public:
  explicit StandInRanks(Result<std::optional<Clustering>> answer, PartOnDevices part = {})
      : answer_(std::move(answer)), part_(std::move(part)) {}
  Result<std::optional<Clustering>> dbscan(const JoinInput&, const DbscanParams&, const Strategy&,
                                           const Task&) const override {
    return answer_;
  }
  Result<PartOnDevices> dbscanOfPart(Communicator&, const PointCloud&, const DbscanParams&,
                                     const Strategy&, const DistributedOptions&,
                                     const Task&) const override {
    return part_;
  }

 private:
  Result<std::optional<Clustering>> answer_;
  PartOnDevices part_;
};

PointCloud cloudOf(const char* kind, std::uint64_t points, std::size_t dims) {
  return generate({.kind = kind, .points = points, .dims = dims, .seed = 11}).value().cloud;
}

}  // namespace

class TestDividedBackend : public QObject {
  Q_OBJECT

 private slots:
  void devices_data();
  void devices();
  void threads();
  void refused_data();
  void refused();
  void labelsAndRolesOfOne_data();
  void labelsAndRolesOfOne();
  void pointsOnDevices();
  void partsOnDevices();
  void madeByName();
  void record();
  void recordOfWaiting();
  void badClouds();
  void stops();
};

void TestDividedBackend::devices_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("gpus");
  QTest::addColumn<int>("ranks");
  QTest::addColumn<QList<int>>("named");
  QTest::addColumn<bool>("all");
  QTest::addColumn<QString>("taken");
  QTest::newRow("two named") << "cuda" << 4 << 0 << QList<int>{1, 3} << false << "1,3";
  QTest::newRow("in the order of the call")
      << "cuda" << 4 << 0 << QList<int>{2, 0} << false << "2,0";
  QTest::newRow("one named") << "auto" << 4 << 0 << QList<int>{2} << false << "2";
  QTest::newRow("all") << "auto" << 3 << 0 << QList<int>{} << true << "0,1,2";
  QTest::newRow("more ranks than named")
      << "cuda" << 4 << 5 << QList<int>{1, 2} << false << "1,2,1,2,1";
  QTest::newRow("fewer ranks than named") << "cuda" << 4 << 1 << QList<int>{3, 2} << false << "3";
  QTest::newRow("ranks take all in turn") << "auto" << 2 << 3 << QList<int>{} << false << "0,1,0";
  QTest::newRow("one GPU for all ranks") << "auto" << 1 << 3 << QList<int>{} << false << "0,0,0";
  QTest::newRow("one a device") << "auto" << 2 << int(kRankADevice) << QList<int>{} << true
                                << "0,1";
}

void TestDividedBackend::devices() {
  QFETCH(QString, name);
  QFETCH(int, gpus);
  QFETCH(int, ranks);
  QFETCH(QList<int>, named);
  QFETCH(bool, all);
  QFETCH(QString, taken);
  Machine machine{.gpus = gpus};
  BackendOptions options;
  options.ranks = ranks;
  options.devices = {named.begin(), named.end()};
  options.allDevices = all;
  const auto made = makeLocalRanks(name.toStdString(), options, machine.maker());
  QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
  QCOMPARE(devicesOf(*made), taken);
  QStringList numbers;
  for (const int device : made->devices) numbers << QString::number(device);
  QCOMPARE(numbers.join(','), taken);
  for (const BackendOptions& call : machine.calls)
    QVERIFY(call.devices.empty() && !call.allDevices && call.ranks == 0);
}

void TestDividedBackend::threads() {
  Machine machine{.gpus = 2};
  BackendOptions options;
  options.threads = 7;
  options.ranks = 3;
  const auto made = makeLocalRanks("auto", options, machine.maker());
  QCOMPARE(made->threadsEach, 2);
  for (const BackendOptions& call : machine.calls) QCOMPARE(call.threads, 2);
  options.ranks = 9;
  QCOMPARE(makeLocalRanks("auto", options, machine.maker())->threadsEach, 1);
}

void TestDividedBackend::refused_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("gpus");
  QTest::addColumn<int>("device");
  QTest::addColumn<QList<int>>("named");
  QTest::addColumn<QString>("message");
  QTest::newRow("twice") << "cuda" << 2 << -1 << QList<int>{1, 0, 1} << "names GPU 1 twice";
  QTest::newRow("on the CPU") << "cpu" << 2 << -1 << QList<int>{0} << "not cpu; choose auto";
  QTest::newRow("both options") << "cuda" << 2 << 0 << QList<int>{1} << "not by both";
  QTest::newRow("a GPU that is not there")
      << "cuda" << 2 << -1 << QList<int>{0, 2} << "Several GPUs (--devices) need the backend cuda";
  QTest::newRow("all of none") << "auto" << 0 << -1 << QList<int>{}
                               << "Several GPUs (--devices) need the backend cuda";
}

void TestDividedBackend::refused() {
  QFETCH(QString, name);
  QFETCH(int, gpus);
  QFETCH(int, device);
  QFETCH(QList<int>, named);
  QFETCH(QString, message);
  Machine machine{.gpus = gpus};
  BackendOptions options;
  options.device = device;
  options.devices = {named.begin(), named.end()};
  options.allDevices = named.isEmpty();
  const auto made = makeLocalRanks(name.toStdString(), options, machine.maker());
  QVERIFY(!made);
  QVERIFY2(QString::fromStdString(made.error().message).contains(message),
           made.error().message.c_str());
}

void TestDividedBackend::labelsAndRolesOfOne_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("points");
  QTest::addColumn<int>("dims");
  QTest::addColumn<double>("eps");
  QTest::addColumn<int>("minPts");
  QTest::newRow("shapes") << "shapes" << 3000 << 2 << 1.5 << 6;
  QTest::newRow("lattice") << "lattice" << 900 << 2 << 1.0 << 4;
  QTest::newRow("blobs") << "blobs" << 4000 << 3 << 0.6 << 8;
  QTest::newRow("uniform, mostly noise") << "unif" << 2000 << 4 << 9.0 << 5;
  QTest::newRow("one point") << "unif" << 1 << 2 << 1.0 << 1;
  QTest::newRow("fewer points than ranks") << "unif" << 5 << 2 << 60.0 << 2;
  QTest::newRow("one cluster of all") << "unif" << 2000 << 2 << 500.0 << 3;
}

void TestDividedBackend::labelsAndRolesOfOne() {
  QFETCH(QString, kind);
  QFETCH(int, points);
  QFETCH(int, dims);
  QFETCH(double, eps);
  QFETCH(int, minPts);
  const PointCloud cloud = cloudOf(kind.toUtf8().constData(), static_cast<std::uint64_t>(points),
                                   static_cast<std::size_t>(dims));
  const DbscanParams params{eps, minPts};
  const auto expected = makeCpuBackend(1)->dbscan(cloud, params, {}, {});
  QVERIFY(expected.has_value());
  for (const int ranks : {1, 2, 3, 5, 8}) {
    LocalRanks several;
    for (int r = 0; r < ranks; ++r) several.backends.push_back(makeCpuBackend(1));
    const auto divided = makeDividedBackend(makeCpuBackend(1), std::move(several));
    const auto found = divided->dbscan(cloud, params, {}, {});
    QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
    QCOMPARE(found->labels, expected->labels);
    QVERIFY(found->roles == expected->roles);
    QCOMPARE(found->clusters, expected->clusters);
    QCOMPARE(found->coreCount, expected->coreCount);
    QCOMPARE(found->borderCount, expected->borderCount);
    QCOMPARE(found->noiseCount, expected->noiseCount);
    QCOMPARE(found->params.minPts, minPts);
    QCOMPARE(found->stats.ranks.size(), static_cast<std::size_t>(ranks));
    std::uint64_t owned = 0;
    for (std::size_t r = 0; r < found->stats.ranks.size(); ++r) {
      owned += found->stats.ranks[r].points;
      QCOMPARE(static_cast<std::uint64_t>(
                   std::count(found->stats.owners->begin(), found->stats.owners->end(), r)),
               found->stats.ranks[r].points);
    }
    QCOMPARE(owned, cloud.size());
  }
}

// Ranks with devices keep the points there; what they cannot do goes through host memory, and the
// note says so.
void TestDividedBackend::pointsOnDevices() {
  const PointCloud cloud = cloudOf("shapes", 500, 2);
  const auto dbscan = [&](Result<std::optional<Clustering>> answer) {
    LocalRanks ranks;
    for (int r = 0; r < 2; ++r) ranks.backends.push_back(makeCpuBackend(1));
    ranks.onDevices = std::make_unique<StandInRanks>(std::move(answer));
    return makeDividedBackend(makeCpuBackend(1), std::move(ranks))->dbscan(cloud, {1.5, 6}, {}, {});
  };
  const auto expected = makeCpuBackend(1)->dbscan(cloud, {1.5, 6}, {}, {});
  QVERIFY(expected.has_value());

  Clustering there;
  there.clusters = 77;
  const auto done = dbscan(std::optional(there));
  QVERIFY(done.has_value());
  QCOMPARE(done->clusters, 77);

  const auto left = dbscan(std::optional<Clustering>());
  QVERIFY(left.has_value());
  QCOMPARE(left->labels, expected->labels);
  QCOMPARE(left->stats.note, std::string());

  for (const ErrorKind kind : {ErrorKind::TooLarge, ErrorKind::Unavailable}) {
    const auto instead = dbscan(fail(kind, "The GPU is too small."));
    QVERIFY(instead.has_value());
    QCOMPARE(instead->labels, expected->labels);
    QCOMPARE(instead->stats.note, std::string("The GPU is too small. The points were moved through "
                                              "host memory."));
  }

  const auto stopped = dbscan(fail(ErrorKind::Cancelled, "stopped"));
  QVERIFY(!stopped.has_value());
  QCOMPARE(int(stopped.error().kind), int(ErrorKind::Cancelled));
}

// The same for ranks that have parts of the cloud.
void TestDividedBackend::partsOnDevices() {
  const auto communicators = makeLocalCommunicators(1);
  const PointCloud cloud = cloudOf("shapes", 10, 2);
  const auto dbscan = [&](const RanksOnDevices* onDevices) {
    return dbscanOfPart(onDevices, *communicators[0], cloud, {1.5, 6}, {}, {}, {}, [] {
      DistributedClustering onHost;
      onHost.clusters = 5;
      return Result<DistributedClustering>(onHost);
    });
  };
  DistributedClustering there;
  there.clusters = 77;
  const StandInRanks can(std::nullopt, {.answer = there});
  QCOMPARE(dbscan(&can)->clusters, 77);
  QCOMPARE(dbscan(&can)->stats.note, std::string());
  const StandInRanks tooSmall(std::nullopt, {.answer = std::nullopt, .why = "Too small."});
  QCOMPARE(dbscan(&tooSmall)->clusters, 5);
  QCOMPARE(dbscan(&tooSmall)->stats.note, std::string("Too small."));
  const StandInRanks notForThem(std::nullopt);
  QCOMPARE(dbscan(&notForThem)->clusters, 5);
  QCOMPARE(dbscan(&notForThem)->stats.note, std::string());
  QCOMPARE(dbscan(nullptr)->clusters, 5);
}

void TestDividedBackend::madeByName() {
  const PointCloud cloud = cloudOf("shapes", 2000, 2);
  BackendOptions options;
  options.threads = 2;
  options.ranks = 2;
  const auto backend = makeBackend("cpu", options);
  QVERIFY(backend.has_value());
  QVERIFY2(QString::fromStdString((*backend)->describe()).endsWith("2 ranks"),
           (*backend)->describe().c_str());
  const auto found = (*backend)->dbscan(cloud, {1.5, 6}, {}, {});
  QVERIFY(found.has_value());
  QCOMPARE(found->stats.ranks.size(), std::size_t{2});
  QCOMPARE(found->stats.backend, std::string("cpu"));
  QVERIFY(found->stats.seconds.total > 0 && found->stats.seconds.join > 0);
  // Joins are not divided.
  const auto counts = (*backend)->count(cloud, 1.5, {}, {});
  QVERIFY(counts.has_value());
  QVERIFY(counts->stats.ranks.empty());
}

// Each phase once and in order, without gaps in a phase.
void TestDividedBackend::record() {
  const PointCloud cloud = cloudOf("blobs", 20000, 3);
  LocalRanks several;
  for (int r = 0; r < 3; ++r) several.backends.push_back(makeCpuBackend(1));
  const auto found =
      makeDividedBackend(makeCpuBackend(1), std::move(several))->dbscan(cloud, {0.5, 8}, {}, {});
  QVERIFY(found.has_value());
  for (const RankStats& rank : found->stats.ranks) {
    QVERIFY(rank.ghosts > 0 && rank.bytesSent > 0 && rank.read > 0);
    QVERIFY(!rank.spans.empty());
    std::set<RankPhase> seen;
    double before = 0;
    for (const RankSpan& span : rank.spans) {
      QVERIFY(span.begin >= before && span.end > span.begin);
      if (!seen.empty() && *seen.rbegin() == span.phase) QCOMPARE(span.begin, before);
      QVERIFY(seen.empty() || span.phase >= *seen.rbegin());
      seen.insert(span.phase);
      before = span.end;
    }
    QCOMPARE(seen.size(), std::size_t{kRankPhases});
    QVERIFY(secondsIn(rank.spans, RankPhase::Join) > 0);
    QVERIFY(secondsOf(rank.spans, RankActivity::Busy) > 0);
    QVERIFY(secondsOf(rank.spans, RankActivity::Moving) > 0);
    QVERIFY(rank.end <= found->stats.seconds.total);
  }
}

// A rank that is early waits, and says in which phase.
void TestDividedBackend::recordOfWaiting() {
  std::vector<std::vector<RankSpan>> spans;
  const auto done =
      runLocalRanks(2, {}, [&](Communicator& communicator, const Task& task) -> Result<void> {
        RankRecord record;
        if (auto begun = record.begin(communicator, task); !begun) return begun;
        RecordingCommunicator recording(communicator, record);
        record.enter(RankPhase::Join);
        if (communicator.rank() == 1) QTest::qSleep(1000);
        record.enter(RankPhase::Merge);
        if (auto all = recording.barrier(task); !all) return all;
        std::vector<std::vector<char>> toEach(2, std::vector<char>(1 << 20, 'x'));
        if (auto all = recording.exchange(toEach, task); !all) return tl::unexpected(all.error());
        record.leave();
        auto gathered = gatherSpans(communicator, record, task);
        if (!gathered) return tl::unexpected(gathered.error());
        if (communicator.rank() == 0) spans = std::move(*gathered);
        return {};
      });
  QVERIFY(done.has_value());
  QCOMPARE(spans.size(), std::size_t{2});
  QVERIFY(secondsOf(spans[0], RankActivity::Waiting) > 0.1);
  QVERIFY(secondsIn(spans[0], RankPhase::Merge) > 0.1);
  QVERIFY(secondsIn(spans[1], RankPhase::Join) > 0.99);
  for (const auto& rank : spans) QVERIFY(secondsOf(rank, RankActivity::Moving) > 0);
}

void TestDividedBackend::badClouds() {
  BackendOptions options;
  options.ranks = 3;
  const auto backend = makeBackend("cpu", options);
  QVERIFY(backend.has_value());
  const auto kindOf = [&](const PointCloud& cloud, const DbscanParams& params) {
    const auto found = (*backend)->dbscan(cloud, params, {}, {});
    return found ? -1 : int(found.error().kind);
  };
  PointCloud cloud = cloudOf("unif", 50, 2);
  QCOMPARE(kindOf({}, {1, 3}), int(ErrorKind::BadInput));
  QCOMPARE(kindOf(cloud, {-1, 3}), int(ErrorKind::BadCall));
  QCOMPARE(kindOf(cloud, {1, 0}), int(ErrorKind::BadCall));
  cloud.columns[1][40] = std::numeric_limits<double>::quiet_NaN();
  QCOMPARE(kindOf(cloud, {1, 3}), int(ErrorKind::BadInput));
  cloud.columns[1].resize(20);
  QCOMPARE(kindOf(cloud, {1, 3}), int(ErrorKind::BadInput));
}

void TestDividedBackend::stops() {
  const PointCloud cloud = cloudOf("unif", 400000, 3);
  BackendOptions options;
  options.ranks = 2;
  const auto backend = makeBackend("cpu", options);
  std::stop_source source;
  Task task{.stop = source.get_token(), .progress = {}};
  task.progress = [&](std::string_view, double) { source.request_stop(); };
  const auto found = (*backend)->dbscan(cloud, {5, 5}, {}, task);
  QVERIFY(!found);
  QCOMPARE(int(found.error().kind), int(ErrorKind::Cancelled));
}

GUILESS_TEST(TestDividedBackend);
#include "tst_divided_backend.moc"
