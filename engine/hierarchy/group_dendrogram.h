#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/disjoint_sets.h"
#include "engine/hierarchy/group_tree.h"

// The dendrogram of a spanning tree in parallel, by recursive contraction [Sao 2024], and from it
// the one that dendrogram.h defines, whatever ties there are.
//
// Contraction. Edges are ranked by weight, ties anyhow. A vertex's lightest edge is its parent in
// the dendrogram. An edge that is the lightest of neither of its vertices has edges as both
// children; of a tree with m vertices there are fewer than m / 2 such. All others are contracted,
// which makes the next level's tree, whose dendrogram has the ancestors of these edges in the same
// order: a contracted edge e is the lightest of one of its vertices u, so that no set of edges up
// to a rank below e's reaches beyond u, and all other edges of u come after e. So the ancestors of
// e at the next level are those of the vertex that it was contracted into, as far as they are
// heavier than e.
//
// Chains. From the vertex that e was contracted into, climb the levels until the lightest edge of
// the vertex X there is heavier than e. That edge is the lowest ancestor of e at the level of X.
// The edges of one X, by rank, are a path of the dendrogram: each is the parent of the one before.
// Below an edge of the path hangs what has it as its lightest edge: of its two vertices, at the
// level at which it was contracted. Chains of a level depend on lower levels alone, so sizes and
// lowest points are scans of the chains, level by level upwards, and positions downwards.
//
// Ties. Edges of one weight that touch in this dendrogram are one whole, and what hangs below them
// are its parts. A whole's merges join its parts in the order of their lowest points, and wholes of
// one weight come in the order of theirs (dendrogram.h).

namespace clusterloom {

/// Plain pointers to the contraction. Vertices of all levels are numbered on: those of level 0 are
/// the places, and there are fewer than twice as many in all.
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
  /// What hangs below the lightest edge of a vertex.
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
  /// Rank of the parent of the edge at an index, or kNone.
  CLUSTERLOOM_LANE std::uint32_t parentAt(std::uint32_t i) const {
    const std::uint32_t vertex = chain[i];
    return i < chainLast[vertex] ? ranks[i + 1] : lightest[vertex];
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

/// The vertices of a level begin as sets of their own.
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
    std::uint32_t low = 0;
    std::uint32_t high = c.edges;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (c.chain[middle] < first[level])
        low = middle + 1;
      else
        high = middle;
    }
    begins[level] = low;
  }
};

/// What hangs below the edges of a level's chains, in the order of the chains.
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
      low = Lower()(low, c.closedLow[vertex]);
    }
    sizes[i] = size;
    lows[i] = std::uint64_t{c.chain[first + i]} << 32 | static_cast<std::uint32_t>(~low);
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
    const auto low = ~static_cast<std::uint32_t>(lows[i]);
    c.sizes[rank] = size;
    c.lowest[rank] = low;
    if (first + i != c.chainLast[vertex]) return;
    c.closedSize[vertex] = size;
    c.closedLow[vertex] = low;
  }
};

struct FlagTied {
  Contraction c;
  std::uint8_t* flags;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t rank) const {
    flags[rank] = c.isTied(rank);
    c.finalOf[rank] = rank;
  }
};

/// The parts of wholes with more than one merge, or with another whole of the same weight.
struct Parts {
  std::uint32_t* nodes = nullptr;
  std::uint32_t* wholes = nullptr;  ///< rank of the highest edge of each
  std::uint32_t size = 0;
};

/// Two candidates for each tied edge; flags tell which hold a part.
struct FindParts {
  Contraction c;
  const std::uint32_t* tied;
  Parts parts;
  std::uint8_t* flags;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t t) const {
    const std::uint32_t rank = tied[t];
    const std::uint32_t whole = c.topOf(rank);
    std::uint32_t children[2];
    c.childrenOf(rank, children);
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t node = children[i];
      parts.nodes[2 * t + i] = node;
      parts.wholes[2 * t + i] = whole;
      flags[2 * t + i] = c.isPoint(node) || c.weights[node - c.points] != c.weights[rank];
    }
  }
};

