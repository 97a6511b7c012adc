#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/file_rows.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/distributed/check_parts.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/rank_record.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// The figures of one rank in a DBSCAN over several ranks.
struct RankReport {
  std::array<char, 64> host{};  ///< its machine, cut short and ended by 0
  std::uint64_t read = 0;       ///< points that it was given
  std::uint64_t points = 0;     ///< that it owned
  std::uint64_t ghosts = 0;     ///< of other ranks, within ε of its cells
  std::uint64_t bytesSent = 0;  ///< points, ghosts, flags and labels, to other ranks
  double divide = 0;            ///< seconds: dividing space and moving the points
  double cluster = 0;           ///< seconds: DBSCAN of own points and ghosts
  double merge = 0;             ///< seconds: clusters of all ranks, border points, labels
  double total = 0;
};

/// The answer for the points that a rank was given, and the counts of all ranks.
struct DistributedClustering : ClusterCounts {
  std::vector<std::int32_t> labels;   ///< one for each point of this rank's part, in its order
  std::vector<PointRole> roles;       ///< the same; empty where they were not asked for
  std::vector<std::uint16_t> owners;  ///< the ranks that owned them, as the roles
  std::uint64_t points = 0;           ///< of all ranks
  std::vector<RankReport> ranks;      ///< by rank
  /// Of rank 0 only: backend, threads, strategy and indexed dimensions of the first rank that has
  /// points, and the notes of all.
  RunStats stats;
};

/// How the ranks work.
struct DistributedOptions {
  int threads = 0;     ///< CPU threads of each rank beside its backend's; 0: as many as there are
  bool roles = false;  ///< return roles and owners of the points too; the same on all ranks
  RankRecord* record = nullptr;  ///< gets the phases of this rank from Divide to Number
  RowOfPoint rowOf = {};         ///< the rows of this part's points, for messages
  /// The distances of `backend`: Euclidean, Manhattan or Chebyshev.
  Metric metric = Metric::Euclidean;
};

/// DBSCAN of a cloud of which each rank has a part, any number of consecutive points, rank after
/// rank in the order of the cloud. The labels are those of Backend::dbscan for the whole cloud,
/// element by element, for any parts and any number of ranks.
///
/// Overview. Space is divided into cells, dealt to the ranks along a curve; the points move to
/// their owners once. Each rank gets copies of the points of others within ε of its cells (ghosts)
/// and runs `backend` on both, which gives every own point its true role. Owners then report which
/// ghosts are core and in which of their clusters: links between the clusters of two ranks. A core
/// ghost that has too few neighbours on this rank to be found core is joined with the own core
/// points near it. Rank 0 merges the linked clusters, and all are numbered by their lowest core
/// point. Border points take the lowest number within ε, and the labels go back to where the points
/// came from. No rank ever holds more than its own points, its ghosts and a small sample.
///
/// All ranks call it with equal parameters. Errors as Backend::dbscan, and BadInput when the parts
/// have different dimensions, the ranks different parameters or other versions of the program.
/// TooLarge when a rank would own too many points. The part is moved in, to save memory. Cancelled.
Result<DistributedClustering> distributedDbscan(Communicator& communicator, PointCloud part,
                                                const DbscanParams& params, const Backend& backend,
                                                const Strategy& strategy,
                                                const DistributedOptions& options,
                                                const Task& task);

/// The reports and spans of all ranks, as statistics of a run.
std::vector<RankStats> rankStatsOf(const std::vector<RankReport>& reports,
                                   std::vector<std::vector<RankSpan>> spans);

/// The seconds of the slowest rank until its points are divided, in its DBSCAN and after it.
StageSeconds stageSecondsOf(const std::vector<RankStats>& ranks);

}  // namespace clusterloom
