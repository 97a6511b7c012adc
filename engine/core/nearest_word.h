#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clusterloom {

/// The word that a misspelt one most likely stands for: the fewest insertions, deletions,
/// replacements and swaps of neighbours, at most a third of its length; empty where there is none.
std::string nearestWord(std::string_view word, const std::vector<std::string>& words);

}  // namespace clusterloom
