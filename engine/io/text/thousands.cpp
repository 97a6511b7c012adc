#include "engine/io/text/thousands.h"

#include <algorithm>
#include <array>
#include <span>

#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

using DecimalSign = TextOptions::DecimalSign;

constexpr std::array<std::string_view, 1> kComma{","};
constexpr std::array<std::string_view, 1> kPoint{"."};
// The blank, and those that do not break: the usual, the narrow and the thin one.
constexpr std::array<std::string_view, 4> kBlanks{" ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
constexpr std::array<std::string_view, 2> kApostrophes{"'", "\xE2\x80\x99"};

std::span<const std::string_view> writingsOf(Thousands sign) {
  switch (sign) {
    case Thousands::Comma: return kComma;
    case Thousands::Point: return kPoint;
    case Thousands::Blank: return kBlanks;
    case Thousands::Apostrophe: return kApostrophes;
    case Thousands::Auto:
    case Thousands::None: break;
  }
  return {};
}

std::size_t digitsAt(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// The bytes of the sign that the text begins with; 0: it does not.
std::size_t signAt(std::string_view text, Thousands sign) {
  for (const std::string_view writing : writingsOf(sign))
    if (text.starts_with(writing)) return writing.size();
  return 0;
}

bool isDecimal(char c, Thousands sign) {
  return (c == '.' && sign != Thousands::Point) || (c == ',' && sign != Thousands::Comma);
}

bool isPlainNumber(const std::string& cell, bool decimalComma) {
  return parseCell(cell, decimalComma).kind == CellKind::Number;
}

/// Whether the cell has this decimal sign and no groups.
bool hasPlainDecimals(const std::string& cell, char decimal) {
  const Thousands grouped = decimal == '.' ? Thousands::Point : Thousands::Comma;
  return cell.find(decimal) != std::string::npos && isPlainNumber(cell, decimal == ',') &&
         !groupedNumber(cell, grouped);
}

/// The evidence of a column for a sign.
struct ColumnSays {
  bool fits = true;       ///< all cells are numbers in this writing, or missing
  bool decimals = false;  ///< one of them has groups and decimals
  bool groups = false;    ///< one of them has two groups or more
  bool varied = false;    ///< they have different numbers of digits
  bool addresses = true;  ///< all may be such as "192.168.100.200"
  std::string example;
};

/// Whether the cell is a number in the writing; notes what it says.
bool takeCell(const std::string& cell, Thousands sign, ColumnSays& says, int& digits) {
  const auto count = [&](int found) {
    says.varied = says.varied || (digits != 0 && digits != found);
    digits = found;
  };
  if (const auto number = groupedNumber(cell, sign)) {
    if (says.example.empty()) says.example = cell;
    says.decimals = says.decimals || number->decimal != '\0';
    says.groups = says.groups || number->groups > 1;
    says.addresses = says.addresses && number->groups == 3 && number->decimal == '\0';
    count(number->digits);
    return true;
  }
  if (parseCell(cell).kind == CellKind::Missing) return true;
  if (!((sign != Thousands::Point && isPlainNumber(cell, false)) ||
        (sign != Thousands::Comma && isPlainNumber(cell, true))))
    return false;
  count(int(digitsAt(trimmed(cell))));
  return true;
}

ColumnSays columnSays(const TextTable& rows, std::size_t column, Thousands sign) {
  ColumnSays says;
  const bool any = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
    return column < row.size() && groupedNumber(row[column], sign);
  });
  if (!any) return says;
  int digits = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (column >= rows[r].size() || takeCell(rows[r][column], sign, says, digits)) continue;
    // Names and units stand in the first rows.
    if (r < 2 && says.example.empty() && digits == 0) continue;
    says.fits = false;
    break;
  }
  return says;
}

/// Whether the cells of a column can mean nothing else. Where the decimal sign is chosen, the other
/// of point and comma separates thousands.
bool isSure(const ColumnSays& says, Thousands sign, DecimalSign decimal) {
  const bool shown = says.decimals || says.groups;
  switch (sign) {
    case Thousands::Comma: return shown || decimal == DecimalSign::Point;
    case Thousands::Point: return (shown || decimal == DecimalSign::Comma) && !says.addresses;
    case Thousands::Blank: return says.decimals || (says.groups && says.varied);
    case Thousands::Apostrophe: return true;
    case Thousands::Auto:
    case Thousands::None: break;
  }
  return false;
}

bool anyCell(const TextTable& rows, char decimal) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
    return std::any_of(row.begin(), row.end(),
                       [&](const std::string& cell) { return hasPlainDecimals(cell, decimal); });
  });
}

}  // namespace

std::optional<GroupedNumber> groupedNumber(std::string_view cell, Thousands sign) {
  std::string_view rest = trimmed(cell);
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  GroupedNumber number;
  std::size_t digits = digitsAt(rest);
  if (digits < 1 || digits > 3 || rest.front() == '0') return std::nullopt;
  for (;;) {
    number.digits += int(digits);
    rest.remove_prefix(digits);
    const std::size_t between = signAt(rest, sign);
    if (between == 0) break;
    rest.remove_prefix(between);
    digits = digitsAt(rest);
    if (digits != 3) return std::nullopt;
    ++number.groups;
  }
  if (number.groups == 0) return std::nullopt;
  if (rest.empty()) return number;
  number.decimal = rest.front();
  rest.remove_prefix(1);
  if (!isDecimal(number.decimal, sign) || rest.empty() || digitsAt(rest) != rest.size())
    return std::nullopt;
  return number;
}

std::string_view withoutThousands(std::string_view cell, Thousands sign, std::string& text) {
  if (!groupedNumber(cell, sign)) return cell;
  text.clear();
  for (std::string_view rest = trimmed(cell); !rest.empty();) {
    if (const std::size_t between = signAt(rest, sign)) {
      rest.remove_prefix(between);
      continue;
    }
    text += rest.front();
    rest.remove_prefix(1);
  }
  return text;
}

ThousandsFound findThousands(const TextTable& rows, char delimiter, DecimalSign decimal) {
  const bool decimalPoint = anyCell(rows, '.');
  const bool decimalComma = anyCell(rows, ',');
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.size());
  ThousandsFound found;
  ThousandsFound perhaps;
  int signs = 0;
  for (const Thousands sign :
       {Thousands::Comma, Thousands::Point, Thousands::Blank, Thousands::Apostrophe}) {
    const bool comma = sign == Thousands::Comma;
    const bool point = sign == Thousands::Point;
    if ((comma && (decimal == DecimalSign::Comma || decimalComma)) ||
        (point && (decimal == DecimalSign::Point || decimalPoint || delimiter == ',')))
      continue;
    bool taken = false;
    for (std::size_t c = 0; c < width; ++c) {
      const ColumnSays says = columnSays(rows, c, sign);
      if (!says.fits || says.example.empty()) continue;
      const bool sure = isSure(says, sign, decimal);
      if (sure && !taken) {
        taken = true;
        ++signs;
        found = {sign, says.example};
      }
      // Points are the usual decimal sign, but where semicolons separate the columns.
      const bool said =
          comma || (point && delimiter == ';' && !says.addresses) || sign == Thousands::Blank;
      if (!sure && said && perhaps.example.empty()) perhaps = {Thousands::None, says.example, sign};
    }
  }
  return signs == 1 ? found : signs == 0 ? perhaps : ThousandsFound{};
}

}  // namespace clusterloom
