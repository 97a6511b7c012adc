#include "render/scene/point_levels.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <utility>

#include "engine/core/infinity.h"
#include "engine/core/parallel_for.h"
#include "engine/grid/sort_by_key.h"
#include "render/scene/level_order.h"

namespace clusterloom {
namespace {

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

/// Brings `xyz`, which is in the order of the ids, into the drawn order.
void gather(DisplayPoints& points) {
  LargeArray<float> drawn(points.xyz.size());
  parallelFor(points.size(), kSortedPerTask, [&](std::size_t i) {
    std::copy_n(points.xyz.data() + 3 * std::size_t{points.order[i]}, 3, drawn.data() + 3 * i);
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

/// Orders and cuts the points by their levels and the upper bits of their places. Cancelled.
Result<void> sortByPlaces(DisplayPoints& points, const LevelOrder& sorted, int bits,
                          const Task& task) {
  const std::size_t n = points.xyz.size() / 3;
  const int lower = sorted.placeBits() - bits;
  LargeArray<std::uint64_t> keys(n);
  points.order.resize(n);
  parallelForBlocks(n, kSortedPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !task.cancelled(); ++i) {
      points.order[i] = std::uint32_t(i);
      const std::uint64_t level = sorted.levelOf(i);
      const std::uint64_t place =
          level == 0 ? sorted.anyPlaceOf(i) : sorted.placeOf(points.xyz.data() + 3 * i);
      keys[i] = level << bits | place >> lower;
    }
  });
  task.report("laying out", 0.3);
  const std::uint64_t largest = ((sorted.largestLevel() + 1) << bits) - 1;
  if (task.cancelled() || !sortByKey(keys, points.order, largest, task)) return cancelledError();
  points.blocks = blocksOf(keys, bits);
  return {};
}

}  // namespace

Result<void> sortIntoLevels(DisplayPoints& points, const Task& task) {
  const std::size_t n = points.xyz.size() / 3;
  if (n <= kRootPoints) {
    points.order = shuffledIds(n);
    if (n > 0) points.blocks = {{0, std::uint32_t(n), 0, {}, {}}};
    gather(points);
    return {};
  }
  const LevelOrder sorted(points.space.axes, points.box, n);
  // The upper bits of places tell as many cells apart as there are points. Where these crowd into
  // few of them, all bits are needed.
  const int all = sorted.placeBits();
  const int upper = std::min(all, int(std::bit_width(n)));
  if (auto done = sortByPlaces(points, sorted, upper, task); !done) return done;
  const bool crowded = std::ranges::any_of(points.blocks, [](const PointBlock& block) {
    return block.level > 0 && block.count == kBlockPoints;
  });
  if (crowded && upper < all)
    if (auto done = sortByPlaces(points, sorted, all, task); !done) return done;
  task.report("laying out", 0.7);
  tbb::parallel_for(std::size_t{1}, points.blocks.size(),
                    [&](std::size_t b) { shuffleBlock(points.blocks[b], points.order); });
  gather(points);
  if (task.cancelled()) return cancelledError();
  parallelFor(points.blocks.size(), 1, [&](std::size_t b) {
    PointBlock& block = points.blocks[b];
    measureBlock(block, std::span(points.xyz).subspan(3 * std::size_t{block.first}));
  });
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
