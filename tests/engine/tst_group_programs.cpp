// The programs of a GPU's hierarchy on warps of fibers, the source that the kernels run: nearest
// neighbours and spanning trees against brute force, with many ties.
#include <QtTest/QtTest>

#include <bit>
#include <map>

#include "cloud_draws.h"
#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/hierarchy_builder.h"
#include "engine/hierarchy/lanes/group_dendrogram.h"
#include "engine/hierarchy/lanes/group_forest.h"
#include "engine/hierarchy/lanes/group_hierarchy.h"
#include "engine/hierarchy/lanes/group_labels.h"
#include "engine/hierarchy/lanes/group_nearest.h"
#include "engine/hierarchy/lanes/group_pairs.h"
#include "engine/hierarchy/lanes/group_tree.h"
#include "engine/hierarchy/position_order.h"
#include "fibers/fiber_machine.h"
#include "mutual_reachability.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::vector<double> packed(const PointCloud& cloud) {
  std::vector<double> columns;
  for (const auto& column : cloud.columns)
    columns.insert(columns.end(), column.begin(), column.end());
  return columns;
}

struct Drawn {
  std::string name;
  PointCloud cloud;
};

Drawn drawCloud(std::mt19937_64& random, std::size_t most) {
  const std::string kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
  const std::size_t dims = random() % 40 == 0 ? 90 : 1 + random() % (random() % 4 == 0 ? 18 : 4);
  const std::size_t n = 1 + random() % most;
  return {kind + ", " + std::to_string(n) + " points, " + std::to_string(dims) + "-D",
          draws::draw(random, kind, n, dims)};
}

int drawsOf(int usual) {
  bool ok = false;
  const int asked = qEnvironmentVariableIntValue("CLUSTERLOOM_DRAWS", &ok);
  return ok ? asked : usual;
}

}  // namespace

class TestGroupPrograms : public QObject {
  Q_OBJECT

