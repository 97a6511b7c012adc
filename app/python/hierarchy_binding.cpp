// The class Hierarchy of the module, also as bytes, HDBSCAN* from it, and the nearest neighbours.
#include <pybind11/stl.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/hdbscan_results.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/core/number_text.h"
#include "engine/dbscan/default_min_pts.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/hierarchy_builder.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/reachability.h"
#include "engine/hierarchy/smallest_eps.h"

namespace clusterloom::python {

namespace {

Hierarchy build(const py::buffer& points, std::int64_t minPts, int threads,
                const std::string& backend, int device, const std::vector<double>& periods,
                const std::string& metric, const py::object& progress) {
  const PointsView view(points);
  const HierarchyOptions how{
      .minPts = minPts, .threads = threads, .periods = periods, .metric = metricOf(metric)};
  return interruptibly(progress, [&](const Task& task) -> Result<Hierarchy> {
    const PointCloud cloud = view.cloud();
    return buildHierarchy(cloud, how, {backend, device}, task);
  });
}

py::dict labels(const Hierarchy& hierarchy, double eps) {
  Clustering found = interruptibly(py::none(), [&](const Task&) { return hierarchy.labels(eps); });
  py::dict result;
  result["labels"] = exported(std::move(found.labels));
  result["roles"] = exportedBytes(std::move(found.roles));
  return result;
}

py::dict curve(const Hierarchy& hierarchy, const py::object& progress) {
  EpsCurve found =
      interruptibly(progress, [&](const Task& task) { return epsCurve(hierarchy, task); });
  py::dict result;
  result["eps"] = exported(std::move(found.eps));
  result["clusters"] = exported(std::move(found.clusters));
  result["noise"] = exported(std::move(found.noise));
  result["largest"] = exported(std::move(found.largest));
  return result;
}

Memory linkage(const Hierarchy& hierarchy) {
  return exported(
      interruptibly(py::none(),
                    [&](const Task& task) { return linkageRows(hierarchy.dendrogram(), task); }),
      4);
}

Memory coreDistances(const Hierarchy& hierarchy) {
  const auto squared = hierarchy.squaredCoreDistances();
  LargeArray<double> distances(squared.size());
  for (std::size_t p = 0; p < squared.size(); ++p)
    distances[p] = std::isfinite(squared[p]) ? smallestEps(squared[p])
                                             : std::numeric_limits<double>::infinity();
  return exported(std::move(distances));
}

py::dict reachability(const Hierarchy& hierarchy) {
  Reachability plot = interruptibly(
      py::none(), [&](const Task& task) { return reachabilityOf(hierarchy.dendrogram(), task); });
  for (double& height : plot.squaredHeight)
    if (std::isfinite(height)) height = smallestEps(height);
  py::dict result;
  result["order"] = exported(std::move(plot.order));
  result["heights"] = exported(std::move(plot.squaredHeight));
  return result;
}

py::dict kDistancesOfPoints(const py::buffer& points, std::int64_t k, std::uint64_t mostSampled,
                            int threads, const std::string& metric, const py::object& progress) {
  const PointsView view(points);
  const Metric measured = metricOf(metric);
  KDistances found = interruptibly(progress, [&](const Task& task) -> Result<KDistances> {
    if (k > static_cast<std::int64_t>(view.points()))
      return badCall("k is " + std::to_string(k) + " for only " +
                     countedText(view.points(), "point") + ". Use a smaller k.");
    const PointCloud cloud = view.cloud();
    if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
    tbb::task_arena arena(arenaThreads(threads));
    return arena.execute(
        [&] { return kDistancesOfAll(cloud, static_cast<int>(k), mostSampled, task, measured); });
  });
  py::dict result;
  result["whole"] = found.isWhole;
  result["suggested_eps"] = found.suggestedEps;
  result["distances"] = exported(std::move(found.distances));
  return result;
}

py::dict hdbscan(const Hierarchy& hierarchy, const HdbscanCall& call, const py::object& progress) {
  return asDict(interruptibly(
      progress, [&](const Task& task) { return findHdbscan(hierarchy.dendrogram(), call, task); }));
}

py::dict nearest(const py::buffer& points, const std::optional<py::buffer>& others, int k,
                 int threads, const HierarchyProcessor& processor,
                 const std::vector<double>& periods, Metric metric, const py::object& progress) {
  const PointsView view(points);
  std::optional<PointsView> otherView;
  if (others) otherView.emplace(*others);
  NearestNeighbours found =
      interruptibly(progress, [&](const Task& task) -> Result<NearestNeighbours> {
        const std::size_t most = otherView ? otherView->points() : view.points();
        if (static_cast<std::size_t>(std::max(k, 0)) > most)
          return badCall("k is " + std::to_string(k) + " for only " + countedText(most, "point") +
                         ". Use a smaller k.");
        const PointCloud cloud = view.cloud();
        const PointCloud other = otherView ? otherView->cloud() : PointCloud{};
        const JoinInput input = otherView ? JoinInput(cloud, other) : JoinInput(cloud);
        auto rows = findNearest(input, k, threads, processor, task, nullptr, periods, metric);
        if (rows)
          for (double& distance : rows->squaredDistances) distance = std::sqrt(distance);
        return rows;
      });
  const auto columns = static_cast<std::size_t>(found.k);
  py::dict result;
  result["distances"] = exported(std::move(found.squaredDistances), columns);
  result["ids"] = exported(std::move(found.ids), columns);
  return result;
}

double suggestedEps(const py::buffer& points, std::int64_t minPts) {
  const PointsView view(points);
  return interruptibly(py::none(), [&](const Task& task) -> Result<double> {
    const PointCloud cloud = view.cloud();
    if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
    constexpr std::uint64_t kMostSampled = 10'000;
    const int k = static_cast<int>(std::clamp<std::int64_t>(
        minPts, 1, static_cast<std::int64_t>(std::min<std::size_t>(cloud.size(), 1U << 30))));
    const auto distances = kDistancesOfAll(cloud, k, kMostSampled, task);
    if (!distances) return tl::unexpected(distances.error());
    return distances->suggestedEps > 0 ? distances->suggestedEps
                                       : sensibleEpsRange(cloud, task).high;
  });
}

/// Calls use(name, array, values) for each array; `values` is how many it has for n points, 0 where
/// that depends on the points.
template <class Arrays, class Use>
void forArrays(Arrays& arrays, std::size_t n, const Use& use) {
  const std::size_t merges = n - 1;
  use("squared_core", arrays.squaredCore, n);
  use("left", arrays.dendrogram.left, merges);
  use("right", arrays.dendrogram.right, merges);
  use("squared_weights", arrays.dendrogram.squaredWeights, merges);
  use("sizes", arrays.dendrogram.sizes, merges);
  use("lowest_points", arrays.lowestPoints, merges);
  use("order", arrays.order.order, n);
  use("positions", arrays.order.positions, n);
  use("begins", arrays.order.begins, merges);
  use("splits", arrays.order.splits, n);
  use("border_offsets", arrays.borders.offsets, n + 1);
  use("border_reach", arrays.borders.squaredReach, std::size_t{0});
  use("border_positions", arrays.borders.positions, std::size_t{0});
  use("first_reach", arrays.firstReach, n);
}

[[noreturn]] void refuse(const std::string& name) {
  throw py::value_error("the state of a Hierarchy is damaged: " + name);
}

/// Each node but the last is a child of one later merge, whose size is that of its children.
void checkMerges(const Dendrogram& tree) {
  const std::size_t n = tree.points;
  std::vector<bool> isChild(2 * n - 1, false);
  const auto take = [&](std::uint32_t node, std::size_t merge, const char* name) {
    if (node >= n + merge || isChild[node]) refuse(name);
    isChild[node] = true;
    return tree.sizeOf(node);
  };
  for (std::size_t merge = 0; merge + 1 < n; ++merge) {
    const std::uint64_t left = take(tree.left[merge], merge, "left");
    if (left + take(tree.right[merge], merge, "right") != tree.sizes[merge]) refuse("sizes");
  }
}

/// Every index of the arrays is one of its target.
void checkIndices(const HierarchyArrays& arrays) {
  const std::size_t n = arrays.dendrogram.points;
  const auto below = [](const auto& values, std::size_t end, const char* name) {
    for (const std::uint32_t value : values)
      if (value >= end) refuse(name);
  };
  checkMerges(arrays.dendrogram);
  below(arrays.lowestPoints, n, "lowest_points");
  below(arrays.order.order, n, "order");
  below(arrays.order.positions, n, "positions");
  below(arrays.order.begins, n, "begins");
  below(arrays.order.splits, n, "splits");
  for (std::size_t i = 1; i < n; ++i)  // nothing is before position 0
    if (arrays.order.splits[i] >= n - 1) refuse("splits");
  for (std::size_t i = 0; i < n; ++i)
    if (arrays.order.positions[arrays.order.order[i]] != i) refuse("positions");
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (arrays.order.begins[i] + std::size_t{arrays.dendrogram.sizes[i]} > n) refuse("begins");
  below(arrays.borders.positions, n, "border_positions");
  const auto& offsets = arrays.borders.offsets;
  for (std::size_t p = 0; p < n; ++p)
    if (offsets[p] > offsets[p + 1]) refuse("border_offsets");
  if (offsets[0] != 0 || offsets[n] != arrays.borders.positions.size() ||
      offsets[n] != arrays.borders.squaredReach.size())
    refuse("border_offsets");
  for (const EarlyPoint& early : arrays.early)
    if (early.point >= n || early.merge > n) refuse("early");
}

/// A hierarchy as a dictionary of arrays, for pickle. A copy.
py::dict stateOf(const Hierarchy& hierarchy) {
  HierarchyArrays arrays = HierarchyBuilder::arraysOf(hierarchy);
  py::dict state;
  state["min_pts"] = arrays.minPts;
  state["points"] = arrays.dendrogram.points;
  state["early"] = exportedBytes(std::move(arrays.early));
  forArrays(arrays, hierarchy.points(), [&](const char* name, auto& values, std::size_t) {
    state[name] = exported(std::move(values));
  });
  return state;
}

/// The hierarchy of such a dictionary. ValueError where its arrays do not fit together.
Hierarchy hierarchyOf(const py::dict& state) {
  HierarchyArrays arrays;
  arrays.minPts = state["min_pts"].cast<std::int64_t>();
  arrays.dendrogram.points = state["points"].cast<std::size_t>();
  if (arrays.minPts < 1) refuse("min_pts");
  if (arrays.dendrogram.points < 1 || arrays.dendrogram.points > kMaxPoints) refuse("points");
  // The bytes of an array of the state.
  const auto fill = [&](const char* name, auto& values) {
    using Value = typename std::remove_reference_t<decltype(values)>::value_type;
    const py::buffer_info info = state[name].cast<py::buffer>().request();
    const auto bytes = static_cast<std::size_t>(info.size * info.itemsize);
    if (info.ndim != 1 || (info.size > 1 && info.strides[0] != info.itemsize) ||
        bytes % sizeof(Value) != 0)
      refuse(name);
    values.resize(bytes / sizeof(Value));
    if (bytes != 0) std::memcpy(static_cast<void*>(values.data()), info.ptr, bytes);
  };
  fill("early", arrays.early);
  forArrays(arrays, arrays.dendrogram.points,
            [&](const char* name, auto& values, std::size_t expected) {
              fill(name, values);
              if (expected != 0 && values.size() != expected) refuse(name);
            });
  checkIndices(arrays);
  return HierarchyBuilder::of(std::move(arrays));
}

}  // namespace

void addHierarchy(py::module_& module) {
  using py::arg;
  py::class_<Hierarchy>(module, "Hierarchy")
      .def_static("build", &build, arg("points"), arg("min_pts"), arg("threads"), arg("backend"),
                  arg("device"), arg("periods"), arg("metric"), arg("progress"))
      .def_property_readonly("points", &Hierarchy::points)
      .def_property_readonly("min_pts", &Hierarchy::minPts)
      .def_property_readonly("bytes", &Hierarchy::bytes)
      .def("labels", &labels, arg("eps"))
      .def("curve", &curve, arg("progress"))
      .def("linkage", &linkage)
      .def("core_distances", &coreDistances)
      .def("reachability", &reachability)
      .def("hdbscan", &hdbscan, arg("call"), arg("progress"))
      .def("state", &stateOf)
      .def_static("of_state", &hierarchyOf, arg("state"));
  module.def(
      "nearest",
      [](const py::buffer& points, const std::optional<py::buffer>& others, int k, int threads,
         const std::string& backend, int device, const std::vector<double>& periods,
         const std::string& metric, const py::object& progress) {
        return nearest(points, others, k, threads, {backend, device}, periods, metricOf(metric),
                       progress);
      },
      arg("points"), arg("others").none(true), arg("k"), arg("threads"), arg("backend"),
      arg("device"), arg("periods"), arg("metric"), arg("progress"));
  module.def("k_distances", &kDistancesOfPoints, arg("points"), arg("k"), arg("most_sampled"),
             arg("threads"), arg("metric"), arg("progress"));
  module.def("suggested_eps", &suggestedEps, arg("points"), arg("min_pts"));
  module.def("default_min_pts", &defaultMinPts, arg("points"), arg("dims"));
}

}  // namespace clusterloom::python
