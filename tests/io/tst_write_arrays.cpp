// Arrays of NPY: of numbers and pairs, with a row for each row of the file.

#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::has;
using testing::readFile;
using testing::sameBits;

class TestWriteArrays : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void labelsInPlace();
  void inputRows();
  void arrays();
  void rowsOfTheFile();
};

void TestWriteArrays::labelsInPlace() {
  Dataset dataset;
  Clustering clustering;
  clustering.labels = {7, 8, 9};
  dataset.skippedRows = {0, 1, 3, 6, 7};
  QCOMPARE(labelsPerInputRow(dataset, clustering),
           (std::vector<std::int32_t>{-2, -2, 7, -2, 8, 9, -2, -2}));
  dataset.skippedRows = {};
  QCOMPARE(labelsPerInputRow(dataset, clustering), (std::vector<std::int32_t>{7, 8, 9}));
}

void TestWriteArrays::inputRows() {
  Dataset dataset;
  dataset.cloud.columns = {{7, 8, 9}};
  dataset.skippedRows = {0, 1, 3, 6, 7};
  dataset.every = 10;  // rows of those that were read
  QCOMPARE(perInputRow(dataset, std::vector<std::int32_t>{0, 1, 2}, -1),
           (std::vector<std::int32_t>{-1, -1, 0, -1, 1, 2, -1, -1}));
}

void TestWriteArrays::arrays() {
  REQUIRE_OK(writeNpy(at("u.npy"), std::vector<std::uint32_t>{1, 4294967295u}));
  QVERIFY(has(readFile(at("u.npy")), "'descr': '<u4', 'fortran_order': False, 'shape': (2,)"));
  auto back = readDataset(at("u.npy"));
  REQUIRE_OK(back);
  QVERIFY(sameBits(back->cloud.columns[0], {1, 4294967295.0}));
  REQUIRE_OK(writeNpy(at("p.npy"), std::vector<Pair>{{1, 2}, {3, -4}, {5, 6}}));
  QVERIFY(has(readFile(at("p.npy")), "'descr': '<i4', 'fortran_order': False, 'shape': (3, 2)"));
  back = readDataset(at("p.npy"));
  REQUIRE_OK(back);
  QVERIFY(sameBits(back->cloud.columns[1], {2, -4, 6}));
  REQUIRE_OK(writeNpy(at("e.npy"), std::vector<std::int32_t>{}));
  QVERIFY(has(readFile(at("e.npy")), "'shape': (0,)"));
  QCOMPARE(readFile(at("e.npy")).size() % 64, 0u);
}

void TestWriteArrays::rowsOfTheFile() {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> skipped;
    std::vector<std::uint64_t> read;
    for (std::uint64_t row = 0; row < 12; ++row) (random() % 2 ? skipped : read).push_back(row);
    const std::uint64_t every = 1 + random() % 3;
    const FileRows rowOf(skipped, every);
    for (std::size_t p = 0; p < read.size(); ++p) QCOMPARE(rowOf(p), read[p] * every);
    QCOMPARE(rowOf(read.size()), 12 * every);
    QCOMPARE(rowOf.areThePoints(), skipped.empty() && every == 1);
  }
  // Rows that need 64 bits.
  Dataset far;
  far.cloud.columns = {{1, 2, 3}};
  far.skippedRows = {1};
  far.every = std::uint64_t{1} << 31;
  const std::vector<Pair> pairs{{0, 0}, {1, 2}};
  REQUIRE_OK(writePairsNpy(at("p.npy"), pairs, far, far));
  std::string bytes = readFile(at("p.npy"));
  QVERIFY(has(bytes, "'descr': '<i8', 'fortran_order': False, 'shape': (2, 2)"));
  const auto second = static_cast<std::int64_t>(2 * far.every);
  const auto third = static_cast<std::int64_t>(3 * far.every);
  QCOMPARE(bytes.substr(bytes.size() - 32),
           testing::Bytes().add(std::int64_t{0}).add(std::int64_t{0}).add(second).add(third).str());
  const std::vector<std::uint32_t> ids{2, 0};
  REQUIRE_OK(writeRowIdsNpy(at("i.npy"), far, far, 2,
                            [&](std::size_t) { return std::span<const std::uint32_t>(ids); }));
  bytes = readFile(at("i.npy"));
  QVERIFY(has(bytes, "'descr': '<i8', 'fortran_order': False, 'shape': (4, 2)"));
  QCOMPARE(bytes.substr(bytes.size() - 48, 32), testing::Bytes()
                                                    .add(std::int64_t{-2})
                                                    .add(std::int64_t{-2})
                                                    .add(third)
                                                    .add(std::int64_t{0})
                                                    .str());
}

APPLESS_TEST(TestWriteArrays);
#include "tst_write_arrays.moc"
