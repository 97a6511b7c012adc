#include "engine/cpu/closest_cells.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace clusterloom {
namespace {

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

bool anyPairWithin(const CandidateScan& scan, IndexRange a, IndexRange b, const Task& task) {
  std::vector<std::uint32_t> positions(a.end - a.begin + b.end - b.begin);
  const Positions mineA(positions.data(), a.end - a.begin);
  const Positions mineB(positions.data() + mineA.size(), b.end - b.begin);
  std::iota(mineA.begin(), mineA.end(), a.begin);
  std::iota(mineB.begin(), mineB.end(), b.begin);
  return Search(scan, task).any(mineA, mineB);
}

}  // namespace clusterloom
