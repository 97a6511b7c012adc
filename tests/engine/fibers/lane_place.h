#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/core/lane.h"

namespace clusterloom {

/// The progress of a lane, for comparison: for each loop it is in, which one among those around it
/// (the branch, then how many were entered since) and which turn of it. A hit comes after the turn
/// it is in and before the loops within.
class LanePlace {
 public:
  void enter(Loop loop) {
    Level& level = levels_.back();
    level.entered += 1;
    level.hit = false;
    level.loop = loop;
    levels_.push_back({});
  }
  void leave() { levels_.pop_back(); }
  void branch(int i) { levels_.back() = {.turn = levels_.back().turn, .branch = i + 1}; }
  void step() { levels_.back() = {.turn = levels_.back().turn + 1}; }
  void mark() { levels_.back().hit = true; }
  friend bool operator<(const LanePlace& a, const LanePlace& b) { return a.levels_ < b.levels_; }
  friend bool operator==(const LanePlace& a, const LanePlace& b) { return a.levels_ == b.levels_; }

 private:
  struct Level {
    std::uint64_t turn = 0;
    int branch = 0;
    std::uint32_t entered = 0;
    bool hit = false;
    Loop loop = Loop::Cell;
    friend auto operator<=>(const Level&, const Level&) = default;
  };
  std::vector<Level> levels_{Level{}};
};

}  // namespace clusterloom
