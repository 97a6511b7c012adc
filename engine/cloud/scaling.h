#pragma once

#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"

namespace clusterloom {

/// A per-dimension change of units, as a recorded step: scaled = (original − offset) · factor.
/// Clustering runs on the scaled cloud; exports keep the original coordinates.
struct Scaling {
  enum class Kind { None, Unit, ZScore, Factors };
  Kind kind = Kind::None;
  std::vector<double> offset;  ///< one per dimension (empty for None)
  std::vector<double> factor;  ///< one per dimension (empty for None)
};

/// Unit: each dimension to [0, 1] (a constant dimension to 0). ZScore: mean 0, standard deviation 1
/// (population; a constant dimension to 0). Factors: multiplied by `factors`, one per dimension.
/// BadCall when the number of factors differs from the dimensions, when one is not finite or is 0,
/// or when scaled coordinates overflow.
Result<Scaling> makeScaling(Scaling::Kind kind, const PointCloud& cloud,
                            const std::vector<double>& factors = {});

/// The parts of a z-score, for clouds that are not in memory as a whole: sums are continued
/// value by value in the order of the points, so that the result has the same bits however the
/// points are divided. `low` and `high` are the bounds of all points.
double addToMeanSum(double sum, const Coordinates& column, double low, double high);
double addToVarianceSum(double sum, const Coordinates& column, double low, double high,
                        double mean);
/// The scaling to the unit interval of a cloud with these bounds, or, where means and variances of
/// (x − low)/(high − low) are given, to z-scores. `names` are for messages.
Result<Scaling> makeScaling(const Bounds& bounds, const std::vector<std::string>& names,
                            const std::vector<double>& means, const std::vector<double>& variances);

/// The scaling that is requested, before there is a cloud to take offsets and factors from.
struct ScalingChoice {
  Scaling::Kind kind = Scaling::Kind::None;
  std::vector<double> factors;  ///< one per dimension, for Kind::Factors only
  friend bool operator==(const ScalingChoice&, const ScalingChoice&) = default;
};

/// Reads "none", "unit", "zscore" or "F1,F2,…", which is what --scale takes. BadCall.
Result<ScalingChoice> parseScalingChoice(const std::string& text);

/// The same for this cloud.
Result<Scaling> parseScaling(const std::string& text, const PointCloud& cloud);

/// The text that parseScaling turns back into the same scaling.
std::string toText(const Scaling& scaling);

/// The scaled copy of the cloud; for Kind::None a plain copy.
PointCloud applyScaling(const PointCloud& cloud, const Scaling& scaling);

}  // namespace clusterloom
