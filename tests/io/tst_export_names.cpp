// Names of columns that a format does not hold: each is told, and none takes the name of another.
#include <map>

#include "engine/io/format_table.h"
#include "engine/io/read.h"
#include "engine/io/read_labels.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

const std::string kLong = "temperature_of_the_sensor_in_degrees_";
const std::string kLonger = std::string(60, 'n') + "_of_the_sensor_in_degrees_";

std::vector<std::string> hardNames() {
  return {"a b",
          "a_b",
          "a/b",
          ".",
          "value",
          "label",
          "input_label",
          "Höhe über Normalnull",
          "H_he _ber Normalnull",
          kLong + "C",
          kLong + "F",
          kLonger + "C",
          kLonger + "F",
          std::string(70, '\'') + "C",
          "intensity"};
}

/// Two points with a column of numbers for each name: 10 + its place, and 0.5.
Dataset cloudWith(const std::vector<std::string>& names) {
  std::string header = "x,y";
  std::string rows[2] = {"1,2", "3,4"};
  for (std::size_t n = 0; n < names.size(); ++n) {
    header += ",\"" + names[n] + "\"";
    rows[0] += "," + std::to_string(10 + n);
    rows[1] += ",0.5";
  }
  ReadOptions options;
  options.coordinates = {"x", "y"};
  options.text.header = TextOptions::Header::Yes;
  return readBytes(header + "\n" + rows[0] + "\n" + rows[1] + "\n", options).value();
}

}  // namespace

class TestExportNames : public QObject, FileFolder {
  Q_OBJECT

 private slots:
  void everyChangeIsTold_data();
  void everyChangeIsTold();
  void namesThatStayComeFirst_data();
  void namesThatStayComeFirst();
  void positionsAreTold();
  void namesThatAreNumbersReadBack();
};

// A header of numbers would be a row of data.
void TestExportNames::namesThatAreNumbersReadBack() {
  ReadOptions options;
  options.text.header = TextOptions::Header::Yes;
  const auto read = readBytes("400,500.5\n1,2\n300,700\n", options);
  REQUIRE_OK(read);
  Clustering clustering;
  clustering.labels = {0, -1};
  clustering.clusters = 1;
  const std::string path = at("numbers.csv");
  QVERIFY(writeLabelled(path, *read, clustering, {}).has_value());
  const auto again = readDataset(path);
  REQUIRE_OK(again);
  QCOMPARE(again->cloud.size(), std::size_t(2));
  QCOMPARE(again->cloud.names[0], std::string("400"));
  const auto labels = readLabelRows(path);
  REQUIRE_OK(labels);
  QCOMPARE(*labels, clustering.labels);
}

void TestExportNames::everyChangeIsTold_data() {
  QTest::addColumn<QString>("extension");
  for (const std::string& extension : writtenExtensions())
    if (extension != ".npy") QTest::newRow(extension.c_str()) << QString::fromStdString(extension);
}

// The file has each column under the name that is told, or under its own.
void TestExportNames::everyChangeIsTold() {
  QFETCH(QString, extension);
  const std::string path = at("a" + extension.toStdString());
  const Dataset dataset = cloudWith(hardNames());
  const Clustering clustering = labelsFor(2);
  REQUIRE_OK(writeLabelled(path, dataset, clustering, {}));
  std::map<std::string, std::string> written;
  for (const RenamedColumn& renamed : renamedIn(path, dataset, &clustering))
    written[renamed.column] = renamed.written;
  if (extension == ".vtp") {
    const std::string bytes = readFile(path);
    for (const std::string& name : hardNames())
      QVERIFY(has(bytes, "Name=\"" + (written.count(name) ? written[name] : name) + "\"") ||
              has(name, "'"));
    return;
  }
  ReadOptions options;
  options.coordinates = {"x", "y"};
  const auto read = readDataset(path, options);
  REQUIRE_OK(read);
  const bool hasOwn = extension == ".fits";  // which keeps some names beside those of FITS
  for (std::size_t n = 0; n < hardNames().size(); ++n) {
    const std::string name = hardNames()[n];
    bool found = false;
    for (std::size_t a = 0; a < read->attributes.size(); ++a) {
      const std::string& there = read->attributes[a].name;
      const bool named = there == (written.count(name) ? written[name] : name);
      if (named || (hasOwn && there == name))
        found = found || numbersOf(*read, a) == std::vector<double>{10.0 + double(n), 0.5};
    }
    QVERIFY2(found, name.c_str());
  }
}

void TestExportNames::namesThatStayComeFirst_data() {
  QTest::addColumn<QString>("extension");
  QTest::addColumn<QString>("changed");
  QTest::addColumn<QString>("stays");
  QTest::newRow("ply") << ".ply"
                       << "a b"
                       << "a_b";
  QTest::newRow("pcd") << ".pcd"
                       << "a b"
                       << "a_b";
  QTest::newRow("las") << ".las" << QString::fromStdString(kLong + "C")
                       << QString::fromStdString(kLong.substr(0, 28));
  QTest::newRow("fits") << ".fits"
                        << "Höhe"
                        << "H_he";
  if (formatOfExtension(".h5")->isWritten())
    QTest::newRow("hdf5") << ".h5"
                          << "a/b"
                          << "a_b";
}

void TestExportNames::namesThatStayComeFirst() {
  QFETCH(QString, extension);
  QFETCH(QString, changed);
  QFETCH(QString, stays);
  const std::string path = at("a" + extension.toStdString());
  const Dataset dataset = cloudWith({changed.toStdString(), stays.toStdString()});
  const auto renamed = renamedIn(path, dataset);
  QCOMPARE(renamed.size(), std::size_t{1});
  QCOMPARE(renamed[0].column, changed.toStdString());
  QCOMPARE(renamed[0].written, stays.toStdString() + "_2");
  REQUIRE_OK(writeLabelled(path, dataset, labelsFor(2), {}));
  const auto read = readDataset(path);
  REQUIRE_OK(read);
  for (std::size_t a = 0; a < read->attributes.size(); ++a)
    if (read->attributes[a].name == stays.toStdString())
      QCOMPARE(numbersOf(*read, a), (std::vector<double>{11, 0.5}));
}

void TestExportNames::positionsAreTold() {
  ReadOptions options;
  options.coordinates = {"lon", "lat"};
  const auto read = readBytes("lon,lat,size\n1,2,3\n4,5,6\n", options);
  REQUIRE_OK(read);
  const auto renamed = renamedIn("a.ply", *read);
  QCOMPARE(renamed.size(), std::size_t{2});
  QCOMPARE(renamed[1].column, std::string("lat"));
  QCOMPARE(renamed[1].written, std::string("y"));
  QVERIFY(renamedIn("a.csv", *read).empty());
  QVERIFY(renamedIn("a.npy", *read).empty());
}

APPLESS_TEST(TestExportNames);
#include "tst_export_names.moc"
