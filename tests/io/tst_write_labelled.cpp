// Exports: what is in them, bit for bit, and that our own readers take them back.
#include <QTemporaryDir>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "engine/io/write.h"
#include "engine/version.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using testing::has;
using testing::messageOf;
using testing::readFile;
using testing::sameBits;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Four of five rows (row 1 was skipped): two coordinates around two kept columns.
Dataset smallDataset() {
  Dataset dataset;
  dataset.cloud.names = {"east", "north"};
  dataset.cloud.columns = {{513149.62500000006, -0.0, 5e-324, 0.1},
                           {5403150.123456789, 1e308, -1e-308, 1.0 / 3}};
  dataset.attributes = {
      {"tree, kind", Categories{{0, 1, 0, 2}, {"oak", "a \"b\", c\nd", ""}}},
      {"height", std::vector<double>{1.5, std::nan(""), -kInf, 9007199254740993.0}}};
  dataset.columnOrder = {2, 0, 3, 1};
  dataset.inputRows = 5;
  dataset.skippedRows = {1};
  dataset.source = {"trees.csv", "csv", "xxh3:00", ""};
  return dataset;
}

Clustering smallClustering() {
  Clustering clustering;
  clustering.params = {0.1, 3};
  clustering.labels = {0, -1, 1, 0};
  clustering.roles = {PointRole::Core, PointRole::Noise, PointRole::Core, PointRole::Border};
  clustering.clusters = 2;
  clustering.coreCount = 2;
  clustering.borderCount = 1;
  clustering.noiseCount = 1;
  clustering.stats.backend = "cpu";
  clustering.stats.strategy = "pattern tile";
  clustering.stats.indexedDims = 2;
  return clustering;
}

/// A cloud of hard numbers in d dimensions, with labels from −1 up.
Dataset hardDataset(std::size_t dims) {
  Dataset dataset;
  const auto hard = testing::hardDoubles();
  for (std::size_t j = 0; j < dims; ++j) {
    dataset.cloud.names.push_back(dims <= 3 ? std::string(1, static_cast<char>('x' + j))
                                            : std::string("x").append(std::to_string(j)));
    auto column = hard;
    std::rotate(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(7 * j), column.end());
    dataset.cloud.columns.push_back(std::move(column));
  }
  dataset.inputRows = hard.size();
  return dataset;
}

Clustering labelsFor(const Dataset& dataset) {
  Clustering clustering;
  for (std::size_t i = 0; i < dataset.cloud.size(); ++i) {
    clustering.labels.push_back(static_cast<std::int32_t>(i % 5) - 1);
    clustering.roles.push_back(i % 5 == 0   ? PointRole::Noise
                               : i % 2 == 0 ? PointRole::Core
                                            : PointRole::Border);
  }
  return clustering;
}

std::shared_ptr<const std::vector<double>> numbersCalled(const Dataset& dataset,
                                                         const std::string& name) {
  for (const Attribute& attribute : dataset.attributes)
    if (attribute.name == name) return doublesOf(nullptr, attribute.values);
  return nullptr;
}

std::vector<double> asDoubles(const std::vector<std::int32_t>& labels) {
  return {labels.begin(), labels.end()};
}

}  // namespace

class TestWriteLabelled : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void csvByTheLetter();
  void csvIsAPlainTable();
  void csvComesBack();
  void csvOfClusters();
  void npyLabels();
  void npySidecar();
  void sidecarsOfOthersStay();
  void plyComesBack();
  void plyByTheByte();
  void vtpByTheByte();
  void bitForBit_data();
  void bitForBit();
  void datasets_data();
  void datasets();
  void namesThatCollide();
  void namesOfWords();
  void provenance();
  void strangeProvenance();
  void clusterTable();
  void badCalls();
  void emptySelection();
  void cancelKeepsTheOldFile();

 private:
  std::string at(const std::string& name) const {
    return folder_->path().toStdString() + "/" + name;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_->path().toStdString()),
                      std::filesystem::directory_iterator()));
  }
  std::unique_ptr<QTemporaryDir> folder_;
};

