// HDF5 files that are damaged, cut short or not closed.
#include <QTest>
#include <cstring>

#include "engine/io/hdf5/hdf5_driver.h"
#include "engine/io/hdf5/hdf5_faults.h"
#include "engine/io/write.h"
#include "hdf5_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestHdf5Damaged : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void filesThatStayOpen();
  void cutShort();
  void damagedAnywhere_data();
  void damagedAnywhere();
  void damagedGroups_data() { damagedAnywhere_data(); }
  void damagedGroups();
  void everyByte();
  void damagedTexts();
  void emptyChunks();
  void headersGoOn();
  void insideGzip();
  void filtersThatAreMissing();
};

// A file that the library did not close is not taken for a later one at the address of its source.
void TestHdf5Damaged::filesThatStayOpen() {
  struct Source final : ByteSource {
    std::unique_ptr<ByteSource> bytes;
    explicit Source(std::unique_ptr<ByteSource> from) : bytes(std::move(from)) {}
    const std::string& name() const override { return bytes->name(); }
    std::uint64_t size() const override { return bytes->size(); }
    Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override {
      return bytes->readAt(offset, into);
    }
  };
  const auto bytesWith = [this](const char* dataset) {
    {
      const Hdf5File file(at("one.h5"));
      file.doubles(dataset, {1, 2});
    }
    return readFile(at("one.h5"));
  };
  const std::string earlierBytes = bytesWith("earlier");
  const std::string laterBytes = bytesWith("later");
  auto later = memorySource("one.h5", laterBytes);
  const hdf5::Session session;
  Source source(memorySource("one.h5", earlierBytes));
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  REQUIRE_OK(hdf5::readFrom(source, access));
  const hid_t open = H5Fopen(hdf5::nameOf(source).c_str(), H5F_ACC_RDONLY, access);
  QVERIFY(open >= 0);
  source.bytes.swap(later);
  {
    const auto file = hdf5::openForReading(source);
    REQUIRE_OK(file);
    QVERIFY(H5Lexists(*file, "later", H5P_DEFAULT) > 0);
  }
  source.bytes.swap(later);
  QVERIFY(H5Fclose(open) >= 0);
  H5Pclose(access);
}