/// Keys by which parts are sorted, one after another: the part's lowest point, the whole's, and the
/// first edge of the whole's weight.
struct PartKeys {
  Contraction c;
  Parts parts;
  int which;
  const std::uint32_t* order;
  std::uint32_t* keys;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t part = order[i];
    const std::uint32_t whole = parts.wholes[part];
    if (which == 0) keys[i] = c.lowestOf(parts.nodes[part]);
    if (which == 1) keys[i] = c.lowest[whole];
    if (which != 2) return;
    std::uint32_t low = 0;
    std::uint32_t high = whole;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (c.weights[middle] < c.weights[whole])
        low = middle + 1;
      else
        high = middle;
    }
    keys[i] = low;
  }
};

/// Sorts the parts of each weight, which follow one another, by the lowest points of whole and
/// part, where there are few of them; else it says that there are many.
struct SortFewParts {
  static constexpr std::uint32_t kMost = 24;
  Contraction c;
  Parts parts;
  const std::uint32_t* from;
  std::uint32_t count;
  std::uint32_t* to;
  std::uint32_t* many;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t begin) const {
    const std::uint64_t weight = weightOf(from[begin]);
    if (begin > 0 && weightOf(from[begin - 1]) == weight) return;
    for (std::uint32_t end = begin; end < count && weightOf(from[end]) == weight; ++end) {
      if (end - begin == kMost) {
        lane.store(many, std::uint32_t{1});
        return;
      }
      const std::uint32_t part = from[end];
      std::uint32_t at = end;
      for (; at > begin && isBefore(part, to[at - 1]); --at) to[at] = to[at - 1];
      to[at] = part;
    }
  }

 private:
  CLUSTERLOOM_LANE std::uint64_t weightOf(std::uint32_t part) const {
    return c.weights[parts.wholes[part]];
  }
  CLUSTERLOOM_LANE bool isBefore(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t wholeA = c.lowest[parts.wholes[a]];
    const std::uint32_t wholeB = c.lowest[parts.wholes[b]];
    if (wholeA != wholeB) return wholeA < wholeB;
    return c.lowestOf(parts.nodes[a]) < c.lowestOf(parts.nodes[b]);
  }
};

/// Parts in their order. Which are the first of their whole, and sizes.
struct OrderParts {
  Contraction c;
  Parts from;
  const std::uint32_t* order;
  Parts to;
  std::uint32_t* isFirst;
  std::uint32_t* firsts;  ///< the index, of those
  std::uint32_t* sizes;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t part = order[i];
    to.nodes[i] = from.nodes[part];
    to.wholes[i] = from.wholes[part];
    isFirst[i] = i == 0 || from.wholes[order[i - 1]] != from.wholes[part];
    firsts[i] = isFirst[i] != 0 ? i : 0;
    sizes[i] = c.sizeOf(from.nodes[part]);
  }
};

/// The final dendrogram, as dendrogram.h and position_order.h describe it, as plain pointers.
struct FinalDendrogram {
  std::uint32_t* left = nullptr;
  std::uint32_t* right = nullptr;
  double* weights = nullptr;
  std::uint32_t* sizes = nullptr;
  std::uint32_t* lowest = nullptr;
  std::uint32_t* begins = nullptr;
  std::uint32_t* splits = nullptr;
  std::uint32_t* order = nullptr;
  std::uint32_t* positions = nullptr;
  std::uint32_t* leftSizes = nullptr;  ///< points on the left of each merge
};

/// Ordered parts with their scans.
struct OrderedParts {
  Parts parts;
  const std::uint32_t* tied = nullptr;          ///< ranks, ascending
  const std::uint32_t* isFirst = nullptr;       ///< of its whole
  const std::uint32_t* firstsBefore = nullptr;  ///< how many are before
  const std::uint32_t* first = nullptr;         ///< index of the first part of its whole
  const std::uint32_t* sizes = nullptr;
  const std::uint32_t* sizesBefore = nullptr;

