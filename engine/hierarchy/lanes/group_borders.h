#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/hierarchy/early_point.h"
#include "engine/hierarchy/lanes/group_nearest.h"
#include "engine/hierarchy/lanes/group_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"

// The data of a hierarchy besides its dendrogram: border lists (border_lists.cpp has the proof),
// core distances by point, and points that are core before they merge.

namespace clusterloom {

/// The largest splits of blocks of 16 positions, of blocks of blocks and so on, level by level.
struct SplitMaxima {
  static constexpr std::uint32_t kBlock = 16;
  static constexpr int kMostLevels = 8;
  const std::uint32_t* splits = nullptr;
  std::uint32_t* maxima = nullptr;
  int levels = 0;
  std::uint32_t first[kMostLevels] = {};
  std::uint32_t blocks[kMostLevels] = {};  ///< whole ones

  static SplitMaxima of(std::size_t positions) {
    SplitMaxima result;
    std::uint32_t first = 0;
    for (std::size_t below = positions; below > kBlock;) {
      below /= kBlock;
      result.first[result.levels] = first;
      result.blocks[result.levels++] = std::uint32_t(below);
      first += std::uint32_t(below);
    }
    return result;
  }
  std::size_t size() const {
    return levels == 0 ? 0 : std::size_t{first[levels - 1]} + blocks[levels - 1];
  }
  CLUSTERLOOM_LANE const std::uint32_t* below(int level) const {
    return level == 0 ? splits : maxima + first[level - 1];
  }

  /// The largest of splits[begin … end − 1], begin < end.
  CLUSTERLOOM_LANE std::uint32_t operator()(std::uint32_t begin, std::uint32_t end) const {
    std::uint32_t largest = 0;
    for (int level = 0;; ++level) {
      const std::uint32_t* values = below(level);
      // Up to the next whole block at each end; the blocks between them are the level above.
      const std::uint32_t firstBlock = (begin + kBlock - 1) / kBlock;
      const std::uint32_t lastBlock = end / kBlock;
      const bool top = level == levels || firstBlock >= lastBlock;
      for (std::uint32_t i = begin; i < (top ? end : firstBlock * kBlock); ++i)
        largest = Maximum()(largest, values[i]);
      if (top) return largest;
      for (std::uint32_t i = lastBlock * kBlock; i < end; ++i)
        largest = Maximum()(largest, values[i]);
      begin = firstBlock;
      end = lastBlock;
    }
  }
};

struct FoldSplits {
  SplitMaxima maxima;
  int level;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t block) const {
    const std::uint32_t* values = maxima.below(level) + block * SplitMaxima::kBlock;
    std::uint32_t largest = 0;
    for (std::uint32_t i = 0; i < SplitMaxima::kBlock; ++i) largest = Maximum()(largest, values[i]);
    maxima.maxima[maxima.first[level] + block] = largest;
  }
};

