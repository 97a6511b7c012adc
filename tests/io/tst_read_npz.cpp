// NumPy's archives of arrays, made here by the description of ZIP.
#include <numeric>
#include <stop_token>

#include "engine/io/npy/zip_directory.h"
#include "io_testing.h"
#include "tests/io/npz_archive.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::archive;
using testing::messageOf;
using testing::sameBits;

namespace {

/// An array of doubles as numpy.save writes it.
std::string array(std::size_t rows, std::size_t columns, double first = 0) {
  std::vector<double> values(rows * columns);
  std::iota(values.begin(), values.end(), first);
  return testing::npyOf("<f8", std::to_string(rows) + ", " + std::to_string(columns), values);
}

Result<Dataset> read(const std::string& bytes, const std::string& dataset = "") {
  ReadOptions options;
  options.dataset = dataset;
  return testing::readBytes(bytes, options, "cloud.npz");
}

}  // namespace

class TestReadNpz : public QObject {
  Q_OBJECT
 private slots:
  void oneArray();
  void severalArrays();
  void largeArray();
  void preview();
  void damage();
  void stopsWhileItUnpacks();
  void everyByteChanged();
};

void TestReadNpz::oneArray() {
  for (const bool deflate : {false, true})
    for (const bool wide : {false, true}) {
      const auto dataset =
          read(archive({{"arr_0.npy", array(3, 2), deflate}}, wide, deflate ? "a comment" : ""));
      REQUIRE_OK(dataset);
      QVERIFY(sameBits(dataset->cloud.columns[0], {0, 2, 4}));
      QVERIFY(sameBits(dataset->cloud.columns[1], {1, 3, 5}));
      QCOMPARE(dataset->source.format, std::string("npz"));
      QVERIFY(dataset->source.hash.starts_with("xxh3:"));
    }
}

void TestReadNpz::severalArrays() {
  // The only one with several columns is meant.
  const std::string labelled = archive({{"y.npy", array(3, 1)}, {"X.npy", array(3, 2, 5), true}});
  const auto meant = read(labelled);
  REQUIRE_OK(meant);
  QVERIFY(sameBits(meant->cloud.columns[0], {5, 7, 9}));
  const auto chosen = read(labelled, "y");
  REQUIRE_OK(chosen);
  QCOMPARE(chosen->cloud.dims(), 1u);
  QCOMPARE(chosen->source.choices.front().second, std::string("y"));
  REQUIRE_PART(messageOf(read(labelled, "Z")), "There are: y, X.");
  const std::string two = archive({{"a.npy", array(3, 2)}, {"b.npy", array(4, 2)}});
  const std::string message = messageOf(read(two));
  REQUIRE_PART(message, "holds 2 tables: a (3 × 2, float64), b (4 × 2, float64)");
  REQUIRE_OK(read(two, "b"));
  // Other files, and arrays of something else.
  const std::string mixed =
      archive({{"a.npy", array(3, 2)}, {"notes.txt", "hello"}, {"text.npy", "no array"}});
  REQUIRE_OK(read(mixed));
  REQUIRE_PART(messageOf(read(mixed, "text")), "is not one");
  REQUIRE_PART(messageOf(read(archive({{"a.npy", "no array"}}))), "holds no array of numbers");
}

/// More than a block of unpacking, and rows from a place in the middle.
void TestReadNpz::largeArray() {
  const std::size_t rows = 300000;
  for (const bool deflate : {false, true}) {
    const std::string bytes = archive({{"a.npy", array(rows, 2), deflate}});
    ReadOptions options;
    options.every = 1000;
    const auto dataset = testing::readBytes(bytes, options, "cloud.npz");
    REQUIRE_OK(dataset);
    QCOMPARE(dataset->cloud.size(), rows / 1000);
    QCOMPARE(dataset->cloud.columns[1][299], 2.0 * 299000 + 1);
  }
}

void TestReadNpz::preview() {
  const std::string bytes = archive({{"a.npy", array(3, 2)}, {"b.npy", array(4, 1), true}});
  const auto source = memorySource("cloud.npz", bytes);
  const auto preview = previewFrom(*source, {}, 2);
  REQUIRE_OK(preview);
  QCOMPARE(preview->format, Format::Npz);
  QCOMPARE(preview->rowEstimate, 3u);
  QCOMPARE(preview->tables.size(), 2u);
  QCOMPARE(preview->dataset, std::string("a"));
  QCOMPARE(preview->rows.size(), 2u);
}

void TestReadNpz::damage() {
  const std::string bytes = archive({{"a.npy", array(30, 2), true}});
  for (std::size_t length = 31; length < bytes.size(); ++length)
    QVERIFY2(!read(bytes.substr(0, length)), qPrintable(QString::number(length)));
  std::string changed = bytes;
  // The checksum counts that stands in the directory.
  const std::size_t directory = bytes.find(std::string("PK\x01\x02", 4));
  changed[directory + 16] = static_cast<char>(changed[directory + 16] + 1);
  REQUIRE_PART(messageOf(read(changed)), "checksum");
  changed = bytes;
  changed[directory + 8] = 1;
  REQUIRE_PART(messageOf(read(changed)), "encrypted");
  changed = bytes;
  changed[directory + 10] = 12;
  REQUIRE_PART(messageOf(read(changed)), "other than Deflate");
  changed = bytes;
  changed[directory + 24] = static_cast<char>(changed[directory + 24] + 1);
  REQUIRE_PART(messageOf(read(changed)), "another number of bytes");
}

/// Whatever a byte is, the reader answers.
/// Packed arrays are unpacked as a whole, which a stop ends.
void TestReadNpz::stopsWhileItUnpacks() {
  const std::string bytes =
      testing::archive({{"a.npy", std::string(std::size_t{8} << 20, '\0'), true}});
  const auto source = memorySource("a.npz", bytes);
  const auto entries = zipDirectory(*source);
  REQUIRE_OK(entries);
  QCOMPARE((*openZipEntry(*source, entries->front(), {}))->size(), std::uint64_t{8} << 20);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = openZipEntry(*source, entries->front(), {stop.get_token(), {}});
  QVERIFY(!stopped);
  QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
}

void TestReadNpz::everyByteChanged() {
  for (const bool deflate : {false, true})
    for (const bool wide : {false, true}) {
      const std::string bytes = archive({{"a.npy", array(4, 2), deflate}}, wide);
      for (std::size_t at = 30; at < bytes.size(); ++at)
        for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
          std::string changed = bytes;
          changed[at] = static_cast<char>(value);
          const auto dataset = read(changed);
          if (!dataset) QVERIFY(testing::has(messageOf(dataset), "cloud.npz: "));
        }
    }
}

APPLESS_TEST(TestReadNpz);
#include "tst_read_npz.moc"
