// Generated clouds: the same bits everywhere, the statistics they promise, and clear refusals.
#include <QtTest/QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

#include "engine/cloud/generators.h"
#include "engine/cloud/plain_math.h"
#include "engine/cloud/random_stream.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

Dataset make(const std::string& kind, std::size_t points, std::size_t dims,
             std::uint64_t seed = 1) {
  Result<Dataset> data = generate({kind, points, dims, seed});
  if (!data) qFatal("%s", data.error().message.c_str());
  return std::move(*data);
}

/// FNV-1a over the bit patterns of all coordinates, column by column.
std::uint64_t hashOf(const PointCloud& cloud) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const auto& column : cloud.columns)
    for (const double x : column) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      for (int byte = 0; byte < 8; ++byte) {
        hash ^= (bits >> (8 * byte)) & 0xff;
        hash *= 0x100000001b3ULL;
      }
    }
  return hash;
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double varianceOf(const std::vector<double>& values) {
  const double mean = meanOf(values);
  double sum = 0.0;
  for (const double x : values) sum += (x - mean) * (x - mean);
  return sum / static_cast<double>(values.size());
}

const std::vector<double>& truthOf(const Dataset& data) {
  return std::get<std::vector<double>>(data.attributes.at(0).values);
}

}  // namespace

class TestGenerators : public QObject {
  Q_OBJECT

 private slots:
  void logIsAccurate();
  void cosSinIsAccurate();
  void normalDrawsAreNormal();
  void drawsBelowAreEven();
  void goldenBits_data();
  void goldenBits();
  void seedsDiffer();
  void longerCloudsStartTheSame();
  void everyKindIsValidAtItsLimits();
  void uniformStatistics();
  void exponentialStatistics();
  void exponentialCandidates_data();
  void exponentialCandidates();
  void latticeIsALattice();
  void ringsHaveTheirRadii();
  void moonsInterleave();
  void blobsAreWhereTruthSays();
  void badSpecsAreRefused_data();
  void badSpecsAreRefused();
  void cancelStops();
};

void TestGenerators::logIsAccurate() {
  RandomStream random(7, 0);
  for (int i = 0; i < 200000; ++i) {
    const double x =
        i % 2 == 0 ? random.uniform(1e-9, 2.0) : std::ldexp(1.0 - random.uniform(), -i % 900);
    if (x < 1e-300) continue;
    const double truth = std::log(x);
    QVERIFY2(std::abs(plainLog(x) - truth) <= 8 * 0x1p-53 * std::abs(truth),
             qPrintable(QString::number(x, 'g', 17)));
  }
  QCOMPARE(plainLog(1.0), 0.0);
}

void TestGenerators::cosSinIsAccurate() {
  const double pi = std::acos(-1.0);
  RandomStream random(8, 0);
  for (int i = 0; i < 100000; ++i) {
    const double turns = random.uniform(-3.0, 3.0);
    const double whole = std::floor(turns);
    const CosSin got = plainCosSin(turns);
    QVERIFY(std::abs(got.cos - std::cos(2 * pi * (turns - whole))) < 4e-15);
    QVERIFY(std::abs(got.sin - std::sin(2 * pi * (turns - whole))) < 4e-15);
  }
  for (int quarter = -8; quarter <= 8; ++quarter) {
    const CosSin got = plainCosSin(quarter * 0.25);
    const int turn = ((quarter % 4) + 4) % 4;
    QCOMPARE(got.cos, turn == 0 ? 1.0 : turn == 2 ? -1.0 : 0.0);
    QCOMPARE(got.sin, turn == 1 ? 1.0 : turn == 3 ? -1.0 : 0.0);
  }
}

void TestGenerators::normalDrawsAreNormal() {
  constexpr int kDraws = 400000;
  RandomStream random(9, 3);
  double sum = 0, square = 0, fourth = 0;
  int within = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    within += std::abs(x) < 1.0;
  }
  QVERIFY(std::abs(sum / kDraws) < 5 / std::sqrt(kDraws));
  QVERIFY(std::abs(square / kDraws - 1) < 5 * std::sqrt(2.0 / kDraws));
  QVERIFY(std::abs(fourth / kDraws - 3) < 5 * std::sqrt(96.0 / kDraws));
  QVERIFY(std::abs(double(within) / kDraws - 0.682689492) < 5 * 0.466 / std::sqrt(kDraws));
}

