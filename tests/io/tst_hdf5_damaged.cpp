// HDF5 files that are damaged, cut short or not closed.
#include <QTemporaryDir>
#include <QTest>
#include <cstring>

#include "engine/io/hdf5_driver.h"
#include "engine/io/write.h"
#include "hdf5_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

class TestHdf5Damaged : public QObject {
  Q_OBJECT

 private slots:
  void filesThatStayOpen();
  void cutShort();
  void damagedAnywhere_data();
  void damagedAnywhere();
  void damagedGroups_data() { damagedAnywhere_data(); }
  void damagedGroups();
  void insideGzip();

 private:
  QTemporaryDir folder_;
  std::string at(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }
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

GUILESS_TEST(TestHdf5Damaged);
#include "tst_hdf5_damaged.moc"
