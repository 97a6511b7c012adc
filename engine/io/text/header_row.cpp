#include "engine/io/text/header_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "engine/core/lower_case.h"
#include "engine/io/guess_coordinates.h"
#include "engine/io/numbers.h"
#include "engine/io/text/text_suspects.h"

namespace clusterloom {
namespace {

using Cells = TextTable::value_type;

// Fewer texts repeat by chance, or not yet.
constexpr std::size_t kLeastTexts = 8;
// Fewer rows may have decimals by chance where the first one has none.
constexpr std::size_t kLeastUnlike = 4;
// As many numbers as these are not 0, 1, 2, … by chance.
constexpr std::size_t kSurelyCounted = 5;

/// Names of columns that hold texts or identify rows.
bool isKnownName(std::string_view name) {
  constexpr std::array<std::string_view, 40> names{
      "id",      "label",   "labels",  "cluster", "clusters", "class",  "name",   "names",
      "index",   "type",    "kind",    "group",   "category", "target", "key",    "code",
      "species", "country", "region",  "city",    "state",    "date",   "time",   "year",
      "sample",  "gene",    "station", "sensor",  "word",     "title",  "gruppe", "klasse",
      "land",    "art",     "nr",      "datum",   "zeit",     "ort",    "truth",  "role"};
  return std::find(names.begin(), names.end(), lowerCase(name)) != names.end();
}

/// Whether a word may be the name of a column: it begins with a letter and stands for no missing
/// value. Signs such as "€" are no letters.
bool mayBeName(std::string_view word) {
  constexpr std::array<std::string_view, 10> values{
      "missing", "unknown", "error", "invalid", "bad", "none", "n.d.", "nd", "true", "false"};
  if (word.empty()) return false;
  const auto first = static_cast<unsigned char>(word.front());
  const bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                      first == '_' || (first >= 0xC3 && first != 0xE2);
  return letter && std::find(values.begin(), values.end(), lowerCase(word)) == values.end();
}

/// The cells of a column below the first row.
struct Below {
  std::size_t numbers = 0;
  std::size_t words = 0;
  std::size_t withDecimals = 0;  ///< numbers that are not written as integers
  std::size_t distinct = 0;      ///< of the words
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool hasFirst = false;    ///< the text of the first row is among them
  bool countsRows = false;  ///< they are 0, 1, 2, … or 1, 2, 3, …
};

bool isInteger(std::string_view cell) {
  std::int64_t number = 0;
  return readInteger(trimmed(cell), number);
}

Below columnBelow(const TextTable& rows, std::size_t column, bool decimalComma) {
  Below below;
  std::set<std::string_view> texts;
  const std::string_view first = trimmed(rows.front()[column]);
  const bool fromOne = rows.size() > 1 && column < rows[1].size() && rows[1][column] == "1";
  below.countsRows = rows.size() > 2;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const std::string_view cell = column < rows[r].size() ? trimmed(rows[r][column]) : "";
    const CellValue value = parseCell(cell, decimalComma);
    below.countsRows = below.countsRows && cell == std::to_string(r - (fromOne ? 0 : 1));
    below.hasFirst = below.hasFirst || cell == first;
    if (value.kind == CellKind::Word) {
      ++below.words;
      texts.insert(cell);
    }
    if (value.kind != CellKind::Number) continue;
    ++below.numbers;
    below.withDecimals += !isInteger(cell);
    below.low = std::min(below.low, value.value);
    below.high = std::max(below.high, value.value);
  }
  below.distinct = texts.size();
  return below;
}

/// The signs that the numbers and words of the first row are names, or are none.
struct Signs {
  std::size_t numbers = 0;
  std::size_t words = 0;
  bool counted = true;         ///< the numbers are 0, 1, 2, … and stand before the words
  bool outside = true;         ///< each number is outside the range of those below it
  bool standOut = true;        ///< each number is unlike those below it
  bool allInteger = true;      ///< each number is an integer above numbers that all have decimals
  bool anyInteger = false;     ///< one of them is
  bool progression = true;     ///< the numbers grow by equal steps
  bool index = false;          ///< the first cell is empty, above numbers of rows
  bool known = false;          ///< a word is a usual name
  bool aboveNumbers = false;   ///< a word stands above numbers
  bool aboveRepeated = false;  ///< a word stands above texts of which each repeats
  bool isData = false;         ///< it cannot be a row of names
};

void addNumber(Signs& signs, const CellValue& value, std::string_view cell, const Below& below) {
  const bool integer = isInteger(cell) && below.numbers > 1 && below.withDecimals == below.numbers;
  const bool outside = below.numbers > 0 && (value.value < below.low || value.value > below.high);
  signs.outside = signs.outside && outside;
  signs.standOut = signs.standOut && (outside || integer);
  signs.allInteger = signs.allInteger && integer;
  signs.anyInteger = signs.anyInteger || integer;
  signs.counted = signs.counted && signs.words == 0 && cell == std::to_string(signs.numbers);
  ++signs.numbers;
}

void addWord(Signs& signs, std::string_view word, const Below& below) {
  ++signs.words;
  signs.isData = signs.isData || below.hasFirst || !mayBeName(word);
  const bool numbers = below.numbers > 1 && below.words == 0;
  signs.known = signs.known || isKnownName(word) || (numbers && isAxisName(word));
  signs.aboveNumbers = signs.aboveNumbers || numbers;
  signs.aboveRepeated =
      signs.aboveRepeated || (below.words >= kLeastTexts && 2 * below.distinct <= below.words);
}

/// Whether numbers of a row grow by equal steps, as those of wavelengths do.
bool isProgression(const Cells& row, bool decimalComma) {
  if (row.size() < 3) return false;
  const auto at = [&](std::size_t c) { return parseCell(row[c], decimalComma).value; };
  const double step = at(1) - at(0);
  for (std::size_t c = 1; c < row.size(); ++c)
    if (!(step > 0) || std::abs(at(c) - at(c - 1) - step) > 1e-9 * std::abs(at(c))) return false;
  return true;
}

Signs signsOf(const TextTable& rows, bool decimalComma) {
  Signs signs;
  const Cells& row = rows.front();
  std::set<std::string_view> different;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string_view cell = trimmed(row[c]);
    const CellValue value = parseCell(cell, decimalComma);
    const Below below = columnBelow(rows, c, decimalComma);
    signs.isData = signs.isData || !different.insert(cell).second;
    if (value.kind == CellKind::Number)
      addNumber(signs, value, cell, below);
    else if (value.kind == CellKind::Word)
      addWord(signs, cell, below);
    else if (c == 0 && cell.empty() && below.countsRows)
      signs.index = true;
    else
      signs.isData = true;
  }
  signs.progression = isProgression(row, decimalComma);
  return signs;
}

