#pragma once

#include <vtkPassInputTypeAlgorithm.h>

#include <string>

#include "ClusterloomFiltersModule.h"
#include "app/paraview/filters/input_points.h"
#include "engine/core/task.h"

/// The base class of both filters. Input: points or a table (vtkPointSet, vtkTable), or composite
/// data of them, whose pieces, on all ranks of the server, are clustered as one cloud. Output: the
/// same data with arrays of the clusters and, as field data, figures (input_points.h). The engine
/// runs in another thread while this one tells the pipeline of its progress and passes an abort on,
/// after which the output is empty. An error is told as an error event in plain words; the output
/// then is the input.
class CLUSTERLOOMFILTERS_EXPORT vtkClusterloomFilter : public vtkPassInputTypeAlgorithm {
 public:
  vtkTypeMacro(vtkClusterloomFilter, vtkPassInputTypeAlgorithm);
  vtkClusterloomFilter(const vtkClusterloomFilter&) = delete;
  void operator=(const vtkClusterloomFilter&) = delete;

  /// Arrays of points, or columns of a table, that are the coordinates, each component a dimension;
  /// none: the coordinates of the points.
  void AddCoordinateArray(const char* name);
  void ClearCoordinateArrays();
  /// Leave out points with values that are not finite numbers; else they are an error.
  void SetLeaveOutMissing(bool leaveOut);

 protected:
  vtkClusterloomFilter() = default;
  ~vtkClusterloomFilter() override = default;

  int FillInputPortInformation(int port, vtkInformation* information) override;
  int RequestData(vtkInformation* request, vtkInformationVector** inputs,
                  vtkInformationVector* outputs) override;

  /// Finds the clusters; without points, gives empty arrays for any parameters. On rank 0 only, in
  /// another thread, while the parameters do not change.
  virtual clusterloom::Result<clusterloom::paraview::FoundClusters> Cluster(
      const clusterloom::paraview::InputPoints& points, const clusterloom::Task& task) const = 0;

  clusterloom::paraview::InputChoice Choice;
};
