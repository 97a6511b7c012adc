// Looking closely: a chosen centre of rotation, the marker, tiny clusters, legends beside the
// points.
#include <vtkCamera.h>
#include <vtkMath.h>
#include <vtkRenderer.h>

#include <QtTest>
#include <cmath>
#include <numbers>

#include "pictures.h"
#include "render/paint/colour_vision.h"
#include "render/paint/palette.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/legend.h"
#include "render/scene/point_colours.h"
#include "render/scene/view_sample.h"
#include "scene_stage.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

using Stage = SceneStage;

double apart(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

/// A thousand points over [0, 1] and a tiny cluster of 200 points (label 0).
Blobs tinyCluster(std::size_t dims, double size, double offset = 0) {
  std::mt19937_64 random(7);
  Blobs blobs;
  blobs.cloud.columns.resize(dims);
  for (std::size_t j = 0; j < dims; ++j) {
    blobs.cloud.names.push_back(std::string(1, static_cast<char>('x' + j)));
    for (int i = 0; i < 1000; ++i) blobs.cloud.columns[j].push_back(offset + uniform(random));
    for (int i = 0; i < 200; ++i)
      blobs.cloud.columns[j].push_back(offset + 0.7 + size * uniform(random));
  }
  blobs.labels.assign(1000, kNoise);
  blobs.labels.resize(1200, 0);
  return blobs;
}

}  // namespace

