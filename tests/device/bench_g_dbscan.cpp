// G-DBSCAN's four versions [Frasson 2021, §4] beside brute force and the grid, host to host, labels
// equal.
//
//   bench_g_dbscan [RUNS] [LARGE]      LARGE 0 leaves 400,000 × 20-D out
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"

using namespace clusterloom;

namespace {

struct Case {
  std::size_t points;
  std::size_t dims;
  double eps;
  /// Seconds that [Frasson 2021] prints for its versions, on a V100 and data of its own.
  double published[4];
};

constexpr Case kCases[] = {{200'000, 10, 6, {9.570, 9.342, 9.563, 8.311}},
                           {400'000, 20, 10, {61.670, 61.540, 63.082, 64.539}}};
constexpr std::int64_t kMinPts = 10;

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 3;
  const bool large = argc <= 2 || std::atoi(argv[2]) != 0;
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  bool same = true;
  for (const Case& c : kCases) {
    if (!large && c.dims > 10) continue;
    const PointCloud cloud = std::move(
        generate({.kind = "blobs", .points = c.points, .dims = c.dims, .seed = 42})->cloud);
    std::printf("blobs, %zu × %zu-D, ε %g, minPts %lld, median of %d\n", c.points, c.dims, c.eps,
                static_cast<long long>(kMinPts), runs);
    std::vector<std::int32_t> labels;
    int version = 0;
    for (const Method method :
         {Method::GDbscanPaper, Method::GDbscanNoTransfer, Method::GDbscanShifted,
          Method::GDbscanShared, Method::BruteForce, Method::Grid}) {
      std::vector<double> seconds;
      Result<Clustering> found = fail(ErrorKind::BadCall, "not run");
      for (int run = 0; run < runs + 1; ++run) {  // the first is not counted
        const Stopwatch watch;
        found = (*gpu)->dbscan(cloud, {c.eps, kMinPts}, {.method = method}, {});
        if (!found) break;
        if (run > 0) seconds.push_back(watch.seconds());
      }
      if (!found) {
        std::printf("  %-22s %s\n", toText(method).c_str(), found.error().message.c_str());
        same = false;
        continue;
      }
      if (labels.empty()) labels = found->labels;
      const bool equal = labels == found->labels;
      same = same && equal;
      std::sort(seconds.begin(), seconds.end());
      std::printf("  %-22s %8.3f s, %d clusters, %llu core, labels %s", toText(method).c_str(),
                  seconds[seconds.size() / 2], found->clusters,
                  static_cast<unsigned long long>(found->coreCount), equal ? "equal" : "DIFFERENT");
      if (version < 4) std::printf(", published %.3f s", c.published[version++]);
      std::printf("; %s\n", found->stats.note.c_str());
      for (const KernelStats& kernel : found->stats.kernels)
        std::printf("      %-20s %9.2f ms, %d launches\n", kernel.name.c_str(),
                    1e3 * kernel.seconds, kernel.launches);
      std::fflush(stdout);
    }
  }
  return same ? 0 : 1;
}
