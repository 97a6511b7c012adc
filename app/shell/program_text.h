#pragma once

#include <string>
#include <vector>

namespace clusterloom {

/// An option or positional argument of a program, as its help describes it.
struct OptionText {
  std::string name;   ///< "--eps", or the word of a positional argument: "FILE"
  std::string value;  ///< what stands for its value, "E"; empty: it takes none
  std::string help;
  bool required = false;  ///< of a positional argument
};

/// A subcommand, or the program itself.
struct CommandText {
  std::string name;  ///< empty: the program without a subcommand
  std::string help;
  std::vector<OptionText> positionals;
  std::vector<OptionText> options;
  std::string notes;  ///< below the options: lines as they are
};

/// The description of a program, from which its completions and its manual page are made.
struct ProgramText {
  std::string name;     ///< "clusterloom-cli"
  std::string summary;  ///< one line, without a full stop
  std::string version;
  std::string other;                  ///< the name of the other program
  std::vector<CommandText> commands;  ///< one without a name first
};

/// A text that a program prints for shells or the manual instead of its work.
struct ShellText {
  const char* option;  ///< without dashes: "bash-completion"
  const char* help;
  std::string (*make)(const ProgramText&);
};

/// All of them.
const std::vector<ShellText>& shellTexts();

}  // namespace clusterloom
