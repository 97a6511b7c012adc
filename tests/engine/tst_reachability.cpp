#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "engine/hierarchy/reachability.h"

using namespace clusterloom;

namespace {

/// A random tree with weights of which some are equal, ascending.
std::vector<TreeEdge> randomTree(std::mt19937_64& random, std::uint32_t points) {
  std::vector<TreeEdge> edges;
  for (std::uint32_t p = 1; p < points; ++p)
    edges.push_back({p, static_cast<std::uint32_t>(random() % p),
                     static_cast<double>(random() % (points / 2 + 1))});
  std::sort(edges.begin(), edges.end(),
            [](const TreeEdge& a, const TreeEdge& b) { return a.squaredWeight < b.squaredWeight; });
  return edges;
}

/// The sets that edges of at most `weight` connect, in plain loops.
std::set<std::set<std::uint32_t>> components(const std::vector<TreeEdge>& edges,
                                             std::uint32_t points, double weight) {
  std::vector<std::uint32_t> of(points);
  std::iota(of.begin(), of.end(), 0U);
  for (const TreeEdge& edge : edges) {
    if (edge.squaredWeight > weight) continue;
    const std::uint32_t from = of[edge.a];
    const std::uint32_t to = of[edge.b];
    std::replace(of.begin(), of.end(), from, to);
  }
  std::map<std::uint32_t, std::set<std::uint32_t>> sets;
  for (std::uint32_t p = 0; p < points; ++p) sets[of[p]].insert(p);
  std::set<std::set<std::uint32_t>> all;
  for (const auto& [root, set] : sets) all.insert(set);
  return all;
}

}  // namespace

class TestReachability : public QObject {
  Q_OBJECT

 private slots:
  /// Cutting the bars at any height gives the components.
  void everyCutIsTheComponents() {
    std::mt19937_64 random(5);
    for (int round = 0; round < 60; ++round) {
      const auto points = static_cast<std::uint32_t>(1 + random() % 40);
      const auto edges = randomTree(random, points);
      const auto plot = reachabilityOf(dendrogramOf(points, edges));
      QVERIFY(plot.has_value());
      QCOMPARE(plot->order.size(), std::size_t{points});
      QVERIFY(std::isinf(plot->squaredHeight.front()));
      QCOMPARE(plot->order.front(), 0U);
      for (double cut = -1; cut <= points; cut += 0.5) {
        std::set<std::set<std::uint32_t>> runs;
        std::set<std::uint32_t> run;
        for (std::size_t i = 0; i < plot->order.size(); ++i) {
          if (plot->squaredHeight[i] > cut && !run.empty()) runs.insert(std::exchange(run, {}));
          run.insert(plot->order[i]);
        }
        runs.insert(run);
        QCOMPARE(runs, components(edges, points, cut));
      }
    }
  }

  void nothingAndStops() {
    QVERIFY(reachabilityOf(Dendrogram{})->order.empty());
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    QCOMPARE(reachabilityOf(dendrogramOf(1, {}), task).error().kind, ErrorKind::Cancelled);
  }
};

QTEST_GUILESS_MAIN(TestReachability)
#include "tst_reachability.moc"
