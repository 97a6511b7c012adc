#include "engine/io/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace clusterloom {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

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

/// A number that from_chars calls out of range is either too large or too near zero for a double:
/// the power of ten of its first digit that is not 0 tells which.
double outOfRange(std::string_view number) {
  const bool negative = number.front() == '-';
  long power = -1;
  bool significant = false;
  bool point = false;
  std::size_t i = negative ? 1 : 0;
  for (; i < number.size() && number[i] != 'e' && number[i] != 'E'; ++i) {
    if (number[i] == '.') {
      point = true;
    } else {
      significant = significant || number[i] != '0';
      if (!point && significant) ++power;
      if (point && !significant) --power;
    }
  }
  if (i < number.size()) {
    std::size_t first = i + 1;
    if (first < number.size() && number[first] == '+') ++first;
    int exponent = 0;
    const auto end = number.data() + number.size();
    if (std::from_chars(number.data() + first, end, exponent).ec == std::errc::result_out_of_range)
      exponent = number[first] == '-' ? -1'000'000'000 : 1'000'000'000;
    power += exponent;
  }
  const double value = power < 0 ? 0.0 : std::numeric_limits<double>::infinity();
  return negative ? -value : value;
}

template <class Float>
std::string shortest(Float value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && isBlank(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && isBlank(cell.back())) cell.remove_suffix(1);
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
  if (stop == end && error == std::errc::result_out_of_range)
    return {CellKind::Number, outOfRange(number)};
  if (stop == end && error == std::errc())
    return {std::isnan(value) ? CellKind::Missing : CellKind::Number, value};
  if (isMissingWord(cell)) return {CellKind::Missing, kNan};
  return {CellKind::Word, kNan};
}

void appendNumber(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string numberText(double value) { return shortest(value); }
std::string floatText(float value) { return shortest(value); }

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
