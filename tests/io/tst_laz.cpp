// Compressed LAS: files of other programs, round trips through many chunks, and damage. The round
// trips of every point format are in tst_write_las.
#include <fcntl.h>
#include <sys/stat.h>

#include <QDir>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <thread>

#include "engine/cloud/las_origin.h"
#include "engine/io/read_part.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

std::string corpus(const std::string& name) {
  return std::string(CLUSTERLOOM_SOURCE_DIR "/tests/fuzz/corpus/") + name;
}

std::shared_ptr<const std::vector<double>> find(const Dataset& dataset, const std::string& name) {
  for (std::size_t a = 0; a < dataset.attributes.size(); ++a)
    if (dataset.attributes[a].name == name) return doublesOf(nullptr, dataset.attributes[a].values);
  return nullptr;
}

void compare(const Dataset& a, const Dataset& b) {
  QCOMPARE(a.cloud.dims(), b.cloud.dims());
  for (std::size_t j = 0; j < a.cloud.dims(); ++j)
    QVERIFY(sameBits(a.cloud.columns[j], b.cloud.columns[j]));
  QCOMPARE(a.attributes.size(), b.attributes.size());
  for (std::size_t c = 0; c < a.attributes.size(); ++c) {
    QCOMPARE(a.attributes[c].name, b.attributes[c].name);
    QVERIFY(sameBits(numbersOf(a, c), numbersOf(b, c)));
  }
}

/// Some chunks of points as a scanner gives them, in old or new point format.
Dataset scan(std::size_t points, int pointFormat) {
  Dataset dataset;
  std::mt19937_64 random(points);
  auto origin = std::make_shared<LasOrigin>();
  origin->minor = 4;
  origin->pointFormat = pointFormat;
  origin->scale = {0.01, 0.01, 0.01};
  origin->guid.assign(16, '\0');
  origin->system.assign(32, '\0');
  dataset.las = origin;
  dataset.cloud.names = {"x", "y", "z"};
  dataset.cloud.columns.resize(3);
  for (const char* const name : {"intensity", "classification", "return_number",
                                 "number_of_returns", "user_data", "gps_time", "red"})
    dataset.attributes.push_back({name, std::vector<double>()});
  const auto add = [&](std::size_t a, double value) {
    std::get<std::vector<double>>(dataset.attributes[a].values).push_back(value);
  };
  std::array<std::int64_t, 3> at{};
  double time = 1e8;
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      at[j] += static_cast<std::int64_t>(random() % 201) - 100;
      dataset.cloud.columns[j].push_back(static_cast<double>(at[j]) * 0.01 + 0.0);
    }
    add(0, static_cast<double>(random() % 4096));
    add(1, static_cast<double>(random() % 3));
    const std::size_t returns = 1 + i / 5 % 3;
    add(2, static_cast<double>(1 + i % returns));
    add(3, static_cast<double>(returns));
    add(4, 0);
    if (i % 3 == 0) time += 1e-5;
    if (i % 40'000 == 17) time += 1e6;
    add(5, time);
    add(6, static_cast<double>(256 * (random() % 256)));
  }
  dataset.inputRows = points;
  return dataset;
}

}  // namespace

class TestLaz : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void filesOfOthers_data();
  void filesOfOthers();
  void manyChunks_data();
  void manyChunks();
  void aPartOfTheRows();
  void stopped();
  void throughAPipe();
  void compressedTwice();
  void wrongFigures();
  void damage_data();
  void damage();
};

void TestLaz::filesOfOthers_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("format");
  for (const int format : {0, 1, 3, 5, 6, 7, 8, 10})
    QTest::addRow("format %d", format) << QStringLiteral("laz/format-%1.laz").arg(format) << format;
  QTest::newRow("chunks of several sizes") << QStringLiteral("copc/chunks.laz") << 7;
}

