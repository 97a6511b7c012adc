#include "engine/hierarchy/graph_dendrogram.h"

#include <tbb/parallel_sort.h>

#include <numeric>
#include <string>

#include "engine/core/disjoint_sets.h"
#include "engine/core/lane.h"

namespace clusterloom {
namespace {

constexpr std::size_t kEdgesPerLook = 1 << 16;  // between two looks at the stop token

}  // namespace

Result<Dendrogram> dendrogramOfGraph(std::size_t points, std::vector<TreeEdge> edges,
                                     const Task& task) {
  if (points == 0) return badInput("There are no points.");
  for (const TreeEdge& edge : edges)
    if (edge.a >= points || edge.b >= points || !(edge.squaredWeight >= 0))
      return badInput("An edge must join two of the " + std::to_string(points) +
                      " points and have a weight that is not negative.");
  tbb::parallel_sort(edges.begin(), edges.end(), [](const TreeEdge& left, const TreeEdge& right) {
    return left.squaredWeight < right.squaredWeight;
  });
  std::vector<std::uint32_t> sets(points);
  std::iota(sets.begin(), sets.end(), 0U);
  SerialLane lane;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < edges.size() && taken + 1 < points; ++i) {
    if (i % kEdgesPerLook == 0 && task.cancelled()) return cancelledError();
    if (unite(lane, sets.data(), edges[i].a, edges[i].b)) edges[taken++] = edges[i];
  }
  if (taken + 1 < points)
    return badInput("The edges leave the points in " + std::to_string(points - taken) +
                    " parts without a connection.");
  edges.resize(taken);
  return dendrogramOf(points, edges);
}

}  // namespace clusterloom
