#include "engine/cpu/candidate_scan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/core/instruction_sets.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kCandidatesAtOnce = 64;  // candidates between two checks of `enough`

CLUSTERLOOM_CLONES std::uint32_t countBlock1(const double* x, double qx, double squaredEps,
                                             std::uint32_t size) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const double dx = qx - x[i];
    count += dx * dx <= squaredEps;
  }
  return count;
}

CLUSTERLOOM_CLONES std::uint32_t countBlock2(const double* x, const double* y, double qx, double qy,
                                             double squaredEps, std::uint32_t size) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const double dx = qx - x[i];
    const double dy = qy - y[i];
    count += dx * dx + dy * dy <= squaredEps;
  }
  return count;
}

CLUSTERLOOM_CLONES std::uint32_t countBlock3(const double* x, const double* y, const double* z,
                                             double qx, double qy, double qz, double squaredEps,
                                             std::uint32_t size) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const double dx = qx - x[i];
    const double dy = qy - y[i];
    const double dz = qz - z[i];
    count += dx * dx + dy * dy + dz * dz <= squaredEps;
  }
  return count;
}

// Any number of dimensions: the sums of a block of candidates are built dimension by dimension.
CLUSTERLOOM_CLONES void addSquares(double* sum, const double* x, double qx, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i) {
    const double dx = qx - x[i];
    sum[i] += dx * dx;
  }
}

CLUSTERLOOM_CLONES std::uint32_t countAtMost(const double* sum, double limit, std::uint32_t size) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < size; ++i) count += sum[i] <= limit;
  return count;
}

constexpr std::size_t kFewPairs = 1024;  // cheaper to compare than to split

using Positions = std::span<std::uint32_t>;

class Search {
 public:
  Search(const CandidateScan& scan, const Task& task) : scan_(scan), task_(task) {}

  bool any(Positions a, Positions b) const {
    if (task_.cancelled()) return false;
    const Box boxA = boxOf(scan_, a);
    const Box boxB = boxOf(scan_, b);
    if (!mayReach(scan_, boxA, boxB)) return false;
    if (a.size() * b.size() <= kFewPairs) return anyOfAll(a, b);
    return a.size() >= b.size() ? split(a, boxA, b, boxB) : split(b, boxB, a, boxA);
  }

 private:
  bool anyOfAll(Positions a, Positions b) const {
    for (const std::uint32_t p : a)
      for (const std::uint32_t q : b)
        if (scan_.within(p, q)) return true;
    return false;
  }

  bool split(Positions large, const Box& largeBox, Positions other, const Box& otherBox) const {
    std::size_t longest = 0;
    for (std::size_t j = 1; j < scan_.dims(); ++j)
      if (largeBox.high[j] - largeBox.low[j] > largeBox.high[longest] - largeBox.low[longest])
        longest = j;
    const double* x = scan_.columns()[longest];
    const auto middle = large.begin() + std::ptrdiff_t(large.size() / 2);
    std::nth_element(large.begin(), middle, large.end(),
                     [x](std::uint32_t p, std::uint32_t q) { return x[p] < x[q]; });
    Positions near{large.begin(), middle};
    Positions far{middle, large.end()};
    if (otherBox.low[longest] + otherBox.high[longest] >
        largeBox.low[longest] + largeBox.high[longest])
      std::swap(near, far);
    return any(near, other) || any(far, other);
  }

  const CandidateScan& scan_;
  const Task& task_;
};

}  // namespace

CandidateScan::CandidateScan(const PointCloud& ordered, double squaredEps)
    : squaredEps_(squaredEps) {
  for (const auto& column : ordered.columns) columns_.push_back(column.data());
}

