// Levels of detail: the tree holds every point once and in fair samples, a picture draws what is in
// it and no more than it has time for, and all points are found under the pointer.
#include <QtTest>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "clouds.h"
#include "pictures.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/frame_budget.h"
#include "render/scene/point_colours.h"
#include "render/scene/point_levels.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

constexpr std::size_t kMany = 120000;

std::shared_ptr<DisplayPoints> levelsOf(const PointCloud& cloud) {
  auto points = makeDisplayPoints(cloud, defaultViewAxes(cloud));
  return points ? std::make_shared<DisplayPoints>(std::move(*points)) : nullptr;
}

/// A scene of levels in a window without a display.
struct LevelStage {
  std::unique_ptr<OffscreenWindow> window;
  CloudScene scene;

  explicit LevelStage(const std::shared_ptr<const DisplayPoints>& points,
                      const std::vector<std::int32_t>& labels) {
    auto made = OffscreenWindow::make(480, 360);
    if (!made) qFatal("%s", made.error().message.c_str());
    window = std::move(*made);
    scene.attach(window->window());
    scene.setPoints(points);
    ColourRequest request;
    request.labels = labels;
    scene.setColours(colourPoints(request, points->order));
  }
  ~LevelStage() { scene.detach(); }
  Image whole() {
    Image image = window->image();
    while (scene.moreToDraw()) image = window->image();
    return image;
  }
};

struct LevelPixel {
  double x, y, depth, w;
  bool isIn(const ViewTransform& view) const {
    return w > 0 && x >= 0 && y >= 0 && x <= view.width && y <= view.height &&
           (view.flat || std::abs(depth) <= 1);
  }
};

LevelPixel pixelAt(const ViewTransform& view, const DisplayPoints& points, std::size_t i) {
  double clip[4];
  for (std::size_t r = 0; r < 4; ++r) {
    clip[r] = view.worldToClip[4 * r + 3];
    for (std::size_t a = 0; a < 3; ++a)
      clip[r] += view.worldToClip[4 * r + a] * double(points.xyz[3 * i + a]);
  }
  return {(clip[0] / clip[3] + 1) / 2 * view.width, (clip[1] / clip[3] + 1) / 2 * view.height,
          clip[2] / clip[3], clip[3]};
}

/// Shows the box around one of the points; `side` is a part of the whole.
void lookAt(CloudScene& scene, std::size_t point, double side) {
  const float* at = scene.points()->xyz.data() + 3 * point;
  DisplayBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = double(at[a]) - side / 2;
    box.high[a] = double(at[a]) + side / 2;
  }
  if (scene.isFlat()) box.low[2] = box.high[2] = 0;
  scene.zoomTo(box);
}

}  // namespace

