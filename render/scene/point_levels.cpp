#include "render/scene/point_levels.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <utility>

#include "engine/core/infinity.h"
#include "engine/core/mixed_bits.h"
#include "engine/grid/sort_by_key.h"

namespace clusterloom {
namespace {

/// Bits of a coordinate in a Morton code: fine enough where few points lie far from all others.
constexpr int kAxisBits = 16;
/// Points between two checks of the stop token.
constexpr std::size_t kSortedPerTask = 1 << 16;

/// A seeded Fisher-Yates shuffle that is the same with every standard library.
LargeArray<std::uint32_t> shuffledIds(std::size_t n) {
  LargeArray<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 random(20130207);
  for (std::size_t i = n; i > 1; --i) {
    const std::uint64_t j = ((random() >> 32) * i) >> 32;
    std::swap(order[i - 1], order[j]);
  }
  return order;
}

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

/// The key by which a point is sorted: its level, then its place in space, of level 0 a random one.
class SortKeys {
 public:
  explicit SortKeys(const DisplayPoints& points, std::size_t n)
      : points_(points),
        axes_(points.space.axes),
        rootLimit_(std::uint64_t(0x1p64 * (double(kRootPoints) / double(n)))) {
    for (std::size_t a = 0; a < 3; ++a) {
      const double extent = points.box.high[a] - points.box.low[a];
      cells_[a] = extent > 0 ? (1 << kAxisBits) / extent : 0;
    }
  }
  int placeBits() const { return axes_ * kAxisBits; }
  std::uint64_t of(std::uint32_t id) const {
    const std::uint64_t mixed = mixedBits(id + 0x9e3779b97f4a7c15ULL);
    // Twice as many values as those of all levels before lead to each level.
    const auto level = std::uint64_t(std::bit_width(mixed / rootLimit_));
    const std::uint64_t place =
        level == 0 ? mixed & ((std::uint64_t{1} << placeBits()) - 1) : mortonOf(id);
    return level << placeBits() | place;
  }
  /// No key is larger.
  std::uint64_t largest() const {
    const auto levels =
        std::uint64_t(std::bit_width(std::numeric_limits<std::uint64_t>::max() / rootLimit_));
    return ((levels + 1) << placeBits()) - 1;
  }

 private:
  std::uint64_t mortonOf(std::size_t id) const {
    const std::uint64_t x = cellOf(id, 0);
    if (axes_ == 1) return x;
    if (axes_ == 2) return spreadInTwo(x) << 1 | spreadInTwo(cellOf(id, 1));
    return spreadInThree(x) << 2 | spreadInThree(cellOf(id, 1)) << 1 | spreadInThree(cellOf(id, 2));
  }
  std::uint64_t cellOf(std::size_t id, std::size_t axis) const {
    const double cell = (double(points_.xyz[3 * id + axis]) - points_.box.low[axis]) * cells_[axis];
    return std::uint64_t(std::clamp(cell, 0.0, double((1 << kAxisBits) - 1)));
  }

  const DisplayPoints& points_;
  int axes_;
  std::uint64_t rootLimit_;
  std::array<double, 3> cells_{};
};

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

/// Shuffles the points of a block: neighbours drawn one after the other would all cover each other
/// on the same side.
void shuffle(const PointBlock& block, LargeArray<std::uint32_t>& order) {
  for (std::uint64_t i = block.count; i > 1; --i) {
    const std::uint64_t j = ((mixedBits(block.first + i) >> 32) * i) >> 32;
    std::swap(order[block.first + i - 1], order[block.first + j]);
  }
}

void measure(PointBlock& block, const LargeArray<float>& xyz) {
  constexpr auto kInfinite = float(kInfinity);
  block.low = {kInfinite, kInfinite, kInfinite};
  block.high = {-kInfinite, -kInfinite, -kInfinite};
  for (std::size_t i = block.first; i < std::size_t{block.first} + block.count; ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      block.low[a] = std::min(block.low[a], xyz[3 * i + a]);
      block.high[a] = std::max(block.high[a], xyz[3 * i + a]);
    }
}

/// Brings `xyz`, which is in the order of the ids, into the drawn order.
void gather(DisplayPoints& points) {
  LargeArray<float> drawn(points.xyz.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, points.size(), kSortedPerTask),
                    [&](const auto& range) {
                      for (std::size_t i = range.begin(); i < range.end(); ++i)
                        std::copy_n(points.xyz.data() + 3 * std::size_t{points.order[i]}, 3,
                                    drawn.data() + 3 * i);
                    });
  points.xyz = std::move(drawn);
}

/// A linear function of places, as a row of a matrix.
using Row = std::array<double, 4>;

Row rowOf(const ViewTransform& view, std::size_t row) {
  const auto* m = view.worldToClip.data() + 4 * row;
  return {m[0], m[1], m[2], m[3]};
}

/// factor · w + sign · other
Row combined(const Row& w, double factor, const Row& other, double sign) {
  Row out;
  for (std::size_t i = 0; i < 4; ++i) out[i] = factor * w[i] + sign * other[i];
  return out;
}

/// The largest and the smallest value in the box of a block.
double largestIn(const PointBlock& block, const Row& row) {
  double sum = row[3];
  for (std::size_t a = 0; a < 3; ++a)
    sum += std::max(row[a] * double(block.low[a]), row[a] * double(block.high[a]));
  return sum;
}
double smallestIn(const PointBlock& block, const Row& row) {
  double sum = row[3];
  for (std::size_t a = 0; a < 3; ++a)
    sum += std::min(row[a] * double(block.low[a]), row[a] * double(block.high[a]));
  return sum;
}

constexpr double kSmallestW = 1e-6;  // smallest w, so that nothing is infinitely large

}  // namespace

