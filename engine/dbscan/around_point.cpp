#include "engine/dbscan/around_point.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/core/predicate.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/join/periodic_box.h"

namespace clusterloom {
namespace {

// Points that are compared between two looks at the task, whose sums stay in the cache.
constexpr std::size_t kComparedAtOnce = 2048;

/// How the distances of a space are computed from points.
class Measure {
 public:
  static Result<Measure> of(const Space& space, const Scaling& scaling, const PointCloud& cloud) {
    if (auto fine = checkSpace(space, scaling.kind); !fine) return tl::unexpected(fine.error());
    Measure measure;
    measure.space_ = space;
    if (!space.periods.empty()) {
      auto box = makePeriodicBox(scaledPeriods(space, scaling), cloud);
      if (!box) return tl::unexpected(box.error());
      measure.box_ = std::move(*box);
    }
    return measure;
  }

  /// Points in the coordinates that are compared.
  Result<PointCloud> placed(PointCloud points, const Task& task) const {
    if (space_.sphere) return unitVectors(points, *space_.sphere, task);
    if (isCosine()) return directions(points, task);
    if (box_) return wrapped(points, *box_, task);
    return points;
  }

  Metric metric() const { return space_.metric; }
  double difference(std::size_t dimension, double a, double b) const {
    const double d = a - b;
    const double period = box_ ? box_->periods[dimension] : 0;
    return period > 0 ? std::min(std::abs(d), period - std::abs(d)) : d;
  }

  /// The squared distance that is within ε.
  Result<double> limitOf(double eps) const {
    const Result<double> length = space_.sphere ? chordOf(eps, *space_.sphere)
                                  : isCosine()  ? chordOfCosine(eps)
                                                : Result<double>(eps);
    return length ? epsSquared(*length) : length;
  }

  /// A squared distance in the unit of ε.
  double lengthOf(double squared) const {
    if (isCosine()) return cosineOfChord(squared);
    const double length = std::sqrt(squared);
    return space_.sphere ? 2 * space_.sphere->radius * std::asin(std::min(1.0, length / 2))
                         : length;
  }

 private:
  bool isCosine() const { return space_.metric == Metric::Cosine; }

  Space space_;
  std::optional<PeriodicBox> box_;
};

PointCloud pointsFrom(const PointCloud& cloud, std::size_t begin, std::size_t end) {
  PointCloud part;
  part.names = cloud.names;
  for (const Coordinates& column : cloud.columns) part.columns.push_back(column.part(begin, end));
  return part;
}

/// The squared distance of a point to each of a few others, as squaredLength has it. Dimensions
/// come in their order, so that the distances are canonical.
std::vector<double> squaredDistances(const Measure& measure, const PointCloud& one,
                                     const PointCloud& others) {
  std::vector<double> lengths(others.size(), 0.0);
  const auto addDimensions = [&](const auto& add) {
    for (std::size_t j = 0; j < others.dims(); ++j) {
      const double at = one.columns[j][0];
      withValues(others.columns[j], [&](const auto& x) {
        for (std::size_t q = 0; q < lengths.size(); ++q)
          add(lengths[q], measure.difference(j, at, x[q]));
      });
    }
  };
  const Metric metric = measure.metric();
  if (metric == Metric::Manhattan)
    addDimensions([](double& length, double d) { length += std::abs(d); });
  else if (metric == Metric::Chebyshev)
    addDimensions([](double& length, double d) { length = std::max(length, std::abs(d)); });
  else
    addDimensions([](double& length, double d) { length += d * d; });
  if (isTreeMetric(metric))
    for (double& length : lengths) length *= length;
  return lengths;
}

/// The k smallest of the added values.
class Nearest {
 public:
  explicit Nearest(std::size_t k) : k_(k) {}
  void add(std::uint32_t point, double squared) {
    if (k_ == 0 || (found_.size() == k_ && !(squared < found_.back().distance))) return;
    if (found_.size() == k_) found_.pop_back();
    const auto after =
        std::upper_bound(found_.begin(), found_.end(), squared,
                         [](double value, const NearPoint& one) { return value < one.distance; });
    found_.insert(after, {point, squared});  // points come in ascending order
  }
  std::vector<NearPoint> take() { return std::move(found_); }

 private:
  std::size_t k_;
  std::vector<NearPoint> found_;
};

}  // namespace

Result<PointSurroundings> aroundPoint(const PointCloud& cloud, std::size_t point, std::size_t k,
                                      double eps, const Space& space, const Scaling& scaling,
                                      std::span<const double> weights, const Task& task) {
  if (point >= cloud.size())
    return badCall("there is no point " + std::to_string(point) + " in a cloud of " +
                   std::to_string(cloud.size()));
  const auto measure = Measure::of(space, scaling, cloud);
  if (!measure) return tl::unexpected(measure.error());
  const auto limit = measure->limitOf(eps);
  if (!limit) return tl::unexpected(limit.error());
  const auto one = measure->placed(pointsFrom(cloud, point, point + 1), task);
  if (!one) return tl::unexpected(one.error());
  PointSurroundings found;
  Nearest nearest(k);
  for (std::size_t begin = 0; begin < cloud.size(); begin += kComparedAtOnce) {
    if (task.cancelled()) return cancelledError();
    const std::size_t end = std::min(cloud.size(), begin + kComparedAtOnce);
    const auto others = measure->placed(pointsFrom(cloud, begin, end), task);
    if (!others) return tl::unexpected(others.error());
    const std::vector<double> squared = squaredDistances(*measure, *one, *others);
    for (std::size_t q = begin; q < end; ++q) {
      if (withinEps(squared[q - begin], *limit)) {
        ++found.within;
        found.weight += weights.empty() ? 1 : weights[q];
      }
      if (q != point) nearest.add(static_cast<std::uint32_t>(q), squared[q - begin]);
    }
  }
  found.nearest = nearest.take();
  for (NearPoint& near : found.nearest) near.distance = measure->lengthOf(near.distance);
  return found;
}

}  // namespace clusterloom
