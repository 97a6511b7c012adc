#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/cloud/column_values.h"

namespace clusterloom {

std::size_t sizeOf(Scalar type);
/// 'I' for integers with a sign, 'U' for those without, 'F' for floats.
char kindOf(Scalar type);
/// The type of this kind and size; nothing where there is none.
std::optional<Scalar> scalarOf(char kind, std::uint64_t bytes);

/// "int8" … "float64".
std::string toText(Scalar type);

/// Whether a number is stored in this type without a change.
template <class T>
bool storesExactly(double value) {
  if constexpr (std::is_integral_v<T>) {
    // 2⁶³ and 2⁶⁴ are doubles, the largest integers of 64 bits are not.
    constexpr double most = double(std::numeric_limits<T>::max());
    constexpr bool wide = sizeof(T) == 8;
    return value == std::floor(value) && value >= double(std::numeric_limits<T>::min()) &&
           (wide ? value < most : value <= most);
  } else {
    return std::isnan(value) || double(static_cast<T>(value)) == value;
  }
}

/// Whether T holds a number without a change.
template <class T, class Number>
bool holdsExactly(Number value) {
  if constexpr (!std::is_integral_v<Number>) {
    return storesExactly<T>(double(value));
  } else if constexpr (std::is_integral_v<T>) {
    return std::in_range<T>(value);
  } else {
    const auto rounded = double(static_cast<T>(value));
    return storesExactly<Number>(rounded) && static_cast<Number>(rounded) == value;
  }
}

/// Where numbers are stored: rows of a column, in its type.
struct NumberSlots {
  Scalar type = Scalar::Float64;
  void* first = nullptr;

  explicit operator bool() const { return first != nullptr; }
  NumberSlots from(std::size_t row) const {
    return {type, static_cast<char*>(first) + row * sizeOf(type)};
  }
  /// The values, which are of this type.
  template <class T>
  T* as() const {
    return static_cast<T*>(first);
  }
};

/// Decodes `count` values, `stride` bytes apart, into slots of the same type, or of doubles, where
/// integers beyond 2⁵³ are rounded to the nearest.
void decode(Scalar type, bool bigEndian, const char* first, std::size_t stride, std::size_t count,
            NumberSlots out);
/// The same of numbers of 16 bits (IEEE 754 binary16), into slots of floats or doubles.
void decodeHalves(bool bigEndian, const char* first, std::size_t stride, std::size_t count,
                  NumberSlots out);
double decodeOne(Scalar type, bool bigEndian, const char* bytes);

}  // namespace clusterloom