std::uint32_t CandidateScan::countAmong(const double* const* candidates, std::uint32_t query,
                                        std::uint32_t begin, std::uint32_t end,
                                        std::uint32_t enough) const {
  const double* const* c = candidates;
  const double* const* own = columns_.data();
  std::uint32_t found = 0;
  for (std::uint32_t b = begin; b < end && found < enough; b += kCandidatesAtOnce) {
    const std::uint32_t size = std::min(kCandidatesAtOnce, end - b);
    switch (columns_.size()) {
      case 1: found += countBlock1(c[0] + b, own[0][query], squaredEps_, size); break;
      case 2:
        found += countBlock2(c[0] + b, c[1] + b, own[0][query], own[1][query], squaredEps_, size);
        break;
      case 3:
        found += countBlock3(c[0] + b, c[1] + b, c[2] + b, own[0][query], own[1][query],
                             own[2][query], squaredEps_, size);
        break;
      default: {
        double sum[kCandidatesAtOnce] = {};
        for (std::size_t j = 0; j < columns_.size(); ++j) {
          addSquares(sum, c[j] + b, own[j][query], size);
          // SHORTC for a block: partial sums never decrease, so that a block outside ε stays
          // outside.
          if (j % 4 == 3 && countAtMost(sum, squaredEps_, size) == 0) break;
        }
        found += countAtMost(sum, squaredEps_, size);
      }
    }
  }
  return found;
}

void boxOf(const CandidateScan& scan, std::uint32_t begin, std::uint32_t end, Box& box) {
  box.low.resize(scan.dims());
  box.high.resize(scan.dims());
  for (std::size_t j = 0; j < scan.dims(); ++j) {
    const double* x = scan.columns()[j];
    double low = x[begin];
    double high = x[begin];
    for (std::uint32_t p = begin + 1; p < end; ++p) {
      low = std::min(low, x[p]);
      high = std::max(high, x[p]);
    }
    box.low[j] = low;
    box.high[j] = high;
  }
}

bool allWithin(const CandidateScan& scan, const Box& box) {
  const auto extent = [&](std::size_t j) { return box.high[j] - box.low[j]; };
  return squaredDistance(box.low.size(), extent) <= scan.squaredEps();
}

Box boxOf(const CandidateScan& scan, std::span<const std::uint32_t> positions) {
  Box box;
  for (const double* x : scan.columns()) {
    double low = x[positions.front()];
    double high = low;
    for (const std::uint32_t p : positions) {
      low = std::min(low, x[p]);
      high = std::max(high, x[p]);
    }
    box.low.push_back(low);
    box.high.push_back(high);
  }
  return box;
}

bool mayReach(const CandidateScan& scan, const Box& a, const Box& b) {
  const auto gap = [&](std::size_t j) {
    return std::max({0.0, b.low[j] - a.high[j], a.low[j] - b.high[j]});
  };
  return squaredDistance(a.low.size(), gap) <= scan.squaredEps();
}

void GatheredPoints::add(const CandidateScan& scan, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t count = end - begin;
  if (size_ + std::size_t{count} > capacity_) grow(size_ + std::size_t{count});
  const std::size_t dims = columns_.size();
  const double* const* from = scan.columns().data();
  // Point by point: the ranges are too short for calls that copy memory.
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < dims; ++j) columns_[j][size_ + i] = from[j][begin + i];
  size_ += count;
}

void GatheredPoints::grow(std::size_t least) {
  const std::size_t capacity = std::max<std::size_t>({least, 2 * capacity_, 256});
  std::vector<double> values(capacity * columns_.size());
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    double* const to = values.data() + j * capacity;
    std::copy_n(columns_[j], size_, to);
    columns_[j] = to;
  }
  values_ = std::move(values);
  capacity_ = capacity;
}

bool anyPairWithin(const CandidateScan& scan, IndexRange a, IndexRange b, const Task& task) {
  std::vector<std::uint32_t> positions(a.end - a.begin + b.end - b.begin);
  const Positions mineA(positions.data(), a.end - a.begin);
  const Positions mineB(positions.data() + mineA.size(), b.end - b.begin);
  std::iota(mineA.begin(), mineA.end(), a.begin);
  std::iota(mineB.begin(), mineB.end(), b.begin);
  return Search(scan, task).any(mineA, mineB);
}

}  // namespace clusterloom
