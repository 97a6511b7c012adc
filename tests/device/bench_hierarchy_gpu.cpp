// The hierarchy on a GPU: cloud on the device, double precision, exact. Prints the median of each
// stage over RUNS runs after a warm-up, by events of the device.
//
// Then the labels of single values of ε of a larger cloud, which stay on the device, and whether
// they equal those of the CPU's DBSCAN.
//
//   bench_hierarchy_gpu [RUNS] [POINTS] [POINTS OF LABELS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cuda/hierarchy/device_hierarchy.h"
#include "engine/cuda/runtime/probe.h"
#include "tests/device/median.h"

using namespace clusterloom;

namespace {

struct Case {
  const char* generator;
  std::size_t dims;
  double mustMs;          ///< ArborX, tree and dendrogram alone, single precision
  bool outliers = false;  ///< one value of 3.4e38 in each dimension
};

constexpr Case kCases[] = {{"expo", 2, 14.3},
                           {"unif", 2, 14.8},
                           {"expo", 3, 20.7},
                           {"unif", 3, 24.7},
                           {"unif", 2, 14.8, true}};
constexpr std::int64_t kMinPts = 10;

/// Whether the labels are right.
bool timeLabels(const Device& device, int runs, std::size_t points) {
  const PointCloud cloud =
      std::move(generate({.kind = "expo", .points = points, .dims = 2, .seed = 42})->cloud);
  const auto cpu = makeCpuBackend(0);
  const Task task;
  GpuRun run(device, task);
  const DeviceCloud there = uploadCloud(run, cloud);
  bool right = true;
  for (const double eps : {0.00002, 0.0001, 0.0005, 0.005}) {
    const std::vector<double> again(static_cast<std::size_t>(runs) + 1, eps);
    auto times = timeLabelsOnGpu(run, there, kMinPts, again);
    const auto expected = cpu->dbscan(cloud, {.eps = eps, .minPts = kMinPts}, Strategy{}, task);
    if (!times || !expected) return false;
    const bool same = times->labels == expected->labels;
    right = right && same;
    times->milliseconds.erase(times->milliseconds.begin());
    std::printf("labels of %zu points at %g: %.3f ms, %d clusters, %s\n", points, eps,
                median(times->milliseconds), expected->clusters, same ? "right" : "WRONG");
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 7;
  const std::size_t points = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'000'000;
  const std::size_t labelPoints =
      argc > 3 ? std::strtoull(argv[3], nullptr, 10) : std::size_t{10'000'000};
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  const Device device(probe.usable.front().id);
  std::printf("%s, %d runs, %zu points, minPts %lld\n", probe.usable.front().name.c_str(), runs,
              points, static_cast<long long>(kMinPts));
  for (const Case& c : kCases) {
    PointCloud cloud = std::move(
        generate({.kind = c.generator, .points = points, .dims = c.dims, .seed = 42})->cloud);
    if (c.outliers)
      for (std::size_t j = 0; j < c.dims; ++j) cloud.columns[j][17 + j] = 3.4028234663852886e38;
    const Task task;
    GpuRun run(device, task);
    const DeviceCloud there = uploadCloud(run, cloud);
    std::vector<double> whole;
    std::vector<std::string> names;
    std::map<std::string, std::vector<double>> stages;
    StageTimes times;
    for (int i = 0; i < runs + 1; ++i) {
      times = timeHierarchyOnGpu(run, there, kMinPts);
      if (i == 0) continue;
      // Stages of rounds come again and again.
      std::map<std::string, double> sums;
      double sum = 0;
      for (const auto& [name, ms] : times) {
        if (!stages.contains(name) && !sums.contains(name)) names.push_back(name);
        sums[name] += ms;
        sum += ms;
      }
      for (const auto& [name, ms] : sums) stages[name].push_back(ms);
      whole.push_back(sum);
    }
    std::printf("%s %zu-D%s %8.3f ms (must %.1f)\n   ", c.generator, c.dims,
                c.outliers ? " with outliers" : "", median(whole), c.mustMs);
    for (const std::string& name : names)
      std::printf(" %s %.3f", name.c_str(), median(stages[name]));
    std::printf("\n    search of each round:");
    for (const auto& [name, ms] : times)
      if (name == "search") std::printf(" %.3f", ms);
    std::printf("\n");
    std::uint64_t used = 0;
    std::uint64_t reserved = 0;
    CUDA_CHECK(cudaMemPoolGetAttribute(device.pool(), cudaMemPoolAttrUsedMemHigh, &used));
    CUDA_CHECK(cudaMemPoolGetAttribute(device.pool(), cudaMemPoolAttrReservedMemHigh, &reserved));
    Stopwatch watch;
    const auto here = hierarchyOnGpu(run, there, kMinPts);
    std::printf(
        "    with the hierarchy on the host %.1f ms; %.0f bytes a point used, %.0f reserved\n",
        1e3 * watch.seconds(), static_cast<double>(used) / static_cast<double>(points),
        static_cast<double>(reserved) / static_cast<double>(points));
    std::fflush(stdout);
  }
  return timeLabels(device, runs, labelPoints) ? 0 : 1;
}