  /// The merge that part i, which is not the first of its whole, is joined by.
  CLUSTERLOOM_LANE std::uint32_t mergeOf(std::uint32_t i) const {
    return tied[i - firstsBefore[i]];
  }
  CLUSTERLOOM_LANE bool isLast(std::uint32_t i) const {
    return i + 1 == parts.size || isFirst[i + 1] != 0;
  }
  /// Points of the parts of the whole up to part i.
  CLUSTERLOOM_LANE std::uint32_t sizeUpTo(std::uint32_t i) const {
    return sizesBefore[i] + sizes[i] - sizesBefore[first[i]];
  }
};

/// What a whole is in the final dendrogram.
struct NameWholes {
  Contraction c;
  OrderedParts p;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    if (p.isLast(i)) c.finalOf[p.parts.wholes[i]] = p.mergeOf(i);
  }
};

/// The merges of tied wholes. From the third part on a part is on the left of all before it, since
/// it is older than their merge.
struct MergeParts {
  Contraction c;
  OrderedParts p;
  FinalDendrogram to;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const std::uint32_t whole = p.parts.wholes[i];
    const std::uint32_t node = p.parts.nodes[i];
    const std::uint32_t first = p.first[i];
    const std::uint32_t behind = c.sizes[whole] - p.sizeUpTo(first + 1);  // sizes of parts 2, 3, …
    if (i == first) {
      const bool isLeft = c.finalNode(node) < c.finalNode(p.parts.nodes[i + 1]);
      c.shift[node] = isLeft ? behind : behind + p.sizes[i + 1];
      return;
    }
    const std::uint32_t merge = p.mergeOf(i);
    const std::uint32_t own = c.finalNode(node);
    std::uint32_t leftSize = p.sizes[i];
    std::uint32_t other = 0;
    if (i == first + 1) {
      other = c.finalNode(p.parts.nodes[first]);
      if (other < own) leftSize = p.sizes[first];
      c.shift[node] = other < own ? behind + p.sizes[first] : behind;
    } else {
      other = c.points + p.mergeOf(i - 1);
      c.shift[node] = c.sizes[whole] - p.sizeUpTo(i);
    }
    to.left[merge] = Lower()(own, other);
    to.right[merge] = Higher()(own, other);
    to.weights[merge] = std::bit_cast<double>(c.weights[merge]);
    to.sizes[merge] = p.sizeUpTo(i);
    to.lowest[merge] = c.lowest[whole];
    to.leftSizes[merge] = leftSize;
  }
};

/// All other merges.
struct MergeAlone {
  Contraction c;
  FinalDendrogram to;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t rank) const {
    if (c.isTied(rank)) return;
    std::uint32_t children[2];
    c.childrenOf(rank, children);
    const std::uint32_t first = c.finalNode(children[0]);
    const std::uint32_t second = c.finalNode(children[1]);
    const bool inOrder = first < second;
    const std::uint32_t left = inOrder ? children[0] : children[1];
    const std::uint32_t right = inOrder ? children[1] : children[0];
    const std::uint32_t leftSize = c.sizeOf(left);
    c.shift[left] = 0;
    c.shift[right] = leftSize;
    to.left[rank] = inOrder ? first : second;
    to.right[rank] = inOrder ? second : first;
    to.weights[rank] = std::bit_cast<double>(c.weights[rank]);
    to.sizes[rank] = c.sizes[rank];
    to.lowest[rank] = c.lowest[rank];
    to.leftSizes[rank] = leftSize;
  }
};

struct GatherShifts {
  Contraction c;
  std::uint32_t* shifts;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    shifts[i] = c.shift[c.points + c.ranks[i]];
  }
};

