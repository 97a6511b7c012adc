#include "engine/cloud/column_values.h"

namespace clusterloom {
namespace {

template <class T>
constexpr Scalar kScalarOf = Scalar::Float64;
template <>
constexpr Scalar kScalarOf<float> = Scalar::Float32;
template <>
constexpr Scalar kScalarOf<std::int8_t> = Scalar::Int8;
template <>
constexpr Scalar kScalarOf<std::uint8_t> = Scalar::Uint8;
template <>
constexpr Scalar kScalarOf<std::int16_t> = Scalar::Int16;
template <>
constexpr Scalar kScalarOf<std::uint16_t> = Scalar::Uint16;
template <>
constexpr Scalar kScalarOf<std::int32_t> = Scalar::Int32;
template <>
constexpr Scalar kScalarOf<std::uint32_t> = Scalar::Uint32;
template <>
constexpr Scalar kScalarOf<std::int64_t> = Scalar::Int64;
template <>
constexpr Scalar kScalarOf<std::uint64_t> = Scalar::Uint64;

}  // namespace

Scalar typeOf(const ColumnValues& values) {
  return withVector(values, []<class T>(const std::vector<T>&) { return kScalarOf<T>; });
}

ColumnValues valuesAt(const ColumnValues& values, std::span<const std::uint32_t> points) {
  return std::visit(
      [&]<class Values>(const Values& all) -> ColumnValues {
        const auto pick = [&]<class T>(const std::vector<T>& from) {
          std::vector<T> some;
          some.reserve(points.size());
          for (const std::uint32_t point : points) some.push_back(from[point]);
          return some;
        };
        if constexpr (std::is_same_v<Values, Categories>)
          return Categories{pick(all.codes), all.words};
        else
          return pick(all);
      },
      values);
}

std::shared_ptr<const std::vector<double>> doublesOf(const std::shared_ptr<const void>& owner,
                                                     const ColumnValues& values) {
  if (isText(values)) return nullptr;
  if (const auto* const doubles = std::get_if<std::vector<double>>(&values))
    return {owner, doubles};
  return withVector(values, [](const auto& numbers) {
    return std::make_shared<const std::vector<double>>(numbers.begin(), numbers.end());
  });
}

}  // namespace clusterloom
