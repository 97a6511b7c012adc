// Nearest neighbours and hierarchies of a GPU against the CPU's, on random clouds of many kinds in
// 1 to 4,096 dimensions, with ties, duplicates, lattices and outliers, by the tree of groups and by
// products, until the time is up. Exit status 1 on the first
// difference, which is printed with its seed; 2 where no GPU answers.
//
//   hierarchy_agreement [--seconds S] [--seed N] [--points N]     N: points of the largest clouds
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>

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
  std::string what;
  if (cloud.dims() <= kMaxGridDims) what = difference(nearestOnGpu(run, *there, k), *expected);
  if (what.empty() && products && expected->k > 1)
    what = difference(*nearestByProductsOnGpu(run, there, expected->k), *expected);
  return what;
}

std::string difference(const Hierarchy& found, const Hierarchy& expected,
                       const std::vector<double>& eps) {
  const auto same = [](const auto& mine, const auto& theirs) {
    return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
  };
  const Dendrogram& tree = found.dendrogram();
  const Dendrogram& right = expected.dendrogram();
  if (!same(tree.squaredWeights, right.squaredWeights)) return "weights of merges";
  if (!same(tree.left, right.left) || !same(tree.right, right.right)) return "merges";
  if (!same(tree.sizes, right.sizes)) return "sizes";
  if (!same(found.order(), expected.order())) return "order";
  if (!same(found.positions(), expected.positions())) return "positions";
  if (!same(found.squaredCoreDistances(), expected.squaredCoreDistances())) return "cores";
  if (!same(found.borders().offsets, expected.borders().offsets)) return "border rows";
  if (!same(found.borders().squaredReach, expected.borders().squaredReach)) return "reaches";
  if (!same(found.borders().positions, expected.borders().positions)) return "border points";
  for (const double value : eps) {
    const auto mine = found.labels(value);
    const auto theirs = expected.labels(value);
    if (mine->labels != theirs->labels || mine->roles != theirs->roles) return "labels";
  }
  return {};
}

/// By the tree of groups, and by products where the device has them.
std::string hierarchyCase(const Device& device, bool products, const PointCloud& cloud,
                          std::int64_t minPts, std::mt19937_64& random) {
  const Task task;
  GpuRun run(device, task);
  const auto there = std::make_shared<const DeviceCloud>(uploadCloud(run, cloud));
  const auto expected = Hierarchy::build(cloud, {.minPts = minPts});
  if (!expected) return expected.error().message;
  std::vector<double> eps;
  for (int i = 0; i < 5; ++i) eps.push_back(draws::drawEps(random, cloud));
  if (cloud.dims() <= kMaxGridDims) {
    const auto found = hierarchyOnGpu(run, *there, minPts);
    if (!found) return found.error().message;
    const std::string what = difference(*found, *expected, eps);
    if (!what.empty()) return what;
  }
  if (!products) return {};
  const auto found = *hierarchyByProductsOnGpu(run, there, minPts);
  if (!found) return found.error().message;
  const std::string what = difference(*found, *expected, eps);
  return what.empty() ? what : "by products: " + what;
}

/// Dimensions of a cloud, and how many points it may have.
std::pair<std::size_t, std::size_t> drawShape(std::mt19937_64& random, std::size_t most) {
  constexpr std::size_t kMany[] = {129, 160, 384, 768, 1536, kMaxDims};
  if (random() % 4 == 0) {
    const std::size_t dims = kMany[random() % std::size(kMany)];
    // For the CPU.
    const double pairs = (random() % 8 == 0 ? 4e9 : 2e8) / static_cast<double>(dims);
    return {dims, std::min<std::size_t>(most, static_cast<std::size_t>(std::sqrt(pairs)))};
  }
  const std::size_t dims = random() % 30 == 0 ? 90 : 1 + random() % (random() % 4 == 0 ? 18 : 4);
  return {dims, random() % 4 != 0 ? std::min<std::size_t>(most, 300) : most};
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
    const auto [dims, mostPoints] = drawShape(random, most);
    const std::size_t n = 1 + random() % mostPoints;
    PointCloud cloud = draws::draw(random, kind, n, dims);
    if (random() % 3 == 0) {
      const double largest = std::numeric_limits<float>::max();
      for (auto& column : cloud.columns)
        for (double& x : column)
          if (std::abs(x) <= largest) x = static_cast<double>(static_cast<float>(x));
    }
    // The square of the scale of rounding overflows, those of distances do not underflow.
    if (random() % 16 == 0)
      for (auto& column : cloud.columns)
        for (double& x : column) x *= 1e-154;
    const int k = 1 + static_cast<int>(random() % (random() % 3 == 0 ? 64 : 14));
    const std::int64_t minPts = random() % 16 == 0 ? static_cast<std::int64_t>(n) + 1 : k;
    std::string what = nearestCase(device, products, cloud, k);
    if (what.empty() && n > 1) what = hierarchyCase(device, products, cloud, minPts, random);
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
