// Tables as people write them: no column becomes a coordinate, or stops being one, without a word.
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestTextAsWritten : public QObject {
  Q_OBJECT

 private slots:
  void indexIsNoCoordinate_data();
  void indexIsNoCoordinate();
  void columnsThatAreCounted_data();
  void columnsThatAreCounted();
  void rowsThatCountNoColumns_data();
  void rowsThatCountNoColumns();
  void emptyColumnsAreSaid();
  void columnsThatBeginWithoutValues_data();
  void columnsThatBeginWithoutValues();
  void numbersThatCountNothing_data();
  void numbersThatCountNothing();
  void signsAreSaid_data();
  void signsAreSaid();
  void signsDoNoHarmElsewhere();
  void codesAreNoCoordinates();
  void numbersThatAreNoCodes();
  void codesAlone();
  void objIsRefused();
  void columnsThatTurnToText();
  void columnsOfPts();
};

void TestTextAsWritten::indexIsNoCoordinate_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("pandas") << QByteArray(",x,y\n0,1.5,2\n1,3,4\n2,5,6\n");
  QTest::newRow("R") << QByteArray("\"\",\"x\",\"y\"\n\"1\",1.5,2\n\"2\",3,4\n\"3\",5,6\n");
}

void TestTextAsWritten::indexIsNoCoordinate() {
  QFETCH(QByteArray, text);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "y"}));
  QCOMPARE(read->attributes.at(0).name, std::string("index"));
  ReadOptions options;
  options.coordinates = {"x", "y"};
  REQUIRE_OK(readBytes(text.toStdString(), options));
  options.coordinates = {"index"};
  REQUIRE_OK(readBytes(text.toStdString(), options));
}

void TestTextAsWritten::columnsThatAreCounted_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("dims");
  QTest::newRow("with an index") << QByteArray(",0,1\n0,1.5,2\n1,3,4\n2,5,6\n") << 2;
  QTest::newRow("one, with an index") << QByteArray(",0\n0,1.5\n1,3\n") << 1;
  QTest::newRow("three") << QByteArray("0,1,2\n1.5,2.5,0.5\n3.5,4.5,1.0\n") << 3;
  QTest::newRow("an integer below") << QByteArray("0,1,2\n1.5,2.5,0\n3.5,4.5,1.0\n") << 3;
}

// What pandas writes of an array, whose columns have numbers for names.
void TestTextAsWritten::columnsThatAreCounted() {
  QFETCH(QByteArray, text);
  QFETCH(int, dims);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(int(read->cloud.dims()), dims);
  QCOMPARE(read->cloud.names.front(), std::string("0"));
  QCOMPARE(read->cloud.columns[0][0], 1.5);
}

void TestTextAsWritten::rowsThatCountNoColumns_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("two columns") << QByteArray("0,1\n1.5,2.5\n3.5,4.5\n");
  QTest::newRow("integers alone") << QByteArray("0,1,2\n5,2,0\n3,4,1\n");
  QTest::newRow("one row below") << QByteArray("0,1,2\n1.5,2.5,0.5\n");
}

void TestTextAsWritten::rowsThatCountNoColumns() {
  QFETCH(QByteArray, text);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0][0], 0.0);
}

// Values may follow far below: a cloud in fewer dimensions than one thinks.
void TestTextAsWritten::emptyColumnsAreSaid() {
  const auto read = readBytes("x,y,z,\n1.5,,2,\n3,,4,\n");
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "z"}));
  QCOMPARE(read->leftOut, (std::vector<std::string>{"y"}));
  const auto unnamed = readBytes("1.5,,2,\n3,,4,\n");
  REQUIRE_OK(unnamed);
  QCOMPARE(unnamed->leftOut.size(), std::size_t{1});
}

void TestTextAsWritten::columnsThatBeginWithoutValues_data() {
  QTest::addColumn<QByteArray>("cell");
  for (const char* const cell : {"nan", "NA", ""}) QTest::newRow(cell) << QByteArray(cell);
}

