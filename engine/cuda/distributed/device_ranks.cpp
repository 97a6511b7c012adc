#include "engine/cuda/distributed/device_ranks.h"

#include <tbb/parallel_invoke.h>

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/core/large_pages.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/distributed/divided_labels.h"
#include "engine/cuda/distributed/division_kernels.h"
#include "engine/cuda/runtime/staged_copies.h"
#include "engine/dbscan/labelling.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/selection.h"
#include "engine/join/join_plan.h"

namespace clusterloom {
namespace {

class RanksOnGpus final : public RanksOnDevices {
 public:
  RanksOnGpus(const std::vector<int>& devices, const BackendLimits& limits) : limits_(limits) {
    for (const int number : devices) {
      auto& device = devices_[number];
      if (!device) device = std::make_unique<Device>(number);
      ofRank_.push_back(device.get());
    }
  }

  Result<std::optional<Clustering>> dbscan(const JoinInput& input, const DbscanParams& params,
                                           const Strategy& strategy,
                                           const Task& task) const override {
    if (params.minPts < 1 || strategy.method != Method::Grid) return std::nullopt;
    const Stopwatch total;
    const PointCloud& cloud = input.points;
    const auto plan = planJoin(input, params.eps, strategy, SinkKind::Dbscan, limits_, task);
    if (!plan) return tl::unexpected(plan.error());
    if (plan->strategy.denseCells != Toggle::On) return std::nullopt;
    if (auto noise = withoutCorePoints(cloud.size(), params)) return std::nullopt;

    Clustering answer;
    answer.params = params;
    std::vector<std::uint16_t> owners;
    tbb::parallel_invoke([&] { resizeOnLargePages(answer.labels, cloud.size(), task); },
                         [&] { resizeOnLargePages(answer.roles, cloud.size(), task); },
                         [&] { resizeOnLargePages(owners, cloud.size(), task); });
    if (task.cancelled()) return cancelledError();
    const DividedPlan divided{.params = params, .fused = fusedPlan(*plan), .roles = true};
    try {
      PeerGroup group(ofRank_);
      auto done = runLocalRanks(
          int(ofRank_.size()), task,
          [&](Communicator& communicator, const Task& own) {
            return rankPart(communicator, group, cloud, divided, answer, owners, own);
          },
          rankOptionsForGpus());
      if (!done) return tl::unexpected(done.error());
    } catch (const CudaFailure& failure) {
      return tl::unexpected(errorOf(failure));
    }
    RunStats& stats = answer.stats;
    describePlan(*plan, limits_.name, stats);
    stats.owners = std::make_shared<const std::vector<std::uint16_t>>(std::move(owners));
    stats.seconds.total = total.seconds();
    return answer;
  }

  Result<PartOnDevices> dbscanOfPart(Communicator& communicator, const PointCloud& part,
                                     const DbscanParams& params, const Strategy& strategy,
                                     const DistributedOptions& options,
                                     const Task& task) const override {
    return guarded(task, [&]() -> Result<PartOnDevices> {
      if (options.record != nullptr) options.record->enter(RankPhase::Divide);
      if (auto fine = checkParts(communicator, part, params, task, options.rowOf); !fine)
        return tl::unexpected(fine.error());
      auto plan = planOfParts(communicator, part, params, strategy, task);
      if (!plan) return tl::unexpected(plan.error());
      if (plan->whether == Whether::OtherRun) return PartOnDevices();
      if (plan->whether == Whether::TooLittleMemory)
        return PartOnDevices{.answer = std::nullopt, .why = kTooLittleMemory};
      const JoinPlan& join = plan->join;
      const DividedPlan divided{.params = params, .fused = fusedPlan(join), .roles = options.roles};
      const std::shared_ptr<PeerGroup> group = groupOfParts();
      GpuRun run(*ofRank_[std::size_t(communicator.rank())], task);
      const DividedLabels found =
          dividedLabels(communicator, *group, run, uploadPart(run, part, 0, part.size()), divided,
                        options.record);
      if (options.record != nullptr) options.record->enter(RankPhase::Write);
      DistributedClustering answer;
      resizeOnLargePages(answer.labels, part.size(), task);
      if (options.roles) {
        resizeOnLargePages(answer.roles, part.size(), task);
        resizeOnLargePages(answer.owners, part.size(), task);
      }
      if (task.cancelled()) return cancelledError();
      downloadPart(run, found, answer.labels, answer.roles, answer.owners);
      if (options.record != nullptr) options.record->leave();
      static_cast<ClusterCounts&>(answer) = found;
      answer.points = plan->points;
      answer.ranks = found.ranks;
      describePlan(join, limits_.name, answer.stats);
      return PartOnDevices{.answer = std::move(answer)};
    });
  }

  LocalRankOptions rankOptions() const override { return rankOptionsForGpus(); }

 private:
  static GpuFusedPlan fusedPlan(const JoinPlan& plan) {
    return {.squaredEps = plan.squaredEps,
            .dims = plan.dims,
            .earlyStop = plan.strategy.earlyStop == Toggle::On};
  }

  // Calls body(), and returns exceptions of engine/cuda as an error.
  template <class Body>
  static auto guarded(const Task& task, const Body& body) -> decltype(body()) {
    try {
      return body();
    } catch (const CudaStopped&) {
      return cancelledError();
    } catch (const RanksFailed& failed) {
      return tl::unexpected(failed.error);
    } catch (const CudaFailure& failure) {
      if (task.cancelled()) return cancelledError();
      return tl::unexpected(errorOf(failure));
    }
  }

