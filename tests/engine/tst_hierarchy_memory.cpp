// Hierarchies and nearest neighbours that do not fit into memory are refused before they start.
#include <QtTest>
#include <optional>

#include "engine/cloud/generators.h"
#include "engine/hierarchy/graph_dendrogram.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/neighbour_graph.h"
#include "narrow_memory.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// A task that counts its reports of progress.
Task counting(int& reports) {
  Task task;
  task.progress = [&reports](std::string_view, double) { ++reports; };
  return task;
}

template <class T>
void compareRefused(const Result<T>& result, const char* what) {
  QVERIFY(!result.has_value());
  QCOMPARE(result.error().kind, ErrorKind::TooLarge);
  const QString said = QString::fromStdString(result.error().message);
  QVERIFY2(said.contains(what), qPrintable(said));
  QVERIFY2(said.contains(" MiB are free. "), qPrintable(said));
}

}  // namespace

class TestHierarchyMemory : public QObject {
  Q_OBJECT

 private slots:
  void runsAreRefused() {
    const PointCloud cloud = generate({"unif", 1'000'000, 2, 1})->cloud;
    int reports = 0;
    const Task task = counting(reports);
    {
      const NarrowMemory narrow(128 * kMiB);
      compareRefused(Hierarchy::build(cloud, {.minPts = 10}, task),
                     "The hierarchy of 1000000 points needs ");
      compareRefused(NeighbourGraph::build(cloud, {.minPts = 32}, task),
                     "Hierarchies of every minPts up to 32 of 1000000 points need ");
      compareRefused(nearestNeighbours(cloud, 64, 0, task),
                     "The 64 nearest neighbours of 1000000 points need ");
    }
    QCOMPARE(reports, 0);
  }

  void kDistancesAreRefused() {
    for (const std::size_t dims : {2, 20}) {
      const PointCloud cloud = generate({"unif", 200'000, dims, 1})->cloud;
      const NarrowMemory narrow(8 * kMiB);
      compareRefused(kDistances(cloud, 4, 1000), "The k-distances of 200000 points need ");
    }
  }

  void whatIsDerivedIsRefused() {
    const PointCloud cloud = generate({"unif", 200'000, 2, 1})->cloud;
    const auto nearest = nearestNeighbours(cloud, 8);
    QVERIFY(nearest.has_value());
    const auto graph = NeighbourGraph::build(cloud, {.minPts = 8});
    QVERIFY(graph.has_value());
    int reports = 0;
    const Task task = counting(reports);
    {
      const NarrowMemory narrow(16 * kMiB);
      compareRefused(graph->hierarchy({.minPts = 5}, task),
                     "The hierarchy of 200000 points needs ");
      compareRefused(Hierarchy::build(cloud, *nearest, {.minPts = 5}, task),
                     "The hierarchy of 200000 points needs ");
    }
    QCOMPARE(reports, 0);
    QVERIFY(graph->hierarchy({.minPts = 5}, task).has_value());
    QVERIFY(reports > 0);
  }

  void distancesAreRefused() {
    // A chain of points, each with its distances to the two beside it.
    constexpr std::int64_t kPoints = 1'000'000;
    SparseDistances chain;
    for (std::int64_t p = 0; p < kPoints; ++p) {
      chain.starts.push_back(std::int64_t(chain.ids.size()));
      for (const std::int64_t q : {p - 1, p + 1})
        if (q >= 0 && q < kPoints) chain.ids.push_back(q);
    }
    chain.starts.push_back(std::int64_t(chain.ids.size()));
    chain.values.resize(chain.ids.size(), 1.0);
    {
      const NarrowMemory narrow(64 * kMiB);
      compareRefused(dendrogramOfDistances(chain, 1),
                     "The hierarchy of 1,999,998 stored distances needs 92 MiB, and ");
    }
    QVERIFY(dendrogramOfDistances(chain, 1).has_value());
  }
};

GUILESS_TEST(TestHierarchyMemory);
#include "tst_hierarchy_memory.moc"
