#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
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

  /// Whether a copy of that many bytes should go through a slab: one is free, or this and earlier
  /// copies have more bytes than it costs to lock one, about what the driver's own copy of a slab's
  /// bytes loses.
  bool isWorth(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    copied_ += bytes;
    return !free_.empty() || copied_ >= kSlabBytes;
  }
  /// Throws CudaFailure when no more memory can be locked.
  Slab take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        PinnedBuffer<std::byte> memory = std::move(free_.back());
        free_.pop_back();
        return {*this, std::move(memory)};
      }
    }
    return {*this, PinnedBuffer<std::byte>(kSlabBytes)};
  }

 private:
  static constexpr std::size_t kMostKept = 8;

  void giveBack(PinnedBuffer<std::byte> memory) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMostKept) free_.push_back(std::move(memory));
  }

  std::mutex mutex_;
  std::vector<PinnedBuffer<std::byte>> free_;
  std::uint64_t copied_ = 0;  // bytes of the copies that were asked about
};

}  // namespace clusterloom
