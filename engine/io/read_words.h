#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/read.h"

namespace clusterloom {

/// Splits "0,2,height", which is what --columns takes, into names and numbers of columns. Blanks
/// around a name are dropped; a name with commas stands in quotes. BadCall where a name is empty.
Result<std::vector<std::string>> parseColumnList(std::string_view text);
/// The list that parseColumnList turns back into the same names.
std::string columnListText(const std::vector<std::string>& columns);

// The words of choices, on the command line and in files, in the order of the values.
constexpr auto wordsOf(TextOptions::Header /*header*/) { return std::array{"auto", "yes", "no"}; }
constexpr auto wordsOf(TextOptions::DecimalSign /*sign*/) {
  return std::array{"auto", "point", "comma"};
}
constexpr auto wordsOf(TextOptions::Thousands /*sign*/) {
  return std::array{"auto", "none", "comma", "point", "blank", "apostrophe"};
}
inline std::string toText(TextOptions::Thousands sign) { return wordsOf(sign)[std::size_t(sign)]; }

/// One option of reading a file: the options of both programs, copied command lines and the
/// description of a read file come from this table.
struct ReadingOption {
  std::string name;         ///< without dashes
  std::string placeholder;  ///< of its value in help text; empty: it takes none
  std::string help;         ///< in lines for a terminal
  bool ofText = false;      ///< of delimited text only
  /// Takes the text of its value, empty where it takes none. BadCall.
  std::function<Result<void>(const std::string& text, ReadOptions& read)> set = {};
  /// The text that `set` turns back into the same value; nullopt: the value is the default.
  std::function<std::optional<std::string>(const ReadOptions& read)> text = {};
};

/// All options, in the order in which they are shown.
std::span<const ReadingOption> readingOptions();

}  // namespace clusterloom
