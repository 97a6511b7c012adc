// DBSCAN and HDBSCAN* of neighbours and distances that the caller computed.
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/hdbscan_results.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/dbscan/graph_labels.h"
#include "engine/hierarchy/graph_dendrogram.h"

namespace clusterloom::python {

namespace {

Memory graphLabels(const py::buffer& starts, const py::buffer& ids, const py::buffer& core,
                   const py::object& progress) {
  const Values<std::int64_t> begins(starts, "starts");
  const Values<std::int64_t> neighbours(ids, "ids");
  const Values<std::uint8_t> flags(core, "core");
  const NeighbourLists<> lists{.starts = begins, .ids = neighbours};
  return exported(interruptibly(
      progress, [&](const Task& task) { return labelsOfNeighbours(lists, flags, task); }));
}

/// Edges from (point, point, weight), a column each.
std::vector<TreeEdge> edgesOf(std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                              std::span<const double> weights) {
  constexpr auto kNobody = std::numeric_limits<std::uint32_t>::max();
  const auto pointOf = [](std::int64_t id) {
    return id >= 0 && id < kNobody ? static_cast<std::uint32_t>(id) : kNobody;
  };
  std::vector<TreeEdge> edges(weights.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const double weight = weights[i] < 0 ? 0 : weights[i];  // NaN stays, and is refused later
    edges[i] = {pointOf(a[i]), pointOf(b[i]), weight * weight};
  }
  return edges;
}

/// ValueError for distances below 0 by more than rounding (as of 1 − cos), and for those whose
/// square is no normal number: the engine compares squares.
void checkSquares(std::span<const double> distances) {
  constexpr double kRounding = 1e-12;
  for (const double distance : distances) {
    if (distance < -kRounding) throw py::value_error("Distances must not be negative.");
    if (distance > 0 && std::isfinite(distance) && !std::isnormal(distance * distance))
      throw py::value_error("A distance of " + std::string(py::str(py::float_(distance))) +
                            " has no square as a number of 64 bits. Scale the distances.");
  }
}

py::dict graphHdbscan(std::size_t points, const py::buffer& a, const py::buffer& b,
                      const py::buffer& weights, const HdbscanCall& call,
                      const py::object& progress) {
  const Values<std::int64_t> from(a, "a");
  const Values<std::int64_t> to(b, "b");
  const Values<double> lengths(weights, "weights");
  if (from.size() != lengths.size() || to.size() != lengths.size())
    throw py::value_error("a, b and weights must have the same length");
  checkSquares(lengths);
  LargeArray<double> linkage;
  py::dict result = asDict(interruptibly(progress, [&](const Task& task) -> Result<HdbscanFound> {
    const auto tree = dendrogramOfGraph(points, edgesOf(from, to, lengths), task);
    if (!tree) return tl::unexpected(tree.error());
    auto rows = linkageRows(*tree, task);
    if (!rows) return tl::unexpected(rows.error());
    linkage = std::move(*rows);
    return findHdbscan(*tree, call, task);
  }));
  result["linkage"] = exported(std::move(linkage), 4);
  return result;
}

/// MemoryError where HDBSCAN* of `stored` distances would not fit.
void checkMatrixFits(std::uint64_t points, std::uint64_t stored, std::uint64_t bytesOfEach) {
  if (auto fits = checkDistancesFit(points, stored, bytesOfEach); !fits) raise(fits.error());
}

}  // namespace

void addGraphs(py::module_& module) {
  using py::arg;
  module.def("graph_labels", &graphLabels, arg("starts"), arg("ids"), arg("core"), arg("progress"));
  module.def("check_matrix_fits", &checkMatrixFits, arg("points"), arg("stored"),
             arg("bytes_of_each"));
  module.def("graph_hdbscan", &graphHdbscan, arg("points"), arg("a"), arg("b"), arg("weights"),
             arg("call"), arg("progress"));
}

}  // namespace clusterloom::python
