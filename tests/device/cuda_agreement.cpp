// The CUDA backend, and the backend hybrid, against brute force on the CPU, for joins of one cloud
// and of two, and DBSCAN, by Manhattan and Chebyshev distances too: a representative set of
// strategies, then random clouds and strategies until the time is up; every other random cloud is a
// prepared one, whose runs find what the first has uploaded. Exit status 1 on the first difference,
// which is printed with its seed and strategy; 2 where no GPU answers.
//
//   cuda_agreement [--seconds S] [--seed N] [--random]     --random leaves the set out
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/hybrid/shared_gpu.h"
#include "engine/hierarchies.h"
#include "engine/hybrid/hybrid_backend.h"
#include "tests/device/copy_agreement.h"
#include "tests/engine/gpu_agreement.h"
#include "tests/engine/hybrid_agreement.h"
#include "tests/engine/metric_agreement.h"
#include "tests/engine/product_agreement.h"
#include "tests/engine/two_clouds.h"

using namespace clusterloom;

namespace {

// The backend hybrid that shares all it can: these clouds are so small that the GPU would do the
// adaptive runs alone.
Result<std::unique_ptr<Backend>> sharing() {
  auto gpu = makeSharedGpu(-1);
  if (!gpu) return tl::unexpected(gpu.error());
  return makeHybridBackend(std::move(*gpu), 4);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 60;
  std::uint64_t seed = 1;
  bool representative = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--random") == 0) {
      representative = false;
    } else {
      std::fprintf(stderr, "usage: %s [--seconds S] [--seed N] [--random]\n", argv[0]);
      return 2;
    }
  }
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 2;
  }
  std::printf("%s\n", (*gpu)->describe().c_str());
  const Stopwatch watch;
  gpuAgreement::Tally tally;
  std::string what = copyAgreement::ofSizes((*gpu)->devices().front().number);
  if (representative && what.empty()) what = gpuAgreement::replays(**gpu);
  if (representative && what.empty()) what = gpuAgreement::queueBatches(**gpu);
  if (what.empty()) what = gpuAgreement::sharesPreparedCloud(**gpu);
  const std::uint64_t first = seed;
  if (representative && what.empty())
    what = gpuAgreement::representative(
        **gpu, [&] { return watch.seconds() < seconds / 2; }, tally);
  const auto hybrid = sharing();
  if (!hybrid) {
    std::printf("no hybrid: %s\n", hybrid.error().message.c_str());
    return 1;
  }
  if (representative && what.empty()) what = hybridAgreement::replays(**hybrid);
  std::uint64_t products = 0;
  const double before = watch.seconds();
  if (what.empty() && (*gpu)->limits().products)
    what = productAgreement::onGpu(
        **gpu, [&] { return watch.seconds() - before < seconds / 4; }, products);
  std::printf("%llu cases of products agree\n", static_cast<unsigned long long>(products));
  std::uint64_t nearest = 0;
  const double beforeNearest = watch.seconds();
  if (what.empty() && (*gpu)->limits().products)
    what = productAgreement::ofNearest(
        [](const PointCloud& cloud, int k) { return findNearest(cloud, k, 0, {"cuda"}); },
        [&] { return watch.seconds() - beforeNearest < seconds / 4; }, nearest);
  std::printf("%llu cases of neighbours agree\n", static_cast<unsigned long long>(nearest));
  std::uint64_t twoCloudSet = 0;
  if (representative && what.empty()) what = twoClouds::representative(**gpu, twoCloudSet);
  const double setSeconds = watch.seconds();
  gpuAgreement::Tally shared;
  for (; what.empty() && watch.seconds() < seconds; ++seed) {
    what = gpuAgreement::randomCase(**gpu, seed, tally);
    if (what.empty()) what = hybridAgreement::randomCase(**hybrid, seed, true, shared);
    if (what.empty()) what = hybridAgreement::twoCloudCase(**hybrid, seed, true);
    if (what.empty()) what = twoClouds::randomCase(**gpu, seed, true);
    if (what.empty()) what = metricAgreement::randomCase(**gpu, seed);
  }
  std::printf("%llu shared runs agree\n",
              static_cast<unsigned long long>(shared.joins + shared.dbscans));
  std::printf(
      "%llu dbscan runs and %llu triples of joins agree with brute force, and %llu strategies "
      "for two clouds; the set took %.1f s, seeds %llu to %llu, %.1f s in all\n",
      static_cast<unsigned long long>(tally.dbscans), static_cast<unsigned long long>(tally.joins),
      static_cast<unsigned long long>(twoCloudSet), setSeconds,
      static_cast<unsigned long long>(first), static_cast<unsigned long long>(seed),
      watch.seconds());
  if (what.empty()) return 0;
  std::printf("DIFFERENT: %s\n", what.c_str());
  return 1;
}
