// What runs in blocks give for weighted points, joins and new points equals what one run in memory
// gives.
#include <QtTest/QtTest>

#include <sys/resource.h>

#include <QTemporaryDir>
#include <cmath>
#include <csignal>
#include <numeric>

#include "engine/blocks/blocks_in_turn.h"
#include "engine/dbscan/label_new_points.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "tests/engine/block_clouds.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

enum class What { Weights, Counts, CountsOfTwo, Labels };

constexpr What kAll[] = {What::Weights, What::Counts, What::CountsOfTwo, What::Labels};

// Many equal points, and distances that tie with ε.
Dataset lattice(std::size_t points, std::size_t dims, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Dataset data = clumps(points, dims);
  for (auto& column : data.cloud.columns)
    for (double& x : column) x = static_cast<double>(random() % 40) / 2;
  return data;
}

// Clumps elsewhere, so that some cells have points of one file only.
Dataset shifted(std::size_t points, std::size_t dims, double by) {
  Dataset data = clumps(points, dims);
  for (auto& column : data.cloud.columns)
    for (double& x : column) x += by;
  return data;
}

void addWeights(Dataset& data, double least) {
  std::mt19937_64 random(11);
  std::vector<double> weights(data.cloud.size());
  for (double& weight : weights) weight = least + static_cast<double>(random() % 21) / 8;
  data.attributes.push_back({"w", std::move(weights)});
  data.columnOrder.push_back(data.cloud.dims());
}

}  // namespace

class TestResultsInBlocks : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void equalOneRun_data();
  void equalOneRun();
  void skippedRowsKeepTheirPlace();
  void stopsAtAnyTime_data();
  void stopsAtAnyTime();
  void aFullDiskIsAMessage();
  void aFileThatChangesIsRefused();
  void badWeightsAreNamed();
  void otherDimensionsAreRefused();

 private:
  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  bool write(const Dataset& cloud, const Dataset& queries) const {
    return writeDataset(path("cloud.csv"), cloud) && writeDataset(path("queries.csv"), queries);
  }
  ReadOptions read() const {
    ReadOptions options;
    options.coordinates = coordinates_;
    options.skipNonFinite = true;
    return options;
  }
  BlockOptions options(std::uint64_t mostPoints = 1500) const {
    BlockOptions how;
    how.memory = kLeastBlockMemory;
    how.scratch = path("scratch");
    how.threads = 2;
    how.mostPoints = mostPoints;
    return how;
  }
  Result<BlockRun> run(What what, const DbscanParams& params, const BlockOptions& how,
                       const Task& task = {}, bool withRows = true) const {
    const BlockFile cloud{path("cloud.csv"), read(), what == What::Weights ? "w" : ""};
    const BlockFile queries{path("queries.csv"), read()};
    OutputSet outputs;
    const std::string out = withRows ? path("out.npy") : "";
    auto found = [&] {
      switch (what) {
        case What::Weights:
          return clusterInBlocks(cloud, params, cpu(), {}, how, outputs, out, task);
        case What::Labels:
          return labelInBlocks(cloud, queries, params, cpu(), {}, how, outputs, out, task);
        default:
          return countInBlocks(cloud, what == What::Counts ? nullptr : &queries, params.eps, cpu(),
                               {}, how, outputs, out, task);
      }
    }();
    if (!found) return found;
    if (auto done = outputs.commit(); !done) return tl::unexpected(done.error());
    return found;
  }
  // What a run in memory gives for each point of the file whose rows are written.
  std::vector<std::int32_t> expected(What what, const DbscanParams& params) const {
    ReadOptions with = read();
    const auto cloud = readDataset(path("cloud.csv"), with);
    const auto queries = readDataset(path("queries.csv"), with);
    if (!cloud || !queries) return {};
    if (what == What::Weights) {
      const auto weights = doublesOf(nullptr, **weightColumn(*cloud, "w"));
      return weightedDbscan(cpu(), cloud->cloud, *weights, params, {}, {})->labels;
    }
    if (what == What::Labels) {
      const auto found = cpu().dbscan(cloud->cloud, params, {}, {});
      return labelNewPoints(cpu(), cloud->cloud, *found, queries->cloud, {}, {})->labels;
    }
    const JoinInput input =
        what == What::Counts ? JoinInput(cloud->cloud) : JoinInput(queries->cloud, cloud->cloud);
    const auto counts = cpu().count(input, params.eps, {}, {})->counts;
    return {counts.begin(), counts.end()};
  }
  bool isClean() const {
    return QDir(folder_->filePath("scratch"))
               .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
               .isEmpty() &&
           !QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden).contains("out.npy");
  }
  bool writeClumps() {
    Dataset cloud = clumps(5000, 2);
    addWeights(cloud, -0.5);
    return write(cloud, shifted(3000, 2, 0.3));
  }

  std::vector<std::string> coordinates_;
  std::unique_ptr<QTemporaryDir> folder_;
};

