#include "engine/dbscan/backend_in_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/dbscan/space_backends.h"
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

Result<void> checkSpace(const Space& space, Scaling::Kind scaling) {
  if (space.metric == Metric::Cosine && (space.sphere || !space.periods.empty()))
    return badCall(
        "Cosine distances are those of directions: leave out periods, longitude and latitude.");
  if (space.metric != Metric::Euclidean && (space.sphere || !space.periods.empty()))
    return badCall("Periodic boxes and spheres have distances of their own, not " +
                   std::string(toText(space.metric)) +
                   " ones: leave out periods, longitude and latitude.");
  if (!space.sphere) return {};
  if (!space.periods.empty())
    return badCall("Longitude and latitude need no periods: the sphere closes at the date line.");
  if (scaling != Scaling::Kind::None)
    return badCall(
        "Longitude and latitude are not scaled; choose the scaling none. ε is a length along great "
        "circles.");
  return {};
}

std::vector<double> scaledPeriods(const Space& space, const Scaling& scaling) {
  std::vector<double> periods = space.periods;
  for (std::size_t j = 0; j < std::min(periods.size(), scaling.factor.size()); ++j)
    periods[j] *= std::abs(scaling.factor[j]);
  return periods;
}

Result<void> checkSpace(const Space& space, const Scaling& scaling, const PointCloud& cloud,
                        const RowOfPoint& rowOf) {
  if (auto fine = checkSpace(space, scaling.kind); !fine) return fine;
  if (space.sphere) return checkAngles(cloud, *space.sphere, rowOf);
  if (space.metric == Metric::Cosine) {
    if (auto units = directions(cloud, {}, rowOf); !units) return tl::unexpected(units.error());
  }
  if (!space.periods.empty()) {
    if (auto box = makePeriodicBox(scaledPeriods(space, scaling), cloud); !box)
      return tl::unexpected(box.error());
  }
  return {};
}

Result<PointCloud> flatCopy(const Space& space, const Scaling& scaling, const PointCloud& cloud,
                            const Task& task) {
  if (space.sphere) {
    auto vectors = unitVectors(cloud, *space.sphere, task);
    if (vectors)
      for (auto& column : vectors->columns)
        for (double& x : column) x *= space.sphere->radius;
    return vectors;
  }
  if (space.periods.empty()) return cloud;
  const auto box = makePeriodicBox(scaledPeriods(space, scaling), cloud);
  if (!box) return tl::unexpected(box.error());
  return wrapped(cloud, *box, task);
}

double epsLimit(const Space& space, const Scaling& scaling) {
  constexpr double kPi = 3.14159265358979323846;
  if (space.sphere) return kPi * space.sphere->radius;
  if (space.metric == Metric::Cosine) return 2;
  double limit = std::numeric_limits<double>::infinity();
  for (const double period : scaledPeriods(space, scaling))
    if (period > 0) limit = std::min(limit, period / 2);
  return limit;
}

Result<std::shared_ptr<const Backend>> backendIn(const Space& space, const Scaling& scaling,
                                                 std::shared_ptr<const Backend> backend) {
  if (auto fine = checkSpace(space, scaling.kind); !fine) return tl::unexpected(fine.error());
  if (isTreeMetric(space.metric)) return backend->withMetric(space.metric);
  if (space.sphere || space.metric == Metric::Cosine)
    return makeUnitVectorBackend(std::move(backend), space);
  if (space.periods.empty()) return backend;
  return makePeriodicBackend(std::move(backend), scaledPeriods(space, scaling));
}

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
