#include "engine/io/text/text_preamble.h"

#include <algorithm>
#include <array>

#include "engine/core/lower_case.h"
#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostBefore = 50;

bool hasNumber(const std::vector<std::string>& row) {
  return std::any_of(row.begin(), row.end(), isNumberCell);
}

bool isCount(const std::vector<std::string>& row) {
  return row.size() == 1 && !row.front().empty() &&
         row.front().find_first_not_of("0123456789") == std::string::npos;
}

/// Whether a row may stand before a table. One of numbers alone, but for a count, may be a damaged
/// row of the table, which is not dropped.
bool mayBeBefore(const std::vector<std::string>& row, std::size_t width) {
  if (!hasNumber(row) || isCount(row)) return true;
  return row.size() < width && std::any_of(row.begin(), row.end(), [](const std::string& cell) {
           return parseCell(cell).kind == CellKind::Word;
         });
}

/// Whether a row may hold the names of the table's columns but for one too few, as where R writes
/// numbers of rows, or one too many.
bool isMisfitHeader(const std::vector<std::string>& row, std::size_t width) {
  return row.size() > 1 && !hasNumber(row) && (row.size() + 1 == width || row.size() == width + 1);
}

/// "m", "km/s", "m/s^2", "(deg)", "[mm]"; not words that may stand for a missing value.
bool isUnit(std::string_view cell) {
  constexpr std::array<std::string_view, 58> units{
      "m",   "mm",  "cm",     "km",      "um",  "µm",     "μm",     "nm",  "ft",  "in",
      "s",   "ms",  "us",     "µs",      "μs",  "ns",     "min",    "h",   "d",   "yr",
      "deg", "°",   "degree", "degrees", "rad", "arcsec", "arcmin", "mas", "%",   "k",
      "°c",  "c",   "v",      "mv",      "a",   "ma",     "w",      "kw",  "hz",  "khz",
      "mhz", "ghz", "pa",     "hpa",     "kpa", "bar",    "mbar",   "ev",  "kev", "mev",
      "kg",  "g",   "mg",     "pc",      "kpc", "mpc",    "au",     "mag"};
  if (cell.size() > 2 &&
      ((cell.front() == '[' && cell.back() == ']') || (cell.front() == '(' && cell.back() == ')')))
    return true;
  // Each factor of a quotient or product, without its power.
  const std::string text = lowerCase(cell);
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find_first_of("/*.");
    std::string_view factor = rest.substr(0, end);
    for (const std::string_view power : {"²", "³", "^2", "^3", "^-1", "^-2", "2", "3"})
      if (factor.ends_with(power)) {
        factor.remove_suffix(power.size());
        break;
      }
    if (std::find(units.begin(), units.end(), factor) == units.end()) return false;
    if (end == std::string_view::npos) return true;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

char namedDelimiter(std::string_view line) {
  line = trimmed(line);
  if (line.size() > 2 && line.front() == '"' && line.back() == '"')
    line = line.substr(1, line.size() - 2);
  constexpr std::string_view kWord = "sep=";
  if (line.size() != kWord.size() + 1 || lowerCase(line.substr(0, kWord.size())) != kWord)
    return '\0';
  return std::string_view(",;\t |").find(line.back()) != std::string_view::npos ? line.back()
                                                                                : '\0';
}

std::size_t rowsBeforeTable(const TextTable& rows, bool xyz) {
  if (rows.size() < 3 || rows.back().size() < 2) return 0;
  const std::size_t width = rows.back().size();
  std::size_t first = rows.size();
  while (first > 0 && rows[first - 1].size() == width) --first;
  if (first == 0 || first > kMostBefore || rows.size() - first < 2) return 0;
  if (!hasNumber(rows.back())) return 0;
  if (!std::all_of(rows.begin(), rows.begin() + std::ptrdiff_t(first),
                   [&](const auto& row) { return mayBeBefore(row, width); }))
    return 0;
  const bool counted = xyz && isCount(rows.front());
  // The comment of an .xyz file may have as many words as its rows have cells.
  if (counted && first == 1 && !hasNumber(rows[1])) return 2;
  if (counted && first == 2) return 2;
  return isMisfitHeader(rows[first - 1], width) ? 0 : first;
}

std::vector<std::string> ptsNames(std::size_t columns) {
  switch (columns) {
    case 4: return {"x", "y", "z", "intensity"};
    case 6: return {"x", "y", "z", "red", "green", "blue"};
    case 7: return {"x", "y", "z", "intensity", "red", "green", "blue"};
    default: return {};
  }
}

bool isRowOfUnits(const TextTable& rows, bool decimalComma) {
  if (rows.size() < 2) return false;
  bool any = false;
  for (std::size_t c = 0; c < rows.front().size(); ++c) {
    const std::string& cell = rows.front()[c];
    if (parseCell(cell, decimalComma).kind == CellKind::Number) return false;
    const bool numbers = std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
      return c < row.size() && parseCell(row[c], decimalComma).kind != CellKind::Word;
    });
    if (!numbers) continue;
    const std::string_view text = trimmed(cell);
    if (text.empty() || text == "-") continue;
    if (!isUnit(text)) return false;
    any = true;
  }
  return any;
}

}  // namespace clusterloom