void TestResultsInBlocks::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  coordinates_ = {"x0", "x1"};
  QVERIFY(QDir(folder_->path()).mkdir("scratch"));
}

void TestResultsInBlocks::equalOneRun_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("dims");
  QTest::addColumn<double>("eps");
  QTest::addColumn<int>("mostPoints");
  QTest::newRow("clumps, 1-D") << "clumps" << 1 << 0.001 << 1500;
  QTest::newRow("clumps, 2-D") << "clumps" << 2 << 0.3 << 1500;
  QTest::newRow("clumps, 3-D") << "clumps" << 3 << 0.45 << 3500;
  QTest::newRow("far from each other") << "far" << 2 << 0.3 << 1500;
  QTest::newRow("lattice") << "lattice" << 2 << 0.5 << 2500;
  QTest::newRow("lattice, diagonals tie") << "lattice" << 2 << std::sqrt(0.5) << 2500;
  QTest::newRow("larger than the extent") << "clumps" << 2 << 1000.0 << 9000;
  QTest::newRow("one block") << "clumps" << 2 << 0.3 << 90000;
}

void TestResultsInBlocks::equalOneRun() {
  QFETCH(QString, kind);
  QFETCH(int, dims);
  QFETCH(double, eps);
  QFETCH(int, mostPoints);
  const auto d = static_cast<std::size_t>(dims);
  coordinates_.clear();
  for (int j = 0; j < dims; ++j) coordinates_.push_back("x" + std::to_string(j));
  for (const double least : {0.25, -1.0}) {  // weights
    Dataset cloud = kind == "lattice" ? lattice(5000, d, 1) : clumps(5000, d);
    addWeights(cloud, least);
    QVERIFY(write(cloud, kind == "lattice" ? lattice(3000, d, 2)
                                           : shifted(3000, d, kind == "far" ? 12.0 : 0.3)));
    for (const What what : kAll) {
      const DbscanParams params{eps, 6};
      const auto found = run(what, params, options(static_cast<std::uint64_t>(mostPoints)));
      QVERIFY2(found, qPrintable(QString::fromStdString(found ? "" : found.error().message)));
      const std::vector<std::int32_t> values = expected(what, params);
      QCOMPARE(valuesIn(path("out.npy")), values);
      QCOMPARE(found->plan.blocks > 1, kind != "lattice" ? mostPoints < 9000 : true);
      const auto sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      if (what == What::Labels) {
        const auto known =
            values.size() - static_cast<std::size_t>(std::count(values.begin(), values.end(), -1));
        QVERIFY(known > 0);
        QCOMPARE(found->labelled, known);
      } else if (what != What::Weights) {
        QCOMPARE(found->pairs, sum);
      }
      QCOMPARE(found->cloud.points(), std::uint64_t{5000});
    }
    if (eps == 1000.0) break;  // all pairs
  }
  QVERIFY(QDir(folder_->filePath("scratch")).isEmpty());
}

