// The class Hierarchy of the module, HDBSCAN* from it, and the nearest neighbours.
#include <pybind11/stl.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <limits>
#include <optional>

#include "app/python/arrays.h"
#include "app/python/hdbscan_results.h"
#include "app/python/hierarchy_state.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/core/number_text.h"
#include "engine/dbscan/default_min_pts.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/hierarchy.h"
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
