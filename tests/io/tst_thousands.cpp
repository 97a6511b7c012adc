// Numbers whose thousands stand in groups: which signs are found, and that no number is guessed.
#include "engine/io/read_words.h"
#include "engine/io/text/thousands.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

using Columns = std::vector<Coordinates>;

namespace {

/// The remarks on thousands of a data set.
std::string remarksOfText(const Result<Dataset>& data) {
  std::string all;
  for (const auto& [kind, parts] : data->remarks) {
    if (kind == ColumnRemark::Kind::Thousands)
      all += parts[0] + ": " + parts[1] + " is " + parts[2] + "\n";
    else if (kind == ColumnRemark::Kind::PerhapsThousands)
      all += parts[1] + " is read as " + (parts[2].empty() ? "text" : parts[2]) + "; --thousands " +
             parts[0] + "\n";
  }
  return all;
}

}  // namespace

class TestThousands : public QObject {
  Q_OBJECT

 private slots:
  void groups_data();
  void groups();
  void detected_data();
  void detected();
  void readAsBefore_data();
  void readAsBefore();
  void neverGuessed_data();
  void neverGuessed();
  void afterTheDecimalSign();
  void chosen();
  void chosenTwice();
  void attributesAndLaterRows();
  void titlesBeforeThem();
  void words();
};

void TestThousands::groups_data() {
  QTest::addColumn<QByteArray>("cell");
  QTest::addColumn<int>("sign");
  QTest::addColumn<QByteArray>("digits");
  const auto row = [](const char* cell, Thousands sign, const char* digits) {
    QTest::newRow(cell) << QByteArray(cell) << int(sign) << QByteArray(digits);
  };
  row("1,234", Thousands::Comma, "1234");
  row("-12,345,678.25", Thousands::Comma, "-12345678.25");
  row("+1.234.567,5", Thousands::Point, "+1234567,5");
  row("1 234 567,5", Thousands::Blank, "1234567,5");
  row("1\xC2\xA0"
      "234.5",
      Thousands::Blank, "1234.5");
  row("999\xE2\x80\xAF"
      "999",
      Thousands::Blank, "999999");
  row("1'234'567.5", Thousands::Apostrophe, "1234567.5");
  row("1\xE2\x80\x99"
      "234",
      Thousands::Apostrophe, "1234");
  // None of these is one.
  for (const char* const cell :
       {"", "1234", "1234,567", "0,123", "01,234", "12,34", "1,2345", "1,23,456", "1,234.",
        "1,234,5", "1,234e5", "1,234.5.6", ",234", "1,", "1,234 m", "--1,234", "a,234"})
    row(cell, Thousands::Comma, cell);
}

void TestThousands::groups() {
  QFETCH(QByteArray, cell);
  QFETCH(int, sign);
  QFETCH(QByteArray, digits);
  std::string text;
  QCOMPARE(std::string(withoutThousands(cell.toStdString(), Thousands(sign), text)),
           digits.toStdString());
  QCOMPARE(groupedNumber(cell.toStdString(), Thousands(sign)).has_value(), cell != digits);
}

void TestThousands::detected_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("sign");
  const auto row = [](const char* name, const char* text, Thousands sign) {
    QTest::newRow(name) << QByteArray(text) << int(sign);
  };
  row("quoted in a comma file", "\"1,234,567.5\",\"2,345\"\n\"950\",\"-1,000\"\n12.5,\"1,001\"\n",
      Thousands::Comma);
  row("semicolons", "1,234,567.5;2,345\n950;-1,000\n12.5;1,001\n", Thousands::Comma);
  row("blanks between the columns", "1,234,567.5 2,345\n950 -1,000\n12.5 1,001\n",
      Thousands::Comma);
  row("bars", "a|b\n1,234,567.5|2,345\n950|-1,000\n12.5|1,001\n", Thousands::Comma);
  row("points", "a;b\n1.234.567,5;2.345\n950;-1.000\n12,5;1.001\n", Thousands::Point);
  row("points, tabs", "1.234.567,5\t2.345\n950\t-1.000\n12,5\t1.001\n", Thousands::Point);
  row("blanks", "1 234 567,5;2 345\n950;-1 000\n12,5;1 001\n", Thousands::Blank);
  row("blanks, tabs", "1 234 567,5\t2 345\n950\t-1 000\n12,5\t1 001\n", Thousands::Blank);
  row("blanks and points", "1 234 567.5\t2 345\n950\t-1 000\n12.5\t1 001\n", Thousands::Blank);
  row("no-break",
      "1\xC2\xA0"
      "234\xC2\xA0"
      "567,5;2\xC2\xA0"
      "345\n950;-1\xC2\xA0"
      "000\n12,5;1\xC2\xA0"
      "001\n",
      Thousands::Blank);
  row("narrow",
      "1\xE2\x80\xAF"
      "234\xE2\x80\xAF"
      "567,5 2\xE2\x80\xAF"
      "345\n950 -1\xE2\x80\xAF"
      "000\n12,5 1\xE2\x80\xAF"
      "001\n",
      Thousands::Blank);
  row("apostrophes", "1'234'567.5,2'345\n950,-1'000\n12.5,1'001\n", Thousands::Apostrophe);
}

