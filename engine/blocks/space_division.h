#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/blocks/division_view.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/metric.h"

namespace clusterloom {

/// Which owner, a rank or a block, has which part of space. Up to three dimensions are cut into
/// slices, and so space into coarse cells; the cells that hold points belong to the owners in
/// consecutive runs along a Hilbert curve.
struct SpaceDivision {
  static constexpr int kNobody = -1;

  std::vector<std::size_t> dims;  ///< which dimensions are cut, ascending
  /// Of each: the lower bounds of its slices, ascending from −∞, and +∞. Slice s holds the
  /// coordinates bounds[s] ≤ x < bounds[s + 1].
  std::vector<std::vector<double>> bounds;
  std::vector<std::size_t> stride;  ///< cell = Σ slice · stride
  std::vector<int> owner;           ///< of each cell; kNobody where no points are

  std::size_t slices(std::size_t i) const { return bounds[i].size() - 1; }
  /// Number of cells; 1 where nothing is cut.
  std::size_t cells() const;
  /// The cell of a point.
  std::uint32_t cellOf(const PointCloud& cloud, std::size_t p) const;
  /// The cells of the points from `first` on, as many as there are places.
  void cellsOf(const PointCloud& cloud, std::size_t first, std::span<std::uint32_t> cells) const;
  /// Points into this division.
  DivisionView view() const;
};

/// A SliceGuess for these bounds, which are a dimension's of a SpaceDivision; its table is `first`.
SliceGuess guessOf(const std::vector<double>& bounds, std::vector<std::uint16_t>& first);

/// Number of bits of a slice's number, where space is cut for `owners` owners: the curve goes
/// through 2^bits slices in each cut dimension.
int curveBits(int owners, std::size_t cutDims);

/// How many of the dimensions are cut.
std::size_t cutDimsOf(std::size_t dims);

/// How many points a sample for cutCells needs, spread over the cloud.
std::uint64_t wantedSample(int owners, std::size_t dims);

/// Cuts space into cells for `owners` owners, without dealing them: slices are wider than ε and
/// follow the density of a sample, which is given as sorted columns. `extents` gets the lowest and
/// highest sampled coordinate of each cut dimension.
SpaceDivision cutCells(const std::vector<std::vector<double>>& columns, double eps, int owners,
                       std::vector<double>& extents);

/// Sets SpaceDivision::stride.
void setStrides(SpaceDivision& division);

/// Counts the points of each cell, and notes the cell of each point in `ofPoint` where that is
/// given. Parallel on the caller's TBB arena.
std::vector<std::uint64_t> countCells(const SpaceDivision& division, const PointCloud& part,
                                      std::vector<std::uint32_t>* ofPoint);

/// Deals the cells that have work, along a Hilbert curve through 2^bits ≥ slices(i) slices in each
/// cut dimension, so that the middle of a cell's workload lies in its owner's share. Parallel on
/// the caller's TBB arena.
std::vector<int> dealCells(const SpaceDivision& division, const std::vector<double>& workloads,
                           int bits, int owners);

/// Finds the other owners that may have neighbours of a point.
///
/// Why none is missed. A slice that begins at b > x has only points y ≥ b, and rounding is
/// monotone, so fl(y − x)² ≥ fl(b − x)² in every rounded step, and on the other side likewise with
/// the slice's end. The sum of these least squares over the cut dimensions, in the cloud's order,
/// is therefore at most the canonical squared distance to any point of the cell. Where it exceeds
/// fl(ε·ε), the predicate accepts no point of the cell. By Chebyshev distances the longest of the
/// differences counts alone. Manhattan distances are no shorter than Euclidean ones but for the
/// rounding of a few sums, for which `squaredReach` is larger.
class NearOwners {
 public:
  /// `metric` is Euclidean, Manhattan or Chebyshev.
  NearOwners(const SpaceDivision& division, double squaredReach, int self,
             Metric metric = Metric::Euclidean)
      : division_(division.view()),
        squaredReach_(squaredReach),
        self_(self),
        longest_(metric == Metric::Chebyshev) {}

  /// The cells from which the points of other owners are out of reach from any place in the
  /// cell: all adjacent cells belong to the same owner. A neighbour is no further away, since the
  /// rounded square of the width of a slice between two points exceeds fl(ε·ε).
  static std::vector<std::uint8_t> innerCells(const SpaceDivision& division);

  /// The owners, ascending, in a list that the next call overwrites.
  const std::vector<int>& of(const PointCloud& cloud, std::size_t p);

 private:
  DivisionView division_;
  double squaredReach_;
  int self_;
  bool longest_;
  std::vector<int> owners_;
};

}  // namespace clusterloom
