#include "app/cli/papers/device_numbers.h"

namespace clusterloom::cli {

Result<MadeNumber> hostShare(const Asked& asked) {
  Strategy strategy = asked.strategy();
  strategy.streams = 1;
  const auto runner = runnerOf(asked, strategy);
  if (!runner) return tl::unexpected(runner.error());
  if (!runner->backend->limits().keyValueSort)
    return unavailable(
        "No GPU answers here, and this number is about transfers between a GPU and its host.");
  const auto run = pairRun(asked, strategy);
  if (!run) return tl::unexpected(run.error());
  double kernels = 0;
  for (const BatchStats& batch : run->stats.timeline) kernels += batch.kernelEnd - batch.start;
  double seconds = asked.seconds(run->stats);
  // Its kernels are not among the batches.
  for (const JoinPhase& phase : run->stats.phases)
    if (phase.name == "counting") seconds -= phase.seconds;
  return MadeNumber{0, 1 - kernels / seconds, 0, run->by};
}

}  // namespace clusterloom::cli
