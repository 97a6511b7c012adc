// Files of every format inside gzip and zstd. What was packed by zlib and libzstd themselves is
// read here, and what the program packed is unpacked by them.
#include <zlib.h>
#include <zstd.h>

#include <QTest>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>

#include "engine/io/byte_source.h"
#include "engine/io/hasher.h"
#include "engine/io/input_stream.h"
#include "engine/io/output_set.h"
#include "engine/io/packing/packing.h"
#include "engine/io/read_part.h"
#include "engine/io/write.h"
#include "gzipped.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

std::string gunzipped(const std::string& bytes, std::size_t size) {
  z_stream stream{};
  std::string out(size, '\0');
  if (::inflateInit2(&stream, 31) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = ::inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  ::inflateEnd(&stream);
  return whole ? out : "not whole";
}

std::string zstdPacked(const std::string& bytes) {
  std::string out(::ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ::ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3);
  if (::ZSTD_isError(size) != 0) return {};
  out.resize(size);
  return out;
}

std::string zstdUnpacked(const std::string& bytes, std::size_t size) {
  std::string out(size, '\0');
  const std::size_t got = ::ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  return got == size ? out : "not whole";
}

std::string packed(Packing packing, const std::string& bytes) {
  return packing == Packing::Gzip ? gzipped(bytes) : zstdPacked(bytes);
}

/// A cloud that is larger, unpacked, than the blocks in which files are unpacked.
Dataset largeDataset(std::size_t points) {
  Dataset dataset;
  std::mt19937_64 random(3);
  for (std::size_t j = 0; j < 3; ++j) {
    auto& column = dataset.cloud.columns.emplace_back(points);
    for (double& x : column) x = static_cast<double>(random() >> 11) * 0x1p-53;
    dataset.cloud.names.push_back(std::string(1, static_cast<char>('x' + j)));
  }
  Attribute height{"height", std::vector<double>(points)};
  for (std::size_t i = 0; i < points; ++i)
    std::get<std::vector<double>>(height.values)[i] = static_cast<double>(i) / 7;
  dataset.attributes.push_back(std::move(height));
  dataset.inputRows = points;
  return dataset;
}

Clustering labelsFor(const Dataset& dataset) {
  Clustering clustering;
  for (std::size_t i = 0; i < dataset.cloud.size(); ++i) {
    clustering.labels.push_back(static_cast<std::int32_t>(i % 5) - 1);
    clustering.roles.push_back(i % 5 == 0 ? PointRole::Noise : PointRole::Core);
  }
  clustering.clusters = 4;
  return clustering;
}

/// Bytes that count how many of them are read.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(std::string bytes) : bytes_(std::move(bytes)) {}
  const std::string& name() const override { return source_->name(); }
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override {
    auto got = source_->readAt(offset, into);
    read_ += *got;
    return got;
  }
  /// Since the last call.
  std::uint64_t takeBytesRead() const { return read_.exchange(0); }

 private:
  std::string bytes_;
  std::unique_ptr<ByteSource> source_ = memorySource("counted.csv", bytes_);
  mutable std::atomic<std::uint64_t> read_{0};
};

void requireSameCloud(const Dataset& a, const Dataset& b) {
  QCOMPARE(a.cloud.names, b.cloud.names);
  for (std::size_t j = 0; j < a.cloud.dims(); ++j)
    QVERIFY(sameBits(a.cloud.columns[j], b.cloud.columns[j]));
  QCOMPARE(a.attributes.size(), b.attributes.size());
}

}  // namespace

class TestPackedFiles : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void names();
  void everyFormatIsReadAsUnpacked_data();
  void everyFormatIsReadAsUnpacked();
  void writtenFilesUnpackToThePlainOnes_data();
  void writtenFilesUnpackToThePlainOnes();
  void membersFollowEachOther();
  void paddingAndStrayBytes();
  void cutShortAnywhere_data();
  void cutShortAnywhere();
  void damage();
  void emptyAndTwice();
  void windowsAreBounded();
  void previewsAndParts();
  void memoryStaysSmall();
  void textIsReadAsUnpacked_data();
  void textIsReadAsUnpacked();
  void textIsUnpackedOnce_data();
  void textIsUnpackedOnce();
  void progressAndStop_data();
  void progressAndStop();
  void textStopsWhileItIsUnpacked();
  void stoppedWhileWriting();
  void fullDisk();
  void sharedFilesAreRefused();
};

