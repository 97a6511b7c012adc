// Files read by several ranks, each its own rows, and labels written by all of them: the same as
// by one.
#include <QtTest/QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <random>

#include "engine/distributed/check_parts.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/read_parts.h"
#include "engine/io/read.h"
#include "engine/io/write.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

constexpr int kRanks[] = {1, 2, 3, 5, 8};

template <class T>
std::string bytesOf(T value, bool bigEndian = false) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (bigEndian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string npy(const std::string& descr, bool fortran, std::size_t rows, std::size_t columns,
                const std::string& data) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(columns) + "), }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + bytesOf(static_cast<std::uint16_t>(header.size())) +
         header + data;
}

double valueAt(std::size_t row, std::size_t column) {
  return static_cast<double>(row) * 0.25 + static_cast<double>(column) * 1000;
}

// A file of `rows` rows and the columns x, y (and z where the format has one).
std::string fileOf(const std::string& kind, std::size_t rows) {
  std::string data;
  const auto eachRow = [&](const auto& add) {
    for (std::size_t r = 0; r < rows; ++r) add(r);
  };
  if (kind == "npy") {
    eachRow([&](std::size_t r) { data += bytesOf(valueAt(r, 0)) + bytesOf(valueAt(r, 1)); });
    return npy("<f8", false, rows, 2, data);
  }
  if (kind == "npy fortran") {
    for (std::size_t c = 0; c < 2; ++c)
      eachRow([&](std::size_t r) { data += bytesOf(valueAt(r, c)); });
    return npy("<f8", true, rows, 2, data);
  }
  if (kind == "npy big-endian float") {
    eachRow([&](std::size_t r) {
      for (std::size_t c = 0; c < 3; ++c) data += bytesOf(static_cast<float>(valueAt(r, c)), true);
    });
    return npy(">f4", false, rows, 3, data);
  }
  if (kind == "ply" || kind == "ply after faces") {
    const bool faces = kind != "ply";
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    if (faces) header += "element face 2\nproperty list uchar int vertex_indices\n";
    header += "element vertex " + std::to_string(rows) +
              "\nproperty double x\nproperty uchar red\nproperty double y\nend_header\n";
    if (faces)
      for (int f = 0; f < 2; ++f) {
        data += bytesOf(static_cast<std::uint8_t>(f + 1));
        for (int i = 0; i <= f; ++i) data += bytesOf(i);
      }
    eachRow([&](std::size_t r) { data += bytesOf(valueAt(r, 0)) + "r" + bytesOf(valueAt(r, 1)); });
    return header + data;
  }
  if (kind == "ply ascii") {
    eachRow([&](std::size_t r) {
      data += std::to_string(valueAt(r, 0)) + " " + std::to_string(valueAt(r, 1)) + "\n";
    });
    return "ply\nformat ascii 1.0\nelement vertex " + std::to_string(rows) +
           "\nproperty double x\nproperty double y\nend_header\n" + data;
  }
  if (kind == "pcd") {
    eachRow([&](std::size_t r) { data += bytesOf(valueAt(r, 0)) + bytesOf(valueAt(r, 1)); });
    return "VERSION .7\nFIELDS x y\nSIZE 8 8\nTYPE F F\nCOUNT 1 1\nWIDTH " + std::to_string(rows) +
           "\nHEIGHT 1\nPOINTS " + std::to_string(rows) + "\nDATA binary\n" + data;
  }
  if (kind == "las") {
    std::string header(227, '\0');
    const auto put = [&](std::size_t at, const std::string& bytes) {
      header.replace(at, bytes.size(), bytes);
    };
    put(0, "LASF");
    put(24, std::string("\x01\x02", 2));
    put(94, bytesOf(std::uint16_t{227}));
    put(96, bytesOf(std::uint32_t{227}));
    put(105, bytesOf(std::uint16_t{20}));
    put(107, bytesOf(static_cast<std::uint32_t>(rows)));
    for (std::size_t j = 0; j < 3; ++j) put(131 + 8 * j, bytesOf(0.25));
    eachRow([&](std::size_t r) {
      for (std::int32_t j = 0; j < 3; ++j) data += bytesOf(static_cast<std::int32_t>(r) + 4000 * j);
      data += std::string(8, '\0');
    });
    return header + data;
  }
  // Text: lines of very different lengths.
  const std::string end = kind == "text crlf" ? "\r\n" : "\n";
  if (kind == "text header") data = "# a comment" + end + end + "x,y" + end;
  if (kind == "text quoted") data = "name,x,y" + end;
  std::mt19937 random(7);
  eachRow([&](std::size_t r) {
    if (kind == "text header" && r % 5 == 2) data += "# between" + end + end;
    if (kind == "text quoted") data += "\"a " + std::string(r % 3 == 0 ? "\n" : "") + "name\",";
    data += std::to_string(valueAt(r, 0)) + std::string(random() % 20, '0') + "," +
            std::to_string(valueAt(r, 1));
    if (r + 1 < rows || kind != "text no end") data += end;
  });
  return data;
}

