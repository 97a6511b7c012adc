#include <cmath>
#include <ctime>

#include "engine/io/read_words.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::has;
using testing::messageOf;
using testing::readBytes;
using testing::sameBits;

namespace {

ReadOptions withColumns(std::vector<std::string> names) {
  ReadOptions options;
  options.coordinates = std::move(names);
  return options;
}

}  // namespace

class TestReadText : public QObject {
  Q_OBJECT

 private slots:
  void delimiters_data();
  void delimiters();
  void header_data();
  void header();
  void bareNumbers();
  void chosenColumns();
  void rangesOfColumns();
  void keptColumns();
  void textColumns();
  void quotedFields();
  void quotedFieldAcrossBlocks();
  void commentsAndBlankLines();
  void byteOrderMark();
  void linesBeforeTheTable_data();
  void linesBeforeTheTable();
  void noLinesBeforeTheTable_data();
  void noLinesBeforeTheTable();
  void skippedLinesChosen();
  void units();
  void noUnits();
  void raggedRows_data();
  void raggedRows();
  void emptyAndHeaderOnly();
  void openQuote();
  void textAfterQuote();
  void oldMacAndUtf16();
  void columnErrors();
  void tooManyDimensions();
  void dimensions128();
  void tooLarge();
  void wordsPastMemory();
  void endlessLine();
  void truncatedAnywhere();
  void manyRows();
  void preview();
  void previewOfALargeFile();
};

void TestReadText::delimiters_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("comma") << QByteArray("1,2.5,-3\n4,5,6e1\n");
  QTest::newRow("comma and blank") << QByteArray("1, 2.5, -3\n4, 5, 6e1\n");
  QTest::newRow("semicolon") << QByteArray("1;2.5;-3\n4;5;6e1\n");
  QTest::newRow("tab") << QByteArray("1\t2.5\t-3\n4\t5\t6e1\n");
  QTest::newRow("blank") << QByteArray("1 2.5 -3\n4 5 6e1\n");
  QTest::newRow("runs of blanks") << QByteArray("  1   2.5\t -3 \n\t4 5  6e1\n");
  QTest::newRow("CRLF") << QByteArray("1,2.5,-3\r\n4,5,6e1\r\n");
  QTest::newRow("no last line end") << QByteArray("1,2.5,-3\n4,5,6e1");
  QTest::newRow("blank CRLF, no last line end") << QByteArray("1 2.5 -3\r\n4 5 6e1");
  QTest::newRow("quoted") << QByteArray("\"1\",\"2.5\",\"-3\"\n\"4\",\"5\",\"6e1\"\n");
  QTest::newRow("bar") << QByteArray("1|2.5|-3\n4|5|6e1\n");
  QTest::newRow("plus signs") << QByteArray("+1,+2.5,-3\n4,5,+6e+1\n");
}

void TestReadText::delimiters() {
  QFETCH(QByteArray, text);
  const auto dataset = readBytes(text.toStdString());
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.dims(), 3u);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 4}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {2.5, 5}));
  QVERIFY(sameBits(dataset->cloud.columns[2], {-3, 60}));
  QCOMPARE(dataset->inputRows, 2u);
  QVERIFY(dataset->attributes.empty());
  QCOMPARE(dataset->source.format, std::string("csv"));
  QCOMPARE(dataset->source.path, std::string("cloud.csv"));
}

void TestReadText::header_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("names");
  QTest::newRow("names") << QByteArray("east,north\n1,2\n") << QByteArray("east,north");
  QTest::newRow("none") << QByteArray("1,2\n") << QByteArray("x,y");
  QTest::newRow("quoted names") << QByteArray("\"a, b\";\"c \"\"d\"\"\"\n1;2\n")
                                << QByteArray("a, b,c \"d\"");
  QTest::newRow("an empty name") << QByteArray(",north\n1,2\n") << QByteArray("x,north");
  QTest::newRow("four columns") << QByteArray("1,2,3,4\n") << QByteArray("x0,x1,x2,x3");
  QTest::newRow("after comments") << QByteArray("# made today\n\na b\n1 2\n") << QByteArray("a,b");
}

