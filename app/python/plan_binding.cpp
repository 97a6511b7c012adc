// Before a run: what joins are expected to find and to take, and what DBSCAN finds for every
// minPts.
#include "engine/run_plan.h"

#include <pybind11/stl.h>

#include <utility>

#include "app/python/arrays.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/dbscan/min_pts_curve.h"

namespace clusterloom::python {

namespace {

py::object plan(const Engine& engine, const py::buffer& points, double eps,
                const std::vector<std::uint64_t>& ranks, std::uint64_t querySets,
                std::int64_t minPts, double bytesPerSecond, double latency,
                double candidatesPerSecond, double pointsPerSecond, const py::object& progress) {
  const PointsView view(points);
  const RunPlanOptions options{
      .strategy = engine.strategy,
      .ranks = {.ranks = ranks,
                .querySets = querySets,
                .given = {.candidates = candidatesPerSecond, .indexedPoints = pointsPerSecond},
                .network = {.bytesPerSecond = bytesPerSecond, .latency = latency},
                .space = engine.space},
      .minPts = minPts,
      .threads = engine.threads};
  const RunPlan found = interruptibly(progress, [&](const Task& task) -> Result<RunPlan> {
    const PointCloud cloud = view.cloud();
    return planRun(*engine.backend, cloud, eps, options, task);
  });
  Json told;
  addPlan(told, *engine.backend, found, minPts);
  return fromJson(told);
}

py::dict costOfDims(const Engine& engine, const py::buffer& points, double eps,
                    const py::object& progress) {
  const PointsView view(points);
  const CostModel found = interruptibly(progress, [&](const Task& task) -> Result<CostModel> {
    const PointCloud cloud = view.cloud();
    return costOfCounting(*engine.backend, cloud, eps, engine.space, engine.strategy,
                          engine.threads, task);
  });
  std::vector<std::int64_t> k;
  for (const CostOfK& cost : found.costs) k.push_back(cost.k);
  py::dict result;
  result["best"] = found.best;
  result["sampled"] = found.sampled;
  result["dimension_order"] = py::cast(found.dimensionOrder);
  result["k"] = exported(std::move(k));
  result["cell_search"] = columnOf(found.costs, &CostOfK::cellSearchOps);
  result["distances"] = columnOf(found.costs, &CostOfK::distanceOps);
  return result;
}

py::dict everyMinPts(const Engine& engine, const py::buffer& points, double eps,
                     const py::object& progress) {
  const PointsView view(points);
  MinPtsCurve found = interruptibly(progress, [&](const Task& task) -> Result<MinPtsCurve> {
    const PointCloud cloud = view.cloud();
    const auto table = engine.backend->neighbourTable(cloud, eps, engine.strategy, task);
    if (!table) return tl::unexpected(table.error());
    return minPtsCurve(*table, task);
  });
  py::dict result;
  result["min_samples"] = exported(std::move(found.minPts));
  result["clusters"] = exported(std::move(found.clusters));
  result["core"] = exported(std::move(found.core));
  result["noise"] = exported(std::move(found.noise));
  return result;
}

}  // namespace

void addPlans(py::module_& module) {
  using py::arg;
  module.def("plan", &plan, arg("engine"), arg("points"), arg("eps"), arg("ranks"),
             arg("query_sets"), arg("min_pts"), arg("bytes_per_second"), arg("latency"),
             arg("candidates_per_second"), arg("points_per_second"), arg("progress"));
  module.def("cost_of_k", &costOfDims, arg("engine"), arg("points"), arg("eps"), arg("progress"));
  module.def("min_pts_curve", &everyMinPts, arg("engine"), arg("points"), arg("eps"),
             arg("progress"));
}

}  // namespace clusterloom::python
