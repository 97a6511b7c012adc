#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/hierarchy/group_chains.h"
#include "engine/hierarchy/group_contraction.h"
#include "engine/hierarchy/group_merges.h"
#include "engine/hierarchy/group_positions.h"
#include "engine/hierarchy/group_ties.h"

// The dendrogram of a spanning tree in parallel, by recursive contraction [Sao 2024], and from it
// the one that dendrogram.h defines, whatever ties there are. Its stages: contraction
// (group_contraction.h), chains and sizes (group_chains.h), parts of tied merges (group_ties.h),
// merges (group_merges.h), positions (group_positions.h).

namespace clusterloom {

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
