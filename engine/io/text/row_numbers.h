#pragma once

#include <string>
#include <vector>

#include "engine/io/text/text_layout.h"

namespace clusterloom {

/// Takes the first columns for no coordinates where they count the rows, from 0 or 1: one without a
/// name, or with the name that pandas gives to such, which is renamed "index"; or another one of at
/// least ten rows, unless its name is that of an axis, where two coordinates remain and one of
/// these has fractions: rows of integers may be those of a picture. `header` has the names of the
/// columns, and is empty without.
void leaveOutRowNumbers(TextLayout& layout, const std::vector<std::string>& header);

}  // namespace clusterloom
