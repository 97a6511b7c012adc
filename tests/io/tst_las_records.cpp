// What a LAS file says beside its points comes out as it went in.
#include <filesystem>

#include "engine/cloud/las_origin.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

template <class T>
T valueAt(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string shortRecord(const std::string& user, int id, const std::string& content) {
  Bytes b;
  b.zeros(2).text(user).zeros(16 - user.size()).add(static_cast<std::uint16_t>(id));
  b.add(static_cast<std::uint16_t>(content.size())).zeros(32).text(content);
  return b.str();
}

std::string longRecord(const std::string& user, int id, const std::string& content) {
  Bytes b;
  b.zeros(2).text(user).zeros(16 - user.size()).add(static_cast<std::uint16_t>(id));
  b.add(static_cast<std::uint64_t>(content.size())).zeros(32).text(content);
  return b.str();
}

/// A description of a column of extra bytes.
std::string described(const std::string& name, int type, int options) {
  Bytes b;
  b.zeros(2).add(static_cast<std::uint8_t>(type)).add(static_cast<std::uint8_t>(options));
  b.text(name).zeros(32 - name.size()).zeros(4).text("no data, least, most").zeros(52);
  b.add(0.5).add(0.25).add(0.125).add(10.0).add(20.0).add(30.0).text("words").zeros(27);
  return b.str();
}

struct Parts {
  int minor = 4;
  int format = 6;
  std::uint16_t encoding = 17;
  std::string records;  ///< one, or none
  std::string extended;
  int extendedRecords = 0;
  std::uint64_t waves = 0;  ///< 1 + the place of the packets among the extended records
  std::size_t recordBytes = 30;
  std::size_t headerBytes = 0;  ///< 0: those of the version
};

constexpr int kThree = 3;

std::string lasOf(const Parts& parts) {
  const std::size_t headerBytes = parts.headerBytes > 0 ? parts.headerBytes
                                  : parts.minor == 4    ? 375
                                                        : 235;
  const std::size_t begin = headerBytes + parts.records.size();
  const std::uint64_t end = begin + kThree * parts.recordBytes;
  Bytes b;
  b.text("LASF").zeros(2).add(parts.encoding).zeros(16);
  b.add(std::uint8_t{1}).add(static_cast<std::uint8_t>(parts.minor)).zeros(64).zeros(4);
  b.add(static_cast<std::uint16_t>(headerBytes)).add(static_cast<std::uint32_t>(begin));
  b.add(std::uint32_t{parts.records.empty() ? 0U : 1U})
      .add(static_cast<std::uint8_t>(parts.format));
  b.add(static_cast<std::uint16_t>(parts.recordBytes));
  b.add(std::uint32_t{parts.format < 6 ? 3U : 0U}).zeros(20);
  b.add(0.01).add(0.01).add(0.01).zeros(24 + 48);
  if (headerBytes > 227) b.add(parts.waves > 0 ? end + parts.waves - 1 : std::uint64_t{0});
  if (parts.minor == 4) {
    b.add(parts.extended.empty() ? std::uint64_t{0} : end);
    b.add(static_cast<std::uint32_t>(parts.extendedRecords));
    b.add(std::uint64_t{kThree}).zeros(15 * 8);
  }
  b.text(parts.records);
  for (int i = 0; i < kThree; ++i)
    for (std::size_t at = 0; at < parts.recordBytes; ++at)
      b.add(static_cast<std::uint8_t>(at < 12 ? i : (17 * i + 3 * static_cast<int>(at)) % 100));
  return b.text(parts.extended).str();
}

}  // namespace

class TestLasRecords : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void recordsBehindThePoints_data();
  void recordsBehindThePoints();
  void packetsOfWaves_data();
  void packetsOfWaves();
  void shortHeader();
  void recordsOfManyBytes();
  void wktBit();
  void extraBytes();
  void longNames();
  void partsOfAnArray();
  void partsWithLongNames();
  void bytesWithoutMeaning();
  void flagsHaveNames();
  void cutShort();

 private:
  void keepsExtraBytes(const Parts& parts);
};

void TestLasRecords::recordsBehindThePoints_data() {
  QTest::addColumn<QString>("file");
  for (const char* const file : {"a.las", "a.laz", "a.las.gz"}) QTest::newRow(file) << file;
}

