#include "engine/load/weights.h"

namespace clusterloom {

LoopWeights weightsOf(LoadKernel kernel) {
  // A turn of the cell loop cannot be told from the searches in it: there are so many more of
  // these.
  if (kernel == LoadKernel::Counts) return {{0, 5, 16, 0}};
  return {{0, 1.2, 16, 8}};
}

}  // namespace clusterloom
