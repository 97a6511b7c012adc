// Fused DBSCAN on a GPU: cloud on the device to labels on the device, double precision, exact.
// Prints the median over RUNS runs after a warm-up, the stages, the time from host coordinates to
// host labels, and whether the labels equal the CPU engine's, one by one.
//
//   bench_dbscan_gpu [RUNS] [POINTS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/dbscan/fused_dbscan.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/probe.h"
#include "tests/device/median.h"

using namespace clusterloom;

namespace {

struct Case {
  const char* name;
  const char* generator;
  int dims;
  bool scaled;  ///< to [0, 100] by the maximum of each dimension
  double eps;
  int minPts;
  double mustMs;
  double aimMs;
  bool outliers = false;  ///< with one value of 3.4e38 in each dimension
};

constexpr Case kCases[] = {
    {"Expo2D scaled, eps 0.2, minPts 10", "expo", 2, true, 0.2, 10, 3.7, 1.5},
    {"Unif2D, eps 1.0, minPts 10", "unif", 2, false, 1.0, 10, 2.7, 1.0},
    {"Unif2D, eps 0.2, minPts 10", "unif", 2, false, 0.2, 10, 3.0, 1.5},
    {"Expo3D scaled, eps 0.4, minPts 10", "expo", 3, true, 0.4, 10, 8.8, 4.0},
    {"Unif3D, eps 1.0, minPts 5", "unif", 3, false, 1.0, 5, 3.1, 2.0},
    // At most 1.5 times as long as without the outliers.
    {"Unif2D, eps 1.0, minPts 10, outliers", "unif", 2, false, 1.0, 10, 4.0, 1.5, true},
    {"Unif2D, eps 0.2, minPts 10, outliers", "unif", 2, false, 0.2, 10, 4.5, 2.3, true},
    {"Unif3D, eps 1.0, minPts 5, outliers", "unif", 3, false, 1.0, 5, 4.6, 3.0, true},
};

PointCloud make(const Case& c, std::size_t points) {
  GeneratorSpec spec;
  spec.kind = c.generator;
  spec.points = points;
  spec.dims = static_cast<std::size_t>(c.dims);
  spec.seed = 42;
  PointCloud cloud = std::move(generate(spec)->cloud);
  if (c.scaled)
    for (auto& column : cloud.columns) {
      const double factor = 100.0 / *std::max_element(column.begin(), column.end());
      for (double& x : column) x *= factor;
    }
  if (c.outliers)
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      cloud.columns[j][(17 + j) % points] = 3.4028234663852886e38;
  return cloud;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 15;
  const std::size_t points = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'000'000;
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  const Device device(probe.usable.front().id);
  const auto cpu = makeBackend("cpu", {});
  bool allRight = true;
  std::printf("%s, %d runs, %zu points\n", probe.usable.front().name.c_str(), runs, points);
  for (const Case& c : kCases) {
    const PointCloud cloud = make(c, points);
    const DbscanParams params{.eps = c.eps, .minPts = c.minPts};
    std::vector<int> dims(static_cast<std::size_t>(c.dims));
    for (int j = 0; j < c.dims; ++j) dims[static_cast<std::size_t>(j)] = j;

    const Task task;
    GpuRun run(device, task);
    const DeviceCloud there = uploadCloud(run, cloud);
    std::vector<double> whole;
    std::map<std::size_t, std::vector<double>> stageMs;
    std::vector<std::string> stageNames;
    int reach = 0;
    for (int i = 0; i < runs + 2; ++i) {
      const DeviceLabels labels =
          fusedLabels(run, there, params, {.squaredEps = *epsSquared(c.eps), .dims = dims});
      run.wait();
      if (i < 2) continue;
      reach = labels.reach;
      whole.push_back(
          millisecondsBetween(labels.stages.front().second, labels.stages.back().second));
      stageNames.clear();
      for (std::size_t s = 1; s < labels.stages.size(); ++s) {
        stageNames.push_back(labels.stages[s].first);
        stageMs[s].push_back(
            millisecondsBetween(labels.stages[s - 1].second, labels.stages[s].second));
      }
    }
    std::vector<double> endToEnd;
    Clustering found;
    constexpr int kWarmUp = 8;  // copies go through page-locked memory from then on
    for (int i = 0; i < runs + kWarmUp; ++i) {
      Stopwatch watch;
      found =
          fusedDbscanOnGpu(run, cloud, params, {.squaredEps = *epsSquared(c.eps), .dims = dims});
      if (i >= kWarmUp) endToEnd.push_back(1e3 * watch.seconds());
    }
    Stopwatch cpuWatch;
    const auto expected = (*cpu)->dbscan(cloud, params, {}, {});
    const double cpuMs = 1e3 * cpuWatch.seconds();
    const bool same = expected && expected->labels == found.labels &&
                      expected->roles == found.roles && expected->clusters == found.clusters &&
                      expected->coreCount == found.coreCount &&
                      expected->borderCount == found.borderCount;
    allRight = allRight && same;
    std::printf("%-36s %8.3f ms (must %.1f, aim %.1f) reach %d, clusters %d, noise %llu; %s\n",
                c.name, median(whole), c.mustMs, c.aimMs, reach, found.clusters,
                static_cast<unsigned long long>(found.noiseCount),
                same ? "equal to the CPU" : "WRONG");
    std::printf("   ");
    for (std::size_t s = 0; s < stageNames.size(); ++s)
      std::printf(" %s %.3f", stageNames[s].c_str(), median(stageMs[s + 1]));
    std::printf("; host to host %.2f ms; CPU engine %.0f ms\n", median(endToEnd), cpuMs);
  }
  return allRight ? 0 : 1;
}
