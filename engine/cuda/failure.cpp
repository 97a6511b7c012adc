#include "engine/cuda/failure.h"

namespace clusterloom {

Error errorOf(const CudaFailure& failure) {
  if (failure.code() == cudaErrorMemoryAllocation)
    return {
        ErrorKind::TooLarge,
        "The GPU's memory is too small for this run. Use a smaller ε or a smaller batch size, or "
        "the CPU."};
  return {ErrorKind::Unavailable,
          std::string("The GPU failed (") + failure.what() + "). The CPU can do the same run."};
}

}  // namespace clusterloom
