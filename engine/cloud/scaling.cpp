#include "engine/cloud/scaling.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "engine/core/number_text.h"

namespace clusterloom {

namespace {

std::string nameOf(const std::vector<std::string>& names, std::size_t j) {
  return j < names.size() ? names[j] : std::to_string(j);
}

/// Offset and factor of one dimension.
struct Step {
  double offset;
  double factor;
};

Step unitStep(double low, double high) {
  if (high == low) return {low, 0.0};
  return {low, 1.0 / (high - low)};
}

Result<Scaling> factorScaling(const PointCloud& cloud, const std::vector<double>& factors) {
  if (factors.size() != cloud.dims())
    return badCall("Scaling takes one factor per dimension: " + std::to_string(cloud.dims()) +
                   " are needed, " + std::to_string(factors.size()) + " given.");
  for (const double factor : factors)
    if (!std::isfinite(factor) || factor == 0.0)
      return badCall("A scaling factor must be a finite number other than 0.");
  const Bounds bounds = cloud.size() > 0 ? boundsOf(cloud) : Bounds{};
  for (std::size_t j = 0; j < bounds.low.size(); ++j) {
    const double low = bounds.low[j];
    const double high = bounds.high[j];
    // The range, too, must be finite.
    if (!std::isfinite(high * factors[j] - low * factors[j]) && std::isfinite(high - low))
      return badCall("The scaling factor " + roundTripText(factors[j]) + " makes dimension " +
                     nameOf(cloud.names, j) + " overflow; its coordinates reach from " +
                     roundTripText(low) + " to " + roundTripText(high) +
                     ". Use a factor closer to 1.");
  }
  Scaling scaling;
  scaling.kind = Scaling::Kind::Factors;
  scaling.offset.assign(factors.size(), 0.0);
  scaling.factor = factors;
  return scaling;
}

/// Splits "1,2.5,3" into numbers.
Result<std::vector<double>> parseFactors(std::string_view text) {
  std::vector<double> factors;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto factor = readNumber("A factor of the scaling", text.substr(0, comma));
    if (!factor) return tl::unexpected(factor.error());
    if (*factor == 0.0) return badCall("A scaling factor must be a finite number other than 0.");
    factors.push_back(*factor);
    if (comma == std::string_view::npos) return factors;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

// Mean and deviation are taken of (x − low)/(high − low), so that no sum overflows and large
// offsets (metres of a map projection) cancel before anything is squared.
double addToMeanSum(double sum, const Coordinates& column, double low, double high) {
  const double range = high - low;
  withValues(column, [&](const auto& x) {
    for (std::size_t p = 0; p < column.size(); ++p) sum += (x[p] - low) / range;
  });
  return sum;
}

double addToVarianceSum(double sum, const Coordinates& column, double low, double high,
                        double mean) {
  const double range = high - low;
  withValues(column, [&](const auto& x) {
    for (std::size_t p = 0; p < column.size(); ++p) {
      const double t = (x[p] - low) / range - mean;
      sum += t * t;
    }
  });
  return sum;
}

Result<Scaling> makeScaling(const Bounds& bounds, const std::vector<std::string>& names,
                            const std::vector<double>& means,
                            const std::vector<double>& variances) {
  Scaling scaling;
  scaling.kind = means.empty() ? Scaling::Kind::Unit : Scaling::Kind::ZScore;
  for (std::size_t j = 0; j < bounds.low.size(); ++j) {
    const double low = bounds.low[j];
    const double range = bounds.high[j] - low;
    Step step = unitStep(low, bounds.high[j]);
    if (!means.empty() && bounds.high[j] != low)
      step = {low + means[j] * range, 1.0 / (range * std::sqrt(variances[j]))};
    if (!std::isfinite(step.factor))
      return badInput("The range of dimension " + nameOf(names, j) +
                      " is too small to be scaled. Scale it by a factor.");
    scaling.offset.push_back(step.offset);
    scaling.factor.push_back(step.factor);
  }
  return scaling;
}

Result<Scaling> makeScaling(Scaling::Kind kind, const PointCloud& cloud,
                            const std::vector<double>& factors) {
  if (kind == Scaling::Kind::None) return Scaling{};
  if (kind == Scaling::Kind::Factors) return factorScaling(cloud, factors);
  if (const Result<void> valid = validate(cloud); !valid) return tl::unexpected(valid.error());

  const Bounds bounds = boundsOf(cloud);
  std::vector<double> means;
  std::vector<double> variances;
  const auto n = double(cloud.size());
  for (std::size_t j = 0; kind == Scaling::Kind::ZScore && j < cloud.dims(); ++j) {
    const double low = bounds.low[j];
    const double high = bounds.high[j];
    means.push_back(addToMeanSum(0.0, cloud.columns[j], low, high) / n);
    variances.push_back(addToVarianceSum(0.0, cloud.columns[j], low, high, means[j]) / n);
  }
  return makeScaling(bounds, cloud.names, means, variances);
}

Result<ScalingChoice> parseScalingChoice(const std::string& text) {
  ScalingChoice choice;
  if (text == "none") return choice;
  choice.kind = Scaling::Kind::Unit;
  if (text == "unit") return choice;
  choice.kind = Scaling::Kind::ZScore;
  if (text == "zscore") return choice;
  choice.kind = Scaling::Kind::Factors;
  // A word, rather than numbers of which one is wrong.
  if (text.find_first_of("0123456789") == std::string::npos)
    return badCall("There is no scaling " + quotedText(text) +
                   "; use none, unit, zscore or one factor per dimension, such as 1,1,0.5.");
  auto factors = parseFactors(text);
  if (!factors) return tl::unexpected(factors.error());
  choice.factors = std::move(*factors);
  return choice;
}

Result<Scaling> parseScaling(const std::string& text, const PointCloud& cloud) {
  const auto choice = parseScalingChoice(text);
  if (!choice) return tl::unexpected(choice.error());
  return makeScaling(choice->kind, cloud, choice->factors);
}

std::string toText(const Scaling& scaling) {
  switch (scaling.kind) {
    case Scaling::Kind::None: return "none";
    case Scaling::Kind::Unit: return "unit";
    case Scaling::Kind::ZScore: return "zscore";
    case Scaling::Kind::Factors: break;
  }
  std::string text;
  for (const double factor : scaling.factor) {
    if (!text.empty()) text += ',';
    text += roundTripText(factor);
  }
  return text;
}

PointCloud applyScaling(const PointCloud& cloud, const Scaling& scaling) {
  PointCloud scaled = cloud;
  if (scaling.kind == Scaling::Kind::None) return scaled;
  for (std::size_t j = 0; j < scaled.dims(); ++j) {
    const double offset = scaling.offset[j];
    const double factor = scaling.factor[j];
    for (double& x : scaled.columns[j]) x = (x - offset) * factor;
  }
  return scaled;
}

}  // namespace clusterloom
