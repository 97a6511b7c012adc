#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/core/disjoint_sets.h"
#include "engine/hierarchy/lanes/group_nearest.h"
#include "engine/hierarchy/lanes/group_tree.h"

// Borůvka's algorithm over a GroupTree: rounds as in spanning_tree.cpp, which has the proofs. A
// component is named by one of its places.

namespace clusterloom {

/// Weights are never negative, so that their bits are in their order.
CLUSTERLOOM_LANE std::uint64_t weightBits(double weight) {
  return std::bit_cast<std::uint64_t>(weight);
}

/// State of the rounds, as plain pointers. Arrays are by place where not said otherwise.
struct GroupForest {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kMixed = kNone;

  GroupTreeView tree;
  GroupLists lists;
  std::uint32_t minPts = 1;  ///< or the number of points + 1 where it is above that

  double* core = nullptr;  ///< squared core distance; +∞ behind the last point
  std::uint32_t* component = nullptr;
  double* lower = nullptr;        ///< bound below the weights of all edges that leave the component
  double* weight = nullptr;       ///< of the lightest such edge known; +∞: none
  std::uint32_t* to = nullptr;    ///< its other end, or kNone
  std::uint64_t* open = nullptr;  ///< entries of the list that may be in other components
  double* leastCore = nullptr;    ///< by node
  std::uint32_t* tag = nullptr;   ///< by node: the component of all its points, or kMixed
  std::uint64_t* best = nullptr;  ///< by component: bits of the lightest weight known to leave it
  std::uint32_t* chosen = nullptr;  ///< by component: the place whose edge it takes, or kNone
  std::uint32_t* parent = nullptr;  ///< disjoint sets of components
  std::uint32_t* edgeCount = nullptr;
  std::uint32_t* edgeA = nullptr;  ///< by edge: places, and bits of the weight
  std::uint32_t* edgeB = nullptr;
  std::uint64_t* edgeWeight = nullptr;

  template <class Lane>
  CLUSTERLOOM_LANE void offer(Lane& lane, std::uint32_t c, std::uint64_t bits) const {
    if (bits < lane.load(best + c)) lane.least(best + c, bits);
  }
  template <class Lane>
  CLUSTERLOOM_LANE void offerEdge(Lane& lane, std::uint32_t place) const {
    const std::uint64_t bits = weightBits(weight[place]);
    offer(lane, component[place], bits);
    offer(lane, component[to[place]], bits);
  }
  template <class Lane>
  CLUSTERLOOM_LANE void addEdge(Lane& lane, std::uint32_t a, std::uint32_t b, double w) const {
    const std::uint32_t at = lane.add(edgeCount, std::uint32_t{1});
    edgeA[at] = a;
    edgeB[at] = b;
    edgeWeight[at] = weightBits(w);
  }

  /// The lightest edge that leaves the component of a place, among those that it lists. Whether
  /// there is one.
  CLUSTERLOOM_LANE bool takeFromList(std::uint32_t place) const {
    const std::uint32_t own = component[place];
    const double ownCore = core[place];
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t other = kNone;
    std::uint64_t left = open[place];
    for (std::uint32_t i = 0; i < lists.others; ++i) {
      if ((left >> i & 1) == 0) continue;
      const std::uint32_t q = lists.places[lists.at(place, i)];
      if (component[q] == own) {
        left &= ~(std::uint64_t{1} << i);
        continue;
      }
      double w = Maximum()(ownCore, core[q]);
      if (i + 1 >= minPts) {  // others are not further than the core distance
        const double squared = lists.squared[lists.at(place, i)];
        if (squared >= least) break;  // the same holds for the entries that follow
        w = Maximum()(w, squared);
      }
      if (w >= least) continue;
      least = w;
      other = q;
      if (w <= ownCore) break;  // no edge is lighter
    }
    open[place] = left;
    weight[place] = least;
    to[place] = other;
    // Points that are not listed are no closer than the last entry.
    if (lists.others >= minPts) {
      const double last = lists.squared[lists.at(place, lists.others - 1)];
      lower[place] = Maximum()(lower[place], Minimum()(least, last));
    }
    return other != kNone;
  }
};

/// Each point is a component.
struct BeginForest {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    const bool isPoint = place < f.tree.points;
    double core = std::numeric_limits<double>::infinity();
    if (isPoint && f.minPts <= f.tree.points)
      core = f.minPts == 1 ? 0.0 : f.lists.squared[f.lists.at(place, f.minPts - 2)];
    f.core[place] = f.lower[place] = core;
    f.component[place] = f.parent[place] = place;
    f.weight[place] = std::numeric_limits<double>::infinity();
    f.to[place] = f.chosen[place] = GroupForest::kNone;
    f.open[place] = isPoint ? (std::uint64_t{1} << f.lists.others) - 1 : 0;
    f.best[place] = weightBits(std::numeric_limits<double>::infinity());
  }
};

