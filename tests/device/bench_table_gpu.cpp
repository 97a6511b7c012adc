// The neighbour table streamed to host memory, against the bandwidth of a pinned copy of the same
// run; and how soon a stopped run gives its caller back.
//
//   bench_table_gpu [EPS] [POINTS] [STREAMS] [ROUTE]       Expo2D raw; ROUTE: key-value-sort
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stop_token>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/runtime/memory.h"

using namespace clusterloom;

namespace {

PointCloud expo2d(std::size_t points) {
  return std::move(generate({.kind = "expo", .points = points, .dims = 2, .seed = 42})->cloud);
}

// Device to host, pinned, 256 MiB at a time: bytes a second.
double pinnedBandwidth() {
  constexpr std::size_t kBytes = 256 << 20;
  constexpr int kCopies = 12;
  PinnedBuffer<char> here(kBytes);
  char* there = nullptr;
  CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&there), kBytes));
  Stream stream;
  CUDA_CHECK(cudaMemcpyAsync(here.data(), there, kBytes, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  Stopwatch watch;
  for (int i = 0; i < kCopies; ++i)
    CUDA_CHECK(cudaMemcpyAsync(here.data(), there, kBytes, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  const double seconds = watch.seconds();
  cudaFree(there);
  return kCopies * static_cast<double>(kBytes) / seconds;
}

// Stops a run 400 ms after its start; milliseconds from the stop to the caller's return.
template <class Run>
void cancelLatency(const char* name, const Run& run) {
  std::stop_source source;
  Task task;
  task.stop = source.get_token();
  std::chrono::steady_clock::time_point stopped;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    stopped = std::chrono::steady_clock::now();
    source.request_stop();
  });
  const bool cancelled = run(task);
  const auto back = std::chrono::steady_clock::now();
  stopper.join();
  std::printf("  %-36s %s after %.1f ms\n", name, cancelled ? "stopped" : "had ended, stop came",
              std::chrono::duration<double, std::milli>(back - stopped).count());
}

}  // namespace

int main(int argc, char** argv) {
  const double eps = argc > 1 ? std::atof(argv[1]) : 0.002;
  const std::size_t points = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'000'000;
  const int streams = argc > 3 ? std::atoi(argv[3]) : 0;
  const ResultRoute route = argc > 4 && std::string_view(argv[4]) == "key-value-sort"
                                ? ResultRoute::KeyValueSort
                                : ResultRoute::CountScanFill;
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  const PointCloud cloud = expo2d(points);
  std::printf("stop to return:\n");
  const auto counting = [&](const Strategy& strategy) {
    return [&gpu, &cloud, strategy](const Task& task) {
      const auto counted = (*gpu)->count(cloud, 0.02, strategy, task);
      return !counted && counted.error().kind == ErrorKind::Cancelled;
    };
  };
  cancelLatency("tile, matrix units, ε 0.02", counting({.indexedDims = 2}));
  cancelLatency(
      "GPUCALCGLOBAL, input order, ε 0.02",
      counting({.pattern = AccessPattern::Full, .order = QueryOrder::Input, .indexedDims = 2}));
  cancelLatency("LID-UNICOMP, WORKQUEUE, k = 8, ε 0.02",
                counting({.pattern = AccessPattern::LidUnicomp,
                          .order = QueryOrder::WorkQueue,
                          .indexedDims = 2,
                          .threadsPerPoint = 8}));
  cancelLatency("brute force", counting({.method = Method::BruteForce}));
  cancelLatency("neighbour table", [&](const Task& task) {
    const auto table = (*gpu)->neighbourTable(cloud, 0.001, {}, task);
    return !table && table.error().kind == ErrorKind::Cancelled;
  });

  const double bandwidth = pinnedBandwidth();
  std::printf("pinned copy: %.1f GB/s\n", bandwidth / 1e9);
  std::fflush(stdout);
  Stopwatch watch;
  const auto table = (*gpu)->neighbourTable(cloud, eps, {.route = route, .streams = streams}, {});
  const double seconds = watch.seconds();
  if (!table) {
    std::printf("table: %s\n", table.error().message.c_str());
    return 1;
  }
  const double bytes = 4.0 * static_cast<double>(table->ids.size());
  double kernels = 0;
  double transfers = 0;
  double first = 1e300;
  double last = 0;
  int replays = 0;
  for (const BatchStats& batch : table->stats.timeline) {
    kernels += batch.kernelEnd - batch.start;
    transfers += batch.transferEnd - batch.kernelEnd;
    first = std::min(first, batch.start);
    last = std::max(last, batch.end);
    replays += batch.replays;
  }
  std::printf(
      "table, ε %g: %zu ids, %.1f GB in %.2f s; batches %.2f s from first to last "
      "(%.1f GB/s, %.0f %% of the copy), kernels %.2f s, transfers %.2f s, %zu batches, %d "
      "replayed; index %.2f s, join %.2f s\n",
      eps, table->ids.size(), bytes / 1e9, seconds, last - first, bytes / (last - first) / 1e9,
      100 * bytes / (last - first) / bandwidth, kernels, transfers, table->stats.timeline.size(),
      replays, table->stats.seconds.index, table->stats.seconds.join);
  for (const KernelStats& kernel : table->stats.kernels)
    std::printf("  %-24s %8.1f ms, %d launches\n", kernel.name.c_str(), 1e3 * kernel.seconds,
                kernel.launches);
  return 0;
}