void TestWriteLabelled::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  QVERIFY(folder_->isValid());
}

void TestWriteLabelled::csvByTheLetter() {
  REQUIRE_OK(writeLabelled(at("a.csv"), smallDataset(), smallClustering(),
                           {{}, {{"eps", "0.1"}, {"note", "two\nlines"}}}));
  QCOMPARE(readFile(at("a.csv")),
           std::string("\"tree, kind\",east,height,north,label,role\n"
                       "oak,513149.62500000006,1.5,5403150.123456789,0,core\n"
                       ",,,,-2,skipped\n"
                       "\"a \"\"b\"\", c\nd\",-0,nan,1e+308,-1,noise\n"
                       "oak,5e-324,-inf,-1e-308,1,core\n"
                       ",0.1,9007199254740992,0.3333333333333333,0,border\n"));
  QCOMPARE(files(), 2u);
}

namespace {

/// The records of a CSV file, read as RFC 4180 says and with no other rule: no comments, no blank
/// lines to skip, quotes only around whole cells. Empty where the file breaks these rules.
std::vector<std::vector<std::string>> strictCsv(const std::string& text) {
  std::vector<std::vector<std::string>> records(1);
  std::size_t at = 0;
  while (at < text.size()) {
    std::string cell;
    if (text[at] == '"') {
      for (++at;; ++at) {
        if (at >= text.size()) return {};
        if (text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')) break;
        if (text[at] == '"') ++at;
        cell += text[at];
      }
      ++at;
    } else {
      while (at < text.size() && text[at] != ',' && text[at] != '\n') {
        if (text[at] == '"' || text[at] == '\r') return {};
        cell += text[at++];
      }
    }
    records.back().push_back(cell);
    if (at >= text.size()) return {};  // the last line is not ended
    if (text[at] == '\n' && at + 1 < text.size()) records.emplace_back();
    if (text[at] != ',' && text[at] != '\n') return {};
    ++at;
  }
  return records;
}

}  // namespace

// What readers of CSV such as pandas.read_csv take without options: a header, then rows with as
// many cells, whether provenance is written or not.
void TestWriteLabelled::csvIsAPlainTable() {
  const Provenance provenance{{"program", "Clusterloom 1"}, {"input", "a,b \"c\".csv"}};
  REQUIRE_OK(writeLabelled(at("a.csv"), smallDataset(), smallClustering(), {{}, provenance}));
  ClusteringStatistics statistics;
  statistics.clusters.resize(2);
  for (ClusterStatistics& cluster : statistics.clusters) {
    cluster.size = cluster.core = 1;
    cluster.low = cluster.high = cluster.centroid = {0.1, -1};
  }
  REQUIRE_OK(writeClusterTable(at("t.csv"), smallDataset(), statistics, provenance));
  const auto rows = strictCsv(readFile(at("a.csv")));
  const auto clusters = strictCsv(readFile(at("t.csv")));
  QCOMPARE(rows.size(), 6u);
  QCOMPARE(clusters.size(), 3u);
  QCOMPARE(rows.front(),
           (std::vector<std::string>{"tree, kind", "east", "height", "north", "label", "role"}));
  QCOMPARE(clusters.front().front(), std::string("label"));
  for (const auto& row : rows) QCOMPARE(row.size(), rows.front().size());
  for (const auto& row : clusters) QCOMPARE(row.size(), clusters.front().size());
  for (const char* const name : {"a.csv.provenance.json", "t.csv.provenance.json"}) {
    const auto json = nlohmann::ordered_json::parse(readFile(at(name)));
    QCOMPARE(json["input"].get<std::string>(), provenance[1].second);
  }
  // A new table does not keep the provenance of the old one.
  REQUIRE_OK(writeLabelled(at("a.csv"), smallDataset(), smallClustering(), {}));
  REQUIRE_OK(writeClusterTable(at("t.csv"), smallDataset(), statistics));
  QCOMPARE(files(), 2u);
  // Further columns come last, without a number where there is none.
  REQUIRE_OK(writeClusterTable(at("t.csv"), smallDataset(), statistics, {},
                               {{"first, one", {0.5, std::nan("")}}, {"second", {1, 2}}}));
  const auto more = strictCsv(readFile(at("t.csv")));
  QCOMPARE(more[0].size(), clusters[0].size() + 2);
  QCOMPARE(more[0][more[0].size() - 2], std::string("first, one"));
  QCOMPARE(more[1][more[0].size() - 2], std::string("0.5"));
  QCOMPARE(more[2][more[0].size() - 2], std::string());
  QCOMPARE(more[2].back(), std::string("2"));
}

void TestWriteLabelled::csvComesBack() {
  const Dataset dataset = smallDataset();
  REQUIRE_OK(writeLabelled(at("a.csv"), dataset, smallClustering(), {{}, {{"eps", "0.1"}}}));
  ReadOptions options;
  options.coordinates = {"east", "north"};
  REQUIRE_PART(messageOf(readDataset(at("a.csv"), options)),
               "line 3, column 1 (\"east\"): the coordinate is missing");
  options.skipNonFinite = true;
  const auto back = readDataset(at("a.csv"), options);
  REQUIRE_OK(back);
  for (std::size_t j = 0; j < 2; ++j)
    QVERIFY(sameBits(back->cloud.columns[j], dataset.cloud.columns[j]));
  QCOMPARE(back->skippedRows, dataset.skippedRows);
  QCOMPARE(back->inputRows, dataset.inputRows);
  QCOMPARE(testing::wordsOf(*back, 0), testing::wordsOf(dataset, 0));
  QCOMPARE(back->attributes[2].name, std::string("label"));
  QVERIFY(sameBits(testing::numbersOf(*back, 2), {0, -1, 1, 0}));
  QCOMPARE(testing::wordsOf(*back, 3),
           (std::vector<std::string>{"core", "noise", "core", "border"}));
}

void TestWriteLabelled::csvOfClusters() {
  REQUIRE_OK(writeLabelled(at("a.csv"), smallDataset(), smallClustering(), {{1, -1}, {}}));
  QCOMPARE(readFile(at("a.csv")), std::string("\"tree, kind\",east,height,north,label,role\n"
                                              "\"a \"\"b\"\", c\nd\",-0,nan,1e+308,-1,noise\n"
                                              "oak,5e-324,-inf,-1e-308,1,core\n"));
}

void TestWriteLabelled::npyLabels() {
  REQUIRE_OK(writeLabelled(at("a.npy"), smallDataset(), smallClustering(), {}));
  const std::string bytes = readFile(at("a.npy"));
  QVERIFY(bytes.starts_with(std::string("\x93NUMPY\x01\0", 8)));
  QVERIFY(has(bytes, "'descr': '<i4', 'fortran_order': False, 'shape': (5,)"));
  QCOMPARE((bytes.size() - 20) % 64, 0u);
  QCOMPARE(bytes.substr(bytes.size() - 20),
           testing::Bytes().add(0).add(-2).add(-1).add(1).add(0).str());
  REQUIRE_OK(writeLabelled(at("a.npy"), smallDataset(), smallClustering(), {{0, -2}, {}}));
  const auto some = readDataset(at("a.npy"));
  REQUIRE_OK(some);
  QVERIFY(sameBits(some->cloud.columns[0], {0, -2, 0}));
}

void TestWriteLabelled::npySidecar() {
  const Provenance provenance{{"program", "Clusterloom"}, {"path", "bad \xff utf-8"}};
  REQUIRE_OK(writeLabelled(at("a.npy"), smallDataset(), smallClustering(), {{}, provenance}));
  const auto json = nlohmann::ordered_json::parse(readFile(at("a.npy.provenance.json")));
  QCOMPARE(json["program"].get<std::string>(), std::string("Clusterloom"));
  QCOMPARE(json.begin().key(), std::string("program"));
  QCOMPARE(files(), 2u);
  // Labels without a note do not keep an older one.
  REQUIRE_OK(writeLabelled(at("a.npy"), smallDataset(), smallClustering(), {}));
  QCOMPARE(files(), 1u);
}

// A file beside the output that has the name of its provenance is removed only where it is one.
void TestWriteLabelled::sidecarsOfOthersStay() {
  const std::string sidecar = at("a.npy.provenance.json");
  const auto write = [&] {
    return writeLabelled(at("a.npy"), smallDataset(), smallClustering(), {});
  };
  for (const char* const text : {"x,y\n1,2\n", "{}", "[1]", R"({"program": "Other 1"})", ""}) {
    testing::writeFile(sidecar, text);
    REQUIRE_OK(write());
    QVERIFY2(std::filesystem::exists(sidecar), text);
    QCOMPARE(readFile(sidecar), std::string(text));
  }
  const std::string own = R"({"program": "Clusterloom 0.1.0", "eps": "1"})";
  testing::writeFile(at("elsewhere.json"), own);
  std::filesystem::remove(sidecar);
  std::filesystem::create_symlink(at("elsewhere.json"), sidecar);
  REQUIRE_OK(write());
  QVERIFY(std::filesystem::is_symlink(sidecar));
  QCOMPARE(readFile(at("elsewhere.json")), own);
  std::filesystem::remove(sidecar);
  testing::writeFile(sidecar, own);
  REQUIRE_OK(write());
  QVERIFY(!std::filesystem::exists(sidecar));
}

void TestWriteLabelled::plyComesBack() {
  const Dataset dataset = smallDataset();
  REQUIRE_OK(writeLabelled(at("a.ply"), dataset, smallClustering(), {{}, {{"eps", "0.1"}}}));
  QVERIFY(has(readFile(at("a.ply")), "comment eps: 0.1\n"));
  QVERIFY(has(readFile(at("a.ply")), "comment tree,_kind 1 = a \"b\", c\\nd\n"));
  const auto back = readDataset(at("a.ply"));
  REQUIRE_OK(back);
  QCOMPARE(back->cloud.names, (std::vector<std::string>{"x", "y"}));
  for (std::size_t j = 0; j < 2; ++j)
    QVERIFY(sameBits(back->cloud.columns[j], dataset.cloud.columns[j]));
  QCOMPARE(back->attributes[0].name, std::string("tree,_kind"));
  QCOMPARE(testing::wordsOf(*back, 0), testing::wordsOf(dataset, 0));
  QVERIFY(sameBits(*numbersCalled(*back, "height"), testing::numbersOf(dataset, 1)));
  QVERIFY(sameBits(*numbersCalled(*back, "label"), {0, -1, 1, 0}));
  QVERIFY(sameBits(*numbersCalled(*back, "role"), {2, 0, 2, 1}));
  REQUIRE_OK(writeLabelled(at("b.ply"), dataset, smallClustering(), {{0}, {}}));
  const auto some = readDataset(at("b.ply"));
  REQUIRE_OK(some);
  QVERIFY(sameBits(some->cloud.columns[0], {513149.62500000006, 0.1}));
}

void TestWriteLabelled::plyByTheByte() {
  Dataset dataset;
  dataset.cloud.names = {"lon", "lat", "height", "a time"};
  dataset.cloud.columns = {{1}, {2}, {3}, {4}};
  Clustering clustering;
  clustering.labels = {-1};
  clustering.roles = {PointRole::Noise};
  REQUIRE_OK(writeLabelled(at("a.ply"), dataset, clustering, {}));
  const std::string expected =
      testing::Bytes()
          .text(
              "ply\nformat binary_little_endian 1.0\n"
              "comment coordinate properties: x y z a_time\n"
              "comment role: 0 noise, 1 border, 2 core\nelement vertex 1\n"
              "property double x\nproperty double y\nproperty double z\n"
              "property double a_time\nproperty int label\nproperty uchar role\nend_header\n")
          .add(1.0)
          .add(2.0)
          .add(3.0)
          .add(4.0)
          .add(-1)
          .add('\0')
          .str();
  QCOMPARE(readFile(at("a.ply")), expected);
}

void TestWriteLabelled::vtpByTheByte() {
  REQUIRE_OK(
      writeLabelled(at("a.vtp"), smallDataset(), smallClustering(), {{}, {{"in <put>", "a&b"}}}));
  const std::string bytes = readFile(at("a.vtp"));
  QVERIFY(has(bytes,
              "Name=\"in &lt;put&gt;\" NumberOfTuples=\"1\" format=\"ascii\">97 38 98 0 </Array>"));
  QVERIFY(has(bytes, "<Piece NumberOfPoints=\"4\" NumberOfVerts=\"4\""));
  QVERIFY(has(bytes, "Name=\"tree, kind\" NumberOfTuples=\"4\""));
  const std::size_t start = bytes.find("encoding=\"raw\">\n_") + 17;
  testing::Bytes data;
  data.add(std::uint64_t{16}).add(0).add(-1).add(1).add(0);
  data.add(std::uint64_t{4}).text(std::string("\2\0\2\1", 4));
  data.add(std::uint64_t{4 + 11 + 4 + 1}).text(std::string("oak\0a \"b\", c\nd\0oak\0\0", 20));
  QVERIFY(bytes.substr(start, data.str().size()) == data.str());
  // The arrays stand in the order of their elements, each where its element says, and the last two
  // are the cells.
  std::size_t offset = 0;
  std::size_t arrays = 0;
  for (std::size_t at = 0; (at = bytes.find(" offset=\"", at)) != std::string::npos; ++arrays) {
    at += 9;
    QCOMPARE(std::strtoull(bytes.c_str() + at, nullptr, 10), offset);
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data() + start + offset, sizeof size);
    offset += sizeof size + size;
  }
  QCOMPARE(arrays, 7u);
  QVERIFY(bytes.find("Name=\"connectivity\"") < bytes.find("Name=\"offsets\""));
  testing::Bytes end;
  end.add(std::uint64_t{16})
      .add(0)
      .add(1)
      .add(2)
      .add(3)
      .add(std::uint64_t{16})
      .add(1)
      .add(2)
      .add(3)
      .add(4);
  end.text("\n  </AppendedData>\n</VTKFile>\n");
  QVERIFY(bytes.ends_with(end.str()));
}

