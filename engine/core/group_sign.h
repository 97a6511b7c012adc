#pragma once

#include <string>

namespace clusterloom {

/// What separates groups of three digits in numbers for people (groupedText and the charts):
/// a comma, unless the window shows a language in which that is the decimal sign. Numbers in files
/// have no groups.
const std::string& groupSign();

/// Sets it for the whole process. Call before other threads are started.
void setGroupSign(std::string sign);

}  // namespace clusterloom
