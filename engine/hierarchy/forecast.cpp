#include "engine/hierarchy/forecast.h"

#include <tbb/info.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/cloud/random_stream.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/cloud_tree.h"

namespace clusterloom {
namespace {

constexpr std::size_t kSamples = 4;
constexpr std::size_t kGrowth = 4;           // from one sample to the next
constexpr double kFirstSample = 1250;        // points, of up to kLeastDimsOfProducts dimensions
constexpr std::size_t kNotMeasured = 20000;  // points of such clouds that need no forecast
constexpr double kLeastSample = 100;
constexpr std::uint64_t kSeed = 13;
constexpr double kPeakOverKept = 4.5;  // memory while it is built over memory kept, as measured
constexpr int kRepeats = 5;
constexpr double kLeastExponent = 1.08;  // n log n, from the larger sample to millions of points
constexpr double kMostExponent = 2.0;
constexpr double kLeastSeconds = 1e-6;
constexpr double kLongSeconds = 0.1;    // of the second sample or a later one: no larger is built
constexpr double kShortSeconds = 0.05;  // the same is built again
constexpr double kSerialShare = 0.1;    // of the work of one thread

/// Points drawn with repetition: duplicates are rare in a sample of a large cloud.
PointCloud sampleOf(const PointCloud& cloud, std::size_t points) {
  RandomStream random(kSeed, 0);
  PointCloud sample;
  sample.names = cloud.names;
  sample.columns.assign(cloud.dims(), std::vector<double>(points));
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t p = random.below(std::uint32_t(cloud.size()));
    for (std::size_t j = 0; j < cloud.dims(); ++j) sample.columns[j][i] = cloud.columns[j][p];
  }
  return sample;
}

/// Products compare all pairs, and their time grows with the square of the points and with the
/// dimensions: samples are smaller.
std::size_t firstSample(std::size_t dims) {
  const double share = std::min(1.0, std::sqrt(double(kLeastDimsOfProducts) / double(dims)));
  return std::size_t(std::max(kLeastSample, share * kFirstSample));
}

/// How long a build of a number of points took by one thread.
struct Sample {
  double points;
  double seconds;
};

/// A tree takes a power of the points.
double secondsByTree(const Sample& smaller, const Sample& larger, double points) {
  const double exponent = std::clamp(
      std::log(larger.seconds / smaller.seconds) / std::log(larger.points / smaller.points),
      kLeastExponent, kMostExponent);
  return larger.seconds * std::pow(points / larger.points, exponent);
}

/// Products take a share for each point and one for each pair, of which samples of few points show
/// the first only.
double secondsByProducts(const Sample& smaller, const Sample& larger, double points) {
  const double each = larger.seconds / larger.points;
  const double growth =
      (each - smaller.seconds / smaller.points) / (larger.points - smaller.points);
  const double ofPair = std::clamp(growth, 0.0, each / larger.points);
  return points * (each + ofPair * (points - larger.points));
}

}  // namespace

bool hierarchyPossible(std::size_t points, std::int64_t minPts) {
  return minPts <= kMaxNearest || minPts > std::int64_t(points);
}

Result<HierarchyForecast> forecastHierarchy(const PointCloud& cloud,
                                            const HierarchyOptions& options, const Task& task) {
  HierarchyOptions byOneThread = options;
  byOneThread.threads = 1;
  std::array<std::size_t, kSamples> points{firstSample(cloud.dims())};
  for (std::size_t i = 1; i < kSamples; ++i) points[i] = kGrowth * points[i - 1];
  const bool quick = cloud.dims() < kLeastDimsOfProducts;
  if (cloud.size() <= (quick ? kNotMeasured : points[1])) return HierarchyForecast{};
  std::array<double, kSamples> seconds{};
  std::uint64_t bytes = 0;
  std::size_t measured = 0;
  while (measured < kSamples && points[measured] < cloud.size()) {
    const PointCloud sample = sampleOf(cloud, points[measured]);
    Task quiet;  // the progress is that of the build
    quiet.stop = task.stop;
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < kRepeats && (repeat == 0 || least < kShortSeconds); ++repeat) {
      const double start = threadSeconds();
      const auto built = Hierarchy::build(sample, byOneThread, quiet);
      if (!built) return tl::unexpected(built.error());
      least = std::min(least, threadSeconds() - start);
      bytes = built->bytes();
    }
    seconds[measured] = std::max(least, kLeastSeconds);
    ++measured;
    // Two samples say how the time grows, also where larger ones would take too long.
    if (measured > 1 && seconds[measured - 1] > kLongSeconds) break;
  }
  const auto sample = [&](std::size_t i) { return Sample{double(points[i]), seconds[i]}; };
  const double larger = double(cloud.size()) / double(points[measured - 1]);
  HierarchyForecast forecast;
  forecast.processorSeconds =
      (isSearchedByProducts(cloud, options) ? secondsByProducts : secondsByTree)(
          sample(measured - 2), sample(measured - 1), double(cloud.size()));
  forecast.seconds = forecast.processorSeconds *
                     (kSerialShare + (1 - kSerialShare) / double(tbb::info::default_concurrency()));
  forecast.bytes = std::uint64_t(double(bytes) * larger);
  forecast.peakBytes = std::max(std::uint64_t(kPeakOverKept * double(bytes) * larger),
                                forecast.bytes + cloudTreePeakBytes(cloud, options));
  if (options.metric == Metric::Cosine)  // unit vectors
    forecast.peakBytes += sizeof(double) * cloud.size() * cloud.dims();
  return forecast;
}

}  // namespace clusterloom