void TestReadText::header() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, names);
  const auto dataset = readBytes(text.toStdString());
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.size(), 1u);
  std::string joined;
  for (const std::string& name : dataset->cloud.names) joined += (joined.empty() ? "" : ",") + name;
  QCOMPARE(joined, names.toStdString());
}

void TestReadText::bareNumbers() {
  const auto dataset = readBytes("3\n1\n2\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.dims(), 1u);
  QVERIFY(sameBits(dataset->cloud.columns[0], {3, 1, 2}));
  ReadOptions header;
  header.text.header = TextOptions::Header::Yes;
  const auto named = readBytes("1,2\n3,4\n", header);
  REQUIRE_OK(named);
  QCOMPARE(named->cloud.names, (std::vector<std::string>{"1", "2"}));
  QCOMPARE(named->cloud.size(), 1u);
  header.text.header = TextOptions::Header::No;
  REQUIRE_PART(messageOf(readBytes("a,b\n3,4\n", header)), "line 1, column 0 (\"x\"): \"a\"");
}

void TestReadText::chosenColumns() {
  const std::string text = "id,x,y,z\n7,1,2,3\n8,4,5,6\n";
  auto dataset = readBytes(text, withColumns({"z", "1"}));
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"z", "x"}));
  QVERIFY(sameBits(dataset->cloud.columns[0], {3, 6}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {1, 4}));
  QCOMPARE(dataset->attributes.size(), 2u);
  QCOMPARE(dataset->attributes[0].name, std::string("id"));
  // In the order of the file: id (attribute 0), x (coordinate 1), y (attribute 1), z (coordinate
  // 0).
  QCOMPARE(dataset->columnOrder, (std::vector<std::size_t>{2, 1, 3, 0}));
  // A name that looks like a number is a name first.
  dataset = readBytes("1,0\n5,6\n", [] {
    ReadOptions options = withColumns({"0"});
    options.text.header = TextOptions::Header::Yes;
    return options;
  }());
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {6}));
}

void TestReadText::rangesOfColumns() {
  const std::string text = "id,X,Y,Z,\"a, b\"\n7,1,2,3,9\n8,4,5,6,9\n";
  const auto names = [&](const char* list) {
    const auto columns = parseColumnList(list);
    if (!columns) return std::vector<std::string>{columns.error().message};
    const auto dataset = readBytes(text, withColumns(*columns));
    return dataset ? dataset->cloud.names : std::vector<std::string>{messageOf(dataset)};
  };
  using Names = std::vector<std::string>;
  QCOMPARE(names("1:3"), (Names{"X", "Y", "Z"}));
  QCOMPARE(names("X:Z,id"), (Names{"X", "Y", "Z", "id"}));
  QCOMPARE(names("x, y ,z"), (Names{"X", "Y", "Z"}));
  QCOMPARE(names("\"a, b\",2"), (Names{"a, b", "Y"}));
  REQUIRE_PART(names("Z:X").front(), "ends before it begins");
  REQUIRE_PART(names("X:w").front(), "no column \"w\"");
  REQUIRE_PART(names("X:Z,Y").front(), "chosen twice");
  REQUIRE_PART(names("X,,Y").front(), "--columns needs names");
  // Small and capital letters where both are there; names that look like ranges.
  const auto exact = readBytes("x,X,0:1\n1,2,3\n4,5,6\n", withColumns({"X", "0:1"}));
  REQUIRE_OK(exact);
  QCOMPARE(exact->cloud.names, (Names{"X", "0:1"}));
  REQUIRE_PART(messageOf(readBytes("Ab,aB\n1,2\n3,4\n", withColumns({"ab"}))), "more than one");
  // A list and back.
  for (const char* list : {"x,y", "\"a, b\",2", "\"say \"\"a\"\"\",x"})
    QCOMPARE(columnListText(*parseColumnList(list)), std::string(list));
}

