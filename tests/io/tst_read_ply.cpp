#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::Bytes;
using testing::messageOf;
using testing::sameBits;

namespace {

Result<Dataset> readPly(const std::string& bytes, const ReadOptions& options = {}) {
  return testing::readBytes(bytes, options, "cloud.ply");
}

std::string header(const std::string& format, const std::string& body) {
  return "ply\nformat " + format + " 1.0\ncomment made by hand\nobj_info none\n" + body +
         "end_header\n";
}

/// Three vertices with a list each, between cameras before and a face after, in either byte order.
std::string binary(bool big) {
  const std::string body =
      "element camera 2\nproperty float f\nproperty list uchar short ids\n"
      "element vertex 3\nproperty uchar flag\nproperty double x\nproperty float32 y\nproperty int "
      "z\n"
      "property list ushort double more\nproperty ushort level\n"
      "element face 1\nproperty list uchar int vertex_indices\n";
  Bytes data(big);
  data.add(9.5f).add(std::uint8_t{2}).add(std::int16_t{1}).add(std::int16_t{2});
  data.add(8.5f).add(std::uint8_t{0});
  for (int i = 0; i < 3; ++i) {
    data.add(static_cast<std::uint8_t>(200 + i))
        .add(0.1 * i)
        .add(0.5f * static_cast<float>(i))
        .add(-i);
    data.add(static_cast<std::uint16_t>(i));
    for (int k = 0; k < i; ++k) data.add(7.0);
    data.add(static_cast<std::uint16_t>(60'000 + i));
  }
  data.add(std::uint8_t{3}).add(0).add(1).add(2);
  return header(big ? "binary_big_endian" : "binary_little_endian", body) + data.str();
}

void checkThree(const Result<Dataset>& dataset) {
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y", "z"}));
  QVERIFY(sameBits(dataset->cloud.columns[0], {0.0, 0.1, 0.2}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {0, 0.5, 1}));
  QVERIFY(sameBits(dataset->cloud.columns[2], {0, -1, -2}));
  QCOMPARE(dataset->attributes.size(), 2u);
  QCOMPARE(dataset->attributes[0].name, std::string("flag"));
  QVERIFY(sameBits(testing::numbersOf(*dataset, 0), {200, 201, 202}));
  QCOMPARE(dataset->attributes[1].name, std::string("level"));
  QVERIFY(sameBits(testing::numbersOf(*dataset, 1), {60000, 60001, 60002}));
  QCOMPARE(dataset->columnOrder, (std::vector<std::size_t>{3, 0, 1, 2, 4}));
  QCOMPARE(dataset->source.format, std::string("ply"));
}

const std::string kAscii =
    "ply\r\nformat ascii 1.0\r\nelement camera 1\r\nproperty float f\r\n"
    "element vertex 3\r\nproperty uchar flag\r\nproperty double x\r\nproperty float y\r\n"
    "property int z\r\nproperty list uchar float more\r\nproperty ushort level\r\n"
    "element face 1\r\nproperty list uchar int vertex_indices\r\nend_header\r\n"
    "9.5\r\n200 0 0 0 0 60000\r\n 201  0.1 0.5\t-1 1 7 60001 \r\n\r\n202 0.2 1 -2 2 7 7 60002\r\n3 "
    "0 1 2\r\n";

}  // namespace

class TestReadPly : public QObject {
  Q_OBJECT

 private slots:
  void binaryBothOrders();
  void ascii();
  void plainRecords();
  void everyType();
  void coordinates();
  void ownCoordinates();
  void asciiErrors();
  void badHeaders();
  void lyingHeaders();
  void lyingLists();
  void nonFinite();
  void noVertices();
  void truncatedAnywhere();
  void wrongExtension();
  void preview();
};

void TestReadPly::binaryBothOrders() {
  checkThree(readPly(binary(false)));
  checkThree(readPly(binary(true)));
}

void TestReadPly::ascii() {
  checkThree(readPly(kAscii));
  // Without its last line end, and without the faces' line.
  checkThree(readPly(kAscii.substr(0, kAscii.size() - 2)));
}

void TestReadPly::plainRecords() {
  // Enough of them for several blocks.
  for (const bool big : {false, true}) {
    Bytes data(big);
    constexpr int rows = 100'000;
    for (int i = 0; i < rows; ++i) data.add(static_cast<float>(i)).add(0.1 * i);
    const auto dataset =
        readPly(header(big ? "binary_big_endian" : "binary_little_endian",
                       "element vertex 100000\nproperty float x\nproperty double y\n") +
                data.str());
    REQUIRE_OK(dataset);
    QCOMPARE(dataset->cloud.size(), std::size_t{rows});
    for (int i = 0; i < rows; ++i) {
      QCOMPARE(dataset->cloud.columns[0][static_cast<std::size_t>(i)], static_cast<double>(i));
      QCOMPARE(dataset->cloud.columns[1][static_cast<std::size_t>(i)], 0.1 * i);
    }
  }
}

void TestReadPly::everyType() {
  const std::string body =
      "element vertex 1\nproperty char x\nproperty int8 a\nproperty uchar b\nproperty uint8 c\n"
      "property short d\nproperty int16 e\nproperty ushort f\nproperty uint16 g\nproperty int h\n"
      "property int32 i\nproperty uint j\nproperty uint32 k\nproperty float l\nproperty float32 m\n"
      "property double n\nproperty float64 o\n";
  for (const bool big : {false, true}) {
    Bytes data(big);
    data.add(std::int8_t{-1}).add(std::int8_t{-2}).add(std::uint8_t{253}).add(std::uint8_t{254});
    data.add(std::int16_t{-5})
        .add(std::int16_t{-6})
        .add(std::uint16_t{65530})
        .add(std::uint16_t{65531});
    data.add(std::int32_t{-9})
        .add(std::int32_t{-10})
        .add(std::uint32_t{4294967290})
        .add(std::uint32_t{12});
    data.add(0.25f).add(-0.5f).add(1e300).add(-0.0);
    const auto dataset =
        readPly(header(big ? "binary_big_endian" : "binary_little_endian", body) + data.str());
    REQUIRE_OK(dataset);
    std::vector<double> values{dataset->cloud.columns[0][0]};
    for (std::size_t a = 0; a < dataset->attributes.size(); ++a)
      values.push_back(testing::numbersOf(*dataset, a)[0]);
    QVERIFY(sameBits(values, {-1, -2, 253, 254, -5, -6, 65530, 65531, -9, -10, 4294967290.0, 12,
                              0.25, -0.5, 1e300, -0.0}));
  }
}

void TestReadPly::coordinates() {
  const std::string flat =
      header("ascii", "element vertex 1\nproperty float Y\nproperty float u\nproperty float X\n");
  const auto dataset = readPly(flat + "1 2 3\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"X", "Y"}));
  ReadOptions options;
  options.coordinates = {"u", "Y"};
  const auto chosen = readPly(flat + "1 2 3\n", options);
  REQUIRE_OK(chosen);
  QCOMPARE(chosen->cloud.names, (std::vector<std::string>{"u", "Y"}));
  QVERIFY(sameBits(chosen->cloud.columns[0], {2}));
  const std::string other =
      header("ascii", "element vertex 1\nproperty float u\nproperty float v\n") + "1 2\n";
  REQUIRE_PART(messageOf(readPly(other)), "no column is called x, y or z");
  REQUIRE_PART(messageOf(readPly(other)), "u, v");
}

void TestReadPly::ownCoordinates() {
  const auto dataset =
      readPly(header("ascii",
                     "comment coordinate properties: x w y\nelement vertex 1\nproperty float x\n"
                     "property float y\nproperty float w\nproperty float i\n") +
              "1 2 3 4\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "w", "y"}));
  // A comment that does not fit the properties is only a comment.
  const auto other =
      readPly(header("ascii",
                     "comment coordinate properties: x q\nelement vertex 1\nproperty float x\n"
                     "property float y\n") +
              "1 2\n");
  REQUIRE_OK(other);
  QCOMPARE(other->cloud.dims(), 2u);
}

void TestReadPly::asciiErrors() {
  const std::string head =
      header("ascii", "element vertex 3\nproperty float x\nproperty float y\nproperty uchar c\n");
  REQUIRE_PART(messageOf(readPly(head + "1 2 3\n4 five 6\n7 8 9\n")),
               "cloud.ply: line 11, column 1 (\"y\"): \"five\" is not a number");
  REQUIRE_PART(messageOf(readPly(head + "1 2 3\n4.5 5.5\n7 8 9\n")),
               "line 11 has 2 values; more are promised");
  REQUIRE_PART(messageOf(readPly(head + "1 2 3\n4 5 6 7\n7 8 9\n")),
               "line 11 has more values than the 3");
  REQUIRE_PART(messageOf(readPly(head + "1 2 3\n4 5 6.00000000\n")),
               "line 12: the file ends after 2 of 3 points");
  REQUIRE_PART(messageOf(readPly(head + "1 2 3\n4 inf 6\n7 8 9\n")),
               "line 11, column 1 (\"y\"): the coordinate is infinite");
  // A word in a column that is not kept does no harm.
  ReadOptions options;
  options.keepOthers = false;
  QVERIFY(readPly(head + "1 2 red\n4 5 red\n7 8 red\n", options));
  const std::string lists =
      header("ascii", "element vertex 1\nproperty float x\nproperty list uchar int l\n");
  const auto one = readPly(lists + "1 2 7 7\n");
  REQUIRE_OK(one);
  QCOMPARE(one->unreadColumns, (std::vector<std::string>{"l (lists)"}));
  REQUIRE_PART(messageOf(readPly(lists + "1 2 7\n")), "line 9 has 3 values; more are promised");
  REQUIRE_PART(messageOf(readPly(lists + "1 two 7 7\n")),
               "line 9: \"two\" is not the length of a list");
  REQUIRE_PART(messageOf(readPly(lists + "1 99999999999999 7\n")), "line 9 has 3 values");
}

void TestReadPly::badHeaders() {
  const auto bad = [](const std::string& bytes, std::string_view part) {
    const auto dataset = readPly(bytes);
    QVERIFY2(!dataset, bytes.c_str());
    QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
    REQUIRE_PART(messageOf(dataset), "cloud.ply: ");
    REQUIRE_PART(messageOf(dataset), part);
  };
  bad("ply\nformat binary_middle_endian 1.0\nend_header\n",
      "line 2 of the PLY header: the encoding");
  bad("ply\nformat\nend_header\n", "line 2 of the PLY header: the encoding is missing");
  bad("ply\nelement vertex 1\nproperty float x\nend_header\n1\n", "\"format …\" is missing");
  bad("ply\nformat ascii 1.0\nelement vertex\nend_header\n",
      "line 3 of the PLY header: an element needs");
  bad("ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "an element needs");
  bad("ply\nformat ascii 1.0\nelement vertex 99999999999999999999999\nend_header\n",
      "an element needs");
  bad("ply\nformat ascii 1.0\nproperty float x\nend_header\n",
      "line 3 of the PLY header: a property comes");
  bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n1\n",
      "the type \"half\"");
  bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\nend_header\n1\n",
      "cannot count a list");
  bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty float\nend_header\n1\n",
      "needs a type and a name");
  bad("ply\nformat ascii 1.0\nelements vertex 1\nend_header\n", "\"elements\" is not known");
  bad("ply\nformat ascii 1.0\nelement face 1\nproperty float x\nend_header\n1\n",
      "has no element \"vertex\"");
  bad("ply\nformat ascii 1.0\nelement vertex 1\nend_header\n1\n", "have no properties");
  bad("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n", "ends inside its PLY header");
  bad("ply\n" + std::string(9'000'000, 'c'), "the header has no end");
}

void TestReadPly::lyingHeaders() {
  for (const std::string count : {"3", "1000000000", "18446744073709551615"}) {
    for (const std::string format : {"ascii", "binary_little_endian"}) {
      const auto dataset = readPly(
          header(format, "element vertex " + count + "\nproperty float x\nproperty float y\n") +
          "1 2\n3 4\n");
      QVERIFY2(!dataset, count.c_str());
      QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
    }
    const auto before =
        readPly(header("binary_big_endian",
                       "element other " + count +
                           "\nproperty double d\nelement vertex 1\nproperty uchar x\n") +
                "1234567");
    QVERIFY(!before);
    REQUIRE_PART(messageOf(before), "the header promises");
  }
  // Elements without properties take no bytes and no time, however many.
  const auto dataset =
      readPly(header("binary_little_endian",
                     "element other 18446744073709551615\nelement vertex 1\nproperty uchar x\n") +
              "A");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.columns[0][0], 65.0);
}

void TestReadPly::lyingLists() {
  const std::string head = header("binary_little_endian",
                                  "element vertex 1\nproperty list int int l\nproperty uchar x\n");
  REQUIRE_PART(messageOf(readPly(head + Bytes().add(std::int32_t{-1}).add('A').str())),
               "the list \"l\"");
  REQUIRE_PART(messageOf(readPly(head + Bytes().add(std::int32_t{2}).add('A').add(0).str())),
               "the list \"l\"");
  QVERIFY(readPly(head + Bytes().add(std::int32_t{1}).add(0).add('A').str()));
}

void TestReadPly::nonFinite() {
  const std::string bytes =
      header("binary_little_endian", "element vertex 3\nproperty float x\nproperty float c\n") +
      Bytes().add(1.0f).add(NAN).add(NAN).add(2.0f).add(3.0f).add(4.0f).str();
  REQUIRE_PART(messageOf(readPly(bytes)), "row 1 (counted from 0), column 0 (\"x\")");
  ReadOptions options;
  options.skipNonFinite = true;
  const auto dataset = readPly(bytes, options);
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 3}));
  QCOMPARE(dataset->skippedRows, (std::vector<std::uint64_t>{1}));
}

