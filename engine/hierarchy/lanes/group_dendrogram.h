#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/hierarchy/lanes/group_chains.h"
#include "engine/hierarchy/lanes/group_contraction.h"
#include "engine/hierarchy/lanes/group_merges.h"
#include "engine/hierarchy/lanes/group_positions.h"
#include "engine/hierarchy/lanes/group_ties.h"

// The dendrogram of a spanning tree in parallel, by recursive contraction [Sao 2024], and from it
// the one that dendrogram.h defines, also where weights tie. Its stages: contraction
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

/// The stages of groupDendrogram, and their shared data in the memory of a machine.
template <class Machine>
class DendrogramStages {
 public:
  using Words = typename Machine::template Array<std::uint32_t>;

  DendrogramStages(Machine& machine, const std::uint32_t* ids, std::size_t points,
                   const std::uint64_t* weights)
      : machine_(machine), n_(points), edges_(points - 1) {
    c_.points = std::uint32_t(n_);
    c_.edges = std::uint32_t(edges_);
    c_.ids = ids;
    c_.weights = weights;
    // By vertex of all levels.
    c_.lightest = make(lightest_, 2 * n_);
    c_.parent = make(parent_, 2 * n_);
    c_.up = make(up_, 2 * n_);
    c_.closedSize = make(closedSize_, 2 * n_);
    c_.closedLow = make(closedLow_, 2 * n_);
    c_.chainBegin = make(chainBegin_, 2 * n_);
    c_.chainLast = make(chainLast_, 2 * n_);
    c_.shift = make(shift_, 2 * n_);
    // By edge.
    c_.endA = make(endA_, edges_);
    c_.endB = make(endB_, edges_);
    c_.index = make(index_, edges_);
    c_.sizes = make(sizes_, edges_);
    c_.lowest = make(lowest_, edges_);
    c_.finalOf = make(finalOf_, edges_);
    c_.begins = make(begins_, edges_);
    make(chain_, edges_);
    make(ranks_, edges_);
  }

  /// Level by level.
  template <class Ends>
  void contract(const Ends& a, const Ends& b, const Ends& edgeOrder) {
    std::uint32_t first = 0;
    auto levelRanks = words(edges_);
    auto levelA = words(edges_);
    auto levelB = words(edges_);
    machine_.each(edges_, SortEdgeEnds{edgeOrder.data(), a.data(), b.data(), levelRanks.data(),
                                       levelA.data(), levelB.data()});
    auto count = words(1);
    std::size_t edgesHere = edges_;
    for (;;) {
      const std::size_t here = edgesHere + 1;
      levels_.first[levelCount_++] = first;
      machine_.each(here, BeginVertices{c_, first});
      if (edgesHere == 0) break;
      const LevelEdges level{levelRanks.data(), levelA.data(), levelB.data()};
      auto stays = machine_.template make<std::uint8_t>(edgesHere);
      auto isRoot = words(here);
      auto selected = words(edgesHere);
      machine_.each(edgesHere, FindLightest{c_, level});
      machine_.each(edgesHere, ContractEdges{c_, level, stays.data()});
      machine_.each(here, MarkSetRoots{c_, first, isRoot.data()});
      machine_.exclusiveScan(isRoot.data(), isRoot.data(), here);
      const auto next = std::uint32_t(first + here);
      machine_.each(here, LinkUp{c_, first, next, isRoot.data()});
      machine_.selectFlagged(stays, selected, count);
      edgesHere = machine_.read(count);
      auto nextRanks = words(edgesHere);
      auto nextA = words(edgesHere);
      auto nextB = words(edgesHere);
      machine_.each(edgesHere, NextEdges{c_, level, selected.data(), nextRanks.data(), nextA.data(),
                                         nextB.data()});
      levelRanks = std::move(nextRanks);
      levelA = std::move(nextA);
      levelB = std::move(nextB);
      first = next;
    }
    vertices_ = first + 1;
    machine_.stage("contraction");
  }

