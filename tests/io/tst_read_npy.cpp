#include <QTemporaryDir>
#include <array>
#include <cmath>
#include <cstring>

#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::Bytes;
using testing::messageOf;
using testing::sameBits;

namespace {

Result<Dataset> readNpy(const std::string& bytes, const ReadOptions& options = {}) {
  return testing::readBytes(bytes, options, "cloud.npy");
}

/// A header as numpy writes it, by the format's description.
std::string header(const std::string& dictionary, int version = 1) {
  std::string text = dictionary;
  const std::size_t prefix = version == 1 ? 10 : 12;
  while ((prefix + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  Bytes bytes;
  bytes.text("\x93NUMPY").add(static_cast<char>(version)).add('\0');
  if (version == 1)
    bytes.add(static_cast<std::uint16_t>(text.size()));
  else
    bytes.add(static_cast<std::uint32_t>(text.size()));
  return bytes.text(text).str();
}

std::string header(const std::string& descr, bool fortran, const std::string& shape,
                   int version = 1) {
  return header("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                    ", 'shape': " + shape + ", }",
                version);
}

/// Three rows of two columns, in type T, in the order and byte order asked for.
template <class T>
std::string matrix(const std::string& type, bool big, bool fortran, int version) {
  const std::array<std::array<int, 2>, 3> rows{{{1, 20}, {3, 40}, {5, 60}}};
  Bytes data(big);
  if (fortran)
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t r = 0; r < 3; ++r) data.add(static_cast<T>(rows[r][c]));
  else
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 2; ++c) data.add(static_cast<T>(rows[r][c]));
  const std::string order = sizeof(T) == 1 ? "|" : big ? ">" : "<";
  return header(order + type, fortran, "(3, 2)", version) + data.str();
}

}  // namespace

class TestReadNpy : public QObject {
  Q_OBJECT

 private slots:
  void types();
  void bits();
  void booleans();
  void halves();
  void records();
  void namesBeyondAscii();
  void wrongRecords();
  void oneDimension();
  void pythonTwoAndOddSpacing();
  void columns();
  void nonFinite();
  void fortranSkips();
  void manyBlocks();
  void tooManyColumns();
  void badHeaders();
  void lyingHeaders();
  void notNumbers();
  void shapes();
  void truncatedAnywhere();
  void recordsReadAtOnce();
  void wrongExtension();
  void preview();
};

void TestReadNpy::types() {
  const auto check = [](const std::string& bytes, const std::string& what) {
    const auto dataset = readNpy(bytes);
    QVERIFY2(dataset.has_value(), (what + ": " + messageOf(dataset)).c_str());
    QVERIFY2(sameBits(dataset->cloud.columns[0], {1, 3, 5}), what.c_str());
    QVERIFY2(sameBits(dataset->cloud.columns[1], {20, 40, 60}), what.c_str());
    QCOMPARE(dataset->source.format, std::string("npy"));
    QCOMPARE(dataset->inputRows, 3u);
  };
  for (const int version : {1, 2, 3})
    for (const bool big : {false, true})
      for (const bool fortran : {false, true}) {
        const std::string what = "version " + std::to_string(version) + (big ? " big" : " little") +
                                 (fortran ? " F " : " C ");
        check(matrix<float>("f4", big, fortran, version), what + "f4");
        check(matrix<double>("f8", big, fortran, version), what + "f8");
        check(matrix<std::int8_t>("i1", big, fortran, version), what + "i1");
        check(matrix<std::int16_t>("i2", big, fortran, version), what + "i2");
        check(matrix<std::int32_t>("i4", big, fortran, version), what + "i4");
        check(matrix<std::int64_t>("i8", big, fortran, version), what + "i8");
        check(matrix<std::uint8_t>("u1", big, fortran, version), what + "u1");
        check(matrix<std::uint16_t>("u2", big, fortran, version), what + "u2");
        check(matrix<std::uint32_t>("u4", big, fortran, version), what + "u4");
        check(matrix<std::uint64_t>("u8", big, fortran, version), what + "u8");
      }
}

void TestReadNpy::bits() {
  const auto hard = testing::hardDoubles();
  for (const bool big : {false, true}) {
    Bytes data(big);
    for (const double x : hard) data.add(x);
    const std::string shape = "(" + std::to_string(hard.size()) + ", 1)";
    const auto dataset = readNpy(header(big ? ">f8" : "<f8", false, shape) + data.str());
    REQUIRE_OK(dataset);
    QVERIFY(sameBits(dataset->cloud.columns[0], hard));
  }
  Bytes extremes;
  extremes.add(std::numeric_limits<std::int64_t>::min()).add(std::int64_t{-1});
  const auto dataset = readNpy(header("<i8", false, "(2,)") + extremes.str());
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {-0x1p63, -1}));
}

