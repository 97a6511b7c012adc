// DBSCAN and hierarchies of given distances beside plain loops, and what their matrix may not be.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "cloud_draws.h"
#include "engine/cloud/sparse_distances.h"
#include "engine/dbscan/graph_labels.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/graph_dendrogram.h"
#include "engine/hierarchy/hdbscan.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Cells = std::map<std::pair<std::int64_t, std::int64_t>, double>;

/// The matrix of these cells; the values of a row in an order that is drawn.
SparseDistances matrixOf(std::size_t points, const Cells& cells, std::mt19937_64& random) {
  SparseDistances matrix;
  matrix.starts.push_back(0);
  for (std::size_t p = 0; p < points; ++p) {
    std::vector<std::pair<std::int64_t, double>> row;
    for (const auto& [place, value] : cells)
      if (place.first == std::int64_t(p)) row.emplace_back(place.second, value);
    std::shuffle(row.begin(), row.end(), random);
    for (const auto& [id, value] : row) {
      matrix.ids.push_back(id);
      matrix.values.push_back(value);
    }
    matrix.starts.push_back(std::int64_t(matrix.ids.size()));
  }
  return matrix;
}

/// Small whole distances with ties and zeros beside the diagonal; some points store their distance
/// to themselves, few of them a large one.
Cells drawnCells(std::mt19937_64& random, std::size_t points, bool mutual) {
  Cells cells;
  for (std::size_t i = 0; i < 3 * points; ++i) {
    const auto p = std::int64_t(random() % points);
    const auto q = std::int64_t(random() % points);
    const auto value = double(random() % 6);
    if (p == q) continue;
    cells[{p, q}] = value;
    if (mutual) cells[{q, p}] = value;
  }
  for (std::size_t p = 0; p < points; ++p)
    if (random() % 2 == 0)
      cells[{std::int64_t(p), std::int64_t(p)}] = random() % 8 == 0 ? 9.0 : 0.0;
  return cells;
}

/// scikit-learn's DBSCAN by its definition: from each core point in order that has no label, all
/// that its lists reach through core points.
struct Expected {
  std::vector<std::int32_t> labels;
  std::vector<PointRole> roles;
};
Expected expectedOf(std::size_t points, const Cells& cells, double eps, std::int64_t minPts) {
  std::vector<std::set<std::size_t>> near(points);
  for (std::size_t p = 0; p < points; ++p)
    if (!cells.contains({std::int64_t(p), std::int64_t(p)})) near[p].insert(p);
  for (const auto& [place, value] : cells)
    if (value <= eps) near[std::size_t(place.first)].insert(std::size_t(place.second));
  const auto isCore = [&](std::size_t p) { return std::int64_t(near[p].size()) >= minPts; };
  Expected expected{std::vector<std::int32_t>(points, -1), {}};
  std::int32_t clusters = 0;
  for (std::size_t first = 0; first < points; ++first) {
    if (!isCore(first) || expected.labels[first] != -1) continue;
    std::vector<std::size_t> waiting{first};
    expected.labels[first] = clusters;
    while (!waiting.empty()) {
      const std::size_t p = waiting.back();
      waiting.pop_back();
      if (!isCore(p)) continue;
      for (const std::size_t q : near[p]) {
        if (expected.labels[q] != -1) continue;
        expected.labels[q] = clusters;
        waiting.push_back(q);
      }
    }
    ++clusters;
  }
  for (std::size_t p = 0; p < points; ++p)
    expected.roles.push_back(isCore(p)                  ? PointRole::Core
                             : expected.labels[p] == -1 ? PointRole::Noise
                                                        : PointRole::Border);
  return expected;
}

bool says(const Result<void>& result, const char* text) {
  return !result && result.error().kind == ErrorKind::BadInput &&
         result.error().message.find(text) != std::string::npos;
}

}  // namespace

