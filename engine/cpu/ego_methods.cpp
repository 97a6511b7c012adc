#include "engine/cpu/methods.h"

#include <utility>
#include <vector>

#include "engine/cpu/cpu_join.h"
#include "engine/cpu/pair_forecast.h"
#include "engine/ego/new_super_ego.h"
#include "engine/join/backend_kinds.h"

namespace clusterloom {
namespace {

Result<JoinWork> asJoinWork(const Result<EgoWork>& work) {
  if (!work) return tl::unexpected(work.error());
  return JoinWork{work->calculations, work->candidates};
}

/// The common part of both methods.
template <class Derived>
class EgoMethod : public SinkJoin<Derived> {
 public:
  EgoMethod(const PointCloud& cloud, double eps, std::unique_ptr<EgoCloud> ego)
      : cloud_(cloud), eps_(eps), ego_(std::move(ego)) {}

  const std::vector<std::uint32_t>& pointIds() const override { return ego_->index.pointIds; }
  void addStats(RunStats& stats) const override { stats.batches = 1; }
  Result<void> checkPairsFit(std::uint64_t bytesPerPair, const Task& task) const override {
    return checkPairsFitByGrid(cloud_, eps_, bytesPerPair, task);
  }

 protected:
  const EgoCloud& ego() const { return *ego_; }

 private:
  const PointCloud& cloud_;
  double eps_;
  std::unique_ptr<EgoCloud> ego_;
};

class SuperEgoMethod final : public EgoMethod<SuperEgoMethod> {
 public:
  using EgoMethod::EgoMethod;
  Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts, std::uint32_t,
                         const Task& task) const override {
    return asJoinWork(countBySuperEgo(ego(), stage, counts, task));
  }
  bool bothWays() const { return true; }
  template <class MakeSink, class Wanted>
  Result<JoinWork> run(std::string_view stage, const Task& task, const MakeSink& makeSink,
                       const Wanted&) const {
    return asJoinWork(runSuperEgo(ego(), stage, task, makeSink));
  }
};

class NewSuperEgoMethod final : public EgoMethod<NewSuperEgoMethod> {
 public:
  NewSuperEgoMethod(const PointCloud& cloud, double eps, std::unique_ptr<EgoCloud> ego,
                    std::vector<std::uint32_t> order)
      : EgoMethod(cloud, eps, std::move(ego)), order_(std::move(order)) {}

  Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts,
                         std::uint32_t enough, const Task& task) const override {
    return asJoinWork(withSimpleJoin(ego(), [&](const auto& join) {
      return runNewSuperEgo(ego(), order_, stage, task, [&] {
        return [&](std::uint32_t query) {
          std::uint64_t calculations = 0;
          counts[query] = countByEgoJoin(ego().index, join, query, enough, calculations);
          return calculations;
        };
      });
    }));
  }
  bool bothWays() const { return false; }
  template <class MakeSink, class Wanted>
  Result<JoinWork> run(std::string_view stage, const Task& task, const MakeSink& makeSink,
                       const Wanted& wanted) const {
    return asJoinWork(withSimpleJoin(ego(), [&](const auto& join) {
      return runNewSuperEgo(ego(), order_, stage, task, [&] {
        return [&, sink = makeSink()](std::uint32_t query) mutable -> std::uint64_t {
          if (!wanted(query)) return 0;
          const std::uint64_t calculations = queryByEgoJoin(ego().index, join, query, sink);
          sink.finish(query);
          return calculations;
        };
      });
    }));
  }

 private:
  const std::vector<std::uint32_t> order_;  // of the queries, as positions; empty: EGO order
};

// The points by their workload in the grid, heaviest first, ties in cell order, as the queries of
// the backend hybrid.
Result<std::vector<std::uint32_t>> pointsByWorkload(const PointCloud& cloud, double eps,
                                                    const Task& task) {
  const Strategy byGrid{.order = QueryOrder::WorkQueue};
  const auto plan =
      planJoin(cloud, eps, byGrid, SinkKind::Counts, BackendLimits{.name = kCpuBackend}, task);
  if (!plan) return tl::unexpected(plan.error());
  const auto join = prepareCpuJoin(cloud, eps, *plan, task);
  if (!join) return tl::unexpected(join.error());
  std::vector<std::uint32_t> points = std::move((*join)->schedule.queries);
  for (std::uint32_t& point : points) point = (*join)->queries.pointIds[point];
  return points;
}

}  // namespace

Result<std::vector<std::uint32_t>> positionsByWorkload(const PointCloud& cloud, double eps,
                                                       const EgoIndex& index, const Task& task) {
  auto order = pointsByWorkload(cloud, eps, task);
  if (!order) return order;
  std::vector<std::uint32_t> positionOf(index.size());
  for (std::size_t p = 0; p < index.size(); ++p) positionOf[index.pointIds[p]] = std::uint32_t(p);
  for (std::uint32_t& query : *order) query = positionOf[query];
  return order;
}

Result<std::unique_ptr<PreparedJoin>> prepareSuperEgoJoin(const PointCloud& cloud, double eps,
                                                          const JoinPlan& plan, const Task& task) {
  auto ego = prepareEgoCloud(cloud, eps, plan, true, task);
  if (!ego) return tl::unexpected(ego.error());
  return std::make_unique<SuperEgoMethod>(cloud, eps, std::move(*ego));
}

Result<std::unique_ptr<PreparedJoin>> prepareNewSuperEgoJoin(const PointCloud& cloud, double eps,
                                                             const JoinPlan& plan,
                                                             const Task& task) {
  auto ego = prepareEgoCloud(cloud, eps, plan, false, task);
  if (!ego) return tl::unexpected(ego.error());
  std::vector<std::uint32_t> order;
  if (plan.strategy.order == QueryOrder::WorkQueue) {
    auto made = positionsByWorkload(cloud, eps, (*ego)->index, task);
    if (!made) return tl::unexpected(made.error());
    order = std::move(*made);
  }
  return std::make_unique<NewSuperEgoMethod>(cloud, eps, std::move(*ego), std::move(order));
}

}  // namespace clusterloom
