// Distances of points from SciPy's sparse matrices, which are made here.
#include <cmath>

#include "engine/io/read_distances.h"
#include "io_testing.h"
#include "tests/io/npz_archive.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::archive;
using testing::messageOf;
using testing::npyOf;
using testing::SparseFormat;
using testing::sparseNpz;
using testing::SparseRowsOf;

namespace {

/// Three points: a zero that is stored, ids that are not sorted, and a row without its diagonal.
SparseRowsOf small() { return {{0, 3, 5, 6}, {2, 0, 1, 0, 1, 0}, {2.5, 0, 0, 0, 0, 2.5}}; }

Result<SparseDistances> read(const std::string& bytes) {
  return readDistancesFrom(*memorySource("m.npz", bytes));
}

template <class A, class B>
bool equal(const A& a, const B& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

class TestReadDistances : public QObject {
  Q_OBJECT
 private slots:
  void asSciPyWritesIt() {
    for (const bool deflated : {false, true})
      for (const bool narrow : {false, true}) {
        const SparseRowsOf written = small();
        const auto found = read(sparseNpz(written, {.deflated = deflated, .narrow = narrow}));
        REQUIRE_OK(found);
        QCOMPARE(found->points(), std::size_t{3});
        QVERIFY(equal(found->starts, written.starts));
        QVERIFY(equal(found->ids, written.ids));
        QVERIFY(equal(found->values, written.values));
      }
    // More than a block of numbers, a matrix without a value, and arrays that newer versions add.
    SparseRowsOf diagonal;
    for (std::int64_t i = 0; i < 100000; ++i) {
      diagonal.starts.push_back(i);
      diagonal.ids.push_back(i);
      diagonal.values.push_back(double(i) / 8);
    }
    diagonal.starts.push_back(100000);
    const auto large = read(sparseNpz(diagonal));
    REQUIRE_OK(large);
    QVERIFY(equal(large->values, diagonal.values) && equal(large->ids, diagonal.ids));
    const auto empty = read(sparseNpz({{0, 0, 0}, {}, {}}));
    REQUIRE_OK(empty);
    QCOMPARE(empty->points(), std::size_t{2});
    const auto more =
        read(archive({{"_is_array.npy", npyOf("|b1", "", std::vector<char>{1})},
                      {"indices.npy", npyOf("<i4", "1,", std::vector<int>{0})},
                      {"indptr.npy", npyOf("<i4", "2,", std::vector<int>{0, 1})},
                      {"format.npy", npyOf("<U3", "", std::vector<char32_t>{'c', 's', 'r'})},
                      {"shape.npy", npyOf("<i8", "2,", std::vector<std::int64_t>{1, 1})},
                      {"data.npy", npyOf("<i8", "1,", std::vector<std::int64_t>{3})}}));
    REQUIRE_OK(more);
    QCOMPARE(more->values[0], 3.0);
  }

  void refusals() {
    REQUIRE_PART(messageOf(read(sparseNpz(small(), {.format = "csc"}))), "format \"csc\"");
    REQUIRE_PART(messageOf(read(sparseNpz(small(), {.columns = 4}))), "matrix of 3 × 4");
    const auto with = [](auto change) {
      SparseRowsOf matrix = small();
      change(matrix);
      return messageOf(read(sparseNpz(matrix)));
    };
    REQUIRE_PART(with([](auto& m) { m.values[3] = -1; }), "row 1 (counted from 0), column 0 is -1");
    REQUIRE_PART(with([](auto& m) { m.values[3] = std::nan(""); }), "must be finite");
    REQUIRE_PART(with([](auto& m) { m.values[0] = INFINITY; }), "must be finite");
    REQUIRE_PART(with([](auto& m) { m.ids[5] = 3; }), "outside of 3 columns");
    REQUIRE_PART(with([](auto& m) { m.ids[5] = -1; }), "outside of 3 columns");
    REQUIRE_PART(with([](auto& m) { m.ids[1] = 2; }), "two values in row 0");
    REQUIRE_PART(with([](auto& m) { m.starts = {0, 5, 3, 6}; }), "do not fit");
    REQUIRE_PART(with([](auto& m) { m.starts = {0, 3, 5, 7}; }), "do not fit");
    REQUIRE_PART(with([](auto& m) { m.values.pop_back(); }), "do not fit");
    REQUIRE_PART(messageOf(read("x,y\n1,2\n")), "m.npz: is not a sparse matrix");
    REQUIRE_PART(messageOf(read("")), "m.npz: is not a sparse matrix");
    REQUIRE_PART(messageOf(read(archive({{"a.npy", npyOf("<f8", "1,", std::vector<double>{1})}}))),
                 "no array format");
    // As points it is refused in words, too.
    const auto cloud = testing::readBytes(sparseNpz(small()), {}, "m.npz");
    REQUIRE_PART(messageOf(cloud), "m.npz: holds a sparse matrix of SciPy, not points.");
    REQUIRE_PART(messageOf(cloud), "--metric precomputed");
  }

  /// Sizes that a damaged file promises are not believed.
  void damage() {
    for (const bool deflated : {false, true}) {
      const std::string bytes = sparseNpz(small(), {.deflated = deflated});
      for (std::size_t length = 0; length < bytes.size(); ++length)
        QVERIFY2(!read(bytes.substr(0, length)), qPrintable(QString::number(length)));
      for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const int value : {0, 0x39, 0xff}) {
          std::string changed = bytes;
          changed[at] = static_cast<char>(value);
          const auto found = read(changed);
          if (found)
            QVERIFY(checkDistances(*found));
          else
            QVERIFY2(testing::has(messageOf(found), "m.npz: "), messageOf(found).c_str());
        }
    }
  }
};

APPLESS_TEST(TestReadDistances);
#include "tst_read_distances.moc"
