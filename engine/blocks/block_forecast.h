#pragma once

#include <cstdint>
#include <span>

#include "engine/backend.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// A sample of the points of a file.
struct BlockSample {
  /// One point of every `every` of the file, times the factors of BlockOptions::scaling.
  const PointCloud& cloud;
  std::uint64_t every = 1;
  std::span<const double> weights = {};  ///< one for each of them; empty: none
};

/// The expected cost of a run of clusterInBlocks.
struct BlockForecast {
  BlockPlan plan;
  int readings = 2;    ///< how often it reads the file
  double seconds = 0;  ///< the whole run
};

/// The most points of a sample that are clustered for a forecast.
inline constexpr std::size_t kMostForecastPoints = std::size_t{1} << 20;

/// The ε at which the points of a sample have as many neighbours in it as those of the file have at
/// `eps`, on average; as many as half of the sample at most. It is found by counting the neighbours
/// of some of them, so the dimension that the points fill need not be known. Errors are those of
/// Backend::count.
Result<double> epsOfSample(const PointCloud& sample, double every, double eps, const Task& task);

/// Forecasts clusterInBlocks of a file from a sample of its points. The plan is that of the
/// sample's points. For the time, a part of the file is read, and a growing number of points of the
/// sample, kMostForecastPoints at most, is written to a file in the scratch folder and clustered by
/// the same passes, at epsOfSample, so that points have as many neighbours as in the run. It takes
/// a few seconds; nothing is left in the folder. A run that waits for its disk takes longer than
/// forecast, because the data written here stays in memory.
///
/// Errors as clusterInBlocks before it begins: TooLarge where a block does not fit into the memory,
/// Io where the disk has too little space, BadInput for a file that cannot be read in parts.
/// BadCall for a sample of other dimensions or without points.
Result<BlockForecast> forecastInBlocks(const BlockFile& file, const BlockSample& sample,
                                       const DbscanParams& params, const Backend& backend,
                                       const Strategy& strategy, const BlockOptions& options,
                                       const Task& task);

}  // namespace clusterloom