void TestPackedFiles::names() {
  QCOMPARE(packingOfName("a.csv.gz"), Packing::Gzip);
  QCOMPARE(packingOfName("a.PLY.ZST"), Packing::Zstd);
  QCOMPARE(packingOfName("gz"), Packing::None);
  QCOMPARE(packingOfName(".gz"), Packing::None);
  QCOMPARE(withoutPacking("b/a.csv.gz"), std::string_view("b/a.csv"));
  QCOMPARE(withoutPacking("b/a.csv"), std::string_view("b/a.csv"));
}

void TestPackedFiles::everyFormatIsReadAsUnpacked_data() {
  QTest::addColumn<QString>("name");
  for (const char* const name : {"c.csv", "c.npy", "c.ply"}) QTest::newRow(name) << name;
}

void TestPackedFiles::everyFormatIsReadAsUnpacked() {
  QFETCH(QString, name);
  const std::string plain = at(name.toStdString());
  const Dataset dataset = largeDataset(60'000);
  REQUIRE_OK(writeDataset(plain, dataset));
  const auto expected = readDataset(plain);
  REQUIRE_OK(expected);
  const std::string bytes = readFile(plain);
  QVERIFY(bytes.size() > std::size_t{1400} << 10);  // a thread unpacks a part of it
  for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
    // The name says nothing of the format: content decides.
    const std::string path = at("packed");
    writeFile(path, packed(packing, bytes));
    const auto read = readDataset(path);
    REQUIRE_OK(read);
    requireSameCloud(*read, *expected);
    QCOMPARE(read->source.format, expected->source.format);
    const auto hash = hashFile(path);
    REQUIRE_OK(hash);
    QCOMPARE(read->source.hash, *hash);
    QVERIFY(*hash != expected->source.hash);
  }
}

void TestPackedFiles::writtenFilesUnpackToThePlainOnes_data() {
  QTest::addColumn<QString>("extension");
  for (const char* const name : {".csv", ".npy", ".ply", ".vtp"}) QTest::newRow(name) << name;
}

void TestPackedFiles::writtenFilesUnpackToThePlainOnes() {
  QFETCH(QString, extension);
  const std::string plain = at("out" + extension.toStdString());
  const Dataset dataset = largeDataset(40'000);
  const Clustering clustering = labelsFor(dataset);
  REQUIRE_OK(writeLabelled(plain, dataset, clustering, {}));
  const std::string bytes = readFile(plain);
  REQUIRE_OK(writeLabelled(plain + ".gz", dataset, clustering, {}));
  REQUIRE_OK(writeLabelled(plain + ".ZST", dataset, clustering, {}));
  const std::string gz = readFile(plain + ".gz");
  const std::string zst = readFile(plain + ".ZST");
  QVERIFY(gz.size() < bytes.size() && zst.size() < bytes.size());
  QVERIFY(gunzipped(gz, bytes.size()) == bytes);
  QVERIFY(zstdUnpacked(zst, bytes.size()) == bytes);
  // No time and no name is in them.
  REQUIRE_OK(writeLabelled(at("again" + extension.toStdString() + ".gz"), dataset, clustering, {}));
  QVERIFY(readFile(at("again" + extension.toStdString() + ".gz")) == gz);
}

void TestPackedFiles::membersFollowEachOther() {
  const std::string a = "x,y\n1,2\n";
  const std::string b = "3,4\n5,";
  const std::string c = "6";  // no line end
  for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
    const auto read = readBytes(packed(packing, a) + packed(packing, b) + packed(packing, "") +
                                packed(packing, c));
    REQUIRE_OK(read);
    QCOMPARE(read->cloud.columns[0], (std::vector<double>{1, 3, 5}));
    QCOMPARE(read->cloud.columns[1], (std::vector<double>{2, 4, 6}));
  }
  // Frames that decoders skip, before and after.
  std::string skipped(
      "\x53\x2a\x4d\x18\x03\x00\x00\x00"
      "abc",
      11);
  const auto read = readBytes(skipped + zstdPacked(a) + skipped);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.size(), 1u);
}

