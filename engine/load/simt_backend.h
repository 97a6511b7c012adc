#pragma once

#include <memory>

#include "engine/backend.h"

namespace clusterloom {

/// What the model of a GPU's warps can express.
inline constexpr BackendLimits kSimtLimits{
    .name = "simt", .threadGroups = true, .keyValueSort = true};

/// The model as a backend: modelLoad on `threads` CPU threads (0: what the machine has). It
/// counts the steps of a join and has none of its results, so everything else is refused.
std::unique_ptr<Backend> makeSimtBackend(int threads);

}  // namespace clusterloom
