#include "engine/dbscan/space_backends.h"

#include <new>
#include <string>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/core/stopwatch.h"
#include "engine/forwarding_backend.h"

namespace clusterloom {
namespace {

class UnitVectorBackend : public JoinsBy<UnitVectorBackend, ForwardingBackend> {
 public:
  UnitVectorBackend(std::shared_ptr<const Backend> backend, const Space& space)
      : JoinsBy(std::move(backend)), space_(space) {}

  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    return onVectors(call);
  }
  Result<DistanceHistogram> join(const JoinCall<DistanceHistogram>&) const {
    return tl::unexpected(checkHistogram(space_).error());
  }
  Result<Clustering> join(const JoinCall<Clustering>& call) const {
    auto clustering = onVectors(call);
    if (clustering) clustering->params = call.params();
    return clustering;
  }
  Result<LoadReport> load(const PointCloud&, double, const Strategy&, const LoadRequest&,
                          const Task&) const override {
    return badCall("The load of warps can be modelled for Euclidean distances only, not for " +
                   std::string(space_.sphere ? "longitude and latitude." : "cosine distances."));
  }

 private:
  template <class T>
  Result<T> onVectors(const JoinCall<T>& call) const {
    const Stopwatch watch;
    const JoinInput& input = call.input;
    if (auto valid = validate(input); !valid) return tl::unexpected(valid.error());
    const auto chord = space_.sphere ? chordOf(call.eps, *space_.sphere) : chordOfCosine(call.eps);
    if (!chord) return tl::unexpected(chord.error());
    const auto run = [&](const JoinInput& vectors) {
      JoinCall<T> there = call.with(vectors);
      there.eps = *chord;
      Result<T> result = there.on(backend());
      if (result) result->stats.seconds.total = watch.seconds();
      return result;
    };
    try {
      const auto points = vectors(input.points, call.task);
      if (!points) return tl::unexpected(points.error());
      if (!input.twoClouds) return run(*points);
      const auto queries = vectors(input.queries, call.task);
      if (!queries) return tl::unexpected(queries.error());
      return run(JoinInput(*queries, *points));
    } catch (const std::bad_alloc&) {
      return tooLarge("There is no memory for the unit vectors of " +
                      std::to_string(input.points.size()) + " points.");
    }
  }

  Result<PointCloud> vectors(const PointCloud& cloud, const Task& task) const {
    return space_.sphere ? unitVectors(cloud, *space_.sphere, task) : directions(cloud, task);
  }

  const Space space_;  // of a sphere, or cosine distances
};

}  // namespace

Result<void> checkHistogram(const Space& space) {
  if (!space.sphere && space.metric != Metric::Cosine) return {};
  return badCall("There is no histogram of " +
                 std::string(space.sphere ? "great-circle" : "cosine") +
                 " distances; count the pairs at several ε.");
}

std::unique_ptr<Backend> makeUnitVectorBackend(std::shared_ptr<const Backend> backend,
                                               const Space& space) {
  return std::make_unique<UnitVectorBackend>(std::move(backend), space);
}

}  // namespace clusterloom
