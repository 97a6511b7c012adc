// Cosine distances: directions of points, and joins and DBSCAN beside the definition in plain
// loops.
#include <QTest>

#include <cmath>
#include <random>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/directions.h"
#include "engine/dbscan/backend_in_space.h"
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
