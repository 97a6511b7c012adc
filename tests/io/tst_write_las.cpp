// LAS files that the program writes, looked at byte by byte, and round trips of all point formats.
#include <QTest>
#include <algorithm>
#include <stop_token>

#include "engine/cloud/las_origin.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// The lengths of the point records, from the LAS 1.4 R15 specification's tables.
constexpr std::array<int, 11> kRecordBytes{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

template <class T>
T valueAt(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// A description of a column of extra bytes.
std::string extra(const std::string& name, int type, int options = 0, double scale = 0,
                  double offset = 0) {
  Bytes b;
  b.zeros(2).add(static_cast<std::uint8_t>(type)).add(static_cast<std::uint8_t>(options));
  b.text(name).zeros(32 - name.size()).zeros(4 + 3 * 24);
  b.add(scale).zeros(16).add(offset).zeros(16).text("words").zeros(27);
  return b.str();
}

std::string record(const std::string& user, int id, const std::string& content) {
  Bytes b;
  b.zeros(2).text(user).zeros(16 - user.size()).add(static_cast<std::uint16_t>(id));
  b.add(static_cast<std::uint16_t>(content.size())).zeros(32).text(content);
  return b.str();
}

constexpr std::size_t kPoints = 300;

/// A file whose every byte of every point is drawn, with a coordinate system and extra bytes of
/// several types. Fields that are doubles and floats are finite.
std::string drawnFile(int minor, int format, bool extras) {
  const std::size_t headerBytes = minor == 4 ? 375 : minor == 3 ? 235 : 227;
  const std::string system = record("LASF_Projection", 2112, "WKT of a system");
  const std::string described =
      extras ? record("LASF_Spec", 4,
                      extra("height", 6, 8 | 16, 0.001, 100) + extra("count", 5) +
                          extra("ratio", 9) + extra("word", 2))
             : "";
  const int own = kRecordBytes[static_cast<std::size_t>(format)];
  const int bytes = own + (extras ? 13 : 0);
  Bytes b;
  b.text("LASF").add(std::uint16_t{7}).add(static_cast<std::uint16_t>(format >= 6 ? 17 : 1));
  b.text("0123456789abcdef");
  b.add(std::uint8_t{1}).add(static_cast<std::uint8_t>(minor)).text("a scanner").zeros(23 + 32);
  b.add(std::uint16_t{61}).add(std::uint16_t{2023}).add(static_cast<std::uint16_t>(headerBytes));
  b.add(static_cast<std::uint32_t>(headerBytes + system.size() + described.size()));
  b.add(std::uint32_t{extras ? 2u : 1u});
  b.add(static_cast<std::uint8_t>(format)).add(static_cast<std::uint16_t>(bytes));
  b.add(static_cast<std::uint32_t>(format < 6 ? kPoints : 0)).zeros(20);
  b.add(0.01).add(0.001).add(0.25).add(500000.0).add(5400000.0).add(-10.0).zeros(48);
  if (minor >= 3) b.zeros(8);
  if (minor == 4) b.zeros(12).add(std::uint64_t{kPoints}).zeros(15 * 8);
  b.text(system).text(described);
  std::mt19937_64 random(static_cast<std::uint64_t>(100 * minor + format));
  for (std::size_t i = 0; i < kPoints; ++i) {
    std::string point;
    while (point.size() < static_cast<std::size_t>(bytes)) point += static_cast<char>(random());
    const auto setDouble = [&](std::size_t where) {
      const double value = 1e-3 * static_cast<double>(random() >> 20);
      std::memcpy(point.data() + where, &value, sizeof value);
    };
    const auto setFloat = [&](std::size_t where) {
      const float value = 1e-3F * static_cast<float>(random() >> 40);
      std::memcpy(point.data() + where, &value, sizeof value);
    };
    if (format == 1 || (format >= 3 && format <= 5)) setDouble(20);
    if (format >= 6) setDouble(22);
    if (format == 4 || format == 5 || format >= 9) {
      const auto waves = static_cast<std::size_t>(own - 29);
      // Doubles hold 53 bits of the offset.
      point[waves + 7] = 0;
      point[waves + 8] = 0;
      for (std::size_t f = 0; f < 4; ++f) setFloat(waves + 13 + 4 * f);
    }
    if (extras) setFloat(static_cast<std::size_t>(own) + 8);
    b.text(point);
  }
  return b.str();
}

std::vector<std::string> pointsOf(const std::string& bytes) {
  const std::size_t start = valueAt<std::uint32_t>(bytes, 96);
  const std::size_t length = valueAt<std::uint16_t>(bytes, 105);
  std::vector<std::string> points;
  for (std::size_t from = start; from + length <= bytes.size(); from += length)
    points.push_back(bytes.substr(from, length));
  return points;
}

}  // namespace

class TestWriteLas : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void everyFormatComesBackBitForBit_data();
  void everyFormatComesBackBitForBit();
  void headerOfWhatWasNotLas();
  void otherColumnsAreExtraBytes();
  void valuesThatDoNotFit();
  void heightsThatAreMissing();
  void returnsBesideFlags();
  void changedScale();
  void clustersOnly();
  void tooManyColumns();
  void stopped();
};

