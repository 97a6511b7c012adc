// What all formats share: opening, format detection, hashing, memory, progress and cancellation.
#include <tbb/task_arena.h>
#include <xxhash.h>

#include <QTemporaryDir>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/io/input_stream.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "npz_archive.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::messageOf;

namespace {

/// XXH3-128 in one go, in the library's canonical spelling.
std::string oneShotHash(const std::string& bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::string text = "xxh3:";
  char digits[3];
  for (const unsigned char byte : canonical.digest) {
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

/// A source that counts how much is read and can be made to fail or end early.
class OddSource final : public ByteSource {
 public:
  enum class Oddity { Ends, Fails };
  OddSource(std::string bytes, std::uint64_t at, Oddity oddity)
      : bytes_(std::move(bytes)), at_(at), oddity_(oddity) {}
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override {
    if (offset >= at_ && oddity_ == Oddity::Fails)
      return fail(ErrorKind::Io, "odd.csv: the disk is gone");
    const std::uint64_t end = std::min<std::uint64_t>(at_, bytes_.size());
    const std::size_t count =
        offset >= end
            ? 0
            : static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end - offset));
    std::copy_n(bytes_.data() + offset, count, into.data());
    return count;
  }

 private:
  std::string name_ = "odd.csv";
  std::string bytes_;
  std::uint64_t at_;
  Oddity oddity_;
};

/// Zeros, the reading of which is stopped by the first block.
class StoppingSource final : public ByteSource {
 public:
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return std::uint64_t{1} << 30; }
  Result<std::size_t> readAt(std::uint64_t, std::span<char> into) const override {
    stop_.request_stop();
    std::ranges::fill(into, '\0');
    read_ += into.size();
    return into.size();
  }
  Task task() const { return {stop_.get_token(), {}}; }
  std::uint64_t bytesRead() const { return read_; }

 private:
  std::string name_ = "zeros";
  mutable std::stop_source stop_;
  mutable std::atomic<std::uint64_t> read_{0};
};

std::string manyRows(std::size_t rows) {
  std::string text;
  for (std::size_t i = 0; i < rows; ++i)
    text += std::to_string(i) + ".25," + std::to_string(2 * i) + "\n";
  return text;
}

}  // namespace

class TestFiles : public QObject {
  Q_OBJECT

 private slots:
  void cannotOpen();
  void typeByContent();
  void typeByExtension();
  void foreignTypes();
  void binaryRubbish();
  void hashes();
  void diskErrors();
  void progress();
  void partialReads();
  void cancelBefore();
  void cancelInTheMiddle();
  void cancelBlocks();
  void cancelHash();
  void tooLargeForTheMachine();
  void peakMemory();
};

