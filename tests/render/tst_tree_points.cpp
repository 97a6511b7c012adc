// Points of a COPC file that are drawn by its own tree: every row once, where the view draws it,
// and the labels of all rows for them.
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <random>

#include "engine/io/read.h"
#include "render/scene/point_levels.h"
#include "render/scene/stored_labels.h"
#include "render/scene/tree_points.h"
#include "tests/io/copc_file.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestTreePoints : public QObject {
  Q_OBJECT

  static constexpr std::uint64_t kEvery = 7;

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  void write(const std::string& bytes) const {
    std::ofstream(path("scan.copc.laz"), std::ios::binary) << bytes;
  }
  /// The rows that the file was written from, in their order.
  static PointCloud rowsOf(const Copc& file) {
    PointCloud cloud;
    cloud.names = {"x", "y", "z"};
    cloud.columns.resize(3);
    for (const auto& row : file.upTo(kLevels - 1))
      for (std::size_t j = 0; j < 3; ++j) cloud.columns[j].push_back(row[j]);
    return cloud;
  }
  StoreOrder orderFor(const PointCloud& cloud, const ViewAxes& axes, const Scaling& scaling) const {
    PointCloud some;
    some.names = cloud.names;
    for (const auto& column : cloud.columns) {
      some.columns.emplace_back();
      for (std::size_t i = 0; i < column.size(); i += kEvery)
        some.columns.back().push_back(column[i]);
    }
    StoreOrder order;
    order.path = path("scan.copc.laz");
    order.scaling = scaling;
    order.likelyRows = cloud.size();
    if (auto points = makeDisplayPoints(applyScaling(some, scaling), axes))
      order.sample = std::make_shared<const DisplayPoints>(std::move(*points));
    return order;
  }
  StoreOrder orderFor(const PointCloud& cloud) const {
    return orderFor(cloud, defaultViewAxes(cloud), {});
  }

  QTemporaryDir folder_;

 private Q_SLOTS:
  void everyRowIsThereOnce_data() {
    QTest::addColumn<int>("pointsOfNode");
    QTest::addColumn<QList<int>>("dims");
    QTest::addColumn<bool>("isScaled");
    QTest::newRow("x, y, z") << 40 << QList{0, 1, 2} << false;
    QTest::newRow("scaled") << 40 << QList{0, 1, 2} << true;
    QTest::newRow("z, x") << 40 << QList{2, 0} << false;
    QTest::newRow("principal axes") << 40 << QList<int>() << true;
    QTest::newRow("large nodes") << 9000 << QList{0, 1, 2} << false;
  }
  void everyRowIsThereOnce() {
    QFETCH(int, pointsOfNode);
    QFETCH(QList<int>, dims);
    QFETCH(bool, isScaled);
    const Copc file(pointsOfNode);
    write(file.bytes);
    PointCloud cloud = rowsOf(file);
    ViewAxes axes;
    axes.dims.assign(dims.begin(), dims.end());
    if (dims.empty()) axes.kind = ViewAxes::Kind::Pca;
    Scaling scaling;
    if (isScaled) scaling = {Scaling::Kind::Factors, {0, 0, 0}, {1, -3, 0.5}};
    const StoreOrder order = orderFor(cloud, axes, scaling);
    QVERIFY(order.sample);
    const auto stored = openTreePoints(order, {});
    QVERIFY2(stored, stored ? "" : stored.error().message.c_str());
    QVERIFY(*stored);
    QCOMPARE((*stored)->size(), std::uint64_t(cloud.size()));
    const auto expected = makeDisplayPoints(applyScaling(cloud, scaling), order.sample->space);
    QVERIFY(expected);
    std::vector<std::size_t> drawn(cloud.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[expected->order[i]] = i;
    std::vector<bool> seen(cloud.size(), false);
    const DisplayPoints& outline = *(*stored)->outline();
    std::size_t next = 0;
    int level = 1;
    for (std::size_t b = 0; b < outline.blocks.size(); ++b) {
      const PointBlock& block = outline.blocks[b];
      QVERIFY(block.first == next && block.count > 0 && block.count <= kBlockPoints);
      QVERIFY(block.level >= level);
      level = block.level;
      next += block.count;
      const auto read = (*stored)->read(b);
      QVERIFY(read);
      std::vector<std::uint32_t> rows(block.count);
      QVERIFY((*stored)->readRows(b, rows));
      QCOMPARE(rows, read->rows);
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::uint32_t row = rows[i];
        QVERIFY(row < cloud.size() && !seen[row]);
        seen[row] = true;
        for (std::size_t a = 0; a < 3; ++a) {
          const float value = read->xyz[3 * i + a];
          QVERIFY(value == expected->xyz[3 * drawn[row] + a]);
          QVERIFY(value >= block.low[a] && value <= block.high[a]);
        }
      }
    }
    QCOMPARE(next, cloud.size());
    // A level of the tree halves the spacing along each axis.
    QCOMPARE(level, 1 + order.sample->space.axes * (kLevels - 1));
  }

  void blocksAreReadInAnyOrder() {
    const Copc file(9000);
    write(file.bytes);
    const auto stored = openTreePoints(orderFor(rowsOf(file)), {});
    QVERIFY(stored && *stored);
    const std::size_t blocks = (*stored)->outline()->blocks.size();
    std::vector<StoredPoints::Block> inOrder;
    for (std::size_t b = 0; b < 20; ++b) inOrder.push_back(*(*stored)->read(b));
    std::mt19937 random(5);
    for (int time = 0; time < 60; ++time) {
      const std::size_t b = random() % 20;
      const auto read = (*stored)->read(b);
      QVERIFY(read && (*stored)->read(blocks - 1));
      QVERIFY(read->xyz == inOrder[b].xyz);
    }
  }

  void labelsOfAllRowsAreThoseOfTheBlocks() {
    const Copc file;
    write(file.bytes);
    const PointCloud cloud = rowsOf(file);
    const auto stored = openTreePoints(orderFor(cloud), {});
    QVERIFY(stored && *stored);
    std::string head = "{'descr': '<i4', 'fortran_order': False, 'shape': (" +
                       std::to_string(cloud.size()) + ",), }";
    head.resize(118 - 1, ' ');
    std::string bytes =
        std::string("\x93NUMPY\x01\x00", 8) + char(head.size() + 1) + '\0' + head + '\n';
    std::vector<std::int32_t> labels(cloud.size());
    std::mt19937 random(3);
    for (std::int32_t& label : labels) label = std::int32_t(random() % 100) - 1;
    bytes.append(reinterpret_cast<const char*>(labels.data()), 4 * labels.size());
    std::ofstream(path("labels.npy"), std::ios::binary) << bytes;
    const auto sorted =
        StoredLabels::make(*stored, path("labels.npy"), folder_.path().toStdString(), 4 * 1000, {});
    QVERIFY2(sorted, sorted ? "" : sorted.error().message.c_str());
    const auto& blocks = (*stored)->outline()->blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      std::vector<std::int32_t> found(blocks[b].count);
      QVERIFY((*sorted)->read(b, found));
      const auto block = (*stored)->read(b);
      QVERIFY(block);
      for (std::size_t i = 0; i < found.size(); ++i) QCOMPARE(found[i], labels[block->rows[i]]);
    }
  }

  void othersAreStored() {
    const Copc file;
    const PointCloud cloud = rowsOf(file);
    const StoreOrder order = orderFor(cloud);
    const auto isLeft = [&](std::size_t at, auto value) {
      std::string bytes = file.bytes;
      put(bytes, at, value);
      write(bytes);
      const auto stored = openTreePoints(order, {});
      return stored && !*stored;
    };
    QVERIFY(isLeft(file.rootPage + 16, std::uint64_t{0}));
    QVERIFY(isLeft(kInfoAt + 24, kHalfSide / 3));  // points lie outside of the cube
    QVERIFY(!isLeft(kInfoAt + 24, kHalfSide));
    StoreOrder other = order;
    other.read.coordinates = {"x", "y", "intensity"};
    const auto stored = openTreePoints(other, {});
    QVERIFY(stored && !*stored);
  }
};

APPLESS_TEST(TestTreePoints);
#include "tst_tree_points.moc"
