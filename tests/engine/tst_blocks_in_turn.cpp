// A file that is clustered in blocks gets the labels of one run, and leaves no scratch files
// behind, however it ends.
#include <QtTest/QtTest>

#include <sys/resource.h>

#include <QTemporaryDir>
#include <csignal>
#include <fstream>

#include "engine/blocks/blocks_in_turn.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "tests/ended_process.h"
#include "tests/engine/block_clouds.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr DbscanParams kParams{0.4, 6};

}  // namespace

class TestBlocksInTurn : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void labelsAreThoseOfOneRun_data();
  void labelsAreThoseOfOneRun();
  void floatsTakeLessSpace();
  void skippedRowsKeepTheirPlace();
  void factorsScale();
  void countsWithoutLabels();
  void progressCoversAllPasses();
  void progressFollowsWhatIsRead();
  void stopsAtAnyTime_data();
  void stopsAtAnyTime();
  void aFullDiskIsAMessage();
  void aFileThatChangesIsRefused_data();
  void aFileThatChangesIsRefused();
  void filesThatAreReadAsAWholeAreRefused();
  void aBlockThatDoesNotFitSaysWhatItNeeds();
  void foldersOfKilledProcessesAreRemoved();
  void badCallsAreRefused();

 private:
  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  BlockOptions options() const {
    BlockOptions how;
    how.memory = kLeastBlockMemory;
    how.scratch = path("scratch");
    how.threads = 2;
    how.mostPoints = 1500;
    return how;
  }
  Result<BlockRun> run(const std::string& file, const BlockOptions& how, const Task& task = {},
                       const ReadOptions& read = {}, const DbscanParams& params = kParams) const {
    OutputSet outputs;
    auto found =
        clusterInBlocks({file, read}, params, cpu(), {}, how, outputs, path("labels.npy"), task);
    if (!found) return found;
    if (auto done = outputs.commit(); !done) return tl::unexpected(done.error());
    return found;
  }
  // Nothing is left but the input.
  bool isClean() const {
    return QDir(folder_->filePath("scratch"))
               .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
               .isEmpty() &&
           !QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden).contains("labels.npy");
  }
  std::string inputFile() const {
    const std::string file = path("cloud.npy");
    if (!writeDataset(file, clumps(5000, 2))) return {};
    return file;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestBlocksInTurn::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  QVERIFY(QDir(folder_->path()).mkdir("scratch"));
}

void TestBlocksInTurn::labelsAreThoseOfOneRun_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("dims");
  QTest::addColumn<int>("points");
  for (const char* file : {"cloud.npy", "cloud.csv", "cloud.ply", "cloud.pcd"})
    QTest::addRow("%s", file) << file << 2 << 5000;
  for (const char* file : {"cloud.las", "cloud.laz"})
    QTest::addRow("%s", file) << file << 3 << 9000;
  QTest::newRow("1-D") << "cloud.npy" << 1 << 4000;
  QTest::newRow("3-D") << "cloud.npy" << 3 << 9000;
  QTest::newRow("5-D") << "cloud.npy" << 5 << 4000;
  QTest::newRow("one block") << "cloud.npy" << 2 << 1000;
  QTest::newRow("one point") << "cloud.npy" << 2 << 1;
}

void TestBlocksInTurn::labelsAreThoseOfOneRun() {
  QFETCH(QString, file);
  QFETCH(int, dims);
  QFETCH(int, points);
  const std::string input = path(qPrintable(file));
  QVERIFY(writeDataset(input,
                       clumps(static_cast<std::size_t>(points), static_cast<std::size_t>(dims))));
  const DbscanParams params{dims == 1 ? 0.001 : 0.15 * dims, 6};
  const auto data = readDataset(input);
  QVERIFY(data);
  const auto expected = cpu().dbscan(data->cloud, params, {}, {});
  QVERIFY(expected);
  BlockOptions how = options();
  if (dims > 2) how.mostPoints = 3500;  // halos are larger there
  const auto found = run(input, how, {}, {}, params);
  QVERIFY2(found, qPrintable(QString::fromStdString(found ? "" : found.error().message)));
  QCOMPARE(valuesIn(path("labels.npy")), expected->labels);
  QCOMPARE(found->clusters, expected->clusters);
  QCOMPARE(found->coreCount, expected->coreCount);
  QCOMPARE(found->borderCount, expected->borderCount);
  QCOMPARE(found->noiseCount, expected->noiseCount);
  QCOMPARE(found->plan.points, static_cast<std::uint64_t>(points));
  QVERIFY(found->plan.largest <= how.mostPoints);
  QCOMPARE(found->plan.blocks > 1, points > static_cast<int>(how.mostPoints));
  QVERIFY(QDir(folder_->filePath("scratch")).isEmpty());
}

