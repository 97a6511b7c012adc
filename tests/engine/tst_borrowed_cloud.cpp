// Clouds that borrow their coordinates have the results of clouds that own the same numbers.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/borrowed_cloud.h"
#include "engine/cloud/scaling.h"
#include "engine/dbscan/around_point.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchies.h"
#include "same_hierarchy.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

enum class Layout { Rows, Columns, PaddedRows, Backwards };
constexpr Layout kLayouts[] = {Layout::Rows, Layout::Columns, Layout::PaddedRows,
                               Layout::Backwards};

/// The cloud in memory of this type and layout, with a note of when it is freed.
template <class Real>
PointCloud borrowed(const PointCloud& cloud, Layout layout, bool* freed = nullptr) {
  const std::size_t n = cloud.size();
  const std::size_t d = cloud.dims();
  const std::size_t width = layout == Layout::PaddedRows ? 2 * d + 3 : d;
  auto* const memory = new std::vector<Real>(n * width, std::numeric_limits<Real>::quiet_NaN());
  const std::shared_ptr<const void> owner(memory, [freed](const std::vector<Real>* values) {
    if (freed != nullptr) *freed = true;
    delete values;
  });
  constexpr auto kSize = std::ptrdiff_t(sizeof(Real));
  BorrowedPoints points{.first = memory->data(),
                        .points = n,
                        .dims = d,
                        .pointStride = kSize * std::ptrdiff_t(width),
                        .dimStride = layout == Layout::PaddedRows ? 2 * kSize : kSize,
                        .single = sizeof(Real) == sizeof(float),
                        .owner = owner};
  if (layout == Layout::Columns) {
    points.pointStride = kSize;
    points.dimStride = kSize * std::ptrdiff_t(n);
  } else if (layout == Layout::Backwards) {  // the last point and dimension first
    points.first = memory->data() + n * d - 1;
    points.pointStride = -kSize * std::ptrdiff_t(d);
    points.dimStride = -kSize;
  }
  auto* const first = static_cast<const char*>(points.first);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t j = 0; j < d; ++j) {
      const char* const at =
          first + std::ptrdiff_t(p) * points.pointStride + std::ptrdiff_t(j) * points.dimStride;
      *reinterpret_cast<Real*>(const_cast<char*>(at)) = Real(cloud.columns[j][p]);
    }
  PointCloud made = borrowedCloud(points);
  made.names = cloud.names;
  return made;
}

/// The cloud with coordinates that floats hold.
PointCloud asFloats(PointCloud cloud) {
  for (Coordinates& column : cloud.columns)
    for (double& x : column) x = double(float(x));
  return cloud;
}

/// Calls test(owned, borrowed, what) for both types and all layouts.
template <class Test>
void forEachLayout(const PointCloud& cloud, const Test& test) {
  const PointCloud narrow = asFloats(cloud);
  for (const Layout layout : kLayouts) {
    const std::string what = "layout " + std::to_string(int(layout));
    test(cloud, borrowed<double>(cloud, layout), what + " of doubles");
    test(narrow, borrowed<float>(narrow, layout), what + " of floats");
  }
}

bool anyCopied(const PointCloud& cloud) {
  return std::ranges::any_of(cloud.columns, [](const Coordinates& c) { return c.copied(); });
}

/// A cloud and an ε at which its points have some neighbours.
struct Case {
  std::string name;
  PointCloud cloud;
  double eps;
};

std::vector<Case> someClouds() {
  std::mt19937_64 random(20);
  std::vector<Case> cases;
  for (const char* const kind : {"lattice", "duplicates", "blobs", "offset"})
    for (const std::size_t dims : {1, 2, 3, 5})
      cases.push_back({kind + std::to_string(dims), draws::draw(random, kind, 250, dims),
                       std::string(kind) == "lattice" ? 1.0 : 0.1 * double(dims)});
  for (const std::size_t dims : {16, 40, 130, 768, 4096}) {
    PointCloud cloud = draws::draw(random, "blobs", dims > 200 ? 50 : 100, dims);
    double sum = 0;
    for (std::size_t j = 0; j < dims; ++j) {
      const double d = cloud.columns[j][0] - cloud.columns[j][1];
      sum += d * d;
    }
    cases.push_back({"blobs" + std::to_string(dims), cloud, std::sqrt(sum) * 0.7});
    // Whole numbers: many pairs at exactly ε.
    for (Coordinates& column : cloud.columns)
      for (double& x : column) x = std::floor(3 * x);
    cases.push_back({"whole" + std::to_string(dims), cloud, std::sqrt(double(dims))});
  }
  return cases;
}

