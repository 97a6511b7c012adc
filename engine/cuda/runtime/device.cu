#include "engine/cuda/runtime/device.h"

#include <chrono>
#include <thread>

namespace clusterloom {
namespace {

// Memory that a pool keeps between runs; the rest goes back to the device.
constexpr std::uint64_t kKeptBytes = 2ULL << 30;

const Device& madeCurrent(const Device& device) {
  CUDA_CHECK(cudaSetDevice(device.id()));
  return device;
}

}  // namespace

Device::Device(int id) : id_(id) {
  CUDA_CHECK(cudaSetDevice(id));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, id));
  int threads = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, id));
  residentThreads_ = static_cast<std::size_t>(multiprocessors_) * static_cast<std::size_t>(threads);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = id;
  CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
  std::uint64_t kept = kKeptBytes;
  CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept));
}

Device::~Device() {
  if (pool_ != nullptr) cudaMemPoolDestroy(pool_);
}

std::uint64_t Device::freeMemory() const {
  CUDA_CHECK(cudaSetDevice(id_));
  std::size_t free = 0;
  std::size_t total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  CUDA_CHECK(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved));
  CUDA_CHECK(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used));
  return free + (reserved > used ? reserved - used : 0);
}

GpuRun::GpuRun(const Device& device, const Task& task, Copies copies)
    : device_(madeCurrent(device)),
      task_(task),
      copies_(copies),
      stop_(lease(), 1),
      mailbox_(kMailboxBytes / sizeof(std::uint64_t) + 1) {
  mailbox_[mailbox_.size() - 1] = 1;
  stop_.fillBytes(0);
}

GpuRun::~GpuRun() {
  // Nothing of this run may be freed under a kernel: buffers go in stream order, streams do not.
  cudaStreamSynchronize(stream_);
  cudaStreamSynchronize(signals_);
}

void GpuRun::stopKernels() {
  CUDA_CHECK(cudaMemcpyAsync(stop_.data(), &mailbox_[mailbox_.size() - 1], sizeof(std::uint32_t),
                             cudaMemcpyHostToDevice, signals_));
}

void GpuRun::wait() {
  reached_.record(stream_);
  wait(reached_);
}

void GpuRun::wait(cudaEvent_t event, Waiting waiting) {
  using namespace std::chrono;
  const auto start = steady_clock::now();
  for (;;) {
    const cudaError_t state = cudaEventQuery(event);
    if (state == cudaSuccess) break;
    if (state != cudaErrorNotReady) CUDA_CHECK(state);
    if (task_.cancelled()) {
      stopKernels();
      CUDA_CHECK(cudaEventSynchronize(event));
      break;
    }
    // Short runs are waited for by spinning, longer ones leave the processor to others, and more so
    // the longer they are.
    const auto passed = steady_clock::now() - start;
    if (passed > milliseconds(50))
      std::this_thread::sleep_for(microseconds(200));
    else if (passed > milliseconds(2) || waiting == Waiting::Sleep)
      std::this_thread::sleep_for(microseconds(20));
  }
  if (task_.cancelled()) throw CudaStopped{};
}

}  // namespace clusterloom