/// First positions of the wholes of a level's chains, the levels above being done.
struct PlaceChains {
  Contraction c;
  std::uint32_t first;
  const std::uint32_t* shifts;
  const std::uint32_t* before;  ///< sums of shifts before each

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t offset) const {
    const std::uint32_t i = first + offset;
    const std::uint32_t vertex = c.chain[i];
    const std::uint32_t last = c.chainLast[vertex];
    const std::uint32_t above = c.lightest[vertex];
    const std::uint32_t begin = above == Contraction::kNone ? 0 : c.begins[above];
    c.begins[c.ranks[i]] = begin + before[last] + shifts[last] - before[i];
  }
};

struct PlacePoints {
  Contraction c;
  FinalDendrogram to;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    const std::uint32_t position = c.begins[c.lightest[place]] + c.shift[place];
    to.order[position] = c.ids[place];
    to.positions[c.ids[place]] = position;
    if (place == 0) to.splits[0] = c.edges;
  }
};

struct PlaceAlone {
  Contraction c;
  FinalDendrogram to;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t rank) const {
    if (c.isTied(rank)) return;
    to.begins[rank] = c.begins[rank];
    to.splits[c.begins[rank] + to.leftSizes[rank]] = rank;
  }
};

struct PlaceParts {
  Contraction c;
  OrderedParts p;
  FinalDendrogram to;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    if (p.isFirst[i] != 0) return;
    const std::uint32_t whole = p.parts.wholes[i];
    const std::uint32_t merge = p.mergeOf(i);
    const std::uint32_t begin = c.begins[whole] + c.sizes[whole] - p.sizeUpTo(i);
    to.begins[merge] = begin;
    to.splits[begin + to.leftSizes[merge]] = merge;
  }
};

/// A dendrogram with the order of its points in the memory of a machine.
template <class Machine>
struct GroupDendrogram {
  template <class T>
  using Array = typename Machine::template Array<T>;
  // By merge.
  Array<std::uint32_t> left;
  Array<std::uint32_t> right;
  Array<double> weights;
  Array<std::uint32_t> sizes;
  Array<std::uint32_t> lowest;
  Array<std::uint32_t> begins;
  // By position.
  Array<std::uint32_t> splits;
  Array<std::uint32_t> order;
  // By point.
  Array<std::uint32_t> positions;
};

