#include "app/paraview/filters/vtkClusterloomFilter.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <optional>

#include "app/paraview/filters/all_ranks.h"
#include "engine/core/watched_call.h"
#include "engine/core/within_memory.h"

using namespace clusterloom;
using namespace clusterloom::paraview;

namespace {

/// Makes `output` a copy of the input that shares its arrays and has leaves of its own, to which
/// arrays can be added.
void copyShallow(vtkDataObject* input, vtkDataObject* output) {
  auto* from = vtkCompositeDataSet::SafeDownCast(input);
  auto* to = vtkCompositeDataSet::SafeDownCast(output);
  if (from == nullptr || to == nullptr) {
    output->ShallowCopy(input);
    return;
  }
  to->CopyStructure(from);
  to->GetFieldData()->ShallowCopy(from->GetFieldData());
  const auto at = vtkSmartPointer<vtkCompositeDataIterator>::Take(from->NewIterator());
  for (at->InitTraversal(); !at->IsDoneWithTraversal(); at->GoToNextItem()) {
    vtkDataObject* leaf = at->GetCurrentDataObject();
    const auto copy = vtkSmartPointer<vtkDataObject>::Take(leaf->NewInstance());
    copy->ShallowCopy(leaf);
    to->SetDataSet(at, copy);
  }
}

void addFigure(vtkDataObject* output, const char* name, double value) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->InsertNextValue(value);
  output->GetFieldData()->AddArray(array);
}

}  // namespace

void vtkClusterloomFilter::AddCoordinateArray(const char* name) {
  if (name == nullptr || *name == '\0') return;
  this->Choice.coordinates.emplace_back(name);
  this->Modified();
}

void vtkClusterloomFilter::ClearCoordinateArrays() {
  this->Choice.coordinates.clear();
  this->Modified();
}

void vtkClusterloomFilter::SetLeaveOutMissing(bool leaveOut) {
  if (this->Choice.leaveOutMissing == leaveOut) return;
  this->Choice.leaveOutMissing = leaveOut;
  this->Modified();
}

int vtkClusterloomFilter::FillInputPortInformation(int, vtkInformation* information) {
  information->Remove(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE());
  for (const char* type : {"vtkPointSet", "vtkTable", "vtkCompositeDataSet"})
    information->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), type);
  return 1;
}

int vtkClusterloomFilter::RequestData(vtkInformation*, vtkInformationVector** inputs,
                                      vtkInformationVector* outputs) {
  vtkDataObject* input = vtkDataObject::GetData(inputs[0]);
  vtkDataObject* output = vtkDataObject::GetData(outputs);
  if (input == nullptr || output == nullptr) return 1;
  copyShallow(input, output);

  const auto look = [this](const WatchedProgress* told) {
    if (told != nullptr) {
      this->SetProgressText(told->stage.c_str());
      this->UpdateProgress(told->fraction);
    }
    return !this->CheckAbort();
  };
  auto* ranks = vtkMultiProcessController::GetGlobalController();
  auto points = withinMemory([&] { return readPoints(piecesOf(input), this->Choice); });
  const auto found = onAllRanks(ranks, std::move(points), [&](const InputPoints& cloud) {
    std::optional<Result<FoundClusters>> outcome;
    watchedCall([&](const Task& task) { outcome = this->Cluster(cloud, task); }, look);
    return std::move(*outcome);
  });
  const auto add = [&]() -> Result<void> {
    addArrays(piecesOf(output), *found);
    addFigure(output, "clusters", double(found->clusters));
    addFigure(output, "noise", double(found->noise));
    if (found->eps > 0) addFigure(output, "eps", found->eps);
    return {};
  };
  const Result<void> added = found ? endOnAllRanks(ranks, withinMemory(add)) : endOf(found);
  if (added) return 1;
  copyShallow(input, output);
  // Without a second message of the pipeline, which a result of 0 would give.
  if (added.error().kind != ErrorKind::Cancelled) vtkErrorMacro(<< added.error().message);
  return 1;
}
