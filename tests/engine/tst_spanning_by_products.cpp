// The spanning tree by products of rounded coordinates, against Prim's and Kruskal's algorithms on
// the canonical distances of all pairs.
#include <QtTest>
#include <algorithm>
#include <numeric>
#include <random>

#include "cloud_draws.h"
#include "engine/core/infinity.h"
#include "engine/hierarchy/bottlenecks.h"
#include "engine/hierarchy/cloud_tree.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/minimum_spanning_tree.h"
#include "engine/hierarchy/neighbour_graph.h"
#include "engine/hierarchy/spanning_by_products.h"
#include "mutual_reachability.h"
#include "same_hierarchy.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::string text(const std::string& kind, std::size_t dims, std::uint64_t seed) {
  return kind + ", " + std::to_string(dims) + " dimensions, seed " + std::to_string(seed);
}

std::vector<double> weightsOf(const auto& edges) {
  std::vector<double> weights;
  for (const TreeEdge& edge : edges) weights.push_back(edge.squaredWeight);
  std::sort(weights.begin(), weights.end());
  return weights;
}

/// The points of each set that edges up to a weight connect, as the lowest point of each one's set.
std::vector<std::uint32_t> setsUpTo(double weight, std::size_t points, const auto& edges) {
  std::vector<std::uint32_t> set(points);
  std::iota(set.begin(), set.end(), 0U);
  for (const TreeEdge& edge : edges) {
    if (edge.squaredWeight > weight || set[edge.a] == set[edge.b]) continue;
    const std::uint32_t low = std::min(set[edge.a], set[edge.b]);
    const std::uint32_t high = std::max(set[edge.a], set[edge.b]);
    for (std::uint32_t& s : set)
      if (s == high) s = low;
  }
  return set;
}

/// All pairs with their weights.
std::vector<TreeEdge> allEdges(const PairDistances& pairs, const std::vector<double>& core) {
  std::vector<TreeEdge> all;
  for (std::uint32_t a = 0; a < pairs.n; ++a)
    for (std::uint32_t b = 0; b < a; ++b)
      all.push_back({a, b, std::max({pairs.at(a, b), core[a], core[b]})});
  return all;
}

struct Case {
  PointCloud cloud;
  std::int64_t minPts = 1;
  int k = 2;
};

/// Compares the tree of a cloud with that of all pairs.
void compareTree(const Case& c, const std::string& what) {
  const PairDistances pairs(c.cloud);
  const std::vector<double> core = pairs.core(c.minPts);
  const NearestNeighbours nearest = pairs.nearest(c.k);
  const PointCloud* const clouds[] = {&c.cloud};
  const auto points = roundPoints(c.cloud, roundingFor(clouds, {}), {});
  QVERIFY(points.has_value());
  const LeafTree places = placesOf(*points);
  const auto rows = nearestPlaces(*points, places, c.k, {});
  QVERIFY(rows.has_value());
  for (std::size_t place = 0; place < pairs.n; ++place)
    for (std::size_t i = 0; i < std::size_t(rows->k); ++i) {
      const std::size_t p = places.ids[place];
      QVERIFY2(places.ids[rows->idsOf(place)[i]] == nearest.idsOf(p)[i], what.c_str());
      QVERIFY2(rows->squaredDistancesOf(place)[i] == nearest.squaredDistancesOf(p)[i],
               what.c_str());
    }
  const auto tree =
      spanningTreeByProducts(*points, places, core, c.minPts, PlaceLists::ofPlaces(*rows), {});
  QVERIFY(tree.has_value());
  QVERIFY2(weightsOf(tree->edges) == pairs.treeWeights(core), what.c_str());
  if (pairs.n % 3 == 0) {  // as in large clouds, which have many groups of leaves and edges
    const auto often =
        spanningTreeByProducts(*points, places, core, c.minPts, PlaceLists::ofPlaces(*rows), {},
                               {.groupsOfAWave = 1, .edgesKept = 8});
    QVERIFY(often.has_value());
    QVERIFY2(weightsOf(often->edges) == weightsOf(tree->edges), what.c_str());
  }
  std::vector<TreeEdge> edges;
  for (const TreeEdge& edge : tree->edges) {
    edges.push_back({places.ids[edge.a], places.ids[edge.b], edge.squaredWeight});
    QCOMPARE(edge.squaredWeight, std::max({pairs.at(edges.back().a, edges.back().b),
                                           core[edges.back().a], core[edges.back().b]}));
  }
  // They connect everything, and up to each weight the same points.
  const std::vector<std::uint32_t> whole = setsUpTo(kInfinity, pairs.n, edges);
  QVERIFY2(std::all_of(whole.begin(), whole.end(), [](auto s) { return s == 0; }), what.c_str());
  const auto all = minimumForest(pairs.n, allEdges(pairs, core), {});
  for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 7)
    QVERIFY2(setsUpTo(all[i].squaredWeight, pairs.n, edges) ==
                 setsUpTo(all[i].squaredWeight, pairs.n, all),
             what.c_str());
  // Core distances and valleys are what border lists need of them.
  for (std::size_t place = 0; place < pairs.n; ++place)
    QCOMPARE(tree->core[place], core[places.ids[place]]);
}

