// Points of a file in levels of detail on the disk: every row once, where the view draws it, in
// fair samples and blocks that lie apart; whole or not at all.
#include <sys/resource.h>

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <set>

#include "clouds.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "render/scene/point_levels.h"
#include "render/scene/store_points.h"
#include "render/scene/stored_points.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestStoredPoints : public QObject {
  Q_OBJECT

  static constexpr std::uint64_t kEvery = 7;

  std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
  std::string output() const { return path("scratch/points"); }

  /// What was read of the file, as the view draws it.
  static std::shared_ptr<const DisplayPoints> sampleOf(const PointCloud& cloud) {
    PointCloud some;
    some.names = cloud.names;
    for (const auto& column : cloud.columns) {
      some.columns.emplace_back();
      for (std::size_t i = 0; i < column.size(); i += kEvery)
        if (std::isfinite(column[i])) some.columns.back().push_back(column[i]);
    }
    auto points = makeDisplayPoints(some, defaultViewAxes(some));
    return points ? std::make_shared<const DisplayPoints>(std::move(*points)) : nullptr;
  }
  /// Writes the cloud to a file, and says how to store it.
  StoreOrder orderFor(const PointCloud& cloud, const char* name = "cloud.npy") const {
    StoreOrder order;
    order.path = path(name);
    Dataset data;
    data.cloud = cloud;
    data.inputRows = cloud.size();
    for (std::size_t j = 0; j < cloud.dims(); ++j) data.columnOrder.push_back(j);
    if (!writeDataset(order.path, data)) return {};
    order.sample = sampleOf(cloud);
    order.likelyRows = cloud.size();
    order.memory = kLeastStoreMemory;
    return order;
  }
  bool isClean() const {
    return QDir(folder_->filePath("scratch"))
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
        .isEmpty();
  }
  Result<void> store(const StoreOrder& order, const Task& task = {}) const {
    return storePoints(order, output(), path("scratch"), task);
  }

  std::unique_ptr<QTemporaryDir> folder_;

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(folder_->path()).mkdir("scratch"));
  }

  void everyRowIsThereOnce_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("points");
    QTest::addColumn<QString>("kind");
    for (const int dims : {2, 3, 5})
      for (const char* kind : {"blobs", "one place", "far away"})
        QTest::addRow("%d-D %s", dims, kind) << dims << 700000 << QString(kind);
    QTest::newRow("one point") << 3 << 1 << QString("blobs");
    QTest::newRow("few points") << 2 << 100 << QString("blobs");
  }
  void everyRowIsThereOnce() {
    QFETCH(int, dims);
    QFETCH(int, points);
    QFETCH(QString, kind);
    const auto n = std::size_t(points);
    PointCloud cloud = makeBlobs(n, std::size_t(dims), 4, 3).cloud;
    for (auto& column : cloud.columns) {
      if (kind == "one place") std::fill(column.begin() + 100, column.end(), 0.5);
      if (kind == "far away") column[8] = 1e9;  // not in the sample
    }
    const StoreOrder order = orderFor(cloud);
    QVERIFY(order.sample);
    const auto done = store(order);
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    const auto stored = StoredPoints::open(output());
    QVERIFY2(stored, stored ? "" : stored.error().message.c_str());
    QCOMPARE((*stored)->size(), std::uint64_t(n));
    const DisplayPoints& outline = *(*stored)->outline();
    // All rows in memory in the same space.
    const auto expected = makeDisplayPoints(cloud, order.sample->space);
    QVERIFY(expected);
    std::vector<std::size_t> drawn(n);
    for (std::size_t i = 0; i < n; ++i) drawn[expected->order[i]] = i;
    std::vector<bool> seen(n, false);
    int level = 1;
    std::size_t next = 0;
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
        const std::uint32_t row = read->rows[i];
        QVERIFY(row < n && !seen[row]);
        seen[row] = true;
        for (std::size_t a = 0; a < 3; ++a) {
          const float value = read->xyz[3 * i + a];
          QVERIFY(value == expected->xyz[3 * drawn[row] + a]);
          QVERIFY(value >= block.low[a] && value <= block.high[a]);
          QVERIFY(double(value) >= outline.box.low[a] && double(value) <= outline.box.high[a]);
        }
      }
    }
    QCOMPARE(next, n);
    QCOMPARE(QDir(folder_->filePath("scratch")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             QStringList("points"));
    QVERIFY(QFileInfo(folder_->filePath("scratch/points")).size() <=
            qint64(storedBytes(order.sample->space.axes, n)));
  }

  // Levels hold the densities as they are, and their blocks are small where they are many.
  void levelsAreFairSamples() {
    const Blobs blobs = makeBlobs(700000, 3, 5, 3);  // every tenth point is noise
    QVERIFY(store(orderFor(blobs.cloud)));
    const auto stored = StoredPoints::open(output());
    QVERIFY(stored);
    const auto& blocks = (*stored)->outline()->blocks;
    std::size_t seen = 0;
    std::vector<double> counts(6, 0);
    double volume = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (b > 0 && blocks[b].level != blocks[b - 1].level) {
        const double expected = double(kRootPoints) * std::exp2(blocks[b - 1].level - 1);
        QVERIFY(std::abs(double(seen) - expected) < 6 * std::sqrt(expected));
        for (int label = -1; label < 5; ++label) {
          const auto all = std::count(blobs.labels.begin(), blobs.labels.end(), label);
          const double share = double(all) / 700000 * double(seen);
          QVERIFY(std::abs(counts[std::size_t(label + 1)] - share) < 6 * std::sqrt(share));
        }
      }
      const auto read = (*stored)->read(b);
      QVERIFY(read);
      for (const std::uint32_t row : read->rows) counts[std::size_t(blobs.labels[row] + 1)] += 1;
      seen += blocks[b].count;
      if (blocks[b].level == blocks.back().level) {
        double box = 1;
        for (std::size_t a = 0; a < 3; ++a)
          box *= double(blocks[b].high[a]) - double(blocks[b].low[a]);
        volume += box;
      }
    }
    QVERIFY2(volume < 1, qPrintable(QString::number(volume)));  // of 1 · 1 · 0.2, with overlaps
    QVERIFY(blocks.back().level >= 5);
  }

  // Bytes of a file are weighed by what reading them takes.
  void progressFollowsWhatIsRead() {
    const std::size_t n = 1000;
    const PointCloud cloud = makeBlobs(n, 3, 4, 3).cloud;
    std::vector<double> dealt;
    for (const char* name : {"cloud.npy", "cloud.csv", "cloud.laz"}) {
      std::vector<double> seen;
      const Task task{{}, [&](std::string_view, double fraction) { seen.push_back(fraction); }};
      QVERIFY(store(orderFor(cloud, name), task));
      QVERIFY(seen.size() >= 3 && seen[0] == 0 && seen.back() == 1);
      dealt.push_back(seen[1]);  // where the only part of the file is dealt
    }
    const double dealing = 24 * n + 128 + 4 * 16 * n;  // three doubles a row, 16 bytes stored
    QVERIFY(std::abs(dealt[0] - dealing / (dealing + 6 * 16 * n)) < 1e-9);
    QVERIFY(dealt[1] > dealt[0] && dealt[2] > dealt[0] && dealt[2] < 1);
  }

  void rowsWithoutPlacesAreLeftOut() {
    const PointCloud cloud = makeBlobs(50000, 2, 4, 3).cloud;
    std::ofstream(path("cloud.csv")) << [&] {
      std::string text = "x,y\n";
      for (std::size_t p = 0; p < cloud.size(); ++p)
        text += p % 10 == 3
                    ? "nan,1\n"
                    : QByteArray::number(cloud.columns[0][p], 'g', 17).toStdString() + "," +
                          QByteArray::number(cloud.columns[1][p], 'g', 17).toStdString() + "\n";
      return text;
    }();
    StoreOrder order;
    order.path = path("cloud.csv");
    order.sample = sampleOf(cloud);
    order.likelyRows = cloud.size();
    order.memory = kLeastStoreMemory;
    QVERIFY(store(order));
    const auto stored = StoredPoints::open(output());
    QVERIFY(stored);
    QCOMPARE((*stored)->size(), std::uint64_t{45000});
    std::set<std::uint32_t> rows;
    for (std::size_t b = 0; b < (*stored)->outline()->blocks.size(); ++b) {
      const auto read = (*stored)->read(b);
      QVERIFY(read);
      for (std::size_t i = 0; i < read->rows.size(); ++i) {
        const std::uint32_t row = read->rows[i];
        rows.insert(row);
        QVERIFY(row % 10 != 3);
        QVERIFY(read->xyz[3 * i] == float(order.sample->space.toDisplay(0, cloud.columns[0][row])));
      }
    }
    QCOMPARE(rows.size(), std::size_t{45000});
  }

  void scalingIsThatOfTheSample() {
    PointCloud cloud = makeBlobs(40000, 2, 4, 3).cloud;
    StoreOrder order = orderFor(cloud);
    order.scaling.kind = Scaling::Kind::ZScore;
    order.scaling.offset = {1, 2};
    order.scaling.factor = {0.5, 3};
    const PointCloud scaled = applyScaling(cloud, order.scaling);
    order.sample = sampleOf(scaled);
    QVERIFY(store(order));
    const auto stored = StoredPoints::open(output());
    QVERIFY(stored);
    const auto read = (*stored)->read(0);
    QVERIFY(read);
    for (std::size_t i = 0; i < read->rows.size(); ++i)
      QVERIFY(read->xyz[3 * i + 1] ==
              float(order.sample->space.toDisplay(1, scaled.columns[1][read->rows[i]])));
  }

  void stopsAtAnyTime_data() {
    QTest::addColumn<double>("at");
    for (const double at : {0.0, 0.2, 0.39, 0.41, 0.7, 0.85}) QTest::addRow("%g", at) << at;
  }
  void stopsAtAnyTime() {
    QFETCH(double, at);
    const StoreOrder order = orderFor(makeBlobs(700000, 3, 4, 3).cloud);
    std::stop_source stop;
    std::vector<double> seen;
    Task task{stop.get_token(), [&](std::string_view, double fraction) {
                seen.push_back(fraction);
                if (fraction >= at) stop.request_stop();
              }};
    const auto done = store(order, task);
    QVERIFY(!done);
    QCOMPARE(done.error().kind, ErrorKind::Cancelled);
    QVERIFY(isClean());
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
  }

  // A limit for the size of files stands for the disk.
  void aFullDiskIsAMessage() {
    const StoreOrder order = orderFor(makeBlobs(700000, 3, 4, 3).cloud);
    struct rlimit before {};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const rlim_t bytes : {100'000, 5'000'000, 11'000'000}) {
      struct rlimit limit = before;
      limit.rlim_cur = bytes;
      QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);
      const auto done = store(order);
      QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
      QVERIFY(!done);
      QCOMPARE(done.error().kind, ErrorKind::Io);
      QVERIFY(isClean());
    }
    std::signal(SIGXFSZ, handler);
  }

  // Before anything is read.
  void tooManyRowsAreRefused() {
    StoreOrder order = orderFor(makeBlobs(1000, 3, 4, 3).cloud);
    order.likelyRows = std::uint64_t{1} << 32;
    bool began = false;
    const auto done = store(order, Task{{}, [&](std::string_view, double) { began = true; }});
    QVERIFY(!done && !began);
    QCOMPARE(done.error().kind, ErrorKind::TooLarge);
    QVERIFY(isClean());
  }

  void aFileThatChangesIsRefused() {
    const StoreOrder order = orderFor(makeBlobs(700000, 3, 4, 3).cloud);
    bool written = false;
    Task task{{}, [&](std::string_view, double fraction) {
                if (fraction < 0.2 || std::exchange(written, true)) return;
                std::ofstream(order.path, std::ios::app | std::ios::binary) << "more";
              }};
    const auto done = store(order, task);
    QVERIFY(!done);
    QVERIFY2(done.error().message.find("has changed") != std::string::npos,
             done.error().message.c_str());
    QVERIFY(isClean());
  }

  void whatIsNotWholeIsNotOpened() {
    QVERIFY(store(orderFor(makeBlobs(50000, 3, 4, 3).cloud)));
    QFile file(QString::fromStdString(output()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    file.close();
    const auto opens = [&](const QByteArray& changed) {
      std::ofstream(path("changed"), std::ios::binary)
          .write(changed.data(), std::streamsize(changed.size()));
      return bool(StoredPoints::open(path("changed")));
    };
    QVERIFY(opens(bytes));
    QVERIFY(!opens(bytes.left(bytes.size() - 1)));
    QVERIFY(!opens(bytes + 'x'));
    QVERIFY(!opens({}));
    QVERIFY(!opens(bytes.left(20)));
    for (const qsizetype at :
         {qsizetype{0}, qsizetype{8}, qsizetype{12}, qsizetype{16}, qsizetype{24}, qsizetype{32},
          qsizetype{62}, qsizetype{79}, qsizetype{85}, bytes.size() - 30}) {
      QByteArray changed = bytes;
      changed[at] = char(changed[at] ^ 1);
      QVERIFY2(!opens(changed), qPrintable(QString::number(at)));
    }
    QVERIFY(!StoredPoints::open(path("nowhere")));
    // What is open stays usable.
    const auto stored = StoredPoints::open(output());
    QVERIFY(stored && QFile::remove(QString::fromStdString(output())));
    QVERIFY((*stored)->read(3));
  }

  void badCallsAreRefused() {
    StoreOrder order = orderFor(makeBlobs(1000, 1, 2, 3).cloud);
    QCOMPARE(store(order).error().kind, ErrorKind::BadCall);
    order = orderFor(makeBlobs(1000, 2, 2, 3).cloud);
    order.path = path("nowhere.npy");
    QCOMPARE(store(order).error().kind, ErrorKind::Io);
    std::ofstream(path("quoted.csv")) << "name,x,y\n\"a\nb\",1,2\n\"c\",3,4\n";
    order.path = path("quoted.csv");
    const auto done = store(order);
    QVERIFY(!done && done.error().message.find("in parts") != std::string::npos);
    QVERIFY(isClean());
  }
};

APPLESS_TEST(TestStoredPoints);
#include "tst_stored_points.moc"