/// The dendrogram of a spanning tree of n > 1 points. `weights` holds the bits of the weights,
/// ascending, `order` the edge of each, whose places are in `a` and `b`; `ids` names the point at
/// each place.
template <class Machine, class Words, class LongWords>
GroupDendrogram<Machine> groupDendrogram(Machine& machine, const std::uint32_t* ids, std::size_t n,
                                         const Words& a, const Words& b, const LongWords& weights,
                                         const Words& edgeOrder) {
  const auto words = [&](std::size_t size) { return machine.template make<std::uint32_t>(size); };
  const std::size_t edges = n - 1;
  auto lightest = words(2 * n);
  auto parent = words(2 * n);
  auto up = words(2 * n);
  auto closedSize = words(2 * n);
  auto closedLow = words(2 * n);
  auto chainBegin = words(2 * n);
  auto chainLast = words(2 * n);
  auto endA = words(edges);
  auto endB = words(edges);
  auto index = words(edges);
  auto sizes = words(edges);
  auto lowest = words(edges);
  auto finalOf = words(edges);
  auto begins = words(edges);
  auto chain = words(edges);
  auto ranks = words(edges);
  auto shift = words(2 * n);
  Contraction c;
  c.points = static_cast<std::uint32_t>(n);
  c.edges = static_cast<std::uint32_t>(edges);
  c.ids = ids;
  c.weights = weights.data();
  c.lightest = lightest.data();
  c.parent = parent.data();
  c.up = up.data();
  c.closedSize = closedSize.data();
  c.closedLow = closedLow.data();
  c.chainBegin = chainBegin.data();
  c.chainLast = chainLast.data();
  c.endA = endA.data();
  c.endB = endB.data();
  c.index = index.data();
  c.sizes = sizes.data();
  c.lowest = lowest.data();
  c.finalOf = finalOf.data();
  c.begins = begins.data();
  c.shift = shift.data();

  // Contract, level by level.
  FindLevels levels;
  std::size_t levelCount = 0;
  std::uint32_t first = 0;
  {
    auto levelRanks = words(edges);
    auto levelA = words(edges);
    auto levelB = words(edges);
    machine.each(edges, SortEdgeEnds{edgeOrder.data(), a.data(), b.data(), levelRanks.data(),
                                     levelA.data(), levelB.data()});
    auto count = words(1);
    std::size_t edgesHere = edges;
    for (;;) {
      const std::size_t vertices = edgesHere + 1;
      levels.first[levelCount++] = first;
      machine.each(vertices, BeginVertices{c, first});
      if (edgesHere == 0) break;
      const LevelEdges level{levelRanks.data(), levelA.data(), levelB.data()};
      auto stays = machine.template make<std::uint8_t>(edgesHere);
      auto isRoot = words(vertices);
      auto selected = words(edgesHere);
      machine.each(edgesHere, FindLightest{c, level});
      machine.each(edgesHere, ContractEdges{c, level, stays.data()});
      machine.each(vertices, MarkSetRoots{c, first, isRoot.data()});
      machine.exclusiveScan(isRoot.data(), isRoot.data(), vertices);
      const auto next = static_cast<std::uint32_t>(first + vertices);
      machine.each(vertices, LinkUp{c, first, next, isRoot.data()});
      machine.selectFlagged(stays, selected, count);
      edgesHere = machine.read(count);
      auto nextRanks = words(edgesHere);
      auto nextA = words(edgesHere);
      auto nextB = words(edgesHere);
      machine.each(edgesHere, NextEdges{c, level, selected.data(), nextRanks.data(), nextA.data(),
                                        nextB.data()});
      levelRanks = std::move(nextRanks);
      levelA = std::move(nextA);
      levelB = std::move(nextB);
      first = next;
    }
  }
  const std::uint32_t vertices = first + 1;
  machine.stage("contraction");

  c.chain = chain.data();
  c.ranks = ranks.data();
  machine.each(edges, FindChains{c});
  int bits = 1;
  while (bits < 32 && vertices >> bits != 0) ++bits;
  machine.sortByKey(chain, ranks, bits);
  c.chain = chain.data();
  c.ranks = ranks.data();
  machine.each(edges, MarkChains{c});
  auto levelBegins = words(levelCount + 1);
  levels.first[levelCount] = vertices;
  levels.c = c;
  levels.begins = levelBegins.data();
  machine.each(levelCount + 1, levels);
  const std::vector<std::uint32_t> levelBegin = machine.readAll(levelBegins);
  machine.stage("chains");
  auto sums = words(edges);
  auto hanging = words(edges);
  {
    auto lows = machine.template make<std::uint64_t>(edges);
    for (std::size_t level = 0; level < levelCount; ++level) {
      const std::uint32_t begin = levelBegin[level];
      const std::size_t size = levelBegin[level + 1] - begin;
      if (size == 0) continue;
      machine.each(size, HangBelow{c, begin, hanging.data(), lows.data()});
      machine.exclusiveScan(hanging.data(), sums.data(), size);
      machine.runningMaximum(lows.data(), lows.data(), size);
      machine.each(size, CloseChains{c, begin, hanging.data(), sums.data(), lows.data()});
    }
  }
  machine.stage("sizes");

  GroupDendrogram<Machine> result;
  result.left = words(edges);
  result.right = words(edges);
  result.weights = machine.template make<double>(edges);
  result.sizes = words(edges);
  result.lowest = words(edges);
  result.begins = words(edges);
  result.splits = words(n);
  result.order = words(n);
  result.positions = words(n);
  auto leftSizes = words(edges);
  const FinalDendrogram to{result.left.data(),   result.right.data(),  result.weights.data(),
                           result.sizes.data(),  result.lowest.data(), result.begins.data(),
                           result.splits.data(), result.order.data(),  result.positions.data(),
                           leftSizes.data()};
  machine.fill(shift, 0);
  auto flags = machine.template make<std::uint8_t>(edges);
  auto tied = words(edges);
  auto count = words(1);
  machine.each(edges, FlagTied{c, flags.data()});
  machine.selectFlagged(flags, tied, count);
  const std::size_t tiedCount = machine.read(count);
  // Declared here, since the last programs read them.
  auto isFirst = words(0);
  auto firstsBefore = words(0);
  auto firstIndex = words(0);
  auto partSizes = words(0);
  auto sizesBefore = words(0);
  auto partNodes = words(0);
  auto partWholes = words(0);
  OrderedParts ordered;
  if (tiedCount > 0) {
    auto slotNodes = words(2 * tiedCount);
    auto slotWholes = words(2 * tiedCount);
    auto isPart = machine.template make<std::uint8_t>(2 * tiedCount);
    auto partOrder = words(2 * tiedCount);
    const Parts candidates{slotNodes.data(), slotWholes.data(),
                           static_cast<std::uint32_t>(2 * tiedCount)};
    machine.each(tiedCount, FindParts{c, tied.data(), candidates, isPart.data()});
    machine.selectFlagged(isPart, partOrder, count);
    const std::uint32_t parts = machine.read(count);
    auto keys = words(parts);
    auto sorted = words(parts);
    machine.fill(count, 0);
    machine.each(parts,
                 SortFewParts{c, candidates, partOrder.data(), parts, sorted.data(), count.data()});
    if (machine.read(count) != 0) {
      machine.copyFirst(sorted, partOrder, parts);
      int pointBits = 1;
      while (pointBits < 32 && n >> pointBits != 0) ++pointBits;
      for (int which = 0; which < 3; ++which) {
        machine.each(parts, PartKeys{c, candidates, which, sorted.data(), keys.data()});
        machine.sortByKey(keys, sorted, pointBits);
      }
    }
    isFirst = words(parts);
    firstsBefore = words(parts);
    firstIndex = words(parts);
    partSizes = words(parts);
    sizesBefore = words(parts);
    partNodes = words(parts);
    partWholes = words(parts);
    ordered.parts = {partNodes.data(), partWholes.data(), parts};
    ordered.tied = tied.data();
    ordered.isFirst = isFirst.data();
    ordered.firstsBefore = firstsBefore.data();
    ordered.first = firstIndex.data();
    ordered.sizes = partSizes.data();
    ordered.sizesBefore = sizesBefore.data();
    machine.each(parts, OrderParts{c, candidates, sorted.data(), ordered.parts, isFirst.data(),
                                   firstIndex.data(), partSizes.data()});
    machine.exclusiveScan(isFirst.data(), firstsBefore.data(), parts);
    machine.runningMaximum(firstIndex.data(), firstIndex.data(), parts);
    machine.exclusiveScan(partSizes.data(), sizesBefore.data(), parts);
    machine.each(parts, NameWholes{c, ordered});
    machine.each(parts, MergeParts{c, ordered, to});
  }
  machine.each(edges, MergeAlone{c, to});
  machine.stage("merges");

  machine.each(edges, GatherShifts{c, hanging.data()});
  machine.exclusiveScan(hanging.data(), sums.data(), edges);
  for (std::size_t level = levelCount; level-- > 0;)
    machine.each(levelBegin[level + 1] - levelBegin[level],
                 PlaceChains{c, levelBegin[level], hanging.data(), sums.data()});
  machine.each(n, PlacePoints{c, to});
  machine.each(edges, PlaceAlone{c, to});
  if (ordered.parts.size > 0) machine.each(ordered.parts.size, PlaceParts{c, ordered, to});
  machine.stage("positions");
  return result;
}

}  // namespace clusterloom
