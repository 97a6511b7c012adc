// The octree of a COPC file: a sample of the whole file comes from its upper levels, at once; a
// damaged tree changes nothing about what is read.
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <stop_token>
#include <thread>

#include "engine/io/file_tree.h"
#include "io_testing.h"
#include "tests/io/copc_file.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

std::vector<std::array<double, 3>> rowsOfCloud(const PointCloud& cloud) {
  std::vector<std::array<double, 3>> rows(cloud.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j) rows[i][j] = cloud.columns[j][i];
  return rows;
}

/// What was delivered while a file was read.
struct Reading {
  Result<Dataset> dataset = fail(ErrorKind::Io, "");
  std::vector<PartialRead> samples;
};

Reading readingOf(const std::string& bytes, std::size_t most, const ReadOptions& options = {},
                  const Task& task = {}) {
  Reading reading;
  PartialReads partial;
  partial.points = most;
  partial.interval = std::chrono::hours(1);
  partial.deliver = [&](const PartialRead& read) { reading.samples.push_back(read); };
  reading.dataset = readDatasetFrom(*memorySource("scan.copc.laz", bytes), options, task, partial);
  return reading;
}

}  // namespace

class TestCopc : public QObject {
  Q_OBJECT

  Result<std::unique_ptr<FileTree>> treeOf(const std::string& bytes,
                                           const ReadOptions& options = {}) const {
    QFile file(folder_.filePath("scan.copc.laz"));
    if (!file.open(QIODevice::WriteOnly)) return fail(ErrorKind::Io, "");
    file.write(bytes.data(), qint64(bytes.size()));
    file.close();
    return FileTree::open(file.fileName().toStdString(), options, {});
  }

  QTemporaryDir folder_;

 private slots:
  void theUpperLevelsComeFirst_data() {
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("level");
    // Levels 0 to 3 have 40, 4 · 41, 16 · 42 and 64 · 43 points.
    QTest::newRow("less than the root has") << 10 << 0;
    QTest::newRow("the root") << 203 << 0;
    QTest::newRow("two levels") << 204 << 1;
    QTest::newRow("almost three") << 400 << 1;
  }

  void theUpperLevelsComeFirst() {
    QFETCH(int, most);
    QFETCH(int, level);
    const Copc file;
    const Reading reading = readingOf(file.bytes, static_cast<std::size_t>(most));
    QVERIFY2(reading.dataset, messageOf(reading.dataset).c_str());
    QCOMPARE(reading.dataset->source.format, std::string("copc"));
    QVERIFY(rowsOfCloud(reading.dataset->cloud) == file.upTo(kLevels - 1));
    QCOMPARE(reading.samples.size(), std::size_t{1});
    const PartialRead& sample = reading.samples.front();
    QCOMPARE(sample.rows, reading.dataset->inputRows);
    QVERIFY(sample.isOfAll());
    QVERIFY(rowsOfCloud(*sample.sample) == file.upTo(level));
  }

  void deeperPagesAreFound() {
    const Copc file(5);  // levels 0 to 2 have 5, 4 · 6 and 16 · 7 points
    const Reading reading = readingOf(file.bytes, 80);
    QCOMPARE(reading.samples.size(), std::size_t{1});
    QVERIFY(rowsOfCloud(*reading.samples.front().sample) == file.upTo(1));
    const auto chunks = [&](std::uint64_t most) {
      LazFile table;
      for (const Node& node : file.nodes)
        table.chunks.push_back({node.points.size(), node.bytes, 0, node.offset});
      return copcUpperChunks(*memorySource("scan.copc.laz", file.bytes),
                             std::string_view(file.bytes).substr(kInfoAt, 160), table, most, {});
    };
    QCOMPARE(chunks(0).size(), std::size_t{1});
    QCOMPARE(chunks(140).size(), std::size_t{5});
    QCOMPARE(chunks(141).size(), std::size_t{21});
    QCOMPARE(chunks(1'000'000).size(), file.nodes.size());
    QVERIFY(std::ranges::is_sorted(chunks(141)));
  }

