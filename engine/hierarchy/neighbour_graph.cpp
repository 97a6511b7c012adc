#include "engine/hierarchy/neighbour_graph.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "engine/cloud/point_distance.h"
#include "engine/core/chunks.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/hierarchy/cloud_tree.h"
#include "engine/hierarchy/hierarchy_builder.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/place_lists.h"
#include "engine/hierarchy/spanning_tree.h"

namespace clusterloom {
namespace {

// Why the edges that are kept contain a minimum spanning tree for every minPts M ≤ K. Let w_M be
// the weights for M and c_M the core distances; c_M ≤ c_K, hence w_M ≤ w_K for every edge. Let e =
// (p, q) be an edge whose points are not in each other's list of K. Then d(p, q) ≥ c_K(p) and ≥
// c_K(q), so that w_M(e) = d(p, q) = w_K(e). If e is not in the tree T for K, no edge f of T
// between p and q is heavier: w_K(f) ≤ w_K(e), and w_M(f) ≤ w_K(f) ≤ w_K(e) = w_M(e). So e is a
// heaviest edge, for M as well, of the cycle that it makes with T, and can be left out. All such
// edges can be left out one after another, since the rest of each cycle is T, which stays. What
// remains is T and the lists.

constexpr std::size_t kGraphPlacesAtOnce = 4096;

bool listedBy(const PlaceLists& lists, std::uint32_t place, std::uint32_t other) {
  const std::uint32_t* places = lists.placesOf(place);
  return std::find(places, places + lists.others(), other) != places + lists.others();
}

/// Edges that not both of their places list: those of the tree, and what one place alone lists. How
/// many there are depends on the cloud. TooLarge.
Result<LargeArray<TreeEdge>> furtherEdges(const PointCloud& cloud, const CloudTree& made,
                                          const Task& task) {
  const LeafTree& tree = made.leaves;
  const PlaceLists& lists = made.lists;
  const SpanningTree& spanning = made.tree;
  const std::size_t others = lists.others();
  const std::size_t parts = chunksOf(tree.points, kGraphPlacesAtOnce);
  std::vector<std::vector<TreeEdge>> found(parts);
  // Edges are numbered behind the points, in 32 bits. Beside the lists, whose vectors may have
  // grown to twice their edges, there is the array.
  constexpr std::uint64_t kBytesOfEdge = 3 * sizeof(TreeEdge);
  const std::uint64_t most =
      std::min<std::uint64_t>(std::numeric_limits<std::uint32_t>::max() - 1 - tree.points,
                              availableMemory() / kBytesOfEdge);
  std::atomic<std::uint64_t> edgesFound = 0;
  forChunks(
      tree.points, kGraphPlacesAtOnce, [&](std::size_t part, std::size_t begin, std::size_t end) {
        if (task.cancelled() || edgesFound > most) return;
        for (std::size_t place = begin; place < end; ++place) {
          const auto p = std::uint32_t(place);
          const std::uint32_t* places = lists.placesOf(place);
          const double* distances = lists.squaredDistancesOf(place);
          for (std::size_t i = 0; i < others; ++i) {
            const double last = lists.squaredDistancesOf(places[i])[others - 1];
            if (distances[i] < last || (distances[i] == last && listedBy(lists, places[i], p)))
              continue;
            found[part].push_back({p, places[i], distances[i]});
          }
        }
        // The edges of the spanning tree, as many for each part.
        const std::size_t last = std::min(spanning.edges.size(), end);
        for (std::size_t i = begin; i < last; ++i) {
          const TreeEdge& edge = spanning.edges[i];
          if (!listedBy(lists, edge.a, edge.b) && !listedBy(lists, edge.b, edge.a))
            found[part].push_back(
                {edge.a, edge.b,
                 canonicalSquaredDistance(cloud, tree.ids[edge.a], tree.ids[edge.b])});
        }
        edgesFound += found[part].size();
      });
  std::vector<std::size_t> begins(parts + 1);
  for (std::size_t part = 0; part < parts; ++part)
    begins[part + 1] = begins[part] + found[part].size();
  if (edgesFound > most)
    return tooLarge(
        "There are too many edges for hierarchies of every minPts. Use a smaller minPts or a "
        "smaller cloud.");
  LargeArray<TreeEdge> edges(begins[parts]);
  parallelFor(parts, 1, [&](std::size_t part) {
    std::copy(found[part].begin(), found[part].end(), edges.begin() + std::ptrdiff_t(begins[part]));
    found[part] = {};
  });
  return edges;
}

}  // namespace

struct NeighbourGraph::Data {
  LeafTree tree;
  NearestNeighbours nearest;  ///< by place
  std::int64_t most = 1;
  LargeArray<TreeEdge> further;
};

Result<NeighbourGraph> NeighbourGraph::build(const PointCloud& cloud, const HierarchyOptions& most,
                                             const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  if (!most.periods.empty() || most.metric != Metric::Euclidean)
    return badCall("hierarchies of several minPts need Euclidean distances without periods");
  if (most.minPts < 1 || most.minPts > kMaxNearest)
    return badCall("hierarchies of several minPts need a largest one between 1 and " +
                   std::to_string(kMaxNearest) + ", not " + std::to_string(most.minPts));
  const std::uint64_t n = cloud.size();
  const auto k = int(std::max<std::int64_t>(2, most.minPts));
  // Rows, edges, and the state of the search.
  const std::uint64_t bytes = n * (16 * std::uint64_t(k) + 200) + cloudTreePeakBytes(cloud, most);
  if (const std::uint64_t available = availableMemory(); bytes > available)
    return tooLarge("Hierarchies of every minPts up to " + std::to_string(most.minPts) + " of " +
                    std::to_string(n) + " points need " + memoryText(bytes) + ", and " +
                    memoryText(available) + " are free. Use a smaller minPts or a smaller cloud.");
  return HierarchyBuilder::onArena(most.threads, [&]() -> Result<NeighbourGraph> {
    auto data = std::make_shared<Data>();
    data->most = std::min<std::int64_t>(most.minPts, std::int64_t(n));
    const HierarchyOptions options{.minPts = data->most};
    HierarchySeconds seconds;
    auto made = searchCloudTree({cloud, options, nullptr, k}, seconds, task);
    if (!made) return tl::unexpected(made.error());
    auto further = furtherEdges(cloud, **made, task);
    if (!further) return tl::unexpected(further.error());
    data->further = std::move(*further);
    data->tree = std::move((*made)->leaves);
    data->nearest = std::move((*made)->nearest);
    // The steps below need no search.
    data->tree.coordinates = {};
    data->tree.boxes = {};
    data->tree.lowestId = {};
    if (task.cancelled()) return cancelledError();
    return NeighbourGraph(std::move(data));
  });
}

std::size_t NeighbourGraph::points() const { return data_->tree.points; }
std::int64_t NeighbourGraph::mostMinPts() const { return data_->most; }

std::uint64_t NeighbourGraph::bytes() const {
  const LeafTree& tree = data_->tree;
  return 12 * data_->nearest.ids.size() + sizeof(TreeEdge) * data_->further.size() +
         4 * tree.ids.size();
}

Result<Hierarchy> NeighbourGraph::hierarchy(const HierarchyOptions& options,
                                            const Task& task) const {
  const auto n = std::int64_t(points());
  if (options.minPts < 1 || (options.minPts > mostMinPts() && options.minPts <= n))
    return badCall("minPts must be between 1 and " + std::to_string(mostMinPts()) + " here, not " +
                   std::to_string(options.minPts));
  if (auto fine = HierarchyBuilder::checkMemory(points(), std::uint64_t(data_->nearest.k), 0);
      !fine)
    return tl::unexpected(fine.error());
  return HierarchyBuilder::onArena(options.threads, [&]() -> Result<Hierarchy> {
    const Stopwatch total;
    const PlaceLists lists = PlaceLists::ofPlaces(data_->nearest);
    LargeArray<double> core = squaredCoreDistances(data_->tree, data_->nearest, options.minPts);
    auto spanning = sparseSpanningTree(data_->tree, core, std::min(options.minPts, n), lists,
                                       data_->further, task);
    if (!spanning) return tl::unexpected(spanning.error());
    HierarchySeconds seconds;
    seconds.tree = total.seconds();
    return HierarchyBuilder::finish(options.minPts, std::move(core), data_->tree, lists,
                                    std::move(*spanning), seconds, total, task);
  });
}

}  // namespace clusterloom
