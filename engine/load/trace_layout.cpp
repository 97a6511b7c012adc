#include "engine/load/trace_layout.h"

namespace clusterloom {

TraceLayout::TraceLayout(const AlignedLoops& loops) : loops_(loops), stepOfTurn_(loops.runs()) {
  allSteps_ = place(AlignedLoops::kOutside, 0);
}

std::uint64_t TraceLayout::place(std::uint32_t number, std::uint64_t at) {
  const AlignedLoops::Run& run = loops_.run(number);
  const bool outside = number == AlignedLoops::kOutside;
  const std::uint32_t turns = outside ? 1 : run.turns;
  stepOfTurn_[number].resize(turns);
  auto inner = run.inner.begin();
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    stepOfTurn_[number][turn] = at;
    if (!outside) ++at;
    if (run.hitIn(turn)) ++at;
    for (; inner != run.inner.end() && inner->turn() == turn; ++inner) at = place(inner->run, at);
  }
  return at;
}

}  // namespace clusterloom
