// Cosine distances: directions of points, and joins, DBSCAN and hierarchies beside the definition
// in plain loops.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "all_pairs_answer.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/directions.h"
#include "engine/dbscan/around_point.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/validity/stability_over_eps.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::shared_ptr<const Backend> cosineBackend() {
  return *backendIn({.metric = Metric::Cosine}, {}, std::move(*makeBackend("cpu", {.threads = 2})));
}

long double cosineDistance(const PointCloud& cloud, std::size_t p, std::size_t q) {
  long double products = 0;
  long double lengthP = 0;
  long double lengthQ = 0;
  for (const auto& column : cloud.columns) {
    const long double x = column[p];
    const long double y = column[q];
    products += x * y;
    lengthP += x * x;
    lengthQ += y * y;
  }
  return 1 - products / std::sqrt(lengthP) / std::sqrt(lengthQ);
}

double squaredChord(const PointCloud& vectors, std::size_t p, std::size_t q) {
  double sum = 0;
  for (const auto& column : vectors.columns)
    sum += (column[p] - column[q]) * (column[p] - column[q]);
  return sum;
}

/// Whether a run at ε joins vectors at this squared distance.
bool reaches(double eps, double squared) {
  const double chord = *chordOfCosine(eps);
  return squared <= chord * chord;
}

/// Small whole coordinates have many equal angles, also at other lengths and beside each other.
PointCloud withTies(std::mt19937_64& random, std::size_t points, std::size_t dims) {
  std::vector<std::vector<double>> rows;
  while (rows.size() < points) {
    std::vector<double> row(dims);
    for (double& x : row) x = double(random() % 5) - 1;
    if (std::all_of(row.begin(), row.end(), [](double x) { return x == 0; })) continue;
    const double length = std::ldexp(1 + double(random() % 3), int(random() % 9) - 4);
    for (double& x : row) x *= length;
    rows.push_back(row);
  }
  return draws::fromRows(rows);
}

}  // namespace