/// Of a first row of numbers only.
FirstRow judgeNumbers(const TextTable& rows, const Signs& signs, bool decimalComma) {
  const bool enough = rows.size() > 2;
  if (signs.counted && signs.numbers > 2 && enough) {
    if (signs.anyInteger) return {true, false};
    // The rows of a matrix that is filled in order go on like the first one.
    const bool goesOn = isProgression(rows[1], decimalComma);
    if (signs.numbers >= kSurelyCounted && !goesOn) return {true, true};
    return {false, !goesOn};
  }
  // "0,1" may well be a point: the first one of a curve.
  if (signs.counted && signs.numbers == 2) return {false, enough && signs.allInteger};
  const bool axis = signs.progression && signs.standOut && signs.numbers >= kSurelyCounted &&
                    enough && !isProgression(rows[1], decimalComma);
  return {false, axis || (signs.progression && signs.allInteger && enough)};
}

/// Of a first row whose numbers are 0, 1, 2, … before words: "0,1,cluster".
FirstRow judgeCounted(const Signs& signs) {
  if (signs.known || signs.aboveNumbers || (signs.anyInteger && signs.numbers > 2)) return {true};
  const bool probable = signs.allInteger && signs.numbers == 2;
  return {probable, probable || signs.allInteger};
}

/// Of a first row with words and any numbers.
FirstRow judgeWords(const TextTable& rows, const Signs& signs) {
  if (signs.known && signs.standOut) return {true, rows.size() < 3};
  if (signs.standOut && signs.aboveNumbers) return {true};
  const bool integers = signs.allInteger && signs.outside && rows.size() >= kLeastUnlike;
  if ((signs.standOut && signs.aboveRepeated) || integers) return {true, true};
  return {false, signs.known || signs.aboveRepeated || signs.allInteger};
}

}  // namespace

bool quotesAboveNumbers(const std::vector<std::string>& rows, const TextDialect& dialect) {
  if (rows.size() < 2 || rows.front().find('"') == std::string::npos) return false;
  std::vector<TextCell> cells;
  std::string scratch;
  splitRecord(rows.front(), dialect, cells, scratch);
  std::vector<bool> isNumber;
  for (const TextCell& cell : cells) {
    if (!cell.quoted && !cell.text.empty()) return false;
    isNumber.push_back(parseCell(cell.text, dialect.decimalComma).kind == CellKind::Number);
    // A comma is a reason of its own for quotes.
    if (isNumber.back() && cell.text.find(',') != std::string::npos) return false;
  }
  std::size_t plain = 0;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    splitRecord(rows[r], dialect, cells, scratch);
    for (std::size_t c = 0; c < std::min(cells.size(), isNumber.size()); ++c) {
      if (!isNumber[c]) continue;
      if (cells[c].quoted) return false;
      plain += parseCell(cells[c].text, dialect.decimalComma).kind == CellKind::Number;
    }
  }
  return plain > 0;
}

FirstRow judgeFirstRow(const TextTable& rows, bool quoted, bool decimalComma) {
  const Cells& row = rows.front();
  const auto isNumber = [&](const std::string& cell) {
    return parseCell(cell, decimalComma).kind == CellKind::Number || hasDecimalComma(cell);
  };
  if (std::none_of(row.begin(), row.end(), isNumber))
    return {std::any_of(row.begin(), row.end(), [&](const std::string& cell) {
      return parseCell(cell, decimalComma).kind == CellKind::Word;
    })};
  if (quoted) return {true};
  if (rows.size() < 2) return {};
  const Signs signs = signsOf(rows, decimalComma);
  if (signs.isData) return {};
  if (signs.index && (signs.counted || signs.standOut)) return {true};
  if (signs.words == 0) return judgeNumbers(rows, signs, decimalComma);
  return signs.counted ? judgeCounted(signs) : judgeWords(rows, signs);
}

}  // namespace clusterloom
