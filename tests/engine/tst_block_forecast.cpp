// What a run in blocks will take is said before it begins, by a sample of the points.
#include <QtTest/QtTest>

#include <QTemporaryDir>
#include <cmath>

#include "engine/blocks/block_forecast.h"
#include "engine/io/write.h"
#include "tests/engine/block_clouds.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// The mean number of other points within ε, by a plain loop.
double neighbours(const PointCloud& cloud, double eps) {
  std::uint64_t pairs = 0;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::size_t q = 0; q < cloud.size(); ++q) {
      double squared = 0;
      for (const auto& column : cloud.columns)
        squared += (column[p] - column[q]) * (column[p] - column[q]);
      pairs += p != q && squared <= eps * eps;
    }
  return double(pairs) / double(cloud.size());
}

PointCloud oneOf(const PointCloud& cloud, std::size_t every) {
  PointCloud some{std::vector<Coordinates>(cloud.dims()), cloud.names};
  for (std::size_t j = 0; j < cloud.dims(); ++j)
    for (std::size_t p = 0; p < cloud.size(); p += every)
      some.columns[j].push_back(cloud.columns[j][p]);
  return some;
}

// Points on a plane in three dimensions.
PointCloud plane(std::size_t points) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0, 10);
  PointCloud cloud{std::vector<Coordinates>(3, std::vector<double>(points)), {}};
  cloud.names = {"x", "y", "z"};
  for (std::size_t p = 0; p < points; ++p) {
    cloud.columns[0][p] = uniform(random);
    cloud.columns[1][p] = uniform(random);
    cloud.columns[2][p] = cloud.columns[0][p] + 0.5 * cloud.columns[1][p];
  }
  return cloud;
}

}  // namespace

