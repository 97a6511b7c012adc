#pragma once

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

/// Reads "auto", "comma", "semicolon", "tab", "space" or "bar", which is what --delimiter takes;
/// the characters themselves are taken, too. BadCall.
Result<void> parseDelimiter(const std::string& word, char& delimiter);
/// The word that parseDelimiter turns back into the same delimiter.
std::string delimiterText(char delimiter);

/// Reads "auto", "none", "comma", "point", "blank" or "apostrophe", which is what --thousands
/// takes. BadCall.
Result<void> parseThousands(const std::string& word, TextOptions::Thousands& thousands);
/// The word that parseThousands turns back into the same choice.
std::string toText(TextOptions::Thousands thousands);

/// Reads "auto", "yes" or "no", which is what --header takes. BadCall.
Result<void> parseHeader(const std::string& word, TextOptions::Header& header);
/// The word that parseHeader turns back into the same choice.
std::string toText(TextOptions::Header header);

}  // namespace clusterloom
