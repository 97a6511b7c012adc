#include "ui/session/tree_colours.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "engine/core/predicate.h"

namespace clusterloom {
namespace {

constexpr std::int32_t kNoColour = -1;
constexpr std::int32_t kNoCluster = -2;  // nodes that merge at the weight that makes them

/// The palette indices that no cluster has.
class FreeColours {
 public:
  explicit FreeColours(std::int32_t used) : next_(used) {}

  std::int32_t take() {
    if (freed_.empty()) return next_++;
    const std::int32_t lowest = freed_.top();
    freed_.pop();
    return lowest;
  }
  void give(std::int32_t colour) { freed_.push(colour); }

 private:
  std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> freed_;
  std::int32_t next_;
};

/// A point that is a cluster by itself from its core distance until it merges.
struct LonePoint {
  double squaredCore;
  std::uint32_t point;
};

std::vector<LonePoint> lonePoints(const Hierarchy& hierarchy) {
  const Dendrogram& tree = hierarchy.dendrogram();
  const std::span<const double> squaredCore = hierarchy.squaredCoreDistances();
  std::vector<LonePoint> lone;
  for (std::size_t m = 0; m < tree.merges(); ++m)
    for (const std::uint32_t child : {tree.left[m], tree.right[m]})
      if (tree.isPoint(child) && squaredCore[child] < tree.squaredWeights[m])
        lone.push_back({squaredCore[child], child});
  if (tree.points == 1 && std::isfinite(squaredCore[0])) lone.push_back({squaredCore[0], 0});
  std::sort(lone.begin(), lone.end(), [](const LonePoint& a, const LonePoint& b) {
    return a.squaredCore != b.squaredCore ? a.squaredCore < b.squaredCore : a.point < b.point;
  });
  return lone;
}

/// Colours the nodes above and below those of the clusters at one ε, which have their colours.
class TreeColouring {
 public:
  TreeColouring(const Hierarchy& hierarchy, double squaredEps, std::int32_t clusters,
                std::vector<std::int32_t>& colours, const Task& task)
      : tree_(hierarchy.dendrogram()),
        squaredCore_(hierarchy.squaredCoreDistances()),
        lone_(lonePoints(hierarchy)),
        clusters_(clusters),
        colours_(colours),
        task_(task) {
    const auto& weights = tree_.squaredWeights;
    merged_ = static_cast<std::size_t>(
        std::upper_bound(weights.begin(), weights.end(), squaredEps) - weights.begin());
    core_ = static_cast<std::size_t>(
        std::upper_bound(lone_.begin(), lone_.end(), squaredEps,
                         [](double eps, const LonePoint& p) { return eps < p.squaredCore; }) -
        lone_.begin());
  }

  /// As ε grows. False when stopped.
  bool above() {
    FreeColours free(clusters_);
    std::size_t next = core_;
    std::size_t end = merged_;
    for (std::size_t begin = end; begin < tree_.merges() && std::isfinite(weight(begin));
         begin = end) {
      if (task_.cancelled()) return false;
      for (; next < lone_.size() && lone_[next].squaredCore < weight(begin); ++next)
        colours_[lone_[next].point] = free.take();
      while (end < tree_.merges() && weight(end) == weight(begin)) merge(end++, free);
      for (std::size_t m = begin; m < end; ++m)
        if (colours_[tree_.points + m] == kNoColour) colours_[tree_.points + m] = free.take();
    }
    for (; next < lone_.size(); ++next) colours_[lone_[next].point] = free.take();
    return true;
  }

  /// As ε falls. False when stopped.
  bool below() {
    FreeColours free(clusters_);
    std::size_t left = core_;
    for (std::size_t end = merged_, begin = end; end > 0; end = begin) {
      if (task_.cancelled()) return false;
      while (begin > 0 && weight(begin - 1) == weight(end - 1)) --begin;
      for (; left > 0 && lone_[left - 1].squaredCore >= weight(begin); --left)
        free.give(colours_[lone_[left - 1].point]);
      for (std::size_t m = begin; m < end; ++m)
        if (colours_[tree_.points + m] == kNoColour && !isCluster(tree_.left[m], m) &&
            !isCluster(tree_.right[m], m))
          colours_[tree_.points + m] = kNoCluster;
      for (std::size_t m = end; m-- > begin;) split(m, free);
    }
    return true;
  }

