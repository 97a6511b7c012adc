#include "engine/hierarchy/bottlenecks.h"

#include <tbb/parallel_sort.h>

#include <numeric>
#include <span>
#include <utility>

#include "engine/core/disjoint_sets.h"
#include "engine/core/infinity.h"

namespace clusterloom {
namespace {

constexpr std::size_t kEdgesBetweenChecks = 65536;

// Kruskal's algorithm. `join(a, b, edge)` is called for each edge that unites two sets, with their
// lowest points; edges that unite none are removed.
template <class Join>
void keepForest(std::vector<TreeEdge>& edges, std::vector<std::uint32_t>& parents, const Task& task,
                const Join& join) {
  tbb::parallel_sort(edges.begin(), edges.end(), [](const TreeEdge& a, const TreeEdge& b) {
    return a.squaredWeight < b.squaredWeight;
  });
  std::iota(parents.begin(), parents.end(), 0U);
  SerialLane lane;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i % kEdgesBetweenChecks == 0 && task.cancelled()) break;
    const TreeEdge edge = edges[i];
    const std::uint32_t a = findRoot(lane, parents.data(), edge.a);
    const std::uint32_t b = findRoot(lane, parents.data(), edge.b);
    if (a == b) continue;
    unite(lane, parents.data(), a, b);
    join(a, b, edge);
    edges[kept++] = edge;
  }
  edges.resize(kept);
  edges.shrink_to_fit();
}

}  // namespace

std::vector<TreeEdge> minimumForest(std::size_t points, std::vector<TreeEdge> edges,
                                    const Task& task) {
  std::vector<std::uint32_t> parents(points);
  keepForest(edges, parents, task, [](std::uint32_t, std::uint32_t, const TreeEdge&) {});
  return edges;
}

Bottlenecks::Bottlenecks(std::size_t points, std::vector<TreeEdge> edges, const Task& task)
    : edges_(std::move(edges)), trees_(points), positions_(points), splits_(points) {
  // The points of a set stand in a row. What joins two sets is the split between their rows: it is
  // no lighter than the splits in both, and the largest one between two points is the weight of
  // the edge that made them one set.
  std::vector<std::uint32_t> lasts(points);
  std::vector<std::uint32_t> nexts(points, std::uint32_t(points));
  std::vector<double> joins(points, kInfinity);
  std::iota(lasts.begin(), lasts.end(), 0U);
  // The row of a set begins with its lowest point, which is its root.
  keepForest(edges_, trees_, task, [&](std::uint32_t a, std::uint32_t b, const TreeEdge& edge) {
    const auto [low, high] = std::minmax(a, b);
    nexts[lasts[low]] = high;
    joins[high] = edge.squaredWeight;
    lasts[low] = lasts[high];
  });
  SerialLane lane;
  std::uint32_t position = 0;
  for (std::uint32_t root = 0; root < points; ++root) {
    const std::uint32_t tree = rootOf(lane, trees_.data(), root);
    trees_[root] = tree;
    if (tree != root) continue;
    for (std::uint32_t p = root; p < points; p = nexts[p]) {
      positions_[p] = position;
      splits_[position++] = joins[p];
    }
  }
  heaviest_ = RangeMaximum<double>(std::span<const double>(splits_));
}

}  // namespace clusterloom
