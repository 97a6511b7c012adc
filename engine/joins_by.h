#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "engine/backend.h"

namespace clusterloom {

/// What a join or `dbscan` of a backend is called with. Keeps references: it lasts for the call.
struct JoinArguments {
  JoinInput input;
  double eps;
  Strategy strategy;
  SinkKind sink;
  const Task& task;
  int bins = 0;                               ///< of a histogram
  std::span<const std::int32_t> labels = {};  ///< of the lowest labels
  std::int64_t minPts = 0;                    ///< of DBSCAN

  DbscanParams params() const { return {eps, minPts}; }
  /// checkStrategy for a backend with these limits.
  Result<void> checkFor(const BackendLimits& limits) const {
    return checkStrategy(strategy, sink, limits, input.points.dims(),
                         input.twoClouds ? JoinSides::TwoClouds : JoinSides::OneCloud);
  }
};

/// A call with the result T.
template <class T>
struct JoinCall : JoinArguments {
  /// The same call with another input.
  JoinCall with(const JoinInput& other) const {
    return {{other, eps, strategy, sink, task, bins, labels, minPts}};
  }
  /// The same call of another backend.
  Result<T> on(const Backend& backend) const {
    if constexpr (std::is_same_v<T, NeighbourCounts>)
      return backend.count(input, eps, strategy, task);
    else if constexpr (std::is_same_v<T, PairList>)
      return backend.pairs(input, eps, strategy, task);
    else if constexpr (std::is_same_v<T, NeighbourTable>)
      return backend.neighbourTable(input, eps, strategy, task);
    else if constexpr (std::is_same_v<T, DistanceHistogram>)
      return backend.histogram(input, eps, bins, strategy, task);
    else if constexpr (std::is_same_v<T, LowestLabels>)
      return backend.lowestLabels(input, labels, eps, strategy, task);
    else
      return backend.dbscan(input, params(), strategy, task);
  }
};

/// A backend whose joins and `dbscan` are one function of the derived class `Self`:
///
///     template <class T> Result<T> join(const JoinCall<T>& call) const;
///
/// Overloads of it do those that differ. `Base` is Backend, or a backend of which Self overrides
/// these calls.
template <class Self, class Base = Backend>
class JoinsBy : public Base {
 public:
  using Base::Base;

  Result<NeighbourCounts> count(const JoinInput& input, double eps, const Strategy& strategy,
                                const Task& task) const override {
    return call<NeighbourCounts>({input, eps, strategy, SinkKind::Counts, task});
  }
  Result<PairList> pairs(const JoinInput& input, double eps, const Strategy& strategy,
                         const Task& task) const override {
    return call<PairList>({input, eps, strategy, SinkKind::Pairs, task});
  }
  Result<NeighbourTable> neighbourTable(const JoinInput& input, double eps,
                                        const Strategy& strategy, const Task& task) const override {
    return call<NeighbourTable>({input, eps, strategy, SinkKind::NeighbourTable, task});
  }
  Result<DistanceHistogram> histogram(const JoinInput& input, double eps, int bins,
                                      const Strategy& strategy, const Task& task) const override {
    return call<DistanceHistogram>({input, eps, strategy, SinkKind::Histogram, task, bins});
  }
  Result<LowestLabels> lowestLabels(const JoinInput& input, std::span<const std::int32_t> labels,
                                    double eps, const Strategy& strategy,
                                    const Task& task) const override {
    return call<LowestLabels>({input, eps, strategy, SinkKind::LowestLabels, task, 0, labels});
  }
  Result<Clustering> dbscan(const JoinInput& input, const DbscanParams& params,
                            const Strategy& strategy, const Task& task) const override {
    return call<Clustering>(
        {input, params.eps, strategy, SinkKind::Dbscan, task, 0, {}, params.minPts});
  }

 private:
  template <class T>
  Result<T> call(const JoinArguments& arguments) const {
    return static_cast<const Self&>(*this).join(JoinCall<T>{arguments});
  }
};

}  // namespace clusterloom