void TestGenerators::drawsBelowAreEven() {
  std::map<std::uint32_t, int> seen;
  RandomStream random(10, 0);
  for (int i = 0; i < 60000; ++i) ++seen[random.below(6)];
  QCOMPARE(seen.size(), std::size_t{6});
  QCOMPARE(seen.rbegin()->first, 5u);
  for (const auto& [value, count] : seen) QVERIFY(std::abs(count - 10000) < 500);
}

/// The bits that g++ at -O0 and -O3 and clang++ at -O2 agreed on. If they change, clouds that
/// people quote by kind and seed are no longer the same.
void TestGenerators::goldenBits_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("dims");
  QTest::addColumn<quint64>("hash");
  QTest::newRow("unif 2-D") << "unif" << 2 << quint64{0x531a26ad6a8aa7fe};
  QTest::newRow("unif 3-D") << "unif" << 3 << quint64{0xa8a2a757bc9898c0};
  QTest::newRow("unif 6-D") << "unif" << 6 << quint64{0xb53230f4980a3dfe};
  QTest::newRow("expo 2-D") << "expo" << 2 << quint64{0x3adadd4ad82c4ab6};
  QTest::newRow("expo 3-D") << "expo" << 3 << quint64{0xb7f09a33a4543107};
  QTest::newRow("expo 6-D") << "expo" << 6 << quint64{0x959283e4edac4862};
  QTest::newRow("blobs 2-D") << "blobs" << 2 << quint64{0x1a37626c4b1be281};
  QTest::newRow("blobs 3-D") << "blobs" << 3 << quint64{0x18f355bdfeacfdc2};
  QTest::newRow("blobs 6-D") << "blobs" << 6 << quint64{0x7bdf611e5f65cac8};
  QTest::newRow("moons 2-D") << "moons" << 2 << quint64{0x33ad8346d3c7f66d};
  QTest::newRow("moons 3-D") << "moons" << 3 << quint64{0x61e0384fff0c1c0a};
  QTest::newRow("moons 6-D") << "moons" << 6 << quint64{0x6717af9e9a8334f1};
  QTest::newRow("rings 2-D") << "rings" << 2 << quint64{0xa2a1c898f2a4cac0};
  QTest::newRow("rings 3-D") << "rings" << 3 << quint64{0x4573f92c08921d61};
  QTest::newRow("rings 6-D") << "rings" << 6 << quint64{0x9d621c1c9e4297a1};
  QTest::newRow("varied 2-D") << "varied" << 2 << quint64{0xdf269ffe6dbb9090};
  QTest::newRow("varied 3-D") << "varied" << 3 << quint64{0x006a35dcd3479c54};
  QTest::newRow("varied 6-D") << "varied" << 6 << quint64{0xc42429acf6f4e996};
  QTest::newRow("lattice 2-D") << "lattice" << 2 << quint64{0xf94fd1af9be5701c};
  QTest::newRow("lattice 3-D") << "lattice" << 3 << quint64{0x13c2fb57cc1affde};
  QTest::newRow("spiral 2-D") << "spiral" << 2 << quint64{0x5aed720f8ffa3d20};
  QTest::newRow("spiral 3-D") << "spiral" << 3 << quint64{0xa679f6801ed9b8f5};
  QTest::newRow("shapes 2-D") << "shapes" << 2 << quint64{0x2da5e8ff4062bfa2};
  QTest::newRow("shapes 3-D") << "shapes" << 3 << quint64{0x7e4783e9c3ac4e6e};
}

void TestGenerators::goldenBits() {
  QFETCH(QString, kind);
  QFETCH(int, dims);
  QFETCH(quint64, hash);
  const Dataset data = make(kind.toStdString(), 5000, dims, 42);
  QCOMPARE(QString::number(hashOf(data.cloud), 16), QString::number(hash, 16));
}

