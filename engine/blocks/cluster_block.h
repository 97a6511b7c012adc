#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/blocks/cluster_forest.h"
#include "engine/blocks/scatter.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/dbscan/weighted_dbscan.h"

namespace clusterloom {

// DBSCAN of a cloud that is divided into blocks (scatter.h): each block is clustered separately,
// and the clusters of all blocks are merged. The labels are those of Backend::dbscan for the whole
// cloud, element by element:
//
// - Roles. A point of a block, and one of its halo within ε of such a point, has all neighbours in
//   the block and its halo. For let x be a point of the block, y within ε of x and z within ε of y.
//   A canonical squared distance errs by less than (n + 3)·2⁻⁵² of itself for n dimensions, so z is
//   in truth, and by its canonical distance, less than 2ε·(1 + 2⁻³⁸) away from x for n ≤ 4096; less
//   than haloWidth. By Manhattan and Chebyshev distances, which err by less, z is likewise less
//   than 2ε·(1 + 2⁻³⁸) away: both have the triangle inequality. NearOwners misses no such point.
//   The roles of both are therefore right. Any other point of the halo may lack neighbours: one
//   that is core here is core, because a count, or a sum of weights of which none is negative, does
//   not shrink when more are added, rounded or not. Where a weight is negative, such points are not
//   core here; nothing below needs them. Sums of weights add in the order of the cloud here as
//   well, and so are the same doubles.
// - Images in a periodic box (periodic_box.h) are points of the halo with the id of their point.
//   Of each point's copies at most one is within ε of another point, since ε is below half of the
//   period, so that counts are right; that x, y and z above may be images changes nothing, and
//   images within haloWidth of the box are all that there can be. A point with images has links,
//   which merge its cluster with those of its images, in one block as between two.
// - Clusters. Two core points of a block that are within ε of each other are in one cluster here.
//   Where y is of another block, it is in the halo of x's block and core there, so that the cluster
//   of x in that block holds it: a link names y and this cluster, and y's own block names y and its
//   cluster there. Merging the clusters that have links with one point makes one cluster of what is
//   one, and nothing else, since a cluster here joins core points only over pairs within ε.
// - Numbers. The lowest core point of a cluster is a point of one of the blocks, and core there.
//   Core points of a halo belong to the cluster too. So the lowest core point that any block has
//   seen of a merged cluster is the lowest of the cluster.
// - Border points. All core points within ε of a border point of the block are core here, so that
//   its clusters here are all of its clusters. It has the lowest number in this block. Numbers here
//   are in the order of the lowest core points seen here; merging can change this order only for a
//   cluster with links, to an earlier place. Such clusters of a border point, behind its own one
//   here, are its choices: it takes the lowest final number of all.

/// The points that a block holds, own ones and halo, in the order of the cloud; images follow their
/// point.
struct BlockPoints {
  PointCloud cloud;
  std::vector<std::uint64_t> ids;  ///< in the whole cloud, ascending; of images their point's
  std::vector<Place> places;
  std::vector<double> weights;  ///< one for each point as for weightedDbscan, or none
};

/// A core point that other blocks hold as well, and its cluster in this block.
struct BlockLink {
  std::uint64_t id = 0;
  std::uint32_t cluster = 0;
};

/// Another cluster of this block to which an own border point may belong in the end.
struct BorderChoice {
  std::uint32_t point = 0;  ///< counted among the own points
  std::int32_t cluster = 0;
};

/// The result of clustering a block.
struct BlockClusters {
  std::vector<std::int32_t> labels;   ///< of own points: numbers of this block, or kNoise
  std::vector<PointRole> roles;       ///< of own points
  std::vector<std::int32_t> cores;    ///< of all points held: cluster of a core point, or kNoise
  std::vector<std::uint64_t> lowest;  ///< the lowest core point of each cluster that is seen here
  std::vector<BlockLink> links;       ///< ascending by id
  std::vector<BorderChoice> choices;  ///< ascending by point
  std::uint64_t coreCount = 0;        ///< of own points, as the next two
  std::uint64_t borderCount = 0;
  std::uint64_t noiseCount = 0;
  RunStats stats;  ///< of the DBSCAN
};

/// Clusters the points of a block; there may be none. `joins` runs the joins of two clouds, and all
/// of a block with weights. Lists of pairs have at most `mostPairs`, or the pairs of one point.
/// Errors as Backend::dbscan and weightedDbscan.
Result<BlockClusters> clusterBlock(const BlockPoints& points, const DbscanParams& params,
                                   const Backend& backend, const Backend& joins,
                                   const Strategy& strategy, const Task& task,
                                   std::uint64_t mostPairs = kMostWeightedPairs);

/// Merges the clusters of all blocks, which are added one block after the other.
class BlockMerge {
 public:
  /// Adds a block's clusters; returns the number of clusters before them, which the block's numbers
  /// are counted from. TooLarge.
  Result<std::uint32_t> add(std::span<const std::uint64_t> lowest);
  /// The links of all blocks follow in ascending order of their ids: cluster `cluster` of all has
  /// this core point.
  void link(std::uint64_t id, std::uint32_t cluster);
  /// The final numbers of all clusters. TooLarge.
  Result<PartNumbers> numbers() { return numberParts(forest_); }
  std::size_t clusters() const { return forest_.size(); }

 private:
  ClusterForest forest_;
  std::uint64_t lastId_ = 0;
  std::uint32_t lastCluster_ = 0;
  bool linked_ = false;
};

/// Turns the numbers of a block into final ones; `numbers` are those of the block's clusters.
void relabel(std::span<std::int32_t> labels, std::span<const BorderChoice> choices,
             std::span<const std::int32_t> numbers);

}  // namespace clusterloom
