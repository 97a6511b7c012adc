#include "engine/cuda/runtime/staged_upload.h"

#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/staged_places.h"

namespace clusterloom {
namespace {

using namespace staged;

// Pieces that follow one another on the device, and go there together.
struct Group {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t bytes = 0;
};

std::vector<Group> groupsOf(const std::vector<Piece>& pieces) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool follows = !groups.empty() && pieces[i - 1].to + pieces[i - 1].bytes == pieces[i].to;
    if (!follows || groups.back().bytes + pieces[i].bytes > kPieceBytes)
      groups.push_back({.first = i});
    ++groups.back().count;
    groups.back().bytes += pieces[i].bytes;
  }
  return groups;
}

void gather(std::byte* to, const Piece* pieces, std::size_t count) {
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    std::memcpy(to + (pieces[i].to - pieces[0].to), pieces[i].from, pieces[i].bytes);
  });
}

}  // namespace

void uploadStaged(GpuRun& run, std::span<const StagedUpload> parts) {
  const GpuPhase phase("upload");
  std::vector<Piece> pieces;
  for (const StagedUpload& part : parts)
    addPieces(part.from.data(), part.to, part.from.size(), kBytesOfThread, pieces);
  if (isSmall(pieces)) {
    for (const Piece& piece : pieces) queueCopy(run, piece.to, piece.from, piece.bytes);
    run.wait();
    return;
  }
  Places places(run);
  const std::vector<Group> groups = groupsOf(pieces);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i >= kPieces) places.wait(i);
    const Piece* const first = pieces.data() + groups[i].first;
    gather(places.of(i), first, groups[i].count);
    queueCopy(run, first->to, places.of(i), groups[i].bytes);
    places.queued(i);
  }
  run.wait();
}

}  // namespace clusterloom