const Backend& cpu() {
  static const std::unique_ptr<Backend> backend = *makeBackend("cpu", {.threads = 2});
  return *backend;
}

}  // namespace

class BorrowedCloud : public QObject {
  Q_OBJECT
 private slots:
  void readsEveryNumberWhereItIs() {
    std::mt19937_64 random(1);
    const PointCloud cloud = draws::draw(random, "blobs", 50, 3);
    forEachLayout(cloud, [](const PointCloud& owned, const PointCloud& from, const auto& what) {
      QCOMPARE(from.size(), owned.size());
      QCOMPARE(from.dims(), owned.dims());
      for (std::size_t j = 0; j < owned.dims(); ++j)
        for (std::size_t p = 0; p < owned.size(); ++p)
          QVERIFY2(from.columns[j][p] == owned.columns[j][p], what.c_str());
      QVERIFY2(boundsOf(from).low == boundsOf(owned).low, what.c_str());
      QVERIFY2(boundsOf(from).high == boundsOf(owned).high, what.c_str());
      QVERIFY2(!anyCopied(from), what.c_str());
      QVERIFY2(from.columns == owned.columns, what.c_str());
      QVERIFY(anyCopied(from));
      const PointCloud shared = from;
      QCOMPARE(shared.column(1).data(), from.column(1).data());
    });
  }

  void rowsAreKnown() {
    const PointCloud cloud{.columns = {{1, 2}, {3, 4}}, .names = {"x", "y"}};
    QVERIFY(!rowsOf(cloud) && !rowsOf(PointCloud{}));
    QVERIFY(rowsOf(borrowed<float>(cloud, Layout::Rows))->single);
    QCOMPARE(rowsOf(borrowed<double>(cloud, Layout::Rows))->stride, std::ptrdiff_t(16));
    for (const Layout layout : {Layout::Columns, Layout::PaddedRows, Layout::Backwards})
      QVERIFY(!rowsOf(borrowed<double>(cloud, layout)));
    PointCloud changed = borrowed<double>(cloud, Layout::Rows);
    changed.columns[1][0] = 7;
    QVERIFY(!rowsOf(changed));
  }

  void keepsItsOwner() {
    bool freed = false;
    {
      PointCloud copy;
      {
        const PointCloud cloud{.columns = {{1, 2}, {3, 4}}, .names = {"x", "y"}};
        copy = borrowed<double>(cloud, Layout::Rows, &freed);
      }
      QVERIFY(!freed);
      copy.columns[0].push_back(5);  // owned from here on, the other still borrowed
      QVERIFY(!freed && copy.columns[1].borrowed() != nullptr);
      QCOMPARE(copy.columns[0], (std::vector<double>{1, 2, 5}));
      const Coordinates part = copy.columns[1].part(1, 2);
      copy = {};
      QVERIFY(!freed);
      QCOMPARE(part, (std::vector<double>{4}));
    }
    QVERIFY(freed);
  }

  /// The original stays as it is when a copy is changed.
  void changesAreOnesOwn() {
    const PointCloud cloud{.columns = {{1, 2}, {3, 4}}, .names = {"x", "y"}};
    const PointCloud from = borrowed<float>(cloud, Layout::Rows);
    const PointCloud scaled =
        applyScaling(from, *makeScaling(Scaling::Kind::Factors, from, {10, 100}));
    QCOMPARE(scaled.columns[1], (std::vector<double>{300, 400}));
    QCOMPARE(from.columns[1], (std::vector<double>{3, 4}));
  }

