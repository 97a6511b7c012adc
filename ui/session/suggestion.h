#pragma once

#include <cstdint>
#include <optional>

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/k_distance.h"

namespace clusterloom {

/// First parameters for a cloud, so scaled, in a space: a range for the ε slider, below epsLimit
/// (engine/dbscan/backend_in_space.h), and an ε for the first view. ε is the middle of the most
/// stable partition (stable_partition.h). Where there is none, it is the knee of the k-distance
/// curve for k = minPts, or a smaller ε where a few runs show that nearly all points would be in
/// one cluster at the knee, and less than half would be noise at the smaller ε.
///
/// For clouds of more than 50,000 points (in more than 3 dimensions: than previewPoints) the
/// partition is that of a subsample, and for clouds of more than 300,000 the knee; distances are
/// then scaled by density. So the first view does not wait for a tree over all points; the charts
/// that follow are exact. Distances are those of the space's metric; in a box or on a sphere those
/// of flatCopy, and nothing is exact.
struct Suggestion {
  EpsRange range;
  double eps = 0;
  std::int64_t minPts = 0;        ///< that it was made for, in neighbours
  std::optional<Plateau> stable;  ///< the partition of ε; nothing: ε is at the knee or below
  bool isExact = false;           ///< whether `stable` is that of the runs on all points
  bool isOfSample = false;        ///< it is that of a subsample
  bool isUnwrapped = false;       ///< it takes no distances across the faces of a periodic box
  bool isBelowKnee = false;       ///< a smaller ε than the knee was taken
};
Result<Suggestion> suggestEps(const PointCloud& cloud, const Space& space, const Scaling& scaling,
                              std::int64_t minPts, const Task& task);

/// The largest ε to offer in a space: a little below epsLimit, which runs refuse; +∞ for none.
double mostEps(const Space& space, const Scaling& scaling);

/// Where minPts is a sum of weights of this mean: the number of neighbours that it stands for, and
/// the minPts that stands for `neighbours`; at least 1. A mean that is ≤ 0 or NaN changes nothing.
std::int64_t neighboursOf(std::int64_t minPts, double meanWeight);
std::int64_t weightedMinPts(std::int64_t neighbours, double meanWeight);

}  // namespace clusterloom
