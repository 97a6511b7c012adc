#include "engine/cuda/runtime/staged_upload.h"

#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/staged_places.h"

namespace clusterloom {

void uploadStaged(GpuRun& run, std::span<const StagedUpload> parts) {
  using namespace staged;
  const GpuPhase phase("upload");
  std::vector<Piece> pieces;
  for (const StagedUpload& part : parts)
    addPieces(part.from.data(), part.to, part.from.size(), pieces);
  if (isSmall(pieces)) {
    for (const Piece& piece : pieces) queueCopy(run, piece.to, piece.from, piece.bytes);
    run.wait();
    return;
  }
  Places places(run);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i >= kPieces) places.wait(i);
    copyOnHost(places.of(i), pieces[i].from, pieces[i].bytes);
    queueCopy(run, pieces[i].to, places.of(i), pieces[i].bytes);
    places.queued(i);
  }
  run.wait();
}

}  // namespace clusterloom
