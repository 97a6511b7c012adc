#include "engine/io/las/las_columns.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

constexpr double kMostStored = std::numeric_limits<std::int32_t>::max();

/// Calls `use` with a function that gives the values of points as doubles, or as the integers of 64
/// bits that they are.
template <class Use>
decltype(auto) withWideValues(const ExportColumn& column, Use&& use) {
  return column.withValues([&](auto valueAt) -> decltype(auto) {
    using Value = decltype(valueAt(std::size_t{}));
    if constexpr (sizeof(Value) == 8)
      return use(valueAt);
    else
      return use(std::function<double(std::size_t)>(valueAt));
  });
}

/// Whether something is true of all points; false after a stop.
template <class Holds>
bool allOf(const ExportPoints& points, const Task& task, Holds holds) {
  for (std::size_t row = 0; row < points.size(); ++row) {
    if (row % kExportBlock == 0 && task.cancelled()) return false;
    if (!holds(points[row])) return false;
  }
  return true;
}

}  // namespace

bool allFit(const LasColumn& column, const ExportPoints& points, const Task& task) {
  const LasField& field = column.field;
  if (!column.scaled && field.bits == 0 && column.values.type == field.type) return true;
  const auto all = [&](auto fits) { return allOf(points, task, fits); };
  return withWideValues(column.values, [&](auto valueAt) {
    return withType(field.type, [&]<class T>(T) {
      return all([&](std::size_t point) {
        const auto value = valueAt(point);
        if (!column.scaled)
          return holdsExactly<T>(value) && (field.bits == 0 || double(value) <= field.mask());
        const auto number = double(value);
        const double stored = column.toStored(number);
        return storesExactly<T>(stored) && stored * column.scale + column.offset == number;
      });
    });
  });
}

bool allFinite(const ExportColumn& values, const ExportPoints& points, const Task& task) {
  return values.withValues([&](auto valueAt) {
    if constexpr (std::is_integral_v<decltype(valueAt(std::size_t{}))>)
      return true;
    else
      return allOf(points, task, [&](std::size_t point) { return std::isfinite(valueAt(point)); });
  });
}

void bindPut(LasColumn& column) {
  const LasField& field = column.field;
  if (!column.scaled && field.bits == 0 && column.values.type == field.type) {
    column.put = column.values.withValues(
        [at = field.offset](auto valueAt) -> std::function<void(char*, std::size_t)> {
          return [at, valueAt](char* record, std::size_t point) {
            const auto value = valueAt(point);
            std::memcpy(record + at, &value, sizeof value);
          };
        });
    return;
  }
  column.put =
      withWideValues(column.values, [&](auto valueAt) -> std::function<void(char*, std::size_t)> {
        return withType(field.type, [&]<class T>(T) -> std::function<void(char*, std::size_t)> {
          if (field.bits > 0)
            return [at = field.offset, shift = field.shift, valueAt](char* record, std::size_t p) {
              const unsigned bits = unsigned(valueAt(p)) << shift;
              record[at] = static_cast<char>(static_cast<unsigned char>(record[at]) | bits);
            };
          return [=, at = field.offset, scaled = column.scaled, scale = column.scale,
                  offset = column.offset](char* record, std::size_t point) {
            const auto given = valueAt(point);
            const T value = scaled ? static_cast<T>(std::round((double(given) - offset) / scale))
                                   : static_cast<T>(given);
            std::memcpy(record + at, &value, sizeof value);
          };
        });
      });
}

std::pair<double, double> rangeOf(const ExportColumn& values, const ExportPoints& points) {
  return withWideValues(values, [&](auto valueAt) -> std::pair<double, double> {
    if (points.size() == 0) return {0, 0};
    auto low = valueAt(points[0]);
    auto high = low;
    for (std::size_t row = 1; row < points.size(); ++row) {
      low = std::min(low, valueAt(points[row]));
      high = std::max(high, valueAt(points[row]));
    }
    return {double(low), double(high)};
  });
}

void chooseScale(LasColumn& column, const ExportPoints& points) {
  const auto [low, high] = rangeOf(column.values, points);
  const double half = std::max(high / 2 - low / 2, std::numeric_limits<double>::min() * 1e12);
  column.scale = std::pow(10.0, std::ceil(std::log10(half / (kMostStored - 2))));
  const double middle = low / 2 + high / 2;
  // Far from zero the offset is as coarse as doubles are there, which may be more than the range.
  for (;; column.scale *= 10) {
    column.offset = std::round(middle / column.scale) * column.scale;
    if (!std::isfinite(column.offset)) column.offset = middle;
    if (std::max(std::abs(column.toStored(low)), std::abs(column.toStored(high))) <= kMostStored)
      break;
  }
}

}  // namespace clusterloom
