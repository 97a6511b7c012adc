#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "engine/load/warp_trace.h"

namespace clusterloom {

/// The texts of a lane page, by default English. "%1" and so on stand for numbers.
struct LanePageWords {
  std::string language = "en";  ///< its code
  std::string title = "A warp, step by step";
  /// Warp, its steps.
  std::string warp = "Modelled: warp %1 takes %2 steps. Each row is one of its 32 lanes.";
  /// The GPU that is modelled, its multiprocessors, warps of each, clock; ends what is said of the
  /// warp.
  std::string machine = "%1: %2 multiprocessors × %3 warps, %4 GHz";
  /// Steps on the page; follows `warp` where it has more.
  std::string firstSteps = "The page has the first %1 of them.";
  std::string keys =
      "Left, Right: one step. Page Up, Page Down: 32 steps. Home, End: first and last. Space: "
      "play.";
  std::string back = "Previous step";
  std::string play = "Play";
  std::string on = "Next step";
  std::string idle = "idle";
  std::array<std::string, kLoops> loops{"adjacent cell", "search of a cell", "candidate", "hit"};
  /// Step, steps, working lanes, what they do, idle lanes.
  std::string step = "Step %1 of %2: %3 of 32 lanes %4. %5 idle.";
  /// The work of lanes in each loop: the first that works, its query point, the candidate.
  std::array<std::string, kLoops> work{
      "go to their next adjacent cell", "search the list of cells for it",
      "compute a distance: lane %1 that of its query point %2 to candidate %3",
      "store a neighbour: lane %1 has found that %3 is within ε of %2"};
};

/// Steps that a page has at most.
inline constexpr std::size_t kLanePageSteps = 65536;

/// One warp lane by lane and step by step, as one HTML page that loads no other files; the arrow
/// keys go through the steps. Shows the first kLanePageSteps steps, and so is always smaller than 1
/// MB.
std::string lanePage(const WarpTrace& trace, const LanePageWords& words = {});

}  // namespace clusterloom
