#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/large_array.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {

/// The largest value of any range of an array, by maxima of blocks of 16, of blocks of blocks and
/// so on.
template <class Value>
class RangeMaximum {
 public:
  RangeMaximum() = default;
  /// `values` must outlive this.
  explicit RangeMaximum(std::span<const Value> values) : values_(values) {
    for (std::span<const Value> below = values; below.size() > kBlock;) {
      LargeArray<Value>& above = blocks_.emplace_back(below.size() / kBlock);
      parallelFor(above.size(), 4096, [&](std::size_t b) {
        const auto block = below.subspan(b * kBlock, kBlock);
        above[b] = *std::max_element(block.begin(), block.end());
      });
      below = above;
    }
  }

  /// The largest of values[begin … end − 1], begin < end.
  Value operator()(std::size_t begin, std::size_t end) const {
    Value largest = values_[begin];
    fold(begin, end, [&](Value value) {
      largest = std::max(largest, value);
      return true;
    });
    return largest;
  }

  /// Whether all of values[begin … end − 1] are at most `limit`.
  bool allAtMost(std::size_t begin, std::size_t end, Value limit) const {
    return fold(begin, end, [&](Value value) { return value <= limit; });
  }

 private:
  static constexpr std::size_t kBlock = 16;

  // Gives values that have the maximum of the range to `take`, until it returns false.
  template <class Take>
  bool fold(std::size_t begin, std::size_t end, const Take& take) const {
    const Value* values = values_.data();
    for (std::size_t level = 0;; ++level) {
      // Up to the next whole block at each end; the blocks between them are the level above.
      const std::size_t first = (begin + kBlock - 1) / kBlock;
      const std::size_t last = end / kBlock;
      const bool top = level == blocks_.size() || first >= last;
      for (std::size_t i = begin; i < (top ? end : first * kBlock); ++i)
        if (!take(values[i])) return false;
      if (top) return true;
      for (std::size_t i = last * kBlock; i < end; ++i)
        if (!take(values[i])) return false;
      begin = first;
      end = last;
      values = blocks_[level].data();
    }
  }

  std::span<const Value> values_;
  std::vector<LargeArray<Value>> blocks_;
};

}  // namespace clusterloom