/// The files were written by LASzip 3.5 and lazrs 0.8, with the values that are computed here.
void TestLaz::filesOfOthers() {
  QFETCH(QString, file);
  QFETCH(int, format);
  const auto dataset = readDataset(corpus(file.toStdString()));
  REQUIRE_OK(dataset);
  QCOMPARE(dataset->source.format, std::string(file.startsWith("copc") ? "copc" : "laz"));
  QCOMPARE(dataset->cloud.size(), 200u);
  QCOMPARE(dataset->las->records, 0u);  // the compression and the octree are not carried along
  std::vector<std::pair<std::string, std::function<double(int)>>> expected{
      {"intensity", [](int i) { return i * 77 % 65536; }},
      {"return_number", [](int i) { return i % 3 + 1; }},
      {"number_of_returns", [](int i) { return i % 3 + 1 + i % 2; }},
      {"user_data", [](int i) { return i / 16; }},
      {"point_source_id", [](int i) { return i / 50; }},
      {"height", [](int i) { return i * i - 1000; }}};
  if (format < 6) {
    expected.emplace_back("classification", [](int i) { return i % 7; });
    expected.emplace_back("scan_angle_rank", [](int i) { return i % 90 - 45; });
  } else {
    expected.emplace_back("classification", [](int i) { return i % 7 + i / 100 * 100; });
    expected.emplace_back("scan_angle", [](int i) { return i % 90 * 100 - 4500; });
    expected.emplace_back("scanner_channel", [](int i) { return i / 60 % 4; });
  }
  if (format != 0)
    expected.emplace_back("gps_time", [](int i) { return 1e8 + i / 3 * 0.25 + i / 100 * 1e7; });
  if (format == 3 || format == 5 || format == 7 || format == 8 || format == 10) {
    expected.emplace_back("red", [](int i) { return i * 300 % 65536; });
    expected.emplace_back("green", [](int i) { return i * 200; });
    expected.emplace_back("blue", [](int i) { return i * 100; });
  }
  if (format == 8 || format == 10) expected.emplace_back("nir", [](int i) { return i * 31; });
  if (format == 5 || format == 10) {
    expected.emplace_back("wavepacket_offset", [](int i) { return i * 128; });
    expected.emplace_back("x_t", [](int i) { return i / 8.0; });
  }
  for (int i = 0; i < 200; ++i) {
    const auto at = static_cast<std::size_t>(i);
    // In double and in this order, without a fused multiply-add.
    const volatile double x = i * i % 1009 * 0.01;
    const volatile double y = -37.0 * i * 0.01;
    QCOMPARE(dataset->cloud.columns[0][at], x + 500000.0);
    QCOMPARE(dataset->cloud.columns[1][at], y + 5400000.0);
    QCOMPARE(dataset->cloud.columns[2][at], i * i * i % 503 * 0.25 - 10);
    for (const auto& [name, value] : expected) {
      QVERIFY2(find(*dataset, name) != nullptr, name.c_str());
      QVERIFY2((*find(*dataset, name))[at] == value(i), (name + std::to_string(i)).c_str());
    }
  }
  // Without the other columns most of the newer formats is not even decoded.
  ReadOptions positions;
  positions.keepOthers = false;
  positions.coordinates = {"z", "height"};
  const auto some = readDataset(corpus(file.toStdString()), positions);
  REQUIRE_OK(some);
  QCOMPARE(some->cloud.columns[0], dataset->cloud.columns[2]);
  QCOMPARE(some->cloud.columns[1], *find(*dataset, "height"));
}

void TestLaz::manyChunks_data() {
  QTest::addColumn<int>("format");
  for (const int format : {3, 7}) QTest::addRow("format %d", format) << format;
}

