#pragma once

#include <QString>
#include <string_view>

namespace clusterloom {

/// The name of a column of a DataTable as a person reads it: words in the language of the window,
/// the unit in brackets ("noise_percent": "noise [%]"). A name that is not listed in
/// column_words.cpp, such as that of a dimension, is unchanged. Files and copies keep the names of
/// the table, in every language.
QString columnWords(std::string_view name);

/// Whether the words of this name are listed.
bool hasColumnWords(std::string_view name);

}  // namespace clusterloom
