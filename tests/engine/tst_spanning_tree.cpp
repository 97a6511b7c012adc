#include <QtTest>
#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "cloud_draws.h"
#include "engine/hierarchy/cloud_tree.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/neighbour_graph.h"
#include "engine/hierarchy/spanning_tree.h"
#include "mutual_reachability.h"
#include "same_hierarchy.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::vector<double> weightsOf(const SpanningTree& tree) {
  std::vector<double> weights;
  for (const TreeEdge& edge : tree.edges) weights.push_back(edge.squaredWeight);
  std::sort(weights.begin(), weights.end());
  return weights;
}

/// The edges of a merge order, for dendrogramOf.
std::vector<TreeEdge> sorted(const SpanningTree& tree, const LeafTree& leaves) {
  std::vector<TreeEdge> edges;
  for (const TreeEdge& edge : tree.edges)
    edges.push_back({leaves.ids[edge.a], leaves.ids[edge.b], edge.squaredWeight});
  std::stable_sort(edges.begin(), edges.end(), [](const TreeEdge& a, const TreeEdge& b) {
    return a.squaredWeight < b.squaredWeight;
  });
  return edges;
}

}  // namespace

class TestSpanningTree : public QObject {
  Q_OBJECT

 private slots:
  // Weights as those of Prim's algorithm, edges that are edges of the cloud and connect everything.
  void isMinimal() {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = seed % 11 == 0 ? 90 : 1 + random() % 9;
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 300, dims);
      const PairDistances pairs(cloud);
      const std::int64_t minPts = 1 + static_cast<std::int64_t>(random() % 20);
      const int k = std::max(2, static_cast<int>(minPts)) + static_cast<int>(random() % 5);
      const std::vector<double> core = pairs.core(minPts);
      const NearestNeighbours nearest = pairs.nearest(k);
      const LargeArray<double> found = squaredCoreDistances(nearest, minPts);
      QVERIFY2(std::equal(core.begin(), core.end(), found.begin(), found.end()), kind.c_str());
      const auto leaves = buildLeafTree(cloud, {});
      QVERIFY(leaves.has_value());
      const auto tree =
          spanningTree(*leaves, core, minPts, PlaceLists::ofPoints(*leaves, nearest, {}), {});
      QVERIFY(tree.has_value());
      QVERIFY2(weightsOf(*tree) == pairs.treeWeights(core),
               (kind + ", seed " + std::to_string(seed)).c_str());
      std::vector<std::uint32_t> set(cloud.size());
      std::iota(set.begin(), set.end(), 0U);
      for (const TreeEdge& edge : tree->edges) {
        const std::uint32_t a = leaves->ids[edge.a];
        const std::uint32_t b = leaves->ids[edge.b];
        QCOMPARE(edge.squaredWeight, std::max({pairs.at(a, b), core[a], core[b]}));
        QVERIFY(set[a] != set[b]);
        const std::uint32_t from = set[a];
        for (std::uint32_t& s : set)
          if (s == from) s = set[b];
      }
      QVERIFY(std::all_of(set.begin(), set.end(), [&](std::uint32_t s) { return s == set[0]; }));
    }
  }

  // Trees that differ in their ties have one dendrogram.
  void dendrogramDoesNotDependOnTies() {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const std::string kind = seed % 3 == 0 ? "lattice" : seed % 3 == 1 ? "duplicates" : "tenths";
      const PointCloud cloud = draws::draw(random, kind, 2 + random() % 200, 1 + random() % 3);
      const PairDistances pairs(cloud);
      const auto minPts = 1 + static_cast<std::int64_t>(random() % 6);
      const auto core = pairs.core(minPts);
      // Kruskal's algorithm with ties in random order.
      const auto drawn = [&] {
        std::vector<TreeEdge> all;
        for (std::uint32_t a = 0; a < cloud.size(); ++a)
          for (std::uint32_t b = 0; b < a; ++b)
            all.push_back({a, b, std::max({pairs.at(a, b), core[a], core[b]})});
        std::shuffle(all.begin(), all.end(), random);
        std::stable_sort(all.begin(), all.end(), [](const TreeEdge& a, const TreeEdge& b) {
          return a.squaredWeight < b.squaredWeight;
        });
        std::vector<std::uint32_t> set(cloud.size());
        std::iota(set.begin(), set.end(), 0U);
        std::vector<TreeEdge> edges;
        for (const TreeEdge& edge : all) {
          if (set[edge.a] == set[edge.b]) continue;
          edges.push_back(edge);
          const std::uint32_t from = set[edge.a];
          for (std::uint32_t& s : set)
            if (s == from) s = set[edge.b];
        }
        return edges;
      };
      const Dendrogram first = dendrogramOf(cloud.size(), drawn());
      QVERIFY(sameDendrogram(dendrogramOf(cloud.size(), drawn()), first));
      const auto leaves = buildLeafTree(cloud, {});
      const NearestNeighbours nearest = pairs.nearest(8);
      const auto tree =
          spanningTree(*leaves, core, minPts, PlaceLists::ofPoints(*leaves, nearest, {}), {});
      QVERIFY(tree.has_value());
      QVERIFY(sameDendrogram(dendrogramOf(cloud.size(), sorted(*tree, *leaves)), first));
      // Children before parents, the lower node on the left, every node once.
      std::set<std::uint32_t> seen;
      for (std::size_t i = 0; i < first.merges(); ++i) {
        QVERIFY(first.left[i] < first.right[i]);
        QVERIFY(first.right[i] < cloud.size() + i);
        QCOMPARE(first.sizes[i], first.sizeOf(first.left[i]) + first.sizeOf(first.right[i]));
        QVERIFY(seen.insert(first.left[i]).second && seen.insert(first.right[i]).second);
        QVERIFY(i == 0 || first.squaredWeights[i - 1] <= first.squaredWeights[i]);
      }
    }
  }

  // Hierarchies of every minPts up to K from the neighbours and the tree of K alone.
  void graphHasTheTreeOfEverySmallerMinPts() {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = seed % 11 == 0 ? 90 : 1 + random() % 5;
      const std::size_t n = 1 + random() % 400;
      const PointCloud cloud = draws::draw(random, kind, n, dims);
      const std::int64_t most = 1 + static_cast<std::int64_t>(random() % 20);
      const auto graph = NeighbourGraph::build(cloud, {most, 2});
      QVERIFY(graph.has_value());
      QCOMPARE(graph->mostMinPts(), std::min(most, static_cast<std::int64_t>(n)));
      for (std::int64_t minPts = 1; minPts <= graph->mostMinPts() + 1; ++minPts) {
        const std::int64_t asked =
            minPts > graph->mostMinPts() ? static_cast<std::int64_t>(n) + 1 : minPts;
        const auto fresh = Hierarchy::build(cloud, {asked, 2});
        const auto derived = graph->hierarchy({asked, 2});
        QVERIFY(fresh.has_value() && derived.has_value());
        QVERIFY2(sameHierarchy(*derived, *fresh),
                 (kind + ", seed " + std::to_string(seed) + ", minPts " + std::to_string(asked))
                     .c_str());
      }
      QCOMPARE(graph->hierarchy({0, 2}).error().kind, ErrorKind::BadCall);
      if (graph->mostMinPts() < static_cast<std::int64_t>(n))
        QCOMPARE(graph->hierarchy({graph->mostMinPts() + 1, 2}).error().kind, ErrorKind::BadCall);
    }
    std::mt19937_64 random(1);
    const PointCloud cloud = draws::draw(random, "blobs", 20000, 2);
    const auto graph = NeighbourGraph::build(cloud, {16, 2});
    QVERIFY(graph.has_value());
    for (const std::int64_t minPts : {1, 2, 5, 11, 16})
      for (const int threads : {1, 4})
        QVERIFY(sameHierarchy(*graph->hierarchy({minPts, threads}),
                              *Hierarchy::build(cloud, {minPts, 2})));
    for (const std::int64_t most : {0, kMaxNearest + 1})
      QCOMPARE(NeighbourGraph::build(cloud, {most, 2}).error().kind, ErrorKind::BadCall);
    const HierarchyOptions inBox{.minPts = 4, .periods = {100, 100}};
    QCOMPARE(NeighbourGraph::build(cloud, inBox).error().kind, ErrorKind::BadCall);
    const HierarchyOptions manhattan{.minPts = 4, .metric = Metric::Manhattan};
    QCOMPARE(NeighbourGraph::build(cloud, manhattan).error().kind, ErrorKind::BadCall);
    std::stop_source source;
    source.request_stop();
    const Task stopped{source.get_token(), {}};
    QCOMPARE(NeighbourGraph::build(cloud, {4, 2}, stopped).error().kind, ErrorKind::Cancelled);
    QCOMPARE(graph->hierarchy({4, 2}, stopped).error().kind, ErrorKind::Cancelled);
  }

  void threadsDoNotMatter() {
    std::mt19937_64 random(3);
    for (const char* kind : {"blobs", "lattice", "duplicates", "exponential"}) {
      const PointCloud cloud = draws::draw(random, kind, 20000, 2);
      const auto one = Hierarchy::build(cloud, {7, 1});
      QVERIFY(one.has_value());
      for (const int threads : {2, 3, 8}) {
        const auto several = Hierarchy::build(cloud, {7, threads});
        QVERIFY(several.has_value());
        QVERIFY(sameDendrogram(several->dendrogram(), one->dendrogram()));
        QVERIFY(std::ranges::equal(several->order(), one->order()));
        QVERIFY(several->borders().positions == one->borders().positions);
        QVERIFY(several->borders().squaredReach == one->borders().squaredReach);
      }
    }
  }
};

GUILESS_TEST(TestSpanningTree);
#include "tst_spanning_tree.moc"
