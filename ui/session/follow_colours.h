#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

/// Palette indices for clusters of one ε such that they keep the colours of another ε's clusters
/// through the tree: of clusters that merge, the largest keeps its colour, and of the parts of one
/// that splits, the largest. The others take the lowest colours that no cluster kept. Clusters are
/// given by their dendrogram nodes; `coloursBefore` has one index for each of `before`, empty: its
/// number. No two indices are alike. O(c log c) for c clusters.
std::vector<std::int32_t> followColours(const Hierarchy& hierarchy,
                                        std::span<const std::uint32_t> before,
                                        std::span<const std::int32_t> coloursBefore,
                                        std::span<const std::uint32_t> now);

}  // namespace clusterloom