 private slots:
  void findsTheNearestOfBruteForce() {
    for (int seed = 0; seed < drawsOf(60); ++seed) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 100);
      const Drawn drawn = drawCloud(random, seed % 10 == 0 ? 1300 : 200);
      const std::size_t n = drawn.cloud.size();
      const int k = 1 + static_cast<int>(random() % (random() % 3 == 0 ? 64 : 14));
      const NearestNeighbours expected = PairDistances(drawn.cloud).nearest(k);
      const std::vector<double> columns = packed(drawn.cloud);
      FiberMachine machine(random());
      const auto tree = buildGroupTree(machine, columns.data(), n, drawn.cloud.dims());
      const auto others = static_cast<std::uint32_t>(expected.k - 1);
      const auto lists = nearestLists(machine, tree.view, others);
      for (std::uint32_t place = 0; place < n; ++place) {
        const std::uint32_t p = tree.ids[place];
        for (std::uint32_t i = 0; i < others; ++i) {
          const std::size_t at = lists.view.at(place, i);
          if (tree.ids[lists.places[at]] == expected.idsOf(p)[i + 1] &&
              lists.squared[at] == expected.squaredDistancesOf(p)[i + 1])
            continue;
          QFAIL(qPrintable(QString("seed %1, %2, k %3: point %4, neighbour %5")
                               .arg(seed)
                               .arg(QString::fromStdString(drawn.name))
                               .arg(k)
                               .arg(p)
                               .arg(i + 1)));
        }
      }
    }
  }

  void treesHaveTheWeightsOfPrim() {
    for (int seed = 0; seed < drawsOf(60); ++seed) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 9100);
      const Drawn drawn = drawCloud(random, seed % 10 == 0 ? 1300 : 200);
      const std::size_t n = drawn.cloud.size();
      if (n < 2) continue;
      const std::int64_t minPts =
          random() % 12 == 0
              ? static_cast<std::int64_t>(n) + 1
              : 1 + static_cast<std::int64_t>(random() % std::min<std::size_t>(n, 14));
      const PairDistances all(drawn.cloud);
      const std::vector<double> expected = all.treeWeights(all.core(minPts));
      const std::vector<double> columns = packed(drawn.cloud);
      FiberMachine machine(random());
      const auto tree = buildGroupTree(machine, columns.data(), n, drawn.cloud.dims());
      // No distances matter where no point is core.
      const std::size_t longer = minPts > static_cast<std::int64_t>(n)
                                     ? 1
                                     : static_cast<std::size_t>(minPts) + random() % 4;
      const auto others = static_cast<std::uint32_t>(std::clamp<std::size_t>(longer, 1, n - 1));
      const auto lists = nearestLists(machine, tree.view, others);
      const auto spanning = groupSpanningTree(
          machine, tree.view, lists.view, minPts,
          [&](const GroupForest& forest, std::uint32_t) { searchByBoxes(machine, forest); });
      std::vector<double> weights;
      DisjointNames names(n);
      for (std::size_t i = 0; i + 1 < n; ++i) {
        const double weight = std::bit_cast<double>(spanning.weights[i]);
        const double reach = std::max({all.at(tree.ids[spanning.a[i]], tree.ids[spanning.b[i]]),
                                       spanning.core[spanning.a[i]], spanning.core[spanning.b[i]]});
        QVERIFY2(weight == reach || std::isinf(weight), drawn.name.c_str());
        QVERIFY2(names.unite(spanning.a[i], spanning.b[i]), drawn.name.c_str());
        weights.push_back(weight);
      }
      std::sort(weights.begin(), weights.end());
      QVERIFY2(weights == expected, qPrintable(QString("seed %1, %2, minPts %3")
                                                   .arg(seed)
                                                   .arg(QString::fromStdString(drawn.name))
                                                   .arg(minPts)));
    }
  }

  void dendrogramsAreThoseOfTheCpu() {
    for (int seed = 0; seed < drawsOf(400); ++seed) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 33300);
      const std::size_t n = 2 + random() % (seed % 10 == 0 ? 3000 : 60);
      // Trees between a path and a star; few weights or many.
      const std::size_t reach = 1 + random() % n;
      const std::size_t values = random() % 3 == 0 ? 1 + random() % 5 : 1 + random() % (2 * n);
      const bool growing = random() % 4 == 0;
      std::vector<std::uint32_t> ids(n);
      std::iota(ids.begin(), ids.end(), 0U);
      std::shuffle(ids.begin(), ids.end(), random);
      std::vector<TreeEdge> edges;
      for (std::uint32_t v = 1; v < n; ++v) {
        const auto back =
            static_cast<std::uint32_t>(1 + random() % std::min<std::size_t>(v, reach));
        const double weight = growing ? v / 3 : static_cast<double>(random() % values) / 4;
        edges.push_back({v, v - back, weight});
      }
      std::shuffle(edges.begin(), edges.end(), random);
      std::vector<TreeEdge> ascending = edges;
      std::stable_sort(ascending.begin(), ascending.end(), [](const auto& x, const auto& y) {
        return x.squaredWeight < y.squaredWeight;
      });
      Dendrogram expected;
      LargeArray<std::uint32_t> lowest;
      QVERIFY(buildDendrogram(ascending, ids, expected, lowest, {}));
      const PositionOrder order = positionsOf(expected, {});

      FiberMachine machine(random());
      auto a = machine.make<std::uint32_t>(n - 1);
      auto b = machine.make<std::uint32_t>(n - 1);
      auto weights = machine.make<std::uint64_t>(n - 1);
      auto edgeOrder = machine.make<std::uint32_t>(n - 1);
      for (std::uint32_t e = 0; e + 1 < n; ++e) {
        a[e] = edges[e].a;
        b[e] = edges[e].b;
        weights[e] = std::bit_cast<std::uint64_t>(edges[e].squaredWeight);
        edgeOrder[e] = e;
      }
      machine.sortByKey(weights, edgeOrder, 63);
      const auto found = groupDendrogram(machine, ids.data(), n, a, b, weights, edgeOrder);
      const auto same = [&](const auto& mine, const auto& theirs) {
        return std::equal(theirs.begin(), theirs.end(), mine.data());
      };
      const QByteArray what = QString("seed %1, %2 points").arg(seed).arg(n).toUtf8();
      QVERIFY2(same(found.weights, expected.squaredWeights), what.constData());
      QVERIFY2(same(found.sizes, expected.sizes), what.constData());
      QVERIFY2(same(found.lowest, lowest), what.constData());
      QVERIFY2(same(found.left, expected.left), what.constData());
      QVERIFY2(same(found.right, expected.right), what.constData());
      QVERIFY2(same(found.begins, order.begins), what.constData());
      QVERIFY2(same(found.splits, order.splits), what.constData());
      QVERIFY2(same(found.order, order.order), what.constData());
      QVERIFY2(same(found.positions, order.positions), what.constData());
    }
  }

  void hierarchiesAreThoseOfTheCpu() {
    for (int seed = 0; seed < drawsOf(60); ++seed) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 77700);
      const Drawn drawn = drawCloud(random, seed % 10 == 0 ? 3000 : 300);
      const std::size_t n = drawn.cloud.size();
      if (n < 2) continue;
      const std::int64_t minPts =
          random() % 12 == 0
              ? static_cast<std::int64_t>(n) + 1
              : 1 + static_cast<std::int64_t>(
                        random() % std::min<std::size_t>(n, random() % 3 == 0 ? 64 : 14));
      const auto expected = Hierarchy::build(drawn.cloud, {.minPts = minPts});
      QVERIFY(expected);
      const std::vector<double> columns = packed(drawn.cloud);
      FiberMachine machine(random());
      const auto found = groupHierarchy(machine, columns.data(), n, drawn.cloud.dims(), minPts);
      const QByteArray what = QString("seed %1, %2, minPts %3")
                                  .arg(seed)
                                  .arg(QString::fromStdString(drawn.name))
                                  .arg(minPts)
                                  .toUtf8();
      compare(machine, found, *expected, minPts, drawn.cloud, random, what);
    }
  }

  void hierarchiesBySearchesOfPairsAreThoseOfTheCpu() {
    for (int seed = 0; seed < drawsOf(60); ++seed) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 55500);
      const Drawn drawn = drawCloud(random, seed % 10 == 0 ? 400 : 150);
      const std::size_t n = drawn.cloud.size();
      if (n < 2) continue;
      const std::int64_t minPts =
          random() % 12 == 0
              ? static_cast<std::int64_t>(n) + 1
              : 1 + static_cast<std::int64_t>(
                        random() % std::min<std::size_t>(n, random() % 3 == 0 ? 64 : 14));
      const auto expected = Hierarchy::build(drawn.cloud, {.minPts = minPts});
      QVERIFY(expected);
      FiberMachine machine(random());
      const PairDistances all(drawn.cloud);
      const std::uint32_t others = listedByProducts(n, minPts);
      const NearestNeighbours nearest = all.nearest(static_cast<int>(others) + 1);
      // Places in any order, without coordinates.
      GroupTreeView tree = GroupTreeView::of(n, drawn.cloud.dims());
      auto ids = machine.make<std::uint32_t>(tree.places());
      std::fill_n(ids.data(), ids.size(), GroupTreeView::kNobody);
      std::iota(ids.data(), ids.data() + n, 0U);
      std::shuffle(ids.data(), ids.data() + n, random);
      tree.ids = ids.data();
      auto positions = machine.make<std::uint32_t>(n);
      auto places = machine.make<std::uint32_t>(std::size_t{tree.places()} * others);
      auto squared = machine.make<double>(std::size_t{tree.places()} * others);
      const GroupLists lists{others, places.data(), squared.data()};
      machine.each(n, PlacesOfPoints{tree, positions.data()});
      const auto sets = listedSets(machine, tree, others, positions.data(), nearest.ids.data());
      QVERIFY2(areConnected(sets, tree.ids, nearest),
               qPrintable(QString::fromStdString(drawn.name)));
      machine.each(n, ListRows{tree, lists, positions.data(), nearest.ids.data(),
                               nearest.squaredDistances.data()});
      auto locks = machine.make<std::uint32_t>(n);
      machine.fill(locks, 0);
      const auto search = [&](const GroupForest& forest, std::uint32_t) {
        machine.each(n * n, TakePairs{{forest, locks.data()}, &all});
        machine.each(n, RaiseLower{forest});
      };
      const auto found = hierarchyOfLists(machine, tree, lists, minPts, search);
      const QByteArray what = QString("seed %1, %2, minPts %3")
                                  .arg(seed)
                                  .arg(QString::fromStdString(drawn.name))
                                  .arg(minPts)
                                  .toUtf8();
      compare(machine, found, *expected, minPts, drawn.cloud, random, what);
    }
  }

 private:
  /// Whether these are the first places of the sets that lists connect, by brute force.
  static bool areConnected(const FiberMachine::Array<std::uint32_t>& sets, const std::uint32_t* ids,
                           const NearestNeighbours& nearest) {
    DisjointNames names(nearest.points);
    for (std::size_t p = 0; p < nearest.points; ++p)
      for (const std::uint32_t q : nearest.idsOf(p)) names.unite(p, q);
    std::map<std::size_t, std::uint32_t> first;
    for (std::uint32_t place = 0; place < nearest.points; ++place)
      if (sets[place] != first.try_emplace(names.name[ids[place]], place).first->second)
        return false;
    return true;
  }

  /// Every pair of places that may be of use.
  struct TakePairs {
    PairOffers offers;
    const PairDistances* all;

    template <class Lane>
    void operator()(Lane& lane, std::uint32_t i) const {
      const std::uint32_t n = offers.f.tree.points;
      const std::uint32_t p = i / n;
      const std::uint32_t q = i % n;
      if (p < q && offers.limitOfPair(lane, p, q) > 0)
        offers.take(lane, p, q, all->at(offers.f.tree.ids[p], offers.f.tree.ids[q]));
    }
  };

  static void compare(FiberMachine& machine, const GroupHierarchy<FiberMachine>& found,
                      const Hierarchy& expected, std::int64_t minPts, const PointCloud& cloud,
                      std::mt19937_64& random, const QByteArray& what) {
    const auto same = [](const auto& mine, const auto& theirs) {
      return mine.size() == theirs.size() && std::equal(theirs.begin(), theirs.end(), mine.data());
    };
    const Dendrogram& tree = expected.dendrogram();
    QVERIFY2(same(found.dendrogram.weights, tree.squaredWeights), what.constData());
    QVERIFY2(same(found.dendrogram.left, tree.left), what.constData());
    QVERIFY2(same(found.dendrogram.right, tree.right), what.constData());
    QVERIFY2(same(found.dendrogram.sizes, tree.sizes), what.constData());
    QVERIFY2(same(found.dendrogram.order, expected.order()), what.constData());
    QVERIFY2(same(found.dendrogram.positions, expected.positions()), what.constData());
    QVERIFY2(same(found.borders.squaredCore, expected.squaredCoreDistances()), what.constData());
    QVERIFY2(same(found.borders.offsets, expected.borders().offsets), what.constData());
    QVERIFY2(same(found.borders.squaredReach, expected.borders().squaredReach), what.constData());
    QVERIFY2(same(found.borders.positions, expected.borders().positions), what.constData());

    // What cannot be asked of a hierarchy shows in its labels.
    const Hierarchy made = assembled(found, cloud.size(), minPts);
    GroupLabels<FiberMachine> labels;
    for (int i = 0; i < 20; ++i) {
      const double eps = draws::drawEps(random, cloud);
      const auto mine = made.labels(eps);
      const auto theirs = expected.labels(eps);
      QVERIFY2(mine->labels == theirs->labels && mine->roles == theirs->roles, what.constData());
      labelGroups(machine, found, eps * eps, labels);
      QVERIFY2(same(labels.labels, theirs->labels), what.constData());
      QVERIFY2(same(labels.roles, theirs->roles), what.constData());
    }
  }

  static Hierarchy assembled(const GroupHierarchy<FiberMachine>& found, std::size_t n,
                             std::int64_t minPts) {
    const auto arrayOf = []<class T>(const FiberMachine::Array<T>& from) {
      return LargeArray<T>(from.data(), from.data() + from.size());
    };
    HierarchyArrays arrays;
    arrays.minPts = minPts;
    arrays.squaredCore = arrayOf(found.borders.squaredCore);
    arrays.dendrogram = {n, arrayOf(found.dendrogram.left), arrayOf(found.dendrogram.right),
                         arrayOf(found.dendrogram.weights), arrayOf(found.dendrogram.sizes)};
    arrays.lowestPoints = arrayOf(found.dendrogram.lowest);
    arrays.order = {arrayOf(found.dendrogram.order), arrayOf(found.dendrogram.positions),
                    arrayOf(found.dendrogram.begins), arrayOf(found.dendrogram.splits)};
    arrays.early = arrayOf(found.borders.early);
    arrays.borders = {arrayOf(found.borders.offsets), arrayOf(found.borders.squaredReach),
                      arrayOf(found.borders.positions)};
    arrays.firstReach = arrayOf(found.borders.firstReach);
    return HierarchyBuilder::of(std::move(arrays));
  }

  struct DisjointNames {
    explicit DisjointNames(std::size_t n) : name(n) {
      for (std::size_t i = 0; i < n; ++i) name[i] = i;
    }
    bool unite(std::size_t a, std::size_t b) {
      const std::size_t from = name[a];
      const std::size_t to = name[b];
      if (from == to) return false;
      std::replace(name.begin(), name.end(), from, to);
      return true;
    }
    std::vector<std::size_t> name;
  };
};

APPLESS_TEST(TestGroupPrograms);
#include "tst_group_programs.moc"
