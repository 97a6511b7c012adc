#pragma once

#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

/// Which rank owns which part of space. Up to three dimensions are cut into slices, and so space
/// into coarse cells; the cells that hold points belong to the ranks in consecutive runs along a
/// Hilbert curve. The same on all ranks.
struct SpaceDivision {
  static constexpr int kNobody = -1;

  std::vector<std::size_t> dims;            ///< which dimensions are cut, ascending
  std::vector<std::vector<double>> bounds;  ///< of each: ascending bounds between its slices
  std::vector<std::size_t> stride;          ///< cell = Σ slice · stride
  std::vector<int> owner;                   ///< rank of each cell; kNobody where no points are

  /// The slice of coordinate x in cut dimension i: bounds[i][slice − 1] ≤ x < bounds[i][slice].
  std::size_t sliceOf(double x, std::size_t i) const;
  /// The cell of a point.
  std::size_t cellOf(const PointCloud& cloud, std::size_t p) const;
};

/// Divides the points of all ranks, of which `part` are this rank's: each rank is to own about as
/// many. A cell is never divided, so that one rank may own more, and others nothing. Slices are at
/// least ε wide and follow the points' density. Parallel on the caller's TBB arena.
Result<SpaceDivision> divideSpace(Communicator& communicator, const PointCloud& part, double eps,
                                  const Task& task);

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
      : division_(division), squaredEps_(squaredEps), self_(self) {}

  /// The ranks, ascending, in a list that the next call overwrites.
  const std::vector<int>& of(const PointCloud& cloud, std::size_t p);

 private:
  struct Reach {
    std::size_t slice;
    double squaredGap;
  };
  void visit(std::size_t i, std::size_t cell, double sum);

  const SpaceDivision& division_;
  double squaredEps_;
  int self_;
  std::vector<std::vector<Reach>> reach_;
  std::vector<int> ranks_;
};

}  // namespace clusterloom