  void refusesWhatOthersRefuse() {
    QVERIFY(!validate(borrowed<float>({.columns = {{}, {}}, .names = {}}, Layout::Rows)));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    PointCloud cloud{.columns = {{1, 2, 3}, {3, nan, 4}}, .names = {"x", "y"}};
    forEachLayout(cloud, [](const PointCloud& owned, const PointCloud& from, const auto& what) {
      QVERIFY2(validate(from).error().message == validate(owned).error().message, what.c_str());
    });
    cloud.columns[1][1] = -std::numeric_limits<double>::infinity();
    QVERIFY(!validate(borrowed<float>(cloud, Layout::Rows)));
    const PointCloud one{.columns = {{1}, {2}}, .names = {"x", "y"}};
    forEachLayout(one, [](const PointCloud&, const PointCloud& from, const auto&) {
      QVERIFY(validate(from));
      QCOMPARE(cpu().dbscan(from, {1, 1}, {}, {})->clusters, 1);
      QCOMPARE(findNearest(from, 1, 1, {})->ids.front(), 0U);
    });
  }

  void joinsAndClustersAreTheSame() {
    for (const Case& one : someClouds())
      forEachLayout(one.cloud, [&](const PointCloud& owned, const PointCloud& from,
                                   const std::string& layout) {
        const std::string what = one.name + ", " + layout;
        const auto labels = cpu().dbscan(from, {one.eps, 4}, {}, {});
        QVERIFY2(labels, what.c_str());
        const auto expected = cpu().dbscan(owned, {one.eps, 4}, {}, {});
        QVERIFY2(labels->labels == expected->labels && labels->roles == expected->roles,
                 what.c_str());
        const auto counts = cpu().count(from, one.eps, {}, {})->counts;
        QVERIFY2(counts == cpu().count(owned, one.eps, {}, {})->counts, what.c_str());
        const auto table = cpu().neighbourTable(JoinInput(from, owned), one.eps, {}, {});
        QVERIFY2(table->ids == cpu().neighbourTable(owned, one.eps, {}, {})->ids, what.c_str());
        for (std::size_t p = 0; p < owned.size(); ++p)
          QVERIFY2(table->offsets[p + 1] - table->offsets[p] == counts[p], what.c_str());
        const auto lowest =
            cpu().lowestLabels(JoinInput(owned, from), expected->labels, one.eps, {}, {});
        QVERIFY2(lowest->labels ==
                     cpu()
                         .lowestLabels(JoinInput(from, owned), expected->labels, one.eps, {}, {})
                         ->labels,
                 what.c_str());
      });
  }

  void everyMethodReadsThem() {
    std::mt19937_64 random(3);
    const PointCloud drawn = draws::draw(random, "blobs", 300, 3);
    forEachLayout(drawn, [](const PointCloud& owned, const PointCloud& from, const auto& layout) {
      const auto expected = cpu().dbscan(owned, {0.3, 4}, {}, {});
      for (const Method method : strategies::kCpuMethods) {
        const auto found = cpu().dbscan(from, {0.3, 4}, {.method = method}, {});
        QVERIFY2(found && found->labels == expected->labels, layout.c_str());
      }
      const auto counts = cpu().count(owned, 0.3, {}, {});
      for (const Toggle sorted : strategies::kOnOff)
        for (const Precision precision : strategies::kPrecisions) {
          const Strategy way{.sortIdu = sorted, .precision = precision};
          const auto found = cpu().count(from, 0.3, way, {});
          const auto same = cpu().count(owned, 0.3, way, {});
          QVERIFY2(found.has_value() == same.has_value(), layout.c_str());
          if (found)
            QVERIFY2(found->counts == counts->counts, layout.c_str());
          else
            QCOMPARE(found.error().message, same.error().message);
        }
    });
  }

  /// Where one point is far away, cells are adaptive slices.
  void slicesAreThoseOfOwnedNumbers() {
    std::mt19937_64 random(5);
    PointCloud cloud = draws::draw(random, "uniform", 400, 3);
    for (Coordinates& column : cloud.columns) column[7] = 1e15;
    forEachLayout(cloud, [](const PointCloud& owned, const PointCloud& from, const auto& layout) {
      for (const Toggle sorted : strategies::kOnOff) {
        const Strategy way{.method = Method::Grid, .sortIdu = sorted};
        const auto found = cpu().count(from, 0.1, way, {});
        QVERIFY2(found && found->counts == cpu().count(owned, 0.1, way, {})->counts,
                 layout.c_str());
      }
      const auto labels = cpu().dbscan(from, {0.1, 3}, {.method = Method::Grid}, {});
      QVERIFY2(labels->labels == cpu().dbscan(owned, {0.1, 3}, {}, {})->labels, layout.c_str());
      QVERIFY2(!anyCopied(from), layout.c_str());
    });
  }

