#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom::cli {

/// A subcommand: its options, and the function that runs it.
struct Command {
  CLI::App* parser;
  std::function<Result<void>(const Task&)> run;
  bool onRanks = false;  ///< it can share its work between the ranks that mpirun starts
};

/// Each adds its subcommand to the program. The options live as long as the returned `run`.
Command addClusterCommand(CLI::App& program);
Command addCompareCommand(CLI::App& program);
Command addJoinCommand(CLI::App& program);
Command addKnnCommand(CLI::App& program);
Command addHierarchyCommand(CLI::App& program);
Command addLabelCommand(CLI::App& program);
Command addLoadCommand(CLI::App& program);
Command addPapersCommand(CLI::App& program);
Command addPlanCommand(CLI::App& program);
Command addGenerateCommand(CLI::App& program);
Command addHandoutCommand(CLI::App& program);
Command addHdbscanCommand(CLI::App& program);
Command addInfoCommand(CLI::App& program);
Command addThumbnailCommand(CLI::App& program);
Command addValidityCommand(CLI::App& program);

}  // namespace clusterloom::cli
