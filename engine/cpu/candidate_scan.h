#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/squared_distance.h"
#include "engine/core/task.h"
#include "engine/grid/row_window.h"

namespace clusterloom {

/// Scans contiguous candidates of one query point, by the canonical predicate. Vectorised across
/// candidates, never across dimensions, so that every sum is rounded as in the predicate. Holds the
/// column pointers of a cell-ordered cloud.
class CandidateScan {
 public:
  CandidateScan(const PointCloud& ordered, double squaredEps);

  std::size_t dims() const { return columns_.size(); }

  /// Neighbours of the point at position `query` among positions [begin, end), counted until there
  /// are at least `enough`; the answer is exact when it is < enough.
  std::uint32_t count(std::uint32_t query, std::uint32_t begin, std::uint32_t end,
                      std::uint32_t enough) const {
    if (end - begin > kFew) return countAmong(columns_.data(), query, begin, end, enough);
    std::uint32_t found = 0;
    for (std::uint32_t p = begin; p < end; ++p) found += within(query, p);
    return found;
  }

  /// The same among candidates elsewhere: their coordinates by dimension.
  std::uint32_t countAmong(const double* const* candidates, std::uint32_t query,
                           std::uint32_t begin, std::uint32_t end, std::uint32_t enough) const;

  /// Whether any position in [begin, end) is a neighbour of `query`.
  bool any(std::uint32_t query, std::uint32_t begin, std::uint32_t end) const {
    return count(query, begin, end, 1) != 0;
  }

  /// The canonical predicate for two positions. Few dimensions without a loop: there it would take
  /// longer than the distance.
  bool within(std::uint32_t p, std::uint32_t q) const {
    const double* const* c = columns_.data();
    const auto difference = [&](std::size_t j) { return c[j][p] - c[j][q]; };
    if (columns_.size() == 2) return squaredDistance(2, difference) <= squaredEps_;
    if (columns_.size() == 3) return squaredDistance(3, difference) <= squaredEps_;
    return squaredDistance(columns_.size(), difference) <= squaredEps_;
  }

  double squaredEps() const { return squaredEps_; }
  std::span<const double* const> columns() const { return columns_; }

 private:
  static constexpr std::uint32_t kFew = 4;  // not worth a call

  std::vector<const double*> columns_;
  double squaredEps_;
};

/// The bounding box of some positions, for whole-cell decisions. Rounding is monotone: the
/// canonical expression at the box's extremes bounds that of every pair inside, so that its
/// decisions are proven.
struct Box {
  std::vector<double> low;
  std::vector<double> high;
};

/// Fills `box` with the bounds of positions [begin, end), begin < end.
void boxOf(const CandidateScan& scan, std::uint32_t begin, std::uint32_t end, Box& box);

/// The bounds of some positions in any order, at least one.
Box boxOf(const CandidateScan& scan, std::span<const std::uint32_t> positions);

/// Whether every pair inside the box is within ε.
bool allWithin(const CandidateScan& scan, const Box& box);

/// Whether any pair between the boxes may be within ε; false is certain.
bool mayReach(const CandidateScan& scan, const Box& a, const Box& b);

/// Coordinates of points near a cell, copied together: one loop over them takes less time than a
/// loop over each of the short ranges that hold them.
class GatheredPoints {
 public:
  explicit GatheredPoints(std::size_t dims) : columns_(dims) {}

  std::uint32_t size() const { return size_; }
  void clear() { size_ = 0; }

  /// Appends positions [begin, end) of the scan's cloud.
  void add(const CandidateScan& scan, std::uint32_t begin, std::uint32_t end);

  /// Neighbours of the point at position `query`, as CandidateScan::count.
  std::uint32_t count(const CandidateScan& scan, std::uint32_t query, std::uint32_t enough) const {
    return scan.countAmong(columns_.data(), query, 0, size_, enough);
  }

 private:
  void grow(std::size_t least);

  std::vector<double*> columns_;  // into values_
  std::vector<double> values_;
  std::size_t capacity_ = 0;
  std::uint32_t size_ = 0;
};

/// Whether any position in `a` is within ε of any in `b`; both non-empty. Halves the larger side
/// along its longest dimension, nearer halves first, and drops halves whose bounding boxes are too
/// far apart by the canonical expression, so that two large cells facing each other across just
/// more than ε cost about their sizes, not the product. False when stopped.
bool anyPairWithin(const CandidateScan& scan, IndexRange a, IndexRange b, const Task& task);

}  // namespace clusterloom
