// DBSCAN of a cloud in blocks gives the labels of one run, element by element.
#include <QtTest/QtTest>

#include <algorithm>
#include <random>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/blocks/cluster_block.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

// CLUSTERLOOM_DRAWS in the environment asks for more cases.
int cases() {
  const int asked = qEnvironmentVariableIntValue("CLUSTERLOOM_DRAWS");
  return asked > 0 ? asked : 120;
}

const Backend& cpu() {
  static const auto backend = makeBackend("cpu", {.threads = 1});
  return **backend;
}

struct Answer {
  std::vector<std::int32_t> labels;
  std::vector<PointRole> roles;
  std::int32_t clusters = 0;
  std::uint64_t cores = 0;
  std::uint64_t borders = 0;
  std::uint64_t noise = 0;
  std::size_t blocks = 0;  // that have points
  std::size_t halo = 0;
  std::size_t choices = 0;
  bool fits = true;  // what was predicted of the sizes
};

// The blocks of a cloud that arrives in `parts` parts.
std::vector<BlockPoints> blocksOf(const PointCloud& cloud, double eps, int blocks,
                                  std::size_t parts, Answer& answer,
                                  const std::vector<double>& weights = {}) {
  SpaceDivision division = cutIntoCells(cloud.columns, eps, blocks);
  const auto cut = [&](std::size_t i) { return cloud.size() * i / parts; };
  std::vector<std::uint64_t> counts(division.cells(), 0);
  for (std::size_t i = 0; i < parts; ++i) {
    const auto some = histogram(division, draws::partOf(cloud, cut(i), cut(i + 1)));
    std::transform(some.begin(), some.end(), counts.begin(), counts.begin(), std::plus<>());
  }
  const std::vector<BlockSize> sizes = divide(division, counts, blocks);
  const Scatter scatter(division, eps);
  std::vector<BlockPoints> held(sizes.size());
  for (BlockPoints& block : held) block.cloud.columns.resize(cloud.dims());
  for (std::size_t i = 0; i < parts; ++i) {
    const PointCloud part = draws::partOf(cloud, cut(i), cut(i + 1));
    for (const BlockEntry& entry : scatter(part, {})) {
      BlockPoints& block = held[entry.block];
      for (std::size_t j = 0; j < cloud.dims(); ++j)
        block.cloud.columns[j].push_back(part.columns[j][entry.point]);
      block.ids.push_back(cut(i) + entry.point);
      if (!weights.empty()) block.weights.push_back(weights[block.ids.back()]);
      block.places.push_back(entry.place);
    }
  }
  for (std::size_t b = 0; b < held.size(); ++b) {
    const auto halo = static_cast<std::uint64_t>(
        std::count(held[b].places.begin(), held[b].places.end(), Place::Halo));
    answer.halo += halo;
    answer.blocks += sizes[b].own > 0;
    answer.fits &= held[b].ids.size() - halo == sizes[b].own && halo <= sizes[b].mostHalo;
  }
  return held;
}

Result<Answer> inBlocks(const PointCloud& cloud, const DbscanParams& params, int blocks,
                        std::size_t parts = 1, const Strategy& strategy = {},
                        const std::vector<double>& weights = {},
                        std::uint64_t mostPairs = kMostWeightedPairs) {
  Answer answer;
  const std::vector<BlockPoints> held = blocksOf(cloud, params.eps, blocks, parts, answer, weights);
  BlockMerge merge;
  std::vector<BlockClusters> found;
  std::vector<std::uint32_t> first;
  std::vector<BlockLink> links;
  for (const BlockPoints& block : held) {
    auto one = clusterBlock(block, params, cpu(), cpu(), strategy, {}, mostPairs);
    if (!one) return tl::unexpected(one.error());
    const auto before = merge.add(one->lowest);
    if (!before) return tl::unexpected(before.error());
    first.push_back(*before);
    for (const BlockLink& link : one->links) links.push_back({link.id, *before + link.cluster});
    answer.cores += one->coreCount;
    answer.borders += one->borderCount;
    answer.noise += one->noiseCount;
    answer.choices += one->choices.size();
    found.push_back(std::move(*one));
  }
  std::ranges::stable_sort(links, {}, &BlockLink::id);
  for (const BlockLink& link : links) merge.link(link.id, link.cluster);
  const auto numbers = merge.numbers();
  if (!numbers) return tl::unexpected(numbers.error());
  answer.clusters = numbers->clusters;
  answer.labels.assign(cloud.size(), -7);
  answer.roles.assign(cloud.size(), PointRole::Noise);
  for (std::size_t b = 0; b < held.size(); ++b) {
    relabel(found[b].labels, found[b].choices,
            std::span(numbers->numbers).subspan(first[b], found[b].lowest.size()));
    auto label = found[b].labels.begin();
    for (std::size_t p = 0; p < held[b].ids.size(); ++p)
      if (held[b].places[p] != Place::Halo) answer.labels[held[b].ids[p]] = *label++;
    auto role = found[b].roles.begin();
    for (std::size_t p = 0; p < held[b].ids.size(); ++p)
      if (held[b].places[p] != Place::Halo) answer.roles[held[b].ids[p]] = *role++;
  }
  return answer;
}

