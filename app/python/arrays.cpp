#include "app/python/arrays.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <new>

namespace clusterloom::python {

int arenaThreads(int threads) {
  const int most = tbb::info::default_concurrency();
  return threads > 0 ? std::min(threads, most) : most;
}

PointsView::PointsView(const py::buffer& array) : info_(array.request()) {
  if (info_.ndim != 2)
    throw py::value_error("X must be an array of two dimensions, (points, dimensions), not of " +
                          std::to_string(info_.ndim));
  if (info_.format != py::format_descriptor<double>::format())
    throw py::value_error("X must be an array of float64");
}

std::vector<double> PointsView::column(std::size_t j, const Task& task) const {
  const std::size_t count = points();
  const py::ssize_t step = info_.strides[0];
  const char* at =
      static_cast<const char*>(info_.ptr) + info_.strides[1] * static_cast<py::ssize_t>(j);
  std::vector<double> values;
  if (step == sizeof(double)) {
    const auto* first = reinterpret_cast<const double*>(at);
    values.assign(first, first + count);
    return values;
  }
  // Appended block by block: each element is written once, and a stop is seen soon.
  constexpr std::size_t kBlock = 4096;
  double block[kBlock];
  values.reserve(count);
  for (std::size_t i = 0; i < count && !task.cancelled(); i += kBlock) {
    const std::size_t rows = std::min(kBlock, count - i);
    for (std::size_t r = 0; r < rows; ++r, at += step)
      block[r] = *reinterpret_cast<const double*>(at);
    values.insert(values.end(), block, block + rows);
  }
  return values;
}

Result<PointCloud> PointsView::copy(int threads, const Task& task) const {
  try {
    PointCloud cloud;
    cloud.columns.resize(dims());
    for (std::size_t j = 0; j < dims(); ++j) cloud.names.push_back(std::to_string(j));
    tbb::task_arena arena(arenaThreads(threads));
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, dims(),
                        [&](std::size_t j) { cloud.columns[j] = column(j, task); });
    });
    if (task.cancelled()) return cancelledError();
    return cloud;
  } catch (const std::bad_alloc&) {
    return tooLarge("There is no memory for a copy of " + std::to_string(points()) + " points in " +
                    std::to_string(dims()) + " dimensions.");
  }
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
