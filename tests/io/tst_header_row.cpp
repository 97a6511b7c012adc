#include "engine/io/read_part.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::readBytes;

namespace {

std::string doubtOf(const Dataset& dataset) {
  for (const ColumnRemark& remark : dataset.remarks) {
    if (remark.kind == ColumnRemark::Kind::FirstRowAsNames) return "names " + remark.parts[0];
    if (remark.kind == ColumnRemark::Kind::FirstRowAsData) return "data " + remark.parts[0];
  }
  return {};
}

/// Ten rows below: two columns of numbers with decimals and a text.
QByteArray above(const char* first, const std::vector<const char*>& texts, double step = 0.25) {
  QByteArray text = QByteArray(first) + '\n';
  for (int i = 0; i < 10; ++i)
    text += QByteArray::number(i * step + 0.1) + ',' + QByteArray::number(i * step + 0.2) + ',' +
            texts[std::size_t(i) % texts.size()] +
            QByteArray(texts.size() == 1 ? 1 : 0, char('a' + i)) + '\n';
  return text;
}

}  // namespace

/// Whether the first row of a text table names the columns where it has numbers.
class TestHeaderRow : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void names_data();
  void names();
  void data_data();
  void data();
  void chosenIsNotInDoubt();
  void partsDecideAlike();
};

void TestHeaderRow::names_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("points");
  QTest::addColumn<QByteArray>("doubt");
  const auto row = [](const char* name, const QByteArray& text, int points,
                      const char* doubt = "") {
    QTest::newRow(name) << text << points << QByteArray(doubt);
  };
  row("counted, a word", "0,1,cluster\n1.5,2.5,a\n2.5,2.25,b\n", 2);
  row("counted, a word above integers", "0,1,digit\n15,2,1\n2,12,7\n", 2);
  row("counted, an unknown word", "0,1,beast\n1.5,2.5,a\n2.5,2.25,b\n", 2, "names 1");
  row("counted above integers and decimals", "0,1,2\n1.5,1,2\n2.5,2,3\n3.5,3,3\n", 3);
  row("the same with a word", "0,1,2,cluster\n1.5,1,2,a\n2.5,2,3,a\n3.5,3,3,b\n", 3);
  row("counted, with an index", ",0,1,cluster\n0,1.5,2,a\n1,2.5,3,b\n", 2);
  row("five above integers", "0,1,2,3,4\n7,1,2,0,9\n3,3,1,0,2\n", 2, "names 1");
  row("quoted", "\"country\",\"1990\",\"2000\"\n\"de\",1.5,2\n\"fr\",2.5,1\n\"it\",1.5,1.5\n", 3);
  row("quoted years alone", "\"1990\";\"2000\"\n1,5;2\n2,5;1\n", 2);
  row("years", "country,1990,2000\nde,1.5,2\nfr,2.5,1\nit,1.5,1.5\n", 3);
  row("after a comment", "# made\n\nbeast,1990,2000\na,1.5,2.5\nb,2.5,1.5\nc,1.5,1.25\n", 3,
      "names 3");
  row("wavelengths", "id,400.5,401.0\na,0.5,0.25\nb,0.25,0.5\n", 2);
  row("wavelengths above numbers", "sample_no,400.5,401.0\n17,0.5,0.25\n12,0.25,0.5\n", 2);
  row("years behind an index", ",1990,2000\n0,1.5,2\n1,2.5,1\n", 2);
  row("texts that repeat", above("1990,2000,sort", {"red", "blue"}), 10, "names 1");
}

void TestHeaderRow::names() {
  QFETCH(QByteArray, text);
  QFETCH(int, points);
  QFETCH(QByteArray, doubt);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(int(read->cloud.size()), points);
  QCOMPARE(doubtOf(*read), doubt.toStdString());
}

void TestHeaderRow::data_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("doubt");
  const auto row = [](const char* name, const QByteArray& text, const char* doubt = "") {
    QTest::newRow(name) << text << QByteArray(doubt);
  };
  row("a label that occurs again", "5.1,3.5,1.4,Iris-setosa\n4.9,3.0,1.4,Iris-setosa\n");
  row("a label that does not", above("1.1,1.3,green", {"red", "blue"}), "data 1");
  row("texts of their own", above("1.1,1.3,beast", {"p"}));
  row("a usual name among texts", above("1.1,1.3,time", {"p"}), "data 1");
  row("words of an embedding", "the 0.4 -0.2 0.5\nof 0.7 0.1 -0.4\nto 0.6 -0.3 0.2\n");
  row("quoted texts", "\"de\",1.5,2\n\"fr\",2.5,1\n\"it\",1.5,1.5\n");
  row("all quoted", "\"1\",\"2\"\n\"3\",\"4\"\n");
  row("a matrix in order", "0,1,2,3,4\n5,6,7,8,9\n10,11,12,13,14\n");
  row("a first point", "0,1\n0.5,1.5\n0.75,2.25\n", "data 1");
  row("edges", "0,1\n0,2\n1,2\n");
  row("three integers", "0,1,2\n5,2,0\n3,4,1\n", "data 1");
  row("equal numbers", "2,2,class\n1.5,2.5,a\n2.5,3.5,b\n");
  row("a date", "2020-01-01,20.5,3.5\n2020-01-02,1.5,2.5\n2020-01-03,1.5,2.5\n");
  row("a missing value", "1990,NA,cluster\n1.5,2.5,a\n2.5,3.5,b\n");
  row("time and a word", "0,start\n0.5,middle\n1.5,end\n", "data 1");
}

void TestHeaderRow::data() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, doubt);
  ReadOptions options;
  options.skipNonFinite = true;
  const auto read = readBytes(text.toStdString(), options);
  REQUIRE_OK(read);
  QCOMPARE(int(read->inputRows), int(text.count('\n')));
  QCOMPARE(doubtOf(*read), doubt.toStdString());
}

void TestHeaderRow::chosenIsNotInDoubt() {
  ReadOptions options;
  for (const auto header : {TextOptions::Header::Yes, TextOptions::Header::No}) {
    options.text.header = header;
    const auto read = readBytes("0,1,2\n5,2,0\n3,4,1\n", options);
    REQUIRE_OK(read);
    QCOMPARE(int(read->cloud.size()), header == TextOptions::Header::Yes ? 2 : 3);
    QCOMPARE(doubtOf(*read), std::string());
  }
}

/// As --memory and ranks read, and every second row.
void TestHeaderRow::partsDecideAlike() {
  const std::string text = "0,1,beast\n1.5,2.5,a\n2.5,2.25,b\n3.5,2.75,c\n4.5,2.5,d\n";
  const std::string path = at("cloud.csv");
  testing::writeFile(path, text);
  std::uint64_t points = 0;
  for (int number = 0; number < 2; ++number) {
    const auto part = openFilePart(path, {}, number, 2, {});
    REQUIRE_OK(part);
    QCOMPARE((*part)->names(), (std::vector<std::string>{"0", "1"}));
    const auto read = (*part)->read(points, points, {});
    REQUIRE_OK(read);
    QCOMPARE(doubtOf(*read), std::string("names 1"));
    points += (*part)->rows();
  }
  QCOMPARE(points, std::uint64_t{4});
  ReadOptions options;
  options.every = 2;
  const auto second = readBytes(text, options);
  REQUIRE_OK(second);
  QCOMPARE(second->cloud.size(), 2u);
  QCOMPARE(second->cloud.columns[0][1], 3.5);
}

APPLESS_TEST(TestHeaderRow);
#include "tst_header_row.moc"
