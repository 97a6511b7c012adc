#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

#include "engine/core/memory_budget.h"

/// Leaves this process `bytes` of further address space while it lives, whatever the machine has.
class NarrowMemory {
 public:
  explicit NarrowMemory(std::uint64_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit narrow = before_;
    // A limit that cannot be reached makes the memory in use known.
    narrow.rlim_cur = std::min<rlim_t>(before_.rlim_max, rlim_t{1} << 62);
    setrlimit(RLIMIT_AS, &narrow);
    const std::uint64_t free = clusterloom::freeAddressSpace();
    if (free > bytes) narrow.rlim_cur -= free - bytes;
    setrlimit(RLIMIT_AS, &narrow);
  }
  ~NarrowMemory() { setrlimit(RLIMIT_AS, &before_); }
  NarrowMemory(const NarrowMemory&) = delete;
  NarrowMemory& operator=(const NarrowMemory&) = delete;

 private:
  rlimit before_{};
};
