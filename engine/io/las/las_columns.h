#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include "engine/core/task.h"
#include "engine/io/export_rows.h"
#include "engine/io/las/las_layout.h"

namespace clusterloom {

/// Where a column is in the record, and how it is stored.
struct LasColumn {
  ExportColumn values;
  LasField field;
  bool scaled = false;
  double scale = 1;
  double offset = 0;
  /// Sets the value of a point in a record of zeros.
  std::function<void(char* record, std::size_t point)> put = {};

  double toStored(double value) const { return std::round((value - offset) / scale); }
};

/// Whether all points of a column are stored without a change; false after a stop.
bool allFit(const LasColumn& column, const ExportPoints& points, const Task& task);
/// Whether all points have a number there that is finite; false after a stop.
bool allFinite(const ExportColumn& values, const ExportPoints& points, const Task& task);
/// Fills in `put`.
void bindPut(LasColumn& column);
/// Low and high of a column; 0 and 0 without points.
std::pair<double, double> rangeOf(const ExportColumn& values, const ExportPoints& points);
/// The finest decimal scale for which the range fits into 32 bits around its middle.
void chooseScale(LasColumn& column, const ExportPoints& points);

}  // namespace clusterloom
