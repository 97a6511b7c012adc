#include "engine/io/disk_space.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/core/memory_budget.h"

namespace clusterloom {

Result<DiskSpace> diskSpaceOf(const std::string& folder) {
  std::error_code error;
  const std::filesystem::space_info disk = std::filesystem::space(folder, error);
  if (error)
    return ioError(folder + ": cannot be used (" + error.message() + "). Choose another folder.");
  return DiskSpace{disk.capacity, disk.available};
}

Result<void> checkDiskSpace(const std::string& folder, std::uint64_t bytes, std::uint64_t freed) {
  constexpr std::uint64_t kMostReserved = std::uint64_t{4} << 30;
  const auto disk = diskSpaceOf(folder);
  if (!disk) return tl::unexpected(disk.error());
  const std::uint64_t reserved = std::min<std::uint64_t>(disk->all / 20, kMostReserved);
  const std::uint64_t free = disk->free + freed;
  if (free >= reserved && free - reserved >= bytes) return {};
  return ioError(folder + ": about " + memoryText(bytes) + " are needed and " + memoryText(free) +
                 " are free, of which " + memoryText(std::min(free, reserved)) +
                 " are left to other programs. Free some space.");
}

}  // namespace clusterloom
