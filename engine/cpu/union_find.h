#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace clusterloom {

/// Lock-free disjoint sets over 0 … n − 1. The root of a set is its smallest member once all unions
/// are done, whatever the threads did in between: links only ever point downwards.
class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(std::make_unique<std::atomic<std::uint32_t>[]>(n)) {
    for (std::size_t i = 0; i < n; ++i)
      parent_[i].store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
  }

  /// The current root of i; halves the path on the way.
  std::uint32_t find(std::uint32_t i) {
    for (;;) {
      std::uint32_t parent = parent_[i].load(std::memory_order_relaxed);
      if (parent == i) return i;
      const std::uint32_t grandparent = parent_[parent].load(std::memory_order_relaxed);
      if (grandparent == parent) return parent;
      // Losing this race is harmless: the path stays valid, only longer.
      parent_[i].compare_exchange_weak(parent, grandparent, std::memory_order_relaxed);
      i = grandparent;
    }
  }

  /// True is final; false may be out of date while others unite.
  bool same(std::uint32_t a, std::uint32_t b) { return find(a) == find(b); }

  void unite(std::uint32_t a, std::uint32_t b) {
    for (;;) {
      a = find(a);
      b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      std::uint32_t expected = a;  // only a root may be linked, and only downwards
      if (parent_[a].compare_exchange_strong(expected, b, std::memory_order_relaxed)) return;
    }
  }

 private:
  std::unique_ptr<std::atomic<std::uint32_t>[]> parent_;
};

}  // namespace clusterloom
