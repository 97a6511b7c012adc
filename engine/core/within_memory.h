#pragma once

#include <new>
#include <string>
#include <string_view>

#include "engine/core/memory_budget.h"
#include "engine/core/result.h"

namespace clusterloom {

/// The Result that `run` returns; where it throws std::bad_alloc, TooLarge with this message, or
/// outOfMemory() without one.
template <class Run>
auto withinMemory(const Run& run, std::string_view message = {}) -> decltype(run()) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    if (message.empty()) return tl::unexpected(outOfMemory());
    return tooLarge(std::string(message));
  }
}

}  // namespace clusterloom
