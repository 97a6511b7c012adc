#pragma once

#include <cstdint>

#include "engine/core/disjoint_sets.h"
#include "engine/hierarchy/lanes/group_tree.h"

// Contraction of a spanning tree [Sao 2024], level by level. Edges are ranked by weight, ties
// in any order. A vertex's lightest edge is its parent in the dendrogram. An edge that is the
// lightest of neither of its vertices has edges as both children; of a tree with m vertices there
// are fewer than m / 2 such. All others are contracted, which makes the next level's tree, whose
// dendrogram has the ancestors of these edges in the same order: a contracted edge e is the
// lightest of one of its vertices u, so that no set of edges up to a rank below e's reaches
// beyond u, and all other edges of u come after e. So the ancestors of e at the next level are
// those of the vertex that it was contracted into, as far as they are heavier than e.

namespace clusterloom {

/// Plain pointers to the contraction. Vertices are numbered through all levels: those of level 0
/// are the places, and there are fewer than twice as many in all.
struct Contraction {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t points = 0;
  std::uint32_t edges = 0;
  const std::uint32_t* ids = nullptr;      ///< point at each place
  const std::uint64_t* weights = nullptr;  ///< by rank, ascending
  // By vertex.
  std::uint32_t* lightest = nullptr;    ///< rank of its lightest edge; kNone for the last vertex
  std::uint32_t* parent = nullptr;      ///< disjoint sets
  std::uint32_t* up = nullptr;          ///< the vertex of the next level that it is in
  std::uint32_t* closedSize = nullptr;  ///< points below its chain
  std::uint32_t* closedLow = nullptr;   ///< the lowest of them
  std::uint32_t* chainBegin = nullptr;  ///< index of its first edge among those sorted by chain
  std::uint32_t* chainLast = nullptr;
  // By rank.
  std::uint32_t* endA = nullptr;  ///< vertices, at the level at which it was contracted
  std::uint32_t* endB = nullptr;
  std::uint32_t* index = nullptr;    ///< among those sorted by chain
  std::uint32_t* sizes = nullptr;    ///< points below it
  std::uint32_t* lowest = nullptr;   ///< the lowest of them
  std::uint32_t* finalOf = nullptr;  ///< of the highest of a whole: rank of the whole's last merge
  std::uint32_t* begins = nullptr;   ///< first position of its whole
  // By index.
  std::uint32_t* chain = nullptr;  ///< vertex, ascending
  std::uint32_t* ranks = nullptr;
  /// By node, place or points + rank: where its points begin within those of the whole above it. 0
  /// within a whole.
  std::uint32_t* shift = nullptr;

  CLUSTERLOOM_LANE bool isPoint(std::uint32_t node) const { return node < points; }
  /// The node below the lightest edge of a vertex.
  CLUSTERLOOM_LANE std::uint32_t nodeOf(std::uint32_t vertex) const {
    return vertex < points ? vertex : points + ranks[chainLast[vertex]];
  }
  CLUSTERLOOM_LANE std::uint32_t sizeOf(std::uint32_t node) const {
    return isPoint(node) ? 1 : sizes[node - points];
  }
  CLUSTERLOOM_LANE std::uint32_t lowestOf(std::uint32_t node) const {
    return isPoint(node) ? ids[node] : lowest[node - points];
  }
  /// Its number in the final dendrogram, for the highest of a whole or a place.
  CLUSTERLOOM_LANE std::uint32_t finalNode(std::uint32_t node) const {
    return isPoint(node) ? ids[node] : points + finalOf[node - points];
  }
  CLUSTERLOOM_LANE void childrenOf(std::uint32_t rank, std::uint32_t (&children)[2]) const {
    int count = 0;
    const std::uint32_t i = index[rank];
    if (i > chainBegin[chain[i]]) children[count++] = points + ranks[i - 1];
    if (lightest[endA[rank]] == rank) children[count++] = nodeOf(endA[rank]);
    if (lightest[endB[rank]] == rank && count < 2) children[count++] = nodeOf(endB[rank]);
  }
  CLUSTERLOOM_LANE bool isTied(std::uint32_t rank) const {
    return (rank > 0 && weights[rank - 1] == weights[rank]) ||
           (rank + 1 < edges && weights[rank + 1] == weights[rank]);
  }
  /// The highest edge of a whole. Edges of one weight follow one another in a chain.
  CLUSTERLOOM_LANE std::uint32_t topOf(std::uint32_t rank) const {
    const std::uint64_t weight = weights[rank];
    for (;;) {
      const std::uint32_t vertex = chain[index[rank]];
      std::uint32_t low = index[rank];  // of that weight
      std::uint32_t high = chainLast[vertex] + 1;
      while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (weights[ranks[middle]] == weight)
          low = middle;
        else
          high = middle;
      }
      rank = ranks[low];
      if (low < chainLast[vertex]) return rank;
      const std::uint32_t above = lightest[vertex];
      if (above == kNone || weights[above] != weight) return rank;
      rank = above;
    }
  }
};

/// The edges of a level's tree.
struct LevelEdges {
  const std::uint32_t* ranks;
  const std::uint32_t* a;
  const std::uint32_t* b;
};

struct SortEdgeEnds {
  const std::uint32_t* order;
  const std::uint32_t* fromA;
  const std::uint32_t* fromB;
  std::uint32_t* ranks;
  std::uint32_t* a;
  std::uint32_t* b;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    ranks[i] = i;
    a[i] = fromA[order[i]];
    b[i] = fromB[order[i]];
  }
};

/// Each vertex of a level begins as a separate set.
struct BeginVertices {
  Contraction c;
  std::uint32_t first;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t vertex = first + i;
    c.lightest[vertex] = Contraction::kNone;
    c.parent[vertex] = vertex;
    if (vertex >= c.points) return;
    c.closedSize[vertex] = 1;
    c.closedLow[vertex] = c.ids[vertex];
  }
};

struct FindLightest {
  Contraction c;
  LevelEdges level;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    for (const std::uint32_t vertex : {level.a[i], level.b[i]})
      if (level.ranks[i] < lane.load(c.lightest + vertex))
        lane.least(c.lightest + vertex, level.ranks[i]);
  }
};

/// Contracts the edges that are the lightest of a vertex, and marks the others.
struct ContractEdges {
  Contraction c;
  LevelEdges level;
  std::uint8_t* stays;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    const std::uint32_t rank = level.ranks[i];
    const std::uint32_t a = level.a[i];
    const std::uint32_t b = level.b[i];
    stays[i] = c.lightest[a] != rank && c.lightest[b] != rank;
    if (stays[i] != 0) return;
    c.endA[rank] = a;
    c.endB[rank] = b;
    unite(lane, c.parent, a, b);
  }
};

struct MarkSetRoots {
  Contraction c;
  std::uint32_t first;
  std::uint32_t* isRoot;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    isRoot[i] = c.parent[first + i] == first + i;
  }
};

struct LinkUp {
  Contraction c;
  std::uint32_t first;
  std::uint32_t next;           ///< first vertex of the next level
  const std::uint32_t* before;  ///< roots before each vertex

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    c.up[first + i] = next + before[rootOf(lane, c.parent, first + i) - first];
  }
};

struct NextEdges {
  Contraction c;
  LevelEdges level;
  const std::uint32_t* selected;
  std::uint32_t* ranks;
  std::uint32_t* a;
  std::uint32_t* b;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t from = selected[i];
    ranks[i] = level.ranks[from];
    a[i] = c.up[level.a[from]];
    b[i] = c.up[level.b[from]];
  }
};

}  // namespace clusterloom
