#include <algorithm>

#include "app/shell/completions.h"

namespace clusterloom {
namespace {

/// COMPREPLY from a list of words.
std::string reply(const std::vector<std::string>& words) {
  return "COMPREPLY=($(compgen -W '" + joined(words) + "' -- \"$cur\"))";
}

std::string replyOptions(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) names.push_back(option.name);
  return reply(names);
}

}  // namespace

std::string bashCompletion(const ProgramText& program) {
  std::string function = "_" + program.name;
  std::replace(function.begin(), function.end(), '-', '_');
  std::string script = "# Completion of " + program.name + " for bash. Made by " + program.name +
                       " --bash-completion.\n" + function + "() {\n" +
                       "  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                       "  COMPREPLY=()\n"
                       "  case $before in\n";
  for (const OptionWords& option : optionsWithWords())
    script += "    " + option.option + ") " + reply(option.words) + "; return ;;\n";
  script += "  esac\n";

  std::vector<std::string> names;
  for (const CommandText& command : program.commands)
    if (!command.name.empty()) names.push_back(command.name);
  if (!names.empty())
    script += "  if [[ $COMP_CWORD == 1 && $cur != -* ]]; then " + reply(names) + "; return; fi\n";
  script +=
      "  if [[ $cur != -* ]]; then mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return; fi\n";
  script += "  case ${COMP_WORDS[1]} in\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty())
      script += "    " + command.name + ") " + replyOptions(command) + " ;;\n";
  for (const CommandText& command : program.commands)
    if (command.name.empty()) script += "    *) " + replyOptions(command) + " ;;\n";
  script += "  esac\n}\ncomplete -o filenames -F " + function + " " + program.name + "\n";
  return script;
}

}  // namespace clusterloom
