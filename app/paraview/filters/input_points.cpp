#include "app/paraview/filters/input_points.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkTable.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>

namespace clusterloom::paraview {

namespace {

/// A component of an array, as a column of the cloud.
struct Column {
  vtkDataArray* array;
  int component;
  std::string name;
};

std::string namesOf(vtkDataSetAttributes* attributes) {
  std::string names;
  for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    if (const char* name = attributes->GetArrayName(i))
      names += (names.empty() ? "" : ", ") + std::string(name);
  return names.empty() ? "there are none." : "there are: " + names + ".";
}

/// The array of this name. BadCall.
Result<vtkDataArray*> arrayNamed(vtkDataObject* piece, const std::string& name) {
  vtkDataSetAttributes* attributes = attributesOf(piece);
  const bool isTable = vtkTable::SafeDownCast(piece) != nullptr;
  vtkAbstractArray* found = attributes->GetAbstractArray(name.c_str());
  if (found == nullptr)
    return badCall((isTable ? "The table has no column '" : "The points have no array '") + name +
                   "'; " + namesOf(attributes));
  auto* array = vtkDataArray::SafeDownCast(found);
  if (array == nullptr)
    return badCall((isTable ? "Column '" : "Array '") + name + "' does not hold numbers.");
  return array;
}

void addComponents(vtkDataArray* array, const std::string& name, std::vector<Column>& columns) {
  const int components = array->GetNumberOfComponents();
  for (int c = 0; c < components; ++c)
    columns.push_back({array, c, components == 1 ? name : name + '_' + std::to_string(c)});
}

/// The columns of a piece, the weights last.
Result<std::vector<Column>> columnsOf(vtkDataObject* piece, const InputChoice& choice) {
  std::vector<Column> columns;
  if (choice.coordinates.empty()) {
    auto* points = vtkPointSet::SafeDownCast(piece);
    if (points == nullptr)
      return badCall(
          "A table has no coordinates of its own. Choose the columns that are "
          "coordinates, under 'Coordinates'.");
    const char* const axes[] = {"x", "y", "z"};
    for (int c = 0; c < 3; ++c) columns.push_back({points->GetPoints()->GetData(), c, axes[c]});
  }
  for (const std::string& name : choice.coordinates) {
    const auto array = arrayNamed(piece, name);
    if (!array) return tl::unexpected(array.error());
    addComponents(*array, name, columns);
  }
  if (!choice.weights.empty()) {
    const auto array = arrayNamed(piece, choice.weights);
    if (!array) return tl::unexpected(array.error());
    if ((*array)->GetNumberOfComponents() != 1)
      return badCall("The weights, '" + choice.weights + "', have " +
                     std::to_string((*array)->GetNumberOfComponents()) +
                     " components; a weight is one number.");
    columns.push_back({*array, 0, choice.weights});
  }
  return columns;
}

/// Appends the values of a plain array of this class; false where it is of another one.
template <class Array>
bool appendPlain(const Column& column, std::size_t rows, std::vector<double>& values) {
  auto* array = vtkArrayDownCast<Array>(column.array);
  if (array == nullptr) return false;
  const auto step = std::size_t(array->GetNumberOfComponents());
  const auto* at = array->GetPointer(0) + column.component;
  for (std::size_t i = 0; i < rows; ++i) values.push_back(double(at[i * step]));
  return true;
}

void append(const Column& column, std::size_t rows, std::vector<double>& values) {
  if (appendPlain<vtkDoubleArray>(column, rows, values)) return;
  if (appendPlain<vtkFloatArray>(column, rows, values)) return;
  for (std::size_t i = 0; i < rows; ++i)
    values.push_back(column.array->GetComponent(vtkIdType(i), column.component));
}

/// Marks the points that are those of another piece, or hidden.
void markGhosts(vtkDataObject* piece, std::size_t rows, std::vector<std::uint8_t>& leftOut) {
  auto* ghosts = vtkArrayDownCast<vtkUnsignedCharArray>(
      attributesOf(piece)->GetAbstractArray(vtkDataSetAttributes::GhostArrayName()));
  const int out = vtkDataSetAttributes::DUPLICATEPOINT | vtkDataSetAttributes::HIDDENPOINT;
  for (std::size_t i = 0; i < rows; ++i)
    leftOut.push_back(ghosts != nullptr && (ghosts->GetValue(vtkIdType(i)) & out) != 0);
}

/// Marks the points with values that are not finite. BadInput where they are to be refused.
Result<void> markMissing(const std::vector<Coordinates>& columns,
                         const std::vector<std::string>& names, bool leaveOut,
                         std::vector<std::uint8_t>& leftOut) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < leftOut.size(); ++i) {
      if (leftOut[i] != 0 || std::isfinite(columns[j][i])) continue;
      if (!leaveOut)
        return badInput("Point " + std::to_string(i) + " has a value of '" + names[j] +
                        "' that is not a finite number. Turn on 'Leave Out Missing' to cluster "
                        "the other points.");
      leftOut[i] = 1;
    }
  return {};
}

