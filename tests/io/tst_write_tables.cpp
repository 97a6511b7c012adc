// HDF5 and FITS that the program writes: bit for bit what was exported.
#include <sys/resource.h>
#include <sys/stat.h>

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stop_token>
#include <utility>

#include "engine/io/format_table.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Two named coordinates, numbers that are hard to keep, words, and names that formats disallow.
Dataset hardData() {
  Dataset dataset;
  std::vector<double> hard = hardDoubles();
  std::vector<double> other(hard.rbegin(), hard.rend());
  dataset.cloud.columns = {hard, other};
  dataset.cloud.names = {"zeta", "alpha"};
  const std::size_t points = hard.size();
  std::vector<double> numbers;
  Categories words{{}, {"oak", "", "it's a fir tree"}};
  for (std::size_t i = 0; i < points; ++i) {
    numbers.push_back(i % 7 == 0 ? std::numeric_limits<double>::infinity()
                                 : static_cast<double>(i) / 3);
    words.codes.push_back(static_cast<std::int32_t>(i % 3));
  }
  dataset.attributes.push_back({"label", numbers});
  dataset.attributes.push_back({"kind 'of' tree", words});
  dataset.attributes.push_back({"metres/second", other});
  dataset.inputRows = points;
  dataset.columnOrder = {2, 1, 0, 3, 4};
  dataset.units = {{"alpha", "deg"}, {"label", "1"}, {"metres/second", "m s-1"}, {"gone", "kg"}};
  return dataset;
}

}  // namespace

class TestWriteTables : public QObject {
  Q_OBJECT

 private slots:
  void bitForBit_data() { extensions(true); }
  void bitForBit();
  void clustersOnly_data() { extensions(false); }
  void clustersOnly();
  void stopped_data() { extensions(false); }
  void stopped();
  void diskFull_data() { extensions(false); }
  void diskFull();
  void diskFillsUp_data() { extensions(false); }
  void diskFillsUp();
  void limitInTheMiddle_data() { extensions(false); }
  void limitInTheMiddle();
  void longProvenance();
  void noTimeIsStored_data() { extensions(false); }
  void noTimeIsStored();
  void theChosenTableIsKept_data() { extensions(false); }
  void theChosenTableIsKept();
  void whereTheyCannotBe();
  void unitsOfOtherLetters_data() { extensions(false); }
  void unitsOfOtherLetters();
  void tooManyColumnsForFits();

 private:
  static void extensions(bool packed) {
    QTest::addColumn<QString>("extension");
    if (formatOf(Format::Hdf5).isWritten()) QTest::newRow("HDF5") << QStringLiteral(".h5");
    QTest::newRow("FITS") << QStringLiteral(".fits");
    if (packed) QTest::newRow("FITS in gzip") << QStringLiteral(".fits.gz");
  }
  /// Builds without a library write FITS but do not read it.
  static bool isRead([[maybe_unused]] const QString& extension) {
#ifdef CLUSTERLOOM_HAS_FITS
    return true;
#else
    return extension == QLatin1String(".h5");
#endif
  }
  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

void TestWriteTables::bitForBit() {
  QFETCH(QString, extension);
  const Dataset dataset = hardData();
  const std::size_t points = dataset.cloud.size();
  REQUIRE_OK(writeLabelled(path("a" + extension), dataset, labelsFor(points),
                           {.onlyClusters = {}, .provenance = {{"eps", "0.5 größer"}}}));
  if (!isRead(extension)) QSKIP("this build does not read the format");
  ReadOptions options;
  options.coordinates = {"zeta", "alpha"};
  const auto read = readDataset(path("a" + extension), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.names, (std::vector<std::string>{"zeta", "alpha"}));
  for (std::size_t j = 0; j < 2; ++j)
    QVERIFY(sameBits(read->cloud.columns[j], dataset.cloud.columns[j]));
  std::vector<std::string> names;
  for (const Attribute& attribute : read->attributes) names.push_back(attribute.name);
  const bool hdf5 = extension == QLatin1String(".h5");
  QCOMPARE(names,
           (std::vector<std::string>{"input_label", "kind 'of' tree",
                                     hdf5 ? "metres_second" : "metres/second", "label", "role"}));
  QVERIFY(sameBits(numbersOf(*read, 0), numbersOf(dataset, 0)));
  QCOMPARE(wordsOf(*read, 1), wordsOf(dataset, 1));
  QVERIFY(sameBits(numbersOf(*read, 2), numbersOf(dataset, 2)));
  for (std::size_t i = 0; i < points; ++i) {
    QCOMPARE(numbersOf(*read, 3)[i], static_cast<double>(i % 4) - 1);
    QCOMPARE(numbersOf(*read, 4)[i], i % 4 == 0 ? 0.0 : 2.0);
  }
  QCOMPARE(read->units, (std::map<std::string, std::string>{
                            {"alpha", "deg"},
                            {"input_label", "1"},
                            {hdf5 ? "metres_second" : "metres/second", "m s-1"}}));
  // In the order of the file that was exported.
  const auto preview = previewFile(path("a" + extension));
  REQUIRE_OK(preview);
  QCOMPARE(preview->columns[0].name, std::string("input_label"));
  QCOMPARE(preview->columns[1].name, std::string("alpha"));
}

void TestWriteTables::clustersOnly() {
  QFETCH(QString, extension);
  const Dataset dataset = hardData();
  const std::size_t points = dataset.cloud.size();
  REQUIRE_OK(writeLabelled(path("c" + extension), dataset, labelsFor(points), {{2}, {}}));
  REQUIRE_OK(writeLabelled(path("none" + extension), dataset, labelsFor(points), {{99}, {}}));
  if (!isRead(extension)) QSKIP("this build does not read the format");
  ReadOptions options;
  options.coordinates = {"zeta"};
  const auto read = readDataset(path("c" + extension), options);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.size(), points / 4);
  QCOMPARE(read->cloud.columns[0][5], dataset.cloud.columns[0][23]);
}

