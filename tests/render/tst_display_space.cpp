// Conversion of doubles to display floats and back, without visible loss.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "clouds.h"
#include "render/scene/display_space.h"
#include "render/scene/principal_axes.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

PointCloud cloudOf(std::vector<Coordinates> columns) {
  PointCloud cloud;
  cloud.columns = std::move(columns);
  for (std::size_t j = 0; j < cloud.dims(); ++j) cloud.names.push_back("d" + std::to_string(j));
  return cloud;
}

ViewAxes dimensions(std::vector<int> dims, bool stretch = false) {
  ViewAxes axes;
  axes.dims = std::move(dims);
  axes.stretch = stretch;
  return axes;
}

ViewAxes pca(int components = 3) {
  ViewAxes axes;
  axes.kind = ViewAxes::Kind::Pca;
  axes.components = components;
  return axes;
}

/// Eigenvectors of the products of offsets from `mean` by cyclic Jacobi rotations, in plain loops,
/// largest first.
struct Principal {
  std::vector<double> values;
  std::vector<std::vector<double>> vectors;
};
Principal productAxes(const PointCloud& cloud, const std::vector<double>& mean) {
  const std::size_t d = cloud.dims();
  std::vector<std::vector<double>> a(d, std::vector<double>(d, 0));
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t i = 0; i < cloud.size(); ++i)
        a[j][k] += (cloud.columns[j][i] - mean[j]) * (cloud.columns[k][i] - mean[k]);
  std::vector<std::vector<double>> v(d, std::vector<double>(d, 0));
  for (std::size_t j = 0; j < d; ++j) v[j][j] = 1;
  for (int sweep = 0; sweep < 60; ++sweep)
    for (std::size_t p = 0; p < d; ++p)
      for (std::size_t q = p + 1; q < d; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        for (std::size_t k = 0; k < d; ++k) {
          const double kp = a[k][p];
          const double kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < d; ++k) {
          const double pk = a[p][k];
          const double qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          const double vp = v[k][p];
          const double vq = v[k][q];
          v[k][p] = c * vp - s * vq;
          v[k][q] = s * vp + c * vq;
        }
      }
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&a](std::size_t p, std::size_t q) { return a[p][p] > a[q][q]; });
  Principal result;
  for (const std::size_t j : order) {
    result.values.push_back(a[j][j]);
    std::vector<double> vector(d);
    for (std::size_t k = 0; k < d; ++k) vector[k] = v[k][j];
    result.vectors.push_back(vector);
  }
  return result;
}

Principal covarianceAxes(const PointCloud& cloud) {
  std::vector<double> mean(cloud.dims(), 0);
  for (std::size_t j = 0; j < cloud.dims(); ++j)
    for (const double v : cloud.columns[j]) mean[j] += v / static_cast<double>(cloud.size());
  return productAxes(cloud, mean);
}

}  // namespace

