// The dendrogram of a graph against that of the same points.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "cloud_draws.h"
#include "engine/cloud/point_distance.h"
#include "engine/hierarchy/graph_dendrogram.h"
#include "engine/hierarchy/hierarchy.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

bool operator==(const Dendrogram& a, const Dendrogram& b) {
  return a.points == b.points && std::ranges::equal(a.left, b.left) &&
         std::ranges::equal(a.right, b.right) && std::ranges::equal(a.sizes, b.sizes) &&
         std::ranges::equal(a.squaredWeights, b.squaredWeights);
}

}  // namespace

class TestGraphDendrogram : public QObject {
  Q_OBJECT

 private slots:
  void ofAllPairs() {
    std::mt19937_64 random(3);
    PointCloud cloud;
    cloud.names = {"x", "y"};
    cloud.columns.resize(2);
    for (auto& column : cloud.columns)  // a lattice: many weights are equal
      for (int i = 0; i < 200; ++i) column.push_back(static_cast<double>(random() % 20));
    const auto expected = Hierarchy::build(cloud, {.minPts = 4});
    QVERIFY(expected.has_value());
    const auto core = expected->squaredCoreDistances();
    std::vector<TreeEdge> edges;
    for (std::uint32_t p = 0; p < 200; ++p)
      for (std::uint32_t q = 0; q < p; ++q)
        edges.push_back(
            {p, q, std::max({core[p], core[q], canonicalSquaredDistance(cloud, p, q)})});
    std::shuffle(edges.begin(), edges.end(), random);
    const auto found = dendrogramOfGraph(200, edges);
    QVERIFY(found.has_value());
    QVERIFY(*found == expected->dendrogram());
  }

  void ofOnePoint() {
    const auto found = dendrogramOfGraph(1, {{0, 0, 1.0}});
    QVERIFY(found.has_value());
    QCOMPARE(found->merges(), std::size_t{0});
  }

  void wrongGraphsAreRefused_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<TreeEdge>("edge");
    QTest::addColumn<QString>("message");
    QTest::newRow("no points") << 0 << TreeEdge{0, 0, 1} << "no points";
    QTest::newRow("no such point") << 2 << TreeEdge{0, 2, 1} << "join two of the 2 points";
    QTest::newRow("negative") << 2 << TreeEdge{0, 1, -1} << "not negative";
    QTest::newRow("NaN") << 2 << TreeEdge{0, 1, std::nan("")} << "not negative";
    QTest::newRow("not connected") << 4 << TreeEdge{0, 1, 1} << "in 3 parts";
  }
  void wrongGraphsAreRefused() {
    QFETCH(int, points);
    QFETCH(TreeEdge, edge);
    QFETCH(QString, message);
    const auto found = dendrogramOfGraph(static_cast<std::size_t>(points), {edge});
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::BadInput);
    QVERIFY2(QString::fromStdString(found.error().message).contains(message),
             found.error().message.c_str());
  }
};

APPLESS_TEST(TestGraphDendrogram);
#include "tst_graph_dendrogram.moc"