  void findChains() {
    c_.chain = chain_.data();
    c_.ranks = ranks_.data();
    machine_.each(edges_, FindChains{c_});
    int bits = 1;
    while (bits < 32 && vertices_ >> bits != 0) ++bits;
    machine_.sortByKey(chain_, ranks_, bits);
    c_.chain = chain_.data();
    c_.ranks = ranks_.data();
    machine_.each(edges_, MarkChains{c_});
    auto levelBegins = words(levelCount_ + 1);
    levels_.first[levelCount_] = vertices_;
    levels_.c = c_;
    levels_.begins = levelBegins.data();
    machine_.each(levelCount_ + 1, levels_);
    levelBegin_ = machine_.readAll(levelBegins);
    machine_.stage("chains");
  }

  void findSizes() {
    make(sums_, edges_);
    make(hanging_, edges_);
    auto lows = machine_.template make<std::uint64_t>(edges_);
    for (std::size_t level = 0; level < levelCount_; ++level) {
      const std::uint32_t begin = levelBegin_[level];
      const std::size_t size = levelBegin_[level + 1] - begin;
      if (size == 0) continue;
      machine_.each(size, HangBelow{c_, begin, hanging_.data(), lows.data()});
      machine_.exclusiveScan(hanging_.data(), sums_.data(), size);
      machine_.runningMaximum(lows.data(), lows.data(), size);
      machine_.each(size, CloseChains{c_, begin, hanging_.data(), sums_.data(), lows.data()});
    }
    machine_.stage("sizes");
  }

  void merge(GroupDendrogram<Machine>& result) {
    make(result.left, edges_);
    make(result.right, edges_);
    result.weights = machine_.template make<double>(edges_);
    make(result.sizes, edges_);
    make(result.lowest, edges_);
    make(result.begins, edges_);
    make(result.splits, n_);
    make(result.order, n_);
    make(result.positions, n_);
    make(leftSizes_, edges_);
    to_ = {result.left.data(),   result.right.data(),  result.weights.data(),
           result.sizes.data(),  result.lowest.data(), result.begins.data(),
           result.splits.data(), result.order.data(),  result.positions.data(),
           leftSizes_.data()};
    machine_.fill(shift_, 0);
    auto flags = machine_.template make<std::uint8_t>(edges_);
    make(tied_, edges_);
    auto count = words(1);
    machine_.each(edges_, FlagTied{c_, flags.data()});
    machine_.selectFlagged(flags, tied_, count);
    const std::size_t tiedCount = machine_.read(count);
    if (tiedCount > 0) mergeTied(tiedCount, count);
    machine_.each(edges_, MergeAlone{c_, to_});
    machine_.stage("merges");
  }

  void place() {
    machine_.each(edges_, GatherShifts{c_, hanging_.data()});
    machine_.exclusiveScan(hanging_.data(), sums_.data(), edges_);
    for (std::size_t level = levelCount_; level-- > 0;)
      machine_.each(levelBegin_[level + 1] - levelBegin_[level],
                    PlaceChains{c_, levelBegin_[level], hanging_.data(), sums_.data()});
    machine_.each(n_, PlacePoints{c_, to_});
    machine_.each(edges_, PlaceAlone{c_, to_});
    if (ordered_.parts.size > 0) machine_.each(ordered_.parts.size, PlaceParts{c_, ordered_, to_});
    machine_.stage("positions");
  }

 private:
  Words words(std::size_t size) { return machine_.template make<std::uint32_t>(size); }
  std::uint32_t* make(Words& array, std::size_t size) {
    array = words(size);
    return array.data();
  }