// Coordinates that floats hold are written as floats; one that they do not hold makes all doubles.
void TestBlocksInTurn::floatsTakeLessSpace() {
  Dataset data = clumps(5000, 2);
  for (Coordinates& column : data.cloud.columns)
    for (double& x : column) x = double(float(x));
  const std::string input = path("cloud.npy");
  std::uint64_t space[2] = {};
  std::uint64_t held = 0;
  for (std::uint64_t& bytes : space) {
    QVERIFY(writeDataset(input, data));
    const auto expected = cpu().dbscan(data.cloud, kParams, {}, {});
    QVERIFY(expected);
    const auto found = run(input, options());
    QVERIFY2(found, qPrintable(QString::fromStdString(found ? "" : found.error().message)));
    QVERIFY(found->plan.blocks > 2);
    QCOMPARE(valuesIn(path("labels.npy")), expected->labels);
    bytes = found->plan.scratchBytes;
    held = found->plan.points + found->plan.mostHalo;
    double& last = data.cloud.columns[1][4999];
    last = std::nextafter(last, 100.0);
  }
  QCOMPARE(space[1] - space[0], held * 2 * (sizeof(double) - sizeof(float)));
}

void TestBlocksInTurn::skippedRowsKeepTheirPlace() {
  Dataset data = clumps(5000, 2);
  std::ofstream(path("cloud.csv")) << [&] {
    std::string text = "x,y\n";
    for (std::size_t p = 0; p < 5000; ++p)
      text += p % 10 == 3 ? "nan,1\n"
                          : std::to_string(data.cloud.columns[0][p]) + "," +
                                std::to_string(data.cloud.columns[1][p]) + "\n";
    return text;
  }();
  const auto refused = run(path("cloud.csv"), options());
  QVERIFY(!refused);
  QVERIFY(refused.error().message.find("line 5") != std::string::npos);
  QVERIFY(isClean());
  ReadOptions read;
  read.skipNonFinite = true;
  const auto whole = readDataset(path("cloud.csv"), read);
  QVERIFY(whole);
  const auto expected = cpu().dbscan(whole->cloud, kParams, {}, {});
  QVERIFY(expected);
  const auto found = run(path("cloud.csv"), options(), {}, read);
  QVERIFY(found);
  QCOMPARE(found->cloud.skipped, std::uint64_t{500});
  QCOMPARE(valuesIn(path("labels.npy")), labelsPerInputRow(*whole, *expected));
}

void TestBlocksInTurn::factorsScale() {
  const std::string input = inputFile();
  const auto data = readDataset(input);
  QVERIFY(data);
  const auto scaling = makeScaling(Scaling::Kind::Factors, data->cloud, {0.5, 3});
  QVERIFY(scaling);
  const auto expected = cpu().dbscan(applyScaling(data->cloud, *scaling), kParams, {}, {});
  QVERIFY(expected);
  BlockOptions how = options();
  how.scaling = {Scaling::Kind::Factors, {0.5, 3}};
  QVERIFY(run(input, how));
  QCOMPARE(valuesIn(path("labels.npy")), expected->labels);
}

void TestBlocksInTurn::countsWithoutLabels() {
  const std::string input = inputFile();
  OutputSet outputs;
  const auto found = clusterInBlocks({input, {}}, kParams, cpu(), {}, options(), outputs, "", {});
  QVERIFY(found);
  QVERIFY(found->clusters > 0);
  QVERIFY(isClean());
}

void TestBlocksInTurn::progressCoversAllPasses() {
  const std::string input = inputFile();
  std::vector<double> seen;
  Task task;
  task.progress = [&](std::string_view, double fraction) { seen.push_back(fraction); };
  QVERIFY(run(input, options(), task));
  QVERIFY(seen.size() > 10);
  QVERIFY(std::is_sorted(seen.begin(), seen.end()));
  QVERIFY(seen.front() == 0 && seen.back() <= 1 && seen.back() >= 0.9);
}

// The same points take more bytes as text, and each of them more work.
void TestBlocksInTurn::progressFollowsWhatIsRead() {
  const Dataset data = clumps(5000, 2);
  std::vector<double> counted;
  for (const char* name : {"cloud.npy", "cloud.csv"}) {
    const std::string input = path(name);
    QVERIFY(writeDataset(input, data));
    double last = 0;
    const Task task{{}, [&](std::string_view, double fraction) { last = fraction; }};
    BlockOptions how = options();
    how.planned = [&](const BlockPlan&) { counted.push_back(last); };
    QVERIFY(run(input, how, task));
  }
  QCOMPARE(counted.size(), std::size_t{2});
  // Two doubles a row, three with what belongs to it in a block, and a result.
  const double read = 16 * 5000 + 128;  // with the header
  QVERIFY(std::abs(counted[0] - read / (2 * read + 12 * 24 * 5000 + 14 * 5000)) < 1e-9);
  QVERIFY(counted[1] > 3 * counted[0]);
}

void TestBlocksInTurn::stopsAtAnyTime_data() {
  QTest::addColumn<double>("at");
  for (const double at : {0.0, 0.05, 0.2, 0.39, 0.5, 0.8, 0.9}) QTest::addRow("%g", at) << at;
}

