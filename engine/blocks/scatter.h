#pragma once

#include <cstdint>
#include <vector>

#include "engine/blocks/space_division.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/task.h"

namespace clusterloom {

// The division of a cloud into blocks, of which each can be clustered on its own: histogram, divide
// and scatter are here, clusterBlock, merge and relabel in cluster_block.h. The functions move
// nothing: their callers do, in memory, through files or over a network.

/// The halo of a block is what lies within this distance of its cells: 2 ε, and more than all
/// rounding adds to it (cluster_block.h).
double haloWidth(double eps);

/// Cuts space into cells for about `blocks` blocks, by a sample of the cloud, in any order; the
/// cells are not dealt yet. One cell without a sample.
SpaceDivision cutIntoCells(std::vector<std::vector<double>> sample, double eps, int blocks);

/// The counts of the cells of a part of the cloud; those of parts are added. Parallel on the
/// caller's TBB arena.
inline std::vector<std::uint64_t> histogram(const SpaceDivision& cells, const PointCloud& part) {
  return countCells(cells, part, nullptr);
}

/// What a block will hold.
struct BlockSize {
  std::uint64_t own = 0;       ///< its points
  std::uint64_t mostHalo = 0;  ///< upper bound of the points of other blocks
};

/// Deals the cells to `blocks` blocks with about as many points each, along a curve. Blocks may be
/// empty; a cell is never divided. Says how large they are.
std::vector<BlockSize> divide(SpaceDivision& cells, const std::vector<std::uint64_t>& histogram,
                              int blocks);

/// What a point is to a block.
enum class Place : std::uint8_t {
  Inner,   ///< its own, and in no halo
  Border,  ///< its own, and in the halo of others
  Halo     ///< of another block
};

/// That a block holds a point.
struct BlockEntry {
  std::uint32_t point = 0;  ///< of the part
  std::uint16_t block = 0;
  Place place = Place::Inner;
};

/// Which blocks hold the points of a part, its own block and those of which it is in the halo.
class Scatter {
 public:
  /// `division` must outlive it.
  Scatter(const SpaceDivision& division, double eps);
  /// In the order of the points, the own block first. Parallel on the caller's TBB arena; ends
  /// early when it is stopped.
  std::vector<BlockEntry> operator()(const PointCloud& part, const Task& task) const;

 private:
  const SpaceDivision& division_;
  double squaredHalo_;
  std::vector<std::uint8_t> inner_;
};

}  // namespace clusterloom