void TestGenerators::seedsDiffer() {
  for (const GeneratorKind& kind : generatorKinds()) {
    const auto one = hashOf(make(kind.name, 500, kind.minDims, 1).cloud);
    const auto same = hashOf(make(kind.name, 500, kind.minDims, 1).cloud);
    const auto other = hashOf(make(kind.name, 500, kind.minDims, 2).cloud);
    QCOMPARE(one, same);
    if (kind.name == "lattice")
      QCOMPARE(one, other);  // nothing is drawn
    else
      QVERIFY2(one != other, kind.name.c_str());
  }
}

void TestGenerators::longerCloudsStartTheSame() {
  for (const GeneratorKind& kind : generatorKinds()) {
    if (kind.name == "lattice") continue;  // its side grows with the points
    const Dataset brief = make(kind.name, 100, kind.minDims);
    const Dataset full = make(kind.name, 10000, kind.minDims);
    for (std::size_t j = 0; j < kind.minDims; ++j)
      QVERIFY(std::equal(brief.cloud.columns[j].begin(), brief.cloud.columns[j].end(),
                         full.cloud.columns[j].begin()));
  }
}

void TestGenerators::everyKindIsValidAtItsLimits() {
  for (const GeneratorKind& kind : generatorKinds()) {
    QVERIFY(!kind.summary.empty());
    for (const std::size_t dims : {kind.minDims, kind.maxDims})
      for (const std::size_t points : {std::size_t{1}, std::size_t{2}, std::size_t{777}}) {
        const Dataset data = make(kind.name, points, dims);
        QVERIFY(validate(data.cloud).has_value());
        QCOMPARE(data.cloud.size(), points);
        QCOMPARE(data.cloud.dims(), dims);
        QCOMPARE(data.cloud.names.size(), dims);
        QCOMPARE(data.inputRows, points);
        QCOMPARE(data.columnOrder.size(), dims + data.attributes.size());
        QVERIFY(data.skippedRows.empty());
        QCOMPARE(data.source.format, std::string("generated"));
        for (const Attribute& attribute : data.attributes)
          QCOMPARE(std::get<std::vector<double>>(attribute.values).size(), points);
      }
  }
}

void TestGenerators::uniformStatistics() {
  constexpr std::size_t kPoints = 200000;
  const Dataset data = make("unif", kPoints, 3, 5);
  const double n = static_cast<double>(kPoints);
  const double variance = 1e4 / 12;
  for (const auto& column : data.cloud.columns) {
    QVERIFY(*std::min_element(column.begin(), column.end()) >= 0.0);
    QVERIFY(*std::max_element(column.begin(), column.end()) < 100.0);
    QVERIFY(std::abs(meanOf(column) - 50.0) < 5 * std::sqrt(variance / n));
    QVERIFY(std::abs(varianceOf(column) / variance - 1) < 5 * std::sqrt(0.8 / n));
  }
  // Dimensions are independent of each other.
  double product = 0.0;
  for (std::size_t i = 0; i < kPoints; ++i)
    product += (data.cloud.columns[0][i] - 50.0) * (data.cloud.columns[1][i] - 50.0);
  QVERIFY(std::abs(product / n / variance) < 5 / std::sqrt(n));
}

void TestGenerators::exponentialStatistics() {
  constexpr std::size_t kPoints = 200000;
  const Dataset data = make("expo", kPoints, 2, 6);
  const double n = static_cast<double>(kPoints);
  for (const auto& column : data.cloud.columns) {
    QVERIFY(*std::min_element(column.begin(), column.end()) >= 0.0);
    QVERIFY(std::abs(meanOf(column) - 0.025) < 5 * 0.025 / std::sqrt(n));
    QVERIFY(std::abs(varianceOf(column) / 0.000625 - 1) < 5 * std::sqrt(8.0 / n));
    // The median of an exponential variable is log 2 / λ.
    std::vector<double> sorted = column;
    std::nth_element(sorted.begin(), sorted.begin() + kPoints / 2, sorted.end());
    QVERIFY(std::abs(sorted[kPoints / 2] - std::log(2.0) / 40) < 5 * 0.025 / std::sqrt(n));
  }
}