Result<void> sortIntoLevels(DisplayPoints& points, const Task& task) {
  const std::size_t n = points.xyz.size() / 3;
  if (n <= kRootPoints) {
    points.order = shuffledIds(n);
    if (n > 0) points.blocks = {{0, std::uint32_t(n), 0, {}, {}}};
    gather(points);
    return {};
  }
  const SortKeys keyOf(points, n);
  LargeArray<std::uint64_t> keys(n);
  points.order.resize(n);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, kSortedPerTask), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end() && !task.cancelled(); ++i) {
      points.order[i] = std::uint32_t(i);
      keys[i] = keyOf.of(std::uint32_t(i));
    }
  });
  task.report("laying out", 0.3);
  if (task.cancelled() || !sortByKey(keys, points.order, keyOf.largest(), task))
    return cancelledError();
  task.report("laying out", 0.7);
  points.blocks = blocksOf(keys, keyOf.placeBits());
  keys = {};
  tbb::parallel_for(std::size_t{1}, points.blocks.size(),
                    [&](std::size_t b) { shuffle(points.blocks[b], points.order); });
  gather(points);
  if (task.cancelled()) return cancelledError();
  tbb::parallel_for(std::size_t{0}, points.blocks.size(),
                    [&](std::size_t b) { measure(points.blocks[b], points.xyz); });
  return {};
}

std::vector<std::uint32_t> visibleBlocks(const DisplayPoints& points, const ViewTransform& view,
                                         double margin) {
  const Row w = rowOf(view, 3);
  const double beyondX = 1 + 2 * margin / std::max(view.width, 1);
  const double beyondY = 1 + 2 * margin / std::max(view.height, 1);
  constexpr double kBeyondZ = 1.001;  // more than rounding
  std::vector<Row> sides{
      combined(w, beyondX, rowOf(view, 0), -1), combined(w, beyondX, rowOf(view, 0), 1),
      combined(w, beyondY, rowOf(view, 1), -1), combined(w, beyondY, rowOf(view, 1), 1)};
  if (!view.flat)
    for (const double sign : {-1.0, 1.0})
      sides.push_back(combined(w, kBeyondZ, rowOf(view, 2), sign));
  std::vector<std::pair<double, std::uint32_t>> found;
  for (std::size_t b = 0; b < points.blocks.size(); ++b) {
    const PointBlock& block = points.blocks[b];
    if (block.level == 0) {
      found.emplace_back(kInfinity, std::uint32_t(b));
      continue;
    }
    const bool outside = std::any_of(sides.begin(), sides.end(),
                                     [&](const Row& side) { return largestIn(block, side) < 0; });
    if (outside) continue;
    const double spacing = std::exp2(-double(block.level) / points.space.axes);
    found.emplace_back(spacing / std::max(smallestIn(block, w), kSmallestW), std::uint32_t(b));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::uint32_t> blocks(found.size());
  std::transform(found.begin(), found.end(), blocks.begin(),
                 [](const auto& f) { return f.second; });
  return blocks;
}

bool mayBeWithin(const PointBlock& block, const ViewTransform& view, double left, double bottom,
                 double right, double top) {
  const Row w = rowOf(view, 3);
  if (block.level == 0 || smallestIn(block, w) < kSmallestW) return true;
  // Pixel p of a place: (x / w + 1) / 2 · width; p < left where x − (2 left / width − 1) w < 0.
  const auto clip = [](double pixel, int size) { return 2 * pixel / size - 1; };
  constexpr double kRounding = 1e-6;  // pixels
  const Row x = rowOf(view, 0);
  const Row y = rowOf(view, 1);
  return largestIn(block, combined(w, -clip(left - kRounding, view.width), x, 1)) >= 0 &&
         largestIn(block, combined(w, clip(right + kRounding, view.width), x, -1)) >= 0 &&
         largestIn(block, combined(w, -clip(bottom - kRounding, view.height), y, 1)) >= 0 &&
         largestIn(block, combined(w, clip(top + kRounding, view.height), y, -1)) >= 0;
}

}  // namespace clusterloom
