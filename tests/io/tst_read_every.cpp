// Reading one row of every n: the rows 0, n, 2n, … of what is read without it.
#include <QTemporaryDir>
#include <cmath>

#include "engine/io/read_part.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::Bytes;

namespace {

constexpr std::size_t kRows = 70'001;  // more than a reader takes at once

double valueAt(std::size_t row, std::size_t column) {
  return double((row * 7919 + column * 104729) % 100'003) / 8 - 5000;
}

/// A row whose coordinates are not finite, where there are such rows.
bool isBad(std::size_t row) { return row % 1000 == 6 || row % 3000 == 0; }

std::string csv(bool withBadRows) {
  std::string text = "x,y,word\n";
  for (std::size_t r = 0; r < kRows; ++r) {
    text += withBadRows && isBad(r) ? "nan" : std::to_string(valueAt(r, 0));
    text += ',' + std::to_string(valueAt(r, 1)) + ",w" + std::to_string(r % 17) + '\n';
  }
  return text;
}

std::string npy(bool fortran, bool withBadRows) {
  std::string dictionary = std::string("{'descr': '<f8', 'fortran_order': ") +
                           (fortran ? "True" : "False") + ", 'shape': (" + std::to_string(kRows) +
                           ", 3), }";
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  Bytes bytes;
  bytes.text("\x93NUMPY").add('\1').add('\0').add(static_cast<std::uint16_t>(dictionary.size()));
  bytes.text(dictionary);
  const auto add = [&](std::size_t r, std::size_t c) {
    bytes.add(withBadRows && isBad(r) && c == 1 ? std::nan("") : valueAt(r, c));
  };
  if (fortran)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t r = 0; r < kRows; ++r) add(r, c);
  else
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t c = 0; c < 3; ++c) add(r, c);
  return bytes.str();
}

std::string ply() {
  Bytes bytes;
  bytes.text("ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(kRows) +
             "\nproperty double x\nproperty double y\nproperty uchar red\nend_header\n");
  for (std::size_t r = 0; r < kRows; ++r)
    bytes.add(valueAt(r, 0)).add(valueAt(r, 1)).add(static_cast<std::uint8_t>(r % 251));
  return bytes.str();
}

std::string fileOf(const std::string& kind) {
  if (kind == "csv") return csv(false);
  if (kind == "csv with bad rows") return csv(true);
  if (kind == "npy") return npy(false, false);
  if (kind == "npy with bad rows") return npy(false, true);
  if (kind == "npy by columns") return npy(true, true);
  return ply();
}

}  // namespace

class TestReadEvery : public QObject {
  Q_OBJECT

 private slots:
  void equalsTheRowsOfTheWhole_data();
  void equalsTheRowsOfTheWhole();
  void badRowsBetweenDoNotMatter();
  void whatFits();
  void labelsAreOnePerRowRead();
  void notByRanks();
};

void TestReadEvery::equalsTheRowsOfTheWhole_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<quint64>("every");
  for (const char* kind :
       {"csv", "csv with bad rows", "npy", "npy with bad rows", "npy by columns", "ply"})
    for (const quint64 every :
         {2ULL, 3ULL, 1000ULL, 40'000ULL, 70'000ULL, 70'001ULL, 1'000'000'000ULL})
      QTest::newRow(qPrintable(QString("%1, %2").arg(kind).arg(every))) << QString(kind) << every;
}

