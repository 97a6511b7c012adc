// Numbers in text files: every double bit for bit, spellings, decimal signs, and cells that are
// none.
#include <cmath>
#include <ctime>

#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::has;
using testing::messageOf;
using testing::readBytes;
using testing::sameBits;

namespace {

ReadOptions withDelimiter(char delimiter) {
  ReadOptions options;
  options.text.delimiter = delimiter;
  return options;
}

ReadOptions withColumns(std::vector<std::string> names) {
  ReadOptions options;
  options.coordinates = std::move(names);
  return options;
}

}  // namespace

class TestTextNumbers : public QObject {
  Q_OBJECT

 private slots:
  void decimalComma();
  void decimalSignOfTheSample();
  void decimalCommaRefused();
  void nothingToDetect();
  void hardDoublesBitForBit();
  void nearestDouble();
  void outOfDoubleRange();
  void numberSpellings();
  void longIntegersKept();
  void wordsLateInAKeptColumn();
  void ownExport();
  void wordsWhereNumbersShouldBe();
  void wordInFirstRow();
  void nonFiniteRefused();
  void nonFiniteSkipped();
  void everyRowSkipped();
  void missingCells();
  void noNumbers();
};

void TestTextNumbers::decimalComma() {
  ReadOptions comma;
  comma.text.decimalSign = TextOptions::DecimalSign::Comma;
  for (const ReadOptions& options : {comma, ReadOptions()}) {
    for (const std::string text :
         {"1,5;2,25\n-3;4e1\n", "1,5\t2,25\n-3\t4e1\n", "1,5 2,25\n-3 4e1\n",
          "1,5   2,25\n -3  4e1\n", "a;b\n1,5;2,25\n-3;4e1\n", "\"1,5\";\"2,25\"\n-3;4e1\n"}) {
      const auto dataset = readBytes(text, options);
      REQUIRE_OK(dataset);
      QVERIFY2(sameBits(dataset->cloud.columns[0], {1.5, -3}), text.c_str());
      QVERIFY2(sameBits(dataset->cloud.columns[1], {2.25, 40}), text.c_str());
    }
  }
  comma.text.thousands = TextOptions::Thousands::None;
  REQUIRE_PART(messageOf(readBytes("1,5;2\n1.000,5;2\n", comma)),
               "line 2, column 0 (\"x\"): \"1.000,5\"");
  comma.text.delimiter = ',';
  QCOMPARE(readBytes("1,5\n", comma).error().kind, ErrorKind::BadCall);
}

/// The whole sample decides what one row leaves open.
void TestTextNumbers::decimalSignOfTheSample() {
  using Columns = std::vector<Coordinates>;
  const auto columnsOf = [](const std::string& text) {
    const auto dataset = readBytes(text);
    return dataset ? dataset->cloud.columns : Columns{};
  };
  // No coordinate of a row of integers and numbers with a comma is lost.
  QCOMPARE(columnsOf("1;1,5;2,5\n2;3,5;4,5\n"), (Columns{{1, 2}, {1.5, 3.5}, {2.5, 4.5}}));
  // With a comma as the delimiter the cells would be "1", "5;2" and "5".
  QCOMPARE(columnsOf("1,5;2,5\n"), (Columns{{1.5}, {2.5}}));
  // One number a row, or two: the comma is the delimiter.
  QCOMPARE(columnsOf("1,5\n2,5\n"), (Columns{{1, 2}, {5, 5}}));
  QCOMPARE(columnsOf("1, 5\n2, 5\n"), (Columns{{1, 2}, {5, 5}}));
  // The first rows hold integers only.
  QCOMPARE(columnsOf("1;2\n3;4\n5,5;6\n"), (Columns{{1, 3, 5.5}, {2, 4, 6}}));
  // Three digits after the comma are decimals, not thousands.
  QCOMPARE(columnsOf("1,234;5\n"), (Columns{{1.234}, {5}}));
  // Words with commas do not count.
  QCOMPARE(columnsOf("a;b;name\n1.5;2;oak, tall\n"), (Columns{{1.5}, {2}}));
  // A point anywhere makes commas ambiguous: refused unless the caller decides.
  const std::string mixed = "1.5;2,5;3\n2.5;3,5;4\n";
  REQUIRE_PART(messageOf(readBytes(mixed)),
               "column 1 (\"y\") holds numbers with a comma, such as \"2,5\"");
  ReadOptions point;
  point.text.decimalSign = TextOptions::DecimalSign::Point;
  const auto dropped = readBytes(mixed, point);
  REQUIRE_OK(dropped);
  QCOMPARE(dropped->cloud.columns, (Columns{{1.5, 2.5}, {3, 4}}));
  QCOMPARE(testing::wordsOf(*dropped, 0), (std::vector<std::string>{"2,5", "3,5"}));
  // The comma is both the delimiter and, in quotes, the decimal sign.
  REQUIRE_PART(messageOf(readBytes("1,\"2,5\"\n2,\"3,5\"\n")), "The comma is the delimiter here");
  REQUIRE_PART(messageOf(readBytes("\"1,5\",\"2,5\"\n")), "no column holds numbers, but column 0");
  // What was detected is shown.
  const std::string text = "1;1,5;2,5\n";
  const auto preview = previewFrom(*memorySource("cloud.csv", text), {}, 5);
  REQUIRE_OK(preview);
  QCOMPARE(preview->text.decimalSign, TextOptions::DecimalSign::Comma);
  QCOMPARE(preview->text.delimiter, ';');
}

