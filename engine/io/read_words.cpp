#include "engine/io/read_words.h"

#include <algorithm>
#include <cstddef>

#include "engine/core/number_text.h"
#include "engine/io/numbers.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {

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

namespace {

using TextIfChosen = std::optional<std::string>;

/// An option whose value `read` makes of a text, and `write` turns back.
template <class Member, class Read, class Write>
ReadingOption optionFor(Member member, Read readText, Write write, ReadingOption option) {
  option.set = [member, readText](const std::string& text, ReadOptions& read) -> Result<void> {
    auto value = readText(text);
    if (!value) return tl::unexpected(value.error());
    member(read) = static_cast<std::remove_cvref_t<decltype(member(read))>>(std::move(*value));
    return {};
  };
  option.text = [member, write](const ReadOptions& read) -> TextIfChosen {
    if (member(read) == member(ReadOptions())) return {};
    return write(member(read));
  };
  return option;
}

template <class Member>
ReadingOption integerOption(Member member, std::int64_t least, std::int64_t most,
                            const ReadingOption& option) {
  const auto readText = [name = "--" + option.name, least, most](const std::string& text) {
    return readInteger(name, text, least, most);
  };
  return optionFor(
      member, readText, [](auto value) { return std::to_string(value); }, option);
}

/// The number of a word.
template <std::size_t n>
Result<std::size_t> indexOf(const std::array<const char*, n>& words, const std::string& option,
                            const std::string& text) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return std::size_t(found - words.begin());
  std::string choices = words[0];
  for (std::size_t i = 1; i < n; ++i)
    choices += (i + 1 < n ? ", " : " or ") + std::string(words[i]);
  return badCall("--" + option + " needs " + choices + ", not " + quotedText(text) + ".");
}

/// An option of text for one of the words of an enumeration.
template <class Choice>
ReadingOption choiceOption(Choice TextOptions::*member, const ReadingOption& option) {
  return optionFor(
      [member](auto&& read) -> auto& { return read.text.*member; },
      [name = option.name](const std::string& text) {
        return indexOf(wordsOf(Choice()), name, text);
      },
      [](Choice choice) { return wordsOf(choice)[std::size_t(choice)]; }, option);
}

// Of delimiters.
constexpr std::array kSignWords{"auto", "comma", "semicolon", "tab", "space", "bar"};
constexpr std::string_view kSigns("\0,;\t |", kSignWords.size());

/// A word, or the character itself.
Result<char> delimiterFrom(const std::string& text) {
  const std::string character = text == "\\t" ? "\t" : text;
  if (character.size() == 1 && kSigns.find(character, 1) != std::string_view::npos)
    return character[0];
  return indexOf(kSignWords, "delimiter", text).map([](std::size_t i) { return kSigns[i]; });
}

std::string delimiterText(char delimiter) {
  const std::size_t index = kSigns.find(delimiter);
  return index < kSignWords.size() ? kSignWords[index] : std::string(1, delimiter);
}

/// A flag for one of the decimal signs, which exclude each other.
ReadingOption signOption(TextOptions::DecimalSign sign, ReadingOption option) {
  option.set = [sign](const std::string& /*text*/, ReadOptions& read) -> Result<void> {
    TextOptions::DecimalSign& now = read.text.decimalSign;
    if (now != TextOptions::DecimalSign::Auto && now != sign)
      return badCall("--decimal-comma and --decimal-point exclude each other");
    now = sign;
    return {};
  };
  option.text = [sign](const ReadOptions& read) {
    return read.text.decimalSign == sign ? TextIfChosen("") : TextIfChosen();
  };
  return option;
}

std::vector<ReadingOption> makeReadingOptions() {
  const auto nameOf = [](const std::string& text) -> Result<std::string> {
    if (text.empty()) return badCall("The name of a table is empty.");
    return text;
  };
  return {
      optionFor(
          [](auto&& read) -> auto& { return read.coordinates; }, parseColumnList, columnListText,
          {"columns", "LIST",
           "Coordinate columns by name or by number from 0, such as 0,2,height or x0:x9.\n"
           "Default: x, y and z of formats such as PLY and LAS; only lon and lat where a table has "
           "them;\n"
           "else all columns of numbers except codes (such as id, class, zip or year) and\n"
           "projections (such as umap_x), which are known by their names"}),
      optionFor(
          [](auto&& read) -> auto& { return read.dataset; }, nameOf,
          [](const std::string& text) { return text; },
          {"dataset", "NAME",
           "HDF5, FITS and NPZ: which table, such as /obsm/X_pca, a group of columns, or the\n"
           "name of an extension or array (default: the only one)"}),
      optionFor(
          [](auto&& read) -> auto& { return read.skipNonFinite; },
          [](const std::string& /*text*/) { return Result<bool>(true); },
          [](bool /*on*/) { return std::string(); },
          {"skip-non-finite", "",
           "Leave out rows with NaN or infinite coordinates (default: refuse the file)"}),
      integerOption(
          [](auto&& read) -> auto& { return read.every; }, 1, std::int64_t(kMostEvery),
          {"every", "N",
           "Read only rows 0, N, 2N, … (default: 1, all rows). Labels are written for the rows\n"
           "that were read"}),
      optionFor([](auto&& read) -> auto& { return read.text.delimiter; }, delimiterFrom,
                delimiterText,
                {"delimiter", "WORD",
                 "Text: auto, comma, semicolon, tab, space or bar (default: auto)", true}),
      integerOption(
          [](auto&& read) -> auto& { return read.text.skipLines; }, 0, kMostSkippedLines,
          {"skip-lines", "N",
           "Text: how many lines stand before the table, such as titles or the count of a .pts\n"
           "file (default: detected by the number of cells in each line)",
           true}),
      choiceOption(
          &TextOptions::thousands,
          {"thousands", "WORD",
           "Text: the thousands separator, as in 1,234,567.5: auto, none, comma, point, blank or\n"
           "apostrophe (default: auto, which finds it where the first rows leave no doubt)",
           true}),
      choiceOption(
          &TextOptions::header,
          {"header", "WORD",
           "Text: whether the first row names the columns: auto, yes or no (default: auto)", true}),
      signOption(
          TextOptions::DecimalSign::Comma,
          {"decimal-comma", "",
           "Text: 1,5 means 1.5 (default: detected where the delimiter is not a comma)", true}),
      signOption(TextOptions::DecimalSign::Point,
                 {"decimal-point", "",
                  "Text: the point is the decimal sign; cells such as 1,5 are text", true})};
}

}  // namespace

std::span<const ReadingOption> readingOptions() {
  static const std::vector<ReadingOption> all = makeReadingOptions();
  return all;
}

}  // namespace clusterloom
