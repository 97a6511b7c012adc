// Counting joins by tiles on matrix units: index built, counts left on the device. Prints the
// median, candidates per second and pairs; with "check", whether every count equals the CPU's.
//
//   bench_tile_count [RUNS] [POINTS] [check]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "engine/backend.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/grid/cell_lists.h"
#include "engine/cuda/join/kernels/tile_count.h"
#include "engine/cuda/runtime/probe.h"
#include "tests/device/paper_clouds.h"

using namespace clusterloom;

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 10;
  const std::size_t points = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'000'000;
  const bool check = argc > 3 && std::strcmp(argv[3], "check") == 0;
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  const Device device(probe.usable.front().id);
  bool allRight = true;
  for (const paperClouds::JoinGoal& goal : paperClouds::kTables) {
    paperClouds::Case c = goal.cloud;
    c.points = points;
    const PointCloud cloud = paperClouds::make(c);
    const Task task;
    GpuRun run(device, task);
    const DeviceCloud there = uploadCloud(run, cloud);
    const Bounds bounds = boundsOf(run, there);
    std::vector<int> dims(c.dims);
    std::iota(dims.begin(), dims.end(), 0);
    const CellLists lists =
        buildCellLists(run, there, *makeCellGeometry(cloud, bounds, c.eps, 1, dims));
    if (!tilesCanCount(lists, bounds, c.eps, *epsSquared(c.eps))) {
      std::printf("%s%zuD: tiles cannot count\n", c.generator, c.dims);
      allRight = false;
      continue;
    }
    DeviceBuffer<std::uint32_t> counts(run.lease(), points);
    std::vector<double> ms;
    for (int i = 0; i < runs + 2; ++i) {
      counts.fillBytes(0xff);
      Event from;
      Event to;
      from.record(run.stream());
      countByTiles(run, lists, bounds, c.eps, *epsSquared(c.eps), counts);
      to.record(run.stream());
      run.wait();
      if (i >= 2) ms.push_back(millisecondsBetween(from, to));
    }
    std::sort(ms.begin(), ms.end());
    std::vector<std::uint32_t> found(points);
    std::vector<std::uint32_t> ids(points);
    counts.download(found);
    lists.pointIds.download(ids);
    run.wait();
    std::uint64_t pairs = 0;
    for (const std::uint32_t x : found) pairs += x;
    std::printf("%s%zuD eps %g: %8.3f ms (must %g, aim %g), %llu pairs", c.generator, c.dims, c.eps,
                ms[ms.size() / 2], goal.mustMs, goal.aimMs, static_cast<unsigned long long>(pairs));
    if (check) {
      Stopwatch watch;
      Strategy strategy;
      strategy.indexedDims = static_cast<int>(c.dims);
      const auto expected = (*makeBackend("cpu", {}))->count(cloud, c.eps, strategy, {});
      bool same = expected.has_value();
      for (std::size_t p = 0; same && p < points; ++p) same = expected->counts[ids[p]] == found[p];
      allRight = allRight && same;
      std::printf("; %s; %.3g candidates, %.3g a second; CPU engine %.2f s",
                  same ? "equal to the CPU" : "WRONG", static_cast<double>(expected->candidates),
                  static_cast<double>(expected->candidates) / ms[ms.size() / 2] * 1e3,
                  watch.seconds());
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return allRight ? 0 : 1;
}