void TestTextNumbers::decimalCommaRefused() {
  ReadOptions point = withColumns({"a"});
  point.text.decimalSign = TextOptions::DecimalSign::Point;
  const std::string text = "a;b\n1,5;2,25\n3,5;4,75\n";
  REQUIRE_PART(messageOf(readBytes(text, point)), "holds text");
  point.coordinates.clear();
  REQUIRE_PART(messageOf(readBytes(text, point)), "Choose the comma as the decimal sign");
  // The first comma comes after the sample.
  std::string late;
  for (int i = 0; i < 300; ++i) late += "1;2\n";
  REQUIRE_PART(messageOf(readBytes(late + "1,5;2\n")),
               "If the comma is the decimal sign, choose it");
}

/// Files that are large but hold nothing to detect are read or refused in linear time: four times
/// as much takes about four times as long, and not sixteen.
void TestTextNumbers::nothingToDetect() {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const auto readAll = [](std::size_t gap, int columns) {
    REQUIRE_PART(messageOf(readBytes(std::string(gap, '\n') + "1,2\n")),
                 "its first 16 MiB hold only blank lines and comments");
    const auto sparse = readBytes("1,2\n" + std::string(gap, '\n') + "3,4\n");
    REQUIRE_OK(sparse);
    QVERIFY(sameBits(sparse->cloud.columns[1], {2, 4}));
    for (const char delimiter : {',', ';', '\t'}) {
      std::string wide;
      for (int i = 0; i < columns; ++i) {
        wide += '1';
        wide += delimiter;
      }
      REQUIRE_PART(messageOf(readBytes(wide + "1\n")), "65536");
    }
  };
  double part = 0;
  double whole = 1;
  for (int turn = 0; turn < 5 && whole >= 8 * part; ++turn) {
    const std::clock_t start = std::clock();  // of this process, whatever else the machine does
    readAll(20 * kMiB, 4'000'000);
    const std::clock_t between = std::clock();
    readAll(80 * kMiB, 16'000'000);
    part = double(between - start);
    whole = double(std::clock() - between);
  }
  QVERIFY2(whole < 8 * part, qPrintable(QString("%1 and %2").arg(part).arg(whole)));
}

void TestTextNumbers::hardDoublesBitForBit() {
  const auto hard = testing::hardDoubles();
  // Written by the C library with 17 digits, which is always enough.
  std::string text = "v,w\n";
  for (const double x : hard) {
    char line[80];
    std::snprintf(line, sizeof line, "%.17g,%.17g\n", x, -x);
    text += line;
  }
  const auto dataset = readBytes(text);
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], hard));
  for (std::size_t i = 0; i < hard.size(); ++i) QCOMPARE(dataset->cloud.columns[1][i], -hard[i]);
}

