// Joins and DBSCAN of longitudes and latitudes against a comparison of all pairs by the haversine
// formula.
#include <QtTest/QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "engine/backend.h"
#include "engine/cloud/directions.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "tests/engine/all_pairs_answer.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kPi = 3.14159265358979323846;
const Sphere kEarth;
const Sphere kUnit{.angles = Sphere::Angles::Radians, .radius = 1};

std::shared_ptr<const Backend> onSphere(const Sphere& sphere) {
  return std::move(*backendIn({.sphere = sphere}, {}, std::move(*makeBackend("cpu", {}))));
}

PointCloud lonLat(std::vector<double> longitudes, std::vector<double> latitudes) {
  return {{std::move(longitudes), std::move(latitudes)}, {"lon", "lat"}};
}

/// The great circle between two points by the haversine formula, in long double.
long double greatCircle(const PointCloud& cloud, std::size_t p, std::size_t q,
                        const Sphere& sphere) {
  const long double degree =
      sphere.angles == Sphere::Angles::Degrees ? 3.141592653589793238462643383279L / 180 : 1;
  const auto angle = [&](std::size_t j, std::size_t i) { return cloud.columns[j][i] * degree; };
  const long double u = std::sin((angle(1, p) - angle(1, q)) / 2);
  const long double v = std::sin((angle(0, p) - angle(0, q)) / 2);
  const long double h = u * u + std::cos(angle(1, p)) * std::cos(angle(1, q)) * v * v;
  return 2 * sphere.radius * std::asin(std::min(1.0L, std::sqrt(h)));
}

/// Points everywhere, with many around both poles and the date line.
PointCloud earthly(std::uint64_t seed, std::size_t points) {
  std::mt19937_64 draw(seed);
  const auto unit = [&] { return static_cast<double>(draw() >> 11) * 0x1p-53; };
  PointCloud cloud = lonLat({}, {});
  for (std::size_t p = 0; p < points; ++p) {
    double lon = 360 * unit() - 180;
    double lat = std::asin(2 * unit() - 1) * 180 / kPi;
    if (p % 4 == 1) lat = 90 - 2 * unit();
    if (p % 4 == 2) lat = 2 * unit() - 90;
    if (p % 4 == 3) lon = 179 + 2 * unit();  // beyond the date line
    if (p % 8 == 3) lon = lon >= 180 ? lon - 360 : lon;
    if (p % 4 == 3) lat = 4 * unit() - 2;
    cloud.columns[0].push_back(lon);
    cloud.columns[1].push_back(lat);
  }
  return cloud;
}

}  // namespace

class TestSphere : public QObject {
  Q_OBJECT

