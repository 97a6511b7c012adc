// Colouring by a column: whole numbers with few different values and text are categories with a
// word each, other columns are values on a scale.
#include <QTest>
#include <cstdint>
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

  void textKeepsItsWords() {
    const ColourValues colours = coloursOf(datasetWith("kind", Categories{{1, 0, 1}, {"b", "a"}}));
    QCOMPARE(colours.words, (Words{"b", "a"}));
    QCOMPARE(colours.values, (Values{1, 0, 1}));
  }
};

APPLESS_TEST(TestSessionCategories);

#include "tst_session_categories.moc"