/// Clusters so far apart, or points so strange, that lists leave the tree in many parts.
PointCloud partsOf(std::mt19937_64& random, std::size_t parts, std::size_t inEach,
                   std::size_t dims) {
  std::vector<std::vector<double>> rows;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<double> centre(dims);
    for (double& x : centre) x = 100 * draws::unit(random);
    for (std::size_t i = 0; i < inEach; ++i) {
      rows.push_back(centre);
      for (double& x : rows.back()) x += draws::normal(random);
    }
  }
  std::shuffle(rows.begin(), rows.end(), random);
  return draws::fromRows(rows);
}

}  // namespace

class TestSpanningByProducts : public QObject {
  Q_OBJECT

 private slots:
  // The largest weight on each path, by following all of them.
  void bottlenecks() {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t n = 1 + random() % 60;
      std::vector<TreeEdge> edges;
      for (std::size_t i = random() % (3 * n); i > 0; --i)
        edges.push_back({std::uint32_t(random() % n), std::uint32_t(random() % n),
                         static_cast<double>(random() % 9)});
      std::erase_if(edges, [](const TreeEdge& edge) { return edge.a == edge.b; });
      // By Floyd's algorithm.
      std::vector<double> least(n * n, kInfinity);
      for (std::size_t p = 0; p < n; ++p) least[p * n + p] = 0;
      for (const TreeEdge& edge : edges)
        for (const auto& [a, b] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)})
          least[a * n + b] = std::min(least[a * n + b], edge.squaredWeight);
      for (std::size_t via = 0; via < n; ++via)
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < n; ++b)
            least[a * n + b] =
                std::min(least[a * n + b], std::max(least[a * n + via], least[via * n + b]));
      const Bottlenecks found(n, edges, {});
      for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = 0; b < n; ++b) {
          QCOMPARE(found.between(a, b), least[a * n + b]);
          QCOMPARE(found.inOneTree(a, b), least[a * n + b] < kInfinity);
        }
      QVERIFY(std::is_sorted(
          found.edges().begin(), found.edges().end(),
          [](const TreeEdge& a, const TreeEdge& b) { return a.squaredWeight < b.squaredWeight; }));
    }
  }

  // Ties, duplicates, offsets, outliers, in few and in many dimensions; seeds and minPts.
  void isMinimal() {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t dims = seed % 3 == 0 ? 1 + random() % 4 : 5 + random() % 90;
      const std::size_t n = 2 + random() % 400;
      Case c{draws::draw(random, kind, n, dims)};
      c.minPts = std::min<std::int64_t>(1 + random() % (seed % 5 == 0 ? 64 : 12), n);
      c.k = std::max(2, static_cast<int>(c.minPts) + static_cast<int>(random() % 4));
      compareTree(c, text(kind, dims, seed));
      if (QTest::currentTestFailed()) return;
    }
  }

  void isMinimalInVeryManyDimensions() {
    for (const std::size_t dims : {384, 768, 1537, 4096})
      for (const char* kind : {"blobs", "uniform", "lattice", "offset", "duplicates"}) {
        std::mt19937_64 random(dims);
        const std::size_t n = 60 + random() % 100;
        compareTree({draws::draw(random, kind, n, dims), 5, 8}, text(kind, dims, dims));
        if (QTest::currentTestFailed()) return;
      }
  }

  // Many small parts, so that lists connect little, and tiles have points of several.
  void connectsParts() {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t parts = 2 + random() % 60;
      const std::size_t inEach = 2 + random() % (seed % 2 == 0 ? 8 : 1200 / parts);
      const std::size_t dims = 2 + random() % 40;
      const auto minPts = static_cast<std::int64_t>(1 + random() % 3);
      compareTree({partsOf(random, parts, inEach, dims), minPts, 4}, text("parts", dims, seed));
      if (QTest::currentTestFailed()) return;
    }
  }

  // Products that say nothing, since all points but one are rounded to the same: exact distances
  // decide.
  void oneHugeCoordinate() {
    std::mt19937_64 random(5);
    PointCloud cloud = draws::draw(random, "blobs", 300, 20);
    cloud.columns[3][17] = 1e12;
    compareTree({cloud, 4, 7}, "one huge coordinate");
    cloud.columns[3][17] = 1e300;
    compareTree({cloud, 4, 7}, "squares that overflow");
    for (const std::size_t p : {1, 2, 3}) cloud.columns[3][p] = std::pow(-1.0, p) * 1e200;
    compareTree({cloud, 4, 7}, "several of them");
  }

  // The whole hierarchy, with its border lists, against that of the kd-tree: dimensions of zeros
  // change no distance, but the way.
  void hierarchyIsThatOfFewDimensions() {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const std::size_t n = 1 + random() % 3000;
      const PointCloud few = draws::draw(random, kind, n, 1 + random() % 5);
      PointCloud many = few;
      while (many.dims() < 40) {
        many.columns.emplace_back(n, 0.0);
        many.names.push_back("x" + std::to_string(many.dims()));
      }
      for (const std::int64_t minPts : {1, 2, 7, 64}) {
        const auto expected = Hierarchy::build(few, {.minPts = minPts});
        const auto found = Hierarchy::build(many, {.minPts = minPts});
        QVERIFY(expected.has_value() && found.has_value());
        QVERIFY2(sameHierarchy(*found, *expected), text(kind, few.dims(), seed).c_str());
      }
      // From neighbours that are given, more of them than trees find.
      const auto nearest = nearestNeighbours(few, 90);
      QVERIFY(nearest.has_value());
      for (const std::int64_t minPts : {3, 80}) {
        if (minPts > static_cast<std::int64_t>(n)) continue;
        const auto expected = Hierarchy::build(few, *nearest, {.minPts = minPts});
        const auto found = Hierarchy::build(many, *nearest, {.minPts = minPts});
        QVERIFY(expected.has_value() && found.has_value());
        QVERIFY2(sameHierarchy(*found, *expected), text(kind, few.dims(), seed).c_str());
      }
      const auto graph = NeighbourGraph::build(many, {.minPts = 9});
      QVERIFY(graph.has_value());
      const auto derived = graph->hierarchy({.minPts = std::min<std::int64_t>(n, 4)});
      const auto expected = Hierarchy::build(few, {.minPts = std::min<std::int64_t>(n, 4)});
      QVERIFY(derived.has_value() && expected.has_value());
      QVERIFY2(sameHierarchy(*derived, *expected), text(kind, few.dims(), seed).c_str());
    }
  }

  void threadsDoNotMatter() {
    std::mt19937_64 random(3);
    const PointCloud cloud = partsOf(random, 40, 60, 24);
    const auto one = Hierarchy::build(cloud, {.minPts = 5, .threads = 1});
    QVERIFY(one.has_value());
    for (const int threads : {2, 5}) {
      const auto several = Hierarchy::build(cloud, {.minPts = 5, .threads = threads});
      QVERIFY(several.has_value());
      QVERIFY(sameHierarchy(*several, *one));
    }
  }

  // It stops where it is stopped, and says how far it is.
  void stopsAndReports() {
    std::mt19937_64 random(9);
    const PointCloud cloud = partsOf(random, 20, 100, 30);
    for (const double at : {0.0, 0.4}) {
      std::stop_source source;
      double last = -1;
      Task task;
      task.stop = source.get_token();
      task.progress = [&](std::string_view stage, double part) {
        if (stage != "building the spanning tree") return;
        last = part;
        if (part >= at) source.request_stop();
      };
      const auto stopped = minimumSpanningTree(cloud, {.minPts = 4}, task);
      QVERIFY(!stopped.has_value());
      QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
      QVERIFY(last >= at && last <= 1);
    }
  }
};

GUILESS_TEST(TestSpanningByProducts);
#include "tst_spanning_by_products.moc"
