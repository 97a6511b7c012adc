// Nearest neighbours on a GPU by products of bytes and, up to 128 dimensions, by the tree of
// groups: from a copy of the cloud on the GPU to rows in host memory, and whole calls from
// coordinates in host memory. Some rows of each cloud are checked by the canonical distances of all
// points. With FOLDER each cloud is written there as raw doubles or floats, row by row, for
// tests/device/compare_nearest.py.
//
//   bench_nearest [REPEATS [K [CASE [FOLDER]]]]
//
// CASE is a name, or DIMSxPOINTS of normal points; then "equal" makes a tenth of them one point,
// "huge" one coordinate 1e12, and "binary" all coordinates 0 or 1.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/hierarchy/device_hierarchy.h"
#include "engine/cuda/hierarchy/hierarchy_gpu.h"
#include "engine/cuda/product/nearest_search.h"
#include "engine/cuda/runtime/probe.h"
#include "tests/device/many_dims_clouds.h"
#include "tests/device/median.h"

using namespace clusterloom;

namespace {

std::size_t wrongRows(const PointCloud& cloud, const NearestNeighbours& found) {
  return manyDims::wrongOfAsked(cloud, [&](std::size_t p, const std::vector<double>& squares) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::size_t q = 0; q < cloud.size(); ++q)
      if (q != p) all.emplace_back(squares[q], static_cast<std::uint32_t>(q));
    const auto others = static_cast<std::size_t>(found.k) - 1;
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(others), all.end());
    if (found.idsOf(p)[0] != p || found.squaredDistancesOf(p)[0] != 0) return true;
    for (std::size_t n = 0; n < others; ++n)
      if (found.idsOf(p)[n + 1] != all[n].second ||
          found.squaredDistancesOf(p)[n + 1] != all[n].first)
        return true;
    return false;
  });
}

bool same(const NearestNeighbours& a, const NearestNeighbours& b) {
  return std::equal(a.ids.begin(), a.ids.end(), b.ids.begin(), b.ids.end()) &&
         std::equal(a.squaredDistances.begin(), a.squaredDistances.end(),
                    b.squaredDistances.begin(), b.squaredDistances.end());
}

void spoil(PointCloud& cloud, const std::string& how) {
  for (auto& column : cloud.columns) {
    for (std::size_t p = 0; p < column.size(); ++p) {
      if (how == "equal" && p % 10 == 0) column[p] = 0.5;
      if (how == "binary") column[p] = column[p] > 0 ? 1 : 0;
    }
  }
  if (how == "huge") cloud.columns[0][0] = 1e12;
}

void run(const GpuInfo& gpu, const manyDims::Case& c, const std::string& spoilt, int repeats, int k,
         const std::string& folder) {
  PointCloud cloud = manyDims::make(c);
  spoil(cloud, spoilt);
  std::printf("%s: %zu x %zu, k %d\n", c.name, c.points, c.dims, k);
  if (!folder.empty()) manyDims::write(cloud, c, folder);
  const Task task;
  const Device device(gpu.id);
  GpuRun run(device, task);
  const auto there = std::make_shared<const DeviceCloud>(uploadCloud(run, cloud));
  NearestNeighbours found;
  std::vector<double> seconds;
  std::vector<KernelStats> kernels;
  for (int i = 0; i < repeats; ++i) {
    run.wait();
    const Stopwatch watch;
    auto here = nearestByProductsOnGpu(
        run, there, k,
        {.mayGiveUp = c.dims <= kMaxGridDims && k <= kMaxNearest, .kernels = &kernels});
    seconds.push_back(watch.seconds());
    if (!here) {
      std::printf("  products give up after %.1f ms\n", 1e3 * seconds.back());
      here = nearestOnGpu(run, *there, k);
      kernels.clear();
    }
    found = std::move(*here);
  }
  std::printf("  products, prepared         %8.1f ms, first %.1f; %zu of 64 rows wrong\n",
              1e3 * median(seconds), 1e3 * seconds.front(), wrongRows(cloud, found));
  for (const KernelStats& kernel : kernels)
    std::printf("    %-24s %8.1f ms, %d launches\n", kernel.name.c_str(), 1e3 * kernel.seconds,
                static_cast<int>(kernel.launches));
  std::fflush(stdout);
  if (c.dims <= kMaxGridDims && k <= kMaxNearest && c.points * c.dims <= 30'000'000) {
    seconds.clear();
    NearestNeighbours byTree;
    for (int i = 0; i < std::min(repeats, 2); ++i) {
      const Stopwatch watch;
      byTree = nearestOnGpu(run, *there, k);
      seconds.push_back(watch.seconds());
    }
    std::printf("  tree of groups, prepared   %8.1f ms; %s\n", 1e3 * seconds.back(),
                same(found, byTree) ? "the same" : "DIFFERENT");
  }
  const auto whole = HierarchyGpu::open(gpu.id);
  if (!whole) return;
  seconds.clear();
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch watch;
    const auto again = whole->nearest(JoinInput(cloud), k, task);
    seconds.push_back(watch.seconds());
    if (!again) return void(std::printf("  %s\n", again.error().message.c_str()));
    if (i == 0 && !same(found, *again)) std::printf("  DIFFERENT\n");
  }
  std::printf("  whole call                 %8.1f ms\n", 1e3 * median(seconds));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 3;
  const int k = argc > 2 ? std::atoi(argv[2]) : 10;
  const std::string only = argc > 3 ? argv[3] : "";
  const std::string folder = argc > 4 ? argv[4] : "";
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  const GpuInfo& gpu = probe.usable.front();
  std::string spoilt;
  if (const auto made = manyDims::caseOf(only.c_str(), spoilt)) {
    run(gpu, *made, spoilt, repeats, k, folder);
    return 0;
  }
  for (const manyDims::Case& c : manyDims::kCases)
    if (only.empty() || only == c.name) run(gpu, c, "", repeats, k, folder);
  return 0;
}
