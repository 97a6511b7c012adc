#pragma once

#include <cstdint>
#include <string>

#include "app/cli/engine_options.h"
#include "app/cli/input_options.h"
#include "app/cli/picture.h"
#include "app/cli/ranks.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom::cli {

/// A call of `cluster`.
struct ClusterOptions {
  InputOptions input;
  EngineOptions engine;
  EpsOptions eps;
  RankOptions ranks;
  std::int64_t minPts = 0;
  std::string labels;
  std::string clusters;
  std::string image;
  std::string imageSize;
  PictureOptions picture;
  bool provenance = false;
  bool json = false;

  bool hasOutputs() const { return !labels.empty() || !clusters.empty() || !image.empty(); }
};

/// The lines of the summary that say what was found: parameters, clusters, roles. Of the clustering
/// only the parameters and counts are read.
std::string clusterLines(const Clustering& clustering, std::uint64_t points);

/// `cluster` on several ranks (engine/distributed/distributed_dbscan.h). BadCall for outputs that
/// need all points in one place.
Result<void> clusterOnRanks(const ClusterOptions& options, const Task& task);

}  // namespace clusterloom::cli