class Cosine : public QObject {
  Q_OBJECT
 private slots:
  void agreesWithTheDefinition() {
    const auto backend = cosineBackend();
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = seed % 3 == 0 ? 200 : 2 + random() % 20;
      PointCloud cloud = draws::draw(random, "blobs", 120, dims);
      // Lengths do not matter, not even those whose squares overflow or underflow.
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        const double length = std::ldexp(1.0, p % 3 == 0 ? 600 : p % 3 == 1 ? -600 : 0);
        for (auto& column : cloud.columns) column[p] *= length;
      }
      const double eps = 0.001 + 0.1 * draws::unit(random);
      const auto counted = backend->count(cloud, eps, {}, {});
      QVERIFY(counted);
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        std::uint32_t expected = 0;
        bool tie = false;
        for (std::size_t q = 0; q < cloud.size(); ++q) {
          const long double distance = cosineDistance(cloud, p, q);
          tie |= std::abs(static_cast<double>(distance) - eps) < 1e-14;
          expected += distance <= static_cast<long double>(eps);
        }
        if (!tie) QCOMPARE(counted->counts[p], expected);
      }
    }
  }

  void clusters() {
    // Two directions, in lengths from 1 to 1000.
    PointCloud cloud =
        draws::fromRows({{1, 0.01}, {100, 2}, {1000, 0}, {0, 5}, {0.1, 9}, {-1, -1}});
    const auto found = cosineBackend()->dbscan(cloud, {0.001, 2}, {}, {});
    QVERIFY(found);
    QVERIFY((found->labels == std::vector<std::int32_t>{0, 0, 0, 1, 1, kNoise}));
    QCOMPARE(found->params.eps, 0.001);
  }

  /// No cosine distance exceeds 2, whatever the rounding of unit vectors.
  void opposedPointsAreWithinTwo() {
    std::mt19937_64 random(9);
    for (std::size_t dims : {2, 3, 7, 40, 300})
      for (int i = 0; i < 30; ++i) {
        std::vector<std::vector<double>> rows(2, std::vector<double>(dims));
        for (std::size_t j = 0; j < dims; ++j) {
          rows[0][j] = draws::unit(random) - 0.5;
          rows[1][j] = -rows[0][j] * (i % 3 + 1);
        }
        const PointCloud cloud = draws::fromRows(rows);
        const auto found = cosineBackend()->dbscan(cloud, {2.0, 2}, {}, {});
        QVERIFY(found);
        QCOMPARE(found->clusters, 1);
        const auto less = cosineBackend()->dbscan(cloud, {1.999, 2}, {}, {});
        QCOMPARE(less->clusters, 0);
      }
    QVERIFY(cosineOfChord(4.0000000000000009) == 2.0 && reaches(2.0, 4.0000000000000009));
  }

  void angleOfACosineDistance() {
    for (const double degrees : {1e-5, 0.3, 12.3, 60.0, 90.0, 150.0, 179.0}) {
      const long double half = degrees * 3.141592653589793238463L / 360;
      const double angle = angleOfCosine(double(2 * std::sin(half) * std::sin(half)));
      QVERIFY2(std::abs(angle - degrees) < 1e-12 * degrees, qPrintable(QString::number(angle)));
    }
    QCOMPARE(angleOfCosine(2), 180.0);
    QCOMPARE(angleOfCosine(7), 180.0);
    QCOMPARE(angleOfCosine(0), 0.0);
  }

  /// Its chord reaches the distance, and that of the number before does not.
  void cosineOfAChordIsTheSmallestEps() {
    std::mt19937_64 random(5);
    for (int i = 0; i < 100000; ++i) {
      const double squared = std::ldexp(1 + draws::unit(random), 1 - int(random() % 900));
      const double eps = cosineOfChord(squared);
      QVERIFY(reaches(eps, squared) && !reaches(std::nextafter(eps, 0.0), squared));
      QVERIFY(std::abs(eps - squared / 2) <= 1e-15 * eps);
      QVERIFY(cosineOfChord(std::nextafter(squared, 9.0)) >= eps);
    }
    QCOMPARE(cosineOfChord(0), 0.0);
    QVERIFY(std::isinf(cosineOfChord(std::numeric_limits<double>::infinity())));
  }

  /// Each is the smallest ε at which a run takes the point as core.
  void kDistancesAreAtTheFirstEps() {
    const auto backend = cosineBackend();
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud =
          withTies(random, 30 + random() % 150, seed % 4 == 0 ? 30 : 2 + random() % 4);
      const int k = 1 + int(random() % 20);
      for (const auto call : {&kDistances, &kDistancesOfAll}) {
        const auto found = call(cloud, k, cloud.size(), {}, Metric::Cosine);
        QVERIFY(found && found->isWhole);
        QCOMPARE(found->distances.size(), cloud.size());
        QVERIFY(chordOfCosine(found->suggestedEps) && found->suggestedEps <= 2);
        for (const double d : {found->distances[0], found->distances[cloud.size() / 2]})
          for (const double eps : {d, std::nextafter(d, 0.0)}) {
            if (!(eps > 1e-100)) continue;
            const auto core = std::count_if(found->distances.begin(), found->distances.end(),
                                            [&](double of) { return of <= eps; });
            QCOMPARE(std::int64_t(backend->dbscan(cloud, {eps, k}, {}, {})->coreCount),
                     std::int64_t(core));
          }
      }
    }
    const auto none = kDistances(draws::fromRows({{1, 0}, {0, 0}}), 1, 2, {}, Metric::Cosine);
    QCOMPARE(none.error().kind, ErrorKind::BadInput);
  }

  /// At every ε at which something changes, and just below it: the labels of DBSCAN, which are
  /// those of a comparison of all pairs, also where many pairs are at one distance.
  void hierarchiesHaveTheLabelsOfDbscan() {
    const auto backend = cosineBackend();
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = seed % 4 == 0 ? 20 : 2 + random() % 3;
      const PointCloud cloud =
          seed % 3 == 0 ? draws::draw(random, "blobs", 60, dims) : withTies(random, 60, dims);
      const PointCloud vectors = *directions(cloud, {});
      const std::int64_t minPts = 1 + std::int64_t(random() % 6);
      const HierarchyOptions options{.minPts = minPts, .threads = 2, .metric = Metric::Cosine};
      const auto hierarchy = buildHierarchy(cloud, options, {});
      QVERIFY2(hierarchy, hierarchy ? "" : hierarchy.error().message.c_str());
      std::set<double> values;
      for (const double squared : hierarchy->dendrogram().squaredWeights)
        values.insert(smallestEps(squared));
      for (const double squared : hierarchy->squaredCoreDistances())
        values.insert(smallestEps(squared));
      for (std::size_t q = 1; q < cloud.size(); ++q)
        values.insert(squaredChord(vectors, q - 1, q) / 2);
      const auto curve = epsCurve(*hierarchy);
      QVERIFY(curve);
      for (const double value : values)
        for (const double eps : {std::nextafter(value, 0.0), value}) {
          if (!(eps > 1e-150 && eps < 3)) continue;
          const auto near = [&](std::size_t p, std::size_t q) {
            return reaches(eps, squaredChord(vectors, p, q));
          };
          const auto expected = answerByAllPairs(cloud.size(), minPts, near);
          const std::string what = "seed " + std::to_string(seed) + ", " + std::to_string(eps);
          QVERIFY2(hierarchy->labels(eps)->labels == expected.labels, what.c_str());
          QVERIFY2(backend->dbscan(cloud, {eps, minPts}, {}, {})->labels == expected.labels,
                   what.c_str());
          const auto row = std::upper_bound(curve->eps.begin(), curve->eps.end(), eps);
          const std::uint32_t clusters =
              row == curve->eps.begin()
                  ? 0
                  : curve->clusters[std::size_t(row - curve->eps.begin()) - 1];
          QVERIFY2(std::int32_t(clusters) == expected.clusters, what.c_str());
        }
      // Built by the CPU without a choice of processors, and given neighbours of another metric.
      const auto own = Hierarchy::build(cloud, options);
      QVERIFY(own && own->labels(0.01)->labels == hierarchy->labels(0.01)->labels);
      const auto nearest = findNearest(cloud, int(minPts), 2, {}, {}, nullptr, {}, Metric::Cosine);
      QCOMPARE(Hierarchy::build(cloud, *nearest, options).error().kind, ErrorKind::BadCall);
    }
  }

  /// The distance of a neighbour is the first ε at which a run joins the two points.
  void neighboursAreAtTheFirstEps() {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = seed % 3 == 0 ? 20 : 2 + random() % 3;
      const PointCloud cloud =
          seed % 2 == 0 ? draws::draw(random, "blobs", 60, dims) : withTies(random, 60, dims);
      const PointCloud vectors = *directions(cloud, {});
      const auto found = findNearest(cloud, 9, 2, {}, {}, nullptr, {}, Metric::Cosine);
      const auto compare = [&](double eps, std::size_t p, std::size_t q) {
        const double squared = squaredChord(vectors, p, q);
        QVERIFY(reaches(eps, squared));
        QVERIFY(squared == 0 ? eps == 0 : !reaches(std::nextafter(eps, 0.0), squared));
      };
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        for (std::size_t i = 0; i < 9; ++i)
          compare(std::sqrt(found->squaredDistancesOf(p)[i]), p, found->idsOf(p)[i]);
        const auto around = aroundPoint(cloud, p, 8, 0.1, {.metric = Metric::Cosine}, {});
        for (std::size_t i = 0; i < 8; ++i) {
          compare(around->nearest[i].distance, p, around->nearest[i].point);
          QCOMPARE(around->nearest[i].distance, std::sqrt(found->squaredDistancesOf(p)[i + 1]));
        }
      }
    }
  }

  /// The samples are built by cosine, too: as those of the unit vectors at the chord.
  void stabilityOverEpsIsThatOfTheVectors() {
    std::mt19937_64 random(9);
    const PointCloud cloud = draws::draw(random, "blobs", 300, 6);
    const PointCloud vectors = *directions(cloud, {});
    const HierarchyOptions cosine{.minPts = 6, .metric = Metric::Cosine};
    const auto ofCosine = Hierarchy::build(cloud, cosine);
    const auto ofChords = Hierarchy::build(vectors, {.minPts = 6});
    const std::vector<double> eps{0.004, 0.02, 0.1};
    std::vector<double> chords;
    for (const double value : eps) chords.push_back(std::sqrt(2 * value));
    const auto found = stabilityOverEps(cloud, *ofCosine, eps, {}, cosine);
    const auto expected = stabilityOverEps(vectors, *ofChords, chords);
    QVERIFY(found && expected);
    for (std::size_t i = 0; i < eps.size(); ++i) {
      const double mean = (*found)[i].mean;
      QVERIFY(mean == (*expected)[i].mean || (std::isnan(mean) && std::isnan((*expected)[i].mean)));
    }
    QVERIFY((*found)[1].mean > 0);
  }

  void refusals() {
    const auto backend = cosineBackend();
    const PointCloud zero = draws::fromRows({{1, 1}, {0, 0}});
    const auto counted = backend->count(zero, 0.1, {}, {});
    QCOMPARE(counted.error().kind, ErrorKind::BadInput);
    QVERIFY(counted.error().message.find("1") != std::string::npos);
    QVERIFY(!checkSpace({.metric = Metric::Cosine}, Scaling{}, zero));
    const PointCloud fine = draws::fromRows({{1, 1}, {2, 0}});
    QVERIFY(checkSpace({.metric = Metric::Cosine}, Scaling{}, fine));
    for (const double eps : {0.0, -1.0, std::nan("")})
      QCOMPARE(backend->count(fine, eps, {}, {}).error().kind, ErrorKind::BadCall);
    QCOMPARE(backend->histogram(fine, 0.1, 5, {}, {}).error().kind, ErrorKind::BadCall);
    QVERIFY(!checkSpace({.periods = {1, 1}, .metric = Metric::Cosine}, Scaling::Kind::None));
    QVERIFY(!checkSpace({.sphere = Sphere{}, .metric = Metric::Cosine}, Scaling::Kind::None));
    QCOMPARE(backend->count(fine, 2, {}, {})->pairs, std::uint64_t{4});
  }
};

GUILESS_TEST(Cosine);
#include "tst_cosine.moc"