/// Lists the entries of a place's border list. Run twice: without `offsets` it counts them and
/// keeps the first one, which is the only one of most rows.
struct ListBorders {
  GroupTreeView tree;
  GroupLists lists;
  std::uint32_t minPts;  ///< 3 … points
  const double* core;    ///< by place
  const std::uint32_t* valley;
  const std::uint32_t* positionOf;  ///< of points
  const double* weights;            ///< of merges
  SplitMaxima splits;
  std::uint32_t* counts;          ///< by point
  double* firstReach;             ///< by point; +∞ where there is none
  std::uint32_t* firstPositions;  ///< by point
  std::uint8_t* isLong;           ///< by place: whether there are several
  const std::uint32_t* offsets;   ///< by point
  double* reaches;
  std::uint32_t* positions;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    const std::uint32_t point = tree.ids[place];
    const double own = core[place];
    std::uint64_t open = 0;  // entries that may be listed
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t entry = 0;
    for (std::uint32_t i = 0; i + 2 < minPts; ++i) {
      const double reach = reachOf(place, i);
      if (!(reach < own)) continue;
      open |= std::uint64_t{1} << i;
      if (reach < least) {
        least = reach;
        entry = i;
      }
    }
    std::uint32_t kept[kMaxNearest];
    std::uint32_t count = 0;
    while (open != 0) {
      const std::uint32_t other = lists.places[lists.at(place, entry)];
      const std::uint32_t position = positionOf[tree.ids[other]];
      bool superfluous = false;
      for (std::uint32_t i = 0; i < count && !superfluous; ++i)
        superfluous = joined(kept[i], position, least);
      if (!superfluous) {
        if (offsets != nullptr) {
          reaches[offsets[point] + count] = least;
          positions[offsets[point] + count] = position;
        } else if (count == 0) {
          firstReach[point] = least;
          firstPositions[point] = position;
        }
        kept[count++] = position;
      }
      // Later ones of the same valley are joined to this one by the larger of the core distances,
      // which is not above their reach.
      const std::uint32_t same = valley[other];
      least = std::numeric_limits<double>::infinity();
      for (std::uint32_t i = 0; i + 2 < minPts; ++i) {
        if ((open >> i & 1) == 0) continue;
        if (valley[lists.places[lists.at(place, i)]] == same) {
          open &= ~(std::uint64_t{1} << i);
          continue;
        }
        const double reach = reachOf(place, i);
        if (!(reach < least)) continue;
        least = reach;
        entry = i;
      }
    }
    if (offsets != nullptr) return;
    counts[point] = count;
    isLong[place] = count > 1;
    if (count == 0) firstReach[point] = std::numeric_limits<double>::infinity();
  }

 private:
  CLUSTERLOOM_LANE double reachOf(std::uint32_t place, std::uint32_t i) const {
    const std::size_t at = lists.at(place, i);
    return Maximum()(lists.squared[at], core[lists.places[at]]);
  }
  /// Whether points at two positions are joined by edges of the tree up to a reach.
  CLUSTERLOOM_LANE bool joined(std::uint32_t a, std::uint32_t b, double reach) const {
    return weights[splits(Minimum()(a, b) + 1, Maximum()(a, b) + 1)] <= reach;
  }
};

struct ListLongRows {
  ListBorders list;
  const std::uint32_t* places;
  const std::uint32_t* count;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    if (i < *count) list(lane, places[i]);
  }
};

/// The first entry of each row.
struct ListFirst {
  const std::uint32_t* offsets;
  const double* firstReach;
  const std::uint32_t* firstPositions;
  double* reaches;
  std::uint32_t* positions;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t point) const {
    const std::uint32_t at = offsets[point];
    if (at == offsets[point + 1]) return;
    reaches[at] = firstReach[point];
    positions[at] = firstPositions[point];
  }
};

struct CoreByPoint {
  GroupTreeView tree;
  const double* core;
  double* byPoint;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    byPoint[tree.ids[place]] = core[place];
  }
};

struct NoReaches {
  double* first;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t point) const {
    first[point] = std::numeric_limits<double>::infinity();
  }
};

/// Points, by position, that are core, and clusters by themselves, before they merge.
struct EarlyPoints {
  std::uint32_t points;
  const std::uint32_t* splits;
  const std::uint32_t* order;
  const double* weights;  ///< of merges
  const double* core;     ///< by point

  /// The first merge of a point is the lower of those that join it to its two neighbours.
  CLUSTERLOOM_LANE EarlyPoint at(std::uint32_t i) const {
    const std::uint32_t right = i + 1 < points ? splits[i + 1] : splits[0];
    return {core[order[i]], Minimum()(splits[i], right), order[i]};
  }
};
struct FlagEarly {
  EarlyPoints from;
  std::uint8_t* flags;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    const EarlyPoint early = from.at(i);
    flags[i] = early.merge == from.points - 1 || early.squaredCore < from.weights[early.merge];
  }
};
struct ListEarly {
  EarlyPoints from;
  const std::uint32_t* positions;
  EarlyPoint* to;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    to[i] = from.at(positions[i]);
  }
};

