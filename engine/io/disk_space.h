#pragma once

#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace clusterloom {

/// Whether so many bytes may be written in the background to the disk of a folder, once `freed`
/// bytes are removed: a twentieth of the disk, at most 4 GiB, stays free, so that other programs go
/// on. Io.
Result<void> checkDiskSpace(const std::string& folder, std::uint64_t bytes,
                            std::uint64_t freed = 0);

}  // namespace clusterloom
