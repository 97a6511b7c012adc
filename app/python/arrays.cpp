#include "app/python/arrays.h"

#include <tbb/info.h>

#include <algorithm>
#include <cstdint>

#include "app/python/interruptible.h"
#include "engine/cloud/borrowed_cloud.h"

namespace clusterloom::python {

int arenaThreads(int threads) {
  const int most = tbb::info::default_concurrency();
  return threads > 0 ? std::min(threads, most) : most;
}

PointsView::PointsView(const py::buffer& array) : info_(array.request()) {
  if (info_.ndim != 2)
    throw py::value_error("X must be an array of two dimensions, (points, dimensions), not of " +
                          std::to_string(info_.ndim));
  const bool single = info_.format == py::format_descriptor<float>::format();
  if (!single && info_.format != py::format_descriptor<double>::format())
    throw py::value_error("X must be an array of float64 or float32");
  if (dims() > kMaxDims) raise(tooManyDims(dims()));  // before there is a column for each
  const auto aligned = [&](auto place) { return place % info_.itemsize == 0; };
  // Of one row or column the stride does not matter.
  const auto alignedAlong = [&](int axis) {
    return info_.shape[axis] <= 1 || aligned(info_.strides[axis]);
  };
  if (!aligned(reinterpret_cast<std::intptr_t>(info_.ptr)) || !alignedAlong(0) || !alignedAlong(1))
    throw py::value_error("X must be an aligned array, such as numpy.require(X, None, 'A')");
}

PointCloud PointsView::cloud() const {
  return borrowedCloud({.first = info_.ptr,
                        .points = points(),
                        .dims = dims(),
                        .pointStride = info_.strides[0],
                        .dimStride = info_.strides[1],
                        .single = single(),
                        .owner = nullptr});
}

void addMemory(py::module_& module) {
  py::class_<Memory>(module, "Memory", py::buffer_protocol()).def_buffer([](Memory& memory) {
    std::vector<py::ssize_t> strides(memory.shape.size(), memory.itemSize);
    for (std::size_t i = memory.shape.size(); i-- > 1;)
      strides[i - 1] = strides[i] * memory.shape[i];
    return py::buffer_info(memory.data, memory.itemSize, memory.format,
                           static_cast<py::ssize_t>(memory.shape.size()), memory.shape, strides);
  });
}

}  // namespace clusterloom::python
