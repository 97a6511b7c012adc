// How far to trust clusters: DBCV, resampling, and how labels agree.
#include <pybind11/stl.h>

#include "app/python/arrays.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/dbscan/label_agreement.h"
#include "engine/validity/cluster_validity.h"
#include "engine/validity/resampling.h"
#include "engine/validity/stability_over_eps.h"

namespace clusterloom::python {

namespace {

/// A copy of an array of int32 and one dimension.
std::vector<std::int32_t> labelsOf(const py::buffer& labels) {
  return Values<std::int32_t>(labels, "labels").copy();
}

py::dict validity(const py::buffer& points, const py::buffer& labels, int threads,
                  const py::object& progress) {
  const PointsView view(points);
  const std::vector<std::int32_t> given = labelsOf(labels);
  const Validity found = interruptibly(progress, [&](const Task& task) -> Result<Validity> {
    const PointCloud cloud = view.cloud();
    return densityBasedValidity(cloud, given, threads, task);
  });
  py::dict result;
  result["score"] = found.index;
  result["clusters"] = columnOf(found.clusters, &ClusterValidity::cluster);
  result["points"] = columnOf(found.clusters, &ClusterValidity::points);
  result["validity"] = columnOf(found.clusters, &ClusterValidity::validity);
  result["sparseness"] = columnOf(found.clusters, &ClusterValidity::sparseness);
  result["separation"] = columnOf(found.clusters, &ClusterValidity::separation);
  result["nearest"] = columnOf(found.clusters, &ClusterValidity::nearest);
  return result;
}

py::dict stability(const Engine& engine, const py::buffer& points, const py::buffer& labels,
                   double eps, std::int64_t minPts, std::uint32_t resamples, double share,
                   std::uint64_t seed, const py::object& progress) {
  using Rows = std::vector<ClusterStability>;
  const PointsView view(points);
  const std::vector<std::int32_t> given = labelsOf(labels);
  const Rows found = interruptibly(progress, [&](const Task& task) -> Result<Rows> {
    const PointCloud cloud = view.cloud();
    const DbscanParams params{eps, minPtsOfSample(minPts, share)};
    return stabilityByResampling(
        cloud, given, {.resamples = resamples, .share = share, .seed = seed},
        [&](const PointCloud& sample, const Task& ofSample) -> Result<std::vector<std::int32_t>> {
          auto clustering = engine.backend->dbscan(sample, params, engine.strategy, ofSample);
          if (!clustering) return tl::unexpected(clustering.error());
          return std::move(clustering->labels);
        },
        task);
  });
  py::dict result;
  result["clusters"] = columnOf(found, &ClusterStability::cluster);
  result["points"] = columnOf(found, &ClusterStability::points);
  result["jaccard"] = columnOf(found, &ClusterStability::jaccard);
  result["samples"] = columnOf(found, &ClusterStability::samples);
  result["found"] = columnOf(found, &ClusterStability::found);
  return result;
}

py::dict stabilityOverEpsOf(const py::buffer& points, const Hierarchy& hierarchy,
                            const std::vector<double>& eps, const ResamplingOptions& options,
                            const HierarchyOptions& samples, const py::object& progress) {
  using Rows = std::vector<StabilityAt>;
  const PointsView view(points);
  const Rows found = interruptibly(progress, [&](const Task& task) -> Result<Rows> {
    const PointCloud cloud = view.cloud();
    return stabilityOverEps(cloud, hierarchy, eps, options, samples, task);
  });
  py::dict result;
  result["eps"] = columnOf(found, &StabilityAt::eps);
  result["mean"] = columnOf(found, &StabilityAt::mean);
  result["low"] = columnOf(found, &StabilityAt::low);
  result["high"] = columnOf(found, &StabilityAt::high);
  return result;
}

py::dict figures(const LabelFigures& of) {
  py::dict result;
  result["clusters"] = of.clusters;
  result["noise"] = of.noise;
  result["largest"] = of.largest;
  return result;
}

py::dict compare(const py::buffer& labels, const py::buffer& others, const py::object& progress) {
  const std::vector<std::int32_t> a = labelsOf(labels);
  const std::vector<std::int32_t> b = labelsOf(others);
  const LabelAgreement found =
      interruptibly(progress, [&](const Task& task) { return compareLabels(a, b, task); });
  py::dict result;
  result["points"] = found.points;
  result["adjusted_rand_index"] = found.adjustedRandIndex();
  result["pairs"] = found.pairs;
  result["pairs_together"] = found.together;
  result["pairs_together_in_labels"] = found.togetherA;
  result["pairs_together_in_other"] = found.togetherB;
  result["labels"] = figures(found.a);
  result["other"] = figures(found.b);
  return result;
}

}  // namespace

void addValidity(py::module_& module) {
  using py::arg;
  module.def("validity", &validity, arg("points"), arg("labels"), arg("threads"), arg("progress"));
  module.def("stability", &stability, arg("engine"), arg("points"), arg("labels"), arg("eps"),
             arg("min_pts"), arg("resamples"), arg("share"), arg("seed"), arg("progress"));
  module.def(
      "stability_over_eps",
      [](const py::buffer& points, const Hierarchy& hierarchy, const std::vector<double>& eps,
         std::uint32_t resamples, double share, std::uint64_t seed, int threads,
         const std::vector<double>& periods, const std::string& metric,
         const py::object& progress) {
        return stabilityOverEpsOf(
            points, hierarchy, eps, {.resamples = resamples, .share = share, .seed = seed},
            {.threads = threads, .periods = periods, .metric = metricOf(metric)}, progress);
      },
      arg("points"), arg("hierarchy"), arg("eps"), arg("resamples"), arg("share"), arg("seed"),
      arg("threads"), arg("periods"), arg("metric"), arg("progress"));
  module.def("compare", &compare, arg("labels"), arg("others"), arg("progress"));
}

}  // namespace clusterloom::python
