#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cloud_draws.h"
#include "engine/grid/slices.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Case {
  const char* name;
  std::vector<double> values;
  double eps;
};

std::vector<double> draw(const char* kind, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return draws::draw(random, kind, n, 1).columns[0];
}

std::vector<Case> cases() {
  const double max = std::numeric_limits<double>::max();
  std::vector<Case> all;
  // Cells of side exactly ε from 0 on would lose the pair of the second and the third.
  all.push_back({"a ulp below 1", {0.0, 1.0 - 0x1p-53, 2.0}, 1.0});
  all.push_back({"one value", {7.5}, 0.1});
  all.push_back({"equal values", std::vector<double>(50, -3e9), 1e-9});
  all.push_back({"two zeros", {-0.0, 0.0, 1e-300}, 1e-150});
  std::vector<double> ties;
  for (int i = 0; i < 60; ++i) ties.push_back(0.1 * i);
  all.push_back({"a lattice of ε", ties, 0.1});
  all.push_back({"a lattice of half ε", ties, 0.2});
  all.push_back({"a lattice and gaps", ties, 0.05});
  all.push_back({"ends of double", {-max / 2, -1e300, 0, 1e-300, 1e300, max / 2}, 1e-3});
  all.push_back({"the last double", {0, 1, max}, 1});
  all.push_back({"ε below a unit in the last place", {1e17, 1e17 + 16, 1e17 + 32, 1e18}, 1});
  all.push_back({"ε near a unit in the last place", {1e16, 1e16 + 2, 1e16 + 4, 1e16 + 6}, 2.5});
  // Bounds near 0 have far smaller units than what they are measured from.
  all.push_back({"across 0", {-1.0000000000000002, -0.5, -1e-20, 0, 1e-20, 0.5, 1}, 1.0 / 3});
  for (const std::string& kind : draws::kAllKinds)
    all.push_back({kind.c_str(), draw(kind.c_str(), 700, 3), 0.3});
  std::mt19937_64 random(8);
  std::vector<double> corners;
  for (int i = 0; i < 600; ++i)
    corners.push_back(draws::nudged(random, 1e6 + 0.25 * static_cast<double>(random() % 300)));
  all.push_back({"corners of cells", corners, 0.25});
  return all;
}

std::vector<double> boundsOf(const SliceList& list) {
  std::vector<double> bounds;
  for (const Slice& slice : list.slices) bounds.push_back(slice.begin);
  bounds.push_back(list.end);
  return bounds;
}

/// What the contract of slices says that does not hold, or nothing.
QString broken(const SliceList& list, std::vector<double> values, double eps, int reach) {
  const std::vector<double> bounds = boundsOf(list);
  const auto slices = static_cast<std::uint32_t>(list.slices.size());
  if (!std::is_sorted(bounds.begin(), bounds.end())) return "bounds do not ascend";
  const auto r = static_cast<std::size_t>(reach);
  for (std::size_t i = 1; i + r < slices; ++i) {
    const double width = bounds[i + r] - bounds[i];
    if (!(width * width > eps * eps)) return QString("slices from %1 on are too narrow").arg(i);
  }
  std::sort(values.begin(), values.end());
  if (bounds.front() != values.front()) return "the first slice begins elsewhere";
  std::vector<std::uint64_t> points(slices);
  for (const double x : values) {
    const std::uint32_t s = sliceOf(bounds.data(), slices, x);
    ++points[s];
    if (!(bounds[s] <= x && (x < bounds[s + 1] || s + 1 == slices))) return "a wrong slice";
    const Slice& slice = list.slices[s];
    if (slice.points == 0) return "a point in an empty slice";
    if (x < slice.low || x > slice.high) return "a point outside its slice's span";
  }
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = a + 1; b < values.size(); ++b) {
      const double difference = values[b] - values[a];
      if (difference * difference > eps * eps) break;
      if (sliceOf(bounds.data(), slices, values[b]) - sliceOf(bounds.data(), slices, values[a]) >
          static_cast<std::uint32_t>(reach))
        return QString("%1 and %2 are neighbours too far apart").arg(values[a]).arg(values[b]);
    }
  return {};
}

SliceList narrow(const std::vector<double>& values, double eps, int reach) {
  return *narrowestSlices(*stretchesOf(values, eps / 4, {}), eps, reach, {});
}

}  // namespace

/// Adaptive slices: no accepted pair is further apart than the reach, whatever is rounded or
/// merged, and gaps stay gaps.
class Slices : public QObject {
  Q_OBJECT

 private slots:
  void stretchesHoldEveryValueOnce_data() { names(); }
  void stretchesHoldEveryValueOnce() {
    QFETCH(int, which);
    const auto [name, values, eps] = cases()[static_cast<std::size_t>(which)];
    const auto stretches = *stretchesOf(values, eps / 4, {});
    std::uint64_t points = 0;
    for (const Stretch& stretch : stretches) {
      QVERIFY(stretch.low <= stretch.high && stretch.high - stretch.low <= eps / 4);
      points += stretch.points;
    }
    QCOMPARE(points, std::uint64_t(values.size()));
    QVERIFY(std::is_sorted(stretches.begin(), stretches.end(),
                           [](const Stretch& a, const Stretch& b) { return a.low < b.low; }));
    for (const double x : values)
      QVERIFY(std::any_of(stretches.begin(), stretches.end(), [x](const Stretch& stretch) {
        return stretch.low <= x && x <= stretch.high;
      }));
  }

