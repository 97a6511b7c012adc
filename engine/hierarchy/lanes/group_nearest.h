#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/hierarchy/lanes/group_tree.h"

// The nearest neighbours of all points of a GroupTree, a warp a group.
//
// Why no neighbour is lost, ties included: a box is left out only where the bound of its distances
// and the lowest id in it, compared in that order, do not come before the last neighbour found so
// far. Then no point of the box does.

namespace clusterloom {

/// The nearest other points of each place, as places, ascending by (squared distance, id). Entry i
/// of the 32 places of a group is at consecutive addresses.
struct GroupLists {
  std::uint32_t others = 0;  ///< entries of a list, less than the number of points
  std::uint32_t* places = nullptr;
  double* squared = nullptr;

  CLUSTERLOOM_LANE std::size_t at(std::uint32_t place, std::uint32_t i) const {
    return (std::size_t(place / 32) * others + i) * 32 + place % 32;
  }
};

/// The nearest points of a query found so far, at most K. Where fewer are requested, the first
/// slots hold −∞, the lowest value, so that the last neighbour is always in the last slot and a
/// short list stays in a GPU's registers.
template <int K>
struct NearestFound {
  // Above this a list is in memory, and insertion ends where the new one belongs.
  static constexpr bool kInRegisters = K <= 24;
  double squared[K];
  std::uint32_t places[K];
  std::uint32_t lastId;

  CLUSTERLOOM_LANE explicit NearestFound(std::uint32_t others, bool isQuery) {
    CLUSTERLOOM_UNROLL
    for (int i = 0; i < K; ++i) {
      const bool used = isQuery && i >= K - int(others);
      squared[i] =
          used ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
      places[i] = GroupTreeView::kNobody;
    }
    lastId = GroupTreeView::kNobody;
  }
  CLUSTERLOOM_LANE double last() const { return squared[K - 1]; }
  CLUSTERLOOM_LANE static std::uint32_t idAt(const GroupTreeView& tree, std::uint32_t place) {
    return place == GroupTreeView::kNobody ? place : tree.ids[place];
  }
  /// Whether a point at that distance comes before the last.
  CLUSTERLOOM_LANE bool takes(double distance, std::uint32_t id) const {
    return distance < last() || (distance <= last() && id < lastId);
  }
  /// Inserts a point that comes before the last.
  CLUSTERLOOM_LANE void insert(const GroupTreeView& tree, double distance, std::uint32_t place,
                               std::uint32_t id) {
    if constexpr (kInRegisters) {
      // By distance alone, behind equal ones; ids are looked up only where there are any.
      bool before = true;
      bool ties = false;
      CLUSTERLOOM_UNROLL
      for (int i = K - 1; i > 0; --i) {
        const bool further = distance < squared[i - 1];
        ties = ties || distance == squared[i - 1];
        squared[i] = further ? squared[i - 1] : before ? distance : squared[i];
        places[i] = further ? places[i - 1] : before ? place : places[i];
        before = further;
      }
      if (before) {
        squared[0] = distance;
        places[0] = place;
      }
      if (ties) orderTies(tree, distance, place, id);
    } else {
      int i = K - 1;
      for (; i > 0 && (distance < squared[i - 1] ||
                       (distance <= squared[i - 1] && id < idAt(tree, places[i - 1])));
           --i) {
        squared[i] = squared[i - 1];
        places[i] = places[i - 1];
      }
      squared[i] = distance;
      places[i] = place;
    }
    lastId = idAt(tree, places[K - 1]);
  }

 private:
  /// Moves a place among those at the same distance before the ones of higher ids.
  CLUSTERLOOM_LANE void orderTies(const GroupTreeView& tree, double distance, std::uint32_t place,
                                  std::uint32_t id) {
    CLUSTERLOOM_UNROLL
    for (int i = K - 1; i > 0; --i) {
      if (places[i] != place || squared[i - 1] != distance) continue;
      const std::uint32_t other = places[i - 1];
      if (idAt(tree, other) < id) continue;
      places[i] = other;
      places[i - 1] = place;
    }
  }
};

/// Finds the lists of the points of a group. D is the number of dimensions or 0 for any, K at least
/// the entries of a list.
template <int D, int K>
struct SearchNearest {
  GroupTreeView tree;
  GroupLists lists;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane& lane, std::uint32_t group) const {
    const std::uint32_t own = group * 32 + lane.id();
    const GroupQuery<D> query(tree, group, lane.id());
    NearestFound<K> found(lists.others, own < tree.points);
    double farthest = 0;           // of all lanes' last neighbours
    std::uint32_t farthestId = 0;  // the highest id of those at that distance
    const auto settle = [&] {
      farthest = overWarp(lane, found.last(), Maximum());
      farthestId = overWarp(lane, found.last() == farthest ? found.lastId : 0, Maximum());
    };
    const auto visit = [&](std::uint32_t other) {
      const std::uint32_t node = tree.node(0, other);
      const bool wants =
          found.takes(query.pointBound(tree.boxOf(node), tree.dims), tree.lowestIds[node]);
      const std::uint32_t wanting = lane.ballot(kAllLanes, wants);
      if (wanting == 0) return;
      std::uint32_t close = 0;
      if (bitCount(wanting) <= kFew)
        close = closeToFew(lane, group, other, wanting, found.last());
      else if (wants)
        close = closeTo(query, other, found.last());
      if (own / 32 == other) close &= ~(1U << own % 32);
      insertAll(query, other, close, found);
      lane.sync(kAllLanes);
      settle();
    };
    // The groups beside it on the curve are near, most of the time.
    settle();
    visit(group);
    if (group > 0) visit(group - 1);
    if (group + 1 < tree.groups) visit(group + 1);
    const auto mayHold = [&](std::uint32_t node) {
      return found.takes(query.pointBound(tree.boxOf(node), tree.dims), tree.lowestIds[node]);
    };
    walkGroups(
        lane, tree, group,
        [&](std::uint32_t node, int level) {
          // At level 0 nodes are groups.
          if (level == 0 && node + 1 >= group && node <= group + 1) return false;
          const double bound = query.groupBound(tree.boxOf(node), tree.dims);
          return bound < farthest || (bound <= farthest && tree.lowestIds[node] < farthestId);
        },
        mayHold, visit);
    if (own >= tree.points) return;
    CLUSTERLOOM_UNROLL
    for (int i = 0; i < K; ++i) {
      const int entry = i - (K - int(lists.others));
      if (entry < 0) continue;
      lists.places[lists.at(own, std::uint32_t(entry))] = found.places[i];
      lists.squared[lists.at(own, std::uint32_t(entry))] = found.squared[i];
    }
  }