/// Points in two dimensions.
static Dataset twoColumns(std::size_t points) {
  Dataset dataset;
  dataset.cloud.columns = {std::vector<double>(points), std::vector<double>(points)};
  dataset.cloud.names = {"x", "y"};
  dataset.inputRows = points;
  return dataset;
}

void TestWriteTables::stopped() {
  QFETCH(QString, extension);
  std::stop_source stop;
  Task task;
  task.stop = stop.get_token();
  task.progress = [&](std::string_view, double) { stop.request_stop(); };
  const auto written = writeDataset(path("stopped" + extension), twoColumns(300'000), task);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::Cancelled);
  QVERIFY(QDir(folder_.path()).entryList({"*stopped*"}, QDir::Files | QDir::Hidden).isEmpty());
}

void TestWriteTables::diskFull() {
  QFETCH(QString, extension);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 10'000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = writeDataset(path("full" + extension), hardData());
  ::setrlimit(RLIMIT_FSIZE, &before);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::Io);
  REQUIRE_PART(written.error().message, "full" + extension.toStdString());
  REQUIRE_PART(written.error().message, "size limit");
  QVERIFY(QDir(folder_.path()).entryList({"*full*"}, QDir::Files | QDir::Hidden).isEmpty());
}

void TestWriteTables::diskFillsUp() {
  // Others take the space after the first look at it. Only root may mount the small file system;
  // ordinary users test a failing write by RLIMIT_FSIZE alone (limitInTheMiddle).
  QFETCH(QString, extension);
  const std::string disk = path("disk");
  QVERIFY(QDir().mkpath(QString::fromStdString(disk)));
  const std::string mount = "mount -t tmpfs -o size=8m clusterloom '" + disk + "' 2>/dev/null";
  if (std::system(mount.c_str()) != 0) QSKIP("this user may not mount a small file system");
  const auto unmount =
      qScopeGuard([&] { QCOMPARE(std::system(("umount '" + disk + "'").c_str()), 0); });
  const std::string target = disk + "/out" + extension.toStdString();
  testing::writeFile(target, "old");
  bool filled = false;
  Task task;
  task.progress = [&](std::string_view, double) {
    if (std::exchange(filled, true)) return;
    std::ofstream other(disk + "/other", std::ios::binary);
    const std::string block(65536, 'o');
    while (other.write(block.data(), 65536).flush()) {
    }
  };
  const auto written = writeDataset(target, twoColumns(300'000), task);
  const std::string kept = testing::readFile(target);
  const auto files = QDir(QString::fromStdString(disk)).entryList(QDir::Files | QDir::Hidden);
  QVERIFY(filled);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::Io);
  REQUIRE_PART(written.error().message, target + ": the disk is full. Free some space");
  QCOMPARE(kept, std::string("old"));
  QCOMPARE(files.size(), 2);
}

void TestWriteTables::limitInTheMiddle() {
  QFETCH(QString, extension);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  Task task;
  task.progress = [&](std::string_view, double) {
    rlimit small = before;
    small.rlim_cur = 10'000;
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  testing::writeFile(path("middle" + extension), "old");
  const auto written = writeDataset(path("middle" + extension), twoColumns(300'000), task);
  ::setrlimit(RLIMIT_FSIZE, &before);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::Io);
  REQUIRE_PART(written.error().message, path("middle" + extension) + ": ");
  REQUIRE_PART(written.error().message, "size limit");
  QCOMPARE(testing::readFile(path("middle" + extension)), std::string("old"));
  // The library is as good as before.
  REQUIRE_OK(writeDataset(path("middle" + extension), twoColumns(1000)));
}

/// Two runs write the same bytes, at whatever time.
void TestWriteTables::noTimeIsStored() {
  QFETCH(QString, extension);
  REQUIRE_OK(writeDataset(path("one" + extension), hardData()));
  QTest::qSleep(1100);
  REQUIRE_OK(writeDataset(path("two" + extension), hardData()));
  QCOMPARE(testing::readFile(path("one" + extension)), testing::readFile(path("two" + extension)));
}

/// Thousands of long names make a text of provenance that no header has room for.
void TestWriteTables::longProvenance() {
  if (!formatOf(Format::Hdf5).isWritten()) QSKIP("this build does not write HDF5");
  Dataset dataset;
  for (int j = 0; j < 4096; ++j) {
    dataset.cloud.names.push_back("gene_" + std::to_string(10'000'000'000 + j));
    dataset.cloud.columns.push_back({double(j), double(-j)});
  }
  dataset.inputRows = 2;
  Clustering clustering;
  clustering.labels = {0, -1};
  clustering.roles = {PointRole::Core, PointRole::Noise};
  WriteOptions options;
  options.provenance = provenanceOf(dataset, clustering, "none");
  for (const char* name : {"one.h5", "two.h5"})
    REQUIRE_OK(writeLabelled(path(name), dataset, clustering, options));
  QCOMPARE(testing::readFile(path("one.h5")), testing::readFile(path("two.h5")));
  ReadOptions read;
  read.coordinates = {dataset.cloud.names[0], dataset.cloud.names[4095]};
  read.keepOthers = false;
  const auto back = readDataset(path("one.h5"), read);
  REQUIRE_OK(back);
  QCOMPARE(back->cloud.columns[1], (std::vector<double>{4095, -4095}));
}

/// The table that was chosen belongs to how labels were made.
void TestWriteTables::theChosenTableIsKept() {
  QFETCH(QString, extension);
  REQUIRE_OK(writeDataset(path("chosen" + extension), twoColumns(3)));
  if (!isRead(extension)) QSKIP("this build does not read the format");
  const bool hdf5 = extension == QLatin1String(".h5");
  ReadOptions options;
  options.dataset = hdf5 ? "/points" : "1";
  const auto read = readDataset(path("chosen" + extension), options);
  REQUIRE_OK(read);
  const Provenance lines = provenanceOf(*read, Clustering{}, "none");
  QVERIFY(std::ranges::find(lines, std::pair<std::string, std::string>(
                                       "dataset", options.dataset)) != lines.end());
}

void TestWriteTables::whereTheyCannotBe() {
  if (!formatOf(Format::Hdf5).isWritten()) QSKIP("this build does not write HDF5");
  const auto packed = writeDataset(path("a.h5.gz"), hardData());
  QVERIFY(!packed);
  QCOMPARE(packed.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(packed.error().message, "HDF5 cannot be compressed as a whole. Leave .gz out");
  QCOMPARE(::mkfifo(path("pipe.h5").c_str(), 0600), 0);
  const auto piped = writeDataset(path("pipe.h5"), hardData());
  QVERIFY(!piped);
  QCOMPARE(piped.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(piped.error().message, "can only be written to a file");
}

void TestWriteTables::unitsOfOtherLetters() {
  // A header of FITS holds ASCII only; HDF5 takes any text.
  QFETCH(QString, extension);
  Dataset dataset = twoColumns(3);
  dataset.units = {{"x", "µm"}, {"y", "nm"}};
  REQUIRE_OK(writeDataset(path("units" + extension), dataset));
  if (!isRead(extension)) QSKIP("this build does not read the format");
  const auto read = readDataset(path("units" + extension));
  REQUIRE_OK(read);
  const bool hdf5 = extension == QLatin1String(".h5");
  QCOMPARE(read->units.count("x"), hdf5 ? 1U : 0U);
  if (hdf5) QCOMPARE(read->units.at("x"), std::string("µm"));
  QCOMPARE(read->units.at("y"), std::string("nm"));
}

void TestWriteTables::tooManyColumnsForFits() {
  Dataset dataset;
  dataset.cloud.columns = {{1}};
  dataset.cloud.names = {"x"};
  dataset.inputRows = 1;
  for (int a = 0; a < 999; ++a)
    dataset.attributes.push_back({"a" + std::to_string(a), std::vector<double>{1}});
  const auto written = writeDataset(path("many.fits"), dataset);
  QVERIFY(!written);
  QCOMPARE(written.error().kind, ErrorKind::BadCall);
  REQUIRE_PART(written.error().message, "999 at most");
}

GUILESS_TEST(TestWriteTables);
#include "tst_write_tables.moc"