void TestReadText::keptColumns() {
  ReadOptions options = withColumns({"x", "y"});
  options.keepOthers = false;
  const std::string text = "x,a,y,b\n1,10,2,20\n3,30,4,40\n";
  auto dataset = readBytes(text, options);
  REQUIRE_OK(dataset);
  QVERIFY(dataset->attributes.empty());
  options.keep = {"b"};
  dataset = readBytes(text, options);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->attributes.size(), 1u);
  QCOMPARE(dataset->attributes[0].name, std::string("b"));
  QVERIFY(sameBits(testing::numbersOf(*dataset, 0), {20, 40}));
  QCOMPARE(dataset->columnOrder, (std::vector<std::size_t>{0, 1, 2}));
}

void TestReadText::textColumns() {
  const auto dataset = readBytes("x,kind,y\n1,oak,2\n3, elm ,4\n5,oak,6\n7,,8\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y"}));
  QCOMPARE(testing::wordsOf(*dataset, 0), (std::vector<std::string>{"oak", "elm", "oak", ""}));
  QCOMPARE(std::get<Categories>(dataset->attributes[0].values).words.size(), 3u);
  QCOMPARE(dataset->columnOrder, (std::vector<std::size_t>{0, 2, 1}));
}

void TestReadText::quotedFields() {
  const auto dataset = readBytes(
      "x,\"na\"\"me\",y\n1,\"a, b\",2\n3,\"line\none\r\ntwo\",4\n5,\"say \"\"no\"\"\",6\n7,\" pad "
      "\",8\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->attributes[0].name, std::string("na\"me"));
  QCOMPARE(testing::wordsOf(*dataset, 0),
           (std::vector<std::string>{"a, b", "line\none\r\ntwo", "say \"no\"", " pad "}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {2, 4, 6, 8}));
  // The line of an error counts the line ends inside quotes.
  REQUIRE_PART(messageOf(readBytes("x,n,y\n1,\"a\nb\",2\n3,c,4\n5,d\n")), "line 5 has 2 columns");
  // A quote inside a cell is only a character.
  const auto inch = readBytes("x,size,y\n1,5\" wide,2\n3,4\",5\n");
  REQUIRE_OK(inch);
  QCOMPARE(testing::wordsOf(*inch, 0), (std::vector<std::string>{"5\" wide", "4\""}));
}

void TestReadText::quotedFieldAcrossBlocks() {
  // Longer than any block the reader uses, with delimiters, quotes and line ends in it.
  std::string cell;
  std::string plain;
  while (cell.size() < 3'000'000) {
    cell += "abc,\"\"\n";
    plain += "abc,\"\n";
  }
  const auto dataset = readBytes("x,t\n1,start\n2,\"" + cell + "\"\n3,end\n");
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 2, 3}));
  QVERIFY(testing::wordsOf(*dataset, 0)[1] == plain);
}

void TestReadText::commentsAndBlankLines() {
  auto dataset = readBytes("# first\n#second \"open\n\n1,2\n  # third\n   \n3,4\n#end");
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 3}));
  QCOMPARE(dataset->inputRows, 2u);
  REQUIRE_PART(messageOf(readBytes("# first\n\n1,2\n3\n")), "line 4 has 1 column; line 3 has 2");
  ReadOptions percent;
  percent.text.comment = '%';
  dataset = readBytes("% first\n1,2\n%\n3,4\n", percent);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.size(), 2u);
  // A tab table may have rows that begin with empty cells.
  dataset = readBytes("k\tx\ty\na\t1\t2\n\t3\t4\n");
  REQUIRE_OK(dataset);
  QCOMPARE(testing::wordsOf(*dataset, 0), (std::vector<std::string>{"a", ""}));
}