void TestWriteLabelled::bitForBit_data() {
  QTest::addColumn<QString>("extension");
  QTest::addColumn<int>("dims");
  for (const QString extension : {"csv", "ply", "pcd"})
    for (const int dims : {1, 2, 3, 4, 17})
      QTest::newRow(qPrintable(QString("%1, %2 dimensions").arg(extension).arg(dims)))
          << extension << dims;
}

void TestWriteLabelled::bitForBit() {
  QFETCH(QString, extension);
  QFETCH(int, dims);
  const Dataset dataset = hardDataset(static_cast<std::size_t>(dims));
  const Clustering clustering = labelsFor(dataset);
  const std::string path = at("a." + extension.toStdString());
  REQUIRE_OK(
      writeLabelled(path, dataset, clustering, {{}, provenanceOf(dataset, clustering, "none")}));
  const auto back = readDataset(path);
  REQUIRE_OK(back);
  QCOMPARE(back->cloud.dims(), static_cast<std::size_t>(dims));
  for (std::size_t j = 0; j < back->cloud.dims(); ++j)
    QVERIFY(sameBits(back->cloud.columns[j], dataset.cloud.columns[j]));
  const auto labels = numbersCalled(*back, "label");
  QVERIFY(labels != nullptr && sameBits(*labels, asDoubles(clustering.labels)));
}

