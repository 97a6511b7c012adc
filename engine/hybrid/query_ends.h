#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace clusterloom {

/// Queries [begin, end) of the order.
struct TicketRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool empty() const { return begin >= end; }
  std::uint32_t size() const { return empty() ? 0 : end - begin; }
  friend bool operator==(const TicketRange&, const TicketRange&) = default;
};

/// The double-ended queue of [Gallet 2020, §4.1] over the queries 0 … n − 1: both ends in one
/// atomic word, so that no query is taken twice and none is lost. Used by any number of threads.
class QueryEnds {
 public:
  /// The first `begun` queries count as taken.
  explicit QueryEnds(std::uint32_t queries, std::uint32_t begun = 0)
      : ends_(packed({begun, queries})) {}

  /// Takes queries from the front: size(front, back) of them, at least one, at most those that are
  /// left before `limit`. Empty when there are none.
  template <class Size>
  TicketRange takeFront(std::uint32_t limit, const Size& size) {
    std::uint64_t seen = ends_.load(std::memory_order_relaxed);
    for (;;) {
      const TicketRange left = unpacked(seen);
      const std::uint32_t end = std::min(left.end, limit);
      if (left.begin >= end) return {left.begin, left.begin};
      const std::uint32_t taken =
          std::clamp<std::uint32_t>(size(left.begin, left.end), 1, end - left.begin);
      if (ends_.compare_exchange_weak(seen, packed({left.begin + taken, left.end}),
                                      std::memory_order_relaxed))
        return {left.begin, left.begin + taken};
    }
  }

  /// The same from the back, down to `limit`.
  template <class Size>
  TicketRange takeBack(std::uint32_t limit, const Size& size) {
    std::uint64_t seen = ends_.load(std::memory_order_relaxed);
    for (;;) {
      const TicketRange left = unpacked(seen);
      const std::uint32_t begin = std::max(left.begin, limit);
      if (begin >= left.end) return {left.end, left.end};
      const std::uint32_t taken =
          std::clamp<std::uint32_t>(size(left.begin, left.end), 1, left.end - begin);
      if (ends_.compare_exchange_weak(seen, packed({left.begin, left.end - taken}),
                                      std::memory_order_relaxed))
        return {left.end - taken, left.end};
    }
  }

  /// The queries that are not taken yet.
  TicketRange left() const { return unpacked(ends_.load(std::memory_order_relaxed)); }

 private:
  static std::uint64_t packed(TicketRange ends) {
    return std::uint64_t(ends.begin) << 32 | ends.end;
  }
  static TicketRange unpacked(std::uint64_t ends) {
    return {std::uint32_t(ends >> 32), std::uint32_t(ends)};
  }

  std::atomic<std::uint64_t> ends_;
};

}  // namespace clusterloom
