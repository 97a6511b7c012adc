#include "engine/cuda/hierarchy/device_hierarchy.h"

#include <algorithm>
#include <bit>

#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/hierarchy/cuda_machine.cuh"
#include "engine/cuda/hierarchy/forest_search.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/staged_copies.h"
#include "engine/hierarchy/hierarchy_builder.h"
#include "engine/hierarchy/lanes/group_hierarchy.h"
#include "engine/hierarchy/lanes/group_labels.h"
#include "engine/hierarchy/lanes/group_pairs.h"

namespace clusterloom {
namespace {

/// Lists by point instead of by place, each with the point itself.
struct ListPoints {
  GroupTreeView tree;
  GroupLists lists;
  std::uint32_t* ids;
  double* squared;

  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t place) const {
    const std::uint32_t point = tree.ids[place];
    const std::size_t row = std::size_t(point) * (lists.others + 1);
    ids[row] = point;
    squared[row] = 0;
    for (std::uint32_t i = 0; i < lists.others; ++i) {
      ids[row + 1 + i] = tree.ids[lists.places[lists.at(place, i)]];
      squared[row + 1 + i] = lists.squared[lists.at(place, i)];
    }
  }
};

/// Buffers of the device and the arrays that they are copied to.
class Downloads {
 public:
  template <class T>
  void add(const DeviceBuffer<T>& from, LargeArray<T>& to) {
    to.resize(from.size());
    parts_.push_back({from.data(), std::as_writable_bytes(std::span(to))});
  }
  /// Copies all of them; waits.
  void run(GpuRun& run) const { downloadStaged(run, parts_); }

 private:
  std::vector<StagedDownload> parts_;
};

/// The hierarchy in host memory; `stages` have been queued since `total` began.
Result<Hierarchy> downloaded(GpuRun& run, const GroupHierarchy<CudaMachine>& made,
                             std::size_t points, std::int64_t minPts, const StageEvents& stages,
                             const Stopwatch& total) {
  if (made.borders.tooMany)
    return tooLarge("The border lists of this hierarchy are too long. Use a smaller minPts.");
  HierarchyArrays arrays;
  arrays.minPts = minPts;
  arrays.dendrogram.points = points;
  Downloads downloads;
  downloads.add(made.dendrogram.left, arrays.dendrogram.left);
  downloads.add(made.dendrogram.right, arrays.dendrogram.right);
  downloads.add(made.dendrogram.weights, arrays.dendrogram.squaredWeights);
  downloads.add(made.dendrogram.sizes, arrays.dendrogram.sizes);
  downloads.add(made.dendrogram.lowest, arrays.lowestPoints);
  downloads.add(made.dendrogram.order, arrays.order.order);
  downloads.add(made.dendrogram.positions, arrays.order.positions);
  downloads.add(made.dendrogram.begins, arrays.order.begins);
  downloads.add(made.dendrogram.splits, arrays.order.splits);
  downloads.add(made.borders.squaredCore, arrays.squaredCore);
  downloads.add(made.borders.firstReach, arrays.firstReach);
  downloads.add(made.borders.early, arrays.early);
  downloads.add(made.borders.offsets, arrays.borders.offsets);
  downloads.add(made.borders.squaredReach, arrays.borders.squaredReach);
  downloads.add(made.borders.positions, arrays.borders.positions);
  downloads.run(run);
  for (const auto& [name, milliseconds] : stages.milliseconds()) {
    HierarchySeconds& s = arrays.seconds;
    // The stages of the dendrogram have separate names.
    double& stage =
        name == "index"                                 ? s.index
        : name == "neighbours"                          ? s.neighbours
        : name == "sort"                                ? s.sort
        : name.starts_with("border") || name == "early" ? s.borders
        : name == "first edges" || name == "listed" || name == "search" || name == "join"
            ? s.tree
            : s.dendrogram;
    stage += milliseconds / 1e3;
  }
  arrays.seconds.total = total.seconds();
  return HierarchyBuilder::of(std::move(arrays));
}

}  // namespace

NearestNeighbours nearestOnGpu(GpuRun& run, const DeviceCloud& cloud, int k) {
  const GpuPhase phase("nearest neighbours", run.task());
  StageEvents stages;
  CudaMachine machine(run, stages);
  NearestNeighbours result;
  result.points = cloud.size;
  result.k = int(std::min<std::size_t>(std::size_t(k), cloud.size));
  const auto tree = buildGroupTree(machine, cloud.coordinates.data(), cloud.size, cloud.dims);
  const auto lists = nearestLists(machine, tree.view, std::uint32_t(result.k - 1));
  const std::size_t entries = cloud.size * std::size_t(result.k);
  auto ids = machine.make<std::uint32_t>(entries);
  auto squared = machine.make<double>(entries);
  machine.each(cloud.size, ListPoints{tree.view, lists.view, ids.data(), squared.data()});
  Downloads downloads;
  downloads.add(ids, result.ids);
  downloads.add(squared, result.squaredDistances);
  downloads.run(run);
  return result;
}

