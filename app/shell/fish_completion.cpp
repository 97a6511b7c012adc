#include "app/shell/completions.h"

namespace clusterloom {
namespace {

std::string fishQuoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

}  // namespace

std::string fishCompletion(const ProgramText& program) {
  const std::vector<OptionWords> words = optionsWithWords();
  const std::string complete = "complete -c " + program.name;
  std::string script = "# Completion of " + program.name + " for fish. Made by " + program.name +
                       " --fish-completion.\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty())
      script += complete + " -f -n __fish_use_subcommand -a " + command.name + " -d " +
                fishQuoted(command.help) + "\n";
  const bool hasCommands = program.commands.size() > 1;
  for (const CommandText& command : program.commands) {
    const std::string when = !command.name.empty()
                                 ? " -n '__fish_seen_subcommand_from " + command.name + "'"
                             : hasCommands ? " -n __fish_use_subcommand"
                                           : "";
    for (const OptionText& option : command.options) {
      script += complete + when + " -l " + option.name.substr(2) + " -d " + fishQuoted(option.help);
      if (!option.value.empty()) {
        const std::string known = wordsOf(words, option.name);
        script += known.empty() ? " -r" : " -x -a " + fishQuoted(known);
      }
      script += "\n";
    }
  }
  return script;
}

}  // namespace clusterloom
