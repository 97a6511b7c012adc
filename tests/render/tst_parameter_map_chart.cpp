// The map over ε and minPts: are cells where and as bright as their values say, does a click give
// their parameters, are the parameters on show marked?
#include <QtTest>

#include "chart_stage.h"
#include "pictures.h"
#include "render/charts/parameter_map_chart.h"
#include "render/paint/colour_map.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Three values of ε, two of minPts, 100 points.
std::shared_ptr<ParameterMap> madeMap() {
  auto map = std::make_shared<ParameterMap>();
  map->eps = {1, 2, 4};
  map->minPts = {3, 8};
  map->clusters = {7, 3, 1, 0, 1, 1};
  map->noise = {50, 20, 0, 100, 60, 10};
  map->largest = {10, 40, 100, 0, 40, 90};
  return map;
}

/// The middle of a cell.
int xAt(int column) { return int(kLeft + (kRight - kLeft) * (column + 0.5) / 3); }
int yAt(int row) { return int(kBottom + (kTop - kBottom) * (row + 0.5) / 2); }

Colour colourAt(const Image& image, int column, int row) {
  // Beside the middle, where no label is.
  const std::size_t at = 4 * (std::size_t(kChartHeight - yAt(row)) * std::size_t(image.width) +
                              std::size_t(xAt(column)));
  return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2]};
}

bool near(Colour a, Colour b) {
  return std::abs(a.r - b.r) <= 3 && std::abs(a.g - b.g) <= 3 && std::abs(a.b - b.b) <= 3;
}

}  // namespace

class TestParameterMapChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cellsShowTheirValues() {
    ChartStage<ParameterMapChart> stage;
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setData(madeMap(), 100);
    Image image = stage.window->image();
    QVERIFY(near(colourAt(image, 0, 0), mapColour(ColourMap::Viridis, 1)));
    QVERIFY(near(colourAt(image, 0, 1), mapColour(ColourMap::Viridis, 0)));
    QVERIFY(near(colourAt(image, 2, 1),
                 mapColour(ColourMap::Viridis, std::log1p(1.0) / std::log1p(7.0))));
    stage.chart.setQuantity(MapQuantity::Noise);
    image = stage.window->image();
    QVERIFY(near(colourAt(image, 0, 1), mapColour(ColourMap::Viridis, 1)));
    QVERIFY(near(colourAt(image, 1, 0), mapColour(ColourMap::Viridis, 0.2)));
    stage.chart.setQuantity(MapQuantity::Largest);
    image = stage.window->image();
    QVERIFY(near(colourAt(image, 2, 0), mapColour(ColourMap::Viridis, 1)));
    QVERIFY(near(colourAt(image, 1, 1), mapColour(ColourMap::Viridis, 0.4)));
  }

  void clicksGiveParameters() {
    ChartStage<ParameterMapChart> stage;
    stage.chart.setData(madeMap(), 100);
    std::vector<std::pair<double, std::int64_t>> picked;
    stage.chart.setOnPick(
        [&](double eps, std::int64_t minPts) { picked.emplace_back(eps, minPts); });
    stage.window->image();
    stage.click(xAt(0), yAt(0));
    stage.click(xAt(2), yAt(1));
    stage.click(kLeft - 20, yAt(1));
    QCOMPARE(picked, (std::vector<std::pair<double, std::int64_t>>{{1, 3}, {4, 8}}));
  }

  void theParametersAreMarked() {
    ChartStage<ParameterMapChart> stage;
    stage.chart.setData(madeMap(), 100);
    const Colour accent = themeOf(Background::Dark).accent;
    const auto marks = [&](double eps, std::int64_t minPts) {
      stage.chart.setMarked(eps, minPts);
      return countColour(stage.window->image(), accent, 4) > 100;
    };
    QVERIFY(!marks(0, 3));
    QVERIFY(marks(2.2, 3));
    QVERIFY(!marks(2.2, 4));
    QVERIFY(!marks(20, 3));
  }

  void table() {
    ChartStage<ParameterMapChart> stage;
    QVERIFY(stage.chart.table()().rows.empty());
    stage.chart.setData(madeMap(), 100);
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.rows.size(), std::size_t{6});
    QCOMPARE(table.rows[4], (std::vector<std::string>{"8", "2", "1", "60", "40"}));
  }
};

GUILESS_TEST(TestParameterMapChart);
#include "tst_parameter_map_chart.moc"
