// Tables of many coordinates that are kept as the file holds them.
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "engine/cloud/borrowed_cloud.h"
#include "engine/core/task.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "npz_archive.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::has;
using testing::messageOf;
using testing::npyOf;

namespace {

constexpr std::size_t kRows = 3000;
constexpr std::size_t kDims = 20;

template <class Real>
std::vector<Real> someNumbers() {
  std::vector<Real> values;
  for (std::size_t i = 0; i < kRows * kDims; ++i)
    values.push_back(Real(double(i * 2654435761U % 1000) / 7 - 60));
  return values;
}

template <class Real>
std::string fileOf(const std::vector<Real>& values, std::size_t dims = kDims) {
  return npyOf(sizeof(Real) == 4 ? "<f4" : "<f8",
               std::to_string(values.size() / dims) + ", " + std::to_string(dims), values);
}

Result<Dataset> readNpy(const std::string& bytes, const ReadOptions& options = {}) {
  return testing::readBytes(bytes, options, "rows.npy");
}

/// Options of which one is not the usual.
template <class Member, class Value>
ReadOptions with(Member ReadOptions::*member, const Value& value) {
  ReadOptions options;
  options.*member = value;
  return options;
}

template <class Real>
void compareKept() {
  const std::vector<Real> values = someNumbers<Real>();
  const auto read = readNpy(fileOf(values));
  QVERIFY2(read, messageOf(read).c_str());
  const auto rows = rowsOf(read->cloud);
  QVERIFY(rows && rows->single == (sizeof(Real) == 4));
  QCOMPARE(read->cloud.size(), kRows);
  for (std::size_t p = 0; p < kRows; ++p)
    for (std::size_t j = 0; j < kDims; ++j)
      QVERIFY(read->cloud.columns[j][p] == double(values[p * kDims + j]));
  // All else is as a builder has it, which columns in another order need.
  ReadOptions options;
  for (std::size_t j = kDims; j-- > 0;) options.coordinates.push_back("x" + std::to_string(j));
  const auto built = readNpy(fileOf(values), options);
  QVERIFY(built && !rowsOf(built->cloud));
  QCOMPARE(read->coordinateTypes, built->coordinateTypes);
  QCOMPARE(read->inputRows, built->inputRows);
  QCOMPARE(read->source.hash, built->source.hash);
  QCOMPARE(read->source.format, built->source.format);
  QCOMPARE(read->cloud.columns[3], built->cloud.columns[kDims - 4]);
  QCOMPARE(read->cloud.names[3], built->cloud.names[kDims - 4]);
  QCOMPARE(read->columnOrder.size(), kDims);
  QCOMPARE(read->every, std::uint64_t{1});
}

}  // namespace

class ReadByRows : public QObject {
  Q_OBJECT
 private slots:
  void rowsAreKept() {
    compareKept<float>();
    compareKept<double>();
  }

  void otherTablesAreNot() {
    const std::vector<float> values = someNumbers<float>();
    const auto kept = [](const std::string& bytes, const ReadOptions& options = {}) {
      const auto read = readNpy(bytes, options);
      return read && rowsOf(read->cloud).has_value();
    };
    QVERIFY(kept(fileOf(values)));
    QVERIFY(!kept(fileOf(values, 15)));
    QVERIFY(!kept(npyOf(">f4", "3000, 20", values)));
    QVERIFY(!kept(npyOf("<i4", "3000, 20", std::vector<std::int32_t>(kRows * kDims, 3))));
    QVERIFY(!kept(fileOf(values), with(&ReadOptions::every, 2U)));
    QVERIFY(!kept(fileOf(values),
                  with(&ReadOptions::coordinates, std::vector<std::string>{"x3", "x4"})));
  }

  /// A builder says which row it is, or skips it.
  void numbersThatAreNotFinite() {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
      std::vector<float> values = someNumbers<float>();
      values[1234 * kDims + 7] = bad;
      const auto read = readNpy(fileOf(values));
      QVERIFY(!read && has(messageOf(read), "row 1234 "));
      QVERIFY(read.error().canSkipRows);
      const auto skipped = readNpy(fileOf(values), with(&ReadOptions::skipNonFinite, true));
      QVERIFY(skipped);
      QCOMPARE(skipped->cloud.size(), kRows - 1);
      QCOMPARE(skipped->skippedRows, (std::vector<std::uint64_t>{1234}));
    }
  }

  void damagedAndStopped() {
    const std::string whole = fileOf(someNumbers<float>());
    const auto read = readNpy(whole.substr(0, whole.size() - 3));
    QVERIFY(!read);
    QCOMPARE(read.error().kind, ErrorKind::BadInput);
    const auto narrow = readNpy(whole, with(&ReadOptions::memoryLimit, 100'000U));
    QVERIFY(!narrow);
    QCOMPARE(narrow.error().kind, ErrorKind::TooLarge);
    QVERIFY(readNpy(whole, with(&ReadOptions::memoryLimit, kRows * kDims * 4)));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped =
        readDatasetFrom(*memorySource("rows.npy", whole), {}, {stop.get_token(), {}});
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
  }
};

GUILESS_TEST(ReadByRows);
#include "tst_read_by_rows.moc"
