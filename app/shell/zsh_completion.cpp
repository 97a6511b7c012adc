#include "app/shell/completions.h"

namespace clusterloom {
namespace {

// In single quotes, with the characters that _arguments and _describe read escaped.
std::string zshQuoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      result += std::string("\\") + c;
    else
      result += c == '\n' ? ' ' : c;
  }
  return result;
}

// The call of _arguments for a command.
std::string arguments(const CommandText& command, const std::vector<OptionWords>& words,
                      const std::string& indent) {
  std::string text = indent + "_arguments";
  for (const OptionText& option : command.options) {
    text += " \\\n" + indent + "  '" + option.name;
    if (!option.value.empty()) text += "=";
    text += "[" + zshQuoted(option.help) + "]";
    if (!option.value.empty()) {
      const std::string known = wordsOf(words, option.name);
      text += ":" + zshQuoted(option.value) + ":" + (known.empty() ? "_files" : "(" + known + ")");
    }
    text += "'";
  }
  return text + " \\\n" + indent + "  '*:file:_files'\n";
}

}  // namespace

std::string zshCompletion(const ProgramText& program) {
  const std::vector<OptionWords> words = optionsWithWords();
  std::string script = "#compdef " + program.name + "\n# Completion of " + program.name +
                       " for zsh. Made by " + program.name + " --zsh-completion.\n";
  if (program.commands.size() == 1) return script + arguments(program.commands.front(), words, "");
  script += "local -a commands\ncommands=(\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty())
      script += "  '" + zshQuoted(command.name) + ":" + zshQuoted(command.help) + "'\n";
  script +=
      ")\nif (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
      "  _describe 'subcommand' commands\n  return\nfi\n"
      "local subcommand=$words[2]\ncase $subcommand in\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty())
      script += "  " + command.name + ")\n    shift words; (( CURRENT-- ))\n" +
                arguments(command, words, "    ") + "    ;;\n";
  for (const CommandText& command : program.commands)
    if (command.name.empty()) script += "  *)\n" + arguments(command, words, "    ") + "    ;;\n";
  return script + "esac\n";
}

}  // namespace clusterloom
