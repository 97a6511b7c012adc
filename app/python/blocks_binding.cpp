// DBSCAN of a cloud in blocks as functions on arrays, for clusterloom.dask: what engine/blocks has,
// where somebody else moves the points.
#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/blocks/cluster_block.h"
#include "engine/cpu/cpu_backend.h"

namespace clusterloom::python {

namespace {

/// A division of space, with its ε. Cells are cut, then dealt to blocks.
struct Division {
  SpaceDivision space;
  double eps = 0;
};

void checkLength(std::size_t found, std::size_t expected, const char* name) {
  if (found != expected)
    throw py::value_error(std::string(name) + " has " + std::to_string(found) +
                          " elements instead of " + std::to_string(expected));
}

template <class Value>
py::bytes bytesOf(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

template <class Value>
std::vector<Value> valuesIn(const py::handle& object) {
  const auto text = object.cast<std::string>();
  std::vector<Value> values(text.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), text.data(), values.size() * sizeof(Value));
  return values;
}

Division cut(const py::buffer& sample, double eps, int blocks) {
  const PointsView view(sample);
  return interruptibly(py::none(), [&](const Task&) -> Result<Division> {
    return Division{cutIntoCells(view.cloud().columns, eps, blocks), eps};
  });
}

py::tuple savedDivision(const Division& division) {
  py::list bounds;
  for (const auto& of : division.space.bounds) bounds.append(bytesOf(of));
  return py::make_tuple(division.eps, bytesOf(division.space.dims), bounds,
                        bytesOf(division.space.owner));
}

Division loadedDivision(const py::tuple& state) {
  Division division;
  division.eps = state[0].cast<double>();
  division.space.dims = valuesIn<std::size_t>(state[1]);
  for (const py::handle& of : state[2].cast<py::list>())
    division.space.bounds.push_back(valuesIn<double>(of));
  division.space.owner = valuesIn<int>(state[3]);
  setStrides(division.space);
  return division;
}

/// The points of each cell.
Memory countsOf(const Division& division, const py::buffer& points, int threads) {
  const PointsView view(points);
  using Counts = std::vector<std::uint64_t>;
  return exported(interruptibly(py::none(), [&](const Task&) -> Result<Counts> {
    const PointCloud cloud = view.cloud();
    tbb::task_arena arena(arenaThreads(threads));
    return arena.execute([&] { return histogram(division.space, cloud); });
  }));
}

/// Deals the cells; returns for each block its points, and an upper bound of its halo.
py::tuple deal(Division& division, const py::buffer& counts, int blocks) {
  const Values<std::uint64_t> given(counts, "counts");
  checkLength(given.size(), division.space.cells(), "counts");
  const auto sizes = interruptibly(py::none(), [&](const Task&) {
    return Result<std::vector<BlockSize>>(divide(division.space, given.copy(), blocks));
  });
  return py::make_tuple(columnOf(sizes, &BlockSize::own), columnOf(sizes, &BlockSize::mostHalo));
}

/// Which blocks hold each of the points, as bytes of BlockEntry.
Memory scatterOf(const Division& division, const py::buffer& points, int threads) {
  static_assert(sizeof(BlockEntry) == 8 && offsetof(BlockEntry, block) == 4 &&
                offsetof(BlockEntry, place) == 6);
  const PointsView view(points);
  using Entries = std::vector<BlockEntry>;
  return exportedBytes(interruptibly(py::none(), [&](const Task& task) -> Result<Entries> {
    const PointCloud cloud = view.cloud();
    tbb::task_arena arena(arenaThreads(threads));
    auto entries =
        arena.execute([&] { return Scatter(division.space, division.eps)(cloud, task); });
    if (task.cancelled()) return cancelledError();
    return entries;
  }));
}

/// What clustering a block finds.
py::dict clusterOne(const Engine& engine, const py::buffer& points, const py::buffer& ids,
                    const py::buffer& places, const std::optional<py::buffer>& weights, double eps,
                    std::int64_t minPts) {
  const PointsView view(points);
  const Values<std::uint64_t> numbers(ids, "ids");
  const Values<Place> held(places, "places");
  std::optional<Values<double>> weighted;
  if (weights) weighted.emplace(*weights, "weights");
  checkLength(numbers.size(), view.points(), "ids");
  checkLength(held.size(), view.points(), "places");
  if (weighted) checkLength(weighted->size(), view.points(), "weights");
  BlockClusters found = interruptibly(py::none(), [&](const Task& task) -> Result<BlockClusters> {
    BlockPoints block{view.cloud(), numbers.copy(), held.copy(), {}};
    if (weighted) block.weights = weighted->copy();
    // A backend without joins of two clouds leaves them to the CPU.
    const auto cpu =
        engine.backend->limits().twoClouds ? nullptr : makeCpuBackend(arenaThreads(engine.threads));
    return clusterBlock(block, {eps, minPts}, *engine.backend, cpu ? *cpu : *engine.backend,
                        engine.strategy, task);
  });
  std::vector<std::uint8_t> core;
  core.reserve(found.roles.size());
  for (const PointRole role : found.roles) core.push_back(role == PointRole::Core);
  py::dict result;
  result["labels"] = exported(std::move(found.labels));
  result["core"] = exported(std::move(core));
  result["lowest"] = exported(std::move(found.lowest));
  result["link_ids"] = columnOf(found.links, &BlockLink::id);
  result["link_clusters"] = columnOf(found.links, &BlockLink::cluster);
  result["choice_points"] = columnOf(found.choices, &BorderChoice::point);
  result["choice_clusters"] = columnOf(found.choices, &BorderChoice::cluster);
  return result;
}

/// The final numbers of the clusters of all blocks, which are numbered one block after the other,
/// and how many there are. Links come in ascending order of their ids.
py::tuple merged(const py::buffer& lowest, const py::buffer& linkIds,
                 const py::buffer& linkClusters) {
  const Values<std::uint64_t> lowestPoints(lowest, "lowest");
  const Values<std::uint64_t> ids(linkIds, "link_ids");
  const Values<std::uint32_t> clusters(linkClusters, "link_clusters");
  checkLength(clusters.size(), ids.size(), "link_clusters");
  PartNumbers found = interruptibly(py::none(), [&](const Task&) -> Result<PartNumbers> {
    BlockMerge merge;
    if (auto added = merge.add(lowestPoints); !added) return tl::unexpected(added.error());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (clusters[i] >= merge.clusters())
        return badCall("A link names a cluster that there is not.");
      merge.link(ids[i], clusters[i]);
    }
    return merge.numbers();
  });
  return py::make_tuple(exported(std::move(found.numbers)), found.clusters);
}

/// The final labels of a block's own points.
Memory relabelled(const py::buffer& labels, const py::buffer& choicePoints,
                  const py::buffer& choiceClusters, const py::buffer& numbers) {
  const Values<std::int32_t> given(labels, "labels");
  const Values<std::uint32_t> border(choicePoints, "choice_points");
  const Values<std::int32_t> clusters(choiceClusters, "choice_clusters");
  const Values<std::int32_t> merged(numbers, "numbers");
  checkLength(clusters.size(), border.size(), "choice_clusters");
  using Labels = std::vector<std::int32_t>;
  return exported(interruptibly(py::none(), [&](const Task&) -> Result<Labels> {
    Labels copy = given.copy();
    std::vector<BorderChoice> choices;
    for (std::size_t i = 0; i < border.size(); ++i) choices.push_back({border[i], clusters[i]});
    relabel(copy, choices, merged);
    return copy;
  }));
}

}  // namespace

void addBlocks(py::module_& module) {
  using py::arg;
  py::class_<Division>(module, "Division")
      .def(py::init(&cut), arg("sample"), arg("eps"), arg("blocks"))
      .def("counts", &countsOf, arg("points"), arg("threads"))
      .def("deal", &deal, arg("counts"), arg("blocks"))
      .def("scatter", &scatterOf, arg("points"), arg("threads"))
      .def(py::pickle(&savedDivision, &loadedDivision));
  module.def("cluster_block", &clusterOne, arg("engine"), arg("points"), arg("ids"), arg("places"),
             arg("weights").none(true), arg("eps"), arg("min_pts"));
  module.def("merge_clusters", &merged, arg("lowest"), arg("link_ids"), arg("link_clusters"));
  module.def("relabel_block", &relabelled, arg("labels"), arg("choice_points"),
             arg("choice_clusters"), arg("numbers"));
}

}  // namespace clusterloom::python