void TestReadText::linesBeforeTheTable_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("lines");
  const QByteArray rows = "1 2 3\n4 5 6\n7 8 9\n";
  const QByteArray commas = "x,y,z\n1,2,3\n4,5,6\n7,8,9\n";
  QTest::newRow("none") << rows << "cloud.txt" << 0;
  QTest::newRow("count") << QByteArray("3\n" + rows) << "cloud.pts" << 1;
  QTest::newRow("count and comment")
      << QByteArray("3\nthe water molecule\n" + rows) << "cloud.xyz" << 2;
  QTest::newRow("count, comment of as many words")
      << QByteArray("3\nwater, one molecule\n" + rows) << "cloud.xyz" << 2;
  QTest::newRow("count, comment of more words")
      << QByteArray("3\nwater as one molecule\n" + rows) << "cloud.xyz" << 2;
  QTest::newRow("title") << QByteArray("Measurements of May 2024\n" + commas) << "cloud.csv" << 1;
  QTest::newRow("title, blank line")
      << QByteArray("Measurements, May\nSite 4\n\n" + commas) << "cloud.csv" << 3;
  QTest::newRow("title, comments")
      << QByteArray("# made by hand\nMeasurements\n# more\n" + commas) << "cloud.csv" << 3;
  QTest::newRow("byte order mark")
      << QByteArray("\xEF\xBB\xBFMeasurements\n" + commas) << "cloud.csv" << 1;
  QTest::newRow("CRLF") << QByteArray("Measurements\r\nx,y,z\r\n1,2,3\r\n4,5,6\r\n7,8,9\r\n")
                        << "cloud.csv" << 1;
  QTest::newRow("sep") << QByteArray("sep=;\nx;y;z\n1;2;3\n4;5;6\n7;8;9\n") << "cloud.csv" << 1;
  QTest::newRow("sep, quoted") << QByteArray("\"sep=|\"\n1|2|3\n4|5|6\n7|8|9\n") << "cloud.csv"
                               << 1;
}

void TestReadText::linesBeforeTheTable() {
  QFETCH(QByteArray, text);
  QFETCH(QString, name);
  QFETCH(int, lines);
  const auto dataset = testing::readBytes(text.toStdString(), {}, name.toStdString());
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y", "z"}));
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 4, 7}));
  QVERIFY(sameBits(dataset->cloud.columns[2], {3, 6, 9}));
  QCOMPARE(dataset->inputRows, 3u);
  QCOMPARE(dataset->linesBefore, std::uint64_t(lines));
}

void TestReadText::noLinesBeforeTheTable_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("a row too short") << QByteArray("1 2\n1 2 3\n4 5 6\n7 8 9\n");
  QTest::newRow("a row too long") << QByteArray("1,2,3,4\n1,2,3\n4,5,6\n7,8,9\n");
  QTest::newRow("a header too short") << QByteArray("x,y,z\n1,2,3\n1,2\n3,4\n5,6\n");
  QTest::newRow("names without that of R's numbers of rows")
      << QByteArray("\"x\" \"y\"\n\"1\" 0.5 0.6\n\"2\" 1 2\n\"3\" 3 4\n");
  QTest::newRow("rows that end with a comma") << QByteArray("x,y\n1,2,\n3,4,\n5,6,\n");
  QTest::newRow("a name too many") << QByteArray("x,y,z\n1,2\n3,4\n5,6\n");
  QTest::newRow("a row too short at the end") << QByteArray("x,y,z\n1,2,3\n4,5,6\n7,8\n");
}

/// What may be damage is refused, not dropped.
void TestReadText::noLinesBeforeTheTable() {
  QFETCH(QByteArray, text);
  const auto dataset = readBytes(text.toStdString());
  QVERIFY(!dataset);
  REQUIRE_PART(messageOf(dataset), "columns; line ");
}

void TestReadText::skippedLinesChosen() {
  ReadOptions options;
  options.text.skipLines = 2;
  const auto dataset = readBytes("1,2\n3,4\n5,6\n7,8\n", options);
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {5, 7}));
  options.text.skipLines = 0;
  REQUIRE_PART(messageOf(readBytes("3\n1 2 3\n4 5 6\n7 8 9\n", options)), "line 2 has 3 columns");
  // Messages count all lines of the file.
  options.text.skipLines = 1;
  REQUIRE_PART(messageOf(readBytes("title\nx,y\n1,2\n3,four\n", options)), "line 4, column 1");
  options.text.skipLines = 9;
  QVERIFY(!readBytes("1,2\n3,4\n", options));
}

