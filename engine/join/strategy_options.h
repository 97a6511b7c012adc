#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// The joins to which an option applies.
enum class OptionUse {
  Joins,   ///< every join, DBSCAN included
  Pairs,   ///< lists of pairs only
  Dbscan,  ///< DBSCAN only
};

/// One option of a strategy, as every front end offers it: the options of both programs, the engine
/// panel, session files, lessons and copied command lines come from this table.
struct StrategyOption {
  struct Value {
    std::string word;        ///< on the command line and in files
    std::string label = {};  ///< in the window, before translation
  };

  std::string name = {};         ///< on the command line and in lessons: "threads-per-point"
  std::string key = {};          ///< in session files: "threadsPerPoint"
  std::string label = {};        ///< in the window, before translation: "Threads/point"
  std::string help = {};         ///< one phrase, before translation
  std::string details = {};      ///< sentences for a tooltip, before translation; may be empty
  std::string placeholder = {};  ///< of the value in help text: "K"
  OptionUse use = OptionUse::Joins;
  std::vector<Value> values = {};  ///< the legal ones; empty for a number
  bool automatic = false;          ///< of a number: whether "auto" is legal
  bool decimal = false;            ///< of a number: any above 0; else a whole one
  std::uint64_t least = 0;         ///< of a whole number
  std::uint64_t most = 0;          ///< of a whole number

  /// The word or number in a strategy. A number that is left to the engine is "auto".
  std::function<std::string(const Strategy&)> get = {};
  /// Takes a text that `setOption` has checked.
  std::function<void(Strategy&, const std::string&)> set = {};
};

/// All options, in the order in which they are shown.
std::span<const StrategyOption> strategyOptions();

/// The option of that command line name, or null.
const StrategyOption* findStrategyOption(std::string_view name);

/// The legal values: "full, unicomp, lid-unicomp, tile" or "1 to 8, or auto".
std::string choicesOf(const StrategyOption& option);
/// The same after "needs": "one of full, unicomp, …" or "a whole number from 1 to 8, or auto".
std::string requirementOf(const StrategyOption& option);

/// Gives the option a value. BadCall that names the option and its choices where `text` is not one
/// of them.
Result<void> setOption(Strategy& strategy, const StrategyOption& option, const std::string& text);

}  // namespace clusterloom
