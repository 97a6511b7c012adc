#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/blocks/cluster_forest.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

/// A cluster that one rank has found among its own points and the halo.
struct RankCluster {
  std::int32_t rank = 0;
  std::int32_t cluster = 0;
  friend auto operator<=>(const RankCluster&, const RankCluster&) = default;
};

/// A cluster of this rank and one of another rank that are parts of one cluster.
struct ClusterLink {
  std::int32_t own = 0;
  RankCluster other;
  friend auto operator<=>(const ClusterLink&, const ClusterLink&) = default;
};

/// The clusters of a rank and their links.
struct RankClusters {
  static constexpr std::uint64_t kNoPoint = std::numeric_limits<std::uint64_t>::max();

  /// The lowest id of an own core point of each cluster; kNoPoint where all of them are in the
  /// halo.
  std::vector<std::uint64_t> lowest;
  /// Whether the cluster may be part of a cluster that other ranks share: it is in a link of this
  /// rank or of another.
  std::vector<std::uint8_t> shared;
  std::vector<ClusterLink> links;  ///< ascending, each once
};

/// A cluster of a rank that may be part of a cluster that other ranks share.
struct SharedCluster {
  std::int32_t cluster = 0;
  std::uint64_t lowest = RankClusters::kNoPoint;  ///< id of its lowest own core point
};

/// The merged cluster of which a shared cluster is a part.
struct MergedCluster {
  RankCluster head;          ///< the part that has …
  std::uint64_t lowest = 0;  ///< … the id of the lowest core point of all parts
};

/// Merges linked clusters: returns the merged cluster of each of `shared`, which are ascending, on
/// all ranks. `links` are those of this rank. Rank 0 gathers both.
Result<std::vector<MergedCluster>> mergeSharedClusters(Communicator& communicator,
                                                       std::span<const SharedCluster> shared,
                                                       std::span<const ClusterLink> links,
                                                       const Task& task);

/// The numbers of a rank's clusters among those of all ranks.
struct ClusterNumbering {
  std::vector<std::int32_t> numbers;  ///< of each cluster of this rank
  std::int32_t clusters = 0;          ///< of all ranks
};

/// Merges linked clusters and numbers all by their lowest core point. `firstPoints[r]` is the
/// lowest id that rank r has read, one more entry for the end; they decide which rank sorts an id.
/// Only shared clusters and links are gathered, on rank 0. TooLarge for more clusters than labels
/// can number.
Result<ClusterNumbering> numberClustersOfRanks(Communicator& communicator,
                                               const RankClusters& clusters,
                                               std::span<const std::uint64_t> firstPoints,
                                               const Task& task);

}  // namespace clusterloom
