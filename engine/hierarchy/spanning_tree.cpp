#include "engine/hierarchy/spanning_tree.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/disjoint_sets.h"
#include "engine/core/infinity.h"
#include "engine/core/parallel_for.h"
#include "engine/hierarchy/leaf_lanes.h"
#include "engine/hierarchy/leaf_tree_nodes.h"

namespace clusterloom {
namespace {

// Borůvka's algorithm: in each round every component chooses an outgoing edge of least weight, and
// the chosen edges that close no cycle join the tree.
//
// Why ties need no order. Let each component choose any of its lightest outgoing edges. A cycle of
// chosen edges C1 → C2 → … → C1 has edges of one weight, since each component could have chosen the
// edge by which the one before it arrives. Leave out one edge of each cycle, that of component R,
// say: the choices then form trees in which every component but R points to its parent. Join them
// from the leaves upwards. The edge of C is the lightest that leaves C, and by induction no edge
// that leaves one of C's descendants is lighter than the descendant's own choice, which touches its
// parent and is therefore no lighter than the parent's. So it is the lightest that leaves C with
// its descendants, and joining it keeps the forest a part of a minimum spanning tree. Which edge of
// a cycle is left out does not matter. A component may also choose nothing in a round.
//
// Why no lighter edge is missed. `lower` bounds the weights of all outgoing edges of a point from
// below. It starts as the core distance, grows only, and stays true as components grow. A point
// whose `lower` is below the lightest edge known to leave its component is searched for; the search
// leaves out boxes whose least possible weight is not below that limit, by the rounded bounds of
// leaf_lanes.h, and raises `lower` to the limit at its end.
//
// Valleys. In the first round each point takes an edge as light as its core distance, to a point
// whose core distance is therefore not larger. From a point the edges lead downhill, each at most
// as heavy as the one before and none heavier than the point's core distance. Two points of one
// component after the first round are joined by such a path from each.

constexpr std::uint32_t kMixed = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kNoTree = kMixed;
constexpr std::size_t kTreePlacesAhead = 12;  // places between fetching a row and reading it

/// Weights are never negative, so that their bits are in their order.
std::uint64_t bitsOf(double weight) { return std::bit_cast<std::uint64_t>(weight); }

struct Forest {
  Forest(const LeafTree& points, const Task& caller) : tree(points), task(caller) {}

  const LeafTree& tree;
  const Task& task;
  std::size_t components = 0;
  // By place, kLeafSize of them a leaf.
  LargeArray<double> core;  ///< +∞ where there is no point
  LargeArray<std::uint32_t> component;
  LargeArray<double> lower;
  LargeArray<double> weight;     ///< of the lightest outgoing edge known; +∞: none
  LargeArray<std::uint32_t> to;  ///< its other end
  // By node.
  LargeArray<double> leastCore;
  LargeArray<std::uint32_t> tag;  ///< the component of all points of the node, or kMixed
  // By component.
  LargeArray<std::uint64_t> best;    ///< bits of the lightest weight known to leave it
  LargeArray<std::uint32_t> chosen;  ///< the place whose edge it takes, or kNoTree
  LargeArray<std::uint32_t> parent;

  std::size_t places() const { return std::size_t{tree.leaves} * kLeafSize; }
  std::size_t inLeaf(std::uint32_t leaf) const {
    return std::min<std::size_t>(kLeafSize, tree.points - std::size_t{leaf} * kLeafSize);
  }
  double bestOf(std::uint32_t c) {
    return std::bit_cast<double>(
        std::atomic_ref<std::uint64_t>(best[c]).load(std::memory_order_relaxed));
  }
  void offer(std::uint32_t c, double value) {
    const std::uint64_t bits = bitsOf(value);
    std::atomic_ref<std::uint64_t> there(best[c]);
    std::uint64_t now = there.load(std::memory_order_relaxed);
    while (bits < now && !there.compare_exchange_weak(now, bits, std::memory_order_relaxed)) {
    }
  }
  void offerEdge(std::size_t place) {
    offer(component[place], weight[place]);
    offer(component[to[place]], weight[place]);
  }
};

template <class Body>
void forLeaves(const Forest& forest, std::uint32_t grain, const Body& body) {
  parallelFor<std::uint32_t>(forest.tree.leaves, grain, forest.task, body);
}

/// The lists of places, and what a round needs of them. Of long lists the entries that `open` has
/// bits for are read; the search finds what the others would say.
struct Lists {
  static constexpr std::size_t kMostRead = 63;

