#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The displayed axes of a cloud.
struct ViewAxes {
  enum class Kind {
    Dimensions,
    Pca,
    Columns  ///< beside the coordinates: the cloud that is laid out has them as its dimensions
  };
  Kind kind = Kind::Dimensions;
  std::vector<int> dims;  ///< Dimensions, Columns: 1 to 3 distinct dimensions. Pca: unused
  int components = 3;     ///< Pca: 1 to 3 principal components are shown
  std::vector<std::string> columns;  ///< Columns: their names, for whoever makes the cloud
  bool stretch = false;  ///< scale every axis to fill the box, so that distances are not to scale
};

/// All dimensions when there are at most three, else the three principal components.
ViewAxes defaultViewAxes(const PointCloud& cloud);

/// How coordinates (double, original) become display coordinates (float, within [−½, ½]) and back:
///   value on axis a = Σ_j direction[a][j] · (x_j − centre_j)   (PCA)   or   x_{dims[a]}
///   display[a]      = (value − shift[a]) · scale[a]
/// Shifting before the conversion to float keeps the precision of UTM metres. A plain value.
struct DisplaySpace {
  int axes = 2;  ///< 1, 2 or 3 axes are shown
  ViewAxes::Kind kind = ViewAxes::Kind::Dimensions;
  std::array<int, 3> dims{0, 1, 2};              ///< Dimensions, Columns: the one on each axis
  std::vector<double> centre;                    ///< Pca: mean of the cloud
  std::array<std::vector<double>, 3> direction;  ///< Pca: unit vectors; largest entry is positive
  std::array<double, 3> explained{};             ///< Pca: fraction of the variance on each axis
  std::array<double, 3> shift{};
  std::array<double, 3> scale{1, 1, 1};
  std::array<double, 3> low{};       ///< smallest value on each axis, unshifted
  std::array<double, 3> high{};      ///< largest
  std::array<std::string, 3> names;  ///< e.g. "x", "PC 1 (62 %)"

  double toDisplay(int axis, double value) const { return (value - shift[axis]) * scale[axis]; }
  double toValue(int axis, double display) const { return display / scale[axis] + shift[axis]; }
};

/// Whether points have the same places in both.
bool samePlaces(const DisplaySpace& a, const DisplaySpace& b);

/// Lays out a validated cloud. BadCall when the axes name no, too many or unknown dimensions;
/// Cancelled.
Result<DisplaySpace> makeDisplaySpace(const PointCloud& cloud, const ViewAxes& axes,
                                      const Task& task = {});

/// A box in display coordinates.
struct DisplayBox {
  std::array<double, 3> low{-0.5, -0.5, -0.5};
  std::array<double, 3> high{0.5, 0.5, 0.5};
};

/// A run of drawn points that are drawn together: those of one level in one part of space.
struct PointBlock {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  int level = 0;
  std::array<float, 3> low{};  ///< their box; of level 0, which is always drawn, it says nothing
  std::array<float, 3> high{};
};

/// The points of a cloud as they are drawn, in levels (point_levels.h): level 0 is a fair sample of
/// all points in a shuffled order, so that any prefix of it is one, too; each further level is a
/// sample of the others, as large as all levels before it, in blocks that lie apart in space.
/// Points without a finite value on each axis, which only Columns may have, are left out.
/// Immutable once made; shared between the scene and worker threads. 16 bytes each.
struct DisplayPoints {
  DisplaySpace space;
  DisplayBox box;                   ///< of all points; 0 along unused axes
  LargeArray<float> xyz;            ///< 3 per point; unused axes are 0
  LargeArray<std::uint32_t> order;  ///< order[i] is the cloud's id of drawn point i
  std::vector<PointBlock> blocks;   ///< each point is in one, in order; levels ascend

  std::size_t size() const { return order.size(); }
  /// Whether cells of the grid have places here.
  bool hasCells() const { return space.kind == ViewAxes::Kind::Dimensions; }
};

/// Projects and sorts into levels, in parallel; long for large clouds, so call it on a worker.
/// Needs 36 bytes a point while it runs, for principal axes 24 more. Errors as makeDisplaySpace;
/// BadInput where no point has finite values.
Result<DisplayPoints> makeDisplayPoints(const PointCloud& cloud, const ViewAxes& axes,
                                        const Task& task = {});

/// Another cloud of as many dimensions in the space of the first, which it may reach beyond.
/// Cancelled.
Result<DisplayPoints> makeDisplayPoints(const PointCloud& cloud, const DisplaySpace& space,
                                        const Task& task = {});

/// The box of all points whose label is in `wanted`; of all points when `wanted` is empty or none
/// matches. `labels` has one entry per point of the cloud.
DisplayBox boxOfLabels(const DisplayPoints& points, std::span<const std::int32_t> labels,
                       std::span<const std::int32_t> wanted);
/// The box of the points with these ids; of all points when there is none of them.
DisplayBox boxOfPoints(const DisplayPoints& points, std::span<const std::uint32_t> ids);

}  // namespace clusterloom