  static constexpr const char* kTooLittleMemory =
      "The GPUs have too little free memory for this run. The points were moved through host "
      "memory.";
  // Whether a run of these parts is for GPUs, the most serious reason against it first.
  enum class Whether : int { OtherRun, TooLittleMemory, Yes };
  struct PartsPlan {
    JoinPlan join;
    std::uint64_t points = 0;  // of all ranks
    Whether whether = Whether::OtherRun;
  };
  // The same on all ranks.
  Result<PartsPlan> planOfParts(Communicator& communicator, const PointCloud& part,
                                const DbscanParams& params, const Strategy& strategy,
                                const Task& task) const {
    const auto points = communicator.sum<std::uint64_t>(part.size(), task);
    if (!points) return tl::unexpected(points.error());
    PartsPlan plan;
    plan.points = *points;
    Whether here = Whether::OtherRun;
    if (part.size() > 0 && strategy.method == Method::Grid &&
        params.minPts <= std::int64_t(*points)) {
      auto join = planJoin(part, params.eps, strategy, SinkKind::Dbscan, limits_, task);
      if (!join) return tl::unexpected(join.error());
      plan.join = std::move(*join);
      // Ranks may own half as many points again as their share.
      const double share = 1.5 * double(*points) / communicator.size();
      const auto& device = *ofRank_[std::size_t(communicator.rank())];
      if (plan.join.strategy.denseCells == Toggle::On)
        here = share * bytesOfPoint(part.dims()) < double(device.freeMemory())
                   ? Whether::Yes
                   : Whether::TooLittleMemory;
    }
    const auto all = communicator.least(int(here), task);
    if (!all) return tl::unexpected(all.error());
    plan.whether = static_cast<Whether>(*all);
    return plan;
  }
  static double bytesOfPoint(std::size_t dims) {
    return bytesOfDividedPoint(dims) + sizeof(double) * double(dims);
  }

  // Ranks that call dbscanOfPart together share one.
  std::shared_ptr<PeerGroup> groupOfParts() const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<PeerGroup> group = group_.lock();
    if (!group) {
      group = std::make_shared<PeerGroup>(ofRank_);
      group_ = group;
    }
    return group;
  }

  static DeviceCloud uploadPart(GpuRun& run, const PointCloud& cloud, std::size_t begin,
                                std::size_t rows) {
    DeviceCloud part;
    part.size = rows;
    part.dims = cloud.dims();
    part.coordinates = DeviceBuffer<double>(run.lease(), rows * cloud.dims());
    std::vector<StagedUpload> columns;
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      columns.push_back({std::as_bytes(cloud.column(j).subspan(begin, rows)),
                         part.coordinates.data() + j * rows});
    uploadStaged(run, columns);
    return part;
  }

  // Into spans of as many values; roles and owners may be empty.
  static void downloadPart(GpuRun& run, const DividedLabels& found, std::span<std::int32_t> labels,
                           std::span<PointRole> roles, std::span<std::uint16_t> owners) {
    DeviceBuffer<std::uint16_t> ownerOfPoint(run.lease(), owners.size());
    if (!owners.empty()) ownersOfPoints(run, found.order, found.sent, ownerOfPoint);
    static_assert(sizeof(PointRole) == sizeof(std::uint8_t));
    const StagedDownload parts[] = {{found.labels.data(), std::as_writable_bytes(labels)},
                                    {found.roles.data(), std::as_writable_bytes(roles)},
                                    {ownerOfPoint.data(), std::as_writable_bytes(owners)}};
    downloadStaged(run, parts);
  }

  // Clusters the rows of a rank, and writes their labels, roles and owners; rank 0 writes the rest.
  Result<void> rankPart(Communicator& communicator, PeerGroup& group, const PointCloud& cloud,
                        const DividedPlan& plan, Clustering& answer,
                        std::vector<std::uint16_t>& owners, const Task& task) const {
    return guarded(task, [&]() -> Result<void> {
      RankRecord record;
      if (auto begun = record.begin(communicator, task); !begun) return begun;
      RecordingCommunicator recording(communicator, record);
      record.enter(RankPhase::Read);
      const auto self = std::size_t(communicator.rank());
      const std::size_t begin = blockBegin(cloud.size(), ofRank_.size(), self);
      const std::size_t rows = blockBegin(cloud.size(), ofRank_.size(), self + 1) - begin;
      GpuRun run(*ofRank_[self], task);
      DeviceCloud part = uploadPart(run, cloud, begin, rows);
      record.leave();
      const DividedLabels found =
          dividedLabels(recording, group, run, std::move(part), plan, &record);
      record.enter(RankPhase::Write);
      downloadPart(run, found, std::span(answer.labels).subspan(begin, rows),
                   std::span(answer.roles).subspan(begin, rows),
                   std::span(owners).subspan(begin, rows));
      record.leave();
      auto spans = gatherSpans(communicator, record, task);
      if (!spans) return tl::unexpected(spans.error());
      if (self != 0) return {};
      static_cast<ClusterCounts&>(answer) = found;
      answer.stats.ranks = rankStatsOf(found.ranks, std::move(*spans));
      answer.stats.seconds = stageSecondsOf(answer.stats.ranks);
      return {};
    });
  }

  BackendLimits limits_;
  std::map<int, std::unique_ptr<Device>> devices_;
  std::vector<const Device*> ofRank_;
  mutable std::mutex mutex_;
  mutable std::weak_ptr<PeerGroup> group_;
};

}  // namespace

Result<std::unique_ptr<RanksOnDevices>> makeRanksOnGpus(const std::vector<int>& devices,
                                                        const BackendLimits& limits) {
  if (devices.size() > std::size_t(DivisionView::kMostRanks)) return nullptr;
  try {
    return std::make_unique<RanksOnGpus>(devices, limits);
  } catch (const CudaFailure& failure) {
    return unavailable(errorOf(failure).message);
  }
}

}  // namespace clusterloom
