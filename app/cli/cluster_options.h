#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/cli/block_options.h"
#include "app/cli/engine_options.h"
#include "app/cli/input_options.h"
#include "app/cli/picture.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom::cli {

/// A call of `cluster`.
struct ClusterOptions {
  InputOptions input;
  EngineOptions engine;
  EpsOptions eps;
  std::int64_t minPts = 0;
  std::string weights;       ///< name of the column with a weight of each point; empty: none
  std::string by;            ///< name of the column whose values are clustered apart; empty: none
  bool precomputed = false;  ///< FILE holds distances
  BlockCall blocks;
  std::string labels;
  std::string clusters;
  std::string image;
  std::string imageSize;
  PictureOptions picture;
  bool provenance = false;
  bool allowLoss = false;
  bool json = false;
  bool progress = false;  ///< in lines

  bool hasOutputs() const { return !labels.empty() || !clusters.empty() || !image.empty(); }
};

/// The lines of the summary with the results: parameters, clusters, roles.
std::string clusterLines(const DbscanParams& params, const ClusterCounts& counts,
                         std::uint64_t points);

/// Whether the call asks for outputs, a space, weights or groups that need all points in one place.
bool needsAllPoints(const ClusterOptions& options);

/// `cluster` on several ranks, each of which reads its own part of the file
/// (engine/distributed/distributed_dbscan.h). `check` checks the rest of the call. BadCall where
/// needsAllPoints().
Result<void> clusterOnRanks(const ClusterOptions& options,
                            const std::function<Result<void>()>& check, const Task& task);

/// `cluster` of given distances (precomputed.h). `check` checks the rest of the call.
Result<void> clusterDistances(const ClusterOptions& options, const CLI::App& parser,
                              const std::function<Result<void>()>& check, const Task& task);

/// `cluster` of a file that is larger than memory (engine/blocks/blocks_in_turn.h). `check` checks
/// the rest of the call. BadCall for options that need all points in memory.
Result<void> clusterInBlocks(const ClusterOptions& options,
                             const std::function<Result<void>()>& check, const Task& task);

}  // namespace clusterloom::cli