  Lists(const PlaceLists& places, std::int64_t minPts)
      : all(places),
        others(std::min(places.others(), kMostRead)),
        closest(std::size_t(minPts) - 1) {}

  const PlaceLists& all;
  std::size_t others;              ///< entries that are read
  std::size_t closest;             ///< how many of a list are not further than the core distance
  LargeArray<std::uint64_t> open;  ///< by place: bits of entries that may be in other components
  LargeArray<double> last;         ///< by place: distance of the last entry; empty: not needed
};

/// The lightest outgoing edge of a place among those that it lists. Whether there is one.
bool takeFromList(Forest& forest, Lists& lists, std::size_t place) {
  const std::uint32_t own = forest.component[place];
  const std::uint32_t* others = lists.all.placesOf(place);
  const double core = forest.core[place];
  double least = kInfinity;
  std::uint32_t to = kNoTree;
  std::uint64_t& open = lists.open[place];
  for (std::uint64_t left = open; left != 0; left &= left - 1) {
    const auto i = std::size_t(std::countr_zero(left));
    const std::uint32_t other = others[i];
    if (forest.component[other] == own) {
      open &= ~(std::uint64_t{1} << i);
      continue;
    }
    double weight = std::max(core, forest.core[other]);
    if (i >= lists.closest) {
      const double squared = lists.all.squaredDistancesOf(place)[i];
      if (squared >= least) break;  // the same holds for the entries that follow
      weight = std::max(weight, squared);
    }
    if (weight >= least) continue;
    least = weight;
    to = other;
    if (weight <= core) break;  // no edge is lighter
  }
  forest.weight[place] = least;
  forest.to[place] = to;
  // Points that are not listed are no closer than the last entry.
  if (!lists.last.empty())
    forest.lower[place] = std::max(forest.lower[place], std::min(least, lists.last[place]));
  return to != kNoTree;
}

/// The box of the active points of a leaf: its lower bounds, then its upper ones.
CLUSTERLOOM_INLINE void boundActive(const double* own, std::uint32_t active, std::size_t dims,
                                    double* box) {
  for (std::size_t j = 0; j < dims; ++j) {
    double low = kInfinity;
    double high = -kInfinity;
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const double x = own[j * kLeafSize + std::uint32_t(std::countr_zero(left))];
      low = std::min(low, x);
      high = std::max(high, x);
    }
    box[j] = low;
    box[dims + j] = high;
  }
}

/// Searches for the lightest outgoing edges of the points of a leaf of which `lower` is below what
/// is known of their components.
template <int D, Measure M>
CLUSTERLOOM_INLINE void searchLeaf(Forest& forest, std::uint32_t leaf, std::size_t leafNode) {
  constexpr std::size_t kDepth = 64;
  const LeafTree& tree = forest.tree;
  const double* periods = tree.periods.data();
  const std::size_t dims = D > 0 ? D : tree.dims;
  const std::size_t base = std::size_t{leaf} * kLeafSize;
  const std::size_t inside = forest.inLeaf(leaf);
  alignas(64) double limit[kLeafSize];
  std::uint32_t to[kLeafSize];
  double found[kLeafSize];
  std::uint32_t active = 0;
  double largest = -1;
  double leastCore = kInfinity;
  for (std::uint32_t i = 0; i < kLeafSize; ++i) {
    limit[i] = -1;
    to[i] = kNoTree;
    if (i >= inside) continue;
    const double best = forest.bestOf(forest.component[base + i]);
    if (forest.lower[base + i] >= best) continue;
    limit[i] = best;
    active |= std::uint32_t{1} << i;
    largest = std::max(largest, best);
    leastCore = std::min(leastCore, forest.core[base + i]);
  }
  if (active == 0) return;
  const std::uint32_t* component = forest.component.data() + base;
  const std::uint32_t tag = forest.tag[leafNode];
  const double* own = tree.coordinatesOf(leaf);
  double box[2 * (D > 0 ? std::size_t(D) : kMaxDims)];
  const double* ownBox = box;
  boundActive(own, active, dims, box);

  const auto visit = [&](const TreeNode& other) {
    const std::size_t otherBase = std::size_t{other.firstLeaf} * kLeafSize;
    const Lanes bounds = boundsTo<D, M>(own, tree.lowOf(other.node), dims, periods);
    std::uint32_t queries = below(bounds, load(limit)) & active;
    const double* points = tree.coordinatesOf(other.firstLeaf);
    const double* cores = forest.core.data() + otherBase;
    const std::uint32_t* components = forest.component.data() + otherBase;
    bool changed = false;
    for (; queries != 0; queries &= queries - 1) {
      const auto query = std::uint32_t(std::countr_zero(queries));
      if (forest.tag[other.node] == component[query]) continue;
      bool any = false;
      alignas(64) double weights[kLeafSize];
      std::uint32_t hits = measureReach<D, M>(own, query, points, cores, dims, periods,
                                              forest.core[base + query], limit[query], weights);
      for (; hits != 0; hits &= hits - 1) {
        const auto lane = std::uint32_t(std::countr_zero(hits));
        if (components[lane] == component[query] || !(weights[lane] < limit[query])) continue;
        limit[query] = found[query] = weights[lane];
        to[query] = std::uint32_t(otherBase) + lane;
        any = true;
      }
      if (!any) continue;
      changed = true;
      // The best edge of one point limits the search of the others in its component.
      for (std::uint32_t i = 0; i < kLeafSize; ++i)
        if (component[i] == component[query]) limit[i] = std::min(limit[i], limit[query]);
    }
    if (changed) largest = *std::max_element(limit, limit + kLeafSize);
  };

  const auto boundTo = [&](std::size_t node) {
    return boundOf<D, M>(ownBox, tree.lowOf(node), dims, periods);
  };
  TreeNode stack[kDepth];
  std::size_t height = 0;
  stack[height++] = {0, 0, tree.leaves};
  while (height > 0) {
    const TreeNode top = stack[--height];
    if (tag != kMixed && forest.tag[top.node] == tag) continue;
    if (forest.leastCore[top.node] >= largest || leastCore >= largest) continue;
    if (boundTo(top.node) >= largest) continue;
    if (top.leaves == 1) {
      if (forest.task.cancelled()) return;
      visit(top);
      continue;
    }
    const TreeNode lower = top.left();
    const TreeNode upper = top.right();
    bool lowerFirst = leaf < upper.firstLeaf;
    if (leaf - top.firstLeaf >= top.leaves) lowerFirst = boundTo(lower.node) <= boundTo(upper.node);
    stack[height++] = lowerFirst ? upper : lower;
    stack[height++] = lowerFirst ? lower : upper;
  }

  for (; active != 0; active &= active - 1) {
    const auto i = std::uint32_t(std::countr_zero(active));
    forest.lower[base + i] = std::max(forest.lower[base + i], limit[i]);
    if (to[i] == kNoTree) continue;
    forest.weight[base + i] = found[i];
    forest.to[base + i] = to[i];
    forest.offerEdge(base + i);
  }
}

template <int D, Measure M>
CLUSTERLOOM_CLONES void searchLeaves(Forest& forest, const LargeArray<std::uint32_t>& leafNodes,
                                     std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t leaf = begin; leaf < end; ++leaf)
    searchLeaf<D, M>(forest, leaf, leafNodes[leaf]);
}

