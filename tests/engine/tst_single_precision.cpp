#include "engine/cpu/count_neighbours.h"  // includes TBB, which uses the word that Qt defines as emit

#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/point_distance.h"
#include "engine/cpu/brute_force.h"
#include "engine/grid/cell_geometry.h"
#include "engine/join/join_plan.h"
#include "engine/join/single_precision.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::unique_ptr<Backend> cpu() { return std::move(*makeBackend("cpu", {.threads = 2})); }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Clouds whose pairs lie on ε, next to it, or where floats are inaccurate.
struct Case {
  std::string name;
  PointCloud cloud;
  double eps = 1;
};

/// Points around `places`: each with others at exactly ε along the axes and across (3-4-5), and
/// one unit in the last place beside.
Case onTheBorder(const std::string& name, double origin, double unit, std::size_t dims) {
  std::vector<std::vector<double>> rows;
  for (int place = 0; place < 9; ++place) {
    std::vector<double> centre(dims, origin + 7.5 * unit * place);
    centre[0] += unit * place;
    rows.push_back(centre);
    for (std::size_t j = 0; j < dims; ++j)
      for (const double sign : {-1.0, 1.0})
        for (const double towards : {-kInf, 0.0, kInf}) {
          std::vector<double> other = centre;
          other[j] += sign * 0.625 * unit;
          if (towards != 0) other[j] = std::nextafter(other[j], towards);
          rows.push_back(other);
          other = centre;
          other[j] += sign * 0.375 * unit;
          other[(j + 1) % dims] += (j + 1 == dims ? 0.0 : 0.5) * unit;
          if (towards != 0) other[j] = std::nextafter(other[j], towards);
          rows.push_back(other);
        }
  }
  return {name, draws::fromRows(rows), 0.625 * unit};
}

/// n points whose coordinates are `origin` plus whole numbers of `step`, up to `most` of them.
PointCloud steps(std::size_t n, const std::vector<double>& origin, double step, std::uint64_t most,
                 std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> rows(n, origin);
  for (auto& row : rows)
    for (double& x : row) x += step * static_cast<double>(random() % most);
  return draws::fromRows(rows);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back(onTheBorder("on the border", 0, 1, 2));
  all.push_back(onTheBorder("on the border, 3-D, off the origin", 4096, 1, 3));
  all.push_back(onTheBorder("on the border, far below float", 0, 0x1p-400, 2));
  all.push_back(onTheBorder("on the border, far above float", 0, 0x1p400, 2));
  all.push_back({"one point", draws::fromRows({{3, 4}}), 1});
  const PointCloud lattice = steps(260, {0, 0, 0}, 1, 7, 1);
  all.push_back({"lattice", lattice, std::sqrt(2.0)});
  all.push_back({"lattice, just inside", lattice, std::nextafter(std::sqrt(2.0), 0.0)});
  std::mt19937_64 random(5);
  all.push_back({"duplicates", draws::draw(random, "duplicates", 200, 3), 1e-3});
  all.push_back(
      {"one place", draws::fromRows(std::vector<std::vector<double>>(40, {5e5, 4.6e6})), 0.5});
  all.push_back({"UTM metres", steps(400, {5e5, 4.6e6}, 0.1, 60, 2), 0.5});
  // Two towns, 300 km apart.
  PointCloud towns = steps(400, {5e5, 4.6e6}, 0.1, 60, 3);
  for (std::size_t p = 0; p < 400; p += 2) towns.columns[0][p] += 3e5;
  all.push_back({"two towns", towns, 0.5});
  all.push_back({"ε 3e-150", steps(200, {0, 0}, 1e-150, 30, 4), 3e-150});
  all.push_back({"ε 3e150", steps(200, {-1e151, 0}, 1e150, 30, 4), 3e150});
  all.push_back(
      {"90 dimensions", steps(120, std::vector<double>(90, 0.0), 0.1, 4, 6), std::sqrt(2.1)});
  all.push_back({"6 dimensions", draws::draw(random, "blobs", 250, 6), 1.1});
  // Coordinates of cells up to 2³¹, where rounding moves the corners of cells by 2⁻²³ of a side.
  std::vector<std::vector<double>> far{{0}};
  for (int i = 0; i < 200; ++i) far.push_back({draws::nudged(random, 1e9 - 0.25 * (i % 40))});
  all.push_back({"two thousand million cells", draws::fromRows(far), 0.5});
  return all;
}

