#include "engine/cuda/runtime/staged_download.h"

#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/staged_places.h"

namespace clusterloom {

void downloadStaged(GpuRun& run, std::span<const StagedPart> parts) {
  using namespace staged;
  const GpuPhase phase("copy to host");
  std::vector<Piece> pieces;
  for (const StagedPart& part : parts)
    addPieces(part.from, part.to.data(), part.to.size(), kPieceBytes, pieces);
  if (isSmall(pieces)) {
    for (const Piece& piece : pieces) queueCopy(run, piece.to, piece.from, piece.bytes);
    run.wait();
    return;
  }
  Places places(run);
  const auto queue = [&](std::size_t i) {
    queueCopy(run, places.of(i), pieces[i].from, pieces[i].bytes);
    places.queued(i);
  };
  for (std::size_t i = 0; i < std::min(kPieces, pieces.size()); ++i) queue(i);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    places.wait(i);
    copyOnHost(pieces[i].to, places.of(i), pieces[i].bytes);
    if (i + kPieces < pieces.size()) queue(i + kPieces);
  }
}

}  // namespace clusterloom
