#include "engine/cuda/runtime/staged_download.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/cuda/runtime/gpu_phase.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::size_t kPieces = SlabPool::kSlabBytes / kPieceBytes;
constexpr std::size_t kBytesOfThread = std::size_t{128} << 10;
// Less is copied as well by the driver, and needs no page-locked memory.
constexpr std::size_t kLeastStaged = std::size_t{1} << 20;

struct Piece {
  const std::byte* from;
  std::byte* to;
  std::size_t bytes;
};

// What is thrown must not give the slab back while the device writes to it.
class PassedStream {
 public:
  explicit PassedStream(cudaStream_t stream) : stream_(stream) {}
  ~PassedStream() { cudaStreamSynchronize(stream_); }
  PassedStream(const PassedStream&) = delete;
  PassedStream& operator=(const PassedStream&) = delete;

 private:
  cudaStream_t stream_;
};

void queueCopy(const GpuRun& run, const Piece& piece, std::byte* to) {
  CUDA_CHECK(cudaMemcpyAsync(to, piece.from, piece.bytes, cudaMemcpyDeviceToHost, run.stream()));
}

void copyOn(const std::byte* from, const Piece& piece) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, piece.bytes, kBytesOfThread),
                    [&](const auto& range) {
                      std::memcpy(piece.to + range.begin(), from + range.begin(), range.size());
                    });
}

std::vector<Piece> piecesOf(std::span<const StagedPart> parts) {
  std::vector<Piece> pieces;
  for (const StagedPart& part : parts)
    for (std::size_t at = 0; at < part.to.size(); at += kPieceBytes)
      pieces.push_back({static_cast<const std::byte*>(part.from) + at, part.to.data() + at,
                        std::min(kPieceBytes, part.to.size() - at)});
  return pieces;
}

}  // namespace

void downloadStaged(GpuRun& run, std::span<const StagedPart> parts) {
  const GpuPhase phase("copy to host");
  const std::vector<Piece> pieces = piecesOf(parts);
  std::size_t bytes = 0;
  for (const Piece& piece : pieces) bytes += piece.bytes;
  if (bytes < kLeastStaged) {
    for (const Piece& piece : pieces) queueCopy(run, piece, piece.to);
    run.wait();
    return;
  }
  SlabPool::Slab slab = run.device().slabs().take();
  const PassedStream passed(run.stream());
  std::byte* const locked = slab.as<std::byte>().data();
  std::vector<Event> there(std::min(kPieces, pieces.size()));
  const auto queue = [&](std::size_t i) {
    queueCopy(run, pieces[i], locked + i % kPieces * kPieceBytes);
    there[i % kPieces].record(run.stream());
  };
  for (std::size_t i = 0; i < there.size(); ++i) queue(i);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    run.wait(there[i % kPieces]);
    copyOn(locked + i % kPieces * kPieceBytes, pieces[i]);
    if (i + kPieces < pieces.size()) queue(i + kPieces);
  }
}

}  // namespace clusterloom
