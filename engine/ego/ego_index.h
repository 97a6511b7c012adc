#pragma once

#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Lowest and highest cell coordinate in one dimension.
struct CellSpan {
  std::uint32_t low;
  std::uint32_t high;
};

/// A sequence of the EGO-join: consecutive positions in EGO order. A sequence of at least
/// `EgoIndex::shortest` points is halved into `left` = its own number + 1 and `right`.
struct EgoSequence {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t right;  ///< 0: not halved

  std::uint32_t size() const { return end - begin; }
  bool halved() const { return right != 0; }
};

/// A cloud in EGO order [Gallet 2020, §3.2.2] and the sequences into which the EGO-join halves it.
/// "Position" is a point's place in EGO order.
///
/// Cells are those of the grid (engine/grid/cell_geometry.h), one dimension at a time, so that two
/// points that the canonical predicate accepts are at most one cell apart in every dimension.
/// Truncated quotients x / ε, which the papers use, lose pairs to rounding and put the cells −1 and
/// 0 into one.
struct EgoIndex {
  /// Sequences with fewer points are not halved. The papers print no value; the programs of
  /// [Kalashnikov 2013] use 24 or 32.
  static constexpr std::uint32_t kShortest = 32;

  std::vector<int> dims;                ///< all dimensions, in EGO order
  int wide = 0;                         ///< how many of `dims` have a mean step of at least ε / 2
  std::vector<std::uint32_t> pointIds;  ///< point at each position
  PointCloud ordered;                   ///< ordered.columns[j][position], in the cloud's own order
  std::vector<EgoSequence> sequences;   ///< number 0 is the whole cloud; a left half follows
  /// cells[s · n + i]: of the first and last point of sequence s in dimension dims[i]. In the first
  /// dimension in which they differ, and in all before it, these are the span of all its points.
  std::vector<CellSpan> cells;
  /// Cell coordinate of each position in dimension dims[i]: cellOf[i][position].
  std::vector<std::vector<std::uint32_t>> cellOf;

  std::size_t size() const { return pointIds.size(); }
  std::size_t dimensions() const { return dims.size(); }
  const CellSpan* cellsOf(std::uint32_t sequence) const {
    return cells.data() + std::size_t{sequence} * dims.size();
  }
};

/// EGO-sort and the sequences. Parallel on the caller's TBB arena. The cloud must satisfy
/// `validate`, eps `epsSquared` (engine/core/predicate.h). Cancelled when stopped.
Result<EgoIndex> buildEgoIndex(const PointCloud& cloud, double eps, const Task& task);

}  // namespace clusterloom
