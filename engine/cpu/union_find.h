#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/core/disjoint_sets.h"

namespace clusterloom {

/// Disjoint sets over 0 … n − 1 (engine/core/disjoint_sets.h) for the threads of a CPU.
class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  /// The current root of i, the lowest member of its set once all unions are done.
  std::uint32_t find(std::uint32_t i) {
    SerialLane lane;
    return findRoot(lane, parent_.data(), i);
  }

  /// True is final; false may be out of date while other threads unite.
  bool same(std::uint32_t a, std::uint32_t b) { return find(a) == find(b); }

  void unite(std::uint32_t a, std::uint32_t b) {
    SerialLane lane;
    clusterloom::unite(lane, parent_.data(), a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace clusterloom
