// Columns come out of a file in the type and with the digits with which they went in.
#include <algorithm>
#include <limits>

#include "engine/io/column_plan.h"
#include "engine/io/dataset_builder.h"
#include "engine/io/format_table.h"
#include "engine/io/read_part.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::vector<T> ends() {
  return {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(1)};
}

/// A column of each type of number, and one of text; x in float32, y in float64.
Dataset everyType() {
  Dataset dataset;
  dataset.cloud.names = {"x", "y"};
  dataset.cloud.columns = {{0.5, 0.25, 3}, {0.1, 0.2, 0.3}};
  dataset.coordinateTypes = {Scalar::Float32, Scalar::Float64};
  dataset.inputRows = 3;
  dataset.attributes = {{"i8", ends<std::int8_t>()},
                        {"u8", ends<std::uint8_t>()},
                        {"i16", ends<std::int16_t>()},
                        {"u16", ends<std::uint16_t>()},
                        {"i32", ends<std::int32_t>()},
                        {"u32", ends<std::uint32_t>()},
                        {"i64", std::vector<std::int64_t>{(1LL << 60) + 1, INT64_MIN, INT64_MAX}},
                        {"u64", std::vector<std::uint64_t>{(1ULL << 60) + 1, 0, UINT64_MAX}},
                        {"f32", std::vector<float>{0.1F, -1e-30F, 3e38F}},
                        {"f64", std::vector<double>{0.1, -1e-300, 1e300}},
                        {"word", Categories{{0, 1, 0}, {"oak", "fir tree"}}}};
  return dataset;
}

const ColumnValues* valuesOf(const Dataset& dataset, const std::string& name) {
  for (const Attribute& attribute : dataset.attributes)
    if (attribute.name == name) return &attribute.values;
  return nullptr;
}

std::vector<std::string> wordsCalled(const Dataset& dataset, const std::string& name) {
  for (std::size_t a = 0; a < dataset.attributes.size(); ++a)
    if (dataset.attributes[a].name == name && isText(dataset.attributes[a].values))
      return wordsOf(dataset, a);
  return {};
}

/// Why a column is not the same in both data sets; "" where it is.
std::string difference(const Dataset& a, const Dataset& b, const std::string& name) {
  const ColumnValues* const before = valuesOf(a, name);
  const ColumnValues* const after = valuesOf(b, name);
  if (before == nullptr || after == nullptr) return name + " is missing";
  if (before->index() != after->index()) return name + " has another type";
  return std::visit(
      [&](const auto& values) -> std::string {
        using Values = std::decay_t<decltype(values)>;
        const auto& others = std::get<Values>(*after);
        if constexpr (std::is_same_v<Values, Categories>) {
          for (std::size_t i = 0; i < values.codes.size(); ++i)
            if (values.words[static_cast<std::size_t>(values.codes[i])] !=
                others.words[static_cast<std::size_t>(others.codes[i])])
              return name + " has another word";
          return "";
        } else {
          return values == others ? "" : name + " has other values";
        }
      },
      *before);
}

void compareAll(const Dataset& before, const Dataset& after) {
  for (const Attribute& attribute : before.attributes) {
    const std::string found = difference(before, after, attribute.name);
    QVERIFY2(found.empty(), found.c_str());
  }
}

/// The files that this build writes and reads.
std::vector<std::string> readable(const std::vector<std::string>& files) {
  std::vector<std::string> some;
  for (const std::string& file : files) {
#ifndef CLUSTERLOOM_HAS_FITS
    if (file.ends_with(".fits")) continue;
#endif
    if (formatOfExtension(file)->isWritten()) some.push_back(file);
  }
  return some;
}

constexpr const char* kWide =
    "x,y,id,wide,code,mixed\n"
    "0.5,1,1152921504606846977,18446744073709551615,007,9007199254740993\n"
    "1.5,2,-9007199254740993,3,010,\n";

ReadOptions xy() {
  ReadOptions options;
  options.coordinates = {"x", "y"};
  return options;
}

}  // namespace

class TestColumnTypes : public QObject, testing::FileFolder {
  Q_OBJECT

 private Q_SLOTS:
  void everyTypeComesBack_data();
  void everyTypeComesBack();
  void coordinatesKeepTheirTypes();
  void csvToCsv();
  void csvToOthers_data();
  void csvToOthers();
  void typesAreFoundBehindTheSample();
  void plyColoursStayBytes();
  void plyTakesTheSmallestType();
  void lossesAreRefused();
  void wordsComeBack_data();
  void wordsComeBack();
  void skippedRowsKeepTheirColumns();
  void partsKeepSkippedRows();
  void skippedRowsTakeMemory();
  void coordinatesThatAreRounded();
  void textThatIsRounded();
  void partsWidenTheirColumns();
  void laterPartsKeepTheLayout();
  void coordinatesThatAreFiner();
  void fitsKeepsNames();
};

