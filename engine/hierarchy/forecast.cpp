#include "engine/hierarchy/forecast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/cloud/random_stream.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {
namespace {

constexpr std::array<std::size_t, 2> kSamples{5000, 20000};
constexpr std::uint64_t kSeed = 13;
constexpr double kPeakOverKept = 4.5;  // memory while it is built over memory kept, as measured
constexpr int kRepeats = 7;
constexpr double kRepeatSeconds = 0.8;
constexpr double kLeastExponent = 1.0;
constexpr double kLeastSeconds = 1e-6;
constexpr double kLongSeconds = 0.2;  // of the small sample
constexpr double kMostExponent = 2.0;

/// Points drawn with repetition: duplicates are rare in a sample of a large cloud.
PointCloud sampleOf(const PointCloud& cloud, std::size_t points) {
  RandomStream random(kSeed, 0);
  PointCloud sample;
  sample.names = cloud.names;
  sample.columns.assign(cloud.dims(), std::vector<double>(points));
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t p = random.below(static_cast<std::uint32_t>(cloud.size()));
    for (std::size_t j = 0; j < cloud.dims(); ++j) sample.columns[j][i] = cloud.columns[j][p];
  }
  return sample;
}

}  // namespace

bool hierarchyPossible(std::size_t points, std::int64_t minPts) {
  return minPts <= kMaxNearest || minPts > static_cast<std::int64_t>(points);
}

Result<HierarchyForecast> forecastHierarchy(const PointCloud& cloud, std::int64_t minPts,
                                            const Task& task) {
  if (cloud.size() <= kSamples.back()) return HierarchyForecast{};
  std::array<double, kSamples.size()> seconds{};
  std::uint64_t bytes = 0;
  std::size_t measured = 0;
  while (measured < kSamples.size()) {
    const PointCloud sample = sampleOf(cloud, kSamples[measured]);
    Task quiet;  // the progress is that of the build
    quiet.stop = task.stop;
    // The least of a few, because other work on the machine would be multiplied, too.
    double least = std::numeric_limits<double>::infinity();
    const Stopwatch all;
    for (int repeat = 0; repeat < kRepeats && (repeat == 0 || all.seconds() < kRepeatSeconds);
         ++repeat) {
      const Stopwatch time;
      const auto built = Hierarchy::build(sample, {.minPts = minPts}, quiet);
      if (!built) return tl::unexpected(built.error());
      least = std::min(least, time.seconds());
      bytes = built->bytes();
    }
    seconds[measured] = std::max(least, kLeastSeconds);
    ++measured;
    // In many dimensions every point is compared with most others: the larger sample would take
    // its square, and the exponent is known.
    if (seconds[measured - 1] > kLongSeconds) break;
  }
  const double growth = static_cast<double>(kSamples[1]) / static_cast<double>(kSamples[0]);
  const double exponent = measured == 1
                              ? kMostExponent
                              : std::clamp(std::log(seconds[1] / seconds[0]) / std::log(growth),
                                           kLeastExponent, kMostExponent);
  const double larger =
      static_cast<double>(cloud.size()) / static_cast<double>(kSamples[measured - 1]);
  HierarchyForecast forecast;
  forecast.seconds = seconds[measured - 1] * std::pow(larger, exponent);
  forecast.bytes = static_cast<std::uint64_t>(static_cast<double>(bytes) * larger);
  forecast.peakBytes =
      static_cast<std::uint64_t>(kPeakOverKept * static_cast<double>(bytes) * larger);
  return forecast;
}

}  // namespace clusterloom
