#include "engine/cloud/column_values.h"

namespace clusterloom {
namespace {

template <class T>
constexpr Scalar scalarOf() {
  auto type = Scalar::Int8;
  while (!withType(type, []<class Number>(Number) { return std::is_same_v<Number, T>; }))
    type = static_cast<Scalar>(int(type) + 1);
  return type;
}

}  // namespace

Scalar typeOf(const ColumnValues& values) {
  return withVector(values, []<class T>(const std::vector<T>&) { return scalarOf<T>(); });
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