 private slots:
  void equalsTheHaversineFormula_data() {
    QTest::addColumn<double>("eps");
    QTest::newRow("1 km") << 1e3;
    QTest::newRow("20 km") << 2e4;
    QTest::newRow("300 km") << 3e5;
    QTest::newRow("5000 km") << 5e6;
    QTest::newRow("all but antipodes") << 2e7;
    QTest::newRow("everything") << 3e7;
  }
  void equalsTheHaversineFormula() {
    QFETCH(double, eps);
    const auto backend = onSphere(kEarth);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const PointCloud cloud = earthly(seed, 400);
      const auto near = [&](std::size_t p, std::size_t q) {
        const long double distance = greatCircle(cloud, p, q, kEarth);
        // No pair of these clouds is so close to ε that rounding decides.
        if (std::abs(distance - eps) < 1e-4L) qFatal("a tie");
        return distance <= eps;
      };
      for (const std::int64_t minPts : {2, 4, 8}) {
        const AllPairsAnswer expected = answerByAllPairs(cloud.size(), minPts, near);
        const auto found = backend->dbscan(cloud, {eps, minPts}, {}, {});
        QVERIFY(found);
        QCOMPARE(found->labels, expected.labels);
        QCOMPARE(found->clusters, expected.clusters);
        QCOMPARE(found->params.eps, eps);
        const auto pairs = backend->pairs(cloud, eps, {}, {});
        QVERIFY(pairs && std::equal(pairs->pairs.begin(), pairs->pairs.end(),
                                    expected.pairs.begin(), expected.pairs.end()));
        QCOMPARE(backend->count(cloud, eps, {}, {})->pairs, std::uint64_t(expected.pairs.size()));
        QCOMPARE(backend->neighbourTable(cloud, eps, {}, {})->ids.size(), expected.pairs.size());
        const auto weighted = weightedDbscan(*backend, cloud, std::vector<double>(cloud.size(), 1),
                                             {eps, minPts}, {}, {});
        QVERIFY(weighted);
        QCOMPARE(weighted->labels, expected.labels);
      }
    }
  }

  void radiansOfTheUnitSphere() {
    PointCloud cloud = earthly(4, 300);
    for (auto& column : cloud.columns)
      for (double& angle : column) angle *= kPi / 180;
    const auto near = [&](std::size_t p, std::size_t q) {
      return greatCircle(cloud, p, q, kUnit) <= 0.05;
    };
    QCOMPARE(onSphere(kUnit)->dbscan(cloud, {0.05, 4}, {}, {})->labels,
             answerByAllPairs(cloud.size(), 4, near).labels);
  }

  void polesAndTheDateLineAreExact() {
    const PointCloud cloud = lonLat({0, 77.3, -180, 13, 180, -180, 540, 359, -1, 90, -270},
                                    {90, 90, 90, 90, 12.5, 12.5, 12.5, 3, 3, 45, 45});
    const auto vectors = unitVectors(cloud, kEarth, {});
    QVERIFY(vectors);
    const auto same = [&](std::size_t p, std::size_t q) {
      for (const auto& column : vectors->columns)
        if (column[p] != column[q] || std::signbit(column[p]) != std::signbit(column[q]))
          return false;
      return true;
    };
    QVERIFY(same(0, 1) && same(0, 2) && same(0, 3));
    QVERIFY(same(4, 5) && same(4, 6));
    QVERIFY(same(7, 8));
    QVERIFY(same(9, 10));
    QCOMPARE(vectors->columns[2][0], 1.0);
    QCOMPARE(vectors->columns[0][0], 0.0);
    QCOMPARE(vectors->columns[0][9], 0.0);
    QVERIFY(vectors->columns[0][4] < -0.9);
  }

  void vectorsAreAccurate() {
    const PointCloud cloud = earthly(9, 4000);
    const auto vectors = unitVectors(cloud, kEarth, {});
    const long double degree = 3.141592653589793238462643383279L / 180;
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      const long double lon = cloud.columns[0][p] * degree;
      const long double lat = cloud.columns[1][p] * degree;
      QVERIFY(std::abs(vectors->columns[0][p] - std::cos(lat) * std::cos(lon)) < 1e-15L);
      QVERIFY(std::abs(vectors->columns[1][p] - std::cos(lat) * std::sin(lon)) < 1e-15L);
      QVERIFY(std::abs(vectors->columns[2][p] - std::sin(lat)) < 1e-15L);
    }
  }

  void theChordOfAGreatCircle() {
    for (const double eps : {1e-3, 1.0, 1e3, 1e6, 1.9e7, 2.0015e7}) {
      const double exact =
          static_cast<double>(2 * std::sin(static_cast<long double>(eps) / 2 / kEarthRadius));
      QVERIFY(std::abs(*chordOf(eps, kEarth) - exact) <= 1e-15 * exact);
    }
    QVERIFY(*chordOf(kPi * kEarthRadius * 1.0001, kEarth) > 2);
    for (const double eps : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
      QVERIFY(!chordOf(eps, kEarth));
  }

  void wrongCallsAreRefused() {
    const PointCloud cloud = lonLat({0, 10}, {0, 91});
    const auto found = onSphere(kEarth)->dbscan(cloud, {1, 2}, {}, {});
    QVERIFY(!found && found.error().message.find("latitude of point 1 is 91") != std::string::npos);
    const PointCloud three{{{0}, {0}, {0}}, {"x", "y", "z"}};
    QVERIFY(!onSphere(kEarth)->count(three, 1, {}, {}));
    const PointCloud fine = lonLat({0, 10}, {0, 9});
    QVERIFY(!onSphere(kEarth)->histogram(fine, 1, 5, {}, {}));
    QVERIFY(!onSphere(kEarth)->load(fine, 1, {}, {}, {}));
    QVERIFY(!onSphere(kEarth)->dbscan(fine, {1, 0}, {}, {}));
    QVERIFY(!onSphere(kEarth)->dbscan(fine, {0, 2}, {}, {}));
    QVERIFY(!checkSpace({.periods = {1, 2}, .sphere = kEarth}, Scaling::Kind::None));
    QVERIFY(!checkSpace({.sphere = kEarth}, Scaling::Kind::Unit));
    QVERIFY(checkSpace({.sphere = kEarth}, Scaling::Kind::None));
  }

  void stopsAtOnce() {
    std::stop_source source;
    source.request_stop();
    Task task;
    task.stop = source.get_token();
    const auto found = onSphere(kEarth)->dbscan(earthly(1, 10), {1, 2}, {}, task);
    QVERIFY(!found);
    QCOMPARE(int(found.error().kind), int(ErrorKind::Cancelled));
  }
};

GUILESS_TEST(TestSphere);
#include "tst_sphere.moc"