/// The rest of a hierarchy in the memory of a machine.
template <class Machine>
struct GroupBorders {
  template <class T>
  using Array = typename Machine::template Array<T>;
  Array<double> squaredCore;  ///< by point
  Array<double> firstReach;   ///< by point
  Array<EarlyPoint> early;    ///< by position
  // As BorderLists.
  Array<std::uint32_t> offsets;
  Array<double> squaredReach;
  Array<std::uint32_t> positions;
  bool tooMany = false;  ///< the entries exceed 32-bit offsets; nothing is listed
};

/// The rest of a hierarchy, after the dendrogram of n > 1 points.
template <class Machine, class Dendrogram>
GroupBorders<Machine> groupBorders(Machine& machine, const GroupTreeView& tree,
                                   const GroupLists& lists, std::int64_t minPts, const double* core,
                                   const std::uint32_t* valley, const Dendrogram& dendrogram) {
  const std::size_t n = tree.points;
  GroupBorders<Machine> result;
  result.squaredCore = machine.template make<double>(n);
  machine.each(n, CoreByPoint{tree, core, result.squaredCore.data()});
  {
    auto flags = machine.template make<std::uint8_t>(n);
    auto selected = machine.template make<std::uint32_t>(n);
    auto count = machine.template make<std::uint32_t>(1);
    const EarlyPoints early{tree.points, dendrogram.splits.data(), dendrogram.order.data(),
                            dendrogram.weights.data(), result.squaredCore.data()};
    machine.each(n, FlagEarly{early, flags.data()});
    machine.selectFlagged(flags, selected, count);
    const std::uint32_t found = machine.read(count);
    result.early = machine.template make<EarlyPoint>(found);
    machine.each(found, ListEarly{early, selected.data(), result.early.data()});
  }
  machine.stage("early");
  result.offsets = machine.template make<std::uint32_t>(n + 1);
  machine.fill(result.offsets, 0);
  result.firstReach = machine.template make<double>(n);
  if (minPts <= 2 || minPts > std::int64_t(n)) {
    machine.each(n, NoReaches{result.firstReach.data()});
    machine.stage("borders");
    return result;
  }
  SplitMaxima maxima = SplitMaxima::of(n);
  auto values = machine.template make<std::uint32_t>(maxima.size());
  maxima.splits = dendrogram.splits.data();
  maxima.maxima = values.data();
  for (int level = 0; level < maxima.levels; ++level)
    machine.each(maxima.blocks[level], FoldSplits{maxima, level});
  auto isLong = machine.template make<std::uint8_t>(n);
  auto longRows = machine.template make<std::uint32_t>(n);
  auto longCount = machine.template make<std::uint32_t>(1);
  auto firstPositions = machine.template make<std::uint32_t>(n);
  ListBorders list{tree,
                   lists,
                   std::uint32_t(minPts),
                   core,
                   valley,
                   dendrogram.positions.data(),
                   dendrogram.weights.data(),
                   maxima,
                   result.offsets.data(),
                   result.firstReach.data(),
                   firstPositions.data(),
                   isLong.data(),
                   nullptr,
                   nullptr,
                   nullptr};
  machine.each(n, list);
  machine.selectFlagged(isLong, longRows, longCount);
  machine.stage("border counts");
  auto total = machine.template make<std::uint64_t>(1);
  machine.sum(result.offsets.data(), total.data(), n);
  const std::uint64_t entries = machine.read(total);
  result.tooMany = entries > std::numeric_limits<std::uint32_t>::max();
  if (result.tooMany) return result;
  machine.exclusiveScan(result.offsets.data(), result.offsets.data(), n + 1);
  result.squaredReach = machine.template make<double>(entries);
  result.positions = machine.template make<std::uint32_t>(entries);
  list.offsets = result.offsets.data();
  list.reaches = result.squaredReach.data();
  list.positions = result.positions.data();
  machine.each(n, ListFirst{result.offsets.data(), result.firstReach.data(), firstPositions.data(),
                            result.squaredReach.data(), result.positions.data()});
  machine.each(n, ListLongRows{list, longRows.data(), longCount.data()});
  machine.stage("borders");
  return result;
}

}  // namespace clusterloom