void TestThousands::detected() {
  QFETCH(QByteArray, text);
  QFETCH(int, sign);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1234567.5, 950, 12.5}, {2345, -1000, 1001}}));
  REQUIRE_PART(remarksOfText(read), toText(Thousands(sign)) + ": \"1");
  const auto preview = previewFrom(*memorySource("cloud.csv", text.toStdString()), {}, 5);
  REQUIRE_OK(preview);
  QCOMPARE(int(preview->text.thousands), sign);
  // The cells are shown as they stand.
  QVERIFY(preview->rows[0][0].size() > 9);
}

void TestThousands::readAsBefore_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<Columns>("columns");
  QTest::addColumn<QByteArray>("remark");
  const auto row = [](const char* name, const char* text, const Columns& columns,
                      const char* remark) {
    QTest::newRow(name) << QByteArray(text) << columns << QByteArray(remark);
  };
  row("three decimals behind a comma", "1,234;5\n2,345;6\n", {{1.234, 2.345}, {5, 6}},
      "\"1,234\" is read as 1.234; --thousands comma");
  row("three decimals behind a point", "1.234;5\n2.345;6\n", {{1.234, 2.345}, {5, 6}},
      "\"1.234\" is read as 1.234; --thousands point");
  row("points in a comma file", "1.234,5\n2.345,6\n", {{1.234, 2.345}, {5, 6}}, "");
  row("another number of decimals", "1,234;5\n2,34;6\n", {{1.234, 2.34}, {5, 6}}, "");
  row("a zero before them", "1,234;5\n0,345;6\n", {{1.234, 0.345}, {5, 6}}, "");
  row("addresses", "ip;x;y\n192.168.100.101;1.5;2\n10.100.100.100;2.5;3\n", {{1.5, 2.5}, {2, 3}},
      "");
  row("codes of six digits", "pin;x;y\n400 001;1.5;2\n400 002;2.5;3\n", {{1.5, 2.5}, {2, 3}},
      "\"400 001\" is read as text");
  row("decimal commas between blanks", "100,5 200,5\n101,5 250,5\n",
      {{100.5, 101.5}, {200.5, 250.5}}, "");
  row("three of them", "1,5 200,5 300,5\n2,5 201,5 301,5\n",
      {{1.5, 2.5}, {200.5, 201.5}, {300.5, 301.5}}, "");
  row("with three decimals", "1,234 567,891\n2,345 678,912\n", {{1.234, 2.345}, {567.891, 678.912}},
      "\"1,234\" is read as 1.234");
  row("two signs", "a;b;x;y\n1,234,567;1'234;1;2\n2,345,678;12'345;2;3\n", {{1, 2}, {2, 3}}, "");
}

void TestThousands::readAsBefore() {
  QFETCH(QByteArray, text);
  QFETCH(Columns, columns);
  QFETCH(QByteArray, remark);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, columns);
  if (remark.isEmpty())
    QCOMPARE(remarksOfText(read), std::string());
  else
    REQUIRE_PART(remarksOfText(read), remark.toStdString());
}

void TestThousands::neverGuessed_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("word");
  QTest::addColumn<QByteArray>("said");
  const auto row = [](const char* name, const char* text, const char* word, const char* said) {
    QTest::newRow(name) << QByteArray(text) << QByteArray(word) << QByteArray(said);
  };
  // A number with a point may be a time, or a day and a month.
  row("a point elsewhere", "x;a;b\n1.25;12,345;48,137\n2.5;13,345;49,137\n", "12,345",
      "--thousands comma");
  row("other leading digits", "x;a\n1.25;1,234\n2.5;12,345\n", "1,234", "--thousands comma");
  row("quoted decimal commas", "x,a,b\n1.25,\"48,137\",\"11,575\"\n2.5,\"48,2\",\"11,6\"\n",
      "48,137", "The comma is the delimiter");
  row("three of them", "x,a,b\n1.25,\"48,137\",\"11,575\"\n2.5,\"48,201\",\"11,602\"\n", "48,137",
      "--thousands comma");
  row("pairs", "x;a\n1.25;1 234\n2.5;12 345\n", "1 234", "--thousands blank");
  row("codes of nine digits", "x;a\n1.25;732 829 320\n2.5;552 100 554\n", "732 829 320",
      "--thousands blank");
  row("tags", "x\ta\n1.25\t3,12\n2.5\t4,13\n", "3,12", "Other cells hold a point");
  row("three decimals and tags", "x\ta\n1.250\t3,12\n2.500\t4,13\n", "3,12",
      "Other cells hold a point");
}

void TestThousands::neverGuessed() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, word);
  QFETCH(QByteArray, said);
  ReadOptions options;
  options.coordinates = {"x"};
  const auto read = readBytes(text.toStdString(), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1.25, 2.5}}));
  QCOMPARE(wordsOf(*read, 0).front(), word.toStdString());
  // Where nobody chose the coordinates, what is left out of them is said, or refused.
  const auto open = readBytes(text.toStdString());
  const std::string told = open ? remarksOfText(open) : open.error().message;
  REQUIRE_PART(told, said.toStdString());
}