  /// Merges of one weight, which the definition orders by their parts. `count` is scratch.
  void mergeTied(std::size_t tiedCount, Words& count) {
    auto slotNodes = words(2 * tiedCount);
    auto slotWholes = words(2 * tiedCount);
    auto isPart = machine_.template make<std::uint8_t>(2 * tiedCount);
    auto partOrder = words(2 * tiedCount);
    const Parts candidates{slotNodes.data(), slotWholes.data(), std::uint32_t(2 * tiedCount)};
    machine_.each(tiedCount, FindParts{c_, tied_.data(), candidates, isPart.data()});
    machine_.selectFlagged(isPart, partOrder, count);
    const std::uint32_t parts = machine_.read(count);
    auto keys = words(parts);
    auto sorted = words(parts);
    machine_.fill(count, 0);
    machine_.each(
        parts, SortFewParts{c_, candidates, partOrder.data(), parts, sorted.data(), count.data()});
    if (machine_.read(count) != 0) {
      machine_.copyFirst(sorted, partOrder, parts);
      int pointBits = 1;
      while (pointBits < 32 && n_ >> pointBits != 0) ++pointBits;
      for (int which = 0; which < 3; ++which) {
        machine_.each(parts, PartKeys{c_, candidates, which, sorted.data(), keys.data()});
        machine_.sortByKey(keys, sorted, pointBits);
      }
    }
    isFirst_ = words(parts);
    firstsBefore_ = words(parts);
    firstIndex_ = words(parts);
    partSizes_ = words(parts);
    sizesBefore_ = words(parts);
    partNodes_ = words(parts);
    partWholes_ = words(parts);
    ordered_.parts = {partNodes_.data(), partWholes_.data(), parts};
    ordered_.tied = tied_.data();
    ordered_.isFirst = isFirst_.data();
    ordered_.firstsBefore = firstsBefore_.data();
    ordered_.first = firstIndex_.data();
    ordered_.sizes = partSizes_.data();
    ordered_.sizesBefore = sizesBefore_.data();
    machine_.each(parts, OrderParts{c_, candidates, sorted.data(), ordered_.parts, isFirst_.data(),
                                    firstIndex_.data(), partSizes_.data()});
    machine_.exclusiveScan(isFirst_.data(), firstsBefore_.data(), parts);
    machine_.runningMaximum(firstIndex_.data(), firstIndex_.data(), parts);
    machine_.exclusiveScan(partSizes_.data(), sizesBefore_.data(), parts);
    machine_.each(parts, NameWholes{c_, ordered_});
    machine_.each(parts, MergeParts{c_, ordered_, to_});
  }

  Machine& machine_;
  const std::size_t n_;
  const std::size_t edges_;
  Contraction c_;
  Words lightest_, parent_, up_, closedSize_, closedLow_, chainBegin_, chainLast_, shift_;
  Words endA_, endB_, index_, sizes_, lowest_, finalOf_, begins_, chain_, ranks_;
  FindLevels levels_;
  std::size_t levelCount_ = 0;
  std::vector<std::uint32_t> levelBegin_;
  std::uint32_t vertices_ = 0;
  Words sums_, hanging_, leftSizes_, tied_;
  FinalDendrogram to_{};
  OrderedParts ordered_;
  Words isFirst_, firstsBefore_, firstIndex_, partSizes_, sizesBefore_, partNodes_, partWholes_;
};

/// The dendrogram of a spanning tree of n > 1 points. `weights` holds the bits of the weights,
/// ascending, `order` the edge of each, whose places are in `a` and `b`; `ids` names the point at
/// each place.
template <class Machine, class Words, class LongWords>
GroupDendrogram<Machine> groupDendrogram(Machine& machine, const std::uint32_t* ids, std::size_t n,
                                         const Words& a, const Words& b, const LongWords& weights,
                                         const Words& edgeOrder) {
  DendrogramStages<Machine> stages(machine, ids, n, weights.data());
  GroupDendrogram<Machine> result;
  stages.contract(a, b, edgeOrder);
  stages.findChains();
  stages.findSizes();
  stages.merge(result);
  stages.place();
  return result;
}

}  // namespace clusterloom
