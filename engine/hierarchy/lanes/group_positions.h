#pragma once

#include <cstdint>

#include "engine/hierarchy/lanes/group_contraction.h"
#include "engine/hierarchy/lanes/group_merges.h"
#include "engine/hierarchy/lanes/group_ties.h"

namespace clusterloom {

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

}  // namespace clusterloom
