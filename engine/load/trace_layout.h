#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/load/trace_lane.h"

namespace clusterloom {

/// The steps of a warp in the order in which it takes them: each turn of a loop, then the hit in it
/// if there is one, then the loops within it.
class TraceLayout {
 public:
  explicit TraceLayout(const AlignedLoops& loops);

  std::uint64_t allSteps() const { return allSteps_; }
  /// Step of a turn of a run; a hit in that turn is the step after.
  std::uint64_t stepOf(std::uint32_t run, std::uint32_t turn) const {
    return stepOfTurn_[run][turn];
  }

 private:
  std::uint64_t place(std::uint32_t run, std::uint64_t at);

  const AlignedLoops& loops_;
  std::vector<std::vector<std::uint64_t>> stepOfTurn_;
  std::uint64_t allSteps_ = 0;
};

/// A lane that repeats loops that were laid out and reports what each of its steps reads: see(step,
/// loop, what).
template <class See>
class SteppingLane : public SerialLane {
 public:
  static constexpr std::uint32_t width = 32;

  SteppingLane(TraceLane where, const TraceLayout& layout, See see)
      : where_(std::move(where)), layout_(layout), see_(std::move(see)) {}

  std::uint32_t id() const { return where_.id(); }
  bool stopping() const { return where_.stopping(); }
  void enter(Loop loop) { where_.enter(loop); }
  void leave(Loop loop) { where_.leave(loop); }
  void branch(int i) { where_.branch(i); }
  void step(Loop loop) {
    where_.step(loop);
    loop_ = loop;
  }
  void look(std::uint64_t what) {
    what_ = what;
    see_(layout_.stepOf(where_.run(), where_.turn()), loop_, what);
  }
  void mark(Loop loop) { see_(layout_.stepOf(where_.run(), where_.turn()) + 1, loop, what_); }

 private:
  TraceLane where_;
  const TraceLayout& layout_;
  See see_;
  Loop loop_ = Loop::Cell;
  std::uint64_t what_ = 0;
};

}  // namespace clusterloom
