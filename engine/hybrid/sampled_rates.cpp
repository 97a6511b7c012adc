#include "engine/hybrid/sampled_rates.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>

#include "engine/core/stopwatch.h"
#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {
namespace {

constexpr std::size_t kSampledPoints = 4096;
constexpr double kSampleSeconds = 1e-3;
// All threads at once are slower than one: they share caches, memory and the power budget.
constexpr double kEachOfMany = 0.75;
constexpr std::size_t kWorkQueries = 48;
constexpr std::size_t kWorkPoints = 1 << 16;

PointCloud everyNth(const PointCloud& cloud, std::size_t nth) {
  PointCloud sample;
  for (const auto& column : cloud.columns) {
    std::vector<double>& values = sample.columns.emplace_back();
    for (std::size_t i = 0; i < column.size(); i += nth) values.push_back(column[i]);
  }
  return sample;
}

std::size_t stepFor(std::size_t size, std::size_t sampled) {
  return std::max<std::size_t>(1, size / sampled);
}

}  // namespace

Result<RateSample> sampleJoin(const JoinInput& input, double eps, const Strategy& strategy,
                              SinkKind sink, const BackendLimits& limits, const Task& task) {
  RateSample sample;
  const std::size_t step = stepFor(input.points.size(), kSampledPoints);
  sample.points = everyNth(input.points, step);
  if (input.twoClouds)
    sample.queries = everyNth(input.queries, stepFor(input.queries.size(), kSampledPoints));
  const int indexed =
      strategy.indexedDims > 0
          ? strategy.indexedDims
          : int(std::max<std::size_t>(1, std::min<std::size_t>(input.points.dims(), 8)));
  sample.eps = eps * std::pow(double(step), 1.0 / indexed);
  Strategy own = strategy;
  own.precision = Precision::Double;
  auto plan = planJoin(sample.input(), sample.eps, own, sink, limits, task);
  if (!plan) return tl::unexpected(plan.error());
  sample.plan = std::move(*plan);
  return sample;
}

Result<double> sampledCpuRate(const RateSample& sample, const MakeCpuSide& makeCpuSide, int threads,
                              const Task& task) {
  const JoinInput input = sample.input();
  const auto side = makeCpuSide({input, sample.eps, sample.plan}, task);
  if (!side) return tl::unexpected(side.error());
  const auto order = orderByGrid({input, sample.eps, sample.plan}, task);
  if (!order) return tl::unexpected(order.error());
  const auto worker = (*side)->worker();
  double work = 0;
  const std::uint32_t n = order->size();
  if (n == 0) return 0.0;
  // All over the order, so that light queries count as they do in the whole.
  const std::uint32_t step = std::max(1U, n / 512);
  const Stopwatch watch;
  double seconds = 0;
  for (std::uint32_t first = 0; first < step && seconds < kSampleSeconds; ++first)
    for (std::uint32_t q = first; q < n && seconds < kSampleSeconds; q += step) {
      worker->count((*order->points)[q], ~std::uint32_t{0});
      work += order->workBefore(q + 1) - order->workBefore(q);
      if (q / step % 16 == 15) seconds = watch.seconds();
    }
  seconds = watch.seconds();
  const double many = threads > 1 ? kEachOfMany * threads : 1;
  return seconds > 0 ? many * work / seconds : 0.0;
}

double sampledWork(const JoinInput& input, double eps, const std::vector<int>& dims) {
  const std::size_t step = stepFor(input.points.size(), kWorkPoints);
  const std::size_t queryStep = stepFor(input.queries.size(), kWorkQueries);
  const std::size_t queries = (input.queries.size() + queryStep - 1) / queryStep;
  const std::uint64_t found = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, queries, 1), std::uint64_t{0},
      [&](const auto& range, std::uint64_t sum) {
        for (std::size_t i = range.begin(); i < range.end(); ++i)
          for (std::size_t p = 0; p < input.points.size(); p += step)
            sum += std::ranges::all_of(dims, [&](int j) {
              const auto at = std::size_t(j);
              return std::abs(input.points.columns[at][p] -
                              input.queries.columns[at][i * queryStep]) <= 1.5 * eps;
            });
        return sum;
      },
      std::plus<>{});
  const double perQuery = double(found * step) / double(std::max<std::size_t>(1, queries));
  return double(input.queries.size()) * (perQuery + kQueryWork);
}

}  // namespace clusterloom
