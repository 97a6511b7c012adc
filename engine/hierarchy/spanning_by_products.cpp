#include "engine/hierarchy/spanning_by_products.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/core/parallel_for.h"
#include "engine/core/predicate.h"
#include "engine/core/shared_progress.h"
#include "engine/hierarchy/bottlenecks.h"
#include "engine/product/product_tile.h"

namespace clusterloom {
namespace {

// A spanning forest of edges that are known is improved until no pair of points is lighter than the
// heaviest edge between them in the forest, their bottleneck. Then it is a minimum spanning forest
// of all pairs. A pair that was left out because it is not lighter than its bottleneck is never
// needed: further edges only lower bottlenecks.
//
// It begins with the edges of the lists, so that the floor of a point, the largest of its core
// distance and the distance of the last point that it lists, is not above the weight of any pair
// that the lists do not hold. Pairs that they hold are not lighter than their bottleneck from then
// on. So only pairs whose bottleneck is above the floors of both points are of use. In one dense
// part nearly all points are joined at their core distance and have none; the remaining pairs are
// mostly between parts.
//
// Bottlenecks are bounded for tiles. Of each leaf one place is the middle; the way of a place is
// the bottleneck between it and its middle. The bottleneck of a and b is at most the largest of
// both ways and of that between both middles. A way that is not above the floor of its place
// decides nothing: the weight of a pair is at least that floor. When a tile gives an edge (p, q),
// the largest of its weight and of the ways of p and q bounds the bottleneck between the middles
// from then on.
//
// Whether a pair can be lighter than its bottleneck is decided by the distance of rounded points
// where that is possible (product_reach.h), else by the canonical distance.
//
// First a few near leaves of each leaf are searched, for the lightest pair of each place alone:
// this connects the forest and brings its bottlenecks near to their final values. One pass over all
// pairs follows. Its edges are merged into the forest several times.

constexpr std::size_t kNearTiles = 4;
constexpr std::size_t kMostWaves = 8;

/// The bounds of the pairs of a leaf.
struct LeafWays {
  std::uint32_t middle = 0;
  double leastFloor = kInfinity;
  double farthest = -1;  ///< largest open way
};

/// Edges that a thread has found, and its room for tiles.
struct Worker {
  std::vector<TreeEdge> found;
  std::vector<std::pair<double, std::size_t>> near;
  std::uint64_t nearBits[kTilePoints] = {};
  alignas(64) std::int32_t squares[kTilePoints * kTilePoints] = {};
};

/// Two leaves with pairs that may be of use.
struct OpenTile {
  std::size_t a = 0;
  std::size_t b = 0;
  double between = 0;         ///< bottleneck between the middles, or a bound of it
  double bound = 0;           ///< the largest bottleneck of its pairs
  std::int32_t reach = 0;     ///< of `between`
  std::uint64_t rows = 0;     ///< places of a that have such pairs
  std::uint64_t columns = 0;  ///< of b
};

class ForestByProducts {
 public:
  ForestByProducts(const RoundedPoints& points, std::span<const double> core,
                   const PlaceLists& lists, std::vector<TreeEdge> edges, const ForestLimits& limits,
                   const Task& task)
      : points_(points),
        core_(core),
        limits_(limits),
        task_(task),
        compute_(bestProductTile()),
        floor_(points.pointIds.size()),
        way_(floor_.size()),
        open_(floor_.size()),
        reach_(floor_.size()),
        leaves_(points.leaves.size()),
        forest_(floor_.size(), std::move(edges), task) {
    for (std::size_t p = 0; p < floor_.size(); ++p) {
      floor_[p] = core[p];
      if (lists.others() > 0)
        floor_[p] = std::max(floor_[p], lists.squaredDistancesOf(p)[lists.others() - 1]);
    }
    for (const RoundedLeaf& leaf : points.leaves) errors_ = std::max(errors_, 2 * leaf.error);
  }

  void run() {
    task_.report("building the spanning tree", 0);
    setWays();
    while (!isTree() && searchNear(true)) {
    }
    if (task_.cancelled()) return;
    searchNear(false);
    searchAll();
  }

  /// Ends the use of this.
  std::vector<TreeEdge> takeEdges() { return forest_.takeEdges(); }

 private:
  bool isTree() const { return forest_.edges().size() + 1 == floor_.size(); }

  /// A rounded point of a pair whose weight is at most this is not at a larger squared distance.
  std::int32_t reachOf(double squaredWeight) const {
    return nearestReach(nearestOuter(points_.rounding.scale, squaredWeight, points_.dims), errors_,
                        kLargestRoundedDistance);
  }

