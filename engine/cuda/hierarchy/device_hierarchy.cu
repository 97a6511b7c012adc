#include "engine/cuda/hierarchy/device_hierarchy.h"

#include <algorithm>

#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/hierarchy/cuda_machine.cuh"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/hierarchy/group_hierarchy.h"
#include "engine/hierarchy/group_labels.h"
#include "engine/hierarchy/hierarchy_builder.h"

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
    const std::size_t row = static_cast<std::size_t>(point) * (lists.others + 1);
    ids[row] = point;
    squared[row] = 0;
    for (std::uint32_t i = 0; i < lists.others; ++i) {
      ids[row + 1 + i] = tree.ids[lists.places[lists.at(place, i)]];
      squared[row + 1 + i] = lists.squared[lists.at(place, i)];
    }
  }
};

/// Queues the copy of all of a buffer.
template <class T>
void download(const DeviceBuffer<T>& from, LargeArray<T>& to) {
  to.resize(from.size());
  from.download(to);
}

}  // namespace

NearestNeighbours nearestOnGpu(GpuRun& run, const DeviceCloud& cloud, int k) {
  const GpuPhase phase("nearest neighbours", run.task());
  StageEvents stages;
  CudaMachine machine(run, stages);
  NearestNeighbours result;
  result.points = cloud.size;
  result.k = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(k), cloud.size));
  const auto tree = buildGroupTree(machine, cloud.coordinates.data(), cloud.size, cloud.dims);
  const auto lists = nearestLists(machine, tree.view, static_cast<std::uint32_t>(result.k - 1));
  const std::size_t entries = cloud.size * static_cast<std::size_t>(result.k);
  auto ids = machine.make<std::uint32_t>(entries);
  auto squared = machine.make<double>(entries);
  machine.each(cloud.size, ListPoints{tree.view, lists.view, ids.data(), squared.data()});
  download(ids, result.ids);
  download(squared, result.squaredDistances);
  run.wait();
  return result;
}

Result<Hierarchy> hierarchyOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts) {
  const GpuPhase phase("hierarchy", run.task());
  const Stopwatch total;
  StageEvents stages;
  CudaMachine machine(run, stages);
  const auto made =
      groupHierarchy(machine, cloud.coordinates.data(), cloud.size, cloud.dims, minPts);
  if (made.borders.tooMany)
    return fail(ErrorKind::TooLarge,
                "The border lists of this hierarchy are too long. Use a smaller minPts.");
  HierarchyArrays arrays;
  arrays.minPts = minPts;
  arrays.dendrogram.points = cloud.size;
  download(made.dendrogram.left, arrays.dendrogram.left);
  download(made.dendrogram.right, arrays.dendrogram.right);
  download(made.dendrogram.weights, arrays.dendrogram.squaredWeights);
  download(made.dendrogram.sizes, arrays.dendrogram.sizes);
  download(made.dendrogram.lowest, arrays.lowestPoints);
  download(made.dendrogram.order, arrays.order.order);
  download(made.dendrogram.positions, arrays.order.positions);
  download(made.dendrogram.begins, arrays.order.begins);
  download(made.dendrogram.splits, arrays.order.splits);
  download(made.borders.squaredCore, arrays.squaredCore);
  download(made.borders.firstReach, arrays.firstReach);
  download(made.borders.early, arrays.early);
  download(made.borders.offsets, arrays.borders.offsets);
  download(made.borders.squaredReach, arrays.borders.squaredReach);
  download(made.borders.positions, arrays.borders.positions);
  run.wait();
  for (const auto& [name, milliseconds] : stages.milliseconds()) {
    HierarchySeconds& s = arrays.seconds;
    // The stages of the dendrogram have names of their own.
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
