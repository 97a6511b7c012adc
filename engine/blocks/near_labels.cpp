#include "engine/blocks/near_labels.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/core/chunks.h"
#include "engine/core/mixed_bits.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostHashedDims = 3;
// A cell is a little wider than the reach to both sides, so that a point marks two in a dimension.
constexpr double kReachInEps = 1.001;  // more than what the canonical distance errs by
constexpr double kWidthInEps = 2.1;
constexpr std::uint64_t kCellsPerMark = 8;
constexpr std::uint64_t kLeastCells = 1024;
constexpr int kMostMarked = 4;

std::uint64_t mixed(std::uint64_t hash, double slice) {
  return mixedBits(hash ^ std::bit_cast<std::uint64_t>(slice + 0.0));  // −0 is 0
}

}  // namespace

NearLabels::NearLabels(const PointCloud& cloud, std::span<const std::uint32_t> points,
                       std::span<const std::int32_t> labels, double eps)
    : dims_(std::min(cloud.dims(), kMostHashedDims)),
      width_(kWidthInEps * eps),
      reach_(kReachInEps * eps) {
  // Few cells may be full, but neighbours mark the same ones: two bytes a point of the cloud do for
  // clusters of some dozen points.
  const std::uint64_t wanted = kCellsPerMark * std::uint64_t(points.size()) << dims_;
  const std::uint64_t most = std::max(kLeastCells, std::uint64_t(cloud.size()) / 2);
  cells_.assign(std::bit_floor(std::clamp(wanted, kLeastCells, most)), -1);
  forChunks(points.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (const std::uint32_t p : points.subspan(begin, end - begin))
      mark(cloud, p, labels[p], 0, 0);
  });
}

// It does not fall where the coordinate grows, rounding included. So whatever lies between two
// coordinates is in their slices or between these.
double NearLabels::slice(double coordinate) const { return std::floor(coordinate / width_); }

void NearLabels::mark(const PointCloud& cloud, std::size_t p, std::int32_t label, std::size_t dim,
                      std::uint64_t hash) {
  if (dim == dims_) {
    const std::atomic_ref cell(cells_[hash & (cells_.size() - 1)]);
    std::int32_t seen = cell.load(std::memory_order_relaxed);
    while (seen < label && !cell.compare_exchange_weak(seen, label, std::memory_order_relaxed)) {
    }
    return;
  }
  const double x = cloud.columns[dim][p];
  const double last = slice(x + reach_);
  double at = slice(x - reach_);
  for (int i = 0; i < kMostMarked; ++i, at += 1) {
    mark(cloud, p, label, dim + 1, mixed(hash, at));
    if (at >= last) return;
  }
  std::atomic_ref(all_).store(true, std::memory_order_relaxed);
}

std::int32_t NearLabels::highest(const PointCloud& cloud, std::size_t p) const {
  if (all_) return std::numeric_limits<std::int32_t>::max();
  std::uint64_t hash = 0;
  for (std::size_t dim = 0; dim < dims_; ++dim) hash = mixed(hash, slice(cloud.columns[dim][p]));
  return cells_[hash & (cells_.size() - 1)];
}

}  // namespace clusterloom
