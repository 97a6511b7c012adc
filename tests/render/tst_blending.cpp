// How points that cover each other are drawn: translucent, behind others, in relief, and by their
// density.

#include <QtTest>
#include <cmath>
#include <numbers>

#include "pictures.h"
#include "render/paint/colour_vision.h"
#include "render/paint/palette.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/point_colours.h"
#include "render/scene/view_sample.h"
#include "scene_stage.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

using Stage = SceneStage;

class TestBlending : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void faintPointsAddUp_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("flat") << 2;
    QTest::newRow("3-D") << 3;
  }
  void faintPointsAddUp() {
    // One point at one place, 30 at another.
    QFETCH(int, dims);
    PointCloud cloud;
    cloud.columns.assign(static_cast<std::size_t>(dims), {});
    for (std::size_t j = 0; j < static_cast<std::size_t>(dims); ++j) {
      cloud.names.push_back("d" + std::to_string(j));
      cloud.columns[j].push_back(0);
      for (int i = 0; i < 30; ++i) cloud.columns[j].push_back(j == 0 ? 1 : 0.0005 * i);
    }
    Stage stage(cloud, std::vector<std::int32_t>(31, 1));
    stage.scene.setAxesVisible(false);
    stage.scene.setPointSize(20);
    const auto coloured = [&](const Image& image) {
      return countColour(image, clusterColour(1, Background::Dark), dims < 3 ? 40 : 80);
    };
    const int opaque = coloured(stage.whole());
    stage.scene.setPointOpacity(0.15);
    const Image faint = stage.whole();
    // Where many lie over each other the colour is there, and a single one is faint.
    QVERIFY(coloured(faint) > 50);
    QVERIFY(coloured(faint) < opaque);
    std::size_t alone = 0;
    while (stage.points->order[alone] != 0) ++alone;
    const auto at = stage.pixel(alone);
    const std::uint8_t* pixel =
        faint.pixel(static_cast<int>(at[0]), kHeight - 1 - static_cast<int>(at[1]));
    QVERIFY(difference(pixel, clusterColour(1, Background::Dark)) > 60);
    QVERIFY(difference(pixel, themeOf(Background::Dark).ground) > 8);
    stage.scene.setPointOpacity(1);
    QCOMPARE(coloured(stage.whole()), opaque);
  }

  void noiseRecedes_data() { faintPointsAddUp_data(); }
  /// Below full strength noise is smaller, fainter, behind clusters that are farther away, and not
  /// picked before them; at 0 it is gone.
  void noiseRecedes() {
    QFETCH(int, dims);
    PointCloud cloud;
    cloud.columns.assign(static_cast<std::size_t>(dims), {});
    for (std::size_t j = 0; j < static_cast<std::size_t>(dims); ++j) {
      cloud.names.push_back("d" + std::to_string(j));
      cloud.columns[j] = {0, 1, 0.5};  // on a line through the corners of the box
    }
    Stage stage(cloud, {kNoise, 0, 0});
    stage.scene.setAxesVisible(false);
    stage.scene.setPointSize(20);
    const auto noisePixels = [&] {
      return countColour(stage.whole(), noiseColour(Background::Dark), 40);
    };
    stage.scene.setNoiseStrength(1);
    const int full = noisePixels();
    QVERIFY(full > 50);
    stage.scene.setNoiseStrength(0.5);
    QVERIFY(noisePixels() < full / 2);
    stage.scene.setNoiseStrength(0);
    QCOMPARE(noisePixels(), 0);
    std::size_t noise = 0;
    while (stage.points->order[noise] != 0) ++noise;
    const auto at = stage.pixel(noise);
    const auto picked = [&] {
      return pickPoint(*stage.points, stage.scene.colours(), stage.scene.viewTransform(), at[0],
                       at[1], 5);
    };
    QVERIFY(!picked());
    stage.scene.setNoiseStrength(0.5);
    QVERIFY(picked());
    QCOMPARE(picked()->point, 0U);
    if (dims < 3) return;
    // From the corner at the noise, both clusters are behind it, farther away, and drawn over it.
    const double state[] = {-9, -9, -9, 0, 0, 0, 0, 0, 1, 2};
    QVERIFY(stage.scene.setCameraState({std::begin(state), std::end(state)}));
    stage.whole();
    const auto front = stage.pixel(noise);
    const auto seen = [&] {
      return pickPoint(*stage.points, stage.scene.colours(), stage.scene.viewTransform(), front[0],
                       front[1], 30);
    };
    QVERIFY(seen());
    QVERIFY(seen()->point != 0);
    stage.scene.setNoiseStrength(1);
    stage.whole();
    QCOMPARE(seen()->point, 0U);
  }

  /// Eye-dome lighting darkens what lies behind its neighbours and nothing else: edges of a plane
  /// in front of another one, but neither planes, ground nor flat views.
  void reliefShowsEdges_data() {
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("perspective") << false;
    QTest::newRow("parallel") << true;
  }
  void reliefShowsEdges() {
    QFETCH(bool, orthographic);
    PointCloud cloud;
    cloud.columns = {{}, {}, {}};
    cloud.names = {"x", "y", "z"};
    const auto plane = [&](double y, double from, double to) {
      for (int i = 0; i < 160; ++i)
        for (int k = 0; k < 160; ++k) {
          cloud.columns[0].push_back(from + (to - from) * i / 159);
          cloud.columns[1].push_back(y);
          cloud.columns[2].push_back(from + (to - from) * k / 159);
        }
    };
    plane(1, 0, 1);        // behind
    plane(0.6, 0.3, 0.7);  // in front
    Stage stage(cloud, std::vector<std::int32_t>(cloud.columns[0].size(), 0));
    stage.scene.setAxesVisible(false);
    stage.scene.setPointSize(5);
    stage.scene.setOrthographic(orthographic);
    stage.scene.setViewPreset(ViewPreset::Front);
    const Image plain = stage.whole();
    stage.scene.setRelief(0.5);
    const Image lit = stage.whole();
    const auto darker = [&](int x, int y) {
      return int(plain.pixel(x, y)[2]) - int(lit.pixel(x, y)[2]);
    };
    const auto at = [&](double x, double z) {
      std::array<double, 2> pixel{};
      const DisplaySpace& space = stage.points->space;
      projectPlace(stage.scene.viewTransform(),
                   {space.toDisplay(0, x), space.toDisplay(1, 0.6), space.toDisplay(2, z)},
                   pixel[0], pixel[1]);
      return std::array{int(pixel[0]), kHeight - 1 - int(pixel[1])};
    };
    // Just outside the edge of the front plane the back one is darker; the planes are as before.
    const auto edge = at(0.7, 0.5);
    int most = 0;
    for (int x = edge[0] - 2; x < edge[0] + 8; ++x) most = std::max(most, darker(x, edge[1]));
    QVERIFY2(most > 40, qPrintable(QString::number(most)));
    const auto middle = at(0.5, 0.5);
    QVERIFY(darker(middle[0], middle[1]) < 12);
    QCOMPARE(darker(2, 2), 0);
    // A picture that is continued, and one that is drawn at once, are shaded once.
    stage.scene.setMarker(0);
    stage.whole();
    stage.scene.setMarker(std::nullopt);
    QCOMPARE(countDifferences(lit, stage.whole(), 2), 0);
    stage.scene.setProgressive(false);
    QVERIFY(countDifferences(lit, stage.whole(), 40) < kWidth * kHeight / 500);
    // Points that let others show through have no depth.
    stage.scene.setPointOpacity(0.5);
    const Image faint = stage.whole();
    stage.scene.setRelief(0);
    QCOMPARE(countDifferences(faint, stage.whole(), 2), 0);
  }

  void flatViewsHaveNoRelief() {
    Stage stage(makeBlobs(500, 2, 2, 5));
    const Image plain = stage.whole();
    stage.scene.setRelief(1);
    QCOMPARE(countDifferences(plain, stage.whole()), 0);
  }

  void overlapsAreEstimated_data() {
    QTest::addColumn<double>("points");
    QTest::addColumn<double>("overlap");
    QTest::newRow("few") << 2000.0 << 1.0;
    QTest::newRow("many") << 400000.0 << 400000 * std::numbers::pi / 4 * 9 / (400.0 * 300);
    QTest::newRow("more") << 4e6 << 4e6 * std::numbers::pi / 4 * 9 / (400.0 * 300);
  }
  /// Dots of 3 pixels, spread evenly over 400 x 300 pixels.
  void overlapsAreEstimated() {
    QFETCH(double, points);
    QFETCH(double, overlap);
    std::mt19937_64 random(3);
    ViewSample sample;
    for (int i = 0; i < 20000; ++i) {
      sample.pixels.push_back(20 + 400 * uniform(random));
      sample.pixels.push_back(30 + 300 * uniform(random));
    }
    sample.points = points;
    const double found = overlapOf(sample, kWidth, 3);
    QVERIFY2(std::abs(found / overlap - 1) < 0.15, qPrintable(QString::number(found)));
    QCOMPARE(overlapOf({}, kWidth, 3), 1.0);
    // Fainter the more there are, and never lost.
    QCOMPARE(opacityFor(1), 1.0);
    double before = 1;
    for (const double more : {2.0, 3.0, 4.0, 6.0, 8.0, 100.0, 1e9}) {
      QVERIFY(opacityFor(more) <= before);
      before = opacityFor(more);
    }
    QVERIFY(before > 0.1);
  }

  /// A cluster of many points is one patch of colour unless its density is blended; one of few
  /// points is the same.
  void densityIsBlended_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("background");
    for (const int points : {100, 60000})
      for (const Background ground : {Background::Dark, Background::Light})
        QTest::addRow("%d %s", points, ground == Background::Dark ? "dark" : "light")
            << points << int(ground);
  }
  void densityIsBlended() {
    QFETCH(int, points);
    QFETCH(int, background);
    const auto ground = Background(background);
    std::mt19937_64 random(11);
    PointCloud cloud;
    cloud.names = {"x", "y"};
    cloud.columns.resize(2);
    for (int i = 0; i < points; ++i) {
      const double away = std::sqrt(-2 * std::log(1 - uniform(random)));  // Gaussian
      const double turn = 2 * std::numbers::pi * uniform(random);
      cloud.columns[0].push_back(away * std::cos(turn));
      cloud.columns[1].push_back(away * std::sin(turn));
    }
    Stage stage(cloud, std::vector<std::int32_t>(std::size_t(points), 0), ground);
    stage.scene.setAxesVisible(false);
    const Image plain = stage.whole();
    stage.scene.setDensityBlended(true);
    const Image blended = stage.whole();
    if (points < 1000) {
      QCOMPARE(countDifferences(plain, blended), 0);
      return;
    }
    // Mean difference from the colour of the cluster around a place.
    const auto paleness = [&](const Image& image, double x) {
      std::array<double, 2> at{};
      const DisplaySpace& space = stage.points->space;
      projectPlace(stage.scene.viewTransform(), {space.toDisplay(0, x), space.toDisplay(1, 0), 0},
                   at[0], at[1]);
      double sum = 0;
      constexpr int kReach = 4;
      for (int dx = -kReach; dx <= kReach; ++dx)
        for (int dy = -kReach; dy <= kReach; ++dy)
          sum += difference(image.pixel(int(at[0]) + dx, kHeight - 1 - int(at[1]) + dy),
                            clusterColour(0, Background::Dark));
      return sum / ((2 * kReach + 1) * (2 * kReach + 1));
    };
    const auto shown = [](double middle, double edge) {
      return QString("%1 in the middle, %2 at the edge").arg(middle).arg(edge);
    };
    const std::array found{paleness(plain, 0), paleness(plain, 1.8), paleness(blended, 0),
                           paleness(blended, 1.8)};
    QVERIFY2(std::abs(found[1] - found[0]) < 10, qPrintable(shown(found[0], found[1])));
    QVERIFY2(found[2] < 40, qPrintable(shown(found[2], found[3])));
    QVERIFY2(found[3] > found[2] + 18, qPrintable(shown(found[2], found[3])));
    // 3-D views have no such blending.
    const Blobs solid = makeBlobs(30000, 3, 2, 5);
    Stage other(solid);
    const Image before = other.whole();
    other.scene.setDensityBlended(true);
    QCOMPARE(countDifferences(before, other.whole()), 0);
  }
};

APPLESS_TEST(TestBlending);

#include "tst_blending.moc"
