#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "engine/cuda/runtime/device.h"

// Shared parts of copies through page-locked memory. These are several times as fast as the
// driver's own copies, but locking memory takes about 20 ms once for each backend:
// SlabPool::isWorth says when that pays.

namespace clusterloom::staged {

inline constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
inline constexpr std::size_t kPieces = SlabPool::kSlabBytes / kPieceBytes;
inline constexpr std::size_t kBytesOfThread = std::size_t{128} << 10;
// Smaller copies are as fast by the driver, and need no page-locked memory.
inline constexpr std::size_t kLeastStaged = std::size_t{1} << 20;

struct Piece {
  const std::byte* from;
  std::byte* to;
  std::size_t bytes;
};

inline void addPieces(const void* from, void* to, std::size_t bytes, std::size_t most,
                      std::vector<Piece>& pieces) {
  for (std::size_t at = 0; at < bytes; at += most)
    pieces.push_back({static_cast<const std::byte*>(from) + at, static_cast<std::byte*>(to) + at,
                      std::min(most, bytes - at)});
}

inline bool isSmall(const std::vector<Piece>& pieces) {
  std::size_t bytes = 0;
  for (const Piece& piece : pieces) bytes += piece.bytes;
  return bytes < kLeastStaged;
}

inline void queueCopy(const GpuRun& run, std::byte* to, const std::byte* from, std::size_t bytes) {
  CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, run.stream()));
}

inline void copyOnHost(std::byte* to, const std::byte* from, std::size_t bytes) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes, kBytesOfThread),
                    [&](const auto& range) {
                      std::memcpy(to + range.begin(), from + range.begin(), range.size());
                    });
}

// A page-locked place for each of some pieces, used again when the stream has passed its last use.
class Places {
 public:
  explicit Places(GpuRun& run) : run_(run), slab_(run.device().slabs().take()), passed_(kPieces) {}
  // An exception must not return the slab while the device uses it.
  ~Places() { cudaStreamSynchronize(run_.stream()); }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  std::byte* of(std::size_t piece) {
    return slab_.as<std::byte>().data() + piece % kPieces * kPieceBytes;
  }
  void queued(std::size_t piece) { passed_[piece % kPieces].record(run_.stream()); }
  void wait(std::size_t piece) { run_.wait(passed_[piece % kPieces]); }

 private:
  GpuRun& run_;
  SlabPool::Slab slab_;
  std::vector<Event> passed_;
};

}  // namespace clusterloom::staged
