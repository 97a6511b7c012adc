#pragma once

#include <string>

namespace clusterloom {

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
