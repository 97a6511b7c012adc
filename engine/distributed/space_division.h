#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/division_view.h"

namespace clusterloom {

/// Which rank owns which part of space. Up to three dimensions are cut into slices, and so space
/// into coarse cells; the cells that hold points belong to the ranks in consecutive runs along a
/// Hilbert curve. The same on all ranks.
struct SpaceDivision {
  static constexpr int kNobody = -1;

  std::vector<std::size_t> dims;  ///< which dimensions are cut, ascending
  /// Of each: the lower bounds of its slices, ascending from −∞, and +∞. Slice s holds the
  /// coordinates bounds[s] ≤ x < bounds[s + 1].
  std::vector<std::vector<double>> bounds;
  std::vector<std::size_t> stride;  ///< cell = Σ slice · stride
  std::vector<int> owner;           ///< rank of each cell; kNobody where no points are

  std::size_t slices(std::size_t i) const { return bounds[i].size() - 1; }
  /// The cell of a point.
  std::uint32_t cellOf(const PointCloud& cloud, std::size_t p) const;
  /// The cells of the points from `first` on, as many as there are places.
  void cellsOf(const PointCloud& cloud, std::size_t first, std::span<std::uint32_t> cells) const;
  /// Points into this division.
  DivisionView view() const;
};

/// A division, and the cell of each of this rank's points, from which its owner follows.
struct DividedPart {
  SpaceDivision division;
  std::vector<std::uint32_t> cells;
};

/// A SliceGuess for these bounds, which are a dimension's of a SpaceDivision; its table is `first`.
SliceGuess guessOf(const std::vector<double>& bounds, std::vector<std::uint16_t>& first);

/// The points of a rank as a division of space asks for them, wherever they are.
class PointsToDivide {
 public:
  virtual ~PointsToDivide() = default;
  virtual std::size_t size() const = 0;
  virtual std::size_t dims() const = 0;
  /// Coordinates of the points i · size() / count for i < count ≤ size(), dimension by dimension.
  virtual std::vector<std::vector<double>> sample(std::size_t count) = 0;
};

/// A division whose cells are not dealt to owners yet.
struct SpaceCuts {
  SpaceDivision division;
  std::size_t cells = 0;
  std::vector<double> extents;  ///< lowest and highest sampled coordinate of each cut dimension
  int bits = 0;                 ///< the curve goes through 2^bits slices in each of them
  std::uint64_t points = 0;     ///< of all ranks
};
/// Cuts the space of the points of all ranks into cells, the first step of divideSpace. The same on
/// all ranks.
Result<SpaceCuts> cutSpace(Communicator& communicator, PointsToDivide& part,
                           const DbscanParams& params, const Task& task);

/// Divides the points of all ranks, of which `part` are this rank's: each rank is to own as much
/// work of a DBSCAN with dense cells and early stop. Points of dense clusters count least, on CPUs
/// a third of others, so that a rank may own up to three times the mean number of points. A cell is
/// never divided, so that one rank may own more, and others nothing. Slices are wider than ε and
/// follow the points' density.
/// The points are in host memory. Parallel on the caller's TBB arena.
Result<DividedPart> divideSpace(Communicator& communicator, const PointCloud& part,
                                const DbscanParams& params, const Task& task);

/// Finds the other ranks that may own neighbours of a point.
///
/// Why none is missed. A slice that begins at b > x has only points y ≥ b, and rounding is
/// monotone, so fl(y − x)² ≥ fl(b − x)² in every rounded step, and on the other side likewise with
/// the slice's end. The sum of these least squares over the cut dimensions, in the cloud's order,
/// is therefore at most the canonical squared distance to any point of the cell. Where it exceeds
/// fl(ε·ε), the predicate accepts no point of the cell.
class NearRanks {
 public:
  NearRanks(const SpaceDivision& division, double squaredEps, int self)
      : division_(division.view()), squaredEps_(squaredEps), self_(self) {}

  /// The cells from which the points of other ranks are out of reach from any place in the
  /// cell: all adjacent cells belong to the same rank. A neighbour is no further away, since the
  /// rounded square of the width of a slice between two points exceeds fl(ε·ε).
  static std::vector<std::uint8_t> innerCells(const SpaceDivision& division);

  /// The ranks, ascending, in a list that the next call overwrites.
  const std::vector<int>& of(const PointCloud& cloud, std::size_t p);

 private:
  DivisionView division_;
  double squaredEps_;
  int self_;
  std::vector<int> ranks_;
};

}  // namespace clusterloom