struct WholeAgain {
  PointCloud cloud;
  std::vector<std::uint64_t> skipped;
  std::vector<std::vector<double>> skippedValues;  // of the coordinates
  std::vector<Scalar> types;                       // of the coordinates
  std::uint64_t rows = 0;
  std::string note;
};

Result<WholeAgain> readOnRanks(int ranks, const std::string& path, const ReadOptions& options) {
  std::vector<RankPart> parts(static_cast<std::size_t>(ranks));
  const auto done =
      runLocalRanks(ranks, {}, [&](Communicator& c, const Task& task) -> Result<void> {
        auto part = readParts(c, path, options, task);
        if (!part) return tl::unexpected(part.error());
        parts[static_cast<std::size_t>(c.rank())] = std::move(*part);
        return {};
      });
  if (!done) return tl::unexpected(done.error());
  WholeAgain whole;
  for (const RankPart& part : parts) {
    if (part.firstRow != whole.rows) return fail(ErrorKind::BadInput, "wrong first row");
    whole.rows += part.data.inputRows;
    whole.note = part.note;
    whole.cloud.names = part.data.cloud.names;
    whole.cloud.columns.resize(part.data.cloud.dims());
    for (std::size_t j = 0; j < part.data.cloud.dims(); ++j)
      whole.cloud.columns[j].own().insert(whole.cloud.columns[j].own().end(),
                                          part.data.cloud.columns[j].begin(),
                                          part.data.cloud.columns[j].end());
    whole.skipped.insert(whole.skipped.end(), part.data.skippedRows.begin(),
                         part.data.skippedRows.end());
    whole.types = part.data.coordinateTypes;
    whole.skippedValues.resize(part.data.cloud.dims());
    for (std::size_t j = 0; j < part.data.skippedValues.size(); ++j) {
      const auto& values = std::get<std::vector<double>>(part.data.skippedValues[j]);
      whole.skippedValues[j].insert(whole.skippedValues[j].end(), values.begin(), values.end());
    }
  }
  for (const RankPart& part : parts)
    if (part.rowsOfAll != whole.rows || part.skippedOfAll != whole.skipped.size())
      return fail(ErrorKind::BadInput, "wrong sums");
  return whole;
}

}  // namespace

class TestReadParts : public QObject {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void partsMakeTheWhole_data();
  void partsMakeTheWhole();
  void skippedRowsKeepTheirNumbers_data();
  void skippedRowsKeepTheirNumbers();
  void badRowsAreNamed();
  void rowsOfBadPointsAreNamed();
  void raggedLinesAreNamed();
  void differentFilesAreRefused();
  void scalingHasTheSameBits_data();
  void scalingHasTheSameBits();
  void labelsAreWrittenByAll_data();
  void labelsAreWrittenByAll();
  void labelsThatCannotBeWritten();
  void outputStaysWhereARankFails();

 private:
  std::string path(const char* name) const { return (folder_->path() + '/' + name).toStdString(); }
  std::string written(const char* name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string contentOf(const std::string& file) const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  std::unique_ptr<QTemporaryDir> folder_;
};

void TestReadParts::partsMakeTheWhole_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("rows");
  QTest::addColumn<bool>("dealt");
  for (const char* kind :
       {"npy", "npy fortran", "npy big-endian float", "ply", "ply after faces", "ply ascii", "pcd",
        "las", "text", "text header", "text crlf", "text no end", "text quoted"})
    for (const int rows : {1, 3, 7, 5000}) {
      const bool dealt = QString(kind) == "ply ascii" || QString(kind) == "text quoted";
      QTest::addRow("%s, %d", kind, rows) << kind << rows << dealt;
    }
}