class TestBlockForecast : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(folder_->path()).mkdir("scratch"));
  }

  void aSampleHasAsManyNeighbours_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("eps");
    QTest::newRow("2-D") << 2 << 0.6;
    QTest::newRow("3-D") << 3 << 0.9;
    QTest::newRow("5-D") << 5 << 2.0;
    QTest::newRow("a plane in 3-D") << 0 << 0.3;
  }

  void aSampleHasAsManyNeighbours() {
    QFETCH(int, kind);
    QFETCH(double, eps);
    const PointCloud all = kind == 0 ? plane(9000) : clumps(9000, std::size_t(kind)).cloud;
    const PointCloud sample = oneOf(all, 5);
    const auto found = epsOfSample(sample, 5, eps, {});
    QVERIFY(found);
    QVERIFY(*found > eps);
    const double wanted = neighbours(all, eps);
    const double there = neighbours(sample, *found);
    QVERIFY2(std::abs(there / wanted - 1) < 0.15,
             qPrintable(QString("%1 %2").arg(there).arg(wanted)));
  }

  void samplesThatTellNothingKeepTheirEps() {
    QCOMPARE(*epsOfSample(plane(1), 5, 0.3, {}), 0.3);
    QCOMPARE(*epsOfSample(plane(100), 1, 0.3, {}), 0.3);
    // No neighbours at all: as if they filled all dimensions.
    QCOMPARE(*epsOfSample(plane(100), 8, 1e-9, {}), 2e-9);
  }

  void thePlanIsThatOfTheRun_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("dims");
    QTest::newRow("npy") << "cloud.npy" << 2;
    QTest::newRow("csv") << "cloud.csv" << 2;
    QTest::newRow("3-D") << "cloud.npy" << 3;
  }

  void thePlanIsThatOfTheRun() {
    QFETCH(QString, file);
    QFETCH(int, dims);
    const Dataset data = clumps(60000, std::size_t(dims));
    const std::string input = path(qPrintable(file));
    QVERIFY(writeDataset(input, data));
    const PointCloud sample = oneOf(data.cloud, 6);
    const DbscanParams params{0.1, 6};
    const auto forecast =
        forecastInBlocks({input, {}}, {sample, 6}, params, cpu(), {}, options(), {});
    QVERIFY2(forecast, forecast ? "" : forecast.error().message.c_str());
    QVERIFY(isClean());
    OutputSet outputs;
    const auto run =
        clusterInBlocks({input, {}}, params, cpu(), {}, options(), outputs, path("labels.npy"), {});
    QVERIFY2(run, run ? "" : run.error().message.c_str());
    // The number of blocks, on which halos depend, is one of several that are tried.
    const auto near = [](double a, double b) { return a < 1.6 * b && b < 1.6 * a; };
    QCOMPARE(forecast->plan.points, run->plan.points);
    QVERIFY(run->plan.blocks > 4);
    QVERIFY2(std::max(forecast->plan.blocks, run->plan.blocks) <=
                 2 * std::min(forecast->plan.blocks, run->plan.blocks),
             qPrintable(QString("%1 %2").arg(forecast->plan.blocks).arg(run->plan.blocks)));
    QVERIFY(near(double(forecast->plan.scratchBytes), double(run->plan.scratchBytes)));
    QVERIFY(near(double(forecast->plan.memory), double(run->plan.memory)));
    QVERIFY(forecast->plan.memory <= options().memory);
    QCOMPARE(forecast->readings, file == "cloud.csv" ? 4 : 2);
    QCOMPARE(run->readings, forecast->readings);
    QVERIFY(forecast->seconds > 0);
  }

  void weightsAndFactorsTakePart() {
    Dataset data = clumps(20000, 2);
    std::vector<double> weights(20000);
    for (std::size_t p = 0; p < weights.size(); ++p) weights[p] = 0.5 + double(p % 3);
    data.attributes.push_back({"w", weights});
    data.columnOrder.push_back(2);
    QVERIFY(writeDataset(path("cloud.ply"), data));
    BlockOptions how = options();
    how.scaling = {Scaling::Kind::Factors, {2, 3}};
    PointCloud sample = oneOf(data.cloud, 4);
    for (double& x : sample.columns[0]) x *= 2;
    for (double& y : sample.columns[1]) y *= 3;
    std::vector<double> ofSample;
    for (std::size_t p = 0; p < weights.size(); p += 4) ofSample.push_back(weights[p]);
    const auto forecast = forecastInBlocks({path("cloud.ply"), {}, "w"}, {sample, 4, ofSample},
                                           {0.5, 6}, cpu(), {}, how, {});
    QVERIFY2(forecast, forecast ? "" : forecast.error().message.c_str());
    QVERIFY(forecast->seconds > 0);
    QVERIFY(isClean());
  }

  void whatARunWouldRefuseIsSaid() {
    const Dataset data = clumps(20000, 2);
    const PointCloud sample = oneOf(data.cloud, 4);
    QVERIFY(writeDataset(path("cloud.npy"), data));
    QVERIFY(writeDataset(path("cloud.csv.gz"), data));
    const auto kindOf = [&](const char* file, const PointCloud& points, const BlockOptions& how,
                            const DbscanParams& params = {0.1, 6}, const Task& task = {}) {
      const auto found =
          forecastInBlocks({path(file), {}}, {points, 4}, params, cpu(), {}, how, task);
      return found ? ErrorKind::Unavailable : found.error().kind;
    };
    QCOMPARE(kindOf("cloud.npy", sample, options()), ErrorKind::Unavailable);
    QCOMPARE(kindOf("cloud.csv.gz", sample, options()), ErrorKind::BadInput);
    std::ofstream(path("quoted.csv")) << "name,x,y\n\"a\nb\",1,2\n\"c\",3,4\n";
    QCOMPARE(kindOf("quoted.csv", sample, options()), ErrorKind::BadInput);
    QCOMPARE(kindOf("missing.npy", sample, options()), ErrorKind::Io);
    QCOMPARE(kindOf("cloud.npy", sample, options(), {5, 6}), ErrorKind::TooLarge);
    QCOMPARE(kindOf("cloud.npy", sample, options(), {-1, 6}), ErrorKind::BadCall);
    QCOMPARE(kindOf("cloud.npy", sample, options(), {0.1, 0}), ErrorKind::BadCall);
    QCOMPARE(kindOf("cloud.npy", plane(100), options()), ErrorKind::BadCall);
    QCOMPARE(kindOf("cloud.npy", {}, options()), ErrorKind::BadCall);
    BlockOptions nowhere = options();
    nowhere.scratch = path("nowhere");
    QCOMPARE(kindOf("cloud.npy", sample, nowhere), ErrorKind::Io);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(kindOf("cloud.npy", sample, options(), {0.1, 6}, {stop.get_token(), {}}),
             ErrorKind::Cancelled);
    QVERIFY(isClean());
  }

 private:
  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  BlockOptions options() const {
    BlockOptions how;
    how.memory = kLeastBlockMemory;
    how.scratch = path("scratch");
    how.threads = 2;
    how.mostPoints = 9000;
    return how;
  }
  bool isClean() const {
    return QDir(folder_->filePath("scratch"))
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
        .isEmpty();
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

APPLESS_TEST(TestBlockForecast);
#include "tst_block_forecast.moc"
