#pragma once

#include <memory>

#include "engine/core/result.h"
#include "engine/hybrid/shared_device.h"

namespace clusterloom {

/// A GPU that takes part in joins which it shares with the CPU (engine/hybrid/shared_join.h). It
/// makes the order of queries, WORKQUEUE's [Gallet 2019, §III-D], and answers each batch as a local
/// queue of its warps [Gallet 2020, §4.4], on as many streams as the strategy says, three unless
/// told otherwise. `device`: its number; −1 takes the first that answers. Unavailable, with the
/// reason, where none answers.
Result<std::unique_ptr<SharedDevice>> makeSharedGpu(int device);

}  // namespace clusterloom
