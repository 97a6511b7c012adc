// The command line of clusterloom-cli: one word a line. Calls are read, not run.
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "harness.h"

using namespace clusterloom::cli;

const char* fuzzedName = "fuzz.command_line";

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::vector<std::string> words{"clusterloom-cli", ""};
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] == '\n')
      words.emplace_back();
    else
      words.back() += static_cast<char>(bytes[i]);
  }
  if (words.back().empty()) words.pop_back();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Made once: that takes a hundred times as long as a call.
  static Program program;
  const Call call = program.read(static_cast<int>(words.size()), arguments.data());
  if (call.kind == Call::Kind::Run)
    promise(call.command != nullptr && call.command->run, "a call has a command");
  else
    promise(call.text.size() > 10, "a text says something");
  if (call.kind == Call::Kind::Refuse)
    promise(call.text.ends_with(" --help explains)"), "a message says where to look");
  return 0;
}