void TestColumnTypes::everyTypeComesBack_data() {
  QTest::addColumn<QString>("file");
  for (const std::string& file : readable({"a.fits", "a.h5", "a.las", "a.laz"}))
    QTest::newRow(file.c_str()) << QString::fromStdString(file);
}

void TestColumnTypes::everyTypeComesBack() {
  QFETCH(QString, file);
  const std::string path = at(file.toStdString());
  const Dataset dataset = everyType();
  REQUIRE_OK(writeLabelled(path, dataset, labelsFor(3), {}));
  const auto back = readDataset(path);
  REQUIRE_OK(back);
  compareAll(dataset, *back);
}

void TestColumnTypes::coordinatesKeepTheirTypes() {
  const Dataset dataset = everyType();
  for (const std::string& file : readable({"c.fits", "c.h5", "c.ply"})) {
    WriteOptions options;
    options.allowLoss = true;  // PLY has no 64-bit integers
    REQUIRE_OK(writeLabelled(at(file), dataset, labelsFor(3), options));
    const auto back = readDataset(at(file));
    REQUIRE_OK(back);
    QCOMPARE(back->coordinateTypes, dataset.coordinateTypes);
    QCOMPARE(back->cloud.columns, dataset.cloud.columns);
  }
}

void TestColumnTypes::csvToCsv() {
  const auto read = readBytes(kWide, xy());
  REQUIRE_OK(read);
  QVERIFY(std::holds_alternative<std::vector<std::int64_t>>(*valuesOf(*read, "id")));
  QVERIFY(std::holds_alternative<std::vector<std::uint64_t>>(*valuesOf(*read, "wide")));
  QVERIFY(isText(*valuesOf(*read, "code")));
  REQUIRE_OK(writeDataset(at("w.csv"), *read));
  QCOMPARE(readFile(at("w.csv")), std::string(kWide));
}

void TestColumnTypes::csvToOthers_data() {
  QTest::addColumn<QString>("file");
  for (const std::string& file : readable({"o.fits", "o.h5", "o.las", "o.laz"}))
    QTest::newRow(file.c_str()) << QString::fromStdString(file);
}

void TestColumnTypes::csvToOthers() {
  QFETCH(QString, file);
  const std::string path = at(file.toStdString());
  const auto read = readBytes(kWide, xy());
  REQUIRE_OK(read);
  REQUIRE_OK(writeLabelled(path, *read, labelsFor(2), {}));
  const auto back = readDataset(path);
  REQUIRE_OK(back);
  compareAll(*read, *back);
}

/// What the first rows look like does not decide.
void TestColumnTypes::typesAreFoundBehindTheSample() {
  std::string text = "x,y,whole,signs,pad,none,big\n";
  for (int i = 0; i < 300; ++i) text += "1,2,3,4,5,6,7\n";
  text += "1,2,1.5,18446744073709551615,06,,123456789012345678901234567890\n";
  const auto read = readBytes(text, xy());
  REQUIRE_OK(read);
  QCOMPARE(numbersOf(*read, 0)[300], 1.5);
  QCOMPARE(std::get<std::vector<std::uint64_t>>(*valuesOf(*read, "signs"))[300], UINT64_MAX);
  QCOMPARE(wordsOf(*read, 2)[300], std::string("06"));
  QVERIFY(std::isnan(numbersOf(*read, 3)[300]));
  QCOMPARE(wordsOf(*read, 4)[300], std::string("123456789012345678901234567890"));
  QCOMPARE(wordsOf(*read, 4)[0], std::string("7"));
}

void TestColumnTypes::plyColoursStayBytes() {
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      "property uchar red\nproperty ushort level\nproperty float heat\nend_header\n";
  Bytes body;
  body.add(0.1F).add(2.0F).add(std::uint8_t{200}).add(std::uint16_t{60000}).add(0.3F);
  const auto read = readBytes(header + body.str(), {}, "a.ply");
  REQUIRE_OK(read);
  REQUIRE_OK(writeDataset(at("b.ply"), *read));
  QCOMPARE(readFile(at("b.ply")), header + body.str());
}

