#include "engine/cuda/runtime/device.h"

#include <chrono>
#include <limits>
#include <thread>

namespace clusterloom {
namespace {

// Memory that a pool keeps between runs; the rest goes back to the device.
constexpr std::uint64_t kKeptBytes = 2ULL << 30;
constexpr std::size_t kMostIdleParts = 8;  // as many runs at once are rare

const Device& madeCurrent(const Device& device) {
  CUDA_CHECK(cudaSetDevice(device.id()));
  return device;
}

}  // namespace

RunParts::RunParts() : mailbox(kMailboxBytes / sizeof(std::uint64_t) + 1) {
  mailbox[mailbox.size() - 1] = 1;
}

Device::Device(int id) : id_(id) {
  CUDA_CHECK(cudaSetDevice(id));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, id));
  int threads = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, id));
  residentThreads_ = std::size_t(multiprocessors_) * std::size_t(threads);
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

std::unique_ptr<RunParts> Device::takeParts() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idleParts_.empty()) {
      std::unique_ptr<RunParts> parts = std::move(idleParts_.back());
      idleParts_.pop_back();
      return parts;
    }
  }
  return std::make_unique<RunParts>();
}

void Device::giveBack(std::unique_ptr<RunParts> parts) const {
  const std::lock_guard lock(mutex_);
  if (idleParts_.size() < kMostIdleParts) idleParts_.push_back(std::move(parts));
}

std::shared_ptr<const void> Device::keepFreedMemory() const {
  const std::lock_guard lock(mutex_);
  if (auto kept = keptMemory_.lock()) return kept;
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &all));
  std::shared_ptr<const void> kept(this, [this](const void*) {
    const std::lock_guard lockAgain(mutex_);
    if (!keptMemory_.expired()) return;  // asked for again meanwhile
    std::uint64_t usual = kKeptBytes;
    cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &usual);
    cudaMemPoolTrimTo(pool_, usual);
  });
  keptMemory_ = kept;
  return kept;
}

std::size_t allowSharedMemory(const Device& device, const void* kernel) {
  int most = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.id()));
  cudaFuncAttributes attributes{};
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  const int left = most - int(attributes.sharedSizeBytes);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, left));
  return std::size_t(left);
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
      parts_(device.takeParts()),
      stop_(lease(), 1) {
  stop_.fillBytes(0);
  // A stop that is sent at once must not be overwritten by that.
  parts_->reached.record(parts_->stream);
  CUDA_CHECK(cudaStreamWaitEvent(parts_->signals, parts_->reached));
}

GpuRun::~GpuRun() {
  // Nothing of this run may be freed under a kernel: buffers go in stream order, streams do not.
  const cudaError_t ended = cudaStreamSynchronize(parts_->stream);
  const cudaError_t signalled = cudaStreamSynchronize(parts_->signals);
  if (ended != cudaSuccess || signalled != cudaSuccess) return;
  stop_ = {};
  device_.giveBack(std::move(parts_));
}

void GpuRun::reserve(std::uint64_t bytes) const {
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  const cudaMemPool_t pool = device_.pool();
  CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  if (bytes == 0 || reserved >= used + bytes) return;
  void* piece = nullptr;
  const cudaError_t error = cudaMallocFromPoolAsync(&piece, bytes, pool, stream());
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return;
  }
  CUDA_CHECK(error);
  CUDA_CHECK(cudaFreeAsync(piece, stream()));
}

void GpuRun::stopKernels() {
  const auto& mailbox = parts_->mailbox;
  CUDA_CHECK(cudaMemcpyAsync(stop_.data(), &mailbox[mailbox.size() - 1], sizeof(std::uint32_t),
                             cudaMemcpyHostToDevice, parts_->signals));
}

void GpuRun::wait() {
  parts_->reached.record(parts_->stream);
  wait(parts_->reached);
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