  void setWays() {
    parallelFor(leaves_.size(), 1, [&](std::size_t l) {
      if (task_.cancelled()) return;
      const RoundedLeaf& leaf = points_.leaves[l];
      LeafWays& ways = leaves_[l] = {.middle = leaf.first};
      for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p)
        if (floor_[p] < floor_[ways.middle]) ways.middle = p;
      ways.leastFloor = floor_[ways.middle];
      for (std::uint32_t p = leaf.first; p < leaf.first + leaf.count; ++p) {
        way_[p] = forest_.between(ways.middle, p);
        const bool isOpen = way_[p] > floor_[p];
        open_[p] = isOpen ? way_[p] : -1;
        reach_[p] = isOpen ? reachOf(way_[p]) : -1;
        ways.farthest = std::max(ways.farthest, open_[p]);
      }
    });
  }

  /// Takes what the workers have found into the forest. Whether that is anything.
  bool takeFound() {
    std::vector<TreeEdge> edges;
    for (Worker& worker : workers_) {
      edges.insert(edges.end(), worker.found.begin(), worker.found.end());
      worker.found.clear();
    }
    if (edges.empty() || task_.cancelled()) return false;
    const std::vector<TreeEdge>& before = forest_.edges();
    edges.insert(edges.end(), before.begin(), before.end());
    forest_ = Bottlenecks(floor_.size(), std::move(edges), task_);
    setWays();
    return true;
  }

  /// Whether leaves may hold a pair of use, by bounds of the leaves alone.
  bool mayHold(OpenTile& tile) const {
    const LeafWays& a = leaves_[tile.a];
    const LeafWays& b = leaves_[tile.b];
    tile.between = forest_.between(a.middle, b.middle);
    tile.bound = std::max({tile.between, a.farthest, b.farthest});
    return std::max(a.leastFloor, b.leastFloor) < tile.bound;
  }

  bool isNear(const OpenTile& tile) const {
    const double outer = nearestOuter(points_.rounding.scale, tile.bound, points_.dims);
    return tile.a == tile.b || leastDistance({points_, tile.a}, {points_, tile.b}) <=
                                   outerReach({.outer = outer}, errors_);
  }

  /// Of leaf l the places that may have a pair of use in another leaf.
  std::uint64_t usefulPlaces(std::size_t l, const LeafWays& other, double between) const {
    const RoundedLeaf& leaf = points_.leaves[l];
    const double most = std::max(between, other.farthest);
    std::uint64_t useful = 0;
    for (std::size_t i = 0; i < leaf.count; ++i) {
      const double bound = std::max(most, open_[leaf.first + i]);
      const double floor = std::max(floor_[leaf.first + i], other.leastFloor);
      useful |= std::uint64_t{floor < bound} << i;
    }
    return useful;
  }

  /// Says which places have pairs of use, and multiplies. False where none has.
  bool multiply(OpenTile& tile, Worker& worker) const {
    tile.rows = usefulPlaces(tile.a, leaves_[tile.b], tile.between);
    tile.columns = usefulPlaces(tile.b, leaves_[tile.a], tile.between);
    if (tile.rows == 0 || tile.columns == 0) return false;
    tile.reach = reachOf(tile.between);
    std::int32_t outside = tile.reach;
    const auto widen = [&](std::size_t leaf, std::uint64_t places) {
      for (; places != 0; places &= places - 1)
        outside = std::max(
            outside, reach_[points_.leaves[leaf].first + std::size_t(std::countr_zero(places))]);
    };
    widen(tile.a, tile.rows);
    widen(tile.b, tile.columns);
    compute_({.a = points_.panels.data() + tile.a * points_.leafSize(),
              .b = points_.panels.data() + tile.b * points_.leafSize(),
              .pairsOfDims = points_.pairsOfDims,
              .normsA = points_.norms.data() + tile.a * kTilePoints,
              .normsB = points_.norms.data() + tile.b * kTilePoints,
              .outside = outside,
              .squares = worker.squares,
              .near = worker.nearBits});
    return true;
  }

  /// Calls visit(p, q, squared distance of the rounded points) for the pairs of a row of a tile
  /// that the bounds of its places leave open.
  template <class Visit>
  void visitRow(const OpenTile& tile, std::size_t row, const Worker& worker,
                const Visit& visit) const {
    std::uint64_t near = worker.nearBits[row] & tile.columns;
    if (tile.a == tile.b) near &= ~(std::uint64_t{1} << row);
    const std::uint32_t p = points_.leaves[tile.a].first + std::uint32_t(row);
    for (; near != 0; near &= near - 1) {
      const auto column = std::size_t(std::countr_zero(near));
      const std::uint32_t q = points_.leaves[tile.b].first + std::uint32_t(column);
      const std::int32_t square = worker.squares[row * kTilePoints + column];
      if (square > std::max({reach_[p], reach_[q], tile.reach})) continue;
      if (std::max(floor_[p], floor_[q]) < std::max({open_[p], open_[q], tile.between}))
        visit(p, q, square);
    }
  }

