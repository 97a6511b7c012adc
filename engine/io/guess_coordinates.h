#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/io/read.h"

namespace clusterloom {

/// Whether a name is one letter, with or without a number: "x", "c2".
bool isAxisName(std::string_view name);

/// Decides which columns of a table with names are coordinates where a person chooses none.
/// `candidates` are columns of numbers, ascending; `constant`, if not empty, says for each column
/// of the table whether all its values are equal. The result is ascending and not empty where
/// `candidates` is not; columns that it leaves out are marked as PreviewColumn::leftOut.
///
/// Where one column is named as a longitude and one as a latitude (coordinate_order.h), these two
/// are the coordinates. Else columns of integers are left out if their names say that they identify
/// or classify, such as "source_id", "zip", "class", "year" or "index", constant columns if two
/// others remain, and those of a projection (projection_names.h) if four others do. Names of one
/// letter, with or without a number ("x", "c2"), are always coordinates; beside two of them "red",
/// "green" and "blue" are colours.
std::vector<std::size_t> guessCoordinates(std::vector<PreviewColumn>& columns,
                                          const std::vector<std::size_t>& candidates,
                                          const std::vector<bool>& constant = {});

}  // namespace clusterloom