QString difference(const Result<Answer>& found, const Clustering& expected) {
  if (!found) return "error: " + QString::fromStdString(found.error().message);
  for (std::size_t p = 0; p < expected.labels.size(); ++p)
    if (found->labels[p] != expected.labels[p])
      return QString("label of point %1 is %2, not %3")
          .arg(p)
          .arg(found->labels[p])
          .arg(expected.labels[p]);
  if (found->roles != expected.roles) return "roles";
  if (found->clusters != expected.clusters) return "number of clusters";
  if (found->cores != expected.coreCount || found->borders != expected.borderCount ||
      found->noise != expected.noiseCount)
    return "counts of roles";
  if (!found->fits) return "a block is larger than predicted";
  return {};
}

}  // namespace

class TestBlocks : public QObject {
  Q_OBJECT

 private slots:
  void drawnCloudsGetTheLabelsOfOneRun();
  void manyPointsInOneToSixDimensions_data();
  void manyPointsInOneToSixDimensions();
  void latticesAcrossBorders_data();
  void latticesAcrossBorders();
  void aCellHeavierThanABlock();
  void oneClusterThroughAllBlocks();
  void borderPointsTakeTheLowestFinalNumber();
  void epsBeyondTheExtent();
  void fewPoints();
  void weightsGiveTheLabelsOfOneRun();
  void pointsThatLackANegativeWeightAreNotCore();
  void strategiesGiveTheSameLabels();
  void badCallsAreRefused();
};

void TestBlocks::drawnCloudsGetTheLabelsOfOneRun() {
  int divided = 0;
  int withHalo = 0;
  for (int seed = 0; seed < cases(); ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
    const std::size_t n = 1 + random() % (seed % 5 == 0 ? 900 : 250);
    const PointCloud cloud = draws::draw(random, kind, n, 1 + random() % (seed % 3 == 0 ? 12 : 3));
    for (int i = 0; i < 2; ++i) {
      const DbscanParams params{draws::drawEps(random, cloud),
                                static_cast<std::int64_t>(1 + random() % (i == 0 ? 6 : 25))};
      const auto expected = bruteForceDbscan(cloud, params);
      QVERIFY(expected);
      for (int j = 0; j < 2; ++j) {
        const int blocks = 1 + static_cast<int>(random() % 9);
        const auto found = inBlocks(cloud, params, blocks, 1 + random() % 4);
        const QString what = difference(found, *expected);
        QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1, %2, %3 × %4, %5 blocks: %6")
                                                .arg(seed)
                                                .arg(QString::fromStdString(kind))
                                                .arg(n)
                                                .arg(cloud.dims())
                                                .arg(blocks)
                                                .arg(what)));
        divided += found->blocks > 1;
        withHalo += found->halo > 0;
      }
    }
  }
  QVERIFY(divided > cases());  // the draws have borders often enough
  QVERIFY(withHalo > cases() / 2);
}

void TestBlocks::manyPointsInOneToSixDimensions_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("dims");
  for (int dims = 1; dims <= 6; ++dims)
    for (const char* kind : {"uniform", "blobs", "duplicates", "lattice"})
      QTest::addRow("%s %d", kind, dims) << kind << dims;
}

void TestBlocks::manyPointsInOneToSixDimensions() {
  QFETCH(QString, kind);
  QFETCH(int, dims);
  std::mt19937_64 random(static_cast<std::uint64_t>(dims));
  const PointCloud cloud =
      draws::draw(random, kind.toStdString(), 4000, static_cast<std::size_t>(dims));
  const double eps[] = {0.01, 0.15, 0.6, 1, 1.5, 2};
  const DbscanParams params{eps[dims - 1], 4};
  const auto expected = cpu().dbscan(cloud, params, {}, {});
  QVERIFY(expected);
  for (const int blocks : {2, 7, 30}) {
    const QString what = difference(inBlocks(cloud, params, blocks, 3), *expected);
    QVERIFY2(what.isEmpty(), qPrintable(what));
  }
}

