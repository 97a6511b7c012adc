#include "app/cli/papers/device_numbers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "engine/join/batch_model.h"

namespace clusterloom::cli {

namespace {

/// As pairRun, on a GPU only; `about` says what the number is about.
Result<MeasuredRun> pairRunOnGpu(const Asked& asked, const Strategy& strategy, const char* about) {
  const auto runner = runnerOf(asked, strategy);
  if (!runner) return tl::unexpected(runner.error());
  if (!runner->backend->limits().keyValueSort)
    return unavailable(std::string("No GPU answers here, and this number is about ") + about + ".");
  return pairRun(asked, strategy);
}

/// Those of figure 14 of [Gowanlock 2018].
constexpr std::array kBatchSizes{2.5e7, 5e7, 7.5e7, 1e8, 1.25e8, 1.5e8};
constexpr int kStreams = 3;

/// A join at this ε in batches of this many pairs, as the model takes it.
struct TimedBatches {
  BatchedRun run;
  std::string by;
};

Result<TimedBatches> batchedRun(const Asked& asked, double eps, double pairs) {
  Asked at = asked;
  at.eps = eps;
  Strategy strategy = asked.strategy();
  strategy.streams = kStreams;
  strategy.batchPairs = asked.scaled(pairs);
  const auto run = pairRunOnGpu(at, strategy, "batches of a GPU");
  if (!run) return tl::unexpected(run.error());
  return TimedBatches{{.response = asked.seconds(run->stats),
                       .batchPairs = double(strategy.batchPairs),
                       .batches = run->stats.timeline.size(),
                       .buffers = run->stats.streamsReady / kStreams},
                      run->by};
}

/// DBSCAN by a version of G-DBSCAN.
Result<MeasuredRun> gDbscanRun(const Asked& asked) {
  constexpr std::int64_t kMinPts = 10;  // the paper prints none
  const auto runner = runnerOf(asked, asked.strategy());
  if (!runner) return tl::unexpected(runner.error());
  const Backend& backend = *runner->backend;
  if (!backend.limits().gDbscan)
    return unavailable("No GPU answers here, and G-DBSCAN needs a GPU.");
  auto found = backend.dbscan(asked.cloud(), {.eps = asked.eps, .minPts = kMinPts},
                              runner->strategy, asked.task);
  if (!found) return tl::unexpected(found.error());
  return MeasuredRun{std::move(found->stats), backend.describe()};
}

/// The kernel of table `size` of [Frasson 2021].
struct ProfiledKernel {
  KernelStats stats;
  std::string by;
};

Result<ProfiledKernel> profiledKernel(const Asked& asked) {
  static constexpr const char* kKernels[] = {
      "count neighbours", "list neighbours", "search level",     "label cluster",
      "count neighbours", "list neighbours", "count neighbours", "list neighbours"};
  const char* const name = kKernels[std::size_t(asked.value.size) - 1];
  const auto run = gDbscanRun(asked);
  if (!run) return tl::unexpected(run.error());
  for (const KernelStats& kernel : run->stats.kernels)
    if (kernel.name == name) return ProfiledKernel{kernel, run->by};
  return unavailable(std::string("The run has no kernel '") + name + "'.");
}

}  // namespace

Result<MadeNumber> hostShare(const Asked& asked) {
  Strategy strategy = asked.strategy();
  strategy.streams = 1;
  const auto run = pairRunOnGpu(asked, strategy, "transfers between a GPU and its host");
  if (!run) return tl::unexpected(run.error());
  double kernels = 0;
  for (const BatchStats& batch : run->stats.timeline) kernels += batch.kernelEnd - batch.start;
  double seconds = asked.seconds(run->stats);
  // Its kernels are not among the batches.
  for (const JoinPhase& phase : run->stats.phases)
    if (phase.name == "counting") seconds -= phase.seconds;
  return MadeNumber{0, 1 - kernels / seconds, 0, run->by};
}

/// As [Gowanlock 2018, §5.4.3]: α and β are runs of two batch sizes at one ε, whose balls' volumes
/// say how the work grows to the other ε.
Result<MadeNumber> modelledBatch(const Asked& asked) {
  constexpr double kAlpha = 1.5e8;
  constexpr double kBeta = 5e7;
  const double eps = asked.eps * asked.value.size / asked.value.eps;
  const auto alpha = batchedRun(asked, eps, kAlpha);
  if (!alpha) return tl::unexpected(alpha.error());
  const auto beta = batchedRun(asked, eps, kBeta);
  if (!beta) return tl::unexpected(beta.error());
  const auto model = fitBatchModel(alpha->run, beta->run, kStreams, 0);
  if (!model) return unavailable(model.error().message);
  const double volume = workloadRatio(eps, asked.eps, int(asked.cloud().dims()));
  const double best = *std::ranges::min_element(kBatchSizes, {}, [&](double pairs) {
    return model->predict(volume, double(asked.scaled(pairs)));
  });
  return MadeNumber{0, best, 0, alpha->by};
}

Result<MadeNumber> fastestBatch(const Asked& asked) {
  MadeNumber best;
  double least = std::numeric_limits<double>::infinity();
  // A first run loads the kernels.
  const auto first = batchedRun(asked, asked.eps, kBatchSizes[0]);
  if (!first) return tl::unexpected(first.error());
  for (const double pairs : kBatchSizes) {
    const auto run = batchedRun(asked, asked.eps, pairs);
    if (!run) return tl::unexpected(run.error());
    if (run->run.response >= least) continue;
    least = run->run.response;
    best = {0, pairs, 0, run->by};
  }
  return best;
}

Result<MadeNumber> occupancy(const Asked& asked) {
  Strategy strategy = asked.strategy();
  if (asked.value.size > 0) strategy.batchPairs = asked.scaled(asked.value.size);
  const auto run = pairRunOnGpu(asked, strategy, "a kernel of a GPU");
  if (!run) return tl::unexpected(run.error());
  KernelStats longest;
  for (const KernelStats& kernel : run->stats.kernels)
    if (kernel.registers > 0 && kernel.seconds >= longest.seconds) longest = kernel;
  if (longest.registers == 0) return unavailable("The run recorded no kernel.");
  return MadeNumber{0, longest.occupancy, 0, run->by};
}

Result<MadeNumber> dbscanSeconds(const Asked& asked) {
  const auto run = gDbscanRun(asked);
  if (!run) return tl::unexpected(run.error());
  return MadeNumber{0, run->stats.seconds.total, 0, run->by};
}

/// Degrees and adjacency lists are one pass each, which may be several launches; the search and the
/// assignment of clusters are launched once for each level and cluster.
Result<MadeNumber> kernelSeconds(const Asked& asked) {
  const auto kernel = profiledKernel(asked);
  if (!kernel) return tl::unexpected(kernel.error());
  const bool onePass = kernel->stats.name.ends_with("neighbours");
  return MadeNumber{0, kernel->stats.seconds / (onePass ? 1 : kernel->stats.launches), 0,
                    kernel->by};
}

Result<MadeNumber> kernelRegisters(const Asked& asked) {
  const auto kernel = profiledKernel(asked);
  if (!kernel) return tl::unexpected(kernel.error());
  return MadeNumber{0, double(kernel->stats.registers), 0, kernel->by};
}

Result<MadeNumber> kernelOccupancy(const Asked& asked) {
  const auto kernel = profiledKernel(asked);
  if (!kernel) return tl::unexpected(kernel.error());
  return MadeNumber{0, kernel->stats.occupancy, 0, kernel->by};
}

}  // namespace clusterloom::cli