void TestReadText::units() {
  const auto dataset = readBytes("x,speed,name\nm,km/s,\n1,2,a\n3,4,b\n");
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 3}));
  QVERIFY(sameBits(dataset->cloud.columns[1], {2, 4}));
  QCOMPARE(dataset->units.at("speed"), std::string("km/s"));
  QCOMPARE(dataset->inputRows, 2u);
}

/// Rows of words that may be values.
void TestReadText::noUnits() {
  for (const char* text : {"x,y\nunknown,?\n1,2\n3,4\n", "x,y\n-,-\n1,2\n3,4\n"})
    REQUIRE_PART(messageOf(readBytes(text)), "line 2, column 0");
  // A table of words has no row of units.
  ReadOptions options;
  options.coordinates = {"x"};
  const auto dataset = readBytes("unit,x\nm,\nkm,1\ns,2\n", [&] {
    options.skipNonFinite = true;
    return options;
  }());
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->inputRows, 3u);
}

void TestReadText::byteOrderMark() {
  auto dataset = readBytes("\xEF\xBB\xBFx,y\n1,2\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y"}));
  dataset = readBytes("\xEF\xBB\xBF\"x\",y\n1,2\n");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names[0], std::string("x"));
  dataset = readBytes(
      "\xEF\xBB\xBF"
      "1,2\n3,4\n");
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], {1, 3}));
}

void TestReadText::raggedRows_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("message");
  QTest::newRow("too few") << QByteArray("x,y,z\n1,2,3\n4,5\n")
                           << QByteArray("line 3 has 2 columns; line 1 has 3");
  QTest::newRow("too many") << QByteArray("1,2\n1,2,3,4\n")
                            << QByteArray("line 2 has 4 columns; line 1 has 2");
  QTest::newRow("one") << QByteArray("1;2\n1;2\n7\n")
                       << QByteArray("line 3 has 1 column; line 1 has 2");
  QTest::newRow("blanks, too few")
      << QByteArray("1 2 3\n4 5 \n") << QByteArray("line 2 has 2 columns; line 1 has 3");
  QTest::newRow("blanks, too many")
      << QByteArray("1 2\n1 2  3 \n4 5\n") << QByteArray("line 2 has 3 columns; line 1 has 2");
  QTest::newRow("trailing delimiter")
      << QByteArray("1,2\n1,2,\n3,4\n") << QByteArray("line 2 has 3 columns; line 1 has 2");
  QTest::newRow("quoted") << QByteArray("1,2\n\"1\",2,\"3\"\n3,4\n")
                          << QByteArray("line 2 has 3 columns; line 1 has 2");
  QTest::newRow("CRLF") << QByteArray("1,2\r\n3\r\n")
                        << QByteArray("line 2 has 1 column; line 1 has 2");
}

void TestReadText::raggedRows() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, message);
  const auto dataset = readBytes(text.toStdString());
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
  REQUIRE_PART(messageOf(dataset), "cloud.csv: ");
  REQUIRE_PART(messageOf(dataset), message.toStdString());
}

void TestReadText::emptyAndHeaderOnly() {
  REQUIRE_PART(messageOf(readBytes("")), "cloud.csv: the file is empty");
  REQUIRE_PART(messageOf(readBytes("\n\n# only\n \n")), "it holds only blank lines and comments");
  REQUIRE_PART(messageOf(readBytes("\xEF\xBB\xBF")), "it holds only blank lines and comments");
  REQUIRE_PART(messageOf(readBytes("# c\nx,y\n")), "line 2 names columns, but no data rows follow");
  REQUIRE_PART(messageOf(readBytes("x,y")), "line 1 names columns, but no data rows follow");
}

