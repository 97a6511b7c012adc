#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/io/read.h"
#include "engine/io/text/text_preamble.h"

namespace clusterloom {

using Thousands = TextOptions::Thousands;

/// A number whose digits stand in groups of three, such as "1,234,567.5".
struct GroupedNumber {
  int groups = 0;       ///< of three digits
  char decimal = '\0';  ///< the decimal sign; '\0': the number has none
  int digits = 0;       ///< before the decimal sign
};

/// The number of a cell with this sign between its groups: one to three digits that do not begin
/// with 0, at least one group of exactly three, and perhaps decimals behind the other sign (behind
/// either where the groups have blanks or apostrophes between them). Nothing for other cells.
std::optional<GroupedNumber> groupedNumber(std::string_view cell, Thousands sign);

/// The cell without the signs between its groups, in `text`, where groupedNumber takes it; else as
/// it is.
std::string_view withoutThousands(std::string_view cell, Thousands sign, std::string& text);

/// The evidence of the first rows of a table.
struct ThousandsFound {
  Thousands sign = Thousands::None;
  std::string example;  ///< a cell with groups
  /// The sign between thousands or, as the file is read, the decimal sign: `example` shows it.
  Thousands perhaps = Thousands::None;
};

/// Finds the sign between thousands where nothing else can be meant: all cells of a column are
/// numbers in this writing, and one of them has a group and decimals, or two groups. Whole numbers
/// with blanks must also differ in length, as codes do not; apostrophes need no more than a group.
/// The sign of one column is that of all. `decimal` is what the caller chose: where it is the
/// comma, a point is none of decimals, and the other way round. Nothing is found where a number of
/// any column has the sign before its decimals.
ThousandsFound findThousands(const TextTable& rows, char delimiter,
                             TextOptions::DecimalSign decimal);

}  // namespace clusterloom