  void itHasTheChosenCoordinates() {
    const Copc file;
    ReadOptions options;
    options.coordinates = {"z", "intensity"};
    const Reading reading = readingOf(file.bytes, 204, options);
    QVERIFY(reading.dataset);
    QCOMPARE(reading.samples.size(), std::size_t{1});
    const PointCloud& sample = *reading.samples.front().sample;
    QCOMPARE(sample.names, (std::vector<std::string>{"z", "intensity"}));
    const auto expected = file.upTo(1);
    QCOMPARE(sample.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      QCOMPARE(sample.columns[0][i], expected[i][2]);
    QCOMPARE(std::ranges::count(sample.columns[1], 1.0), 4 * 41);
  }

  void oneRowOfSeveralHasItToo() {
    const Copc file;
    ReadOptions options;
    options.every = 7;
    const Reading reading = readingOf(file.bytes, 204, options);
    QVERIFY(reading.dataset);
    QCOMPARE(reading.dataset->cloud.size(), (file.upTo(3).size() + 6) / 7);
    QCOMPARE(reading.samples.size(), std::size_t{1});
    QVERIFY(rowsOfCloud(*reading.samples.front().sample) == file.upTo(1));
  }

  void nodesAreReadOnTheirOwn_data() {
    QTest::addColumn<QStringList>("coordinates");
    QTest::newRow("all") << QStringList();
    QTest::newRow("two") << QStringList{"z", "x"};
  }

  void nodesAreReadOnTheirOwn() {
    QFETCH(QStringList, coordinates);
    const Copc file;
    ReadOptions options;
    std::vector<std::size_t> columns;
    for (const QString& name : coordinates) {
      options.coordinates.push_back(name.toStdString());
      columns.push_back(std::size_t(name.front().unicode() - 'x'));
    }
    if (columns.empty()) columns = {0, 1, 2};
    const auto tree = treeOf(file.bytes, options);
    QVERIFY2(tree, messageOf(tree).c_str());
    QVERIFY(*tree);
    QCOMPARE((*tree)->nodes().size(), file.nodes.size());
    QCOMPARE((*tree)->rows(), file.upTo(kLevels - 1).size());
    int level = 0;
    std::uint64_t rows = 0;
    for (const FileTree::Node& node : (*tree)->nodes()) {
      QVERIFY(node.level >= level);
      level = node.level;
      rows += node.points;
      // The node of the file that begins with this row.
      std::uint64_t row = 0;
      std::size_t n = 0;
      while (row < node.firstRow) row += file.nodes[n++].points.size();
      QCOMPARE(row, node.firstRow);
      const Node& expected = file.nodes[n];
      QCOMPARE(node.level, expected.key[0]);
      const auto cloud = (*tree)->read(node);
      QVERIFY2(cloud, messageOf(cloud).c_str());
      QCOMPARE(cloud->size(), expected.points.size());
      const double side = 2 * kHalfSide / (1 << node.level);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        QCOMPARE(node.low[j], side * expected.key[1 + columns[j]]);
        QCOMPARE(node.high[j], node.low[j] + side);
        for (std::size_t i = 0; i < cloud->size(); ++i)
          QCOMPARE(cloud->columns[j][i], 0.5 * expected.points[i][columns[j]]);
      }
    }
    QCOMPARE(rows, (*tree)->rows());
  }

