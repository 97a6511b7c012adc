#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace clusterloom {

/// Numbers in memory of the caller: `size` of them, `stride` bytes apart, each aligned for its
/// type.
struct BorrowedValues {
  const char* first = nullptr;
  std::size_t size = 0;
  std::ptrdiff_t stride = sizeof(double);
  bool single = false;                ///< float, else double
  std::shared_ptr<const void> owner;  ///< kept while they are used; null: the caller sees to that

  double operator[](std::size_t i) const {
    const char* const at = first + std::ptrdiff_t(i) * stride;
    return single ? double(*reinterpret_cast<const float*>(at))
                  : *reinterpret_cast<const double*>(at);
  }
};

/// One coordinate of every point of a cloud. Owns doubles, as a std::vector does, or borrows
/// doubles or floats that are in memory already; every float is exactly a double, so readers see
/// the same numbers. A copy of borrowed coordinates borrows the same memory.
///
/// Reading one number (`operator[]` of a constant) never copies the others, and `withValues` reads
/// all of them in place. `doubles`, `begin`, `data` and the conversion give contiguous doubles: for
/// borrowed coordinates a copy, made once, kept as long as the memory is borrowed, and shared by
/// all copies. Functions that change coordinates make them owned first. The numbers must not change
/// while they are borrowed: calls compute places in memory from what they have read before.
///
/// Constant coordinates may be read by several threads. Throws std::bad_alloc where memory is
/// short.
class Coordinates {
 public:
  using value_type = double;
  using iterator = double*;
  using const_iterator = const double*;

  Coordinates() = default;
  Coordinates(std::vector<double> values) : own_(std::move(values)) {}
  Coordinates(std::initializer_list<double> values) : own_(values) {}
  explicit Coordinates(std::size_t size, double value = 0) : own_(size, value) {}
  template <std::input_iterator Iterator>
  Coordinates(Iterator first, Iterator last) : own_(first, last) {}
  explicit Coordinates(BorrowedValues values);

  std::size_t size() const { return borrowed_ ? borrowed_->size : own_.size(); }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const { return borrowed_ ? (*borrowed_)[i] : own_[i]; }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }

  /// The coordinates of points `begin` to `end`: a copy of owned ones, else borrowed.
  Coordinates part(std::size_t begin, std::size_t end) const;

  /// The borrowed values; null where they are owned.
  const BorrowedValues* borrowed() const { return borrowed_.get(); }
  /// Whether there is a copy of borrowed numbers.
  bool copied() const;

  const std::vector<double>& doubles() const { return borrowed_ ? copyOfBorrowed() : own_; }
  operator const std::vector<double>&() const& { return doubles(); }
  const double* data() const { return doubles().data(); }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size(); }

  /// The coordinates as a vector to change. Owned from now on.
  std::vector<double>& own() {
    if (borrowed_) takeOver();
    return own_;
  }
  operator std::vector<double>&() & { return own(); }
  double& operator[](std::size_t i) { return own()[i]; }
  double& front() { return own().front(); }
  double& back() { return own().back(); }
  double* data() { return own().data(); }
  double* begin() { return data(); }
  double* end() { return data() + size(); }
  void push_back(double value) { own().push_back(value); }
  void reserve(std::size_t size) { own().reserve(size); }
  void resize(std::size_t size, double value = 0) { own().resize(size, value); }
  void assign(std::size_t size, double value) { own().assign(size, value); }
  template <std::input_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    own().assign(first, last);
  }
  void clear() { own().clear(); }

  friend bool operator==(const Coordinates& a, const Coordinates& b) {
    return a.doubles() == b.doubles();
  }

 private:
  const std::vector<double>& copyOfBorrowed() const;
  void takeOver();

  std::vector<double> own_;
  std::shared_ptr<const BorrowedValues> borrowed_;
};

/// Borrowed numbers of type T; [i] is a double.
template <class T>
struct StridedValues {
  const char* first;
  std::ptrdiff_t stride;

  double operator[](std::size_t i) const {
    return double(*reinterpret_cast<const T*>(first + std::ptrdiff_t(i) * stride));
  }
};

/// Calls body(values), where values[i] is the coordinate of point i, without copying any: for loops
/// over many of them, which are compiled for each kind of memory.
template <class Body>
decltype(auto) withValues(const Coordinates& coordinates, Body&& body) {
  const BorrowedValues* const from = coordinates.borrowed();
  if (from == nullptr) return body(coordinates.doubles().data());
  if (from->single) return body(StridedValues<float>{from->first, from->stride});
  if (from->stride == sizeof(double))
    return body(static_cast<const double*>(static_cast<const void*>(from->first)));
  return body(StridedValues<double>{from->first, from->stride});
}

}  // namespace clusterloom
