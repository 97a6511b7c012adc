#pragma once

#include <cstdint>

#include "engine/core/lower_bound.h"
#include "engine/hierarchy/lanes/group_contraction.h"

// Merges of one weight. Edges of one weight that touch in this dendrogram are one whole, and
// the subtrees below them are its parts. A whole's merges join its parts in the order of their
// lowest points, and wholes of one weight come in the order of their lowest points (dendrogram.h).

namespace clusterloom {

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
    if (which == 2) keys[i] = lowerBound(c.weights, std::uint32_t{0}, whole, c.weights[whole]);
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

/// A whole in the final dendrogram.
struct NameWholes {
  Contraction c;
  OrderedParts p;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    if (p.isLast(i)) c.finalOf[p.parts.wholes[i]] = p.mergeOf(i);
  }
};

}  // namespace clusterloom
