#include "engine/hierarchy/eps_curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/predicate.h"
#include "engine/core/within_memory.h"
#include "engine/grid/sort_by_key.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/hierarchy/stable_partition.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kRowsPerLook = 4096;  // rows between two looks at the stop token

/// Things that happen at a squared ε each, in ascending order.
struct Events {
  std::vector<std::uint64_t> keys;  ///< bits of the squared ε, which are in its order
  std::vector<std::uint32_t> what;
  std::size_t next = 0;

  double nextAt() const {
    return next < keys.size() ? std::bit_cast<double>(keys[next]) : kInfinity;
  }
  bool sort(const Task& task) {
    return keys.empty() || sortByKey(keys, what, *std::max_element(keys.begin(), keys.end()), task);
  }
};

/// DBSCAN's clusters while ε grows. Core points are united as the dendrogram says. A border point
/// counts in the cluster of the lowest number, and so of the lowest core point, among those it can
/// reach.
class Growth {
 public:
  explicit Growth(const Hierarchy& hierarchy)
      : hierarchy_(hierarchy),
        core_(hierarchy.squaredCoreDistances()),
        borders_(hierarchy.borders()),
        n_(hierarchy.points()),
        leastLarger_(leastSizeWithMeaning(n_, hierarchy.minPts())),
        sets_(n_),
        points_(n_),
        ofSize_(n_ + 1) {
    for (std::size_t i = 0; i < n_; ++i)
      sets_[i] = {std::uint32_t(i), hierarchy.order()[i], 0, kNoRow};
  }

  bool sortEvents(const Task& task) {
    for (std::uint32_t p = 0; p < n_; ++p) {
      if (std::isfinite(core_[p])) {
        cores_.keys.push_back(std::bit_cast<std::uint64_t>(core_[p]));
        cores_.what.push_back(p);
      }
      for (std::uint32_t i = borders_.offsets[p]; i < borders_.offsets[p + 1]; ++i) {
        reaches_.keys.push_back(std::bit_cast<std::uint64_t>(borders_.squaredReach[i]));
        reaches_.what.push_back(i);
      }
    }
    pointOf_.resize(borders_.positions.size());
    for (std::uint32_t p = 0; p < n_; ++p)
      for (std::uint32_t i = borders_.offsets[p]; i < borders_.offsets[p + 1]; ++i) pointOf_[i] = p;
    return cores_.sort(task) && reaches_.sort(task);
  }

  /// The squared ε at which something happens next; +∞ at the end.
  double next() const {
    const auto& weights = hierarchy_.dendrogram().squaredWeights;
    const double merge = merge_ < weights.size() ? weights[merge_] : kInfinity;
    return std::min({cores_.nextAt(), reaches_.nextAt(), merge});
  }

  /// All that happens up to a squared ε.
  void advance(double squared) {
    for (; cores_.nextAt() <= squared; ++cores_.next) becomeCore(cores_.what[cores_.next]);
    const Dendrogram& tree = hierarchy_.dendrogram();
    for (; merge_ < tree.merges() && tree.squaredWeights[merge_] <= squared; ++merge_)
      merge(std::uint32_t(hierarchy_.begin(tree.left[merge_])),
            std::uint32_t(hierarchy_.begin(tree.right[merge_])));
    for (; reaches_.nextAt() <= squared; ++reaches_.next) reach(reaches_.what[reaches_.next]);
  }

  std::uint32_t clusters() const { return clusters_; }
  std::uint32_t noise() const { return std::uint32_t(n_) - coreCount_ - borderCount_; }
  std::uint32_t largest() const { return largest_; }
  std::uint32_t larger() const { return larger_; }

 private:
  struct Set {
    std::uint32_t parent;
    std::uint32_t lowest;    ///< core point; of roots
    std::uint32_t size;      ///< core and border points; of roots
    std::uint32_t watchers;  ///< of roots: index into watchers_, or kNoRow
  };
  struct Point {
    bool core = false;
    std::uint32_t position = kNoRow;  ///< of the core point whose cluster the border point is in
  };
  /// A border point that can reach a cluster but is in one with a lower core point: `lowest` is not
  /// below that. It is looked at again when the cluster gets a core point lower than that.
  struct Watcher {
    std::uint32_t lowest;
    std::uint32_t point;
    bool operator<(const Watcher& other) const { return lowest < other.lowest; }
  };

