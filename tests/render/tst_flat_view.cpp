// A flat cloud on screen: what lies over what, the edges of its points, the space around it.
#include <QtTest>
#include <cmath>
#include <numbers>

#include "pictures.h"
#include "render/gl/offscreen.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cloud_scene.h"
#include "scene_stage.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// A scene in a window without a display, on a light ground.
struct Stage : SceneStage {
  Stage(int width, int height) : SceneStage(width, height) {
    scene.setBackground(Background::Light);
    scene.setProgressive(false);
  }
  void show(std::vector<double> x, std::vector<double> y) {
    PointCloud cloud{{std::move(x), std::move(y)}, {"x", "y"}};
    scene.setPoints(display(cloud));
    scene.setPoints(
        std::make_shared<const DisplayPoints>(*makeDisplayPoints(cloud, defaultViewAxes(cloud))));
    window->render();  // which fits the view
  }
  /// Where a place of the cloud is, in pixels from the lower left corner.
  std::array<double, 2> pixelOf(double x, double y) const {
    const DisplaySpace& space = scene.points()->space;
    return pixel({space.toDisplay(0, x), space.toDisplay(1, y), 0});
  }
  /// The picture with the part of each pixel that is covered as its alpha.
  Image covered() {
    scene.setGround(Colour{0, 0, 0});
    const Image onBlack = window->image();
    scene.setGround(Colour{255, 255, 255});
    return withoutGround(onBlack, window->image());
  }
};

}  // namespace

class TestFlatView : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void gridLinesLieUnderThePoints() {
    Stage stage(500, 400);
    std::vector<double> x;
    std::vector<double> y;
    for (int i = 0; i < 2500; ++i) {
      x.push_back(2.0 * (i % 50));
      y.push_back(2.0 * (i / 50));
    }
    stage.scene.setPointSize(20);  // no ground is left between them
    stage.show(x, y);
    const std::vector<double> camera = stage.scene.cameraState();
    const auto low = stage.pixelOf(0, 0);
    const auto high = stage.pixelOf(98, 98);
    QVERIFY(high[0] - low[0] > 150 && high[1] - low[1] > 150);
    const Image with = stage.window->image();
    QVERIFY(countColour(with, themeOf(Background::Light).faintLine, 4) > 100);
    stage.scene.setAxesVisible(false);
    QVERIFY(stage.scene.setCameraState(camera));
    const Image without = stage.window->image();
    int differing = 0;
    for (int row = int(low[1]); row < int(high[1]); ++row)
      for (int column = int(low[0]); column < int(high[0]); ++column) {
        const std::uint8_t* p = with.pixel(column, with.height - 1 - row);
        const std::uint8_t* q = without.pixel(column, without.height - 1 - row);
        differing += difference(p, Colour{q[0], q[1], q[2]}) > 0 ? 1 : 0;
      }
    QCOMPARE(differing, 0);
  }

  // Covered pixels add up to the disc, lie around its middle, and follow it by fractions of a
  // pixel.
  void pointsHaveSmoothEdges_data() {
    QTest::addColumn<double>("size");
    QTest::addColumn<double>("ratio");
    for (const double size : {1.0, 1.5, 2.0, 2.4, 3.0, 4.0, 6.0, 11.0})
      for (const double ratio : {1.0, 1.75})
        QTest::addRow("%g at %g", size, ratio) << size << ratio;
  }
  void pointsHaveSmoothEdges() {
    QFETCH(double, size);
    QFETCH(double, ratio);
    Stage stage(80, 80);
    stage.scene.setAxesVisible(false);
    stage.scene.setPixelRatio(ratio);
    stage.scene.setPointSize(size);
    stage.show({5}, {5});
    const double radius = size * ratio / 2;
    const double area = std::numbers::pi * radius * radius;
    Image last;
    for (int step = 0; step < 8; ++step) {
      // A quarter of a pixel to the right, an eighth up.
      stage.scene.turnBy(90 * 0.25 / 80, 90 * 0.125 / 80);
      const Image image = stage.covered();
      const auto middle = stage.pixelOf(5, 5);
      double sum = 0;
      double right = 0;
      double up = 0;
      for (int row = 0; row < 80; ++row)
        for (int column = 0; column < 80; ++column) {
          const double part = image.pixel(column, 79 - row)[3] / 255.0;
          sum += part;
          right += part * (column + 0.5);
          up += part * (row + 0.5);
        }
      // The rim of a pixel makes small points larger.
      QVERIFY2(sum > 0.85 * area && sum < 1.04 * area + 0.5,
               qPrintable(QString("%1 pixels of %2").arg(sum).arg(area)));
      const double away = std::hypot(right / sum - middle[0], up / sum - middle[1]);
      QVERIFY2(away < 0.2, qPrintable(QString("%1 pixels beside its place").arg(away)));
      if (step > 0) QVERIFY(countDifferences(image, last) > 0);
      last = image;
    }
  }

  // The space is measured from rulers and edges of the picture, in both directions.
  void theSpaceAroundTheCloudIsEven_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 2.0}) {
      QTest::addRow("wide at %g", ratio) << 400.0 << 10.0 << ratio;
      QTest::addRow("high at %g", ratio) << 10.0 << 400.0 << ratio;
      QTest::addRow("square at %g", ratio) << 100.0 << 100.0 << ratio;
    }
  }
  void theSpaceAroundTheCloudIsEven() {
    QFETCH(double, width);
    QFETCH(double, height);
    QFETCH(double, ratio);
    constexpr int kWide = 1200;
    constexpr int kHigh = 1000;
    Stage stage(kWide, kHigh);
    stage.scene.setPixelRatio(ratio);
    stage.show({0, width}, {0, height});
    const DisplaySpace& space = stage.scene.points()->space;
    const auto low = stage.pixelOf(0, 0);
    const auto high = stage.pixelOf(width, height);
    const double left = low[0] - leftRulerWidth(space, 0, height, ratio);
    const double right = kWide - high[0];
    const double below = low[1] - kBottomRuler * ratio;
    const double above = kHigh - high[1];
    QVERIFY2(std::abs(left - right) < 1, qPrintable(QString("%1 and %2").arg(left).arg(right)));
    QVERIFY2(std::abs(below - above) < 1, qPrintable(QString("%1 and %2").arg(below).arg(above)));
    QVERIFY2(std::abs(std::min(left, below) - 24 * ratio) < 1,
             qPrintable(QString("%1, %2").arg(left).arg(below)));
    // The numbers at the end of the longer side have space, too.
    const AxesLayout layout = layOutRulers(space, stage.scene.viewTransform(), ratio);
    const bool wide = width > height;
    const std::string largest = std::to_string(int(std::max(width, height)));
    const bool numbered =
        std::any_of(layout.texts.begin(), layout.texts.end(), [&](const PlacedText& text) {
          const double away = wide ? text.x - high[0] : text.y - high[1];
          return text.words == largest && std::abs(away) < 1;
        });
    QVERIFY2(numbered, largest.c_str());
  }
};

APPLESS_TEST(TestFlatView);
#include "tst_flat_view.moc"
