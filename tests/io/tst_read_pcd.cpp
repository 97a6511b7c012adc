#include <lzf.h>

#include <sys/resource.h>
#include "engine/io/ply_pcd/lzf_stream.h"

#include <algorithm>
#include <ctime>

#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::Bytes;
using testing::messageOf;
using testing::sameBits;

namespace {

Result<Dataset> readPcd(const std::string& bytes, const ReadOptions& options = {}) {
  return testing::readBytes(bytes, options, "cloud.pcd");
}

/// A header of four fields: a double, padding, a field of two values, a position, a colour.
std::string header(std::size_t points, const std::string& data, bool padding = true) {
  const std::string n = std::to_string(points);
  return std::string("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n") +
         (padding
              ? "FIELDS x _ pair y z rgb\nSIZE 8 1 2 4 4 4\nTYPE F U I F I F\nCOUNT 1 3 2 1 1 1\n"
              : "FIELDS x pair y z rgb\nSIZE 8 2 4 4 4\nTYPE F I F I F\nCOUNT 1 2 1 1 1\n") +
         "WIDTH " + n + "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + n + "\nDATA " + data +
         "\n";
}

constexpr std::uint32_t kColour = 0xff8040c0;  // as a float it is NaN

std::string records(std::size_t points) {
  Bytes data;
  for (std::size_t i = 0; i < points; ++i) {
    const int k = static_cast<int>(i);
    data.add(0.1 * k).zeros(3).add(static_cast<std::int16_t>(k)).add(static_cast<std::int16_t>(-k));
    data.add(0.5f * static_cast<float>(k)).add(-2 * k).add(kColour);
  }
  return data.str();
}

/// One field after the other, as binary_compressed has them before packing.
std::string columns(std::size_t points) {
  Bytes data;
  const auto each = [&](auto add) {
    for (std::size_t i = 0; i < points; ++i) add(static_cast<int>(i));
  };
  each([&](int k) { data.add(0.1 * k); });
  each([&](int k) { data.add(static_cast<std::int16_t>(k)).add(static_cast<std::int16_t>(-k)); });
  each([&](int k) { data.add(0.5f * static_cast<float>(k)); });
  each([&](int k) { data.add(-2 * k); });
  each([&](int) { data.add(kColour); });
  return data.str();
}

std::string packed(const std::string& bytes) {
  std::string out(bytes.size() * 2 + 64, '\0');
  const unsigned size = lzf_compress(bytes.data(), static_cast<unsigned>(bytes.size()), out.data(),
                                     static_cast<unsigned>(out.size()));
  out.resize(size);
  return Bytes()
      .add(static_cast<std::uint32_t>(size))
      .add(static_cast<std::uint32_t>(bytes.size()))
      .text(out)
      .str();
}

void checkRows(const Result<Dataset>& dataset, std::size_t points) {
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.size(), points);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y", "z"}));
  QCOMPARE(dataset->attributes.size(), 3u);
  QCOMPARE(dataset->attributes[0].name, std::string("pair_0"));
  QCOMPARE(dataset->attributes[1].name, std::string("pair_1"));
  QCOMPARE(dataset->attributes[2].name, std::string("rgb"));
  const auto pair0 = testing::numbersOf(*dataset, 0);
  const auto pair1 = testing::numbersOf(*dataset, 1);
  const auto colours = testing::numbersOf(*dataset, 2);
  for (std::size_t i = 0; i < points; ++i) {
    const int k = static_cast<int>(i);
    const auto narrow = static_cast<double>(static_cast<std::int16_t>(k));
    QCOMPARE(dataset->cloud.columns[0][i], 0.1 * k);
    QCOMPARE(dataset->cloud.columns[1][i], 0.5 * k);
    QCOMPARE(dataset->cloud.columns[2][i], -2.0 * k);
    QCOMPARE(pair0[i], narrow);
    QCOMPARE(pair1[i], static_cast<double>(static_cast<std::int16_t>(-k)));
    QCOMPARE(colours[i], static_cast<double>(kColour));
  }
  QCOMPARE(dataset->source.format, std::string("pcd"));
}

const std::string kAscii =
    "# made by hand\nVERSION .7\nFIELDS x y intensity\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH "
    "3\n"
    "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 3\nDATA ascii\n1.5 2 3\n-4 5e-1 6\n7 8 nan\n";

}  // namespace

class TestReadPcd : public QObject {
  Q_OBJECT

 private slots:
  void smallFileThatUnpacksToGigabytes();
  void binary();
  void compressed();
  void compressedNoise();
  void ascii();
  void asciiColour();
  void asciiErrors();
  void organised();
  void oldHeaders();
  void badHeaders();
  void lyingHeaders();
  void damagedPacking();
  void unpackingKnownBytes();
  void nonFinite();
  void truncatedAnywhere();
  void preview();
};

