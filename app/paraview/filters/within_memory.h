#pragma once

#include <new>

#include "engine/core/memory_budget.h"
#include "engine/core/result.h"

namespace clusterloom::paraview {

/// The Result that `use` returns, or outOfMemory() where it throws std::bad_alloc.
template <class Use>
auto withinMemory(const Use& use) -> decltype(use()) {
  try {
    return use();
  } catch (const std::bad_alloc&) {
    return tl::unexpected(outOfMemory());
  }
}

}  // namespace clusterloom::paraview
