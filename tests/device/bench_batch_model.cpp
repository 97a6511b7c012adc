// The batch-size model of [Gowanlock 2018, §5.4] for sorted key/value pairs: fitted at one ε from
// two batch sizes, predicted against measured at others; cold (a backend that has locked no memory
// yet) and warm (slabs pooled). Expo2D, 2 M points, UNICOMP, three streams.
//
//   bench_batch_model [POINTS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/runtime/slab_pool.h"
#include "engine/join/batch_model.h"

using namespace clusterloom;

namespace {

constexpr int kStreams = 3;
constexpr double kAlpha = 100e6;
constexpr double kBeta = 25e6;
constexpr double kSizes[] = {12.5e6, 25e6, 50e6, 100e6};
constexpr double kFitted = 0.0003;
constexpr double kEpsilons[] = {0.0002, 0.0003, 0.0004};

struct Measured {
  double seconds = 0;
  std::uint64_t batches = 0;
  std::uint64_t pairs = 0;
  double spread = 0;  ///< longest less shortest of the repeats
};

std::optional<Measured> measure(const Backend& gpu, const PointCloud& cloud, double eps,
                                double batch, int repeats) {
  std::vector<double> seconds;
  Measured measured;
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch watch;
    const auto table = gpu.neighbourTable(cloud, eps,
                                          {.pattern = AccessPattern::Unicomp,
                                           .indexedDims = 2,
                                           .route = ResultRoute::KeyValueSort,
                                           .batchPairs = static_cast<std::uint64_t>(batch)},
                                          {});
    seconds.push_back(watch.seconds());
    if (!table) {
      std::printf("%s\n", table.error().message.c_str());
      return std::nullopt;
    }
    measured.batches = table->stats.batches;
    measured.pairs = table->ids.size();
  }
  std::sort(seconds.begin(), seconds.end());
  measured.seconds = seconds[seconds.size() / 2];
  measured.spread = seconds.back() - seconds.front();
  return measured;
}

// Seconds to lock one stream's buffer. Slabs have one size, so T2 does not grow with b_s here.
double secondsToPin() {
  std::vector<double> seconds;
  for (int i = 0; i < 5; ++i) {
    const Stopwatch watch;
    const PinnedBuffer<std::byte> slab(SlabPool::kSlabBytes);
    seconds.push_back(watch.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

bool compare(const char* state, double pinning,
             const std::function<std::optional<Measured>(double, double)>& run) {
  const auto alpha = run(kFitted, kAlpha);
  const auto beta = run(kFitted, kBeta);
  if (!alpha || !beta) return false;
  const double constant = kStreams * pinning;
  const auto model = fitBatchModel(
      {.response = alpha->seconds - constant, .batchPairs = kAlpha, .batches = alpha->batches},
      {.response = beta->seconds - constant, .batchPairs = kBeta, .batches = beta->batches},
      kStreams, std::max(alpha->spread, beta->spread));
  std::printf("%s: pinning %.1f ms a stream; R %.3f s with %llu batches, %.3f s with %llu\n", state,
              1e3 * pinning, alpha->seconds, static_cast<unsigned long long>(alpha->batches),
              beta->seconds, static_cast<unsigned long long>(beta->batches));
  if (!model) {
    std::printf("  not fitted: %s\n", model.error().message.c_str());
    return true;
  }
  std::printf("  T1 %.3f s, θ %.2f ms\n", model->joining, 1e3 * model->perBatch);
  for (const double eps : kEpsilons) {
    std::uint64_t pairs = 0;
    for (const double size : kSizes) {
      const auto measured = run(eps, size);
      if (!measured) return false;
      pairs = measured->pairs;
      const double byVolume = workloadRatio(kFitted, eps, 2);
      const double byPairs = static_cast<double>(pairs) / static_cast<double>(alpha->pairs);
      std::printf(
          "  ε %g, b_s %5.1f M: %2llu batches (model %2.0f), measured %.3f s, predicted %.3f s by "
          "volume, %.3f s by result size\n",
          eps, size / 1e6, static_cast<unsigned long long>(measured->batches),
          model->batchesFor(byPairs, size), measured->seconds,
          model->predict(byVolume, size) + constant, model->predict(byPairs, size) + constant);
      std::fflush(stdout);
    }
    std::printf("  best b_s by the model: %.1f M\n",
                model->bestBatch(static_cast<double>(pairs) / static_cast<double>(alpha->pairs),
                                 kSizes[0], kSizes[3]) /
                    1e6);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t points = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  const auto warm = makeBackend("cuda", {});
  if (!warm) {
    std::printf("no device: %s\n", warm.error().message.c_str());
    return 77;
  }
  const PointCloud cloud =
      std::move(generate({.kind = "expo", .points = points, .dims = 2, .seed = 42})->cloud);
  measure(**warm, cloud, kFitted, kAlpha, 1);
  const bool warmRan = compare(
      "warm", 0, [&](double eps, double size) { return measure(**warm, cloud, eps, size, 3); });
  const bool coldRan = compare("cold", secondsToPin(), [&](double eps, double size) {
    const auto cold = makeBackend("cuda", {});
    return cold ? measure(**cold, cloud, eps, size, 1) : std::nullopt;
  });
  return warmRan && coldRan ? 0 : 1;
}
