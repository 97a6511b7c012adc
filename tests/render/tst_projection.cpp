// Perspective and parallel projection of 3-D clouds, and the bar that shows
// lengths.
#include <vtkCamera.h>
#include <vtkRenderer.h>

#include <QtTest>
#include <cmath>

#include "pictures.h"
#include "render/paint/ticks.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/paint_axes.h"
#include "render/scene/point_colours.h"
#include "scene_stage.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// A cloud in a window without a display.
struct Stage : SceneStage {
  explicit Stage(const Blobs& blobs, Background background = Background::Dark, double ratio = 1)
      : SceneStage(int(kWidth * ratio), int(kHeight * ratio)) {
    scene.setBackground(background);
    scene.setPixelRatio(ratio);
    show(blobs);
    whole();
  }
  vtkCamera* camera() const { return scene.renderer()->GetActiveCamera(); }
  double lengthOf(const std::array<double, 3>& a, const std::array<double, 3>& b) const {
    const auto p = pixel(a);
    const auto q = pixel(b);
    return std::hypot(p[0] - q[0], p[1] - q[1]);
  }
};

}  // namespace

class TestProjection : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  /// Equal lengths are equally long, near and far, and the numbers of the
  /// camera bring it back.
  void parallelLengthsAreEqual() {
    Stage stage(makeBlobs(2000, 3, 3, 5));
    const auto ratio = [&] {
      return stage.lengthOf({-0.5, -0.5, 0}, {-0.5, -0.5, 0.1}) /
             stage.lengthOf({0.5, 0.5, 0}, {0.5, 0.5, 0.1});
    };
    stage.scene.setViewPreset(ViewPreset::Front);
    stage.whole();
    QVERIFY(ratio() > 1.1);
    stage.scene.setOrthographic(true);
    stage.whole();
    QVERIFY(std::abs(ratio() - 1) < 1e-9);
    stage.scene.turnBy(30, 20);
    stage.whole();
    QVERIFY(std::abs(ratio() - 1) < 1e-9);
    stage.scene.zoomBy(3);
    const double near = stage.lengthOf({0, 0, 0}, {0, 0, 0.1});
    const auto state = stage.scene.cameraState();
    stage.scene.fit();
    QVERIFY(stage.lengthOf({0, 0, 0}, {0, 0, 0.1}) < near / 1.5);
    QVERIFY(stage.scene.setCameraState(state));
    QVERIFY(std::abs(stage.lengthOf({0, 0, 0}, {0, 0, 0.1}) - near) < 1e-6);
  }

  /// A change of the projection shows the same part, and everything where all
  /// was shown.
  void theProjectionKeepsTheView() {
    Stage stage(makeBlobs(2000, 3, 3, 5));
    for (const bool orthographic : {true, false}) {
      stage.scene.setOrthographic(orthographic);
      QVERIFY(stage.scene.isFitted());
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          for (const double z : {-0.5, 0.5}) {
            const auto at = stage.pixel({x, y, z});
            QVERIFY(at[0] > 0 && at[0] < kWidth && at[1] > 0 && at[1] < kHeight);
          }
    }
    stage.scene.zoomBy(2.5);
    double focal[3];
    double up[3];
    stage.camera()->GetFocalPoint(focal);
    stage.camera()->GetViewUp(up);
    const auto length = [&] {
      return stage.lengthOf(
          {focal[0], focal[1], focal[2]},
          {focal[0] + 0.01 * up[0], focal[1] + 0.01 * up[1], focal[2] + 0.01 * up[2]});
    };
    const double before = length();
    for (const bool orthographic : {true, false}) {
      stage.scene.setOrthographic(orthographic);
      stage.whole();
      QVERIFY2(std::abs(length() / before - 1) < 0.02, qPrintable(QString::number(length())));
    }
  }

  /// Points between the viewer and a small part that is looked at are still
  /// drawn.
  void nothingIsCutOff() {
    const Blobs blobs = makeBlobs(2000, 3, 3, 5);
    Stage stage(blobs);
    stage.scene.setOrthographic(true);
    stage.scene.zoomTo({{-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01}});
    stage.whole();
    const ViewTransform view = stage.scene.viewTransform();
    for (const float* xyz = stage.points->xyz.data();
         xyz != stage.points->xyz.data() + stage.points->xyz.size(); xyz += 3) {
      const auto& m = view.worldToClip;
      const double depth =
          m[8] * double(xyz[0]) + m[9] * double(xyz[1]) + m[10] * double(xyz[2]) + m[11];
      QVERIFY(depth > -1 && depth < 1);
    }
  }

  void scaleBarsAreRound_data() {
    QTest::addColumn<double>("perUnit");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<QString>("words");
    QTest::newRow("metres") << 1.4 << 1.0 << "100 m";
    QTest::newRow("two") << 0.7 << 1.0 << "200 m";
    QTest::newRow("five") << 0.29 << 1.0 << "500 m";
    QTest::newRow("thousands") << 0.07 << 1.0 << "2,000 m";
    QTest::newRow("small") << 140.0 << 1.0 << "1 m";
    QTest::newRow("smaller") << 1400.0 << 1.0 << "0.1 m";
    QTest::newRow("high resolution") << 2.8 << 2.0 << "100 m";
  }
  void scaleBarsAreRound() {
    QFETCH(double, perUnit);
    QFETCH(double, ratio);
    QFETCH(QString, words);
    const auto bar = scaleBarWithin(perUnit, 1000 * ratio, ratio, "m");
    QVERIFY(bar);
    QCOMPARE(QString::fromStdString(bar->words), words);
    QVERIFY(bar->length <= 150 * ratio + 1e-9);
    QVERIFY(bar->length >= 59 * ratio);
    QVERIFY(bar->width >= bar->length);
    // No unit, no space, nothing to measure.
    const auto bare = scaleBarWithin(perUnit, 1000 * ratio, ratio, "");
    QCOMPARE(QString::fromStdString(bare->words), words.chopped(2));
    QVERIFY(!scaleBarWithin(perUnit, 30 * ratio, ratio, "m"));
    QVERIFY(!scaleBarWithin(0, 1000, ratio, "m"));
    QVERIFY(!scaleBarWithin(1e-320, 1000, ratio, "m"));
  }

  /// The bar is as long as the points say, and only where lengths are to scale.
  void scaleBarsMeasureTheView_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << 2;
    QTest::newRow("3-D") << 3;
  }
  void scaleBarsMeasureTheView() {
    QFETCH(int, dims);
    Stage stage(makeBlobs(400, std::size_t(dims), 3, 5));
    const Image without = stage.whole();
    stage.scene.setScaleBar("km");
    const auto differs = [&] { return countDifferences(without, stage.whole(), 20); };
    if (dims == 2) {
      QVERIFY(differs() > 80);
    } else {
      QCOMPARE(differs(), 0);  // in perspective there is none
      stage.scene.setOrthographic(true);
      const Image with = stage.whole();
      stage.scene.setScaleBar(std::nullopt);
      QVERIFY(countDifferences(with, stage.whole(), 20) > 80);
      return;
    }
    // The line at the bottom of the bar: its pixels have the colour of texts.
    stage.scene.setAxesVisible(false);
    stage.scene.setPointSize(1);
    stage.scene.setScaleBar(std::nullopt);
    const Image bare = stage.whole();
    stage.scene.setScaleBar("km");
    const Image barred = stage.whole();
    int longest = 0;
    for (int y = 0; y < kHeight; ++y) {
      int run = 0;
      for (int x = 0; x < kWidth; ++x) {
        const bool line = difference(barred.pixel(x, y), themeOf(Background::Dark).text) < 12 &&
                          std::memcmp(barred.pixel(x, y), bare.pixel(x, y), 3) != 0;
        run = line ? run + 1 : 0;
        longest = std::max(longest, run);
      }
    }
    const double unit = stage.lengthOf({0, 0, 0}, {stage.points->space.scale[0], 0, 0});
    const double units = longest / unit;
    QVERIFY2(std::abs(units - roundedTo(units, 1)) < 2.5 / unit,
             qPrintable(QString::number(units)));
  }

  void baselines_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"parallel_dark", "parallel_light", "scale_bar_dark", "scale_bar_light_2x"})
      QTest::newRow(name) << QString(name);
  }
  void baselines() {
    QFETCH(QString, name);
    const bool flat = name.startsWith("scale");
    Stage stage(makeBlobs(1500, flat ? 2 : 3, 4, 5, 3, 6654000),
                name.contains("light") ? Background::Light : Background::Dark,
                name.endsWith("2x") ? 2 : 1);
    stage.scene.setPointSize(4);
    stage.scene.setOrthographic(true);
    stage.scene.setScaleBar("m");
    if (name == "scale_bar_light_2x") stage.scene.setLegend(ScalarLegend{"height", {0, 10}});
    compareWithBaseline(stage.whole(), name.toStdString());
  }
};

APPLESS_TEST(TestProjection);

#include "tst_projection.moc"
