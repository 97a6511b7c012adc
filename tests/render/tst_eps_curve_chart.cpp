// The chart of the exact numbers over ε: are its steps where the rows are, do marks of plateaus and
// drags choose ε, does it zoom?
#include <QtTest>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include "chart_stage.h"
#include "engine/hierarchy/smallest_eps.h"
#include "pictures.h"
#include "render/charts/eps_curve_chart.h"
#include "render/charts/plot_area.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// 4 clusters from ε 1, 2 from ε 10, 1 from ε 100, of 200 points.
std::shared_ptr<EpsCurve> madeCurve() {
  auto curve = std::make_shared<EpsCurve>();
  for (const auto& [eps, clusters, noise, largest] :
       {std::tuple{1.0, 4U, 100U, 25U}, {10.0, 2U, 50U, 75U}, {100.0, 1U, 0U, 200U}}) {
    curve->eps.push_back(eps);
    curve->clusters.push_back(clusters);
    curve->noise.push_back(noise);
    curve->largest.push_back(largest);
  }
  return curve;
}

struct Stage : ChartStage<EpsCurveChart> {
  int right() const { return right_; }
  /// Pixel of an ε; the axis has 5 % more than two decades on each side.
  int xAt(double eps) const {
    return int(kLeft + (right_ - kLeft) * (std::log10(eps) + 0.1) / 2.2);
  }
  int yOf(double clusters) const { return int(kBottom + (kTop - kBottom) * clusters / (4 * 1.08)); }

  Stage() {
    // The right axis takes as much space as its numbers need: its line ends the plot.
    PlotArea area;
    area.layOut(kChartWidth, kChartHeight, 1, true);
    right_ = int(area.right);
  }

 private:
  int right_ = 0;
};

}  // namespace

class TestEpsCurveChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void stepsAreWhereTheRowsAre() {
    Stage stage;
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setData(madeCurve(), {}, 200);
    const Image image = stage.window->image();
    const auto has = [&](double eps, double clusters) {
      const int x = stage.xAt(eps);
      const int y = kChartHeight - stage.yOf(clusters);
      return countColour(image, dark().series[0], 30, x - 2, y - 3, x + 3, y + 4) > 3;
    };
    QVERIFY(has(3, 4) && !has(3, 2));
    QVERIFY(has(30, 2) && !has(30, 4));
    QVERIFY(has(110, 1) && !has(110, 2));
    QVERIFY(has(0.9, 0));
  }

  /// Where points share a place the first row begins at the smallest ε that there is.
  void pointsAtOnePlaceDoNotStretchTheAxis() {
    auto curve = madeCurve();
    const double least = smallestEps(std::numeric_limits<double>::min());
    curve->eps.insert(curve->eps.begin(), least);
    curve->clusters.insert(curve->clusters.begin(), 3);
    curve->noise.insert(curve->noise.begin(), 150);
    curve->largest.insert(curve->largest.begin(), 20);
    QCOMPARE(curve->firstApart(), std::size_t{1});
    Stage stage;
    stage.chart.setData(curve, {}, 200);
    stage.window->image();
    stage.click(stage.xAt(3), kBottom + 40);
    QVERIFY2(std::abs(stage.chart.eps() - 3) < 0.1, qPrintable(QString::number(stage.chart.eps())));

    // Only such points: any range around ε.
    auto one = std::make_shared<EpsCurve>();
    one->eps.push_back(least);
    one->clusters.push_back(1);
    one->noise.push_back(0);
    one->largest.push_back(200);
    Stage other;
    other.chart.setEps(5);
    other.chart.setData(one, {}, 200);
    other.window->image();
    other.click(int(kLeft + 200), kBottom + 40);
    QVERIFY2(other.chart.eps() > 0.5 && other.chart.eps() < 50,
             qPrintable(QString::number(other.chart.eps())));
  }

  void pressesChooseEps() {
    Stage stage;
    const std::vector<Plateau> plateaus{{1, 10, 4}, {10, 100, 2}};
    stage.chart.setData(madeCurve(), plateaus, 200);
    std::vector<std::pair<double, bool>> chosen;
    stage.chart.setOnDrag([&](double eps, bool done) { chosen.emplace_back(eps, done); });
    stage.window->image();
    stage.click(stage.xAt(3), kBottom + 40);
    QVERIFY(chosen.back().second && std::abs(chosen.back().first - 3) < 0.1);
    // The mark of a plateau leads to its middle.
    chosen.clear();
    stage.click(stage.xAt(2), kTop - 6);
    QCOMPARE(chosen.size(), std::size_t{1});
    QCOMPARE(chosen.front(), std::pair(std::sqrt(10.0), true));
    QCOMPARE(stage.chart.eps(), std::sqrt(10.0));
    stage.click(stage.xAt(90), kTop - 6);
    QCOMPARE(chosen.back(), std::pair(std::sqrt(1000.0), true));
    // Right of all marks it is a press like any other.
    stage.click(stage.xAt(112), kTop - 6);
    QVERIFY(std::abs(chosen.back().first - 112) < 4);
  }

  void whatWasFoundAgainIsACircle() {
    Stage stage;
    stage.chart.setData(madeCurve(), {}, 200);
    stage.chart.setEps(30);
    const auto says = [&](const std::string& text) {
      for (const std::string& words : stage.chart.words())
        if (words.find(text) != std::string::npos) return true;
      return false;
    };
    const auto ofText = [&](double eps) {
      const int x = stage.xAt(eps);
      return countColour(stage.window->image(), dark().text, 30, x - 6, 60, x + 7,
                         kChartHeight - kBottom - 2);
    };
    const int before = ofText(3);
    QVERIFY(!says("found again"));
    stage.chart.setFoundAgain({{3, 0.5}, {30, 0.93}});
    QVERIFY(ofText(3) > before + 8);
    QVERIFY(says("found again %"));
    QVERIFY(says("ε 30 · found again 93.0 %"));
    stage.chart.setEps(10);
    stage.window->image();
    QVERIFY(says("ε 10") && !says("ε 10 ·"));
  }

  void stabilityIsABand() {
    Stage stage;
    stage.chart.setData(madeCurve(), {}, 200);
    const auto shades = [&](double eps, double percent) {
      const int x = stage.xAt(eps);
      const int y = kChartHeight - int(kBottom + (kTop - kBottom) * percent / 108);
      const Image image = stage.window->image();
      return countColour(image, dark().ground, 12, x - 2, y - 2, x + 3, y + 3);
    };
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(shades(4, 65) > 20);
    stage.chart.setStability(
        {{1, 0.6, 0.5, 0.8}, {10, 0.9, 0.85, 0.97}, {100, kNone, kNone, kNone}});
    // The step of 1 goes to √10, that of 10 to √1000; nothing is known of 100.
    QVERIFY(shades(2, 65) < 5 && shades(4, 65) > 20);
    QVERIFY(shades(4, 92) < 5 && shades(25, 92) < 5 && shades(40, 92) > 20);
    const auto says = [&](const std::string& text) {
      for (const std::string& words : stage.chart.words())
        if (words.find(text) != std::string::npos) return true;
      return false;
    };
    QVERIFY(says("stability %"));
    stage.send(vtkCommand::MouseMoveEvent, stage.xAt(2), 100);
    stage.window->image();
    QVERIFY(says("stability 60.0 % (50.0 % to 80.0 %)"));
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.names.size(), std::size_t{7});
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(table.rows[1], (std::vector<std::string>{"10", "2", "50", "75", "90", "85", "97"}));
    QCOMPARE(table.rows[2][4], std::string());
    stage.chart.setStability({{30, 0.5, 0.5, 0.5}});
    QCOMPARE(stage.chart.table()().rows.size(), std::size_t{4});
    QCOMPARE(stage.chart.table()().rows[2],
             (std::vector<std::string>{"30", "2", "50", "75", "50", "50", "50"}));
    stage.chart.setStability({});
    QCOMPARE(stage.chart.table()().names.size(), std::size_t{4});
    stage.window->image();
    QVERIFY(!says("stability"));
  }

  void zoomShowsAPart() {
    Stage stage;
    stage.chart.setData(madeCurve(), {}, 200);
    stage.window->image();
    const int x = stage.xAt(3);
    stage.send(vtkCommand::MouseMoveEvent, x, 100);
    for (int i = 0; i < 20; ++i) stage.send(vtkCommand::MouseWheelForwardEvent, x, 100);
    QVERIFY(stage.chart.isZoomed());
    const Image image = stage.window->image();
    // Only the first step is left: a line across.
    const int y = kChartHeight - stage.yOf(4);
    QVERIFY(countColour(image, dark().series[0], 30, kLeft, y - 2, stage.right(), y + 3) >
            stage.right() - kLeft - 8);
    QVERIFY(stage.chart.pressKey(ChartKey::All));
    QVERIFY(!stage.chart.isZoomed());
  }

  /// A million rows are drawn at once, and the table keeps them all.
  void manyRows() {
    auto curve = std::make_shared<EpsCurve>();
    std::mt19937_64 random(3);
    for (int i = 0; i < 1000000; ++i) {
      curve->eps.push_back(1 + i * 1e-5);
      curve->clusters.push_back(static_cast<std::uint32_t>(random() % 1000));
      curve->noise.push_back(static_cast<std::uint32_t>(1000000 - i));
      curve->largest.push_back(static_cast<std::uint32_t>(i));
    }
    Stage stage;
    stage.chart.setData(curve, {}, 1000000);
    QVERIFY(stage.chart.isLogarithmic());
    stage.chart.setClusterAxis(ClusterAxis::Linear);
    QVERIFY(!stage.chart.isLogarithmic());
    const Image image = stage.window->image();
    QVERIFY(countColour(image, dark().series[0], 30) > 5000);
    QVERIFY(stage.chart.toSvg(600, 300, Background::Light, "curve").size() < 400000);
    QCOMPARE(stage.chart.table()().rows.size(), std::size_t{1000000});
  }

  void oneRow() {
    auto curve = std::make_shared<EpsCurve>();
    curve->eps.push_back(0.5);
    curve->clusters.push_back(1);
    curve->noise.push_back(0);
    curve->largest.push_back(7);
    Stage stage;
    stage.chart.setData(curve, {}, 7);
    QVERIFY(countColour(stage.window->image(), dark().series[0], 30) > 100);
    stage.chart.setData(nullptr, {}, 0);
    QVERIFY(stage.chart.isEmpty());
  }
};

GUILESS_TEST(TestEpsCurveChart);
#include "tst_eps_curve_chart.moc"