void TestReadEvery::equalsTheRowsOfTheWhole() {
  QFETCH(QString, kind);
  QFETCH(quint64, every);
  const std::string file = fileOf(kind.toStdString());
  ReadOptions options;
  options.skipNonFinite = true;
  const auto whole = testing::readBytes(file, options, "cloud");
  options.every = every;
  const auto part = testing::readBytes(file, options, "cloud");
  QVERIFY(whole);
  // The only row that is left may be one that is skipped.
  const bool bad = whole->skippedRows.size() > 0;
  if (bad && every >= kRows) {
    QVERIFY(!part);
    return;
  }
  QVERIFY2(part, testing::messageOf(part).c_str());
  QCOMPARE(part->every, every);
  QCOMPARE(part->inputRows, (kRows + every - 1) / every);
  PointCloud expected;
  expected.columns.resize(whole->cloud.dims());
  std::vector<std::uint64_t> skipped;
  std::vector<std::string> words;
  std::vector<double> red;
  std::size_t point = 0;
  auto next = whole->skippedRows.begin();
  for (std::size_t row = 0; row < kRows; ++row) {
    const bool isSkipped = next != whole->skippedRows.end() && *next == row;
    if (isSkipped) ++next;
    if (row % every == 0) {
      if (isSkipped) {
        skipped.push_back(row / every);
      } else {
        for (std::size_t j = 0; j < expected.columns.size(); ++j)
          expected.columns[j].push_back(whole->cloud.columns[j][point]);
        if (kind.startsWith("csv")) words.push_back(testing::wordsOf(*whole, 0)[point]);
        if (kind == "ply") red.push_back(testing::numbersOf(*whole, 0)[point]);
      }
    }
    if (!isSkipped) ++point;
    if (kind.startsWith("csv") && every < 1000 && row > 4000) break;  // the words are slow to copy
  }
  if (kind.startsWith("csv") && every < 1000) {
    QVERIFY(part->cloud.size() > words.size());
    for (std::size_t j = 0; j < expected.columns.size(); ++j)
      QVERIFY(std::equal(expected.columns[j].begin(), expected.columns[j].end(),
                         part->cloud.columns[j].begin()));
    const std::vector<std::string> found = testing::wordsOf(*part, 0);
    QVERIFY(std::equal(words.begin(), words.end(), found.begin()));
    return;
  }
  for (std::size_t j = 0; j < expected.columns.size(); ++j)
    QVERIFY(testing::sameBits(part->cloud.columns[j], expected.columns[j]));
  QCOMPARE(part->skippedRows, skipped);
  if (kind.startsWith("csv")) QCOMPARE(testing::wordsOf(*part, 0), words);
  if (kind == "ply") QVERIFY(testing::sameBits(testing::numbersOf(*part, 0), red));
}

void TestReadEvery::badRowsBetweenDoNotMatter() {
  ReadOptions options;
  options.every = 2;
  // Row 1 is not read.
  const auto part = testing::readBytes("1,2\nnan,3\n4,5\n", options);
  QVERIFY2(part, testing::messageOf(part).c_str());
  QCOMPARE(part->cloud.columns[0], (std::vector<double>{1, 4}));
  // The message counts the rows of the file.
  const auto refused = testing::readBytes("1,2\n3,3\nnan,5\n", options);
  QVERIFY(!refused);
  QVERIFY2(testing::has(testing::messageOf(refused), "line 3"),
           testing::messageOf(refused).c_str());
}

void TestReadEvery::whatFits() {
  QTemporaryDir folder;
  const std::string path = folder.filePath("cloud.npy").toStdString();
  QFile file(QString::fromStdString(path));
  const std::string bytes = npy(false, false);
  QVERIFY(file.open(QIODevice::WriteOnly) &&
          file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()));
  file.close();
  ReadOptions options;
  options.memoryLimit = 100'000;  // of 1,680,024
  const auto every = everyThatFits(path, options);
  QVERIFY(every);
  QCOMPARE(*every, 20u);
  QVERIFY(!readDataset(path, options));
  options.every = 10;
  QVERIFY(!readDataset(path, options));
  options.every = *every;
  QVERIFY(readDataset(path, options));
  options.memoryLimit = 0;
  QCOMPARE(*everyThatFits(path, options), 0u);
  options.memoryLimit = 10;  // less than a row
  QCOMPARE(*everyThatFits(path, options), 0u);
  QVERIFY(!everyThatFits(folder.filePath("missing.npy").toStdString(), options));
}

void TestReadEvery::labelsAreOnePerRowRead() {
  ReadOptions options;
  options.every = 3;
  options.skipNonFinite = true;
  const auto part = testing::readBytes("0,1\n9,9\n9,9\nnan,1\n9,9\n9,9\n5,1\n", options);
  QVERIFY2(part, testing::messageOf(part).c_str());
  QCOMPARE(part->cloud.size(), 2u);
  Clustering clustering;
  clustering.labels = {0, 1};
  clustering.roles = {PointRole::Core, PointRole::Core};
  clustering.clusters = 2;
  QTemporaryDir folder;
  const std::string path = folder.filePath("labels.npy").toStdString();
  QVERIFY(writeLabelled(path, *part, clustering, {}));
  const auto labels = readDataset(path);
  QVERIFY(labels);
  QCOMPARE(labels->cloud.columns[0], (std::vector<double>{0, -2, 1}));
}

void TestReadEvery::notByRanks() {
  ReadOptions options;
  options.every = 2;
  const auto part = openFilePart("cloud.csv", options, 0, 2, {});
  QVERIFY(!part);
  QCOMPARE(part.error().kind, ErrorKind::BadCall);
}

GUILESS_TEST(TestReadEvery);
#include "tst_read_every.moc"