void TestReadText::openQuote() {
  REQUIRE_PART(messageOf(readBytes("x,y\n1,2\n3,\"4\n5,6\n")),
               "line 3: a quote (\") is opened and never closed");
  std::string text = "x,y\n";
  for (int i = 0; i < 400'000; ++i) text += "1,2\n";
  REQUIRE_PART(messageOf(readBytes(text + "3,\"4\n" + text.substr(4))),
               "line 400002: a quote (\") is opened and never closed");
}

void TestReadText::textAfterQuote() {
  REQUIRE_PART(messageOf(readBytes("x,y\n1,2\n3,\"4\"5\n")),
               "line 3, column 1 (\"y\"): text follows the closing quote of \"4\"");
}

void TestReadText::oldMacAndUtf16() {
  REQUIRE_PART(messageOf(readBytes("1,2\r3,4\r5,6\r")), "bare carriage return");
  const std::string wide(
      "\xFF\xFE"
      "1\0,\0"
      "2\0\n\0",
      10);
  REQUIRE_PART(messageOf(readBytes(wide)), "iconv -f UTF-16 -t UTF-8");
  REQUIRE_PART(messageOf(readBytes(std::string("\xFE\xFF\0"
                                               "1",
                                               4))),
               "UTF-16");
}

void TestReadText::columnErrors() {
  const std::string text = "x,y,x\n1,2,3\n";
  const auto kind = [&](std::vector<std::string> names) {
    return readBytes(text, withColumns(std::move(names))).error();
  };
  QCOMPARE(kind({"q"}).kind, ErrorKind::BadCall);
  REQUIRE_PART(kind({"q"}).message, "there is no column \"q\". The columns are: x, y, x.");
  REQUIRE_PART(kind({"x"}).message, "more than one column is called \"x\"");
  REQUIRE_PART(kind({"3"}).message, "there is no column number 3");
  REQUIRE_PART(kind({"-1"}).message, "there is no column \"-1\"");
  REQUIRE_PART(kind({""}).message, "there is no column \"\"");
  REQUIRE_PART(kind({"1", "y"}).message, "chosen twice");
  QVERIFY(readBytes(text, withColumns({"2", "0"})));
}

void TestReadText::tooManyDimensions() {
  std::string row = "1";
  for (int c = 1; c < 4097; ++c) row += ",1";
  REQUIRE_PART(messageOf(readBytes(row + "\n")), "4097 columns would be coordinates; at most 4096");
  REQUIRE_PART(messageOf(readBytes(row + "\n")), "sklearn.decomposition.PCA(256).fit_transform(X)");
  QVERIFY(readBytes(row + "\n", withColumns({"x0", "x128"})));
}

void TestReadText::dimensions128() {
  std::string text;
  for (int r = 0; r < 10; ++r)
    for (int c = 0; c < 128; ++c) text += std::to_string(100 * r + c) + (c < 127 ? "," : "\n");
  const auto dataset = readBytes(text);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.dims(), 128u);
  QCOMPARE(dataset->cloud.columns[127][9], 1027.0);
}

void TestReadText::tooLarge() {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "1,2\n";
  ReadOptions options;
  options.memoryLimit = 15'999;
  const auto dataset = readBytes(text, options);
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::TooLarge);
  REQUIRE_PART(messageOf(dataset),
               "1000 rows of 2 columns need 16 KiB of memory; 16 KiB are allowed");
  options.memoryLimit = 16'000;
  QVERIFY(readBytes(text, options));
}

void TestReadText::wordsPastMemory() {
  std::string text = "x,t\n";
  for (int i = 0; i < 100'000; ++i) text += "1,word number " + std::to_string(i) + " of many\n";
  ReadOptions options;
  options.memoryLimit = 3'000'000;  // the numbers alone take 1.2 MB
  const auto dataset = readBytes(text, options);
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::TooLarge);
  REQUIRE_PART(messageOf(dataset), "text columns");
}

void TestReadText::endlessLine() {
  REQUIRE_PART(messageOf(readBytes("1,2\n" + std::string(20'000'000, '7'))),
               "line 2 is longer than 16 MiB");
  REQUIRE_PART(messageOf(readBytes(std::string(20'000'000, '7'))), "line 1 is longer than 16 MiB");
}