 private:
  // At most this many queries are compared with a group one after another, each by all lanes.
  static constexpr std::uint32_t kFew = 20;

  /// The points of a group that are at most `limit` from the lane's query.
  CLUSTERLOOM_LANE std::uint32_t closeTo(const GroupQuery<D>& query, std::uint32_t other,
                                         double limit) const {
    const double* points = tree.pointAt(other * 32);
    const std::uint32_t inside = tree.inGroup(other);
    std::uint32_t close = 0;
    for (std::uint32_t i = 0; i < inside; ++i)
      close |= std::uint32_t(query.squaredTo(points + i, tree.dims) <= limit) << i;
    return close;
  }

  /// The same for the queries of some lanes of group `own`: each lane takes one point and compares
  /// it with all of them.
  template <class Lane>
  CLUSTERLOOM_LANE std::uint32_t closeToFew(Lane& lane, std::uint32_t own, std::uint32_t other,
                                            std::uint32_t wanting, double limit) const {
    const double* queries = tree.pointAt(own * 32);
    const GroupPoint<D> point(tree, other * 32 + lane.id());
    std::uint32_t close = 0;
    for (; wanting != 0; wanting &= wanting - 1) {
      const std::uint32_t i = lowestBit(wanting);
      const double limitThere = lane.shuffle(kAllLanes, limit, i);
      const std::uint32_t hits =
          lane.ballot(kAllLanes, point.squaredTo(queries + i, tree.dims) <= limitThere);
      if (i == lane.id()) close = hits;
    }
    return close;
  }

  // Each lane inserts its own next neighbour while the others insert theirs.
  CLUSTERLOOM_LANE void insertAll(const GroupQuery<D>& query, std::uint32_t other,
                                  std::uint32_t close, NearestFound<K>& found) const {
    const double* points = tree.pointAt(other * 32);
    for (; close != 0; close &= close - 1) {
      const std::uint32_t i = lowestBit(close);
      const double distance = query.squaredTo(points + i, tree.dims);
      if (distance > found.last()) continue;
      const std::uint32_t place = other * 32 + i;
      const std::uint32_t id = tree.ids[place];
      if (found.takes(distance, id)) found.insert(tree, distance, place, id);
    }
  }
};

/// Lists in the memory of a machine.
template <class Machine>
struct NearestLists {
  typename Machine::template Array<std::uint32_t> places;
  typename Machine::template Array<double> squared;
  GroupLists view;
};

/// Finds the `others` nearest other points of every point, 1 ≤ others < points, others < 64.
template <class Machine>
NearestLists<Machine> nearestLists(Machine& machine, const GroupTreeView& tree,
                                   std::uint32_t others) {
  NearestLists<Machine> lists;
  const std::size_t entries = std::size_t{tree.places()} * others;
  lists.places = machine.template make<std::uint32_t>(entries);
  lists.squared = machine.template make<double>(entries);
  lists.view = {others, lists.places.data(), lists.squared.data()};
  const auto search = [&]<int D, int K>() {
    machine.warps(tree.groups, SearchNearest<D, K>{tree, lists.view});
  };
  const auto forDims = [&]<int K>() {
    if (tree.dims == 2)
      search.template operator()<2, K>();
    else if (tree.dims == 3)
      search.template operator()<3, K>();
    else
      search.template operator()<0, K>();
  };
  if (others <= 12)
    forDims.template operator()<12>();
  else if (others <= 24)
    forDims.template operator()<24>();
  else
    forDims.template operator()<63>();
  return lists;
}

}  // namespace clusterloom
