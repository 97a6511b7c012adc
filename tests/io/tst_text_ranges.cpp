// Texts that are read by several ranges of lines at once, plain or unpacked into memory, and those
// inside gzip that are too large for that, give what the same text gives with a quote in a comment,
// which is read from front to back: values, types, words, skipped rows, remarks, and messages.
#include <tbb/task_arena.h>

#include <QTest>
#include <random>

#include "gzipped.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

struct DrawnText {
  std::string bytes;
  ReadOptions options;
};

/// Several hundred KiB with two coordinates, whole numbers and words, and irregular lines at few
/// places, which may be none.
DrawnText drawText(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto oneOf = [&](std::uint64_t n) { return random() % n == 0; };
  const std::size_t rows = 20'000 + random() % 40'000;
  const std::string end = oneOf(4) ? "\r\n" : "\n";
  const char delimiter = oneOf(3) ? ';' : oneOf(3) ? '\t' : ',';
  const bool irregular = !oneOf(4);
  const std::uint64_t wrong = random() % 12;
  const std::size_t wrongRow = rows / 2 + random() % (rows / 2);
  const std::uint64_t words = oneOf(3) ? 1'000'000 : 20;
  DrawnText text;
  if (!oneOf(4)) text.bytes = std::string("x,y,id,kind") + end;
  if (!text.bytes.empty())
    for (char& c : text.bytes)
      if (c == ',') c = delimiter;
  for (std::size_t row = 0; row < rows; ++row) {
    if (irregular && oneOf(500)) text.bytes += oneOf(2) ? end : "# a comment" + end;
    std::string x = std::to_string(double(random() % 1'000'000) / 1000);
    std::string id = std::to_string(row);
    if (irregular && oneOf(2000)) x = oneOf(2) ? "nan" : "";
    if (row == wrongRow) {
      if (wrong == 0) id = "18446744073709551615";
      if (wrong == 1) id = "0.5";
      if (wrong == 2) id = "none";
      if (wrong == 3) x = "word";
      if (wrong == 4) id += delimiter;
      if (wrong == 5) id = "\"12\"";
      if (wrong == 6) x = "36028797018963969";
      if (wrong == 7) id = "\"a" + end + "b\"";
    }
    if (wrong == 8 && row > wrongRow) id = row % 2 == 0 ? "1.5" : "word";
    text.bytes += x + delimiter + std::to_string(row % 977) + delimiter + id + delimiter + 'w' +
                  std::to_string(random() % words) + end;
  }
  if (oneOf(3)) text.bytes.resize(text.bytes.size() - end.size());
  text.options.skipNonFinite = !oneOf(3);
  text.options.every = oneOf(3) ? 1 + random() % 9 : 1;
  if (oneOf(2)) text.options.coordinates = {"0", "1"};
  return text;
}

}  // namespace

class TestTextRanges : public QObject {
  Q_OBJECT
 private slots:
  void rangesAreTheWhole() {
    int read = 0;
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const DrawnText text = drawText(seed);
      const std::string packed = gzipped(text.bytes);
      const auto expected =
          readDatasetFrom(*memorySource("a.csv", text.bytes + "\n# \"\n"), text.options, {});
      ++(expected ? read : refused);
      ReadOptions little = text.options;
      little.memoryLimit = 4 * text.bytes.size() - 4;
      const std::string what = "seed " + std::to_string(seed) + ": ";
      compare(text.bytes, text.options, 1 + int(seed % 4), expected, what + "plain: ");
      compare(packed, text.options, 1 + int(seed % 4), expected, what + "in memory: ");
      compare(packed, little, 1, expected, what + "streamed: ");
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY(read > 20);
    QVERIFY(refused > 5);
  }

  /// Where a line in the middle begins as a compressed file does.
  void linesAreNoPackedFiles() {
    std::string text = "name,x,y\n";
    for (int i = 0; i < 60'000; ++i) text += "(\xb5/\xfd," + std::to_string(i) + ",1\n";  // zstd
    for (const std::string& bytes : {text, gzipped(text)}) {
      const auto read = readBytes(bytes);
      REQUIRE_OK(read);
      QCOMPARE(read->cloud.size(), std::size_t{60'000});
    }
  }

 private:
  static void compare(const std::string& bytes, const ReadOptions& options, int threads,
                      const Result<Dataset>& expected, const std::string& what) {
    Result<Dataset> found;
    tbb::task_arena(threads).execute(
        [&] { found = readDatasetFrom(*memorySource("a.csv", bytes), options, {}); });
    QVERIFY2(bool(found) == bool(expected),
             (what + messageOf(found) + messageOf(expected)).c_str());
    if (!found) {
      QCOMPARE(QString::fromStdString(what + found.error().message),
               QString::fromStdString(what + expected.error().message));
      QCOMPARE(found.error().canSkipRows, expected.error().canSkipRows);
      return;
    }
    QVERIFY2(found->cloud.columns == expected->cloud.columns, what.c_str());
    QCOMPARE(found->cloud.names, expected->cloud.names);
    QCOMPARE(found->attributes.size(), expected->attributes.size());
    for (std::size_t a = 0; a < found->attributes.size(); ++a) {
      QCOMPARE(found->attributes[a].name, expected->attributes[a].name);
      QCOMPARE(typeOf(found->attributes[a].values), typeOf(expected->attributes[a].values));
      QVERIFY2(isSame(found->attributes[a].values, expected->attributes[a].values), what.c_str());
    }
    QCOMPARE(found->inputRows, expected->inputRows);
    QCOMPARE(found->skippedRows, expected->skippedRows);
    QCOMPARE(found->skippedValues.size(), expected->skippedValues.size());
    for (std::size_t c = 2; c < found->skippedValues.size(); ++c)  // others are not numbers
      QVERIFY2(isSame(found->skippedValues[c], expected->skippedValues[c]), what.c_str());
    QVERIFY2(found->remarks == expected->remarks, what.c_str());
    QCOMPARE(found->roundedCoordinates, expected->roundedCoordinates);
    QCOMPARE(found->leftOut, expected->leftOut);
    QCOMPARE(found->columnOrder, expected->columnOrder);
    QCOMPARE(found->linesBefore, expected->linesBefore);
  }

  static bool isSame(const ColumnValues& a, const ColumnValues& b) {
    const auto* const x = std::get_if<Categories>(&a);
    const auto* const y = std::get_if<Categories>(&b);
    if (x != nullptr && y != nullptr && x->words != y->words) return false;
    return a.index() == b.index() && withVector(a, [&]<class Values>(const Values& values) {
             return withVector(b, [&]<class Others>(const Others& others) {
               if constexpr (std::is_same_v<Values, Others>) return values == others;
               return false;
             });
           });
  }
};

APPLESS_TEST(TestTextRanges);
#include "tst_text_ranges.moc"
