#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace clusterloom {

/// The kind of text in a cell.
enum class CellKind {
  Number,   ///< a number; it may be infinite ("inf", or too large for a double)
  Missing,  ///< nothing, "NA", "N/A", "null" or a way to write NaN; its value is NaN
  Word,     ///< anything else
};

struct CellValue {
  CellKind kind = CellKind::Missing;
  double value = 0;
};

/// Reads a number written in the C locale, independent of the current one: the nearest double,
/// exactly rounded; blanks around it and a plus sign are allowed. With `decimalComma` the comma
/// takes the place of the point (and a point makes the cell a word).
CellValue parseCell(std::string_view cell, bool decimalComma = false);
/// Whether it is a number with one of both decimal signs.
bool isNumberCell(std::string_view cell);

/// Whether a cell is an integer in the usual notation, such as "-12", without a plus sign and zeros
/// before it; with its value where it is one of T.
template <class T>
bool readInteger(std::string_view cell, T& value) {
  if (cell.starts_with('-') ? cell.starts_with("-0") : cell.size() > 1 && cell.front() == '0')
    return false;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, value);
  return error == std::errc() && stop == end;
}

/// Whether a cell is digits with a zero before them, such as "007": a code rather than a number.
bool isZeroPadded(std::string_view cell);

/// Appends the shortest digits that read back as the same double ("nan", "inf", "-0" included).
void appendNumber(std::string& text, double value);
template <class T>
requires std::is_integral_v<T>
void appendNumber(std::string& text, T value) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}
std::string numberText(double value);
/// The shortest digits that read back as the same float.
std::string numberText(float value);
template <class T>
requires std::is_integral_v<T> std::string numberText(T value) { return std::to_string(value); }

/// The cell without blanks at either end.
std::string_view trimmed(std::string_view cell);

/// A cell as a message shows it: in quotes, shortened, without control characters.
std::string quotedForMessage(std::string_view cell);

}  // namespace clusterloom
