// Which columns are coordinates where nobody chooses them.
#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/guess_coordinates.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;
using namespace clusterloom::testing;

namespace {

using Names = std::vector<std::string>;

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

class TestGuessCoordinates : public QObject {
  Q_OBJECT

 private slots:
  void ofTexts_data();
  void ofTexts();
  void otherFilesByName();
  void constantsNeedAllRows();
  void rowNumbers_data();
  void rowNumbers();
};

void TestGuessCoordinates::ofTexts_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("coordinates");
  QTest::addColumn<QByteArray>("leftOut");
  const auto row = [](const char* name, const char* text, const char* coordinates,
                      const char* leftOut) {
    QTest::newRow(name) << QByteArray(text) << QByteArray(coordinates) << QByteArray(leftOut);
  };
  row("degrees", "lon,lat,people,year\n8.5,47.4,12,1999\n8.6,47.3,7,2004\n", "lon lat",
      "people year");
  row("latitude first", "id,Latitude,Longitude,depth\n1,1.5,2,3\n2,4,5,6\n", "Latitude Longitude",
      "id depth");
  row("with their errors", "lat,lon,lat_err,lon_err\n1.5,2,3,4\n4,5,6,7\n", "lat lon",
      "lat_err lon_err");
  row("two pairs", "lon_a,lat_a,lon_b,lat_b\n1,2,3,4\n4,5,6,8\n", "lon_a lat_a lon_b lat_b", "");
  row("a longitude alone", "lon,height\n1.5,2\n4,5\n", "lon height", "");
  row("codes",
      "source_id,x,stationId,y,zip,Class,year,index,land_types\n"
      "7,1.5,3,2,8001,0,1999,4,2\n9,3,4,5,8002,1,2004,6,1\n",
      "x y", "source_id stationId zip Class year index land_types");
  row("an exported label", "x,y,label\n1,2,0\n3,4,-1\n", "x y", "label");
  row("an export of HDBSCAN*", "x,y,probability,label\n1,2,0.5,0\n3,4,1,-1\n", "x y", "label");
  row("measured", "mass_index,heat_index,valid,grid\n1.5,2,3,4\n4,5,6,7\n",
      "mass_index heat_index valid grid", "");
  row("with a fraction", "zip,year\n1.5,1999.5\n4,2004\n", "zip year", "");
  row("codes alone", "id,year\n1,2\n4,5\n", "id year", "");
  row("a picture", "row,col,value\n1,2,0.5\n4,5,0.75\n", "row col value", "");
  row("a row", "row,east,north\n1,2,0.5\n4,5,0.75\n", "east north", "row");
  row("constant", "east,north,height\n1,2,5\n4,5,5\n7,9,5\n", "east north", "height");
  row("constant, but two remain", "east,north\n1,5\n4,5\n7,5\n", "east north", "");
  row("axes", "x,y,z,c3\n1,2,5,0\n4,5,5,0\n7,9,5,0\n", "x y z c3", "");
  row("more than axes", "x,y,people\n1,2,5\n4,5,7\n", "x y people", "");
  row("a projection of others", "g1,g2,g3,g4,umap_x,umap_y\n1,2,3,4,5,6\n4,5,6,7,8,9\n",
      "g1 g2 g3 g4", "umap_x umap_y");
  row("a projection alone", "umap_x,umap_y,umap_z,kind\n5,6,7,0\n8,9,4,1\n",
      "umap_x umap_y umap_z kind", "");
  row("colours of points", "x,y,z,Red,Green,Blue\n1,2,5,0,9,8\n4,5,6,0.5,3,4\n7,9,5,1,2,3\n",
      "x y z", "Red Green Blue");
  row("colours alone", "id,red,green,blue\n1,2,5,0\n4,5,6,1\n", "red green blue", "id");
  row("two colours", "x,y,red,green\n1,2,5,0\n4,5,6,1\n", "x y red green", "");
  row("no header", "7,1,2\n7,3,4\n7,5,6\n", "x y z", "");
}

void TestGuessCoordinates::ofTexts() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, coordinates);
  QFETCH(QByteArray, leftOut);
  const auto read = readBytes(text.toStdString());
  REQUIRE_OK(read);
  QCOMPARE(joined(read->cloud.names), coordinates.toStdString());
  QCOMPARE(joined(read->leftOut), leftOut.toStdString());
  const auto preview = previewFrom(*memorySource("cloud.csv", text.toStdString()), {}, 5);
  REQUIRE_OK(preview);
  Names proposed;
  for (const std::size_t c : preview->coordinates) proposed.push_back(preview->columns[c].name);
  QCOMPARE(proposed, read->cloud.names);
  // What is chosen is no guess.
  ReadOptions options;
  options.coordinates = {"0", "1"};
  const auto chosen = readBytes(text.toStdString(), options);
  REQUIRE_OK(chosen);
  QCOMPARE(chosen->cloud.dims(), 2U);
  QVERIFY(chosen->leftOut.empty());
}

