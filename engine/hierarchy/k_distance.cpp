#include "engine/hierarchy/k_distance.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/core/infinity.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/core/stoppable_sort.h"
#include "engine/hierarchy/leaf_lanes.h"
#include "engine/hierarchy/leaf_search.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/leaf_tree_nodes.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/product/product_nearest.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

// The budget of a search in coordinates read, about a second of one core. In many dimensions, and
// for k near the number of points, a kd-tree visits nearly all points for each query; fewer points
// are queried then.
constexpr double kMostReads = 1.5e8;
constexpr std::size_t kPilotQueries = 16;
constexpr std::uint64_t kFewestQueries = 16;
/// In more dimensions a kd-tree seldom saves a comparison, and a search costs as much as comparing
/// all pairs.
constexpr std::size_t kMostDimsOfTree = 16;

/// The k smallest squared lengths from a query point to the points of a tree, of Euclidean
/// distances the canonical ones.
template <Measure M>
class KSmallest {
 public:
  KSmallest(const LeafTree& tree, std::size_t k, const Task& task)
      : tree_(tree), k_(k), task_(task), query_(2 * tree.dims) {
    heap_.reserve(k);
  }

  /// Searches around point p; ends early when stopped.
  void search(const PointCloud& cloud, std::size_t p) {
    for (std::size_t j = 0; j < tree_.dims; ++j)
      query_[j] = query_[tree_.dims + j] = cloud.columns[j][p];
    heap_.clear();
    scans_ = 0;
    visit({{0, 0, tree_.leaves}, 0.0});
  }
  /// The k-th smallest; +∞ when the search found fewer (squared distances that overflow).
  double kth() const { return heap_.size() == k_ ? heap_.front() : kInfinity; }
  /// Leaves that the search compared.
  std::uint64_t scans() const { return scans_; }

 private:
  struct Subtree : TreeNode {
    double bound;  ///< below all squared distances to its points (leaf_lanes.h)
  };

  Subtree bounded(const TreeNode& at) const {
    return {at, boundOf<0, M>(query_.data(), tree_.lowOf(at.node), tree_.dims, nullptr)};
  }

  // A subtree that may hold closer points than the k-th. Among equal points none does, so that a
  // search does not visit them all.
  void visit(const Subtree& top) {
    if (!(top.bound < kth()) || task_.cancelled()) return;
    if (top.leaves == 1) return compare(top.firstLeaf);
    Subtree near = bounded(top.left());
    Subtree far = bounded(top.right());
    if (far.bound < near.bound) std::swap(near, far);
    visit(near);
    visit(far);
  }

  void compare(std::uint32_t leaf) {
    ++scans_;
    double squared[kLeafSize] = {};
    const double* x = tree_.coordinatesOf(leaf);
    for (std::size_t j = 0; j < tree_.dims; ++j, x += kLeafSize)
      for (std::uint32_t i = 0; i < kLeafSize; ++i) addToLength<M>(squared[i], query_[j] - x[i]);
    for (double found : squared) {
      squareLength<M>(found);
      if (!(found < kth())) continue;  // nor NaN, where the leaf has no point
      if (heap_.size() == k_) {
        std::pop_heap(heap_.begin(), heap_.end());
        heap_.pop_back();
      }
      heap_.push_back(found);
      std::push_heap(heap_.begin(), heap_.end());
    }
  }

  const LeafTree& tree_;
  std::size_t k_;
  const Task& task_;
  std::vector<double> query_;  ///< as a box: its lowest coordinates, then its highest
  std::vector<double> heap_;   ///< a max-heap
  std::uint64_t scans_ = 0;
};

