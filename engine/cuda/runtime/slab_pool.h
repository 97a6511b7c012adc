#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/cuda/runtime/memory.h"

namespace clusterloom {

/// Page-locked host memory in slabs of one size, kept for the next run: locking 64 MiB takes longer
/// than filling it. Usable from several threads.
class SlabPool {
 public:
  static constexpr std::size_t kSlabBytes = std::size_t{64} << 20;

  /// A slab, given back on destruction. The pool must outlive it.
  class Slab {
   public:
    Slab(SlabPool& pool, PinnedBuffer<std::byte> memory)
        : pool_(&pool), memory_(std::move(memory)) {}
    ~Slab() {
      if (memory_.size() > 0) pool_->giveBack(std::move(memory_));
    }
    Slab(Slab&&) = default;
    Slab& operator=(Slab&&) = delete;
    template <class T>
    std::span<T> as() {
      return {reinterpret_cast<T*>(memory_.data()), kSlabBytes / sizeof(T)};
    }

   private:
    SlabPool* pool_;
    PinnedBuffer<std::byte> memory_;
  };

  /// A slab for a copy of that many bytes, or none where the driver's own copy is the better way.
  /// Locking a slab takes about 30 ms, as long as the driver's copies of four slabs lose: one more
  /// is locked when the copies since the last one have filled that. Throws CudaFailure, but where
  /// no more memory can be locked there is just none.
  std::optional<Slab> takeIfWorth(std::size_t bytes) {
    constexpr std::uint64_t kWorthLocking = 4 * kSlabBytes;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) return takeFree();
      copied_ += bytes;
      if (copied_ < kWorthLocking) return std::nullopt;
      copied_ = 0;
    }
    try {
      return Slab{*this, PinnedBuffer<std::byte>(kSlabBytes)};
    } catch (const CudaFailure& failure) {
      if (failure.code() != cudaErrorMemoryAllocation) throw;
      return std::nullopt;
    }
  }
  /// Throws CudaFailure when no more memory can be locked.
  Slab take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) return takeFree();
    }
    return {*this, PinnedBuffer<std::byte>(kSlabBytes)};
  }

 private:
  static constexpr std::size_t kMostKept = 8;

  Slab takeFree() {
    PinnedBuffer<std::byte> memory = std::move(free_.back());
    free_.pop_back();
    return {*this, std::move(memory)};
  }
  void giveBack(PinnedBuffer<std::byte> memory) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMostKept) free_.push_back(std::move(memory));
  }

  std::mutex mutex_;
  std::vector<PinnedBuffer<std::byte>> free_;
  std::uint64_t copied_ = 0;  // bytes of copies without a slab since the last one was locked
};

}  // namespace clusterloom
