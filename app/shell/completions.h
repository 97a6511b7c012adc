#pragma once

#include <string>
#include <vector>

#include "app/shell/program_text.h"

namespace clusterloom {

/// An option with a fixed set of values, for all commands that have it.
struct OptionWords {
  std::string option;  ///< "--pattern"
  std::vector<std::string> words;
};

/// The options of strategies (from the table of options) and --backend.
std::vector<OptionWords> optionsWithWords();

/// Words with a space between each two.
std::string joined(const std::vector<std::string>& words);

/// The words of that option, joined; empty where any value is possible.
std::string wordsOf(const std::vector<OptionWords>& options, const std::string& option);

/// Scripts that complete the subcommands and options of a program, the values of options that have
/// a fixed set of them, and file names.
std::string bashCompletion(const ProgramText& program);
std::string zshCompletion(const ProgramText& program);
std::string fishCompletion(const ProgramText& program);

/// The program's page of section 1 of the manual, as roff with the macros of man(7), in UTF-8.
std::string manPage(const ProgramText& program);

}  // namespace clusterloom
