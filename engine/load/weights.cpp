#include "engine/load/weights.h"

namespace clusterloom {

LoopWeights weightsOf(LoadKernel kernel) {
  // An iteration of the cell loop cannot be separated from the searches in it, which are far more.
  if (kernel == LoadKernel::Counts) return {{0, 5, 16, 0}};
  return {{0, 1.2, 16, 8}};
}

LoopWeights weightsOn(const SimtMachine& machine, LoadKernel kernel) {
  return machine.weights.value_or(weightsOf(kernel));
}

}  // namespace clusterloom
