// What does the picture of a cloud show? Drawn through EGL, read back and counted.

#include <QtTest>

#include "pictures.h"
#include "render/paint/colour_vision.h"
#include "render/paint/palette.h"
#include "render/scene/cell_highlights.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/point_colours.h"
#include "scene_stage.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

using Stage = SceneStage;

class TestScene : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void clustersShowTheirColours_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("background");
    for (const int dims : {1, 2, 3, 90})
      for (const Background background : {Background::Dark, Background::Light})
        QTest::addRow("%d-D %s", dims, background == Background::Dark ? "dark" : "light")
            << dims << static_cast<int>(background);
  }
  void clustersShowTheirColours() {
    QFETCH(int, dims);
    QFETCH(int, background);
    const auto ground = static_cast<Background>(background);
    Stage stage;
    stage.scene.setBackground(ground);
    stage.scene.setPointSize(4);
    stage.scene.setNoiseStrength(1);
    const Blobs blobs = makeBlobs(2000, static_cast<std::size_t>(dims), 3, 5);
    stage.show(blobs);
    QCOMPARE(stage.scene.isFlat(), dims < 3);
    const Image image = stage.whole();
    // Flat points keep their colour in the middle of the dot; 3-D ones fade with distance.
    const int tolerance = dims < 3 ? 12 : 70;
    for (std::int32_t cluster = 0; cluster < 3; ++cluster) {
      const int pixels = countColour(image, clusterColour(cluster, Background::Dark), tolerance);
      QVERIFY2(pixels > (dims < 4 ? 150 : 50),
               qPrintable(QString("cluster %1: %2 pixels").arg(cluster).arg(pixels)));
    }
    QCOMPARE(countColour(image, clusterColour(11, Background::Dark), 6),
             0);  // no cluster has that one
    if (dims < 3) QVERIFY(countColour(image, noiseColour(ground), 12) > 100);
    // The ground is left free around the cloud.
    QVERIFY(countColour(image, themeOf(ground).ground, 14) > kWidth * kHeight / 4);
  }

  void slicesAddUpToTheWhole_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("flat") << 2;
    QTest::newRow("3-D") << 3;
  }
  void slicesAddUpToTheWhole() {
    QFETCH(int, dims);
    const Blobs blobs = makeBlobs(330000, static_cast<std::size_t>(dims), 5, 5);
    Stage slices;
    slices.scene.setFrameTime(0);
    slices.show(blobs);
    const Image first = slices.window->image();
    QVERIFY(slices.scene.moreToDraw());
    QVERIFY(slices.scene.drawnFraction() < 0.35);
    const Image progressive = slices.whole();
    QCOMPARE(slices.scene.drawnFraction(), 1.0);
    QVERIFY(countDifferences(first, progressive) > 1000);

    Stage once;
    once.scene.setProgressive(false);
    once.show(blobs);
    const Image whole = once.window->image();
    QVERIFY(!once.scene.moreToDraw());
    QCOMPARE(countDifferences(progressive, whole), 0);

    // Nothing changed: further frames show the same; overlays come and go without a new start.
    QCOMPARE(countDifferences(slices.window->image(), whole), 0);
    slices.scene.setMarker(5);
    const Image marked = slices.window->image();
    QVERIFY(!slices.scene.moreToDraw());
    QVERIFY(countDifferences(marked, whole) > 20);
    slices.scene.setMarker({});
    QCOMPARE(countDifferences(slices.window->image(), whole), 0);

    // The camera moved and came back, so did the size.
    slices.scene.zoomBy(2);
    slices.window->image();
    QVERIFY(slices.scene.moreToDraw());
    slices.scene.zoomBy(0.5);
    QVERIFY(countDifferences(slices.whole(), whole) < 400);  // rounding of the camera
    slices.window->resize(kWidth / 2, kHeight);
    slices.whole();
    slices.window->resize(kWidth, kHeight);
    QVERIFY(countDifferences(slices.whole(), whole) < 400);
  }

  void movingDrawsTheFirstSliceOnly() {
    Stage stage;
    stage.scene.setFrameTime(0);
    stage.show(makeBlobs(250000, 2, 3, 5));
    stage.scene.setInteracting(true);
    for (int i = 0; i < 3; ++i) {
      stage.scene.turnBy(1, 0);
      stage.window->image();
      QVERIFY(!stage.scene.moreToDraw());
      QVERIFY(stage.scene.drawnFraction() <= 0.4);
    }
    const double moving = stage.scene.drawnFraction();
    stage.window->image();  // at rest, the button still down: nothing is added
    QCOMPARE(stage.scene.drawnFraction(), moving);
    stage.scene.setInteracting(false);
    QVERIFY(stage.scene.moreToDraw());
    stage.whole();
    QCOMPARE(stage.scene.drawnFraction(), 1.0);
  }

  void newColoursAreShown() {
    Stage stage;
    const Blobs blobs = makeBlobs(120000, 2, 2, 5);
    stage.show(blobs);
    const Image before = stage.whole();
    const int had = countColour(before, clusterColour(0, Background::Dark), 12);
    QVERIFY(had > 100);
    const std::vector<std::int32_t> index{5, 1};
    ColourRequest request = byCluster(blobs.labels);
    request.colourIndex = index;
    stage.scene.setColours(colourPoints(request, stage.scene.points()->order));
    const Image after = stage.whole();
    QVERIFY(countColour(after, clusterColour(0, Background::Dark), 4) < had / 20);
    QVERIFY(countColour(after, clusterColour(5, Background::Dark), 12) > 100);
    // Colours of another cloud are refused.
    stage.scene.setColours(std::vector<std::uint8_t>(8, 200));
    QCOMPARE(countDifferences(stage.whole(), after), 0);
  }

  void hiddenPointsAreNotDrawn() {
    Stage stage;
    const Blobs blobs = makeBlobs(3000, 2, 3, 5);
    stage.show(blobs);
    const Image all = stage.whole();
    const std::vector<std::int32_t> hidden{1, kNoise};
    ColourRequest request = byCluster(blobs.labels);
    request.hidden = hidden;
    stage.scene.setColours(colourPoints(request, stage.scene.points()->order));
    const Image some = stage.whole();
    QVERIFY(countColour(all, clusterColour(1, Background::Dark), 12) > 100);
    QCOMPARE(countColour(some, clusterColour(1, Background::Dark), 12), 0);
    QVERIFY(countColour(some, clusterColour(0, Background::Dark), 12) >=
            countColour(all, clusterColour(0, Background::Dark), 12));
  }

  void highlightedPointsCoverOthers() {
    // Two clusters in one place: the highlighted one is on top, whichever is drawn last.
    Blobs blobs = makeBlobs(4000, 2, 1, 5);
    for (std::size_t i = 0; i < blobs.labels.size(); ++i)
      blobs.labels[i] = blobs.labels[i] < 0 ? kSkippedRow : static_cast<std::int32_t>(i % 2);
    for (const std::int32_t chosen : {0, 1}) {
      Stage stage(200, 200);
      stage.scene.setAxesVisible(false);
      stage.show(blobs);
      stage.scene.setPointSize(12);
      const std::vector<std::int32_t> highlighted{chosen};
      ColourRequest request = byCluster(blobs.labels);
      request.highlighted = highlighted;
      stage.scene.setColours(colourPoints(request, stage.scene.points()->order));
      const Image image = stage.whole();
      const int shown = countColour(image, clusterColour(chosen, Background::Dark), 40);
      const Colour dimmed =
          mix(clusterColour(1 - chosen, Background::Dark), themeOf(Background::Dark).ground, 0.76);
      const int covered = countColour(image, dimmed, 10);
      QVERIFY2(shown > 1000 && shown > 10 * covered,
               qPrintable(QString("%1 against %2 pixels").arg(shown).arg(covered)));
    }
  }

  void allPointsLieBetweenTheRulers_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("origin");
    QTest::newRow("1-D") << 1 << 0.0;
    QTest::newRow("2-D") << 2 << 0.0;
    QTest::newRow("2-D UTM") << 2 << 6654321.5;
    QTest::newRow("3-D") << 3 << -7.0;
    QTest::newRow("3-D UTM") << 3 << 6654321.5;
  }
  void allPointsLieBetweenTheRulers() {
    QFETCH(int, dims);
    QFETCH(double, origin);
    for (const auto& [width, height] : {std::pair{480, 360}, {1000, 200}, {240, 700}}) {
      Stage stage(width, height);
      const Blobs blobs = makeBlobs(500, static_cast<std::size_t>(dims), 4, 5, 4, origin);
      stage.show(blobs);
      stage.window->image();
      const ViewTransform view = stage.scene.viewTransform();
      double least = 1e300;
      double most = -1e300;
      for (std::size_t i = 0; i < 500; ++i) {
        const auto* p = stage.scene.points()->xyz.data() + 3 * i;
        const auto& m = view.worldToClip;
        const auto row = [&](std::size_t r) {
          return m[r] * static_cast<double>(p[0]) + m[r + 1] * static_cast<double>(p[1]) +
                 m[r + 2] * static_cast<double>(p[2]) + m[r + 3];
        };
        const double x = (row(0) / row(12) + 1) / 2 * width;
        const double y = (row(4) / row(12) + 1) / 2 * height;
        QVERIFY(x > (dims == 2 ? (origin == 0 ? 64 : 80) : 0) && x < width);
        QVERIFY(y > (dims < 3 ? 40 : 0) && y < height);
        least = std::min({least, x / width, y / height});
        most = std::max({most, x / width, y / height});
      }
      QVERIFY2(most - least > 0.35, "the cloud is lost in the window");
      // Picking through the same numbers finds the points again.
      const auto* p = stage.scene.points()->xyz.data();
      const auto& m = view.worldToClip;
      const double w = m[12] * p[0] + m[13] * p[1] + m[14] * p[2] + m[15];
      const double x = ((m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]) / w + 1) / 2 * width;
      const double y = ((m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7]) / w + 1) / 2 * height;
      QVERIFY(pickPoint(*stage.scene.points(), stage.scene.colours(), view, x, y, 2));
    }
  }

  void oddCloudsAreDrawn_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("points");
    for (const int dims : {1, 2, 3, 5})
      for (const int points : {1, 1000}) QTest::addRow("%d x %d-D", points, dims) << dims << points;
  }
  void oddCloudsAreDrawn() {
    // One point, or all points in one place.
    QFETCH(int, dims);
    QFETCH(int, points);
    PointCloud cloud;
    cloud.columns.assign(static_cast<std::size_t>(dims),
                         std::vector<double>(static_cast<std::size_t>(points), 3.25));
    Stage stage;
    stage.scene.setPointSize(10);
    stage.scene.setPoints(display(cloud));
    const Image image = stage.whole();
    QVERIFY(countColour(image, themeOf(Background::Dark).series[0], 30) > 30);
  }

  void noCloudIsAnEmptyGround() {
    Stage stage;
    const Image nothing = stage.whole();
    QCOMPARE(coloursIn(nothing), std::size_t{1});
    stage.show(makeBlobs(100, 2, 2, 5));
    QVERIFY(coloursIn(stage.whole()) > 10);
    stage.scene.setPoints(nullptr);
    QCOMPARE(coloursIn(stage.whole()), std::size_t{1});
    stage.scene.setCaption("open a file");
    QVERIFY(coloursIn(stage.whole()) > 3);
  }

  void cloudsFollowEachOther() {
    Stage stage;
    const Blobs large = makeBlobs(230000, 3, 3, 5);
    const Blobs small = makeBlobs(50, 1, 2, 5);
    const Blobs flat = makeBlobs(5000, 2, 2, 5);
    stage.show(flat);
    const Image before = stage.whole();
    for (int round = 0; round < 3; ++round) {
      stage.show(large);
      stage.window->image();  // interrupted half-way
      stage.show(small);
      stage.whole();
    }
    stage.show(flat);
    QCOMPARE(countDifferences(stage.whole(), before), 0);
  }

  void cellsAreDrawnUnderThePoints() {
    Stage stage;
    stage.show(makeBlobs(2000, 2, 2, 5));
    const Image before = stage.whole();
    auto cells = std::make_shared<CellBoxes>();
    cells->low = {std::vector<double>{0, 1}, std::vector<double>{0, 1}, {}};
    cells->high = {std::vector<double>{1, 2}, std::vector<double>{1, 2}, {}};
    cells->count = {1, 50};
    cells->workload = {7, 7};
    QCOMPARE(stage.scene.setCells(cells, CellColour::Count), std::string());
    QCOMPARE(stage.scene.cellScale()->high, 50.0);
    const Image with = stage.whole();
    QVERIFY(countDifferences(before, with, 3) > 200);
    // The points lie on top: their full colour is as frequent as before.
    QVERIFY(countColour(with, clusterColour(0, Background::Dark), 4) >=
            0.9 * countColour(before, clusterColour(0, Background::Dark), 4));
    stage.scene.setCellMarker(1);
    QVERIFY(countColour(stage.whole(), themeOf(Background::Dark).accent, 6) > 30);
    stage.scene.setCellMarker(99);  // no such cell
    QCOMPARE(countDifferences(stage.whole(), with), 0);
    stage.scene.setCells(nullptr, CellColour::Count);
    QCOMPARE(countDifferences(stage.whole(), before), 0);
  }

  void cellsArePointedOut() {
    Stage stage;
    stage.show(makeBlobs(500, 2, 2, 5));
    const Image before = stage.whole();
    const Colour accent = themeOf(Background::Dark).accent;
    auto highlights = std::make_shared<CellHighlights>();
    const DisplaySpace& space = stage.scene.points()->space;
    for (int i = 0; i < 3; ++i)
      for (int axis = 0; axis < 2; ++axis) {
        const double low = space.low[std::size_t(axis)];
        const double side = (space.high[std::size_t(axis)] - low) / 6;
        highlights->cells.low[std::size_t(axis)].push_back(low + 2 * i * side);
        highlights->cells.high[std::size_t(axis)].push_back(low + (2 * i + 1) * side);
        if (axis == 0) highlights->cells.count.push_back(1);
      }
    highlights->own = 1;
    stage.scene.setHighlights(highlights);
    const Image outlined = stage.whole();
    const int outline = countColour(outlined, accent, 6);
    QVERIFY(outline > 100);
    QVERIFY(countDifferences(before, outlined, 3) > 2 * outline);  // the others are plain lines
    highlights = std::make_shared<CellHighlights>(*highlights);
    highlights->arrows = {{0, 1}, {0, 2}};
    stage.scene.setHighlights(highlights);
    QVERIFY(countColour(stage.whole(), accent, 6) > outline + 100);
    highlights = std::make_shared<CellHighlights>(*highlights);
    highlights->numbers = {8, 0, 3};
    const Image arrows = stage.whole();
    stage.scene.setHighlights(highlights);
    QVERIFY(countDifferences(stage.whole(), arrows, 3) > 100);
    // Cells of other axes than the view's are left out, and none leave the picture as it was.
    highlights = std::make_shared<CellHighlights>(*highlights);
    highlights->cells.axes = 3;
    stage.scene.setHighlights(highlights);
    QCOMPARE(countDifferences(stage.whole(), before), 0);
    stage.scene.setHighlights(nullptr);
    QCOMPARE(countDifferences(stage.whole(), before), 0);
  }

  void tooManyCellsAreSaid() {
    Stage stage;
    stage.show(makeBlobs(500, 2, 2, 5));
    auto cells = std::make_shared<CellBoxes>();
    const std::size_t n = CloudScene::kMostCells + 5;
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<double>(i % 200) * 0.03;
      const auto y = static_cast<double>(i / 200) * 0.03;
      cells->low[0].push_back(x);
      cells->high[0].push_back(x + 0.03);
      cells->low[1].push_back(y);
      cells->high[1].push_back(y + 0.03);
      cells->count.push_back(i + 1);
    }
    cells->workload = cells->count;
    const std::string message = stage.scene.setCells(cells, CellColour::Workload);
    QVERIFY(message.find("20,000") != std::string::npos);
    QVERIFY(message.find("20,005") != std::string::npos);
    auto boxes = std::make_shared<CellBoxes>(*cells);
    boxes->axes = 3;
    boxes->low[2] = boxes->low[0];
    boxes->high[2] = boxes->high[0];
    QVERIFY(!stage.scene.setCells(boxes, CellColour::Count).empty());  // 3 axes in a flat view
    stage.show(makeBlobs(500, 3, 2, 5));
    const Image before = stage.whole();
    QVERIFY(!stage.scene.setCells(boxes, CellColour::Count).empty());  // the heaviest, as wires
    QVERIFY(countDifferences(stage.whole(), before, 3) > 500);
  }

  void axesAreHiddenOnRequest() {
    Stage stage;
    stage.show(makeBlobs(300, 2, 2, 5));
    const Image with = stage.whole();
    stage.scene.setAxesVisible(false);
    const Image without = stage.whole();
    const Colour line = themeOf(Background::Dark).line;
    QVERIFY(countColour(with, line, 4) > 300);
    QVERIFY(countColour(without, line, 4) < 50);
  }

  // Points of another cloud: over the others, in their space, whole however many slices there are.
  void addedPointsAreDiamondsOverTheOthers_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("added");
    QTest::newRow("few of each") << 500 << 200;
    QTest::newRow("few over many") << 250000 << 200;
    QTest::newRow("many over few") << 500 << 250000;
    QTest::newRow("many of each") << 250000 << 250000;
  }
  void addedPointsAreDiamondsOverTheOthers() {
    QFETCH(int, points);
    QFETCH(int, added);
    const auto grid = [](int n, double shift) {
      PointCloud cloud{{{}, {}}, {"x", "y"}};
      for (int i = 0; i < n; ++i) {
        cloud.columns[0].push_back(shift + (i % 500) / 500.0);
        cloud.columns[1].push_back(shift + (i / 500) / 500.0);
      }
      return cloud;
    };
    const auto drawn = [&](bool progressive, bool withAdded) {
      Stage stage;
      stage.scene.setBackground(Background::Light);
      stage.scene.setProgressive(progressive);
      const auto base = display(grid(points, 0));
      stage.scene.setPoints(base);
      if (withAdded) {
        auto over = std::make_shared<const DisplayPoints>(
            *makeDisplayPoints(grid(added, 1.5), base->space));
        const std::vector<std::int32_t> labels(std::size_t(added), 1);
        stage.scene.setAddedPoints(over,
                                   colourPoints(byCluster(labels, Background::Light), over->order));
        if (over->box.high[0] <= base->box.high[0]) qFatal("the box of the added points is wrong");
      }
      return stage.whole();
    };
    const Image whole = drawn(false, true);
    QVERIFY(countColour(whole, clusterColour(1, Background::Dark), 20) > 100);
    QCOMPARE(countColour(drawn(false, false), clusterColour(1, Background::Dark), 20), 0);
    // Slice by slice they become the same picture.
    QCOMPARE(countDifferences(drawn(true, true), whole, 8), 0);
  }
};

APPLESS_TEST(TestScene);
#include "tst_scene.moc"