/// Neighbours by distances in float alone, of coordinates rounded to float.
std::uint64_t pairsInFloat(const PointCloud& cloud, double eps) {
  const auto squaredEps = static_cast<float>(eps) * static_cast<float>(eps);
  std::uint64_t pairs = 0;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::size_t q = 0; q < cloud.size(); ++q) {
      float sum = 0;
      for (const auto& column : cloud.columns) {
        const float difference = static_cast<float>(column[p]) - static_cast<float>(column[q]);
        sum += difference * difference;
      }
      pairs += sum <= squaredEps;
    }
  return pairs;
}

/// The two corners of a box as a cloud.
PointCloud corners(const Bounds& bounds) { return draws::fromRows({bounds.low, bounds.high}); }

float sumInFloat(const SinglePrecision& single, const std::vector<double>& p,
                 const std::vector<double>& q, bool fused) {
  float sum = 0;
  for (std::size_t i = 0; i < single.columns.size(); ++i) {
    const OffsetColumn& column = single.columns[i];
    const auto j = static_cast<std::size_t>(column.dimension);
    const float d = foldedDifference(offsetOf(column, single.scale, p[j]),
                                     offsetOf(column, single.scale, q[j]), single.blocks[i]);
    sum = fused ? std::fma(d, d, sum) : addSquare(sum, d);
  }
  return sum;
}

}  // namespace

/// Precision 32: the answers are those of 64 bits, the band is proven and is needed, and where it
/// would be too wide, 64 bits are used and the run says so.
class TestSinglePrecision : public QObject {
  Q_OBJECT

 private slots:
  void everyStrategyGivesTheJudgesAnswer_data() {
    QTest::addColumn<int>("which");
    int which = 0;
    for (const Case& c : cases()) QTest::newRow(c.name.c_str()) << which++;
  }
  void everyStrategyGivesTheJudgesAnswer() {
    QFETCH(int, which);
    const auto [name, cloud, eps] = cases()[static_cast<std::size_t>(which)];
    const auto backend = cpu();
    const auto clustering = bruteForceDbscan(cloud, {eps, 4});
    const auto counts = bruteForceCounts(cloud, eps);
    const auto pairs = bruteForcePairs(cloud, eps);
    QVERIFY(clustering && counts && pairs);
    const int most = static_cast<int>(std::min<std::size_t>(cloud.dims(), 8));
    for (const AccessPattern pattern : strategies::kPatterns)
      for (const int k : {1, most})
        for (const Toggle sortIdu : strategies::kOnOff)
          for (const Toggle shortCircuit : strategies::kOnOff)
            for (const Toggle reorder : strategies::kOnOff) {
              if (k == 8 && pattern != AccessPattern::Tile) continue;  // 3⁸ cells per query
              const Strategy strategy{.pattern = pattern,
                                      .indexedDims = k,
                                      .reorder = reorder,
                                      .sortIdu = sortIdu,
                                      .shortCircuit = shortCircuit,
                                      .precision = Precision::Single};
              std::string what = agreement::ofDbscan(*backend, cloud, *clustering, strategy);
              if (what.empty())
                what = agreement::ofJoins(*backend, cloud, eps, *counts, *pairs, strategy);
              QVERIFY2(what.empty(), what.c_str());
              if (k < most) continue;
              const auto counted = backend->count(cloud, eps, strategy, {});
              QVERIFY2(contains(counted->stats.strategy, "32-bit"), counted->stats.note.c_str());
            }
  }

