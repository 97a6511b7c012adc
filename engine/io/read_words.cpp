#include "engine/io/read_words.h"

#include <cstddef>

#include "engine/core/number_text.h"
#include "engine/io/numbers.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {
namespace {

template <class Value>
struct Word {
  Value value;
  const char* word;
};
using Header = TextOptions::Header;
using Thousands = TextOptions::Thousands;

constexpr Word<char> kDelimiters[] = {{'\0', "auto"}, {',', "comma"}, {';', "semicolon"},
                                      {'\t', "tab"},  {' ', "space"}, {'|', "bar"}};
constexpr Word<Header> kHeaders[] = {
    {Header::Auto, "auto"}, {Header::Yes, "yes"}, {Header::No, "no"}};
constexpr Word<Thousands> kThousands[] = {
    {Thousands::Auto, "auto"},   {Thousands::None, "none"},
    {Thousands::Comma, "comma"}, {Thousands::Point, "point"},
    {Thousands::Blank, "blank"}, {Thousands::Apostrophe, "apostrophe"}};

/// False where no value has this word.
template <class Value, std::size_t n>
bool take(const Word<Value> (&words)[n], const std::string& word, Value& value) {
  for (const auto& known : words)
    if (word == known.word) {
      value = known.value;
      return true;
    }
  return false;
}

template <class Value, std::size_t n>
std::string wordOf(const Word<Value> (&words)[n], Value value) {
  for (const auto& known : words)
    if (known.value == value) return known.word;
  return {};
}

}  // namespace

Result<std::vector<std::string>> parseColumnList(std::string_view text) {
  std::vector<std::string> columns;
  const auto bad = [&] {
    return badCall("--columns needs names or numbers of columns, such as 0,2,height, not " +
                   quotedText(text) + ". Names with commas stand in quotes (\").");
  };
  std::vector<TextCell> cells;
  std::string scratch;
  // As a row of a table.
  if (!splitRecord(text, TextDialect{}, cells, scratch)) return bad();
  for (const TextCell& cell : cells) {
    if (cell.text.empty()) return bad();
    columns.emplace_back(cell.text);
  }
  return columns;
}

std::string columnListText(const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& name : columns) {
    if (!text.empty()) text += ',';
    if (name.find_first_of(",\"") == std::string::npos && trimmed(name) == name) {
      text += name;
      continue;
    }
    text += '"';
    for (const char c : name) text += c == '"' ? std::string(2, c) : std::string(1, c);
    text += '"';
  }
  return text;
}

Result<void> parseDelimiter(const std::string& word, char& delimiter) {
  if (take(kDelimiters, word, delimiter)) return {};
  // The character itself, too.
  const char only = word == "\\t" ? '\t' : word.size() == 1 ? word.front() : '\0';
  if (only != '\0' && !delimiterText(only).empty()) {
    delimiter = only;
    return {};
  }
  return badCall("--delimiter needs auto, comma, semicolon, tab, space or bar, not " +
                 quotedText(word) + ".");
}

std::string delimiterText(char delimiter) { return wordOf(kDelimiters, delimiter); }

Result<void> parseThousands(const std::string& word, TextOptions::Thousands& thousands) {
  if (take(kThousands, word, thousands)) return {};
  return badCall("--thousands needs auto, none, comma, point, blank or apostrophe, not " +
                 quotedText(word) + ".");
}

std::string toText(TextOptions::Thousands thousands) { return wordOf(kThousands, thousands); }

Result<void> parseHeader(const std::string& word, TextOptions::Header& header) {
  if (take(kHeaders, word, header)) return {};
  return badCall("--header needs auto, yes or no, not " + quotedText(word) + ".");
}

std::string toText(TextOptions::Header header) { return wordOf(kHeaders, header); }

}  // namespace clusterloom