void TestReadPly::noVertices() {
  REQUIRE_PART(messageOf(readPly(header("ascii", "element vertex 0\nproperty float x\n"))),
               "there are no data rows");
}

void TestReadPly::truncatedAnywhere() {
  // A cut in the faces leaves all points; before that every cut is an error.
  for (const bool big : {false, true}) {
    const std::string bytes = binary(big);
    const std::size_t faces = 1 + 3 * 4;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto dataset = readPly(bytes.substr(0, length));
      QCOMPARE(dataset.has_value(), length >= bytes.size() - faces);
      if (!dataset) QVERIFY(!messageOf(dataset).empty());
    }
  }
  const std::size_t lastVertex = kAscii.find("60002") + 5;
  for (std::size_t length = 0; length < kAscii.size(); ++length) {
    const auto dataset = readPly(kAscii.substr(0, length));
    if (length >= lastVertex) QVERIFY(dataset.has_value());
    if (length < lastVertex - 4) QVERIFY(!dataset);  // a number cut short is a number still
  }
}

void TestReadPly::wrongExtension() {
  REQUIRE_PART(messageOf(readPly("1 2 3\n")),
               "line 1: is named like a PLY file but does not begin with \"ply\"");
}

void TestReadPly::preview() {
  const auto preview = previewFrom(*memorySource("a.ply", kAscii), {}, 2);
  REQUIRE_OK(preview);
  QCOMPARE(preview->format, Format::Ply);
  QCOMPARE(preview->columns.size(), 5u);
  QCOMPARE(preview->columns[2].type, std::string("float32"));
  QCOMPARE(preview->rows,
           (std::vector<std::vector<std::string>>{{"200", "0", "0", "0", "60000"},
                                                  {"201", "0.1", "0.5", "-1", "60001"}}));
  QCOMPARE(preview->rowEstimate, 3u);
}

APPLESS_TEST(TestReadPly);
#include "tst_read_ply.moc"
