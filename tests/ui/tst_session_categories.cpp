// Colouring by a column: whole numbers with few different values and text are categories with a
// word each, other columns are values on a scale.
#include <QTest>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/backend.h"
#include "tests/test_program.h"
#include "ui/session/colour_values.h"

using namespace clusterloom;

namespace {

Dataset datasetWith(const char* name, ColumnValues values) {
  Dataset dataset;
  const std::size_t n = lengthOf(values);
  dataset.cloud.names = {"x"};
  dataset.cloud.columns = {std::vector<double>(n, 0.0)};
  dataset.attributes.push_back({name, std::move(values)});
  return dataset;
}

ColourValues coloursOf(const Dataset& dataset) {
  DisplayState display;
  display.colourBy = ColourBy::Attribute;
  display.attribute = QString::fromStdString(dataset.attributes.front().name);
  const auto backend = makeBackend("cpu", {});
  auto colours = colourValuesOf(display, dataset, dataset.cloud, 1, {}, **backend, {});
  if (!colours) qFatal("no colours");
  return std::move(*colours);
}

using Words = std::vector<std::string>;
using Values = std::vector<float>;

}  // namespace

class TestSessionCategories : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void fewWholeNumbersAreCategories() {
    const ColourValues colours =
        coloursOf(datasetWith("strip", std::vector<std::int64_t>{900, -4, 900, 7}));
    QCOMPARE(colours.words, (Words{"-4", "7", "900"}));
    QCOMPARE(colours.values, (Values{2, 0, 2, 1}));
    QCOMPARE(colours.title, QStringLiteral("strip"));
  }

  void classesOfLasFilesHaveNames() {
    const ColourValues colours =
        coloursOf(datasetWith("classification", std::vector<std::uint8_t>{2, 6, 2, 77}));
    QCOMPARE(colours.words, (Words{"2 ground", "6 building", "77"}));
    QCOMPARE(colours.values, (Values{0, 1, 0, 2}));
  }

  void manyWholeNumbersAndRealsAreValues() {
    std::vector<std::int32_t> thirteen;
    for (int i = 0; i < 13; ++i) thirteen.push_back(i);
    const ColourValues many = coloursOf(datasetWith("id", thirteen));
    QVERIFY(many.words.empty());
    QCOMPARE(many.high, 12.0);
    const ColourValues reals = coloursOf(datasetWith("r", std::vector<double>{1, 2, 1}));
    QVERIFY(reals.words.empty());
    QCOMPARE(reals.values, (Values{1, 2, 1}));
  }

  /// Times in seconds differ by less than floats do at their distance from 0.
  void valuesFarFromZeroKeepTheirDifferences() {
    std::vector<double> times;
    for (int i = 0; i < 1000; ++i) times.push_back(1.3e9 + 0.1 * i);
    times.push_back(std::nan(""));
    const Dataset dataset = datasetWith("gps_time", times);
    const ColourValues colours = coloursOf(dataset);
    QCOMPARE(std::set<float>(colours.values.begin(), colours.values.end() - 1).size(),
             std::size_t{1000});
    QVERIFY(std::isnan(colours.values.back()));
    QVERIFY(std::abs(colours.low - 1.3e9) < 1e-3 && std::abs(colours.high - 1.3e9 - 99.9) < 1e-3);
    // The same for rows that are not open, and for a dimension.
    const auto rows = valuesOfRows(colours, dataset);
    QVERIFY(rows.has_value());
    QVERIFY(std::equal(times.begin(), times.end() - 1, rows->begin(), [&](double a, float b) {
      return std::abs(a - (double(b) + colours.units.origin)) < 1e-3;
    }));
    Dataset north = datasetWith("a", std::vector<double>(1000, 0.0));
    north.cloud.columns[0].assign(times.begin(), times.end() - 1);
    DisplayState display;
    display.colourBy = ColourBy::Dimension;
    display.dimension = 0;
    const auto backend = makeBackend("cpu", {});
    const auto of = colourValuesOf(display, north, north.cloud, 1, {}, **backend, {});
    QVERIFY(of.has_value());
    QCOMPARE(of->values, Values(colours.values.begin(), colours.values.end() - 1));
    // Near 0 nothing is taken off, and codes are codes.
    QCOMPARE(coloursOf(datasetWith("r", std::vector<double>{-3, 7})).units.origin, 0.0);
    QCOMPARE(coloursOf(datasetWith("n", std::vector<std::int64_t>{1000000, 1000001})).values,
             (Values{0, 1}));
  }

  /// Floats end at 3.4e38, and begin at 1e-45.
  void valuesBeyondFloatsKeepTheirOrder() {
    for (const double size : {1e44, 1e300, 1e-60}) {
      const Dataset dataset =
          datasetWith("r", std::vector<double>{size, 2 * size, -size, 3 * size});
      const ColourValues colours = coloursOf(dataset);
      QVERIFY(colours.values[2] < colours.values[0] && colours.values[0] < colours.values[1] &&
              colours.values[1] < colours.values[3] && std::isfinite(colours.values[3]));
      QVERIFY(std::abs(colours.low / size + 1) < 1e-6 && std::abs(colours.high / size - 3) < 1e-6);
      const auto rows = valuesOfRows(colours, dataset);
      QVERIFY(rows.has_value());
      QCOMPARE(*rows, colours.values);
    }
  }

  void trueColoursOfThreeColumns() {
    const auto of = [](auto red, auto green, auto blue, bool capital = false) {
      Dataset dataset = datasetWith(capital ? "Red" : "red", std::move(red));
      dataset.attributes.push_back({capital ? "Green" : "green", std::move(green)});
      dataset.attributes.push_back({capital ? "Blue" : "blue", std::move(blue)});
      return dataset;
    };
    const auto coloured = [](const Dataset& dataset) {
      DisplayState display;
      display.colourBy = ColourBy::TrueColour;
      const auto backend = makeBackend("cpu", {});
      return colourValuesOf(display, dataset, dataset.cloud, 1, {}, **backend, {});
    };
    const Values expected{packedColour({255, 0, 51}), packedColour({0, 102, 255})};
    using Bytes = std::vector<std::uint8_t>;
    const auto bytes = coloured(of(Bytes{255, 0}, Bytes{0, 102}, Bytes{51, 255}));
    QVERIFY(bytes && bytes->by == ColourBy::TrueColour && bytes->words.empty());
    QCOMPARE(bytes->values, expected);
    using Words16 = std::vector<std::uint16_t>;
    QCOMPARE(
        coloured(of(Words16{65535, 0}, Words16{0, 26214}, Words16{13107, 65535}, true))->values,
        expected);
    // Bytes in columns of 16 bits, and a dark picture of bytes.
    QCOMPARE(coloured(of(Words16{255, 0}, Words16{0, 102}, Words16{51, 255}))->values, expected);
    QCOMPARE(coloured(of(Bytes{1}, Bytes{0}, Bytes{1}))->values, (Values{packedColour({1, 0, 1})}));
    using Reals = std::vector<double>;
    const auto reals = coloured(of(Reals{1, std::nan("")}, Reals{0, 0.4}, Reals{0.2, 1}));
    QCOMPARE(reals->values[0], expected[0]);
    QVERIFY(std::isnan(reals->values[1]));
    const Dataset without = datasetWith("red", Bytes{1});
    QVERIFY(!hasTrueColours(without));
    QVERIFY(!coloured(without));
    const Dataset words = of(Categories{{0}, {"a"}}, Bytes{1}, Bytes{1});
    QVERIFY(!hasTrueColours(words));
  }

  void textKeepsItsWords() {
    const ColourValues colours = coloursOf(datasetWith("kind", Categories{{1, 0, 1}, {"b", "a"}}));
    QCOMPARE(colours.words, (Words{"b", "a"}));
    QCOMPARE(colours.values, (Values{1, 0, 1}));
  }
};

APPLESS_TEST(TestSessionCategories);

#include "tst_session_categories.moc"
