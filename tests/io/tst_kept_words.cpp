// Words of columns of text where a format stores their numbers, or has no room for all of them.
#include <QFile>
#include <QXmlStreamReader>
#include <algorithm>

#include "engine/io/format_table.h"
#include "engine/io/kept_words.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Two points with columns of text.
Dataset withTexts(std::vector<Attribute> texts) {
  Dataset dataset;
  dataset.cloud.names = {"x", "y"};
  dataset.cloud.columns = {{1, 2}, {3, 4}};
  dataset.inputRows = 2;
  dataset.attributes = std::move(texts);
  return dataset;
}

/// So many words of a length, of which the points have the first two.
Categories longWords(int count, std::size_t length) {
  Categories text{{0, 1}, {}};
  for (int w = 0; w < count; ++w) {
    text.words.push_back(std::to_string(w));
    text.words.back().resize(length, '.');
  }
  return text;
}

const Attribute* columnCalled(const Dataset& dataset, const std::string& name) {
  for (const Attribute& attribute : dataset.attributes)
    if (attribute.name == name) return &attribute;
  return nullptr;
}

}  // namespace

class TestKeptWords : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void skippedRowsWithoutWords();
  void escapes();
  void previewsShowWords_data();
  void previewsShowWords();
  void headersHaveRoomForWords_data();
  void headersHaveRoomForWords();
  void longWordsAreLosses_data();
  void longWordsAreLosses();
  void hdf5EndsTextsAtNul();
  void otherBytesThanUtf8_data();
  void otherBytesThanUtf8();
  void vtpIsXml();
  void textsAreNoValuesOfLas_data();
  void textsAreNoValuesOfLas();
};

/// The words fit the row that is skipped, but not the others.
void TestKeptWords::skippedRowsWithoutWords() {
  ReadOptions options;
  options.skipNonFinite = true;
  const auto read = readBytes(
      "ply\nformat ascii 1.0\ncomment kind 0 = oak\nelement vertex 2\nproperty float x\n"
      "property float y\nproperty int kind\nend_header\nnan 1 0\n1 2 5\n",
      options, "a.ply");
  REQUIRE_OK(read);
  QCOMPARE(std::get<std::vector<std::int32_t>>(read->attributes.at(0).values),
           std::vector<std::int32_t>{5});
  QCOMPARE(std::get<std::vector<std::int32_t>>(read->skippedValues.at(2)),
           std::vector<std::int32_t>{0});
}

void TestKeptWords::escapes() {
  const std::string hard("a\\n\nb\r\\\0c\\", 10);
  QCOMPARE(unescapedLine(escapedLine(hard)), hard);
  // As others write it.
  QCOMPARE(unescapedLine("C:\\data\\"), std::string("C:\\data\\"));
}

void TestKeptWords::previewsShowWords_data() {
  QTest::addColumn<QString>("file");
  for (const char* const file : {"p.ply", "p.pcd", "p.las", "p.laz"}) QTest::newRow(file) << file;
}

void TestKeptWords::previewsShowWords() {
  QFETCH(QString, file);
  const std::string path = at(file.toStdString());
  const Dataset dataset = withTexts({{"kind", Categories{{1, 0}, {"oak", "fir"}}}});
  REQUIRE_OK(writeDataset(path, dataset));
  const auto preview = previewFile(path);
  REQUIRE_OK(preview);
  const auto found = std::find_if(preview->columns.begin(), preview->columns.end(),
                                  [](const PreviewColumn& c) { return c.name == "kind"; });
  QVERIFY(found != preview->columns.end());
  QVERIFY(!found->numeric);
  QCOMPARE(found->type, std::string("text"));
  const auto column = static_cast<std::size_t>(found - preview->columns.begin());
  QCOMPARE(preview->rows.at(0).at(column), std::string("fir"));
  QCOMPARE(preview->rows.at(1).at(column), std::string("oak"));
}

