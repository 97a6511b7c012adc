#include "engine/hierarchy/nearest_neighbours.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "engine/core/in_arena.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/hierarchy/cloud_tree.h"
#include "engine/hierarchy/leaf_search.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/join/join_input.h"
#include "engine/join/periodic_box.h"
#include "engine/product/product_nearest.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kLeavesAtOnce = 32;
constexpr std::size_t kPlacesAtOnce = 16384;
constexpr const char* kTooLittleMemory =
    "Not enough memory for nearest neighbours. Use a smaller k or a smaller cloud.";

/// One neighbour of every point: the point itself.
NearestNeighbours ownNeighbours(std::size_t points) {
  NearestNeighbours own;
  own.points = points;
  own.k = 1;
  own.ids.resize(points);
  own.squaredDistances.resize(points);
  std::iota(own.ids.begin(), own.ids.end(), 0U);
  std::fill(own.squaredDistances.begin(), own.squaredDistances.end(), 0.0);
  return own;
}

/// Rows of k entries each, to be filled.
NearestNeighbours rowsFor(std::size_t points, std::size_t k) {
  NearestNeighbours rows;
  rows.points = points;
  rows.k = int(k);
  rows.ids.resize(points * k);
  rows.squaredDistances.resize(points * k);
  return rows;
}

/// How points are apart.
struct TreeSpace {
  const std::vector<double>& periods;
  Metric metric;

  /// Whether products are taken instead of trees.
  bool byProducts(std::size_t dims, std::size_t k) const {
    return periods.empty() && !isTreeMetric(metric) &&
           (dims >= kLeastDimsOfProducts || k > std::size_t(kMaxNearest));
  }
  /// BadCall for metrics and boxes that trees do not support.
  Result<void> check() const {
    if (periods.empty() || !isTreeMetric(metric)) return {};
    return badCall("A periodic box has Euclidean distances, not " + std::string(toText(metric)) +
                   " ones.");
  }
};

/// The nearest points of a tree for each point of `of`, which may be the same tree.
Result<NearestNeighbours> searchOf(const LeafTree& of, const LeafTree& tree, std::size_t row,
                                   bool byPlace, const Task& task) {
  NearestNeighbours result = rowsFor(of.points, row);
  const NeighbourRows rows{row, result.ids.data(), result.squaredDistances.data(), byPlace};
  SharedProgress progress(task, "finding neighbours", of.leaves);
  parallelForBlocks<std::uint32_t>(
      of.leaves, kLeavesAtOnce, task, [&](std::uint32_t begin, std::uint32_t end) {
        if (row > std::size_t(kMaxNearest))
          searchLongLists(of, tree, &of == &tree, rows, begin, end, task);
        else
          searchLeavesOf(of, tree, rows, begin, end, task);
        progress.add(end - begin);
      });
  if (task.cancelled()) return cancelledError();
  return result;
}

Result<NearestNeighbours> search(const LeafTree& tree, int k, bool byPlace, const Task& task) {
  const std::size_t row = std::min<std::size_t>(std::size_t(k), tree.points);
  if (row == 1) return ownNeighbours(tree.points);
  return searchOf(tree, tree, row, byPlace, task);
}

/// TooLarge where results and trees would not fit.
Result<void> checkFits(std::size_t points, std::uint64_t row, std::uint64_t treeBytes) {
  const std::uint64_t bytes = points * row * (sizeof(double) + sizeof(std::uint32_t)) + treeBytes;
  const std::uint64_t available = availableMemory();
  if (bytes <= available) return {};
  return tooLarge("The " + std::to_string(row) + " nearest neighbours of " +
                  std::to_string(points) + " points need " + memoryText(bytes) + ", and " +
                  memoryText(available) + " are free. Use a smaller k or a smaller cloud.");
}

Result<NearestNeighbours> findOf(const PointCloud& queries, const PointCloud& cloud, int k,
                                 const TreeSpace& space, const Task& task) {
  const std::size_t row = std::min<std::size_t>(std::size_t(k), cloud.size());
  const std::uint64_t trees = leafTreePeakBytes(queries.size(), cloud.dims()) +
                              leafTreePeakBytes(cloud.size(), cloud.dims());
  if (auto fits = checkFits(queries.size(), row, trees); !fits) return tl::unexpected(fits.error());
  if (space.byProducts(cloud.dims(), row)) {
    NearestNeighbours result = rowsFor(queries.size(), row);
    if (auto found =
            nearestByProductsOf(queries, cloud, row, result.ids, result.squaredDistances, task);
        !found)
      return tl::unexpected(found.error());
    return result;
  }
  const auto of = buildLeafTree(queries, space.periods, space.metric, task);
  if (!of) return tl::unexpected(of.error());
  const auto tree = buildLeafTree(cloud, space.periods, space.metric, task);
  if (!tree) return tl::unexpected(tree.error());
  return searchOf(*of, *tree, row, false, task);
}