  // What was read when the file was opened is not read again for a node: here it is no more there.
  void nodesNeedTheirOwnBytesOnly() {
    const Copc file;
    const auto tree = treeOf(file.bytes);
    QVERIFY(tree && *tree);
    std::string bytes(file.bytes.size(), '\xff');
    for (const Node& node : file.nodes)
      bytes.replace(node.offset, node.bytes, file.bytes, node.offset, node.bytes);
    const std::string path = folder_.filePath("scan.copc.laz").toStdString();
    const auto time = std::filesystem::last_write_time(path);
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    out.write(bytes.data(), std::streamsize(bytes.size()));
    out.close();
    std::filesystem::last_write_time(path, time);
    std::map<std::uint64_t, const Node*> nodeAt;  // by its first row
    std::uint64_t row = 0;
    for (const Node& node : file.nodes) {
      nodeAt[row] = &node;
      row += node.points.size();
    }
    for (const FileTree::Node& node : (*tree)->nodes()) {
      const auto cloud = (*tree)->read(node);
      QVERIFY2(cloud, messageOf(cloud).c_str());
      const Node& expected = *nodeAt.at(node.firstRow);
      QCOMPARE(cloud->size(), expected.points.size());
      for (std::size_t i = 0; i < cloud->size(); ++i)
        for (std::size_t j = 0; j < 3; ++j)
          QCOMPARE(cloud->columns[j][i], 0.5 * expected.points[i][j]);
    }
  }

  void severalThreadsReadNodes() {
    const Copc file;
    const auto tree = treeOf(file.bytes);
    QVERIFY(tree && *tree);
    const auto sumOf = [](const PointCloud& cloud) {
      return std::accumulate(cloud.columns[0].begin(), cloud.columns[0].end(), 0.0);
    };
    double expected = 0;
    for (const Node& node : file.nodes)
      for (const auto& point : node.points) expected += 0.5 * point[0];
    std::array<double, 4> sums{};
    std::vector<std::thread> threads;
    for (double& sum : sums)
      threads.emplace_back([&] {
        for (const FileTree::Node& node : (*tree)->nodes())
          if (const auto cloud = (*tree)->read(node)) sum += sumOf(*cloud);
      });
    for (std::thread& thread : threads) thread.join();
    for (const double sum : sums) QCOMPARE(sum, expected);
  }

