#include "engine/io/text/text_suspects.h"

#include <algorithm>
#include <array>

#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

using Cells = TextTable::value_type;

/// Whether it is a number but for the exponent of Fortran (1.5D+02) or a minus sign that is no
/// hyphen (−1).
bool isSpelledOtherwise(std::string_view cell) {
  constexpr std::string_view kMinus = "−";
  std::string plain(cell);
  if (cell.starts_with(kMinus)) plain.replace(0, kMinus.size(), "-");
  const std::size_t exponent = plain.find_first_of("dD");
  if (exponent != plain.npos && plain.find('.') < exponent) plain[exponent] = 'e';
  return plain != cell && isNumberCell(plain);
}

/// Whether it is a number such as "1.5%", "€1", "$ -2", "0x10", "1.5D+02" or "−1".
bool hasSign(std::string_view cell) {
  if (isSpelledOtherwise(cell)) return true;
  constexpr std::array<std::string_view, 7> signs{"%", "‰", "€", "$", "£", "¥", "°"};
  if (cell.starts_with("0x") || cell.starts_with("0X"))
    return cell.size() > 2 && cell.find_first_not_of("0123456789abcdefABCDEF", 2) == cell.npos;
  for (const std::string_view sign : signs) {
    std::string_view number = cell;
    if (number.starts_with(sign))
      number.remove_prefix(sign.size());
    else if (number.ends_with(sign))
      number.remove_suffix(sign.size());
    else
      continue;
    return isNumberCell(number);
  }
  return false;
}

}  // namespace

bool hasDecimalComma(const std::string& cell) {
  const std::size_t comma = cell.find(',');
  return comma + 1 < cell.size() && comma != std::string::npos && cell[comma + 1] >= '0' &&
         cell[comma + 1] <= '9' && parseCell(cell, true).kind == CellKind::Number;
}

void findCommaColumn(TextLayout& layout) {
  if (layout.dialect.decimalComma) return;
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    if (layout.columns[c].numeric) continue;
    std::size_t numbers = 0;
    std::size_t words = 0;
    std::string example;
    for (const Cells& row : layout.sample) {
      if (c >= row.size()) continue;
      const CellKind kind = parseCell(row[c]).kind;
      if (hasDecimalComma(row[c]) && example.empty()) example = row[c];
      numbers += kind == CellKind::Number || hasDecimalComma(row[c]);
      words += kind == CellKind::Word && !hasDecimalComma(row[c]);
    }
    if (example.empty() || numbers < words) continue;
    layout.commaColumn = c;
    layout.commaExample = example;
    return;
  }
}

void findSignColumn(TextLayout& layout) {
  for (std::size_t c = 0; c < layout.columns.size() && !layout.signColumn; ++c) {
    if (layout.columns[c].numeric) continue;
    std::size_t signs = 0;
    std::size_t words = 0;
    for (const Cells& row : layout.sample) {
      if (c >= row.size() || parseCell(row[c]).kind != CellKind::Word) continue;
      const bool sign = hasSign(trimmed(row[c]));
      if (sign && signs == 0) layout.signExample = row[c];
      ++(sign ? signs : words);
    }
    if (signs > words) layout.signColumn = c;
  }
}

void findTurned(TextLayout& layout, const std::uint64_t* lines) {
  constexpr std::size_t kLeastNumbers = 2;
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    if (layout.columns[c].numeric) continue;
    std::size_t numbers = 0;
    for (std::size_t r = 0; r < layout.sample.size(); ++r) {
      const Cells& row = layout.sample[r];
      if (c >= row.size()) break;
      const CellKind kind = parseCell(row[c], layout.dialect.decimalComma).kind;
      numbers += kind == CellKind::Number;
      if (kind != CellKind::Word) continue;
      if (numbers >= kLeastNumbers) layout.turned.push_back({c, lines[r], row[c]});
      break;
    }
  }
}

bool isObj(const TextTable& sample, const TextDialect& dialect) {
  constexpr std::array<std::string_view, 12> keywords{"v", "vn", "vt", "vp", "f",      "l",
                                                      "p", "o",  "g",  "s",  "usemtl", "mtllib"};
  if (dialect.delimiter != ' ' || sample.empty()) return false;
  bool vertex = false;
  for (const Cells& row : sample) {
    if (std::find(keywords.begin(), keywords.end(), row.front()) == keywords.end()) return false;
    vertex = vertex ||
             (row.front() == "v" && row.size() >= 4 && parseCell(row[1]).kind == CellKind::Number);
  }
  return vertex;
}

}  // namespace clusterloom