Result<NearestNeighbours> findAll(const PointCloud& cloud, int k, const TreeSpace& space,
                                  const Task& task) {
  const std::size_t n = cloud.size();
  const std::uint64_t row = std::min<std::size_t>(std::size_t(k), n);
  if (auto fits = checkFits(n, row, leafTreePeakBytes(n, cloud.dims())); !fits)
    return tl::unexpected(fits.error());
  if (row == 1) {
    if (!space.periods.empty())  // else the tree checks them
      if (const auto box = makePeriodicBox(space.periods, cloud); !box)
        return tl::unexpected(box.error());
    return ownNeighbours(n);
  }
  if (space.byProducts(cloud.dims(), row)) {
    NearestNeighbours result = rowsFor(n, row);
    if (auto found = nearestByProducts(cloud, row, result.ids, result.squaredDistances, task);
        !found)
      return tl::unexpected(found.error());
    return result;
  }
  const auto tree = buildLeafTree(cloud, space.periods, space.metric, task);
  if (!tree) return tl::unexpected(tree.error());
  return search(*tree, k, false, task);
}

/// Makes places of the ids in rows by place.
Result<NearestNeighbours> toPlaces(const LeafTree& tree, Result<NearestNeighbours> result,
                                   const Task& task) {
  if (!result || result->k == 1) return result;
  const std::size_t n = tree.points;
  LargeArray<std::uint32_t> placeOf(n);
  parallelFor(n, kPlacesAtOnce,
              [&](std::size_t place) { placeOf[tree.ids[place]] = std::uint32_t(place); });
  parallelFor(result->ids.size(), kPlacesAtOnce, task,
              [&](std::size_t i) { result->ids[i] = placeOf[result->ids[i]]; });
  if (task.cancelled()) return cancelledError();
  return result;
}

}  // namespace

Result<NearestNeighbours> nearestPlaces(const LeafTree& tree, int k, const Task& task) {
  return toPlaces(tree, search(tree, k, true, task), task);
}

Result<NearestNeighbours> nearestPlaces(const RoundedPoints& points, const LeafTree& places, int k,
                                        const Task& task) {
  const std::size_t row = std::min<std::size_t>(std::size_t(k), places.points);
  if (row == 1) return ownNeighbours(places.points);
  NearestNeighbours result = rowsFor(places.points, row);
  if (auto found = nearestByProducts(points, row, result.ids, result.squaredDistances, task);
      !found)
    return tl::unexpected(found.error());
  return toPlaces(places, std::move(result), task);
}

Result<void> checkNearest(int k, bool inBox) {
  const int most = inBox ? kMaxNearest : kMaxNeighbours;
  if (k >= 1 && k <= most) return {};
  return badCall("k must be between 1 and " + std::to_string(most) +
                 (inBox ? " in a periodic box" : "") + ", not " + std::to_string(k));
}

Result<NearestNeighbours> nearestNeighbours(const PointCloud& cloud, int k, int threads,
                                            const Task& task, const std::vector<double>& periods,
                                            Metric metric) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  if (auto fine = checkNearest(k, !periods.empty()); !fine) return tl::unexpected(fine.error());
  const TreeSpace space{periods, metric};
  if (auto fine = space.check(); !fine) return tl::unexpected(fine.error());
  return inArenaOf(threads, kTooLittleMemory, [&] { return findAll(cloud, k, space, task); });
}

Result<NearestNeighbours> nearestOf(const PointCloud& queries, const PointCloud& cloud, int k,
                                    int threads, const Task& task,
                                    const std::vector<double>& periods, Metric metric) {
  if (auto valid = validate(JoinInput(queries, cloud)); !valid)
    return tl::unexpected(valid.error());
  if (auto fine = checkNearest(k, !periods.empty()); !fine) return tl::unexpected(fine.error());
  const TreeSpace space{periods, metric};
  if (auto fine = space.check(); !fine) return tl::unexpected(fine.error());
  return inArenaOf(threads, kTooLittleMemory,
                   [&] { return findOf(queries, cloud, k, space, task); });
}

}  // namespace clusterloom
