#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/metric.h"
#include "engine/core/result.h"

namespace clusterloom {

/// The mean radius of the Earth in metres, (2a + b)/3 of WGS 84 as the IUGG defines it.
inline constexpr double kEarthRadius = 6371008.8;

/// The surface of a sphere, with coordinates longitude and latitude.
struct Sphere {
  enum class Angles { Degrees, Radians };
  Angles angles = Angles::Degrees;
  bool latitudeFirst = false;    ///< of the two coordinates; else longitude
  double radius = kEarthRadius;  ///< ε is a length along great circles, in its unit
  friend bool operator==(const Sphere&, const Sphere&) = default;
};

/// The space in which the distances of a run are measured: a periodic box, a sphere, or one of a
/// metric. Plain data; `backendIn` (engine/dbscan/backend_in_space.h) says what can be combined.
struct Space {
  std::vector<double> periods = {};  ///< one per dimension, 0: not periodic; empty: no box
  std::optional<Sphere> sphere = {};
  Metric metric = Metric::Euclidean;  ///< of a space without periods and sphere

  bool isEuclidean() const { return periods.empty() && !sphere && metric == Metric::Euclidean; }
  friend bool operator==(const Space&, const Space&) = default;
};

/// Reads one period per dimension, such as "10,10,0"; "-" stands for 0. BadCall.
Result<std::vector<double>> parsePeriods(const std::string& text);

/// The text that parsePeriods turns back into the same periods.
std::string periodsText(const std::vector<double>& periods);

/// The metric of a name (kMetricNames). BadCall.
Result<Metric> parseMetric(const std::string& name);

/// A line for summaries and provenance: "periods 10,10,-", what ε is on a sphere, or which distance
/// it is. Empty for a Euclidean space.
std::string describe(const Space& space);

}  // namespace clusterloom
