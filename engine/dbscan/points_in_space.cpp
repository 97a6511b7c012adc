#include "engine/dbscan/points_in_space.h"

#include <new>
#include <string>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/join/periodic_box.h"

namespace clusterloom {
namespace {

Result<PointsInSpace> vectorsOf(const PointCloud& cloud, double eps, const Space& space,
                                const Task& task) {
  const auto chord = space.sphere ? chordOf(eps, *space.sphere) : chordOfCosine(eps);
  if (!chord) return tl::unexpected(chord.error());
  auto vectors = space.sphere ? unitVectors(cloud, *space.sphere, task) : directions(cloud, task);
  if (!vectors) return tl::unexpected(vectors.error());
  return PointsInSpace{.points = std::move(*vectors), .eps = *chord};
}

Result<PointsInSpace> boxOf(const PointCloud& cloud, double eps, const Space& space,
                            const Task& task) {
  const auto box = makePeriodicBox(space.periods, cloud);
  if (!box) return tl::unexpected(box.error());
  if (auto fine = checkEps(*box, eps, cloud.names); !fine) return tl::unexpected(fine.error());
  auto points = wrapped(cloud, *box, task);
  if (!points) return tl::unexpected(points.error());
  auto all = withImages(*points, *box, eps, task);
  if (!all) return tl::unexpected(all.error());
  return PointsInSpace{.points = std::move(all->cloud), .queries = std::move(*points), .eps = eps};
}

}  // namespace

Result<PointsInSpace> pointsInSpace(const PointCloud& cloud, double eps, const Space& space,
                                    const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  if (isTreeMetric(space.metric))
    return badCall("There is no plan of a join by " + std::string(toText(space.metric)) +
                   " distances.");
  try {
    if (space.sphere || space.metric == Metric::Cosine) return vectorsOf(cloud, eps, space, task);
    if (!space.periods.empty()) return boxOf(cloud, eps, space, task);
    return PointsInSpace{.points = cloud, .eps = eps};
  } catch (const std::bad_alloc&) {
    return tooLarge("There is no memory for the points of the space.");
  }
}

}  // namespace clusterloom
