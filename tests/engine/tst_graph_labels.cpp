// DBSCAN's labels for neighbours that are given, against the definition in plain loops.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "engine/dbscan/clustering.h"
#include "engine/dbscan/graph_labels.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

struct Graph {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int64_t> ids;

  NeighbourLists<> lists() const { return {.starts = starts, .ids = ids}; }
};

/// The neighbours q of each p for which isNeighbour(p, q).
Graph graphOf(std::size_t points, const std::function<bool(std::size_t, std::size_t)>& near) {
  Graph graph;
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t q = 0; q < points; ++q)
      if (near(p, q)) graph.ids.push_back(static_cast<std::int64_t>(q));
    graph.starts.push_back(static_cast<std::int64_t>(graph.ids.size()));
  }
  return graph;
}

using Labels = std::vector<std::int32_t>;

Labels labelsOf(const Graph& graph, const std::vector<std::uint8_t>& core) {
  const auto found = labelsOfNeighbours(graph.lists(), core);
  return found ? Labels(found->begin(), found->end()) : Labels{};
}

}  // namespace

class TestGraphLabels : public QObject {
  Q_OBJECT

 private slots:
  void mutualNeighbours() {
    std::mt19937_64 random(5);
    std::vector<double> at(300);
    for (double& x : at) x = static_cast<double>(random() % 1000) / 10;
    const Graph graph = graphOf(
        at.size(), [&](std::size_t p, std::size_t q) { return std::abs(at[p] - at[q]) <= 0.4; });
    std::vector<std::uint8_t> core(at.size());
    for (std::size_t p = 0; p < at.size(); ++p) core[p] = graph.starts[p + 1] - graph.starts[p] > 3;
    // Clusters by their lowest core points; border points take the lowest of theirs.
    Labels expected(at.size(), kNoise);
    std::int32_t clusters = 0;
    for (std::size_t first = 0; first < at.size(); ++first) {
      if (!core[first] || expected[first] != kNoise) continue;
      expected[first] = clusters;
      for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t p = 0; p < at.size(); ++p)
          for (std::size_t q = 0; q < at.size(); ++q)
            if (core[p] && expected[p] == clusters && expected[q] == kNoise &&
                std::abs(at[p] - at[q]) <= 0.4) {
              expected[q] = clusters;
              grows = true;
            }
      }
      ++clusters;
    }
    QVERIFY(clusters > 5);
    QVERIFY(std::find(expected.begin(), expected.end(), kNoise) != expected.end());
    QCOMPARE(labelsOf(graph, core), expected);
  }

  void pathsFollowTheLists() {
    // 1 → 0, 1 → 2, 2 → 3, 4 → 2: nothing leads back from 0.
    const Graph graph{.starts = {0, 0, 2, 3, 3, 4}, .ids = {0, 2, 3, 2}};
    QCOMPARE(labelsOf(graph, {1, 1, 1, 0, 1}), (Labels{0, 1, 1, 1, 2}));
    QCOMPARE(labelsOf(graph, {0, 1, 0, 0, 1}), (Labels{0, 0, 0, kNoise, 1}));
    QCOMPARE(labelsOf(graph, {0, 0, 0, 0, 0}), Labels(5, kNoise));
    QCOMPARE(labelsOf(Graph{}, {}), Labels{});
  }

  void wrongListsAreRefused_data() {
    QTest::addColumn<std::vector<std::int64_t>>("starts");
    QTest::addColumn<std::vector<std::int64_t>>("ids");
    using List = std::vector<std::int64_t>;
    QTest::newRow("none") << List{} << List{};
    QTest::newRow("too few") << List{0, 1} << List{0};
    QTest::newRow("too short") << List{0, 1, 2} << List{0};
    QTest::newRow("descending") << List{0, 2, 1} << List{0};
    QTest::newRow("from 1") << List{1, 1, 1} << List{0};
    QTest::newRow("no point") << List{0, 1, 1} << List{2};
    QTest::newRow("negative") << List{0, 1, 1} << List{-1};
  }
  void wrongListsAreRefused() {
    QFETCH(std::vector<std::int64_t>, starts);
    QFETCH(std::vector<std::int64_t>, ids);
    const std::vector<std::uint8_t> core(2, 1);
    const auto found = labelsOfNeighbours(NeighbourLists<>{.starts = starts, .ids = ids}, core);
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::BadInput);
  }

  void stops() {
    const Graph graph{.starts = std::vector<std::int64_t>(20001, 0), .ids = {}};
    std::stop_source source;
    source.request_stop();
    const std::vector<std::uint8_t> core(20000, 1);
    const auto found = labelsOfNeighbours(graph.lists(), core, {source.get_token(), {}});
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::Cancelled);
  }
};

APPLESS_TEST(TestGraphLabels);
#include "tst_graph_labels.moc"
