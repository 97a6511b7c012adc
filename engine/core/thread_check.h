#pragma once

#include "engine/core/result.h"

namespace clusterloom {

/// Whether this process can have `threads` threads at once, the calling one included. Tested by
/// starting them, each with the stack that TBB gives its own: TBB ends the process where it cannot
/// start one. TooLarge, with how many there could be.
Result<void> checkThreads(int threads);

}  // namespace clusterloom
