#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/commands.h"

namespace clusterloom::cli {

/// The parsed call of the program.
struct Call {
  enum class Kind {
    Run,    ///< the work of `command`
    Print,  ///< `text`: help, the version or a text for shells
    Refuse  ///< nothing, because the call is wrong: `text` says why
  };
  Kind kind = Kind::Refuse;
  std::string text;
  const Command* command = nullptr;
};

/// The command line of clusterloom-cli: its subcommands with their options.
class Program {
 public:
  Program();
  /// Reads the words of one call, the name of the program first. Files are neither read nor
  /// written. The command of the call lives as long as the program.
  Call read(int argc, char** argv);

 private:
  CLI::App parser_;
  std::vector<Command> commands_;
};

}  // namespace clusterloom::cli
