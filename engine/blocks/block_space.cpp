#include "engine/blocks/block_space.h"

#include <algorithm>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/dbscan/backend_in_space.h"

namespace clusterloom {

Result<BlockSpace> BlockSpace::make(const Space& space, const ScalingChoice& scaling, double eps) {
  if (auto fine = checkSpace(space, scaling.kind); !fine) return tl::unexpected(fine.error());
  BlockSpace made;
  made.space_ = space;
  made.scaling_ = scaling;
  made.eps_ = made.epsOfFile_ = eps;
  if (!space.sphere && space.metric != Metric::Cosine) return made;
  const auto chord = space.sphere ? chordOf(eps, *space.sphere) : chordOfCosine(eps);
  if (!chord) return tl::unexpected(chord.error());
  made.eps_ = *chord;
  return made;
}

Metric BlockSpace::metric() const {
  return isTreeMetric(space_.metric) ? space_.metric : Metric::Euclidean;
}

Result<void> BlockSpace::begin(PointCloud& point) {
  const auto scaling = makeScaling(scaling_.kind, point, scaling_.factors);
  if (!scaling) return tl::unexpected(scaling.error());
  if (!space_.periods.empty()) {
    auto box = makePeriodicBox(scaledPeriods(space_, *scaling), point);
    if (!box) return tl::unexpected(box.error());
    if (auto fine = checkEps(*box, epsOfFile_, point.names); !fine) return fine;
    box_ = std::move(*box);
  }
  auto seen = points(applyScaling(point, *scaling), {}, {});
  if (!seen) return tl::unexpected(seen.error());
  point = std::move(*seen);
  return {};
}

Result<PointCloud> BlockSpace::points(PointCloud part, const RowOfPoint& rowOf,
                                      const Task& task) const {
  if (part.size() > 0 && space_.metric == Metric::Cosine) return directions(part, task, rowOf);
  if (isPeriodic()) return wrapped(part, box_, task);
  if (!space_.sphere) return part;
  if (auto fine = checkAngles(part, *space_.sphere, rowOf); !fine)
    return tl::unexpected(fine.error());
  return unitVectors(part, *space_.sphere, task);
}

double BlockSpace::copies(double reach) const {
  double all = 1;
  for (const double period : box_.periods)
    if (period > 0) all *= 1 + 2 * std::min(1.0, reach / period);
  return all;
}

Result<CloudWithImages> BlockSpace::images(PointCloud points, double reach,
                                           const Task& task) const {
  if (!isPeriodic()) return CloudWithImages{std::move(points), {}};
  return withImages(std::move(points), box_, reach, task);
}

}  // namespace clusterloom