void TestWriteLabelled::datasets_data() {
  QTest::addColumn<QString>("extension");
  for (const char* const extension : {"csv", "npy", "ply", "pcd"})
    QTest::newRow(extension) << QString(extension);
}

void TestWriteLabelled::datasets() {
  QFETCH(QString, extension);
  for (const std::size_t dims : {1u, 3u, 20u}) {
    Dataset dataset = hardDataset(dims);
    const std::string path = at("a." + extension.toStdString());
    REQUIRE_OK(writeDataset(path, dataset));
    const auto back = readDataset(path);
    REQUIRE_OK(back);
    QCOMPARE(back->cloud.dims(), dims);
    for (std::size_t j = 0; j < dims; ++j)
      QVERIFY(sameBits(back->cloud.columns[j], dataset.cloud.columns[j]));
    QCOMPARE(back->attributes.size(), 0u);
    if (!extension.startsWith("p") || dims <= 3) QCOMPARE(back->cloud.names, dataset.cloud.names);
  }
}

void TestWriteLabelled::namesThatCollide() {
  Dataset dataset = smallDataset();
  dataset.attributes[0].name = "label";
  dataset.attributes[1].name = "input_label";
  REQUIRE_OK(writeLabelled(at("a.csv"), dataset, smallClustering(), {}));
  QVERIFY(has(readFile(at("a.csv")), "input_label_2,east,input_label,north,label,role\n"));
  REQUIRE_OK(writeLabelled(at("a.ply"), dataset, smallClustering(), {}));
  QVERIFY(has(readFile(at("a.ply")),
              "property int input_label_2\nproperty double input_label\nproperty int label\n"));
  // Without labels of our own, names stay as they are.
  REQUIRE_OK(writeDataset(at("b.csv"), dataset));
  QVERIFY(has(readFile(at("b.csv")), "label,east,input_label,north\n"));
  // A coordinate does not take the name of the labels, either.
  dataset = smallDataset();
  dataset.cloud.names[0] = "label";
  REQUIRE_OK(writeLabelled(at("c.csv"), dataset, smallClustering(), {}));
  const std::string text = readFile(at("c.csv"));
  const std::string header = text.substr(0, text.find('\n'));
  QVERIFY2(has(header, "input_label,") && header.ends_with(",label,role"), header.c_str());
}

