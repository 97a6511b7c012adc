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

/// Gives the translation of an English text of a context. A text with a plural has another one for
/// 1, and its translation the form for `number`; otherwise these are null and −1. It is called on
/// any thread.
using ChartTranslator = std::function<std::string(const char* context, const char* english,
                                                  const char* one, int number)>;

/// Sets what `translate` asks; an empty function: text stays English. Call while nothing is drawn.
void setChartTranslator(ChartTranslator translator);

/// The text in the language of the window. lupdate finds the calls by this name, so both arguments
/// must be literals.
std::string translate(const char* context, const char* english);

/// `text` with %1, %2 … replaced by these values.
std::string filled(std::string_view text, std::initializer_list<std::string_view> values);

/// Characters of a UTF-8 text, a whole number.
double characterCount(std::string_view text);

/// The translation of `several` in its form for the number, with %1 replaced by the number in
/// groups of three digits; in English `one` for 1. lupdate finds the calls by this name.
std::string countedText(const char* context, const char* several, const char* one,
                        std::uint64_t number);

}  // namespace clusterloom
