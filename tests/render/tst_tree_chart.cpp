// The chart of the condensed tree: are clusters where and as wide as their figures say, does a
// click find them, can ε be dragged?
#include <QtTest>
#include <cmath>
#include <sstream>

#include "chart_stage.h"
#include "pictures.h"
#include "render/charts/tree_chart.h"
#include "render/paint/palette.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

constexpr double kSplit = 4;  // ε at which the two groups separate
constexpr double kEnd = 1;    // ε at which their points do

/// Groups of 60 and 40 points, chains of distance 1 that are 4 apart, and `loners` points that
/// leave the first group at ε 2.
std::shared_ptr<TreePicture> madePicture(std::uint32_t loners = 0) {
  std::vector<TreeEdge> edges;
  const auto chain = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t p = from + 1; p < to; ++p) edges.push_back({p - 1, p, kEnd * kEnd});
  };
  chain(0, 60 - loners);
  chain(60, 100);
  for (std::uint32_t p = 60 - loners; p < 60; ++p) edges.push_back({0, p, 4});
  edges.push_back({0, 60, kSplit * kSplit});
  auto picture = std::make_shared<TreePicture>();
  picture->tree = *condense(dendrogramOf(100, edges), 10);
  picture->shape = shapeOf(picture->tree);
  picture->flat = takeClusters(picture->tree, {.minClusterSize = 10});
  return picture;
}

int xAt(double points) { return int(kLeft + (kRight - kLeft) * points / 100); }
int yAt(double eps) {
  const double margin = std::max(1.05, std::pow(kSplit / kEnd, 0.06));
  const double low = std::log(kEnd / margin);
  const double high = std::log(kSplit * margin);
  return int(kBottom + (kTop - kBottom) * (std::log(eps) - low) / (high - low));
}

/// Pixels of a colour in the row of ε.
int along(const Image& image, double eps, Colour colour) {
  const int y = kChartHeight - yAt(eps);
  return countColour(image, colour, 6, kLeft, y, kRight, y + 1);
}

}  // namespace