void TestBlocks::latticesAcrossBorders_data() {
  QTest::addColumn<double>("step");
  for (const double step : {1.0, 0.1, 0.3, 1e-7}) QTest::addRow("%g", step) << step;
}

// Every point has neighbours at a distance that is a tie, also over the borders of blocks.
void TestBlocks::latticesAcrossBorders() {
  QFETCH(double, step);
  std::vector<std::vector<double>> columns(2);
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j) {
      if (random() % 4 == 0) continue;
      columns[0].push_back(i * step);
      columns[1].push_back(j * step);
    }
  const PointCloud cloud = draws::cloudOf(columns);
  for (const double eps : {step, std::nextafter(step, 0.0), 1.5 * step})
    for (const std::int64_t minPts : {1, 3, 4, 5}) {
      const DbscanParams params{eps, minPts};
      const auto expected = cpu().dbscan(cloud, params, {}, {});
      QVERIFY(expected);
      for (const int blocks : {2, 5, 16}) {
        const QString what = difference(inBlocks(cloud, params, blocks, 2), *expected);
        QVERIFY2(what.isEmpty(), qPrintable(what));
      }
    }
}

void TestBlocks::aCellHeavierThanABlock() {
  std::vector<std::vector<double>> columns(2);
  for (int i = 0; i < 3000; ++i) {
    const bool heavy = i % 6 != 0;
    columns[0].push_back(heavy ? 5.0 : i * 0.01);
    columns[1].push_back(heavy ? 5.0 : (i % 97) * 0.3);
  }
  const PointCloud cloud = draws::cloudOf(columns);
  const DbscanParams params{0.5, 5};
  const auto expected = cpu().dbscan(cloud, params, {}, {});
  QVERIFY(expected);
  const auto found = inBlocks(cloud, params, 10);
  const QString what = difference(found, *expected);
  QVERIFY2(what.isEmpty(), qPrintable(what));
  QVERIFY(found->blocks < 10);  // some are empty
  QVERIFY(found->blocks > 1);
}

void TestBlocks::oneClusterThroughAllBlocks() {
  std::vector<std::vector<double>> columns(2);
  // In an order in which no block has consecutive points.
  for (std::size_t i = 0; i < 5000; ++i) {
    const double t = static_cast<double>(i * 1777 % 5000) * 0.01;
    columns[0].push_back(t * std::cos(t));
    columns[1].push_back(t * std::sin(t));
  }
  const PointCloud cloud = draws::cloudOf(columns);
  const DbscanParams params{0.6, 2};
  const auto expected = cpu().dbscan(cloud, params, {}, {});
  QVERIFY(expected);
  QCOMPARE(expected->clusters, 1);
  const auto found = inBlocks(cloud, params, 20, 3);
  const QString what = difference(found, *expected);
  QVERIFY2(what.isEmpty(), qPrintable(what));
  QVERIFY(found->blocks > 10);
}

// Border points between two clusters on a line, of which the second one's lowest core point is
// often in another block.
void TestBlocks::borderPointsTakeTheLowestFinalNumber() {
  std::size_t choices = 0;
  for (int seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<double> xs;
    for (double x = 0; xs.size() < 200;) {
      const auto run = 3 + random() % 30;
      for (std::size_t i = 0; i < run; ++i) xs.push_back(x += 0.5);
      xs.push_back(x += 1);  // has two neighbours, one on each side
      x += 0.5;
    }
    std::shuffle(xs.begin(), xs.end(), random);
    const PointCloud cloud = draws::cloudOf({xs});
    const DbscanParams params{1, 4};
    const auto expected = bruteForceDbscan(cloud, params);
    QVERIFY(expected);
    // Few pairs at a time: the choices of a block come in several lists.
    const std::uint64_t mostPairs = seed % 2 == 0 ? kMostWeightedPairs : 1 + random() % 40;
    const auto found =
        inBlocks(cloud, params, 2 + static_cast<int>(random() % 12), 1, {}, {}, mostPairs);
    const QString what = difference(found, *expected);
    QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1: ").arg(seed) + what));
    choices += found->choices;
  }
  QVERIFY(choices > 100);
}

void TestBlocks::epsBeyondTheExtent() {
  std::mt19937_64 random(1);
  const PointCloud cloud = draws::draw(random, "uniform", 300, 2);
  for (const double eps : {20.0, 1e6, 1.2e154})
    for (const std::int64_t minPts : {1, 300, 301}) {
      const DbscanParams params{eps, minPts};
      const auto expected = bruteForceDbscan(cloud, params);
      QVERIFY(expected);
      const QString what = difference(inBlocks(cloud, params, 6), *expected);
      QVERIFY2(what.isEmpty(), qPrintable(what));
    }
}