void TestKeptWords::headersHaveRoomForWords_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("words");
  QTest::addColumn<int>("length");
  // Readers take 8 MiB of the headers of PLY and PCD, and 16 MiB before the points of LAS.
  QTest::newRow("PLY") << "r.ply" << 500 << 20'000;
  QTest::newRow("PCD") << "r.pcd" << 500 << 20'000;
  QTest::newRow("LAS") << "r.las" << 300 << 60'000;
}

void TestKeptWords::headersHaveRoomForWords() {
  QFETCH(QString, file);
  QFETCH(int, words);
  QFETCH(int, length);
  const std::string path = at(file.toStdString());
  const Dataset dataset = withTexts({{"kind", Categories{{1, 0}, {"oak", "fir"}}},
                                     {"story", longWords(words, std::size_t(length))},
                                     {"place", Categories{{0, 1}, {"Ulm", "Bonn"}}}});
  const auto losses = lossesOf(path, dataset);
  QCOMPARE(losses.size(), 1U);
  REQUIRE_PART(losses[0], "\"story\": ");
  REQUIRE_PART(losses[0], "MiB");
  WriteOptions options;
  options.allowLoss = true;
  REQUIRE_OK(writeLabelled(path, dataset, labelsFor(2), options));
  const auto back = readDataset(path);
  REQUIRE_OK(back);
  // The columns before and behind it are whole.
  for (const std::size_t a : {std::size_t{0}, std::size_t{2}}) {
    const Attribute* const column = columnCalled(*back, dataset.attributes[a].name);
    QVERIFY(column != nullptr && isText(column->values));
    QCOMPARE(std::get<Categories>(column->values).words,
             std::get<Categories>(dataset.attributes[a].values).words);
  }
  const Attribute* const story = columnCalled(*back, "story");
  QVERIFY(!file.endsWith("las") ? story == nullptr : story != nullptr && !isText(story->values));
}

void TestKeptWords::longWordsAreLosses_data() {
  QTest::addColumn<QString>("file");
  for (const char* const file : {"l.fits", "l.h5"})
    if (formatOfExtension(file)->isWritten()) QTest::newRow(file) << file;
}

