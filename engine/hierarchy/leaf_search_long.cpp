#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/hierarchy/leaf_lanes.h"
#include "engine/hierarchy/leaf_search.h"
#include "engine/hierarchy/leaf_tree_nodes.h"

namespace clusterloom {
namespace {

/// A neighbour; neighbours are ordered by squared length, then id.
struct LongEntry {
  double squared;
  std::uint32_t id;
  friend bool operator<(const LongEntry& a, const LongEntry& b) {
    return a.squared < b.squared || (a.squared <= b.squared && a.id < b.id);
  }
};

/// The nearest points of one query, in a heap whose first entry is the last neighbour.
class LongList {
 public:
  LongList(const LeafTree& of, const LeafTree& tree, std::size_t size, const Task& task)
      : of_(of), tree_(tree), size_(size), task_(task), box_(2 * tree.dims) {
    heap_.reserve(size);
  }

  /// The neighbours of a place of `of`, ascending, without the point `leftOut`.
  template <Measure M>
  const std::vector<LongEntry>& search(std::uint32_t leaf, std::uint32_t lane,
                                       std::uint32_t leftOut) {
    own_ = of_.coordinatesOf(leaf);
    lane_ = lane;
    leftOut_ = leftOut;
    for (std::size_t j = 0; j < tree_.dims; ++j)
      box_[j] = box_[tree_.dims + j] = own_[j * kLeafSize + lane];
    heap_.clear();
    visit<M>({{0, 0, tree_.leaves}, 0.0});
    std::sort_heap(heap_.begin(), heap_.end());
    return heap_;
  }

 private:
  struct Subtree : TreeNode {
    double bound;
  };

  bool isFull() const { return heap_.size() == size_; }

  /// Whether the subtree may hold a point that comes before the last neighbour. Of points with a
  /// squared length that overflows, those with the lowest ids are neighbours too.
  bool mayHold(const Subtree& subtree) const {
    return !isFull() || LongEntry{subtree.bound, tree_.lowestId[subtree.node]} < heap_.front();
  }

  template <Measure M>
  Subtree bounded(const TreeNode& at) const {
    return {at, boundOf<0, M>(box_.data(), tree_.lowOf(at.node), tree_.dims, tree_.periods.data())};
  }

  template <Measure M>
  void visit(const Subtree& top) {
    if (!mayHold(top) || task_.cancelled()) return;
    if (top.leaves == 1) return compare<M>(top.firstLeaf);
    Subtree near = bounded<M>(top.left());
    Subtree far = bounded<M>(top.right());
    if (far.bound < near.bound) std::swap(near, far);
    visit<M>(near);
    visit<M>(far);
  }

  template <Measure M>
  void compare(std::uint32_t leaf) {
    alignas(64) std::array<double, kLeafSize> squared;
    const double limit = isFull() ? heap_.front().squared : kInfinity;
    std::uint32_t hits = measure<0, M>(own_, lane_, tree_.coordinatesOf(leaf), tree_.dims,
                                       tree_.periods.data(), limit, squared.data());
    for (; hits != 0; hits &= hits - 1) {
      const auto lane = std::size_t(std::countr_zero(hits));
      const LongEntry entry{squared[lane], tree_.idsOf(leaf)[lane]};
      if (entry.id == leftOut_) continue;
      if (isFull()) {
        if (!(entry < heap_.front())) continue;
        std::pop_heap(heap_.begin(), heap_.end());
        heap_.pop_back();
      }
      heap_.push_back(entry);
      std::push_heap(heap_.begin(), heap_.end());
    }
  }

  const LeafTree& of_;
  const LeafTree& tree_;
  const std::size_t size_;
  const Task& task_;
  std::vector<double> box_;  ///< the query as a box: its lowest coordinates, then its highest
  std::vector<LongEntry> heap_;
  const double* own_ = nullptr;
  std::uint32_t lane_ = 0;
  std::uint32_t leftOut_ = LeafTree::kNobody;
};

template <Measure M>
void searchAllLong(const LeafTree& of, const LeafTree& tree, bool own, const NeighbourRows& rows,
                   std::uint32_t begin, std::uint32_t end, const Task& task) {
  LongList list(of, tree, rows.k - (own ? 1 : 0), task);
  for (std::uint32_t leaf = begin; leaf < end; ++leaf) {
    for (std::uint32_t lane = 0; lane < kLeafSize; ++lane) {
      const std::uint32_t id = of.idsOf(leaf)[lane];
      if (id == LeafTree::kNobody || task.cancelled()) break;
      std::size_t at = id * rows.k;
      if (own) {
        rows.ids[at] = id;
        rows.squaredDistances[at++] = 0;
      }
      for (const LongEntry& entry : list.search<M>(leaf, lane, own ? id : LeafTree::kNobody)) {
        rows.ids[at] = entry.id;
        rows.squaredDistances[at++] = entry.squared;
      }
    }
  }
}

}  // namespace

void searchLongLists(const LeafTree& queries, const LeafTree& tree, bool own,
                     const NeighbourRows& rows, std::uint32_t begin, std::uint32_t end,
                     const Task& task) {
  switch (measureOf(tree)) {
    case Measure::Euclidean:
      return searchAllLong<Measure::Euclidean>(queries, tree, own, rows, begin, end, task);
    case Measure::Boxed:
      return searchAllLong<Measure::Boxed>(queries, tree, own, rows, begin, end, task);
    case Measure::Manhattan:
      return searchAllLong<Measure::Manhattan>(queries, tree, own, rows, begin, end, task);
    case Measure::Chebyshev:
      return searchAllLong<Measure::Chebyshev>(queries, tree, own, rows, begin, end, task);
  }
}

}  // namespace clusterloom
