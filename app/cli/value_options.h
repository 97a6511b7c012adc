#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/number_text.h"
#include "engine/core/result.h"

namespace clusterloom::cli {

/// Puts the options that are added while it lives into a group of the help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& parser, const std::string& name)
      : defaults_(*parser.option_defaults()), before_(defaults_.get_group()) {
    defaults_.group(name);
  }
  ~OptionGroup() { defaults_.group(before_); }
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;

 private:
  CLI::OptionDefaults& defaults_;
  std::string before_;
};

/// Adds an option whose text `take` reads. Its error becomes the parser's, with the same message.
inline CLI::Option* addTextOption(CLI::App& parser, const std::string& name,
                                  std::function<Result<void>(const std::string&)> take,
                                  const std::string& help) {
  return parser.add_option_function<std::string>(
      name,
      [take = std::move(take)](const std::string& text) {
        if (const Result<void> taken = take(text); !taken)
          throw CLI::ValidationError(taken.error().message);
      },
      help);
}

/// Adds an option whose text `read` turns into a value of `target`. Errors as above.
template <class Target, class Read>
CLI::Option* addValueOption(CLI::App& parser, const std::string& name, Target& target, Read read,
                            const std::string& help) {
  return addTextOption(
      parser, name,
      [read, &target](const std::string& text) -> Result<void> {
        auto value = read(text);
        if (!value) return tl::unexpected(value.error());
        target = static_cast<Target>(std::move(*value));
        return {};
      },
      help);
}

/// Adds an option for the name of a file, which must not be empty.
inline CLI::Option* addPathOption(CLI::App& parser, const std::string& name, std::string& target,
                                  const std::string& help) {
  return addValueOption(
      parser, name, target,
      [name](const std::string& text) -> Result<std::string> {
        if (text.empty()) return badCall(name + " needs the name of a file, not ''.");
        return text;
      },
      help);
}

/// Adds an option for the name of a file to write.
inline CLI::Option* addOutputOption(CLI::App& parser, const std::string& name, std::string& target,
                                    const std::string& help) {
  return addPathOption(parser, name, target, help)->type_name("OUT");
}

/// Adds an option for a finite number. CLI11's own numbers are not used: they are rounded twice, by
/// way of long double, and depend on the locale.
inline CLI::Option* addNumberOption(CLI::App& parser, const std::string& name, double& target,
                                    const std::string& help) {
  return addValueOption(
      parser, name, target, [name](const std::string& text) { return readNumber(name, text); },
      help);
}

/// Adds an option for an integer in base 10. CLI11's own integers are read in base 0 and saturate.
template <class Integer>
CLI::Option* addIntegerOption(CLI::App& parser, const std::string& name, Integer& target,
                              std::int64_t least, std::int64_t most, const std::string& help) {
  return addValueOption(
      parser, name, target,
      [name, least, most](const std::string& text) { return readInteger(name, text, least, most); },
      help);
}

/// Integers in base 10, separated by commas; at least one.
inline Result<std::vector<std::int64_t>> readIntegers(const std::string& option,
                                                      const std::string& text, std::int64_t least,
                                                      std::int64_t most) {
  std::vector<std::int64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = readInteger(option, text.substr(begin, end - begin), least, most);
    if (!number) return tl::unexpected(number.error());
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

/// Adds an option for a seed, which may have all 64 bits.
inline CLI::Option* addSeedOption(CLI::App& parser, const std::string& name, std::uint64_t& target,
                                  const std::string& help) {
  return addValueOption(
      parser, name, target, [name](const std::string& text) { return readUnsigned(name, text, 0); },
      help);
}

}  // namespace clusterloom::cli
