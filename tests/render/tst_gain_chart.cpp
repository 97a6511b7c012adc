// The chart of gains: are the parts of a bar as long as their factors say, on the side where they
// gain or lose, and is the whole gain where their product is?
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "chart_stage.h"
#include "pictures.h"
#include "render/charts/gain_chart.h"
#include "render/paint/palette.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// The second gains by comparisons and lanes, the third loses by lanes what it gains otherwise.
std::vector<StrategyGain> madeGains() {
  return {{"GPUCALCGLOBAL", {}},
          {"SORTBYWL", {.searches = 1.25, .comparisons = 2, .lanes = 1.5, .tail = 1.1}},
          {"UNICOMP", {.searches = 1, .comparisons = 2, .lanes = 0.4, .tail = 1.5}}};
}

struct Span {
  int first = 1 << 20;
  int last = -1;
  int pixels() const { return last - first + 1; }
};

/// Columns of a picture with a colour, in the row of a strategy of three, between two columns.
Span spanOf(const Image& image, int row, Colour colour, int from = 0, int to = kChartWidth) {
  constexpr int kTop = 30;
  constexpr int kBottom = 44;
  const int height = (kChartHeight - kTop - kBottom) / 3;
  // In the lower part of the bar: the legend is above.
  const int y = kTop + height * row + height / 2 + 3;
  Span span;
  for (int x = from; x < to; ++x)
    if (difference(image.pixel(x, y), colour) <= 6) {
      span.first = std::min(span.first, x);
      span.last = std::max(span.last, x);
    }
  return span;
}

}  // namespace

class TestGainChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void partsAreAsLongAsTheirFactors() {
    ChartStage<GainChart> stage;
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setData(madeGains(), "");
    const Image image = stage.window->image();
    // The first gains nothing.
    for (int cause = 0; cause < 4; ++cause)
      QCOMPARE(spanOf(image, 0, clusterColour(cause, Background::Dark)).last, -1);
    // Lengths are logarithms of the factors, stacked in the order of the causes.
    const Span twice = spanOf(image, 1, clusterColour(1, Background::Dark));
    const auto sorted = madeGains()[1].causes.factors();
    int end = twice.first;
    for (const std::size_t cause : {1, 2}) {
      const Span part = spanOf(image, 1, clusterColour(std::int32_t(cause), Background::Dark));
      QVERIFY(std::abs(part.first - end) <= 2);
      QVERIFY(std::abs(part.pixels() - twice.pixels() * std::log2(sorted[cause])) <= 3);
      end = part.last;
    }
    const Span searches = spanOf(image, 1, clusterColour(0, Background::Dark));
    QVERIFY(std::abs(searches.last - twice.first) <= 2);
    QVERIFY(std::abs(searches.pixels() - twice.pixels() * std::log2(1.25)) <= 3);
    // What is lost is to the left of 1, where the others begin.
    const Span lost = spanOf(image, 2, clusterColour(2, Background::Dark));
    QVERIFY(std::abs(lost.last - searches.first) <= 2);
    const auto half = madeGains()[2].causes.factors();
    QVERIFY(std::abs(lost.pixels() + twice.pixels() * std::log2(half[2])) <= 3);
    // The mark at the whole gain, 2 × 0.4 × 1.5 = 1.2.
    const Span mark = spanOf(image, 2, themeOf(Background::Dark).text, searches.first, twice.last);
    const double whole = searches.first + twice.pixels() * std::log2(1.2);
    QVERIFY(std::abs((mark.first + mark.last) / 2 - whole) <= 3);
  }

  void wordsAndTable() {
    ChartStage<GainChart> stage;
    QVERIFY(stage.chart.table()().rows.empty());
    stage.chart.setData(madeGains(), "modelled");
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(table.rows[1],
             std::vector<std::string>({"SORTBYWL", "4.125", "1.25", "2", "1.5", "1.1", ""}));
    for (const auto& row : table.rows) QCOMPARE(row.size(), table.names.size());
    const auto said = [&](const std::string& words) {
      const auto all = stage.chart.words();
      return std::any_of(all.begin(), all.end(),
                         [&](const auto& one) { return one.find(words) != std::string::npos; });
    };
    stage.window->image();
    for (std::size_t cause = 0; cause < 4; ++cause) QVERIFY(said(causeWord(cause)));
    QVERIFY(!said(causeWord(4)));
    QVERIFY(said("modelled") && said("gain over GPUCALCGLOBAL"));
    QVERIFY(!said("fewer comparisons 2 ×"));
    stage.send(vtkCommand::MouseMoveEvent, kChartWidth / 2, kChartHeight / 2);
    stage.window->image();
    QVERIFY(said("fewer comparisons 2 ×"));
  }

  /// Measured warps have a fifth cause.
  void memoryWhereItIsMeasured() {
    ChartStage<GainChart> stage;
    stage.chart.setData({{"GPUCALCGLOBAL", {.memory = 1}},
                         {"WORKQUEUE", {.lanes = 2, .memory = 2}},
                         {"SORTBYWL", {.lanes = 2, .memory = 0.8}}},
                        "measured");
    const Image image = stage.window->image();
    const Span lanes = spanOf(image, 1, clusterColour(2, Background::Dark));
    const Span memory = spanOf(image, 1, clusterColour(4, Background::Dark));
    QVERIFY(std::abs(memory.first - lanes.last) <= 2);
    QVERIFY(std::abs(memory.pixels() - lanes.pixels()) <= 3);
    const Span lost = spanOf(image, 2, clusterColour(4, Background::Dark));
    QVERIFY(lost.pixels() > 5 && std::abs(lost.last - lanes.first) <= 2);
    QCOMPARE(spanOf(image, 0, clusterColour(4, Background::Dark)).last, -1);
    QCOMPARE(stage.chart.table()().rows[1].back(), std::string("2"));
    const auto words = stage.chart.words();
    QVERIFY(std::any_of(words.begin(), words.end(), [](const auto& one) {
      return one.find("memory and the rest") != std::string::npos;
    }));
  }

  /// However many strategies, and however little space: every entry of the legend is there.
  void manyStrategiesAndLittleSpace() {
    std::vector<StrategyGain> gains;
    for (int i = 0; i < 40; ++i)
      gains.push_back({"a strategy with a long name, number " + std::to_string(i),
                       {.comparisons = std::pow(1.3, i % 7), .lanes = std::pow(0.7, i % 5)}});
    for (const auto& [width, height] : {std::pair{900, 400}, {160, 160}, {60, 40}, {1, 1}}) {
      ChartStage<GainChart> stage(width, height);
      stage.chart.setData(gains, "modelled");
      const Image image = stage.window->image();
      QCOMPARE(image.width, width);
      if (width < 100) continue;
      QVERIFY(countColour(image, clusterColour(1, Background::Dark), 10) > 100);
      const std::string svg = stage.chart.toSvg(width, height, Background::Light, "t");
      for (std::size_t cause = 0; cause < 4; ++cause)
        QVERIFY(svg.find(causeWord(cause)) != std::string::npos);
      // Names that do not fit keep their ends, in which they differ.
      if (width > 300) QVERIFY(svg.find("number 12<") != std::string::npos);
      if (width < 300) QVERIFY(svg.find("…") != std::string::npos);
    }
  }
};

GUILESS_TEST(TestGainChart);
#include "tst_gain_chart.moc"
