// What makes a cloud valid, and its bounds, of few points and of so many that threads share them.
#include <QtTest>
#include <algorithm>
#include <limits>
#include <random>

#include "engine/cloud/point_cloud.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kSizes[] = {1, 15, 16, 17, 1000, 65'536, 65'537, 300'001};

PointCloud drawn(std::size_t n, std::size_t dims) {
  std::mt19937_64 random(n + dims);
  std::uniform_real_distribution<double> draw(-1e3, 1e3);
  PointCloud cloud;
  cloud.columns.assign(dims, std::vector<double>(n));
  for (auto& column : cloud.columns)
    for (double& x : column) x = draw(random);
  return cloud;
}

}  // namespace

class TestPointCloud : public QObject {
  Q_OBJECT

 private slots:
  void boundsAreThoseOfPlainLoops() {
    for (const std::size_t n : kSizes) {
      const PointCloud cloud = drawn(n, 3);
      const Bounds bounds = boundsOf(cloud);
      for (std::size_t j = 0; j < 3; ++j) {
        QCOMPARE(bounds.low[j], *std::ranges::min_element(cloud.columns[j]));
        QCOMPARE(bounds.high[j], *std::ranges::max_element(cloud.columns[j]));
      }
      QVERIFY(validate(cloud).has_value());
    }
  }

  void oneBadCoordinateIsFound() {
    for (const std::size_t n : kSizes)
      for (const std::size_t at : {std::size_t{0}, n / 3, n / 2, n - 1})
        for (const double bad : {kNan, kInfinity, -kInfinity}) {
          PointCloud cloud = drawn(n, 2);
          cloud.columns[1][at] = bad;
          const auto valid = validate(cloud);
          QVERIFY(!valid);
          QCOMPARE(valid.error().kind, ErrorKind::BadInput);
          const std::string point = "Point " + std::to_string(at) + " has";
          QVERIFY2(valid.error().message.starts_with(point), valid.error().message.c_str());
        }
  }

  void rangesThatAreTooLarge() {
    constexpr double kMost = std::numeric_limits<double>::max();
    for (const std::size_t n : {std::size_t{2}, std::size_t{300'001}}) {
      PointCloud cloud = drawn(n, 1);
      cloud.columns[0].front() = kMost;
      QVERIFY(validate(cloud).has_value());
      cloud.columns[0].back() = -kMost;
      const auto valid = validate(cloud);
      QVERIFY(!valid);
      QVERIFY2(valid.error().message.find("too large for a double") != std::string::npos,
               valid.error().message.c_str());
    }
  }
};

APPLESS_TEST(TestPointCloud);
#include "tst_point_cloud.moc"
