#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace clusterloom {

/// The types of numbers that files hold.
enum class Scalar { Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Float32, Float64 };

/// Calls `use` with a zero of the type.
template <class Use>
constexpr decltype(auto) withType(Scalar type, Use&& use) {
  switch (type) {
    case Scalar::Int8: return use(std::int8_t{});
    case Scalar::Uint8: return use(std::uint8_t{});
    case Scalar::Int16: return use(std::int16_t{});
    case Scalar::Uint16: return use(std::uint16_t{});
    case Scalar::Int32: return use(std::int32_t{});
    case Scalar::Uint32: return use(std::uint32_t{});
    case Scalar::Int64: return use(std::int64_t{});
    case Scalar::Uint64: return use(std::uint64_t{});
    case Scalar::Float32: return use(float{});
    case Scalar::Float64: break;
  }
  return use(double{});
}

/// A text column, dictionary-coded: row i holds `words[codes[i]]`.
struct Categories {
  std::vector<std::int32_t> codes;
  std::vector<std::string> words;
};

/// The values of a column, one a point, in the type in which the file holds them.
using ColumnValues =
    std::variant<std::vector<double>, Categories, std::vector<float>, std::vector<std::int8_t>,
                 std::vector<std::uint8_t>, std::vector<std::int16_t>, std::vector<std::uint16_t>,
                 std::vector<std::int32_t>, std::vector<std::uint32_t>, std::vector<std::int64_t>,
                 std::vector<std::uint64_t>>;

/// A column of numbers without values.
inline ColumnValues emptyNumbers(Scalar type) {
  return withType(type, []<class T>(T) { return ColumnValues(std::vector<T>()); });
}

inline bool isText(const ColumnValues& values) {
  return std::holds_alternative<Categories>(values);
}

/// Calls `use` with the vector of the values: the numbers, or the codes of words.
template <class Values, class Use>
decltype(auto) withVector(Values&& values, Use&& use) {
  return std::visit(
      [&](auto& alternative) -> decltype(auto) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(alternative)>, Categories>)
          return use(alternative.codes);
        else
          return use(alternative);
      },
      values);
}

inline std::size_t lengthOf(const ColumnValues& values) {
  return withVector(values, [](const auto& vector) { return vector.size(); });
}

/// The type of the numbers, or of the codes of text.
Scalar typeOf(const ColumnValues& values);

/// The values of some points.
ColumnValues valuesAt(const ColumnValues& values, std::span<const std::uint32_t> points);

/// The numbers as doubles, integers beyond 2⁵³ rounded to the nearest; null for text. Doubles are
/// not copied: the result shares `owner`, which keeps them.
std::shared_ptr<const std::vector<double>> doublesOf(const std::shared_ptr<const void>& owner,
                                                     const ColumnValues& values);

}  // namespace clusterloom
