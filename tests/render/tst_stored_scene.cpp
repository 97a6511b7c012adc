// Pictures of points that are read from the disk: those of all points in memory, once the view
// rests.
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <atomic>
#include <new>
#include <random>
#include <stop_token>

#include "clouds.h"
#include "engine/io/write.h"
#include "pictures.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/picking.h"
#include "render/scene/point_levels.h"
#include "render/scene/store_points.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

constexpr std::size_t kRows = 300000;
constexpr std::size_t kEveryRow = 7;

PointCloud everySeventh(const PointCloud& cloud) {
  PointCloud some;
  some.names = cloud.names;
  for (const auto& column : cloud.columns) {
    some.columns.emplace_back();
    for (std::size_t i = 0; i < column.size(); i += kEveryRow)
      some.columns.back().push_back(column[i]);
  }
  return some;
}

/// A scene in a window without a display.
struct StoredStage {
  std::unique_ptr<OffscreenWindow> window;
  CloudScene scene;

  explicit StoredStage(const std::shared_ptr<const DisplayPoints>& points) {
    auto made = OffscreenWindow::make(480, 360);
    if (!made) qFatal("%s", made.error().message.c_str());
    window = std::move(*made);
    scene.attach(window->window());
    scene.setPointSize(2);
    scene.setPoints(points);
  }
  ~StoredStage() { scene.detach(); }
  Image whole() {
    Image image = window->image();
    while (scene.moreToDraw()) image = window->image();
    return image;
  }
};

/// Labels by row, without those that the sample has.
StoredColourer coloursOf(std::span<const std::int32_t> labels) {
  return [labels](std::size_t, const StoredPoints::Block& points, std::span<std::uint8_t> bytes) {
    ColourRequest request;
    request.labels = labels;
    pointColourer(request)(points.rows, bytes);
    for (std::size_t i = 0; i < points.rows.size(); ++i)
      if (points.rows[i] % kEveryRow == 0) bytes[4 * i + 3] = std::uint8_t(DrawLayer::Hidden);
  };
}

}  // namespace