void TestColumnTypes::plyTakesTheSmallestType() {
  Dataset dataset = everyType();
  dataset.attributes = {{"small", std::vector<std::int64_t>{-1, 2, 3}},
                        {"large", std::vector<std::uint64_t>{4000000000, 2, 3}},
                        {"exact", std::vector<std::int64_t>{1LL << 53, -2, 3}}};
  REQUIRE_OK(writeLabelled(at("s.ply"), dataset, labelsFor(3), {}));
  const std::string bytes = readFile(at("s.ply"));
  REQUIRE_PART(bytes, "property int small\nproperty uint large\nproperty double exact\n");
  const auto back = readDataset(at("s.ply"));
  REQUIRE_OK(back);
  QCOMPARE(numbersOf(*back, 0), (std::vector<double>{-1, 2, 3}));
  QCOMPARE(numbersOf(*back, 1), (std::vector<double>{4e9, 2, 3}));
  QCOMPARE(numbersOf(*back, 2), (std::vector<double>{9007199254740992.0, -2, 3}));
}

void TestColumnTypes::lossesAreRefused() {
  const Dataset dataset = everyType();
  const auto refused = writeLabelled(at("r.ply"), dataset, labelsFor(3), {});
  REQUIRE_PART(messageOf(refused), "\"i64\": PLY");
  REQUIRE_PART(messageOf(refused), "One more loss");
  REQUIRE_PART(messageOf(refused), "--allow-loss");
  QVERIFY(readFile(at("r.ply")).empty());
  WriteOptions options;
  options.allowLoss = true;
  REQUIRE_OK(writeLabelled(at("r.ply"), dataset, labelsFor(3), options));

  Dataset words = everyType();
  Categories many;
  for (std::int32_t i = 0; i < 3; ++i) many.codes.push_back(i);
  for (int i = 0; i < 2000; ++i) many.words.push_back("word " + std::to_string(i));
  words.attributes = {{"name", many}};
  REQUIRE_PART(messageOf(writeLabelled(at("n.ply"), words, labelsFor(3), {})), "\"name\": PLY");
  REQUIRE_OK(writeLabelled(at("n.las"), words, labelsFor(3), {}));
  const auto back = readDataset(at("n.las"));
  REQUIRE_OK(back);
  QCOMPARE(wordsCalled(*back, "name"), (std::vector<std::string>{"word 0", "word 1", "word 2"}));
  words.attributes = {{"place", Categories{{0, 1, 0}, {"Köln", "Ulm"}}}};
  REQUIRE_PART(messageOf(writeLabelled(at("n.fits"), words, labelsFor(3), {})), "\"place\": FITS");
}

void TestColumnTypes::wordsComeBack_data() {
  QTest::addColumn<QString>("file");
  for (const char* const file : {"t.ply", "t.las", "t.laz", "t.csv"}) QTest::newRow(file) << file;
}

void TestColumnTypes::wordsComeBack() {
  QFETCH(QString, file);
  const std::string path = at(file.toStdString());
  Dataset dataset = everyType();
  dataset.attributes = {{"word", Categories{{2, 0, 1}, {" two  blanks ", "a\\n\nb = c", "ä"}}}};
  REQUIRE_OK(writeLabelled(path, dataset, labelsFor(3), {}));
  const auto back = readDataset(path, file.endsWith("csv") ? xy() : ReadOptions{});
  REQUIRE_OK(back);
  QCOMPARE(wordsCalled(*back, "word"), wordsOf(dataset, 0));
}

void TestColumnTypes::skippedRowsKeepTheirColumns() {
  ReadOptions options = xy();
  options.skipNonFinite = true;
  const auto read =
      readBytes("x,id,y,kind\n1,5,2,oak\nnan,1152921504606846977,3,fir\n4,7,5,oak\n", options);
  REQUIRE_OK(read);
  REQUIRE_OK(writeLabelled(at("k.csv"), *read, labelsFor(2), {}));
  QCOMPARE(readFile(at("k.csv")),
           std::string("x,id,y,kind,label,role\n1,5,2,oak,-1,noise\n"
                       ",1152921504606846977,3,fir,-2,skipped\n4,7,5,oak,0,core\n"));
}

