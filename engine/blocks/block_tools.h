#pragma once

#include <functional>
#include <string>

#include "engine/backend.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/cloud/file_rows.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/join/periodic_box.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// How blocks see the points of a file in a space: Euclidean points are unchanged, those of a
/// sphere and of cosine distances become unit vectors, and those of a periodic box are wrapped into
/// it and get images. Manhattan and Chebyshev distances are unchanged.
class BlockSpace {
 public:
  /// For a file whose points are scaled by `scaling`; ε is that of the run. BadCall for invalid
  /// combinations, and for an ε that the space refuses.
  static Result<BlockSpace> make(const Space& space, const ScalingChoice& scaling, double eps);
  /// The ε of the points as blocks see them.
  double eps() const { return eps_; }
  /// The metric of these points: Euclidean, Manhattan or Chebyshev.
  Metric metric() const;
  /// Takes up the dimensions of `point`, which is in the units of the file and gets those that the
  /// blocks see. BadCall for a space of other dimensions.
  Result<void> begin(PointCloud& point);
  /// The points of a scaled part of the file as blocks see them. BadInput for a point that the
  /// space does not have; its row is named by `rowOf`. Cancelled.
  Result<PointCloud> points(PointCloud part, const RowOfPoint& rowOf, const Task& task) const;
  bool isPeriodic() const { return !box_.periods.empty(); }
  /// The number of points with their images within `reach` of the box, over that without images,
  /// for evenly distributed points; 1 without a box.
  double copies(double reach) const;
  /// The points of a part followed by their images within `reach` of the box; none without a box.
  /// Errors of withImages.
  Result<CloudWithImages> images(PointCloud points, double reach, const Task& task) const;

 private:
  Space space_;
  ScalingChoice scaling_;
  double epsOfFile_ = 0;
  double eps_ = 0;
  PeriodicBox box_;  // no periods: none
};

/// With what a run in blocks works.
struct BlockTools {
  int threads = 1;
  const Backend& backend;  ///< by the metric of the points
  const Strategy& strategy;
  BlockSpace space;
};

/// Checks what all runs in blocks need, and calls `run` on an arena of their threads. Its
/// exceptions become errors.
Result<BlockRun> onBlocks(const std::string& path, double eps, const Backend& backend,
                          const Strategy& strategy, const BlockOptions& options,
                          const std::function<Result<BlockRun>(const BlockTools&)>& run);

}  // namespace clusterloom