void TestPackedFiles::paddingAndStrayBytes() {
  const std::string good = gzipped("x,y\n1,2\n");
  REQUIRE_OK(readBytes(good + std::string(100'000, '\0')));
  REQUIRE_PART(messageOf(readBytes(good + "stray")), "other bytes follow the end");
  REQUIRE_PART(messageOf(readBytes(good + std::string(9, '\0') + good)), "other bytes follow");
  REQUIRE_PART(messageOf(readBytes(zstdPacked("x,y\n1,2\n") + "stray")), "other bytes follow");
}

void TestPackedFiles::cutShortAnywhere_data() {
  QTest::addColumn<int>("packing");
  QTest::newRow("gzip") << int(Packing::Gzip);
  QTest::newRow("zstd") << int(Packing::Zstd);
}

void TestPackedFiles::cutShortAnywhere() {
  QFETCH(int, packing);
  std::string text = "x,y\n";
  for (int i = 0; i < 200; ++i) text += std::to_string(i * i) + "," + std::to_string(i % 17) + "\n";
  const std::string whole = packed(Packing(packing), text);
  REQUIRE_OK(readBytes(whole));
  for (std::size_t size = 4; size < whole.size(); ++size) {
    const auto read = readBytes(whole.substr(0, size));
    QVERIFY2(!read, std::to_string(size).c_str());
    QCOMPARE(read.error().kind, ErrorKind::BadInput);
    REQUIRE_PART(read.error().message, "ends after " + std::to_string(size) + " bytes");
    REQUIRE_PART(read.error().message, "copy it again");
  }
  // Whoever asks again is told the same.
  std::string wide = "name_of_column_0";
  for (int i = 1; i < 3000; ++i) wide += ",a_name_of_column_" + std::to_string(i * 7919);
  const std::string one = packed(Packing(packing), wide + "\n" + std::string(6000, '1') + "\n");
  REQUIRE_PART(messageOf(readBytes(one.substr(0, one.size() / 2))), "copy it again");
}

void TestPackedFiles::damage() {
  std::string text = "x,y\n";
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919 % 10007) + ",1\n";
  for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
    std::string bytes = packed(packing, text);
    // The checksum at the end of gzip finds every change; zstd packed without one is changed where
    // its structure suffers.
    bytes[packing == Packing::Gzip ? bytes.size() - 6 : 7] ^= 0x55;
    const auto read = readBytes(bytes);
    QVERIFY(!read);
    QCOMPARE(read.error().kind, ErrorKind::BadInput);
    REQUIRE_PART(read.error().message, "is damaged near byte ");
  }
}

void TestPackedFiles::emptyAndTwice() {
  REQUIRE_PART(messageOf(readBytes(gzipped(""))), "unpacks to nothing");
  REQUIRE_PART(messageOf(readBytes(zstdPacked(""))), "unpacks to nothing");
  REQUIRE_PART(messageOf(readBytes(gzipped(gzipped("x\n1\n")))), "compressed twice");
  REQUIRE_PART(messageOf(readBytes(gzipped(zstdPacked("x\n1\n")))), "compressed twice");
}

void TestPackedFiles::windowsAreBounded() {
  std::string out(1024, '\0');
  ZSTD_CCtx* const context = ::ZSTD_createCCtx();
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 30);
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  const std::string text = "x,y\n1,2\n";
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer written{out.data(), out.size(), 0};
  ::ZSTD_compressStream2(context, &written, &in, ZSTD_e_flush);
  QCOMPARE(::ZSTD_compressStream2(context, &written, &in, ZSTD_e_end), std::size_t{0});
  ::ZSTD_freeCCtx(context);
  out.resize(written.pos);
  REQUIRE_PART(messageOf(readBytes(out)), "unzstd --long=31");
}