/// How many queries kMostReads allows, from what the first queries of the sample visited. The same
/// for the same cloud and k.
template <Measure M>
std::uint64_t affordableQueries(const LeafTree& tree, const PointCloud& cloud,
                                const std::vector<std::uint32_t>& sample, int k, const Task& task) {
  // And the work of the heap and of the bounds.
  const double readsPerScan = kLeafSize * double(cloud.dims() + 2);
  KSmallest<M> nearest(tree, std::size_t(k), task);
  double reads = 0;
  std::size_t asked = 0;
  const std::size_t pilots = std::min(sample.size(), kPilotQueries);
  while (asked < pilots && reads < kMostReads / 4) {
    nearest.search(cloud, sample[asked * sample.size() / pilots]);
    reads += double(nearest.scans()) * readsPerScan + double(k);
    ++asked;
  }
  const double affordable = kMostReads / (reads / double(asked));
  return std::max(kFewestQueries, std::uint64_t(std::min(affordable, 0x1p40)));
}

/// The budgets of the queries of a sample that are searched for together: of products in products
/// of coordinates, of trees in coordinates read. A second or two of one core.
constexpr double kMostProducts = 4e10;
constexpr double kMostSharedReads = 1e10;

/// TooLarge where fewer bytes are free.
Result<void> checkMemoryOf(const PointCloud& cloud, std::uint64_t bytes) {
  const std::uint64_t available = availableMemory();
  if (bytes <= available) return {};
  return tooLarge("The k-distances of " + std::to_string(cloud.size()) + " points need " +
                  memoryText(bytes) + ", and " + memoryText(available) +
                  " are free. Use a smaller cloud.");
}

/// The same as squaresToKth in many dimensions, where a tree visits nearly all points: queries
/// share each reading of the points, by products of rounded coordinates or, where the metric is one
/// of trees, leaf by leaf.
Result<std::vector<double>> squaresTogether(const PointCloud& cloud, std::uint64_t wanted, int k,
                                            Metric metric, const Task& task) {
  const bool byTree = isTreeMetric(metric);
  if (auto fine = checkMemoryOf(
          cloud, byTree ? leafTreePeakBytes(cloud.size(), cloud.dims()) : roundedPeakBytes(cloud));
      !fine)
    return tl::unexpected(fine.error());
  const double perQuery = double(cloud.size()) * double(cloud.dims());
  const double most = byTree ? kMostSharedReads : kMostProducts;
  const auto affordable = std::uint64_t(std::min(most / perQuery, 0x1p40));
  const auto sample =
      stratifiedSample(cloud.size(), std::min(wanted, std::max(kFewestQueries, affordable)));
  const PointCloud queries = pointsOf(cloud, sample);
  const auto row = std::size_t(k);
  std::vector<double> last(sample.size());
  if (byTree) {
    const auto found =
        nearestOf(queries, cloud, k, tbb::this_task_arena::max_concurrency(), task, {}, metric);
    if (!found) return tl::unexpected(found.error());
    for (std::size_t s = 0; s < last.size(); ++s) last[s] = found->squaredDistancesOf(s).back();
    return last;
  }
  std::vector<std::uint32_t> ids(sample.size() * row);
  std::vector<double> squared(sample.size() * row);
  if (auto found = nearestByProductsOf(queries, cloud, row, ids, squared, task); !found)
    return tl::unexpected(found.error());
  for (std::size_t s = 0; s < last.size(); ++s) last[s] = squared[(s + 1) * row - 1];
  return last;
}

template <Measure M>
Result<std::vector<double>> squaresByTree(const LeafTree& tree, const PointCloud& cloud,
                                          std::uint64_t wanted, int k, const Task& task) {
  auto sample = stratifiedSample(cloud.size(), wanted);
  if (const auto most = affordableQueries<M>(tree, cloud, sample, k, task); most < sample.size())
    sample = stratifiedSample(cloud.size(), most);
  std::vector<double> squared(sample.size());
  SharedProgress progress(task, "measuring k-distances", sample.size());
  parallelForBlocks(sample.size(), 32, [&](std::size_t begin, std::size_t end) {
    KSmallest<M> nearest(tree, std::size_t(k), task);
    for (std::size_t s = begin; s < end && !task.cancelled(); ++s) {
      nearest.search(cloud, sample[s]);
      squared[s] = nearest.kth();
    }
    progress.add(end - begin);
  });
  if (task.cancelled()) return cancelledError();
  return squared;
}

