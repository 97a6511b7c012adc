// The largest 8-D cloud that fits: uniform points, labels by DBSCAN, tried from many points down
// until one fits; says how much device memory a point takes.
//
//   bench_large [MILLIONS]
#include <tbb/parallel_for.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/runtime/probe.h"

using namespace clusterloom;

namespace {

// One of 2⁵³ values in [0, 100), by splitmix64's mixing of the index.
double coordinate(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53 * 100;
}

// A thread per column, so that their memory is taken side by side.
PointCloud uniform(std::size_t points, std::size_t dims) {
  PointCloud cloud;
  cloud.columns.resize(dims);
  tbb::parallel_for(std::size_t{0}, dims, [&](std::size_t j) {
    std::vector<double> column(points);
    for (std::size_t i = 0; i < points; ++i) column[i] = coordinate(i * dims + j);
    cloud.columns[j] = std::move(column);
  });
  return cloud;
}

}  // namespace

int main(int argc, char** argv) {
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  constexpr std::size_t kDims = 8;
  for (std::size_t millions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 700; millions > 0;
       millions = millions * 17 / 20) {
    const Stopwatch watch;
    const PointCloud cloud = uniform(millions * 1'000'000, kDims);
    std::printf("%zu million points in %zu dimensions (%.1f GB), made in %.1f s\n", millions, kDims,
                static_cast<double>(cloud.size() * kDims * 8) / 1e9, watch.seconds());
    std::fflush(stdout);
    const auto counted =
        (*gpu)->count(cloud, 1.0, {.pattern = AccessPattern::LidUnicomp, .indexedDims = 6}, {});
    if (!counted) {
      std::printf("  %s\n", counted.error().message.c_str());
      continue;
    }
    std::printf("  joined: %llu pairs, index %.2f s, join %.2f s, %llu cells\n",
                static_cast<unsigned long long>(counted->pairs), counted->stats.seconds.index,
                counted->stats.seconds.join, static_cast<unsigned long long>(counted->stats.cells));
    for (const KernelStats& kernel : counted->stats.kernels)
      std::printf("    %-20s %9.1f ms\n", kernel.name.c_str(), 1e3 * kernel.seconds);
    return 0;
  }
  return 1;
}
