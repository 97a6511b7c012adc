// The point picked at a pixel is the expected one.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "clouds.h"
#include "render/scene/cell_boxes.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/picking.h"
#include "render/scene/point_colours.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// A view without a scene: x and y run over the window, larger z is nearer.
ViewTransform straightView(int width, int height) {
  ViewTransform view;
  view.width = width;
  view.height = height;
  view.worldToClip = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1};
  return view;
}

/// Looks along −z from a distance of 3, with perspective.
ViewTransform perspectiveView(int width, int height) {
  ViewTransform view;
  view.width = width;
  view.height = height;
  const double near = 1;
  const double far = 10;
  const double a = (far + near) / (near - far);
  const double b = 2 * far * near / (near - far);
  // eye = (x, y, z − 3); clip = (3 x, 3 y, a·eye.z + b, −eye.z)
  view.worldToClip = {3, 0, 0, 0, 0, 3, 0, 0, 0, 0, a, -3 * a + b, 0, 0, -1, 3};
  return view;
}

struct Pixel {
  double x, y, depth;
};
Pixel pixelOf(const ViewTransform& view, const float* p) {
  double clip[4];
  for (std::size_t r = 0; r < 4; ++r)
    clip[r] = view.worldToClip[4 * r] * static_cast<double>(p[0]) +
              view.worldToClip[4 * r + 1] * static_cast<double>(p[1]) +
              view.worldToClip[4 * r + 2] * static_cast<double>(p[2]) + view.worldToClip[4 * r + 3];
  return {(clip[0] / clip[3] + 1) / 2 * view.width, (clip[1] / clip[3] + 1) / 2 * view.height,
          clip[2] / clip[3]};
}

std::shared_ptr<DisplayPoints> randomPoints(std::size_t n, std::size_t dims, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  PointCloud cloud;
  cloud.columns.assign(dims, std::vector<double>(n));
  for (auto& column : cloud.columns)
    for (double& v : column) v = uniform(random);
  auto points = makeDisplayPoints(cloud, defaultViewAxes(cloud));
  return std::make_shared<DisplayPoints>(std::move(*points));
}

}  // namespace

