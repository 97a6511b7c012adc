// The examples of public headers: each one stands here word for word, compiles and gives what its
// header says.
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <cmath>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/dbscan/sweep.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/hdbscan.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "engine/join/strategy.h"
#include "engine/validity/cluster_validity.h"
#include "engine/validity/resampling.h"
#include "engine/validity/stability_over_eps.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// Three points, the first two of which are 0.5 apart.
PointCloud threePoints() { return {.columns = {{0, 0.3, 5}, {0, 0.4, 5}}, .names = {"x", "y"}}; }

Result<std::uint64_t> ofBackend(const PointCloud& cloud) {
  const auto backend = makeBackend("auto", {});
  if (!backend) return tl::unexpected(backend.error());
  const auto clusters = (*backend)->dbscan(cloud, {.eps = 0.5, .minPts = 3}, {}, {});
  const auto counts = (*backend)->count(cloud, 0.5, {}, {});
  if (!clusters || !counts) return fail(ErrorKind::BadCall, "the example failed");
  return counts->pairs + clusters->noiseCount;
}

Result<std::size_t> ofPointCloud() {
  const PointCloud cloud{.columns = {{0, 0.3, 5}, {0, 0.4, 5}}, .names = {"x", "y"}};
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  return cloud.size();
}

Result<std::size_t> ofGenerators() {
  const auto made = generate({.kind = "moons", .points = 5000, .seed = 7});
  if (!made) return tl::unexpected(made.error());
  const PointCloud& cloud = made->cloud;
  return cloud.size();
}

std::string ofStrategy() {
  Strategy strategy = gpuCalcGlobal();
  strategy.order = QueryOrder::WorkQueue;
  strategy.indexedDims = 2;
  const std::string words = describe(strategy);
  return words;
}

Result<double> ofValidity(const PointCloud& cloud, const std::vector<std::int32_t>& labels) {
  const auto validity = densityBasedValidity(cloud, labels);
  if (!validity) return tl::unexpected(validity.error());
  return validity->index;
}

Result<double> ofResampling(const Backend& backend, const PointCloud& cloud,
                            const std::vector<std::int32_t>& labels, double eps,
                            std::int64_t minPts) {
  const auto label = [&](const PointCloud& sample,
                         const Task& task) -> Result<std::vector<std::int32_t>> {
    auto found = backend.dbscan(sample, {eps, minPtsOfSample(minPts, 0.5)}, {}, task);
    if (!found) return tl::unexpected(found.error());
    return std::move(found->labels);
  };
  const auto stability = stabilityByResampling(cloud, labels, {.resamples = 20}, label);
  if (!stability) return tl::unexpected(stability.error());
  return stability->front().jaccard;
}

Result<double> ofStabilityOverEps(const PointCloud& cloud, const Hierarchy& hierarchy) {
  const auto curve = epsCurve(hierarchy);
  if (!curve) return tl::unexpected(curve.error());
  const auto eps = geometricEps(curve->eps.front(), curve->eps.back(), 48);
  if (!eps) return tl::unexpected(eps.error());
  const auto stability = stabilityOverEps(cloud, hierarchy, *eps, {.resamples = 20});
  if (!stability) return tl::unexpected(stability.error());
  return stability->back().mean;
}

Result<std::int32_t> ofWeights(const Backend& backend, const PointCloud& cloud) {
  const std::vector<double> weights = {1, 2.5, 1};
  const auto clusters = weightedDbscan(backend, cloud, weights, {.eps = 0.5, .minPts = 3}, {}, {});
  if (!clusters) return tl::unexpected(clusters.error());
  return clusters->clusters;
}

Result<double> ofNearest(const PointCloud& cloud) {
  const auto nearest = nearestNeighbours(cloud, 2);
  if (!nearest) return tl::unexpected(nearest.error());
  const double spacing = std::sqrt(nearest->squaredDistancesOf(0)[1]);
  return spacing;
}

Result<double> ofKDistances(const PointCloud& cloud) {
  const auto curve = kDistances(cloud, 10, 5000);
  if (!curve) return tl::unexpected(curve.error());
  const double eps = curve->suggestedEps;
  return eps;
}

Result<std::string> ofHierarchies(const PointCloud& cloud) {
  HierarchyPlace place;
  const auto hierarchy = buildHierarchy(cloud, {.minPts = 3}, {"auto"}, {}, &place);
  if (!hierarchy) return tl::unexpected(hierarchy.error());
  return place.backend;
}

Result<std::vector<std::int32_t>> ofHierarchy(const PointCloud& cloud) {
  std::vector<std::int32_t> numbers;
  const auto hierarchy = Hierarchy::build(cloud, {.minPts = 3});
  if (!hierarchy) return tl::unexpected(hierarchy.error());
  for (const double eps : {0.5, 1.0, 8.0}) {
    const auto clusters = hierarchy->labels(eps);
    if (!clusters) return tl::unexpected(clusters.error());
    numbers.push_back(clusters->clusters);
  }
  return numbers;
}

Result<std::size_t> ofHdbscan(const Hierarchy& hierarchy) {
  const auto tree = condense(hierarchy.dendrogram(), 25);
  if (!tree) return tl::unexpected(tree.error());
  const FlatClusters found = takeClusters(*tree, {.minClusterSize = 25});
  return found.taken.size();
}

