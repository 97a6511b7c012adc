#include "engine/hierarchy/hierarchy.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string>

#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/thread_check.h"
#include "engine/hierarchy/hierarchy_data.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/spanning_tree.h"

namespace clusterloom {

// Makes the data of a hierarchy, on an arena of the caller's number of threads.
struct HierarchyBuilder {
  const PointCloud& cloud;
  const HierarchyOptions& options;
  const Task& task;
  Stopwatch total;

  Result<Hierarchy> buildWith(const NearestNeighbours* given) const {
    if (auto fine = check(given); !fine) return tl::unexpected(fine.error());
    auto data = std::make_shared<Hierarchy::Data>();
    data->minPts = options.minPts;
    if (auto filled = fill(*data, given); !filled) return tl::unexpected(filled.error());
    data->seconds.total = total.seconds();
    return Hierarchy(std::move(data));
  }

 private:
  Result<void> check(const NearestNeighbours* given) const {
    if (auto valid = validate(cloud); !valid) return valid;
    const auto n = static_cast<std::int64_t>(cloud.size());
    if (options.minPts < 1 || (options.minPts > kMaxNearest && options.minPts <= n))
      return fail(ErrorKind::BadCall, "a hierarchy needs minPts between 1 and " +
                                          std::to_string(kMaxNearest) + ", not " +
                                          std::to_string(options.minPts));
    if (given != nullptr) {
      if (given->points != cloud.size())
        return fail(ErrorKind::BadCall, "the nearest neighbours are those of another cloud");
      if (given->k < std::min(options.minPts, n) && options.minPts <= n)
        return fail(ErrorKind::BadCall, "a hierarchy for minPts " + std::to_string(options.minPts) +
                                            " needs as many nearest neighbours, not " +
                                            std::to_string(given->k));
    }
    const std::uint64_t bytes = needed(given == nullptr);
    const std::uint64_t available = availableMemory();
    if (bytes <= available) return {};
    return fail(ErrorKind::TooLarge, "The hierarchy of " + std::to_string(n) + " points needs " +
                                         memoryText(bytes) + ", and " + memoryText(available) +
                                         " are free. Use a smaller minPts or a smaller cloud.");
  }

  std::uint64_t needed(bool neighbours) const {
    const std::uint64_t n = cloud.size();
    const auto k = static_cast<std::uint64_t>(std::min<std::int64_t>(
        {options.minPts + kMore, kMaxNearest, static_cast<std::int64_t>(n)}));
    // Lists of places, edges, state of the search, dendrogram, order; border lists are shorter than
    // what the search has freed by then.
    return n * (4 * k + 160 + (neighbours ? 12 * k : 0)) + leafTreePeakBytes(n, cloud.dims());
  }

  static std::vector<EarlyPoint> earlyPoints(const Hierarchy::Data& data) {
    const std::size_t n = data.dendrogram.points;
    std::vector<EarlyPoint> early;
    for (std::size_t i = 0; i < n; ++i) {
      // The first merge of a point is the lower of those that join it to its two neighbours.
      const std::uint32_t right = i + 1 < n ? data.order.splits[i + 1] : data.order.splits[0];
      const std::uint32_t merge = std::min(data.order.splits[i], right);
      const std::uint32_t point = data.order.order[i];
      const double core = data.squaredCore[point];
      if (merge == data.dendrogram.merges() || core < data.dendrogram.squaredWeights[merge])
        early.push_back({core, merge, point});
    }
    return early;
  }

  // Longer lists than core distances need leave less to search for the tree.
  static constexpr std::int64_t kMore = 3;