  void scalingsAreTheSame() {
    std::mt19937_64 random(6);
    const PointCloud cloud = draws::draw(random, "offset", 300, 3);
    forEachLayout(cloud, [](const PointCloud& owned, const PointCloud& from, const auto& layout) {
      for (const char* const text : {"unit", "zscore", "1,-2.5,3"}) {
        const auto scaling = parseScaling(text, from);
        const auto expected = parseScaling(text, owned);
        QVERIFY2(
            scaling && scaling->offset == expected->offset && scaling->factor == expected->factor,
            layout.c_str());
        QVERIFY2(applyScaling(from, *scaling).columns == applyScaling(owned, *expected).columns,
                 layout.c_str());
      }
      QVERIFY2(!parseScaling("1e308,1e308,1e308", from), layout.c_str());
      QVERIFY2(!anyCopied(from), layout.c_str());
    });
  }

  /// Arrays that NumPy has broadcast: all points, or all coordinates of a point, are one number.
  void stridesMayBeZero() {
    const std::vector<float> numbers = {1, 2, 3, 5, 8, 13, 21, 34};
    for (const bool points : {true, false}) {
      const PointCloud from = borrowedCloud({.first = numbers.data(),
                                             .points = 8,
                                             .dims = points ? 8U : 20U,
                                             .pointStride = points ? 0 : 4,
                                             .dimStride = points ? 4 : 0,
                                             .single = true,
                                             .owner = nullptr});
      PointCloud owned;
      for (std::size_t j = 0; j < from.dims(); ++j) {
        owned.columns.emplace_back(8U);
        for (std::size_t p = 0; p < 8; ++p) owned.columns[j][p] = double(numbers[points ? j : p]);
      }
      QVERIFY(from.columns == owned.columns);
      QVERIFY(boundsOf(from).high == boundsOf(owned).high);
      const double eps = points ? 0.5 : 2.5 * std::sqrt(20.0);
      for (const Method method : strategies::kCpuMethods) {
        const auto found = cpu().dbscan(from, {eps, 3}, {.method = method}, {});
        const auto same = cpu().dbscan(owned, {eps, 3}, {.method = method}, {});
        QVERIFY(found.has_value() == same.has_value());
        if (found) QVERIFY(found->labels == same->labels && found->clusters == 1);
      }
      QVERIFY(findNearest(from, 4, 2, {})->ids == findNearest(owned, 4, 2, {})->ids);
    }
  }

  /// The copy is made once, whoever asks first, also by a copy of the cloud.
  void oneCopyForAllThreads() {
    std::mt19937_64 random(7);
    const PointCloud cloud = asFloats(draws::draw(random, "blobs", 20000, 2));
    for (int round = 0; round < 20; ++round) {
      const PointCloud from = borrowed<float>(cloud, Layout::Rows);
      const PointCloud shared = from;
      std::vector<const double*> seen(8);
      std::vector<double> sums(seen.size());
      std::vector<std::thread> threads;
      for (std::size_t t = 0; t < seen.size(); ++t)
        threads.emplace_back([&, t] {
          const std::span<const double> column = (t % 2 == 0 ? from : shared).column(1);
          seen[t] = column.data();
          sums[t] = std::accumulate(column.begin(), column.end(), 0.0);
        });
      for (std::thread& thread : threads) thread.join();
      const std::vector<double>& owned = cloud.columns[1];
      for (std::size_t t = 0; t < seen.size(); ++t) {
        QCOMPARE(seen[t], seen[0]);
        QCOMPARE(sums[t], std::accumulate(owned.begin(), owned.end(), 0.0));
      }
    }
  }