Result<std::size_t> ofRead(const std::string& path) {
  ReadOptions options;
  options.coordinates = {"x", "y"};
  const auto data = readDataset(path, options);
  if (!data) return tl::unexpected(data.error());
  const PointCloud& cloud = data->cloud;
  return cloud.size();
}

Result<void> ofWrite(const std::string& path, const Dataset& dataset,
                     const Clustering& clustering) {
  WriteOptions options;
  options.provenance = provenanceOf(dataset, clustering, "none");
  const auto written = writeLabelled(path, dataset, clustering, options);
  if (!written) return tl::unexpected(written.error());
  return {};
}

QString readText(const QString& path) {
  QFile file(QStringLiteral(CLUSTERLOOM_SOURCE_DIR "/") + path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Formatters break lines as they like.
QString withoutBlanks(QString text) { return text.remove(QRegularExpression("\\s")); }

}  // namespace

class TestHeaderExamples : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void examplesStandHere_data();
  void examplesStandHere();
  void examplesGiveWhatTheySay();
  void filesComeBack();
};

void TestHeaderExamples::examplesStandHere_data() {
  QTest::addColumn<QString>("header");
  for (const char* header :
       {"backend.h", "cloud/point_cloud.h", "cloud/generators.h", "join/strategy.h",
        "dbscan/weighted_dbscan.h", "hierarchy/nearest_neighbours.h", "hierarchy/k_distance.h",
        "hierarchies.h", "hierarchy/hierarchy.h", "hierarchy/hdbscan.h", "io/read.h", "io/write.h",
        "validity/cluster_validity.h", "validity/resampling.h", "validity/stability_over_eps.h"})
    QTest::newRow(header) << QString("engine/") + header;
}

void TestHeaderExamples::examplesStandHere() {
  QFETCH(const QString, header);
  const QString here = withoutBlanks(readText("tests/engine/tst_header_examples.cpp"));
  const QString text = readText(header);
  // "/// Example:", an empty line of the comment, and the lines of code.
  static const QRegularExpression example("/// Example:\\n///\\n((?:///     .*\\n)+)");
  int examples = 0;
  for (auto found = example.globalMatch(text); found.hasNext(); ++examples) {
    QString code = found.next().captured(1);
    code.remove("///");
    QVERIFY2(here.contains(withoutBlanks(code)), qPrintable(code));
  }
  QVERIFY2(examples > 0, "no example was found");
  QCOMPARE(examples, int(text.count("/// Example:")));
  QVERIFY2(text.contains("/// Performance."), qPrintable(header));
}

void TestHeaderExamples::examplesGiveWhatTheySay() {
  const PointCloud three = threePoints();
  QCOMPARE(ofBackend(three).value_or(0), std::uint64_t(5 + 3));
  QCOMPARE(ofPointCloud().value_or(0), std::size_t(3));
  QCOMPARE(ofGenerators().value_or(0), std::size_t(5000));
  QVERIFY(ofStrategy().find("k = 2") != std::string::npos);
  const auto backend = makeBackend("cpu", {.threads = 2});
  QVERIFY(backend);
  QCOMPARE(ofWeights(**backend, three).value_or(0), 1);
  QCOMPARE(ofNearest(three).value_or(0), 0.5);
  const auto blobs = generate({.kind = "blobs", .points = 2000, .seed = 3});
  QVERIFY(blobs);
  QVERIFY(ofKDistances(blobs->cloud).value_or(0) > 0);
  QVERIFY(!ofHierarchies(three).value_or("").empty());
  QCOMPARE(ofHierarchy(three).value_or(std::vector<std::int32_t>()),
           (std::vector<std::int32_t>{0, 0, 1}));
  const auto hierarchy = Hierarchy::build(blobs->cloud, {.minPts = 10});
  QVERIFY(hierarchy);
  QVERIFY(ofHdbscan(*hierarchy).value_or(0) > 1);
  const auto labels = hierarchy->labels(2);
  QVERIFY(labels);
  QVERIFY(std::abs(ofValidity(blobs->cloud, labels->labels).value_or(2)) <= 1);
  QVERIFY(ofStabilityOverEps(blobs->cloud, *Hierarchy::build(blobs->cloud, {.minPts = 10}))
              .value_or(0) > 0.9);
  QVERIFY(ofResampling(**backend, blobs->cloud, labels->labels, 2, 10).value_or(0) > 0.5);
}

void TestHeaderExamples::filesComeBack() {
  const QTemporaryDir folder;
  const std::string path = folder.filePath("labelled.csv").toStdString();
  const auto made = generate({.kind = "blobs", .points = 300, .seed = 3});
  const auto backend = makeBackend("cpu", {.threads = 2});
  QVERIFY(made && backend);
  const auto clusters = (*backend)->dbscan(made->cloud, {.eps = 2, .minPts = 4}, {}, {});
  QVERIFY(clusters);
  QVERIFY(ofWrite(path, *made, *clusters));
  QCOMPARE(ofRead(path).value_or(0), std::size_t(300));
}

GUILESS_TEST(TestHeaderExamples);
#include "tst_header_examples.moc"
