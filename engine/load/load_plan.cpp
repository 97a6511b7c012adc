#include "engine/load/load_plan.h"

namespace clusterloom {

SinkKind sinkOf(LoadKernel kernel) {
  return kernel == LoadKernel::Counts ? SinkKind::Counts : SinkKind::Pairs;
}

Strategy withBatchesOf(LoadKernel kernel, const Strategy& strategy) {
  constexpr std::uint64_t kPapersBatchPairs = 100'000'000;
  Strategy batched = strategy;
  if (kernel == LoadKernel::Pairs && batched.batchPairs == 0)
    batched.batchPairs = kPapersBatchPairs;
  return batched;
}

}  // namespace clusterloom