class GivenDistances : public QObject {
  Q_OBJECT
 private slots:
  void labelsEqualPlainLoops() {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t points = 1 + random() % 60;
      const Cells cells = drawnCells(random, points, seed % 3 != 0);
      const SparseDistances matrix = matrixOf(points, cells, random);
      for (const double eps : {0.5, 1.0, 3.0, 10.0}) {
        const auto minPts = 1 + std::int64_t(random() % 5);
        const auto found = dbscanOfDistances(matrix, {eps, minPts});
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        const Expected expected = expectedOf(points, cells, eps, minPts);
        QVERIFY2(found->labels == expected.labels, std::to_string(seed).c_str());
        QVERIFY2(found->roles == expected.roles, std::to_string(seed).c_str());
        QCOMPARE(found->coreCount + found->borderCount + found->noiseCount, points);
        const auto most = std::max_element(expected.labels.begin(), expected.labels.end());
        QCOMPARE(found->clusters, *most + 1);
      }
    }
  }

  /// The distances of all pairs have the hierarchy of their points, tree for tree.
  void treesOfAllPairsAreThoseOfPoints() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud = draws::draw(random, seed % 2 ? "lattice" : "duplicates", 70, 2);
      const std::size_t n = cloud.size();
      Cells cells;
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = 0; q < n; ++q) {
          double distance = 0;  // Manhattan: its square is what a hierarchy holds
          for (const auto& column : cloud.columns) distance += std::abs(column[p] - column[q]);
          cells[{std::int64_t(p), std::int64_t(q)}] = distance;
        }
      const SparseDistances matrix = matrixOf(n, cells, random);
      const std::int64_t minPts = 1 + std::int64_t(seed % 6);
      const auto tree = dendrogramOfDistances(matrix, minPts);
      QVERIFY2(tree, tree ? "" : tree.error().message.c_str());
      const auto hierarchy =
          buildHierarchy(cloud, {.minPts = minPts, .metric = Metric::Manhattan}, {});
      QVERIFY(hierarchy);
      QVERIFY(tree->squaredWeights == hierarchy->dendrogram().squaredWeights);
      const auto labelsOf = [](const Dendrogram& of) {
        return takeClusters(*condense(of, 5), {.minClusterSize = 5}).labels;
      };
      QVERIFY(labelsOf(*tree) == labelsOf(hierarchy->dendrogram()));
    }
  }

  void whatATreeNeeds() {
    std::mt19937_64 random(1);
    const auto treeOf = [&](const Cells& cells, std::int64_t minPts) -> Result<void> {
      const auto tree = dendrogramOfDistances(matrixOf(4, cells, random), minPts);
      if (!tree) return tl::unexpected(tree.error());
      return {};
    };
    const Cells line{{{0, 1}, 1}, {{1, 0}, 1}, {{1, 2}, 2}, {{2, 1}, 2}, {{2, 3}, 3}, {{3, 2}, 3}};
    QVERIFY(treeOf(line, 1));
    QVERIFY(says(treeOf(line, 2), "Row 0 (counted from 0) holds 1 distances, and minPts 2"));
    Cells changed = line;
    changed.erase({2, 1});
    QVERIFY(says(treeOf(changed, 1), "row 1 (counted from 0), column 2 is 2, and"));
    QVERIFY(says(treeOf(changed, 1), "not stored"));
    changed = line;
    changed[{2, 1}] = 2.5;
    QVERIFY(says(treeOf(changed, 1), "not symmetric"));
    changed[{2, 1}] = 2 + 1e-8;  // rounding
    QVERIFY(treeOf(changed, 1));
    changed = line;
    changed.erase({1, 2});
    changed.erase({2, 1});
    QVERIFY(says(treeOf(changed, 1), "2 parts"));
    for (const double factor : {1e-170, 1e160}) {
      changed = line;
      for (auto& [cell, distance] : changed) distance *= factor;
      QVERIFY(says(treeOf(changed, 1), "Scale the distances"));
    }
    QCOMPARE(dendrogramOfDistances(matrixOf(4, line, random), 0).error().kind, ErrorKind::BadCall);
  }

  void refusals() {
    std::mt19937_64 random(1);
    SparseDistances matrix = matrixOf(3, {{{0, 1}, 1}, {{1, 0}, 1}, {{2, 2}, 0}}, random);
    QVERIFY(checkDistances(matrix));
    for (const double eps : {0.0, -1.0, std::nan(""), double(INFINITY)})
      QCOMPARE(dbscanOfDistances(matrix, {eps, 2}).error().kind, ErrorKind::BadCall);
    QCOMPARE(dbscanOfDistances(matrix, {1, 0}).error().kind, ErrorKind::BadCall);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(dbscanOfDistances(matrix, {1, 2}, {stop.get_token(), {}}).error().kind,
             ErrorKind::Cancelled);
    QVERIFY(says(checkDistances({}), "no rows"));
    SparseDistances wrong = matrix;
    wrong.values[0] = -0.5;
    QVERIFY(says(checkDistances(wrong), "row 0 (counted from 0), column 1 is -0.5"));
    QCOMPARE(dbscanOfDistances(wrong, {1, 2}).error().kind, ErrorKind::BadInput);
    wrong = matrix;
    wrong.values.pop_back();
    QVERIFY(says(checkDistances(wrong), "do not fit"));
    wrong = matrix;
    wrong.ids[2] = 3;
    QVERIFY(says(checkDistances(wrong), "outside of 3 columns"));
    // Of several faults in a row the first one is named, ids in their order or not.
    SparseDistances row;
    row.starts = {0, 5, 5, 5, 5, 5, 5};
    const auto rowSays = [&](std::initializer_list<std::int64_t> ids,
                             std::initializer_list<double> values, const char* said) {
      row.ids.assign(ids.begin(), ids.end());
      row.values.assign(values.begin(), values.end());
      return says(checkDistances(row), said);
    };
    QVERIFY(rowSays({1, 2, 2, 4, 5}, {1, 1, 1, 1, 1},
                    "two values in row 0 (counted from 0), column 2."));
    QVERIFY(rowSays({4, 1, 3, 1, 4}, {1, 1, 1, 1, 1},
                    "two values in row 0 (counted from 0), column 1."));
    QVERIFY(rowSays({4, 1, 1, 2, 3}, {1, 1, 1, -1, 1},
                    "two values in row 0 (counted from 0), column 1."));
    QVERIFY(rowSays({4, 1, 1, 2, 3}, {1, -1, 1, 1, 1}, "column 1 is -1."));
    QVERIFY(rowSays({4, 9, 4, 2, 3}, {1, 1, 1, 1, 1}, "column 9, outside of 6 columns"));
    row.ids.assign({5, 4, 3, 1, 0});
    row.values.assign(5, 1.0);
    QVERIFY(checkDistances(row));
  }
};

GUILESS_TEST(GivenDistances);
#include "tst_given_distances.moc"
