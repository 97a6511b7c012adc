// What do the charts show, and does a drag set the ε under the pointer?
#include <QXmlStreamReader>
#include <QtTest>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "chart_stage.h"
#include "engine/core/number_text.h"
#include "made_reports.h"
#include "pictures.h"
#include "render/charts/cost_chart.h"
#include "render/charts/k_distance_chart.h"
#include "render/charts/plot_area.h"
#include "render/charts/sweep_chart.h"
#include "render/paint/ticks.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

constexpr int kWidth = kChartWidth;
constexpr int kHeight = kChartHeight;

std::shared_ptr<KDistances> curve(std::size_t n) {
  auto data = std::make_shared<KDistances>();
  data->k = 8;
  data->sampled = n;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    data->distances.push_back(0.2 + 0.3 * (1 - t) + 5 * std::exp(-20 * t));
  }
  data->suggestedEps = 0.7;
  return data;
}

/// Row (from the bottom) with the most pixels of a colour.
int rowOf(const Image& image, Colour colour) {
  int best = -1;
  int most = 0;
  for (int y = 0; y < image.height; ++y) {
    const int count = countColour(image, colour, 4, 0, y, image.width, y + 1);
    if (count > most) {
      most = count;
      best = image.height - 1 - y;
    }
  }
  return best;
}

}  // namespace