void TestPackedFiles::previewsAndParts() {
  const std::string plain = at("p.csv");
  const Dataset dataset = largeDataset(60'000);
  REQUIRE_OK(writeDataset(plain, dataset));
  REQUIRE_OK(writeDataset(plain + ".gz", dataset));
  const auto preview = previewFile(plain + ".gz");
  REQUIRE_OK(preview);
  QCOMPARE(preview->rows, previewFile(plain)->rows);
  QCOMPARE(preview->fileBytes, readFile(plain + ".gz").size());
  QVERIFY(!preview->rowsExact);
  // An estimate from the first rows.
  QVERIFY(preview->rowEstimate > 40'000 && preview->rowEstimate < 90'000);

  const auto one = openFilePart(plain + ".gz", {}, 0, 1, {});
  REQUIRE_OK(one);
  QCOMPARE((*one)->rows(), 60'000u);
  const auto rows = (*one)->read(0, 0, {});
  REQUIRE_OK(rows);
  QVERIFY(sameBits(rows->cloud.columns[2], dataset.cloud.columns[2]));
  const auto part = openFilePart(plain + ".gz", {}, 1, 3, {});
  REQUIRE_OK(part);
  QCOMPARE((*part)->obstacle(), std::string("is compressed"));
  QCOMPARE((*part)->names(), (std::vector<std::string>{"x", "y", "z", "height"}));
}

void TestPackedFiles::memoryStaysSmall() {
  // A few KiB that unpack to 2 GB of one line: refused after 16 MiB of it.
  const std::string million(std::size_t{1} << 20, '7');
  const std::string member = zstdPacked(million);
  std::string bomb;
  for (int i = 0; i < 2000; ++i) bomb += member;
  QVERIFY(bomb.size() < std::size_t{256} << 10);
  REQUIRE_PART(messageOf(readBytes(bomb)), "longer than 16 MiB");
  // A header inside that promises more rows than memory: nothing is allocated for them.
  std::string npy("\x93NUMPY\x01\x00\x76\x00", 10);
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2000000000, 100), }";
  header.resize(0x76, ' ');
  ReadOptions options;
  options.memoryLimit = std::uint64_t{1} << 20;
  const auto read =
      readBytes(gzipped(npy + header + std::string(std::size_t{3} << 20, '\1')), options);
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::TooLarge);
  // Rows that take more memory than their text are refused as those of uncompressed text.
  std::string cells = "x,y,word\n";
  for (int i = 0; i < 1000; ++i) cells += "1,2,w" + std::to_string(i) + "\n";
  options.memoryLimit = 4 * cells.size();
  const auto refused = readBytes(gzipped(cells), options);
  QVERIFY(!refused);
  QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
  QCOMPARE(refused.error().message, messageOf(readBytes(cells, options)));
  // More than there is, as the length of a record may promise.
  const std::string short_ = at("short.gz");
  writeFile(short_, gzipped("abc"));
  const auto source = openFile(short_);
  REQUIRE_OK(source);
  const Task task;
  InputStream in(**source, task, "reading");
  const auto filled = in.fill(std::size_t{1} << 45);
  QVERIFY(filled && !*filled);
  QCOMPARE(in.available(), std::size_t{3});
}

void TestPackedFiles::textIsReadAsUnpacked_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("quotes") << QByteArray("x,y,word\n1,2,\"a\nb\"\n\"3\",4,\"c \"\"d\"\"\"\n");
  QTest::newRow("a quote that is never closed") << QByteArray("x,y\n1,2\n3,\"4\n5,6\n");
  QTest::newRow("CRLF") << QByteArray("x,y\r\n1,2\r\n3,4\r\n");
  QTest::newRow("no line end at the end") << QByteArray("# lines\nx,y\n1,2\n\n3,4");
  QTest::newRow("names only") << QByteArray("x,y\n");
  QTest::newRow("ragged") << QByteArray("x,y\n1,2\n3\n");
  QByteArray late("x,y\n");
  for (int i = 0; i < 200'000; ++i) late += "1.5," + QByteArray::number(i) + "\n";
  QTest::newRow("a word after megabytes") << late + "2,word\n3,4\n";
  QTest::newRow("no row after megabytes") << "x,y\n" + QByteArray(3'000'000, '\n');
}

void TestPackedFiles::textIsReadAsUnpacked() {
  QFETCH(QByteArray, text);
  const std::string bytes = text.toStdString();
  ReadOptions options;
  if (bytes.find("word") == std::string::npos) options.coordinates = {"x", "y"};
  const auto expected = readBytes(bytes, options);
  for (const Packing packing : {Packing::Gzip, Packing::Zstd}) {
    const std::string stored = packed(packing, bytes);
    const auto read = readBytes(stored, options);
    QCOMPARE(messageOf(read), messageOf(expected));
    if (!read) continue;
    requireSameCloud(*read, *expected);
    Hasher hasher;
    hasher.add(stored.data(), stored.size());
    QCOMPARE(read->source.hash, hasher.text());
  }
}

void TestPackedFiles::textIsUnpackedOnce_data() { cutShortAnywhere_data(); }

