// Clustering group by group against every group on its own.
#include <QtTest/QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "engine/backend.h"
#include "engine/dbscan/point_groups.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

PointCloud lattice(std::mt19937_64& draw, std::size_t points, std::size_t dims) {
  PointCloud cloud;
  cloud.columns.assign(dims, std::vector<double>(points));
  for (auto& column : cloud.columns)
    for (double& x : column) x = static_cast<double>(draw() % 12);
  for (std::size_t j = 0; j < dims; ++j) cloud.names.push_back(std::to_string(j));
  return cloud;
}

/// Labels of every group on its own, clusters numbered by their lowest core point over all groups.
std::vector<std::int32_t> groupByGroup(const Backend& backend, const PointCloud& cloud,
                                       const PointGroups& groups, std::span<const double> weights,
                                       const DbscanParams& params) {
  std::vector<std::int32_t> labels(cloud.size(), kNoise);
  std::vector<bool> core(cloud.size());
  std::int32_t before = 0;
  for (std::uint32_t group = 0; group < groups.count; ++group) {
    PointCloud part{.columns = std::vector<Coordinates>(cloud.dims()), .names = cloud.names};
    std::vector<std::size_t> rows;
    std::vector<double> own;
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      if (groups.of[p] != group) continue;
      for (std::size_t j = 0; j < cloud.dims(); ++j) part.columns[j].push_back(cloud.columns[j][p]);
      rows.push_back(p);
      if (!weights.empty()) own.push_back(weights[p]);
    }
    if (rows.empty()) continue;
    const auto alone = dbscanOf(backend, part, own, params, {}, {});
    if (!alone) return {};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      core[rows[i]] = alone->roles[i] == PointRole::Core;
      if (alone->labels[i] >= 0) labels[rows[i]] = before + alone->labels[i];
    }
    before += alone->clusters;
  }
  std::vector<std::int32_t> number(static_cast<std::size_t>(before), -1);
  std::int32_t next = 0;
  for (std::size_t p = 0; p < labels.size(); ++p)
    if (core[p] && number[static_cast<std::size_t>(labels[p])] < 0)
      number[static_cast<std::size_t>(labels[p])] = next++;
  for (std::int32_t& label : labels)
    if (label >= 0) label = number[static_cast<std::size_t>(label)];
  return labels;
}

}  // namespace

class TestPointGroups : public QObject {
  Q_OBJECT
 private slots:
  void equalValuesAreAGroup();
  void labelsAreThoseOfEachGroup();
  void extremeEps();
  void tooManyDimensions();
};

void TestPointGroups::equalValuesAreAGroup() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PointGroups numbers = groupsOf(std::vector<double>{2, nan, 0.0, 2, -0.0, nan, 7});
  QCOMPARE(numbers.of, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 1, 3}));
  QCOMPARE(numbers.count, 4U);
  // Integers that no double holds apart.
  const std::int64_t large = std::int64_t{1} << 60;
  QCOMPARE(groupsOf(std::vector<std::int64_t>{large, large + 1, large}).of,
           (std::vector<std::uint32_t>{0, 1, 0}));
  QCOMPARE(groupsOf(Categories{{1, 0, 1}, {"oak", "ash"}}).of,
           (std::vector<std::uint32_t>{0, 1, 0}));
  QCOMPARE(groupsOf(std::vector<float>{}).count, 0U);
}

void TestPointGroups::labelsAreThoseOfEachGroup() {
  const auto backend = makeBackend("cpu", {});
  QVERIFY(backend.has_value());
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 draw(seed);
    const std::size_t dims = 1 + draw() % 5;
    const PointCloud cloud = lattice(draw, 1 + draw() % 400, dims);
    PointGroups groups{{}, static_cast<std::uint32_t>(1 + draw() % 9)};
    std::vector<double> weights;
    for (std::size_t p = 0; p < cloud.size(); ++p) {
      groups.of.push_back(static_cast<std::uint32_t>(draw() % groups.count));
      if (seed % 3 == 0) weights.push_back(static_cast<double>(draw() % 5) / 2);
    }
    // Distances tie with these ε.
    const DbscanParams params{std::sqrt(static_cast<double>(1 + draw() % 8)),
                              static_cast<std::int64_t>(1 + draw() % 6)};
    const auto apart = apartByGroup(cloud, groups, params.eps);
    QVERIFY(apart.has_value());
    const auto together = dbscanOf(**backend, *apart, weights, params, {}, {});
    QVERIFY(together.has_value());
    const auto expected = groupByGroup(**backend, cloud, groups, weights, params);
    QVERIFY2(together->labels == expected, qPrintable("seed " + QString::number(seed)));
  }
}

// The least and the largest ε that joins take, and coordinates of that size.
void TestPointGroups::extremeEps() {
  const auto backend = makeBackend("cpu", {});
  QVERIFY(backend.has_value());
  for (const double eps : {2e-154, 1.0, 1e154}) {
    const PointCloud cloud{.columns = {{0, eps, 0, eps, 3 * eps}}, .names = {"x"}};
    const PointGroups groups{{0, 0, 1, 2, 0}, 3};
    const auto apart = apartByGroup(cloud, groups, eps);
    QVERIFY(apart.has_value());
    const auto labels = (*backend)->dbscan(*apart, {eps, 1}, {}, {});
    QVERIFY2(labels.has_value(), labels ? "" : labels.error().message.c_str());
    QCOMPARE(labels->labels, (std::vector<std::int32_t>{0, 0, 1, 2, 3}));
  }
  for (const double eps : {0.0, -1.0, 1e155, std::numeric_limits<double>::quiet_NaN()})
    QVERIFY(!apartByGroup({.columns = {{0}}, .names = {"x"}}, {{0}, 1}, eps).has_value());
}

void TestPointGroups::tooManyDimensions() {
  const PointCloud cloud{.columns = std::vector<Coordinates>(kMaxDims, {0.0}),
                         .names = std::vector<std::string>(kMaxDims, "x")};
  const auto apart = apartByGroup(cloud, {{0}, 1}, 1);
  QVERIFY(!apart.has_value() && apart.error().kind == ErrorKind::TooLarge);
}

APPLESS_TEST(TestPointGroups);
#include "tst_point_groups.moc"
