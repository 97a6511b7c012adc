#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/lower_bound.h"
#include "engine/hierarchy/lanes/group_contraction.h"

// The chains of the levels. From the vertex that an edge e was contracted into, climb the levels
// until the lightest edge of the vertex X there is heavier than e. That edge is the lowest ancestor
// of e at the level of X. The edges of one X, by rank, are a path of the dendrogram: each is the
// parent of the one before. Below an edge of the path hang those of its two vertices, at the level
// at which it was contracted, whose lightest edge it is. Chains of a level depend on lower levels
// alone, so sizes and lowest points are scans of the chains, level by level upwards, and positions
// downwards.

namespace clusterloom {

struct FindChains {
  Contraction c;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t rank) const {
    std::uint32_t vertex = c.up[c.endA[rank]];
    while (c.lightest[vertex] < rank) vertex = c.up[vertex];
    c.chain[rank] = vertex;
    c.ranks[rank] = rank;
  }
};

struct MarkChains {
  Contraction c;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t vertex = c.chain[i];
    if (i == 0 || c.chain[i - 1] != vertex) c.chainBegin[vertex] = i;
    if (i + 1 == c.edges || c.chain[i + 1] != vertex) c.chainLast[vertex] = i;
    c.index[c.ranks[i]] = i;
  }
};

/// Where the chains of each level begin.
struct FindLevels {
  static constexpr std::size_t kMost = 34;
  Contraction c;
  std::uint32_t first[kMost] = {};  ///< vertex of each level
  std::uint32_t* begins = nullptr;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t level) const {
    begins[level] = lowerBound(c.chain, std::uint32_t{0}, c.edges, first[level]);
  }
};

/// The vertices below the edges of a level's chains, in the order of the chains.
struct HangBelow {
  Contraction c;
  std::uint32_t first;
  std::uint32_t* sizes;
  std::uint64_t* lows;  ///< the vertex, then the complement of the lowest point

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t rank = c.ranks[first + i];
    std::uint32_t size = 0;
    std::uint32_t low = Contraction::kNone;
    for (const std::uint32_t vertex : {c.endA[rank], c.endB[rank]}) {
      if (c.lightest[vertex] != rank) continue;
      size += c.closedSize[vertex];
      low = Minimum()(low, c.closedLow[vertex]);
    }
    sizes[i] = size;
    lows[i] = std::uint64_t{c.chain[first + i]} << 32 | std::uint32_t(~low);
  }
};

/// Sizes and lowest points from the scans of a level.
struct CloseChains {
  Contraction c;
  std::uint32_t first;
  const std::uint32_t* sizes;
  const std::uint32_t* before;  ///< sums of sizes before each
  const std::uint64_t* lows;    ///< greatest so far

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t vertex = c.chain[first + i];
    const std::uint32_t rank = c.ranks[first + i];
    const std::uint32_t size = before[i] + sizes[i] - before[c.chainBegin[vertex] - first];
    const auto low = ~std::uint32_t(lows[i]);
    c.sizes[rank] = size;
    c.lowest[rank] = low;
    if (first + i != c.chainLast[vertex]) return;
    c.closedSize[vertex] = size;
    c.closedLow[vertex] = low;
  }
};

}  // namespace clusterloom