void TestPackedFiles::textIsUnpackedOnce() {
  QFETCH(int, packing);
  const std::string plain = at("once.csv");
  REQUIRE_OK(writeDataset(plain, largeDataset(60'000)));
  const auto expected = readDataset(plain);
  REQUIRE_OK(expected);
  const std::string text = readFile(plain);
  const CountingSource source(packed(Packing(packing), text));
  const auto read = readDatasetFrom(source, {}, {});
  REQUIRE_OK(read);
  requireSameCloud(*read, *expected);
  // The format and the columns are found in its beginning.
  QVERIFY(source.takeBytesRead() < source.size() * 3 / 2);
  // Content that would take more than a quarter of the memory does not stay there.
  ReadOptions options;
  options.memoryLimit = 3 * text.size();
  const auto streamed = readDatasetFrom(source, options, {});
  REQUIRE_OK(streamed);
  requireSameCloud(*streamed, *expected);
  QCOMPARE(streamed->source.hash, read->source.hash);
  QVERIFY(source.takeBytesRead() > source.size() * 2);
}

void TestPackedFiles::progressAndStop_data() { cutShortAnywhere_data(); }

void TestPackedFiles::progressAndStop() {
  QFETCH(int, packing);
  const std::string plain = at("s.npy");
  REQUIRE_OK(writeDataset(plain, largeDataset(300'000)));
  const std::string path = at("s.packed");
  writeFile(path, packed(Packing(packing), readFile(plain)));
  Task task;
  std::vector<double> seen;
  task.progress = [&](std::string_view, double fraction) { seen.push_back(fraction); };
  REQUIRE_OK(readDataset(path, {}, task));
  QVERIFY(seen.size() > 5);
  QVERIFY(std::is_sorted(seen.begin(), seen.end()));
  QVERIFY(seen.back() <= 1 && seen.back() > 0.9);

  std::stop_source stop;
  task.stop = stop.get_token();
  int reports = 0;
  task.progress = [&](std::string_view, double) {
    if (++reports == 3) stop.request_stop();
  };
  const auto read = readDataset(path, {}, task);
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::Cancelled);
  QCOMPARE(reports, 3);
}

void TestPackedFiles::textStopsWhileItIsUnpacked() {
  const std::string plain = at("s.csv");
  REQUIRE_OK(writeDataset(plain, largeDataset(60'000)));
  const std::string bytes = gzipped(readFile(plain));
  const auto source = memorySource("s.csv.gz", bytes);
  Task task;
  std::vector<double> seen;
  task.progress = [&](std::string_view stage, double fraction) {
    if (stage == "unpacking") seen.push_back(fraction);
  };
  REQUIRE_OK(readDatasetFrom(*source, {}, task));
  QVERIFY(seen.size() > 5);
  QVERIFY(std::is_sorted(seen.begin(), seen.end()));
  QVERIFY(seen.back() <= 1 && seen.back() > 0.9);

  std::stop_source stop;
  task.stop = stop.get_token();
  int reports = 0;
  task.progress = [&](std::string_view stage, double) {
    if (stage == "unpacking" || reports > 0) ++reports;
    if (reports == 3) stop.request_stop();
  };
  const auto read = readDatasetFrom(*source, {}, task);
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::Cancelled);
  QCOMPARE(reports, 3);
}

void TestPackedFiles::stoppedWhileWriting() {
  const std::string path = at("kept.npy.gz");
  writeFile(path, "old");
  Task task;
  std::stop_source stop;
  task.stop = stop.get_token();
  task.progress = [&](std::string_view, double fraction) {
    if (fraction > 0) stop.request_stop();
  };
  const Dataset dataset = largeDataset(700'000);  // labels of several blocks
  const auto done = writeLabelled(path, dataset, labelsFor(dataset), {}, task);
  QVERIFY(!done);
  QCOMPARE(done.error().kind, ErrorKind::Cancelled);
  QCOMPARE(readFile(path), std::string("old"));
}

void TestPackedFiles::fullDisk() {
  // What cannot be written is an error of the file, also where only the end does not fit.
  OutputSet outputs;
  const auto done = outputs.prepare("/dev/full", [](std::ostream& out) -> Result<void> {
    out << "text";
    return {};
  });
  QVERIFY(!done);
  REQUIRE_PART(done.error().message, "the disk is full");
  std::filesystem::create_symlink("/dev/full", at("full.csv.gz"));
  const auto linked =
      writeLabelled(at("full.csv.gz"), largeDataset(10), labelsFor(largeDataset(10)), {});
  QVERIFY(!linked);
  REQUIRE_PART(linked.error().message, "the disk is full");
}

void TestPackedFiles::sharedFilesAreRefused() {
  OutputSet outputs;
  const auto done = outputs.prepareShared(at("shared.npy.gz"), 10,
                                          [](const std::string&) -> Result<void> { return {}; });
  QVERIFY(!done);
  QCOMPARE(done.error().kind, ErrorKind::BadCall);
}

GUILESS_TEST(TestPackedFiles);
#include "tst_packed_files.moc"
