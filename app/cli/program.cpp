#include "app/cli/program.h"

#include <algorithm>
#include <sstream>

#include "app/shell/program_text.h"
#include "engine/core/nearest_word.h"
#include "engine/core/number_text.h"
#include "engine/version.h"

namespace clusterloom::cli {
namespace {

constexpr const char* kProgramFooter = R"(
Exit status: 0 done, 1 the work failed, 2 the call was wrong or asks for what this build or
machine lacks, 130 interrupted; the last line on standard error says why.

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
  const std::string text = error.what();
  if (const auto at = text.find(": At Most 1 required"); at != std::string::npos)
    return text.substr(0, at) + " is given more than once";
  // Also those before the subcommand and behind `--`, which the program keeps.
  std::string words;
  std::string dashed;
  for (const std::string& word : program.remaining(true)) {
    words += (words.empty() ? "" : ", ") + quotedText(word);
    if (dashed.empty() && word.size() > 1 && word[0] == '-' && word != "--") dashed = word;
  }
  // What is required may be missing because it was written like an option.
  const bool required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr && !(required && !dashed.empty()))
    return text;
  const bool mayBeFile = !dashed.empty() && dashed[1] != '-';
  return "Not expected: " + words +
         (mayBeFile ? "; a file of this name is written ./" + dashed : std::string());
}

Call refuse(const CLI::App& program, const std::string& message) {
  return {Call::Kind::Refuse, message + " (" + nameOf(program) + " --help explains)"};
}

CommandText textOf(const CLI::App& app, const std::string& name) {
  CommandText text{name, app.get_description(), {}, {}, app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    const std::string value = !option->get_option_text().empty()     ? option->get_option_text()
                              : option->get_items_expected_max() > 0 ? option->get_type_name()
                                                                     : "";
    if (option->get_positional())
      text.positionals.push_back(
          {option->get_name(true), "", option->get_description(), option->get_required()});
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

}  // namespace

Program::Program()
    : parser_("Exact density-based clusters of point clouds, on the command line.",
              "clusterloom-cli"),
      commands_{
          addClusterCommand(parser_),   addJoinCommand(parser_),     addKnnCommand(parser_),
          addHierarchyCommand(parser_), addHdbscanCommand(parser_),  addLabelCommand(parser_),
          addCompareCommand(parser_),   addValidityCommand(parser_), addLoadCommand(parser_),
          addPlanCommand(parser_),      addGenerateCommand(parser_), addPapersCommand(parser_),
          addHandoutCommand(parser_),   addInfoCommand(parser_),     addThumbnailCommand(parser_)} {
  parser_.set_version_flag("--version", std::string("clusterloom-cli ") + kVersion);
  parser_.get_formatter()->column_width(34);
  parser_.footer(kProgramFooter);
  parser_.require_subcommand(1);
  for (const ShellText& text : shellTexts())
    parser_.add_flag(std::string("--") + text.option, text.help);
}

Call Program::read(int argc, char** argv) {
  for (const ShellText& text : shellTexts())
    if (argc > 1 && std::string(argv[1]) == std::string("--") + text.option)
      return argc == 2 ? Call{Call::Kind::Print, text.make(textOf(parser_))}
                       : refuse(parser_, std::string("--") + text.option + " stands alone");
  if (argc > 1 && argv[1][0] != '-' && !knowsSubcommand(parser_, argv[1]))
    return refuse(parser_, "There is no subcommand " + quotedText(argv[1]) + "; choose one of " +
                               namesOf(commands_));
  try {
    parser_.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help or --version
    std::ostringstream text;
    parser_.exit(asked, text);
    return {Call::Kind::Print, text.str()};
  } catch (const CLI::ParseError& error) {
    return refuse(parser_, problemOf(parser_, error, argc, argv));
  }
  const auto asked = std::ranges::find_if(
      commands_, [](const Command& command) { return command.parser->parsed(); });
  if (asked == commands_.end()) return refuse(parser_, "There is no subcommand");
  return {Call::Kind::Run, {}, &*asked};
}

}  // namespace clusterloom::cli
