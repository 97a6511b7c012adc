#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clusterloom {

/// Points by number, ascending and without repetition; immutable and shared. What null stands for
/// (no points, or all) is said where it is used.
using PointSet = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Whether both are null or hold the same points.
bool samePoints(const PointSet& a, const PointSet& b);

/// The union of two ascending lists, ascending.
std::vector<std::uint32_t> unionOf(std::span<const std::uint32_t> a,
                                   std::span<const std::uint32_t> b);

/// The points of 0 … n − 1 that are not in `points` (ascending).
std::vector<std::uint32_t> complementOf(std::span<const std::uint32_t> points, std::size_t n);

}  // namespace clusterloom
