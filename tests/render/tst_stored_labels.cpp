// Labels of all rows in the order in which points are stored.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <limits>

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
  static std::int32_t labelOf(std::uint64_t row) {
    return row + 1 < kRows ? std::int32_t(row * 7 % 1000) - 1 : 5;
  }
  void writeLabels(const char* type, const std::string& shape, std::size_t count,
                   std::int32_t last = 5) const {
    std::ofstream file(path("labels.npy"), std::ios::binary);
    file << npyHeader(type, shape);
    for (std::size_t row = 0; row < count; ++row) {
      const std::int32_t label = row + 1 < count ? labelOf(row) : last;
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
    QCOMPARE((*labels)->highest(), 998);
    for (std::size_t b = 0; b < stored_->outline()->blocks.size(); ++b) {
      const auto block = stored_->read(b);
      QVERIFY(block);
      std::vector<std::int32_t> found(block->rows.size());
      QVERIFY((*labels)->read(b, found));
      for (std::size_t i = 0; i < found.size(); ++i) QCOMPARE(found[i], labelOf(block->rows[i]));
    }
    std::vector<std::int32_t> rows(100);
    QVERIFY((*labels)->readRows(kRows - 90, rows, {}));
    for (std::uint64_t i = 0; i < rows.size(); ++i)
      QCOMPARE(rows[i], i < 90 ? labelOf(kRows - 90 + i) : kSkippedRow);
    // Nothing has a name.
    QCOMPARE(QDir(folder_->path()).entryList({"labels*"}, QDir::Files).size(), 1);
  }

  // Labels are counts below that of points; others would ask for tables of gigabytes.
  void whatIsNoLabelIsRefused() {
    for (const std::int32_t label :
         {-3, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
      writeLabels("<i4", std::to_string(kRows) + ",", kRows, label);
      const auto labels = made(4 * 7001);
      QVERIFY2(!labels, qPrintable(QString::number(label)));
      QCOMPARE(labels.error().kind, ErrorKind::BadInput);
    }
    writeLabels("<i4", std::to_string(kRows) + ",", kRows, 2'000'000'000);
    const auto labels = made(4 * 7001);
    QVERIFY(labels);
    QCOMPARE((*labels)->highest(), 2'000'000'000);
  }

  void progressOnlyGrows() {
    writeLabels("<i4", std::to_string(kRows) + ",", kRows);
    std::vector<double> seen;
    int pauses = 0;
    const Task task{{}, [&](std::string_view, double fraction) { seen.push_back(fraction); }};
    QVERIFY(StoredLabels::make(stored_, path("labels.npy"), folder_->path().toStdString(), 4 * 7001,
                               task, [&] { ++pauses; }));
    QVERIFY(std::ranges::is_sorted(seen));
    QVERIFY(seen.front() >= 0 && seen.back() > 0.8 && seen.back() <= 1);
    QCOMPARE(std::size_t(pauses), seen.size());
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
