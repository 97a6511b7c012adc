#include <QtTest>
#include <cmath>
#include <limits>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/point_distance.h"
#include "engine/cpu/brute_force.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Two points whose canonical squared distance is one side of ε² and whose fused one is the other.
struct FusedCase {
  double dx, dy, eps;
};

double canonical(double dx, double dy) {
  volatile double xx = dx * dx;  // volatile: rounded here, never fused
  volatile double yy = dy * dy;
  return xx + yy;
}

double fused(double dx, double dy) { return std::fma(dy, dy, dx * dx); }

/// Searches seeded random offsets for a case in which fusing would change the answer.
FusedCase findCase(bool canonicalInside) {
  std::mt19937_64 random(7);
  for (;;) {
    const double dx = draws::unit(random);
    const double dy = draws::unit(random);
    const double inner = canonicalInside ? canonical(dx, dy) : fused(dx, dy);
    const double outer = canonicalInside ? fused(dx, dy) : canonical(dx, dy);
    const double eps = std::sqrt(inner);
    if (inner <= eps * eps && outer > eps * eps) return {dx, dy, eps};
  }
}

}  // namespace

class TestPredicate : public QObject {
  Q_OBJECT

 private slots:
  void sumsInTheCloudsOwnOrder() {
    std::mt19937_64 random(3);
    int different = 0;
    for (int i = 0; i < 1000; ++i) {
      std::vector<double> p{draws::unit(random), draws::unit(random), draws::unit(random)};
      const PointCloud cloud = draws::fromRows({{0, 0, 0}, p});
      volatile double sum = 0;
      for (const double x : p) {
        volatile double square = x * x;
        sum = sum + square;
      }
      QCOMPARE(canonicalSquaredDistance(cloud, 0, 1), double(sum));
      QCOMPARE(canonicalSquaredDistance(cloud, 1, 0), double(sum));
      const PointCloud reversed = draws::fromRows({{0, 0, 0}, {p[2], p[1], p[0]}});
      different += canonicalSquaredDistance(reversed, 0, 1) != sum;
    }
    QVERIFY(different > 50);  // the order matters, so the test can tell
  }

  void fusingWouldChangeTheAnswer_data() {
    QTest::addColumn<bool>("inside");
    QTest::newRow("canonical inside, fused outside") << true;
    QTest::newRow("canonical outside, fused inside") << false;
  }
  // The compiler, the vectorised loops included, must not fuse anywhere.
  void fusingWouldChangeTheAnswer() {
    QFETCH(bool, inside);
    const FusedCase found = findCase(inside);
    const double squaredEps = *epsSquared(found.eps);
    QCOMPARE(fused(found.dx, found.dy) <= squaredEps, !inside);
    QCOMPARE(canonical(found.dx, found.dy) <= squaredEps, inside);

    std::vector<std::vector<double>> rows(130, {found.dx, found.dy});
    rows[0] = {0, 0};
    const PointCloud cloud = draws::fromRows(rows);
    QCOMPARE(withinEps(canonicalSquaredDistance(cloud, 0, 1), squaredEps), inside);
    const std::uint32_t expected = inside ? 130 : 1;
    QCOMPARE(bruteForceCounts(cloud, found.eps)->counts[0], expected);
    const auto backend = makeBackend("cpu", {.threads = 1});
    QVERIFY(backend);
    for (const Strategy& strategy : strategies::all(2)) {
      if (!strategies::legal(strategy, strategies::For::Dbscan)) continue;
      const auto clustering = (*backend)->dbscan(cloud, {found.eps, 130}, strategy, {});
      QVERIFY2(clustering.has_value(), strategies::text(strategy).c_str());
      QVERIFY2(clustering->labels[0] == (inside ? 0 : kNoise), strategies::text(strategy).c_str());
      if (!strategies::legal(strategy, strategies::For::Join)) continue;
      const auto counts = (*backend)->count(cloud, found.eps, strategy, {});
      QVERIFY2(counts.has_value(), strategies::text(strategy).c_str());
      QVERIFY2(counts->counts[0] == expected, strategies::text(strategy).c_str());
    }
  }

  void overflowIsNoNeighbour() {
    const PointCloud cloud = draws::fromRows({{-1e300}, {1e300}});
    QCOMPARE(canonicalSquaredDistance(cloud, 0, 1), kInf);
    QVERIFY(!withinEps(kInf, *epsSquared(1e154)));
  }

  void epsIsChecked_data() {
    QTest::addColumn<double>("eps");
    QTest::addColumn<bool>("good");
    QTest::newRow("one") << 1.0 << true;
    QTest::newRow("small") << 1.5e-154 << true;
    QTest::newRow("large") << 1.3e154 << true;
    QTest::newRow("zero") << 0.0 << false;
    QTest::newRow("minus zero") << -0.0 << false;
    QTest::newRow("negative") << -1.0 << false;
    QTest::newRow("NaN") << std::nan("") << false;
    QTest::newRow("infinite") << kInf << false;
    QTest::newRow("square subnormal") << 1.4e-154 << false;
    QTest::newRow("square zero") << 1e-200 << false;
    QTest::newRow("square infinite") << 1.4e154 << false;
    QTest::newRow("denormal") << std::numeric_limits<double>::denorm_min() << false;
  }
  void epsIsChecked() {
    QFETCH(double, eps);
    QFETCH(bool, good);
    const auto squared = epsSquared(eps);
    QCOMPARE(squared.has_value(), good);
    if (good) {
      QCOMPARE(*squared, eps * eps);
    } else {
      QCOMPARE(squared.error().kind, ErrorKind::BadCall);
      QVERIFY(squared.error().message.find("ε") != std::string::npos);
    }
  }
};

APPLESS_TEST(TestPredicate);
#include "tst_predicate.moc"
