#include "engine/load/trace_lane.h"

#include <algorithm>

#include "engine/join/instruction_sets.h"

namespace clusterloom {
namespace {

// Later instruction sets count bits by one instruction, others by a call.
CLUSTERLOOM_CLONES void countHitTurns(const AlignedLoops::Run::HitTurns& turns,
                                      std::uint64_t& steps, std::uint64_t& laneSteps) {
  steps += std::uint64_t(std::popcount(turns.any));
  for (const std::uint64_t ofLane : turns.ofLane) laneSteps += std::uint64_t(std::popcount(ofLane));
}

}  // namespace

void AlignedLoops::clear() {
  used_ = 0;
  add(Loop::Cell);  // kOutside
}

std::uint32_t AlignedLoops::add(Loop loop) {
  if (used_ == runs_.size()) runs_.emplace_back();
  Run& run = runs_[used_];
  run.loop = loop;
  run.turns = 0;
  run.lanes.clear();
  run.hits.clear();
  run.inner.clear();
  return used_++;
}

WarpSteps AlignedLoops::steps() const {
  WarpSteps sum;
  for (std::uint32_t i = kOutside + 1; i < used_; ++i) {
    const Run& run = runs_[i];
    const auto loop = std::size_t(run.loop);
    constexpr auto hit = std::size_t(Loop::Hit);
    sum.steps[loop] += run.turns;
    for (const Run::LaneTurns& lane : run.lanes) sum.laneSteps[loop] += lane.turns;
    for (const Run::HitTurns& turns : run.hits)
      countHitTurns(turns, sum.steps[hit], sum.laneSteps[hit]);
  }
  return sum;
}

void TraceLane::enter(Loop loop) {
  const std::uint64_t place = std::uint64_t(turn_) << 32 | std::uint64_t(branch_) << 24 |
                              std::uint64_t(entered_) << 8 | std::uint64_t(loop);
  auto* inner = &loops_.runs_[run_].inner;
  while (nextInner_ < inner->size() && (*inner)[nextInner_].place < place) ++nextInner_;
  if (nextInner_ == inner->size() || (*inner)[nextInner_].place != place) {
    const std::uint32_t added = loops_.add(loop);
    inner = &loops_.runs_[run_].inner;  // the runs may have moved
    inner->insert(inner->begin() + nextInner_, {place, added});
  }
  const std::uint32_t run = (*inner)[nextInner_].run;
  outer_[depth_++] = {run_, turn_, branch_, entered_ + 1, nextInner_ + 1};
  run_ = run;
  turn_ = kBefore;
  branch_ = entered_ = nextInner_ = 0;
}

void TraceLane::leave(Loop) {
  AlignedLoops::Run& run = loops_.runs_[run_];
  const std::uint32_t turns = turn_ + 1;
  run.turns = std::max(run.turns, turns);
  run.lanes.push_back({id_, turns});
  const std::size_t words = std::min((turns + std::size_t{63}) / 64, hits_.size());
  for (std::size_t word = 0; word < words; ++word) {
    AlignedLoops::addHits(run, id_, word, hits_[word]);
    hits_[word] = 0;
  }
  const Outer& outer = outer_[--depth_];
  run_ = outer.run;
  turn_ = outer.turn;
  branch_ = outer.branch;
  entered_ = outer.entered;
  nextInner_ = outer.nextInner;
}

}  // namespace clusterloom