void TestWriteLabelled::namesOfWords() {
  // Words that could be taken for something else come back as they were.
  Dataset dataset;
  dataset.cloud.names = {"x"};
  dataset.cloud.columns = {{1, 2, 3, 4, 5, 6, 7}};
  const std::vector<std::string> words{"#1",       " padded ", "a;b",       "tab\there",
                                       "crlf\r\n", "12",       "\"quoted\""};
  dataset.attributes = {{"word", Categories{{0, 1, 2, 3, 4, 5, 6}, words}}};
  dataset.columnOrder = {1, 0};
  REQUIRE_OK(writeDataset(at("a.csv"), dataset));
  const auto back = readDataset(at("a.csv"));
  REQUIRE_OK(back);
  QCOMPARE(testing::wordsOf(*back, 0), words);
}

void TestWriteLabelled::provenance() {
  Dataset dataset = smallDataset();
  const Provenance lines = provenanceOf(dataset, smallClustering(), "unit");
  const auto value = [&](const std::string& name) {
    for (const auto& [key, text] : lines)
      if (key == name) return text;
    return std::string("(none)");
  };
  QCOMPARE(value("program"), std::string("Clusterloom ") + kVersion);
  QCOMPARE(value("input"), std::string("trees.csv"));
  QCOMPARE(value("input hash"), std::string("xxh3:00"));
  QCOMPARE(value("input rows"), std::string("5"));
  QCOMPARE(value("skipped rows"), std::string("1"));
  QCOMPARE(value("points"), std::string("4"));
  QCOMPARE(value("coordinates"), std::string("east, north"));
  QCOMPARE(value("scaling"), std::string("unit"));
  QCOMPARE(value("eps"), std::string("0.1"));
  QCOMPARE(value("min_pts"), std::string("3"));
  QCOMPARE(value("strategy"), std::string("pattern tile"));
  QCOMPARE(value("clusters"), std::string("2"));
  QCOMPARE(value("generated by"), std::string("(none)"));
}

