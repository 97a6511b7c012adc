// The reference for our VTP files is VTK's own reader.
#include <QTemporaryDir>

#include <vtkAbstractArray.h>
#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkXMLPolyDataReader.h>

#include "engine/io/write.h"
#include "io_testing.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestVtpWithVtk : public QObject {
  Q_OBJECT

 private slots:
  void everything_data();
  void everything();
  void chosenClusters();
};

namespace {

std::vector<double> valuesOf(vtkPolyData* data, const char* name) {
  vtkDataArray* const array = data->GetPointData()->GetArray(name);
  std::vector<double> values;
  for (vtkIdType i = 0; array != nullptr && i < array->GetNumberOfTuples(); ++i)
    values.push_back(array->GetTuple1(i));
  return values;
}

Dataset datasetOf(std::size_t dims) {
  Dataset dataset;
  const auto hard = testing::hardDoubles();
  for (std::size_t j = 0; j < dims; ++j) {
    dataset.cloud.names.push_back(std::string("d").append(std::to_string(j)));
    auto column = hard;
    std::rotate(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(j), column.end());
    dataset.cloud.columns.push_back(std::move(column));
  }
  std::vector<std::int32_t> codes;
  for (std::size_t i = 0; i < hard.size(); ++i) codes.push_back(static_cast<std::int32_t>(i % 3));
  dataset.attributes = {{"hard <values>", hard},
                        {"kind", Categories{codes, {"oak", "", "a \"b\" ü"}}}};
  return dataset;
}

Clustering clusteringOf(const Dataset& dataset) {
  Clustering clustering;
  for (std::size_t i = 0; i < dataset.cloud.size(); ++i) {
    clustering.labels.push_back(static_cast<std::int32_t>(i % 4) - 1);
    clustering.roles.push_back(static_cast<PointRole>(i % 3));
  }
  return clustering;
}

}  // namespace

void TestVtpWithVtk::everything_data() {
  QTest::addColumn<int>("dims");
  for (const int dims : {1, 2, 3, 5}) QTest::addRow("%d dimensions", dims) << dims;
}

void TestVtpWithVtk::everything() {
  QFETCH(int, dims);
  const QTemporaryDir folder;
  const std::string path = folder.filePath("a.vtp").toStdString();
  const Dataset dataset = datasetOf(static_cast<std::size_t>(dims));
  const Clustering clustering = clusteringOf(dataset);
  REQUIRE_OK(writeLabelled(path, dataset, clustering, {{}, {{"input", "a & b"}, {"eps", "0.1"}}}));
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  QCOMPARE(reader->GetErrorCode(), 0ul);
  vtkPolyData* const data = reader->GetOutput();
  const std::size_t n = dataset.cloud.size();
  QCOMPARE(data->GetNumberOfPoints(), static_cast<vtkIdType>(n));
  QCOMPARE(data->GetNumberOfVerts(), static_cast<vtkIdType>(n));
  QCOMPARE(data->GetPoints()->GetDataType(), VTK_DOUBLE);
  std::vector<std::vector<double>> positions(3);
  vtkNew<vtkIdList> ids;
  for (std::size_t i = 0; i < n; ++i) {
    const double* const point = data->GetPoint(static_cast<vtkIdType>(i));
    for (std::size_t j = 0; j < 3; ++j) positions[j].push_back(point[j]);
    data->GetVerts()->GetCellAtId(static_cast<vtkIdType>(i), ids);
    QCOMPARE(ids->GetNumberOfIds(), vtkIdType{1});
    QCOMPARE(ids->GetId(0), static_cast<vtkIdType>(i));
  }
  const std::vector<double> zeros(n, 0.0);
  for (std::size_t j = 0; j < 3; ++j)
    QVERIFY(testing::sameBits(
        positions[j], j < dataset.cloud.dims() ? dataset.cloud.columns[j].doubles() : zeros));
  for (std::size_t j = 3; j < dataset.cloud.dims(); ++j)
    QVERIFY(testing::sameBits(valuesOf(data, dataset.cloud.names[j].c_str()),
                              dataset.cloud.columns[j]));
  QVERIFY(testing::sameBits(valuesOf(data, "hard <values>"), testing::numbersOf(dataset, 0)));
  QCOMPARE(valuesOf(data, "label"),
           std::vector<double>(clustering.labels.begin(), clustering.labels.end()));
  QCOMPARE(valuesOf(data, "role").size(), n);
  for (std::size_t i = 0; i < n; ++i)
    QCOMPARE(valuesOf(data, "role")[i], static_cast<double>(clustering.roles[i]));
  auto* const words = vtkStringArray::SafeDownCast(data->GetPointData()->GetAbstractArray("kind"));
  QVERIFY(words != nullptr);
  const auto expected = testing::wordsOf(dataset, 1);
  for (std::size_t i = 0; i < n; ++i)
    QCOMPARE(std::string(words->GetValue(static_cast<vtkIdType>(i))), expected[i]);
  auto* const note = vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray("input"));
  QVERIFY(note != nullptr);
  QCOMPARE(std::string(note->GetValue(0)), std::string("a & b"));
  auto* const names =
      vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray("dimensions"));
  QVERIFY(names != nullptr);
  QCOMPARE(names->GetNumberOfValues(), vtkIdType{dims});
  QCOMPARE(std::string(names->GetValue(dims - 1)), dataset.cloud.names.back());
}

void TestVtpWithVtk::chosenClusters() {
  const QTemporaryDir folder;
  const std::string path = folder.filePath("a.vtp").toStdString();
  const Dataset dataset = datasetOf(3);
  REQUIRE_OK(writeLabelled(path, dataset, clusteringOf(dataset), {{2}, {}}));
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkPolyData* const data = reader->GetOutput();
  QCOMPARE(data->GetNumberOfPoints(), static_cast<vtkIdType>(dataset.cloud.size() / 4));
  QCOMPARE(data->GetPoint(1)[0], dataset.cloud.columns[0][7]);
  for (const double label : valuesOf(data, "label")) QCOMPARE(label, 2.0);
}

APPLESS_TEST(TestVtpWithVtk);
#include "tst_vtp_with_vtk.moc"
