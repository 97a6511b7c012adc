#pragma once

#include <string>
#include <string_view>

namespace clusterloom {

/// What the text of a cell is.
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

/// Appends the shortest digits that read back as the same double ("nan", "inf", "-0" included).
void appendNumber(std::string& text, double value);
std::string numberText(double value);
/// The same for a value that was a float: the shortest digits that read back as the same float.
std::string floatText(float value);

/// The cell without blanks at either end.
std::string_view trimmed(std::string_view cell);

/// A cell as a message shows it: in quotes, shortened, without control characters.
std::string quotedForMessage(std::string_view cell);

}  // namespace clusterloom