void TestWriteLabelled::strangeProvenance() {
  // Nothing in it can break out of its comment.
  const Provenance lines{
      {"a\nend_header", "b\r\n1,2\nelement face 3"}, {"quote", "\"open"}, {"", ""}};
  for (const std::string name : {"a.csv", "a.ply", "a.vtp", "a.npy"}) {
    const Dataset dataset = hardDataset(2);
    const Clustering clustering = labelsFor(dataset);
    REQUIRE_OK(writeLabelled(at(name), dataset, clustering, {{}, lines}));
    if (name == "a.vtp" || name == "a.npy") continue;
    const auto back = readDataset(at(name));
    REQUIRE_OK(back);
    QVERIFY(sameBits(back->cloud.columns[1], dataset.cloud.columns[1]));
  }
}

void TestWriteLabelled::clusterTable() {
  ClusteringStatistics statistics;
  ClusterStatistics one;
  one.size = 3;
  one.core = 2;
  one.border = 1;
  one.low = {0.1, -1};
  one.high = {0.3, 1};
  one.centroid = {0.2, 0};
  one.density = 7.5;
  one.nearest = 1;
  one.nearestDistance = 1.0 / 3;
  statistics.clusters = {one};
  REQUIRE_OK(writeClusterTable(at("t.csv"), smallDataset(), statistics, {{"eps", "0.1"}}));
  QCOMPARE(
      readFile(at("t.csv")),
      std::string(
          "label,size,core,border,density,nearest,nearest_distance,centroid_east,centroid_north,"
          "low_east,low_north,high_east,high_north\n"
          "0,3,2,1,7.5,1,0.3333333333333333,0.2,0,0.1,-1,0.3,1\n"));
}

