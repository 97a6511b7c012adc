#include "ui/session/point_set.h"

#include <QByteArray>
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/cloud/point_cloud.h"
#include "engine/core/memory_budget.h"

namespace clusterloom {
namespace {

/// Calls run(first, length) for the runs of points in a text of pointsText; false for other texts.
template <class Run>
bool forEachRun(const QString& text, const Run& run) {
  const auto decoded =
      QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
  if (!decoded) return false;
  std::uint64_t next = 0;
  std::uint64_t gap = 0;
  std::uint64_t number = 0;
  int bits = 0;
  bool isGap = true;
  for (const char byte : decoded.decoded) {
    const auto part = static_cast<unsigned char>(byte);
    number |= static_cast<std::uint64_t>(part & 127U) << bits;
    bits += 7;
    if (part >= 128) {
      if (bits > 28) return false;
      continue;
    }
    if (isGap) {
      gap = number;
    } else {
      if (number == 0 || next + gap + number > kMaxPoints) return false;
      run(next + gap, number);
      next += gap + number;
    }
    isGap = !isGap;
    number = 0;
    bits = 0;
  }
  return isGap && bits == 0;
}

}  // namespace

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
  QByteArray bytes;
  const auto append = [&](std::uint32_t number) {
    for (; number >= 128; number >>= 7) bytes.append(static_cast<char>(128 | (number & 127)));
    bytes.append(static_cast<char>(number));
  };
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i + 1;
    while (end < points.size() && points[end] == points[end - 1] + 1) ++end;
    append(points[i] - next);
    append(static_cast<std::uint32_t>(end - i));
    next = points[end - 1] + 1;
    i = end;
  }
  return QString::fromLatin1(bytes.toBase64());
}

PointSet pointsFrom(const QString& text) {
  const std::uint64_t count = pointsIn(text);
  if (count == 0 || count * sizeof(std::uint32_t) > availableMemory() / 2) return nullptr;
  std::vector<std::uint32_t> points;
  points.reserve(static_cast<std::size_t>(count));
  forEachRun(text, [&](std::uint64_t first, std::uint64_t length) {
    for (std::uint64_t i = 0; i < length; ++i)
      points.push_back(static_cast<std::uint32_t>(first + i));
  });
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(points));
}

std::uint64_t pointsIn(const QString& text) {
  std::uint64_t count = 0;
  const bool whole =
      forEachRun(text, [&](std::uint64_t, std::uint64_t length) { count += length; });
  return whole ? count : 0;
}

}  // namespace clusterloom