// More rows than the sample has.
void TestTextAsWritten::columnsThatBeginWithoutValues() {
  QFETCH(QByteArray, cell);
  const auto rows = [&](int without, int with) {
    std::string text = "x,y,k\n";
    for (int i = 0; i < without; ++i) text += cell.toStdString() + "," + std::to_string(i) + ",1\n";
    for (int i = 0; i < with; ++i) text += "0.5," + std::to_string(i) + ",2\n";
    return text;
  };
  ReadOptions options;
  options.coordinates = {"x", "y"};
  REQUIRE_PART(messageOf(readBytes(rows(300, 5), options)), "line 2, column 0");
  options.skipNonFinite = true;
  const auto read = readBytes(rows(300, 5), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.size(), 5u);
  QCOMPARE(read->cloud.columns[0][0], 0.5);
  QCOMPARE(read->skippedRows.size(), std::size_t{300});
  // A word below is an error of its line, as it is behind numbers.
  REQUIRE_PART(messageOf(readBytes(rows(300, 2) + "word,1,2\n", options)),
               "line 304, column 0 (\"x\"): \"word\" is not a number");
  const std::string none = messageOf(readBytes(rows(300, 0), options));
  QVERIFY2(!none.empty() && !has(none, "text"), none.c_str());
  // Where nobody chose it, it is left out, and that is said.
  options.coordinates.clear();
  const auto guessed = readBytes(rows(300, 5), options);
  REQUIRE_OK(guessed);
  QCOMPARE(guessed->leftOut, (std::vector<std::string>{"x"}));
}

void TestTextAsWritten::numbersThatCountNothing_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("a name") << QByteArray("t,x\n0,1.5\n1,3\n2,5\n");
  QTest::newRow("a gap") << QByteArray(",x\n0,1.5\n1,3\n3,5\n");
  QTest::newRow("alone") << QByteArray(",word\n0,a\n1,b\n");
}

void TestTextAsWritten::numbersThatCountNothing() {
  QFETCH(QByteArray, text);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.columns[0][0], 0.0);
}

void TestTextAsWritten::signsAreSaid_data() {
  QTest::addColumn<QByteArray>("cell");
  for (const char* const cell :
       {"1.5%", "€1", "$ 12.50", "3 %", "0x10", "12°", "1.5D+02", "-0.15d1", "−1"})
    QTest::newRow(cell) << QByteArray(cell);
}

void TestTextAsWritten::signsAreSaid() {
  QFETCH(QByteArray, cell);
  const std::string text = "x,share\n1," + cell.toStdString() + "\n2," + cell.toStdString() + "\n";
  const std::string message = messageOf(readBytes(text));
  REQUIRE_PART(message, "\"share\"");
  REQUIRE_PART(message, cell.toStdString());
  ReadOptions options;
  options.coordinates = {"x"};
  const auto read = readBytes(text, options);
  REQUIRE_OK(read);
  QCOMPARE(wordsOf(*read, 0)[0], cell.toStdString());
}

void TestTextAsWritten::signsDoNoHarmElsewhere() {
  REQUIRE_OK(readBytes("x,note\n1,100% sure\n2,about €5\n3,%\n"));
  REQUIRE_OK(readBytes("x,note\n1,5%\n2,much\n3,little\n"));
  REQUIRE_OK(readBytes("x,flat\n1,12D-4\n2,7d5\n"));
}

