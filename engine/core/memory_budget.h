#pragma once

#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace clusterloom {

/// Bytes this process can still take: MemAvailable, less where a control group or the address space
/// allows less. UINT64_MAX where the system does not report it.
std::uint64_t availableMemory();

/// Bytes that RLIMIT_AS (ulimit -v) leaves for further mappings; UINT64_MAX without a limit.
std::uint64_t freeAddressSpace();

/// "1.5 GiB", "312 MiB", "17 bytes".
std::string memoryText(std::uint64_t bytes);

/// The error of a run that cannot get the memory it needs.
Error outOfMemory();

/// TooLarge, naming the figures and what to do, when a data set of `bytes` would not fit into
/// `limit` bytes (0: when reading it would not fit into what the machine has free).
Result<void> checkMemory(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                         std::uint64_t bytes, std::uint64_t limit);

/// TooLarge, naming the figures and what to do, when a result of `pairs` pairs in `bytes` would not
/// fit into what the machine has free.
Result<void> checkTableFits(std::uint64_t pairs, std::uint64_t bytes);

}  // namespace clusterloom
