#include "engine/load/load_kernel.h"

namespace clusterloom {

LoopWeights weightsOf(LoadKernel kernel) {
  // An iteration of the cell loop cannot be separated from the searches in it, which are far more.
  if (kernel == LoadKernel::Counts) return {{0, 5, 16, 0}};
  return {{0, 1.2, 16, 8}};
}

LoopWeights weightsOn(const SimtMachine& machine, LoadKernel kernel) {
  return machine.weights.value_or(weightsOf(kernel));
}

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
