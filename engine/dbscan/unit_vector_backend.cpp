#include "engine/dbscan/space_backends.h"

#include <new>
#include <string>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/core/stopwatch.h"
#include "engine/forwarding_backend.h"

namespace clusterloom {
namespace {

class UnitVectorBackend : public ForwardingBackend {
 public:
  UnitVectorBackend(std::shared_ptr<const Backend> backend, const Space& space)
      : ForwardingBackend(std::move(backend)), space_(space) {}

  Result<NeighbourCounts> count(const JoinInput& input, double eps, const Strategy& strategy,
                                const Task& task) const override {
    return onVectors(input, eps, task, [&](const JoinInput& vectors, double chord) {
      return backend().count(vectors, chord, strategy, task);
    });
  }
  Result<PairList> pairs(const JoinInput& input, double eps, const Strategy& strategy,
                         const Task& task) const override {
    return onVectors(input, eps, task, [&](const JoinInput& vectors, double chord) {
      return backend().pairs(vectors, chord, strategy, task);
    });
  }
  Result<NeighbourTable> neighbourTable(const JoinInput& input, double eps,
                                        const Strategy& strategy, const Task& task) const override {
    return onVectors(input, eps, task, [&](const JoinInput& vectors, double chord) {
      return backend().neighbourTable(vectors, chord, strategy, task);
    });
  }
  Result<DistanceHistogram> histogram(const JoinInput&, double, int, const Strategy&,
                                      const Task&) const override {
    return tl::unexpected(checkHistogram(space_).error());
  }
  Result<LowestLabels> lowestLabels(const JoinInput& input, std::span<const std::int32_t> labels,
                                    double eps, const Strategy& strategy,
                                    const Task& task) const override {
    return onVectors(input, eps, task, [&](const JoinInput& vectors, double chord) {
      return backend().lowestLabels(vectors, labels, chord, strategy, task);
    });
  }
  Result<Clustering> dbscan(const JoinInput& input, const DbscanParams& params,
                            const Strategy& strategy, const Task& task) const override {
    auto clustering =
        onVectors(input, params.eps, task, [&](const JoinInput& vectors, double chord) {
          return backend().dbscan(vectors, {chord, params.minPts}, strategy, task);
        });
    if (clustering) clustering->params = params;
    return clustering;
  }
  Result<LoadReport> load(const PointCloud&, double, const Strategy&, const LoadRequest&,
                          const Task&) const override {
    return badCall("The load of warps can be modelled for Euclidean distances only, not for " +
                   std::string(space_.sphere ? "longitude and latitude." : "cosine distances."));
  }

 private:
  template <class Run>
  auto onVectors(const JoinInput& input, double eps, const Task& task, const Run& run) const
      -> decltype(run(input, eps)) {
    const Stopwatch watch;
    if (auto valid = validate(input); !valid) return tl::unexpected(valid.error());
    const auto chord = space_.sphere ? chordOf(eps, *space_.sphere) : chordOfCosine(eps);
    if (!chord) return tl::unexpected(chord.error());
    try {
      const auto points = vectors(input.points, task);
      if (!points) return tl::unexpected(points.error());
      if (!input.twoClouds) return timed(run(*points, *chord), watch);
      const auto queries = vectors(input.queries, task);
      if (!queries) return tl::unexpected(queries.error());
      return timed(run(JoinInput(*queries, *points), *chord), watch);
    } catch (const std::bad_alloc&) {
      return tooLarge("There is no memory for the unit vectors of " +
                      std::to_string(input.points.size()) + " points.");
    }
  }

  Result<PointCloud> vectors(const PointCloud& cloud, const Task& task) const {
    return space_.sphere ? unitVectors(cloud, *space_.sphere, task) : directions(cloud, task);
  }

  template <class T>
  static Result<T> timed(Result<T> result, const Stopwatch& watch) {
    if (result) result->stats.seconds.total = watch.seconds();
    return result;
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