void TestColumnTypes::partsKeepSkippedRows() {
  Bytes body;
  for (const double x : {1.0, kNan, 3.0, 4.0}) body.add(x).add(-x);
  writeFile(at("p.ply"),
            "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty double x\n"
            "property double y\nend_header\n" +
                body.str());
  ReadOptions options;
  options.skipNonFinite = true;
  const auto part = openFilePart(at("p.ply"), options, 0, 2, {});
  REQUIRE_OK(part);
  const auto read = (*part)->read(0, 0, {});
  REQUIRE_OK(read);
  QCOMPARE(read->skippedRows, std::vector<std::uint64_t>{1});
  QCOMPARE(read->skippedValues.size(), 2U);
  for (const ColumnValues& values : read->skippedValues) QCOMPARE(lengthOf(values), 1U);
}

void TestColumnTypes::skippedRowsTakeMemory() {
  const auto readWith = [](int skipped) {
    std::string text = "x,y\n";
    for (int i = 0; i < 1000; ++i) text += i < 1000 - skipped ? "1,2\n" : "nan,2\n";
    ReadOptions options;
    options.skipNonFinite = true;
    options.memoryLimit = 20'000;  // of 16,000 for all rows
    return readBytes(text, options);
  };
  REQUIRE_OK(readWith(100));
  const auto refused = readWith(900);
  QVERIFY(!refused);
  QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
  REQUIRE_PART(refused.error().message, "900 rows that are skipped");
}

void TestColumnTypes::coordinatesThatAreRounded() {
  Bytes body;
  body.add(std::int64_t{1} << 54).add(std::int64_t{(1LL << 54) - 1}).add(std::int64_t{7});
  const auto read = readBytes(
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty int64 x\n"
      "property int64 y\nproperty int64 z\nend_header\n" +
          body.str(),
      {}, "a.ply");
  REQUIRE_OK(read);
  QCOMPARE(read->roundedCoordinates, (std::vector<std::string>{"x", "y"}));
  QCOMPARE(read->coordinateTypes,
           (std::vector<Scalar>{Scalar::Float64, Scalar::Float64, Scalar::Int64}));
}

/// Integers that a double holds are not rounded, however large they are.
void TestColumnTypes::textThatIsRounded() {
  const std::string exact =
      "9007199254740992,-18014398509481984,10000000000000000000000,1e300,9007199254740993.5\n";
  const auto roundedIn = [](const std::string& rows, ReadOptions options = {}) {
    const auto read = readBytes("a,b,c,d,e\n" + rows, options);
    if (!read) return std::vector<std::string>{messageOf(read)};
    return read->roundedCoordinates;
  };
  QCOMPARE(roundedIn(exact), std::vector<std::string>{});
  // The neighbour of each, after rows of other kinds.
  QCOMPARE(roundedIn(exact + "9007199254740993,1.5,2,3,4\n"), std::vector<std::string>{"a"});
  QCOMPARE(roundedIn(exact + "1,-18014398509481985,2,3,4\n"), std::vector<std::string>{"b"});
  QCOMPARE(roundedIn(exact + "1,2, +10000000000000000000001 ,3,4\n"),
           std::vector<std::string>{"c"});
  QCOMPARE(roundedIn(exact + "1,2,3,\"9007199254740993\",\"18446744073709551615\"\n"),
           (std::vector<std::string>{"d", "e"}));
  ReadOptions every;
  every.every = 2;
  QCOMPARE(roundedIn("1,2,3,4,5\n9007199254740993,2,3,4,5\n6,7,8,9,10\n", every),
           std::vector<std::string>{});
  // As a part of a file, and with blanks between the columns.
  writeFile(at("parts.txt"), "1 2\n3 9007199254740993\n5 6\n");
  for (int part = 0; part < 2; ++part) {
    const auto opened = openFilePart(at("parts.txt"), {}, part, 2, {});
    REQUIRE_OK(opened);
    const auto read = (*opened)->read(0, 0, {});
    REQUIRE_OK(read);
    const auto& columns = read->cloud.columns;
    const bool hasIt = std::ranges::count(columns[1], 9007199254740992.0) > 0;
    QCOMPARE(read->roundedCoordinates.size(), hasIt ? 1U : 0U);
  }
}

