#pragma once

#include <string>
#include <vector>

#include "engine/io/text/text_layout.h"
#include "engine/io/text/text_preamble.h"

// Cells that would be numbers if they were written otherwise, and rows that do not belong to a
// table.

namespace clusterloom {

/// Whether the cell is a number with a comma as its decimal sign, such as "1,5". "1," is not: it is
/// what blanks leave of "1, 2".
bool hasDecimalComma(const std::string& cell);

/// Fills in commaColumn and commaExample.
void findCommaColumn(TextLayout& layout);
/// Fills in signColumn and signExample.
void findSignColumn(TextLayout& layout);
/// Fills in turned; `lines` are those of the sample's rows.
void findTurned(TextLayout& layout, const std::uint64_t* lines);

/// Whether the rows are the lines of a Wavefront OBJ file, whose faces would be points.
bool isObj(const TextTable& sample, const TextDialect& dialect);

/// Takes the first columns for no coordinates where they count the rows, from 0 or 1: one without a
/// name, or with the name that pandas gives to such, which is renamed "index"; or another one of at
/// least ten rows, unless its name is that of an axis, where two coordinates remain and one of
/// these has fractions: rows of integers may be those of a picture. `header` has the names of the
/// columns, and is empty without.
void leaveOutRowNumbers(TextLayout& layout, const std::vector<std::string>& header);

}  // namespace clusterloom
