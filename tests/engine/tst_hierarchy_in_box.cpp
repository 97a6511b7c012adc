// Nearest neighbours and hierarchies in periodic boxes against comparisons of all pairs by
// min(|d|, L − |d|).
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "engine/backend.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/minimum_spanning_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/join/periodic_box.h"
#include "tests/engine/all_pairs_answer.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Periods = std::vector<double>;

struct Case {
  PointCloud cloud;
  PointCloud queries;
  Periods periods;
};

/// Points inside and outside of a box, some of them on its faces: on a lattice with many ties, or
/// of any place.
Case drawn(std::uint64_t seed, std::size_t most) {
  std::mt19937_64 draw(seed);
  const std::size_t dims = seed % 4 == 0 ? 3 : 1 + draw() % 6;
  Periods periods(dims);
  for (double& period : periods) period = draw() % 3 == 0 ? 0 : 2 + double(draw() % 9) / 2;
  periods[draw() % dims] = 5;
  const bool lattice = draw() % 2 == 0;
  const auto make = [&](std::size_t points) {
    PointCloud cloud;
    for (std::size_t j = 0; j < dims; ++j) {
      cloud.names.push_back("d" + std::to_string(j));
      const double length = periods[j] > 0 ? periods[j] : 6;
      auto& column = cloud.columns.emplace_back();
      for (std::size_t p = 0; p < points; ++p) {
        const double turns = double(draw() % 5) - 2;
        column.push_back(lattice ? double(draw() % 12) / 2 + turns * length
                                 : (double(draw() >> 11) * 0x1p-53 + turns) * length);
      }
    }
    return cloud;
  };
  PointCloud cloud = make(1 + draw() % most);
  PointCloud queries = make(1 + draw() % most);
  return {std::move(cloud), std::move(queries), std::move(periods)};
}

/// Squared distances of points of wrapped clouds.
double squaredIn(const Periods& periods, const PointCloud& a, std::size_t p, const PointCloud& b,
                 std::size_t q) {
  double sum = 0;
  for (std::size_t j = 0; j < a.dims(); ++j) {
    double d = std::abs(a.columns[j][p] - b.columns[j][q]);
    if (periods[j] > 0) d = std::min(d, periods[j] - d);
    sum += d * d;
  }
  return sum;
}

PointCloud wrappedBy(const Periods& periods, const PointCloud& cloud) {
  return *wrapped(cloud, *makePeriodicBox(periods, cloud), {});
}

/// What differs from a comparison of all pairs; empty when nothing does. `own`: a point is the
/// first of its row.
std::string difference(const Periods& periods, const PointCloud& queries, const PointCloud& cloud,
                       const NearestNeighbours& found, std::size_t k, bool own) {
  const PointCloud a = wrappedBy(periods, queries);
  const PointCloud b = wrappedBy(periods, cloud);
  return nearestDifference(a.size(), b.size(), found, k, own, [&](std::size_t p, std::size_t q) {
    return squaredIn(periods, a, p, b, q);
  });
}

}  // namespace

class TestHierarchyInBox : public QObject {
  Q_OBJECT

