// The reachability plot: are bars as high as they should be and in the colours of their clusters,
// can ε be dragged, does a click find the point?
#include <QtTest>
#include <cmath>
#include <limits>

#include "chart_stage.h"
#include "pictures.h"
#include "render/charts/reachability_chart.h"
#include "render/paint/palette.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

constexpr double kWithin = 1;   // height of bars within a group
constexpr double kBetween = 4;  // height between the groups

/// `points` points in reverse order: a half with bars of 1, then a bar of 4 and the other half.
std::shared_ptr<Reachability> madePlot(std::uint32_t points) {
  auto plot = std::make_shared<Reachability>();
  for (std::uint32_t i = 0; i < points; ++i) {
    plot->order.push_back(points - 1 - i);
    plot->squaredHeight.push_back(kWithin * kWithin);
  }
  plot->squaredHeight[0] = std::numeric_limits<double>::infinity();
  plot->squaredHeight[points / 2] = kBetween * kBetween;
  plot->lowestSquared = kWithin * kWithin;
  plot->highestSquared = kBetween * kBetween;
  return plot;
}

/// The first half of the order is cluster 0, the other one cluster 1.
std::shared_ptr<Clustering> madeClusters(std::uint32_t points) {
  auto clustering = std::make_shared<Clustering>();
  clustering->labels.assign(points, 1);
  for (std::uint32_t i = 0; i < points / 2; ++i) clustering->labels[points - 1 - i] = 0;
  return clustering;
}

int xAt(double share) { return int(kLeft + (kRight - kLeft) * share); }
int yAt(double eps) {
  const double margin = std::max(1.05, std::pow(kBetween / kWithin, 0.06));
  const double low = std::log(kWithin / margin);
  const double high = std::log(kBetween * margin);
  return int(kBottom + (kTop - kBottom) * (std::log(eps) - low) / (high - low));
}

int along(const Image& image, double eps, Colour colour) {
  const int y = kChartHeight - yAt(eps);
  return countColour(image, colour, 6, kLeft, y, kRight, y + 1);
}

}  // namespace

class TestReachabilityChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void barsHaveTheirHeightsAndColours_data() {
    QTest::addColumn<uint>("points");
    QTest::newRow("wide bars") << 20U;
    QTest::newRow("many bars a pixel") << 100000U;
  }
  void barsHaveTheirHeightsAndColours() {
    QFETCH(uint, points);
    ChartStage<ReachabilityChart> stage;
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setData(madePlot(points));
    stage.chart.setClustering(madeClusters(points));
    const Image image = stage.window->image();
    const double half = (kRight - kLeft) / 2.0;
    QVERIFY(std::abs(along(image, 0.97, clusterColour(0, Background::Dark)) - half) <= 4);
    QVERIFY(std::abs(along(image, 0.97, clusterColour(1, Background::Dark)) - half) <= 4);
    // Above 1 there are the first bar and the one between the halves only.
    const double wide = std::max(1.0, 2 * half / points);
    QVERIFY(along(image, 2, clusterColour(0, Background::Dark)) <= wide + 2);
    if (points == 20) {
      QVERIFY(std::abs(along(image, 2, clusterColour(0, Background::Dark)) - wide) <= 2);
      QVERIFY(std::abs(along(image, 2, clusterColour(1, Background::Dark)) - wide) <= 2);
      QCOMPARE(along(image, 4.2, clusterColour(1, Background::Dark)), 0);
    }
    // Clusters may have other colours than their numbers.
    stage.chart.setClustering(
        madeClusters(points),
        std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{4, 0}));
    const Image other = stage.window->image();
    QVERIFY(std::abs(along(other, 0.97, clusterColour(4, Background::Dark)) - half) <= 4);
    QVERIFY(std::abs(along(other, 0.97, clusterColour(0, Background::Dark)) - half) <= 4);
    QCOMPARE(along(other, 0.97, clusterColour(1, Background::Dark)), 0);
    // Labels of other points colour nothing.
    stage.chart.setClustering(madeClusters(points / 2));
    QCOMPARE(along(stage.window->image(), 0.97, clusterColour(1, Background::Dark)), 0);
  }

  void epsIsDraggedAndPointsArePicked() {
    ChartStage<ReachabilityChart> stage;
    stage.chart.setData(madePlot(20));
    std::vector<std::pair<double, bool>> dragged;
    std::vector<std::uint32_t> picked;
    stage.chart.setOnDrag([&](double eps, bool done) { dragged.emplace_back(eps, done); });
    stage.chart.setOnPick([&](std::uint32_t point) { picked.push_back(point); });
    stage.chart.setEps(2);
    stage.window->image();
    stage.drag(xAt(0.5), yAt(2), xAt(0.5), yAt(3));
    QCOMPARE(dragged.size(), std::size_t{2});
    QVERIFY(std::abs(dragged.back().first - 3) < 0.1);
    QVERIFY(dragged.back().second && !dragged.front().second);
    QVERIFY(picked.empty());
    stage.click(xAt(0.125), yAt(1.2));  // bar 2
    QCOMPARE(picked, std::vector<std::uint32_t>{17});
    stage.chart.setEps(0);
    stage.chart.setMarked(17);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 80);
    stage.chart.setMarked(99);
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
  }

  void zoomAndTable() {
    ChartStage<ReachabilityChart> stage;
    QVERIFY(stage.chart.table()().rows.empty());
    QCOMPARE(stage.chart.longTableRows(), std::uint64_t{0});
    stage.chart.setData(madePlot(1000));
    stage.chart.setClustering(madeClusters(1000));
    stage.window->image();
    stage.send(vtkCommand::MouseMoveEvent, xAt(0.99), yAt(1.5));
    for (int i = 0; i < 30; ++i)
      stage.send(vtkCommand::MouseWheelForwardEvent, xAt(0.99), yAt(1.5));
    QVERIFY(stage.chart.isZoomed());
    const Image image = stage.window->image();
    QCOMPARE(along(image, 0.97, clusterColour(0, Background::Dark)), 0);
    QVERIFY(along(image, 0.97, clusterColour(1, Background::Dark)) > kRight - kLeft - 6);
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.rows.size(), std::size_t{1000});
    QCOMPARE(stage.chart.longTableRows(), std::uint64_t{1000});
    QCOMPARE(table.rows[0], (std::vector<std::string>{"0", "999", "inf", "0"}));
    QCOMPARE(table.rows[500], (std::vector<std::string>{"500", "499", "4", "1"}));
    QVERIFY(
        stage.chart.toSvg(600, 300, Background::Light, "plot").find("<path") != std::string::npos ||
        stage.chart.toSvg(600, 300, Background::Light, "plot").find("<rect") != std::string::npos);
  }
};

GUILESS_TEST(TestReachabilityChart);
#include "tst_reachability_chart.moc"
