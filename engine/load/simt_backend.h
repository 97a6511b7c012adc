#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/join/backend_kinds.h"

namespace clusterloom {

/// The limits of the model of a GPU's warps.
inline constexpr BackendLimits kSimtLimits{
    .name = kModelBackend, .threadGroups = true, .keyValueSort = true};

/// The model as a backend: modelLoad on `threads` CPU threads (0: as many as the machine has). It
/// counts the steps of a join without computing results; all other calls are refused.
std::unique_ptr<Backend> makeSimtBackend(int threads);

}  // namespace clusterloom