void TestReadParts::partsMakeTheWhole() {
  QFETCH(QString, kind);
  QFETCH(int, rows);
  QFETCH(bool, dealt);
  const std::string file =
      written("cloud", fileOf(kind.toStdString(), static_cast<std::size_t>(rows)));
  ReadOptions options;
  const auto expected = readDataset(file, options);
  QVERIFY2(expected, expected ? "" : expected.error().message.c_str());
  QCOMPARE(expected->cloud.size(), static_cast<std::size_t>(rows));
  QCOMPARE(expected->cloud.columns[1][0], valueAt(0, 1));
  for (const int ranks : kRanks) {
    const auto whole = readOnRanks(ranks, file, options);
    QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
    QVERIFY(whole->cloud.columns == expected->cloud.columns);
    QVERIFY(whole->cloud.names == expected->cloud.names);
    QVERIFY(whole->types == expected->coordinateTypes);
    QCOMPARE(whole->rows, expected->inputRows);
    QCOMPARE(!whole->note.empty(), dealt && ranks > 1);
  }
}

void TestReadParts::skippedRowsKeepTheirNumbers_data() {
  QTest::addColumn<QString>("text");
  QString lines;
  for (int r = 0; r < 200; ++r)
    lines +=
        r % 7 == 3 || r < 20 ? QString("%1,nan\n").arg(r) : QString("%1,%2\n").arg(r).arg(r * r);
  QTest::newRow("in parts") << lines;
  QTest::newRow("dealt") << lines + "\"5\",6\n";
}

void TestReadParts::skippedRowsKeepTheirNumbers() {
  QFETCH(QString, text);
  const std::string file = written("cloud.csv", text.toStdString());
  ReadOptions options;
  options.skipNonFinite = true;
  const auto expected = readDataset(file, options);
  QVERIFY(expected && expected->skippedRows.size() > 40);
  for (const int ranks : kRanks) {
    const auto whole = readOnRanks(ranks, file, options);
    QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
    QVERIFY(whole->cloud.columns == expected->cloud.columns);
    QVERIFY(whole->skipped == expected->skippedRows);
    for (std::size_t j = 0; j < 2; ++j) {
      const auto& values = std::get<std::vector<double>>(expected->skippedValues[j]);
      // A NaN equals none.
      QVERIFY(std::ranges::equal(whole->skippedValues[j], values, [](double a, double b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
      }));
    }
  }
  // A file of which nothing is left.
  const auto none = readOnRanks(3, written("none.csv", "1,nan\n2,nan\n3,inf\n4,nan\n"), options);
  QVERIFY(!none);
  QVERIFY2(none.error().message.find("no row is left: each of the 4 rows") != std::string::npos,
           none.error().message.c_str());
}

void TestReadParts::badRowsAreNamed() {
  std::string text;
  for (int r = 0; r < 100; ++r) text += std::to_string(r) + (r == 90 ? ",inf\n" : ",1\n");
  const auto inText = readOnRanks(4, written("cloud.csv", text), {});
  QVERIFY(!inText);
  QCOMPARE(inText.error().kind, ErrorKind::BadInput);
  const QString message = QString::fromStdString(inText.error().message);
  QVERIFY2(message.startsWith("Rank 3 on ") && message.contains("line 91, column 1"),
           qPrintable(message));

  std::string data;
  for (int r = 0; r < 100; ++r) data += bytesOf(1.0) + bytesOf(r == 60 ? std::nan("") : 2.0);
  const auto inNpy = readOnRanks(4, written("cloud.npy", npy("<f8", false, 100, 2, data)), {});
  QVERIFY(!inNpy);
  QVERIFY2(QString::fromStdString(inNpy.error().message).contains("row 60 (counted from 0)"),
           inNpy.error().message.c_str());
}

