#include "engine/hierarchy/hierarchy.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "engine/core/chunks.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/profiler_range.h"
#include "engine/core/stopwatch.h"
#include "engine/grid/sort_by_key.h"
#include "engine/hierarchy/cloud_tree.h"
#include "engine/hierarchy/cosine_hierarchy.h"
#include "engine/hierarchy/hierarchy_builder.h"
#include "engine/hierarchy/hierarchy_data.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/spanning_tree.h"

namespace clusterloom {

namespace {

/// The work done before a build.
struct Begun {
  Stopwatch total;        ///< since the first of it
  double neighbours = 0;  ///< seconds of finding them
};

// Makes the data of a hierarchy.
class FromCloud {
 public:
  FromCloud(const PointCloud& cloud, const HierarchyOptions& options, const Task& task,
            const Begun& begun)
      : cloud_(cloud), options_(options), task_(task), begun_(begun) {}

  Result<Hierarchy> build(const NearestNeighbours* given) const {
    if (auto fine = check(given); !fine) return tl::unexpected(fine.error());
    HierarchySeconds seconds;
    seconds.neighbours = begun_.neighbours;
    auto made = searchCloudTree({cloud_, options_, given}, seconds, task_);
    if (!made) return tl::unexpected(made.error());
    const ProfilerRange profiled("clusters");
    CloudTree& found = **made;
    return HierarchyBuilder::finish(options_.minPts, std::move(found.core), found.leaves,
                                    found.lists, std::move(found.tree), seconds, begun_.total,
                                    task_);
  }

 private:
  Result<void> check(const NearestNeighbours* given) const {
    if (auto fine = HierarchyBuilder::check(cloud_, options_); !fine) return fine;
    const auto n = std::int64_t(cloud_.size());
    if (given != nullptr) {
      if (options_.metric == Metric::Cosine)
        return badCall("the hierarchy of cosine distances finds its neighbours itself");
      if (!options_.periods.empty())
        return badCall("the hierarchy of a periodic box finds its neighbours itself");
      if (given->points != cloud_.size())
        return badCall("the nearest neighbours are those of another cloud");
      if (given->k < std::min(options_.minPts, n) && options_.minPts <= n)
        return badCall("a hierarchy for minPts " + std::to_string(options_.minPts) +
                       " needs as many nearest neighbours, not " + std::to_string(given->k));
    }
    const std::uint64_t points = cloud_.size();
    const auto k = given != nullptr
                       ? std::uint64_t(given->k)
                       : std::uint64_t(std::min<std::int64_t>({neighboursFor(options_.minPts), n}));
    const std::uint64_t neighbours = given == nullptr ? 12 * k * points : 0;
    return HierarchyBuilder::checkMemory(points, k,
                                         neighbours + cloudTreePeakBytes(cloud_, options_));
  }

