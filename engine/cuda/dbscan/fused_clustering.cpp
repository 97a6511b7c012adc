#include <tbb/parallel_invoke.h>

#include <span>

#include "engine/core/large_pages.h"
#include "engine/core/run_both.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/dbscan/fused_dbscan.h"
#include "engine/cuda/runtime/staged_copies.h"

namespace clusterloom {

Clustering fusedDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                            const GpuFusedPlan& plan) {
  Stopwatch watch;
  Clustering clustering;
  clustering.params = params;
  const std::size_t n = input.points.size();
  // The host takes memory for the results while the bus and the device are at work.
  WorkBeside memory([&] {
    tbb::parallel_invoke([&] { resizeOnLargePages(clustering.labels, n, run.task()); },
                         [&] { resizeOnLargePages(clustering.roles, n, run.task()); });
  });
  const std::shared_ptr<const DeviceCloud> there = pointsOnDevice(run, input);
  const DeviceLabels labels = fusedLabels(run, *there, params, plan);
  const auto numbers = run.mailbox<std::uint32_t>(4);
  labels.totals.download(numbers.first(3));
  labels.cellCount.download(numbers.subspan(3));
  memory.wait();
  run.wait();

  const Stopwatch copying;
  static_assert(sizeof(PointRole) == sizeof(std::uint8_t));
  const StagedDownload parts[] = {
      {labels.labels.data(), std::as_writable_bytes(std::span(clustering.labels))},
      {labels.roles.data(), std::as_writable_bytes(std::span(clustering.roles))}};
  downloadStaged(run, parts);
  const double copySeconds = copying.seconds();
  clustering.clusters = std::int32_t(numbers[0]);
  clustering.coreCount = numbers[1];
  clustering.borderCount = numbers[2];
  clustering.noiseCount = n - clustering.coreCount - clustering.borderCount;

  RunStats& stats = clustering.stats;
  const auto until = [&](std::size_t from, std::size_t to) {
    return millisecondsBetween(labels.stages[from].second, labels.stages[to].second) / 1e3;
  };
  for (std::size_t i = 1; i < labels.stages.size(); ++i)
    stats.kernels.push_back(
        {.name = labels.stages[i].first, .seconds = until(i - 1, i), .launches = 1});
  stats.kernels.push_back({.name = "copy to host", .seconds = copySeconds, .launches = 1});
  stats.cells = numbers[3];
  stats.batches = 1;
  stats.indexedDims = int(plan.dims.size());
  stats.seconds.index = until(0, 2);
  stats.seconds.join = until(2, 4);
  stats.seconds.total = watch.lap();
  stats.seconds.label = stats.seconds.total - stats.seconds.index - stats.seconds.join;
  return clustering;
}

}  // namespace clusterloom
