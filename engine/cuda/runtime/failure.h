#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "engine/core/result.h"

namespace clusterloom {

/// A CUDA call that failed. Thrown inside engine/cuda only, so that resources are released by
/// destructors; the backend turns it into an Error.
class CudaFailure : public std::runtime_error {
 public:
  CudaFailure(cudaError_t code, const char* where)
      : std::runtime_error(std::string(where) + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// The task was stopped. Thrown inside engine/cuda only.
struct CudaStopped {};

/// For tests: of the checked CUDA calls from now on, on any thread, the nth is not made and fails
/// with `code`; 0 for none. Returns how many calls were left to go.
int failCudaCall(int nth, cudaError_t code);
/// The code with which the next checked call has to fail, or cudaSuccess.
cudaError_t faultToInject();

#define CLUSTERLOOM_CUDA_STRING_(x) #x
#define CLUSTERLOOM_CUDA_STRING(x) CLUSTERLOOM_CUDA_STRING_(x)
/// Throws CudaFailure, naming file and line, unless the call succeeded.
#define CUDA_CHECK(call)                                                                        \
  do {                                                                                          \
    const cudaError_t fault_ = ::clusterloom::faultToInject();                                  \
    if (const cudaError_t error_ = fault_ != cudaSuccess ? fault_ : (call);                     \
        error_ != cudaSuccess) {                                                                \
      cudaGetLastError();                                                                       \
      throw ::clusterloom::CudaFailure(error_, __FILE__ ":" CLUSTERLOOM_CUDA_STRING(__LINE__)); \
    }                                                                                           \
  } while (false)
/// To be used right after each kernel launch.
#define CUDA_CHECK_LAUNCH() CUDA_CHECK(cudaGetLastError())

/// The user-visible error for a failed CUDA call: device memory exhausted (TooLarge) or the device
/// lost or broken (Unavailable).
Error errorOf(const CudaFailure& failure);

}  // namespace clusterloom
