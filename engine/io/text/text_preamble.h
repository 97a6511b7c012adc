#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clusterloom {

/// The cells of the first rows of a text file, row by row.
using TextTable = std::vector<std::vector<std::string>>;

/// The delimiter that a first line such as "sep=;" names, as Excel writes it; '\0' for other lines.
char namedDelimiter(std::string_view line);

/// How many of the first rows are no rows of the table: titles, counts of points (.pts), or the
/// count and comment of an .xyz file. They have another number of cells than all rows after them,
/// of which there are two or more, with numbers. 0 where that cannot be said, as where the last of
/// them may name the columns but for one.
std::size_t rowsBeforeTable(const TextTable& rows, bool xyz);

/// The names of the columns of a .pts file, of which the first three are coordinates: position,
/// intensity, colour; empty for another number of columns.
std::vector<std::string> ptsNames(std::size_t columns);

/// Whether the first row, after one of names, holds units of measurement ("m", "[km/s]"): above all
/// columns of numbers, and at least one, it is a unit or empty.
bool isRowOfUnits(const TextTable& rows, bool decimalComma);

}  // namespace clusterloom