/// The first round: the edges that the lists alone prove. No edge of a point is lighter than its
/// core distance.
struct TakeFirst {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    if (f.takeFromList(place) && f.weight[place] <= f.core[place]) f.chosen[place] = place;
  }
};

/// Replaces the edges that have become internal and offers each component the ones there are.
struct OfferListed {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t place) const {
    const std::uint32_t to = f.to[place];
    if (to == GroupForest::kNone) return;
    if (f.component[to] == f.component[place] && !f.takeFromList(place)) return;
    f.offerEdge(lane, place);
  }
};

/// Searches for the lightest edges that leave the components of the points of a group, for those
/// points of which `lower` is below what is known of their components.
template <int D>
struct SearchOutgoing {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t group) const {
    const GroupTreeView& tree = f.tree;
    const std::uint32_t own = group * 32 + lane.id();
    const bool isPoint = own < tree.points;
    const std::uint32_t component = isPoint ? f.component[own] : GroupForest::kNone;
    double limit = isPoint ? std::bit_cast<double>(lane.load(f.best + component)) : -1.0;
    const bool active = isPoint && f.lower[own] < limit;
    if (lane.ballot(kAllLanes, active) == 0) return;
    if (!active) limit = -1;
    const double core = active ? f.core[own] : 0.0;
    double found = 0;
    std::uint32_t to = GroupForest::kNone;
    const GroupQuery<D> query(tree, group, lane.id());
    double largest = overWarp(lane, limit, Maximum());
    // Nodes whose points are all in the component of all queries are left out.
    const std::uint32_t low = overWarp(lane, active ? component : GroupForest::kNone, Minimum());
    const std::uint32_t high = overWarp(lane, active ? component : 0, Maximum());
    const std::uint32_t common = low == high ? low : GroupForest::kMixed;

    const auto mayHold = [&](std::uint32_t node) {
      return f.tag[node] != component && f.leastCore[node] < limit &&
             query.pointBound(tree.boxOf(node), tree.dims) < limit;
    };
    const auto visit = [&](std::uint32_t other) {
      const bool wants = mayHold(tree.node(0, other));
      const std::uint32_t wanting = lane.ballot(kAllLanes, wants);
      if (wanting == 0) return;
      // Points whose edge may be lighter than the lightest known edge.
      std::uint32_t close = 0;
      if (bitCount(wanting) <= kFew) {
        close = lighterOfFew(lane, group, other, wanting, {limit, core, component});
      } else if (wants) {
        const std::uint32_t inside = tree.inGroup(other);
        for (std::uint32_t i = 0; i < inside; ++i)
          close |= std::uint32_t(query.squaredTo(tree.pointAt(other * 32) + i, tree.dims) < limit)
                   << i;
      }
      bool changed = false;
      for (; close != 0; close &= close - 1) {
        const std::uint32_t q = other * 32 + lowestBit(close);
        double w = query.squaredTo(tree.pointAt(q), tree.dims);
        w = Maximum()(Maximum()(w, core), f.core[q]);
        if (!(w < limit) || f.component[q] == component) continue;
        limit = found = w;
        to = q;
        changed = true;
      }
      if (changed) f.offer(lane, component, weightBits(limit));
      lane.sync(kAllLanes);
      if (lane.ballot(kAllLanes, changed) == 0) return;
      // The best edge of one point limits the search of the others in its component.
      if (active) limit = Minimum()(limit, std::bit_cast<double>(lane.load(f.best + component)));
      largest = overWarp(lane, limit, Maximum());
    };
    walkGroups(
        lane, tree, group,
        [&](std::uint32_t node, int) {
          if (common != GroupForest::kMixed && f.tag[node] == common) return false;
          return f.leastCore[node] < largest &&
                 query.groupBound(tree.boxOf(node), tree.dims) < largest;
        },
        mayHold, visit);
    if (!active) return;
    f.lower[own] = Maximum()(f.lower[own], limit);
    if (to == GroupForest::kNone) return;
    f.weight[own] = found;
    f.to[own] = to;
    f.offerEdge(lane, own);
  }

 private:
  // At most this many queries are compared with a group one after another, each by all lanes.
  static constexpr std::uint32_t kFew = 20;

  struct Limits {
    double limit;
    double core;
    std::uint32_t component;
  };

  /// The points of a group to which the query of a lane has an edge below its limit that leaves its
  /// component, for some lanes of group `own`: each lane takes one point and compares it with all
  /// their queries.
  template <class Lane>
  CLUSTERLOOM_LANE std::uint32_t lighterOfFew(Lane& lane, std::uint32_t own, std::uint32_t other,
                                              std::uint32_t wanting, const Limits& limits) const {
    const double* queries = f.tree.pointAt(own * 32);
    const std::uint32_t place = other * 32 + lane.id();
    const GroupPoint<D> point(f.tree, place);
    const double core = f.core[place];
    const std::uint32_t component = f.component[place];
    std::uint32_t close = 0;
    for (; wanting != 0; wanting &= wanting - 1) {
      const std::uint32_t i = lowestBit(wanting);
      const double limit = lane.shuffle(kAllLanes, limits.limit, i);
      const double coreThere = lane.shuffle(kAllLanes, limits.core, i);
      const std::uint32_t componentThere = lane.shuffle(kAllLanes, limits.component, i);
      const double w =
          Maximum()(Maximum()(point.squaredTo(queries + i, f.tree.dims), core), coreThere);
      const std::uint32_t hits = lane.ballot(kAllLanes, w < limit && component != componentThere);
      if (i == lane.id()) close = hits;
    }
    return close;
  }
};

