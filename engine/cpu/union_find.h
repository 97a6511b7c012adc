#pragma once

#include <cstdint>

#include "engine/core/disjoint_sets.h"
#include "engine/core/large_array.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {

/// Disjoint sets over 0 … n − 1 (engine/core/disjoint_sets.h) for the threads of a CPU. Made in
/// parallel on the caller's TBB arena.
class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) {
    parallelFor(n, 16384, [this](std::size_t i) { parent_[i] = std::uint32_t(i); });
  }

  /// Puts i into the set of a lower member that is a root, before anything is united with i.
  void start(std::uint32_t i, std::uint32_t root) { parent_[i] = root; }

  /// The current root of i, the lowest member of its set once all unions are done.
  std::uint32_t find(std::uint32_t i) {
    SerialLane lane;
    return findRoot(lane, parent_.data(), i);
  }

  /// True is final; false may be out of date while other threads unite.
  bool same(std::uint32_t a, std::uint32_t b) { return find(a) == find(b); }

  /// Whether the parent of i is `root`, which some member of a set once had as its root: they are
  /// one set then. False says nothing.
  bool isBelow(std::uint32_t i, std::uint32_t root) {
    return SerialLane{}.peek(parent_.data() + i) == root;
  }

  void unite(std::uint32_t a, std::uint32_t b) {
    SerialLane lane;
    clusterloom::unite(lane, parent_.data(), a, b);
  }

 private:
  LargeArray<std::uint32_t> parent_;
};

}  // namespace clusterloom
