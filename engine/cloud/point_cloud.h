#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/cloud/coordinates.h"
#include "engine/core/result.h"

namespace clusterloom {

/// The most points a cloud may have: ids are 32-bit signed wherever they leave the engine.
inline constexpr std::size_t kMaxPoints = std::numeric_limits<std::int32_t>::max();
/// The most dimensions a cloud may have.
inline constexpr std::size_t kMaxDims = 4096;
/// The most dimensions for joins by the grid and on GPUs, whose programs hold an array of columns.
inline constexpr std::size_t kMaxGridDims = 128;

/// n points in d dimensions, dimension-major: `columns[j][i]` is coordinate j of point i.
/// Coordinates are doubles exactly as read, or floats or doubles where they are in memory already
/// (engine/cloud/borrowed_cloud.h). A plain value; `validate` says whether it may be used.
///
/// Example:
///
///     const PointCloud cloud{.columns = {{0, 0.3, 5}, {0, 0.4, 5}}, .names = {"x", "y"}};
///     if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
///
/// Performance. 8·d bytes a point, none where coordinates are borrowed. `validate` and `boundsOf`
/// read every coordinate once, in large clouds by the threads of the caller's TBB arena.
struct PointCloud {
  std::vector<Coordinates> columns;
  std::vector<std::string> names;  ///< one name per dimension, e.g. "x"

  std::size_t size() const { return columns.empty() ? 0 : columns.front().size(); }
  std::size_t dims() const { return columns.size(); }
  /// Contiguous doubles; for borrowed coordinates a copy that stays as long as they are borrowed.
  std::span<const double> column(std::size_t j) const { return columns[j].doubles(); }
};

/// Smallest and largest coordinate of each dimension.
struct Bounds {
  std::vector<double> low;
  std::vector<double> high;
};

/// Bounds of a non-empty cloud of finite coordinates.
Bounds boundsOf(const PointCloud& cloud);

/// Checks what every engine call relies on: 1 to kMaxDims columns of equal length, 1 to kMaxPoints
/// points, every coordinate finite, every dimension's range finite. The message names the first
/// offending point and dimension.
Result<void> validate(const PointCloud& cloud);

/// Advice for messages about clouds of more than kMaxDims dimensions.
inline constexpr const char* kFewerDims =
    "Choose fewer columns, or reduce them first, in Python: "
    "sklearn.decomposition.PCA(256).fit_transform(X), or by umap-learn "
    "umap.UMAP(n_components=10).fit_transform(X).";

/// The refusal of a cloud with this number of dimensions, more than kMaxDims.
inline Error tooManyDims(std::size_t dims) {
  return {ErrorKind::BadInput, "The cloud has " + std::to_string(dims) + " dimensions; at most " +
                                   std::to_string(kMaxDims) + " are possible. " + kFewerDims};
}

}  // namespace clusterloom