/// Each component takes one of its lightest edges.
struct ChooseEdges {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t place) const {
    const std::uint32_t to = f.to[place];
    if (to == GroupForest::kNone) return;
    const std::uint64_t bits = weightBits(f.weight[place]);
    const std::uint32_t own = f.component[place];
    const std::uint32_t other = f.component[to];
    if (bits == f.best[own]) lane.store(f.chosen + own, place);
    if (bits == f.best[other]) lane.store(f.chosen + other, place);
  }
};

/// Unites components along the chosen edges, and prepares them for the next round.
struct JoinComponents {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t place) const {
    if (f.component[place] != place) return;
    const std::uint32_t chosen = f.chosen[place];
    f.best[place] = weightBits(std::numeric_limits<double>::infinity());
    if (chosen == GroupForest::kNone) return;
    f.chosen[place] = GroupForest::kNone;
    const std::uint32_t to = f.to[chosen];
    if (unite(lane, f.parent, f.component[chosen], f.component[to]))
      f.addEdge(lane, chosen, to, f.weight[chosen]);
  }
};

/// New components of the points of a group, a warp a group.
struct RenameComponents {
  GroupForest f;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t group) const {
    const std::uint32_t place = group * 32 + lane.id();
    const bool isPoint = place < f.tree.points;
    std::uint32_t component = 0;
    if (isPoint) f.component[place] = component = rootOf(lane, f.parent, f.component[place]);
    const std::uint32_t low = overWarp(lane, isPoint ? component : GroupForest::kNone, Minimum());
    const std::uint32_t high = overWarp(lane, component, Maximum());
    if (lane.id() == 0) f.tag[f.tree.node(0, group)] = low == high ? low : GroupForest::kMixed;
  }
};

/// Tags of the nodes of a level above, from those of the level below it.
struct TagNodes {
  GroupForest f;
  int level;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    const std::uint32_t child = i * 32 + lane.id();
    const bool isThere = child < f.tree.nodes[level - 1];
    const std::uint32_t tag = isThere ? f.tag[f.tree.node(level - 1, child)] : 0;
    const std::uint32_t low = overWarp(lane, isThere ? tag : GroupForest::kNone, Minimum());
    const std::uint32_t high = overWarp(lane, tag, Maximum());
    if (lane.id() == 0) f.tag[f.tree.node(level, i)] = low == high ? low : GroupForest::kMixed;
  }
};

/// Least core distances of the nodes of a level.
struct FoldCores {
  GroupForest f;
  int level;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    const std::uint32_t child = i * 32 + lane.id();
    double core = std::numeric_limits<double>::infinity();
    if (level == 0)
      core = f.core[child];
    else if (child < f.tree.nodes[level - 1])
      core = f.leastCore[f.tree.node(level - 1, child)];
    core = overWarp(lane, core, Minimum());
    if (lane.id() == 0) f.leastCore[f.tree.node(level, i)] = core;
  }
};

/// Joins components without an edge of finite weight: component i of `roots` with the one before.
struct JoinAtInfinity {
  GroupForest f;
  const std::uint32_t* roots;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t i) const {
    f.addEdge(lane, roots[i], roots[i + 1], std::numeric_limits<double>::infinity());
  }
};
struct FlagRoots {
  GroupForest f;
  std::uint8_t* flags;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    flags[place] = f.component[place] == place;
  }
};