// Of points that became bad after they were read.
void TestReadParts::rowsOfBadPointsAreNamed() {
  const std::string file = written("cloud.csv", "2,1\nnan,1\n3,nan\n4,1\n5,1\nnan,1\n7,1\n8,1\n");
  ReadOptions options;
  options.skipNonFinite = true;
  const auto checked = [&](bool named) {
    return runLocalRanks(2, {}, [&](Communicator& c, const Task& task) -> Result<void> {
      auto part = readParts(c, file, options, task);
      if (!part) return tl::unexpected(part.error());
      for (double& x : part->data.cloud.columns[0])
        if (x == 7) x = HUGE_VAL;
      return validateParts(c, part->data.cloud, task, named ? rowsOfPart(*part) : RowOfPoint());
    });
  };
  const auto byRow = checked(true);
  QVERIFY(!byRow);
  QVERIFY2(byRow.error().message.find("Row 6 (counted from 0) has a coordinate in dimension") !=
               std::string::npos,
           byRow.error().message.c_str());
  const auto byPoint = checked(false);
  QVERIFY(!byPoint);
  QVERIFY2(
      byPoint.error().message.find("Point 3 has a coordinate in dimension") != std::string::npos,
      byPoint.error().message.c_str());
}

void TestReadParts::raggedLinesAreNamed() {
  std::string text = "# head\nx,y\n";
  for (int r = 0; r < 1000; ++r) text += std::to_string(r) + (r == 700 ? ",1,2\n" : ",1\n");
  for (const int ranks : kRanks) {
    const auto read = readOnRanks(ranks, written("cloud.csv", text), {});
    QVERIFY(!read);
    QVERIFY2(
        QString::fromStdString(read.error().message).contains("line 703 has 3 columns; line 2"),
        read.error().message.c_str());
  }
}

void TestReadParts::differentFilesAreRefused() {
  const std::string one = written("one.csv", "x,y\n1,2\n3,4\n");
  const std::string longer = written("longer.csv", "x,y\n1,2\n3,4\n5,6\n");
  const std::string other = written("other.csv", "x,z\n1,2\n3,4\n");
  for (const std::string& second : {longer, other, path("missing.csv")}) {
    const auto done = runLocalRanks(2, {}, [&](Communicator& c, const Task& task) -> Result<void> {
      const auto part = readParts(c, c.rank() == 0 ? one : second, {}, task);
      if (!part) return tl::unexpected(part.error());
      return {};
    });
    QVERIFY(!done);
    const QString message = QString::fromStdString(done.error().message);
    QVERIFY2(message.startsWith("Rank 1 on "), qPrintable(message));
  }
}

void TestReadParts::scalingHasTheSameBits_data() {
  QTest::addColumn<QString>("scaling");
  for (const char* scaling : {"none", "unit", "zscore", "1,0.3,7"})
    QTest::newRow(scaling) << scaling;
}

void TestReadParts::scalingHasTheSameBits() {
  QFETCH(QString, scaling);
  std::mt19937_64 random(6);
  PointCloud cloud;
  for (std::size_t j = 0; j < 3; ++j) {
    auto& column = cloud.columns.emplace_back(3001);
    for (double& x : column) x = j == 2 ? 5.0 : 4e6 + static_cast<double>(random() >> 40) * 0.013;
    cloud.names.push_back("x");
  }
  const auto choice = parseScalingChoice(scaling.toStdString());
  QVERIFY(choice);
  const auto expected = makeScaling(choice->kind, cloud, choice->factors);
  QVERIFY(expected);
  const PointCloud scaled = applyScaling(cloud, *expected);
  for (const int ranks : kRanks) {
    PointCloud whole;
    whole.columns.resize(3);
    std::vector<PointCloud> parts(static_cast<std::size_t>(ranks));
    const auto done =
        runLocalRanks(ranks, {}, [&](Communicator& c, const Task& task) -> Result<void> {
          PointCloud& part = parts[static_cast<std::size_t>(c.rank())];
          const auto cut = [&](int r) { return cloud.columns[0].begin() + 3001 * r / ranks; };
          for (const auto& column : cloud.columns)
            part.columns.emplace_back(
                column.begin() + (cut(c.rank()) - cloud.columns[0].begin()),
                column.begin() + (cut(c.rank() + 1) - cloud.columns[0].begin()));
          const auto found = scaleParts(c, *choice, part, task);
          if (!found) return tl::unexpected(found.error());
          if (found->factor != expected->factor || found->offset != expected->offset)
            return fail(ErrorKind::BadInput, "other factors");
          return {};
        });
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    for (const PointCloud& part : parts)
      for (std::size_t j = 0; j < 3; ++j)
        whole.columns[j].own().insert(whole.columns[j].own().end(), part.columns[j].begin(),
                                      part.columns[j].end());
    QVERIFY(whole.columns == scaled.columns);
  }
}

