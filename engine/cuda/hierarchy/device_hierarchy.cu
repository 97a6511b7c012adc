#include "engine/cuda/hierarchy/device_hierarchy.h"

#include <algorithm>
#include <bit>

#include "engine/cuda/hierarchy/cuda_machine.cuh"
#include "engine/hierarchy/group_dendrogram.h"
#include "engine/hierarchy/group_forest.h"
#include "engine/hierarchy/group_nearest.h"
#include "engine/hierarchy/group_tree.h"

namespace clusterloom {
namespace {

// Longer lists than core distances need leave less to search for the tree.
constexpr std::int64_t kMore = 3;

/// Lists by point instead of by place.
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

struct Built {
  GroupTree<CudaMachine> tree;
  NearestLists<CudaMachine> lists;
  GroupSpanningTree<CudaMachine> spanning;
  DeviceBuffer<std::uint32_t> order;  ///< of edges, ascending
};

std::uint32_t othersFor(std::size_t points, std::int64_t minPts) {
  const auto n = static_cast<std::int64_t>(points);
  // With no core points distances do not matter.
  if (minPts > n) return n > 1 ? 1 : 0;
  return static_cast<std::uint32_t>(
      std::min({minPts - 1 + kMore, std::int64_t{kMaxNearest - 1}, n - 1}));
}

struct NumberItems {
  std::uint32_t* to;
  template <class Lane>
  CLUSTERLOOM_LANE void operator()(Lane&, std::uint32_t i) const {
    to[i] = i;
  }
};

Built buildTree(CudaMachine& machine, const DeviceCloud& cloud, std::int64_t minPts) {
  Built built;
  built.tree = buildGroupTree(machine, cloud.coordinates.data(), cloud.size, cloud.dims);
  machine.stage("index");
  built.lists = nearestLists(machine, built.tree.view, othersFor(cloud.size, minPts));
  machine.stage("neighbours");
  built.spanning = groupSpanningTree(machine, built.tree.view, built.lists.view, minPts);
  built.order = machine.make<std::uint32_t>(cloud.size);
  machine.each(cloud.size, NumberItems{built.order.data()});
  // The last key is that of no edge: all ones.
  CUDA_CHECK(cudaMemsetAsync(built.spanning.weights.data() + (cloud.size - 1), 0xff,
                             sizeof(std::uint64_t), machine.stream()));
  machine.sortByKey(built.spanning.weights, built.order, 64);
  machine.stage("sort");
  return built;
}

}  // namespace

NearestNeighbours nearestOnGpu(GpuRun& run, const DeviceCloud& cloud, int k) {
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
  result.ids.resize(entries);
  result.squaredDistances.resize(entries);
  ids.download(result.ids);
  squared.download(result.squaredDistances);
  run.wait();
  return result;
}

LargeArray<TreeEdge> treeOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts) {
  StageEvents stages;
  CudaMachine machine(run, stages);
  const Built built = buildTree(machine, cloud, minPts);
  const std::size_t edges = cloud.size - 1;
  LargeArray<std::uint32_t> a(edges);
  LargeArray<std::uint32_t> b(edges);
  LargeArray<std::uint32_t> order(edges);
  LargeArray<std::uint64_t> weights(edges);
  LargeArray<std::uint32_t> ids(cloud.size);
  built.spanning.a.download(a);
  built.spanning.b.download(b);
  built.order.download(order);
  built.spanning.weights.download(weights);
  built.tree.ids.download(ids);
  run.wait();
  LargeArray<TreeEdge> result(edges);
  for (std::size_t i = 0; i < edges; ++i)
    result[i] = {ids[a[order[i]]], ids[b[order[i]]], std::bit_cast<double>(weights[i])};
  return result;
}

GroupDendrogram<CudaMachine> dendrogramOn(CudaMachine& machine, const Built& built) {
  return groupDendrogram(machine, built.tree.view.ids, built.tree.view.points, built.spanning.a,
                         built.spanning.b, built.spanning.weights, built.order);
}

Dendrogram dendrogramOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts,
                           LargeArray<std::uint32_t>& positions) {
  StageEvents stages;
  CudaMachine machine(run, stages);
  const Built built = buildTree(machine, cloud, minPts);
  const auto found = dendrogramOn(machine, built);
  Dendrogram result;
  const std::size_t merges = cloud.size - 1;
  result.points = cloud.size;
  result.left.resize(merges);
  result.right.resize(merges);
  result.squaredWeights.resize(merges);
  result.sizes.resize(merges);
  positions.resize(cloud.size);
  found.left.download(result.left);
  found.right.download(result.right);
  found.weights.download(result.squaredWeights);
  found.sizes.download(result.sizes);
  found.positions.download(positions);
  run.wait();
  return result;
}

StageTimes timeHierarchyOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts) {
  StageEvents stages;
  CudaMachine machine(run, stages);
  const Built built = buildTree(machine, cloud, minPts);
  const auto dendrogram = dendrogramOn(machine, built);
  run.wait();
  return stages.milliseconds();
}

}  // namespace clusterloom
