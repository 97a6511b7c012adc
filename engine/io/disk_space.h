#pragma once

#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace clusterloom {

/// The disk of a folder, in bytes.
struct DiskSpace {
  std::uint64_t all = 0;
  std::uint64_t free = 0;  ///< that this user may still write
};
/// Io.
Result<DiskSpace> diskSpaceOf(const std::string& folder);

/// Whether so many bytes may be written in the background to the disk of a folder, once `freed`
/// bytes are removed: a twentieth of the disk, at most 4 GiB, stays free, so that other programs go
/// on. Io.
Result<void> checkDiskSpace(const std::string& folder, std::uint64_t bytes,
                            std::uint64_t freed = 0);

}  // namespace clusterloom
