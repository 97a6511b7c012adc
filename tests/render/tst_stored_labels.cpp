// Labels of all rows in the order in which points are stored.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "clouds.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/npy/npy_header.h"
#include "engine/io/write.h"
#include "render/scene/store_points.h"
#include "render/scene/stored_labels.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestStoredLabels : public QObject {
  Q_OBJECT

  static constexpr std::size_t kRows = 60000;
  std::unique_ptr<QTemporaryDir> folder_;
  std::shared_ptr<const StoredPoints> stored_;

  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  void writeLabels(const char* type, const std::string& shape, std::size_t count) const {
    std::ofstream file(path("labels.npy"), std::ios::binary);
    file << npyHeader(type, shape);
    for (std::size_t row = 0; row < count; ++row) {
      const auto label = std::int32_t(row * 7 % 1000) - 1;
      file.write(reinterpret_cast<const char*>(&label), 4);
    }
  }
  Result<std::shared_ptr<const StoredLabels>> made(std::uint64_t memory,
                                                   const Task& task = {}) const {
    return StoredLabels::make(stored_, path("labels.npy"), folder_->path().toStdString(), memory,
                              task);
  }

 private Q_SLOTS:
  void initTestCase() {
    folder_ = std::make_unique<QTemporaryDir>();
    Dataset data;
    data.cloud = makeBlobs(kRows, 2, 3, 5).cloud;
    data.inputRows = kRows;
    data.columnOrder = {0, 1};
    StoreOrder order;
    order.path = path("cloud.npy");
    QVERIFY(writeDataset(order.path, data));
    auto sample = makeDisplayPoints(data.cloud, defaultViewAxes(data.cloud));
    QVERIFY(sample);
    order.sample = std::make_shared<const DisplayPoints>(std::move(*sample));
    order.likelyRows = kRows;
    QVERIFY(storePoints(order, path("points"), folder_->path().toStdString(), {}));
    auto opened = StoredPoints::open(path("points"));
    QVERIFY(opened);
    stored_ = *opened;
  }

  void areThoseOfTheRows_data() {
    QTest::addColumn<quint64>("memory");
    QTest::newRow("at once") << quint64(1 << 30);
    QTest::newRow("in parts") << quint64(4 * 7001);
  }
  void areThoseOfTheRows() {
    QFETCH(quint64, memory);
    writeLabels("<i4", std::to_string(kRows) + ",", kRows);
    const auto labels = made(memory);
    QVERIFY2(labels, labels ? "" : labels.error().message.c_str());
    for (std::size_t b = 0; b < stored_->outline()->blocks.size(); ++b) {
      const auto block = stored_->read(b);
      QVERIFY(block);
      std::vector<std::int32_t> found(block->rows.size());
      QVERIFY((*labels)->read(b, found));
      for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY(found[i] == std::int32_t(block->rows[i] * 7 % 1000) - 1);
    }
    // Nothing has a name.
    QCOMPARE(QDir(folder_->path()).entryList({"labels*"}, QDir::Files).size(), 1);
  }

  void othersAreRefused() {
    const std::string shape = std::to_string(kRows) + ",";
    const auto isRefused = [&] {
      const auto labels = made(1 << 30);
      return !labels && labels.error().kind == ErrorKind::BadInput;
    };
    writeLabels("<f4", shape, kRows);
    QVERIFY(isRefused());
    writeLabels("<i4", std::to_string(kRows / 2) + ", 2", kRows);
    QVERIFY(isRefused());
    writeLabels("<i4", shape, kRows - 1);  // cut off
    QVERIFY(isRefused());
    writeLabels("<i4", std::to_string(kRows - 1) + ",", kRows - 1);
    QVERIFY(isRefused());
    std::ofstream(path("labels.npy")) << "label\n1\n2\n";
    QVERIFY(isRefused());
    QFile::remove(folder_->filePath("labels.npy"));
    QVERIFY(!made(1 << 30));
    writeLabels("<i4", shape, kRows);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = made(1 << 30, Task{stop.get_token(), {}});
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
  }
};

APPLESS_TEST(TestStoredLabels);
#include "tst_stored_labels.moc"
