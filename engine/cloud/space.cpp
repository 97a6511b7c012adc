#include "engine/cloud/space.h"

#include <string_view>

#include "engine/core/number_text.h"

namespace clusterloom {

Result<std::vector<double>> parsePeriods(const std::string& text) {
  std::vector<double> periods;
  std::string_view rest = text;
  for (;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    double period = 0;
    if (word != "-") {
      const auto number = readNumber("A period", word);
      if (!number) return tl::unexpected(number.error());
      period = *number;
    }
    if (period < 0)
      return badCall("A period must not be negative, as " + quotedText(word) +
                     " is; 0 or - stands for a dimension without one.");
    periods.push_back(period);
    if (comma == std::string_view::npos) return periods;
    rest.remove_prefix(comma + 1);
  }
}

std::string periodsText(const std::vector<double>& periods) {
  std::string text;
  for (const double period : periods)
    text += (text.empty() ? "" : ",") + (period > 0 ? roundTripText(period) : "-");
  return text;
}

Result<Metric> parseMetric(const std::string& name) {
  for (std::size_t i = 0; i < kMetricNames.size(); ++i)
    if (name == kMetricNames[i]) return Metric(i);
  return badCall("There is no metric " + quotedText(name) +
                 "; choose euclidean, cosine, manhattan or chebyshev.");
}

std::string describe(const Space& space) {
  if (!space.periods.empty()) return "periods " + periodsText(space.periods);
  if (space.metric != Metric::Euclidean) return std::string(toText(space.metric)) + " distances";
  if (!space.sphere) return {};
  const bool degrees = space.sphere->angles == Sphere::Angles::Degrees;
  return std::string(space.sphere->latitudeFirst ? "latitude and longitude in "
                                                 : "longitude and latitude in ") +
         (degrees ? "degrees" : "radians") + ", great circles on a sphere of radius " +
         roundTripText(space.sphere->radius) + (degrees ? " m" : "");
}

}  // namespace clusterloom