void TestReadPcd::binary() {
  checkRows(readPcd(header(3, "binary") + records(3)), 3);
  checkRows(readPcd(header(50'000, "binary") + records(50'000)), 50'000);
}

void TestReadPcd::compressed() {
  checkRows(readPcd(header(3, "binary_compressed", false) + packed(columns(3))), 3);
  checkRows(readPcd(header(200'000, "binary_compressed", false) + packed(columns(200'000))),
            200'000);
}

void TestReadPcd::compressedNoise() {
  // Random bytes of few kinds: literals, short and long repeats at every distance.
  std::mt19937_64 random(3);
  for (const unsigned kinds : {2u, 5u, 30u, 256u}) {
    constexpr std::size_t points = 120'000;
    std::string bytes(points, '\0');
    for (std::size_t i = 0; i < points; ++i) {
      const bool repeat = i > 9000 && random() % 50 == 0;
      if (!repeat) {
        bytes[i] = static_cast<char>(random() % kinds);
        continue;
      }
      const std::size_t back = 1 + random() % 8192;
      for (std::size_t k = random() % 600; k > 0 && i < points; --k, ++i)
        bytes[i] = bytes[i - back];
      --i;
    }
    const std::string file =
        "VERSION 0.7\nFIELDS x\nSIZE 1\nTYPE U\nCOUNT 1\nPOINTS 120000\nDATA binary_compressed\n" +
        packed(bytes);
    const auto dataset = readPcd(file);
    REQUIRE_OK(dataset);
    for (std::size_t i = 0; i < points; ++i)
      if (dataset->cloud.columns[0][i] != static_cast<double>(static_cast<unsigned char>(bytes[i])))
        QFAIL(("byte " + std::to_string(i)).c_str());
  }
}

void TestReadPcd::ascii() {
  const auto dataset = readPcd(kAscii);
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1.5, -4, 7}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {2, 0.5, 8}));
  QCOMPARE(testing::numbersOf(*dataset, 0)[1], 6.0);
  QVERIFY(std::isnan(testing::numbersOf(*dataset, 0)[2]));  // not a coordinate
}

void TestReadPcd::asciiColour() {
  const float colour = std::bit_cast<float>(0x00ff8040u);
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(colour));
  const auto dataset = readPcd(
      std::string("FIELDS x rgb\nSIZE 4 4\nTYPE F F\nPOINTS 1\nDATA ascii\n1 ") + text + "\n");
  REQUIRE_OK(dataset);
  QCOMPARE(testing::numbersOf(*dataset, 0)[0], static_cast<double>(0x00ff8040u));
}

void TestReadPcd::asciiErrors() {
  const auto with = [](const std::string& rows) {
    return messageOf(readPcd(
        "VERSION 0.7\nFIELDS x y\nSIZE 4 4\nTYPE F F\nCOUNT 1 1\nPOINTS 2\nDATA ascii\n" + rows));
  };
  REQUIRE_PART(with("1 2\n3 four\n"),
               "cloud.pcd: line 9, column 1 (\"y\"): \"four\" is not a number");
  REQUIRE_PART(with("1.25 2.5\n3.5\n"), "line 9 has 1 values; more are promised");
  REQUIRE_PART(with("1 2 3\n4 5\n"), "line 8 has more values than the 2");
  REQUIRE_PART(with("1.25 2.25\n\n"), "line 10: the file ends after 1 of 2 points");
  REQUIRE_PART(with("1 2\n3 nan\n"),
               "line 9, column 1 (\"y\"): the coordinate is missing or not a number");
}

void TestReadPcd::organised() {
  const std::string head = "VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nCOUNT 1\nWIDTH 2\nHEIGHT 2\n";
  QVERIFY(readPcd(head + "POINTS 4\nDATA ascii\n1\n2\n3\n4\n"));
  const auto without = readPcd(head + "DATA ascii\n1\n2\n3\n4\n");
  REQUIRE_OK(without);
  QCOMPARE(without->cloud.size(), 4u);
  REQUIRE_PART(messageOf(readPcd(head + "POINTS 5\nDATA ascii\n1\n2\n3\n4\n5\n")),
               "POINTS is 5, but WIDTH × HEIGHT is 2 × 2");
}

