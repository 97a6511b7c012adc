// The lane functions of brute force and of G-DBSCAN's versions on the GPU, run one lane after the
// other on the CPU: the logic that the kernels run, against brute force in plain loops.
#include <QtTest/QtTest>

#include <algorithm>
#include <numeric>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/all_pairs_program.h"
#include "engine/dbscan/g_dbscan_program.h"
#include "engine/dbscan/labelling.h"
#include "engine/dbscan/search_bound.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr Method kVersions[] = {Method::GDbscanPaper, Method::GDbscanNoTransfer,
                                Method::GDbscanShifted, Method::GDbscanShared,
                                Method::GDbscanSharedTiles};

/// How a device would cut the work up.
struct Cut {
  std::uint32_t block = 64;   ///< threads
  std::uint32_t tile = 64;    ///< candidates staged at a time
  std::uint32_t slice = 100;  ///< candidates per launch
  bool lastFirst = false;     ///< lanes in the opposite order
  bool shortCircuit = false;  ///< distances end early
};

/// Calls each(lane number) in the order of the cut.
template <class Each>
void everyLane(std::uint32_t lanes, const Cut& cut, const Each& each) {
  for (std::uint32_t i = 0; i < lanes; ++i) each(cut.lastFirst ? lanes - 1 - i : i);
}

/// The all-pairs passes as the kernels do them: a lane per point, candidates slice by slice.
struct Passes {
  const PointCloud& cloud;
  Method method;
  Cut cut;
  std::vector<double> flat;
  AllPairs all;

  Passes(const PointCloud& points, double eps, Method how, const Cut& work)
      : cloud(points), method(how), cut(work) {
    for (const auto& column : cloud.columns) flat.insert(flat.end(), column.begin(), column.end());
    const auto n = static_cast<std::uint32_t>(cloud.size());
    all = {.points = {flat.data(), n},
           .size = n,
           .dims = static_cast<std::uint32_t>(cloud.dims()),
           .squaredEps = eps * eps,
           .shortCircuit = work.shortCircuit};
  }

  /// hits(p) gives what point p's lane does with a neighbour.
  template <class Hits>
  void run(const Hits& hits) {
    SerialLane lane;
    const std::uint32_t n = all.size;
    for (std::uint32_t from = 0; from < n; from += cut.slice) {
      const std::uint32_t to = std::min(n, from + cut.slice);
      everyLane(n, cut, [&](std::uint32_t p) {
        const ItemOf own{all.points, p};
        auto& hit = hits(p);
        if (method == Method::GDbscanSharedTiles) {
          for (std::uint32_t first = from; first < to && !hit.enough(); first += cut.tile) {
            const std::uint32_t end = std::min(to, first + cut.tile);
            std::vector<double> staged(all.dims * cut.tile);
            for (std::uint32_t j = 0; j < all.dims; ++j)
              std::copy(cloud.columns[j].begin() + first, cloud.columns[j].begin() + end,
                        staged.begin() + j * cut.tile);
            const InOrder walk{Columns{staged.data(), cut.tile}, first};
            visitNeighbours(lane, all, own, walk, first, end, hit);
          }
        } else if (hit.enough()) {
        } else if (method == Method::GDbscanShared) {
          // The block's own points from a copy, as from shared memory.
          const std::uint32_t first = p / cut.block * cut.block;
          const std::uint32_t last = std::min(n, first + cut.block);
          std::vector<double> copied(all.dims * cut.block);
          for (std::uint32_t j = 0; j < all.dims; ++j)
            std::copy(cloud.columns[j].begin() + first, cloud.columns[j].begin() + last,
                      copied.begin() + j * cut.block);
          const std::uint32_t begin = std::clamp(first, from, to);
          const std::uint32_t end = std::clamp(last, from, to);
          visitNeighbours(lane, all, own, InOrder{all.points}, from, begin, hit);
          if (!hit.enough())
            visitNeighbours(lane, all, own, InOrder{Columns{copied.data(), cut.block}, first},
                            begin, end, hit);
          if (!hit.enough()) visitNeighbours(lane, all, own, InOrder{all.points}, end, to, hit);
        } else if (method == Method::GDbscanShifted) {
          const Shifted walk{all.points, 0, p % cut.block % n, n};
          visitNeighbours(lane, all, own, walk, from, to, hit);
        } else {
          visitNeighbours(lane, all, own, InOrder{all.points}, from, to, hit);
        }
      });
    }
  }
};