void TestThousands::afterTheDecimalSign() {
  ReadOptions options;
  options.text.decimalSign = TextOptions::DecimalSign::Comma;
  auto read = readBytes("1.234;5\n2.345;6,5\n", options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1234, 2345}, {5, 6.5}}));
  REQUIRE_PART(remarksOfText(read), "\"1.234\" is 1234");
  // Days and months, and addresses, are none.
  options.coordinates = {"x"};
  read = readBytes("x;a;b\n5;12.300;12.30\n6;13.300;13.30\n", options);
  REQUIRE_OK(read);
  QCOMPARE(wordsOf(*read, 0).front(), std::string("12.300"));
  options.coordinates.clear();
  read = readBytes("ip;x;y\n192.168.100.101;1,5;2\n10.100.100.100;2,5;3\n", options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1.5, 2.5}, {2, 3}}));
  options.text.decimalSign = TextOptions::DecimalSign::Point;
  read = readBytes("1,234;5\n2,345;6.5\n", options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1234, 2345}, {5, 6.5}}));
}

void TestThousands::chosen() {
  ReadOptions options;
  options.text.thousands = Thousands::Comma;
  auto read = readBytes("1,234;5\n2,345;6\n", options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1234, 2345}, {5, 6}}));
  QCOMPARE(read->source.choices,
           (std::vector<std::pair<std::string, std::string>>{{"thousands", "comma"}}));
  // What is no group is no number.
  REQUIRE_PART(messageOf(readBytes("1,234;5\n2,345;6\n2,34;7\n", options)), "\"2,34\"");
  options.text.thousands = Thousands::Point;
  read = readBytes("1.234;5\n2.345;6\n", options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1234, 2345}, {5, 6}}));
  read = readBytes("1.234,5\n2.345,6\n", options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{1234.5, 2345.6}}));
  options.text.thousands = Thousands::Blank;
  read = readBytes("pin;x\n400 001;1.5\n400 002;2.5\n", options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns, (Columns{{400001, 400002}, {1.5, 2.5}}));
  options.text.thousands = Thousands::None;
  REQUIRE_PART(messageOf(readBytes("\"1,234,567.5\",1\n\"2,345.5\",2\n3,5\n4,6\n5,7\n", options)),
               "thousands stand in groups");
}

void TestThousands::chosenTwice() {
  ReadOptions options;
  options.text.thousands = Thousands::Comma;
  options.text.decimalSign = TextOptions::DecimalSign::Comma;
  REQUIRE_PART(messageOf(readBytes("1;2\n", options)), "the comma cannot be both");
  options.text.thousands = Thousands::Point;
  options.text.decimalSign = TextOptions::DecimalSign::Point;
  REQUIRE_PART(messageOf(readBytes("1;2\n", options)), "the point cannot be both");
  options.text.decimalSign = TextOptions::DecimalSign::Auto;
  options.text.delimiter = ',';
  QCOMPARE(readBytes("1,2\n", options).error().kind, ErrorKind::BadCall);
}

void TestThousands::attributesAndLaterRows() {
  std::string text = "x;y;people;name\n";
  for (int i = 0; i < 300; ++i) text += "1.5;2,345.5;1,234;a 1 234\n";
  text += "2,000.5;3;12,345,678;b\n";
  ReadOptions options;
  options.coordinates = {"x", "y"};
  const auto read = readBytes(text, options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0].back(), 2000.5);
  QCOMPARE(read->cloud.columns[1].front(), 2345.5);
  const auto* const people = std::get_if<std::vector<std::int64_t>>(&read->attributes[0].values);
  QVERIFY(people != nullptr);
  QCOMPARE(people->front(), std::int64_t{1234});
  QCOMPARE(people->back(), std::int64_t{12345678});
  QCOMPARE(wordsOf(*read, 1).front(), std::string("a 1 234"));
}

void TestThousands::titlesBeforeThem() {
  const auto read = readBytes("Survey of 1,200 trees\n\nx;y\n1,234.5;2\n2,345.5;3\n4.5;5\n");
  REQUIRE_OK(read);
  QCOMPARE(read->linesBefore, std::uint64_t{2});
  QCOMPARE(read->cloud.columns, (Columns{{1234.5, 2345.5, 4.5}, {2, 3, 5}}));
}

void TestThousands::words() {
  const auto options = readingOptions();
  const auto option = std::find_if(options.begin(), options.end(),
                                   [](const auto& one) { return one.name == "thousands"; });
  ReadOptions read;
  for (const char* const word : {"none", "comma", "point", "blank", "apostrophe"}) {
    REQUIRE_OK(option->set(word, read));
    QCOMPARE(option->text(read), std::optional<std::string>(word));
  }
  REQUIRE_OK(option->set("auto", read));
  QVERIFY(!option->text(read));
  REQUIRE_PART(messageOf(option->set("dot", read)), "--thousands needs auto, none, comma");
}

APPLESS_TEST(TestThousands);
#include "tst_thousands.moc"