void TestReadText::truncatedAnywhere() {
  // Text has no end mark, so a shorter file may be a smaller table, but never a crash and never
  // another one: rows before the cut are as they were.
  const std::string text = "\xEF\xBB\xBF# c\nx;\"n;\"\"a\";y\r\n1.5;\"p;\nq\";2e0\r\n-3;r;4.25\n";
  const auto whole = readBytes(text);
  REQUIRE_OK(whole);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto part = readBytes(text.substr(0, length));
    if (!part) {
      QVERIFY(!messageOf(part).empty());
      continue;
    }
    QVERIFY(part->cloud.size() <= whole->cloud.size());
    if (part->cloud.size() == 2 && part->cloud.dims() == 2)
      QCOMPARE(part->cloud.columns[0][0], whole->cloud.columns[0][0]);
  }
}

void TestReadText::manyRows() {
  // Across many blocks, with skips, against a plain reading of the same numbers.
  std::mt19937_64 random(5);
  std::vector<double> xs;
  std::vector<double> ys;
  std::vector<std::uint64_t> skipped;
  std::string text = "x y\n";
  for (std::uint64_t i = 0; i < 300'000; ++i) {
    const double x = std::ldexp(static_cast<double>(random() >> 11), -40);
    char line[64];
    if (random() % 1000 == 0) {
      skipped.push_back(i);
      std::snprintf(line, sizeof line, "%.17g nan\n", x);
    } else {
      xs.push_back(x);
      ys.push_back(-x / 3);
      std::snprintf(line, sizeof line, "%.17g %.17g\n", x, -x / 3);
    }
    text += line;
  }
  ReadOptions options;
  options.skipNonFinite = true;
  const auto dataset = readBytes(text, options);
  REQUIRE_OK(dataset);
  QVERIFY(sameBits(dataset->cloud.columns[0], xs));
  QVERIFY(sameBits(dataset->cloud.columns[1], ys));
  QVERIFY(dataset->skippedRows == skipped);
  QCOMPARE(dataset->inputRows, 300'000u);
}

void TestReadText::preview() {
  const std::string text = "# c\nx;kind;y\n1;\"a;b\";2\n3;oak;nan\n";
  const auto preview = previewFrom(*memorySource("a.txt", text), {}, 50);
  REQUIRE_OK(preview);
  QCOMPARE(preview->format, Format::Text);
  QCOMPARE(preview->text.delimiter, ';');
  QCOMPARE(preview->text.header, TextOptions::Header::Yes);
  QCOMPARE(preview->columns.size(), 3u);
  QCOMPARE(preview->columns[1].name, std::string("kind"));
  QVERIFY(!preview->columns[1].numeric);
  QCOMPARE(preview->columns[1].type, std::string("text"));
  QVERIFY(preview->columns[2].numeric);
  QCOMPARE(preview->rows,
           (std::vector<std::vector<std::string>>{{"1", "a;b", "2"}, {"3", "oak", "nan"}}));
  QVERIFY(preview->rowsExact);
  QCOMPARE(preview->rowEstimate, 2u);
  QCOMPARE(preview->fileBytes, text.size());
  // Reading with what the preview found gives the same columns.
  ReadOptions options;
  options.text = preview->text;
  options.skipNonFinite = true;
  const auto dataset = readBytes(text, options);
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->cloud.names, (std::vector<std::string>{"x", "y"}));
}

void TestReadText::previewOfALargeFile() {
  std::string text = "x,y\n";
  for (int i = 0; i < 200'000; ++i) text += "1.2345,6.789\n";
  const auto preview = previewFrom(*memorySource("a.csv", text), {}, 20);
  REQUIRE_OK(preview);
  QCOMPARE(preview->rows.size(), 20u);
  QVERIFY(!preview->rowsExact);
  QVERIFY(preview->rowEstimate > 190'000 && preview->rowEstimate < 210'000);
}

APPLESS_TEST(TestReadText);
#include "tst_read_text.moc"
