#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace clusterloom {

/// Splits "0,2,height", which is what --columns takes, into names and numbers of columns. Blanks
/// around a name are dropped. BadCall where a name is empty.
Result<std::vector<std::string>> parseColumnList(std::string_view text);

}  // namespace clusterloom