  double weightOf(std::uint32_t p, std::uint32_t q) const {
    return std::max({core_[p], core_[q], canonicalSquaredDistance(points_, p, points_, q)});
  }

  /// Takes the pairs of a tile that are lighter than their bottlenecks.
  void takeLighter(OpenTile& tile, Worker& worker) const {
    for (std::uint64_t rows = tile.rows; rows != 0; rows &= rows - 1)
      visitRow(tile, std::size_t(std::countr_zero(rows)), worker,
               [&](std::uint32_t p, std::uint32_t q, std::int32_t square) {
                 const double bound =
                     std::min(forest_.between(p, q), std::max({way_[p], way_[q], tile.between}));
                 if (std::max(floor_[p], floor_[q]) >= bound || square > reachOf(bound)) return;
                 const double weight = weightOf(p, q);
                 if (!(weight < bound)) return;
                 worker.found.push_back({p, q, weight});
                 const double through = std::max({way_[p], way_[q], weight});
                 if (through >= tile.between) return;
                 tile.between = through;
                 tile.reach = reachOf(through);
               });
    // A forest of what was found has room in memory, whatever the bounds were. A thread that waits
    // for the sort must not begin with other leaves: they have the same worker.
    if (worker.found.size() > limits_.edgesKept)
      tbb::this_task_arena::isolate(
          [&] { worker.found = minimumForest(floor_.size(), std::move(worker.found), task_); });
  }

  /// Takes of each row of a tile the pair that seems the lightest, if it is of use.
  void takeLightestOfRows(const OpenTile& tile, bool connect, Worker& worker) const {
    const double unit = points_.rounding.scale > 0 ? 1 / points_.rounding.scale : 0;
    for (std::uint64_t rows = tile.rows; rows != 0; rows &= rows - 1) {
      double least = kInfinity;
      TreeEdge edge;
      visitRow(tile, std::size_t(std::countr_zero(rows)), worker,
               [&](std::uint32_t p, std::uint32_t q, std::int32_t square) {
                 const double weight = std::max({core_[p], core_[q], double(square) * unit * unit});
                 if (weight >= least) return;
                 if (connect ? forest_.inOneTree(p, q)
                             : std::max(floor_[p], floor_[q]) >= forest_.between(p, q))
                   return;
                 least = weight;
                 edge = {p, q, 0};
               });
      if (least == kInfinity) continue;
      edge.squaredWeight = weightOf(edge.a, edge.b);
      if (edge.squaredWeight < forest_.between(edge.a, edge.b)) worker.found.push_back(edge);
    }
  }

  /// Searches the nearest of the leaves that may hold pairs of use with a leaf; to connect, pairs
  /// of two trees. Whether any was found.
  bool searchNear(bool connect) {
    parallelFor(leaves_.size(), 1, [&](std::size_t a) {
      Worker& worker = workers_.local();
      worker.near.clear();
      for (std::size_t b = 0; b < leaves_.size(); ++b) {
        if (task_.cancelled()) return;
        OpenTile tile{.a = a, .b = b};
        if (!mayHold(tile) || (connect && tile.bound < kInfinity)) continue;
        worker.near.emplace_back(leastDistance({points_, a}, {points_, b}), b);
      }
      const std::size_t count = std::min(kNearTiles, worker.near.size());
      std::partial_sort(worker.near.begin(), worker.near.begin() + std::ptrdiff_t(count),
                        worker.near.end());
      for (std::size_t i = 0; i < count; ++i) {
        OpenTile tile{.a = a, .b = worker.near[i].second};
        if (mayHold(tile) && multiply(tile, worker)) takeLightestOfRows(tile, connect, worker);
      }
    });
    return takeFound();
  }

  /// Searches all pairs of leaves.
  void searchAll() {
    // As many leaves share each reading of another leaf as stay in the cache of a core.
    constexpr std::size_t kCacheBytes = 256 << 10;
    const std::size_t group =
        std::clamp<std::size_t>(kCacheBytes / (points_.leafSize() * sizeof(std::int16_t)), 1, 16);
    const std::size_t leaves = leaves_.size();
    const std::size_t groups = (leaves + group - 1) / group;
    const std::size_t waves =
        std::clamp<std::size_t>(groups / limits_.groupsOfAWave, 1, kMostWaves);
    const std::size_t tiles = leaves * (leaves + 1) / 2;
    SharedProgress progress(task_, "building the spanning tree", tiles);
    std::size_t done = 0;
    for (std::size_t first = 0, wave = 1; first < groups && !task_.cancelled(); ++wave) {
      std::size_t end = first;
      for (; end < groups && (end == first || done < tiles * wave / waves); ++end)
        for (std::size_t a = end * group; a < std::min(leaves, (end + 1) * group); ++a)
          done += leaves - a;
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(first, end, 1),
          [&](const auto& range) {
            for (std::size_t g = range.begin(); g < range.end(); ++g)
              searchGroup(g * group, std::min(leaves, (g + 1) * group), progress);
          },
          tbb::simple_partitioner());
      takeFound();
      first = end;
    }
  }