void TestReadPcd::oldHeaders() {
  const auto dataset = readPcd(
      "# .PCD v.5\nVERSION .5\nCOLUMNS x y\nSIZE 4 4\nTYPE F F\nPOINTS 1\nDATA ascii\n1 2\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.dims(), 2u);
}

void TestReadPcd::badHeaders() {
  const auto bad = [](const std::string& bytes, std::string_view part) {
    const auto dataset = readPcd(bytes);
    QVERIFY2(!dataset, bytes.c_str());
    QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
    REQUIRE_PART(messageOf(dataset), "cloud.pcd: line ");
    REQUIRE_PART(messageOf(dataset), part);
  };
  bad("VERSION 0.7\nDATA ascii\n", "FIELDS is missing");
  bad("VERSION 0.7\nFIELDS x y\nSIZE 4\nTYPE F F\nPOINTS 1\nDATA ascii\n", "as many entries each");
  bad("VERSION 0.7\nFIELDS x _ _\nSIZE 4 1 1\nTYPE F U U\nCOUNT 1 65536 65536\nPOINTS 1\nDATA "
      "ascii\n",
      "values in a line");
  bad("VERSION 0.7\nFIELDS x\nSIZE 3\nTYPE F\nPOINTS 1\nDATA ascii\n",
      "field \"x\" has no known type");
  bad("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE Q\nPOINTS 1\nDATA ascii\n",
      "field \"x\" has no known type");
  bad("VERSION 0.7\nFIELDS x\nSIZE four\nTYPE F\nPOINTS 1\nDATA ascii\n", "need whole numbers");
  bad("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nCOUNT 65537\nPOINTS 1\nDATA ascii\n",
      "more than 65536 columns");
  bad("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nCOUNT 0\nPOINTS 1\nDATA ascii\n",
      "no field holds a value");
  bad("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nPOINTS -1\nDATA ascii\n",
      "POINTS needs a whole number");
  bad("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nDATA ascii\n", "POINTS is missing");
  bad("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nPOINTS 1\nDATA packed\n", "DATA must be ascii");
  bad("VERSION 0.7\nFIELDZ x\n", "line 2 of the PCD header: \"FIELDZ\" is not known");
  bad("VERSION 0.7\nFIELDS x\n", "ends inside its PCD header");
  bad("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nWIDTH 18446744073709551615\nHEIGHT 2\nDATA ascii\n",
      "too large");
  bad("1 2\n", "is not known");
}

void TestReadPcd::lyingHeaders() {
  const std::string head = "VERSION 0.7\nFIELDS x\nSIZE 8\nTYPE F\nCOUNT 1\n";
  for (const std::string points : {"3", "1000000000000", "18446744073709551615"}) {
    for (const std::string data : {"ascii", "binary"}) {
      const auto dataset = readPcd(head + "POINTS " + points + "\nDATA " + data + "\n1\n2\n");
      QVERIFY2(!dataset, points.c_str());
      REQUIRE_PART(messageOf(dataset), "the header promises " + points);
    }
    const auto dataset = readPcd(head + "POINTS " + points + "\nDATA binary_compressed\n" +
                                 packed(std::string(16, 'a')));
    QVERIFY(!dataset);
    REQUIRE_PART(messageOf(dataset), "the header promises " + points);
  }
  // Sizes that agree with each other, but not with the bytes there are.
  const std::string lie = Bytes().add(std::uint32_t{100}).add(std::uint32_t{16}).text("abc").str();
  REQUIRE_PART(messageOf(readPcd(head + "POINTS 2\nDATA binary_compressed\n" + lie)),
               "promises 100 bytes of compressed data, but only 3 follow");
  const std::string bomb =
      Bytes().add(std::uint32_t{3}).add(std::uint32_t{4'000'000'000}).text("abc").str();
  REQUIRE_PART(messageOf(readPcd(head + "POINTS 500000000\nDATA binary_compressed\n" + bomb)),
               "does not match 3 bytes");
  REQUIRE_PART(messageOf(readPcd(head + "POINTS 2\nDATA binary_compressed\nabc")),
               "ends before its compressed data");
  REQUIRE_PART(messageOf(readPcd(head + "POINTS 0\nDATA binary\n")), "there are no data rows");
}

void TestReadPcd::damagedPacking() {
  // Every single-byte change of packed data gives an error or some numbers, never a crash; what is
  // read is as long as promised.
  const std::string head =
      "VERSION 0.7\nFIELDS x\nSIZE 2\nTYPE I\nCOUNT 1\nPOINTS 100\nDATA binary_compressed\n";
  Bytes data;
  for (int i = 0; i < 100; ++i) data.add(static_cast<std::int16_t>(i / 7));
  const std::string good = packed(data.str());
  int failures = 0;
  for (std::size_t at = 8; at < good.size(); ++at)
    for (const int change : {1, 32, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      const auto dataset = readPcd(head + bad);
      if (dataset)
        QCOMPARE(dataset->cloud.size(), 100u);
      else
        ++failures;
    }
  QVERIFY(failures > 0);
}

void TestReadPcd::unpackingKnownBytes() {
  // By the format's description: "abc", then six bytes from three back, then one byte 20 times.
  const std::string packedBytes = std::string(
                                      "\x02"
                                      "abc",
                                      4) +
                                  std::string("\x80\x02", 2) + std::string("\xe0\x0b\x00", 3);
  const auto source = memorySource("a", packedBytes);
  const Task task;
  InputStream in(*source, task, "reading");
  LzfStream stream(in, packedBytes.size());
  const auto first = stream.next(5);
  REQUIRE_OK(first);
  QCOMPARE(std::string(*first, 5), std::string("abcab"));
  const auto rest = stream.next(24);
  REQUIRE_OK(rest);
  QCOMPARE(std::string(*rest, 24), std::string("cabc") + std::string(20, 'c'));
  const auto past = stream.next(1);
  QVERIFY(!past);
  REQUIRE_PART(messageOf(past), "damaged or cut short");
}

void TestReadPcd::nonFinite() {
  const std::string file =
      "VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nCOUNT 1\nPOINTS 3\nDATA binary\n" +
      Bytes().add(NAN).add(2.0f).add(-INFINITY).str();
  REQUIRE_PART(messageOf(readPcd(file)), "row 0 (counted from 0), column 0 (\"x\")");
  REQUIRE_PART(messageOf(readPcd(file)), "2 rows have");
  QVERIFY(readPcd(file).error().canSkipRows);
  // Nothing would be left.
  const auto none =
      readPcd("VERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nCOUNT 1\nPOINTS 1\nDATA binary\n" +
              Bytes().add(NAN).str());
  QVERIFY(!none && !none.error().canSkipRows);
  REQUIRE_PART(messageOf(none), "Choose other columns");
  ReadOptions options;
  options.skipNonFinite = true;
  const auto dataset = readPcd(file, options);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->skippedRows, (std::vector<std::uint64_t>{0, 2}));
}

void TestReadPcd::truncatedAnywhere() {
  for (const std::string& bytes : {header(3, "binary") + records(3),
                                   header(3, "binary_compressed", false) + packed(columns(3))})
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto dataset = readPcd(bytes.substr(0, length));
      QVERIFY2(!dataset, std::to_string(length).c_str());
      QVERIFY(testing::has(messageOf(dataset), "cloud.pcd: "));
    }
}

void TestReadPcd::preview() {
  for (const bool compressed : {false, true}) {
    const std::string bytes = compressed
                                  ? header(9, "binary_compressed", false) + packed(columns(9))
                                  : header(9, "binary") + records(9);
    const auto preview = previewFrom(*memorySource("a.pcd", bytes), {}, 2);
    REQUIRE_OK(preview);
    QCOMPARE(preview->rows, (std::vector<std::vector<std::string>>{
                                {"0", "0", "0", "0", "0", "4286595264"},
                                {"0.1", "1", "-1", "0.5", "-2", "4286595264"}}));
    QCOMPARE(preview->columns[1].type, std::string("int16"));
    QCOMPARE(preview->rowEstimate, 9u);
  }
}

/// 20 MB of repeats stand for 14 GB of doubles: the header is compared with the memory before
/// anything is unpacked.
void TestReadPcd::smallFileThatUnpacksToGigabytes() {
  const std::uint32_t repeats = 6'900'000;
  const std::uint32_t points = 1 + 264 * repeats;
  std::string packed("\0a", 2);
  for (std::uint32_t i = 0; i < repeats; ++i) packed += std::string("\xE0\xFF\x00", 3);
  testing::Bytes bytes;
  bytes.text("VERSION 0.7\nFIELDS x\nSIZE 1\nTYPE U\nCOUNT 1\nWIDTH " + std::to_string(points) +
             "\nHEIGHT 1\nPOINTS " + std::to_string(points) + "\nDATA binary_compressed\n");
  bytes.add(static_cast<std::uint32_t>(packed.size())).add(points).text(packed);
  rlimit before{};
  QCOMPARE(getrlimit(RLIMIT_AS, &before), 0);
  rlimit narrow = before;
  narrow.rlim_cur = std::min<rlim_t>(before.rlim_cur, rlim_t{8} << 30);
  QCOMPARE(setrlimit(RLIMIT_AS, &narrow), 0);
  const std::clock_t start = std::clock();  // of this process, whatever else the machine does
  const auto dataset = testing::readBytes(bytes.str(), {}, "cloud.pcd");
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  QCOMPARE(setrlimit(RLIMIT_AS, &before), 0);
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::TooLarge);
  REQUIRE_PART(testing::messageOf(dataset), "need 20 GiB of memory; ");
  REQUIRE_PART(testing::messageOf(dataset), "are free");
  QVERIFY2(seconds < 1, qPrintable(QString::number(seconds) + " s"));
}

APPLESS_TEST(TestReadPcd);
#include "tst_read_pcd.moc"
