#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/hierarchy/lanes/group_borders.h"
#include "engine/hierarchy/lanes/group_dendrogram.h"
#include "engine/hierarchy/lanes/group_forest.h"
#include "engine/hierarchy/lanes/group_nearest.h"
#include "engine/hierarchy/lanes/group_tree.h"

namespace clusterloom {

/// The arrays of a Hierarchy, in the memory of a machine.
template <class Machine>
struct GroupHierarchy {
  GroupDendrogram<Machine> dendrogram;
  GroupBorders<Machine> borders;
};

/// Entries of the lists that a hierarchy is built from.
inline std::uint32_t listedOthers(std::size_t points, std::int64_t minPts) {
  // Longer lists than core distances need leave less to search for the tree.
  constexpr std::int64_t kMore = 3;
  const auto n = std::int64_t(points);
  // With no core points distances do not matter.
  if (minPts > n) return 1;
  return std::uint32_t(std::min({minPts - 1 + kMore, std::int64_t{kMaxNearest} - 1, n - 1}));
}

/// The hierarchy of the points of a tree, of which there are at least two, and their nearest
/// neighbours; `search` is that of groupSpanningTree.
template <class Machine, class Search>
GroupHierarchy<Machine> hierarchyOfLists(Machine& machine, const GroupTreeView& tree,
                                         const GroupLists& lists, std::int64_t minPts,
                                         const Search& search) {
  auto spanning = groupSpanningTree(machine, tree, lists, minPts, search);
  auto order = machine.template make<std::uint32_t>(tree.points - 1);
  machine.each(tree.points - 1, NumberItems{order.data()});
  machine.sortByKey(spanning.weights, order, 63);
  machine.stage("sort");
  GroupHierarchy<Machine> result;
  result.dendrogram = groupDendrogram(machine, tree.ids, tree.points, spanning.a, spanning.b,
                                      spanning.weights, order);
  result.borders = groupBorders(machine, tree, lists, minPts, spanning.core.data(),
                                spanning.valley.data(), result.dendrogram);
  return result;
}

/// The hierarchy of `points` > 1 points in the machine's memory, dimension-major and without gaps,
/// equal to that of Hierarchy::build in all its values.
template <class Machine>
GroupHierarchy<Machine> groupHierarchy(Machine& machine, const double* columns, std::size_t points,
                                       std::size_t dims, std::int64_t minPts) {
  const auto tree = buildGroupTree(machine, columns, points, dims);
  machine.stage("index");
  const auto lists = nearestLists(machine, tree.view, listedOthers(points, minPts));
  machine.stage("neighbours");
  return hierarchyOfLists(
      machine, tree.view, lists.view, minPts,
      [&](const GroupForest& forest, std::uint32_t) { searchByBoxes(machine, forest); });
}

}  // namespace clusterloom
