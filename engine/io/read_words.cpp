#include "engine/io/read_words.h"

#include <array>

#include "engine/core/number_text.h"
#include "engine/io/numbers.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {
namespace {

struct DelimiterWord {
  char delimiter;
  const char* word;
};
constexpr std::array<DelimiterWord, 6> kDelimiters{{{'\0', "auto"},
                                                    {',', "comma"},
                                                    {';', "semicolon"},
                                                    {'\t', "tab"},
                                                    {' ', "space"},
                                                    {'|', "bar"}}};

struct HeaderWord {
  TextOptions::Header header;
  const char* word;
};
constexpr std::array<HeaderWord, 3> kHeaders{{{TextOptions::Header::Auto, "auto"},
                                              {TextOptions::Header::Yes, "yes"},
                                              {TextOptions::Header::No, "no"}}};

struct ThousandsWord {
  TextOptions::Thousands thousands;
  const char* word;
};
constexpr std::array<ThousandsWord, 6> kThousands{
    {{TextOptions::Thousands::Auto, "auto"},
     {TextOptions::Thousands::None, "none"},
     {TextOptions::Thousands::Comma, "comma"},
     {TextOptions::Thousands::Point, "point"},
     {TextOptions::Thousands::Blank, "blank"},
     {TextOptions::Thousands::Apostrophe, "apostrophe"}}};

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
  for (const DelimiterWord& known : kDelimiters)
    if (word == known.word ||
        (known.delimiter != '\0' && word == std::string(1, known.delimiter))) {
      delimiter = known.delimiter;
      return {};
    }
  if (word == "\\t") {
    delimiter = '\t';
    return {};
  }
  return badCall("--delimiter needs auto, comma, semicolon, tab, space or bar, not " +
                 quotedText(word) + ".");
}

std::string delimiterText(char delimiter) {
  for (const DelimiterWord& known : kDelimiters)
    if (known.delimiter == delimiter) return known.word;
  return {};
}

Result<void> parseThousands(const std::string& word, TextOptions::Thousands& thousands) {
  for (const ThousandsWord& known : kThousands)
    if (word == known.word) {
      thousands = known.thousands;
      return {};
    }
  return badCall("--thousands needs auto, none, comma, point, blank or apostrophe, not " +
                 quotedText(word) + ".");
}

std::string toText(TextOptions::Thousands thousands) {
  for (const ThousandsWord& known : kThousands)
    if (known.thousands == thousands) return known.word;
  return {};
}

Result<void> parseHeader(const std::string& word, TextOptions::Header& header) {
  for (const HeaderWord& known : kHeaders)
    if (word == known.word) {
      header = known.header;
      return {};
    }
  return badCall("--header needs auto, yes or no, not " + quotedText(word) + ".");
}

std::string toText(TextOptions::Header header) {
  for (const HeaderWord& known : kHeaders)
    if (known.header == header) return known.word;
  return {};
}

}  // namespace clusterloom