void TestWriteLas::everyFormatComesBackBitForBit_data() {
  QTest::addColumn<int>("minor");
  QTest::addColumn<int>("format");
  QTest::addColumn<bool>("extras");
  for (int format = 0; format <= 10; ++format)
    for (int minor = format >= 6 ? 4 : format >= 4 ? 3 : 2; minor <= 4; ++minor)
      for (const bool extras : {false, true})
        QTest::addRow("1.%d, format %d%s", minor, format, extras ? ", extra bytes" : "")
            << minor << format << extras;
}

void TestWriteLas::everyFormatComesBackBitForBit() {
  QFETCH(int, minor);
  QFETCH(int, format);
  QFETCH(bool, extras);
  const std::string original = drawnFile(minor, format, extras);
  const auto dataset = readBytes(original, {}, "a.las");
  REQUIRE_OK(dataset);
  REQUIRE_OK(writeLabelled(at("b.las"), *dataset, labelsFor(kPoints), {}));
  const std::string written = readFile(at("b.las"));
  QCOMPARE(int(written[25]), minor);
  QCOMPARE(int(written[104]), format);
  QCOMPARE(written.substr(4, 2), original.substr(4, 2));
  QCOMPARE(written.substr(8, 16), original.substr(8, 16));
  QCOMPARE(written.substr(26, 32), original.substr(26, 32));
  QCOMPARE(written.substr(90, 4), original.substr(90, 4));
  QCOMPARE(written.substr(131, 48), original.substr(131, 48));  // scale and offset
  QVERIFY(has(written, "WKT of a system"));
  const auto before = pointsOf(original);
  const auto after = pointsOf(written);
  QCOMPARE(after.size(), before.size());
  for (std::size_t i = 0; i < kPoints; ++i) {
    QCOMPARE(after[i].size(), before[i].size() + 5);
    QVERIFY2(after[i].starts_with(before[i]), std::to_string(i).c_str());
    QCOMPARE(valueAt<std::int32_t>(after[i], before[i].size()), std::int32_t(i % 4) - 1);
    QCOMPARE(int(after[i].back()), i % 4 == 0 ? 0 : 2);
  }
  // And once more, with all columns.
  const auto again = readDataset(at("b.las"));
  REQUIRE_OK(again);
  QCOMPARE(again->cloud.columns, dataset->cloud.columns);
  QCOMPARE(again->attributes.size(), dataset->attributes.size() + 2);
  for (std::size_t a = 0; a < dataset->attributes.size(); ++a) {
    QCOMPARE(again->attributes[a].name, dataset->attributes[a].name);
    QVERIFY(sameBits(numbersOf(*again, a), numbersOf(*dataset, a)));
  }
  QCOMPARE(again->attributes.back().name, std::string("role"));
  // Compressed, too.
  REQUIRE_OK(writeLabelled(at("b.laz"), *dataset, labelsFor(kPoints), {}));
  const auto unpacked = readDataset(at("b.laz"));
  REQUIRE_OK(unpacked);
  QCOMPARE(unpacked->source.format, std::string("laz"));
  REQUIRE_OK(writeDataset(at("c.las"), *again));
  REQUIRE_OK(writeDataset(at("d.las"), *unpacked));
  QCOMPARE(readFile(at("d.las")), readFile(at("c.las")));
}

