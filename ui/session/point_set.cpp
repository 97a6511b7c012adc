#include "ui/session/point_set.h"

#include <algorithm>
#include <iterator>

namespace clusterloom {

bool samePoints(const PointSet& a, const PointSet& b) { return a == b || (a && b && *a == *b); }

std::vector<std::uint32_t> unionOf(std::span<const std::uint32_t> a,
                                   std::span<const std::uint32_t> b) {
  std::vector<std::uint32_t> all;
  all.reserve(std::max(a.size(), b.size()));
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

std::vector<std::uint32_t> complementOf(std::span<const std::uint32_t> points, std::size_t n) {
  std::vector<std::uint32_t> others;
  others.reserve(n - std::min(n, points.size()));
  auto next = points.begin();
  for (std::size_t i = 0; i < n; ++i) {
    if (next != points.end() && *next == i)
      ++next;
    else
      others.push_back(static_cast<std::uint32_t>(i));
  }
  return others;
}

}  // namespace clusterloom
