#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "render/scene/display_space.h"

namespace clusterloom {

/// By what points are sorted into levels of detail (point_levels.h): the level that is drawn for a
/// point by its id, and its place along a curve in Morton order. Pure.
class LevelOrder {
 public:
  /// For about `points` points within `box`, more than kRootPoints; those outside lie at its edge.
  LevelOrder(int axes, const DisplayBox& box, std::uint64_t points);

  std::uint64_t levelOf(std::uint64_t id) const;
  /// No level is larger.
  std::uint64_t largestLevel() const;
  /// The place of a point, in placeBits() bits.
  std::uint64_t placeOf(const float* xyz) const;
  /// A place that says nothing of where a point lies.
  std::uint64_t anyPlaceOf(std::uint64_t id) const;
  int placeBits() const;

 private:
  std::uint64_t cellOf(const float* xyz, std::size_t axis) const;

  int axes_;
  std::uint64_t rootLimit_;
  DisplayBox box_;
  std::array<double, 3> cells_{};  ///< per unit of an axis
};

/// Cuts points into blocks of one level each, of at most kBlockPoints from level 1 on. Their sorted
/// keys are level · 2^placeBits + place. The boxes are still to be measured.
std::vector<PointBlock> blocksOf(std::span<const std::uint64_t> keys, int placeBits);

/// Shuffles the part of `order` that is a block's: neighbours drawn one after the other would all
/// cover each other on the same side.
void shuffleBlock(const PointBlock& block, std::span<std::uint32_t> order);

/// Measures the box of a block by its points, three floats each.
void measureBlock(PointBlock& block, std::span<const float> xyz);

}  // namespace clusterloom