  // Distances in float alone are wrong, be it of plain coordinates or of our offsets.
  void floatAloneIsWrong() {
    const PointCloud cloud = steps(400, {5e5, 4.6e6}, 0.1, 60, 2);
    const double eps = 0.5;
    const auto expected = bruteForceCounts(cloud, eps);
    QVERIFY(expected.has_value());
    QVERIFY(pairsInFloat(cloud, eps) != expected->pairs);

    const Bounds bounds = boundsOf(cloud);
    const SinglePrecision single =
        singlePrecisionFor(*makeCellGeometry(cloud, bounds, eps, 1, {0, 1}), bounds, eps, {});
    const auto at = [&](std::size_t p) {
      return std::vector<double>{cloud.columns[0][p], cloud.columns[1][p]};
    };
    const auto squaredEps = static_cast<float>(eps * single.scale * eps * single.scale);
    int wrong = 0;
    for (std::size_t p = 0; p < cloud.size(); ++p)
      for (std::size_t q = 0; q < cloud.size(); ++q) {
        const double truth = canonicalSquaredDistance(cloud, p, q);
        if (truth > 2 * eps * eps) continue;  // possibly not in adjacent cells
        const float sum = sumInFloat(single, at(p), at(q), false);
        wrong += (sum <= squaredEps) != withinEps(truth, eps * eps);
      }
    QVERIFY(wrong > 0);

    const auto found = cpu()->count(cloud, eps, {.precision = Precision::Single}, {});
    QVERIFY(found.has_value());
    QVERIFY(found->counts == expected->counts);
  }

