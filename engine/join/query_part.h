#pragma once

#include <cstdint>

namespace clusterloom {

/// One of `parts` parts of a join's queries. The device that does the join chooses the parts;
/// together they have each query once.
struct QueryPart {
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
};

}  // namespace clusterloom