 private:
  double weight(std::size_t m) const { return tree_.squaredWeights[m]; }

  /// Gives what merge `m` makes the colour of one of its parts, if that is a cluster.
  void merge(std::size_t m, FreeColours& free) {
    const std::int32_t left = colours_[tree_.left[m]];
    const std::int32_t right = colours_[tree_.right[m]];
    if (left >= 0 && right >= 0) {
      colours_[tree_.points + m] = leftIsLarger(m) ? left : right;
      free.give(leftIsLarger(m) ? right : left);
      return;
    }
    colours_[tree_.points + m] = std::max({left, right, kNoColour});
    for (const std::uint32_t child : {tree_.left[m], tree_.right[m]})
      if (!tree_.isPoint(child) && colours_[child] < 0) colours_[child] = kNoCluster;
  }

  /// Gives the parts of what merge `m` made their colours.
  void split(std::size_t m, FreeColours& free) {
    const std::int32_t colour = colours_[tree_.points + m];
    if (colour == kNoCluster) return;
    const bool left = isCluster(tree_.left[m], m);
    const bool right = isCluster(tree_.right[m], m);
    const bool leftKeeps = left && (!right || leftIsLarger(m));
    if (left) colours_[tree_.left[m]] = leftKeeps ? colour : free.take();
    if (right) colours_[tree_.right[m]] = leftKeeps ? free.take() : colour;
    if (!left && !right) free.give(colour);
  }

  bool leftIsLarger(std::size_t m) const {
    return tree_.sizeOf(tree_.left[m]) >= tree_.sizeOf(tree_.right[m]);
  }
  /// Whether a child of merge `m` is a cluster just below its weight.
  bool isCluster(std::uint32_t child, std::size_t m) const {
    return tree_.isPoint(child) ? squaredCore_[child] < weight(m) : colours_[child] != kNoCluster;
  }

  const Dendrogram& tree_;
  std::span<const double> squaredCore_;
  std::vector<LonePoint> lone_;
  std::int32_t clusters_;
  std::vector<std::int32_t>& colours_;
  const Task& task_;
  std::size_t merged_ = 0;  ///< merges at the ε of the start
  std::size_t core_ = 0;    ///< of lone_, those that are core there
};

}  // namespace

Result<TreeColours> TreeColours::from(const std::shared_ptr<const Hierarchy>& hierarchy, double eps,
                                      const Task& task) {
  const Result<double> squared = epsSquared(eps);
  if (!squared) return tl::unexpected(squared.error());
  std::vector<std::uint32_t> nodes;
  const auto clustering = hierarchy->labels(eps, &nodes);
  if (!clustering) return tl::unexpected(clustering.error());
  TreeColours made;
  made.hierarchy_ = hierarchy;
  made.eps_ = eps;
  made.colours_.assign(hierarchy->dendrogram().nodes(), kNoColour);
  for (std::size_t c = 0; c < nodes.size(); ++c)
    made.colours_[nodes[c]] = static_cast<std::int32_t>(c);
  TreeColouring colouring(*hierarchy, *squared, clustering->clusters, made.colours_, task);
  if (!colouring.above() || !colouring.below()) return cancelledError();
  return made;
}

std::vector<std::int32_t> TreeColours::of(std::span<const std::uint32_t> nodes) const {
  std::vector<std::int32_t> colours(nodes.size());
  std::transform(nodes.begin(), nodes.end(), colours.begin(),
                 [this](std::uint32_t node) { return colours_[node]; });
  return colours;
}

}  // namespace clusterloom