/// A kept column takes a wider type in the part where its cells need it, as in the whole file.
void TestColumnTypes::partsWidenTheirColumns() {
  constexpr int kRows = 30'000;  // more than the sample that tells the types
  std::string text = "x,y,weight,count,name\n";
  for (int i = 0; i < kRows; ++i) {
    const bool late = i > 2 * kRows / 3;
    text += std::to_string(i) + ".5,2," + (late ? "1.5," : "1,") +
            (late && i % 2 == 1 ? "18446744073709551615," : "7,") +
            (i == kRows - 2 ? "none\n" : "12\n");
  }
  writeFile(at("widen.csv"), text);
  ReadOptions options;
  options.coordinates = {"x", "y"};
  options.keepOthers = false;
  options.keep = {"weight", "count", "name"};
  const auto whole = readDataset(at("widen.csv"), options);
  REQUIRE_OK(whole);
  std::uint64_t rows = 0;
  for (int part = 0; part < 4; ++part) {
    const auto opened = openFilePart(at("widen.csv"), options, part, 4, {});
    REQUIRE_OK(opened);
    const auto read = (*opened)->read(rows, rows + 1, {});
    REQUIRE_OK(read);
    const auto here = std::ptrdiff_t(read->cloud.size());
    for (const char* name : {"weight", "count"}) {
      const auto all = doublesOf(nullptr, *valuesOf(*whole, name));
      const auto some = doublesOf(nullptr, *valuesOf(*read, name));
      QVERIFY(std::equal(some->begin(), some->end(), all->begin() + std::ptrdiff_t(rows)));
      QCOMPARE(std::ptrdiff_t(some->size()), here);
    }
    QCOMPARE(isText(*valuesOf(*read, "name")), part == 3);
    rows += std::uint64_t(here);
  }
  QCOMPARE(rows, std::uint64_t(kRows));
}

/// Of a text the layout is looked for once: a part that is opened by another one has its columns,
/// whatever the file says by then.
void TestColumnTypes::laterPartsKeepTheLayout() {
  writeFile(at("layout.csv"), "x,y\n1,2\n3,4\n5,6\n7,8\n");
  const auto first = openFilePart(at("layout.csv"), {}, 0, 2, {});
  REQUIRE_OK(first);
  writeFile(at("layout.csv"), "u,v\n1,2\n3,4\n5,6\n7,8\n");
  const auto alone = openFilePart(at("layout.csv"), {}, 1, 2, {});
  REQUIRE_OK(alone);
  QCOMPARE((*alone)->names(), (std::vector<std::string>{"u", "v"}));
  const auto later = openFilePart(at("layout.csv"), {}, 1, 2, {}, first->get());
  REQUIRE_OK(later);
  QCOMPARE((*later)->names(), (std::vector<std::string>{"x", "y"}));
  const auto rows = (*later)->read(2, 2, {});
  REQUIRE_OK(rows);
  QCOMPARE(rows->cloud.columns, (*alone)->read(2, 2, {})->cloud.columns);
  QCOMPARE((*later)->rows(), (*alone)->rows());
  writeFile(at("layout.csv"), "x");
  const auto shorter = openFilePart(at("layout.csv"), {}, 1, 2, {}, later->get());
  QVERIFY(!shorter);
  REQUIRE_PART(shorter.error().message, "has changed while it was read");
}

/// Than the type of their column.
void TestColumnTypes::coordinatesThatAreFiner() {
  const std::vector<PreviewColumn> columns{numberColumn("x", Scalar::Float32),
                                           numberColumn("y", Scalar::Float32)};
  auto plan = planColumns("a", columns, {0, 1}, {});
  REQUIRE_OK(plan);
  DatasetBuilder builder("a", columns, std::move(*plan), {});
  REQUIRE_OK(builder.reserve(1));
  builder.extend(1);
  *builder.numbers(0).as<double>() = 0.1;
  *builder.numbers(1).as<double>() = 0.25;
  REQUIRE_OK(builder.settle(1, {}, {}));
  const auto dataset = builder.finish();
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->coordinateTypes, (std::vector<Scalar>{Scalar::Float64, Scalar::Float32}));
}

void TestColumnTypes::fitsKeepsNames() {
  Dataset dataset = everyType();
  dataset.attributes = {{"ä", std::vector<double>{1, 2, 3}},
                        {"ö", std::vector<double>{4, 5, 6}},
                        {"100%C3", std::vector<double>{7, 8, 9}}};
  REQUIRE_OK(writeLabelled(at("u.fits"), dataset, labelsFor(3), {}));
  // Other readers find different names.
  REQUIRE_PART(readFile(at("u.fits")), "'_       '");
  REQUIRE_PART(readFile(at("u.fits")), "'__2     '");
#ifdef CLUSTERLOOM_HAS_FITS
  const auto back = readDataset(at("u.fits"));
  REQUIRE_OK(back);
  for (std::size_t a = 0; a < dataset.attributes.size(); ++a)
    QCOMPARE(back->attributes[a].name, dataset.attributes[a].name);
#endif
}

APPLESS_TEST(TestColumnTypes);
#include "tst_column_types.moc"
