// What HDBSCAN* finds, for Python: clusters, condensed tree, single-linkage tree, spanning tree.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/hdbscan_results.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/condensed_tree.h"
#include "engine/hierarchy/persistent_tree.h"
#include "engine/hierarchy/smallest_eps.h"

namespace clusterloom::python {

namespace {

/// The edges of the tree that findHdbscan found, as the bytes of CondensedRow.
Memory rowsOf(const py::buffer& clusterOf, const py::buffer& lambdas, const py::buffer& parents,
              const py::buffer& births, const py::buffer& sizes) {
  const Values<std::int32_t> clusters(clusterOf, "cluster_of");
  const Values<double> leaving(lambdas, "lambdas");
  const Values<std::int32_t> above(parents, "parents");
  const Values<double> birth(births, "births");
  const Values<std::uint32_t> size(sizes, "sizes");
  if (clusters.size() != leaving.size() || above.empty() || above.size() != birth.size() ||
      above.size() != size.size())
    throw py::value_error("the arrays are not those of one tree");
  CondensedTree tree;
  tree.clusterOf.assign(clusters.begin(), clusters.end());
  tree.lambda.assign(leaving.begin(), leaving.end());
  tree.clusters.resize(above.size());
  for (std::size_t c = 0; c < above.size(); ++c) {
    tree.clusters[c].parent = above[c];
    tree.clusters[c].birth = birth[c];
    tree.clusters[c].size = size[c];
  }
  return exportedBytes(condensedRows(tree));
}

/// A number of points. ValueError beyond `least` … the engine's counts.
std::uint32_t countOf(std::int64_t given, const char* name, std::int64_t least) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (given < least || given > kMost)
    throw py::value_error(std::string(name) + " must be between " + std::to_string(least) +
                          " and " + std::to_string(kMost) + ", not " + std::to_string(given));
  return static_cast<std::uint32_t>(given);
}

/// ValueError below 0.
double atLeastZero(double given, const char* name) {
  if (!(given >= 0)) throw py::value_error(std::string(name) + " must be 0 or above");
  return given;
}

HdbscanCall callOf(std::int64_t minClusterSize, bool leaves, bool allowSingleCluster,
                   double selectionEps, std::int64_t maxClusterSize, double largestEps,
                   double persistence) {
  return {
      .options = {.minClusterSize = countOf(minClusterSize, "min_cluster_size", 2),
                  .selection = leaves ? ClusterSelection::Leaves : ClusterSelection::ExcessOfMass,
                  .allowSingleCluster = allowSingleCluster,
                  .selectionEps = atLeastZero(selectionEps, "cluster_selection_epsilon"),
                  .maxClusterSize = countOf(maxClusterSize, "max_cluster_size", 0),
                  .largestEps = atLeastZero(largestEps, "cluster_selection_epsilon_max")},
      .persistence = atLeastZero(persistence, "cluster_selection_persistence")};
}

/// A minimum spanning tree of mutual reachability: rows of two points and their distance.
Memory spanningTreeRows(const py::buffer& points, std::int64_t minPts, int threads,
                        const std::vector<double>& periods, const std::string& metric,
                        const py::object& progress) {
  const PointsView view(points);
  const HierarchyOptions how{
      .minPts = minPts, .threads = threads, .periods = periods, .metric = metricOf(metric)};
  const LargeArray<TreeEdge> edges =
      interruptibly(progress, [&](const Task& task) -> Result<LargeArray<TreeEdge>> {
        const PointCloud cloud = view.cloud();
        return findSpanningTree(cloud, how, task);
      });
  LargeArray<double> rows;
  rows.reserve(3 * edges.size());
  for (const TreeEdge& edge : edges)
    rows.insert(rows.end(), {static_cast<double>(edge.a), static_cast<double>(edge.b),
                             smallestEps(edge.squaredWeight)});
  return exported(std::move(rows), 3);
}

}  // namespace

Result<HdbscanFound> findHdbscan(const Dendrogram& dendrogram, const HdbscanCall& call,
                                 const Task& task) {
  auto tree = condense(dendrogram, call.options.minClusterSize, task);
  if (!tree) return tl::unexpected(tree.error());
  HdbscanFound found{.tree = std::move(*tree), .flat = {}, .outlierScores = {}};
  if (call.persistence > 0) found.tree = persistentTree(std::move(found.tree), call.persistence);
  found.flat = takeClusters(found.tree, call.options);
  found.outlierScores = outlierScores(found.tree);
  return found;
}

py::dict asDict(HdbscanFound found) {
  py::dict result;
  result["clusters"] = found.flat.taken.size();
  result["labels"] = exported(std::move(found.flat.labels));
  result["probabilities"] = exported(std::move(found.flat.probabilities));
  result["taken"] = exported(std::move(found.flat.taken));
  result["persistence"] = exported(std::move(found.flat.persistence));
  result["outlier_scores"] = exported(std::move(found.outlierScores));
  result["parents"] = columnOf(found.tree.clusters, &CondensedCluster::parent);
  result["sizes"] = columnOf(found.tree.clusters, &CondensedCluster::size);
  result["births"] = columnOf(found.tree.clusters, &CondensedCluster::birth);
  result["stabilities"] = columnOf(found.tree.clusters, &CondensedCluster::stability);
  result["cluster_of"] = exported(std::move(found.tree.clusterOf));
  result["lambdas"] = exported(std::move(found.tree.lambda));
  return result;
}

Result<LargeArray<double>> linkageRows(const Dendrogram& tree, const Task& task) {
  LargeArray<double> rows(4 * tree.merges());
  for (std::size_t i = 0; i < tree.merges(); ++i) {
    if (i % 65536 == 0 && task.cancelled()) return cancelledError();
    double* row = rows.data() + 4 * i;
    row[0] = tree.left[i];
    row[1] = tree.right[i];
    row[2] = smallestEps(tree.squaredWeights[i]);
    row[3] = tree.sizes[i];
  }
  return rows;
}

void addHdbscan(py::module_& module) {
  using py::arg;
  py::class_<HdbscanCall>(module, "HdbscanCall")
      .def(py::init(&callOf), arg("min_cluster_size"), arg("leaves"), arg("allow_single_cluster"),
           arg("cluster_selection_epsilon"), arg("max_cluster_size"),
           arg("cluster_selection_epsilon_max") = std::numeric_limits<double>::infinity(),
           arg("cluster_selection_persistence") = 0.0);
  module.def("condensed_rows", &rowsOf, arg("cluster_of"), arg("lambdas"), arg("parents"),
             arg("births"), arg("sizes"));
  module.def("spanning_tree", &spanningTreeRows, arg("points"), arg("min_pts"), arg("threads"),
             arg("periods"), arg("metric"), arg("progress"));
}

}  // namespace clusterloom::python
