#include "render/scene/drawn_colours.h"

#include <algorithm>
#include <utility>

#include "engine/core/parallel_for.h"

namespace clusterloom {

DrawnColours::DrawnColours(std::vector<std::uint8_t> bytes) : bytes_(bytes.begin(), bytes.end()) {}

DrawnColours::DrawnColours(std::shared_ptr<const DisplayPoints> points, Make make)
    : bytes_(4 * points->size()),
      points_(std::move(points)),
      make_(std::move(make)),
      made_(std::make_unique<std::once_flag[]>(points_->blocks.size())) {}

void DrawnColours::need(std::size_t block) const {
  if (!points_) return;
  std::call_once(made_[block], [&] {
    const PointBlock& of = points_->blocks[block];
    make_(of.first,
          std::span(bytes_).subspan(4 * std::size_t{of.first}, 4 * std::size_t{of.count}));
  });
}

void DrawnColours::need(std::span<const std::uint32_t> blocks) const {
  // 5 to 15 ms of one thread. The thread of a window would wait for longer where one that helps it
  // is interrupted.
  constexpr std::size_t kWorthHelpers = 500'000;
  if (!points_) return;
  std::size_t points = 0;
  for (const std::uint32_t block : blocks) points += points_->blocks[block].count;
  if (points < kWorthHelpers) {
    for (const std::uint32_t block : blocks) need(block);
    return;
  }
  parallelFor(blocks.size(), 1, [&](std::size_t i) { need(blocks[i]); });
}

void DrawnColours::needFirst(std::size_t points) const {
  if (!points_) return;
  for (std::size_t block = 0; block < points_->blocks.size(); ++block)
    if (points_->blocks[block].first < points) need(block);
}

std::span<const std::uint8_t> DrawnColours::all() const {
  if (points_) parallelFor(points_->blocks.size(), 1, [&](std::size_t b) { need(b); });
  return bytes_;
}

DrawLayer DrawnColours::layerOf(std::size_t drawn) const {
  if (points_) {
    const auto after =
        std::upper_bound(points_->blocks.begin(), points_->blocks.end(), drawn,
                         [](std::size_t at, const PointBlock& block) { return at < block.first; });
    need(std::size_t(after - points_->blocks.begin()) - 1);
  }
  return DrawLayer(bytes_[4 * drawn + 3]);
}

}  // namespace clusterloom
