#include "app/cli/papers/device_numbers.h"

#include <string>

namespace clusterloom::cli {

namespace {

/// As pairRun, on a GPU only; `about` says what the number is about.
Result<PairRun> pairRunOnGpu(const Asked& asked, const Strategy& strategy, const char* about) {
  const auto runner = runnerOf(asked, strategy);
  if (!runner) return tl::unexpected(runner.error());
  if (!runner->backend->limits().keyValueSort)
    return unavailable(std::string("No GPU answers here, and this number is about ") + about + ".");
  return pairRun(asked, strategy);
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

}  // namespace clusterloom::cli
