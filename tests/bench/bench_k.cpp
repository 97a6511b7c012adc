// Measures every number k of indexed dimensions beside the choice of the cost model.
//
//   bench_k GENERATOR DIMS POINTS EPS [QUERIES [PATTERN,… [REPEATS]]]
//
// Counts the neighbours of QUERIES query points (0: all), taken in runs of 64 neighbouring
// positions spread evenly over the cloud, on the CPU, for every k in turn, by each pattern with
// REORDER, SORTIDU and SHORTC on and off; the best of REPEATS. The index is built and not timed, as
// its cost does not grow with the queries; the time of the model itself is given. So a cloud can be
// measured whose whole join would take hours. Times are processor seconds of all threads, which
// other programs on the machine disturb least.
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/count_neighbours.h"
#include "engine/cpu/cpu_join.h"
#include "engine/join/cost_of_k.h"

using namespace clusterloom;

namespace {

constexpr BackendLimits kLimits{.name = "cpu", .singlePrecision = true};

void keepRuns(Schedule& schedule, std::size_t queries) {
  constexpr std::size_t kRun = 64;
  const std::size_t n = schedule.queries.size();
  if (queries == 0 || queries >= n) return;
  const std::size_t runs = std::max<std::size_t>(1, queries / kRun);
  std::vector<std::uint32_t> kept;
  for (std::size_t r = 0; r < runs; ++r) {
    const std::size_t first = r * n / runs;
    for (std::size_t i = first; i < std::min(n, first + kRun); ++i)
      kept.push_back(schedule.queries[i]);
  }
  schedule.queries = kept;
  schedule.batchBegin.assign({0, static_cast<std::uint32_t>(kept.size())});
}

double secondsAt(const PointCloud& cloud, double eps, Strategy strategy, int k, std::size_t queries,
                 int repeats) {
  strategy.indexedDims = k;
  const auto plan = planJoin(cloud, eps, strategy, SinkKind::Counts, kLimits, {});
  if (!plan) return -1;
  auto join = prepareCpuJoin(cloud, eps, *plan, {});
  if (!join) return -1;
  keepRuns((*join)->schedule, queries);
  double best = 0;
  for (int i = 0; i < repeats; ++i) {
    std::vector<std::uint32_t> counts(cloud.size(), 0);
    const std::clock_t start = std::clock();
    if (!countNeighbours(**join, "counting", counts, ~std::uint32_t{0}, {})) return -1;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = i == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::printf("bench_k GENERATOR DIMS POINTS EPS [QUERIES [PATTERN,… [REPEATS]]]\n");
    return 2;
  }
  const auto dims = static_cast<std::size_t>(std::atoi(argv[2]));
  const double eps = std::atof(argv[4]);
  const auto queries = static_cast<std::size_t>(argc > 5 ? std::atoll(argv[5]) : 0);
  std::istringstream patterns(argc > 6 ? argv[6] : "full,lid-unicomp,tile");
  const int repeats = argc > 7 ? std::atoi(argv[7]) : 1;
  const auto made = generate({.kind = argv[1],
                              .points = static_cast<std::size_t>(std::atoll(argv[3])),
                              .dims = dims,
                              .seed = 42});
  if (!made) return 2;
  const PointCloud& cloud = made->cloud;
  std::string word;
  while (std::getline(patterns, word, ',')) {
    for (const bool options : {true, false}) {
      const Toggle toggle = options ? Toggle::Auto : Toggle::Off;
      Strategy strategy{.reorder = toggle, .sortIdu = toggle, .shortCircuit = toggle};
      if (!fromText(word, strategy.pattern)) return 2;
      const Stopwatch watch;
      const auto model =
          costOfK(cloud, eps, decideWithoutK(strategy, SinkKind::Counts, dims, kLimits));
      const double modelSeconds = watch.seconds();
      if (!model) return 1;
      std::printf("%s, REORDER, SORTIDU and SHORTC %s: model took %.2f s, asked %zu points\n",
                  word.c_str(), options ? "auto" : "off", modelSeconds, model->sampled);
      std::vector<double> seconds;
      for (const CostOfK& cost : model->costs) {
        seconds.push_back(secondsAt(cloud, eps, strategy, cost.k, queries, repeats));
        std::printf("  k %d  %9.3f s   searches %.3g   distances %.3g   sum %.3g\n", cost.k,
                    seconds.back(), cost.cellSearchOps, cost.distanceOps, cost.total());
        std::fflush(stdout);
      }
      const auto best = std::min_element(seconds.begin(), seconds.end());
      std::printf("  best k %d, chosen k %d: %.2f times the best\n\n",
                  static_cast<int>(best - seconds.begin()) + 1, model->best,
                  seconds[static_cast<std::size_t>(model->best - 1)] / *best);
    }
  }
  return 0;
}
