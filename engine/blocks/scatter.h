#pragma once

#include <cstdint>
#include <vector>

#include "engine/blocks/space_division.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/metric.h"
#include "engine/core/task.h"
#include "engine/join/periodic_box.h"

namespace clusterloom {

// The division of a cloud into blocks, of which each can be clustered on its own: histogram, divide
// and scatter are here, clusterBlock, merge and relabel in cluster_block.h. The functions move
// nothing: their callers do, in memory, through files or over a network.

/// The halo of a block has the points within this distance of its cells: 2 ε, and more than all
/// rounding adds to it (cluster_block.h).
double haloWidth(double eps);

/// Cuts space into cells for about `blocks` blocks, by a sample of the cloud, in any order; the
/// cells are not dealt yet. One cell without a sample.
SpaceDivision cutIntoCells(std::vector<Coordinates> sample, double eps, int blocks);

/// The counts of the cells of a part of the cloud; those of parts are added. Parallel on the
/// caller's TBB arena.
inline std::vector<std::uint64_t> histogram(const SpaceDivision& cells, const PointCloud& part) {
  return countCells(cells, part, nullptr);
}

/// The sizes that a block will have.
struct BlockSize {
  std::uint64_t own = 0;       ///< its points
  std::uint64_t mostHalo = 0;  ///< upper bound of the points of other blocks
};

/// Deals the cells to `blocks` blocks with about as many points each, along a curve. Returns their
/// sizes. Blocks may be empty; a cell is never divided. `images` is the histogram of the images of
/// the points in a periodic box, which belong to no block; empty: there are none.
std::vector<BlockSize> divide(SpaceDivision& cells, const std::vector<std::uint64_t>& histogram,
                              int blocks, const std::vector<std::uint64_t>& images = {});

/// The place of a point relative to a block.
enum class Place : std::uint8_t {
  Inner,   ///< its own, and in no halo
  Border,  ///< its own, and in the halo of others
  Halo     ///< of another block
};

/// A point that a block holds.
struct BlockEntry {
  std::uint32_t point = 0;  ///< of the part
  std::uint16_t block = 0;
  Place place = Place::Inner;
};

/// Which blocks hold the points of a part, its own block and those of which it is in the halo.
class Scatter {
 public:
  /// `division` must outlive it. `metric` is Euclidean, Manhattan or Chebyshev.
  Scatter(const SpaceDivision& division, double eps, Metric metric = Metric::Euclidean);
  /// In the order of the points, the own block first; it is 65535 for a point in a cell that no
  /// block owns, because it was not counted. Parallel on the caller's TBB arena; ends early when it
  /// is stopped.
  std::vector<BlockEntry> operator()(const PointCloud& part, const Task& task) const;
  /// The same with images of points in a periodic box, which are halos of all blocks that they are
  /// near to, also of their own point's; they come with the entries of this point.
  std::vector<BlockEntry> operator()(const CloudWithImages& part, const Task& task) const;

 private:
  /// The entries of some of the points, whose place in the block of their cell is `inOwn`.
  std::vector<BlockEntry> entries(const PointCloud& part, std::size_t first, std::size_t last,
                                  Place inOwn, const Task& task) const;

  const SpaceDivision& division_;
  double squaredHalo_;
  Metric metric_;
  std::vector<std::uint8_t> inner_;
};

}  // namespace clusterloom