void TestWriteLas::headerOfWhatWasNotLas() {
  Dataset dataset;
  dataset.cloud.columns = {{1, 2.5, -3}, {10, 20, 30}};
  dataset.cloud.names = {"east", "north"};
  dataset.inputRows = 3;
  REQUIRE_OK(writeDataset(at("a.las"), dataset));
  const std::string bytes = readFile(at("a.las"));
  QCOMPARE(bytes.size(), 375u + 3 * 30);
  QCOMPARE(bytes.substr(0, 4), std::string("LASF"));
  QCOMPARE(int(bytes[24]), 1);
  QCOMPARE(int(bytes[25]), 4);
  QCOMPARE(valueAt<std::uint16_t>(bytes, 94), 375);
  QCOMPARE(valueAt<std::uint32_t>(bytes, 96), 375u);
  QCOMPARE(int(bytes[104]), 6);
  QCOMPARE(valueAt<std::uint16_t>(bytes, 105), 30);
  QCOMPARE(valueAt<std::uint32_t>(bytes, 107), 0u);  // the old field is not used with format 6
  QCOMPARE(valueAt<std::uint64_t>(bytes, 247), std::uint64_t{3});
  QCOMPARE(valueAt<std::uint64_t>(bytes, 255), std::uint64_t{3});  // all are first returns
  QCOMPARE(int(bytes[375 + 14]), 0x11);
  QCOMPARE(valueAt<double>(bytes, 179), 2.5);
  QCOMPARE(valueAt<double>(bytes, 187), -3.0);
  const auto read = readDataset(at("a.las"));
  REQUIRE_OK(read);
  // Decimals of few digits come back as the nearest sums of the scale.
  for (std::size_t i = 0; i < 3; ++i) {
    QVERIFY(std::abs(read->cloud.columns[0][i] - dataset.cloud.columns[0][i]) < 5e-9);
    QVERIFY(std::abs(read->cloud.columns[1][i] - dataset.cloud.columns[1][i]) < 2e-8);
    QCOMPARE(read->cloud.columns[2][i], 0.0);
  }
}

void TestWriteLas::otherColumnsAreExtraBytes() {
  Dataset dataset;
  dataset.cloud.columns = {{1, 2}, {3, 4}, {5, 6}, {0.1, 0.2}};
  dataset.cloud.names = {"a", "b", "c", "fourth"};
  dataset.attributes.push_back({"intensity", std::vector<double>{7, 65535}});
  dataset.attributes.push_back({"kind", Categories{{1, 0}, {"oak", "fir"}}});
  dataset.attributes.push_back({"label", std::vector<double>{1.5, 2.5}});
  dataset.inputRows = 2;
  REQUIRE_OK(writeLabelled(at("e.las"), dataset, labelsFor(2),
                           {.onlyClusters = {}, .provenance = {{"eps", "0.5"}}}));
  const auto read = readDataset(at("e.las"));
  REQUIRE_OK(read);
  std::vector<std::string> names;
  for (const Attribute& attribute : read->attributes) names.push_back(attribute.name);
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  QCOMPARE(numbersOf(*read, 0), (std::vector<double>{7, 65535}));
  QCOMPARE(numbersOf(*read, has("fourth")), (std::vector<double>{0.1, 0.2}));
  QCOMPARE(wordsOf(*read, has("kind")), (std::vector<std::string>{"fir", "oak"}));
  QCOMPARE(numbersOf(*read, has("input_label")), (std::vector<double>{1.5, 2.5}));
  QCOMPARE(numbersOf(*read, has("label")), (std::vector<double>{-1, 0}));
  const std::string bytes = readFile(at("e.las"));
  QVERIFY(testing::has(bytes, "eps: 0.5\n"));
  QVERIFY(testing::has(bytes, "2 kind\noak\nfir\n"));
}

void TestWriteLas::valuesThatDoNotFit() {
  auto dataset = readBytes(drawnFile(2, 1, false), {}, "a.las");
  REQUIRE_OK(dataset);
  // An intensity with a fraction cannot be one of LAS; nothing else changes.
  std::vector<double> intensity = numbersOf(*dataset, 0);
  intensity[5] = 0.5;
  dataset->attributes[0].values = intensity;
  REQUIRE_OK(writeDataset(at("f.las"), *dataset));
  const auto read = readDataset(at("f.las"));
  REQUIRE_OK(read);
  QCOMPARE(read->attributes[0].name, std::string("intensity"));
  QCOMPARE(numbersOf(*read, 0)[5], 0.0);
  QCOMPARE(read->attributes.back().name, std::string("input_intensity"));
  QVERIFY(sameBits(numbersOf(*read, read->attributes.size() - 1), numbersOf(*dataset, 0)));
}