void TestReadNpy::booleans() {
  const auto dataset = readNpy(header("|b1", false, "(2, 2)") + std::string("\1\0\0\1", 4));
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 0}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {0, 1}));
}

/// All numbers of 16 bits, as coordinates and as another column.
void TestReadNpy::halves() {
  std::vector<double> values;
  for (const bool big : {false, true})
    for (const bool fortran : {false, true}) {
      Bytes data(big);
      values.clear();
      for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const std::uint32_t exponent = bits >> 10 & 31U;
        if (exponent == 31) continue;  // infinite and NaN are refused as coordinates
        const double mantissa = (bits & 1023U) / 1024.0;
        const double size = exponent == 0
                                ? std::ldexp(mantissa, -14)
                                : std::ldexp(1 + mantissa, static_cast<int>(exponent) - 15);
        values.push_back(bits < 32768 ? size : -size);
        data.add(static_cast<std::uint16_t>(bits));
      }
      std::string twice;
      const std::string once = data.str();
      if (fortran)
        twice = once + once;
      else
        for (std::size_t at = 0; at < once.size(); at += 2)
          twice += once.substr(at, 2) + once.substr(at, 2);
      const std::string shape = "(" + std::to_string(values.size()) + ", 2)";
      ReadOptions options;
      options.coordinates = {"x"};
      const auto dataset = readNpy(header(big ? ">f2" : "<f2", fortran, shape) + twice, options);
      REQUIRE_OK(dataset);
      QVERIFY(sameBits(dataset->cloud.columns[0], values));
      const auto* const other = std::get_if<std::vector<float>>(&dataset->attributes[0].values);
      QVERIFY(other != nullptr);
      QVERIFY(sameBits(std::vector<double>(other->begin(), other->end()), values));
    }
  const auto infinite = readNpy(header("<f2", false, "(1,)") + std::string("\x00\x7c", 2));
  REQUIRE_PART(messageOf(infinite), "inf");
  const auto missing = readNpy(header("<f2", false, "(1,)") + std::string("\x01\x7e", 2));
  REQUIRE_PART(messageOf(missing), "NaN");
}

/// Structured arrays: fields of other kinds, gaps and vectors between the numbers.
void TestReadNpy::records() {
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    Bytes data(big);
    for (int row = 0; row < 3; ++row) {
      data.text("ab");
      data.add(row + 0.5).add('\0').add('\0');
      data.add(static_cast<float>(row * 2)).add(static_cast<float>(row * 3));
      data.add(static_cast<std::uint64_t>(row) + (std::uint64_t{1} << 60)).add('\1');
    }
    const auto dataset =
        readNpy(header("{'descr': [('name', '|S2'), ('x', '" + order +
                       "f8'), ('', '|V2'), ('uv', '" + order + "f4', (2,)), (('the id', 'id'), '" +
                       order + "u8'), ('flag', '|b1')], 'fortran_order': False, 'shape': (3,), }") +
                data.str());
    REQUIRE_OK(dataset);
    QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "uv_0", "uv_1", "flag"}));
    QVERIFY(sameBits(dataset->cloud.columns[0], {0.5, 1.5, 2.5}));
    QVERIFY(sameBits(dataset->cloud.columns[1], {0, 2, 4}));
    QVERIFY(sameBits(dataset->cloud.columns[2], {0, 3, 6}));
    QCOMPARE(dataset->unreadColumns, (std::vector<std::string>{"name (|S2)"}));
    QCOMPARE(dataset->leftOut, (std::vector<std::string>{"id"}));
    const auto* const ids =
        std::get_if<std::vector<std::uint64_t>>(&dataset->attributes.front().values);
    QVERIFY(ids != nullptr && (*ids)[2] == (std::uint64_t{1} << 60) + 2);
  }
}

// Latin-1 by the format; some programs write UTF-8.
void TestReadNpy::namesBeyondAscii() {
  for (const std::string name : {"\xe9", "\xc3\xa9"}) {
    Bytes data;
    data.add(1.0).add(2.0);
    const auto dataset = readNpy(header("{'descr': [('" + name +
                                        "', '<f8'), ('y', '<f8')], 'fortran_order': False, "
                                        "'shape': (1,), }") +
                                 data.str());
    REQUIRE_OK(dataset);
    QCOMPARE(dataset->cloud.names[0], std::string("é"));
  }
}