void TestGenerators::exponentialCandidates_data() {
  QTest::addColumn<int>("points");
  QTest::addColumn<int>("dims");
  QTest::addColumn<double>("eps");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("1-D") << 200000 << 1 << 0.0005 << 0.01;
  QTest::newRow("2-D, epsilon of the papers") << 400000 << 2 << 0.002 << 0.01;
  QTest::newRow("2-D, wide cells") << 100000 << 2 << 0.01 << 0.02;
  QTest::newRow("4-D") << 100000 << 4 << 0.01 << 0.04;
}

/// The candidates of the full pattern, counted cell by cell, against the expected number
/// N + N(N − 1)·[(1 − q)(1 + 2q)/(1 + q)]^k with q = e^(−40 ε).
void TestGenerators::exponentialCandidates() {
  QFETCH(int, points);
  QFETCH(int, dims);
  QFETCH(double, eps);
  QFETCH(double, tolerance);
  const Dataset data = make("expo", points, dims, 11);
  std::map<std::vector<int>, double> cells;
  for (int i = 0; i < points; ++i) {
    std::vector<int> cell(dims);
    for (int j = 0; j < dims; ++j)
      cell[j] = static_cast<int>(std::floor(data.cloud.columns[j][i] / eps));
    cells[cell] += 1;
  }
  double candidates = 0;
  int adjacent = 1;
  for (int j = 0; j < dims; ++j) adjacent *= 3;
  for (const auto& [cell, count] : cells)
    for (int a = 0; a < adjacent; ++a) {
      std::vector<int> other = cell;
      for (int j = 0, digits = a; j < dims; ++j, digits /= 3) other[j] += digits % 3 - 1;
      const auto found = cells.find(other);
      if (found != cells.end()) candidates += count * found->second;
    }
  const double q = std::exp(-40 * eps);
  const double n = points;
  const double expected = n + n * (n - 1) * std::pow((1 - q) * (1 + 2 * q) / (1 + q), dims);
  const double ratio = candidates / expected;
  QVERIFY2(std::abs(ratio - 1) < tolerance, qPrintable(QString::number(ratio, 'g', 8)));
}

void TestGenerators::latticeIsALattice() {
  const Dataset square = make("lattice", 100, 2);
  for (int i = 0; i < 100; ++i) {
    const int row = i / 10;
    QCOMPARE(square.cloud.columns[0][i], double(i % 10));
    QCOMPARE(square.cloud.columns[1][i], double(row));
  }
  const Dataset cube = make("lattice", 28, 3);  // one more than 3³: side 4
  QCOMPARE(*std::max_element(cube.cloud.columns[0].begin(), cube.cloud.columns[0].end()), 3.0);
  const Dataset line = make("lattice", 1000, 1);
  QCOMPARE(line.cloud.columns[0].back(), 999.0);
}

void TestGenerators::ringsHaveTheirRadii() {
  for (const std::size_t dims : {std::size_t{2}, std::size_t{3}}) {
    const Dataset data = make("rings", 6000, dims);
    const std::vector<double>& truth = truthOf(data);
    int seen[3] = {0, 0, 0};
    for (std::size_t i = 0; i < data.cloud.size(); ++i) {
      double square = 0;
      for (const auto& column : data.cloud.columns) square += column[i] * column[i];
      const int ring = static_cast<int>(truth[i]);
      ++seen[ring];
      QVERIFY(std::abs(std::sqrt(square) - (ring + 1)) < 0.06 * 6);
    }
    QVERIFY(std::abs(seen[0] - 1000) < 200 && std::abs(seen[1] - 2000) < 250);
  }
}

