#include "tests/device/lose_device.h"

#include <cuda_runtime.h>

namespace loseDevice {
namespace {

__global__ void trap() { asm("trap;"); }

}  // namespace

Hog::Hog() {
  for (std::size_t size = std::size_t{1} << 36; size >= std::size_t{1} << 12; size /= 2)
    for (void* block = nullptr; cudaMalloc(&block, size) == cudaSuccess;) blocks_.push_back(block);
  cudaGetLastError();
}

Hog::~Hog() {
  for (void* block : blocks_) cudaFree(block);
}

void byTrap() {
  trap<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaGetLastError();
}

}  // namespace loseDevice
