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

  /// Whether a copy of that many bytes should go through a slab; one is then free, unless another
  /// thread takes it first. Locking a slab takes about as long as the driver's own copy of its
  /// bytes loses: one more is locked when the copies so far, this one included, have filled all
  /// there are and that one. False once the system has locked no more memory.
  bool isWorth(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    copied_ += bytes;
    if (!free_.empty()) return true;
    if (refused_ || copied_ / kSlabBytes <= locked_) return false;
    try {
      free_.emplace_back(kSlabBytes);
      ++locked_;
      return true;
    } catch (const CudaFailure& failure) {
      if (failure.code() != cudaErrorMemoryAllocation) throw;
      refused_ = true;
      return false;
    }
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
    Slab slab{*this, PinnedBuffer<std::byte>(kSlabBytes)};
    const std::lock_guard lock(mutex_);
    ++locked_;
    return slab;
  }

 private:
  static constexpr std::size_t kMostKept = 8;

  void giveBack(PinnedBuffer<std::byte> memory) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMostKept)
      free_.push_back(std::move(memory));
    else
      --locked_;
  }

  std::mutex mutex_;
  std::vector<PinnedBuffer<std::byte>> free_;
  std::uint64_t copied_ = 0;  // bytes of the copies that were asked about
  std::uint64_t locked_ = 0;  // slabs, those in use included
  bool refused_ = false;      // the system locked no more memory
};

}  // namespace clusterloom
