#include "engine/cpu/candidate_scan.h"

#include <algorithm>

#include "engine/join/instruction_sets.h"

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

}  // namespace clusterloom
