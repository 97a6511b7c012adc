// clusterloom-cli: the engine on the command line, for batch jobs and benchmarks.
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/exit_status.h"
#include "app/cli/interrupt.h"
#include "app/cli/ranks.h"
#include "app/shell/program_text.h"
#include "engine/core/nearest_word.h"
#include "engine/core/number_text.h"
#include "engine/distributed/mpi_communicator.h"
#include "engine/version.h"

namespace clusterloom::cli {
namespace {

constexpr const char* kProgramFooter = R"(
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

/// A first word that is not a subcommand gets a clearer message than the parser's.
bool knowsSubcommand(const CLI::App& program, const std::string& word) {
  const auto subcommands = program.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(subcommands.begin(), subcommands.end(),
                     [&](const CLI::App* app) { return app->check_name(word); });
}

/// The name of the first option in the call that the chosen parser does not have; empty: none.
std::string unknownOption(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(0, word.find('='));
    if (app.get_option_no_throw(name) == nullptr) return name;
  }
  return {};
}

/// The subcommands other than `app` that have an option.
std::string subcommandsWith(const CLI::App& program, const CLI::App& app, const std::string& name) {
  std::string names;
  for (const CLI::App* other : program.get_subcommands([](const CLI::App*) { return true; }))
    if (other != &app && other->get_option_no_throw(name) != nullptr)
      names += (names.empty() ? "" : ", ") + other->get_name();
  return names;
}

std::string unknownOptionMessage(const CLI::App& program, const CLI::App& app,
                                 const std::string& name) {
  const std::string others = &app == &program ? "" : subcommandsWith(program, app, name);
  if (!others.empty())
    return "The subcommand " + app.get_name() + " has no option " + quotedText(name) +
           "; it is one of: " + others;
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
  const std::string nearest = nearestWord(name, names);
  return "There is no option " + quotedText(name) +
         (nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

/// The error message of the parser, replaced where it is unclear.
std::string problemOf(const CLI::App& program, const CLI::ParseError& error, int argc,
                      char** argv) {
  const CLI::App& app = *chosen(program);
  if (const std::string name = unknownOption(app, argc, argv); !name.empty())
    return unknownOptionMessage(program, app, name);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  std::string words;
  for (const std::string& word : app.remaining())
    words += (words.empty() ? "" : ", ") + quotedText(word);
  return "Not expected: " + words;
}

int refuse(const CLI::App& program, const std::string& message) {
  sayError(message + " (" + nameOf(program) + " --help explains)");
  endRanksTogether();
  return kWrongCall;
}

int statusOf(const Result<void>& done) {
  clearProgress();
  if (done) return kDone;
  const bool stopped = done.error().kind == ErrorKind::Cancelled;
  sayError(stopped ? kInterruptedMessage : done.error().message);
  return exitStatusOf(done.error().kind);
}

bool isRefused(const Command& command) { return startedRanks() > 1 && !command.onRanks; }

Result<void> runCommand(const Command& command, const Task& task) {
  if (isRefused(command))
    return fail(ErrorKind::BadCall, "The subcommand " + command.parser->get_name() +
                                        " runs as one process. Start it without mpirun.");
  return command.run(task);
}

int runChosen(const std::vector<Command>& commands) {
  const Interrupt interrupt;
  const Task task{interrupt.token(), progressOnTerminal()};
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    const int status = statusOf(runCommand(command, task));
    // After the message: a process that ends with an error makes mpirun end the others.
    if (isRefused(command))
      endRanksTogether();
    else
      endRanks();
    return status;
  }
  return kWrongCall;
}

CommandText textOf(const CLI::App& app, const std::string& name) {
  CommandText text{name, app.get_description(), {}, {}, app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    const std::string value = !option->get_option_text().empty()     ? option->get_option_text()
                              : option->get_items_expected_max() > 0 ? option->get_type_name()
                                                                     : "";
    if (option->get_positional())
      text.positionals.push_back({option->get_name(true), "", option->get_description()});
    for (const std::string& longName : option->get_lnames())
      text.options.push_back({"--" + longName, value, option->get_description()});
  }
  return text;
}

/// "cluster, join and info".
std::string namesOf(const std::vector<Command>& commands) {
  std::string text;
  for (std::size_t i = 0; i < commands.size(); ++i)
    text += (i == 0                    ? ""
             : i + 1 < commands.size() ? ", "
                                       : " and ") +
            commands[i].parser->get_name();
  return text;
}

ProgramText textOf(const CLI::App& program) {
  ProgramText text{"clusterloom-cli",
                   "find density-based clusters of point clouds on the command line",
                   kVersion,
                   "clusterloom",
                   {textOf(program, "")}};
  for (const CLI::App* app : program.get_subcommands([](const CLI::App*) { return true; }))
    text.commands.push_back(textOf(*app, app->get_name()));
  return text;
}

int print(const std::string& text) {
  const Result<void> printed = printText(text);
  if (!printed) sayError(printed.error().message);
  return printed ? kDone : kWorkFailed;
}

int run(int argc, char** argv) {
  if (startedRanks() > 1 && startedRank() > 0) muteConsole();
  CLI::App program("Exact density-based clusters of point clouds, on the command line.",
                   "clusterloom-cli");
  program.set_version_flag("--version", std::string("clusterloom-cli ") + kVersion);
  program.get_formatter()->column_width(34);
  program.footer(kProgramFooter);
  program.require_subcommand(1);
  const std::vector<Command> commands = {
      addClusterCommand(program),   addJoinCommand(program),    addKnnCommand(program),
      addHierarchyCommand(program), addHdbscanCommand(program), addLabelCommand(program),
      addCompareCommand(program),   addLoadCommand(program),    addPlanCommand(program),
      addGenerateCommand(program),  addInfoCommand(program),    addThumbnailCommand(program)};
  for (const ShellText& text : shellTexts())
    program.add_flag(std::string("--") + text.option, text.help);
  for (const ShellText& text : shellTexts())
    if (argc == 2 && std::string(argv[1]) == std::string("--") + text.option)
      return print(text.make(textOf(program)));
  if (argc > 1 && argv[1][0] != '-' && !knowsSubcommand(program, argv[1]))
    return refuse(program, "There is no subcommand " + quotedText(argv[1]) + "; choose one of " +
                               namesOf(commands));
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help or --version
    std::ostringstream text;
    program.exit(asked, text);
    return print(text.str());
  } catch (const CLI::ParseError& error) {
    return refuse(program, problemOf(program, error, argc, argv));
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
