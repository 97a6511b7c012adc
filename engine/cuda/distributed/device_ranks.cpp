#include "engine/cuda/distributed/device_ranks.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "engine/core/large_pages.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/distributed/divided_labels.h"
#include "engine/cuda/distributed/division_kernels.h"
#include "engine/cuda/runtime/staged_download.h"
#include "engine/cuda/runtime/staged_upload.h"
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
    const DividedPlan divided{.params = params,
                              .fused = {.squaredEps = plan->squaredEps,
                                        .dims = plan->dims,
                                        .earlyStop = plan->strategy.earlyStop == Toggle::On},
                              .roles = true};
    try {
      PeerGroup group(ofRank_);
      auto done = runLocalRanks(
          static_cast<int>(ofRank_.size()), task,
          [&](Communicator& communicator, const Task& own) {
            return rankPart(communicator, group, cloud, divided, answer, owners, own);
          },
          rankOptionsForGpus());
      if (!done) return tl::unexpected(done.error());
    } catch (const CudaFailure& failure) {
      return tl::unexpected(errorOf(failure));
    }
    RunStats& stats = answer.stats;
    stats.backend = limits_.name;
    stats.strategy = describe(plan->strategy);
    stats.indexedDims = plan->strategy.indexedDims;
    addNote(stats, plan->note);
    stats.owners = std::make_shared<const std::vector<std::uint16_t>>(std::move(owners));
    stats.seconds.total = total.seconds();
    return answer;
  }

 private:
  // Uploads the rows of a rank, and writes their labels, roles and owners; rank 0 writes the rest.
  Result<void> rankPart(Communicator& communicator, PeerGroup& group, const PointCloud& cloud,
                        const DividedPlan& plan, Clustering& answer,
                        std::vector<std::uint16_t>& owners, const Task& task) const {
    try {
      RankRecord record;
      if (auto begun = record.begin(communicator, task); !begun) return begun;
      RecordingCommunicator recording(communicator, record);
      record.enter(RankPhase::Read);
      const auto self = static_cast<std::size_t>(communicator.rank());
      const std::size_t begin = blockBegin(cloud.size(), ofRank_.size(), self);
      const std::size_t rows = blockBegin(cloud.size(), ofRank_.size(), self + 1) - begin;
      GpuRun run(*ofRank_[self], task);
      DeviceCloud part;
      part.size = rows;
      part.dims = cloud.dims();
      part.coordinates = DeviceBuffer<double>(run.lease(), rows * cloud.dims());
      std::vector<StagedUpload> columns;
      for (std::size_t j = 0; j < cloud.dims(); ++j)
        columns.push_back({std::as_bytes(cloud.column(j).subspan(begin, rows)),
                           part.coordinates.data() + j * rows});
      uploadStaged(run, columns);
      record.leave();
      const DividedLabels found =
          dividedLabels(recording, group, run, std::move(part), plan, &record);
      record.enter(RankPhase::Write);
      DeviceBuffer<std::uint16_t> ownerOfPoint(run.lease(), rows);
      ownersOfPoints(run, found.order, found.sent, ownerOfPoint);
      static_assert(sizeof(PointRole) == sizeof(std::uint8_t));
      const StagedPart parts[] = {
          {found.labels.data(),
           std::as_writable_bytes(std::span(answer.labels).subspan(begin, rows))},
          {found.roles.data(),
           std::as_writable_bytes(std::span(answer.roles).subspan(begin, rows))},
          {ownerOfPoint.data(), std::as_writable_bytes(std::span(owners).subspan(begin, rows))}};
      downloadStaged(run, parts);
      record.leave();
      auto spans = gatherSpans(communicator, record, task);
      if (!spans) return tl::unexpected(spans.error());
      if (self != 0) return {};
      answer.clusters = found.clusters;
      answer.coreCount = found.coreCount;
      answer.borderCount = found.borderCount;
      answer.noiseCount = found.noiseCount;
      answer.stats.ranks = rankStatsOf(found.ranks, std::move(*spans));
      answer.stats.seconds = stageSecondsOf(answer.stats.ranks);
      return {};
    } catch (const CudaStopped&) {
      return cancelledError();
    } catch (const RanksFailed& failed) {
      return tl::unexpected(failed.error);
    } catch (const CudaFailure& failure) {
      if (task.cancelled()) return cancelledError();
      return tl::unexpected(errorOf(failure));
    }
  }

  BackendLimits limits_;
  std::map<int, std::unique_ptr<Device>> devices_;
  std::vector<const Device*> ofRank_;
};

}  // namespace

Result<std::unique_ptr<RanksOnDevices>> makeRanksOnGpus(const std::vector<int>& devices,
                                                        const BackendLimits& limits) {
  if (devices.size() > static_cast<std::size_t>(DivisionView::kMostRanks)) return nullptr;
  try {
    return std::make_unique<RanksOnGpus>(devices, limits);
  } catch (const CudaFailure& failure) {
    return fail(ErrorKind::Unavailable, errorOf(failure).message);
  }
}

}  // namespace clusterloom
