#pragma once

#include <cstdint>

#include "engine/join/join_view.h"

namespace clusterloom {

/// Which of `count` ≤ 64 candidates, the i-th at position begin + i · stride, are neighbours of the
/// query by the canonical predicate: bit i. Vectorised across candidates, never across dimensions,
/// so that every sum is rounded as the predicate says.
std::uint64_t hitMask(const JoinView& view, std::uint32_t query, std::uint32_t begin,
                      std::uint32_t stride, std::uint32_t count);

}  // namespace clusterloom