void searchLeavesOf(Forest& forest, const LargeArray<std::uint32_t>& leafNodes, std::uint32_t begin,
                    std::uint32_t end) {
  const auto fewDims = [&]<Measure M>() {
    return forest.tree.dims == 3 ? searchLeaves<3, M>(forest, leafNodes, begin, end)
                                 : searchLeaves<0, M>(forest, leafNodes, begin, end);
  };
  switch (measureOf(forest.tree)) {
    case Measure::Boxed: return fewDims.template operator()<Measure::Boxed>();
    case Measure::Manhattan: return fewDims.template operator()<Measure::Manhattan>();
    case Measure::Chebyshev: return fewDims.template operator()<Measure::Chebyshev>();
    case Measure::Euclidean: break;
  }
  switch (forest.tree.dims) {
    case 1: return searchLeaves<1, Measure::Euclidean>(forest, leafNodes, begin, end);
    case 2: return searchLeaves<2, Measure::Euclidean>(forest, leafNodes, begin, end);
    case 3: return searchLeaves<3, Measure::Euclidean>(forest, leafNodes, begin, end);
    case 4: return searchLeaves<4, Measure::Euclidean>(forest, leafNodes, begin, end);
    case 5: return searchLeaves<5, Measure::Euclidean>(forest, leafNodes, begin, end);
    default: return searchLeaves<0, Measure::Euclidean>(forest, leafNodes, begin, end);
  }
}