 private slots:
  void neighboursEqualAllPairs() {
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
      const Case box = drawn(seed, 400);
      const std::size_t k = 1 + seed * 7 % 64;
      const int threads = 1 + int(seed % 3);
      const auto found = nearestNeighbours(box.cloud, int(k), threads, {}, box.periods);
      QVERIFY2(found.has_value(), found ? "" : found.error().message.c_str());
      const std::string differs = difference(box.periods, box.cloud, box.cloud, *found, k, true);
      QVERIFY2(differs.empty(), (differs + ", seed " + std::to_string(seed)).c_str());
      const auto of = nearestOf(box.queries, box.cloud, int(k), threads, {}, box.periods);
      QVERIFY(of.has_value());
      const std::string differsOf = difference(box.periods, box.queries, box.cloud, *of, k, false);
      QVERIFY2(differsOf.empty(), (differsOf + " of two, seed " + std::to_string(seed)).c_str());
    }
  }

  /// The labels of every ε that changes anything, beyond half of a period, too.
  void labelsEqualAllPairs() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const Case box = drawn(seed, 90);
      const std::int64_t minPts = 1 + std::int64_t(seed % 7);
      const auto hierarchy =
          Hierarchy::build(box.cloud, {.minPts = minPts, .threads = 2, .periods = box.periods});
      QVERIFY2(hierarchy.has_value(), hierarchy ? "" : hierarchy.error().message.c_str());
      const PointCloud points = wrappedBy(box.periods, box.cloud);
      std::set<double> distances;
      for (std::size_t p = 0; p < points.size(); ++p)
        for (std::size_t q = 0; q < p; ++q) {
          const double squared = squaredIn(box.periods, points, p, points, q);
          if (squared > 0) distances.insert(smallestEps(squared));
        }
      std::vector<double> eps{1e-3, 100};
      std::size_t at = 0;
      for (const double distance : distances)
        if (at++ % std::max<std::size_t>(1, distances.size() / 25) == 0) eps.push_back(distance);
      for (const double e : eps) {
        const auto near = [&](std::size_t p, std::size_t q) {
          return squaredIn(box.periods, points, p, points, q) <= e * e;
        };
        const AllPairsAnswer expected = answerByAllPairs(points.size(), minPts, near);
        QVERIFY2(hierarchy->labels(e)->labels == expected.labels,
                 ("seed " + std::to_string(seed) + ", eps " + std::to_string(e)).c_str());
      }
    }
  }

  /// The weights of a minimum spanning tree, by Prim's algorithm with all pairs.
  void treesHaveTheLeastWeights() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Case box = drawn(seed + 1000, 300);
      const std::size_t n = box.cloud.size();
      const std::int64_t minPts = std::min<std::int64_t>(1 + seed % 9, std::int64_t(n));
      const HierarchyOptions options{.minPts = minPts, .threads = 2, .periods = box.periods};
      const auto hierarchy = Hierarchy::build(box.cloud, options);
      const auto edges = minimumSpanningTree(box.cloud, options);
      QVERIFY(hierarchy.has_value() && edges.has_value());
      const PointCloud points = wrappedBy(box.periods, box.cloud);
      std::vector<double> core(n);
      for (std::size_t p = 0; p < n; ++p) {
        std::vector<double> all;
        for (std::size_t q = 0; q < n; ++q)
          all.push_back(squaredIn(box.periods, points, p, points, q));
        std::sort(all.begin(), all.end());
        core[p] = all[std::size_t(minPts - 1)];
        QCOMPARE(hierarchy->squaredCoreDistances()[p], core[p]);
      }
      std::vector<double> weights;
      std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
      std::vector<bool> inTree(n);
      for (std::size_t now = 0, count = 1; count < n; ++count) {
        inTree[now] = true;
        std::size_t next = n;
        for (std::size_t q = 0; q < n; ++q) {
          if (inTree[q]) continue;
          nearest[q] = std::min(
              nearest[q],
              std::max({core[now], core[q], squaredIn(box.periods, points, now, points, q)}));
          if (next == n || nearest[q] < nearest[next]) next = q;
        }
        weights.push_back(nearest[next]);
        now = next;
      }
      std::sort(weights.begin(), weights.end());
      const auto& merged = hierarchy->dendrogram().squaredWeights;
      QVERIFY(std::equal(weights.begin(), weights.end(), merged.begin(), merged.end()));
      QVERIFY(std::equal(
          weights.begin(), weights.end(), edges->begin(), edges->end(),
          [](double weight, const TreeEdge& edge) { return weight == edge.squaredWeight; }));
    }
  }

  /// DBSCAN in the same box, which knows ε below half of a period.
  void labelsAreThoseOfDbscan() {
    const Case box = drawn(4, 400);
    const auto backend =
        backendIn({.periods = box.periods}, {}, std::move(*makeBackend("cpu", {})));
    const auto hierarchy = Hierarchy::build(box.cloud, {.minPts = 4, .periods = box.periods});
    QVERIFY(backend.has_value() && hierarchy.has_value());
    int compared = 0;
    for (const double eps : {0.1, 0.3, 0.5, 0.7, 0.9, 0.99}) {
      const auto expected = (*backend)->dbscan(box.cloud, {eps, 4}, {}, {});
      QVERIFY(expected.has_value());
      const auto found = hierarchy->labels(eps);
      QVERIFY(found->labels == expected->labels && found->roles == expected->roles);
      compared += expected->clusters > 1;
    }
    QVERIFY(compared > 0);
  }

  void refusals() {
    const PointCloud cloud{.columns = {std::vector<double>(200, 1), std::vector<double>(200, 2)},
                           .names = {"x", "y"}};
    for (const Periods& periods : {Periods{1}, Periods{0, 0}, Periods{-1, 1}, Periods{NAN, 1}}) {
      for (const int k : {1, 3})
        QCOMPARE(nearestNeighbours(cloud, k, 0, {}, periods).error().kind, ErrorKind::BadCall);
      QCOMPARE(Hierarchy::build(cloud, {.minPts = 3, .periods = periods}).error().kind,
               ErrorKind::BadCall);
    }
    const Periods periods{5, 5};
    const auto says = [](const auto& result, const char* words) {
      return !result && result.error().kind == ErrorKind::BadCall &&
             result.error().message.find(words) != std::string::npos;
    };
    QVERIFY(says(nearestNeighbours(cloud, 65, 0, {}, periods), "64 in a periodic box"));
    QVERIFY(says(Hierarchy::build(cloud, {.minPts = 65, .periods = periods}), "periodic box"));
    const auto nearest = nearestNeighbours(cloud, 3);
    QVERIFY(!Hierarchy::build(cloud, *nearest, {.minPts = 3, .periods = periods}));
    // A GPU does neither.
    const HierarchyProcessor gpu{"cuda", -1};
    QVERIFY(says(findNearest(cloud, 3, 0, gpu, {}, nullptr, periods), "by the CPU, not by cuda"));
    QVERIFY(says(buildHierarchy(cloud, {.minPts = 3, .periods = periods}, gpu),
                 "by the CPU, not by cuda"));
    HierarchyPlace place;
    QVERIFY(findNearest(cloud, 3, 0, {"auto", -1}, {}, &place, periods).has_value());
    QCOMPARE(place.backend, std::string("cpu"));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = nearestNeighbours(cloud, 3, 0, {stop.get_token(), {}}, periods);
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
  }
};

GUILESS_TEST(TestHierarchyInBox);
#include "tst_hierarchy_in_box.moc"
