#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clusterloom {

/// Points by number, ascending and without repetition; immutable and shared. Each use says what
/// null stands for (no points, or all).
using PointSet = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Whether both are null or hold the same points.
bool samePoints(const PointSet& a, const PointSet& b);

/// The union of two ascending lists, ascending.
std::vector<std::uint32_t> unionOf(std::span<const std::uint32_t> a,
                                   std::span<const std::uint32_t> b);

/// The points of 0 … n − 1 that are not in `points` (ascending).
std::vector<std::uint32_t> complementOf(std::span<const std::uint32_t> points, std::size_t n);

/// The points as text for files (RunText).
QString pointsText(const std::vector<std::uint32_t>& points);
/// Null where `text` is not from pointsText, names no points, or more than half of the free memory
/// holds: a few bytes may name 2³¹.
PointSet pointsFrom(const QString& text);
/// How many points a text of pointsText names; 0 for other texts.
std::uint64_t pointsIn(const QString& text);

}  // namespace clusterloom
