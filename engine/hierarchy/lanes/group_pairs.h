#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/core/disjoint_sets.h"
#include "engine/hierarchy/lanes/group_forest.h"
#include "engine/hierarchy/lanes/group_hierarchy.h"
#include "engine/hierarchy/lanes/group_tree.h"

// A search of Borůvka's rounds over pairs of points, wherever these come from, instead of boxes:
// for products in many dimensions. The tree then has points and ids alone, in any order.

namespace clusterloom {

/// Entries of the lists that a hierarchy by products is built from: longer lists cost products
/// little, and leave more rounds without a search.
inline std::uint32_t listedByProducts(std::size_t points, std::int64_t minPts) {
  constexpr std::uint32_t kLeast = 15;
  const std::uint32_t others = listedOthers(points, minPts);
  if (minPts > std::int64_t(points)) return others;
  return std::uint32_t(std::min<std::size_t>(std::max(others, kLeast), points - 1));
}

/// Neighbours by point, as NearestNeighbours has them, by place.
struct ListRows {
  GroupTreeView tree;
  GroupLists lists;
  const std::uint32_t* positions;  ///< place of each point
  const std::uint32_t* ids;        ///< rows of lists.others + 1, the point itself first
  const double* squared;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    const std::size_t row = std::size_t(tree.ids[place]) * (lists.others + 1) + 1;
    for (std::uint32_t i = 0; i < lists.others; ++i) {
      lists.places[lists.at(place, i)] = positions[ids[row + i]];
      lists.squared[lists.at(place, i)] = squared[row + i];
    }
  }
};

/// The place of each point.
struct PlacesOfPoints {
  GroupTreeView tree;
  std::uint32_t* positions;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    positions[tree.ids[place]] = place;
  }
};

/// Unites every place with the places that it lists.
struct UniteListed {
  GroupTreeView tree;
  std::uint32_t others;
  const std::uint32_t* positions;
  const std::uint32_t* ids;  ///< as in ListRows
  std::uint32_t* parent;     ///< by place: itself before

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t place) const {
    const std::size_t row = std::size_t(tree.ids[place]) * (others + 1) + 1;
    for (std::uint32_t i = 0; i < others; ++i) unite(lane, parent, place, positions[ids[row + i]]);
  }
};
struct TakeRoots {
  std::uint32_t* parent;
  std::uint32_t* roots;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t place) const {
    roots[place] = rootOf(lane, parent, place);
  }
};

/// The first place of the set of each place, where sets are connected by the lists: in an order by
/// it, sets far from each other do not share tiles.
template <class Machine>
typename Machine::template Array<std::uint32_t> listedSets(Machine& machine,
                                                           const GroupTreeView& tree,
                                                           std::uint32_t others,
                                                           const std::uint32_t* positions,
                                                           const std::uint32_t* ids) {
  auto parent = machine.template make<std::uint32_t>(tree.points);
  auto roots = machine.template make<std::uint32_t>(tree.points);
  machine.each(tree.points, NumberItems{parent.data()});
  machine.each(tree.points, UniteListed{tree, others, positions, ids, parent.data()});
  machine.each(tree.points, TakeRoots{parent.data(), roots.data()});
  return roots;
}

/// The work of a search on a pair of places.
struct PairOffers {
  GroupForest f;
  std::uint32_t* locks = nullptr;  ///< by place, zero

  /// An edge of the place is of use only below this; −1: none is. It falls while others search.
  template <class Lane>
  CLUSTERLOOM_LANE double limitOf(Lane& lane, std::uint32_t place) const {
    const double best = std::bit_cast<double>(lane.load(f.best + f.component[place]));
    return f.lower[place] < best ? best : -1.0;
  }
  CLUSTERLOOM_LANE bool leaves(std::uint32_t p, std::uint32_t q) const {
    return f.component[p] != f.component[q];
  }
  /// The larger of both limits, or −1 where the edge is of no use whatever its length.
  template <class Lane>
  CLUSTERLOOM_LANE double limitOfPair(Lane& lane, std::uint32_t p, std::uint32_t q) const {
    if (!leaves(p, q)) return -1;
    const double limit = Maximum()(limitOf(lane, p), limitOf(lane, q));
    return Maximum()(f.core[p], f.core[q]) < limit ? limit : -1.0;
  }
  /// Takes the edge between two places at that squared distance, if it is of use: both hold it,
  /// unless they hold a lighter one, and it is offered to the components of both.
  template <class Lane>
  CLUSTERLOOM_LANE void take(Lane& lane, std::uint32_t p, std::uint32_t q, double squared) const {
    const double limit = limitOfPair(lane, p, q);
    const double w = Maximum()(Maximum()(f.core[p], f.core[q]), squared);
    if (!(w < limit)) return;
    hold(lane, p, q, w);
    hold(lane, q, p, w);
    f.offer(lane, f.component[p], weightBits(w));
    f.offer(lane, f.component[q], weightBits(w));
  }

 private:
  template <class Lane>
  CLUSTERLOOM_LANE void hold(Lane& lane, std::uint32_t place, std::uint32_t to, double w) const {
    // The edge of a place only gets lighter, also when other lanes change it.
    if (!(w < lane.load(f.weight + place))) return;
    for (bool done = false; !done;) {
      if (lane.swapIf(locks + place, std::uint32_t{0}, std::uint32_t{1}) != 0) continue;
      lane.fence();
      if (w < lane.load(f.weight + place)) {
        lane.store(f.to + place, to);
        lane.store(f.weight + place, w);
      }
      lane.fence();
      lane.store(locks + place, std::uint32_t{0});
      done = true;
    }
  }
};

/// After a search: no edge that leaves the component of a place is lighter than the lightest known.
struct RaiseLower {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    const double best = std::bit_cast<double>(f.best[f.component[place]]);
    f.lower[place] = Maximum()(f.lower[place], best);
  }
};

}  // namespace clusterloom