  std::uint32_t rootOf(std::uint32_t i) {
    while (sets_[i].parent != i) i = sets_[i].parent = sets_[sets_[i].parent].parent;
    return i;
  }

  void resize(std::uint32_t root, std::uint32_t size) {
    std::uint32_t& now = sets_[root].size;
    if (now > 0) --ofSize_[now];
    if (now >= leastLarger_) --larger_;
    now = size;
    if (size > 0) ++ofSize_[size];
    if (size >= leastLarger_) ++larger_;
    largest_ = std::max(largest_, size);
    // The largest shrinks by one point at a time.
    while (largest_ > 0 && ofSize_[largest_] == 0) --largest_;
  }

  void becomeCore(std::uint32_t p) {
    if (points_[p].position != kNoRow) {
      const std::uint32_t root = rootOf(points_[p].position);
      resize(root, sets_[root].size - 1);
      --borderCount_;
    }
    points_[p].core = true;
    ++coreCount_;
    ++clusters_;
    resize(hierarchy_.positions()[p], 1);
  }

  void merge(std::uint32_t left, std::uint32_t right) {
    std::uint32_t a = rootOf(left);
    std::uint32_t b = rootOf(right);
    const std::uint32_t lowest = std::min(sets_[a].lowest, sets_[b].lowest);
    for (const std::uint32_t root : {a, b})
      if (sets_[root].lowest != lowest) {
        sets_[root].lowest = lowest;
        lookAgain(root);
      }
    if (sets_[a].size < sets_[b].size) std::swap(a, b);
    const std::uint32_t size = sets_[a].size + sets_[b].size;
    resize(b, 0);  // not the only largest one
    sets_[b].parent = a;
    resize(a, size);
    joinWatchers(a, b);
    --clusters_;
  }

  std::vector<Watcher>& watchersOf(std::uint32_t root) {
    std::uint32_t& index = sets_[root].watchers;
    if (index == kNoRow) {
      index = std::uint32_t(watchers_.size());
      watchers_.emplace_back();
    }
    return watchers_[index];
  }

  void watch(std::uint32_t root, std::uint32_t point, std::uint32_t lowest) {
    auto& heap = watchersOf(root);
    heap.push_back({lowest, point});
    std::push_heap(heap.begin(), heap.end());
  }

  void joinWatchers(std::uint32_t a, std::uint32_t b) {
    if (sets_[b].watchers == kNoRow) return;
    auto* more = &watchersOf(b);
    if (sets_[a].watchers == kNoRow || watchersOf(a).size() < more->size())
      std::swap(sets_[a].watchers, sets_[b].watchers);
    if (sets_[b].watchers == kNoRow) return;
    std::vector<Watcher> moved = std::exchange(watchersOf(b), {});
    for (const Watcher& watcher : moved) watch(a, watcher.point, watcher.lowest);
  }

  /// The lowest core point of a cluster became a lower one.
  void lookAgain(std::uint32_t root) {
    if (sets_[root].watchers == kNoRow) return;
    const std::uint32_t lowest = sets_[root].lowest;
    const std::uint32_t index = sets_[root].watchers;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stay;  // point, lowest
    while (!watchers_[index].empty() && watchers_[index].front().lowest > lowest) {
      auto& heap = watchers_[index];
      std::pop_heap(heap.begin(), heap.end());
      const std::uint32_t point = heap.back().point;
      heap.pop_back();
      if (points_[point].core) continue;
      const std::uint32_t now = rootOf(points_[point].position);
      if (now == root) continue;
      if (sets_[now].lowest <= lowest)
        stay.emplace_back(point, sets_[now].lowest);
      else
        moveTo(root, point, root);
    }
    for (const auto& [point, itsLowest] : stay) watch(root, point, itsLowest);
  }

  /// A border point changes into a cluster of lower number.
  void moveTo(std::uint32_t root, std::uint32_t point, std::uint32_t position) {
    const std::uint32_t before = rootOf(points_[point].position);
    resize(before, sets_[before].size - 1);
    resize(root, sets_[root].size + 1);
    points_[point].position = position;
    watch(before, point, sets_[root].lowest);
  }

