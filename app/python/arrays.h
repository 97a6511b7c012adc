#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/cloud/point_cloud.h"

namespace clusterloom::python {

namespace py = pybind11;

/// Results of the engine as Python's buffer protocol offers them: numpy.asarray(memory) is an array
/// on them, without a copy, that keeps them alive. The protocol is used instead of NumPy's own
/// interface because that differs between the versions of NumPy and of pybind11.
struct Memory {
  std::shared_ptr<void> owner;
  void* data = nullptr;
  py::ssize_t itemSize = 1;
  std::string format;
  std::vector<py::ssize_t> shape;  ///< rows are contiguous
};

/// The values as rows of `columns` columns; 0: as an array of one dimension.
template <class Vector>
Memory exported(Vector values, std::size_t columns = 0) {
  using Value = typename Vector::value_type;
  const auto owner = std::make_shared<Vector>(std::move(values));
  static Value none{};
  Memory memory{.owner = owner,
                .data = owner->empty() ? &none : owner->data(),
                .itemSize = sizeof(Value),
                .format = py::format_descriptor<Value>::format(),
                .shape = {}};
  const auto size = static_cast<py::ssize_t>(owner->size());
  const auto width = static_cast<py::ssize_t>(columns);
  memory.shape =
      columns == 0 ? std::vector<py::ssize_t>{size} : std::vector<py::ssize_t>{size / width, width};
  return memory;
}

/// The same for values of a structure: an array of their bytes, for numpy.ndarray.view.
template <class Vector>
Memory exportedBytes(Vector values) {
  const auto owner = std::make_shared<Vector>(std::move(values));
  static unsigned char none = 0;
  return {.owner = owner,
          .data = owner->empty() ? static_cast<void*>(&none) : owner->data(),
          .itemSize = 1,
          .format = py::format_descriptor<unsigned char>::format(),
          .shape = {static_cast<py::ssize_t>(owner->size() * sizeof(typename Vector::value_type))}};
}

/// A member of all rows as an array.
template <class Row, class Value>
Memory columnOf(const std::vector<Row>& rows, Value Row::*member) {
  std::vector<Value> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(row.*member);
  return exported(std::move(values));
}

/// The values of a contiguous array of one dimension. ValueError for another one, called `name`.
/// Made, and destroyed, by a thread that holds the interpreter lock.
template <class Value>
class Values : public std::span<const Value> {
 public:
  Values(const py::buffer& array, const char* name) : info_(array.request()) {
    if (info_.ndim != 1 || info_.itemsize != sizeof(Value) ||
        (info_.size > 1 && info_.strides[0] != sizeof(Value)))
      throw py::value_error(std::string(name) + " must be a contiguous array of one dimension");
    static_cast<std::span<const Value>&>(*this) = {static_cast<const Value*>(info_.ptr),
                                                   static_cast<std::size_t>(info_.size)};
  }
  std::vector<Value> copy() const { return {this->begin(), this->end()}; }

 private:
  py::buffer_info info_;
};

/// Threads of an arena, 0 for all: never more than there are, of which TBB warns on standard error.
int arenaThreads(int threads);

/// Points in the memory of an array of shape (points, dims) of float64 or float32, aligned, of any
/// strides: C order, Fortran order, slices, files mapped into memory, and arrays that cannot be
/// written. Made, and destroyed, by a thread that holds the interpreter lock.
class PointsView {
 public:
  /// ValueError for another shape or type.
  explicit PointsView(const py::buffer& array);

  std::size_t points() const { return static_cast<std::size_t>(info_.shape[0]); }
  std::size_t dims() const { return static_cast<std::size_t>(info_.shape[1]); }
  /// Whether they are float32, else float64.
  bool single() const { return info_.itemsize == sizeof(float); }
  /// The points where they are. Not to be used after the view. Needs no interpreter lock.
  PointCloud cloud() const;

 private:
  py::buffer_info info_;
};

/// Adds the class Memory.
void addMemory(py::module_& module);

}  // namespace clusterloom::python
