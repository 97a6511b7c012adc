// Runs in blocks in periodic boxes, on spheres and by other metrics give what one run in memory by
// the backend of the space gives.
#include <QtTest/QtTest>

#include <QTemporaryDir>
#include <cmath>
#include <random>

#include "engine/blocks/block_forecast.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/blocks/scatter.h"
#include "engine/core/infinity.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/dbscan/label_new_points.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "tests/engine/block_clouds.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Clumps about places between `low` and `high`, and noise; rows with a step lie on a lattice.
Dataset points(std::size_t count, std::size_t dims, double low, double high, double step,
               std::uint64_t seed, double least = 0.1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  std::normal_distribution<double> normal(0.0, (high - low) / 60);
  Dataset data;
  data.inputRows = count;
  std::vector<std::vector<double>> middles(9, std::vector<double>(dims));
  for (auto& middle : middles)
    for (double& x : middle) x = uniform(random);
  middles.front().assign(dims, low);  // its points are on all sides of a box
  data.cloud.columns.resize(dims, std::vector<double>(count));
  for (std::size_t p = 0; p < count; ++p) {
    const auto& middle = middles[random() % middles.size()];
    const bool noise = random() % 4 == 0;
    for (std::size_t j = 0; j < dims; ++j) {
      double x = noise ? uniform(random) : middle[j] + normal(random);
      if (step > 0) x = std::round(x / step) * step;
      data.cloud.columns[j][p] = x;
    }
  }
  std::vector<double> weights(count);
  for (double& w : weights) w = 0.1 * static_cast<double>(random() % 21) + least;
  for (std::size_t j = 0; j < dims; ++j) {
    data.cloud.names.push_back("x" + std::to_string(j));
    data.columnOrder.push_back(j);
  }
  data.attributes.push_back({"w", std::move(weights)});
  data.columnOrder.push_back(dims);
  return data;
}

}  // namespace