void removeMarked(const std::vector<std::uint8_t>& leftOut, std::vector<double>& values) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (leftOut[i] == 0) values[kept++] = values[i];
  values.resize(kept);
}

template <class Array, class Value>
void addArray(const std::vector<vtkDataObject*>& pieces, const char* name,
              const std::optional<std::vector<Value>>& values) {
  if (!values) return;
  auto next = values->begin();
  for (vtkDataObject* piece : pieces) {
    const std::size_t rows = rowsOf(piece);
    vtkNew<Array> array;
    array->SetName(name);
    array->SetNumberOfTuples(vtkIdType(rows));
    const auto end = next + std::ptrdiff_t(rows);
    std::transform(next, end, array->GetPointer(0),
                   [](Value value) { return static_cast<typename Array::ValueType>(value); });
    attributesOf(piece)->AddArray(array);
    next = end;
  }
}

}  // namespace

vtkDataSetAttributes* attributesOf(vtkDataObject* piece) {
  if (auto* points = vtkPointSet::SafeDownCast(piece)) return points->GetPointData();
  if (auto* table = vtkTable::SafeDownCast(piece)) return table->GetRowData();
  return nullptr;
}

std::size_t rowsOf(vtkDataObject* piece) {
  if (auto* points = vtkPointSet::SafeDownCast(piece))
    return std::size_t(points->GetNumberOfPoints());
  if (auto* table = vtkTable::SafeDownCast(piece)) return std::size_t(table->GetNumberOfRows());
  return 0;
}

std::vector<vtkDataObject*> piecesOf(vtkDataObject* data) {
  std::vector<vtkDataObject*> pieces;
  const auto add = [&](vtkDataObject* piece) {
    if (rowsOf(piece) > 0) pieces.push_back(piece);
  };
  auto* composite = vtkCompositeDataSet::SafeDownCast(data);
  if (composite == nullptr) {
    add(data);
    return pieces;
  }
  const auto at = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (at->InitTraversal(); !at->IsDoneWithTraversal(); at->GoToNextItem())
    add(at->GetCurrentDataObject());
  return pieces;
}

Result<InputPoints> readPoints(const std::vector<vtkDataObject*>& pieces,
                               const InputChoice& choice) {
  InputPoints points;
  auto& [columns, names] = points.cloud;
  std::size_t total = 0;
  for (vtkDataObject* piece : pieces) total += rowsOf(piece);
  points.leftOut.reserve(total);
  for (vtkDataObject* piece : pieces) {
    const std::size_t rows = rowsOf(piece);
    const auto read = columnsOf(piece, choice);
    if (!read) return tl::unexpected(read.error());
    if (columns.empty())
      for (const Column& column : *read) {
        names.push_back(column.name);
        columns.emplace_back().reserve(total);
      }
    if (read->size() != columns.size())
      return badInput("The arrays chosen have " + std::to_string(columns.size()) +
                      " components in one piece of the data and " + std::to_string(read->size()) +
                      " in another.");
    for (std::size_t j = 0; j < read->size(); ++j) append((*read)[j], rows, columns[j]);
    markGhosts(piece, rows, points.leftOut);
  }
  if (auto fine = markMissing(columns, names, choice.leaveOutMissing, points.leftOut); !fine)
    return tl::unexpected(fine.error());
  if (std::count(points.leftOut.begin(), points.leftOut.end(), 0) != std::ptrdiff_t(total))
    for (std::vector<double>& column : columns) removeMarked(points.leftOut, column);
  if (!choice.weights.empty() && !columns.empty()) {
    points.weights = std::move(columns.back().own());
    columns.pop_back();
    names.pop_back();
  }
  return points;
}

void addArrays(const std::vector<vtkDataObject*>& pieces, const FoundClusters& found) {
  addArray<vtkIntArray>(pieces, "label", found.labels);
  addArray<vtkUnsignedCharArray>(pieces, "role", found.roles);
  addArray<vtkDoubleArray>(pieces, "probability", found.probabilities);
  addArray<vtkDoubleArray>(pieces, "outlier_score", found.outlierScores);
  // By which ParaView colours points.
  for (vtkDataObject* piece : pieces)
    if (auto* points = vtkPointSet::SafeDownCast(piece))
      points->GetPointData()->SetActiveScalars("label");
}

}  // namespace clusterloom::paraview
