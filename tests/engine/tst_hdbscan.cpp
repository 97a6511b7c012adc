#include <QtTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "cloud_draws.h"
#include "engine/hierarchy/hdbscan.h"
#include "plain_hdbscan.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace plain;

namespace {

struct GoldenCase {
  PointCloud cloud;
  std::size_t minPts = 0;
  HdbscanOptions options;
  std::vector<std::int32_t> labels;
  std::vector<double> probabilities;
};

/// Reads a file that make_hdbscan.py wrote; no points on a malformed one.
GoldenCase readGolden(const QString& name) {
  std::ifstream file(std::filesystem::path(CLUSTERLOOM_TEST_DATA "/hdbscan") / name.toStdString());
  GoldenCase golden;
  std::string word, select;
  std::size_t points = 0, dims = 0;
  int single = 0;
  file >> word >> points >> word >> dims >> word >> golden.minPts >> word >>
      golden.options.minClusterSize >> word >> select >> word >> single;
  golden.options.selection =
      select == "leaves" ? ClusterSelection::Leaves : ClusterSelection::ExcessOfMass;
  golden.options.allowSingleCluster = single != 0;
  std::vector<std::vector<double>> rows(points, std::vector<double>(dims));
  golden.labels.resize(points);
  golden.probabilities.resize(points);
  for (std::size_t p = 0; p < points; ++p) {
    for (double& x : rows[p]) {
      file >> word;  // streams read no hexadecimal
      x = std::strtod(word.c_str(), nullptr);
    }
    file >> golden.labels[p] >> word;
    golden.probabilities[p] = std::strtod(word.c_str(), nullptr);
  }
  if (file) golden.cloud = draws::fromRows(rows);
  return golden;
}

}  // namespace

/// HDBSCAN* against its definition in plain loops, and against scikit-learn.
class TestHdbscan : public QObject {
  Q_OBJECT