/// Squared length from each of `wanted` points, or of as many as kMostReads allows, to its k-th
/// nearest point, itself the first. The metric is one of trees, else Euclidean.
Result<std::vector<double>> squaresToKth(const PointCloud& cloud, std::uint64_t wanted, int k,
                                         Metric metric, const Task& task) {
  if (cloud.dims() > kMostDimsOfTree && k <= (isTreeMetric(metric) ? kMaxNearest : kMaxNeighbours))
    return squaresTogether(cloud, wanted, k, metric, task);
  if (auto fine = checkMemoryOf(cloud, leafTreePeakBytes(cloud.size(), cloud.dims())); !fine)
    return tl::unexpected(fine.error());
  task.report("building the kd-tree", 0.0);
  const auto tree = buildLeafTree(cloud, {}, metric, task);
  if (!tree) return tl::unexpected(tree.error());
  switch (metric) {
    case Metric::Manhattan: return squaresByTree<Measure::Manhattan>(*tree, cloud, wanted, k, task);
    case Metric::Chebyshev: return squaresByTree<Measure::Chebyshev>(*tree, cloud, wanted, k, task);
    default: return squaresByTree<Measure::Euclidean>(*tree, cloud, wanted, k, task);
  }
}

/// Makes of each squared length the smallest ε within which it lies; of squared chords of unit
/// vectors the cosine distance.
void toEps(std::vector<double>& squared, Metric metric) {
  parallelFor(squared.size(), 4096, [&](std::size_t i) {
    squared[i] = metric == Metric::Cosine ? cosineOfChord(squared[i]) : smallestEps(squared[i]);
  });
}

/// The value farthest below the chord of a descending curve, among its finite part; 0 when that is
/// empty. A curve without a knee (straight, or bent upwards) gives its middle.
double kneeOf(const std::vector<double>& descending) {
  const auto first =
      std::find_if(descending.begin(), descending.end(), [](double d) { return std::isfinite(d); });
  const std::size_t m = std::size_t(descending.end() - first);
  if (m == 0) return 0.0;
  const double top = first[0];
  const double slope = m > 1 ? (first[m - 1] - top) / double(m - 1) : 0.0;
  std::size_t knee = m / 2;
  double deepest = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    const double depth = top + slope * double(i) - first[i];
    if (depth > deepest) {
      deepest = depth;
      knee = i;
    }
  }
  return first[knee];
}

double diagonalOf(const PointCloud& cloud, Metric metric) {
  const Bounds bounds = boundsOf(cloud);
  double diagonal = 0.0;
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    const double width = bounds.high[j] - bounds.low[j];
    diagonal = metric == Metric::Manhattan   ? diagonal + width
               : metric == Metric::Chebyshev ? std::max(diagonal, width)
                                             : std::hypot(diagonal, width);
  }
  return diagonal;
}

/// The budget of a search of all points by forecast, in coordinates read: a few seconds of two
/// cores.
constexpr double kMostReadsOfAll = 1e10;
constexpr std::uint32_t kPilotLeaves = 32;

