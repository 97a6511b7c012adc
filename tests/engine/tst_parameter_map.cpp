#include <QtTest>
#include <cmath>
#include <random>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/hierarchy/parameter_map.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestParameterMap : public QObject {
  Q_OBJECT

 private slots:
  void cellsAreThoseOfDbscan() {
    for (const char* kind : {"blobs", "lattice", "duplicates"}) {
      std::mt19937_64 random(3);
      const PointCloud cloud = draws::draw(random, kind, 300, 2);
      const auto graph = NeighbourGraph::build(cloud, {12, 2});
      QVERIFY(graph.has_value());
      const std::vector<double> eps{0.05, 0.2, 1, std::sqrt(2.0), 5};
      const std::vector<std::int64_t> minPts{1, 2, 7, 12, 301};
      const auto map = parameterMap(*graph, eps, minPts, 2);
      QVERIFY(map.has_value());
      QCOMPARE(map->eps, eps);
      QCOMPARE(map->minPts, minPts);
      for (std::size_t m = 0; m < minPts.size(); ++m)
        for (std::size_t e = 0; e < eps.size(); ++e) {
          const auto expected = bruteForceDbscan(cloud, {eps[e], minPts[m]});
          QVERIFY(expected.has_value());
          const std::size_t cell = map->at(m, e);
          QCOMPARE(map->clusters[cell], static_cast<std::uint32_t>(expected->clusters));
          QCOMPARE(map->noise[cell], static_cast<std::uint32_t>(expected->noiseCount));
          std::vector<std::uint32_t> sizes(cloud.size() + 1);
          std::uint32_t largest = 0;
          for (const std::int32_t label : expected->labels)
            if (label >= 0) largest = std::max(largest, ++sizes[static_cast<std::size_t>(label)]);
          QCOMPARE(map->largest[cell], largest);
        }
    }
  }

  void refusesAndStops() {
    std::mt19937_64 random(4);
    const PointCloud cloud = draws::draw(random, "blobs", 200, 2);
    const auto graph = NeighbourGraph::build(cloud, {8, 2});
    QVERIFY(graph.has_value());
    QCOMPARE(parameterMap(*graph, {1, -1}, {2}).error().kind, ErrorKind::BadCall);
    QCOMPARE(parameterMap(*graph, {1}, {2, 9}).error().kind, ErrorKind::BadCall);
    std::stop_source source;
    const Task task{source.get_token(), [&](std::string_view, double done) {
                      if (done > 0) source.request_stop();
                    }};
    QCOMPARE(parameterMap(*graph, {0.5, 1, 2}, {2, 5}, 2, task).error().kind, ErrorKind::Cancelled);
    QVERIFY(parameterMap(*graph, {}, {2})->clusters.empty());
  }
};

GUILESS_TEST(TestParameterMap);
#include "tst_parameter_map.moc"
