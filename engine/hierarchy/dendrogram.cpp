#include "engine/hierarchy/dendrogram.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

// How many edges ahead the sets of an edge's ends are fetched into the cache.
constexpr std::size_t kMergesAhead = 24;
constexpr std::size_t kMergesPerLook = 1 << 16;  // merges between two looks at the stop token

/// Disjoint sets of places. Of each root: the node that its set is, and the set's lowest point.
class Merger {
 public:
  Merger(std::span<const std::uint32_t> ids, std::size_t points, Dendrogram& tree,
         LargeArray<std::uint32_t>& lowest)
      : tree_(tree), lowest_(lowest), sets_(points) {
    parallelFor(points, 65536, [&](std::size_t p) {
      const auto place = std::uint32_t(p);
      sets_[p] = {place, ids[p], ids[p], 1};
    });
    tree.points = points;
    tree.left.resize(points - 1);
    tree.right.resize(points - 1);
    tree.squaredWeights.resize(points - 1);
    tree.sizes.resize(points - 1);
    lowest.resize(points - 1);
  }

  void fetch(const TreeEdge& edge) const {
    __builtin_prefetch(&sets_[edge.a]);
    __builtin_prefetch(&sets_[edge.b]);
  }

  /// An edge whose weight no other edge has.
  void mergeAlone(const TreeEdge& edge) {
    const std::uint32_t a = rootOf(edge.a);
    const std::uint32_t b = rootOf(edge.b);
    const std::uint32_t low = std::min(sets_[a].lowest, sets_[b].lowest);
    const std::uint32_t node = addMerge(sets_[a].node, sets_[b].node, sets_[a].size + sets_[b].size,
                                        edge.squaredWeight, low);
    sets_[link(a, b)].node = node;
  }

  /// All edges of one weight.
  void mergeGroup(std::span<const TreeEdge> edges) {
    parts_.clear();
    for (const TreeEdge& edge : edges)
      for (const std::uint32_t place : {edge.a, edge.b}) {
        const std::uint32_t root = rootOf(place);
        parts_.push_back({0, sets_[root].lowest, root, sets_[root].node, sets_[root].size});
      }
    for (const TreeEdge& edge : edges) link(rootOf(edge.a), rootOf(edge.b));
    for (Part& part : parts_) {
      part.whole = rootOf(part.root);
      part.wholeLowest = sets_[part.whole].lowest;
    }
    // A part occurs once for each of its edges.
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return std::pair(a.wholeLowest, a.lowest) < std::pair(b.wholeLowest, b.lowest);
    });
    for (std::size_t i = 0; i < parts_.size();) {
      const Part& first = parts_[i];
      std::uint32_t node = first.node;
      std::uint32_t size = first.size;
      std::uint32_t before = first.lowest;
      for (++i; i < parts_.size() && parts_[i].wholeLowest == first.wholeLowest; ++i) {
        if (parts_[i].lowest == before) continue;
        before = parts_[i].lowest;
        size += parts_[i].size;
        node = addMerge(node, parts_[i].node, size, edges.front().squaredWeight, first.lowest);
      }
      sets_[first.whole].node = node;
    }
  }

 private:
  struct Set {
    std::uint32_t parent;
    std::uint32_t node;
    std::uint32_t lowest;
    std::uint32_t size;
  };
  struct Part {
    std::uint32_t wholeLowest;
    std::uint32_t lowest;
    std::uint32_t root;
    std::uint32_t node;
    std::uint32_t size;
    std::uint32_t whole = 0;
  };

  std::uint32_t rootOf(std::uint32_t p) {
    while (sets_[p].parent != p) p = sets_[p].parent = sets_[sets_[p].parent].parent;
    return p;
  }

  // The smaller set below the larger one.
  std::uint32_t link(std::uint32_t a, std::uint32_t b) {
    if (sets_[a].size < sets_[b].size) std::swap(a, b);
    sets_[b].parent = a;
    sets_[a].size += sets_[b].size;
    sets_[a].lowest = std::min(sets_[a].lowest, sets_[b].lowest);
    return a;
  }

  std::uint32_t addMerge(std::uint32_t a, std::uint32_t b, std::uint32_t size, double weight,
                         std::uint32_t lowest) {
    tree_.left[merges_] = std::min(a, b);
    tree_.right[merges_] = std::max(a, b);
    tree_.squaredWeights[merges_] = weight;
    tree_.sizes[merges_] = size;
    lowest_[merges_] = lowest;
    return std::uint32_t(tree_.points + merges_++);
  }

  Dendrogram& tree_;
  LargeArray<std::uint32_t>& lowest_;
  LargeArray<Set> sets_;
  std::vector<Part> parts_;
  std::size_t merges_ = 0;
};

}  // namespace

bool buildDendrogram(std::span<const TreeEdge> ascendingEdges, std::span<const std::uint32_t> ids,
                     Dendrogram& dendrogram, LargeArray<std::uint32_t>& lowestPoints,
                     const Task& task) {
  const std::size_t merges = ascendingEdges.size();
  Merger merger(ids, merges + 1, dendrogram, lowestPoints);
  std::size_t look = 0;
  for (std::size_t i = 0; i < merges;) {
    if (i >= look) {
      if (task.cancelled()) return false;
      task.report("building the dendrogram", double(i) / double(merges));
      look = i + kMergesPerLook;
    }
    std::size_t end = i + 1;
    while (end < merges && ascendingEdges[end].squaredWeight == ascendingEdges[i].squaredWeight)
      ++end;
    if (i + kMergesAhead < merges) merger.fetch(ascendingEdges[i + kMergesAhead]);
    if (end == i + 1)
      merger.mergeAlone(ascendingEdges[i]);
    else
      merger.mergeGroup(ascendingEdges.subspan(i, end - i));
    i = end;
  }
  return true;
}

Dendrogram dendrogramOf(std::size_t points, std::span<const TreeEdge> ascendingEdges) {
  Dendrogram tree;
  tree.points = points;
  if (points == 0) return tree;
  std::vector<std::uint32_t> ids(points);
  std::iota(ids.begin(), ids.end(), 0U);
  LargeArray<std::uint32_t> lowest;
  buildDendrogram(ascendingEdges, ids, tree, lowest, {});
  return tree;
}

}  // namespace clusterloom