  void neighboursAndHierarchiesAreTheSame() {
    for (const Case& one : someClouds())
      for (const Metric metric : {Metric::Euclidean, Metric::Cosine, Metric::Manhattan}) {
        if (metric == Metric::Manhattan && one.cloud.dims() > 40) continue;
        // No point at the origin, which has no direction.
        PointCloud cloud = one.cloud;
        for (double& x : cloud.columns[0])
          if (metric == Metric::Cosine) x += 64;
        forEachLayout(
            cloud, [&](const PointCloud& owned, const PointCloud& from, const std::string& layout) {
              const std::string what = one.name + ", " + layout;
              const auto nearest = findNearest(from, 5, 2, {}, {}, nullptr, {}, metric);
              const auto expected = findNearest(owned, 5, 2, {}, {}, nullptr, {}, metric);
              QVERIFY2(nearest && nearest->ids == expected->ids &&
                           nearest->squaredDistances == expected->squaredDistances,
                       what.c_str());
              const HierarchyOptions options{.minPts = 4, .threads = 2, .metric = metric};
              const auto hierarchy = buildHierarchy(from, options, {});
              const auto same = buildHierarchy(owned, options, {});
              QVERIFY2(hierarchy && sameHierarchy(*hierarchy, *same), what.c_str());
              const auto around = aroundPoint(from, 7, 5, one.eps, {.metric = metric}, {});
              QVERIFY2(around->nearest ==
                           aroundPoint(owned, 7, 5, one.eps, {.metric = metric}, {})->nearest,
                       what.c_str());
            });
      }
  }

  void spacesAreTheSame() {
    std::mt19937_64 random(4);
    PointCloud cloud = draws::draw(random, "uniform", 200, 2);
    const Space spaces[] = {
        {.metric = Metric::Cosine}, {.periods = {10, 10}}, {.sphere = Sphere{}}};
    for (const Space& space : spaces)
      forEachLayout(cloud, [&](const PointCloud& owned, const PointCloud& from,
                               const std::string& layout) {
        const auto backend = *backendIn(space, {}, std::move(*makeBackend("cpu", {.threads = 2})));
        const double eps = space.sphere ? 50'000 : space.periods.empty() ? 1e-4 : 0.6;
        const auto found = backend->dbscan(from, {eps, 3}, {}, {});
        QVERIFY2(found && found->clusters > 0, layout.c_str());
        QVERIFY2(found->labels == backend->dbscan(owned, {eps, 3}, {}, {})->labels, layout.c_str());
        const auto around = aroundPoint(from, 9, 4, eps, space, {});
        QVERIFY2(around->nearest == aroundPoint(owned, 9, 4, eps, space, {})->nearest,
                 layout.c_str());
      });
  }

  /// DBSCAN, joins, neighbours and hierarchies read the numbers where they are.
  void nothingIsCopied() {
    for (const Case& one : someClouds())
      forEachLayout(
          one.cloud, [&](const PointCloud& owned, const PointCloud& from, const auto& layout) {
            const std::string what = one.name + ", " + layout;
            const auto labels = cpu().dbscan(from, {one.eps, 4}, {}, {});
            QVERIFY(labels && cpu().count(from, one.eps, {}, {}));
            QVERIFY(cpu().neighbourTable(JoinInput(from, from), one.eps, {}, {}));
            QVERIFY(cpu().lowestLabels(JoinInput(from, from), labels->labels, one.eps, {}, {}));
            const auto bins = cpu().histogram(from, one.eps, 5, {}, {});
            QVERIFY2(bins && bins->pairs == cpu().histogram(owned, one.eps, 5, {}, {})->pairs,
                     what.c_str());
            QVERIFY(findNearest(from, 5, 2, {}));
            QVERIFY(buildHierarchy(from, {.minPts = 4, .threads = 2}, {}));
            QVERIFY(aroundPoint(from, 3, 5, one.eps, {}, {}));
            QVERIFY2(!anyCopied(from), what.c_str());
            if (from.dims() > 40) return;
            for (const Metric metric : {Metric::Manhattan, Metric::Chebyshev}) {
              QVERIFY(findNearest(from, 5, 2, {}, {}, nullptr, {}, metric));
              QVERIFY(buildHierarchy(from, {.minPts = 4, .threads = 2, .metric = metric}, {}));
              const auto backend = *backendIn({.metric = metric}, {},
                                              std::move(*makeBackend("cpu", {.threads = 2})));
              QVERIFY(backend->dbscan(from, {one.eps, 4}, {}, {}));
              QVERIFY(backend->count(from, one.eps, {}, {}));
            }
            QVERIFY2(!anyCopied(from), what.c_str());
          });
  }
};

GUILESS_TEST(BorrowedCloud);
#include "tst_borrowed_cloud.moc"