/// A spanning tree in the memory of a machine: `points` − 1 edges between places.
template <class Machine>
struct GroupSpanningTree {
  typename Machine::template Array<std::uint32_t> a;
  typename Machine::template Array<std::uint32_t> b;
  typename Machine::template Array<std::uint64_t> weights;  ///< weightBits
  typename Machine::template Array<double> core;            ///< squared, by place
  typename Machine::template Array<std::uint32_t> valley;   ///< by place (spanning_tree.h)
  std::uint32_t rounds = 0;
};

/// A round's search by the boxes of the tree.
template <class Machine>
void searchByBoxes(Machine& machine, const GroupForest& f) {
  if (f.tree.dims == 2)
    machine.warps(f.tree.groups, SearchOutgoing<2>{f});
  else if (f.tree.dims == 3)
    machine.warps(f.tree.groups, SearchOutgoing<3>{f});
  else
    machine.warps(f.tree.groups, SearchOutgoing<0>{f});
}

/// A minimum spanning tree of mutual reachability. `lists` have at least minPts − 1 entries where
/// minPts is at most the number of points. search(forest, edges) does the search of a round, in
/// which the tree has that many edges: afterwards an outgoing edge that is the lightest of its
/// component has been offered, and is held by one of its places.
template <class Machine, class Search>
GroupSpanningTree<Machine> groupSpanningTree(Machine& machine, const GroupTreeView& tree,
                                             const GroupLists& lists, std::int64_t minPts,
                                             const Search& search) {
  const std::size_t places = tree.places();
  const std::size_t n = tree.points;
  GroupSpanningTree<Machine> result;
  result.a = machine.template make<std::uint32_t>(n - 1);
  result.b = machine.template make<std::uint32_t>(n - 1);
  result.weights = machine.template make<std::uint64_t>(n - 1);
  result.core = machine.template make<double>(places);
  result.valley = machine.template make<std::uint32_t>(places);
  auto component = machine.template make<std::uint32_t>(places);
  auto lower = machine.template make<double>(places);
  auto weight = machine.template make<double>(places);
  auto to = machine.template make<std::uint32_t>(places);
  auto open = machine.template make<std::uint64_t>(places);
  auto leastCore = machine.template make<double>(tree.allNodes());
  auto tag = machine.template make<std::uint32_t>(tree.allNodes());
  auto best = machine.template make<std::uint64_t>(places);
  auto chosen = machine.template make<std::uint32_t>(places);
  auto parent = machine.template make<std::uint32_t>(places);
  auto edgeCount = machine.template make<std::uint32_t>(1);
  machine.fill(edgeCount, 0);
  GroupForest f;
  f.tree = tree;
  f.lists = lists;
  f.minPts = std::uint32_t(minPts <= std::int64_t(n) ? minPts : std::int64_t(n) + 1);
  f.core = result.core.data();
  f.component = component.data();
  f.lower = lower.data();
  f.weight = weight.data();
  f.to = to.data();
  f.open = open.data();
  f.leastCore = leastCore.data();
  f.tag = tag.data();
  f.best = best.data();
  f.chosen = chosen.data();
  f.parent = parent.data();
  f.edgeCount = edgeCount.data();
  f.edgeA = result.a.data();
  f.edgeB = result.b.data();
  f.edgeWeight = result.weights.data();

  const auto joinChosen = [&] {
    machine.each(n, JoinComponents{f});
    machine.warps(tree.groups, RenameComponents{f});
    for (int level = 1; level < tree.levels; ++level)
      machine.warps(tree.nodes[level], TagNodes{f, level});
  };
  machine.each(places, BeginForest{f});
  for (int level = 0; level < tree.levels; ++level)
    machine.warps(tree.nodes[level], FoldCores{f, level});
  machine.each(n, TakeFirst{f});
  joinChosen();
  machine.copy(result.valley, component);
  machine.stage("first edges");
  std::uint32_t before = tree.points;
  for (;;) {
    const std::uint32_t edges = machine.read(edgeCount);
    if (edges + 1 == n || edges == before) break;
    before = edges;
    ++result.rounds;
    machine.each(n, OfferListed{f});
    machine.stage("listed");
    search(f, edges);
    machine.stage("search");
    machine.each(n, ChooseEdges{f});
    joinChosen();
    machine.stage("join");
  }
  const std::uint32_t edges = machine.read(edgeCount);
  if (edges + 1 < n) {
    auto flags = machine.template make<std::uint8_t>(n);
    auto roots = machine.template make<std::uint32_t>(n);
    auto count = machine.template make<std::uint32_t>(1);
    machine.each(n, FlagRoots{f, flags.data()});
    machine.selectFlagged(flags, roots, count);
    machine.each(n - 1 - edges, JoinAtInfinity{f, roots.data()});
  }
  return result;
}

}  // namespace clusterloom