void TestLasRecords::recordsBehindThePoints() {
  QFETCH(QString, file);
  Parts parts;
  parts.extended = longRecord("LASF_Projection", 2112, "WKT of a system") +
                   longRecord("somebody", 7, std::string(100'000, 'x'));
  parts.extendedRecords = 2;
  const auto read = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(read);
  REQUIRE_OK(writeLabelled(at(file.toStdString()), *read, labelsFor(kThree), {}));
  const auto again = readDataset(at(file.toStdString()));
  REQUIRE_OK(again);
  QCOMPARE(again->las->extendedBytes, parts.extended);
  QCOMPARE(again->las->extendedRecords, 2U);
  QCOMPARE(again->las->encoding, std::uint16_t{17});
  if (file.endsWith("gz")) return;
  const std::string bytes = readFile(at(file.toStdString()));
  QCOMPARE(bytes.substr(valueAt<std::uint64_t>(bytes, 235)), parts.extended);
  QCOMPARE(valueAt<std::uint32_t>(bytes, 243), 2U);
  QCOMPARE(valueAt<std::uint64_t>(bytes, 227), std::uint64_t{0});
}

void TestLasRecords::packetsOfWaves_data() {
  QTest::addColumn<int>("minor");
  QTest::newRow("1.3") << 3;
  QTest::newRow("1.4") << 4;
}

void TestLasRecords::packetsOfWaves() {
  QFETCH(int, minor);
  Parts parts;
  parts.minor = minor;
  parts.format = 4;
  parts.recordBytes = 57;
  parts.encoding = 1 << 1;
  const std::string packets = longRecord("LASF_Spec", 65535, "packets of waves");
  parts.extended = minor == 4 ? longRecord("somebody", 7, "first") + packets : packets;
  parts.extendedRecords = minor == 4 ? 2 : 1;
  parts.waves = 1 + parts.extended.size() - packets.size();
  const auto read = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(read);
  REQUIRE_OK(writeLabelled(at("w.las"), *read, labelsFor(kThree), {}));
  const std::string bytes = readFile(at("w.las"));
  QCOMPARE(int(bytes[25]), minor);
  QCOMPARE(valueAt<std::uint16_t>(bytes, 6), parts.encoding);
  QCOMPARE(bytes.substr(valueAt<std::uint64_t>(bytes, 227)), packets);
}

/// Of LAS 1.3 with the header of 1.2, which does not say where the packets are.
void TestLasRecords::shortHeader() {
  Parts parts;
  parts.minor = 3;
  parts.format = 1;
  parts.recordBytes = 28;
  parts.encoding = 1 << 1;
  parts.headerBytes = 227;
  parts.records = shortRecord("somebody", 7, "behind the header");
  const auto read = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.size(), std::size_t{kThree});
  QVERIFY(!read->las->waves);
}

/// What is not kept of them is said before it is left out of an export.
void TestLasRecords::recordsOfManyBytes() {
  const auto losses = [&](const Dataset& dataset) {
    const auto found = lossesOf(at("m.las"), dataset);
    return found.empty() ? std::string() : found.front();
  };
  Parts parts;
  parts.records = std::string(17 << 20, 'r');
  parts.recordBytes = 33;
  const auto before = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(before);
  QCOMPARE(before->las->skippedBytes, std::uint64_t{17 << 20});
  QCOMPARE(before->las->droppedBytes, std::size_t{3});  // their description is lost, too
  REQUIRE_PART(losses(*before), "Records before the points");
  // Each of two is not too large for itself; the second one is a hole in the file.
  const std::uint64_t most = std::uint64_t{256} << 20;
  Parts behind;
  std::string second = longRecord("somebody", 8, "");
  std::memcpy(second.data() + 20, &most, sizeof most);
  behind.extended = longRecord("somebody", 7, "first") + second;
  behind.extendedRecords = 2;
  const std::string bytes = lasOf(behind);
  writeFile(at("m.las"), bytes);
  std::filesystem::resize_file(at("m.las"), bytes.size() + most);
  const auto after = readDataset(at("m.las"));
  REQUIRE_OK(after);
  QCOMPARE(after->las->extendedRecords, 1U);
  QCOMPARE(after->las->largeBytes, most);
  REQUIRE_PART(losses(*after), "Records after the points");
}

void TestLasRecords::wktBit() {
  Parts parts;
  const auto withBit = readBytes(lasOf(parts), {}, "a.las");  // but no system
  REQUIRE_OK(withBit);
  REQUIRE_OK(writeDataset(at("b.las"), *withBit));
  QCOMPARE(valueAt<std::uint16_t>(readFile(at("b.las")), 6), std::uint16_t{1});
  parts.records = shortRecord("LASF_Projection", 2112, "WKT of a system");
  const auto withSystem = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(withSystem);
  REQUIRE_OK(writeDataset(at("b.las"), *withSystem));
  QCOMPARE(valueAt<std::uint16_t>(readFile(at("b.las")), 6), std::uint16_t{17});
  Dataset plain;
  plain.cloud.columns = {{1, 2}, {3, 4}};
  plain.cloud.names = {"x", "y"};
  plain.inputRows = 2;
  REQUIRE_OK(writeDataset(at("b.las"), plain));
  QCOMPARE(valueAt<std::uint16_t>(readFile(at("b.las")), 6), std::uint16_t{0});
}

/// The record that describes them, and every byte of every point, are written as they were read.
void TestLasRecords::keepsExtraBytes(const Parts& parts) {
  const std::string original = lasOf(parts);
  const auto read = readBytes(original, {}, "a.las");
  REQUIRE_OK(read);
  REQUIRE_OK(writeDataset(at("e.las"), *read));
  const std::string bytes = readFile(at("e.las"));
  constexpr std::size_t from = 375 + 54;  // but for the title of the record
  QCOMPARE(bytes.size(), original.size());
  QVERIFY(bytes.substr(from) == original.substr(from));
}

void TestLasRecords::extraBytes() {
  Parts parts;
  // Three values of 16 bits, five bytes of no known meaning, a scaled byte, 64 bits without a sign.
  parts.records = shortRecord("LASF_Spec", 4,
                              described("colour", 23, 0) + described("Reserved", 0, 5) +
                                  described("scaled", 1, 8 | 16) + described("wide", 7, 1 | 2 | 4));
  parts.recordBytes = 30 + 6 + 5 + 1 + 8;
  keepsExtraBytes(parts);
}

void TestLasRecords::longNames() {
  Parts parts;
  parts.records = shortRecord(
      "LASF_Spec", 4,
      described(std::string(30, 'a'), 1, 0) + described(std::string(32, 'b'), 21, 0) +
          described(std::string(28, 'c'), 11, 0) + described(std::string(32, 'd'), 6, 0));
  parts.recordBytes = 30 + 1 + 3 + 2 + 4;
  keepsExtraBytes(parts);
}

void TestLasRecords::partsOfAnArray() {
  Parts parts;
  parts.records = shortRecord("LASF_Spec", 4, described("colour", 23, 0));
  parts.recordBytes = 36;
  auto read = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(read);
  const std::vector<double> last = numbersOf(*read, read->attributes.size() - 1);
  read->attributes.erase(read->attributes.end() - 2);  // colour_1
  read->columnOrder.clear();
  REQUIRE_OK(writeDataset(at("p.las"), *read));
  const auto again = readDataset(at("p.las"));
  REQUIRE_OK(again);
  QCOMPARE(again->attributes.back().name, std::string("colour_2"));
  QCOMPARE(numbersOf(*again, again->attributes.size() - 1), last);
}

/// No two of them have the same name.
void TestLasRecords::partsWithLongNames() {
  Parts parts;
  parts.records = shortRecord("LASF_Spec", 4, described(std::string(32, 'd'), 21, 0));
  parts.recordBytes = 33;
  auto read = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(read);
  const std::size_t columns = read->attributes.size();
  const std::vector<double> values[2]{numbersOf(*read, columns - 2), numbersOf(*read, columns - 1)};
  read->attributes.erase(read->attributes.end() - 3);  // the first of the array
  read->columnOrder.clear();
  REQUIRE_OK(writeDataset(at("q.las"), *read));
  const auto again = readDataset(at("q.las"));
  REQUIRE_OK(again);
  QCOMPARE(again->attributes.size(), columns - 1);
  QCOMPARE(again->attributes[columns - 3].name, std::string(28, 'd'));
  QCOMPARE(again->attributes[columns - 2].name, std::string(28, 'd') + "_2");
  for (const std::size_t a : {std::size_t{0}, std::size_t{1}})
    QCOMPARE(numbersOf(*again, columns - 3 + a), values[a]);
}

void TestLasRecords::bytesWithoutMeaning() {
  Parts parts;
  parts.recordBytes = 30 + 64;
  auto read = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(read);
  QVERIFY(lossesOf(at("b.las"), *read).empty());
  parts.recordBytes += 6;
  read = readBytes(lasOf(parts), {}, "a.las");
  REQUIRE_OK(read);
  const auto losses = lossesOf(at("b.las"), *read);
  QCOMPARE(losses.size(), 1U);
  REQUIRE_PART(losses[0], "Each point has 6 bytes");
}

void TestLasRecords::flagsHaveNames() {
  std::string bytes = lasOf({});
  bytes[375 + 15] = static_cast<char>(0x80 | 0x08 | 0x04);  // of the first point
  bytes[375 + 30 + 15] = static_cast<char>(0x40 | 0x02 | 0x01);
  const auto read = readBytes(bytes, {}, "a.las");
  REQUIRE_OK(read);
  const auto flag = [&](const std::string& name) -> std::vector<double> {
    for (std::size_t a = 0; a < read->attributes.size(); ++a)
      if (read->attributes[a].name == name) {
        std::vector<double> values = numbersOf(*read, a);
        values.resize(2);
        return values;
      }
    return {};
  };
  QCOMPARE(flag("edge_of_flight_line"), (std::vector<double>{1, 0}));
  QCOMPARE(flag("scan_direction_flag"), (std::vector<double>{0, 1}));
  QCOMPARE(flag("overlap"), (std::vector<double>{1, 0}));
  QCOMPARE(flag("withheld"), (std::vector<double>{1, 0}));
  QCOMPARE(flag("key_point"), (std::vector<double>{0, 1}));
  QCOMPARE(flag("synthetic"), (std::vector<double>{0, 1}));
}

void TestLasRecords::cutShort() {
  Parts parts;
  parts.extended = longRecord("LASF_Projection", 2112, "WKT of a system");
  parts.extendedRecords = 1;
  std::string bytes = lasOf(parts);
  bytes.resize(bytes.size() - 3);
  REQUIRE_PART(messageOf(readBytes(bytes, {}, "a.las")), "records after its points");
}

GUILESS_TEST(TestLasRecords);
#include "tst_las_records.moc"