  /// Searches the leaves of a group with one another and with all that follow.
  void searchGroup(std::size_t first, std::size_t end, SharedProgress& progress) {
    Worker& worker = workers_.local();
    for (std::size_t b = first; b < leaves_.size(); ++b) {
      const std::size_t last = std::min(end, b + 1);
      for (std::size_t a = first; a < last; ++a) {
        if (task_.cancelled()) return;
        OpenTile tile{.a = a, .b = b};
        if (mayHold(tile) && isNear(tile) && multiply(tile, worker)) takeLighter(tile, worker);
      }
      progress.add(last - first);
    }
  }

  const RoundedPoints& points_;
  std::span<const double> core_;  // by place, as all that follow
  ForestLimits limits_;
  const Task& task_;
  TileFunction compute_;
  double errors_ = 0;  ///< of two points, in units of rounded coordinates
  std::vector<double> floor_;
  std::vector<double> way_;
  std::vector<double> open_;         ///< ways above the floor; −1 where they are not
  std::vector<std::int32_t> reach_;  ///< of open ways; −1 where they are not
  std::vector<LeafWays> leaves_;
  Bottlenecks forest_;
  tbb::enumerable_thread_specific<Worker> workers_;
};

/// Edges of the lists between valleys, or a minimum forest of them. In one valley the tree has no
/// heavier way.
void addListed(const SpanningTree& tree, std::size_t points, const PlaceLists& lists,
               std::size_t most, const Task& task, std::vector<TreeEdge>& edges) {
  constexpr std::uint32_t kPointsBetweenChecks = 4096;
  for (std::uint32_t p = 0; p < points; ++p) {
    if (p % kPointsBetweenChecks == 0 && task.cancelled()) return;
    if (edges.size() > most) edges = minimumForest(points, std::move(edges), task);
    const std::uint32_t* const others = lists.placesOf(p);
    const double* const distances = lists.squaredDistancesOf(p);
    for (std::size_t i = 0; i < lists.others(); ++i) {
      const std::uint32_t q = others[i];
      if (tree.valley[p] == tree.valley[q]) continue;
      const double weight = std::max({tree.core[p], tree.core[q], distances[i]});
      if (weight < kInfinity) edges.push_back({p, q, weight});
    }
  }
}

/// Joins components without an edge of finite weight.
void joinTrees(std::size_t points, const Task& task, std::vector<TreeEdge>& edges) {
  if (edges.size() + 1 == points) return;
  const Bottlenecks forest(points, edges, task);
  std::uint32_t before = 0;
  for (std::uint32_t p = 1; p < points; ++p) {
    if (!forest.isFirst(p)) continue;
    edges.push_back({before, p, kInfinity});
    before = p;
  }
}

}  // namespace

LeafTree placesOf(const RoundedPoints& points) {
  LeafTree places;
  places.points = points.pointIds.size();
  places.dims = points.dims;
  places.leaves = std::uint32_t((places.points + kLeafSize - 1) / kLeafSize);
  places.ids.resize(std::size_t{places.leaves} * kLeafSize);
  std::fill(std::copy(points.pointIds.begin(), points.pointIds.end(), places.ids.begin()),
            places.ids.end(), LeafTree::kNobody);
  return places;
}

Result<SpanningTree> spanningTreeByProducts(const RoundedPoints& points, const LeafTree& places,
                                            std::span<const double> squaredCore,
                                            std::int64_t minPts, const PlaceLists& lists,
                                            const Task& task, const ForestLimits& limits) {
  ForestLimits used = limits;
  if (used.edgesKept == 0) used.edgesKept = 2 * places.points + 65536;
  auto tree = valleysOf(places, squaredCore, minPts, lists, task);
  if (!tree) return tree;
  std::vector<TreeEdge> edges(tree->edges.begin(), tree->edges.end());
  addListed(*tree, places.points, lists, used.edgesKept, task, edges);
  ForestByProducts forest(points, {tree->core.data(), places.points}, lists, std::move(edges), used,
                          task);
  forest.run();
  if (task.cancelled()) return cancelledError();
  edges = forest.takeEdges();
  joinTrees(places.points, task, edges);
  if (task.cancelled()) return cancelledError();
  tree->edges.assign(edges.begin(), edges.end());
  return tree;
}

}  // namespace clusterloom
