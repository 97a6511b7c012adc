#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::Bytes;
using testing::messageOf;
using testing::sameBits;

namespace {

Result<Dataset> readLas(const std::string& bytes, const ReadOptions& options = {}) {
  return testing::readBytes(bytes, options, "cloud.las");
}

/// The lengths of the point records, from the LAS 1.4 R15 specification's tables.
constexpr std::array<int, 11> kRecordBytes{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

struct Las {
  int minor = 2;
  int format = 0;
  int extraBytes = 0;  // after each point
  std::uint32_t points = 3;
  std::size_t vlrBytes = 0;  // between header and points
  bool pointsIn64 = false;   // 1.4 keeps the number in its own field
  double scale = 0.01;
};

/// A public header block and its points, by the specification's table.
std::string make(const Las& las) {
  const std::size_t headerBytes = las.minor == 4 ? 375 : las.minor == 3 ? 235 : 227;
  const int record = kRecordBytes[static_cast<std::size_t>(las.format)] + las.extraBytes;
  Bytes b;
  b.text("LASF").add(std::uint16_t{0}).add(std::uint16_t{0}).zeros(16);  // source, encoding, GUID
  b.add(std::uint8_t{1})
      .add(static_cast<std::uint8_t>(las.minor))
      .zeros(64);  // version, system, software
  b.add(std::uint16_t{100}).add(std::uint16_t{2024}).add(static_cast<std::uint16_t>(headerBytes));
  b.add(static_cast<std::uint32_t>(headerBytes + las.vlrBytes))
      .add(std::uint32_t{las.vlrBytes > 0 ? 1u : 0u});
  b.add(static_cast<std::uint8_t>(las.format)).add(static_cast<std::uint16_t>(record));
  b.add(las.pointsIn64 ? 0u : las.points).zeros(20);
  b.add(las.scale).add(0.001).add(0.5).add(500000.0).add(5400000.0).add(-10.0).zeros(48);
  if (las.minor >= 3) b.zeros(8);
  if (las.minor == 4) b.zeros(12).add(std::uint64_t{las.points}).zeros(15 * 8);
  b.zeros(las.vlrBytes);
  for (std::uint32_t i = 0; i < las.points; ++i) {
    const auto k = static_cast<std::int32_t>(i);
    b.add(1314963 + k).add(-31501 * k).add(k - 1).add(static_cast<std::uint16_t>(65535 - i));
    if (las.format < 6)
      b.add(std::uint8_t{0xff})
          .add(static_cast<std::uint8_t>(0xe0 | (i + 2)));  // flags above the class
    else
      b.add(std::uint8_t{0xff}).add(std::uint8_t{0xff}).add(static_cast<std::uint8_t>(200 + i));
    b.zeros(static_cast<std::size_t>(record) - (las.format < 6 ? 16 : 17));
  }
  return b.str();
}

}  // namespace

class TestReadLas : public QObject {
  Q_OBJECT

 private slots:
  void everyFormat();
  void attributes();
  void manyPoints();
  void badHeaders();
  void lyingHeaders();
  void truncatedAnywhere();
  void wrongExtension();
  void preview();
};

void TestReadLas::everyFormat() {
  for (int minor = 0; minor <= 4; ++minor)
    for (int format = 0; format <= 10; ++format)
      for (const int extra : {0, 7})
        for (const bool pointsIn64 : {false, true}) {
          if (pointsIn64 && minor < 4) continue;
          Las las;
          las.minor = minor;
          las.format = format;
          las.extraBytes = extra;
          las.vlrBytes = 54 + static_cast<std::size_t>(extra);
          las.pointsIn64 = pointsIn64;
          const auto dataset = readLas(make(las));
          REQUIRE_OK(dataset);
          QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y", "z"}));
          for (std::size_t i = 0; i < 3; ++i) {
            const int k = static_cast<int>(i);
            // In double and in this order, without a fused multiply-add.
            const volatile double x = (1314963 + k) * 0.01;
            const volatile double y = (-31501.0 * k) * 0.001;
            QCOMPARE(dataset->cloud.columns[0][i], x + 500000.0);
            QCOMPARE(dataset->cloud.columns[1][i], y + 5400000.0);
            QCOMPARE(dataset->cloud.columns[2][i], (k - 1) * 0.5 - 10);
            QCOMPARE(testing::numbersOf(*dataset, 0)[i], 65535.0 - k);
            QCOMPARE(testing::numbersOf(*dataset, 1)[i], format < 6 ? k + 2.0 : 200.0 + k);
          }
          QCOMPARE(dataset->source.format, std::string("las"));
        }
}

void TestReadLas::attributes() {
  ReadOptions options;
  auto dataset = readLas(make({}), options);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->attributes[0].name, std::string("intensity"));
  QCOMPARE(dataset->attributes[1].name, std::string("classification"));
  options.keepOthers = false;
  options.coordinates = {"x", "z", "intensity"};
  dataset = readLas(make({}), options);
  REQUIRE_OK(dataset);
  QVERIFY(dataset->attributes.empty());
  QCOMPARE(dataset->cloud.columns[2][1], 65534.0);
}