/// The search as the device does it; the paper's version keeps labels on the host and looks for the
/// next frontier there.
struct SerialMachine {
  GraphView g;
  bool paper;
  Cut cut;
  std::vector<std::uint8_t> visited, frontier, next;
  std::vector<std::int32_t> labels;
  std::uint32_t loaded = 0;
  std::uint32_t nextRoot = 0;

  SerialMachine(const GraphView& graph, bool onHost, const Cut& work)
      : g(graph),
        paper(onHost),
        cut(work),
        visited(g.vertices, 0),
        frontier(g.vertices, 0),
        next(g.vertices, 0),
        labels(g.vertices, kNoise) {
    g.visited = visited.data();
    g.frontier = frontier.data();
    g.next = next.data();
    g.loaded = &loaded;
    g.labels = labels.data();
    g.nextRoot = &nextRoot;
  }

  std::uint32_t firstRoot() const { return rootFrom(0); }
  std::uint32_t rootFrom(std::uint32_t v) const {
    while (v < g.vertices && (!g.isCore(v) || labels[v] != kNoise)) ++v;
    return v;
  }
  void start(std::uint32_t root) { g.frontier[root] = g.visited[root] = 1; }
  bool level() {
    SerialLane lane;
    loaded = 0;
    everyLane(g.vertices, cut, [&](std::uint32_t v) { visitVertex(lane, g, v); });
    for (std::uint32_t v = 0; v < g.vertices; ++v)
      if (g.frontier[v] != 0) qFatal("a vertex stayed in the frontier");
    std::swap(g.frontier, g.next);
    const bool more = std::any_of(g.frontier, g.frontier + g.vertices, [](auto f) { return f; });
    if (more != (loaded != 0)) qFatal("what was loaded was not reported");
    return more;
  }
  std::uint32_t label(std::int32_t cluster) {
    if (paper) {
      for (std::uint32_t v = 0; v < g.vertices; ++v)
        if (visited[v] != 0 && labels[v] == kNoise) labels[v] = cluster;
      return rootFrom(0);
    }
    SerialLane lane;
    nextRoot = g.vertices;
    everyLane(g.vertices, cut, [&](std::uint32_t v) { labelVertex(lane, g, v, cluster); });
    return nextRoot;
  }
};

struct Answer {
  Clustering clustering;
  GraphSearch search;
  std::uint64_t predicted = 0;  ///< at least as many passes
};

Answer gDbscan(const PointCloud& cloud, const DbscanParams& params, Method method, const Cut& cut) {
  const std::size_t n = cloud.size();
  Passes passes(cloud, params.eps, method, cut);
  std::vector<NeighbourCounter> counters(n);
  passes.run([&](std::uint32_t p) -> NeighbourCounter& { return counters[p]; });
  std::vector<std::uint32_t> degrees(n);
  std::vector<std::uint64_t> firstEdge(n + 1, 0);
  for (std::size_t p = 0; p < n; ++p) {
    degrees[p] = counters[p].count;
    firstEdge[p + 1] = firstEdge[p] + degrees[p];
  }
  std::vector<std::uint32_t> edges(firstEdge[n]);
  std::vector<RowFiller> rows(n);
  for (std::size_t p = 0; p < n; ++p) rows[p] = {edges.data() + firstEdge[p], degrees[p]};
  passes.run([&](std::uint32_t p) -> RowFiller& { return rows[p]; });
  for (const RowFiller& row : rows)
    if (!row.enough()) qFatal("a row was not filled");

  GraphView g;
  g.vertices = static_cast<std::uint32_t>(n);
  g.minPts = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(params.minPts), n + 1));
  g.degrees = degrees.data();
  g.firstEdge = firstEdge.data();
  g.edges = edges.data();
  SerialMachine machine(g, method == Method::GDbscanPaper, cut);
  Answer answer;
  answer.search = searchGraph(machine, g.vertices);
  answer.predicted = leastPasses(cloud, params.eps, degrees, g.minPts, {}).value();
  Clustering& c = answer.clustering;
  c.params = params;
  c.labels = machine.labels;
  c.clusters = answer.search.clusters;
  std::vector<std::uint8_t> core(n);
  for (std::size_t p = 0; p < n; ++p) core[p] = degrees[p] >= g.minPts;
  fillRoles(c, core);
  return answer;
}