void TestTextNumbers::nearestDouble() {
  // Half-way cases and long digits, with strtod as the reference.
  const std::vector<std::string> cells{
      "9007199254740993",
      "9007199254740992.99999999999999999999999999999999999",
      "1.00000000000000011102230246251565404236316680908203125",
      "1.00000000000000011102230246251565404236316680908203124",
      "1.00000000000000011102230246251565404236316680908203126",
      "2.4703282292062327208e-324",
      "2.4703282292062328e-324",
      "17976931348623157081452742373170435679807056752584499659891747680315726078002853876058955863"
      "2"
      "76687817154045895351438246423432132688946418276846754670353751698604991057655128207624549009"
      "0"
      "389328944075868508455133942304583236903222948165808559332123347974757990.0",
      "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"};
  for (const std::string& cell : cells) {
    const auto dataset = readBytes(cell + "\n");
    REQUIRE_OK(dataset);
    QVERIFY2(sameBits(dataset->cloud.columns[0], {std::strtod(cell.c_str(), nullptr)}),
             cell.c_str());
  }
}

void TestTextNumbers::outOfDoubleRange() {
  const auto tiny = readBytes("1e-400,2\n-1e-99999999999999999999,2\n0.0000001e-400,3\n");
  REQUIRE_OK(tiny);
  QVERIFY(sameBits(tiny->cloud.columns[0], {0.0, -0.0, 0.0}));
  REQUIRE_PART(messageOf(readBytes("1,2\n3,1e400\n")),
               "line 2, column 1 (\"y\"): the coordinate is infinite");
  REQUIRE_PART(messageOf(readBytes("1,2\n3,-1e99999999999999999999\n")), "is minus infinity");
  REQUIRE_PART(messageOf(readBytes("1,2\n3," + std::string(400, '9') + "\n")), "is infinite");
  const auto longTiny = readBytes("0." + std::string(400, '0') + "1\n2\n");
  REQUIRE_OK(longTiny);
  QVERIFY(sameBits(longTiny->cloud.columns[0], {0.0, 2}));
}

