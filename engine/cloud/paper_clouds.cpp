#include "engine/cloud/paper_clouds.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "engine/cloud/point_cloud.h"
#include "engine/core/number_text.h"

namespace clusterloom {

std::optional<GeneratorSpec> paperCloud(const std::string& name) {
  static constexpr std::pair<std::string_view, const char*> kFamilies[] = {
      {"SynExpo", "expo"}, {"Expo", "expo"}, {"Unif", "unif"}, {"Syn", "unif"}};
  constexpr std::int64_t kMillion = 1'000'000;
  for (const auto& [family, kind] : kFamilies) {
    if (name.compare(0, family.size(), family) != 0) continue;
    const std::string rest = name.substr(family.size());
    const std::size_t d = rest.find('D');
    if (d == std::string::npos || rest.back() != 'M') return std::nullopt;
    const auto dims = readInteger("", rest.substr(0, d), 1, std::int64_t(kMaxDims));
    const auto millions = readInteger("", rest.substr(d + 1, rest.size() - d - 2), 1,
                                      std::int64_t(kMaxPoints) / kMillion);
    if (!dims || !millions) return std::nullopt;
    GeneratorSpec spec;
    spec.kind = kind;
    spec.dims = std::size_t(*dims);
    spec.points = std::size_t(*millions * kMillion);
    return spec;
  }
  return std::nullopt;
}

double epsOfSameSelectivity(double eps, std::size_t ofPoints, std::size_t points,
                            std::size_t dims) {
  return eps * std::pow(double(ofPoints) / double(points), 1 / double(dims));
}

}  // namespace clusterloom