void TestBlocks::fewPoints() {
  for (const std::int64_t minPts : {1, 2}) {
    const PointCloud one = draws::cloudOf({{3}, {4}});
    const auto found = inBlocks(one, {0.5, minPts}, 5);
    QVERIFY(found);
    QCOMPARE(found->labels, std::vector<std::int32_t>{minPts == 1 ? 0 : kNoise});
    // A block without points.
    BlockPoints none;
    none.cloud.columns.resize(2);
    const auto empty = clusterBlock(none, {0.5, minPts}, cpu(), cpu(), {}, {});
    QVERIFY(empty);
    QVERIFY(empty->labels.empty() && empty->lowest.empty() && empty->links.empty());
    // A cloud without points.
    const auto nothing = inBlocks(draws::cloudOf({{}, {}}), {0.5, minPts}, 5);
    QVERIFY(nothing);
    QVERIFY(nothing->labels.empty());
    QCOMPARE(nothing->clusters, 0);
  }
}

void TestBlocks::weightsGiveTheLabelsOfOneRun() {
  int withHalo = 0;
  for (int seed = 0; seed < cases(); ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 9000);
    const char* const kinds[] = {"uniform", "blobs", "lattice", "duplicates"};
    const PointCloud cloud = draws::draw(random, kinds[seed % 4], 400, 1 + random() % 3);
    std::vector<double> weights(cloud.size());
    const auto least = seed % 3 == 0 ? 0 : -12;
    for (double& weight : weights)
      weight = 0.1 * static_cast<double>(least + static_cast<int>(random() % 40));
    const DbscanParams params{draws::drawEps(random, cloud),
                              static_cast<std::int64_t>(1 + random() % 8)};
    const auto expected = weightedDbscan(cpu(), cloud, weights, params, {}, {});
    QVERIFY(expected);
    const auto found = inBlocks(cloud, params, 2 + static_cast<int>(random() % 8), 2, {}, weights,
                                seed % 2 == 0 ? kMostWeightedPairs : 1 + random() % 500);
    const QString what = difference(found, *expected);
    QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1: ").arg(seed) + what));
    withHalo += found->halo > 0;
  }
  QVERIFY(withHalo > cases() / 3);
}

// The third point of each group is core only where the fifth one is not seen. It would make one
// cluster of the second and the fourth.
void TestBlocks::pointsThatLackANegativeWeightAreNotCore() {
  const double places[] = {0, 0.8, 1.7, 1.95, 2.5, 2.9};
  const double weightsOfPlaces[] = {0, 10, 0, 10, -30, 50};
  for (int seed = 0; seed < 5; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::uniform_real_distribution<double> step(4, 8);
    std::vector<double> xs;
    std::vector<double> weights;
    double start = 0;
    for (int group = 0; group < 300; ++group) {
      start += step(random);
      for (std::size_t i = 0; i < 6; ++i) {
        xs.push_back(start + places[i]);
        weights.push_back(weightsOfPlaces[i]);
      }
    }
    const PointCloud cloud = draws::cloudOf({xs});
    const DbscanParams params{1, 5};
    const auto expected = weightedDbscan(cpu(), cloud, weights, params, {}, {});
    QVERIFY(expected);
    QCOMPARE(expected->clusters, 600);
    const QString what = difference(inBlocks(cloud, params, 40, 2, {}, weights), *expected);
    QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1: ").arg(seed) + what));
  }
}

void TestBlocks::strategiesGiveTheSameLabels() {
  for (int seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 5000);
    const PointCloud cloud = draws::draw(random, "blobs", 300, 1 + random() % 4);
    const DbscanParams params{draws::drawEps(random, cloud), 4};
    const auto expected = bruteForceDbscan(cloud, params);
    QVERIFY(expected);
    const Strategy strategy = strategies::draw(random, cloud.dims(), strategies::For::Dbscan);
    const QString what = difference(inBlocks(cloud, params, 4, 1, strategy), *expected);
    QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1: ").arg(seed) + what));
  }
}

void TestBlocks::badCallsAreRefused() {
  std::mt19937_64 random(1);
  const PointCloud cloud = draws::draw(random, "uniform", 30, 2);
  Answer ignored;
  for (const BlockPoints& block : blocksOf(cloud, 1.0, 2, 1, ignored)) {
    const auto found = clusterBlock(block, {1.0, 0}, cpu(), cpu(), {}, {});
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::BadCall);
  }
}

APPLESS_TEST(TestBlocks);
#include "tst_blocks.moc"