void TestTextAsWritten::codesAreNoCoordinates() {
  const std::string text = "x,code,y\n1,7,2\n3,007,4\n";
  const auto read = readBytes(text);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "y"}));
  QCOMPARE(wordsOf(*read, 0), (std::vector<std::string>{"7", "007"}));
  const auto preview = previewFrom(*memorySource("cloud.csv", text), {}, 5);
  REQUIRE_OK(preview);
  QCOMPARE(preview->columns[1].type, std::string("text"));
  QVERIFY(!preview->columns[1].numeric);
  ReadOptions options;
  options.coordinates = {"code"};
  const auto chosen = readBytes(text, options);
  REQUIRE_OK(chosen);
  QCOMPARE(chosen->cloud.columns[0], (std::vector<double>{7, 7}));
}

void TestTextAsWritten::numbersThatAreNoCodes() {
  const auto read = readBytes("a,b,c,d\n0,0.5,-0.25,0e3\n0,00.5,-0,10\n");
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.dims(), 4U);
}

/// They may be chosen, also in a dialog.
void TestTextAsWritten::codesAlone() {
  const std::string text = "x,y\n01,02\n03,04\n";
  REQUIRE_PART(messageOf(readBytes(text)), "zeros before them, such as \"01\"");
  const auto preview = previewFrom(*memorySource("cloud.csv", text), {}, 5);
  REQUIRE_OK(preview);
  QVERIFY(preview->coordinates.empty());
  QVERIFY(preview->columns[0].numeric);
  ReadOptions options;
  options.coordinates = {"x", "y"};
  REQUIRE_OK(readBytes(text, options));
}

void TestTextAsWritten::objIsRefused() {
  REQUIRE_PART(messageOf(readBytes("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")), "OBJ");
  REQUIRE_PART(messageOf(readBytes("# a cube\nv 0 0 0\nv 1 0 0\nvn 0 1 0\nf 1 2 3\n")), "OBJ");
  REQUIRE_OK(readBytes("a 0 0 0\nv 1 0 0\nf 1 2 3\n"));
}

/// Among the first rows, and behind them.
void TestTextAsWritten::columnsThatTurnToText() {
  std::string text = "x,y,grade,kind\n";
  for (int i = 0; i < 100; ++i)
    text +=
        std::to_string(i * 0.5) + ",2," + (i < 3 ? "7" : "good") + "," + (i < 1 ? "1" : "a") + "\n";
  auto read = readBytes(text);
  REQUIRE_OK(read);
  QCOMPARE(read->remarks.at(0),
           (ColumnRemark{ColumnRemark::Kind::TurnedToText, {"2", "grade", "5", "\"good\""}}));
  // A single number is no begin.
  for (const ColumnRemark& remark : read->remarks)
    QCOMPARE(std::count(remark.parts.begin(), remark.parts.end(), "kind"), 0);
  text = "x,y,w\n";
  for (int i = 0; i < 1000; ++i)
    text += std::to_string(i * 0.5) + "," + std::to_string(i % 7) + (i == 700 ? ",n.d.\n" : ",3\n");
  ReadOptions options;
  options.coordinates = {"x", "y"};
  read = readBytes(text, options);
  REQUIRE_OK(read);
  QCOMPARE(wordsOf(*read, 0)[700], std::string("n.d."));
  QCOMPARE(read->remarks, (std::vector<ColumnRemark>{
                              {ColumnRemark::Kind::TurnedToText, {"2", "w", "702", "\"n.d.\""}}}));
}

void TestTextAsWritten::columnsOfPts() {
  const std::string text = "3\n1 2 3 -100 1 2 3\n2 3 4 -20 1 2 3\n4 5 6 -9 1 2 3\n";
  const auto read = readBytes(text, {}, "scan.pts");
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"x", "y", "z"}));
  QCOMPARE(read->leftOut, (std::vector<std::string>{"intensity", "red", "green", "blue"}));
  QCOMPARE(read->cloud.columns[2], (std::vector<double>{3, 4, 6}));
  const auto other = readBytes(text, {}, "scan.txt");
  REQUIRE_OK(other);
  QCOMPARE(other->cloud.dims(), 7U);
}

APPLESS_TEST(TestTextAsWritten);
#include "tst_text_as_written.moc"
