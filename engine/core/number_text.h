#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace clusterloom {

/// The result of reading a text as a double.
enum class NumberText {
  Number,        ///< a finite number, rounded once to the nearest double
  Infinite,      ///< "inf" or "infinity"
  NotANumber,    ///< "nan"
  TooLarge,      ///< finite, but above the largest double
  TooSmall,      ///< not 0, but rounded to 0
  NotUnderstood  ///< anything else, the empty text included
};

/// Reads the whole of `text` by std::from_chars: independent of the locale, one rounding. A plus
/// sign may come first, blanks may not. `value` gets ±inf for TooLarge and ±0 for TooSmall.
NumberText scanNumber(std::string_view text, double& value);

/// Reads a finite number. `option` starts the message, e.g. "--eps". BadCall, with the reason.
Result<double> readNumber(std::string_view option, std::string_view text);

/// Reads an integer in base 10 between `least` and `most`; "010" is 10. BadCall, also for numbers
/// too large for 64 bits.
Result<std::int64_t> readInteger(std::string_view option, std::string_view text, std::int64_t least,
                                 std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// The same for seeds and batch sizes, which take all 64 bits.
Result<std::uint64_t> readUnsigned(std::string_view option, std::string_view text,
                                   std::uint64_t least,
                                   std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// The shortest digits that readNumber turns back into the same double.
std::string roundTripText(double value);

/// A whole number for people, in groups of three digits: "1,234,567" (NumberSigns).
std::string groupedText(std::uint64_t value);
/// "1 point", "9,000 points": the number of what `one` names in English.
std::string countedText(std::uint64_t count, const std::string& one);

/// A share for people, as all programs write it: "18.7 %", two decimals below 0.1 % ("0.03 %"), and
/// "< 0.01 %" for what would be rounded to nothing. 0 is "0.0 %".
std::string percentText(double fraction);

/// A text from outside as messages show it: in quotes, without control characters, cut between two
/// characters after at most 60 bytes.
std::string quotedText(std::string_view text);

/// The decimal sign and the sign between groups in numbers for display: groupedText, percentText,
/// memoryText and the charts. English unless the window shows another language. Files, command
/// lines and JSON have a decimal point and no groups in every language.
struct NumberSigns {
  std::string group = ",";  ///< between groups of three digits
  std::string decimal = ".";
};

const NumberSigns& numberSigns();

/// Sets them for the whole process. Call before other threads are started.
void setNumberSigns(NumberSigns signs);

/// A number as std::to_chars writes it, with the signs above; a number with an exponent has no
/// groups.
enum class Groups { None, Thousands };
std::string withSigns(std::string number, Groups groups);

}  // namespace clusterloom
