// Where nearest neighbours and hierarchies are computed, without and with a GPU: the same results,
// and messages that say what is missing.
#include <QtTest/QtTest>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/hierarchies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

PointCloud blobs(std::size_t points) {
  return std::move(generate({.kind = "blobs", .points = points, .dims = 2, .seed = 3})->cloud);
}

bool hasGpu() { return makeBackend("cuda", {}).has_value(); }

}  // namespace

class TestHierarchies : public QObject {
  Q_OBJECT

 private slots:
  void everyProcessorGivesTheSame() {
    const PointCloud cloud = blobs(3000);
    const auto expected = Hierarchy::build(cloud, {.minPts = 5});
    const auto neighbours = nearestNeighbours(cloud, 7);
    for (const char* backend : {"auto", "cpu", "cuda"}) {
      if (std::string(backend) == "cuda" && !hasGpu()) continue;
      HierarchyPlace place{"nowhere", "nothing"};
      const auto found = buildHierarchy(cloud, {.minPts = 5}, {backend, -1}, {}, &place);
      QVERIFY2(found, backend);
      // Small clouds stay on the CPU unless a GPU is asked for.
      QCOMPARE(place.backend, std::string(backend) == "cuda" ? "cuda" : "cpu");
      QVERIFY(place.note.empty());
      QVERIFY(found->dendrogram().squaredWeights == expected->dendrogram().squaredWeights);
      QVERIFY(found->dendrogram().left == expected->dendrogram().left);
      QVERIFY(found->labels(0.5)->labels == expected->labels(0.5)->labels);
      const auto near = findNearest(cloud, 7, 0, {backend, -1});
      QVERIFY2(near, backend);
      QVERIFY(near->ids == neighbours->ids);
      QVERIFY(near->squaredDistances == neighbours->squaredDistances);
    }
  }

  void withoutAGpuAutoIsTheCpu() {
    if (hasGpu()) QSKIP("there is a GPU");
    QVERIFY(!runsOnGpu({"auto", -1}, 10'000'000));
    QVERIFY(!runsOnGpu({"cuda", -1}, 10'000'000));
    HierarchyPlace place;
    QVERIFY(buildHierarchy(blobs(120'000), {.minPts = 3}, {"auto", -1}, {}, &place));
    QCOMPARE(place.backend, "cpu");
    const auto refused = buildHierarchy(blobs(10), {.minPts = 3}, {"cuda", -1});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::Unavailable);
    // A device that was named is not replaced.
    QVERIFY(!buildHierarchy(blobs(10), {.minPts = 3}, {"auto", 0}));
    QVERIFY(!findNearest(blobs(10), 3, 0, {"auto", 0}));
  }

  void refusesOtherProcessors() {
    for (const char* backend : {"hybrid", "simt", ""}) {
      const auto found = findNearest(blobs(10), 3, 0, {backend, -1});
      QVERIFY(!found);
      QCOMPARE(found.error().kind, ErrorKind::BadCall);
    }
    const auto found = buildHierarchy(blobs(10), {.minPts = 3}, {"cpu", 0});
    QVERIFY(!found);
    QVERIFY(found.error().message.find("--device") != std::string::npos);
  }

  void refusesWhatTheCpuRefuses() {
    for (const char* backend : {"auto", "cpu", "cuda"}) {
      if (std::string(backend) == "cuda" && !hasGpu()) continue;
      const HierarchyProcessor processor{backend, -1};
      QCOMPARE(buildHierarchy(blobs(100), {.minPts = 0}, processor).error().kind,
               ErrorKind::BadCall);
      QCOMPARE(buildHierarchy(blobs(2000), {.minPts = kMaxNeighbours + 1}, processor).error().kind,
               ErrorKind::BadCall);
      QCOMPARE(findNearest(blobs(100), kMaxNeighbours + 1, 0, processor).error().kind,
               ErrorKind::BadCall);
      QCOMPARE(buildHierarchy(PointCloud{}, {.minPts = 3}, processor).error().kind,
               ErrorKind::BadInput);
      QVERIFY(buildHierarchy(blobs(1), {.minPts = 1}, processor));
      QVERIFY(findNearest(blobs(1), 4, 0, processor));
    }
  }

  // Where squares that are needed overflow, or underflow although the points differ.
  void refusesSquaresThatAreNoNumbers() {
    for (const char* backend : {"auto", "cpu", "cuda"}) {
      if (std::string(backend) == "cuda" && !hasGpu()) continue;
      for (const double scale : {1e160, 1e-160, 1e-200}) {
        PointCloud cloud = blobs(60);
        for (auto& column : cloud.columns)
          for (double& x : column.own()) x *= scale;
        const HierarchyProcessor processor{backend, -1};
        QCOMPARE(findNearest(cloud, 3, 0, processor).error().kind, ErrorKind::BadInput);
        QCOMPARE(buildHierarchy(cloud, {.minPts = 3}, processor).error().kind, ErrorKind::BadInput);
        QCOMPARE(findSpanningTree(cloud, {.minPts = 3}).error().kind, ErrorKind::BadInput);
        for (auto& column : cloud.columns)
          std::fill(column.own().begin(), column.own().end(), scale);
        QVERIFY(findNearest(cloud, 3, 0, processor));
        QVERIFY(buildHierarchy(cloud, {.minPts = 3}, processor));
        QVERIFY(findSpanningTree(cloud, {.minPts = 3}));
      }
    }
  }
};

GUILESS_TEST(TestHierarchies);
#include "tst_hierarchies.moc"
