#include "engine/hierarchy/forecast.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/cloud/random_stream.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {
namespace {

constexpr std::array<std::size_t, 2> kSamples{5000, 20000};
constexpr std::uint64_t kSeed = 13;
constexpr double kPeakOverKept = 1.6;  // memory while building over memory kept
constexpr double kLeastExponent = 1.0;
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
  for (std::size_t i = 0; i < kSamples.size(); ++i) {
    const PointCloud sample = sampleOf(cloud, kSamples[i]);
    Task quiet;  // the progress is that of the build
    quiet.stop = task.stop;
    const Stopwatch time;
    const auto built = Hierarchy::build(sample, {.minPts = minPts}, quiet);
    if (!built) return tl::unexpected(built.error());
    seconds[i] = time.seconds();
    bytes = built->bytes();
  }
  const double growth = static_cast<double>(kSamples[1]) / static_cast<double>(kSamples[0]);
  const double exponent =
      std::clamp(std::log(seconds[1] / std::max(seconds[0], 1e-6)) / std::log(growth),
                 kLeastExponent, kMostExponent);
  const double larger = static_cast<double>(cloud.size()) / static_cast<double>(kSamples.back());
  HierarchyForecast forecast;
  forecast.seconds = seconds[1] * std::pow(larger, exponent);
  forecast.bytes = static_cast<std::uint64_t>(static_cast<double>(bytes) * larger);
  forecast.peakBytes =
      static_cast<std::uint64_t>(kPeakOverKept * static_cast<double>(bytes) * larger);
  return forecast;
}

}  // namespace clusterloom
