#include "engine/cpu/ego_methods.h"

#include "engine/cpu/pair_forecast.h"
#include "engine/cpu/sink_join.h"
#include "engine/ego/new_super_ego.h"

namespace clusterloom {
namespace {

Result<JoinWork> asJoinWork(const Result<EgoWork>& work) {
  if (!work) return tl::unexpected(work.error());
  return JoinWork{work->calculations, work->candidates};
}

/// What both methods share.
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
  using EgoMethod::EgoMethod;
  Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts,
                         std::uint32_t enough, const Task& task) const override {
    return asJoinWork(withSimpleJoin(ego(), [&](const auto& join) {
      return runNewSuperEgo(ego(), stage, task, [&] {
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
      return runNewSuperEgo(ego(), stage, task, [&] {
        return [&, sink = makeSink()](std::uint32_t query) mutable -> std::uint64_t {
          if (!wanted(query)) return 0;
          const std::uint64_t calculations = queryByEgoJoin(ego().index, join, query, sink);
          sink.finish(query);
          return calculations;
        };
      });
    }));
  }
};

template <class MethodType>
Result<std::unique_ptr<PreparedJoin>> prepareEgo(const PointCloud& cloud, double eps,
                                                 const JoinPlan& plan, bool forSuperEgo,
                                                 const Task& task) {
  auto ego = prepareEgoCloud(cloud, eps, plan, forSuperEgo, task);
  if (!ego) return tl::unexpected(ego.error());
  return std::make_unique<MethodType>(cloud, eps, std::move(*ego));
}

}  // namespace

Result<std::unique_ptr<PreparedJoin>> prepareSuperEgoJoin(const PointCloud& cloud, double eps,
                                                          const JoinPlan& plan, const Task& task) {
  return prepareEgo<SuperEgoMethod>(cloud, eps, plan, true, task);
}

Result<std::unique_ptr<PreparedJoin>> prepareNewSuperEgoJoin(const PointCloud& cloud, double eps,
                                                             const JoinPlan& plan,
                                                             const Task& task) {
  return prepareEgo<NewSuperEgoMethod>(cloud, eps, plan, false, task);
}

}  // namespace clusterloom
