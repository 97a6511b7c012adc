#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/blocks/space_division.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

/// A division, and the cell of each of this rank's points, from which its owner follows.
struct DividedPart {
  SpaceDivision division;
  std::vector<std::uint32_t> cells;
};

/// A division whose cells are not dealt to owners yet.
struct SpaceCuts {
  SpaceDivision division;
  std::size_t cells = 0;
  std::vector<double> extents;  ///< lowest and highest sampled coordinate of each cut dimension
  int bits = 0;                 ///< the curve goes through 2^bits slices in each of them
  std::uint64_t points = 0;     ///< of all ranks
};
/// The number of the `points` of one rank in a sample of the points of all ranks.
std::size_t sampleOfPart(std::uint64_t points, std::uint64_t ofAll, int ranks, std::size_t dims);
/// Merges two ascending lists into the first.
void mergeSorted(std::vector<double>& values, std::span<const double> others);
/// Cuts the space of the `points` points of all ranks into cells by a sample of them, sorted
/// columns: the first step of divideSpace.
SpaceCuts cutBySample(const std::vector<std::vector<double>>& sample, std::uint64_t points,
                      const DbscanParams& params, int ranks);

/// Divides the points of all ranks, of which `part` are this rank's: each rank is to own as much
/// work of a DBSCAN with dense cells and early stop. Points of dense clusters count least, on CPUs
/// a third of others, so that a rank may own up to three times the mean number of points. A cell is
/// never divided, so one rank may own more, and others nothing. Slices are wider than ε and follow
/// the points' density. The points are in host memory. Parallel on the caller's TBB arena.
Result<DividedPart> divideSpace(Communicator& communicator, const PointCloud& part,
                                const DbscanParams& params, const Task& task);

}  // namespace clusterloom