void TestTextNumbers::numberSpellings() {
  for (const std::string word :
       {"0x10", "1e", "--1", "+-1", "1_000", "1.2.3", "e5", ".", "1 2", "NaNa", "info", "1d5",
        "\xC2\xA0"
        "1",
        "\xE2\x88\x92"
        "1"}) {
    ReadOptions options = withDelimiter(';');
    const std::string message = messageOf(readBytes("1;2\n3;4\n5;" + word + "\n", options));
    REQUIRE_PART(message, "line 3, column 1 (\"y\")");
    REQUIRE_PART(message, "is not a number");
  }
  const auto dataset = readBytes("5.;.5;+1;1E3;-0\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.dims(), 5u);
  QVERIFY(std::signbit(dataset->cloud.columns[4][0]));
}

void TestTextNumbers::longIntegersKept() {
  // A double would turn one id into another.
  const auto dataset =
      readBytes("id,x\n9007199254740993,1\n9007199254740992,2\n12,3\n", withColumns({"x"}));
  REQUIRE_OK(dataset);
  QCOMPARE(std::get<std::vector<std::int64_t>>(dataset->attributes[0].values),
           (std::vector<std::int64_t>{9007199254740993, 9007199254740992, 12}));
}

void TestTextNumbers::wordsLateInAKeptColumn() {
  // Beyond the rows that types are detected from.
  std::string text = "x,a,b\n";
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + ",1.50,2\n";
  text += "1,late,2\n2,3,oak\n";
  const auto dataset = readBytes(text, withColumns({"x"}));
  REQUIRE_OK(dataset);
  const auto a = testing::wordsOf(*dataset, 0);
  const auto b = testing::wordsOf(*dataset, 1);
  QCOMPARE(a.size(), 50'002u);
  QCOMPARE(a[0], std::string("1.50"));
  QCOMPARE(a[50'000], std::string("late"));
  QCOMPARE(b[50'001], std::string("oak"));
  // As a coordinate the same column is refused, by line and column.
  REQUIRE_PART(messageOf(readBytes(text)),
               "line 50002, column 1 (\"a\"): \"late\" is not a number");
}

void TestTextNumbers::ownExport() {
  const auto dataset =
      readBytes("# program: Clusterloom\nx,y,label,role\n1,2,0,core\n3,4,-1,noise\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y"}));
  QVERIFY(sameBits(testing::numbersOf(*dataset, 0), {0, -1}));
  QVERIFY(dataset->leftOut.empty());
}

void TestTextNumbers::wordsWhereNumbersShouldBe() {
  const auto dataset = readBytes("x,y\n1,2\n3,four\n5,6\n");
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
  QCOMPARE(messageOf(dataset),
           std::string("cloud.csv: line 3, column 1 (\"y\"): \"four\" is not a number. "
                       "Correct it, or choose other coordinate columns."));
  // Long cells are shortened, control characters kept out of the message.
  const std::string message =
      messageOf(readBytes("1,2\n3,4\n5,\x01" + std::string(500, 'q') + "\n"));
  REQUIRE_PART(message, "\"?qqq");
  QVERIFY(message.size() < 250);
}

void TestTextNumbers::wordInFirstRow() {
  // Neither a header (it holds a number) nor a row: no dimension is dropped silently.
  const std::string message = messageOf(readBytes("l,2\n1,2\n3,4\n"));
  REQUIRE_PART(message, "line 1, column 0 (\"x\"): \"l\" is not a number");
  REQUIRE_PART(message, "if this line names the columns, say that there is a header");
}

void TestTextNumbers::nonFiniteRefused() {
  const auto dataset = readBytes("x,y\n1,2\n3,nan\ninf,4\n5,6\n7,-inf\n");
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
  REQUIRE_PART(messageOf(dataset),
               "cloud.csv: line 3, column 1 (\"y\"): the coordinate is missing or not a number");
  REQUIRE_PART(messageOf(dataset), "3 rows have such coordinates");
  REQUIRE_PART(messageOf(dataset), "skip such rows");
  QVERIFY(dataset.error().canSkipRows);
}

void TestTextNumbers::nonFiniteSkipped() {
  ReadOptions options = withColumns({"x", "y"});
  options.skipNonFinite = true;
  const auto dataset =
      readBytes("x,y,t,n\nnan,0,a,1\n1,2,b,2\n3,,c,3\n# no row\n4,5,d,nan\n6,inf,e,5\n", options);
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 4}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {2, 5}));
  QCOMPARE(testing::wordsOf(*dataset, 0), (std::vector<std::string>{"b", "d"}));
  QCOMPARE(testing::numbersOf(*dataset, 1)[0], 2.0);
  QVERIFY(std::isnan(testing::numbersOf(*dataset, 1)[1]));  // not a coordinate: kept
  QCOMPARE(dataset->inputRows, 5u);
  QCOMPARE(dataset->skippedRows, (std::vector<std::uint64_t>{0, 2, 4}));
}

void TestTextNumbers::everyRowSkipped() {
  ReadOptions options;
  options.skipNonFinite = true;
  REQUIRE_PART(messageOf(readBytes("1,nan\n2,nan\nnan,3\n", options)),
               "no row is left: each of the 3 rows");
}

void TestTextNumbers::missingCells() {
  for (const std::string missing : {"", " ", "NA", "n/a", "null", "NaN", "-nan", "\"\"", "#N/A"}) {
    const std::string message =
        messageOf(readBytes("x;y\n1;2\n3;" + missing + "\n4;5\n", withDelimiter(';')));
    REQUIRE_PART(message, "line 3, column 1 (\"y\"): the coordinate is missing");
    REQUIRE_PART(message, "1 row has");
  }
}

void TestTextNumbers::noNumbers() {
  REQUIRE_PART(messageOf(readBytes("name,colour\noak,green\nelm,red\n")),
               "no column holds numbers");
  REQUIRE_PART(messageOf(readBytes("hello\n")), "names columns, but no data rows");
}

APPLESS_TEST(TestTextNumbers);
#include "tst_text_numbers.moc"
