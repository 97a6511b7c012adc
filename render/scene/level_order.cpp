#include "render/scene/level_order.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/core/infinity.h"
#include "engine/core/mixed_bits.h"
#include "render/scene/point_levels.h"

namespace clusterloom {
namespace {

/// Bits of a coordinate in a Morton code: fine enough where few points lie far from all others.
constexpr int kAxisBits = 16;

/// A number that is drawn for each id.
std::uint64_t drawnBy(std::uint64_t id) { return mixedBits(id + 0x9e3779b97f4a7c15ULL); }

/// The lowest 16 bits with gaps of one (two) zero bits between them.
std::uint64_t spreadInTwo(std::uint64_t bits) {
  bits = (bits | bits << 8) & 0x00FF00FF;
  bits = (bits | bits << 4) & 0x0F0F0F0F;
  bits = (bits | bits << 2) & 0x33333333;
  return (bits | bits << 1) & 0x55555555;
}
std::uint64_t spreadInThree(std::uint64_t bits) {
  bits = (bits | bits << 16) & 0x0000FF0000FF;
  bits = (bits | bits << 8) & 0x00F00F00F00F;
  bits = (bits | bits << 4) & 0x0C30C30C30C3;
  return (bits | bits << 2) & 0x249249249249;
}

/// Cuts sorted points of a level, whose keys agree above `bit`, into blocks.
void cut(std::span<const std::uint64_t> keys, std::size_t begin, std::size_t end, int bit,
         int level, std::vector<PointBlock>& blocks) {
  const std::size_t count = end - begin;
  if (count == 0) return;
  if (level == 0 || count <= kBlockPoints) {
    blocks.push_back({std::uint32_t(begin), std::uint32_t(count), level, {}, {}});
    return;
  }
  std::size_t middle = begin + kBlockPoints;  // of points in one place
  if (bit >= 0) {
    const auto first = keys.begin() + std::ptrdiff_t(begin);
    const auto last = keys.begin() + std::ptrdiff_t(end);
    middle = std::size_t(
        std::partition_point(first, last, [bit](std::uint64_t k) { return (k >> bit & 1) == 0; }) -
        keys.begin());
  }
  cut(keys, begin, middle, bit - 1, level, blocks);
  cut(keys, middle, end, bit - 1, level, blocks);
}

}  // namespace

LevelOrder::LevelOrder(int axes, const DisplayBox& box, std::uint64_t points)
    : axes_(axes),
      rootLimit_(std::uint64_t(0x1p64 * (double(kRootPoints) / double(std::max<std::uint64_t>(
                                                                   points, kRootPoints + 1))))),
      box_(box) {
  for (std::size_t a = 0; a < 3; ++a) {
    const double extent = box.high[a] - box.low[a];
    cells_[a] = extent > 0 ? (1 << kAxisBits) / extent : 0;
  }
}

int LevelOrder::placeBits() const { return axes_ * kAxisBits; }

// Twice as many values as those of all levels before lead to each level.
std::uint64_t LevelOrder::levelOf(std::uint64_t id) const {
  return std::uint64_t(std::bit_width(drawnBy(id) / rootLimit_));
}

std::uint64_t LevelOrder::largestLevel() const {
  return std::uint64_t(std::bit_width(std::numeric_limits<std::uint64_t>::max() / rootLimit_));
}

std::uint64_t LevelOrder::anyPlaceOf(std::uint64_t id) const {
  return drawnBy(id) & ((std::uint64_t{1} << placeBits()) - 1);
}

std::uint64_t LevelOrder::placeOf(const float* xyz) const {
  const std::uint64_t x = cellOf(xyz, 0);
  if (axes_ == 1) return x;
  if (axes_ == 2) return spreadInTwo(x) << 1 | spreadInTwo(cellOf(xyz, 1));
  return spreadInThree(x) << 2 | spreadInThree(cellOf(xyz, 1)) << 1 | spreadInThree(cellOf(xyz, 2));
}

std::uint64_t LevelOrder::cellOf(const float* xyz, std::size_t axis) const {
  const double cell = (double(xyz[axis]) - box_.low[axis]) * cells_[axis];
  return std::uint64_t(std::clamp(cell, 0.0, double((1 << kAxisBits) - 1)));
}

std::vector<PointBlock> blocksOf(std::span<const std::uint64_t> keys, int placeBits) {
  std::vector<PointBlock> blocks;
  for (std::size_t begin = 0; begin < keys.size();) {
    const std::uint64_t level = keys[begin] >> placeBits;
    const auto end = std::lower_bound(keys.begin() + std::ptrdiff_t(begin), keys.end(),
                                      (level + 1) << placeBits) -
                     keys.begin();
    cut(keys, begin, std::size_t(end), placeBits - 1, int(level), blocks);
    begin = std::size_t(end);
  }
  return blocks;
}

void shuffleBlock(const PointBlock& block, std::span<std::uint32_t> order) {
  for (std::uint64_t i = block.count; i > 1; --i) {
    const std::uint64_t j = ((mixedBits(block.first + i) >> 32) * i) >> 32;
    std::swap(order[block.first + i - 1], order[block.first + j]);
  }
}

void measureBlock(PointBlock& block, std::span<const float> xyz) {
  constexpr auto kInfinite = float(kInfinity);
  block.low = {kInfinite, kInfinite, kInfinite};
  block.high = {-kInfinite, -kInfinite, -kInfinite};
  for (std::size_t i = 0; i < block.count; ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      block.low[a] = std::min(block.low[a], xyz[3 * i + a]);
      block.high[a] = std::max(block.high[a], xyz[3 * i + a]);
    }
}

}  // namespace clusterloom
