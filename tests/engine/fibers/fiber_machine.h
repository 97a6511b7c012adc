#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/core/lane.h"
#include "fibers/fiber_block.h"

namespace clusterloom {

/// The machine of engine/hierarchy/lanes/machine.h on the CPU: warps of fibers, and single lanes
/// one after another in an order that a seed draws. A fault of a warp is thrown as
/// std::runtime_error.
class FiberMachine {
 public:
  template <class T>
  class Array {
   public:
    Array() = default;
    // Garbage, so that what is read before it is written shows.
    explicit Array(std::size_t n) : values_(n) {
      if (n > 0) std::memset(static_cast<void*>(values_.data()), 0xa5, n * sizeof(T));
    }
    T* data() { return values_.data(); }
    const T* data() const { return values_.data(); }
    std::size_t size() const { return values_.size(); }
    T& operator[](std::size_t i) { return values_[i]; }
    const T& operator[](std::size_t i) const { return values_[i]; }

   private:
    std::vector<T> values_;
  };

  explicit FiberMachine(std::uint64_t seed) : random_(seed) {}

  template <class T>
  Array<T> make(std::size_t n) {
    return Array<T>(n);
  }
  template <class T>
  void fill(Array<T>& array, int byte) {
    if (array.size() > 0) std::memset(array.data(), byte, array.size() * sizeof(T));
  }
  template <class T>
  void copy(Array<T>& to, const Array<T>& from) {
    std::copy_n(from.data(), from.size(), to.data());
  }
  template <class Program>
  void each(std::size_t n, const Program& program) {
    SerialLane lane;
    for (const std::uint32_t i : shuffled(n)) program(lane, i);
  }
  template <class Program>
  void warps(std::size_t n, const Program& program) {
    for (const std::uint32_t i : shuffled(n))
      if (const auto fault = runWarp([&](FiberLane& lane) { program(lane, i); }))
        throw std::runtime_error(fault->message);
  }
  template <class Key>
  void sortByKey(Array<Key>& keys, Array<std::uint32_t>& values, int bits) {
    const Key mask = bits >= static_cast<int>(8 * sizeof(Key)) ? ~Key{0} : (Key{1} << bits) - 1;
    std::vector<std::pair<Key, std::uint32_t>> pairs(keys.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {keys[i], values[i]};
    std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
      return (a.first & mask) < (b.first & mask);
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      keys[i] = pairs[i].first;
      values[i] = pairs[i].second;
    }
  }
  void exclusiveScan(const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
    std::exclusive_scan(in, in + n, out, std::uint32_t{0});
  }
  void sum(const std::uint32_t* in, std::uint64_t* out, std::size_t n) {
    *out = std::accumulate(in, in + n, std::uint64_t{0});
  }
  template <class T>
  void runningMaximum(const T* in, T* out, std::size_t n) {
    std::inclusive_scan(in, in + n, out, [](T a, T b) { return std::max(a, b); });
  }
  void selectFlagged(const Array<std::uint8_t>& flags, Array<std::uint32_t>& out,
                     Array<std::uint32_t>& count) {
    count[0] = 0;
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (flags[i] != 0) out[count[0]++] = static_cast<std::uint32_t>(i);
  }
  template <class T>
  T read(const Array<T>& array) {
    return array[0];
  }
  template <class T>
  std::vector<T> readAll(const Array<T>& array) {
    return {array.data(), array.data() + array.size()};
  }
  template <class T>
  void copyFirst(Array<T>& to, const Array<T>& from, std::size_t n) {
    std::copy_n(from.data(), n, to.data());
  }
  void stage(const char*) {}

 private:
  std::vector<std::uint32_t> shuffled(std::size_t n) {
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }

  std::mt19937_64 random_;
};

}  // namespace clusterloom
