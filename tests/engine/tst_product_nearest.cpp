// What decides nearest neighbours by products: the reach of rounded points, and the heaps. Kernels
// of a GPU compile the same functions.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "cloud_draws.h"
#include "engine/core/infinity.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/product/nearest_heap.h"
#include "mutual_reachability.h"
#include "product_agreement.h"
#include "rounded_bytes.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Neighbour = std::pair<double, std::uint32_t>;

struct Slots {
  std::vector<Neighbour>& found;
  double squared(std::uint32_t i) const { return found[i].first; }
  std::uint32_t id(std::uint32_t i) const { return found[i].second; }
  void set(std::uint32_t i, double squared, std::uint32_t id) const { found[i] = {squared, id}; }
};

}  // namespace

class ProductNearest : public QObject {
  Q_OBJECT
 private slots:
  // Bytes and the sum of a product never prove a neighbour away, nor one as far as the last,
  // whatever neighbours have been found so far; and they do prove most others away.
  void reachesLeaveEveryNeighbour() {
    std::uint64_t left = 0;
    std::uint64_t all = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = 1 + random() % 40;
      const std::size_t n = 150;
      const PointCloud cloud = productAgreement::hardCloud(random, seed, n, dims);
      if (!validate(JoinInput(cloud))) continue;
      const RoundedBytes bytes = roundedBytes(cloud);
      const double mostError = *std::max_element(bytes.errors.begin(), bytes.errors.end());
      for (std::size_t p = 0; p < n; ++p) {
        std::vector<double> squares;
        for (std::size_t q = 0; q < n; ++q)
          squares.push_back(canonicalSquaredDistance(cloud, p, q));
        std::vector<double> ordered = squares;
        std::sort(ordered.begin(), ordered.end());
        for (const std::size_t last : {std::size_t{0}, std::size_t{5}, random() % n}) {
          const double outer = nearestOuter(bytes.scale, ordered[last], dims);
          const std::int32_t reach =
              nearestReach(outer, bytes.scale == 0 ? kInfinity : bytes.errors[p] + mostError,
                           largestDistanceOfBytes(dims));
          QVERIFY(startOfProduct(reach, bytes.norms[p], kNormOfNobody) < 0);
          for (std::size_t q = 0; q < n; ++q) {
            const std::int32_t sum =
                startOfProduct(reach, bytes.norms[p], bytes.norms[q]) + bytes.product(p, q);
            if (squares[q] <= ordered[last]) QVERIFY2(sum >= 0, std::to_string(seed).c_str());
            if (last != 5) continue;
            ++all;
            left += sum >= 0 ? 1 : 0;
          }
        }
      }
    }
    QVERIFY2(left < all / 2, (std::to_string(left) + " of " + std::to_string(all)).c_str());
  }

  // The heaviness of a pair never proves an edge heavier than it is, and proves nearly all of it.
  void heavinessIsABound() {
    constexpr std::int32_t kMost = 1 << 30;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
      std::mt19937_64 random(seed + 4100);
      const std::string kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const std::size_t dims = 1 + random() % 40;
      const std::size_t n = 2 + random() % 50;
      PointCloud cloud = draws::draw(random, kind, n, dims);
      // The square of the scale overflows, or those of distances underflow.
      if (seed % 5 == 0)
        for (auto& column : cloud.columns)
          for (double& x : column) x *= seed % 10 == 0 ? 1e-154 : 1e-290;
      const RoundedBytes bytes = roundedBytes(cloud);
      const PairDistances all(cloud);
      const auto core = all.core(1 + static_cast<std::int64_t>(random() % n));
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = 0; q < p; ++q) {
          const double squared = all.at(p, q);
          const double weight = std::max({squared, core[p], core[q]});
          const double errors = bytes.scale == 0 ? kInfinity : bytes.errors[p] + bytes.errors[q];
          const std::int32_t ofCores = std::max(heavinessOfCore(bytes.scale, core[p], kMost),
                                                heavinessOfCore(bytes.scale, core[q], kMost));
          const std::int32_t ofBytes =
              -(startOfProduct(0, bytes.norms[p], bytes.norms[q]) + bytes.product(p, q));
          const double least =
              leastOfHeaviness(static_cast<std::uint32_t>(std::max(ofBytes, ofCores)));
          const double outer = nearestOuter(bytes.scale, weight, dims);
          const QByteArray what =
              QString("seed %1, %2").arg(seed).arg(QString::fromStdString(kind)).toUtf8();
          QVERIFY2(least <= outerReach({.outer = outer}, errors), what.constData());
          QVERIFY2(ofCores <= limitOfHeaviness(outer, kMost), what.constData());
          if (bytes.scale > 0 && std::isfinite(weight))
            QVERIFY2(least >= 0.99 * (bytes.scale * std::sqrt(weight) - errors) - 2,
                     what.constData());
        }
    }
  }

  void reachOfNothingFoundIsAll() {
    for (const double scale : {0.0, 1.0, 1e300})
      QCOMPARE(nearestReach(nearestOuter(scale, kInfinity, 3), 1, 100), 10000);
    QVERIFY(nearestReach(nearestOuter(1, 0, 3), 0, 100) >= 0);
    QVERIFY(nearestReach(nearestOuter(1, 1e308, 4096), kInfinity, kLargestRoundedDistance) > 0);
  }

  // The nearest of many, ties by id, in whatever order they come.
  void heapsKeepTheNearest() {
    std::mt19937_64 random(4);
    for (std::uint32_t most = 1; most < 70; ++most) {
      std::vector<Neighbour> offered;
      const std::uint32_t n = 1 + static_cast<std::uint32_t>(random() % 200);
      for (std::uint32_t id = 0; id < n; ++id)
        offered.emplace_back(random() % 9 == 0 ? kInfinity : static_cast<double>(random() % 20),
                             id);
      std::shuffle(offered.begin(), offered.end(), random);
      std::vector<Neighbour> found(most);
      std::uint32_t count = 0;
      for (const auto& [squared, id] : offered) {
        count = insertNearest(Slots{found}, count, most, squared, id);
        QVERIFY(std::is_heap(found.begin(), found.begin() + count));
      }
      QCOMPARE(count, std::min(most, n));
      sortNearest(Slots{found}, count);
      std::sort(offered.begin(), offered.end());
      QVERIFY(std::equal(found.begin(), found.begin() + count, offered.begin()));
    }
  }

  // The CPU's neighbours by products, on clouds that are hard for rounded coordinates.
  void agreesWithAllPairs() {
    std::uint64_t cases = 0;
    const std::string what = productAgreement::ofNearest(
        [](const PointCloud& cloud, int k) { return nearestNeighbours(cloud, k); },
        [&] { return cases < 60; }, cases);
    QVERIFY2(what.empty(), what.c_str());
  }
};

APPLESS_TEST(ProductNearest);
#include "tst_product_nearest.moc"
