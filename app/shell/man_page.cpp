#include "app/shell/completions.h"

#include <algorithm>
#include <cctype>

namespace clusterloom {
namespace {

// Text in roff: no character of it is taken for a request or for a hyphen.
std::string roff(const std::string& text) {
  std::string result;
  bool lineBegins = true;
  for (const char c : text) {
    if (lineBegins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    lineBegins = c == '\n';
  }
  return result;
}

// An entry of a list: its words, and their description on a separate line.
std::string entry(const OptionText& option) {
  std::string text = ".TP\n.B " + roff(option.name);
  if (!option.value.empty()) text += " \\fI" + roff(option.value) + "\\fR";
  // An empty line would end the paragraph.
  std::string help = option.help;
  std::replace(help.begin(), help.end(), '\n', ' ');
  return text + "\n" + roff(help) + "\n";
}

// Lines as they are.
std::string verbatim(const std::string& lines) {
  if (lines.empty()) return {};
  return ".PP\n.nf\n" + roff(lines) + (lines.back() == '\n' ? "" : "\n") + ".fi\n";
}

std::string synopsis(const ProgramText& program, const CommandText& command) {
  std::string line = ".B " + roff(program.name);
  if (!command.name.empty()) line += " " + roff(command.name);
  line += " \\fR[\\fIoptions\\fR]";
  for (const OptionText& positional : command.positionals)
    line += positional.required ? " \\fI" + roff(positional.name) + "\\fR"
                                : " [\\fI" + roff(positional.name) + "\\fR]";
  return line + "\n";
}

std::string lists(const CommandText& command) {
  std::string text;
  for (const OptionText& positional : command.positionals) text += entry(positional);
  for (const OptionText& option : command.options) text += entry(option);
  return text;
}

}  // namespace

std::string manPage(const ProgramText& program) {
  std::string title = program.name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string page = ".TH \"" + roff(title) + "\" 1 \"\" \"Clusterloom " + program.version +
                     "\" \"User Commands\"\n.SH NAME\n" + roff(program.name) + " \\- " +
                     roff(program.summary) + "\n.SH SYNOPSIS\n";
  bool first = true;
  for (const CommandText& command : program.commands) {
    if (command.name.empty() && program.commands.size() > 1) continue;
    if (!first) page += ".br\n";
    page += synopsis(program, command);
    first = false;
  }
  const CommandText& whole = program.commands.front();
  page += ".SH DESCRIPTION\n" + roff(whole.help) + "\n.SH OPTIONS\n" + lists(whole);
  if (program.commands.size() > 1) page += ".SH SUBCOMMANDS\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty())
      page += ".SS " + roff(program.name + " " + command.name) + "\n" + roff(command.help) + ".\n" +
              lists(command) + verbatim(command.notes);
  if (!whole.notes.empty()) page += ".SH NOTES\n" + verbatim(whole.notes);
  return page + ".SH SEE ALSO\n.BR " + roff(program.other) + " (1)\n";
}

}  // namespace clusterloom