 private slots:
  void golden_data() {
    QTest::addColumn<QString>("name");
    int cases = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(CLUSTERLOOM_TEST_DATA "/hdbscan")) {
      if (entry.path().extension() != ".golden") continue;
      const QString name = QString::fromStdString(entry.path().filename().string());
      QTest::newRow(qPrintable(name)) << name;
      ++cases;
    }
    QVERIFY(cases >= 13);
  }

  void golden() {
    QFETCH(QString, name);
    const GoldenCase golden = readGolden(name);
    QVERIFY(golden.cloud.size() > 0);
    std::mt19937_64 random(1);
    const auto weights = mutualReachability(golden.cloud, golden.minPts);
    for (int order = 0; order < 3; ++order) {
      const Dendrogram tree = dendrogramOf(golden.cloud.size(), spanningTree(weights, random));
      const auto condensed = condense(tree, golden.options.minClusterSize);
      QVERIFY(condensed.has_value());
      const FlatClusters flat = takeClusters(*condensed, golden.options);
      QCOMPARE(flat.labels, golden.labels);
      for (std::size_t p = 0; p < golden.probabilities.size(); ++p)
        QVERIFY(std::abs(flat.probabilities[p] - golden.probabilities[p]) <= 1e-12);
    }
  }

  void definition_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kAllKinds) QTest::newRow(kind.c_str()) << kind.c_str();
  }

  void definition() {
    QFETCH(QString, kind);
    std::mt19937_64 random(std::hash<std::string>{}(kind.toStdString()));
    for (int round = 0; round < 12; ++round) {
      const std::size_t n = 1 + random() % 40;
      const std::size_t dims = 1 + random() % 3;
      const std::size_t minPts = 1 + random() % 6;
      const auto size = static_cast<std::uint32_t>(2 + random() % 5);
      const PointCloud cloud = draws::draw(random, kind.toStdString(), n, dims);
      const auto weights = mutualReachability(cloud, minPts);
      const PlainTree plain = PlainCondenser(weights, size).run();
      const Dendrogram tree = dendrogramOf(n, spanningTree(weights, random));
      const auto condensed = condense(tree, size);
      QVERIFY(condensed.has_value());
      QCOMPARE(condensed->clusters.size(), plain.clusters.size());
      std::vector<std::vector<std::uint32_t>> sets;
      for (const CondensedCluster& cluster : condensed->clusters) {
        sets.push_back(pointsBelow(tree, cluster.node));
        QCOMPARE(std::size_t{cluster.size}, sets.back().size());
        const auto same =
            std::find_if(plain.clusters.begin(), plain.clusters.end(),
                         [&](const PlainCluster& other) { return other.points == sets.back(); });
        QVERIFY(same != plain.clusters.end());
        QCOMPARE(cluster.birth, same->birth);
        QVERIFY(close(cluster.stability, same->stability));
        if (cluster.parent != CondensedCluster::kNoParent) {
          const auto& above = sets[static_cast<std::size_t>(cluster.parent)];
          QVERIFY(
              std::includes(above.begin(), above.end(), sets.back().begin(), sets.back().end()));
        }
      }
      for (std::size_t p = 0; p < n; ++p) {
        QCOMPARE(sets[static_cast<std::size_t>(condensed->clusterOf[p])], plain.of[p]);
        QCOMPARE(condensed->lambda[p], plain.lambda[p]);
      }
    }
  }

  /// Of all sets of clusters without ancestor relation, the one taken has the largest sum.
  void excessOfMassIsTheLargest() {
    std::mt19937_64 random(7);
    int several = 0;
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = 10 + random() % 50;
      const PointCloud cloud = draws::draw(random, round % 2 ? "blobs" : "uniform", n, 2);
      const Dendrogram tree = dendrogramOf(n, spanningTree(mutualReachability(cloud, 3), random));
      const CondensedTree condensed = *condense(tree, 3);
      const std::size_t count = condensed.clusters.size();
      if (count > 14) continue;
      several += count > 4;
      const auto isBelow = [&](std::size_t a, std::size_t b) {
        for (std::int32_t at = condensed.clusters[a].parent; at >= 0;
             at = condensed.clusters[static_cast<std::size_t>(at)].parent)
          if (static_cast<std::size_t>(at) == b) return true;
        return false;
      };
      double best = 0;
      for (std::uint32_t mask = 0; mask < (1U << count); mask += 2) {  // without the root
        double sum = 0;
        bool legal = true;
        for (std::size_t a = 0; a < count && legal; ++a) {
          if (!(mask >> a & 1U)) continue;
          sum += condensed.clusters[a].stability;
          for (std::size_t b = 0; b < count; ++b) legal &= !((mask >> b & 1U) && isBelow(a, b));
        }
        if (legal) best = std::max(best, sum);
      }
      const FlatClusters flat = takeClusters(condensed, {.minClusterSize = 3});
      double taken = 0;
      for (const std::int32_t c : flat.taken)
        taken += condensed.clusters[static_cast<std::size_t>(c)].stability;
      QVERIFY(close(taken, best));
    }
    QVERIFY(several > 20);
  }

  /// Numbers follow the lowest point, each number is used, and probabilities reach 1.
  void numbersAndProbabilities() {
    std::mt19937_64 random(11);
    for (int round = 0; round < 60; ++round) {
      const PointCloud cloud = draws::draw(random, round % 3 ? "blobs" : "lattice", 120, 2);
      const Dendrogram tree =
          dendrogramOf(cloud.size(), spanningTree(mutualReachability(cloud, 4), random));
      HdbscanOptions options{.minClusterSize = 6};
      if (round % 2) options.selection = ClusterSelection::Leaves;
      const FlatClusters flat = takeClusters(*condense(tree, 6), options);
      std::int32_t next = 0;
      std::vector<double> largest(flat.taken.size(), 0);
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        const std::int32_t label = flat.labels[p];
        QVERIFY(label <= next);
        if (label == next) ++next;
        QVERIFY(flat.probabilities[p] >= 0 && flat.probabilities[p] <= 1);
        QVERIFY(label >= 0 || flat.probabilities[p] == 0);
        if (label >= 0)
          largest[static_cast<std::size_t>(label)] =
              std::max(largest[static_cast<std::size_t>(label)], flat.probabilities[p]);
      }
      QCOMPARE(std::size_t(next), flat.taken.size());
      for (const double probability : largest) QCOMPARE(probability, 1.0);
      QCOMPARE(flat.densest.size(), flat.taken.size());
      for (std::size_t c = 0; c < flat.densest.size(); ++c) {
        QCOMPARE(std::size_t(flat.labels[flat.densest[c]]), c);
        QCOMPARE(flat.probabilities[flat.densest[c]], 1.0);
      }
    }
  }

  /// Points at distance 0 of each other are a cluster of infinite density, whatever is far away.
  void duplicatesAreLocal() {
    std::mt19937_64 random(3);
    const auto labelsOf = [&](const std::vector<std::vector<double>>& rows, bool single = false) {
      const auto weights = mutualReachability(draws::fromRows(rows), 5);
      const auto tree = condense(dendrogramOf(rows.size(), spanningTree(weights, random)), 5);
      for (const CondensedCluster& cluster : tree->clusters) {
        if (!std::isfinite(cluster.birth) || !(cluster.stability >= 0)) return FlatClusters{};
      }
      return takeClusters(*tree, {.minClusterSize = 5, .allowSingleCluster = single});
    };
    std::vector<std::vector<double>> rows;
    for (const double x : {0.0, 0.1, 10.0}) rows.insert(rows.end(), 20, {x});
    const FlatClusters near = labelsOf(rows);
    std::vector<std::int32_t> three;
    for (std::int32_t label = 0; label < 3; ++label) three.insert(three.end(), 20, label);
    QCOMPARE(near.labels, three);
    QCOMPARE(near.probabilities, std::vector<double>(60, 1.0));
    rows.push_back({500});
    rows.push_back({500.000001});
    FlatClusters far = labelsOf(rows);
    QCOMPARE(std::vector<std::int32_t>(far.labels.begin(), far.labels.begin() + 60), three);
    QCOMPARE(far.labels[60], -1);
    QCOMPARE(far.labels[61], -1);
    // Beside points that never leave, the others have left at once.
    rows.resize(40);
    for (std::size_t p = 20; p < 40; ++p) rows[p] = {10};
    for (int i = 0; i < 4; ++i) rows.push_back({0.1 + 0.01 * i});
    const FlatClusters fringe = labelsOf(rows);
    QCOMPARE(fringe.taken.size(), std::size_t{2});
    for (std::size_t p = 0; p < 44; ++p) {
      QCOMPARE(fringe.labels[p], p >= 20 && p < 40 ? 1 : 0);
      QCOMPARE(fringe.probabilities[p], p < 40 ? 1.0 : 0.0);
    }
    // The points of one place, as a single cluster and without it.
    const std::vector<std::vector<double>> one(20, {7.0});
    QCOMPARE(labelsOf(one).labels, std::vector<std::int32_t>(20, -1));
    QCOMPARE(labelsOf(one, true).labels, std::vector<std::int32_t>(20, 0));
    QCOMPARE(labelsOf(one, true).probabilities, std::vector<double>(20, 1.0));
  }

  /// Squares that have one root are one distance: three clusters part at once.
  void equalRootsPartTogether() {
    constexpr double kTiny = 0x1p-26;  // 1 + kTiny² is the double after 1
    QCOMPARE(std::sqrt(1 + kTiny * kTiny), 1.0);
    QVERIFY(1 + kTiny * kTiny > 1);
    std::mt19937_64 random(5);
    const std::vector<std::vector<double>> rows = {{0, 0},    {-0.5, 0},  {1, 0},
                                                   {1, -0.5}, {2, kTiny}, {2.5, kTiny}};
    const auto weights = mutualReachability(draws::fromRows(rows), 2);
    const auto tree = condense(dendrogramOf(rows.size(), spanningTree(weights, random)), 2);
    QCOMPARE(tree->clusters.size(), std::size_t{4});
    for (std::size_t c = 1; c < tree->clusters.size(); ++c) {
      QCOMPARE(tree->clusters[c].parent, 0);
      QCOMPARE(tree->clusters[c].birth, 1.0);
    }
  }

  void badCallsAndStops() {
    const Dendrogram one = dendrogramOf(1, {});
    QVERIFY(!condense(one, 1));
    QCOMPARE(condense(one, 0).error().kind, ErrorKind::BadCall);
    QCOMPARE(takeClusters(*condense(one, 2), {}).labels, std::vector<std::int32_t>{-1});
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    QCOMPARE(condense(one, 2, task).error().kind, ErrorKind::Cancelled);
  }
};

GUILESS_TEST(TestHdbscan);
#include "tst_hdbscan.moc"