class TestBlocksInSpace : public QObject {
  Q_OBJECT

  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }

  BlockFile file(const char* name, bool weighted = false) const {
    BlockFile made{path(name), {}, weighted ? "w" : ""};
    for (std::size_t j = 0; j < dims_; ++j)
      made.read.coordinates.push_back("x" + std::to_string(j));
    return made;
  }
  BlockOptions options(const Space& space) const {
    BlockOptions how;
    how.memory = kLeastBlockMemory;
    how.scratch = path("scratch");
    how.threads = 2;
    how.mostPoints = mostPoints_;
    how.space = space;
    return how;
  }
  static std::shared_ptr<const Backend> shared() { return {std::shared_ptr<void>(), &cpu()}; }
  std::size_t dims_ = 2;
  std::uint64_t mostPoints_ = 0;
  std::unique_ptr<QTemporaryDir> folder_;

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(folder_->path()).mkdir("scratch"));
  }

  void equalOneRun_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("high");  // from 0, or −high for other spaces than boxes
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("eps");
    QTest::addColumn<QString>("space");
    QTest::addColumn<int>("mostPoints");
    QTest::newRow("box, 1-D") << 1 << 20.0 << 0.0 << 0.004 << "20" << 1500;
    QTest::newRow("box, 2-D") << 2 << 20.0 << 0.0 << 0.25 << "20,20" << 1500;
    QTest::newRow("box, 3-D") << 3 << 20.0 << 0.0 << 0.4 << "20,20,20" << 3500;
    QTest::newRow("box, 4-D") << 4 << 20.0 << 0.0 << 0.6 << "20,20,20,20" << 4500;
    QTest::newRow("box, 5-D") << 5 << 20.0 << 0.0 << 1.5 << "20,0,20,20,20" << 20000;
    QTest::newRow("one periodic dimension") << 2 << 20.0 << 0.0 << 0.25 << "-,20" << 1500;
    QTest::newRow("lattice with ties") << 2 << 20.0 << 0.5 << 0.5 << "20,20" << 4000;
    QTest::newRow("lattice, ties on diagonals")
        << 2 << 20.0 << 0.5 << std::sqrt(0.5) << "20,20" << 4000;
    QTest::newRow("points outside of the box") << 2 << 20.0 << 0.0 << 0.2 << "7,9" << 2500;
    QTest::newRow("images on both sides") << 2 << 20.0 << 0.0 << 9.0 << "20,20" << 90000;
    QTest::newRow("one block") << 2 << 20.0 << 0.0 << 0.25 << "20,20" << 90000;
    QTest::newRow("sphere") << 2 << 80.0 << 0.0 << 90000.0 << "sphere" << 2000;
    QTest::newRow("cosine") << 3 << 5.0 << 0.0 << 0.0004 << "cosine" << 2500;
    QTest::newRow("Manhattan") << 2 << 10.0 << 0.0 << 0.3 << "manhattan" << 1500;
    QTest::newRow("Manhattan lattice") << 3 << 10.0 << 0.5 << 0.5 << "manhattan" << 3500;
    QTest::newRow("Chebyshev") << 3 << 10.0 << 0.0 << 0.3 << "chebyshev" << 3500;
    QTest::newRow("Chebyshev lattice") << 2 << 10.0 << 0.25 << 0.25 << "chebyshev" << 2500;
  }

  void equalOneRun() {
    QFETCH(int, dims);
    QFETCH(double, high);
    QFETCH(double, step);
    QFETCH(double, eps);
    QFETCH(QString, space);
    QFETCH(int, mostPoints);
    dims_ = static_cast<std::size_t>(dims);
    mostPoints_ = static_cast<std::uint64_t>(mostPoints);
    Space in;
    bool isBox = false;
    if (space == "sphere") {
      in.sphere = Sphere{};
    } else if (const auto metric = parseMetric(space.toStdString())) {
      in.metric = *metric;
    } else {
      in.periods = *parsePeriods(space.toStdString());
      isBox = true;
    }
    const auto backend = backendIn(in, {}, shared());
    QVERIFY(backend);
    std::size_t severalBlocks = 0;
    for (const std::uint64_t seed : {1, 2}) {
      const std::size_t size = eps == 9 ? 800 : 4500;
      const Dataset cloud =
          points(size, dims_, isBox ? 0 : -high, high, step, seed, seed == 1 ? -0.3 : 0.1);
      const Dataset queries = points(size / 3, dims_, isBox ? 0 : -high, high, step, seed);
      QVERIFY(writeDataset(path("cloud.csv"), cloud) && writeDataset(path("queries.csv"), queries));
      const DbscanParams params{eps, 6};
      const auto weights = *doublesOf(nullptr, **weightColumn(cloud, "w"));
      for (const bool weighted : {false, true}) {
        const auto expected = dbscanOf(**backend, JoinInput(cloud.cloud),
                                       weighted ? weights : std::vector<double>{}, params, {}, {});
        QVERIFY(expected);
        OutputSet outputs;
        const auto found = clusterInBlocks(file("cloud.csv", weighted), params, cpu(), {},
                                           options(in), outputs, path("labels.npy"), {});
        QVERIFY2(found, qPrintable(QString::fromStdString(found ? "" : found.error().message)));
        QVERIFY(outputs.commit());
        QCOMPARE(valuesIn(path("labels.npy")), expected->labels);
        QCOMPARE(found->clusters, expected->clusters);
        QCOMPARE(found->coreCount, expected->coreCount);
        QCOMPARE(found->borderCount, expected->borderCount);
        QCOMPARE(found->noiseCount, expected->noiseCount);
        QVERIFY(expected->clusters > 1 || eps > 5);
        severalBlocks += found->plan.blocks > 1;
        if (weighted) continue;
        const auto counts = (*backend)->count(JoinInput(cloud.cloud), eps, {}, {});
        QVERIFY(counts);
        OutputSet counted;
        QVERIFY(countInBlocks(file("cloud.csv"), nullptr, eps, cpu(), {}, options(in), counted,
                              path("counts.npy"), {}));
        QVERIFY(counted.commit());
        QCOMPARE(valuesIn(path("counts.npy")),
                 std::vector<std::int32_t>(counts->counts.begin(), counts->counts.end()));
        const auto labelled =
            labelNewPoints(**backend, cloud.cloud, *expected, queries.cloud, {}, {});
        QVERIFY(labelled);
        OutputSet labels;
        const auto inBlocks = labelInBlocks(file("cloud.csv"), file("queries.csv"), params, cpu(),
                                            {}, options(in), labels, path("new.npy"), {});
        QVERIFY2(inBlocks,
                 qPrintable(QString::fromStdString(inBlocks ? "" : inBlocks.error().message)));
        QVERIFY(labels.commit());
        QCOMPARE(valuesIn(path("new.npy")), labelled->labels);
      }
    }
    QCOMPARE(severalBlocks, std::size_t{mostPoints < 20000 ? 4U : 0U});
  }

  /// Periods are those of the file, as ε is that of the scaled points.
  void factorsScaleThePeriods() {
    dims_ = 2;
    mostPoints_ = 1500;
    const Dataset cloud = points(4500, 2, 0, 20, 0, 5);
    QVERIFY(writeDataset(path("cloud.csv"), cloud));
    BlockOptions how = options({.periods = {20, 10}});
    how.scaling = {Scaling::Kind::Factors, {0.5, -3}};
    const auto scaling = makeScaling(how.scaling.kind, cloud.cloud, how.scaling.factors);
    QVERIFY(scaling);
    const auto backend = backendIn(how.space, *scaling, shared());
    QVERIFY(backend);
    const DbscanParams params{0.3, 6};
    const auto expected =
        (*backend)->dbscan(applyScaling(cloud.cloud, *scaling), params, Strategy{}, {});
    QVERIFY(expected && expected->clusters > 1);
    OutputSet outputs;
    const auto found =
        clusterInBlocks(file("cloud.csv"), params, cpu(), {}, how, outputs, path("labels.npy"), {});
    QVERIFY(found && found->plan.blocks > 1 && outputs.commit());
    QCOMPARE(valuesIn(path("labels.npy")), expected->labels);
  }

  /// The plan of a sample of one point of two counts the halo of a box.
  void forecastsInASpace() {
    dims_ = 2;
    mostPoints_ = 2500;
    const Dataset cloud = points(6000, 2, 0, 20, 0, 6);
    QVERIFY(writeDataset(path("cloud.csv"), cloud));
    PointCloud some{std::vector<Coordinates>(2), cloud.cloud.names};
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t p = 0; p < cloud.cloud.size(); p += 2)
        some.columns[j].push_back(cloud.cloud.columns[j][p]);
    std::uint64_t halo = 0;
    for (const Space& space :
         {Space{}, Space{.periods = {20, 20}}, Space{.metric = Metric::Manhattan}}) {
      const auto forecast =
          forecastInBlocks(file("cloud.csv"), {some, 2}, {0.4, 6}, cpu(), {}, options(space), {});
      QVERIFY2(forecast,
               qPrintable(QString::fromStdString(forecast ? "" : forecast.error().message)));
      QCOMPARE(forecast->plan.points, std::uint64_t{6000});
      QVERIFY(forecast->seconds > 0);
      if (space.isEuclidean()) halo = forecast->plan.mostHalo;
      if (!space.periods.empty()) QVERIFY(forecast->plan.mostHalo > halo);
    }
  }

  /// A point in a cell without points when these were counted has a block beyond all others.
  void aPointThatWasNotCountedIsNoticed() {
    PointCloud counted{{{0.5, 0.6, 9.5, 9.6}, {0.5, 0.6, 9.5, 9.6}}, {"x", "y"}};
    SpaceDivision division;
    division.dims = {0, 1};
    division.bounds = {{-kInfinity, 3, 6, kInfinity}, {-kInfinity, 3, 6, kInfinity}};
    setStrides(division);
    divide(division, histogram(division, counted), 2);
    const PointCloud later{{{0.5, 4.5}, {0.5, 4.5}}, {"x", "y"}};
    const auto box = makePeriodicBox({10, 10}, later);
    QVERIFY(box);
    const Scatter scatter(division, 1);
    const auto images = withImages(later, *box, haloWidth(1), {});
    QVERIFY(images && !images->originals.empty());
    for (const auto& entries : {scatter(later, {}), scatter(*images, {})}) {
      std::vector<std::uint16_t> own;
      for (const BlockEntry& entry : entries)
        if (entry.place != Place::Halo) own.push_back(entry.block);
      QCOMPARE(own.size(), std::size_t{2});
      QVERIFY(own[0] < 2);
      QCOMPARE(own[1], std::uint16_t{65535});
    }
  }

  void whatTheSpaceDoesNotHaveIsNamed() {
    dims_ = 2;
    mostPoints_ = 100000;
    Dataset cloud = points(500, 2, -50, 50, 0, 3);
    cloud.cloud.columns[1][77] = 95;
    QVERIFY(writeDataset(path("cloud.csv"), cloud));
    const auto messageOf = [&](const Space& space, double eps) {
      OutputSet outputs;
      const auto found = clusterInBlocks(file("cloud.csv"), {eps, 5}, cpu(), {}, options(space),
                                         outputs, path("labels.npy"), {});
      return found ? QString() : QString::fromStdString(found.error().message);
    };
    const QString latitude = messageOf({.sphere = Sphere{}}, 1000);
    QVERIFY2(latitude.contains("row 77 "), qPrintable(latitude));
    cloud.cloud.columns[0][88] = cloud.cloud.columns[1][88] = 0;
    QVERIFY(writeDataset(path("cloud.csv"), cloud));
    const QString origin = messageOf({.metric = Metric::Cosine}, 0.1);
    QVERIFY2(origin.contains("row 88 "), qPrintable(origin));
    const QString half = messageOf({.periods = {4, 6}}, 2);
    QVERIFY2(half.contains("less than half of each period"), qPrintable(half));
    const QString two = messageOf({.periods = {4, 6}, .metric = Metric::Cosine}, 1);
    QVERIFY2(two.contains("leave out periods"), qPrintable(two));
    QVERIFY(messageOf({.periods = {4}}, 1).contains("one period per dimension"));
    QVERIFY(QDir(folder_->filePath("scratch")).isEmpty());
  }
};

GUILESS_TEST(TestBlocksInSpace);
#include "tst_blocks_in_space.moc"
