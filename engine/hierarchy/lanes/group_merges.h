#pragma once

#include <bit>
#include <cstdint>

#include "engine/hierarchy/lanes/group_contraction.h"
#include "engine/hierarchy/lanes/group_ties.h"

namespace clusterloom {

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
    to.left[merge] = Minimum()(own, other);
    to.right[merge] = Maximum()(own, other);
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

}  // namespace clusterloom