/// Squared lengths from all points to their k-th nearest, by point; nothing where a search of some
/// leaves forecasts more work than kMostReadsOfAll, or memory is short. Decided by counts, so that
/// the same cloud and k always give the same.
Result<std::optional<std::vector<double>>> squaresOfAll(const PointCloud& cloud, int k,
                                                        Metric metric, const Task& task) {
  const std::size_t n = cloud.size();
  const auto d = double(cloud.dims());
  const std::optional<std::vector<double>> tooMuch;
  const double points = double(n);
  const double readsPerScan = d * kLeafSize;
  // Measured: what building the tree, keeping the nearest and walking the tree cost in reads.
  const double levels = std::max(1.0, std::log2(points / kLeafSize));
  const double fixed = points * (levels * (10 + 4 * d) + 400);
  if (fixed + points * readsPerScan > kMostReadsOfAll) return tooMuch;
  if (cloud.dims() > kMostDimsOfTree && points * points * d > kMostReadsOfAll) return tooMuch;
  if (leafTreePeakBytes(n, cloud.dims()) + n * sizeof(double) > availableMemory() / 2)
    return tooMuch;
  std::vector<double> squared(n, 0.0);
  if (k == 1) return std::optional(std::move(squared));
  task.report("building the kd-tree", 0.0);
  const auto tree = buildLeafTree(cloud, {}, metric, task);
  if (!tree) return tl::unexpected(tree.error());
  const NeighbourRows rows{std::size_t(k), nullptr, squared.data()};

  const double most = kMostReadsOfAll - fixed;
  const std::uint32_t pilots = std::min(tree->leaves, kPilotLeaves);
  std::uint64_t scans = 0;
  const auto mostOfPilots = std::uint64_t(most / 8 / readsPerScan);
  for (std::uint32_t i = 0; i < pilots && scans <= mostOfPilots; ++i) {
    const auto leaf = std::uint32_t(std::uint64_t{i} * tree->leaves / pilots);
    scans += searchLeaves(*tree, rows, leaf, leaf + 1, mostOfPilots - scans, task);
    if (task.cancelled()) return cancelledError();
  }
  const double all = double(scans) * readsPerScan / pilots * tree->leaves;
  if (scans > mostOfPilots || all > most) return tooMuch;

  SharedProgress progress(task, "measuring k-distances", tree->leaves);
  parallelForBlocks<std::uint32_t>(
      tree->leaves, 32, task, [&](std::uint32_t begin, std::uint32_t end) {
        searchLeaves(*tree, rows, begin, end, std::numeric_limits<std::uint64_t>::max(), task);
        progress.add(end - begin);
      });
  if (task.cancelled()) return cancelledError();
  return std::optional(std::move(squared));
}

/// The plot of the squared lengths that were measured.
Result<KDistances> plotOf(const PointCloud& cloud, int k, std::vector<double> squared,
                          Metric metric, const Task& task) {
  KDistances result;
  result.k = k;
  result.sampled = squared.size();
  result.isWhole = squared.size() == cloud.size();
  toEps(squared, metric);
  result.distances = std::move(squared);
  sortUnlessStopped(result.distances, std::greater<>(), task);
  if (task.cancelled()) return cancelledError();
  result.suggestedEps = kneeOf(result.distances);
  return result;
}

// ε whose squares are normal and finite, with a margin.
constexpr double kLeastEps = 1e-150;
constexpr double kLargestEps = 1e150;

constexpr EpsRange kForOnePlace{0.01, 1.0};

/// Of a valid cloud, which holds unit vectors for cosine distances.
EpsRange rangeOf(const PointCloud& cloud, Metric metric, const Task& task) {
  constexpr std::uint64_t kSample = 20000;
  double high = diagonalOf(cloud, metric);
  if (!(high > 0)) return kForOnePlace;

  // The nearest-neighbour distances within a sample of m points are about (n/m)^(1/d) times those
  // of the whole cloud. Duplicates carry no information about spacing, so zero distances are left
  // out.
  const auto sample = stratifiedSample(cloud.size(), kSample);
  const PointCloud thinned = pointsOf(cloud, sample);
  std::vector<double> spacing;
  if (sample.size() > 1) {
    if (auto squared = squaresToKth(thinned, sample.size(), 2, metric, task)) {
      spacing = std::move(*squared);
      toEps(spacing, Metric::Euclidean);  // of unit vectors: chords
    }
  }
  std::erase_if(spacing, [](double d) { return !(d > 0) || !std::isfinite(d); });
  double low = high / 10000;
  if (!spacing.empty()) {
    const auto closest = spacing.begin() + std::ptrdiff_t(spacing.size() / 100);
    std::nth_element(spacing.begin(), closest, spacing.end());
    const double thinning = double(sample.size()) / double(cloud.size());
    low = *closest * std::pow(thinning, 1.0 / double(cloud.dims()));
  }
  if (metric == Metric::Cosine) {
    low *= low / 2;
    high = std::min(high * high / 2, 2.0);  // the box of unit vectors is wider than the sphere
  }
  EpsRange range;
  range.high = std::clamp(high, 10 * kLeastEps, kLargestEps);
  range.low = std::clamp(low, kLeastEps, range.high / 10);
  return range;
}