class Boruvka {
 public:
  Boruvka(const LeafTree& tree, std::int64_t minPts, const PlaceLists& lists, const Task& task)
      : forest_(tree, task), lists_(lists, minPts), leafNodes_(tree.leaves) {}

  /// Takes the edges of the lists and these alone, without searches.
  void takeOnly(std::span<const TreeEdge> further) {
    sparse_ = true;
    further_.resize(further.size());
    parallelForBlocks(further.size(), 65536, [&](std::size_t begin, std::size_t end) {
      std::copy(further.begin() + std::ptrdiff_t(begin), further.begin() + std::ptrdiff_t(end),
                further_.begin() + std::ptrdiff_t(begin));
    });
    for (std::size_t begin = 0; begin < further.size(); begin += kEdgesAtOnce)
      parts_.push_back({begin, std::min(kEdgesAtOnce, further.size() - begin)});
  }

  /// The first round: what the lists alone prove.
  void takeValleys(std::span<const double> squaredCore) {
    result_.edges.resize(forest_.tree.points - 1);
    prepare(squaredCore);
    forest_.task.report("building the spanning tree", 0);
    updateFromLists();
    choose(true);
    join();
    result_.valley = forest_.component;
  }

  /// The edges so far. Ends the use of this.
  Result<SpanningTree> taken() {
    if (forest_.task.cancelled()) return cancelledError();
    result_.edges.resize(edges_);
    result_.core = std::move(forest_.core);
    return std::move(result_);
  }

  Result<SpanningTree> run(std::span<const double> squaredCore) {
    takeValleys(squaredCore);
    while (forest_.components > 1 && !forest_.task.cancelled()) {
      const double n = double(forest_.tree.points);
      forest_.task.report("building the spanning tree",
                          1 - std::log(double(forest_.components)) / std::log(n));
      updateFromLists();
      if (sparse_)
        offerFurther();
      else
        parallelForBlocks<std::uint32_t>(forest_.tree.leaves, 16, forest_.task,
                                         [&](std::uint32_t begin, std::uint32_t end) {
                                           searchLeavesOf(forest_, leafNodes_, begin, end);
                                         });
      choose(false);
      if (sparse_) chooseFurther();
      const std::size_t before = forest_.components;
      join();
      if (forest_.components == before) break;
    }
    if (forest_.components > 1 && !forest_.task.cancelled()) joinAtInfinity();
    return taken();
  }

 private:
  void prepare(std::span<const double> squaredCore) {
    const LeafTree& tree = forest_.tree;
    const std::size_t places = forest_.places();
    forest_.components = tree.points;
    forest_.core.resize(places);
    forest_.component.resize(places);
    forest_.lower.resize(places);
    forest_.weight.resize(places);
    forest_.to.resize(places);
    forest_.leastCore.resize(tree.nodes());
    forest_.tag.resize(tree.nodes());
    forest_.best.resize(tree.points);
    forest_.chosen.resize(tree.points);
    forest_.parent.resize(tree.points);
    findLeafNodes(0, 0, tree.leaves, leafNodes_);

    forLeaves(forest_, 512, [&](std::uint32_t leaf) {
      double least = kInfinity;
      for (std::size_t i = 0; i < kLeafSize; ++i) {
        const std::size_t place = std::size_t{leaf} * kLeafSize + i;
        const bool isPoint = i < forest_.inLeaf(leaf);
        const double core = isPoint ? squaredCore[tree.ids[place]] : kInfinity;
        forest_.core[place] = forest_.lower[place] = core;
        forest_.component[place] = std::uint32_t(place);
        forest_.weight[place] = kInfinity;
        forest_.to[place] = kNoTree;
        least = std::min(least, core);
      }
      forest_.leastCore[leafNodes_[leaf]] = least;
      forest_.tag[leafNodes_[leaf]] = kMixed;
    });
    foldNodes(0, tree.leaves, [&](std::size_t node, std::size_t left, std::size_t right) {
      forest_.leastCore[node] = std::min(forest_.leastCore[left], forest_.leastCore[right]);
      forest_.tag[node] = kMixed;
    });
    lists_.open.resize(tree.points);
    const std::size_t others = lists_.others;
    if (others > lists_.closest && !sparse_) lists_.last.resize(tree.points);
    forLeaves(forest_, 64, [&](std::uint32_t leaf) {
      for (std::size_t i = 0; i < forest_.inLeaf(leaf); ++i) {
        const std::size_t place = std::size_t{leaf} * kLeafSize + i;
        lists_.open[place] = (std::uint64_t{1} << others) - 1;
        if (!lists_.last.empty()) {
          lists_.all.prefetch(place + kTreePlacesAhead);
          lists_.last[place] = lists_.all.squaredDistancesOf(place)[others - 1];
        }
        takeFromList(forest_, lists_, place);
      }
    });
  }

