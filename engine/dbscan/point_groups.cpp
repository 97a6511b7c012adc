#include "engine/dbscan/point_groups.h"

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "engine/core/predicate.h"

namespace clusterloom {

PointGroups groupsOf(const ColumnValues& values) {
  PointGroups groups;
  withVector(values, [&]<class T>(const std::vector<T>& numbers) {
    std::unordered_map<T, std::uint32_t> known;
    std::uint32_t missing = 0;  // the number of the group of NaN, plus 1
    groups.of.reserve(numbers.size());
    for (const T number : numbers) {
      if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(number)) {  // equal to no key
          if (missing == 0) missing = ++groups.count;
          groups.of.push_back(missing - 1);
          continue;
        }
      }
      const auto [place, added] = known.try_emplace(number, groups.count);
      if (added) ++groups.count;
      groups.of.push_back(place->second);
    }
  });
  return groups;
}

Result<PointCloud> apartByGroup(PointCloud cloud, const PointGroups& groups, double eps) {
  if (const auto fine = epsSquared(eps); !fine) return tl::unexpected(fine.error());
  if (cloud.dims() >= kMaxDims)
    return tooLarge("Groups take one dimension more, and the cloud has " +
                    std::to_string(kMaxDims) + " already.");
  // A power of two above 2 ε: its multiples up to 2⁵³ are exact, and so are their differences.
  // Their squares are at least 4 ε², rounded or infinite, and so never within ε.
  int exponent = 0;
  std::frexp(eps, &exponent);
  const double apart = std::ldexp(1.0, exponent + 1);
  std::vector<double> place(groups.of.size());
  for (std::size_t p = 0; p < place.size(); ++p) place[p] = apart * groups.of[p];
  cloud.columns.push_back(std::move(place));
  cloud.names.push_back("group");
  return cloud;
}

}  // namespace clusterloom