Result<Hierarchy> hierarchyOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts) {
  const GpuPhase phase("hierarchy", run.task());
  const Stopwatch total;
  StageEvents stages;
  CudaMachine machine(run, stages);
  const auto made =
      groupHierarchy(machine, cloud.coordinates.data(), cloud.size, cloud.dims, minPts);
  return downloaded(run, made, cloud.size, minPts, stages, total);
}

std::optional<Result<Hierarchy>> hierarchyByProductsOnGpu(GpuRun& run,
                                                          std::shared_ptr<const DeviceCloud> cloud,
                                                          std::int64_t minPts,
                                                          const HierarchyByProducts& options) {
  const GpuPhase phase("hierarchy", run.task());
  const Stopwatch total;
  StageEvents stages;
  CudaMachine machine(run, stages);
  const std::size_t n = cloud->size;
  GroupTreeView tree = GroupTreeView::of(n, cloud->dims);
  const std::uint32_t others = listedByProducts(n, minPts);
  auto found = findNearestByProducts(run, std::move(cloud), int(others) + 1,
                                     {.mayGiveUp = options.mayGiveUp, .kernels = options.kernels});
  if (!found) return std::nullopt;
  auto ids = machine.make<std::uint32_t>(tree.places());
  auto positions = machine.make<std::uint32_t>(n);
  machine.fill(ids, 0xff);
  tree.ids = ids.data();
  const auto takePlaces = [&] {
    machine.copyFirst(ids, found->points.pointIds, n);
    machine.each(n, PlacesOfPoints{tree, positions.data()});
  };
  takePlaces();
  {
    auto sets = listedSets(machine, tree, others, positions.data(), found->ids.data());
    machine.sortByKey(sets, found->points.pointIds, int(std::bit_width(n)));
    takeOrder(run, *found);
  }
  takePlaces();
  auto places = machine.make<std::uint32_t>(std::size_t{tree.places()} * others);
  auto squared = machine.make<double>(places.size());
  const GroupLists lists{others, places.data(), squared.data()};
  {
    auto positions = machine.make<std::uint32_t>(n);
    machine.each(n, PlacesOfPoints{tree, positions.data()});
    machine.each(n,
                 ListRows{tree, lists, positions.data(), found->ids.data(), found->squared.data()});
    found->ids = {};
    found->squared = {};
  }
  machine.stage("neighbours");
  ForestSearch search(run, *found);
  const auto made = hierarchyOfLists(
      machine, tree, lists, minPts,
      [&](const GroupForest& forest, std::uint32_t edges) { search(forest, edges); });
  auto hierarchy = downloaded(run, made, n, minPts, stages, total);
  if (options.stages != nullptr) *options.stages = stages.milliseconds();
  if (options.kernels != nullptr)
    options.kernels->insert(options.kernels->end(), search.kernels().begin(),
                            search.kernels().end());
  return hierarchy;
}

StageTimes timeHierarchyOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts) {
  StageEvents stages;
  CudaMachine machine(run, stages);
  const auto made =
      groupHierarchy(machine, cloud.coordinates.data(), cloud.size, cloud.dims, minPts);
  run.wait();
  return stages.milliseconds();
}

Result<LabelTimes> timeLabelsOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts,
                                   std::span<const double> eps) {
  StageEvents stages;
  CudaMachine machine(run, stages);
  const auto made =
      groupHierarchy(machine, cloud.coordinates.data(), cloud.size, cloud.dims, minPts);
  GroupLabels<CudaMachine> labels;
  LabelTimes times;
  for (const double value : eps) {
    const auto squared = epsSquared(value);
    if (!squared) return tl::unexpected(squared.error());
    run.wait();
    StageEvents here;
    CudaMachine labelling(run, here);
    labelGroups(labelling, made, *squared, labels);
    run.wait();
    times.milliseconds.push_back(here.milliseconds().front().second);
  }
  times.labels.resize(cloud.size);
  if (labels.labels.size() > 0) labels.labels.download(times.labels);
  run.wait();
  return times;
}

}  // namespace clusterloom
