#pragma once

#include <memory>

#include "engine/backend.h"

namespace clusterloom {

/// The lane programs on CPU threads. `threads` = 0: as many as the machine has.
std::unique_ptr<Backend> makeCpuBackend(int threads);

}  // namespace clusterloom
