#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/cloud/dataset.h"
#include "render/charts/data_table.h"
#include "render/paint/theme.h"
#include "ui/session/session_parts.h"
#include "ui/words/numbers.h"

namespace clusterloom {

/// "core", "border", "noise".
QString roleWord(int role);

/// A message of any length as a label can show it: beyond 2,000 characters the middle is cut out.
/// Laying out a name of 100 kB would take gigabytes.
QString cutForDisplay(const QString& message);

/// A table in one line: its rows and the ranges of its columns.
QString tableWords(std::size_t rows, const std::vector<ColumnRange>& ranges);

/// A point in one line: its number, cluster and role where a result is given.
QString pointWords(std::int64_t point, const ClusterResult* result);
/// A row of a file of which some rows are open, with its cluster where it has a label.
QString rowWords(std::uint64_t row, std::optional<std::int32_t> label);
/// A cell in one line: linear id, points, candidates, adjacent cells.
QString cellWords(const GridCells& cells, std::int64_t cell);

/// The meaning of the colours of the points where they are few (roles and categories), as rich
/// text; empty otherwise.
QString colourKeyText(const Session& session, Background background);

/// A coordinate of a point as the file has it.
QString coordinateText(const Dataset& dataset, std::size_t dimension, std::size_t point);
/// The value of a column beside the coordinates as the file has it.
QString attributeText(const Dataset& dataset, const Attribute& attribute, std::size_t point);

/// The values of the text columns of a point, a line each, as "type: B cell"; the first few that
/// are not empty, shortened where they are long.
QStringList labelsOf(const Dataset& dataset, std::size_t point);

}  // namespace clusterloom
