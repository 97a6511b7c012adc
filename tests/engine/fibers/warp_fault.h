#pragma once

#include <string>

namespace clusterloom {

/// What the lanes of a warp or of a block did that a GPU's must not do.
enum class WarpFaultKind {
  NotInMask,             ///< a lane called a collective with a mask that leaves it out
  SourceOutsideMask,     ///< a shuffle from a lane that is not in the mask
  DifferentMasks,        ///< two lanes, each in the other's mask, with masks that differ
  DifferentCollectives,  ///< two lanes of one mask in different collectives
  LaneLeft,              ///< a lane that others wait for has ended, or never was
  DifferentBarriers,     ///< two threads of a block at different block barriers
  Deadlock,              ///< every lane waits, none of them for ever the same
  SharedOutside,         ///< an access outside the block's shared memory
  SharedUnwritten,       ///< a read of shared memory that was never written
  SharedRace,            ///< two threads, no barrier between them, and one of them writes
};

struct WarpFault {
  WarpFaultKind kind;
  std::string message;  ///< names the lanes and their masks
};

}  // namespace clusterloom