void TestResultsInBlocks::skippedRowsKeepTheirPlace() {
  const auto rows = [](const Dataset& data, const char* header, bool weights) {
    std::string text = header;
    for (std::size_t p = 0; p < data.cloud.size(); ++p)
      text += (p % 10 == 3 ? "nan,1"
                           : std::to_string(data.cloud.columns[0][p]) + "," +
                                 std::to_string(data.cloud.columns[1][p])) +
              (weights ? "," + std::to_string(p % 4) + "\n" : "\n");
    return text;
  };
  std::ofstream(path("cloud.csv")) << rows(clumps(5000, 2), "x0,x1,w\n", true);
  std::ofstream(path("queries.csv")) << rows(shifted(3000, 2, 0.3), "x0,x1\n", false);
  const DbscanParams params{0.4, 6};
  for (const What what : kAll) {
    QVERIFY(run(what, params, options()));
    const std::vector<std::int32_t> ofPoints = expected(what, params);
    const bool counts = what == What::Counts || what == What::CountsOfTwo;
    std::vector<std::int32_t> ofRows;
    for (auto value = ofPoints.begin(); value != ofPoints.end() || ofRows.size() % 10 == 3;)
      ofRows.push_back(ofRows.size() % 10 == 3 ? (counts ? 0 : kSkippedRow) : *value++);
    QCOMPARE(valuesIn(path("out.npy")), ofRows);
  }
}

void TestResultsInBlocks::stopsAtAnyTime_data() {
  QTest::addColumn<double>("at");
  for (const double at : {0.0, 0.05, 0.2, 0.39, 0.5, 0.76, 0.85, 0.9})
    QTest::addRow("%g", at) << at;
}

void TestResultsInBlocks::stopsAtAnyTime() {
  QFETCH(double, at);
  QVERIFY(writeClumps());
  for (const What what : kAll) {
    std::stop_source stop;
    std::vector<double> seen;
    const Task task{stop.get_token(), [&](std::string_view, double fraction) {
                      seen.push_back(fraction);
                      if (fraction >= at) stop.request_stop();
                    }};
    const auto found = run(what, {0.4, 6}, options(), task);
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::Cancelled);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QVERIFY(isClean());
  }
}

// A limit for the size of files stands for the disk.
void TestResultsInBlocks::aFullDiskIsAMessage() {
  QVERIFY(writeClumps());
  struct rlimit before {};
  QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const What what : kAll) {
    for (const rlim_t bytes : {1000, 5000, 9000}) {
      struct rlimit limit = before;
      limit.rlim_cur = bytes;
      QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);
      const auto found = run(what, {0.4, 6}, options());
      QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
      QVERIFY(!found);
      QCOMPARE(found.error().kind, ErrorKind::Io);
      QVERIFY(isClean());
    }
  }
  std::signal(SIGXFSZ, handler);
}

void TestResultsInBlocks::aFileThatChangesIsRefused() {
  for (const char* file : {"cloud.csv", "queries.csv"}) {
    QVERIFY(writeClumps());
    BlockOptions how = options();
    how.planned = [&](const BlockPlan&) { QVERIFY(writeDataset(path(file), clumps(4000, 2))); };
    for (const What what : {What::CountsOfTwo, What::Labels}) {
      const auto found = run(what, {0.4, 6}, how);
      QVERIFY(!found);
      QCOMPARE(found.error().kind, ErrorKind::BadInput);
      QVERIFY2(found.error().message.find(std::string(file) + ": has changed") != std::string::npos,
               found.error().message.c_str());
      QVERIFY(isClean());
      QVERIFY(writeClumps());
    }
  }
}

void TestResultsInBlocks::badWeightsAreNamed() {
  Dataset cloud = clumps(5000, 2);
  addWeights(cloud, 1);
  std::get<std::vector<double>>(cloud.attributes[0].values)[4321] = std::nan("");
  QVERIFY(write(cloud, clumps(10, 2)));
  const auto found = run(What::Weights, {0.4, 6}, options());
  QVERIFY(!found);
  QVERIFY2(found.error().message.find("row 4321") != std::string::npos,
           found.error().message.c_str());
  coordinates_ = {"x0", "w"};
  const auto coordinate = run(What::Weights, {0.4, 6}, options());
  QVERIFY(!coordinate);
  QVERIFY(isClean());
}

void TestResultsInBlocks::otherDimensionsAreRefused() {
  QVERIFY(write(clumps(100, 2), clumps(100, 3)));
  coordinates_.clear();
  for (const What what : {What::CountsOfTwo, What::Labels}) {
    const auto found = run(what, {0.4, 6}, options());
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::BadInput);
    QVERIFY2(found.error().message.find("has 3 coordinates") != std::string::npos,
             found.error().message.c_str());
  }
}

APPLESS_TEST(TestResultsInBlocks);
#include "tst_results_in_blocks.moc"
