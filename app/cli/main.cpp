// clusterloom-cli: the engine on the command line, for batch jobs and benchmarks.
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exit_status.h"
#include "app/cli/interrupt.h"
#include "engine/version.h"

namespace clusterloom::cli {
namespace {

constexpr const char* kFooter = R"(
Exit status: 0 done, 1 the work failed, 2 the call was wrong, 130 interrupted; the last line on
standard error says why.

Start here:
  clusterloom-cli generate shapes --points 9000 shapes.csv
  clusterloom-cli info shapes.csv --min-pts 10
  clusterloom-cli cluster shapes.csv --eps 1.5 --min-pts 10 --labels labelled.csv
  clusterloom-cli cluster --help)";

const CLI::App* chosen(const CLI::App& program) {
  const std::vector<CLI::App*> subcommands = program.get_subcommands();
  return subcommands.empty() ? &program : subcommands.front();
}

std::string nameOf(const CLI::App& program) {
  const CLI::App* app = chosen(program);
  return app == &program ? "clusterloom-cli" : "clusterloom-cli " + app->get_name();
}

/// A first word that is no subcommand deserves a better message than the parser has.
bool knowsSubcommand(const CLI::App& program, const std::string& word) {
  const auto subcommands = program.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(subcommands.begin(), subcommands.end(),
                     [&](const CLI::App* app) { return app->check_name(word); });
}

int refuse(const CLI::App& program, const std::string& message) {
  sayError(message + " (" + nameOf(program) + " --help explains)");
  return kWrongCall;
}

int runChosen(const std::vector<Command>& commands) {
  const Interrupt interrupt;
  const Task task{interrupt.token(), progressOnTerminal()};
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    const Result<void> done = command.run(task);
    clearProgress();
    if (done) return kDone;
    const bool stopped = done.error().kind == ErrorKind::Cancelled;
    sayError(stopped ? "interrupted; files that were there before are as they were"
                     : done.error().message);
    return exitStatusOf(done.error().kind);
  }
  return kWrongCall;
}

int run(int argc, char** argv) {
  CLI::App program("Exact density-based clusters of point clouds, on the command line.",
                   "clusterloom-cli");
  program.set_version_flag("--version", std::string("clusterloom-cli ") + kVersion);
  program.get_formatter()->column_width(34);
  program.footer(kFooter);
  program.require_subcommand(1);
  const std::vector<Command> commands = {addClusterCommand(program), addJoinCommand(program),
                                         addLoadCommand(program), addGenerateCommand(program),
                                         addInfoCommand(program)};
  if (argc > 1 && argv[1][0] != '-' && !knowsSubcommand(program, argv[1]))
    return refuse(program,
                  std::string("There is no subcommand '") + argv[1] +
                      "' in this build; choose one of cluster, join, load, generate and info");
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help or --version
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    return refuse(program, error.what());
  }
  return runChosen(commands);
}

}  // namespace
}  // namespace clusterloom::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the size limit is an error with a message
  try {
    return clusterloom::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    clusterloom::cli::sayError("There is not enough memory for this run.");
  } catch (const std::system_error& error) {
    clusterloom::cli::sayError(std::string("A thread cannot be started (") + error.what() +
                               "); raise the limits (ulimit -u, ulimit -v).");
  } catch (const std::exception& error) {
    clusterloom::cli::sayError(error.what());
  }
  return clusterloom::cli::kWorkFailed;
}