void TestLaz::manyChunks() {
  QFETCH(int, format);
  // More than fits into one step of the reader, and a last chunk that is not full.
  const Dataset dataset = scan(730'001, format);
  REQUIRE_OK(writeDataset(at("many.las"), dataset));
  REQUIRE_OK(writeDataset(at("many.laz"), dataset));
  const auto plain = readDataset(at("many.las"));
  const auto compressed = readDataset(at("many.laz"));
  REQUIRE_OK(plain);
  REQUIRE_OK(compressed);
  compare(*compressed, *plain);
  QCOMPARE(compressed->cloud.columns, dataset.cloud.columns);
  QVERIFY(2 * std::filesystem::file_size(at("many.laz")) <
          std::filesystem::file_size(at("many.las")));
}

void TestLaz::aPartOfTheRows() {
  const Dataset dataset = scan(160'000, 6);
  REQUIRE_OK(writeDataset(at("parts.las"), dataset));
  REQUIRE_OK(writeDataset(at("parts.laz"), dataset));
  ReadOptions some;
  some.every = 7;
  const auto few = readDataset(at("parts.laz"), some);
  const auto fewOfPlain = readDataset(at("parts.las"), some);
  REQUIRE_OK(few);
  REQUIRE_OK(fewOfPlain);
  compare(*few, *fewOfPlain);
  const auto preview = previewFile(at("parts.laz"), {}, 5);
  REQUIRE_OK(preview);
  QCOMPARE(preview->format, Format::Laz);
  QCOMPARE(preview->rowEstimate, std::uint64_t{160'000});
  QCOMPARE(preview->rows.size(), 5u);
  QCOMPARE(preview->rows, previewFile(at("parts.las"), {}, 5)->rows);
  // As ranks read it.
  std::vector<double> x;
  for (int part = 0; part < 3; ++part) {
    const auto opened = openFilePart(at("parts.laz"), {}, part, 3, {});
    REQUIRE_OK(opened);
    QCOMPARE((*opened)->obstacle(), std::string());
    const auto rows = (*opened)->read(0, 0, {});
    REQUIRE_OK(rows);
    x.insert(x.end(), rows->cloud.columns[0].begin(), rows->cloud.columns[0].end());
  }
  QCOMPARE(x, dataset.cloud.columns[0]);
}

void TestLaz::stopped() {
  const Dataset dataset = scan(120'000, 6);
  std::stop_source stop;
  Task task;
  task.stop = stop.get_token();
  task.progress = [&](std::string_view stage, double done) {
    if (stage == "writing" && done > 0) stop.request_stop();
  };
  const auto written = writeDataset(at("stopped.laz"), scan(500'000, 6), task);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::Cancelled);
  QVERIFY(!std::filesystem::exists(at("stopped.laz")));

  REQUIRE_OK(writeDataset(at("whole.laz"), dataset));
  std::stop_source stopReading;
  Task reading;
  reading.stop = stopReading.get_token();
  reading.progress = [&](std::string_view, double) { stopReading.request_stop(); };
  const auto read = readDataset(at("whole.laz"), {}, reading);
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::Cancelled);
}

/// The place of the table of chunks cannot be written where it belongs.
void TestLaz::throughAPipe() {
  const Dataset dataset = scan(60'000, 7);
  REQUIRE_OK(writeDataset(at("file.laz"), dataset));
  QCOMPARE(::mkfifo(at("pipe.laz").c_str(), 0600), 0);
  std::string bytes;
  std::thread reader([&] {
    std::ifstream pipe(at("pipe.laz"), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(pipe), {});
  });
  const auto written = writeDataset(at("pipe.laz"), dataset);
  reader.join();
  REQUIRE_OK(written);
  const auto read = readBytes(bytes, {}, "pipe.laz");
  REQUIRE_OK(read);
  const auto whole = readDataset(at("file.laz"));
  REQUIRE_OK(whole);
  compare(*read, *whole);
}

void TestLaz::compressedTwice() {
  const auto written = writeDataset(at("a.laz.gz"), scan(10, 6));
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(written.error().message, "LAZ cannot be compressed as a whole. Leave .gz out");
  REQUIRE_OK(writeDataset(at("a.laz"), scan(10, 6)));
  const std::string command = "gzip -k -c '" + at("a.laz") + "' > '" + at("b.laz.gz") + "'";
  QCOMPARE(std::system(command.c_str()), 0);
  const auto read = readDataset(at("b.laz.gz"));
  QVERIFY(!read);
  QCOMPARE(read.error().kind, ErrorKind::BadInput);
  REQUIRE_PART(read.error().message, "gunzip");
}

void TestLaz::wrongFigures() {
  const std::string good = [] {
    std::ifstream file(corpus("laz/format-3.laz"), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  const auto message = [&](std::size_t at, auto value) {
    std::string bytes = good;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    const auto read = readBytes(bytes, {}, "scan.laz");
    return read ? std::string() : read.error().message;
  };
  std::uint32_t points = 0;
  std::memcpy(&points, good.data() + 96, sizeof points);  // where they are
  REQUIRE_PART(message(107, 4'000'000'000U), "scan.laz: the header promises 4000000000 points");
  REQUIRE_PART(message(points, std::uint64_t{1} << 60), "the table of its chunks");
  REQUIRE_PART(message(points, std::int64_t{-1}), "the table of its chunks");
  REQUIRE_PART(message(104, std::uint8_t{0x80 | 2}), "disagree");
  REQUIRE_PART(message(104, std::uint8_t{0x80 | 11}), "has point format 11");
  const std::size_t record = good.find("laszip encoded") - 2 + 54;
  REQUIRE_PART(message(record, std::uint16_t{1}), "compressed in a way that is not read");
  REQUIRE_PART(message(record + 2, std::uint16_t{3}), "coder 3");
  REQUIRE_PART(message(record + 12, std::uint32_t{0}), "a chunk has no points");
  REQUIRE_PART(message(record + 34 + 4, std::uint16_t{1}), "version 1");
  REQUIRE_PART(message(record - 52, 'x'), "no record that says how");
  // Zeros behind the first point decode to something, but there are too few bytes.
  std::string cut = good;
  std::uint64_t table = 0;
  std::memcpy(&table, good.data() + points, sizeof table);
  cut.erase(points + 8 + 100, static_cast<std::size_t>(table) - points - 108);
  const std::uint64_t moved = points + 108;
  std::memcpy(cut.data() + points, &moved, sizeof moved);
  REQUIRE_PART(messageOf(readBytes(cut, {}, "scan.laz")), "the table of its chunks");
}

void TestLaz::damage_data() {
  QTest::addColumn<QString>("file");
  for (const QString& kind : {QStringLiteral("laz"), QStringLiteral("copc")})
    for (const QString& name : QDir(QString::fromStdString(corpus(kind.toStdString())))
                                   .entryList({QStringLiteral("*.laz")}, QDir::Files))
      QTest::newRow(qPrintable(name)) << kind + "/" + name;
}

/// Cut or changed anywhere, a file is read or refused with a message, and needs little memory.
void TestLaz::damage() {
  QFETCH(QString, file);
  std::ifstream stream(corpus(file.toStdString()), std::ios::binary);
  const std::string good(std::istreambuf_iterator<char>(stream), {});
  ReadOptions options;
  options.memoryLimit = std::uint64_t{64} << 20;
  const auto check = [&](const std::string& bytes, std::size_t at) {
    const auto read = readBytes(bytes, options, "scan.laz");
    if (read) {
      QVERIFY(read->cloud.size() > 0);
    } else {
      QVERIFY2(read.error().message.starts_with("scan.laz: "), std::to_string(at).c_str());
      QVERIFY(read.error().kind == ErrorKind::BadInput || read.error().kind == ErrorKind::TooLarge);
    }
  };
  for (std::size_t size = 0; size < good.size(); size += size < 700 ? 1 : 7)
    check(good.substr(0, size), size);
  std::mt19937_64 random(7);
  for (std::size_t at = 0; at < good.size(); at += at < 900 ? 1 : 5) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 + random() % 255));
    check(bytes, at);
  }
}

GUILESS_TEST(TestLaz);
#include "tst_laz.moc"
