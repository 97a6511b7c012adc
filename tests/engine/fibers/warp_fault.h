#pragma once

#include <string>

namespace clusterloom {

/// A fault: what the lanes of a warp or of a block did that lanes of a GPU must not do.
enum class WarpFaultKind {
  NotInMask,             ///< a lane called a collective with a mask that leaves it out
  SourceOutsideMask,     ///< a shuffle from a lane that is not in the mask
  DifferentMasks,        ///< two lanes, each in the other's mask, with different masks
  DifferentCollectives,  ///< two lanes of one mask in different collectives
  LaneLeft,              ///< a lane that others wait for has ended or does not exist
  DifferentBarriers,     ///< two threads of a block at different block barriers
  Deadlock,              ///< every lane waits, none of them for ever the same
  SharedOutside,         ///< an access outside the block's shared memory
  SharedUnwritten,       ///< a read of shared memory that was never written
  SharedRace,            ///< two threads without a barrier between them, one of which writes
};

struct WarpFault {
  WarpFaultKind kind;
  std::string message;  ///< names the lanes and their masks
};

}  // namespace clusterloom