void TestWriteLabelled::badCalls() {
  const auto kind = [&](const std::string& name) {
    return writeLabelled(at(name), smallDataset(), smallClustering(), {}).error().kind;
  };
  for (const std::string name : {"a", "a.txt", "a.gz", "a.txt.zst", "a.", ".csv", ".csv.gz"})
    QCOMPARE(kind(name), ErrorKind::BadCall);
  QVERIFY(writeLabelled(at("a.CSV"), smallDataset(), smallClustering(), {}));
  Clustering wrong = smallClustering();
  wrong.labels.pop_back();
  for (const std::string name : {"b.csv", "b.npy", "b.ply", "b.vtp"})
    QCOMPARE(writeLabelled(at(name), smallDataset(), wrong, {}).error().kind, ErrorKind::BadCall);
  QCOMPARE(files(), 1u);
}

void TestWriteLabelled::emptySelection() {
  for (const std::string name : {"a.csv", "a.npy", "a.ply", "a.vtp"})
    REQUIRE_OK(writeLabelled(at(name), smallDataset(), smallClustering(), {{99}, {}}));
  QCOMPARE(readFile(at("a.csv")), std::string("\"tree, kind\",east,height,north,label,role\n"));
  QVERIFY(has(readFile(at("a.ply")), "element vertex 0\n"));
}

void TestWriteLabelled::cancelKeepsTheOldFile() {
  Dataset dataset;
  dataset.cloud.names = {"x", "y"};
  dataset.cloud.columns.resize(2, std::vector<double>(200'000, 1.0 / 3));
  const Clustering clustering = labelsFor(dataset);
  for (const std::string name : {"a.csv", "a.ply", "a.vtp"}) {
    testing::writeFile(at(name), "old");
    const std::size_t before = files();
    std::stop_source stop;
    Task task{stop.get_token(), [&](std::string_view stage, double fraction) {
                if (stage == "writing" && fraction > 0.4) stop.request_stop();
              }};
    for (const bool labelled : {true, false}) {
      const auto result = labelled ? writeLabelled(at(name), dataset, clustering, {}, task)
                                   : writeDataset(at(name), dataset, task);
      QVERIFY(!result);
      QCOMPARE(result.error().kind, ErrorKind::Cancelled);
      QCOMPARE(readFile(at(name)), std::string("old"));
      QCOMPARE(files(), before);
    }
  }
}

APPLESS_TEST(TestWriteLabelled);
#include "tst_write_labelled.moc"