/// Integers of a position have no value that stands for none.
void TestWriteLas::heightsThatAreMissing() {
  Dataset dataset;
  dataset.cloud.columns = {{1, 2, 3}, {4, 5, 6}};
  dataset.cloud.names = {"x", "y"};
  dataset.inputRows = 3;
  const std::vector<double> heights{1.5, std::nan(""), 2.5};
  dataset.attributes = {{"z", heights}};
  REQUIRE_OK(writeDataset(at("h.las"), dataset));
  QCOMPARE(valueAt<double>(readFile(at("h.las")), 131 + 16), 1.0);
  auto read = readDataset(at("h.las"));
  REQUIRE_OK(read);
  QCOMPARE(read->attributes.back().name, std::string("input_z"));
  QVERIFY(sameBits(numbersOf(*read, read->attributes.size() - 1), heights));
  // Those of the points that are written decide.
  Clustering clustering;
  clustering.labels = {0, -1, 0};
  REQUIRE_OK(writeLabelled(at("h.las"), dataset, clustering, {{0}, {}}));
  read = readDataset(at("h.las"));
  REQUIRE_OK(read);
  QVERIFY(std::abs(read->cloud.columns[2][0] - 1.5) < 1e-8);
  QVERIFY(std::abs(read->cloud.columns[2][1] - 2.5) < 1e-8);
}

/// They share a byte in the older formats.
void TestWriteLas::returnsBesideFlags() {
  auto dataset = readBytes(drawnFile(2, 1, false), {}, "a.las");
  REQUIRE_OK(dataset);
  std::erase_if(dataset->attributes, [](const Attribute& attribute) {
    return attribute.name == "return_number" || attribute.name == "number_of_returns";
  });
  dataset->columnOrder.clear();
  REQUIRE_OK(writeDataset(at("r.las"), *dataset));
  const auto read = readDataset(at("r.las"));
  REQUIRE_OK(read);
  const auto values = [](const Dataset& of, const std::string& name) {
    for (std::size_t a = 0; a < of.attributes.size(); ++a)
      if (of.attributes[a].name == name) return numbersOf(of, a);
    return std::vector<double>();
  };
  for (const char* const flag : {"scan_direction_flag", "edge_of_flight_line"})
    QCOMPARE(values(*read, flag), values(*dataset, flag));
  for (const char* const returns : {"return_number", "number_of_returns"})
    QCOMPARE(values(*read, returns), std::vector<double>(kPoints, 1));
}

void TestWriteLas::changedScale() {
  auto dataset = readBytes(drawnFile(4, 7, false), {}, "a.las");
  REQUIRE_OK(dataset);
  dataset->cloud.columns[1][9] += 1e-5;  // between two steps of the scale
  REQUIRE_OK(writeDataset(at("s.las"), *dataset));
  const auto read = readDataset(at("s.las"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0], dataset->cloud.columns[0]);
  for (std::size_t i = 0; i < kPoints; ++i)
    QVERIFY(std::abs(read->cloud.columns[1][i] - dataset->cloud.columns[1][i]) <= 0.006);
  QCOMPARE(read->cloud.columns[2], dataset->cloud.columns[2]);
}

void TestWriteLas::clustersOnly() {
  const auto dataset = readBytes(drawnFile(2, 3, true), {}, "a.las");
  REQUIRE_OK(dataset);
  REQUIRE_OK(writeLabelled(at("c.las"), *dataset, labelsFor(kPoints), {{2}, {}}));
  const auto read = readDataset(at("c.las"));
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.size(), kPoints / 4);
  QCOMPARE(read->cloud.columns[0][1], dataset->cloud.columns[0][7]);
  REQUIRE_OK(writeLabelled(at("none.las"), *dataset, labelsFor(kPoints), {{99}, {}}));
  QCOMPARE(pointsOf(readFile(at("none.las"))).size(), 0u);
}

void TestWriteLas::tooManyColumns() {
  Dataset dataset;
  dataset.cloud.columns = {{1}, {2}, {3}};
  dataset.cloud.names = {"x", "y", "z"};
  dataset.inputRows = 1;
  for (int a = 0; a < 342; ++a)
    dataset.attributes.push_back({"a" + std::to_string(a), std::vector<double>{1}});
  const auto written = writeDataset(at("m.las"), dataset);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(written.error().message, "341 more at most");
  dataset.attributes.pop_back();
  REQUIRE_OK(writeDataset(at("m.las"), dataset));
  QCOMPARE(readDataset(at("m.las"))->attributes.back().name, std::string("a340"));
}

void TestWriteLas::stopped() {
  const auto dataset = readBytes(drawnFile(2, 3, true), {}, "a.las");
  REQUIRE_OK(dataset);
  std::stop_source stop;
  Task task;
  task.stop = stop.get_token();
  task.progress = [&](std::string_view, double) { stop.request_stop(); };
  const auto written = writeLabelled(at("t.las"), *dataset, labelsFor(kPoints), {}, task);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::Cancelled);
}

GUILESS_TEST(TestWriteLas);
#include "tst_write_las.moc"