class TestDisplaySpace : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void utmKeepsItsCentimetres() {
    // Floats at 6.6 million step by half a metre; shifted first, a centimetre survives.
    PointCloud cloud = cloudOf({{}, {}});
    for (int i = 0; i < 1000; ++i) {
      cloud.columns[0].push_back(654321.25 + 0.01 * i);
      cloud.columns[1].push_back(6654321.5 + 0.01 * ((i * 37) % 1000));
    }
    const auto points = makeDisplayPoints(cloud, defaultViewAxes(cloud));
    QVERIFY(points);
    const DisplaySpace& space = points->space;
    QCOMPARE(space.axes, 2);
    QCOMPARE(space.low[1], 6654321.5);
    for (std::size_t i = 0; i < points->size(); ++i)
      for (int a = 0; a < 2; ++a) {
        const auto display = static_cast<double>(points->xyz[3 * i + static_cast<std::size_t>(a)]);
        QVERIFY(std::abs(display) <= 0.5 + 1e-6);
        const double original = cloud.columns[static_cast<std::size_t>(a)][points->order[i]];
        QVERIFY(std::abs(space.toValue(a, display) - original) < 1e-5);
        QVERIFY(std::abs(space.toDisplay(a, original) - display) < 1e-6);
      }
  }

  void distancesAreToScaleUnlessStretched() {
    const PointCloud cloud = cloudOf({{0, 10}, {0, 1}});
    const auto plain = makeDisplaySpace(cloud, dimensions({0, 1}));
    QVERIFY(plain);
    QCOMPARE(plain->scale[0], plain->scale[1]);
    const auto stretched = makeDisplaySpace(cloud, dimensions({0, 1}, true));
    QVERIFY(stretched);
    QCOMPARE(stretched->toDisplay(0, 10), 0.5);
    QCOMPARE(stretched->toDisplay(1, 1), 0.5);
    QCOMPARE(stretched->toDisplay(1, 0), -0.5);
  }

  void drawnOrderIsAFairPermutation() {
    const Blobs blobs = makeBlobs(20000, 2, 4, 3);
    const auto points = makeDisplayPoints(blobs.cloud, defaultViewAxes(blobs.cloud));
    QVERIFY(points);
    std::vector<std::uint32_t> sorted(points->order.begin(), points->order.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i)
      QCOMPARE(sorted[i], static_cast<std::uint32_t>(i));
    // Any prefix is a sample: a tenth of the points comes from each tenth of the ids.
    std::vector<int> tenths(10, 0);
    for (std::size_t i = 0; i < 2000; ++i) ++tenths[points->order[i] / 2000];
    for (const int count : tenths) QVERIFY(count > 130 && count < 270);
    const auto again = makeDisplayPoints(blobs.cloud, defaultViewAxes(blobs.cloud));
    QVERIFY(again);
    QVERIFY(again->order == points->order);
    QVERIFY(again->xyz == points->xyz);
  }

  void chosenDimensionsAreShown() {
    const Blobs blobs = makeBlobs(500, 5, 2, 9);
    const auto points = makeDisplayPoints(blobs.cloud, dimensions({4, 1, 2}));
    QVERIFY(points);
    QCOMPARE(points->space.axes, 3);
    QCOMPARE(points->space.names[0], std::string("d4"));
    for (std::size_t i = 0; i < points->size(); ++i)
      QVERIFY(std::abs(points->space.toValue(0, points->xyz[3 * i]) -
                       blobs.cloud.columns[4][points->order[i]]) < 1e-5);
  }

  void pcaAgreesWithPlainLoops_data() {
    QTest::addColumn<int>("dims");
    for (const int dims : {1, 2, 4, 12, 40}) QTest::addRow("%d-D", dims) << dims;
  }
  void pcaAgreesWithPlainLoops() {
    QFETCH(int, dims);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims));
    PointCloud cloud;
    const auto d = static_cast<std::size_t>(dims);
    cloud.columns.assign(d, std::vector<double>(400));
    for (std::size_t i = 0; i < 400; ++i) {
      const double common = uniform(random);
      for (std::size_t j = 0; j < d; ++j)
        cloud.columns[j][i] =
            1000 + common * 7 + uniform(random) * (1 + 3.0 * static_cast<double>(j));
    }
    const auto space = makeDisplaySpace(cloud, pca());
    QVERIFY(space);
    QCOMPARE(space->axes, std::min(3, dims));
    const Principal plain = covarianceAxes(cloud);
    const double whole = std::accumulate(plain.values.begin(), plain.values.end(), 0.0);
    for (int a = 0; a < space->axes; ++a) {
      const auto at = static_cast<std::size_t>(a);
      QVERIFY(std::abs(space->explained[at] - plain.values[at] / whole) < 1e-9);
      double dot = 0;
      std::size_t largest = 0;
      for (std::size_t j = 0; j < d; ++j) {
        dot += space->direction[at][j] * plain.vectors[at][j];
        if (std::abs(space->direction[at][j]) > std::abs(space->direction[at][largest]))
          largest = j;
      }
      QVERIFY2(std::abs(std::abs(dot) - 1) < 1e-9,
               qPrintable(QString("axis %1: %2").arg(a).arg(dot)));
      QVERIFY(space->direction[at][largest] > 0);
    }
  }

  // Fewer points than dimensions: the axes are those of the products of points, by Jacobi
  // rotations.
  void pcaOfFewPointsInManyDimensions() {
    constexpr std::size_t kPoints = 40;
    constexpr std::size_t kDims = 600;
    std::mt19937_64 random(11);
    PointCloud cloud;
    cloud.columns.assign(kDims, std::vector<double>(kPoints));
    PointCloud centred = cloud;
    for (std::size_t j = 0; j < kDims; ++j) {
      double mean = 0;
      for (std::size_t i = 0; i < kPoints; ++i) {
        cloud.columns[j][i] = uniform(random) + static_cast<double>((i * (j % 5)) % 7);
        mean += cloud.columns[j][i] / kPoints;
      }
      for (std::size_t i = 0; i < kPoints; ++i) centred.columns[j][i] = cloud.columns[j][i] - mean;
    }
    // As points of as many dimensions as there were points.
    PointCloud turned;
    turned.columns.assign(kPoints, std::vector<double>(kDims));
    for (std::size_t i = 0; i < kPoints; ++i)
      for (std::size_t j = 0; j < kDims; ++j) turned.columns[i][j] = centred.columns[j][i];
    const Principal plain = productAxes(turned, std::vector<double>(kPoints, 0));
    const double whole = std::accumulate(plain.values.begin(), plain.values.end(), 0.0);
    const auto found = principalAxes(cloud, 3);
    QVERIFY(found);
    for (std::size_t a = 0; a < 3; ++a) {
      QVERIFY(std::abs(found->explained[a] - plain.values[a] / whole) < 1e-9);
      double dot = 0;
      for (std::size_t j = 0; j < kDims; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < kPoints; ++i)
          sum += plain.vectors[a][i] * centred.columns[j][i];
        dot += sum * found->directions[a][j] / std::sqrt(plain.values[a]);
      }
      QVERIFY2(std::abs(std::abs(dot) - 1) < 1e-8, qPrintable(QString::number(dot)));
    }
  }

  // Any axes of a space of equal variances are right; they are unit vectors of that space.
  void pcaOfEqualVariances() {
    PointCloud cloud;
    cloud.columns.assign(12, std::vector<double>(24, 5));
    for (std::size_t j = 0; j < 12; ++j) {
      cloud.columns[j][2 * j] += j < 9 ? 2 : 1;
      cloud.columns[j][2 * j + 1] -= j < 9 ? 2 : 1;
    }
    const auto found = principalAxes(cloud, 3);
    QVERIFY(found);
    for (std::size_t a = 0; a < 3; ++a) {
      QVERIFY(std::abs(found->explained[a] - 4.0 / 39) < 1e-9);
      for (std::size_t b = 0; b <= a; ++b) {
        double dot = 0;
        for (std::size_t j = 0; j < 9; ++j)
          dot += found->directions[a][j] * found->directions[b][j];
        QVERIFY(std::abs(dot - (a == b ? 1 : 0)) < 1e-9);
      }
    }
  }

  void largeCloudsGiveASample() {
    QCOMPARE(principalSample(50, 4), 50u);
    QCOMPARE(principalSample(1'000'000, 4), 200'000u);
    QCOMPARE(principalSample(100'000, 768), 27'126u);
    QCOMPARE(principalSample(100'000, 4096), 1000u);
    QCOMPARE(principalSample(700, 4096), 700u);
  }

  // Columns beside the coordinates: points without a value have no place.
  void columnsAsAxes() {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double huge = std::numeric_limits<double>::max();
    const PointCloud cloud = cloudOf({{1, 2, none, 4, 3, 0}, {0, 1, 1, -huge / 0.5, 3, 1}});
    ViewAxes axes = dimensions({0, 1});
    axes.kind = ViewAxes::Kind::Columns;
    const auto points = makeDisplayPoints(cloud, axes);
    QVERIFY(points);
    QVERIFY(!points->hasCells());
    const std::set<std::uint32_t> drawn(points->order.begin(), points->order.end());
    QCOMPARE(drawn, (std::set<std::uint32_t>{0, 1, 4, 5}));
    QCOMPARE(points->xyz.size(), 12u);
    QCOMPARE(points->space.names[1], std::string("d1"));
    QCOMPARE(points->space.high[0], 3.0);
    for (std::size_t i = 0; i < points->size(); ++i)
      for (std::size_t a = 0; a < 2; ++a)
        QVERIFY(std::abs(points->space.toValue(int(a), points->xyz[3 * i + a]) -
                         cloud.columns[a][points->order[i]]) < 1e-6);
    const std::vector<std::int32_t> labels{0, 0, 1, 1, 2, 3};
    const DisplayBox box = boxOfLabels(*points, labels, std::vector<std::int32_t>{0, 1});
    QVERIFY(std::abs(points->space.toValue(0, box.high[0]) - 2) < 1e-6);
    const DisplayBox some = boxOfPoints(*points, std::vector<std::uint32_t>{2, 4, 5});
    QVERIFY(std::abs(points->space.toValue(0, some.low[0])) < 1e-6);
    const PointCloud nothing = cloudOf({{none, 1}, {1, none}});
    const auto refused = makeDisplayPoints(nothing, axes);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("d0, d1") != std::string::npos);
    const PointCloud wide = cloudOf({{-huge, huge, 0}, {0, 1, 2}});
    const auto made = makeDisplayPoints(wide, axes);
    QVERIFY(made);
    for (const float value : made->xyz) QVERIFY(std::isfinite(value) && std::abs(value) <= 1);
  }

  void pcaShowsTheDistancesOfAPlane() {
    // Points of a tilted plane in 90-D: two components hold every distance.
    std::mt19937_64 random(4);
    PointCloud cloud;
    cloud.columns.assign(90, std::vector<double>(300));
    std::vector<double> u(90);
    std::vector<double> v(90);
    for (std::size_t j = 0; j < 90; ++j) {
      u[j] = uniform(random) - 0.5;
      v[j] = uniform(random) - 0.5;
    }
    for (std::size_t i = 0; i < 300; ++i) {
      const double s = uniform(random);
      const double t = uniform(random);
      for (std::size_t j = 0; j < 90; ++j) cloud.columns[j][i] = 5e5 + s * u[j] + t * v[j];
    }
    QCOMPARE(defaultViewAxes(cloud).kind, ViewAxes::Kind::Pca);
    const auto points = makeDisplayPoints(cloud, pca(2));
    QVERIFY(points);
    QVERIFY(points->space.explained[0] + points->space.explained[1] > 0.999999);
    for (std::size_t i = 0; i + 1 < points->size(); ++i) {
      double squared = 0;
      for (const auto& column : cloud.columns) {
        const double difference = column[points->order[i]] - column[points->order[i + 1]];
        squared += difference * difference;
      }
      const double dx = points->xyz[3 * i] - points->xyz[3 * i + 3];
      const double dy = points->xyz[3 * i + 1] - points->xyz[3 * i + 4];
      QVERIFY(std::abs(std::hypot(dx, dy) / points->space.scale[0] - std::sqrt(squared)) < 1e-4);
    }
  }

  void oddCloudsHaveAPlace_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("points");
    QTest::newRow("one point") << 5.0 << 5.0 << 1;
    QTest::newRow("all the same") << 1e6 << 1e6 << 100;
    QTest::newRow("huge") << -8e307 << 8e307 << 50;
    QTest::newRow("tiny") << 0.0 << 1e-310 << 50;
    QTest::newRow("next to each other") << 1.0 << std::nextafter(1.0, 2.0) << 2;
  }
  void oddCloudsHaveAPlace() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, points);
    for (const std::size_t dims : {1, 2, 3, 5}) {
      PointCloud cloud;
      cloud.columns.assign(dims, std::vector<double>(static_cast<std::size_t>(points), low));
      for (auto& column : cloud.columns) column.back() = high;
      const auto made = makeDisplayPoints(cloud, defaultViewAxes(cloud));
      QVERIFY(made);
      for (const float value : made->xyz) QVERIFY(std::isfinite(value) && std::abs(value) <= 1);
      for (int a = 0; a < made->space.axes; ++a) {
        QVERIFY(std::isfinite(made->space.scale[static_cast<std::size_t>(a)]));
        QVERIFY(!made->space.names[static_cast<std::size_t>(a)].empty());
      }
    }
  }

  void oneDimensionIsAStrip() {
    const PointCloud cloud = cloudOf({{1, 2, 3, 4, 5, 6, 7, 8}});
    const auto points = makeDisplayPoints(cloud, defaultViewAxes(cloud));
    QVERIFY(points);
    QCOMPARE(points->space.axes, 1);
    std::set<float> heights;
    for (std::size_t i = 0; i < points->size(); ++i) {
      heights.insert(points->xyz[3 * i + 1]);
      QVERIFY(std::abs(points->xyz[3 * i + 1]) < 0.1F);
      QCOMPARE(points->xyz[3 * i + 2], 0.0F);
    }
    QCOMPARE(heights.size(), std::size_t{8});
  }

  void badAxesAreRefused_data() {
    QTest::addColumn<QList<int>>("dims");
    QTest::newRow("none") << QList<int>{};
    QTest::newRow("four") << QList<int>{0, 1, 2, 3};
    QTest::newRow("unknown") << QList<int>{0, 5};
    QTest::newRow("negative") << QList<int>{-1};
    QTest::newRow("twice") << QList<int>{2, 1, 2};
  }
  void badAxesAreRefused() {
    QFETCH(QList<int>, dims);
    const Blobs blobs = makeBlobs(20, 5, 2, 1);
    const auto made = makeDisplayPoints(blobs.cloud, dimensions({dims.begin(), dims.end()}));
    QVERIFY(!made);
    QCOMPARE(made.error().kind, ErrorKind::BadCall);
    QVERIFY(!made.error().message.empty());
  }

  void badCallsAreRefused() {
    QCOMPARE(makeDisplayPoints({}, dimensions({0})).error().kind, ErrorKind::BadInput);
    const Blobs blobs = makeBlobs(20, 5, 2, 1);
    QCOMPARE(makeDisplayPoints(blobs.cloud, pca(4)).error().kind, ErrorKind::BadCall);
    QCOMPARE(makeDisplayPoints(blobs.cloud, pca(0)).error().kind, ErrorKind::BadCall);
    std::stop_source stop;
    stop.request_stop();
    const Task stopped{stop.get_token(), {}};
    QCOMPARE(makeDisplayPoints(blobs.cloud, pca(), stopped).error().kind, ErrorKind::Cancelled);
  }

  void boxesHoldTheirClusters() {
    const Blobs blobs = makeBlobs(3000, 3, 3, 8);
    const auto points = makeDisplayPoints(blobs.cloud, defaultViewAxes(blobs.cloud));
    QVERIFY(points);
    const std::vector<std::int32_t> wanted{1};
    const DisplayBox box = boxOfLabels(*points, blobs.labels, wanted);
    for (int a = 0; a < 3; ++a) {
      const auto at = static_cast<std::size_t>(a);
      double low = 1e300;
      double high = -1e300;
      for (std::size_t i = 0; i < blobs.labels.size(); ++i) {
        if (blobs.labels[i] != 1) continue;
        low = std::min(low, blobs.cloud.columns[at][i]);
        high = std::max(high, blobs.cloud.columns[at][i]);
      }
      QVERIFY(std::abs(points->space.toValue(a, box.low[at]) - low) < 1e-5);
      QVERIFY(std::abs(points->space.toValue(a, box.high[at]) - high) < 1e-5);
    }
    // No such label: everything.
    const std::vector<std::int32_t> nobody{77};
    const DisplayBox all = boxOfLabels(*points, blobs.labels, nobody);
    QVERIFY(all.high[0] - all.low[0] > box.high[0] - box.low[0]);
  }
};

APPLESS_TEST(TestDisplaySpace);
#include "tst_display_space.moc"