void TestBlocksInTurn::stopsAtAnyTime() {
  QFETCH(double, at);
  const std::string input = inputFile();
  std::stop_source stop;
  Task task{stop.get_token(), [&](std::string_view, double fraction) {
              if (fraction >= at) stop.request_stop();
            }};
  const auto found = run(input, options(), task);
  QVERIFY(!found);
  QCOMPARE(found.error().kind, ErrorKind::Cancelled);
  QVERIFY(isClean());
}

// A limit for the size of files stands for the disk.
void TestBlocksInTurn::aFullDiskIsAMessage() {
  const std::string input = inputFile();
  struct rlimit before {};
  QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t bytes : {1000, 9000, 15000, 19000}) {
    struct rlimit limit = before;
    limit.rlim_cur = bytes;
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto found = run(input, options());
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::Io);
    QVERIFY(isClean());
  }
  std::signal(SIGXFSZ, handler);
}

void TestBlocksInTurn::aFileThatChangesIsRefused_data() {
  QTest::addColumn<int>("points");
  QTest::newRow("longer") << 6000;
  QTest::newRow("shorter") << 4000;
  QTest::newRow("of the same size") << 5000;
}

void TestBlocksInTurn::aFileThatChangesIsRefused() {
  QFETCH(int, points);
  const std::string input = inputFile();
  BlockOptions how = options();
  how.planned = [&](const BlockPlan&) {
    Dataset other = clumps(static_cast<std::size_t>(points), 2);
    other.cloud.columns[0][17] += 100;
    QVERIFY(writeDataset(input, other));
  };
  const auto found = run(input, how);
  QVERIFY(!found);
  QCOMPARE(found.error().kind, ErrorKind::BadInput);
  QVERIFY2(found.error().message.find("has changed") != std::string::npos,
           found.error().message.c_str());
  QVERIFY(isClean());
}

void TestBlocksInTurn::filesThatAreReadAsAWholeAreRefused() {
  QVERIFY(writeDataset(path("cloud.csv.gz"), clumps(5000, 2)));
  std::ofstream(path("quoted.csv")) << "name,x,y\n\"a\nb\",1,2\n\"c\",3,4\n";
  for (const char* name : {"cloud.csv.gz", "quoted.csv"}) {
    const auto found = run(path(name), options());
    QVERIFY(!found);
    QVERIFY2(found.error().message.find("cannot be read in parts") != std::string::npos,
             found.error().message.c_str());
    QVERIFY(isClean());
  }
}

void TestBlocksInTurn::aBlockThatDoesNotFitSaysWhatItNeeds() {
  Dataset data = clumps(5000, 2);
  for (std::size_t p = 0; p < 5000; p += 2)
    for (auto& column : data.cloud.columns) column[p] = 3;
  QVERIFY(writeDataset(path("cloud.npy"), data));
  const auto found = run(path("cloud.npy"), options());
  QVERIFY(!found);
  QCOMPARE(found.error().kind, ErrorKind::TooLarge);
  QVERIFY2(found.error().message.find("of memory are needed") != std::string::npos,
           found.error().message.c_str());
  QVERIFY(isClean());
}

void TestBlocksInTurn::foldersOfKilledProcessesAreRemoved() {
  const std::string input = inputFile();
  QDir scratch(folder_->filePath("scratch"));
  const auto leave = [&](const std::string& mark) {
    const std::string name = "clusterloom-blocks-" + mark + "abcdef";
    if (!scratch.mkdir(name.c_str())) return std::string();
    std::ofstream(path(("scratch/" + name + "/points-0").c_str())) << "left";
    return name;
  };
  QVERIFY(!leave(markOfEndedProcess()).empty());
  QVERIFY(run(input, options()));
  QVERIFY(scratch.isEmpty());
  // Another machine that shares the folder may still use its own.
  const std::string another = leave(markOnAnotherMachine());
  QVERIFY(!another.empty());
  QVERIFY(run(input, options()));
  QVERIFY(QDir(scratch.filePath(another.c_str())).exists("points-0"));
  QVERIFY(QDir(scratch.filePath(another.c_str())).removeRecursively());
}

void TestBlocksInTurn::badCallsAreRefused() {
  const std::string input = inputFile();
  const auto kindOf = [&](const BlockOptions& how, const DbscanParams& params = kParams) {
    const auto found = run(input, how, {}, {}, params);
    return found ? ErrorKind::Unavailable : found.error().kind;
  };
  BlockOptions little = options();
  little.memory = 1 << 20;
  QCOMPARE(kindOf(little), ErrorKind::BadCall);
  BlockOptions unit = options();
  unit.scaling.kind = Scaling::Kind::Unit;
  QCOMPARE(kindOf(unit), ErrorKind::BadCall);
  BlockOptions nowhere = options();
  nowhere.scratch = path("no such folder");
  QCOMPARE(kindOf(nowhere), ErrorKind::Io);
  QCOMPARE(kindOf(options(), {-1, 5}), ErrorKind::BadCall);
  QCOMPARE(kindOf(options(), {1, 0}), ErrorKind::BadCall);
  QVERIFY(!run(path("missing.npy"), options()));
  QVERIFY(isClean());
}

APPLESS_TEST(TestBlocksInTurn);
#include "tst_blocks_in_turn.moc"