void TestReadNpy::wrongRecords() {
  const auto said = [](const std::string& descr, const std::string& shape, std::size_t bytes) {
    return messageOf(readNpy(
        header("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }") +
        std::string(bytes, '\0')));
  };
  REQUIRE_PART(said("[('x', '<f8'), ('y', '>f8')]", "(1,)", 16), "two byte orders");
  REQUIRE_PART(said("[('x', '<f8')]", "(2, 2)", 32), "in several dimensions");
  REQUIRE_PART(said("[('x', '<f8')]", "(5,)", 32), "enough for 4");
  REQUIRE_PART(said("[('name', '|S8')]", "(1,)", 8), "0 numbers");
  REQUIRE_PART(said("[('x', '<f4', (99999,))]", "(1,)", 8), "damaged");
  REQUIRE_PART(said("[('p', [('x', '<f8')])]", "(1,)", 8), "of a kind not known");
  REQUIRE_PART(said("[('x', '<f8'", "(1,)", 8), "damaged");
}

void TestReadNpy::oneDimension() {
  Bytes data;
  data.add(1.5).add(-2.5);
  for (const bool fortran : {false, true}) {
    const auto dataset = readNpy(header("<f8", fortran, "(2,)") + data.str());
    REQUIRE_OK(dataset);
    QCOMPARE(dataset->cloud.dims(), 1u);
    QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x"}));
    QVERIFY(sameBits(dataset->cloud.columns[0], {1.5, -2.5}));
  }
}

void TestReadNpy::pythonTwoAndOddSpacing() {
  Bytes data;
  data.add(1.5).add(-2.5);
  const auto dataset =
      readNpy(header("{ \"shape\":(1L,2L) ,'fortran_order' : False,'descr':'=f8'}") + data.str());
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.columns[1][0], -2.5);
}

void TestReadNpy::columns() {
  ReadOptions options;
  options.coordinates = {"1"};
  for (const bool fortran : {false, true}) {
    const auto dataset = readNpy(matrix<double>("f8", false, fortran, 1), options);
    REQUIRE_OK(dataset);
    QVERIFY(sameBits(dataset->cloud.columns[0], {20, 40, 60}));
    QCOMPARE(dataset->cloud.names[0], std::string("y"));
    QVERIFY(sameBits(testing::numbersOf(*dataset, 0), {1, 3, 5}));
    QCOMPARE(dataset->columnOrder, (std::vector<std::size_t>{1, 0}));
  }
  options.keepOthers = false;
  const auto dataset = readNpy(matrix<double>("f8", false, true, 1), options);
  REQUIRE_OK(dataset);
  QVERIFY(dataset->attributes.empty());
  options.coordinates = {"2"};
  QCOMPARE(readNpy(matrix<double>("f8", false, false, 1), options).error().kind,
           ErrorKind::BadCall);
}

void TestReadNpy::nonFinite() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Bytes data;
  data.add(1.0).add(2.0).add(3.0).add(std::nan("")).add(5.0).add(6.0).add(-inf).add(8.0);
  const std::string bytes = header("<f8", false, "(4, 2)") + data.str();
  const std::string message = messageOf(readNpy(bytes));
  REQUIRE_PART(message, "cloud.npy: row 1 (counted from 0), column 1 (\"y\")");
  REQUIRE_PART(message, "2 rows have such coordinates");
  ReadOptions options;
  options.skipNonFinite = true;
  const auto dataset = readNpy(bytes, options);
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 5}));
  QCOMPARE(dataset->skippedRows, (std::vector<std::uint64_t>{1, 3}));
  QCOMPARE(dataset->inputRows, 4u);
}

void TestReadNpy::fortranSkips() {
  // 200,000 rows, so that there are several blocks; rows divisible by 70,001 are lost.
  constexpr std::size_t rows = 200'000;
  Bytes data;
  for (std::size_t i = 0; i < rows; ++i) data.add(i % 70'001 == 0 ? NAN : static_cast<float>(i));
  for (std::size_t i = 0; i < rows; ++i) data.add(static_cast<float>(2 * i));
  ReadOptions options;
  options.skipNonFinite = true;
  const auto dataset = readNpy(header("<f4", true, "(200000, 2)") + data.str(), options);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->skippedRows, (std::vector<std::uint64_t>{0, 70'001, 140'002}));
  QCOMPARE(dataset->cloud.size(), rows - 3);
  for (std::size_t i = 0; i < dataset->cloud.size(); ++i)
    QCOMPARE(dataset->cloud.columns[1][i], 2 * dataset->cloud.columns[0][i]);
}