class TestStoredScene : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  Blobs blobs_;
  std::shared_ptr<const DisplayPoints> sample_;
  std::shared_ptr<const DisplayPoints> all_;
  std::shared_ptr<const StoredPoints> stored_;
  std::vector<std::int32_t> sampleLabels_;

  bool make(std::size_t dims) {
    folder_ = std::make_unique<QTemporaryDir>();
    blobs_ = makeBlobs(kRows, dims, 3, 5);
    Dataset data;
    data.cloud = blobs_.cloud;
    data.inputRows = kRows;
    for (std::size_t j = 0; j < dims; ++j) data.columnOrder.push_back(j);
    StoreOrder order;
    order.path = folder_->filePath("cloud.npy").toStdString();
    if (!writeDataset(order.path, data)) return false;
    const PointCloud some = everySeventh(blobs_.cloud);
    auto sample = makeDisplayPoints(some, defaultViewAxes(some));
    if (!sample) return false;
    auto all = makeDisplayPoints(blobs_.cloud, sample->space);
    if (!all) return false;
    order.sample = sample_ = std::make_shared<const DisplayPoints>(std::move(*sample));
    all_ = std::make_shared<const DisplayPoints>(std::move(*all));
    order.likelyRows = kRows;
    order.memory = kLeastStoreMemory;
    const std::string output = folder_->filePath("points").toStdString();
    if (!storePoints(order, output, folder_->path().toStdString(), {})) return false;
    auto stored = StoredPoints::open(output);
    if (stored) stored_ = *stored;
    sampleLabels_.clear();
    for (std::size_t i = 0; i < kRows; i += kEveryRow) sampleLabels_.push_back(blobs_.labels[i]);
    return bool(stored);
  }
  std::vector<std::uint8_t> coloursInMemory(const std::vector<std::int32_t>& labels,
                                            const DisplayPoints& points) const {
    ColourRequest request;
    request.labels = labels;
    return colourPoints(request, points.order);
  }
  static void zoomTo(CloudScene& scene, const float* at, double side) {
    DisplayBox box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = double(at[a]) - side / 2;
      box.high[a] = double(at[a]) + side / 2;
    }
    if (scene.isFlat()) box.low[2] = box.high[2] = 0;
    scene.zoomTo(box);
  }

 private Q_SLOTS:
  void pictureIsThatOfAllPoints_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("side");
    for (const int dims : {2, 3})
      for (const double side : {0.0, 0.2, 0.01})
        QTest::addRow("%d-D %g", dims, side) << dims << side;
  }
  void pictureIsThatOfAllPoints() {
    QFETCH(int, dims);
    QFETCH(double, side);
    QVERIFY(make(std::size_t(dims)));
    StoredStage memory(all_);
    memory.scene.setColours(coloursInMemory(blobs_.labels, *all_));
    StoredStage disk(sample_);
    disk.scene.setColours(coloursInMemory(sampleLabels_, *sample_));
    StoredStage alone(sample_);
    alone.scene.setColours(coloursInMemory(sampleLabels_, *sample_));
    disk.scene.setStoredPoints(stored_, coloursOf(blobs_.labels));
    QCOMPARE(disk.scene.storedPoints(), stored_);
    for (StoredStage* stage : {&memory, &disk, &alone}) {
      stage->window->image();
      if (side > 0) zoomTo(stage->scene, all_->xyz.data() + 3 * 77, side);
    }
    // Points of the same place are drawn in another order; the picture is the same but for rims.
    const Image expected = memory.whole();
    const Image found = disk.whole();
    const int differ = countDifferences(expected, found, 60);
    const int without = countDifferences(expected, alone.whole(), 60);
    QVERIFY2(differ * 8 < without + 80, qPrintable(QString("%1, %2").arg(differ).arg(without)));
    QVERIFY(disk.scene.drawnStoredPoints() > 0 && disk.scene.drawnStoredPoints() <= kRows);
    if (side == 0) QCOMPARE(disk.scene.drawnStoredPoints(), kRows);
    // At once, as for a picture in a file.
    StoredStage picture(sample_);
    picture.scene.setProgressive(false);
    picture.scene.setColours(coloursInMemory(sampleLabels_, *sample_));
    picture.scene.setStoredPoints(stored_, coloursOf(blobs_.labels));
    picture.window->image();
    if (side > 0) zoomTo(picture.scene, all_->xyz.data() + 3 * 77, side);
    const Image once = picture.window->image();
    QVERIFY(!picture.scene.moreToDraw());
    QCOMPARE(countDifferences(found, once, 60), 0);
  }

  void theyAreFoundAsPointsInMemory_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << 2;
    QTest::newRow("3-D") << 3;
  }
  void theyAreFoundAsPointsInMemory() {
    QFETCH(int, dims);
    QVERIFY(make(std::size_t(dims)));
    StoredStage stage(sample_);
    stage.window->image();
    zoomTo(stage.scene, all_->xyz.data() + 3 * 77, 0.3);
    stage.window->image();
    const ViewTransform view = stage.scene.viewTransform();
    std::vector<std::uint8_t> bytes = coloursInMemory(blobs_.labels, *all_);
    for (std::size_t i = 0; i < all_->size(); ++i)
      if (all_->order[i] % kEveryRow == 0) bytes[4 * i + 3] = std::uint8_t(DrawLayer::Hidden);
    const DrawnColours colours(std::move(bytes));
    std::size_t read = 0;
    const StoredColourer colourer = [&, common = coloursOf(blobs_.labels)](
                                        std::size_t block, const StoredPoints::Block& points,
                                        std::span<std::uint8_t> some) {
      ++read;
      common(block, points, some);
    };
    std::mt19937 random(4);
    std::uniform_real_distribution<double> anywhere(0, 1);
    int found = 0;
    for (int round = 0; round < 200; ++round) {
      const double x = anywhere(random) * view.width;
      const double y = anywhere(random) * view.height;
      const auto expected = pickPoint(*all_, colours, view, x, y, 6);
      const auto picked = pickRow(*stored_, colourer, view, x, y, 6, {});
      QVERIFY(picked);
      QCOMPARE(bool(*picked), bool(expected));
      if (!expected) continue;
      ++found;
      const PickedRow& row = **picked;
      QCOMPARE(row.row, expected->point);
      QVERIFY(row.rank == expected->rank);
      QVERIFY(std::equal(row.xyz.begin(), row.xyz.end(),
                         all_->xyz.data() + 3 * std::size_t{expected->drawn}));
      const auto block = stored_->read(row.block);
      QVERIFY(block);
      QCOMPARE(block->rows[row.inBlock], row.row);
    }
    QVERIFY(found > 20);
    // Blocks that lie elsewhere are not read.
    QVERIFY(read < 200 * stored_->outline()->blocks.size() * 3 / 4);
    const std::vector<PixelPlace> outline{{100, 60}, {400, 100}, {200, 320}};
    std::vector<std::uint32_t> rows;
    const auto take = [&](std::uint32_t row) { rows.push_back(row); };
    QVERIFY(rowsInOutline(*stored_, colourer, view, outline, take, {}));
    std::sort(rows.begin(), rows.end());
    const auto expected = pointsInOutline(*all_, colours, view, outline);
    QVERIFY(expected && !expected->empty());
    QVERIFY(rows == *expected);
    QVERIFY(QFile::resize(folder_->filePath("points"), 5000));
    QCOMPARE(rowsInOutline(*stored_, colourer, view, outline, take, {}).error().kind,
             ErrorKind::Io);
  }

  void searchesStopAndPicksAreBounded() {
    QVERIFY(make(2));
    StoredStage stage(sample_);
    stage.window->image();
    const ViewTransform view = stage.scene.viewTransform();
    const std::size_t blocks = stored_->outline()->blocks.size();
    QVERIFY(blocks > 3);
    std::size_t read = 0;
    std::stop_source stop;
    const StoredColourer stopping = [&, common = coloursOf(blobs_.labels)](
                                        std::size_t block, const StoredPoints::Block& points,
                                        std::span<std::uint8_t> some) {
      ++read;
      stop.request_stop();
      common(block, points, some);
    };
    const double x = view.width / 2.0;
    const double y = view.height / 2.0;
    const double all = view.width;
    const auto picked = pickRow(*stored_, stopping, view, x, y, all, Task{stop.get_token(), {}});
    QVERIFY(!picked);
    QCOMPARE(picked.error().kind, ErrorKind::Cancelled);
    QCOMPARE(read, std::size_t{1});
    // Also after rows of a block were found.
    stop = {};
    const std::vector<PixelPlace> outline{{0, 0}, {all, 0}, {all, all}, {0, all}};
    std::size_t rows = 0;
    const auto stopped = rowsInOutline(
        *stored_, stopping, view, outline, [&](std::uint32_t) { ++rows; },
        Task{stop.get_token(), {}});
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    QCOMPARE(read, std::size_t{2});
    QVERIFY(rows > 0);
    // Of too many blocks none is read.
    const auto none = pickRow(*stored_, stopping, view, x, y, all, {}, blocks - 1);
    QVERIFY(none && !*none);
    QCOMPARE(read, std::size_t{2});
    const auto one = pickRow(*stored_, stopping, view, x, y, all, {}, blocks);
    QVERIFY(one && *one);
    QCOMPARE(read, 2 + blocks);
  }

  void thoseThatTakeNoPartDoNotMakePointsSmaller() {
    QVERIFY(make(2));
    const StoredColourer none = [](std::size_t, const StoredPoints::Block&,
                                   std::span<std::uint8_t> bytes) {
      std::fill(bytes.begin(), bytes.end(), std::uint8_t(DrawLayer::Hidden));
    };
    StoredStage alone(sample_);
    StoredStage all(sample_);
    StoredStage part(sample_);
    for (StoredStage* stage : {&alone, &all, &part}) {
      stage->scene.setPointSize(0);
      stage->scene.setColours(coloursInMemory(sampleLabels_, *sample_));
    }
    all.scene.setStoredPoints(stored_, none);
    part.scene.setStoredPoints(stored_, none, sample_->size());
    const Image expected = alone.whole();
    const int smaller = countDifferences(expected, all.whole(), 60);
    const int same = countDifferences(expected, part.whole(), 60);
    QVERIFY2(smaller > 100 && same * 20 < smaller,
             qPrintable(QString("%1, %2").arg(smaller).arg(same)));
  }

  void nothingIsReadWhileTheViewMoves() {
    QVERIFY(make(3));
    std::atomic<int> read = 0;
    StoredStage stage(sample_);
    stage.scene.setStoredPoints(
        stored_, [&](std::size_t, const StoredPoints::Block&, std::span<std::uint8_t> bytes) {
          ++read;
          std::fill(bytes.begin(), bytes.end(), std::uint8_t{170});
        });
    stage.scene.setInteracting(true);
    for (int i = 0; i < 5; ++i) {
      stage.scene.turnBy(5, 0);
      stage.window->image();
      QVERIFY(!stage.scene.moreToDraw());
    }
    QCOMPARE(read.load(), 0);
    QCOMPARE(stage.scene.drawnStoredPoints(), std::size_t{0});
    stage.scene.setInteracting(false);
    QVERIFY(stage.scene.moreToDraw());
    const Image whole = stage.whole();
    QVERIFY(read.load() > 0);
    QCOMPARE(stage.scene.drawnStoredPoints(), kRows);
    // Another frame shows the same picture.
    QCOMPARE(countDifferences(whole, stage.window->image()), 0);
    // What is on the device is not read again.
    const int before = read.load();
    stage.scene.turnBy(5, 0);
    stage.whole();
    QCOMPARE(read.load(), before);
    QCOMPARE(stage.scene.drawnStoredPoints(), kRows);
  }

  void whatCannotBeReadIsSaid() {
    QVERIFY(make(2));
    StoredStage stage(sample_);
    stage.scene.setStoredPoints(stored_, coloursOf(blobs_.labels));
    stage.whole();
    QVERIFY(!stage.scene.storedError());
    stage.scene.setStoredPoints(stored_, [](std::size_t, const StoredPoints::Block&,
                                            std::span<std::uint8_t>) { throw std::bad_alloc(); });
    stage.whole();
    QVERIFY(stage.scene.storedError());
    QCOMPARE(stage.scene.storedError()->kind, ErrorKind::TooLarge);
    QVERIFY(QFile::resize(folder_->filePath("points"), 5000));
    stage.scene.setStoredPoints(stored_, coloursOf(blobs_.labels));
    stage.whole();
    QVERIFY(stage.scene.storedError());
    QCOMPARE(stage.scene.storedError()->kind, ErrorKind::Io);
    stage.scene.setStoredPoints(nullptr, {});
    QVERIFY(!stage.scene.storedError());
  }

  void othersReplaceThem() {
    QVERIFY(make(2));
    StoredStage stage(sample_);
    stage.scene.setStoredPoints(stored_, coloursOf(blobs_.labels));
    const Image labelled = stage.whole();
    std::vector<std::int32_t> others(kRows, 5);
    stage.scene.setStoredPoints(stored_, coloursOf(others));
    QVERIFY(countDifferences(labelled, stage.whole(), 30) > 1000);
    // Others of the same space keep them, those of another space do not.
    stage.scene.setPoints(std::make_shared<const DisplayPoints>(*sample_));
    QCOMPARE(stage.scene.storedPoints(), stored_);
    auto moved = std::make_shared<DisplayPoints>(*sample_);
    moved->space.shift[0] += 1;
    stage.scene.setPoints(moved);
    QVERIFY(!stage.scene.storedPoints());
    stage.whole();
    QCOMPARE(stage.scene.drawnStoredPoints(), std::size_t{0});
  }
};

APPLESS_TEST(TestStoredScene);
#include "tst_stored_scene.moc"
