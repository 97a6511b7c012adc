#pragma once

#include <memory>
#include <vector>

#include "engine/distributed/divided_backend.h"

namespace clusterloom {

/// Ranks of this process on GPUs: rank r on the GPU numbered devices[r]; several may share one.
/// `limits` are those of the backend cuda. Null where there are more ranks than they can be.
/// Unavailable when a GPU does not answer.
Result<std::unique_ptr<RanksOnDevices>> makeRanksOnGpus(const std::vector<int>& devices,
                                                        const BackendLimits& limits);

}  // namespace clusterloom
