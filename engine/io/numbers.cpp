#include "engine/io/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool equalsNoCase(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() &&
         std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y;
         });
}

bool isMissingWord(std::string_view cell) {
  for (const std::string_view word : {"na", "n/a", "#n/a", "null", "nan(ind)", "-nan(ind)",
                                      "1.#qnan", "-1.#ind", "1.#ind", "-1.#qnan"})
    if (equalsNoCase(cell, word)) return true;
  return false;
}

template <class Float>
std::string shortest(Float value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && isSpace(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && isSpace(cell.back())) cell.remove_suffix(1);
  return cell;
}

CellValue parseCell(std::string_view cell, bool decimalComma) {
  cell = trimmed(cell);
  if (cell.empty()) return {CellKind::Missing, kNan};
  std::string pointed;
  if (decimalComma) {
    if (cell.find('.') != std::string_view::npos && !isMissingWord(cell))
      return {CellKind::Word, kNan};
    pointed = cell;
    std::replace(pointed.begin(), pointed.end(), ',', '.');
    cell = pointed;
  }
  std::string_view number = cell;
  if (number.front() == '+') number.remove_prefix(1);
  if (number.empty() || (number.size() < cell.size() && number.front() == '-'))
    return {CellKind::Word, kNan};
  double value = 0;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (stop == end && error == std::errc::result_out_of_range) {
    scanNumber(number, value);  // ±inf or ±0
    return {CellKind::Number, value};
  }
  if (stop == end && error == std::errc())
    return {std::isnan(value) ? CellKind::Missing : CellKind::Number, value};
  if (isMissingWord(cell)) return {CellKind::Missing, kNan};
  return {CellKind::Word, kNan};
}

bool isNumberCell(std::string_view cell) {
  return parseCell(cell).kind == CellKind::Number || parseCell(cell, true).kind == CellKind::Number;
}

bool isZeroPadded(std::string_view cell) {
  if (!cell.empty() && (cell.front() == '-' || cell.front() == '+')) cell.remove_prefix(1);
  return cell.size() > 1 && cell.front() == '0' &&
         std::all_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void appendNumber(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string numberText(double value) { return shortest(value); }
std::string numberText(float value) { return shortest(value); }

std::string quotedForMessage(std::string_view cell) {
  constexpr std::size_t most = 40;
  std::string text = "\"";
  for (const char c : cell.substr(0, most))
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  if (cell.size() > most) {
    // Not in the middle of a UTF-8 sequence.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
      text.pop_back();
    if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0xc0) text.pop_back();
    text += "…";
  }
  return text + '"';
}

}  // namespace clusterloom