  /// Replaces the edges that have become internal and offers each component the ones there are.
  void updateFromLists() {
    parallelFor(forest_.components, 65536, [&](std::size_t c) {
      forest_.best[c] = bitsOf(kInfinity);
      forest_.chosen[c] = kNoTree;
      forest_.parent[c] = std::uint32_t(c);
    });
    forLeaves(forest_, 256, [&](std::uint32_t leaf) {
      for (std::size_t i = 0; i < forest_.inLeaf(leaf); ++i) {
        const std::size_t place = std::size_t{leaf} * kLeafSize + i;
        const std::uint32_t to = forest_.to[place];
        if (to == kNoTree) continue;
        if (forest_.component[to] == forest_.component[place] &&
            !takeFromList(forest_, lists_, place))
          continue;
        forest_.offerEdge(place);
      }
    });
  }

  void choose(bool listsOnly) {
    forLeaves(forest_, 256, [&](std::uint32_t leaf) {
      for (std::size_t i = 0; i < forest_.inLeaf(leaf); ++i) {
        const std::size_t place = std::size_t{leaf} * kLeafSize + i;
        const std::uint32_t to = forest_.to[place];
        if (to == kNoTree) continue;
        const double weight = forest_.weight[place];
        if (listsOnly) {
          // Each point is a component, and no edge of it is lighter than its core distance.
          if (weight <= forest_.core[place]) forest_.chosen[place] = std::uint32_t(place);
          continue;
        }
        for (const std::uint32_t c : {forest_.component[place], forest_.component[to]})
          if (weight == forest_.bestOf(c))
            std::atomic_ref<std::uint32_t>(forest_.chosen[c])
                .store(std::uint32_t(place), std::memory_order_relaxed);
      }
    });
  }

  double weightOf(const TreeEdge& edge) const {
    return std::max({edge.squaredWeight, forest_.core[edge.a], forest_.core[edge.b]});
  }