void TestFiles::cannotOpen() {
  const QTemporaryDir folder;
  const std::string base = folder.path().toStdString();
  const auto error = [](const std::string& path) { return readDataset(path).error(); };
  QCOMPARE(error(base + "/none.csv").kind, ErrorKind::Io);
  QCOMPARE(error(base + "/none.csv").message,
           base + "/none.csv: there is no such file. Check the name and the folder.");
  REQUIRE_PART(error(base).message, base + ": is a directory. Choose a file in it.");
  REQUIRE_PART(error("").message, "there is no such file");
  const std::string fifo = base + "/fifo.csv";
  QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
  REQUIRE_PART(error(fifo).message, "is not a regular file");
  REQUIRE_PART(error("/dev/zero").message, "is not a regular file");
  const std::string locked = base + "/locked.csv";
  testing::writeFile(locked, "1,2\n");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (::access(locked.c_str(), R_OK) == 0) {
    // The superuser may read everything: let an ordinary user try.
    const pid_t child = ::fork();
    if (child == 0) {
      std::filesystem::permissions(base, std::filesystem::perms::all);
      const bool dropped = ::setuid(65534) == 0;
      const auto result = readDataset(locked);
      ::_exit(dropped && !result &&
                      testing::has(messageOf(result), "this user may not read the file")
                  ? 0
                  : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    QCOMPARE(status, 0);
  } else {
    REQUIRE_PART(error(locked).message, "this user may not read the file");
  }
  QVERIFY(!previewFile(base + "/none.csv"));
  QVERIFY(!hashFile(base));
}

void TestFiles::typeByContent() {
  const auto formatOf = [](const std::string& bytes, const std::string& name) {
    const auto preview = previewFrom(*memorySource(name, bytes), {}, 1);
    return preview ? toText(preview->format) : messageOf(preview);
  };
  QCOMPARE(formatOf("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
                    "a.csv"),
           std::string("ply"));
  QCOMPARE(formatOf("# .PCD v0.7\nFIELDS x\nSIZE 4\nTYPE F\nPOINTS 1\nDATA ascii\n1\n", "a.csv"),
           std::string("pcd"));
  QCOMPARE(formatOf("# hi\nVERSION 0.7\nFIELDS x\nSIZE 4\nTYPE F\nPOINTS 1\nDATA ascii\n1\n", "a"),
           std::string("pcd"));
  QCOMPARE(formatOf("1,2\n", "a.bin"), std::string("csv"));
  QCOMPARE(formatOf("1,2\n", "noextension"), std::string("csv"));
  QCOMPARE(formatOf("1,2\n", "folder.npy/file"), std::string("csv"));
  // Words that begin like a magic are only words.
  QCOMPARE(formatOf("plywood,x\n1,2\n", "a.csv"), std::string("csv"));
  QCOMPARE(formatOf("FIELDS x\n1 2\n", "a.txt"), std::string("csv"));
}

void TestFiles::typeByExtension() {
  for (const std::string extension : {"npy", "NPY", "ply", "pcd", "las", "laz"}) {
    const auto dataset = testing::readBytes("1,2\n3,4\n", {}, "cloud." + extension);
    QVERIFY2(!dataset, extension.c_str());
    QCOMPARE(dataset.error().kind, ErrorKind::BadInput);
  }
}

void TestFiles::foreignTypes() {
  const auto message = [](const std::string& bytes) {
    return messageOf(testing::readBytes(bytes, {}, "a.csv"));
  };
  REQUIRE_PART(message("PK\x03\x04 and so on"), "a.csv: is a ZIP archive");
  REQUIRE_PART(message("BZh91AY and so on"), "bunzip2 FILE");
  REQUIRE_PART(message("PAR1 and so on"), "pandas.read_parquet");
  REQUIRE_PART(message("ASTM-E57 and so on"), "pdal translate");
  REQUIRE_PART(message("<?xml version=\"1.0\"?><VTKFile/>"), "XML");
  REQUIRE_PART(message("# vtk DataFile Version 3.0\n"), "legacy VTK");
  REQUIRE_PART(message("PK\x03\x04 and xl/workbook.xml"), "pandas.read_excel");
  REQUIRE_PART(message("ARROW1 and so on"), "pandas.read_feather");
  REQUIRE_PART(message("{\n \"x\": [1, 2]}"), "pandas.read_json");
  REQUIRE_PART(message("[{\"x\": 1}]"), "pandas.read_json('FILE')");
  REQUIRE_PART(message("{\"x\": 1}\n{\"x\": 2}\n"), "pandas.read_json('FILE', lines=True)");
  REQUIRE_PART(message("{\"type\": \"FeatureCollection\"}"), "geopandas.read_file");
  REQUIRE_PART(message(std::string("\0\0\x27\x0a\0\0\0\0", 8)), "geopandas.read_file");
  REQUIRE_PART(message("SQLite format 3"), "geopandas.read_file");
  REQUIRE_PART(message("MATLAB 5.0 MAT-file"), "scipy.io.loadmat");
  REQUIRE_PART(message("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "pandas.read_excel");
  REQUIRE_PART(message("<!DOCTYPE html>"), "web page");
}

void TestFiles::binaryRubbish() {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(1 + random() % 3000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    for (const std::string name : {"a.csv", "a.npy", "a.ply", "a.pcd", "a.las", "a"}) {
      const auto dataset = testing::readBytes(bytes, {}, name);
      if (!dataset) QVERIFY(testing::has(messageOf(dataset), name + ": "));
    }
  }
  REQUIRE_PART(messageOf(testing::readBytes(std::string("1,2\n\0\0\0", 7), {}, "a.csv")),
               "is a binary file of an unknown type");
}

void TestFiles::hashes() {
  const QTemporaryDir folder;
  const std::string path = folder.filePath("a.csv").toStdString();
  // Shorter and longer than any block, and with a header that is looked at before it is read.
  for (const std::size_t rows : {1u, 1000u, 200'000u}) {
    const std::string text = "\xEF\xBB\xBF# c\n" + manyRows(rows);
    testing::writeFile(path, text);
    const auto hash = hashFile(path);
    REQUIRE_OK(hash);
    QCOMPARE(*hash, oneShotHash(text));
    const auto dataset = readDataset(path);
    REQUIRE_OK(dataset);
    QCOMPARE(dataset->source.hash, *hash);
    QCOMPARE(dataset->source.path, path);
  }
  testing::writeFile(path, "");
  QCOMPARE(hashFile(path).value(), oneShotHash(""));
  // Bytes after the rows count, too.
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n" +
      std::string(2'000'000, ' ');
  const auto dataset = testing::readBytes(ply, {}, "a.ply");
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->source.hash, oneShotHash(ply));
}

void TestFiles::diskErrors() {
  const std::string text = manyRows(200'000);
  const std::array<std::string, 2> parts{"became shorter while it was read", "the disk is gone"};
  for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{1'000'000}})
    for (const auto oddity : {OddSource::Oddity::Ends, OddSource::Oddity::Fails}) {
      const OddSource source(text, at, oddity);
      const auto dataset = readDatasetFrom(source, {}, {});
      QVERIFY(!dataset);
      QCOMPARE(dataset.error().kind, ErrorKind::Io);
      REQUIRE_PART(messageOf(dataset), parts[static_cast<std::size_t>(oddity)]);
    }
  // In each of the blocks of records that are read at once, and between them.
  const std::string records = testing::npyOf("<f8", "1500000, 2", std::vector<double>(3'000'000));
  for (const std::uint64_t at : {std::uint64_t{1'000'000}, std::uint64_t{1} << 23,
                                 (std::uint64_t{1} << 23) + 700'000, std::uint64_t{20'000'000}})
    for (const auto oddity : {OddSource::Oddity::Ends, OddSource::Oddity::Fails}) {
      const OddSource source(records, at, oddity);
      REQUIRE_PART(messageOf(readDatasetFrom(source, {}, {})),
                   parts[static_cast<std::size_t>(oddity)]);
    }
}

void TestFiles::progress() {
  std::vector<std::pair<std::string, double>> reports;
  Task task;
  task.progress = [&](std::string_view stage, double fraction) {
    reports.emplace_back(stage, fraction);
  };
  const auto dataset = readDatasetFrom(*memorySource("a.csv", manyRows(300'000)), {}, task);
  REQUIRE_OK(dataset);
  QVERIFY(reports.size() > 5);
  QCOMPARE(reports.front().first, std::string("counting"));
  QCOMPARE(reports.back(), (std::pair<std::string, double>{"reading", 1.0}));
  for (std::size_t i = 1; i < reports.size(); ++i)
    if (reports[i].first == reports[i - 1].first)
      QVERIFY(reports[i].second >= reports[i - 1].second);
}

/// Samples while a file is read: one row of every k so far, in order; the whole is as without.
void TestFiles::partialReads() {
  const std::string text = manyRows(300'000);
  const auto whole = readDatasetFrom(*memorySource("a.csv", text), {}, {});
  REQUIRE_OK(whole);
  std::vector<PartialRead> reads;
  PartialReads partial;
  partial.deliver = [&](const PartialRead& read) { reads.push_back(read); };
  partial.points = 1000;
  partial.interval = {};
  for (int turn = 0; turn < 20 && reads.size() <= 2; ++turn) {  // fewer where one takes long
    reads.clear();
    Result<Dataset> dataset;
    tbb::task_arena(2).execute([&] {  // more threads take more rows at once
      dataset = readDatasetFrom(*memorySource("a.csv", text), {}, {}, partial);
    });
    REQUIRE_OK(dataset);
    QCOMPARE(dataset->cloud.columns, whole->cloud.columns);
  }
  QVERIFY(reads.size() > 2);
  std::uint64_t before = 0;
  for (const PartialRead& read : reads) {
    QCOMPARE(read.rows, std::uint64_t{300'000});
    QVERIFY(read.rowsRead > before && read.rowsRead < read.rows);
    before = read.rowsRead;
    QCOMPARE(read.sample->dims(), whole->cloud.dims());
    QVERIFY(read.sample->size() > 0 && read.sample->size() <= 1001);
    const std::size_t stride = 300'000 / 1001 + 1;
    QVERIFY(read.sample->size() >= read.rowsRead / stride);
    QVERIFY(read.sample->size() <= read.rowsRead / stride + 1);
    for (std::size_t i = 0; i < read.sample->size(); ++i) {
      const auto isSampled = [&](std::size_t row) {
        for (std::size_t j = 0; j < whole->cloud.dims(); ++j)
          if (read.sample->columns[j][i] != whole->cloud.columns[j][row]) return false;
        return true;
      };
      bool found = false;
      for (std::size_t row = i * stride; row < (i + 1) * stride && row < read.rowsRead; ++row)
        found = found || isSampled(row);
      QVERIFY(found);
    }
  }
  // A limit on the coordinates takes fewer points; a file that is read at once gives none.
  reads.clear();
  partial.values = 100;
  tbb::task_arena(2).execute(
      [&] { REQUIRE_OK(readDatasetFrom(*memorySource("a.csv", text), {}, {}, partial)); });
  QVERIFY(!reads.empty() && reads.back().sample->size() <= 101);
  reads.clear();
  partial.interval = std::chrono::hours(1);
  REQUIRE_OK(readDatasetFrom(*memorySource("a.csv", text), {}, {}, partial));
  QVERIFY(reads.empty());
}

void TestFiles::cancelBefore() {
  std::stop_source stop;
  stop.request_stop();
  const std::string text = "1,2\n";
  const auto dataset = readDatasetFrom(*memorySource("a.csv", text), {}, {stop.get_token(), {}});
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::Cancelled);
}

void TestFiles::cancelInTheMiddle() {
  // Asked to stop at the first, a middle and a late report; the call ends within 100 ms of it.
  const std::string text = manyRows(1'000'000);
  for (const double when : {0.0, 0.5, 0.9})
    for (const std::string stage : {"counting", "reading"}) {
      std::stop_source stop;
      std::clock_t asked{};  // processor time: what is still done, whatever else the machine does
      Task task{stop.get_token(), [&](std::string_view at, double fraction) {
                  if (at != stage || fraction < when || stop.stop_requested()) return;
                  asked = std::clock();
                  stop.request_stop();
                }};
      const auto dataset = readDatasetFrom(*memorySource("a.csv", text), {}, task);
      const double took = double(std::clock() - asked) / CLOCKS_PER_SEC;
      QVERIFY(!dataset);
      QCOMPARE(dataset.error().kind, ErrorKind::Cancelled);
      QVERIFY2(took < 0.1, std::to_string(took).c_str());
    }
}

/// However much is wanted, a stop is seen after a block of each thread.
void TestFiles::cancelBlocks() {
  const StoppingSource source;
  const Task task = source.task();
  InputStream in(source, task, "reading", nullptr, InputStream::Content::AsStored);
  const auto filled = in.fill(std::size_t{8} << 20);
  QVERIFY(!filled);
  QCOMPARE(filled.error().kind, ErrorKind::Cancelled);
  const auto threads = std::uint64_t(tbb::this_task_arena::max_concurrency());
  QVERIFY(source.bytesRead() <= threads * (std::uint64_t{512} << 10));
}

void TestFiles::cancelHash() {
  const QTemporaryDir folder;
  const std::string path = folder.filePath("a.csv").toStdString();
  testing::writeFile(path, manyRows(300'000));
  std::stop_source stop;
  Task task{stop.get_token(), [&](std::string_view, double) { stop.request_stop(); }};
  const auto hash = hashFile(path, task);
  QVERIFY(!hash);
  QCOMPARE(hash.error().kind, ErrorKind::Cancelled);
}

void TestFiles::tooLargeForTheMachine() {
  // A sparse file: as long as its header says, and larger than the memory.
  const QTemporaryDir folder;
  const std::string path = folder.filePath("a.npy").toStdString();
  constexpr std::uint64_t rows = 2'000'000'000;
  constexpr std::uint64_t columns = 128;
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2000000000, 128), }";
  header.resize(117, ' ');
  header += '\n';
  testing::writeFile(path, std::string("\x93NUMPY\x01\0\x76\0", 10) + header);
  std::error_code error;
  std::filesystem::resize_file(path, 128 + rows * columns, error);
  if (error) QSKIP("this file system has no room for a file with holes");
  const auto dataset = readDataset(path);
  QVERIFY(!dataset);
  QCOMPARE(dataset.error().kind, ErrorKind::TooLarge);
  REQUIRE_PART(messageOf(dataset), "2000000000 rows of 128 columns need 2.8 TiB of memory; ");
  REQUIRE_PART(messageOf(dataset), "are free");
}

void TestFiles::peakMemory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  QSKIP("sanitizers keep memory of their own");
#endif
  // In children of their own: what a reader takes at its peak, beyond what the process had before,
  // is at most half the data set on top of it.
  const QTemporaryDir folder;
  const std::string csv = folder.filePath("a.csv").toStdString();
  const std::string npy = folder.filePath("a.npy").toStdString();
  const std::string ply = folder.filePath("a.ply").toStdString();
  {
    Dataset dataset;
    dataset.cloud.names = {"x", "y", "z"};
    dataset.cloud.columns.resize(3, std::vector<double>(1'000'000));
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 1'000'000; ++i)
        dataset.cloud.columns[j][i] = static_cast<double>(i * (j + 1)) / 7;
    for (const std::string& path : {csv, npy, ply}) REQUIRE_OK(writeDataset(path, dataset));
  }
  const auto peakKib = [](const std::string& path) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (path.empty()) ::_exit(0);
      ::_exit(readDataset(path).has_value() ? 0 : 1);
    }
    int status = -1;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    return status == 0 ? usage.ru_maxrss : -1;
  };
  constexpr long dataKib = 3L * 8 * 1'000'000 / 1024;
  const long before = peakKib("");
  QVERIFY(before > 0);
  for (const std::string& path : {csv, npy, ply}) {
    const long peak = peakKib(path);
    QVERIFY(peak > 0);
    QVERIFY2(peak - before <= dataKib * 3 / 2,
             (path + ": " + std::to_string(peak - before) + " KiB for " + std::to_string(dataKib))
                 .c_str());
  }
}

APPLESS_TEST(TestFiles);
#include "tst_files.moc"
