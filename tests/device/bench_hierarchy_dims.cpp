// Hierarchies on a GPU in many dimensions, by products of bytes and, up to 128 dimensions, by the
// tree of groups: from a copy of the cloud on the GPU to a hierarchy in host memory, and whole
// calls of HDBSCAN* from coordinates in host memory, minPts and the smallest cluster alike. The
// first merges of some points and the lightest edge out of a large component are checked by the
// canonical distances of all points.
//
//   bench_hierarchy_dims [REPEATS [MINPTS [CASE]]]
//
// CASE is a name, or DIMSxPOINTS of normal points; then "cN" makes N clusters of them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/hierarchy/device_hierarchy.h"
#include "engine/cuda/hierarchy/hierarchy_gpu.h"
#include "engine/cuda/runtime/probe.h"
#include "engine/hierarchy/condensed_tree.h"
#include "engine/hierarchy/hdbscan.h"
#include "tests/device/many_dims_clouds.h"
#include "tests/device/median.h"

#include <tbb/parallel_for.h>

using namespace clusterloom;

namespace {

constexpr manyDims::Case kCases[] = {{"gauss1536", 100'000, 1536, 0, 100, true},
                                     {"gauss128", 200'000, 128, 0, 50, false}};

/// The merge that each node takes part in.
std::vector<std::size_t> mergesOf(const Dendrogram& tree) {
  std::vector<std::size_t> merges(tree.nodes(), tree.merges());
  for (std::size_t i = 0; i < tree.merges(); ++i) merges[tree.left[i]] = merges[tree.right[i]] = i;
  return merges;
}

std::size_t wrongPoints(const PointCloud& cloud, const Hierarchy& found, std::int64_t minPts) {
  const auto merges = mergesOf(found.dendrogram());
  const auto cores = found.squaredCoreDistances();
  return manyDims::wrongOfAsked(cloud, [&](std::size_t p, const std::vector<double>& squares) {
    std::vector<double> sorted = squares;
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(minPts - 1);
    std::nth_element(sorted.begin(), last, sorted.end());
    if (cores[p] != *last) return true;
    double least = kInfinity;
    for (std::size_t q = 0; q < cloud.size(); ++q)
      if (q != p) least = std::min(least, std::max({squares[q], cores[p], cores[q]}));
    return found.dendrogram().squaredWeights[merges[p]] != least;
  });
}

/// Whether no lighter edge leaves a component of many points than the one by which it merges.
bool isLightest(const PointCloud& cloud, const Hierarchy& found) {
  const Dendrogram& tree = found.dendrogram();
  const auto merges = mergesOf(tree);
  std::size_t node = tree.nodes();
  for (std::size_t i = tree.merges() - 1; i-- > 0 && node == tree.nodes();)
    if (tree.sizes[i] >= 200 && tree.sizes[i] <= 1500 &&
        tree.squaredWeights[i] < tree.squaredWeights[merges[cloud.size() + i]])
      node = cloud.size() + i;
  if (node == tree.nodes()) return true;
  const auto cores = found.squaredCoreDistances();
  const std::size_t begin = found.begin(node);
  const std::size_t size = tree.sizeOf(node);
  // Blocks of points whose coordinates stay in a cache.
  constexpr std::size_t kBlock = 128;
  const std::size_t blocks = (cloud.size() + kBlock - 1) / kBlock;
  std::vector<double> least(blocks, kInfinity);
  tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
    const std::size_t first = block * kBlock;
    const std::size_t count = std::min(kBlock, cloud.size() - first);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t p = found.order()[begin + i];
      double squares[kBlock] = {};
      for (const auto& column : cloud.columns) {
        const double x = column[p];
        const double* const others = column.data() + first;
        for (std::size_t q = 0; q < count; ++q) {
          const double difference = x - others[q];
          squares[q] += difference * difference;
        }
      }
      for (std::size_t q = first; q < first + count; ++q)
        if (found.positions()[q] < begin || found.positions()[q] >= begin + size)
          least[block] = std::min(least[block], std::max({squares[q - first], cores[p], cores[q]}));
    }
  });
  std::printf("  a component of %zu points was checked\n", size);
  return *std::min_element(least.begin(), least.end()) == tree.squaredWeights[merges[node]];
}

bool same(const Hierarchy& a, const Hierarchy& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  return equal(a.dendrogram().squaredWeights, b.dendrogram().squaredWeights) &&
         equal(a.dendrogram().left, b.dendrogram().left) &&
         equal(a.dendrogram().right, b.dendrogram().right) && equal(a.order(), b.order()) &&
         equal(a.squaredCoreDistances(), b.squaredCoreDistances());
}

void printStages(const StageTimes& stages) {
  std::map<std::string, double> sums;
  for (const auto& [name, milliseconds] : stages) sums[name] += milliseconds;
  std::printf("   ");
  for (const auto& [name, milliseconds] : sums) std::printf(" %s %.1f", name.c_str(), milliseconds);
  std::printf("\n    search of each round:");
  for (const auto& [name, milliseconds] : stages)
    if (name == "search") std::printf(" %.1f", milliseconds);
  std::printf("\n");
}

/// Whether all is right.
bool run(const GpuInfo& gpu, const manyDims::Case& c, int repeats, std::int64_t minPts) {
  const PointCloud cloud = manyDims::make(c);
  std::printf("%s: %zu x %zu, minPts %lld\n", c.name, c.points, c.dims,
              static_cast<long long>(minPts));
  const Task task;
  const Device device(gpu.id);
  GpuRun run(device, task);
  const auto there = std::make_shared<const DeviceCloud>(uploadCloud(run, cloud));
  std::vector<double> seconds;
  std::vector<KernelStats> kernels;
  StageTimes stages;
  std::optional<Result<Hierarchy>> found;
  for (int i = 0; i < repeats; ++i) {
    run.wait();
    const Stopwatch watch;
    found = hierarchyByProductsOnGpu(run, there, minPts, {.stages = &stages, .kernels = &kernels});
    seconds.push_back(watch.seconds());
    if (!*found) {
      std::printf("  %s\n", (*found).error().message.c_str());
      return false;
    }
  }
  std::printf("  products, prepared         %8.1f ms, first %.1f\n", 1e3 * median(seconds),
              1e3 * seconds.front());
  printStages(stages);
  for (const KernelStats& kernel : kernels)
    std::printf("    %-24s %8.1f ms, %d launches\n", kernel.name.c_str(), 1e3 * kernel.seconds,
                static_cast<int>(kernel.launches));
  std::fflush(stdout);
  const Hierarchy& hierarchy = **found;
  bool right = true;
  if (c.dims <= kMaxGridDims) {
    run.wait();
    const Stopwatch watch;
    const auto byTree = hierarchyOnGpu(run, *there, minPts);
    right = byTree && same(hierarchy, *byTree);
    std::printf("  tree of groups, prepared   %8.1f ms; %s\n", 1e3 * watch.seconds(),
                right ? "the same" : "DIFFERENT");
  }
  const auto whole = HierarchyGpu::open(gpu.id);
  seconds.clear();
  for (int i = 0; i < repeats && whole; ++i) {
    const Stopwatch watch;
    const auto again = whole->hierarchy(JoinInput(cloud), {.minPts = minPts}, task);
    const auto tree = condense(again->dendrogram(), static_cast<std::uint32_t>(minPts));
    const FlatClusters flat = takeClusters(*tree, {});
    seconds.push_back(watch.seconds());
    right = right && same(hierarchy, *again);
    if (i == 0) std::printf("  %zu clusters\n", flat.taken.size());
  }
  std::printf("  HDBSCAN*, whole            %8.1f ms, first %.1f\n", 1e3 * median(seconds),
              1e3 * seconds.front());
  std::fflush(stdout);
  const std::size_t wrong = wrongPoints(cloud, hierarchy, minPts);
  const bool lightest = isLightest(cloud, hierarchy);
  std::printf("  %zu of 64 points wrong, component %s\n", wrong, lightest ? "right" : "WRONG");
  std::fflush(stdout);
  return right && wrong == 0 && lightest;
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 3;
  const std::int64_t minPts = argc > 2 ? std::atoll(argv[2]) : 50;
  const std::string only = argc > 3 ? argv[3] : "";
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  const GpuInfo& gpu = probe.usable.front();
  std::string rest;
  if (auto made = manyDims::caseOf(only.c_str(), rest)) {
    if (rest.starts_with("c")) made->centres = std::strtoull(rest.c_str() + 1, nullptr, 10);
    return run(gpu, *made, repeats, minPts) ? 0 : 1;
  }
  bool right = true;
  for (const manyDims::Case& c : kCases)
    if (only.empty() || only == c.name) right = run(gpu, c, repeats, minPts) && right;
  return right ? 0 : 1;
}
