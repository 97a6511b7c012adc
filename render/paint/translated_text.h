#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace clusterloom {

// Texts that charts and scenes paint. They are English in the source; the window gives a translator
// that looks them up. The command line gives none, so its pictures are English. The names of the
// columns of tables are part of the data and are not translated.

/// Gives the translation of an English text of a context. It is called on any thread.
using ChartTranslator = std::function<std::string(const char* context, const char* english)>;

/// Sets what `translate` asks; an empty function: text stays English. Call while nothing is drawn.
void setChartTranslator(ChartTranslator translator);

/// The text in the language of the window. lupdate finds the calls by this name, so both arguments
/// must be literals.
std::string translate(const char* context, const char* english);

/// `text` with %1, %2 … replaced by these values.
std::string filled(std::string_view text, std::initializer_list<std::string_view> values);

/// Characters of a UTF-8 text, a whole number.
double characterCount(std::string_view text);

/// `one` for 1, else `several` with %1 replaced by the number in groups of three digits.
std::string countedText(std::uint64_t number, const std::string& one, const std::string& several);

}  // namespace clusterloom