  /// A core point comes into reach of a point that is not core.
  void reach(std::uint32_t entry) {
    const std::uint32_t p = pointOf_[entry];
    if (points_[p].core) return;
    const std::uint32_t root = rootOf(borders_.positions[entry]);
    if (points_[p].position == kNoRow) {
      points_[p].position = borders_.positions[entry];
      ++borderCount_;
      resize(root, sets_[root].size + 1);
      return;
    }
    const std::uint32_t now = rootOf(points_[p].position);
    if (now == root) return;
    if (sets_[root].lowest < sets_[now].lowest)
      moveTo(root, p, borders_.positions[entry]);
    else
      watch(root, p, sets_[now].lowest);
  }

  const Hierarchy& hierarchy_;
  std::span<const double> core_;
  const BorderLists& borders_;
  std::size_t n_;
  std::size_t leastLarger_;  // points of a larger cluster
  std::vector<Set> sets_;    // by position
  std::vector<Point> points_;
  std::vector<std::uint32_t> ofSize_;           // clusters of each size
  std::vector<std::vector<Watcher>> watchers_;  // heaps, highest `lowest` first
  std::vector<std::uint32_t> pointOf_;          // of each border entry
  Events cores_;
  Events reaches_;
  std::size_t merge_ = 0;
  std::uint32_t clusters_ = 0;
  std::uint32_t coreCount_ = 0;
  std::uint32_t borderCount_ = 0;
  std::uint32_t largest_ = 0;
  std::uint32_t larger_ = 0;
};

Result<EpsCurve> grow(const Hierarchy& hierarchy, const Task& task) {
  task.report("following the clusters", 0);
  Growth growth(hierarchy);
  if (!growth.sortEvents(task)) return cancelledError();
  EpsCurve curve;
  std::uint32_t clusters = 0;
  std::uint32_t noise = std::uint32_t(hierarchy.points());
  std::uint32_t largest = 0;
  std::uint32_t larger = 0;
  // The smallest valid ε.
  const double least = smallestEps(std::numeric_limits<double>::min());
  for (std::size_t step = 0; growth.next() < kInfinity; ++step) {
    if (step % kRowsPerLook == 0) {
      if (task.cancelled()) return cancelledError();
      task.report("following the clusters",
                  1 - double(growth.noise()) / double(hierarchy.points()));
    }
    const double eps = std::max(least, smallestEps(growth.next()));
    const auto squared = epsSquared(eps);
    if (!squared) break;  // no legal ε reaches it
    growth.advance(*squared);
    if (growth.larger() != larger) {
      larger = growth.larger();
      curve.larger.push_back({eps, larger});
    }
    if (growth.clusters() == clusters && growth.noise() == noise && growth.largest() == largest)
      continue;
    clusters = growth.clusters();
    noise = growth.noise();
    largest = growth.largest();
    curve.eps.push_back(eps);
    curve.clusters.push_back(clusters);
    curve.noise.push_back(noise);
    curve.largest.push_back(largest);
  }
  return curve;
}

}  // namespace

std::size_t EpsCurve::firstApart() const {
  const double least = smallestEps(std::numeric_limits<double>::min());
  return std::size_t(std::upper_bound(eps.begin(), eps.end(), least) - eps.begin());
}

Result<EpsCurve> epsCurve(const Hierarchy& hierarchy, const Task& task) {
  return withinMemory([&] { return grow(hierarchy, task); },
                      "Not enough memory for the curve over ε.");
}

std::vector<Plateau> longestPlateaus(const EpsCurve& curve, std::size_t most, double end) {
  std::vector<Plateau> plateaus;
  for (std::size_t i = 0; i < curve.rows();) {
    std::size_t next = i + 1;
    while (next < curve.rows() && curve.clusters[next] == curve.clusters[i]) ++next;
    if (curve.clusters[i] >= 2)
      plateaus.push_back(
          {curve.eps[i], next < curve.rows() ? curve.eps[next] : end, curve.clusters[i]});
    i = next;
  }
  const std::size_t kept = std::min(most, plateaus.size());
  std::partial_sort(plateaus.begin(), plateaus.begin() + std::ptrdiff_t(kept), plateaus.end(),
                    [](const Plateau& a, const Plateau& b) {
                      return a.to / a.from > b.to / b.from ||
                             (a.to / a.from == b.to / b.from && a.from < b.from);
                    });
  plateaus.resize(kept);
  return plateaus;
}

}  // namespace clusterloom
