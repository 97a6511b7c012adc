#include "engine/load/trace_lane.h"

#include <cstddef>
#include <cstring>

#include "engine/core/instruction_sets.h"

namespace clusterloom {
namespace {

// Later instruction sets count bits by one instruction, others by a call.
CLUSTERLOOM_CLONES void countHitTurns(const AlignedLoops::Run::HitTurns& turns,
                                      std::uint64_t& steps, std::uint64_t& laneSteps) {
  steps += std::uint64_t(std::popcount(turns.any));
  for (const std::uint64_t ofLane : turns.ofLane) laneSteps += std::uint64_t(std::popcount(ofLane));
}

// Four candidates side by side, in GCC's and Clang's vectors: compilers do not find by themselves
// that comparisons become bits. Vectors of eight take ten times as long where the machine has
// registers of four: GCC keeps them in memory.
using Four = double __attribute__((vector_size(32)));
using Bits = std::int64_t __attribute__((vector_size(32)));

/// Dims 0: as many as `dims` says. `count` is a multiple of four, at most 64.
template <int Dims>
CLUSTERLOOM_INLINE std::uint64_t maskOfBlockIn(const double* const* columns, int dims,
                                               double squaredEps, std::uint32_t query,
                                               std::size_t begin, std::size_t count) {
  if constexpr (Dims > 0) dims = Dims;
  Bits hits = {};
  Bits bit = {1, 2, 4, 8};
  for (std::size_t four = 0; four < count; four += 4) {
    Four sum = {};
    for (int j = 0; j < dims; ++j) {
      Four x;
      std::memcpy(&x, columns[j] + begin + four, sizeof x);
      const Four difference = columns[j][query] - x;
      sum += difference * difference;
    }
    hits |= (sum <= squaredEps) & bit;
    bit <<= 4;
  }
  return std::uint64_t(hits[0] | hits[1] | hits[2] | hits[3]);
}

CLUSTERLOOM_CLONES std::uint64_t maskOfBlock(const double* const* columns, int dims,
                                             double squaredEps, std::uint32_t query,
                                             std::size_t begin, std::size_t count) {
  if (dims == 2) return maskOfBlockIn<2>(columns, dims, squaredEps, query, begin, count);
  if (dims == 3) return maskOfBlockIn<3>(columns, dims, squaredEps, query, begin, count);
  return maskOfBlockIn<0>(columns, dims, squaredEps, query, begin, count);
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

std::uint64_t hitMask(const JoinView& view, std::uint32_t query, std::uint32_t begin,
                      std::uint32_t stride, std::uint32_t count) {
  std::uint64_t mask = 0;
  std::uint32_t i = 0;
  if (stride == 1) {
    i = count / 4 * 4;
    mask = maskOfBlock(view.columns, view.dims, view.squaredEps, query, begin, i);
  }
  for (; i < count; ++i) {
    const bool hit = isNeighbour(view, query, begin + i * stride);
    mask |= std::uint64_t(hit) << i;
  }
  return mask;
}

}  // namespace clusterloom