void TestReadNpy::manyBlocks() {
  constexpr std::size_t rows = 100'000;
  constexpr std::size_t columns = 7;
  for (const bool fortran : {false, true}) {
    Bytes data(true);
    for (std::size_t k = 0; k < rows * columns; ++k) data.add(static_cast<std::int32_t>(k));
    const auto dataset = readNpy(header(">i4", fortran, "(100000, 7)") + data.str());
    REQUIRE_OK(dataset);
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t expected = fortran ? c * rows + r : r * columns + c;
        if (dataset->cloud.columns[c][r] != static_cast<double>(expected))
          QFAIL(("column " + std::to_string(c) + ", row " + std::to_string(r)).c_str());
      }
  }
}

void TestReadNpy::tooManyColumns() {
  REQUIRE_PART(messageOf(readNpy(header("|u1", false, "(1, 65537)") + std::string(65537, '\1'))),
               "65537 columns; at most 65536");
  REQUIRE_PART(messageOf(readNpy(header("|u1", false, "(1, 4097)") + std::string(4097, '\1'))),
               "4097 columns would be coordinates");
}

void TestReadNpy::badHeaders() {
  for (const std::string dictionary :
       {"", "{", "{}", "{'descr': '<f8'}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,, 2), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999, 2), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), } junk",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), 'more': 1, }",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (1, 2), }"}) {
    const auto dataset = readNpy(header(dictionary) + std::string(16, '\0'));
    QVERIFY2(!dataset, dictionary.c_str());
    QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
    REQUIRE_PART(messageOf(dataset), "cloud.npy: the NPY header is damaged");
  }
  REQUIRE_PART(messageOf(readNpy(std::string("\x93NUMPY\x04\x00\x10\x00\x00\x00", 12))),
               "version 4");
  REQUIRE_PART(messageOf(readNpy(std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12))), "damaged");
}

void TestReadNpy::lyingHeaders() {
  const std::string data(64, '\0');
  for (const std::string shape : {"(9,)", "(5, 2)", "(1000000000, 3)", "(9223372036854775807, 2)",
                                  "(18446744073709551615, 8)", "(4611686018427387904, 4)"}) {
    const auto dataset = readNpy(header("<f8", false, shape) + data);
    QVERIFY2(!dataset, shape.c_str());
    QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
    REQUIRE_PART(messageOf(dataset), "cloud.npy: the header promises");
    REQUIRE_PART(messageOf(dataset), "only 64 bytes follow");
  }
}

void TestReadNpy::notNumbers() {
  for (const std::string descr : {"<c16", "|O", "<U8", "|S4", "<M8[ns]", "|V8", "f8", "", "<"}) {
    const std::string message =
        messageOf(readNpy(header(descr, false, "(1,)") + std::string(64, '\0')));
    QVERIFY2(!message.empty(), descr.c_str());
    // Texts and dates are not converted by it, and complex numbers lose a part.
    const bool converts =
        descr.size() < 2 || std::string("cUSM").find(descr[1]) == std::string::npos;
    if (!descr.empty()) QCOMPARE(message.find("astype('float64')") != std::string::npos, converts);
    if (!converts) REQUIRE_PART(message, "not plain numbers but");
  }
  REQUIRE_PART(messageOf(readNpy(
                   header("{'descr': [('x', '|O')], 'fortran_order': False, 'shape': (1,), }") +
                   std::string(8, '\0'))),
               "not plain numbers");
}

void TestReadNpy::shapes() {
  REQUIRE_PART(messageOf(readNpy(header("<f8", false, "()") + std::string(8, '\0'))),
               "0 dimensions");
  REQUIRE_PART(messageOf(readNpy(header("<f8", false, "(1, 1, 1)") + std::string(8, '\0'))),
               "3 dimensions");
  REQUIRE_PART(messageOf(readNpy(header("<f8", false, "(0, 3)"))), "the array is empty");
  REQUIRE_PART(messageOf(readNpy(header("<f8", false, "(3, 0)"))), "the array is empty");
}

void TestReadNpy::truncatedAnywhere() {
  for (const bool fortran : {false, true}) {
    const std::string bytes = matrix<double>("f8", false, fortran, 2);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto dataset = readNpy(bytes.substr(0, length));
      QVERIFY2(!dataset, std::to_string(length).c_str());
      QVERIFY(testing::has(messageOf(dataset), "cloud.npy: "));
    }
  }
}