void TestReadLas::manyPoints() {
  Las las;
  las.points = 60'000;
  las.format = 7;
  las.minor = 4;
  const auto dataset = readLas(make(las));
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.size(), 60'000u);
  QCOMPARE(dataset->cloud.columns[2][59'999], 59'998 * 0.5 - 10);
}

void TestReadLas::badHeaders() {
  const auto with = [](std::size_t at, const std::string& bytes) {
    std::string file = make({});
    file.replace(at, bytes.size(), bytes);
    const auto dataset = readLas(file);
    return dataset ? std::string("read") : messageOf(dataset);
  };
  REQUIRE_PART(with(24, "\2"), "is LAS 2.2; 1.0 to 1.4 are read");
  REQUIRE_PART(with(25, "\5"), "is LAS 1.5");
  REQUIRE_PART(with(25, "\4"), "the header says it has 227 bytes, LAS 1.4 needs 375");
  REQUIRE_PART(with(94, std::string("\x10\0", 2)), "the header says it has 16 bytes");
  REQUIRE_PART(with(104, "\x0b"), "has point format 11; 0 to 10 are known");
  REQUIRE_PART(with(105, std::string("\x13\0", 2)),
               "a point has 19 bytes, but point format 0 needs 20");
  REQUIRE_PART(with(96, std::string("\x10\0\0\0", 4)), "the points start at byte 16");
  REQUIRE_PART(with(96, "\xff\xff\xff\xff"), "the points start at byte 4294967295");
  REQUIRE_PART(with(131, Bytes().add(0.0).str()), "scale or offset of x");
  REQUIRE_PART(with(139, Bytes().add(static_cast<double>(NAN)).str()), "scale or offset of y");
  REQUIRE_PART(with(171, Bytes().add(static_cast<double>(INFINITY)).str()), "scale or offset of z");
  REQUIRE_PART(with(107, std::string(4, '\0')), "there are no data rows");
  // A scale so large that a coordinate overflows is found where it happens.
  REQUIRE_PART(with(131, Bytes().add(1e308).str()),
               "row 0 (counted from 0), column 0 (\"x\"): the coordinate is infinite");
}

void TestReadLas::lyingHeaders() {
  std::string bytes = make({});
  bytes.replace(107, 4, "\xff\xff\xff\xff");
  REQUIRE_PART(messageOf(readLas(bytes)), "the header promises 4294967295 rows of 20 bytes");
  Las las;
  las.minor = 4;
  bytes = make(las);
  bytes.replace(247, 8, std::string(8, '\xff'));
  REQUIRE_PART(messageOf(readLas(bytes)), "the header promises 18446744073709551615 rows");
}

void TestReadLas::truncatedAnywhere() {
  for (const int minor : {2, 4}) {
    Las las;
    las.minor = minor;
    const std::string bytes = make(las);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto dataset = readLas(bytes.substr(0, length));
      QVERIFY2(!dataset, std::to_string(length).c_str());
      QVERIFY(testing::has(messageOf(dataset), "cloud.las: "));
    }
  }
}

void TestReadLas::wrongExtension() {
  REQUIRE_PART(messageOf(readLas("x,y\n1,2\n")), "does not begin with \"LASF\"");
}

void TestReadLas::preview() {
  const auto preview = previewFrom(*memorySource("a.las", make({})), {}, 1);
  REQUIRE_OK(preview);
  QCOMPARE(preview->rows, (std::vector<std::vector<std::string>>{{"513149.63", "5400000", "-10.5",
                                                                  "65535", "2", "7", "7", "1", "1",
                                                                  "1", "1", "1", "0", "0", "0"}}));
  QCOMPARE(preview->columns[3].type, std::string("uint16"));
  QCOMPARE(preview->rowEstimate, 3u);
}

APPLESS_TEST(TestReadLas);
#include "tst_read_las.moc"