class TestTreeChart : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void clustersAreAsWideAsTheyAreLarge() {
    ChartStage<TreeChart> stage;
    QVERIFY(stage.chart.isEmpty());
    stage.chart.setData(madePicture());
    QVERIFY(!stage.chart.isEmpty());
    const Image image = stage.window->image();
    const double perPoint = (kRight - kLeft) / 100.0;
    QVERIFY(std::abs(along(image, 2, clusterColour(0, Background::Dark)) - 60 * perPoint) <= 3);
    QVERIFY(std::abs(along(image, 2, clusterColour(1, Background::Dark)) - 40 * perPoint) <= 3);
    stage.chart.setColours({5, -1});
    const Image other = stage.window->image();
    QVERIFY(std::abs(along(other, 2, clusterColour(5, Background::Dark)) - 60 * perPoint) <= 3);
    QVERIFY(std::abs(along(other, 2, noiseColour(Background::Dark)) - 40 * perPoint) <= 3);
    // Above the split there is the root alone, in no cluster's colour.
    QCOMPARE(along(image, 4.15, clusterColour(0, Background::Dark)), 0);
    QVERIFY(along(image, 4.15, dark().line) > 98 * perPoint);
  }

  void pointsThatLeaveMakeAClusterNarrower() {
    ChartStage<TreeChart> stage;
    stage.chart.setData(madePicture(20));
    const Image image = stage.window->image();
    const double perPoint = (kRight - kLeft) / 100.0;
    QVERIFY(std::abs(along(image, 3, clusterColour(0, Background::Dark)) - 60 * perPoint) <= 3);
    QVERIFY(std::abs(along(image, 1.5, clusterColour(0, Background::Dark)) - 40 * perPoint) <= 3);
    QVERIFY(std::abs(along(image, 1.5, clusterColour(1, Background::Dark)) - 40 * perPoint) <= 3);
  }

  void clicksFindClusters() {
    ChartStage<TreeChart> stage;
    const auto picture = madePicture(20);
    stage.chart.setData(picture);
    std::vector<std::int32_t> picked;
    stage.chart.setOnPick([&](std::int32_t cluster) { picked.push_back(cluster); });
    stage.window->image();
    const std::size_t large = picture->tree.clusters[1].size == 60 ? 1 : 2;
    const double left = picture->shape.left[large];
    stage.click(xAt(left + 30), yAt(2.5));
    stage.click(xAt(picture->shape.left[3 - large] + 20), yAt(1.5));
    stage.click(xAt(50), yAt(4.15));
    stage.click(xAt(left + 3), yAt(1.5));  // where points have left
    QCOMPARE(picked.size(), std::size_t{4});
    QCOMPARE(picture->tree.clusters[std::size_t(picked[0])].size, 60U);
    QCOMPARE(picture->tree.clusters[std::size_t(picked[1])].size, 40U);
    QCOMPARE(picked[2], 0);
    QCOMPARE(picked[3], -1);
    stage.chart.setMarked(picked[0]);
    QVERIFY(countColour(stage.window->image(), dark().accent, 4) > 100);
    stage.chart.setMarked(-1);
    QCOMPARE(countColour(stage.window->image(), dark().accent, 4), 0);
  }

  void clustersOfEqualPointsReachTheAxis() {
    std::vector<TreeEdge> edges;
    for (std::uint32_t p = 1; p < 60; ++p) edges.push_back({p - 1, p, 0});
    for (std::uint32_t p = 61; p < 100; ++p) edges.push_back({p - 1, p, kEnd * kEnd});
    edges.push_back({0, 60, kSplit * kSplit});
    auto picture = std::make_shared<TreePicture>();
    picture->tree = *condense(dendrogramOf(100, edges), 10);
    picture->shape = shapeOf(picture->tree);
    picture->flat = takeClusters(picture->tree, {.minClusterSize = 10});
    ChartStage<TreeChart> stage;
    stage.chart.setData(picture);
    const Image image = stage.window->image();
    const double perPoint = (kRight - kLeft) / 100.0;
    QVERIFY(std::abs(along(image, 2, clusterColour(0, Background::Dark)) - 60 * perPoint) <= 3);
    QVERIFY(std::abs(along(image, 0.97, clusterColour(0, Background::Dark)) - 60 * perPoint) <= 3);
    QCOMPARE(along(image, 0.97, clusterColour(1, Background::Dark)), 0);
    const std::size_t equal = picture->tree.clusters[1].size == 60 ? 1 : 2;
    QCOMPARE(picture->shape.end[equal], 0.0);
    std::ostringstream rows;
    for (const auto& row : stage.chart.table()().rows)
      for (const std::string& cell : row) rows << cell << ' ';
    QVERIFY2(rows.str().find("60 4 0 inf 0") != std::string::npos, rows.str().c_str());
  }

  void theLineOfEpsIsDragged() {
    ChartStage<TreeChart> stage;
    stage.chart.setData(madePicture());
    std::vector<std::pair<double, bool>> dragged;
    stage.chart.setOnDrag([&](double eps, bool done) { dragged.emplace_back(eps, done); });
    int picks = 0;
    stage.chart.setOnPick([&](std::int32_t) { ++picks; });
    stage.chart.setEps(2);
    stage.window->image();
    stage.drag(xAt(50), yAt(2), xAt(50), yAt(3));
    QCOMPARE(dragged.size(), std::size_t{2});
    QVERIFY(std::abs(dragged.back().first - 3) < 0.1);
    QVERIFY(!dragged.front().second && dragged.back().second);
    QCOMPARE(picks, 0);
    // Elsewhere a press is a click.
    dragged.clear();
    stage.click(xAt(50), yAt(1.5));
    QVERIFY(dragged.empty());
    QCOMPARE(picks, 1);
  }

  /// The data may go while a button is held.
  void aReleaseWithoutDataPicksNothing() {
    ChartStage<TreeChart> stage;
    stage.chart.setData(madePicture());
    int picks = 0;
    stage.chart.setOnPick([&](std::int32_t) { ++picks; });
    stage.window->image();
    stage.send(vtkCommand::LeftButtonPressEvent, xAt(50), yAt(1.5));
    stage.chart.setData(nullptr);
    stage.send(vtkCommand::LeftButtonReleaseEvent, xAt(50), yAt(1.5));
    QCOMPARE(picks, 0);
  }

  void zoomShowsAPart() {
    ChartStage<TreeChart> stage;
    stage.chart.setData(madePicture());
    stage.window->image();
    stage.send(vtkCommand::MouseMoveEvent, xAt(98), yAt(2));
    for (int i = 0; i < 12; ++i) stage.send(vtkCommand::MouseWheelForwardEvent, xAt(98), yAt(2));
    QVERIFY(stage.chart.isZoomed());
    const Image image = stage.window->image();
    QCOMPARE(along(image, 2, clusterColour(0, Background::Dark)), 0);
    QVERIFY(along(image, 2, clusterColour(1, Background::Dark)) > (kRight - kLeft) - 6);
    QVERIFY(stage.chart.pressKey(ChartKey::All));
    QVERIFY(!stage.chart.isZoomed());
  }

  void tableAndVectors() {
    ChartStage<TreeChart> stage;
    QVERIFY(stage.chart.table()().rows.empty());
    stage.chart.setData(madePicture());
    const DataTable table = stage.chart.table()();
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(table.rows[1].size(), table.names.size());
    QCOMPARE(table.rows[0][3], std::string("inf"));
    QCOMPARE(table.rows[1][1], std::string("0"));
    QVERIFY(stage.chart.toSvg(600, 300, Background::Light, "tree").find("<rect") !=
            std::string::npos);
  }

  /// One point, or points that nothing separates, have no tree to show.
  void trivialTrees() {
    ChartStage<TreeChart> stage;
    auto one = std::make_shared<TreePicture>();
    one->tree = *condense(dendrogramOf(1, {}), 5);
    one->shape = shapeOf(one->tree);
    stage.chart.setData(one);
    QVERIFY(stage.chart.isEmpty());
    auto same = std::make_shared<TreePicture>();
    same->tree = *condense(dendrogramOf(3, std::vector<TreeEdge>{{0, 1, 0.0}, {1, 2, 0.0}}), 5);
    same->shape = shapeOf(same->tree);
    stage.chart.setData(same);
    stage.window->image();
    auto far = std::make_shared<TreePicture>();
    far->tree = *condense(dendrogramOf(2, std::vector<TreeEdge>{{0, 1, INFINITY}}), 5);
    far->shape = shapeOf(far->tree);
    stage.chart.setData(far);
    stage.window->image();
    stage.click(xAt(50), (kBottom + kTop) / 2);
  }
};

GUILESS_TEST(TestTreeChart);
#include "tst_tree_chart.moc"