  Result<void> fill(Hierarchy::Data& data, const NearestNeighbours* given) const {
    Stopwatch watch;
    const auto leaves = buildLeafTree(cloud, task);
    if (!leaves) return tl::unexpected(leaves.error());
    data.seconds.index = watch.lap();
    NearestNeighbours found;
    if (given == nullptr) {
      // With no core points distances do not matter.
      const bool anyCore = options.minPts <= static_cast<std::int64_t>(cloud.size());
      const std::int64_t k =
          anyCore ? std::min<std::int64_t>(options.minPts + kMore, kMaxNearest) : 1;
      auto nearest = nearestNeighbours(*leaves, static_cast<int>(k), task);
      if (!nearest) return tl::unexpected(nearest.error());
      found = std::move(*nearest);
      data.seconds.neighbours = watch.lap();
    }
    const NearestNeighbours& nearest = given != nullptr ? *given : found;
    data.squaredCore = squaredCoreDistances(nearest, options.minPts);
    auto tree = spanningTree(*leaves, data.squaredCore, options.minPts, nearest, task);
    if (!tree) return tl::unexpected(tree.error());
    data.seconds.tree = watch.lap();
    task.report("sorting the edges", 0);
    tbb::parallel_sort(
        tree->edges.begin(), tree->edges.end(),
        [](const TreeEdge& a, const TreeEdge& b) { return a.squaredWeight < b.squaredWeight; });
    if (task.cancelled()) return cancelledError();
    data.seconds.sort = watch.lap();
    if (!buildDendrogram(tree->edges, leaves->ids, data.dendrogram, data.lowestPoints, task))
      return cancelledError();
    tree->edges = {};
    data.order = positionsOf(data.dendrogram);
    data.splits = RangeMaximum<std::uint32_t>(data.order.splits);
    data.early = earlyPoints(data);
    data.seconds.dendrogram = watch.lap();
    const BorderInput borders{*leaves, nearest, *tree, options.minPts, data.dendrogram, data.order};
    if (!buildBorderLists(borders, data.borders, task)) return cancelledError();
    data.seconds.borders = watch.lap();
    return {};
  }
};

namespace {

Result<Hierarchy> buildOnArena(const PointCloud& cloud, const NearestNeighbours* nearest,
                               const HierarchyOptions& options, const Task& task) {
  const int available = tbb::info::default_concurrency();
  const int threads = options.threads > 0 ? options.threads : available;
  try {
    std::optional<tbb::global_control> moreThreads;
    if (threads > available) {
      if (auto possible = checkThreads(threads); !possible) return tl::unexpected(possible.error());
      moreThreads.emplace(tbb::global_control::max_allowed_parallelism,
                          static_cast<std::size_t>(threads));
    }
    tbb::task_arena arena(threads);
    return arena.execute([&] {
      return HierarchyBuilder{cloud, options, task, {}}.buildWith(nearest);
    });
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::TooLarge,
                "Not enough memory for the hierarchy. Use a smaller minPts or a smaller cloud.");
  }
}

}  // namespace

Result<Hierarchy> Hierarchy::build(const PointCloud& cloud, const HierarchyOptions& options,
                                   const Task& task) {
  return buildOnArena(cloud, nullptr, options, task);
}

Result<Hierarchy> Hierarchy::build(const PointCloud& cloud, const NearestNeighbours& nearest,
                                   const HierarchyOptions& options, const Task& task) {
  return buildOnArena(cloud, &nearest, options, task);
}

std::size_t Hierarchy::points() const { return data_->dendrogram.points; }
std::int64_t Hierarchy::minPts() const { return data_->minPts; }
const HierarchySeconds& Hierarchy::seconds() const { return data_->seconds; }
const Dendrogram& Hierarchy::dendrogram() const { return data_->dendrogram; }
std::span<const double> Hierarchy::squaredCoreDistances() const { return data_->squaredCore; }
std::span<const std::uint32_t> Hierarchy::order() const { return data_->order.order; }
std::span<const std::uint32_t> Hierarchy::positions() const { return data_->order.positions; }
const BorderLists& Hierarchy::borders() const { return data_->borders; }

std::size_t Hierarchy::begin(std::size_t node) const {
  const std::size_t n = points();
  return node < n ? data_->order.positions[node] : data_->order.begins[node - n];
}

std::uint32_t Hierarchy::lowestPoint(std::size_t node) const {
  const std::size_t n = points();
  return node < n ? static_cast<std::uint32_t>(node) : data_->lowestPoints[node - n];
}

std::uint64_t Hierarchy::bytes() const {
  const std::uint64_t n = points();
  // Core distances, order and its inverse, splits; four arrays of the dendrogram, lowest points,
  // begins; rows and entries of the border lists.
  return n * (8 + 4 + 4 + 4) + data_->dendrogram.merges() * (4 + 4 + 8 + 4 + 4 + 4) + 4 * n +
         12 * data_->borders.positions.size() + sizeof(EarlyPoint) * data_->early.size();
}

}  // namespace clusterloom
