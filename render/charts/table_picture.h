#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/charts/data_table.h"
#include "render/paint/painter.h"
#include "render/paint/theme.h"

namespace clusterloom {

/// A heading over the columns `first` to `last` of a table.
struct ColumnGroup {
  std::string title;
  std::size_t first = 0;
  std::size_t last = 0;
};

/// A table for display: formatted cells, some columns right-aligned.
struct ShownTable {
  DataTable table;
  std::vector<bool> flushRight;          ///< one per column
  std::vector<ColumnGroup> groups = {};  ///< in a line above the names; none: no such line
};

/// The size of its picture, in logical pixels.
struct TableSize {
  int width = 0;
  int height = 0;
};
TableSize sizeOf(const ShownTable& shown);

/// Paints it with its lower left corner at the painter's origin.
void paintTable(Painter& painter, const ShownTable& shown, const Theme& theme);

}  // namespace clusterloom
