#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cloud/dataset.h"

namespace clusterloom {

/// The words of columns of text, by column, where a format stores only their codes.
using KeptWords = std::map<std::string, std::vector<std::string>>;
/// Turns columns of codes back into text. A column with codes that have no word is unchanged.
void restoreWords(Dataset& dataset, const KeptWords& kept);

/// A text as one line: line ends, NUL and the backslash with a backslash, as in C.
std::string escapedLine(std::string_view text);
/// The text that a line stands for; a backslash before any other letter stands for itself.
std::string unescapedLine(std::string_view line);

}  // namespace clusterloom
