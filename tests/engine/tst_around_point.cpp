// What lies around one point: nearest neighbours and the points within ε in every space, beside
// plain loops over the definitions of its distances.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "cloud_draws.h"
#include "engine/dbscan/around_point.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Distance = std::function<long double(std::size_t p, std::size_t q)>;

/// Compares with all distances; ties within rounding may come in either order.
void compare(const PointCloud& cloud, const Space& space, double eps, const Distance& distance) {
  constexpr std::size_t k = 12;
  for (const std::size_t p : {std::size_t{0}, cloud.size() / 2, cloud.size() - 1}) {
    const auto found = aroundPoint(cloud, p, k, eps, space, {});
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    std::vector<long double> all;
    std::uint64_t within = 0;
    bool tie = false;
    for (std::size_t q = 0; q < cloud.size(); ++q) {
      const long double d = distance(p, q);
      within += d <= static_cast<long double>(eps);
      tie |= std::abs(static_cast<double>(d) - eps) < 1e-12 * std::max(1.0, eps);
      if (q != p) all.push_back(d);
    }
    std::sort(all.begin(), all.end());
    QCOMPARE(found->nearest.size(), std::min(k, cloud.size() - 1));
    for (std::size_t i = 0; i < found->nearest.size(); ++i) {
      const NearPoint& near = found->nearest[i];
      QVERIFY(near.point != p);
      const auto off = [&](long double of) {
        return std::abs(static_cast<double>(of) - near.distance);
      };
      const double most = 1e-12 * std::max(1.0, near.distance);
      QVERIFY2(off(all[i]) <= most, qPrintable(QString::number(off(all[i]))));
      QVERIFY(off(distance(p, near.point)) <= most);
    }
    if (!tie) QCOMPARE(found->within, within);
  }
}

long double euclidean(const PointCloud& cloud, std::size_t p, std::size_t q,
                      const std::vector<double>& periods = {}) {
  long double sum = 0;
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    long double d = std::abs(static_cast<long double>(cloud.columns[j][p]) - cloud.columns[j][q]);
    if (!periods.empty() && periods[j] > 0) {
      d = std::fmod(d, static_cast<long double>(periods[j]));
      d = std::min(d, periods[j] - d);
    }
    sum += d * d;
  }
  return std::sqrt(sum);
}

}  // namespace

class AroundPoint : public QObject {
  Q_OBJECT
 private slots:
  void euclideanSpace() {
    std::mt19937_64 random(1);
    for (const std::size_t dims : {1, 2, 5, 40}) {
      const PointCloud cloud = draws::draw(random, "blobs", 5000, dims);
      compare(cloud, {}, 5, [&](auto p, auto q) { return euclidean(cloud, p, q); });
    }
  }

  void periodicBox() {
    std::mt19937_64 random(2);
    const PointCloud cloud = draws::draw(random, "uniform", 3000, 3);
    const std::vector<double> periods{0.75, 0, 1.5};
    compare(cloud, {.periods = periods}, 0.2,
            [&](auto p, auto q) { return euclidean(cloud, p, q, periods); });
  }

  void cosineDistances() {
    std::mt19937_64 random(3);
    const PointCloud cloud = draws::draw(random, "blobs", 3000, 30);
    compare(cloud, {.metric = Metric::Cosine}, 0.01, [&](std::size_t p, std::size_t q) {
      long double products = 0;
      long double lengthP = 0;
      long double lengthQ = 0;
      for (const auto& column : cloud.columns) {
        products += static_cast<long double>(column[p]) * column[q];
        lengthP += static_cast<long double>(column[p]) * column[p];
        lengthQ += static_cast<long double>(column[q]) * column[q];
      }
      return 1 - products / std::sqrt(lengthP) / std::sqrt(lengthQ);
    });
  }

  void sumsAndMaxima() {
    std::mt19937_64 random(5);
    const PointCloud cloud = draws::draw(random, "blobs", 3000, 7);
    compare(cloud, {.metric = Metric::Manhattan}, 9, [&](std::size_t p, std::size_t q) {
      long double sum = 0;
      for (const auto& column : cloud.columns) sum += std::abs(column[p] - column[q]);
      return sum;
    });
    compare(cloud, {.metric = Metric::Chebyshev}, 3, [&](std::size_t p, std::size_t q) {
      long double most = 0;
      for (const auto& column : cloud.columns)
        most = std::max<long double>(most, std::abs(column[p] - column[q]));
      return most;
    });
  }

  void greatCircles() {
    std::mt19937_64 random(4);
    PointCloud cloud{.columns = {{}, {}}, .names = {"lon", "lat"}};
    for (int i = 0; i < 3000; ++i) {
      cloud.columns[0].push_back(360 * draws::unit(random) - 180);
      cloud.columns[1].push_back(170 * draws::unit(random) - 85);
    }
    Space space;
    space.sphere.emplace().radius = 2;
    constexpr long double kDegree = 3.14159265358979323846L / 180;
    compare(cloud, space, 0.3, [&](std::size_t p, std::size_t q) {
      const auto at = [&](std::size_t j, std::size_t i) { return kDegree * cloud.columns[j][i]; };
      const long double a = std::sin((at(1, p) - at(1, q)) / 2);
      const long double b = std::sin((at(0, p) - at(0, q)) / 2);
      return 4 * std::asin(std::sqrt(a * a + std::cos(at(1, p)) * std::cos(at(1, q)) * b * b));
    });
  }

  void tiesComeByNumber() {
    const PointCloud cloud = draws::fromRows({{0}, {1}, {-1}, {0}, {1}, {2}});
    const auto found =
        aroundPoint(cloud, 0, 4, 1, {}, {}, std::vector{1.0, 2.0, 4.0, 8.0, 16.0, 32.0});
    QVERIFY(found);
    const std::vector<NearPoint> expected{{3, 0}, {1, 1}, {2, 1}, {4, 1}};
    QVERIFY(found->nearest == expected);
    QCOMPARE(found->within, 5u);
    QCOMPARE(found->weight, 31.0);
    QCOMPARE(aroundPoint(cloud, 5, 0, 1, {}, {})->nearest.size(), 0u);
    QCOMPARE(aroundPoint(cloud, 5, 100, 1, {}, {})->nearest.size(), 5u);
  }

  void refusals() {
    const PointCloud cloud = draws::fromRows({{0, 0}, {1, 1}});
    QCOMPARE(aroundPoint(cloud, 2, 1, 1, {}, {}).error().kind, ErrorKind::BadCall);
    QCOMPARE(aroundPoint(cloud, 0, 1, -1, {}, {}).error().kind, ErrorKind::BadCall);
    QVERIFY(!aroundPoint(cloud, 1, 1, 0.1, {.metric = Metric::Cosine}, {}));
    std::stop_source stop;
    stop.request_stop();
    const Task stopped{stop.get_token(), {}};
    QCOMPARE(aroundPoint(cloud, 0, 1, 1, {}, {}, {}, stopped).error().kind, ErrorKind::Cancelled);
  }
};

GUILESS_TEST(AroundPoint);
#include "tst_around_point.moc"