/// Brute force's DBSCAN as a device does it: labels of core points sink until none changes.
Clustering bruteForceByLabels(const PointCloud& cloud, const DbscanParams& params, const Cut& cut) {
  const auto n = static_cast<std::uint32_t>(cloud.size());
  Passes passes(cloud, params.eps, Method::GDbscanSharedTiles, cut);
  std::vector<NeighbourCounter> counters(n);
  passes.run([&](std::uint32_t p) -> NeighbourCounter& { return counters[p]; });
  std::vector<std::uint8_t> core(n);
  std::vector<std::uint32_t> labels(n, 0xffffffffU);
  for (std::uint32_t p = 0; p < n; ++p) {
    core[p] = counters[p].count >= static_cast<std::uint64_t>(params.minPts);
    if (core[p] != 0) labels[p] = p;
  }
  SerialLane lane;
  std::uint32_t changed = 1;
  for (std::uint32_t pass = 0; changed != 0; ++pass) {
    if (pass > n + 1) qFatal("labels do not settle");
    changed = 0;
    std::vector<LowestLabel> lowest(n, LowestLabel{core.data(), labels.data()});
    passes.run([&](std::uint32_t p) -> LowestLabel& { return lowest[p]; });
    everyLane(n, cut, [&](std::uint32_t p) {
      if (core[p] != 0) takeLowest(lane, p, lowest[p].lowest, labels.data(), &changed);
    });
    everyLane(n, cut, [&](std::uint32_t p) {
      if (core[p] != 0) shortenChain(lane, p, labels.data());
    });
  }
  std::vector<LowestLabel> lowest(n, LowestLabel{core.data(), labels.data()});
  passes.run([&](std::uint32_t p) -> LowestLabel& { return lowest[p]; });
  std::vector<std::uint32_t> ids(n);
  std::iota(ids.begin(), ids.end(), 0U);
  const ClusterNumbers numbers = numberClusters(labels, core, ids);
  Clustering c;
  c.params = params;
  c.clusters = numbers.clusters;
  for (std::uint32_t p = 0; p < n; ++p) {
    const std::uint32_t set = core[p] != 0 ? labels[p] : lowest[p].lowest;
    c.labels.push_back(set == 0xffffffffU ? kNoise : numbers.ofSet[set]);
  }
  fillRoles(c, core);
  return c;
}

QByteArray verdict(const PointCloud& cloud, const DbscanParams& params, const Cut& cut) {
  const auto expected = bruteForceDbscan(cloud, params);
  if (!expected) return "brute force failed";
  const std::string labels =
      agreement::difference(bruteForceByLabels(cloud, params, cut), *expected);
  if (!labels.empty()) return QByteArray::fromStdString("brute force by labels: " + labels);
  std::optional<std::uint64_t> levels;
  for (const Method method : kVersions) {
    const Answer found = gDbscan(cloud, params, method, cut);
    const std::string what = agreement::difference(found.clustering, *expected);
    if (!what.empty()) return QByteArray::fromStdString(toText(method) + ": " + what);
    if (levels && *levels != found.search.levels) return "versions differ in their levels";
    if (found.predicted > found.search.passes())
      return "predicted " + QByteArray::number(quint64(found.predicted)) +
             " passes at least, took " + QByteArray::number(quint64(found.search.passes()));
    levels = found.search.levels;
  }
  return {};
}

Cut drawCut(std::mt19937_64& random) {
  const auto upTo = [&](std::uint32_t most) {
    return static_cast<std::uint32_t>(1 + random() % most);
  };
  return {upTo(96), upTo(40), upTo(150), random() % 2 == 0, random() % 2 == 0};
}

}  // namespace

class TestGDbscan : public QObject {
  Q_OBJECT

