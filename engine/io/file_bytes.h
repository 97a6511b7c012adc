#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace clusterloom {

/// Reads bytes at their place in an open file, all of them. 0, or errno; EIO where it ends before.
int readFileBytes(int file, std::uint64_t offset, std::span<std::byte> bytes);
/// Writes bytes at their place in an open file, all of them. 0, or errno.
int writeFileBytes(int file, std::uint64_t offset, std::span<const std::byte> bytes);

}  // namespace clusterloom
