#pragma once

#include <string>
#include <vector>

namespace clusterloom {

/// What bash can complete after a subcommand, or, with an empty name, without one.
struct CompletedCommand {
  std::string name;
  std::vector<std::string> options;  ///< "--eps"
};

/// A script for bash that completes the subcommands and options of `program`, the values of the
/// options of strategies (from the table of options) and of --backend, and file names.
std::string bashCompletion(const std::string& program,
                           const std::vector<CompletedCommand>& commands);

}  // namespace clusterloom
