// Products of bytes in many dimensions, all calls whole: from coordinates in host memory, or from a
// prepared cloud whose copy stays on the GPU. Some counts of each cloud are checked by the
// predicate. With FOLDER each cloud is written there as raw doubles or floats, row by row, for
// tests/device/compare_products.py.
//
//   bench_products [REPEATS [FOLDER [CASE]]]     CASE: a name, or DIMSxPOINTS of normal points
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/cuda_backend.h"
#include "tests/device/many_dims_clouds.h"
#include "tests/device/median.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

using namespace clusterloom;

namespace {

using manyDims::Case;

std::size_t wrongCounts(const PointCloud& cloud, double eps,
                        const std::vector<std::uint32_t>& counts) {
  return manyDims::wrongOfAsked(cloud, [&](std::size_t p, const std::vector<double>& squares) {
    const auto near = std::count_if(squares.begin(), squares.end(),
                                    [&](double square) { return withinEps(square, eps * eps); });
    return static_cast<std::uint32_t>(near) != counts[p];
  });
}

void print(const char* what, const std::vector<double>& seconds, const RunStats& stats) {
  std::string kernels;
  for (const KernelStats& kernel : stats.kernels) {
    char text[64];
    std::snprintf(text, sizeof text, "%s %s %.1f", kernels.empty() ? "" : ",", kernel.name.c_str(),
                  1e3 * kernel.seconds);
    kernels += text;
  }
  std::printf("  %-26s %8.1f ms; last: rounding %.1f, pairs %.1f, labels %.1f,%s ms; %s\n", what,
              1e3 * median(seconds), 1e3 * stats.seconds.index, 1e3 * stats.seconds.join,
              1e3 * stats.seconds.label, kernels.c_str(), stats.strategy.c_str());
  std::fflush(stdout);
}

void run(const Backend& gpu, const Case& c, int repeats, const std::string& folder) {
  const PointCloud cloud = manyDims::make(c);
  std::printf("%s: %zu x %zu, eps %g\n", c.name, c.points, c.dims, c.eps);
  if (!folder.empty()) manyDims::write(cloud, c, folder);
  const PreparedCloud prepared(std::make_shared<const PointCloud>(cloud));
  const struct {
    const char* name;
    JoinInput input;
    Strategy strategy;
  } ways[] = {{"counts, products", JoinInput(cloud), {.method = Method::Products}},
              {"… prepared", JoinInput(prepared), {.method = Method::Products}},
              {"counts, default, prepared", JoinInput(prepared), {}}};
  for (const auto& way : ways) {
    std::vector<double> seconds;
    Result<NeighbourCounts> counts;
    for (int i = 0; i < repeats; ++i) {
      const Stopwatch watch;
      counts = gpu.count(way.input, c.eps, way.strategy, {});
      seconds.push_back(watch.seconds());
      if (!counts) return void(std::printf("  %s\n", counts.error().message.c_str()));
    }
    print(way.name, seconds, counts->stats);
    if (way.name == ways[0].name)
      std::printf("  %llu pairs, %.3g of %.3g ordered pairs multiplied, %zu of 64 counts wrong\n",
                  static_cast<unsigned long long>(counts->pairs),
                  static_cast<double>(counts->candidates),
                  static_cast<double>(c.points) * static_cast<double>(c.points),
                  wrongCounts(cloud, c.eps, counts->counts));
  }
  for (const auto& way : ways) {
    std::vector<double> seconds;
    Result<Clustering> labels;
    for (int i = 0; i < repeats; ++i) {
      const Stopwatch watch;
      labels = gpu.dbscan(way.input, {c.eps, 10}, way.strategy, {});
      seconds.push_back(watch.seconds());
      if (!labels) return void(std::printf("  %s\n", labels.error().message.c_str()));
    }
    print(("DBSCAN " + std::string(way.name)).c_str(), seconds, labels->stats);
    std::printf("  %d clusters\n", static_cast<int>(labels->clusters));
    if (c.centres == 0) break;  // the grid takes long
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::string folder = argc > 2 ? argv[2] : "";
  const std::string only = argc > 3 ? argv[3] : "";
  const auto gpu = makeCudaBackend();
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  std::printf("%s\n", (*gpu)->describe().c_str());
  std::string rest;
  if (const auto made = manyDims::caseOf(only.c_str(), rest)) {
    run(**gpu, *made, repeats, folder);
    return 0;
  }
  for (const Case& c : manyDims::kCases)
    if (only.empty() || only == c.name) run(**gpu, c, repeats, folder);
  return 0;
}