 private slots:
  void randomClouds_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kKinds)
      QTest::newRow(kind.c_str()) << QString::fromStdString(kind);
  }
  void randomClouds() {
    QFETCH(QString, kind);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::mt19937_64 random(seed * 131 + kind.size());
      const std::size_t dims = seed % 8 == 7 ? 9 + random() % 82 : 1 + random() % 8;
      const PointCloud cloud = draws::draw(random, kind.toStdString(), 1 + random() % 160, dims);
      const double eps = draws::drawEps(random, cloud);
      const auto minPts = static_cast<std::int64_t>(random() % 5 == 0 ? cloud.size() + random() % 3
                                                                      : 1 + random() % 8);
      const QByteArray wrong =
          verdict(cloud, {eps, std::max<std::int64_t>(minPts, 1)}, drawCut(random));
      QVERIFY2(wrong.isEmpty(), wrong + " with seed " + QByteArray::number(seed));
    }
  }

  void onePoint() {
    const PointCloud cloud = draws::fromRows({{1, 2, 3}});
    for (const std::int64_t minPts : {1, 2})
      QCOMPARE(verdict(cloud, {1.0, minPts}, {}), QByteArray());
  }

  void minPtsBeyondEverything() {
    const PointCloud cloud = draws::fromRows({{0}, {0}, {0}, {1}});
    for (const std::int64_t minPts :
         {std::int64_t{5}, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1,
          std::numeric_limits<std::int64_t>::max()}) {
      QCOMPARE(verdict(cloud, {1.0, minPts}, {}), QByteArray());
      QCOMPARE(gDbscan(cloud, {1.0, minPts}, Method::GDbscanShared, {}).search.passes(),
               std::uint64_t{0});
    }
  }

  // A border point between two clusters belongs to the one whose lowest core point comes first,
  // wherever the border point itself and the rest of the clusters are.
  void bordersGoToTheLowestCluster() {
    // The point at 0 touches one core point of each; that of the higher cluster has the lower
    // index.
    const PointCloud cloud = draws::fromRows({{0}, {-2}, {1}, {1.5}, {2}, {2}, {-1.5}, {-2}, {-1}});
    const Answer found = gDbscan(cloud, {1.0, 4}, Method::GDbscanPaper, {});
    QCOMPARE(found.clustering.labels, (std::vector<std::int32_t>{0, 0, 1, 1, 1, 1, 0, 0, 0}));
    QVERIFY(found.clustering.roles[0] == PointRole::Border);
    QCOMPARE(verdict(cloud, {1.0, 4}, {}), QByteArray());
  }

  // Cost is clusters × levels × n: what a search takes, and what the prediction says of it.
  void passesArePredicted_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<quint64>("levels");
    QTest::addColumn<quint64>("passes");
    QTest::addColumn<quint64>("predicted");
    QTest::newRow("each by itself") << 0 << quint64(50) << quint64(100) << quint64(100);
    QTest::newRow("all in one place") << 1 << quint64(2) << quint64(3) << quint64(3);
    QTest::newRow("ten places") << 2 << quint64(20) << quint64(30) << quint64(30);
    // From one end by two points per level: 50 / 2 and one to find the frontier empty. Over cells
    // the chain might be two clusters, which would take half as many.
    QTest::newRow("a chain") << 3 << quint64(26) << quint64(27) << quint64(16);
    // Groups that no search of the other reaches, of two levels each.
    QTest::newRow("five blobs in 10-D") << 4 << quint64(15) << quint64(20) << quint64(15);
  }
  void passesArePredicted() {
    QFETCH(int, which);
    QFETCH(quint64, levels);
    QFETCH(quint64, passes);
    QFETCH(quint64, predicted);
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 50; ++i)
      rows.push_back(
          std::vector<double>(which == 4 ? 10 : 1, which == 0   ? 10.0 * i
                                                   : which == 1 ? 3.0
                                                   : which == 2 ? 10.0 * (i % 10)
                                                   : which == 3 ? 0.5 * i
                                                                : 10.0 * (i % 5) + 0.04 * (i / 5)));
    for (const Method method : kVersions) {
      const Answer found = gDbscan(draws::fromRows(rows), {1.0, 1}, method, {.lastFirst = true});
      QCOMPARE(found.search.levels, levels);
      QCOMPARE(found.search.passes(), passes);
      QCOMPARE(quint64(found.predicted), predicted);
    }
  }

  // The list pass is over as soon as the row is full [Frasson 2021, §3.2].
  void rowsStopWhenTheyAreFull() {
    const PointCloud cloud = draws::fromRows({{0}, {0}, {5}, {6}, {7}, {8}});
    const Passes passes(cloud, 0.5, Method::GDbscanNoTransfer, {});
    SerialLane lane;
    std::uint32_t row[2] = {};
    RowFiller filler{row, 2};
    QCOMPARE(visitNeighbours(lane, passes.all, ItemOf{passes.all.points, 0},
                             InOrder{passes.all.points}, 0, 6, filler),
             2U);
    QCOMPARE(row[0], 0U);
    QCOMPARE(row[1], 1U);
    RowFiller shifted{row, 2};
    QCOMPARE(visitNeighbours(lane, passes.all, ItemOf{passes.all.points, 0},
                             Shifted{passes.all.points, 0, 1, 6}, 0, 6, shifted),
             6U);
    QCOMPARE(row[0], 1U);
    QCOMPARE(row[1], 0U);
  }
};

APPLESS_TEST(TestGDbscan);
#include "tst_g_dbscan.moc"
