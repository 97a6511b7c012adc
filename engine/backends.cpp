#include <tbb/info.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "engine/auto_backend.h"
#include "engine/backend.h"
#include "engine/batch_history.h"
#include "engine/core/thread_check.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/distributed/divided_backend.h"
#include "engine/join/backend_kinds.h"
#include "engine/local_ranks.h"
#ifdef CLUSTERLOOM_HAS_CUDA
#include "engine/cuda/cuda_backend.h"
#include "engine/cuda/distributed/device_ranks.h"
#include "engine/cuda/hybrid/shared_gpu.h"
#include "engine/distributed/replicated_backend.h"
#include "engine/hybrid/hybrid_backend.h"
#include "engine/shared_rates.h"
#endif
#include "engine/load/simt_backend.h"

namespace clusterloom {
namespace {

#ifdef CLUSTERLOOM_HAS_CUDA
// A backend that has no GPU has no batches to learn from.
Result<std::unique_ptr<Backend>> remembering(Result<std::unique_ptr<Backend>> backend,
                                             const BackendOptions& options) {
  if (!backend || options.batchHistory.empty() || !(*backend)->limits().threadGroups)
    return backend;
  return withBatchHistory(std::move(*backend), options.batchHistory);
}

// CPU and GPU together; there is nothing to share without a GPU.
Result<std::unique_ptr<Backend>> makeHybrid(int threads, const BackendOptions& options) {
  auto gpu = makeSharedGpu(options.device);
  if (!gpu)
    return fail(gpu.error().kind,
                gpu.error().message + " The backend hybrid needs a GPU; choose auto or cpu.");
  auto alone = remembering(makeCudaBackend(makeCpuBackend(threads), options.device), options);
  if (!alone) return alone;
  // Beside the batched runs.
  const std::string rates =
      options.batchHistory.empty()
          ? std::string()
          : std::filesystem::path(options.batchHistory).replace_filename("shared-rates").string();
  return makeHybridBackend(std::move(*gpu), threads, std::move(*alone), sharedRatesIn(rates));
}
#endif

// Several GPUs that share each join.
Result<std::unique_ptr<Backend>> makeReplicated(const std::string& name,
                                                const BackendOptions& options) {
  if (!backendKind(name).sharesDevices)
    return badCall("Several GPUs (--devices) share joins by the backend cuda, not " + name +
                   "; choose auto or cuda.");
  if (options.device >= 0) return badCall("Name GPUs by --device or by --devices, not by both.");
#ifdef CLUSTERLOOM_HAS_CUDA
  std::vector<int> numbers = options.devices;
  if (options.allDevices) {
    const auto first = makeCudaBackend(nullptr, -1);
    if (!first)
      return fail(first.error().kind,
                  first.error().message + " Several GPUs (--devices) need the backend cuda.");
    numbers.clear();
    for (const GpuDevice& gpu : (*first)->devices()) numbers.push_back(gpu.number);
  }
  std::vector<ReplicatedDevice> devices;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::find(numbers.begin(), numbers.begin() + std::ptrdiff_t(i), numbers[i]) !=
        numbers.begin() + std::ptrdiff_t(i))
      return badCall("--devices names GPU " + std::to_string(numbers[i]) + " twice.");
    auto device = makeSharedGpu(numbers[i]);
    if (!device) return tl::unexpected(device.error());
    auto alone = makeCudaBackend(nullptr, numbers[i]);
    if (!alone) return alone;
    devices.push_back({std::move(*device), std::move(*alone)});
  }
  return makeReplicatedBackend(std::move(devices),
                               {.querySets = options.querySets, .deal = options.deal});
#else
  return unavailable("Several GPUs (--devices) need the backend cuda, which is not in this build.");
#endif
}

// DBSCAN divided between ranks, the rest by the first device.
Result<std::unique_ptr<Backend>> makeDivided(const std::string& name,
                                             const BackendOptions& options) {
  auto ranks = makeRanksHere(name, options);
  if (!ranks) return tl::unexpected(ranks.error());
  BackendOptions first = options;
  first.ranks = 0;
  first.allDevices = false;
  first.devices.clear();
  if (!options.devices.empty()) first.device = options.devices.front();
  auto whole = makeBackend(name, first);
  if (!whole) return whole;
  return makeDividedBackend(std::move(*whole), std::move(*ranks));
}