void TestReadParts::labelsAreWrittenByAll_data() {
  QTest::addColumn<int>("rows");
  for (const int rows : {1, 6, 1000}) QTest::addRow("%d", rows) << rows;
}

void TestReadParts::labelsAreWrittenByAll() {
  QFETCH(int, rows);
  // Every fourth row is skipped.
  std::string text;
  for (int r = 0; r < rows; ++r) text += std::to_string(r) + (r % 4 == 3 ? ",nan\n" : ",1\n");
  const std::string file = written("cloud.csv", text);
  std::vector<std::int32_t> expected;
  for (int r = 0, label = 0; r < rows; ++r) expected.push_back(r % 4 == 3 ? kSkippedRow : label++);
  const std::string reference = path("expected.npy");
  QVERIFY(writeNpy(reference, expected));
  ReadOptions options;
  options.skipNonFinite = true;
  for (const int ranks : kRanks) {
    const std::string out = path("labels.npy");
    const auto done =
        runLocalRanks(ranks, {}, [&](Communicator& c, const Task& task) -> Result<void> {
          const auto part = readParts(c, file, options, task);
          if (!part) return tl::unexpected(part.error());
          const auto first = firstPointsOfRanks(c, part->data.cloud.size(), task);
          if (!first) return tl::unexpected(first.error());
          std::vector<std::int32_t> labels(part->data.cloud.size());
          std::iota(labels.begin(), labels.end(),
                    static_cast<std::int32_t>((*first)[static_cast<std::size_t>(c.rank())]));
          OutputSet outputs;
          if (auto fine = writeLabelsOfParts(c, outputs, out, *part, labels, task); !fine)
            return fine;
          return outputs.commit();
        });
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    QVERIFY(contentOf(out) == contentOf(reference));
  }
}

void TestReadParts::labelsThatCannotBeWritten() {
  const std::string file = written("cloud.csv", "1,2\n3,4\n5,6\n");
  for (const std::string& out :
       {path("missing/labels.npy"), std::string("/dev/full"), std::string("/proc/labels.npy")}) {
    const auto done = runLocalRanks(3, {}, [&](Communicator& c, const Task& task) -> Result<void> {
      const auto part = readParts(c, file, {}, task);
      if (!part) return tl::unexpected(part.error());
      OutputSet outputs;
      return writeLabelsOfParts(c, outputs, out, *part, std::vector<std::int32_t>(1, 0), task);
    });
    QVERIFY(!done);
    QVERIFY2(done.error().message.find(out) != std::string::npos, done.error().message.c_str());
  }
}

void TestReadParts::outputStaysWhereARankFails() {
  const std::string file = written("cloud.csv", "1,2\n3,4\n5,6\n");
  const std::string out = written("labels.npy", "old");
  const auto done = runLocalRanks(3, {}, [&](Communicator& c, const Task& task) -> Result<void> {
    const auto part = readParts(c, file, {}, task);
    if (!part) return tl::unexpected(part.error());
    if (c.rank() == 2) return fail(ErrorKind::Io, "lost");
    OutputSet outputs;
    if (auto fine =
            writeLabelsOfParts(c, outputs, out, *part, std::vector<std::int32_t>(1, 0), task);
        !fine)
      return fine;
    return outputs.commit();
  });
  QVERIFY(!done);
  QVERIFY(contentOf(out) == "old");
  QCOMPARE(QDir(folder_->path()).entryList(QDir::Files | QDir::Hidden).size(), 2);
}

APPLESS_TEST(TestReadParts);
#include "tst_read_parts.moc"
