#include "engine/join/periodic_box.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cmath>
#include <functional>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"
#include "engine/core/predicate.h"

namespace clusterloom {
namespace {

// Points of a column between two looks at the task.
constexpr std::size_t kPointsAtOnce = std::size_t{1} << 16;
// Sums of a coordinate and a period stay finite.
constexpr double kLongestPeriod = 1e300;

/// The unit u of a periodic dimension's coordinates: 2^-52 times the power of two at or above L.
double unitOf(double period) {
  int exponent = 0;
  if (std::frexp(period, &exponent) == 0.5) --exponent;  // a power of two itself
  return std::ldexp(1.0, exponent - 52);
}

// Exact but for the rounding of the quotient, which has at most 53 bits: u is a power of two.
double roundTo(double unit, double x) { return std::nearbyint(x / unit) * unit; }

double wrap(double x, double period, double unit) {
  double w = roundTo(unit, x >= 0 && x < period ? x : std::fmod(x, period));
  if (w < 0) w += period;
  return w < period ? w + 0.0 : 0.0;  // no negative zero
}

std::string nameOf(const std::vector<std::string>& names, std::size_t j) {
  return j < names.size() ? names[j] : std::to_string(j);
}

// Both differences are exact. A point near both faces gets two images.
bool isNearLow(double x, double reach) { return x <= reach; }
bool isNearHigh(double x, double period, double reach) { return period - x <= reach; }

/// TooLarge where `all` points are too many for ids or for the memory.
Result<void> checkImages(double all, std::size_t points, std::size_t dims, double reach) {
  const double bytes =
      (all - double(points)) * double(dims * sizeof(double) + sizeof(std::uint32_t));
  const bool tooMany = all > double(kMaxPoints);
  if (!tooMany && bytes <= double(availableMemory())) return {};
  return tooLarge("The points of the periodic box with their images within " +
                  roundTripText(reach) + " would be " + roundTripText(all) + " in place of " +
                  groupedText(points) + ", more than " +
                  (tooMany ? groupedText(kMaxPoints) : "the memory holds") +
                  "; choose a smaller ε or fewer periodic dimensions.");
}

/// Appends to every column the images of points by ±L in dimension j.
Result<void> addImages(CloudWithImages& all, std::size_t points, std::size_t j, double period,
                       double reach, const Task& task) {
  std::vector<std::uint32_t> up;
  std::vector<std::uint32_t> down;
  const Coordinates& along = all.cloud.columns[j];
  for (std::size_t p = 0; p < along.size(); ++p) {
    if (p % kPointsAtOnce == 0 && task.cancelled()) return cancelledError();
    if (isNearLow(along[p], reach)) up.push_back(std::uint32_t(p));
    if (isNearHigh(along[p], period, reach)) down.push_back(std::uint32_t(p));
  }
  for (std::size_t i = 0; i < all.cloud.dims(); ++i) {
    std::vector<double>& column = all.cloud.columns[i];
    const double step = i == j ? period : 0.0;
    for (const std::uint32_t p : up) column.push_back(column[p] + step);
    if (task.cancelled()) return cancelledError();
    for (const std::uint32_t p : down) column.push_back(column[p] - step);
    if (task.cancelled()) return cancelledError();
  }
  for (const auto* moved : {&up, &down})
    for (const std::uint32_t p : *moved)
      all.originals.push_back(p < points ? p : all.originals[p - points]);
  return {};
}

}  // namespace

Result<PeriodicBox> makePeriodicBox(const std::vector<double>& periods, const PointCloud& cloud) {
  if (periods.size() != cloud.dims())
    return badCall("A periodic box takes one period per dimension: " +
                   std::to_string(cloud.dims()) + " are needed, " + std::to_string(periods.size()) +
                   " given. 0 stands for a dimension without one.");
  PeriodicBox box;
  bool any = false;
  for (std::size_t j = 0; j < periods.size(); ++j) {
    const double period = periods[j];
    const bool none = period == 0;
    if (!none && (!(period > 0) || !std::isnormal(period) || period > kLongestPeriod))
      return badCall("The period of dimension " + nameOf(cloud.names, j) +
                     " must be between 0 and 1e300, not " + roundTripText(period) + ".");
    any = any || !none;
    box.periods.push_back(none ? 0.0 : roundTo(unitOf(period), period));
  }
  if (!any) return badCall("A periodic box needs at least one period other than 0.");
  return box;
}

Result<void> checkEps(const PeriodicBox& box, double eps, const std::vector<std::string>& names) {
  const auto squaredEps = epsSquared(eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  for (std::size_t j = 0; j < box.periods.size(); ++j) {
    const double half = box.periods[j] / 2;
    // By the predicate: a difference of L/2 or more is never within ε.
    if (half > 0 && withinEps(half * half, *squaredEps))
      return badCall("ε must be less than half of each period: ε is " + roundTripText(eps) +
                     ", the period of dimension " + nameOf(names, j) + " is " +
                     roundTripText(box.periods[j]) + ".");
  }
  return {};
}

Result<PointCloud> wrapped(const PointCloud& cloud, const PeriodicBox& box, const Task& task) {
  PointCloud moved = cloud;
  for (std::size_t j = 0; j < moved.dims(); ++j) {
    const double period = box.periods[j];
    if (period == 0) continue;
    const double unit = unitOf(period);
    std::vector<double>& column = moved.columns[j];
    parallelFor(column.size(), kPointsAtOnce, task,
                [&](std::size_t p) { column[p] = wrap(column[p], period, unit); });
    if (task.cancelled()) return cancelledError();
  }
  return moved;
}

double pointsWithImages(const PointCloud& cloud, const PeriodicBox& box, double reach,
                        const Task& task) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, cloud.size(), kPointsAtOnce), 0.0,
      [&](const auto& range, double sum) {
        if (task.cancelled()) return sum;
        for (std::size_t p = range.begin(); p < range.end(); ++p) {
          double copies = 1;
          for (std::size_t j = 0; j < cloud.dims(); ++j) {
            if (box.periods[j] == 0) continue;
            const double x = cloud.columns[j][p];
            copies *= 1 + int{isNearLow(x, reach)} + int{isNearHigh(x, box.periods[j], reach)};
          }
          sum += copies;
        }
        return sum;
      },
      std::plus<>());
}

Result<CloudWithImages> withImages(PointCloud cloud, const PeriodicBox& box, double reach,
                                   const Task& task) {
  const std::size_t points = cloud.size();
  const double total = pointsWithImages(cloud, box, reach, task);
  if (task.cancelled()) return cancelledError();
  if (auto fits = checkImages(total, points, cloud.dims(), reach); !fits)
    return tl::unexpected(fits.error());
  CloudWithImages all{std::move(cloud), {}};
  for (auto& column : all.cloud.columns) column.reserve(std::size_t(total));
  all.originals.reserve(std::size_t(total) - points);
  // Images that a dimension adds are points to the next one: so corners get theirs.
  for (std::size_t j = 0; j < all.cloud.dims(); ++j)
    if (const double period = box.periods[j]; period > 0)
      if (auto added = addImages(all, points, j, period, reach, task); !added)
        return tl::unexpected(added.error());
  return all;
}

}  // namespace clusterloom
