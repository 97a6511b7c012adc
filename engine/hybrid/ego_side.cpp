#include <algorithm>
#include <vector>

#include "engine/core/parallel_for.h"
#include "engine/ego/new_super_ego.h"
#include "engine/hybrid/cpu_side.h"

namespace clusterloom {
namespace {

class EgoSide final : public CpuSide {
 public:
  explicit EgoSide(std::unique_ptr<EgoCloud> ego) : ego_(std::move(ego)) {
    positionOf_.resize(ego_->index.size());
    parallelFor(positionOf_.size(), 1 << 14,
                [&](std::size_t p) { positionOf_[ego_->index.pointIds[p]] = std::uint32_t(p); });
  }

  std::unique_ptr<CpuWorker> worker() const override;
  const EgoCloud& ego() const { return *ego_; }
  std::uint32_t positionOf(std::uint32_t point) const { return positionOf_[point]; }

 private:
  const std::unique_ptr<EgoCloud> ego_;
  std::vector<std::uint32_t> positionOf_;  // the mapping M of [Gallet 2020, §4.1]
};

class EgoWorker final : public CpuWorker {
 public:
  explicit EgoWorker(const EgoSide& side) : side_(side) {}

  std::uint32_t count(std::uint32_t point, std::uint32_t enough) override {
    return countByEgoJoin(side_.ego().index, side_.ego().join, side_.positionOf(point), enough,
                          distances_);
  }
  void row(std::uint32_t point, std::span<std::int32_t> row) override {
    WriteRow sink{row, side_.ego().index.pointIds};
    distances_ +=
        queryByEgoJoin(side_.ego().index, side_.ego().join, side_.positionOf(point), sink);
    std::sort(row.begin(), row.end());
  }

 private:
  const EgoSide& side_;
};

std::unique_ptr<CpuWorker> EgoSide::worker() const { return std::make_unique<EgoWorker>(*this); }

}  // namespace

Result<std::unique_ptr<CpuSide>> makeEgoSide(const SharedWork& work, const Task& task) {
  // The offsets of precision 32 were planned for the grid's cells.
  JoinPlan plan = work.plan;
  plan.strategy.precision = Precision::Double;
  plan.single = {};
  auto ego = prepareEgoCloud(work.input.points, work.eps, plan, false, task);
  if (!ego) return tl::unexpected(ego.error());
  return std::make_unique<EgoSide>(std::move(*ego));
}

}  // namespace clusterloom
