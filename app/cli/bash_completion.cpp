#include "app/cli/bash_completion.h"

#include <algorithm>

#include "engine/backend.h"
#include "engine/join/strategy_options.h"

namespace clusterloom {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// COMPREPLY from a list of words.
std::string reply(const std::vector<std::string>& words) {
  return "COMPREPLY=($(compgen -W '" + joined(words) + "' -- \"$cur\"))";
}

std::vector<std::string> valuesOf(const StrategyOption& option) {
  std::vector<std::string> words;
  for (const StrategyOption::Value& value : option.values) words.push_back(value.word);
  if (option.automatic) words.emplace_back("auto");
  return words;
}

}  // namespace

std::string bashCompletion(const std::string& program,
                           const std::vector<CompletedCommand>& commands) {
  std::string function = "_" + program;
  std::replace(function.begin(), function.end(), '-', '_');
  std::string script = "# Completion of " + program + " for bash. Made by " + program +
                       " --bash-completion.\n" + function + "() {\n" +
                       "  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                       "  COMPREPLY=()\n"
                       "  case $before in\n";
  for (const StrategyOption& option : strategyOptions())
    if (const auto words = valuesOf(option); !words.empty())
      script += "    --" + option.name + ") " + reply(words) + "; return ;;\n";
  std::vector<std::string> backends = availableBackends();
  if (std::find(backends.begin(), backends.end(), "auto") == backends.end())
    backends.insert(backends.begin(), "auto");
  script += "    --backend) " + reply(backends) + "; return ;;\n  esac\n";

  std::vector<std::string> names;
  for (const CompletedCommand& command : commands)
    if (!command.name.empty()) names.push_back(command.name);
  if (!names.empty())
    script += "  if [[ $COMP_CWORD == 1 && $cur != -* ]]; then " + reply(names) + "; return; fi\n";
  script += "  if [[ $cur != -* ]]; then COMPREPLY=($(compgen -f -- \"$cur\")); return; fi\n";
  script += "  case ${COMP_WORDS[1]} in\n";
  for (const CompletedCommand& command : commands)
    if (!command.name.empty())
      script += "    " + command.name + ") " + reply(command.options) + " ;;\n";
  for (const CompletedCommand& command : commands)
    if (command.name.empty()) script += "    *) " + reply(command.options) + " ;;\n";
  script += "  esac\n}\ncomplete -o filenames -F " + function + " " + program + "\n";
  return script;
}

}  // namespace clusterloom
