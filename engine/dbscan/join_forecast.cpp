#include "engine/dbscan/join_forecast.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/cloud/stratified_sample.h"
#include "engine/core/memory_budget.h"
#include "engine/core/number_text.h"
#include "engine/join/strategy.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kPilotQueries = 64;
// Queries that are asked for pairs and for times, and their candidates: a tenth of a second or so
// of one core each time.
constexpr std::uint64_t kFewestQueries = 128;
constexpr std::uint64_t kMostQueries = 50'000;
constexpr double kMostCandidates = 5e7;
constexpr int kTimedSlabs = 3;

struct Sums {
  double sum = 0;
  double squares = 0;
  double n = 0;

  void add(double x) {
    sum += x;
    squares += x * x;
    ++n;
  }
  double mean() const { return n > 0 ? sum / n : 0; }
  /// Of the mean; of fewer than two values it is not known: 0.
  double standardError() const {
    if (n < 2) return 0;
    return std::sqrt(std::max(0.0, squares - sum * mean()) / (n - 1) / n);
  }
};

/// The dimension with the largest range.
std::size_t widestDimension(const PointCloud& cloud) {
  const Bounds bounds = boundsOf(cloud);
  std::size_t widest = 0;
  for (std::size_t j = 1; j < cloud.dims(); ++j)
    if (bounds.high[j] - bounds.low[j] > bounds.high[widest] - bounds.low[widest]) widest = j;
  return widest;
}

/// About `wanted` points that lie together, as neighbouring queries of a join do: those between two
/// coordinates of the widest dimension. Slab `number` of kTimedSlabs, which are spread over the
/// points.
std::vector<std::uint32_t> slab(const PointCloud& cloud, std::size_t dimension,
                                std::uint64_t wanted, int number) {
  constexpr std::uint64_t kQuantiles = 20'000;
  const Coordinates& x = cloud.columns[dimension];
  std::vector<double> sorted;
  for (const std::uint32_t p : stratifiedSample(x.size(), kQuantiles)) sorted.push_back(x[p]);
  std::sort(sorted.begin(), sorted.end());
  const auto m = double(sorted.size());
  const double width = std::min(m, m * double(wanted) / double(x.size()));
  const double begin = (m - width) * (number + 0.5) / kTimedSlabs;
  const auto at = [&](double position) {
    return sorted[std::min(sorted.size() - 1, std::size_t(position))];
  };
  const double low = at(begin);
  const double high = at(begin + width);
  std::vector<std::uint32_t> ids;
  // Many points may have one coordinate.
  for (std::uint32_t p = 0; p < x.size() && ids.size() < 2 * wanted; ++p)
    if (low <= x[p] && x[p] <= high) ids.push_back(p);
  return ids;
}

/// A count in groups of digits, the first `digits` of which matter.
std::string countText(double count, int digits) {
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(count, 1.0))) + 1 - digits);
  const double rounded = unit > 1 ? std::round(count / unit) * unit : std::round(count);
  return groupedText(std::uint64_t(std::min(rounded, 0x1p62)));
}

std::string sizeText(double bytes) { return memoryText(std::uint64_t(std::min(bytes, 0x1p63))); }

}  // namespace

Result<JoinForecast> forecastJoin(const Backend& backend, const PointCloud& cloud, double eps,
                                  const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  JoinForecast forecast;
  const std::uint64_t n = cloud.size();
  forecast.eps = eps;
  forecast.points = n;
  const auto ask = [&](const std::vector<std::uint32_t>& ids) {
    return backend.count(JoinInput(pointsOf(cloud, ids), cloud), eps, Strategy{}, {task.stop, {}});
  };
  task.report("sampling queries", 0);
  const auto pilot = stratifiedSample(n, kPilotQueries);
  auto asked = ask(pilot);
  if (!asked) return tl::unexpected(asked.error());
  const double perQuery = std::max(1.0, double(asked->candidates) / double(pilot.size()));
  const auto wanted = std::uint64_t(
      std::clamp(kMostCandidates / perQuery, double{kFewestQueries}, double{kMostQueries}));

  const auto queries = stratifiedSample(n, wanted);
  asked = ask(queries);
  if (!asked) return tl::unexpected(asked.error());
  Sums counts;
  for (const std::uint32_t count : asked->counts) counts.add(count);
  const auto all = double(n);
  forecast.queries = queries.size();
  forecast.pairs = counts.mean() * all;
  forecast.candidates = double(asked->candidates) / counts.n * all;
  if (!forecast.isWhole()) forecast.pairsError = counts.standardError() * all;

  // Queries far from each other share no caches: times are those of points that lie together.
  Sums secondsPerCandidate;
  double index = asked->stats.seconds.index;
  const std::size_t widest = widestDimension(cloud);
  for (int number = 0; number < kTimedSlabs; ++number) {
    task.report("timing queries", double(number) / kTimedSlabs);
    asked = ask(slab(cloud, widest, wanted, number));
    if (!asked) return tl::unexpected(asked.error());
    const auto candidates = double(std::max<std::uint64_t>(1, asked->candidates));
    secondsPerCandidate.add(asked->stats.seconds.join / candidates);
    index = std::min(index, asked->stats.seconds.index);
  }
  forecast.isMost =
      asked->stats.strategy.starts_with(describe(Strategy{.method = Method::Products}));
  forecast.seconds = index + secondsPerCandidate.mean() * forecast.candidates;
  forecast.secondsError = secondsPerCandidate.standardError() * forecast.candidates;
  return forecast;
}

std::string pairsText(const JoinForecast& join) {
  if (join.isWhole())
    return countText(join.pairs, 19) + " ordered, each point with itself included";
  return "about " + countText(join.pairs, 4) + " ordered, standard error " +
         percentText(join.pairsError / join.pairs) + ", by " + groupedText(join.queries) +
         " queries";
}

std::string resultsText(const JoinForecast& join) {
  const auto available = double(availableMemory());
  const auto size = [&](const char* name, double bytes) {
    return name + sizeText(bytes) + (bytes > available ? " (too much)" : "");
  };
  return size("counts ", join.countBytes()) + size(", neighbour table ", join.tableBytes()) +
         size(", list of pairs ", join.pairListBytes()) + "; " + sizeText(available) + " are free";
}

}  // namespace clusterloom