void TestKeptWords::longWordsAreLosses() {
  QFETCH(QString, file);
  const auto lossesWith = [&](std::size_t length) {
    return lossesOf(at(file.toStdString()), withTexts({{"note", longWords(2, length)}}));
  };
  QVERIFY(lossesWith(65'536).empty());
  const auto losses = lossesWith(65'537);
  QCOMPARE(losses.size(), 1U);
  REQUIRE_PART(losses[0], "\"note\": ");
  REQUIRE_PART(losses[0], "at most 64 KiB");
}

void TestKeptWords::hdf5EndsTextsAtNul() {
  if (!formatOfExtension("n.h5")->isWritten()) QSKIP("HDF5 is not written");
  const Dataset dataset =
      withTexts({{"note", Categories{{0, 1}, {"whole", std::string("a\0b", 3)}}}});
  const auto losses = lossesOf(at("n.h5"), dataset);
  QCOMPARE(losses.size(), 1U);
  REQUIRE_PART(losses[0], "NUL");
  QVERIFY(!writeLabelled(at("n.h5"), dataset, labelsFor(2), {}));
}

/// Column "Größe" with the words "Öl" and "Bär", as Windows writes them in Western Europe.
Dataset inLatin1() {
  return withTexts(
      {{"Gr\xf6\xdf"
        "e",
        Categories{{1, 0}, {"B\xe4r", "\xd6l"}}}});
}

void TestKeptWords::otherBytesThanUtf8_data() {
  QTest::addColumn<QString>("file");
  for (const char* const file : {"u.csv", "u.ply", "u.pcd", "u.las", "u.laz", "u.h5"})
    QTest::newRow(file) << file;
}

void TestKeptWords::otherBytesThanUtf8() {
  QFETCH(QString, file);
  if (!formatOfExtension(file.toStdString())->isWritten()) QSKIP("the format is not written");
  const std::string path = at(file.toStdString());
  const Dataset dataset = inLatin1();
  QVERIFY(lossesOf(path, dataset).empty());
  REQUIRE_OK(writeDataset(path, dataset));
  const auto back = readDataset(path);
  REQUIRE_OK(back);
  const Attribute& written = dataset.attributes[0];
  const Attribute* const column = columnCalled(*back, written.name);
  QVERIFY(column != nullptr && isText(column->values));
  const auto& text = std::get<Categories>(column->values);
  const auto& words = std::get<Categories>(written.values).words;
  QCOMPARE(text.words.at(std::size_t(text.codes.at(0))), words[1]);
  QCOMPARE(text.words.at(std::size_t(text.codes.at(1))), words[0]);
}

/// A name that XML cannot hold is a loss; written in spite of it, the file is still XML.
void TestKeptWords::vtpIsXml() {
  const std::string path = at("n.vtp");
  Dataset dataset = inLatin1();
  dataset.attributes.push_back({"a\tb", std::vector<double>{1, 2}});
  const auto losses = lossesOf(path, dataset);
  QCOMPARE(losses.size(), 2U);
  REQUIRE_PART(losses[0], "UTF-8");
  REQUIRE_PART(losses[1], "control characters");
  QVERIFY(!writeLabelled(path, dataset, labelsFor(2), {}));
  WriteOptions anyway;
  anyway.allowLoss = true;
  REQUIRE_OK(writeLabelled(path, dataset, labelsFor(2), anyway));
  QFile file(QString::fromStdString(path));
  QVERIFY(file.open(QIODevice::ReadOnly));
  // Bytes of the arrays follow, which are no XML.
  QByteArray xml = file.readAll();
  xml.truncate(xml.indexOf("<AppendedData"));
  QXmlStreamReader reader(xml);
  QStringList names;
  while (!reader.atEnd())
    if (reader.readNext() == QXmlStreamReader::StartElement)
      names << reader.attributes().value(QLatin1String("Name")).toString();
  QVERIFY2(reader.error() == QXmlStreamReader::PrematureEndOfDocumentError,
           qPrintable(reader.errorString()));
  QVERIFY(names.contains(QStringLiteral("Gr\uFFFD\uFFFDe")));
  QVERIFY(names.contains(QStringLiteral("a b")));
  // A text that VTP would end early is a loss, too, and moves no other text.
  dataset = inLatin1();
  dataset.attributes = {{"word", Categories{{0, 1}, {std::string("a\0b", 3), "next"}}}};
  const auto ended = lossesOf(path, dataset);
  REQUIRE_PART(ended.back(), "NUL");
  REQUIRE_OK(writeLabelled(path, dataset, labelsFor(2), anyway));
  QFile again(QString::fromStdString(path));
  QVERIFY(again.open(QIODevice::ReadOnly));
  QVERIFY(again.readAll().contains(QByteArray("a b\0next\0", 9)));
}

void TestKeptWords::textsAreNoValuesOfLas_data() {
  QTest::addColumn<QString>("name");
  for (const char* const name : {"classification", "withheld", "z"}) QTest::newRow(name) << name;
}

void TestKeptWords::textsAreNoValuesOfLas() {
  QFETCH(QString, name);
  const Dataset dataset = withTexts({{name.toStdString(), Categories{{1, 0}, {"ground", "tree"}}}});
  REQUIRE_OK(writeLabelled(at("c.las"), dataset, labelsFor(2), {}));
  const auto back = readDataset(at("c.las"));
  REQUIRE_OK(back);
  const Attribute* const column = columnCalled(*back, "input_" + name.toStdString());
  QVERIFY(column != nullptr && isText(column->values));
  const auto& text = std::get<Categories>(column->values);
  QCOMPARE(text.words.at(std::size_t(text.codes.at(0))), std::string("tree"));
  QCOMPARE(text.words.at(std::size_t(text.codes.at(1))), std::string("ground"));
  QCOMPARE(back->cloud.columns[2], (std::vector<double>{0, 0}));
}

APPLESS_TEST(TestKeptWords);
#include "tst_kept_words.moc"