  void keepTheContract_data() { names(); }
  void keepTheContract() {
    QFETCH(int, which);
    const auto [name, values, eps] = cases()[static_cast<std::size_t>(which)];
    for (int reach = 1; reach <= 3; ++reach) {
      const SliceList list = narrow(values, eps, reach);
      const QString fault = broken(list, values, eps, reach);
      QVERIFY2(fault.isEmpty(), qPrintable(fault));
      for (const std::size_t most : {1U, 2U, 5U, 20U, 100U}) {
        const SliceList merged = *mergedSlices(list, most, {});
        QVERIFY(merged.slices.size() <= most || merged.slices.size() == list.slices.size());
        QVERIFY(list.slices.size() <= most || merged.slices.size() <= most);
        const QString after = broken(merged, values, eps, reach);
        QVERIFY2(after.isEmpty(), qPrintable(after));
      }
    }
  }

  // Values drawn onto the bounds of slices and next to them, again and again.
  void keepTheContractAroundTheirOwnBounds() {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::mt19937_64 random(seed);
      const double eps = std::ldexp(1 + draws::unit(random), static_cast<int>(random() % 60) - 30);
      const double origin = random() % 3 == 0 ? 0 : std::pow(10, 16 * draws::unit(random)) * eps;
      const int reach = 1 + static_cast<int>(random() % 3);
      std::vector<double> values{origin};
      for (int i = 0; i < 20; ++i) values.push_back(origin + 12 * eps * draws::unit(random));
      for (int round = 0; round < 4; ++round) {
        const SliceList list = narrow(values, eps, reach);
        const QString fault = broken(list, values, eps, reach);
        QVERIFY2(fault.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(fault)));
        for (const double bound : boundsOf(list)) {
          values.push_back(bound);
          values.push_back(std::nextafter(bound, kInf));
          values.push_back(std::nextafter(bound, -kInf));
        }
      }
    }
  }

  void denseSlicesAreNarrowAndGapsAreEmpty() {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(5 + 0.01 * i);  // 10 ε
    values.push_back(3.4e38);
    values.push_back(-1e10);
    for (int reach = 1; reach <= 3; ++reach) {
      const SliceList list = narrow(values, 1, reach);
      const auto r = static_cast<std::size_t>(reach);
      std::size_t occupied = 0;
      for (const Slice& slice : list.slices) {
        if (slice.points == 0) continue;
        ++occupied;
        QVERIFY(slice.high - slice.low <= (1 + 1e-12) / reach);
      }
      QCOMPARE(occupied, 10 * r + 2);
      QCOMPARE(list.slices.size(), 10 * r + 2 + 2 * r);  // and two gaps
      // Merging leaves dense slices alone and unites the sparse ones, or nothing when there is
      // room.
      QCOMPARE(mergedSlices(list, 1000, {})->slices.size(), list.slices.size());
    }
  }

  void sparseSlicesAreMergedEvenly() {
    std::vector<double> values = draw("log-normal", 20000, 5);
    const SliceList list = narrow(values, 1e-3, 1);
    QVERIFY(list.slices.size() > 10000);
    for (const std::size_t most : {64U, 500U, 4000U}) {
      const SliceList merged = *mergedSlices(list, most, {});
      QVERIFY(merged.slices.size() <= most);
      QVERIFY(merged.slices.size() > most / 5);
      for (const Slice& slice : merged.slices)
        QVERIFY(slice.high - slice.low <= 1.001e-3 || slice.points <= 12 * values.size() / most);
    }
  }

  void lookupFindsTheLastBoundAtOrBelow() {
    for (std::uint32_t count = 1; count < 40; ++count) {
      std::vector<double> bounds;
      for (std::uint32_t i = 0; i <= count; ++i) bounds.push_back(i);
      for (std::uint32_t i = 0; i < count; ++i) {
        QCOMPARE(sliceOf(bounds.data(), count, i), i);
        QCOMPARE(sliceOf(bounds.data(), count, i + 0.5), i);
      }
      QCOMPARE(sliceOf(bounds.data(), count, 1e300), count - 1);
      // Several at a time, also where they do not fill the last round.
      std::vector<double> values;
      for (std::uint32_t v = 0; v < 2 * count + 5; ++v)
        values.push_back(0.5 * (v * 7 % (2 * count)));
      std::vector<std::uint32_t> found(values.size());
      slicesOf(bounds, values, 0, found);
      for (std::size_t v = 0; v < values.size(); ++v)
        QCOMPARE(found[v], sliceOf(bounds.data(), count, values[v]));
    }
  }

  void stops() {
    const std::vector<double> values = draw("log-normal", 5000, 1);
    std::stop_source source;
    source.request_stop();
    const Task task{source.get_token(), {}};
    const auto stretches = *stretchesOf(values, 0.25, {});
    const SliceList list = narrow(values, 1, 1);
    for (const auto& error :
         {stretchesOf(values, 0.25, task).error(), narrowestSlices(stretches, 1, 1, task).error(),
          mergedSlices(list, 10, task).error()})
      QCOMPARE(error.kind, ErrorKind::Cancelled);
  }

 private:
  static void names() {
    QTest::addColumn<int>("which");
    int which = 0;
    for (const Case& c : cases()) QTest::newRow(c.name) << which++;
  }
};

APPLESS_TEST(Slices);
#include "tst_slices.moc"