// Makes one kind. `threads` is above 0; the options may leave it open.
using Maker = Result<std::unique_ptr<Backend>> (*)(int threads, const BackendOptions& options);

#ifdef CLUSTERLOOM_HAS_CUDA
// Whether "auto" has started a GPU in this process: another start takes no time.
std::atomic<bool> gpuStarted{false};

// A GPU when one answers, else the CPU. The CPU also takes over single runs the GPU fails at.
Result<std::unique_ptr<Backend>> makeAny(int /*threads*/, const BackendOptions& options) {
  const auto makeGpu = [options] {
    auto gpu =
        remembering(makeCudaBackend(makeCpuBackend(options.threads), options.device), options);
    if (gpu) gpuStarted = true;
    return gpu;
  };
  // A device that was named is not replaced.
  if (options.device >= 0) return makeGpu();
  auto cpu = makeCpuBackend(options.threads);
  return options.lateStart && !gpuStarted ? withLateDevice(std::move(cpu), makeGpu)
                                          : withDevice(std::move(cpu), makeGpu);
}
#else
Result<std::unique_ptr<Backend>> makeAny(int /*threads*/, const BackendOptions& options) {
  return makeCpuBackend(options.threads);
}
#endif

Result<std::unique_ptr<Backend>> makeCpu(int /*threads*/, const BackendOptions& options) {
  return makeCpuBackend(options.threads);
}

Result<std::unique_ptr<Backend>> makeModel(int /*threads*/, const BackendOptions& options) {
  return makeSimtBackend(options.threads);
}

#ifdef CLUSTERLOOM_HAS_CUDA
Result<std::unique_ptr<Backend>> makeDevice(int /*threads*/, const BackendOptions& options) {
  return remembering(makeCudaBackend(nullptr, options.device), options);
}
#else
constexpr Maker makeDevice = nullptr;
constexpr Maker makeHybrid = nullptr;
#endif

// Null where this build does not have the kind. By names: a new kind has no maker until it gets
// one.
Maker makerOf(const BackendKind& kind) {
  if (kind.decides) return makeAny;
  if (kind.name == kSharingBackend) return makeHybrid;
  if (kind.name == kDeviceBackend) return makeDevice;
  if (kind.name == kModelBackend) return makeModel;
  return kind.name == kCpuBackend ? makeCpu : nullptr;
}

}  // namespace

Result<LocalRanks> makeRanksHere(const std::string& name, const BackendOptions& options) {
  auto ranks = makeLocalRanks(name, options, makeBackend);
#ifdef CLUSTERLOOM_HAS_CUDA
  if (ranks && !ranks->devices.empty() && backendKind(name).sharesDevices) {
    auto onGpus = makeRanksOnGpus(ranks->devices, ranks->backends.front()->limits());
    if (!onGpus) return tl::unexpected(onGpus.error());
    ranks->onDevices = std::move(*onGpus);
  }
#endif
  return ranks;
}

Result<std::unique_ptr<Backend>> makeBackend(const std::string& name,
                                             const BackendOptions& options) {
  if (options.threads < 0 || options.threads > 4096)
    return badCall("The number of threads must be between 1 and 4096.");
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  if (Result<void> possible = checkThreads(threads); !possible)
    return tl::unexpected(possible.error());
  if (options.ranks != 0) return makeDivided(name, options);
  if (options.allDevices || !options.devices.empty()) return makeReplicated(name, options);
  const BackendKind kind = backendKind(name);
  if (kind.name.empty())
    return badCall("There is no backend called " + name + "; choose cpu or auto.");
  if (options.device >= 0 && !kind.onDevice)
    return badCall("The backend " + name +
                   " runs on no GPU; --device is for auto, cuda and hybrid.");
#ifndef CLUSTERLOOM_HAS_CUDA
  if (options.device >= 0)
    return unavailable(
        "The number of a GPU (--device) needs the backend cuda, which is not in this build.");
#endif
  const Maker make = makerOf(kind);
  if (make == nullptr)
    return unavailable("The backend " + name + " is not in this build; choose cpu or auto.");
  return make(threads, options);
}

std::vector<std::string> availableBackends() {
  std::vector<std::string> names;
  for (const BackendKind& kind : kBackendKinds)
    if (!kind.decides && !kind.modelsOnly && makerOf(kind) != nullptr)
      names.emplace_back(kind.name);
  return names;
}

}  // namespace clusterloom