  const PointCloud& cloud_;
  const HierarchyOptions& options_;
  const Task& task_;
  const Begun& begun_;
};

LargeArray<EarlyPoint> earlyPoints(const Dendrogram& tree, const PositionOrder& order,
                                   std::span<const double> squaredCore, const Task& task) {
  const std::size_t n = tree.points;
  std::vector<std::vector<EarlyPoint>> parts(chunksOf(n));
  forChunks(n, [&](std::size_t part, std::size_t begin, std::size_t end) {
    if (task.cancelled()) return;
    for (std::size_t i = begin; i < end; ++i) {
      // The first merge of a point is the lower of those that join it to its two neighbours.
      const std::uint32_t right = i + 1 < n ? order.splits[i + 1] : order.splits[0];
      const std::uint32_t merge = std::min(order.splits[i], right);
      const std::uint32_t point = order.order[i];
      const double core = squaredCore[point];
      if (merge == tree.merges() || core < tree.squaredWeights[merge])
        parts[part].push_back({core, merge, point});
    }
  });
  LargeArray<EarlyPoint> early;
  for (const auto& part : parts) early.insert(early.end(), part.begin(), part.end());
  return early;
}

/// Sorts edges by weight. False when stopped.
bool sortEdges(LargeArray<TreeEdge>& edges, const Task& task) {
  task.report("sorting the edges", 0);
  // Weights are never negative, so that their bits are in their order.
  std::vector<std::uint64_t> keys(edges.size());
  std::vector<std::uint32_t> from(edges.size());
  const auto forEdges = [&](const auto& body) { parallelFor(edges.size(), 65536, task, body); };
  forEdges([&](std::size_t i) {
    keys[i] = std::bit_cast<std::uint64_t>(edges[i].squaredWeight);
    from[i] = std::uint32_t(i);
  });
  if (!sortByKey(keys, from, std::numeric_limits<std::uint64_t>::max() >> 1, task)) return false;
  constexpr std::size_t kAhead = 16;
  LargeArray<TreeEdge> sorted(edges.size());
  forEdges([&](std::size_t i) {
    if (i + kAhead < edges.size()) __builtin_prefetch(&edges[from[i + kAhead]]);
    sorted[i] = edges[from[i]];
  });
  edges = std::move(sorted);
  return !task.cancelled();
}

Result<Hierarchy> buildFrom(const PointCloud& cloud, const NearestNeighbours* nearest,
                            const HierarchyOptions& options, const Task& task,
                            const Begun& begun = {}) {
  const ProfilerRange profiled("hierarchy");
  return HierarchyBuilder::onArena(
      options.threads, [&] { return FromCloud(cloud, options, task, begun).build(nearest); });
}

}  // namespace

Result<Hierarchy> HierarchyBuilder::finish(std::int64_t minPts, LargeArray<double> squaredCore,
                                           const LeafTree& leaves, const PlaceLists& lists,
                                           SpanningTree tree, HierarchySeconds seconds,
                                           const Stopwatch& total, const Task& task) {
  Stopwatch watch;
  ProfilerRange profiled("edges by weight");
  HierarchyArrays made;
  made.minPts = minPts;
  made.squaredCore = std::move(squaredCore);
  if (!sortEdges(tree.edges, task)) return cancelledError();
  seconds.sort = watch.lap();
  profiled.next("dendrogram");
  if (!buildDendrogram(tree.edges, leaves.ids, made.dendrogram, made.lowestPoints, task))
    return cancelledError();
  tree.edges = {};
  made.order = positionsOf(made.dendrogram, task);
  if (task.cancelled()) return cancelledError();
  made.early = earlyPoints(made.dendrogram, made.order, made.squaredCore, task);
  seconds.dendrogram = watch.lap();
  profiled.next("border lists");
  const BorderInput borders{leaves, lists, tree, minPts, made.dendrogram, made.order};
  if (!buildBorderLists(borders, made.borders, task)) return cancelledError();
  made.firstReach.resize(made.dendrogram.points);
  parallelFor(made.firstReach.size(), 65536, [&](std::size_t p) {
    const std::uint32_t entry = made.borders.offsets[p];
    made.firstReach[p] = entry < made.borders.offsets[p + 1]
                             ? made.borders.squaredReach[entry]
                             : std::numeric_limits<double>::infinity();
  });
  seconds.borders = watch.lap();
  seconds.total = total.seconds();
  made.seconds = seconds;
  return of(std::move(made));
}

Result<void> HierarchyBuilder::check(const PointCloud& cloud, const HierarchyOptions& options) {
  if (auto valid = validate(cloud); !valid) return valid;
  const auto n = std::int64_t(cloud.size());
  const bool inBox = !options.periods.empty();
  if (inBox && isTreeMetric(options.metric))
    return badCall("A periodic box has Euclidean distances, not " +
                   std::string(toText(options.metric)) + " ones.");
  const int most = inBox ? kMaxNearest : kMaxNeighbours;
  if (options.minPts >= 1 && (options.minPts <= most || options.minPts > n)) return {};
  return badCall(std::string("a hierarchy ") + (inBox ? "in a periodic box " : "") +
                 "needs minPts between 1 and " + std::to_string(most) + ", not " +
                 std::to_string(options.minPts));
}

Result<void> HierarchyBuilder::checkMemory(std::uint64_t points, std::uint64_t k,
                                           std::uint64_t more) {
  // Lists of places, edges, state of the search, dendrogram, order; border lists are shorter than
  // what the search has freed by then.
  const std::uint64_t bytes = points * (4 * k + 160) + more;
  const std::uint64_t available = availableMemory();
  if (bytes <= available) return {};
  return tooLarge("The hierarchy of " + std::to_string(points) + " points needs " +
                  memoryText(bytes) + ", and " + memoryText(available) +
                  " are free. Use a smaller minPts or a smaller cloud.");
}

Hierarchy HierarchyBuilder::of(HierarchyArrays arrays) {
  auto made = std::make_shared<Hierarchy::Data>();
  made->minPts = arrays.minPts;
  made->squaredCore = std::move(arrays.squaredCore);
  made->dendrogram = std::move(arrays.dendrogram);
  made->lowestPoints = std::move(arrays.lowestPoints);
  made->order = std::move(arrays.order);
  made->splits = RangeMaximum<std::uint32_t>(made->order.splits);
  made->early = std::move(arrays.early);
  made->borders = std::move(arrays.borders);
  made->firstReach = std::move(arrays.firstReach);
  made->seconds = arrays.seconds;
  return Hierarchy(std::move(made));
}

HierarchyArrays HierarchyBuilder::arraysOf(const Hierarchy& hierarchy) {
  const Hierarchy::Data& data = *hierarchy.data_;
  return {.minPts = data.minPts,
          .squaredCore = data.squaredCore,
          .dendrogram = data.dendrogram,
          .lowestPoints = data.lowestPoints,
          .order = data.order,
          .early = data.early,
          .borders = data.borders,
          .firstReach = data.firstReach,
          .seconds = data.seconds};
}

bool HierarchyBuilder::needsLongLists(std::int64_t minPts, std::size_t points) {
  return minPts > kMaxNearest && minPts <= std::int64_t(points);
}

Result<Hierarchy> Hierarchy::build(const PointCloud& cloud, const HierarchyOptions& options,
                                   const Task& task) {
  if (options.metric == Metric::Cosine)
    return cosineHierarchy(
        cloud, options,
        [&](const PointCloud& vectors, const HierarchyOptions& euclidean) {
          return build(vectors, euclidean, task);
        },
        task);
  if (!HierarchyBuilder::needsLongLists(options.minPts, cloud.size()))
    return buildFrom(cloud, nullptr, options, task);
  if (auto fine = HierarchyBuilder::check(cloud, options); !fine)
    return tl::unexpected(fine.error());
  Begun begun;
  const auto nearest =
      nearestNeighbours(cloud, int(options.minPts), options.threads, task, {}, options.metric);
  if (!nearest) return tl::unexpected(nearest.error());
  begun.neighbours = begun.total.seconds();
  return buildFrom(cloud, &*nearest, options, task, begun);
}

Result<Hierarchy> Hierarchy::build(const PointCloud& cloud, const NearestNeighbours& nearest,
                                   const HierarchyOptions& options, const Task& task) {
  return buildFrom(cloud, &nearest, options, task);
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
  return node < n ? std::uint32_t(node) : data_->lowestPoints[node - n];
}

std::uint64_t Hierarchy::bytes() const {
  const std::uint64_t n = points();
  // Core distances, first reaches, order and its inverse, splits; four arrays of the dendrogram,
  // lowest points, begins; rows and entries of the border lists.
  return n * (8 + 8 + 4 + 4 + 4) + data_->dendrogram.merges() * (4 + 4 + 8 + 4 + 4 + 4) + 4 * n +
         12 * data_->borders.positions.size() + sizeof(EarlyPoint) * data_->early.size();
}

}  // namespace clusterloom
