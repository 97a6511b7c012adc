#include "engine/cpu/methods.h"

#include <optional>

#include "engine/cpu/count_neighbours.h"
#include "engine/cpu/cpu_join.h"
#include "engine/cpu/pair_forecast.h"
#include "engine/grid/row_window.h"

namespace clusterloom {
namespace {

class GridMethod final : public SinkJoin<GridMethod> {
 public:
  explicit GridMethod(std::unique_ptr<CpuJoin> join) : join_(std::move(join)) {}

  const std::vector<std::uint32_t>& pointIds() const override { return join_->index.pointIds; }
  QueryPositions queries() const override {
    return {join_->queries.firstQuery, join_->queries.pointIds};
  }
  void addStats(RunStats& stats) const override {
    stats.cells = join_->index.cells();
    stats.batches = join_->schedule.batches();
  }
  Result<void> checkPairsFit(std::uint64_t bytesPerPair, const Task& task) const override {
    const auto found = candidatesOnce(task);
    if (!found) return tl::unexpected(found.error());
    return clusterloom::checkPairsFit(*join_, *found, bytesPerPair, task);
  }
  Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts,
                         std::uint32_t enough, const Task& task) const override {
    const auto counted = countNeighbours(*join_, stage, counts, enough, task);
    if (!counted) return tl::unexpected(counted.error());
    return JoinWork{*counted, 0};
  }
  /// The candidates of the full pattern, also when another pattern is in use.
  Result<std::uint64_t> candidates(const JoinWork&, const Task& task) const override {
    return candidatesOnce(task);
  }

  bool bothWays() const { return join_->half; }
  template <class MakeSink, class Wanted>
  Result<JoinWork> run(std::string_view stage, const Task& task, const MakeSink& makeSink,
                       const Wanted& wanted) const {
    const auto ran = runCpuJoin(*join_, stage, task, makeSink, wanted);
    if (!ran) return tl::unexpected(ran.error());
    return JoinWork{*ran, 0};
  }

 private:
  // The check of pairs and the result both need them, a pass over all cells.
  Result<std::uint64_t> candidatesOnce(const Task& task) const {
    if (!candidates_) {
      const std::uint64_t found = candidatesInWindow(join_->index, join_->queries, task);
      if (task.cancelled()) return cancelledError();
      candidates_ = found;
    }
    return *candidates_;
  }

  std::unique_ptr<CpuJoin> join_;
  mutable std::optional<std::uint64_t> candidates_;
};

}  // namespace

Result<std::unique_ptr<PreparedJoin>> prepareGridJoin(const JoinInput& input, double eps,
                                                      const JoinPlan& plan, const Task& task) {
  auto join = prepareCpuJoin(input, eps, plan, task);
  if (!join) return tl::unexpected(join.error());
  return std::make_unique<GridMethod>(std::move(*join));
}

}  // namespace clusterloom
