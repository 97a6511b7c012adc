// Nearest neighbours and hierarchies of a GPU against the CPU's, on random clouds of many kinds,
// with ties, duplicates, lattices and outliers, until the time is up. Exit status 1 on the first
// difference, which is printed with its seed; 2 where no GPU answers.
//
//   hierarchy_agreement [--seconds S] [--seed N] [--points N]     N: points of the largest clouds
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/core/stopwatch.h"
#include "engine/cuda/hierarchy/device_hierarchy.h"
#include "engine/cuda/product/nearest_search.h"
#include "engine/cuda/product/product_tiles.h"
#include "engine/cuda/runtime/probe.h"
#include "engine/hierarchy/hierarchy.h"
#include "tests/engine/cloud_draws.h"

using namespace clusterloom;

namespace {

std::string difference(const NearestNeighbours& found, const NearestNeighbours& expected) {
  if (found.k != expected.k) return "another number of neighbours";
  for (std::size_t i = 0; i < expected.ids.size(); ++i)
    if (found.ids[i] != expected.ids[i] ||
        found.squaredDistances[i] != expected.squaredDistances[i])
      return "neighbour " + std::to_string(i % static_cast<std::size_t>(found.k)) + " of point " +
             std::to_string(i / static_cast<std::size_t>(found.k));
  return {};
}

/// By the tree of groups, and by products where the device has them.
std::string nearestCase(const Device& device, bool products, const PointCloud& cloud, int k) {
  const Task task;
  GpuRun run(device, task);
  const auto there = std::make_shared<const DeviceCloud>(uploadCloud(run, cloud));
  const auto expected = nearestNeighbours(cloud, k);
  if (!expected) return expected.error().message;
  std::string what = difference(nearestOnGpu(run, *there, k), *expected);
  if (what.empty() && products && expected->k > 1)
    what = difference(*nearestByProductsOnGpu(run, there, expected->k), *expected);
  return what;
}

std::string hierarchyCase(const Device& device, const PointCloud& cloud, std::int64_t minPts,
                          std::mt19937_64& random) {
  const Task task;
  GpuRun run(device, task);
  const auto found = hierarchyOnGpu(run, uploadCloud(run, cloud), minPts);
  const auto expected = Hierarchy::build(cloud, {.minPts = minPts});
  if (!expected) return expected.error().message;
  if (!found) return found.error().message;
  const auto same = [](const auto& mine, const auto& theirs) {
    return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
  };
  const Dendrogram& tree = found->dendrogram();
  const Dendrogram& right = expected->dendrogram();
  if (!same(tree.squaredWeights, right.squaredWeights)) return "weights of merges";
  if (!same(tree.left, right.left) || !same(tree.right, right.right)) return "merges";
  if (!same(tree.sizes, right.sizes)) return "sizes";
  if (!same(found->order(), expected->order())) return "order";
  if (!same(found->positions(), expected->positions())) return "positions";
  if (!same(found->squaredCoreDistances(), expected->squaredCoreDistances())) return "cores";
  if (!same(found->borders().offsets, expected->borders().offsets)) return "border rows";
  if (!same(found->borders().squaredReach, expected->borders().squaredReach)) return "reaches";
  if (!same(found->borders().positions, expected->borders().positions)) return "border points";
  for (int i = 0; i < 5; ++i) {
    const double eps = draws::drawEps(random, cloud);
    const auto mine = found->labels(eps);
    const auto theirs = expected->labels(eps);
    if (mine->labels != theirs->labels || mine->roles != theirs->roles) return "labels";
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 20;
  std::uint64_t seed = 1;
  std::size_t most = 20000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--seconds") == 0) seconds = std::atof(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--points") == 0) most = std::strtoull(argv[i + 1], nullptr, 10);
  }
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 2;
  }
  const Device device(probe.usable.front().id);
  const bool products = probe.usable.front().major >= kLeastMajorOfProducts;
  const Stopwatch watch;
  const std::uint64_t first = seed;
  for (; watch.seconds() < seconds; ++seed) {
    std::mt19937_64 random(seed);
    const std::string kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
    const std::size_t dims = random() % 30 == 0 ? 90 : 1 + random() % (random() % 4 == 0 ? 18 : 4);
    const std::size_t n =
        1 + random() % (random() % 4 != 0 ? std::min<std::size_t>(most, 300) : most);
    const PointCloud cloud = draws::draw(random, kind, n, dims);
    const int k = 1 + static_cast<int>(random() % (random() % 3 == 0 ? 64 : 14));
    const std::int64_t minPts = random() % 16 == 0 ? static_cast<std::int64_t>(n) + 1 : k;
    std::string what = nearestCase(device, products, cloud, k);
    if (what.empty() && n > 1) what = hierarchyCase(device, cloud, minPts, random);
    if (what.empty()) continue;
    std::printf("DIFFERENT: seed %llu, %s, %zu points, %zu-D, k %d, minPts %lld: %s\n",
                static_cast<unsigned long long>(seed), kind.c_str(), n, dims, k,
                static_cast<long long>(minPts), what.c_str());
    return 1;
  }
  std::printf("seeds %llu to %llu agree with the CPU, %.1f s\n",
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(seed),
              watch.seconds());
  return 0;
}
