#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "render/charts/data_table.h"
#include "ui/words/numbers.h"

namespace clusterloom {

struct ClusterResult;
struct GridCells;

/// "core", "border", "noise".
QString roleWord(int role);

/// A message of any length as a label can show it: beyond 2,000 characters the middle is cut out.
/// Laying out a name of 100 kB would take gigabytes.
QString cutForDisplay(const QString& message);

/// A table in one line: its rows and the ranges of its columns.
QString tableWords(std::size_t rows, const std::vector<ColumnRange>& ranges);

/// A point in one line: its number, cluster and role where a result is given.
QString pointWords(std::int64_t point, const ClusterResult* result);
/// A cell in one line: linear id, points, candidates, adjacent cells.
QString cellWords(const GridCells& cells, std::int64_t cell);

}  // namespace clusterloom