void TestGenerators::moonsInterleave() {
  const Dataset data = make("moons", 4000, 2);
  const std::vector<double>& truth = truthOf(data);
  double reach[2] = {1e9, -1e9};  // the lowest x of the lower moon, the highest of the upper
  for (std::size_t i = 0; i < data.cloud.size(); ++i) {
    const double x = data.cloud.columns[0][i];
    const double y = data.cloud.columns[1][i];
    const bool lower = truth[i] == 1;
    const double radius = lower ? std::hypot(x - 1.0, y - 0.5) : std::hypot(x, y);
    QVERIFY(std::abs(radius - 1.0) < 0.06 * 6);
    if (lower) reach[0] = std::min(reach[0], x);
    if (!lower) reach[1] = std::max(reach[1], x);
  }
  QVERIFY(reach[0] < reach[1] - 0.5);
}

void TestGenerators::blobsAreWhereTruthSays() {
  for (const char* kind : {"blobs", "varied", "shapes", "spiral"}) {
    const Dataset data = make(kind, 20000, 2);
    const std::vector<double>& truth = truthOf(data);
    std::map<int, int> sizes;
    for (const double t : truth) ++sizes[static_cast<int>(t)];
    const std::map<std::string, std::pair<int, double>> promised = {
        {"blobs", {8, 0.04}}, {"varied", {6, 0.05}}, {"shapes", {8, 0.08}}, {"spiral", {3, 0.0}}};
    const auto [components, noise] = promised.at(kind);
    QCOMPARE(static_cast<int>(sizes.size()), components + (noise > 0));
    QVERIFY(std::abs(sizes[-1] / 20000.0 - noise) < 0.01);
    for (const auto& [component, size] : sizes)
      if (component >= 0) QVERIFY2(size > 500, kind);
  }
  // The six clusters of "varied" spread 1.8 times as far, one after the other.
  const Dataset data = make("varied", 60000, 2);
  const std::vector<double>& truth = truthOf(data);
  for (int c = 0; c < 6; ++c) {
    std::vector<double> xs;
    for (std::size_t i = 0; i < truth.size(); ++i)
      if (truth[i] == c) xs.push_back(data.cloud.columns[0][i]);
    QVERIFY(std::abs(std::sqrt(varianceOf(xs)) / (0.4 * std::pow(1.8, c)) - 1) < 0.04);
  }
}

void TestGenerators::badSpecsAreRefused_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<quint64>("points");
  QTest::addColumn<quint64>("dims");
  QTest::addColumn<QString>("says");
  QTest::newRow("unknown kind") << "blob" << quint64{10} << quint64{2} << "blobs";
  QTest::newRow("no points") << "unif" << quint64{0} << quint64{2} << "points";
  QTest::newRow("too many") << "unif" << (quint64{1} << 31) << quint64{2} << "points";
  QTest::newRow("huge") << "unif" << ~quint64{0} << quint64{2} << "points";
  QTest::newRow("no dimension") << "unif" << quint64{10} << quint64{0} << "dimensions";
  QTest::newRow("4097 dimensions") << "unif" << quint64{10} << quint64{4097} << "4096";
  QTest::newRow("flat rings") << "rings" << quint64{10} << quint64{1} << "2 to 4096";
  QTest::newRow("4-D spiral") << "spiral" << quint64{10} << quint64{4} << "2 to 3";
}

void TestGenerators::badSpecsAreRefused() {
  QFETCH(QString, kind);
  QFETCH(quint64, points);
  QFETCH(quint64, dims);
  QFETCH(QString, says);
  const Result<Dataset> data = generate({kind.toStdString(), points, dims, 1});
  QVERIFY(!data.has_value());
  QCOMPARE(data.error().kind, ErrorKind::BadCall);
  QVERIFY2(QString::fromStdString(data.error().message).contains(says),
           data.error().message.c_str());
}

void TestGenerators::cancelStops() {
  std::stop_source source;
  double heard = -1;
  Task task;
  task.stop = source.get_token();
  task.progress = [&](std::string_view, double fraction) {
    heard = fraction;
    if (fraction > 0.2) source.request_stop();
  };
  const Result<Dataset> data = generate({"blobs", 2000000, 3, 1}, task);
  QVERIFY(!data.has_value());
  QCOMPARE(data.error().kind, ErrorKind::Cancelled);
  QVERIFY(heard > 0.2 && heard < 0.25);
}

APPLESS_TEST(TestGenerators);
#include "tst_generators.moc"