class TestCharts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void emptyChartsSayWhatTheyAreFor() {
    ChartStage<KDistanceChart> stage;
    QCOMPARE(coloursIn(stage.window->image()), std::size_t{1});
    stage.chart.setEmptyText("open a cloud");
    QVERIFY(countColour(stage.window->image(), dark().faintText, 20) > 20);
    stage.chart.setData(std::make_shared<KDistances>());  // no distances either
    QVERIFY(countColour(stage.window->image(), dark().faintText, 20) > 20);
    bool heard = false;
    stage.chart.setOnDrag([&heard](double, bool) { heard = true; });
    stage.drag(200, 100, 250, 150);
    QVERIFY(!heard);  // there is nothing to drag
    stage.chart.setData(curve(100));
    QVERIFY(countColour(stage.window->image(), dark().series[0], 4) > 200);
    stage.chart.setData(nullptr);
    QCOMPARE(countColour(stage.window->image(), dark().series[0], 4), 0);
  }

  /// The label of the knee is above its line, or above that of ε where this would cross it: below
  /// there is the curve.
  void theLineOfEpsSparesTheKnee() {
    ChartStage<KDistanceChart> stage;
    stage.chart.setData(curve(2000));
    const auto wordsAt = [&](double eps) {
      stage.chart.setEps(eps);
      const Image image = stage.window->image();
      const auto lineOf = [&](const Colour& colour) {
        std::vector<int> found(std::size_t(kHeight), 0);
        for (int y = 0; y < kHeight; ++y)
          found[std::size_t(y)] = countColour(image, colour, 4, kWidth / 2, y, kWidth, y + 1);
        return int(std::max_element(found.begin(), found.end()) - found.begin());
      };
      const int knee = lineOf(dark().series[1]);  // dashed
      const int cut = lineOf(dark().accent);
      constexpr int kLineOfText = 18;
      const auto words = [&](int from, int to) {
        return countColour(image, dark().text, 60, kWidth * 3 / 4, from, kWidth, to);
      };
      return std::array{words(knee - kLineOfText, knee - 1), words(knee + 2, knee + kLineOfText),
                        words(cut - kLineOfText, cut - 1)};
    };
    const auto [above, below, aboveCut] = wordsAt(0.3);
    QVERIFY2(above > 40 && below == 0 && aboveCut == 0,
             qPrintable(QString("%1 %2 %3").arg(above).arg(below).arg(aboveCut)));
    const auto [aboveNear, belowNear, aboveCutNear] = wordsAt(0.8);
    QVERIFY2(belowNear == 0 && aboveCutNear > 40,
             qPrintable(QString("%1 %2").arg(belowNear).arg(aboveCutNear)));
  }

  // The end of a linear axis is no ε, but a drag that leads there ends as any other.
  void aDragToTheEndOfTheAxisEnds() {
    ChartStage<KDistanceChart> stage;
    stage.chart.setLogarithmic(false);
    stage.chart.setData(curve(2000));
    stage.chart.setEps(0.45);
    stage.window->image();
    std::vector<std::pair<double, bool>> heard;
    stage.chart.setOnDrag([&heard](double value, bool done) { heard.push_back({value, done}); });
    stage.drag(300, 100, 300, 0);
    QCOMPARE(heard.size(), std::size_t{2});
    QVERIFY(!heard.front().second && heard.back().second);
    QVERIFY(heard.front().first > 0);
    QCOMPARE(heard.back().first, heard.front().first);
    QCOMPARE(stage.chart.eps(), heard.front().first);
  }

  void theCutIsWhereTheHandLetsGo_data() {
    QTest::addColumn<bool>("logarithmic");
    QTest::newRow("logarithmic") << true;
    QTest::newRow("linear") << false;
  }
  void theCutIsWhereTheHandLetsGo() {
    QFETCH(bool, logarithmic);
    ChartStage<KDistanceChart> stage;
    stage.chart.setLogarithmic(logarithmic);
    stage.chart.setData(curve(2000));
    stage.chart.setEps(0.45);
    stage.window->image();
    std::vector<std::pair<double, bool>> heard;
    stage.chart.setOnDrag([&heard](double value, bool done) { heard.push_back({value, done}); });

    stage.drag(300, 100, 320, 150);
    QCOMPARE(heard.size(), std::size_t{3});
    QVERIFY(!heard[0].second && !heard[1].second && heard[2].second);
    QCOMPARE(heard[1].first, heard[2].first);
    QVERIFY(heard[1].first > heard[0].first);  // higher is a larger ε
    QCOMPARE(stage.chart.eps(), heard[2].first);
    // The line is drawn in the row of the pointer.
    QVERIFY(std::abs(rowOf(stage.window->image(), dark().accent) - 150) <= 1);

    // Setting ε from outside moves the cut to the row that stands for it, and calls no callback.
    const double wanted = heard[0].first;
    stage.chart.setEps(wanted);
    QCOMPARE(heard.size(), std::size_t{3});
    QVERIFY(std::abs(rowOf(stage.window->image(), dark().accent) - 100) <= 1);

    // During a drag a value from outside does not move the line.
    stage.send(vtkCommand::LeftButtonPressEvent, 300, 120);
    const double held = stage.chart.eps();
    stage.chart.setEps(wanted);
    QCOMPARE(stage.chart.eps(), held);
    // Dragging out of the plot stays at its edge.
    stage.send(vtkCommand::MouseMoveEvent, 300, 5000);
    QVERIFY(std::isfinite(stage.chart.eps()) && stage.chart.eps() > held);
    QVERIFY(stage.chart.eps() < 100);
    stage.send(vtkCommand::LeftButtonReleaseEvent, 300, 5000);
    QVERIFY(heard.back().second);

    // Outside of the plot no drag begins.
    heard.clear();
    stage.drag(5, 5, 100, 100);
    QVERIFY(heard.empty());
  }

  void theTagSaysHowManyAreCore() {
    // A curve of two steps: 30 % of the points at distance 4, the others at 1. A cut between them
    // meets the curve at 30 %: the fainter line drops there.
    auto data = std::make_shared<KDistances>();
    data->k = 4;
    data->sampled = 1000;
    data->distances.assign(300, 4.0);
    data->distances.resize(1000, 1.0);
    ChartStage<KDistanceChart> stage;
    stage.chart.setData(data);
    stage.chart.setEps(2);
    const Image image = stage.window->image();
    const double left = 66;
    const double right = kWidth - 18;
    const int expected = static_cast<int>(std::lround(left + 0.3 * (right - left)));
    // The column with most accent-coloured pixels between the floor and the cut.
    const int cut = kHeight - 1 - rowOf(image, dark().accent);
    int column = -1;
    int most = 0;
    for (int x = 72; x < kWidth; ++x) {
      int warm = 0;
      for (int y = cut + 4; y < kHeight - 46; ++y)
        warm += image.pixel(x, y)[0] > image.pixel(x, y)[2] + 40 ? 1 : 0;
      if (warm > most) {
        most = warm;
        column = x;
      }
    }
    QVERIFY2(std::abs(column - expected) <= 2,
             qPrintable(QString("%1, not %2").arg(column).arg(expected)));
  }

  void oddCurvesAreDrawn_data() {
    QTest::addColumn<QList<double>>("distances");
    QTest::newRow("one point") << QList<double>{1.5};
    QTest::newRow("all duplicates") << QList<double>{0, 0, 0};
    QTest::newRow("some duplicates") << QList<double>{3, 1, 0, 0};
    QTest::newRow("huge") << QList<double>{1e300, 1e-300};
    QTest::newRow("all the same") << QList<double>{2, 2, 2, 2};
    const double infinite = std::numeric_limits<double>::infinity();
    QTest::newRow("some infinite") << QList<double>{infinite, infinite, 3, 1};
    QTest::newRow("all infinite") << QList<double>{infinite, infinite};
  }
  void oddCurvesAreDrawn() {
    QFETCH(QList<double>, distances);
    for (const bool logarithmic : {false, true}) {
      ChartStage<KDistanceChart> stage;
      auto data = std::make_shared<KDistances>();
      data->distances.assign(distances.begin(), distances.end());
      data->sampled = data->distances.size();
      stage.chart.setLogarithmic(logarithmic);
      stage.chart.setData(data);
      stage.chart.setEps(1);
      QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
      stage.drag(300, 100, 300, 140);
      QVERIFY(std::isfinite(stage.chart.eps()) && stage.chart.eps() > 0);
    }
  }

  /// Squares of distances to a very far point overflow.
  void infiniteDistancesLeaveTheAxisToTheOthers() {
    ChartStage<KDistanceChart> stage;
    auto data = std::make_shared<KDistances>();
    data->distances.assign(1, std::numeric_limits<double>::infinity());
    for (int i = 400; i > 0; --i) data->distances.push_back(1 + 0.01 * i);
    data->sampled = data->distances.size();
    stage.chart.setData(data);
    stage.window->image();
    stage.click(300, kBottom + 20);
    const double low = stage.chart.eps();
    stage.click(300, kTop - 20);
    QVERIFY2(low > 0.7 && low < 1.5 && stage.chart.eps() > 3 && stage.chart.eps() < 6.5,
             qPrintable(QString("%1 %2").arg(low).arg(stage.chart.eps())));
  }

  void wholeNumbersKeepTheirGroups() {
    const NumberSigns english = numberSigns();
    setNumberSigns({.group = ".", .decimal = ","});
    PlotAxis axis{0, 50000, false, 0, 500};
    axis.whole = true;
    const Ticks ticks = axis.ticks(6);
    setNumberSigns(english);
    QVERIFY(ticks.labels.size() >= 3);
    QCOMPARE(ticks.labels.front(), std::string("0"));
    QCOMPARE(ticks.labels.back(), std::string("50.000"));
  }

  void aConstantIsWrittenWithItsDigits() {
    QCOMPARE(ticksWithin(5654321.12, 5654321.12, 5).labels,
             std::vector<std::string>{"5,654,321.12"});
  }

  void valuesBeyondTheUnitsHaveAnExponent() {
    QCOMPARE(withUnit(123456), std::string("123 k"));
    QCOMPARE(withUnit(2e20), std::string("200 E"));
    QCOMPARE(withUnit(2e25), std::string("2e+25"));
  }

  void theSweepHasItsThreeCurves() {
    ChartStage<SweepChart> stage;
    stage.chart.setData(madeSweep(), 1000);
    const Image image = stage.window->image();
    for (const Colour& colour : dark().series) QVERIFY(countColour(image, colour, 4) > 300);
    QCOMPARE(countColour(image, dark().accent, 4, 0, 40), 0);  // no ε yet
    stage.chart.setEps(0.3);
    const Image marked = stage.window->image();
    QVERIFY(countColour(marked, dark().accent, 4) > 200);
    // Steps may come in any order.
    auto shuffled = madeSweep();
    std::swap(shuffled[3], shuffled[15]);
    std::swap(shuffled[0], shuffled[9]);
    stage.chart.setData(shuffled, 1000);
    QCOMPARE(countDifferences(stage.window->image(), marked), 0);

    std::vector<std::pair<double, bool>> heard;
    stage.chart.setOnDrag([&heard](double value, bool done) { heard.push_back({value, done}); });
    stage.drag(150, 100, 250, 120);
    QVERIFY(heard.size() == 3 && heard.back().second);
    QVERIFY(heard[1].first > heard[0].first);
    // Each is the step nearest to the pointer, the one that the pointer's text describes, to the
    // last bit. Equal ways are equal factors: the axis is logarithmic from 0.01 to 0.01 · 1.4^19.
    const double perPixel = 19.0 / (kWidth - 52 - 66);
    const auto steps = madeSweep();
    for (const auto& [eps, pixel] : {std::pair{heard[0].first, 150}, {heard[1].first, 250}}) {
      const auto nearest = static_cast<std::size_t>(std::lround((pixel - 66) * perPixel));
      QCOMPARE(eps, steps[nearest].eps);
    }
  }

  void aPixelMeansFewDigits() {
    ChartStage<KDistanceChart> stage;
    stage.chart.setData(curve(2000));
    stage.window->image();
    double last = 0;
    for (int y = 60; y < 200; ++y) {
      stage.click(300, y);
      const double eps = stage.chart.eps();
      // Neighbouring rows are different values, none with digits that no row could tell apart.
      QVERIFY(eps > last);
      last = eps;
      QVERIFY2(shortNumber(eps).size() <= 6, shortNumber(eps).c_str());
      double read = 0;
      const std::string text = shortNumber(eps);
      std::from_chars(text.data(), text.data() + text.size(), read);
      QCOMPARE(read, eps);  // so the tag and what is set are one number
    }
  }

  void oddSweepsAreDrawn() {
    ChartStage<SweepChart> stage;
    stage.chart.setData({{0.5, 3, 10, 60, 0}}, 100);
    stage.chart.setEps(0.5);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
    stage.chart.setData({{0.0, 3, 10, 60, 0}}, 0);  // an ε of 0 has no place
    stage.chart.setEmptyText("x");
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
    stage.chart.setData({{0.5, 0, 0, 0, 0}, {0.6, 0, 0, 0, 0}}, 0);
    QVERIFY(countColour(stage.window->image(), dark().series[0], 4) > 100);
  }

  /// 0 has no logarithm: it stands at the low end, which says so.
  void manyAndNoClustersShareAnAxis() {
    SweepChart chart;
    std::vector<SweepPoint> steps{
        {0.1, 0, 1000, 0, 0}, {0.2, 700, 300, 20, 0}, {0.4, 1, 0, 1000, 0}};
    chart.setData(steps, 1000);
    QVERIFY(chart.isLogarithmic());
    const auto labels = [&chart] {
      QStringList texts;
      QXmlStreamReader xml(
          QByteArray::fromStdString(chart.toSvg(kWidth, kHeight, Background::Dark, "sweep")));
      while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement &&
            xml.name() == QLatin1String("text") &&
            xml.attributes().value("text-anchor") == QLatin1String("end"))
          texts << xml.readElementText();
      return texts;
    };
    QVERIFY2(labels().contains("0") && labels().contains("1") && labels().contains("100") &&
                 !labels().contains("0.5"),
             qPrintable(labels().join(' ')));
    chart.setClusterAxis(ClusterAxis::Linear);
    QVERIFY(!chart.isLogarithmic());
    QVERIFY(labels().contains("0") && labels().contains("600"));
    // Few clusters: a linear axis, with whole numbers only.
    chart.setClusterAxis(ClusterAxis::Automatic);
    steps[1].clusters = 2;
    chart.setData(steps, 1000);
    QVERIFY(!chart.isLogarithmic());
    QCOMPARE(labels(), (QStringList{"0", "1", "2"}));
    chart.setClusterAxis(ClusterAxis::Logarithmic);
    QVERIFY2(labels().contains("0") && labels().contains("1") && labels().contains("2"),
             qPrintable(labels().join(' ')));
    // None at all: still an axis.
    for (SweepPoint& step : steps) step.clusters = 0;
    for (const ClusterAxis axis :
         {ClusterAxis::Automatic, ClusterAxis::Linear, ClusterAxis::Logarithmic}) {
      chart.setClusterAxis(axis);
      chart.setData(steps, 1000);
      QVERIFY2(labels().contains("0") && labels().contains("1"), qPrintable(labels().join(' ')));
    }
  }

  void zeroClustersAreAtTheBottom() {
    ChartStage<SweepChart> stage;
    stage.chart.setData(
        {{0.1, 0, 0, 0, 0}, {0.2, 0, 0, 0, 0}, {0.4, 900, 0, 0, 0}, {0.8, 5, 0, 0, 0}}, 0);
    QVERIFY(stage.chart.isLogarithmic());
    const Image image = stage.window->image();
    // The first two marks are on the axis, 44 pixels above the edge.
    QVERIFY(countColour(image, dark().series[0], 4, 64, kHeight - 49, 80, kHeight - 40) > 10);
    QCOMPARE(countColour(image, dark().series[0], 4, 64, 32, 80, kHeight - 60), 0);
  }

  // Up: below the knee of a lattice no point is core.
  void theKneeIsRoundedAndTaken() {
    for (const auto& [knee, brief] : {std::pair{1.4142135623730951, 1.42},
                                      {0.5, 0.5},
                                      {0.712, 0.712},
                                      {9.994, 10.0},
                                      {9.996, 10.0},
                                      {1.2301e-200, 1.24e-200},
                                      {4321.0, 4330.0},
                                      {0.0, 0.0}})
      QCOMPARE(briefKnee(knee), brief);
    ChartStage<KDistanceChart> stage;
    auto data = curve(2000);
    data->suggestedEps = 0.7123456;
    stage.chart.setData(data);
    const std::string svg = stage.chart.toSvg(kWidth, kHeight, Background::Dark, "k");
    QVERIFY(svg.find(">knee 0.713<") != std::string::npos);
    stage.window->image();
    bool taken = false;
    for (int y = 60; y < 240; ++y) {
      stage.click(300, y);
      taken = taken || stage.chart.eps() == 0.713;
    }
    QVERIFY(taken);
  }

  void costsAreStacked() {
    ChartStage<CostChart> stage;
    const CostModel model = madeCosts();
    stage.chart.setData(model, 2);
    const Image image = stage.window->image();
    const double left = 66;
    const double slot = (kWidth - 18 - left) / 5;
    double tallest = 0;
    for (const CostOfK& cost : model.costs) tallest = std::max(tallest, cost.total());
    const double perOp = (kHeight - 30 - 44) / (1.14 * tallest);
    for (int k = 0; k < 5; ++k) {
      const int middle = static_cast<int>(left + slot * (k + 0.5));
      // Heights of the two parts along the middle of the bar.
      const int search =
          countColour(image, dark().series[0], 4, middle, 20, middle + 1, kHeight - 40);
      const int distances =
          countColour(image, dark().series[1], 4, middle, 20, middle + 1, kHeight - 40);
      const CostOfK& cost = model.costs[static_cast<std::size_t>(k)];
      QVERIFY2(std::abs(search - cost.cellSearchOps * perOp) <= 2,
               qPrintable(QString::number(search)));
      QVERIFY2(std::abs(distances - cost.distanceOps * perOp) <= 2,
               qPrintable(QString::number(distances)));
      // Only the bar in use has a frame.
      const int framed = countColour(image, dark().accent, 4, static_cast<int>(left + slot * k) + 1,
                                     40, static_cast<int>(left + slot * (k + 1)) - 1, kHeight - 46);
      QCOMPARE(framed > 20, k == 1);
    }
    stage.chart.setData(std::nullopt, 0);
    QCOMPARE(countColour(stage.window->image(), dark().series[0], 4), 0);
  }

  void measuredTimesStandAtTheirK() {
    ChartStage<CostChart> stage;
    stage.chart.setData(madeCosts(), 2);
    stage.chart.setMeasured({{2, 0.020}, {4, 0.080}, {9, 0.01}});
    const Image image = stage.window->image();
    const double left = 66;
    const double slot = (kWidth - 52 - left) / 5;
    const double perMs = (kHeight - 46 - 44) / (1.14 * 80);  // below two lines of words
    for (const auto& [k, ms] : {std::pair{2, 20.0}, {4, 80.0}}) {
      const int middle = static_cast<int>(left + slot * (k - 0.5));
      const int row = kHeight - 1 - static_cast<int>(std::lround(44 + ms * perMs));
      QVERIFY(countColour(image, dark().series[2], 4, middle - 8, row - 2, middle + 8, row + 3) >
              30);
    }
    const int none = static_cast<int>(left + slot * 0.5);  // k = 1 was never run
    QCOMPARE(countColour(image, dark().series[2], 4, none - 8, 40, none + 8, kHeight - 46), 0);
    stage.chart.setMeasured({});
    QCOMPARE(countColour(stage.window->image(), dark().series[2], 4), 0);
  }

  void chartsScaleWithThePixelRatio() {
    ChartStage<CostChart> small;
    small.chart.setData(madeCosts(), 2);
    const int text = countColour(small.window->image(), dark().text, 40);
    ChartStage<CostChart> large(2 * kWidth, 2 * kHeight);
    large.chart.setPixelRatio(2);
    large.chart.setData(madeCosts(), 2);
    const int twice = countColour(large.window->image(), dark().text, 40);
    QVERIFY2(twice > 2 * text, qPrintable(QString("%1 and %2").arg(text).arg(twice)));
  }

  /// However small: pictures have the size of the window, and a drag gives an ε that can be used.
  void narrowChartsDrawAndAnswer() {
    for (const auto& [width, height] : {std::pair{40, 30}, {120, 60}, {1, 1}}) {
      const auto isDrawn = [width = width, height = height](const Image& image) {
        return image.width == width && image.height == height &&
               (width < 40 || coloursIn(image) > 1);
      };
      ChartStage<KDistanceChart> distance(width, height);
      distance.chart.setData(curve(100));
      distance.chart.setEps(0.4);
      QVERIFY2(isDrawn(distance.window->image()), qPrintable(QString::number(width)));
      distance.chart.setOnDrag(
          [](double eps, bool) { QVERIFY2(eps > 0 && std::isfinite(eps), "no ε"); });
      distance.drag(width / 2, height / 2, width / 2, height / 2 + 3);
      ChartStage<SweepChart> steps(width, height);
      steps.chart.setData(madeSweep(), 1000);
      steps.chart.setEps(0.4);
      QVERIFY2(isDrawn(steps.window->image()), qPrintable(QString::number(width)));
      ChartStage<CostChart> bars(width, height);
      bars.chart.setData(madeCosts(), 1);
      QVERIFY2(isDrawn(bars.window->image()), qPrintable(QString::number(width)));
    }
  }
};

APPLESS_TEST(TestCharts);
#include "tst_charts.moc"
