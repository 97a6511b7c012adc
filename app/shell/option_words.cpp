#include <algorithm>

#include "app/shell/completions.h"
#include "engine/backend.h"
#include "engine/join/strategy_options.h"

namespace clusterloom {

std::vector<OptionWords> optionsWithWords() {
  std::vector<OptionWords> all;
  for (const StrategyOption& option : strategyOptions()) {
    OptionWords words{"--" + option.name, {}};
    for (const StrategyOption::Value& value : option.values) words.words.push_back(value.word);
    if (words.words.empty()) continue;
    if (option.automatic) words.words.emplace_back("auto");
    all.push_back(std::move(words));
  }
  OptionWords backends{"--backend", availableBackends()};
  if (std::find(backends.words.begin(), backends.words.end(), "auto") == backends.words.end())
    backends.words.insert(backends.words.begin(), "auto");
  all.push_back(std::move(backends));
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string wordsOf(const std::vector<OptionWords>& options, const std::string& option) {
  const auto known = std::find_if(options.begin(), options.end(),
                                  [&](const OptionWords& with) { return with.option == option; });
  return known != options.end() ? joined(known->words) : std::string();
}

}  // namespace clusterloom
