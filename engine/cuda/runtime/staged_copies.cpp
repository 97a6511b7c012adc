#include "engine/cuda/runtime/staged_copies.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "engine/core/parallel_for.h"
#include "engine/cuda/runtime/gpu_phase.h"

namespace clusterloom {
namespace {

// Smaller copies are as fast by the driver.
constexpr std::size_t kLeastStaged = std::size_t{1} << 20;
constexpr std::size_t kBytesOfThread = std::size_t{128} << 10;
// Each transfer of the bus costs about 10 us: groups of uploads are as long as that allows, pieces
// of downloads shorter, since the host waits for the first one.
constexpr std::size_t kGroupBytes = std::size_t{4} << 20;
constexpr std::size_t kHalfBytes = SlabPool::kSlabBytes / 2;
constexpr std::size_t kDownloadBytes = std::size_t{2} << 20;
constexpr std::size_t kDownloadPlaces = SlabPool::kSlabBytes / kDownloadBytes;

struct Piece {
  const std::byte* from;
  std::byte* to;
  std::size_t bytes;
};

void addPieces(const void* from, void* to, std::size_t bytes, std::size_t most,
               std::vector<Piece>& pieces) {
  for (std::size_t at = 0; at < bytes; at += most)
    pieces.push_back({static_cast<const std::byte*>(from) + at, static_cast<std::byte*>(to) + at,
                      std::min(most, bytes - at)});
}

void queueCopy(const GpuRun& run, void* to, const void* from, std::size_t bytes) {
  CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, run.stream()));
}

// Page-locked memory for a copy, or none where the driver's own copy is the better way. The
// destructor waits: an exception must not return the slab while the device uses it.
class Staging {
 public:
  Staging(const GpuRun& run, std::size_t bytes)
      : run_(run),
        slab_(bytes < kLeastStaged ? std::nullopt : run.device().slabs().takeIfWorth(bytes)) {}
  ~Staging() {
    if (slab_) cudaStreamSynchronize(run_.stream());
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  explicit operator bool() const { return slab_.has_value(); }
  std::byte* memory() { return slab_->as<std::byte>().data(); }

 private:
  const GpuRun& run_;
  std::optional<SlabPool::Slab> slab_;
};

// Writes past the caches, from which the bus would read more slowly than from memory.
void copyToMemory(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  const std::size_t before = std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % 16);
  std::memcpy(to, from, before);
  std::size_t at = before;
  for (; at + 16 <= bytes; at += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

// Pieces that follow one another on the device, and go there together.
struct Group {
  const Piece* first;
  std::size_t count = 0;
  std::size_t bytes = 0;
  std::byte* place;  // in page-locked memory
};

// The groups of pieces from `first` on that fill at most half of a slab, which begins at `place`.
std::vector<Group> nextGroups(const std::vector<Piece>& pieces, std::size_t first,
                              std::byte* place) {
  std::vector<Group> groups;
  std::size_t bytes = 0;
  for (std::size_t i = first; i < pieces.size() && bytes + pieces[i].bytes <= kHalfBytes; ++i) {
    const bool follows = !groups.empty() && pieces[i - 1].to + pieces[i - 1].bytes == pieces[i].to;
    if (!follows || groups.back().bytes + pieces[i].bytes > kGroupBytes)
      groups.push_back({.first = &pieces[i], .place = place + bytes});
    ++groups.back().count;
    groups.back().bytes += pieces[i].bytes;
    bytes += pieces[i].bytes;
  }
  return groups;
}

// All threads copy pieces to their places; the calling one also queues each group that is whole.
void uploadGroups(const GpuRun& run, const std::vector<Group>& groups) {
  const std::size_t count =
      std::size_t(groups.back().first + groups.back().count - groups[0].first);
  std::vector<std::atomic<std::size_t>> missing(groups.size());
  std::vector<std::size_t> groupOf;
  groupOf.reserve(count);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    missing[g] = groups[g].count;
    groupOf.insert(groupOf.end(), groups[g].count, g);
  }
  std::size_t queued = 0;
  const auto queueWhole = [&] {
    for (; queued < groups.size() && missing[queued] == 0; ++queued)
      queueCopy(run, groups[queued].first->to, groups[queued].place, groups[queued].bytes);
  };
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<std::size_t> next = 0;
  // A thread that waits for the others must not begin other work of the caller meanwhile.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
      for (std::size_t i = next++; i < count; i = next++) {
        const Group& group = groups[groupOf[i]];
        const Piece& piece = groups[0].first[i];
        copyToMemory(group.place + (piece.to - group.first->to), piece.from, piece.bytes);
        --missing[groupOf[i]];
        if (std::this_thread::get_id() == caller) queueWhole();
      }
    });
  });
  queueWhole();
}

}  // namespace

void uploadStaged(GpuRun& run, std::span<const StagedUpload> parts) {
  const GpuPhase phase("upload");
  std::vector<Piece> pieces;
  std::size_t bytes = 0;
  for (const StagedUpload& part : parts) {
    addPieces(part.from.data(), part.to, part.from.size(), kBytesOfThread, pieces);
    bytes += part.from.size();
  }
  Staging staging(run, bytes);
  if (!staging) {
    for (const StagedUpload& part : parts)
      if (!part.from.empty()) queueCopy(run, part.to, part.from.data(), part.from.size());
    run.wait();
    return;
  }
  Event passed[2];  // what the halves of the slab were last used for
  for (std::size_t done = 0, half = 0; done < pieces.size(); half = 1 - half) {
    run.wait(passed[half]);
    const std::vector<Group> groups =
        nextGroups(pieces, done, staging.memory() + half * kHalfBytes);
    uploadGroups(run, groups);
    passed[half].record(run.stream());
    for (const Group& group : groups) done += group.count;
  }
  run.wait();
}

void downloadStaged(GpuRun& run, std::span<const StagedDownload> parts) {
  const GpuPhase phase("copy to host");
  std::vector<Piece> pieces;
  std::size_t bytes = 0;
  for (const StagedDownload& part : parts) {
    addPieces(part.from, part.to.data(), part.to.size(), kDownloadBytes, pieces);
    bytes += part.to.size();
  }
  Staging staging(run, bytes);
  if (!staging) {
    for (const StagedDownload& part : parts)
      if (!part.to.empty()) queueCopy(run, part.to.data(), part.from, part.to.size());
    run.wait();
    return;
  }
  std::vector<Event> arrived(std::min(kDownloadPlaces, pieces.size()));
  const auto placeOf = [&](std::size_t i) {
    return staging.memory() + i % kDownloadPlaces * kDownloadBytes;
  };
  const auto queue = [&](std::size_t i) {
    queueCopy(run, placeOf(i), pieces[i].from, pieces[i].bytes);
    arrived[i % kDownloadPlaces].record(run.stream());
  };
  for (std::size_t i = 0; i < arrived.size(); ++i) queue(i);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    run.wait(arrived[i % kDownloadPlaces]);
    parallelForBlocks(pieces[i].bytes, kBytesOfThread, [&](std::size_t begin, std::size_t end) {
      std::memcpy(pieces[i].to + begin, placeOf(i) + begin, end - begin);
    });
    if (i + kDownloadPlaces < pieces.size()) queue(i + kDownloadPlaces);
  }
}

}  // namespace clusterloom
