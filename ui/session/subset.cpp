#include "ui/session/subset.h"

namespace clusterloom {

namespace {

std::vector<double> taken(const Coordinates& values, std::span<const std::uint32_t> points) {
  std::vector<double> some;
  some.reserve(points.size());
  for (const std::uint32_t point : points) some.push_back(values[point]);
  return some;
}

/// The rows of the input that are not points of the part.
std::vector<std::uint64_t> rowsWithout(const Dataset& data, std::span<const std::uint32_t> points) {
  std::vector<std::uint64_t> rows;
  const std::size_t all = data.cloud.size() + data.skippedRows.size();
  rows.reserve(all - points.size());
  auto skipped = data.skippedRows.begin();
  auto kept = points.begin();
  std::uint32_t point = 0;
  for (std::uint64_t row = 0; row < all; ++row) {
    if (skipped != data.skippedRows.end() && *skipped == row) {
      ++skipped;
      rows.push_back(row);
    } else {
      if (kept != points.end() && *kept == point)
        ++kept;
      else
        rows.push_back(row);
      ++point;
    }
  }
  return rows;
}

}  // namespace

Result<Dataset> subsetOf(const Dataset& data, std::span<const std::uint32_t> points,
                         OtherRows others, const Task& task) {
  Dataset part;
  part.source = data.source;
  part.las = data.las;
  part.units = data.units;
  part.columnOrder = data.columnOrder;
  part.coordinateTypes = data.coordinateTypes;
  part.cloud.names = data.cloud.names;
  for (const Coordinates& column : data.cloud.columns) {
    if (task.cancelled()) return cancelledError();
    part.cloud.columns.push_back(taken(column, points));
  }
  for (const Attribute& attribute : data.attributes) {
    if (task.cancelled()) return cancelledError();
    part.attributes.push_back({attribute.name, valuesAt(attribute.values, points)});
  }
  part.every = data.every;
  part.inputRows = others == OtherRows::Skipped ? data.inputRows : points.size();
  if (others == OtherRows::Skipped) part.skippedRows = rowsWithout(data, points);
  return part;
}

Clustering partOf(const Clustering& whole, std::span<const std::uint32_t> points) {
  Clustering part;
  part.params = whole.params;
  part.clusters = whole.clusters;
  part.stats = whole.stats;
  for (const std::uint32_t point : points) {
    const std::int32_t label = whole.labels[point];
    part.labels.push_back(label);
    if (label == kNoise) ++part.noiseCount;
    if (whole.roles.empty()) continue;
    const PointRole role = whole.roles[point];
    part.roles.push_back(role);
    if (role == PointRole::Core) ++part.coreCount;
    if (role == PointRole::Border) ++part.borderCount;
  }
  return part;
}

std::vector<std::uint32_t> withinKept(std::span<const std::uint32_t> points, const PointSet& kept) {
  if (!kept) return {points.begin(), points.end()};
  std::vector<std::uint32_t> within;
  std::size_t at = 0;
  for (const std::uint32_t point : points) {
    while (at < kept->size() && (*kept)[at] < point) ++at;
    if (at < kept->size() && (*kept)[at] == point) within.push_back(static_cast<std::uint32_t>(at));
  }
  return within;
}

std::vector<std::uint32_t> ofWhole(std::span<const std::uint32_t> points, const PointSet& kept) {
  if (!kept) return {points.begin(), points.end()};
  std::vector<std::uint32_t> whole;
  whole.reserve(points.size());
  for (const std::uint32_t point : points) whole.push_back((*kept)[point]);
  return whole;
}

}  // namespace clusterloom