  // What the band decides, the predicate decides in the same way: pairs in adjacent cells of grids
  // of all shapes, most of them very close to ε, summed with and without fusing.
  void bandIsProven_data() {
    QTest::addColumn<int>("dims");
    for (const int dims : {1, 2, 3, 6, 20, 90, 128}) QTest::addRow("%d dimensions", dims) << dims;
  }
  void bandIsProven() {
    QFETCH(int, dims);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims));
    const auto n = static_cast<std::size_t>(dims);
    int decided = 0, asked = 0, needed = 0, across = 0;
    for (int grid = 0; grid < 60; ++grid) {
      const int k = 1 + static_cast<int>(random() % std::min<std::size_t>(n, 8));
      const double eps =
          std::ldexp(1 + draws::unit(random), static_cast<int>(random() % 200) - 100);
      Bounds bounds;
      std::vector<int> indexed;
      for (std::size_t j = 0; j < n; ++j) {
        // Up to 2²⁰ cells, and far from the origin; as many as there may be in one dimension.
        const double cells =
            std::pow(2.0, (dims == 1 ? 30.0 : std::min(20.0, 55.0 / k)) * draws::unit(random));
        const double range = eps * (static_cast<int>(j) < k ? cells : 10 * draws::unit(random));
        bounds.low.push_back(random() % 2 ? 0.0 : (draws::unit(random) - 0.5) * 100 * range);
        bounds.high.push_back(bounds.low[j] + range);
        if (static_cast<int>(j) < k) indexed.push_back(static_cast<int>(j));
      }
      // Cells of one length, or the bounds alone would not say where the cells are.
      const CellGeometry geometry = *makeCellGeometry(corners(bounds), bounds, eps, 1, indexed);
      QVERIFY(std::ranges::all_of(geometry.slices, [](const auto& s) { return s.empty(); }));
      const SinglePrecision single = singlePrecisionFor(geometry, bounds, eps, {});
      if (!(single.band <= kWidestBand)) continue;
      for (int pair = 0; pair < 1500; ++pair) {
        std::vector<double> p(n), q(n), towards(n);
        double length = 0;
        for (std::size_t j = 0; j < n; ++j) {
          p[j] = bounds.low[j] + draws::unit(random) * (bounds.high[j] - bounds.low[j]);
          towards[j] = draws::normal(random);
          length += towards[j] * towards[j];
        }
        const double far = random() % 4 == 0 ? 2 * draws::unit(random) * std::sqrt(dims)
                                             : 1 + (draws::unit(random) - 0.5) *
                                                       std::pow(10.0, -9 * draws::unit(random));
        bool adjacent = true;
        for (std::size_t j = 0; j < n; ++j) {
          q[j] = p[j] + eps * far * towards[j] / std::sqrt(length);
          q[j] = std::min(std::max(q[j], bounds.low[j]), bounds.high[j]);
          if (static_cast<int>(j) >= k) continue;
          const auto a = static_cast<std::int64_t>(geometry.coordinate(p[j], j));
          const auto b = static_cast<std::int64_t>(geometry.coordinate(q[j], j));
          adjacent = adjacent && std::abs(a - b) <= 1;
          across += (a - 1) / 4 != (b - 1) / 4;
        }
        if (!adjacent) continue;
        const bool inside = withinEps(
            canonicalSquaredDistance(
                n, [&](std::size_t j) { return p[j]; }, [&](std::size_t j) { return q[j]; }),
            eps * eps);
        for (const bool fused : {false, true}) {
          const float sum = sumInFloat(single, p, q, fused);
          if (sum <= single.acceptBelow) QVERIFY(inside);
          if (sum > single.rejectAbove) QVERIFY(!inside);
          (sum <= single.acceptBelow || sum > single.rejectAbove ? decided : asked) += 1;
          const double plain = eps * single.scale;
          needed += (static_cast<double>(sum) <= plain * plain) != inside;
        }
      }
    }
    QVERIFY(decided > 1000);
    QVERIFY(asked > 100);   // some pairs were close enough for the band …
    QVERIFY(needed > 10);   // … and for some float would have been wrong
    QVERIFY(across > 100);  // differences were folded
  }

  // The band of cells alone is a few units of float; it grows with what is not indexed.
  void bandIsNarrow() {
    for (const int n : {1, 2, 3, 6, 8}) {
      Bounds bounds{std::vector<double>(std::size_t(n), 4.6e6),
                    std::vector<double>(std::size_t(n), 4.6e6 + 20)};
      std::vector<int> dims;
      for (int j = 0; j < n; ++j) dims.push_back(j);
      const double indexed =
          singlePrecisionFor(*makeCellGeometry(corners(bounds), bounds, 0.5, 1, dims), bounds, 0.5,
                             {})
              .band;
      QVERIFY(indexed > 1e-7 && indexed < 1e-5);
      bounds.low.push_back(0);
      bounds.high.push_back(1000);
      const double more =
          singlePrecisionFor(*makeCellGeometry(corners(bounds), bounds, 0.5, 1, dims), bounds, 0.5,
                             {})
              .band;
      QVERIFY(more > 50 * indexed && more < kWidestBand);
    }
  }

  void wideBandsTake64Bits() {
    // One dimension spans 2 × 10⁶ ε; a float offset along it says nothing about ε.
    const PointCloud cloud = [] {
      PointCloud wide = steps(300, {0, 0}, 0.125, 60, 8);
      for (std::size_t p = 0; p < wide.size(); p += 3) wide.columns[1][p] += 1e6;
      return wide;
    }();
    const double eps = 0.5;
    const auto backend = cpu();
    const auto judge = bruteForceCounts(cloud, eps);
    const auto labels = bruteForceDbscan(cloud, {eps, 4});
    for (const int k : {1, 2}) {
      const Strategy strategy{
          .indexedDims = k, .reorder = Toggle::Off, .precision = Precision::Single};
      const auto says = [&](const RunStats& stats) {
        return contains(stats.note, "64 bits") == (k == 1) &&
               contains(stats.strategy, "32-bit") == (k == 2);
      };
      const auto counts = backend->count(cloud, eps, strategy, {});
      const auto pairs = backend->pairs(cloud, eps, strategy, {});
      const auto table = backend->neighbourTable(cloud, eps, strategy, {});
      const auto clustering = backend->dbscan(cloud, {eps, 4}, strategy, {});
      QVERIFY(counts && pairs && table && clustering);
      QVERIFY2(says(counts->stats), counts->stats.note.c_str());
      QVERIFY2(says(pairs->stats), pairs->stats.note.c_str());
      QVERIFY2(says(table->stats), table->stats.note.c_str());
      QVERIFY2(says(clustering->stats), clustering->stats.note.c_str());
      QVERIFY(counts->counts == judge->counts);
      QCOMPARE(pairs->pairs.size(), judge->pairs);
      QCOMPARE(table->ids.size(), judge->pairs);
      QVERIFY(clustering->labels == labels->labels);
    }
  }

  void slicesStayIn32Bits() {
    // Ids of cells of one length would overflow: the dimensions are cut into slices.
    const PointCloud cloud = draws::fromRows(
        {{0, 0, 0}, {1e-5, 0, 0}, {1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}, {0, 2e-5, 0}, {5, 5e8, 1}});
    const auto found =
        cpu()->count(cloud, 2e-5, {.indexedDims = 3, .precision = Precision::Single}, {});
    const auto judge = bruteForceCounts(cloud, 2e-5);
    QVERIFY(found && judge);
    QVERIFY(found->counts == judge->counts);
    QVERIFY2(contains(found->stats.strategy, "32-bit"), found->stats.note.c_str());
    QVERIFY2(found->stats.note.empty(), found->stats.note.c_str());
  }

  void denseCellsAreFor64Bits() {
    const PointCloud cloud = steps(200, {0, 0}, 0.125, 60, 9);
    const auto plan = planJoin(cloud, 0.5, {.precision = Precision::Single}, SinkKind::Dbscan,
                               cpu()->limits(), {});
    QVERIFY(plan.has_value());
    QVERIFY(plan->strategy.denseCells == Toggle::Off);
    QVERIFY(plan->strategy.precision == Precision::Single);
    const auto refused = cpu()->dbscan(
        cloud, {0.5, 4}, {.denseCells = Toggle::On, .precision = Precision::Single}, {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::BadCall);
    QVERIFY2(contains(refused.error().message, "64 bits"), refused.error().message.c_str());
  }

  void aBackendMayDoWithout() {
    const auto refused =
        checkStrategy({.precision = Precision::Single}, SinkKind::Counts, {.name = "plain"}, 2);
    QVERIFY(!refused);
    QVERIFY2(contains(refused.error().message, "precision 64"), refused.error().message.c_str());
  }

  // With thresholds that accept everything, every candidate is a neighbour: so it is the sum in
  // float that decides, by every pattern and in the counts of tiles too.
  void floatDecides_data() {
    QTest::addColumn<int>("pattern");
    for (int pattern = 0; pattern < 4; ++pattern)
      QTest::addRow("%s", toText(AccessPattern(pattern)).c_str()) << pattern;
  }
  void floatDecides() {
    QFETCH(int, pattern);
    const PointCloud cloud = steps(300, {0, 0}, 0.125, 60, 10);
    auto plan = planJoin(
        cloud, 0.5,
        {.pattern = AccessPattern(pattern), .sortIdu = Toggle::Off, .precision = Precision::Single},
        SinkKind::Counts, cpu()->limits(), {});
    QVERIFY(plan.has_value());
    const auto countAll = [&] {
      const auto join = prepareCpuJoin(cloud, 0.5, *plan, {});
      std::vector<std::uint32_t> counts(cloud.size(), 0);
      if (!join || !countNeighbours(**join, "counting", counts, ~std::uint32_t{0}, {})) return 0ULL;
      return std::accumulate(counts.begin(), counts.end(), 0ULL);
    };
    const auto honest = cpu()->count(cloud, 0.5, plan->strategy, {});
    QVERIFY(honest.has_value());
    QCOMPARE(countAll(), static_cast<unsigned long long>(honest->pairs));
    QVERIFY(honest->pairs < honest->candidates);
    plan->single.acceptBelow = plan->single.rejectAbove = std::numeric_limits<float>::infinity();
    QCOMPARE(countAll(), static_cast<unsigned long long>(honest->candidates));
  }
};

APPLESS_TEST(TestSinglePrecision);
#include "tst_single_precision.moc"
