#include "engine/load/idle_caused.h"

#include <algorithm>
#include <bit>

#include "engine/core/instruction_sets.h"

namespace clusterloom {
namespace {

// Lanes leave a run one after another; between two such events the same lanes are active.
void countTurns(const AlignedLoops::Run& run, SharedSteps& shared) {
  std::array<AlignedLoops::Run::LaneTurns, SharedSteps::kLanes> lanes;
  const std::size_t count = run.lanes.size();
  std::copy(run.lanes.begin(), run.lanes.end(), lanes.begin());
  std::sort(lanes.begin(), lanes.begin() + count,
            [](const auto& a, const auto& b) { return a.turns < b.turns; });
  const auto loop = std::size_t(run.loop);
  std::uint32_t done = 0;
  for (std::size_t first = 0; first < count; ++first) {
    const std::uint32_t turns = lanes[first].turns - done;
    if (turns == 0) continue;
    done = lanes[first].turns;
    for (std::size_t i = first; i < count; ++i)
      shared.of[lanes[i].lane][loop][count - first] += turns;
  }
}

// How many lanes hit in each of 64 turns: bit t of the planes, lowest first, is the number for turn
// t. Adding 32 lanes to all turns at once and testing which turns have a number is faster than
// visiting each hit in dense clouds.
class HitCounts {
 public:
  explicit HitCounts(const AlignedLoops::Run::HitTurns& turns) {
    for (std::uint64_t carry : turns.ofLane)
      for (std::uint64_t& plane : planes_) {
        const std::uint64_t both = plane & carry;
        plane ^= carry;
        carry = both;
      }
  }

  /// The turns in which `number` lanes hit.
  std::uint64_t turnsWith(std::uint32_t number) const {
    std::uint64_t turns = ~std::uint64_t{0};
    for (std::size_t bit = 0; bit < planes_.size(); ++bit)
      turns &= (number >> bit & 1U) != 0 ? planes_[bit] : ~planes_[bit];
    return turns;
  }

 private:
  std::array<std::uint64_t, 6> planes_{};  // up to 32
};

// Most of it is counting bits, for which later instruction sets have an instruction.
CLUSTERLOOM_CLONES void countHits(const AlignedLoops::Run::HitTurns& hits, SharedSteps& shared) {
  std::array<std::uint32_t, SharedSteps::kLanes> lanes;
  std::size_t count = 0;
  for (std::uint32_t lane = 0; lane < SharedSteps::kLanes; ++lane)
    if (hits.ofLane[lane] != 0) lanes[count++] = lane;
  const HitCounts counts(hits);
  std::uint64_t left = hits.any;
  for (std::uint32_t hitting = 1; left != 0; ++hitting) {
    const std::uint64_t turns = counts.turnsWith(hitting);
    if (turns == 0) continue;
    left &= ~turns;
    for (std::size_t i = 0; i < count; ++i)
      shared.of[lanes[i]][std::size_t(Loop::Hit)][hitting] +=
          std::uint32_t(std::popcount(hits.ofLane[lanes[i]] & turns));
  }
}

}  // namespace

SharedSteps sharedStepsOf(const AlignedLoops& loops) {
  SharedSteps shared;
  for (std::uint32_t i = AlignedLoops::kOutside + 1; i < loops.runs(); ++i) {
    countTurns(loops.run(i), shared);
    for (const auto& hits : loops.run(i).hits) countHits(hits, shared);
  }
  return shared;
}

double idleCaused(const SharedSteps& shared, std::uint32_t lane, const LoopWeights& weights) {
  double idle = 0;
  for (std::size_t loop = 0; loop < kLoops; ++loop) {
    if (weights.of[loop] == 0) continue;
    for (std::uint32_t active = 1; active <= SharedSteps::kLanes; ++active) {
      const std::uint32_t steps = shared.of[lane][loop][active];
      if (steps == 0) continue;  // most are, and a division takes long
      idle += weights.of[loop] * steps * (SharedSteps::kLanes - active) / active;
    }
  }
  return idle;
}

}  // namespace clusterloom
