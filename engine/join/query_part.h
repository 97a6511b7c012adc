#pragma once

#include <cstdint>

namespace clusterloom {

/// One of `parts` parts of a join's queries, which whoever does the join cuts as it likes: all
/// parts together have each query once.
struct QueryPart {
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
};

}  // namespace clusterloom