  void aChangedFileIsNotRead_data() {
    QTest::addColumn<int>("change");
    QTest::newRow("deleted") << 0;
    QTest::newRow("cut") << 1;
    QTest::newRow("replaced") << 2;
    QTest::newRow("written over") << 3;
  }
  void aChangedFileIsNotRead() {
    QFETCH(int, change);
    const Copc file;
    const auto tree = treeOf(file.bytes);
    QVERIFY(tree && *tree);
    const QString path = folder_.filePath("scan.copc.laz");
    if (change == 0 || change == 2) QVERIFY(QFile::remove(path));
    if (change == 1) QVERIFY(QFile::resize(path, 1000));
    if (change == 2) QVERIFY(treeOf(Copc(30).bytes));
    if (change == 3) {
      QFile out(path);
      QVERIFY(out.open(QIODevice::ReadWrite));
      out.write(QByteArray(int(file.bytes.size()), '\7'));
      out.close();
      std::filesystem::last_write_time(
          path.toStdString(),
          std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    }
    const auto cloud = (*tree)->read((*tree)->nodes().front());
    QVERIFY(!cloud);
    QCOMPARE(cloud.error().kind, ErrorKind::BadInput);
    const char* const expected = change == 0 ? "is not there any more" : "has changed";
    QVERIFY2(messageOf(cloud).find(expected) != std::string::npos, messageOf(cloud).c_str());
  }

  void othersHaveNoTree() {
    const Copc file;
    ReadOptions options;
    options.coordinates = {"x", "intensity"};
    const auto others = treeOf(file.bytes, options);
    QVERIFY(others && !*others);
    const auto isRefused = [&](std::size_t at, auto value) {
      std::string bytes = file.bytes;
      put(bytes, at, value);
      const auto tree = treeOf(bytes);
      return tree && !*tree;
    };
    QVERIFY(isRefused(file.rootPage + 16, std::uint64_t{0}));
    QVERIFY(isRefused(kInfoAt + 24, 0.0));  // no cube
    QVERIFY(isRefused(kInfoAt + 24, std::numeric_limits<double>::quiet_NaN()));
    // A node is not listed.
    std::size_t node = file.rootPage;
    while (file.bytes[node] >= 2) node += 32;
    QVERIFY(isRefused(node + 28, std::int32_t{0}));
    const auto text = treeOf("x,y\n1,2\n3,4\n");
    QVERIFY(text && !*text);
    QVERIFY(!FileTree::open(folder_.filePath("none").toStdString(), {}, {}));
  }

  void smallFilesAreReadAtOnce() {
    const Copc file;
    QVERIFY(readingOf(file.bytes, 200'000).samples.empty());
  }

  void aDamagedTreeIsLeftOut_data() {
    QTest::addColumn<int>("fault");
    int fault = 0;
    for (const char* name :
         {"no place", "behind the end", "no whole entries", "an absurd size", "a cycle",
          "an absurd number of points", "a negative number", "another chunk", "one chunk twice",
          "a level that is too deep", "a negative level", "a place beyond its level",
          "a page that is cut", "no record that says where it is"})
      QTest::newRow(name) << fault++;
  }

  void aDamagedTreeIsLeftOut() {
    QFETCH(int, fault);
    const Copc file;
    std::string bytes = file.bytes;
    const std::size_t page = file.rootPage;  // its first entry is a page of level 2
    std::size_t node = page;                 // its first entry about a node
    while (bytes[node] >= 2) node += 32;
    switch (fault) {
      case 0: put(bytes, kInfoAt + 40, std::uint64_t{0}); break;
      case 1: put(bytes, kInfoAt + 40, static_cast<std::uint64_t>(bytes.size() - 8)); break;
      case 2: put(bytes, kInfoAt + 48, std::uint64_t{33}); break;
      case 3: put(bytes, kInfoAt + 48, std::uint64_t{1} << 62); break;
      case 4:
        put(bytes, page, std::int32_t{0});
        put(bytes, page + 4, std::int32_t{0});
        put(bytes, page + 8, std::int32_t{0});
        put(bytes, page + 16, static_cast<std::uint64_t>(page));
        put(bytes, page + 24, std::int32_t{32});
        break;
      case 5: put(bytes, node + 28, std::int32_t{0x7fffffff}); break;
      case 6: put(bytes, node + 28, std::int32_t{-2}); break;
      case 7: put(bytes, node + 16, file.nodes[3].offset); break;
      case 8: bytes.replace(node + 32, 32, bytes, node, 32); break;
      case 9: put(bytes, node, std::int32_t{53}); break;
      case 10: put(bytes, node, std::int32_t{-1}); break;
      case 11: put(bytes, node + 4, std::int32_t{2}); break;
      case 12:
        put(bytes, kInfoAt + 48, static_cast<std::uint64_t>(bytes.size() - page + 32));
        break;
      case 13: put(bytes, kHeader + 18, std::uint16_t{2}); break;
      default: break;
    }
    const Reading reading = readingOf(bytes, 204);
    QVERIFY2(reading.dataset, messageOf(reading.dataset).c_str());
    QVERIFY(reading.samples.empty());
    QVERIFY(rowsOfCloud(reading.dataset->cloud) == file.upTo(kLevels - 1));
  }

  void anyDamageIsSurvived() {
    const Copc file(5);
    std::mt19937_64 random(3);
    std::vector<std::size_t> places;
    for (std::size_t at = kHeader; at < kInfoAt + 160; at += 3) places.push_back(at);
    for (std::size_t at = file.pages.begin()->second; at < file.bytes.size(); at += 17)
      places.push_back(at);
    for (const std::size_t at : places) {
      std::string bytes = file.bytes;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 + random() % 255));
      const Reading reading = readingOf(bytes, 80);
      if (!reading.dataset) continue;
      QVERIFY(rowsOfCloud(reading.dataset->cloud) == file.upTo(kLevels - 1));
      for (const PartialRead& sample : reading.samples) QVERIFY(sample.sample->size() > 0);
    }
  }

  void itIsStopped() {
    const Copc file;
    std::stop_source stop;
    stop.request_stop();
    const Reading reading = readingOf(file.bytes, 204, {}, {stop.get_token(), {}});
    QVERIFY(!reading.dataset && reading.dataset.error().kind == ErrorKind::Cancelled);
    QVERIFY(reading.samples.empty());
  }
};

APPLESS_TEST(TestCopc);
#include "tst_copc.moc"