/// `cloud` holds unit vectors for cosine distances.
Result<KDistances> withLegalEps(Result<KDistances> plot, const PointCloud& cloud, Metric metric,
                                const Task& task) {
  if (!plot) return plot;
  if (!(plot->suggestedEps >= kLeastEps)) plot->suggestedEps = rangeOf(cloud, metric, task).low;
  plot->suggestedEps = std::min(plot->suggestedEps, kLargestEps);
  return plot;
}

Result<void> checkKDistanceCall(const PointCloud& cloud, int k, std::uint64_t maxSample) {
  if (auto valid = validate(cloud); !valid) return valid;
  if (k < 1 || std::size_t(k) > cloud.size()) {
    return badCall("k must be between 1 and the number of points, " + std::to_string(cloud.size()) +
                   ", not " + std::to_string(k));
  }
  if (maxSample < 1) return badCall("a k-distance plot needs at least one point");
  return {};
}

/// Checks the call and returns measure(points) as a plot: of the cloud, or of its unit vectors.
template <class MeasurePoints>
Result<KDistances> measured(const PointCloud& cloud, int k, std::uint64_t maxSample, Metric metric,
                            const Task& task, const MeasurePoints& measure) {
  if (auto fine = checkKDistanceCall(cloud, k, maxSample); !fine)
    return tl::unexpected(fine.error());
  const auto plotted = [&](const PointCloud& points) -> Result<KDistances> {
    auto squared = measure(points);
    if (!squared) return tl::unexpected(squared.error());
    return withLegalEps(plotOf(points, k, std::move(*squared), metric, task), points, metric, task);
  };
  if (metric != Metric::Cosine) return plotted(cloud);
  if (auto fine = checkMemoryOf(cloud, cloud.size() * cloud.dims() * sizeof(double)); !fine)
    return tl::unexpected(fine.error());
  const auto vectors = directions(cloud, task);
  if (!vectors) return tl::unexpected(vectors.error());
  return plotted(*vectors);
}

}  // namespace

Result<KDistances> kDistances(const PointCloud& cloud, int k, std::uint64_t maxSample,
                              const Task& task, Metric metric) {
  return measured(cloud, k, maxSample, metric, task, [&](const PointCloud& points) {
    return squaresToKth(points, maxSample, k, metric, task);
  });
}

Result<KDistances> kDistancesOfAll(const PointCloud& cloud, int k, std::uint64_t maxSample,
                                   const Task& task, Metric metric) {
  return measured(cloud, k, maxSample, metric, task,
                  [&](const PointCloud& points) -> Result<std::vector<double>> {
                    if (k <= kMaxNearest) {
                      auto all = squaresOfAll(points, k, metric, task);
                      if (!all) return tl::unexpected(all.error());
                      if (*all) return std::move(**all);
                    }
                    return squaresToKth(points, maxSample, k, metric, task);
                  });
}

EpsRange sensibleEpsRange(const PointCloud& cloud, const Task& task, Metric metric) {
  if (!validate(cloud)) return kForOnePlace;
  if (metric != Metric::Cosine) return rangeOf(cloud, metric, task);
  const auto vectors = directions(cloud, task);
  return vectors ? rangeOf(*vectors, metric, task) : kForOnePlace;
}

}  // namespace clusterloom
