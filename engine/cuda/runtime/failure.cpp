#include "engine/cuda/runtime/failure.h"

#include <atomic>

namespace clusterloom {
namespace {

std::atomic<int> callsToFault{0};
std::atomic<cudaError_t> faultCode{cudaSuccess};

}  // namespace

int failCudaCall(int nth, cudaError_t code) {
  faultCode = code;
  return callsToFault.exchange(nth);
}

cudaError_t faultToInject() {
  if (callsToFault.load(std::memory_order_relaxed) <= 0) return cudaSuccess;
  return callsToFault.fetch_sub(1) == 1 ? faultCode.load() : cudaSuccess;
}

Error errorOf(const CudaFailure& failure) {
  if (failure.code() == cudaErrorMemoryAllocation)
    return {ErrorKind::TooLarge,
            "The GPU's memory is too small for this run. Use a smaller ε or a smaller batch size, "
            "or the CPU."};
  return {ErrorKind::Unavailable,
          std::string("The GPU failed (") + failure.what() + "). The CPU can do the same run."};
}

}  // namespace clusterloom