class TestPicking : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void agreesWithBruteForce_data() {
    QTest::addColumn<bool>("perspective");
    QTest::newRow("parallel") << false;
    QTest::newRow("perspective") << true;
  }
  void agreesWithBruteForce() {
    QFETCH(bool, perspective);
    const ViewTransform view = perspective ? perspectiveView(640, 480) : straightView(640, 480);
    const auto points = randomPoints(3000, 3, 5);
    std::vector<std::uint8_t> colours = colourPoints({}, points->order);
    std::mt19937_64 random(6);
    for (std::size_t i = 0; i < points->size(); ++i)
      if (random() % 4 == 0) colours[4 * i + 3] = 0;  // hidden
    int hits = 0;
    for (int round = 0; round < 300; ++round) {
      const double x = uniform(random) * 640;
      const double y = uniform(random) * 480;
      const double radius = 1 + uniform(random) * 12;
      std::optional<std::size_t> expected;
      double nearest = 1e300;
      for (std::size_t i = 0; i < points->size(); ++i) {
        const Pixel at = pixelOf(view, points->xyz.data() + 3 * i);
        if (std::hypot(at.x - x, at.y - y) > radius || colours[4 * i + 3] == 0) continue;
        if (at.depth < nearest) {
          nearest = at.depth;
          expected = i;
        }
      }
      const auto picked = pickPoint(*points, colours, view, x, y, radius);
      QCOMPARE(picked.has_value(), expected.has_value());
      if (!picked) continue;
      ++hits;
      QCOMPARE(static_cast<std::size_t>(picked->drawn), *expected);
      QCOMPARE(picked->point, points->order[*expected]);
    }
    QVERIFY(hits > 50);
  }

  void flatViewsPreferWhatLiesOnTop() {
    auto points = randomPoints(3, 2, 1);
    for (float& v : points->xyz) v = 0;  // all on one another
    ViewTransform view = straightView(100, 100);
    view.flat = true;
    std::vector<std::uint8_t> colours = colourPoints({}, points->order);
    const auto lowest = pickPoint(*points, colours, view, 50, 50, 3);
    QVERIFY(lowest);
    QCOMPARE(lowest->point, 0U);  // a tie: the lowest id
    colours[4 * 1 + 3] = static_cast<std::uint8_t>(DrawLayer::Front);
    const auto top = pickPoint(*points, colours, view, 50, 50, 3);
    QVERIFY(top);
    QCOMPARE(top->drawn, 1U);
  }

  void nothingThereGivesNothing() {
    const auto points = randomPoints(10, 2, 2);
    QVERIFY(!pickPoint(*points, {}, straightView(100, 100), -500, -500, 5));
    QVERIFY(!pickPoint(*points, {}, ViewTransform{}, 5, 5, 5));
    QVERIFY(!pickPoint(DisplayPoints{}, {}, straightView(100, 100), 5, 5, 5));
    // Behind the viewer is not under the pixel.
    auto behind = randomPoints(1, 3, 2);
    behind->xyz = {0, 0, 4};
    QVERIFY(!pickPoint(*behind, {}, perspectiveView(100, 100), 50, 50, 1000));
  }

  void rectanglesHoldTheirPoints() {
    const auto points = randomPoints(2000, 2, 7);
    const ViewTransform view = straightView(300, 200);
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < points->size(); ++i) {
      const Pixel at = pixelOf(view, points->xyz.data() + 3 * i);
      if (at.x >= 40 && at.x <= 120 && at.y >= 30 && at.y <= 150)
        expected.push_back(points->order[i]);
    }
    std::sort(expected.begin(), expected.end());
    QVERIFY(!expected.empty());
    const std::vector<PixelPlace> corners{{120, 30}, {120, 150}, {40, 150}, {40, 30}};
    QCOMPARE(*pointsInOutline(*points, {}, view, corners), expected);
    const std::vector<PixelPlace> line{{120, 30}, {120, 150}};
    QVERIFY(pointsInOutline(*points, {}, view, line)->empty());
    QVERIFY(pointsInOutline(DisplayPoints{}, {}, view, corners)->empty());
    QVERIFY(pointsInOutline(*points, {}, ViewTransform{}, corners)->empty());
  }

  // Against the sum of the angles under which a place sees the edges of the outline, which is 2π
  // times the number of turns around it.
  void outlinesHoldTheirPoints_data() {
    QTest::addColumn<int>("corners");
    QTest::addColumn<double>("reach");
    QTest::newRow("triangle") << 3 << 0.4;
    QTest::newRow("crossing itself") << 12 << 0.45;
    QTest::newRow("long") << 700 << 0.3;
    QTest::newRow("beyond the window") << 9 << 1.4;
  }
  void outlinesHoldTheirPoints() {
    QFETCH(int, corners);
    QFETCH(double, reach);
    std::mt19937_64 random(static_cast<std::uint64_t>(corners));
    for (const std::size_t dims : {std::size_t{2}, std::size_t{3}}) {
      const auto points = randomPoints(1500, dims, 11);
      const ViewTransform view = dims == 2 ? straightView(300, 200) : perspectiveView(300, 200);
      std::vector<PixelPlace> outline;
      for (int c = 0; c < corners; ++c)
        outline.push_back({150 + 300 * reach * (2 * uniform(random) - 1),
                           100 + 200 * reach * (2 * uniform(random) - 1)});
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < points->size(); ++i) {
        const Pixel at = pixelOf(view, points->xyz.data() + 3 * i);
        if (at.x < 0 || at.y < 0 || at.y >= 200 || std::abs(at.depth) > 1) continue;
        double turns = 0;
        for (std::size_t c = 0; c < outline.size(); ++c) {
          const PixelPlace& a = outline[c];
          const PixelPlace& b = outline[(c + 1) % outline.size()];
          const double cross = (a.x - at.x) * (b.y - at.y) - (a.y - at.y) * (b.x - at.x);
          const double dot = (a.x - at.x) * (b.x - at.x) + (a.y - at.y) * (b.y - at.y);
          turns += std::atan2(cross, dot);
        }
        if (std::abs(turns) > 1) expected.push_back(points->order[i]);
      }
      std::sort(expected.begin(), expected.end());
      QVERIFY(!expected.empty() && expected.size() < points->size());
      QCOMPARE(*pointsInOutline(*points, {}, view, outline), expected);
    }
  }

  void outlinesTakeCoveredPointsAndLeaveHiddenOnes() {
    auto points = randomPoints(3, 3, 5);
    points->xyz = {0, 0, 0.3F, 0, 0, -0.3F, 0.01F, 0, 0};  // one behind the other
    const std::vector<PixelPlace> outline{{20, 20}, {80, 20}, {80, 80}, {20, 80}};
    const ViewTransform view = perspectiveView(100, 100);
    QCOMPARE(*pointsInOutline(*points, {}, view, outline), (std::vector<std::uint32_t>{0, 1, 2}));
    std::vector<std::uint8_t> colours(12, static_cast<std::uint8_t>(DrawLayer::Normal));
    colours[3] = static_cast<std::uint8_t>(DrawLayer::Hidden);
    const auto shown = pointsInOutline(*points, colours, view, outline);
    QCOMPARE(shown->size(), std::size_t{2});
    QVERIFY(std::find(shown->begin(), shown->end(), points->order[0]) == shown->end());
  }

  void outlinesOfManyPointsAreStopped() {
    const auto points = randomPoints(300000, 3, 5);
    const std::vector<PixelPlace> outline{{20, 20}, {80, 20}, {80, 80}, {20, 80}};
    std::stop_source stop;
    Task task;
    task.stop = stop.get_token();
    stop.request_stop();
    const auto found = pointsInOutline(*points, {}, perspectiveView(100, 100), outline, task);
    QVERIFY(!found && found.error().kind == ErrorKind::Cancelled);
  }

  void placesUnderThePointer() {
    PointCloud cloud;
    cloud.columns = {{654000, 655000}, {6654000, 6654500}};
    cloud.names = {"e", "n"};
    const auto space = makeDisplaySpace(cloud, defaultViewAxes(cloud));
    QVERIFY(space);
    const ViewTransform view = straightView(1000, 1000);
    const auto middle = placeUnder(*space, view, 500, 500);
    QVERIFY(middle);
    QVERIFY(std::abs((*middle)[0] - 654500) < 1e-6);
    QVERIFY(std::abs((*middle)[1] - 6654250) < 1e-6);
    const auto corner = placeUnder(*space, view, 0, 250);
    QVERIFY(corner);
    QVERIFY(std::abs((*corner)[0] - 654000) < 1e-6);
    QVERIFY(std::abs((*corner)[1] - 6654000) < 1e-6);
    QVERIFY(!placeUnder(*space, ViewTransform{}, 1, 1));
  }

  void aMillionPointsAnswerIn50Milliseconds() {
    const auto points = randomPoints(1000000, 3, 3);
    const auto colours = colourPoints({}, points->order);
    double best = 1e300;
    for (int round = 0; round < 5; ++round) {
      const std::clock_t start = std::clock();
      QVERIFY(pickPoint(*points, colours, perspectiveView(1280, 800), 640, 400, 5));
      best = std::min(best, 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    qInfo("%.1f ms", best);
    QVERIFY(best < 50);
  }

  void cellsUnderThePointer() {
    CellBoxes cells;
    cells.axes = 2;
    cells.low = {std::vector<double>{0, 1, 0}, std::vector<double>{0, 0, 0}, {}};
    cells.high = {std::vector<double>{1, 2, 1}, std::vector<double>{1, 1, 1}, {}};
    cells.count = {3, 4, 9};
    cells.workload = {30, 5, 7};
    QCOMPARE(cellAt(cells, {0.5, 0.5, 0}), std::optional<std::size_t>(2));  // the fuller of two
    QCOMPARE(cellAt(cells, {1, 0.5, 0}), std::optional<std::size_t>(1));    // edges go up
    QCOMPARE(cellAt(cells, {1.9, 0, 0}), std::optional<std::size_t>(1));
    QVERIFY(!cellAt(cells, {2, 0.5, 0}));
    QVERIFY(!cellAt(cells, {0.5, -0.1, 0}));
    QCOMPARE(heaviestCells(cells, CellColour::Count, 2), (std::vector<std::size_t>{1, 2}));
    QCOMPARE(heaviestCells(cells, CellColour::Workload, 1), (std::vector<std::size_t>{0}));
    QCOMPARE(heaviestCells(cells, CellColour::Workload, 9).size(), std::size_t{3});
  }
};

APPLESS_TEST(TestPicking);
#include "tst_picking.moc"
