// Labels of new points by the clusters of others.
#include <utility>

#include "app/python/arrays.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/backend.h"

namespace clusterloom::python {

namespace {

/// For each of `points` the lowest label among the core points within eps, −1 where there is none.
Memory labelPointsByCore(const Engine& engine, const py::buffer& core, const py::buffer& labels,
                         const py::buffer& points, double eps, const py::object& progress) {
  const PointsView coreView(core);
  const PointsView view(points);
  const py::buffer_info info = labels.request();
  if (info.ndim != 1 || info.itemsize != sizeof(std::int32_t) ||
      static_cast<std::size_t>(info.size) != coreView.points() ||
      (info.size > 1 && info.strides[0] != sizeof(std::int32_t)))
    throw py::value_error("labels must be a contiguous array of int32, one for each core point");
  const auto* first = static_cast<const std::int32_t*>(info.ptr);
  return exported(
      interruptibly(progress, [&](const Task& task) -> Result<std::vector<std::int32_t>> {
        const PointCloud cloud = coreView.cloud();
        const PointCloud added = view.cloud();
        auto found = engine.backend->lowestLabels(
            JoinInput(added, cloud), {first, first + info.size}, eps, engine.strategy, task);
        if (!found) return tl::unexpected(found.error());
        return std::move(found->labels);
      }));
}

}  // namespace

void addLabels(py::module_& module) {
  using py::arg;
  module.def("label_points", &labelPointsByCore, arg("engine"), arg("core"), arg("labels"),
             arg("points"), arg("eps"), arg("progress"));
}

}  // namespace clusterloom::python