class TestLevels : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyPointIsInOneBlock_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<QString>("kind");
    for (const int dims : {1, 2, 3, 5})
      for (const char* kind : {"blobs", "one place", "far away"})
        QTest::addRow("%d-D %s", dims, kind) << dims << QString(kind);
  }
  void everyPointIsInOneBlock() {
    QFETCH(int, dims);
    QFETCH(QString, kind);
    PointCloud cloud = makeBlobs(kMany, std::size_t(dims), 4, 3).cloud;
    for (auto& column : cloud.columns) {
      if (kind == "one place") std::fill(column.begin() + 100, column.end(), 0.5);
      if (kind == "far away") column[7] = 1e9;
    }
    const auto points = levelsOf(cloud);
    QVERIFY(points);
    std::vector<std::uint32_t> ids(points->order.begin(), points->order.end());
    std::sort(ids.begin(), ids.end());
    QCOMPARE(ids.size(), kMany);
    for (std::size_t i = 0; i < ids.size(); ++i) QVERIFY(ids[i] == i);
    std::size_t next = 0;
    int level = 0;
    for (const PointBlock& block : points->blocks) {
      QVERIFY(block.first == next && block.count > 0 && block.level >= level);
      QVERIFY(block.level == 0 ? next == 0 : block.count <= kBlockPoints);
      level = block.level;
      for (std::size_t i = next; i < next + block.count; ++i)
        for (std::size_t a = 0; a < 3; ++a) {
          const float value = points->xyz[3 * i + a];
          QVERIFY(level == 0 || (value >= block.low[a] && value <= block.high[a]));
          if (dims <= 3 && int(a) < dims)
            QVERIFY(value ==
                    float(points->space.toDisplay(int(a), cloud.columns[a][points->order[i]])));
        }
      next += block.count;
    }
    QCOMPARE(next, kMany);
    QVERIFY(level >= 2);
  }

  void levelsAreFairSamples() {
    const Blobs blobs = makeBlobs(400000, 3, 5, 3);  // every tenth point is noise
    const auto points = levelsOf(blobs.cloud);
    QVERIFY(points);
    std::size_t seen = 0;
    std::vector<double> counts(6, 0);
    int level = 0;
    const auto check = [&] {
      // Twice as many with each level, within six standard deviations of a draw.
      const double expected = double(kRootPoints) * std::exp2(level);
      if (expected < 390000) QVERIFY(std::abs(double(seen) - expected) < 6 * std::sqrt(expected));
      for (int label = -1; label < 5; ++label) {
        const auto all = std::count(blobs.labels.begin(), blobs.labels.end(), label);
        const double share = double(all) / 400000 * double(seen);
        QVERIFY(std::abs(counts[std::size_t(label + 1)] - share) < 6 * std::sqrt(share));
      }
    };
    for (const PointBlock& block : points->blocks) {
      if (block.level != level) check();
      level = block.level;
      for (std::size_t i = block.first; i < std::size_t{block.first} + block.count; ++i)
        ++counts[std::size_t(blobs.labels[points->order[i]] + 1)];
      seen += block.count;
    }
    check();
    QCOMPARE(level, 4);
    // Any prefix of level 0 is a sample of all ids.
    std::vector<int> tenths(10, 0);
    for (std::size_t i = 0; i < 2000; ++i) ++tenths[points->order[i] / 40000];
    for (const int count : tenths) QVERIFY(count > 130 && count < 270);
    QVERIFY(levelsOf(blobs.cloud)->order == points->order);
  }

  // Also where one point far away leaves few of the coarse cells to all others.
  void crowdedPointsAreCutFinely() {
    PointCloud cloud;
    cloud.columns.assign(2, {});
    cloud.names = {"x", "y"};
    std::mt19937 random(4);
    std::uniform_real_distribution<double> anywhere(0, 1);
    for (auto& column : cloud.columns) {
      std::vector<double> values(kMany);
      for (double& value : values) value = anywhere(random);
      values[7] = 2000;
      column = Coordinates(values.begin(), values.end());
    }
    const auto points = levelsOf(cloud);
    QVERIFY(points);
    const int last = points->blocks.back().level;
    double area = 0;
    std::size_t blocks = 0;
    for (const PointBlock& block : points->blocks) {
      if (block.level != last) continue;
      ++blocks;
      area += (double(block.high[0]) - double(block.low[0])) *
              (double(block.high[1]) - double(block.low[1]));
    }
    QVERIFY(blocks >= 4);
    const double side = points->space.scale[0];  // of the square
    QVERIFY2(area < 1.5 * side * side, qPrintable(QString::number(area / side / side)));
  }

  void sortingIsStopped() {
    const PointCloud cloud = makeBlobs(kMany, 2, 3, 5).cloud;
    std::stop_source stop;
    Task task;
    task.stop = stop.get_token();
    stop.request_stop();
    const auto points = makeDisplayPoints(cloud, defaultViewAxes(cloud), task);
    QVERIFY(!points && points.error().kind == ErrorKind::Cancelled);
  }

  void closeViews_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("side");
    QTest::addColumn<bool>("orthographic");
    for (const double side : {0.4, 0.05, 0.003}) {
      QTest::addRow("2-D, %g", side) << 2 << side << false;
      QTest::addRow("3-D, %g", side) << 3 << side << false;
      QTest::addRow("3-D orthographic, %g", side) << 3 << side << true;
    }
  }

  // Which blocks a close view takes, its picture at rest, and what is picked in it: compared with
  // all points.
  void closeViews() {
    QFETCH(int, dims);
    QFETCH(double, side);
    QFETCH(bool, orthographic);
    const Blobs blobs = makeBlobs(kMany, std::size_t(dims), 3, 5);
    const auto points = levelsOf(blobs.cloud);
    QVERIFY(points);
    LevelStage stage(points, blobs.labels);
    stage.scene.setOrthographic(orthographic);
    stage.window->image();
    lookAt(stage.scene, 77, side);
    if (dims == 3) stage.scene.turnBy(25, 10);
    const Image picture = stage.whole();
    const ViewTransform view = stage.scene.viewTransform();

    const auto blocks = visibleBlocks(*points, view, 3);
    QCOMPARE(std::set<std::uint32_t>(blocks.begin(), blocks.end()).size(), blocks.size());
    std::vector<bool> taken(kMany, false);
    std::size_t count = 0;
    int level = 0;
    for (const std::uint32_t b : blocks) {
      const PointBlock& block = points->blocks[b];
      if (dims == 2 || orthographic) QVERIFY(block.level >= level);
      level = block.level;
      for (std::size_t i = 0; i < block.count; ++i) taken[block.first + i] = true;
      count += block.count;
    }
    std::size_t within = 0;
    for (std::size_t i = 0; i < kMany; ++i) {
      if (!pixelAt(view, *points, i).isIn(view)) continue;
      ++within;
      QVERIFY(taken[i]);
    }
    QVERIFY(within > 0);
    QVERIFY(stage.scene.drawnPoints() >= within && stage.scene.drawnPoints() <= count);
    QCOMPARE(stage.scene.drawnFraction(), 1.0);

    // The same points in the same order, without leaving out any.
    auto all = std::make_shared<DisplayPoints>(*points);
    all->blocks.clear();
    for (const std::uint32_t b : blocks) all->blocks.push_back(points->blocks[b]);
    for (std::uint32_t b = 0; b < points->blocks.size(); ++b)
      if (std::find(blocks.begin(), blocks.end(), b) == blocks.end())
        all->blocks.push_back(points->blocks[b]);
    for (PointBlock& block : all->blocks) block.level = 0;
    LevelStage other(all, blobs.labels);
    other.scene.setOrthographic(orthographic);
    other.window->image();
    QVERIFY(other.scene.setCameraState(stage.scene.cameraState()));
    QCOMPARE(countDifferences(picture, other.whole()), 0);
    QCOMPARE(other.scene.drawnPoints(), kMany);

    compareWithAllPoints(*points, stage.scene.colours(), view);
  }

  /// Picks and rectangles against a loop over all points.
  void compareWithAllPoints(const DisplayPoints& points, const DrawnColours& colours,
                            const ViewTransform& view) {
    std::vector<LevelPixel> pixels;
    for (std::size_t i = 0; i < points.size(); ++i) pixels.push_back(pixelAt(view, points, i));
    std::mt19937_64 random(6);
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (pixels[i].isIn(view)) shown.push_back(i);
    int hits = 0;
    for (int round = 0; round < 60; ++round) {
      // Near a point of any level, most of which are not drawn while the view moves.
      const LevelPixel& near = pixels[shown[random() % shown.size()]];
      const bool aimed = round % 3 > 0;
      const double x = aimed ? near.x + 3 : uniform(random) * view.width;
      const double y = aimed ? near.y - 2 : uniform(random) * view.height;
      const auto rank = [&](std::size_t i) {
        const std::uint8_t layer = colours.all()[4 * i + 3];
        const bool noise = layer == std::uint8_t(DrawLayer::Noise) && view.noiseStrength < 1;
        return std::tuple(view.flat ? -double(layer) : pixels[i].depth + (noise ? 2 : 0),
                          std::pow(pixels[i].x - x, 2) + std::pow(pixels[i].y - y, 2),
                          points.order[i]);
      };
      std::optional<std::size_t> expected;
      for (std::size_t i = 0; i < points.size(); ++i)
        if (pixels[i].w > 0 && std::abs(pixels[i].depth) <= 1 &&
            std::hypot(pixels[i].x - x, pixels[i].y - y) <= 7 &&
            (!expected || rank(i) < rank(*expected)))
          expected = i;
      const auto picked = pickPoint(points, colours, view, x, y, 7);
      QCOMPARE(picked.has_value(), expected.has_value());
      if (picked) QCOMPARE(std::size_t(picked->drawn), *expected);
      hits += picked ? 1 : 0;
    }
    QVERIFY(hits >= 40);
    const std::vector<PixelPlace> corners{{100, 60}, {330, 60}, {330, 240}, {100, 240}};
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (pixels[i].w > 0 && std::abs(pixels[i].depth) <= 1 && pixels[i].x >= 100 &&
          pixels[i].x <= 330 && pixels[i].y >= 60 && pixels[i].y <= 240)
        expected.push_back(points.order[i]);
    std::sort(expected.begin(), expected.end());
    QCOMPARE(*pointsInOutline(points, colours, view, corners), expected);
  }

  void closeViewsTakeFewBlocks() {
    for (const std::size_t dims : {std::size_t{2}, std::size_t{3}}) {
      const Blobs blobs = makeBlobs(1000000, dims, 3, 5);
      const auto points = levelsOf(blobs.cloud);
      LevelStage stage(points, blobs.labels);
      stage.scene.setFrameTime(0);
      stage.window->image();
      if (dims == 3) stage.scene.setViewPreset(ViewPreset::Front);
      lookAt(stage.scene, 77, 0.02);
      stage.window->image();
      std::size_t count = 0;
      for (const std::uint32_t b : visibleBlocks(*points, stage.scene.viewTransform(), 3))
        count += points->blocks[b].count;
      QVERIFY2(count < points->size() / 3, qPrintable(QString("%1-D: %2").arg(dims).arg(count)));
    }
  }

  void coloursAreMadeForWhatIsDrawn() {
    const Blobs blobs = makeBlobs(400000, 2, 3, 5);
    const auto points = levelsOf(blobs.cloud);
    ColourRequest request;
    request.labels = blobs.labels;
    std::atomic<std::size_t> made{0};
    const auto colours = std::make_shared<const DrawnColours>(
        points, [&made, points, colour = pointColourer(request)](std::size_t first, auto bytes) {
          made += bytes.size() / 4;
          colour(std::span(points->order).subspan(first, bytes.size() / 4), bytes);
        });
    LevelStage stage(points, blobs.labels);
    const Image expected = stage.whole();
    stage.scene.setColours(colours);
    stage.window->image();
    const std::size_t ofFirstFrame = stage.scene.drawnPoints();
    QCOMPARE(made.load(), ofFirstFrame);
    QVERIFY(ofFirstFrame < points->size() / 4);
    // A pick needs those of the blocks around it.
    QVERIFY(pickPoint(*points, *colours, stage.scene.viewTransform(), 240, 180, 400));
    QVERIFY(made > ofFirstFrame);
    QCOMPARE(countDifferences(stage.whole(), expected), 0);
    QCOMPARE(made.load(), points->size());
    const std::vector<std::uint8_t> all = colourPoints(request, points->order);
    QVERIFY(std::ranges::equal(colours->all(), all));
    QCOMPARE(made.load(), points->size());
  }

  void coloursAreMadeOnceByAnyThread() {
    const Blobs blobs = makeBlobs(400000, 2, 3, 5);
    const auto points = levelsOf(blobs.cloud);
    std::vector<std::atomic<int>> times(points->size());
    const DrawnColours colours(points, [&](std::size_t first, std::span<std::uint8_t> bytes) {
      for (std::size_t i = 0; i < bytes.size(); i += 4) {
        bytes[i + 3] = std::uint8_t(points->order[first + i / 4] % 4 == 0 ? DrawLayer::Hidden
                                                                          : DrawLayer::Front);
        ++times[first + i / 4];
      }
    });
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < points->size(); i += 997)
          if ((colours.layerOf(i) == DrawLayer::Hidden) != (points->order[i] % 4 == 0))
            times[i] = 9;
        colours.all();
      });
    for (std::thread& thread : threads) thread.join();
    QVERIFY(std::ranges::all_of(times, [](const auto& count) { return count == 1; }));
  }

  void budgetsAreKept() {
    const Blobs blobs = makeBlobs(400000, 3, 3, 5);
    const auto points = levelsOf(blobs.cloud);
    LevelStage stage(points, blobs.labels);
    for (const std::size_t budget : {std::size_t{60000}, std::size_t{150000}}) {
      stage.scene.setPointBudget(budget);
      stage.scene.setInteracting(true);
      for (int i = 0; i < 3; ++i) {
        stage.scene.turnBy(4, 1);
        stage.window->image();
        QVERIFY(stage.scene.drawnPoints() >= budget);
        QVERIFY(stage.scene.drawnPoints() < budget + kBlockPoints);
        QVERIFY(!stage.scene.moreToDraw());
      }
      stage.scene.setInteracting(false);
      QVERIFY(stage.scene.moreToDraw());
      stage.whole();
      QCOMPARE(stage.scene.drawnPoints(), points->size());
    }
  }

  void budgetsFollowTheTimeOfFrames() {
    FrameBudget budget;
    QCOMPARE(budget.points(), kRootPoints);
    // Half a microsecond a point: 80,000 points in 40 ms, of which a fifth stays free.
    const auto draw = [&budget](double usPerPoint) {
      const std::size_t n = budget.points();
      budget.adapt({n, double(n) * usPerPoint / 1000}, 40);
    };
    for (int i = 0; i < 5; ++i) draw(0.5);
    QCOMPARE(budget.points(), std::size_t{64000});
    draw(0.6);  // still in time: it stays, so that the picture does not change
    QCOMPARE(budget.points(), std::size_t{64000});
    draw(0.8);
    QCOMPARE(budget.points(), std::size_t{50000});
    draw(100);  // never fewer
    QCOMPARE(budget.points(), kRootPoints);
    for (int i = 0; i < 20; ++i) draw(0.02);  // a million points in 20 ms: no more than those
    QCOMPARE(budget.points(), std::size_t{800000});
    for (int i = 0; i < 20; ++i) draw(0.001);  // 8 million in 8 ms
    QCOMPARE(budget.points(), std::size_t{6400000});
    budget.adapt({0, 0}, 40);  // a frame that added nothing says nothing
    QCOMPARE(budget.points(), std::size_t{6400000});
  }
};

APPLESS_TEST(TestLevels);
#include "tst_levels.moc"
