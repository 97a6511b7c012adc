#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "cloud_draws.h"
#include "engine/hierarchy/condensed_tree.h"
#include "engine/hierarchy/hdbscan.h"
#include "engine/hierarchy/minimum_spanning_tree.h"
#include "engine/hierarchy/persistent_tree.h"
#include "mutual_reachability.h"
#include "plain_hdbscan.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

struct Case {
  PointCloud cloud;
  Dendrogram dendrogram;
  CondensedTree tree;
  plain::PlainTree plain;
};

Case drawCase(std::mt19937_64& random, const std::string& kind, std::size_t n, std::uint32_t size) {
  Case made;
  made.cloud = draws::draw(random, kind, n, 1 + random() % 3);
  const auto weights = plain::mutualReachability(made.cloud, 1 + random() % 4);
  made.dendrogram = dendrogramOf(n, plain::spanningTree(weights, random));
  made.tree = *condense(made.dendrogram, size);
  made.plain = plain::PlainCondenser(weights, size).run();
  return made;
}

bool isBelow(const CondensedTree& tree, std::size_t a, std::size_t b) {
  for (std::int32_t at = tree.clusters[a].parent; at >= 0;
       at = tree.clusters[static_cast<std::size_t>(at)].parent)
    if (static_cast<std::size_t>(at) == b) return true;
  return false;
}

/// What HdbscanOptions::selectionEps makes of one taken cluster, by its ancestors from below.
std::size_t replacedBy(const CondensedTree& tree, std::size_t cluster, double eps, bool rootMay) {
  const auto birthEps = [&](std::size_t c) { return 1 / tree.clusters[c].birth; };
  if (cluster == 0 || birthEps(cluster) >= eps) return cluster;
  std::size_t highest = cluster;  // below the root
  for (std::size_t c = tree.clusters.size(); c-- > 1;) {
    if (!isBelow(tree, cluster, c)) continue;
    highest = c;
    if (birthEps(c) > eps) return c;
  }
  return rootMay ? 0 : highest;
}

/// What is left of a cluster and those below it: for each point the cluster that holds it last and
/// the λ at which it leaves, and the clusters into which the cluster splits.
struct Persistent {
  std::map<std::size_t, std::pair<std::size_t, double>> points;
  std::vector<std::size_t> parts;
};

/// Persistence by recursion.
class Lives {
 public:
  explicit Lives(const CondensedTree& tree) : tree_(tree) {}

  double end(std::size_t cluster) const {
    double largest = 0;
    for (std::size_t p = 0; p < tree_.lambda.size(); ++p) {
      const auto at = static_cast<std::size_t>(tree_.clusterOf[p]);
      if (at == cluster || isBelow(tree_, at, cluster))
        largest = std::max(largest, tree_.lambda[p]);
    }
    return largest;
  }

  double of(std::size_t cluster) const { return end(cluster) - tree_.clusters[cluster].birth; }

  Persistent settle(std::size_t cluster, double persistence) const {
    Persistent whole;
    for (std::size_t p = 0; p < tree_.lambda.size(); ++p)
      if (tree_.clusterOf[p] == static_cast<std::int32_t>(cluster))
        whole.points[p] = {cluster, tree_.lambda[p]};
    std::map<std::size_t, Persistent> below;
    std::size_t persisting = 0, densest = 0;
    for (std::size_t c = 1; c < tree_.clusters.size(); ++c) {
      if (tree_.clusters[c].parent != static_cast<std::int32_t>(cluster)) continue;
      below[c] = settle(c, persistence);
      persisting += of(c) >= persistence;
      if (densest == 0 || end(c) > end(densest)) densest = c;
    }
    for (auto& [c, part] : below) {
      const bool stays = persisting > 1 && of(c) >= persistence;
      const bool follows = persisting < 2 && (c == densest || below[densest].parts.empty());
      if (stays) whole.parts.push_back(c);
      if (follows) whole.parts.insert(whole.parts.end(), part.parts.begin(), part.parts.end());
      for (auto [p, at] : part.points) {
        if (!stays && !follows) at.second = tree_.clusters[c].birth;
        if (!stays && (!follows || at.first == c)) at.first = cluster;
        whole.points[p] = at;
      }
    }
    return whole;
  }

 private:
  const CondensedTree& tree_;
};

}  // namespace

/// Further results of HDBSCAN* against their definitions in plain loops.
class TestHdbscanResults : public QObject {
  Q_OBJECT

