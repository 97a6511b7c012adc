#include "engine/cpu/pair_forecast.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/cpu/cpu_sinks.h"
#include "engine/grid/row_window.h"
#include "engine/join/whole_cells.h"

namespace clusterloom {
namespace {

constexpr double kSampledCandidates = 2e8;
constexpr double kFewestSamples = 64;
constexpr double kStandardErrors = 6;

struct Estimate {
  double pairs = 0;
  double error = 0;  // standard error of `pairs`
};

/// From queries spread evenly over the cell order. They ask by the full pattern, so that a half
/// pattern's ends do not matter.
Estimate estimatePairs(const CpuJoin& join, double candidates, const Task& task) {
  JoinView view = join.view();
  view.pattern = AccessPattern::Full;
  const std::size_t all = join.queries.size();
  const auto n = double(all);
  const auto samples =
      std::size_t(std::min(n, std::max(kFewestSamples, kSampledCandidates / (candidates / n))));
  std::vector<std::uint32_t> counts(join.positions());
  const auto query = [&](std::size_t s) {
    return join.queries.firstQuery + std::uint32_t(s * all / samples);
  };
  parallelForBlocks(samples, 1, [&](std::size_t begin, std::size_t end) {
    SerialLane lane;
    CountSink sink(counts, false, ~std::uint32_t{0});
    for (std::size_t s = begin; s < end && !task.cancelled(); ++s) {
      queryByCells<0>(lane, view, query(s), join.cellOf[query(s)], 0, 1, sink);
      sink.finish(query(s));
    }
  });
  const auto m = double(samples);
  double mean = 0;
  for (std::size_t s = 0; s < samples; ++s) mean += counts[query(s)] / m;
  double variance = 0;
  for (std::size_t s = 0; s < samples; ++s)
    variance += (counts[query(s)] - mean) * (counts[query(s)] - mean) / std::max(1.0, m - 1);
  return {mean * n, samples < all ? std::sqrt(variance / m) * n : 0};
}

std::string rounded(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Result<void> checkPairsFit(const CpuJoin& join, std::uint64_t candidatePairs,
                           std::uint64_t bytesPerPair, const Task& task) {
  const auto bytes = double(bytesPerPair);
  const std::uint64_t available = availableMemory();
  const auto free = double(available);
  const auto candidates = double(candidatePairs);
  if (candidates * bytes <= free) return {};
  const auto refuse = [&](const std::string& pairs, double size) {
    const double mostBytes = 0x1p63;
    return tooLarge("The result would be " + pairs + " pairs, " +
                    memoryText(std::uint64_t(std::min(size, mostBytes))) + ", and " +
                    memoryText(available) + " are free. Use a smaller ε, or ask for counts only.");
  };
  const double squaredEps = join.view().squaredEps;
  const WholeCells whole = decideWholeCells(join.index, join.queries, {&squaredEps, 1}, task);
  if (task.cancelled()) return cancelledError();
  const auto fewest = double(whole.allPairs());
  if (fewest * bytes > free)
    return refuse("at least " + std::to_string(whole.allPairs()), fewest * bytes);
  task.report("estimating the number of pairs", 0);
  const Estimate estimate = estimatePairs(join, candidates, task);
  if (task.cancelled()) return cancelledError();
  if ((estimate.pairs - kStandardErrors * estimate.error) * bytes > free)
    return refuse("about " + rounded("%.3g", estimate.pairs) + " (standard error " +
                      rounded("%.2g", 100 * estimate.error / estimate.pairs) + " %)",
                  estimate.pairs * bytes);
  return {};
}

Result<void> checkPairsFitByGrid(const PointCloud& cloud, double eps, std::uint64_t bytesPerPair,
                                 const Task& task) {
  const auto n = double(cloud.size());
  if (n * n * double(bytesPerPair) <= double(availableMemory())) return {};
  const auto plan = planJoin(cloud, eps, {}, SinkKind::Pairs, {.name = "cpu"}, task);
  if (!plan) return tl::unexpected(plan.error());
  const auto join = prepareCpuJoin(cloud, eps, *plan, task);
  if (!join) return tl::unexpected(join.error());
  const std::uint64_t candidates = candidatesInWindow((*join)->index, (*join)->queries, task);
  if (task.cancelled()) return cancelledError();
  return checkPairsFit(**join, candidates, bytesPerPair, task);
}

}  // namespace clusterloom