/// More records than are read at once, which all threads decode.
void TestReadNpy::recordsReadAtOnce() {
  constexpr std::size_t kRows = 1'300'000;  // 16.9 MB
  const auto valueOf = [](std::size_t row, std::size_t c) {
    return float(row * 7 % 1000003) / 8 + float(c);
  };
  std::string bytes = header(
      "{'descr': [('x', '<f4'), ('tag', '|u1'), ('y', '<f4'), ('t', '<u4')], "
      "'fortran_order': False, 'shape': (1300000,), }");
  const std::size_t begin = bytes.size();
  bytes.resize(begin + kRows * 13);
  for (std::size_t row = 0; row < kRows; ++row) {
    char* const record = bytes.data() + begin + row * 13;
    const std::array<float, 2> xy{valueOf(row, 0), valueOf(row, 1)};
    const auto number = std::uint32_t(row);
    std::memcpy(record, &xy[0], 4);
    record[4] = static_cast<char>(row % 200);
    std::memcpy(record + 5, &xy[1], 4);
    std::memcpy(record + 9, &number, 4);
  }
  ReadOptions options;
  options.coordinates = {"x", "y"};
  const auto dataset = readNpy(bytes, options);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.size(), kRows);
  QCOMPARE(dataset->coordinateTypes, (std::vector<Scalar>(2, Scalar::Float32)));
  const auto& tags = std::get<std::vector<std::uint8_t>>(dataset->attributes[0].values);
  const auto& numbers = std::get<std::vector<std::uint32_t>>(dataset->attributes[1].values);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t c = 0; c < 2; ++c)
      QVERIFY(dataset->cloud.columns[c][row] == double(valueOf(row, c)));
    QVERIFY(tags[row] == row % 200 && numbers[row] == row);
  }
  ReadOptions third = options;
  third.every = 3;
  const auto part = readNpy(bytes, third);
  REQUIRE_OK(part);
  QCOMPARE(part->cloud.size(), (kRows + 2) / 3);
  for (std::size_t row = 0; row < kRows; row += 3)
    QVERIFY(part->cloud.columns[1][row / 3] == double(valueOf(row, 1)));
  // The hash is that of the bytes in their order.
  QTemporaryDir folder;
  const std::string path = folder.filePath("a.npy").toStdString();
  testing::writeFile(path, bytes);
  QCOMPARE(dataset->source.hash, *hashFile(path));
  // Rows of later blocks are named and skipped as those of the first.
  const float bad = NAN;
  for (const std::size_t row : {std::size_t{700'001}, std::size_t{1'299'999}})
    std::memcpy(bytes.data() + begin + row * 13 + 5, &bad, 4);
  REQUIRE_PART(messageOf(readNpy(bytes, options)), "row 700001 (counted from 0)");
  options.skipNonFinite = true;
  const auto skipped = readNpy(bytes, options);
  REQUIRE_OK(skipped);
  QCOMPARE(skipped->skippedRows, (std::vector<std::uint64_t>{700'001, 1'299'999}));
  QCOMPARE(skipped->cloud.size(), kRows - 2);
  QVERIFY(skipped->cloud.columns[0][700'001] == double(valueOf(700'002, 0)));
}

void TestReadNpy::wrongExtension() {
  REQUIRE_PART(messageOf(readNpy("1,2\n3,4\n")), "is named like an NPY file but is not one");
  // Content comes first.
  const auto dataset = testing::readBytes(matrix<double>("f8", false, false, 1), {}, "cloud.csv");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->source.format, std::string("npy"));
}

void TestReadNpy::preview() {
  Bytes data;
  data.add(0.1f).add(1e10f).add(NAN).add(-0.0f);
  for (const bool fortran : {false, true}) {
    const std::string bytes = header("<f4", fortran, "(2, 2)") + data.str();
    const auto preview = previewFrom(*memorySource("a.npy", bytes), {}, 1);
    REQUIRE_OK(preview);
    QCOMPARE(preview->format, Format::Npy);
    QCOMPARE(preview->rows,
             (std::vector<std::vector<std::string>>{{"0.1", fortran ? "nan" : "1e+10"}}));
    QCOMPARE(preview->columns[0].type, std::string("float32"));
    QCOMPARE(preview->rowEstimate, 2u);
    QVERIFY(preview->rowsExact);
  }
}

APPLESS_TEST(TestReadNpy);
#include "tst_read_npy.moc"
