// Counting joins by the strategies of the papers and by ours, on the four clouds of [Gallet 2019]:
// device seconds of the counting kernels (index built, counts left on the device), candidates per
// second, pairs. Pairs must be the same for every strategy of a cloud; exit status 1 when not.
//
//   bench_join_gpu [RUNS] [POINTS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "engine/backend.h"
#include "tests/device/paper_clouds.h"

using namespace clusterloom;

namespace {

struct Named {
  const char* name;
  Strategy strategy;
};

std::vector<Named> strategies(int k) {
  Strategy plain{.pattern = AccessPattern::Full,
                 .order = QueryOrder::Input,
                 .indexedDims = k,
                 .reorder = Toggle::Off,
                 .sortIdu = Toggle::Off,
                 .shortCircuit = Toggle::Off};
  const auto with = [&](AccessPattern pattern, QueryOrder order, int threads) {
    Strategy s = plain;
    s.pattern = pattern;
    s.order = order;
    s.threadsPerPoint = threads;
    return s;
  };
  using enum AccessPattern;
  using enum QueryOrder;
  Strategy shortened = with(Full, Cell, 1);
  shortened.shortCircuit = Toggle::On;
  // Any block size keeps tiles on lanes; 0 lets the engine take the matrix units.
  Strategy lanes = with(Tile, Cell, 1);
  lanes.blockSize = 256;
  const auto in32Bits = [](Strategy s) {
    s.precision = Precision::Single;
    return s;
  };
  return {{"GPUCALCGLOBAL, input order", plain},
          {"GPUCALCGLOBAL, unit bins", with(Full, Bins, 1)},
          {"GPUCALCGLOBAL, cell order", with(Full, Cell, 1)},
          {"  and SHORTC", shortened},
          {"  in 32 bits", in32Bits(with(Full, Cell, 1))},
          {"  in 32 bits and SHORTC", in32Bits(shortened)},
          {"k = 8 threads, cell order", with(Full, Cell, 8)},
          {"SORTBYWL", with(Full, SortByWorkload, 1)},
          {"WORKQUEUE", with(Full, WorkQueue, 1)},
          {"WORKQUEUE, k = 8 threads", with(Full, WorkQueue, 8)},
          {"UNICOMP, cell order", with(Unicomp, Cell, 1)},
          {"LID-UNICOMP, cell order", with(LidUnicomp, Cell, 1)},
          {"  in 32 bits", in32Bits(with(LidUnicomp, Cell, 1))},
          {"LID-UNICOMP, WORKQUEUE, k = 8", with(LidUnicomp, WorkQueue, 8)},
          {"tile, lanes", lanes},
          {"  in 32 bits", in32Bits(lanes)},
          {"tile, matrix units", with(Tile, Cell, 1)}};
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 3;
  const std::size_t points = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2'000'000;
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  std::printf("%s, %zu points, best of %d\n", (*gpu)->describe().c_str(), points, runs);
  bool same = true;
  for (const paperClouds::JoinGoal& goal : paperClouds::kTables) {
    paperClouds::Case c = goal.cloud;
    c.points = points;
    const PointCloud cloud = paperClouds::make(c);
    std::uint64_t pairs = 0;
    std::printf("%s%zuD eps %g (plain %g ms, must %g, aim %g)\n", c.generator, c.dims, c.eps,
                goal.plainMs, goal.mustMs, goal.aimMs);
    for (const Named& named : strategies(static_cast<int>(c.dims))) {
      double best = 1e300;
      int registers = 0;
      double occupancy = 0;
      std::uint64_t candidates = 0;
      for (int run = 0; run < runs; ++run) {
        const auto counted = (*gpu)->count(cloud, c.eps, named.strategy, {});
        if (!counted) {
          std::printf("  %-32s %s\n", named.name, counted.error().message.c_str());
          same = false;
          break;
        }
        double seconds = 0;
        for (const KernelStats& kernel : counted->stats.kernels) {
          if (kernel.name.find("count") == std::string::npos) continue;
          seconds += kernel.seconds;
          registers = kernel.registers;
          occupancy = kernel.occupancy;
        }
        best = std::min(best, seconds);
        candidates = counted->candidates;
        if (pairs == 0) pairs = counted->pairs;
        if (counted->pairs != pairs) {
          std::printf("  WRONG: %llu pairs\n", static_cast<unsigned long long>(counted->pairs));
          same = false;
        }
      }
      std::printf("  %-32s %9.3f ms, %8.3g candidates/s, %d registers, occupancy %.2f\n",
                  named.name, 1e3 * best, static_cast<double>(candidates) / best, registers,
                  occupancy);
      std::fflush(stdout);
    }
    std::printf("  %llu pairs\n", static_cast<unsigned long long>(pairs));
  }
  return same ? 0 : 1;
}
