// Candidates and selectivity of the clouds of [Gallet 2020], beside the published figures.
//
//   bench_candidates [ROWS]        the first ROWS of them
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/backend.h"
#include "tests/device/paper_clouds.h"

using namespace clusterloom;

namespace {

struct Row {
  paperClouds::Case cloud;
  double published;  ///< candidates; 0 where none were
};

constexpr Row kRows[] = {{{"expo", 2, 2'000'000, 0.002}, 51'789'286'408.0},
                         {{"expo", 2, 10'000'000, 0.0004}, 56'439'981'246.0},
                         {{"expo", 4, 2'000'000, 0.01}, 113'929'159'776.0},
                         {{"expo", 4, 10'000'000, 0.004}, 217'420'698'818.0},
                         {{"unif", 2, 2'000'000, 1.0}, 0},
                         {{"expo", 6, 2'000'000, 0.012}, 0},
                         {{"unif", 6, 2'000'000, 8}, 0},
                         {{"expo", 8, 2'000'000, 0.015}, 77'827'299'052.0},
                         {{"expo", 8, 10'000'000, 0.010}, 207'650'110'734.0},
                         {{"expo", 8, 10'000'000, 0.012}, 207'650'110'734.0}};

// What a raw exponential cloud with λ = 40 is expected to give when all k dimensions are indexed.
double expected(const paperClouds::Case& c) {
  const double n = static_cast<double>(c.points);
  const double q = std::exp(-40 * c.eps);
  const double one = (1 - q) * (1 + 2 * q) / (1 + q);
  return n + n * (n - 1) * std::pow(one, static_cast<double>(c.dims));
}

}  // namespace

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 100;
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  int row = 0;
  for (const Row& r : kRows) {
    if (row++ == rows) break;
    const PointCloud cloud = paperClouds::make(r.cloud);
    const auto counted =
        (*gpu)->count(cloud, r.cloud.eps,
                      {.indexedDims = static_cast<int>(r.cloud.dims), .sortIdu = Toggle::Off}, {});
    if (!counted) {
      std::printf("%s: %s\n", paperClouds::nameOf(r.cloud).c_str(),
                  counted.error().message.c_str());
      return 1;
    }
    const double n = static_cast<double>(r.cloud.points);
    const auto candidates = static_cast<double>(counted->candidates);
    std::printf("%-26s %15llu candidates, S %8.1f, join %7.3f s",
                paperClouds::nameOf(r.cloud).c_str(),
                static_cast<unsigned long long>(counted->candidates),
                (static_cast<double>(counted->pairs) - n) / n, counted->stats.seconds.join);
    if (r.published > 0) std::printf(", %.4f of the published", candidates / r.published);
    if (r.cloud.generator[0] == 'e')
      std::printf(", %.4f of the expected", candidates / expected(r.cloud));
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
