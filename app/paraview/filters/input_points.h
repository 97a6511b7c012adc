#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/dbscan/clustering.h"

class vtkDataObject;
class vtkDataSetAttributes;

namespace clusterloom::paraview {

/// The results of a filter: the arrays that it makes, with one entry for each point in the order of
/// the pieces, and figures of the whole cloud.
struct FoundClusters {
  std::optional<std::vector<std::int32_t>> labels;
  std::optional<std::vector<PointRole>> roles;
  std::optional<std::vector<double>> probabilities;
  std::optional<std::vector<double>> outlierScores;
  double eps = 0;  ///< that was used; 0 where none was
  std::int64_t clusters = 0;
  std::int64_t noise = 0;  ///< points
};

/// Calls use(array, value of a point that was left out) for each array by point, made or not.
template <class Use>
void forEachArray(FoundClusters& found, const Use& use) {
  use(found.labels, kSkippedRow);
  use(found.roles, PointRole::Noise);
  use(found.probabilities, 0.0);
  use(found.outlierScores, 0.0);
}

/// Which numbers of the input are used.
struct InputChoice {
  /// Arrays of points, or columns of a table, each component of which is a dimension; empty: the
  /// coordinates of the points.
  std::vector<std::string> coordinates;
  std::string weights;           ///< array with one weight for each point; empty: none
  bool leaveOutMissing = false;  ///< points with values that are not finite; else they are refused
};

/// The points of all pieces as one cloud.
struct InputPoints {
  PointCloud cloud;
  std::vector<double> weights;  ///< empty where none were chosen
  /// One entry for each point of the pieces: not 0 where it is not in the cloud. Ghost points and
  /// hidden ones never are.
  std::vector<std::uint8_t> leftOut;
};

/// The pieces of a data object that have points or rows, in order: itself, or the leaves of a
/// composite one. Others are skipped.
std::vector<vtkDataObject*> piecesOf(vtkDataObject* data);

/// Point data, or row data of a table; nullptr for anything else.
vtkDataSetAttributes* attributesOf(vtkDataObject* piece);
std::size_t rowsOf(vtkDataObject* piece);

/// Reads the points of all pieces. BadCall where an array is missing or does not hold numbers, or
/// where a table is read without a choice; BadInput where pieces differ in their components or
/// values are missing.
Result<InputPoints> readPoints(const std::vector<vtkDataObject*>& pieces,
                               const InputChoice& choice);

/// Adds the arrays to the pieces of the output, which are those of the input.
void addArrays(const std::vector<vtkDataObject*>& pieces, const FoundClusters& found);

}  // namespace clusterloom::paraview