  /// Offers the further edges to the components at both ends and drops those that are internal.
  void offerFurther() {
    parallelFor(parts_.size(), 1, [&](std::size_t p) {
      if (forest_.task.cancelled()) return;
      TreeEdge* edges = further_.data() + parts_[p].begin;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < parts_[p].size; ++i) {
        const TreeEdge edge = edges[i];
        const std::uint32_t a = forest_.component[edge.a];
        const std::uint32_t b = forest_.component[edge.b];
        if (a == b) continue;
        edges[kept++] = edge;
        const double weight = weightOf(edge);
        forest_.offer(a, weight);
        forest_.offer(b, weight);
      }
      parts_[p].size = kept;
    });
  }

  void chooseFurther() {
    const std::size_t n = forest_.tree.points;
    parallelFor(parts_.size(), 1, [&](std::size_t p) {
      for (std::size_t i = parts_[p].begin; i < parts_[p].begin + parts_[p].size; ++i) {
        const double weight = weightOf(further_[i]);
        for (const std::uint32_t place : {further_[i].a, further_[i].b}) {
          const std::uint32_t c = forest_.component[place];
          if (weight == forest_.bestOf(c) && weight < kInfinity)
            std::atomic_ref<std::uint32_t>(forest_.chosen[c])
                .store(std::uint32_t(n + i), std::memory_order_relaxed);
        }
      }
    });
  }

  /// The edge that a component has chosen: of a place, or a further one.
  TreeEdge chosenEdge(std::uint32_t chosen) const {
    const std::size_t n = forest_.tree.points;
    if (chosen < n) return {chosen, forest_.to[chosen], forest_.weight[chosen]};
    const TreeEdge& edge = further_[chosen - n];
    return {edge.a, edge.b, weightOf(edge)};
  }

  void addEdge(std::uint32_t a, std::uint32_t b, double weight) {
    result_.edges[edges_.fetch_add(1, std::memory_order_relaxed)] = {a, b, weight};
  }

  /// Unites components along the chosen edges and renumbers them.
  void join() {
    std::uint32_t* parent = forest_.parent.data();
    parallelForBlocks(forest_.components, 4096, [&](std::size_t begin, std::size_t end) {
      SerialLane lane;
      for (std::size_t c = begin; c < end; ++c) {
        if (forest_.chosen[c] == kNoTree) continue;
        const TreeEdge edge = chosenEdge(forest_.chosen[c]);
        if (unite(lane, parent, forest_.component[edge.a], forest_.component[edge.b]))
          addEdge(edge.a, edge.b, edge.squaredWeight);
      }
    });
    // Roots are the lowest of their sets: each finds its parent's new number.
    std::uint32_t roots = 0;
    for (std::size_t c = 0; c < forest_.components; ++c)
      parent[c] = parent[c] == c ? roots++ : parent[parent[c]];
    forest_.components = roots;
    forLeaves(forest_, 256, [&](std::uint32_t leaf) {
      std::uint32_t* component = forest_.component.data() + std::size_t{leaf} * kLeafSize;
      std::uint32_t tag = parent[component[0]];
      for (std::size_t i = 0; i < forest_.inLeaf(leaf); ++i) {
        component[i] = parent[component[i]];
        if (component[i] != tag) tag = kMixed;
      }
      forest_.tag[leafNodes_[leaf]] = tag;
    });
    foldNodes(0, forest_.tree.leaves, [&](std::size_t node, std::size_t left, std::size_t right) {
      forest_.tag[node] = forest_.tag[left] == forest_.tag[right] ? forest_.tag[left] : kMixed;
    });
  }

  /// The remaining components have no edge of finite weight.
  void joinAtInfinity() {
    std::vector<bool> seen(forest_.components);
    std::uint32_t before = kNoTree;
    for (std::size_t place = 0; place < forest_.tree.points; ++place) {
      if (seen[forest_.component[place]]) continue;
      seen[forest_.component[place]] = true;
      if (before != kNoTree) addEdge(before, std::uint32_t(place), kInfinity);
      before = std::uint32_t(place);
    }
  }

  struct Part {
    std::size_t begin;
    std::size_t size;
  };
  static constexpr std::size_t kEdgesAtOnce = 16384;

  Forest forest_;
  Lists lists_;
  bool sparse_ = false;
  LargeArray<TreeEdge> further_;
  std::vector<Part> parts_;  // of further_: the edges that are not internal yet come first
  LargeArray<std::uint32_t> leafNodes_;
  SpanningTree result_;
  std::atomic<std::size_t> edges_{0};
};

}  // namespace

Result<SpanningTree> spanningTree(const LeafTree& tree, std::span<const double> squaredCore,
                                  std::int64_t minPts, const PlaceLists& lists, const Task& task) {
  return Boruvka(tree, minPts, lists, task).run(squaredCore);
}

Result<SpanningTree> valleysOf(const LeafTree& tree, std::span<const double> squaredCore,
                               std::int64_t minPts, const PlaceLists& lists, const Task& task) {
  Boruvka boruvka(tree, minPts, lists, task);
  boruvka.takeValleys(squaredCore);
  return boruvka.taken();
}

Result<SpanningTree> sparseSpanningTree(const LeafTree& tree, std::span<const double> squaredCore,
                                        std::int64_t minPts, const PlaceLists& lists,
                                        std::span<const TreeEdge> further, const Task& task) {
  Boruvka boruvka(tree, minPts, lists, task);
  boruvka.takeOnly(further);
  return boruvka.run(squaredCore);
}

}  // namespace clusterloom