class TestCloseViews : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theViewTurnsAboutTheCentre() {
    Stage stage(makeBlobs(2000, 3, 3, 5));
    stage.scene.zoomBy(1.7);
    stage.whole();
    const auto before = stage.pixel(3);
    const auto other = stage.pixel(90);
    stage.scene.setCentreOfRotation(stage.place(3));
    for (const auto& [right, up] :
         {std::pair{40.0, 0.0}, std::pair{0.0, -35.0}, std::pair{-130.0, 20.0}}) {
      stage.scene.turnBy(right, up);
      QVERIFY(apart(stage.pixel(3), before) < 1e-6 * kWidth);
    }
    QVERIFY(apart(stage.pixel(90), other) > 10);
    // It is kept with the camera and forgotten by fit.
    const auto camera = stage.scene.cameraState();
    QCOMPARE(camera.size(), std::size_t(13));
    stage.scene.fit();
    QVERIFY(!stage.scene.centreOfRotation());
    QCOMPARE(stage.scene.cameraState().size(), std::size_t(10));
    QVERIFY(stage.scene.setCameraState(camera));
    QVERIFY(*stage.scene.centreOfRotation() == stage.place(3));
    stage.scene.setViewPreset(ViewPreset::Top);
    QVERIFY(!stage.scene.centreOfRotation());
    // Without a centre the middle of the view stays where it is.
    double focal[3];
    stage.scene.renderer()->GetActiveCamera()->GetFocalPoint(focal);
    stage.scene.turnBy(25, 10);
    double now[3];
    stage.scene.renderer()->GetActiveCamera()->GetFocalPoint(now);
    for (std::size_t a = 0; a < 3; ++a) QVERIFY(std::abs(focal[a] - now[a]) < 1e-12);
  }

  void zStaysUpright() {
    Stage stage(makeBlobs(200, 3, 3, 5));
    const auto camera = [&] { return stage.scene.renderer()->GetActiveCamera(); };
    // The horizon does not roll, and the view stops straight above and straight below.
    for (const auto& [right, up] :
         {std::pair{40.0, 200.0}, std::pair{70.0, 0.0}, std::pair{-15.0, -20.0},
          std::pair{0.0, -400.0}, std::pair{33.0, 50.0}, std::pair{-250.0, 12.0}}) {
      stage.scene.turnBy(right, up);
      double forward[3];
      double viewUp[3];
      double across[3];
      camera()->GetDirectionOfProjection(forward);
      camera()->GetViewUp(viewUp);
      vtkMath::Cross(forward, viewUp, across);
      QVERIFY(std::abs(across[2]) < 1e-9);
      QVERIFY(viewUp[2] > -1e-9);
      if (up == 200) QVERIFY(forward[2] < -1 + 1e-9);
      if (up == -400) QVERIFY(forward[2] > 1 - 1e-9);
    }
    // From above, the z axis is what a drag to the side turns about.
    stage.scene.setViewPreset(ViewPreset::Top);
    stage.scene.turnBy(90, 0);
    double viewUp[3];
    camera()->GetViewUp(viewUp);
    QVERIFY(std::abs(std::abs(viewUp[0]) - 1) < 1e-9);
    // A camera that an earlier session rolled becomes level with the first turn.
    const double rolled[] = {5, 0, 0, 0, 0, 0, 0, 0.6, 0.8, 1};
    QVERIFY(stage.scene.setCameraState({std::begin(rolled), std::end(rolled)}));
    stage.scene.turnBy(10, 0);
    camera()->GetViewUp(viewUp);
    QVERIFY(viewUp[2] > 1 - 1e-9);
  }

  void theCentreIsMarked() {
    Stage stage(makeBlobs(500, 3, 2, 5));
    const Image before = stage.whole();
    stage.scene.setCentreOfRotation(stage.place(1));
    QVERIFY(countDifferences(before, stage.whole()) > 20);
  }

  void theMarkerHasAColourOfNoCluster_data() {
    QTest::addColumn<int>("background");
    QTest::newRow("dark") << static_cast<int>(Background::Dark);
    QTest::newRow("light") << static_cast<int>(Background::Light);
  }
  void theMarkerHasAColourOfNoCluster() {
    QFETCH(int, background);
    const auto ground = static_cast<Background>(background);
    for (std::int32_t cluster = 0; cluster < 200; ++cluster) {
      const Colour colour = clusterColour(cluster, ground);
      const OkLab one = seen(colour, Vision::Normal);
      for (const Colour tone : {Colour{0, 0, 0}, Colour{255, 255, 255}}) {
        const OkLab other = seen(tone, Vision::Normal);
        QVERIFY2(squaredDistance(one, other) > 0.01, qPrintable(QString::number(cluster)));
      }
    }
    // On a cloud of one colour the ring adds both tones, whatever that colour is.
    for (const std::int32_t cluster : {0, 1, 2, 3, 5, 8}) {
      PointCloud cloud;
      cloud.columns = {{}, {}};
      cloud.names = {"x", "y"};
      for (int i = 0; i < 1600; ++i) {
        cloud.columns[0].push_back(i % 40);
        cloud.columns[1].push_back(i / 40);
      }
      Stage stage(cloud, std::vector<std::int32_t>(1600, cluster), ground);
      stage.scene.setPointSize(12);
      stage.scene.setAxesVisible(false);
      const Image before = stage.whole();
      stage.scene.setMarker(800);
      const Image after = stage.whole();
      for (const Colour tone : {Colour{0, 0, 0}, Colour{255, 255, 255}})
        QVERIFY(countColour(after, tone, 30) - countColour(before, tone, 30) > 10);
    }
  }

  void tinyClustersAreSeenCloseUp_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("size");
    QTest::addColumn<double>("offset");
    QTest::newRow("2-D") << 2 << 1e-4 << 0.0;
    QTest::newRow("2-D, UTM") << 2 << 1e-4 << 6654000.0;
    QTest::newRow("3-D") << 3 << 1e-3 << 0.0;
    QTest::newRow("3-D, smaller") << 3 << 1e-4 << 0.0;
    QTest::newRow("3-D, UTM") << 3 << 1e-4 << 654000.0;
  }
  void tinyClustersAreSeenCloseUp() {
    QFETCH(int, dims);
    QFETCH(double, size);
    QFETCH(double, offset);
    const Blobs blobs = tinyCluster(static_cast<std::size_t>(dims), size, offset);
    Stage stage(blobs);
    const std::vector<std::int32_t> wanted{0};
    stage.scene.zoomTo(boxOfLabels(*stage.points, blobs.labels, wanted));
    const Image close = stage.whole();
    const int tolerance = dims < 3 ? 12 : 70;
    const int pixels = countColour(close, clusterColour(0, Background::Dark), tolerance);
    QVERIFY2(pixels > 1500, qPrintable(QString::number(pixels)));  // 200 dots that can be seen
    // The axes have numbers, all different.
    const ViewTransform view = stage.scene.viewTransform();
    stage.scene.setAxesVisible(false);
    const Image bare = stage.whole();
    QVERIFY(countDifferences(close, bare) > 400);
    if (dims == 2) {
      const AxesLayout axes = layOutRulers(stage.points->space, view, 1);
      QSet<QString> numbers;
      int count = 0;
      for (const PlacedText& text : axes.texts) {
        if (text.title || text.upwards || text.along != Along::Top) continue;
        numbers.insert(QString::fromStdString(text.words));
        ++count;
      }
      QVERIFY(count >= 2);
      QCOMPARE(int(numbers.size()), count);
    }
  }

  void closeUpPointsAreLarger() {
    // A hundred thousand points are dots of 3 pixels; a hundred of them alone are larger.
    const Blobs blobs = makeBlobs(100000, 2, 3, 5);
    Stage stage(blobs);
    std::size_t inCluster = 0;
    while (blobs.labels[stage.points->order[inCluster]] < 0) ++inCluster;
    const auto at = stage.place(inCluster);
    const double reach = 0.002;
    stage.scene.zoomTo({{at[0] - reach, at[1] - reach, 0}, {at[0] + reach, at[1] + reach, 0}});
    stage.scene.setInteracting(true);
    const Image moving = stage.window->image();
    stage.scene.setInteracting(false);
    const Image still = stage.whole();
    stage.scene.setPointSize(3);
    const Image small = stage.whole();
    const auto coloured = [](const Image& image) {
      return countColour(image, clusterColour(0, Background::Dark), 20) +
             countColour(image, clusterColour(1, Background::Dark), 20) +
             countColour(image, clusterColour(2, Background::Dark), 20);
    };
    QVERIFY2(coloured(still) > 2 * coloured(small),
             qPrintable(QString("%1, %2").arg(coloured(still)).arg(coloured(small))));
    QVERIFY(coloured(moving) < coloured(still));  // nothing changes size while the view moves
  }

  /// In a narrow view a long title takes several lines, and the points keep their space.
  void longTitlesOfLegendsAreBroken() {
    const auto boxOf = [](const char* title, double width) {
      return legendBox({title, {0, 10}}, LegendPlace::Right, {0, 0, width, 400}, 1);
    };
    const auto widthOf = [](const PixelBox& box) { return box.x1 - box.x0; };
    const auto heightOf = [](const PixelBox& box) { return box.y1 - box.y0; };
    const PixelBox wide = boxOf("idle lane-steps that are caused", 1000);
    const PixelBox narrow = boxOf("idle lane-steps that are caused", 300);
    QVERIFY(widthOf(narrow) <= 0.35 * 300 && widthOf(wide) > 200);
    QVERIFY(heightOf(narrow) > heightOf(wide) + 25);
    // A word stays whole.
    QCOMPARE(heightOf(boxOf("Arbeitslastverteilung", 120)), heightOf(wide));
    QCOMPARE(widthOf(boxOf("Arbeitslastverteilung", 120)),
             widthOf(boxOf("Arbeitslastverteilung", 1000)));
  }

  void legendsGoWhereFewestPointsAre() {
    const ScalarLegend legend{"height", {0, 10}};
    const PixelBox area{0, 0, 800, 700};
    const LegendPlace places[] = {LegendPlace::Right, LegendPlace::TopRight,
                                  LegendPlace::BottomRight, LegendPlace::TopLeft,
                                  LegendPlace::BottomLeft};
    std::mt19937_64 random(3);
    std::vector<double> everywhere;
    for (int i = 0; i < 4000; ++i) {
      everywhere.push_back(800 * uniform(random));
      everywhere.push_back(700 * uniform(random));
    }
    for (const LegendPlace free : places) {
      const PixelBox box = legendBox(legend, free, area, 1);
      QVERIFY(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= 800 && box.y1 <= 700);
      std::vector<double> pixels;
      for (std::size_t i = 0; i < everywhere.size(); i += 2) {
        const double x = everywhere[i];
        const double y = everywhere[i + 1];
        if (x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1) continue;
        pixels.push_back(x);
        pixels.push_back(y);
      }
      for (const LegendPlace now : places) {
        const LegendPlace chosen = leastCovered(legend, pixels, area, 1, now);
        QVERIFY(chosen == free || chosen == now);
        if (!legendBox(legend, now, area, 1).overlaps(box)) QVERIFY(chosen == free);
      }
    }
    // It stays where it is while no other place is better.
    QVERIFY(leastCovered(legend, {}, area, 1, LegendPlace::TopLeft) == LegendPlace::TopLeft);
    QVERIFY(leastCovered(legend, everywhere, area, 1, LegendPlace::TopLeft) ==
            LegendPlace::TopLeft);
  }

  void cornersAreChosenByTheirPoints() {
    // Points fill the right half of the picture, so a key goes to the left.
    PointCloud cloud;
    cloud.columns = {{0}, {0}};
    cloud.names = {"x", "y"};
    for (int i = 0; i < 2500; ++i) {
      cloud.columns[0].push_back(60 + i % 50);
      cloud.columns[1].push_back(2 * (i / 50));
    }
    Stage stage(cloud, std::vector<std::int32_t>(2501, 0));
    const auto left = stage.scene.freeCorner(80, 60);
    QVERIFY2(left[0] < kWidth / 2, qPrintable(QString::number(left[0])));
    // All corners are equal: the top right one is taken.
    stage.scene.zoomTo({{-3, -3, 0}, {-2, -2, 0}});
    stage.whole();
    const auto free = stage.scene.freeCorner(80, 60);
    QVERIFY(free[0] > kWidth / 2 && free[1] > kHeight / 2);
    // But never where the legend is: it takes the whole right edge of this small picture.
    stage.scene.setLegend(ScalarLegend{"v", {0, 1}});
    stage.whole();
    QVERIFY(stage.scene.freeCorner(200, 200)[0] < kWidth / 2);
  }

  void baselines_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"relief_light", "relief_dark", "density_light", "density_dark"})
      QTest::newRow(name) << QString(name);
  }
  void baselines() {
    QFETCH(QString, name);
    const auto ground = name.endsWith("light") ? Background::Light : Background::Dark;
    const bool surface = name.startsWith("relief");
    std::mt19937_64 random(5);
    Blobs blobs;
    blobs.cloud.names = {"x", "y", "z"};
    blobs.cloud.columns.resize(surface ? 3 : 2);
    for (int i = 0; i < 60000; ++i) {
      const double x = uniform(random);
      const double y = uniform(random);
      // A wavy surface, or clusters that are densest in their middle.
      const int cluster = surface ? int(2 * x) : int(3 * x) + 3 * int(3 * y);
      const auto peak = [&] { return uniform(random) + uniform(random) + uniform(random) - 1.5; };
      blobs.labels.push_back(cluster);
      blobs.cloud.columns[0].push_back(surface ? x : cluster % 3 + 0.3 * peak());
      blobs.cloud.columns[1].push_back(surface ? y : int(3 * y) + 0.3 * peak());
      if (surface) blobs.cloud.columns[2].push_back(0.06 * std::sin(14 * x) * std::cos(11 * y));
    }
    blobs.cloud.names.resize(blobs.cloud.columns.size());
    Stage stage(blobs.cloud, blobs.labels, ground);
    stage.scene.setRelief(0.5);
    stage.scene.setDensityBlended(true);
    compareWithBaseline(stage.whole(), name.toStdString());
  }

  void samplesCountWhatIsShown() {
    const Blobs blobs = makeBlobs(5000, 2, 3, 5);
    Stage stage(blobs);
    QCOMPARE(sampleView(*stage.points, {}, stage.scene.viewTransform(), 1000).shown, 1.0);
    std::vector<std::uint8_t> hidden(4 * 5000, 0);
    const ViewSample none = sampleView(*stage.points, hidden, stage.scene.viewTransform(), 1000);
    QVERIFY(none.pixels.empty());
    QCOMPARE(none.shown, 0.001);
    QCOMPARE(sampleView(DisplayPoints{}, {}, stage.scene.viewTransform(), 1000).shown, 1.0);
  }
};

APPLESS_TEST(TestCloseViews);

#include "tst_close_views.moc"