/// Tables of HDF5 and FITS without x and y.
void TestGuessCoordinates::otherFilesByName() {
  std::vector<PreviewColumn> columns{
      numberColumn("source_id", Scalar::Int64), numberColumn("ra", Scalar::Float64),
      numberColumn("dec", Scalar::Float64), numberColumn("label", Scalar::Float64)};
  QCOMPARE(coordinatesByName(columns), (std::vector<std::size_t>{1, 2}));
  QVERIFY(columns[0].leftOut && !columns[1].leftOut);
  columns = {numberColumn("x", Scalar::Float64), numberColumn("y", Scalar::Float64),
             numberColumn("id", Scalar::Int64)};
  QCOMPARE(coordinatesByName(columns), (std::vector<std::size_t>{0, 1}));
}

/// Rows after the first ones may have other values.
void TestGuessCoordinates::constantsNeedAllRows() {
  std::string text = "east,north,height\n";
  for (int i = 0; i < 400; ++i)
    text += std::to_string(i) + ',' + std::to_string(i % 7) + (i < 300 ? ",5\n" : ",6\n");
  const auto read = readBytes(text);
  REQUIRE_OK(read);
  QCOMPARE(read->cloud.dims(), 3U);
  QVERIFY(read->remarks.empty());
  // One that is constant all the same is said.
  const auto constant = readBytes(text.substr(0, text.find(",6\n")) + ",5\n");
  REQUIRE_OK(constant);
  QCOMPARE(constant->remarks,
           (std::vector<ColumnRemark>{{ColumnRemark::Kind::Constant, {"height", "5"}}}));
}

void TestGuessCoordinates::rowNumbers_data() {
  QTest::addColumn<QByteArray>("header");
  QTest::addColumn<int>("first");
  QTest::addColumn<int>("rows");
  QTest::addColumn<double>("step");  // of the other columns
  QTest::addColumn<QByteArray>("coordinates");
  QTest::addColumn<QByteArray>("leftOut");
  const auto row = [](const char* name, const char* header, int first, int rows, double step,
                      const char* coordinates, const char* leftOut) {
    QTest::newRow(name) << QByteArray(header) << first << rows << step << QByteArray(coordinates)
                        << QByteArray(leftOut);
  };
  row("pandas", ",east,north\n", 0, 5, 0.5, "east north", "index");
  row("R", ",east,north\n", 1, 5, 0.5, "east north", "index");
  row("pandas, read again", "Unnamed: 0,east,north\n", 0, 5, 0.5, "east north", "Unnamed: 0");
  row("a name", "point,east,north\n", 1, 300, 0.5, "east north", "point");
  row("a name and few rows", "point,east,north\n", 1, 9, 0.5, "point east north", "");
  row("an axis", "t,east,north\n", 0, 300, 0.5, "t east north", "");
  row("from 2 on", "point,east,north\n", 2, 300, 0.5, "point east north", "");
  row("integers", "point,east,north\n", 0, 300, 2, "point east north", "");
  row("no header", "", 0, 300, 0.5, "x y", "index");
  row("no header, a picture", "", 0, 300, 0, "x y z", "");
}

void TestGuessCoordinates::rowNumbers() {
  QFETCH(QByteArray, header);
  QFETCH(int, first);
  QFETCH(int, rows);
  QFETCH(double, step);
  QFETCH(QByteArray, coordinates);
  QFETCH(QByteArray, leftOut);
  std::string text = header.toStdString();
  for (int i = 0; i < rows; ++i)
    text +=
        QString("%1,%2,%3\n").arg(first + i).arg(i * step + 3).arg((i % 7) * step).toStdString();
  const auto read = readBytes(text);
  REQUIRE_OK(read);
  QCOMPARE(joined(read->cloud.names), coordinates.toStdString());
  QCOMPARE(joined(read->leftOut), leftOut.toStdString());
  const auto preview = previewFrom(*memorySource("cloud.csv", text), {}, 5);
  REQUIRE_OK(preview);
  QCOMPARE(preview->coordinates.size(), read->cloud.dims());
}

APPLESS_TEST(TestGuessCoordinates);
#include "tst_guess_coordinates.moc"
