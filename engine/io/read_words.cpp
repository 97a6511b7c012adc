#include "engine/io/read_words.h"

#include <array>

#include "engine/core/number_text.h"
#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

struct DelimiterWord {
  char delimiter;
  const char* word;
};
constexpr std::array<DelimiterWord, 5> kDelimiters{
    {{'\0', "auto"}, {',', "comma"}, {';', "semicolon"}, {'\t', "tab"}, {' ', "space"}}};

struct HeaderWord {
  TextOptions::Header header;
  const char* word;
};
constexpr std::array<HeaderWord, 3> kHeaders{{{TextOptions::Header::Auto, "auto"},
                                              {TextOptions::Header::Yes, "yes"},
                                              {TextOptions::Header::No, "no"}}};

}  // namespace

Result<std::vector<std::string>> parseColumnList(std::string_view text) {
  std::vector<std::string> columns;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = trimmed(rest.substr(0, comma));
    if (name.empty())
      return fail(ErrorKind::BadCall,
                  "--columns needs names or numbers of columns, such as 0,2,height, not " +
                      quotedText(text) + ".");
    columns.emplace_back(name);
    if (comma == std::string_view::npos) return columns;
    rest.remove_prefix(comma + 1);
  }
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
  return fail(ErrorKind::BadCall, "--delimiter needs auto, comma, semicolon, tab or space, not " +
                                      quotedText(word) + ".");
}

std::string delimiterText(char delimiter) {
  for (const DelimiterWord& known : kDelimiters)
    if (known.delimiter == delimiter) return known.word;
  return {};
}

Result<void> parseHeader(const std::string& word, TextOptions::Header& header) {
  for (const HeaderWord& known : kHeaders)
    if (word == known.word) {
      header = known.header;
      return {};
    }
  return fail(ErrorKind::BadCall, "--header needs auto, yes or no, not " + quotedText(word) + ".");
}

std::string toText(TextOptions::Header header) {
  for (const HeaderWord& known : kHeaders)
    if (known.header == header) return known.word;
  return {};
}

}  // namespace clusterloom