void TestHdf5Damaged::cutShort() {
  const auto values = drawn(4000);
  {
    const Hdf5File file(at("c.h5"));
    file.add("points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2000, 2}, values.data());
  }
  const std::string bytes = readFile(at("c.h5"));
  for (const std::size_t size :
       {bytes.size() - 1, bytes.size() / 2, std::size_t{600}, std::size_t{9}}) {
    writeFile(at("cut.h5"), bytes.substr(0, size));
    const auto read = readDataset(at("cut.h5"));
    QVERIFY(!read);
    QCOMPARE(read.error().kind, ErrorKind::BadInput);
    REQUIRE_PART(read.error().message, "cut.h5: cannot be opened as HDF5");
  }
  // From memory, too.
  QVERIFY(readBytes(bytes).has_value());
  QVERIFY(!readBytes(bytes.substr(0, bytes.size() / 2)));
}

void TestHdf5Damaged::damagedAnywhere_data() {
  QTest::addColumn<bool>("newest");
  QTest::newRow("as every version reads it") << false;
  QTest::newRow("newest version of the format") << true;
}

// One address, length or count after the other is replaced. libhdf5 1.10.8 by itself crashes on
// many of these files: in H5F__accum_read, on sizes of heaps, and on names of a large group.
void TestHdf5Damaged::damagedAnywhere() {
  QFETCH(bool, newest);
  const auto values = drawn(200);
  {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (newest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const Hdf5File file(at("whole.h5"), access);
    H5Pclose(access);
    file.group("g");  // of more than 8 names: their index is a tree in every version of the format
    for (const char* const name : {"g/x", "g/y", "g/z", "g/a", "g/b", "g/c", "g/d", "g/e", "g/f"})
      file.doubles(name, {values.begin(), values.begin() + 3});
    file.add("points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {100, 2}, values.data(), {40, 2}, 4);
  }
  const std::string whole = readFile(at("whole.h5"));
  REQUIRE_OK(readBytes(whole, from("/points")));
  const std::uint64_t all = ~std::uint64_t{0};
  std::size_t refused = 0;
  for (const std::uint64_t wrong : {all, all - 7, std::uint64_t{1} << 63, all >> 1,
                                    std::uint64_t{whole.size() - 1}, std::uint64_t{0}})
    for (std::size_t first = 0; first + sizeof wrong <= whole.size(); first += 4) {
      // Zeros between zeros are mostly space that is not used.
      const std::string around = whole.substr(first - std::min<std::size_t>(first, 16), 40);
      if (around.find_first_not_of('\0') == std::string::npos) continue;
      std::string bytes = whole;
      std::memcpy(bytes.data() + first, &wrong, sizeof wrong);
      const auto read = readBytes(bytes, from("/points"));
      if (read) continue;  // some values may be anything
      ++refused;
      QVERIFY(read.error().message.size() > 30);
    }
  QVERIFY2(refused > 100, std::to_string(refused).c_str());
}

// Where an address or length is lost in a group of columns, all columns are read or none.
void TestHdf5Damaged::damagedGroups() {
  QFETCH(bool, newest);
  std::vector<std::string> names;
  for (char c = 'a'; c <= 'j'; ++c) names.emplace_back(1, c);
  {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (newest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const Hdf5File file(at("whole.h5"), access);
    H5Pclose(access);
    file.group("g");
    for (const std::string& name : names) file.doubles(("g/" + name).c_str(), {1, 2, 3});
  }
  const std::string whole = readFile(at("whole.h5"));
  std::size_t refused = 0;
  for (const std::string& dataset : {std::string(), std::string("/g")})
    for (std::size_t first = 0; first + 8 <= whole.size(); first += 8) {
      std::string bytes = whole;
      bytes.replace(first, 8, 8, '\xff');
      const auto read = readBytes(bytes, from(dataset));
      if (!read)
        ++refused;
      else
        QVERIFY2(read->columnOrder.size() == names.size(),
                 (std::to_string(first) + ": " + std::to_string(read->columnOrder.size())).c_str());
    }
  QVERIFY2(refused > 100, std::to_string(refused).c_str());
}

// One byte after the other of a dataset of records. In libhdf5 1.10.8 one of these files divides by
// zero.
void TestHdf5Damaged::everyByte() {
  const std::string whole =
      readFile(std::string(CLUSTERLOOM_SOURCE_DIR) + "/tests/fuzz/corpus/hdf5/records.h5");
  REQUIRE_OK(readBytes(whole));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int value : {0, 1, 2, 3, 0x7f, 0xff}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(value);
      const auto read = readBytes(bytes);
      if (read) continue;
      ++refused;
      QVERIFY(read.error().message.size() > 30);
    }
  QVERIFY2(refused > 1000, std::to_string(refused).c_str());
}

// Texts of variable length stand in a global heap. libhdf5 1.10.8 by itself does not come to an end
// where an object of it has no bytes.
void TestHdf5Damaged::damagedTexts() {
  {
    const Hdf5File file(at("t.h5"));
    file.doubles("x", {1, 2, 3});
    const hid_t variable = H5Tcopy(H5T_C_S1);
    H5Tset_size(variable, H5T_VARIABLE);
    const char* const texts[] = {"a", "some words", "more of them than before"};
    file.add("t", variable, variable, {3}, texts);
    H5Tclose(variable);
  }
  const std::string whole = readFile(at("t.h5"));
  REQUIRE_OK(readBytes(whole));
  const std::size_t heap = whole.find("GCOL");
  QVERIFY(heap != std::string::npos);
  // The size of each object stands behind its number, 16 bytes before its text.
  for (const char* const text : {"some words", "more of them"})
    for (const std::uint64_t wrong :
         {~std::uint64_t{0}, ~std::uint64_t{0} - 7, std::uint64_t{1} << 63, std::uint64_t{5000}}) {
      std::string bytes = whole;
      const std::size_t object = bytes.find(std::string(text), heap + 32) - 16;
      std::memcpy(bytes.data() + object + 8, &wrong, sizeof wrong);
      const auto read = readBytes(bytes);
      QVERIFY(!read || read->columnOrder.size() == 1);
    }
  std::string bytes = whole;
  bytes.replace(heap + 16, 16, 16, '\0');
  const auto read = readBytes(bytes, from("/x"));
  QVERIFY(read || read.error().kind == ErrorKind::BadInput);
  const auto faultOf = [&](const std::string& file, std::size_t bytesRead) {
    return hdf5::faultOfCollection(std::span(file).subspan(heap, bytesRead), {},
                                   *memorySource("t.h5", file), heap)
        .value();
  };
  QVERIFY(faultOf(whole, 4096) == nullptr);
  for (const std::size_t bytesRead : {16, 100, 4096}) QVERIFY(faultOf(bytes, bytesRead) != nullptr);
  QVERIFY(faultOf(whole.substr(0, heap + 2000), 2000) != nullptr);
  bytes[heap + 5] = '\x7f';  // reserved, and not read by the library
  QVERIFY(faultOf(bytes, 4096) != nullptr);
  QVERIFY(faultOf(whole, 12) == nullptr);  // too short to be one
}

void TestHdf5Damaged::emptyChunks() {
  const auto values = drawn(30);
  const auto fileOf = [&](const std::vector<hsize_t>& chunk) {
    {
      const Hdf5File file(at("c.h5"));
      file.add("points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {10, 3}, values.data(), chunk);
    }
    return readFile(at("c.h5"));
  };
  // The layout message of version 3, of class 1 or 2 (chunked) and with three dimensions; an
  // address and the lengths of the chunks follow these.
  const auto layoutOf = [](const std::string& bytes, char storage) {
    return bytes.find(std::string("\x08\0\x18\0\0\0\0\0\x03", 9) + storage) + 8;
  };
  const auto isRefused = [&](const std::string& bytes) {
    const auto named = readBytes(bytes, from("/points"));
    return has(messageOf(readBytes(bytes)), "a dataset has chunks without values") && !named &&
           named.error().kind == ErrorKind::BadInput &&
           has(named.error().message, "cannot be opened (a dataset has chunks without values)");
  };
  std::string whole = fileOf({});
  whole.replace(layoutOf(whole, 1) + 1, 2, std::string("\x02\0", 2));
  QVERIFY(isRefused(whole));
  whole = fileOf({4, 2});
  REQUIRE_OK(readBytes(whole));
  const std::size_t layout = layoutOf(whole, 2);
  QCOMPARE(int(whole[layout + 2]), 3);
  for (const char dimensions : {'\0', '\1'}) {
    std::string bytes = whole;
    bytes[layout + 2] = dimensions;
    QVERIFY(isRefused(bytes));
  }
  for (const std::size_t length : {0, 1, 2}) {
    std::string bytes = whole;
    bytes.replace(layout + 11 + 4 * length, 4, 4, '\0');
    QVERIFY(isRefused(bytes));
  }
}

// Messages are looked for in the header and where it says that it goes on, in no other bytes.
void TestHdf5Damaged::headersGoOn() {
  const std::string prefix("\x01\0\x01\0\x01\0\0\0\x18\0\0\0\0\0\0\0", 16);
  const std::string goesOn(
      "\x10\0\x10\0\0\0\0\0"
      "\0\x40\0\0\0\0\0\0\x20\0\0\0\0\0\0\0",
      24);
  const std::string noChunks =
      std::string("\x08\0\x18\0\0\0\0\0\x03\x02", 10) + std::string(22, '\0');
  hdf5::ObjectHeaders headers;
  QVERIFY(headers.faultIn(noChunks, 0x4000, {}) == nullptr);
  QVERIFY(headers.faultIn(prefix + goesOn + noChunks, 800, {}) == nullptr);  // behind its end
  QVERIFY(headers.faultIn(noChunks, 0x4000, {}) != nullptr);
  QVERIFY(headers.faultIn(noChunks, 0x4020, {}) == nullptr);
  std::string longer = prefix;
  longer[8] = 32;
  QVERIFY(headers.faultIn(longer + noChunks, 1000, {}) != nullptr);
  for (std::size_t size = 0; size < 32; ++size)
    QVERIFY(headers.faultIn(longer + noChunks.substr(0, size), 1000, {}) == nullptr);
}

void TestHdf5Damaged::insideGzip() {
  {
    const Hdf5File file(at("z.h5"));
    file.doubles("x", {1, 2, 3});
  }
  REQUIRE_OK(writeAtomically(at("z.h5.gz"), readFile(at("z.h5"))));
  const auto read = readDataset(at("z.h5.gz"));
  QVERIFY(!read);
  REQUIRE_PART(read.error().message, "is HDF5 inside gzip");
  REQUIRE_PART(read.error().message, "gunzip FILE");
}

// A filter that is not installed is named, and a damaged dataset has a reason.
void TestHdf5Damaged::filtersThatAreMissing() {
  constexpr H5Z_filter_t kFilter = 305;
  const auto values = drawn(300);
  const std::vector<hsize_t> chunk{100};
  {
    const hdf5::Session session;
    const auto unchanged = [](unsigned, std::size_t, const unsigned*, std::size_t bytes,
                              std::size_t*, void**) { return bytes; };
    const H5Z_class2_t packing{H5Z_CLASS_T_VERS, kFilter, 1, 1, "lzo", nullptr, nullptr, unchanged};
    QVERIFY(H5Zregister(&packing) >= 0);
    {
      const Hdf5File file(at("filter.h5"));
      const hsize_t size = 300;
      const hid_t space = H5Screate_simple(1, &size, nullptr);
      const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(creation, 1, chunk.data());
      H5Pset_filter(creation, kFilter, H5Z_FLAG_MANDATORY, 0, nullptr);
      const hid_t set = H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, 0, creation, 0);
      QVERIFY(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
      H5Dclose(set);
      H5Pclose(creation);
      H5Sclose(space);
    }
    QVERIFY(H5Zunregister(kFilter) >= 0);
    const Hdf5File file(at("gzip.h5"));
    file.add("x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {300}, values.data(), chunk, 4);
  }
  const auto packed = readDataset(at("filter.h5"));
  QVERIFY(!packed);
  REQUIRE_PART(packed.error().message, "a filter that is not installed, lzo (number 305)");
  REQUIRE_PART(packed.error().message, "h5repack");

  // Bytes of a chunk that zlib does not understand.
  std::string bytes = readFile(at("gzip.h5"));
  bytes.replace(bytes.size() - 60, 60, std::string(60, '\xff'));
  REQUIRE_OK(writeAtomically(at("gzip.h5"), bytes));
  const auto damaged = readDataset(at("gzip.h5"));
  QVERIFY(!damaged);
  QVERIFY2(damaged.error().message.find("on ()") == std::string::npos,
           damaged.error().message.c_str());
  REQUIRE_PART(damaged.error().message, "It is damaged");
}

GUILESS_TEST(TestHdf5Damaged);
#include "tst_hdf5_damaged.moc"
