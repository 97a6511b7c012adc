// PCD as an output: the bytes, and that our reader takes them back.

#include "engine/io/read.h"
#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

/// Three points with a column of every type, and names that PCD has other uses for.
Dataset everyType() {
  Dataset dataset;
  dataset.cloud.names = {"x", "y"};
  dataset.cloud.columns = {{0.5, 1.5, 2.5}, {1e300, -0.0, 3}};
  dataset.coordinateTypes = {Scalar::Float32, Scalar::Float64};
  dataset.inputRows = 3;
  dataset.attributes = {{"i8", std::vector<std::int8_t>{-128, 0, 127}},
                        {"u8", std::vector<std::uint8_t>{0, 1, 255}},
                        {"i16", std::vector<std::int16_t>{-32768, 0, 32767}},
                        {"u16", std::vector<std::uint16_t>{0, 1, 65535}},
                        {"i32", std::vector<std::int32_t>{INT32_MIN, 0, INT32_MAX}},
                        {"u32", std::vector<std::uint32_t>{0, 1, UINT32_MAX}},
                        {"i64", std::vector<std::int64_t>{INT64_MIN, 0, INT64_MAX}},
                        {"u64", std::vector<std::uint64_t>{0, 1, UINT64_MAX}},
                        {"f32", std::vector<float>{0.1F, -1, 3e38F}},
                        {"f64", std::vector<double>{0.1, -1, 1e300}},
                        {"a kind", Categories{{1, 0, 1}, {"oak", "fir\ntree"}}},
                        {"_", std::vector<double>{1, 2, 3}},
                        {"rgb", std::vector<float>{0.25F, 0.5F, 1}},
                        {"rgba", std::vector<std::uint32_t>{1, 2, 0xff00ff}},
                        {"label", std::vector<double>{7, 8, 9}}};
  return dataset;
}

const ColumnValues* valuesOf(const Dataset& dataset, const std::string& name) {
  for (const Attribute& attribute : dataset.attributes)
    if (attribute.name == name) return &attribute.values;
  return nullptr;
}

/// Equal values of the same type; none of text.
bool same(const ColumnValues* found, const ColumnValues& expected) {
  if (found == nullptr || found->index() != expected.index()) return false;
  return std::visit(
      [&]<class Values>(const Values& values) {
        if constexpr (std::is_same_v<Values, Categories>)
          return false;
        else
          return values == std::get<Values>(*found);
      },
      expected);
}

}  // namespace

class TestWritePcd : public QObject, testing::FileFolder {
  Q_OBJECT

 private slots:
  void everyTypeComesBack();
  void byTheByte();
  void someClusters();
  void lettersOfCoordinates();
};

void TestWritePcd::everyTypeComesBack() {
  const Dataset dataset = everyType();
  Clustering clustering;
  clustering.labels = {0, -1, 0};
  clustering.roles = {PointRole::Core, PointRole::Noise, PointRole::Border};
  for (const char* const file : {"a.pcd", "a.pcd.gz"}) {
    QVERIFY(lossesOf(at(file), dataset, &clustering).empty());
    REQUIRE_OK(writeLabelled(at(file), dataset, clustering, {}));
    const auto back = readDataset(at(file));
    REQUIRE_OK(back);
    QCOMPARE(back->source.format, std::string("pcd"));
    QCOMPARE(back->cloud.names, dataset.cloud.names);
    QVERIFY(back->coordinateTypes == dataset.coordinateTypes);
    for (std::size_t j = 0; j < 2; ++j)
      QVERIFY(sameBits(back->cloud.columns[j], dataset.cloud.columns[j]));
    for (const Attribute& attribute : dataset.attributes) {
      const std::string& name = attribute.name;
      if (isText(attribute.values)) continue;
      const bool renamed = name == "_" || name == "rgb" || name == "label";
      const ColumnValues* const found = valuesOf(*back, renamed ? "input_" + name : name);
      QVERIFY2(same(found, attribute.values), name.c_str());
    }
    const auto* const kind = std::get_if<Categories>(valuesOf(*back, "a_kind"));
    QVERIFY(kind != nullptr);
    QCOMPARE(kind->words, std::get<Categories>(dataset.attributes[10].values).words);
    QCOMPARE(kind->codes, std::get<Categories>(dataset.attributes[10].values).codes);
    QVERIFY(same(valuesOf(*back, "label"), ColumnValues(std::vector<std::int32_t>{0, -1, 0})));
    QVERIFY(same(valuesOf(*back, "role"), ColumnValues(std::vector<std::uint8_t>{2, 0, 1})));
  }
}

void TestWritePcd::byTheByte() {
  Dataset dataset;
  dataset.cloud.names = {"lon", "lat", "height", "a time"};
  dataset.cloud.columns = {{1}, {2}, {3}, {4}};
  Clustering clustering;
  clustering.labels = {-1};
  clustering.roles = {PointRole::Noise};
  REQUIRE_OK(writeLabelled(at("b.pcd"), dataset, clustering, {{}, {{"eps", "0.1"}}}));
  const std::string expected =
      Bytes()
          .text(
              "# .PCD v0.7 - Point Cloud Data file format\n# eps: 0.1\n"
              "# coordinate fields: x y z a_time\n# role: 0 noise, 1 border, 2 core\n"
              "VERSION 0.7\nFIELDS x y z a_time label role\nSIZE 8 8 8 8 4 1\nTYPE F F F F I U\n"
              "COUNT 1 1 1 1 1 1\nWIDTH 1\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 1\n"
              "DATA binary\n")
          .add(1.0)
          .add(2.0)
          .add(3.0)
          .add(4.0)
          .add(-1)
          .add('\0')
          .str();
  QCOMPARE(readFile(at("b.pcd")), expected);
}

void TestWritePcd::someClusters() {
  Clustering clustering;
  clustering.labels = {0, -1, 1};
  REQUIRE_OK(writeLabelled(at("c.pcd"), everyType(), clustering, {{1, -1}, {}}));
  const auto back = readDataset(at("c.pcd"));
  REQUIRE_OK(back);
  QVERIFY(sameBits(back->cloud.columns[0], {1.5, 2.5}));
  QVERIFY(valuesOf(*back, "role") == nullptr);
}

/// An attribute "Z" is no third coordinate of a cloud in two dimensions.
void TestWritePcd::lettersOfCoordinates() {
  Dataset dataset = everyType();
  dataset.attributes = {{"Z", std::vector<double>{7, 8, 9}}};
  for (const char* const file : {"d.pcd", "d.ply"}) {
    REQUIRE_OK(writeDataset(at(file), dataset));
    const auto back = readDataset(at(file));
    REQUIRE_OK(back);
    QCOMPARE(back->cloud.dims(), std::size_t{2});
    QVERIFY(same(valuesOf(*back, "Z"), dataset.attributes[0].values));
  }
}

APPLESS_TEST(TestWritePcd);
#include "tst_write_pcd.moc"
