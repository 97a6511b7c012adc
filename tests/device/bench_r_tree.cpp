// The papers' CPU-RTREE beside GPU-SJ and our grid [Gowanlock 2018, §5.2, §5.3]: search and refine
// without the index, neighbours of every point counted, pairs equal.
//
//   bench_r_tree [POINTS] [RUNS] [ONLY…]      2,000,000 points and 3 runs, as there; ONLY: of the
//                                             clouds those whose names begin so, such as Syn2D
//
// GPU-SJ is UNICOMP over unit-length bins, blocks of 256 threads, batches of 5 × 10⁷ pairs on three
// streams [Gowanlock 2018, §5.2.1]. On a machine without a GPU its rows are left out.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"

using namespace clusterloom;

namespace {

struct Case {
  const char* name;
  const char* generator;
  std::size_t dims;
  double eps;
};
constexpr Case kCases[] = {{"Syn2D", "unif", 2, 1.0},      {"Syn3D", "unif", 3, 2.0},
                           {"Syn4D", "unif", 4, 4.0},      {"Syn5D", "unif", 5, 6.0},
                           {"Syn6D", "unif", 6, 8.0},      {"SynExpo2D", "expo", 2, 0.002},
                           {"SynExpo6D", "expo", 6, 0.012}};

bool wanted(const std::string& name, int argc, char** argv) {
  for (int i = 3; i < argc; ++i)
    if (name.rfind(argv[i], 0) == 0) return true;
  return argc <= 3;
}

/// Medians of the search's seconds; the pairs found, or 0 when it failed.
struct Timed {
  double seconds = 0;
  std::uint64_t pairs = 0;
};

template <class Count>
Timed timed(int runs, const Count& count) {
  Timed result;
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) {
    const Result<NeighbourCounts> found = count();
    if (!found) {
      std::printf("  %s\n", found.error().message.c_str());
      return {};
    }
    seconds.push_back(found->stats.seconds.join);
    result.pairs = found->pairs;
  }
  std::sort(seconds.begin(), seconds.end());
  result.seconds = seconds[seconds.size() / 2];
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const auto points = static_cast<std::size_t>(argc > 1 ? std::atoll(argv[1]) : 2'000'000);
  const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 3;
  const auto cpu = makeBackend("cpu", {});
  const auto oneThread = makeBackend("cpu", {.threads = 1});  // as in the paper
  const auto gpu = makeBackend("cuda", {});
  if (!cpu || !oneThread) return 1;
  std::printf("%s; %s; medians of %d; seconds without the index\n\n", (*cpu)->describe().c_str(),
              gpu ? (*gpu)->describe().c_str() : gpu.error().message.c_str(), runs);
  std::printf("| cloud, %zu points | ε | neighbours | CPU-RTREE s | grid, CPU s |%s\n", points,
              gpu ? " GPU-SJ s | R-tree / GPU-SJ | tile, GPU s |" : "");
  std::printf("|---|---|---|---|---|%s\n", gpu ? "---|---|---|" : "");
  bool same = true;
  for (const Case& c : kCases) {
    if (!wanted(c.name, argc, argv)) continue;
    const PointCloud cloud = std::move(
        generate({.kind = c.generator, .points = points, .dims = c.dims, .seed = 42})->cloud);
    const Timed tree = timed(
        runs, [&] { return (*oneThread)->count(cloud, c.eps, {.method = Method::RTree}, {}); });
    const Timed grid = timed(runs, [&] { return (*cpu)->count(cloud, c.eps, {}, {}); });
    same = same && tree.pairs > 0 && tree.pairs == grid.pairs;
    std::printf("| %s | %g | %.1f | %.3f | %.3f |", c.name, c.eps,
                static_cast<double>(tree.pairs) / static_cast<double>(points) - 1, tree.seconds,
                grid.seconds);
    if (gpu) {
      const Strategy gpuSj{.pattern = AccessPattern::Unicomp,
                           .order = QueryOrder::Bins,
                           .indexedDims = static_cast<int>(c.dims),
                           .reorder = Toggle::Off,
                           .sortIdu = Toggle::Off,
                           .shortCircuit = Toggle::Off,
                           .batchPairs = 50'000'000,
                           .streams = 3,
                           .blockSize = 256};
      const Timed sj = timed(runs, [&] { return (*gpu)->count(cloud, c.eps, gpuSj, {}); });
      const Timed tile = timed(runs, [&] { return (*gpu)->count(cloud, c.eps, {}, {}); });
      same = same && sj.pairs == tree.pairs && tile.pairs == tree.pairs;
      std::printf(" %.4f | %.0f | %.4f |", sj.seconds, tree.seconds / sj.seconds, tile.seconds);
    }
    std::printf("%s\n", same ? "" : " DIFFERENT PAIRS");
    std::fflush(stdout);
  }
  return same ? 0 : 1;
}
