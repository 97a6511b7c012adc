// High dimensions: raw exponential clouds (λ = 40), counts only. Tiles on matrix units count all;
// the others, named, ask a strided 1 % of the queries, eight threads each so that these fill the
// device, and kernel time times 100 is marked as extrapolated.
//
//   bench_high_dims [POINTS]
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/probe.h"

using namespace clusterloom;

namespace {

struct Case {
  std::size_t dims;
  double eps;
};
constexpr Case kCases[] = {{16, 0.05}, {32, 0.10}};
constexpr std::uint32_t kOneIn = 100;
constexpr BackendLimits kLimits{.name = "cuda", .threadGroups = true, .singlePrecision = true};

struct Named {
  const char* name;
  Strategy strategy;
};

const std::vector<Named> kStrategies = [] {
  using enum AccessPattern;
  constexpr Toggle on = Toggle::On;
  constexpr Toggle off = Toggle::Off;
  const auto make = [](AccessPattern pattern, int k, Toggle reorder, Toggle idu, Toggle shortc,
                       Precision precision = Precision::Double) {
    return Strategy{.pattern = pattern,
                    .indexedDims = k,
                    .threadsPerPoint = 8,
                    .reorder = reorder,
                    .sortIdu = idu,
                    .shortCircuit = shortc,
                    .precision = precision};
  };
  return std::vector<Named>{
      {"GPUCALCGLOBAL, k = 6", make(Full, 6, off, off, off)},
      {"… SHORTC", make(Full, 6, off, off, on)},
      {"… REORDER, SHORTC", make(Full, 6, on, off, on)},
      {"… REORDER, SORTIDU, SHORTC", make(Full, 6, on, on, on)},
      {"k = 3, REORDER, SORTIDU, SHORTC", make(Full, 3, on, on, on)},
      {"k by the cost model, all three", make(Full, 0, on, on, on)},
      {"tile, k = 3, REORDER, SHORTC", make(Tile, 3, on, off, on)},
      {"tile, k = 3, no SHORTC", make(Tile, 3, on, off, off)},
      {"tile, k = 6, all three", make(Tile, 6, on, on, on)},
      {"tile, k = 3, SHORTC, 32-bit", make(Tile, 3, on, off, on, Precision::Single)},
  };
}();

}  // namespace

int main(int argc, char** argv) {
  const std::size_t points = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  const GpuProbe probe = probeGpus();
  const auto gpu = makeBackend("cuda", {});
  if (probe.usable.empty() || !gpu) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  const Device device(probe.usable.front().id);
  const Task task;
  for (const Case& c : kCases) {
    const PointCloud cloud =
        std::move(generate({.kind = "expo", .points = points, .dims = c.dims, .seed = 42})->cloud);
    std::printf("expo, %zu × %zu-D, ε %g, every %uth query\n", points, c.dims, c.eps, kOneIn);
    for (const int k : {2, 3, 4}) {
      const auto all = (*gpu)->count(
          cloud, c.eps, {.indexedDims = k, .sortIdu = Toggle::Off, .shortCircuit = Toggle::Off},
          {});
      if (!all) {
        std::printf("  %s\n", all.error().message.c_str());
        return 1;
      }
      std::printf("  tile, k = %d, matrix units, all queries", k);
      for (const KernelStats& kernel : all->stats.kernels)
        std::printf(" [%s %.1f ms]", kernel.name.c_str(), 1e3 * kernel.seconds);
      std::printf(", %.3g candidates, S %.1f\n", static_cast<double>(all->candidates),
                  static_cast<double>(all->pairs) / static_cast<double>(points) - 1);
      std::fflush(stdout);
    }
    std::uint64_t pairs = 0;
    for (const Named& named : kStrategies) {
      const auto plan = planJoin(cloud, c.eps, named.strategy, SinkKind::Counts, kLimits, task);
      if (!plan) {
        std::printf("  %-34s %s\n", named.name, plan.error().message.c_str());
        continue;
      }
      GpuRun run(device, task);
      DeviceJoin join(*plan);
      prepareDeviceJoin(run, cloud, c.eps, {}, join);
      // The same points whatever the order of cells: every hundredth id.
      std::vector<std::uint32_t> pointIds(points);
      run.wait();
      join.grid.pointIds.download(pointIds);
      run.wait();
      std::vector<std::uint32_t> positions;
      for (std::uint32_t p = 0; p < points; ++p)
        if (pointIds[p] % kOneIn == 0) positions.push_back(p);
      DeviceBuffer<std::uint32_t> queries(run.lease(), positions.size());
      queries.upload(positions);
      DeviceBuffer<std::uint32_t> counts(run.lease(), points);
      counts.fillBytes(0);
      QueryRange range =
          rangeOf(run, join, 0, static_cast<std::uint32_t>(positions.size()), nullptr);
      range.queries = queries.data();
      launchJoin(launchOn(run, join, run.stream()), join.view, range,
                 LaneCountSink<CudaLane>{.counts = counts.data()});
      DeviceBuffer<std::uint64_t> total(run.lease(), 1);
      sum(run.lease(), counts.data(), total.data(), points);
      const auto found = run.mailbox<std::uint64_t>(1);
      total.download(found);
      run.wait();
      const std::uint64_t sampled = found[0];
      if (pairs == 0) pairs = sampled;
      double seconds = 0;
      for (const KernelStats& kernel : join.log.stats()) seconds += kernel.seconds;
      const std::uint64_t distances = calculationsOf(run, join);
      std::printf(
          "  %-34s k = %d %9.1f ms, extrapolated %9.2f s, %10.3g distances, S about %.1f%s\n",
          named.name, plan->strategy.indexedDims, 1e3 * seconds, seconds * kOneIn,
          static_cast<double>(distances),
          static_cast<double>(sampled) / static_cast<double>(positions.size()) - 1,
          sampled == pairs ? "" : "  DIFFERENT");
      std::fflush(stdout);
    }
  }
  return 0;
}
