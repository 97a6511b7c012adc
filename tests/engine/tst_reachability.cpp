#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "engine/cloud/generators.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/reachability.h"
#include "mutual_reachability.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

  /// The plot of OPTICS itself [Ankerst 1999, Fig. 5 to 8], in plain loops, for an ε without limit:
  /// cut at any ε (Fig. 17) it has the same clusters of core points.
  void everyCutHasTheCorePointsOfOptics_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("minPts");
    for (const std::string kind : {"blobs", "unif", "lattice"})
      for (const int minPts : {1, 2, 4, 9})
        QTest::addRow("%s, minPts %d", kind.c_str(), minPts)
            << QString::fromStdString(kind) << minPts;
  }
  void everyCutHasTheCorePointsOfOptics() {
    QFETCH(QString, kind);
    QFETCH(int, minPts);
    const auto made = generate({kind.toStdString(), 120, 2, 3});
    QVERIFY(made.has_value());
    const PointCloud& cloud = made->cloud;
    const std::size_t n = cloud.size();
    const PairDistances pairs(cloud);
    const std::vector<double> core = pairs.core(minPts);

    std::vector<std::size_t> order;
    std::vector<double> reach(n, kInfinity);
    std::vector<bool> processed(n);
    while (order.size() < n) {
      std::size_t next = n;
      for (std::size_t p = 0; p < n; ++p)
        if (!processed[p] && (next == n || reach[p] < reach[next])) next = p;
      processed[next] = true;
      order.push_back(next);
      for (std::size_t p = 0; p < n; ++p)
        if (!processed[p]) reach[p] = std::min(reach[p], std::max(core[next], pairs.at(next, p)));
    }

    const auto hierarchy = Hierarchy::build(cloud, {.minPts = minPts});
    QVERIFY(hierarchy.has_value());
    const auto plot = reachabilityOf(hierarchy->dendrogram());
    QVERIFY(plot.has_value());
    // Runs of core points, in the order of a plot: a bar above the cut starts a new one.
    const auto clusters = [&](std::size_t bars, double cut, const auto& pointAt,
                              const auto& heightAt) {
      std::set<std::set<std::size_t>> all;
      std::set<std::size_t> run;
      for (std::size_t i = 0; i < bars; ++i) {
        if (heightAt(i) > cut && !run.empty()) all.insert(std::exchange(run, {}));
        if (core[pointAt(i)] <= cut) run.insert(pointAt(i));
      }
      if (!run.empty()) all.insert(run);
      return all;
    };
    std::set<double> cuts(core.begin(), core.end());
    cuts.insert(plot->squaredHeight.begin(), plot->squaredHeight.end());
    cuts.insert(reach.begin(), reach.end());
    bool bordersDiffer = false;
    for (const double cut : cuts) {
      const auto ours = clusters(
          n, cut, [&](std::size_t i) { return std::size_t{plot->order[i]}; },
          [&](std::size_t i) { return plot->squaredHeight[i]; });
      const auto theirs = clusters(
          n, cut, [&](std::size_t i) { return order[i]; },
          [&](std::size_t i) { return reach[order[i]]; });
      QCOMPARE(ours, theirs);
      // A bar of ours below the cut is that of a core point; OPTICS has bars of others there.
      for (std::size_t i = 0; i < n && std::isfinite(cut); ++i) {
        if (plot->squaredHeight[i] <= cut) QVERIFY(core[plot->order[i]] <= cut);
        bordersDiffer |= reach[order[i]] <= cut && core[order[i]] > cut;
      }
    }
    QCOMPARE(bordersDiffer, minPts > 2);
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

GUILESS_TEST(TestReachability);
#include "tst_reachability.moc"