 private slots:
  void outlierScoresAndPersistence_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kAllKinds) QTest::newRow(kind.c_str()) << kind.c_str();
  }

  void outlierScoresAndPersistence() {
    QFETCH(QString, kind);
    std::mt19937_64 random(std::hash<std::string>{}(kind.toStdString()));
    for (int round = 0; round < 12; ++round) {
      const auto size = static_cast<std::uint32_t>(2 + random() % 4);
      const Case made = drawCase(random, kind.toStdString(), 1 + random() % 40, size);
      const std::vector<double> scores = outlierScores(made.tree);
      QCOMPARE(scores.size(), made.cloud.size());
      for (std::size_t p = 0; p < scores.size(); ++p) {
        // The points of the last cluster that holds p are those that were in it at its birth.
        double end = 0;
        for (const std::uint32_t q : made.plain.of[p]) end = std::max(end, made.plain.lambda[q]);
        const double lambda = made.plain.lambda[p];
        const double expected = lambda == end ? 0 : std::isinf(end) ? 1 : (end - lambda) / end;
        QVERIFY(scores[p] >= 0 && scores[p] <= 1);
        QVERIFY(std::abs(scores[p] - expected) <= 1e-12);
      }
      const double largest = *std::max_element(made.plain.lambda.begin(), made.plain.lambda.end());
      const FlatClusters flat = takeClusters(made.tree, {.minClusterSize = size});
      QCOMPARE(flat.persistence.size(), flat.taken.size());
      for (std::size_t i = 0; i < flat.taken.size(); ++i) {
        const auto& cluster = made.tree.clusters[static_cast<std::size_t>(flat.taken[i])];
        const auto points = std::count(flat.labels.begin(), flat.labels.end(), std::int32_t(i));
        const auto birth = plain::pointsBelow(made.dendrogram, cluster.node);
        const auto same = std::find_if(made.plain.clusters.begin(), made.plain.clusters.end(),
                                       [&](const auto& other) { return other.points == birth; });
        QVERIFY(same != made.plain.clusters.end());
        const double expected =
            std::isinf(largest) ? 1 : same->stability / (largest * static_cast<double>(points));
        QVERIFY(plain::close(flat.persistence[i], expected));
      }
    }
  }

  /// Points that leave at λ = ∞ are no outliers; beside them every other point is one.
  void scoresOfEqualPoints() {
    std::mt19937_64 random(5);
    std::vector<std::vector<double>> rows(12, {1.0});
    for (const double x : {1.5, 2.0}) rows.push_back({x});
    const auto weights = plain::mutualReachability(draws::fromRows(rows), 3);
    const auto tree = condense(dendrogramOf(rows.size(), plain::spanningTree(weights, random)), 4);
    std::vector<double> expected(12, 0.0);
    expected.resize(14, 1.0);
    QCOMPARE(outlierScores(*tree), expected);
    const FlatClusters flat =
        takeClusters(*tree, {.minClusterSize = 4, .allowSingleCluster = true});
    QCOMPARE(flat.persistence, std::vector<double>{1.0});
  }

  void largestClusters() {
    std::mt19937_64 random(13);
    int limited = 0, late = 0;
    for (int round = 0; round < 200; ++round) {
      const Case made = drawCase(random, round % 2 ? "blobs" : "uniform", 10 + random() % 50, 3);
      const auto& clusters = made.tree.clusters;
      if (clusters.size() > 14) continue;
      HdbscanOptions options{.minClusterSize = 3};
      options.maxClusterSize = static_cast<std::uint32_t>(3 + random() % 15);
      options.allowSingleCluster = round % 3 == 0;
      double leaving = *std::min_element(made.tree.lambda.begin(), made.tree.lambda.end());
      for (const auto& cluster : clusters)
        if (cluster.parent == 0) leaving = std::min(leaving, cluster.birth);
      const auto firstEps = [&](std::size_t c) { return 1 / (c ? clusters[c].birth : leaving); };
      // Between the ε of two clusters, so that no rounding decides.
      if (round % 4 < 2) options.largestEps = 1.001 * firstEps(random() % clusters.size());
      std::uint32_t rootPoints = 0;
      for (const auto& cluster : clusters) rootPoints += cluster.parent == 0 ? cluster.size : 0;
      double best = 0;
      for (std::uint32_t mask = 0; mask < (1U << clusters.size()); ++mask) {
        if ((mask & 1U) && (!options.allowSingleCluster || rootPoints > options.maxClusterSize))
          continue;
        double sum = 0;
        bool legal = true;
        for (std::size_t a = 0; a < clusters.size() && legal; ++a) {
          if (!(mask >> a & 1U)) continue;
          sum += clusters[a].stability;
          legal &= a == 0 || clusters[a].size <= options.maxClusterSize;
          legal &= firstEps(a) <= options.largestEps;
          for (std::size_t b = 0; b < clusters.size(); ++b)
            legal &= !((mask >> b & 1U) && isBelow(made.tree, a, b));
        }
        if (legal) best = std::max(best, sum);
      }
      const FlatClusters flat = takeClusters(made.tree, options);
      double taken = 0;
      for (const std::int32_t c : flat.taken)
        taken += clusters[static_cast<std::size_t>(c)].stability;
      QVERIFY(plain::close(taken, best));
      HdbscanOptions without = options;
      without.maxClusterSize = 0;
      limited += takeClusters(made.tree, without).taken != flat.taken;
      without = options;
      without.largestEps = std::numeric_limits<double>::infinity();
      late += takeClusters(made.tree, without).taken != flat.taken;
    }
    QVERIFY(limited > 20);
    QVERIFY(late > 10);
  }

  void clustersThatPersist() {
    std::mt19937_64 random(23);
    int fewer = 0, split = 0;
    for (int round = 0; round < 300; ++round) {
      const auto size = static_cast<std::uint32_t>(2 + random() % 3);
      const Case made = drawCase(random, round % 2 ? "blobs" : "lattice", 5 + random() % 80, size);
      // Between the lifetimes of two clusters, so that no rounding decides.
      const Lives lives(made.tree);
      const double life = lives.of(random() % made.tree.clusters.size());
      const double persistence = std::isfinite(life) ? 1.001 * life : 1e9;
      const Persistent expected = lives.settle(0, persistence);
      const CondensedTree found = persistentTree(made.tree, persistence);
      std::vector<double> stability(found.clusters.size()), death(found.clusters.size());
      const auto leave = [&](std::int32_t cluster, double lambda, double count) {
        const auto c = static_cast<std::size_t>(cluster);
        stability[c] += (lambda - found.clusters[c].birth) * count;
        death[c] = std::max(death[c], lambda);
      };
      for (const auto& [p, at] : expected.points) {
        const CondensedCluster& owner = made.tree.clusters[at.first];
        QCOMPARE(found.lambda[p], at.second);
        QCOMPARE(found.clusters[static_cast<std::size_t>(found.clusterOf[p])].node, owner.node);
        leave(found.clusterOf[p], at.second, 1);
      }
      QCOMPARE(expected.points.size(), made.cloud.size());
      for (std::size_t c = 1; c < found.clusters.size(); ++c) {
        QVERIFY(found.clusters[c].parent < static_cast<std::int32_t>(c));
        QVERIFY(Lives(found).of(c) >= persistence);
        leave(found.clusters[c].parent, found.clusters[c].birth, found.clusters[c].size);
      }
      for (std::size_t c = 0; c < found.clusters.size(); ++c) {
        QCOMPARE(found.clusters[c].death, death[c]);
        QVERIFY(plain::close(found.clusters[c].stability, stability[c]));
      }
      fewer += found.clusters.size() < made.tree.clusters.size();
      split += found.clusters.size() > 1 && found.clusters.size() < made.tree.clusters.size();
      QCOMPARE(persistentTree(made.tree, 0).clusters.size(), made.tree.clusters.size());
    }
    QVERIFY(fewer > 100);
    QVERIFY(split > 20);
  }

  void clustersBelowAnEps() {
    std::mt19937_64 random(17);
    int changed = 0, roots = 0;
    for (int round = 0; round < 300; ++round) {
      const Case made = drawCase(random, round % 2 ? "blobs" : "lattice", 20 + random() % 60, 3);
      HdbscanOptions options{.minClusterSize = 3};
      if (round % 3 == 0) options.selection = ClusterSelection::Leaves;
      options.allowSingleCluster = round % 5 == 0;
      const FlatClusters all = takeClusters(made.tree, options);
      // ε between the births of two clusters, so that no rounding decides.
      const std::size_t some = random() % made.tree.clusters.size();
      if (some == 0) continue;
      options.selectionEps = 1.001 / made.tree.clusters[some].birth;
      std::vector<std::int32_t> expected;
      for (const std::int32_t c : all.taken)
        expected.push_back(static_cast<std::int32_t>(
            replacedBy(made.tree, static_cast<std::size_t>(c), options.selectionEps,
                       options.allowSingleCluster)));
      std::sort(expected.begin(), expected.end());
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      FlatClusters flat = takeClusters(made.tree, options);
      // A root is taken, and numbered, only where points are left of it.
      if (!expected.empty() && expected.front() == 0) {
        QCOMPARE(expected.size(), std::size_t{1});
        ++roots;
        for (std::size_t p = 0; p < made.cloud.size(); ++p)
          QCOMPARE(flat.labels[p] == 0, made.tree.lambda[p] >= 1 / options.selectionEps);
        continue;
      }
      std::sort(flat.taken.begin(), flat.taken.end());
      QCOMPARE(flat.taken, expected);
      changed += flat.taken.size() != all.taken.size();
    }
    QVERIFY(changed > 20);
    QVERIFY(roots > 5);
  }

  void rowsOfTheCondensedTree() {
    std::mt19937_64 random(19);
    for (int round = 0; round < 40; ++round) {
      const Case made = drawCase(random, round % 2 ? "blobs" : "lattice", 1 + random() % 60, 3);
      const auto rows = condensedRows(made.tree);
      const auto n = static_cast<std::int64_t>(made.cloud.size());
      QCOMPARE(rows.size(), made.cloud.size() + made.tree.clusters.size() - 1);
      std::vector<int> seen(rows.size() + 1);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const CondensedRow& row = rows[i];
        ++seen[static_cast<std::size_t>(row.child)];
        if (row.child < n) {
          const auto p = static_cast<std::size_t>(row.child);
          QCOMPARE(row.parent, n + made.tree.clusterOf[p]);
          QCOMPARE(row.lambda, made.plain.lambda[p]);
          QCOMPARE(row.size, std::int64_t{1});
        } else {
          QVERIFY(row.parent < row.child);
          const CondensedCluster& cluster =
              made.tree.clusters[static_cast<std::size_t>(row.child - n)];
          QCOMPARE(row.parent, n + cluster.parent);
          QCOMPARE(row.lambda, cluster.birth);
          QCOMPARE(row.size, std::int64_t{cluster.size});
        }
        if (i > 0)
          QVERIFY(std::pair(rows[i - 1].parent, rows[i - 1].lambda) <=
                  std::pair(row.parent, row.lambda));
      }
      for (std::size_t child = 0; child < seen.size(); ++child)
        QCOMPARE(seen[child], static_cast<std::int64_t>(child) == n ? 0 : 1);
    }
  }

  void spanningTreesAreMinimal_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kAllKinds) QTest::newRow(kind.c_str()) << kind.c_str();
  }

  void spanningTreesAreMinimal() {
    QFETCH(QString, kind);
    std::mt19937_64 random(std::hash<std::string>{}(kind.toStdString()) + 1);
    for (int round = 0; round < 8; ++round) {
      const std::size_t n = 1 + random() % 120;
      const PointCloud cloud = draws::draw(random, kind.toStdString(), n, 1 + random() % 3);
      const std::int64_t minPts = 1 + static_cast<std::int64_t>(random() % 8);
      const auto edges = minimumSpanningTree(cloud, {.minPts = minPts, .threads = 2});
      QVERIFY(edges.has_value() || minPts > static_cast<std::int64_t>(n));
      if (!edges) continue;
      const PairDistances pairs(cloud);
      const std::vector<double> core = pairs.core(minPts);
      std::vector<double> weights;
      std::vector<std::size_t> set(n);
      std::iota(set.begin(), set.end(), std::size_t{0});
      for (const TreeEdge& edge : *edges) {
        QVERIFY(edge.a < edge.b);
        QCOMPARE(edge.squaredWeight,
                 std::max({pairs.at(edge.a, edge.b), core[edge.a], core[edge.b]}));
        weights.push_back(edge.squaredWeight);
        const std::size_t from = set[edge.a], to = set[edge.b];
        QVERIFY(from != to);  // no circle
        std::replace(set.begin(), set.end(), from, to);
      }
      QCOMPARE(weights, pairs.treeWeights(core));
    }
    QCOMPARE(minimumSpanningTree({}, {}).error().kind, ErrorKind::BadInput);
    QCOMPARE(minimumSpanningTree(draws::fromRows({{1}, {2}}), {.minPts = 0}).error().kind,
             ErrorKind::BadCall);
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    QCOMPARE(minimumSpanningTree(draws::fromRows({{1}, {2}}), {.minPts = 1}, task).error().kind,
             ErrorKind::Cancelled);
  }
};

GUILESS_TEST(TestHdbscanResults);
#include "tst_hdbscan_results.moc"
