#pragma once

#include <string>

#include "app/shell/program_text.h"

namespace clusterloom {

/// The program's page of section 1 of the manual, as roff with the macros of man(7), in UTF-8.
std::string manPage(const ProgramText& program);

}  // namespace clusterloom
