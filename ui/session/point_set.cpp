#include "ui/session/point_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/cloud/point_cloud.h"
#include "engine/core/memory_budget.h"
#include "ui/session/run_text.h"

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

QString pointsText(const std::vector<std::uint32_t>& points) {
  RunText text;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i + 1;
    while (end < points.size() && points[end] == points[end - 1] + 1) ++end;
    text.add(points[i], end - i);
    i = end;
  }
  return text.text();
}

PointSet pointsFrom(const QString& text) {
  const std::uint64_t count = pointsIn(text);
  if (count == 0 || count * sizeof(std::uint32_t) > availableMemory() / 2) return nullptr;
  std::vector<std::uint32_t> points;
  points.reserve(static_cast<std::size_t>(count));
  forEachRun(text, kMaxPoints, [&](std::uint64_t first, std::uint64_t length) {
    for (std::uint64_t i = 0; i < length; ++i)
      points.push_back(static_cast<std::uint32_t>(first + i));
  });
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(points));
}

std::uint64_t pointsIn(const QString& text) {
  std::uint64_t count = 0;
  const bool whole =
      forEachRun(text, kMaxPoints, [&](std::uint64_t, std::uint64_t length) { count += length; });
  return whole ? count : 0;
}

}  // namespace clusterloom
