#include "engine/join/strategy_options.h"

#include <algorithm>
#include <limits>

#include "engine/core/number_text.h"
#include "engine/join/strategy_words.h"

namespace clusterloom {
namespace {

using Option = StrategyOption;

/// An option for an enumeration of the strategy.
template <class Enum, std::size_t N>
Option words(Option option, const std::array<StrategyWord<Enum>, N>& list, Enum Strategy::*member) {
  for (const StrategyWord<Enum>& word : list) option.values.push_back({word.word, word.label});
  option.get = [&list, member](const Strategy& strategy) -> std::string {
    for (const StrategyWord<Enum>& word : list)
      if (word.value == strategy.*member) return word.word;
    return {};
  };
  option.set = [&list, member](Strategy& strategy, const std::string& text) {
    for (const StrategyWord<Enum>& word : list)
      if (text == word.word) strategy.*member = word.value;
  };
  return option;
}

Option toggle(Option option, Toggle Strategy::*member) {
  option.placeholder = "WORD";
  return words(std::move(option), kToggles, member);
}

/// An option for a number of which 0 means that the engine chooses.
template <class Number>
Option numberOrAuto(Option option, std::uint64_t most, Number Strategy::*member) {
  option.automatic = true;
  option.least = 1;
  option.most = most;
  option.get = [member](const Strategy& strategy) -> std::string {
    return strategy.*member == 0 ? "auto" : std::to_string(strategy.*member);
  };
  option.set = [member](Strategy& strategy, const std::string& text) {
    strategy.*member =
        text == "auto" ? Number{0} : static_cast<Number>(readUnsigned({}, text, 0).value_or(0));
  };
  return option;
}

/// An option for an ε of which 0 means that the engine chooses.
Option epsOrAuto(Option option, double Strategy::*member) {
  option.automatic = true;
  option.decimal = true;
  option.get = [member](const Strategy& strategy) -> std::string {
    return strategy.*member == 0 ? "auto" : roundTripText(strategy.*member);
  };
  option.set = [member](Strategy& strategy, const std::string& text) {
    strategy.*member = text == "auto" ? 0 : readNumber({}, text).value_or(0);
  };
  return option;
}

Option threadsPerPoint() {
  Option option{.name = "threads-per-point",
                .key = "threadsPerPoint",
                .label = "Threads/point",
                .help = "GPU threads that share a query point; a CPU supports only 1",
                .placeholder = "K"};
  for (const char* number : {"1", "2", "4", "8", "16", "32"})
    option.values.push_back({number, number});
  option.get = [](const Strategy& strategy) { return std::to_string(strategy.threadsPerPoint); };
  option.set = [](Strategy& strategy, const std::string& text) {
    strategy.threadsPerPoint = int(readUnsigned({}, text, 1).value_or(1));
  };
  return option;
}

// How pairs are found.
std::vector<Option> searchOptions() {
  return {
      words(
          {.name = "method",
           .key = "method",
           .label = "Method",
           .help =
               "How pairs are found. With grid and no other option of a strategy the engine may "
               "take products, and on a CPU kd-tree or, for counts, super-ego, where it "
               "expects them to be faster; any other option, such as --reorder on, keeps "
               "the grid. Most of the options below are for the method grid. r-tree, super-ego, "
               "new-super-ego and kd-tree run on the CPU, products on the "
               "CPU or one GPU, g-dbscan on a GPU and for DBSCAN only. super-ego and "
               "new-super-ego also "
               "take --precision, new-super-ego --order work-queue, g-dbscan --short-circuit",
           .details =
               "The R-tree follows [Gowanlock 2018]. Super-EGO and New-Super-EGO follow [Gallet "
               "2020], but compare each pair of sequences once instead of twice. G-DBSCAN follows "
               "[Frasson 2021]. Its version with shared tiles is Clusterloom's own: it copies all "
               "candidates to shared memory, tile by tile; the paper's version copies only the "
               "points of the block. Products and the k-d tree are Clusterloom's own, too. "
               "Products "
               "compares all points by integer products of rounded coordinates; the k-d tree "
               "compares groups of 16 near points with the nodes of a tree. Products, and on "
               "the CPU the k-d tree, are chosen automatically where they are predicted to cost "
               "less than the grid",
           .placeholder = "WORD"},
          kMethods, &Strategy::method),
      numberOrAuto({.name = "index-dims",
                    .key = "indexedDims",
                    .label = "Indexed dims (k)",
                    .help = "How many dimensions of the cloud the grid indexes",
                    .placeholder = "K"},
                   8, &Strategy::indexedDims),
      words({.name = "pattern",
             .key = "pattern",
             .label = "Pattern",
             .help = "Which cells a query point is compared with",
             .details = "Full, UNICOMP and LID-UNICOMP follow the papers. Tile is Clusterloom's "
                        "own: query points of neighbouring cells read rows of cells together",
             .placeholder = "WORD"},
            kPatterns, &Strategy::pattern),
      words({.name = "order",
             .key = "order",
             .label = "Order",
             .help = "The order in which query points are processed",
             .details = "WORKQUEUE differs from the paper in two ways. The first lane of a warp "
                        "takes the tickets of all query points of the warp at once; in the paper "
                        "each query point takes its own ticket. Batches have about the same number "
                        "of pairs; in the paper they have the same number of query points",
             .placeholder = "WORD"},
            kOrders, &Strategy::order),
      words({.name = "precision",
             .key = "precision",
             .label = "Precision",
             .help = "Number of bits with which distances are computed first; distances close to ε "
                     "are always decided in 64 bits",
             .placeholder = "BITS"},
            kPrecisions, &Strategy::precision),
      threadsPerPoint()};
}

// Options that save distances.
std::vector<Option> toggles() {
  return {toggle({.name = "reorder",
                  .key = "reorder",
                  .label = "REORDER",
                  .help = "Index the dimensions of highest variance first"},
                 &Strategy::reorder),
          toggle({.name = "sort-idu",
                  .key = "sortIdu",
                  .label = "SORTIDU",
                  .help = "Sort the points of each cell by one more dimension, and compare only "
                          "those within ±ε in it"},
                 &Strategy::sortIdu),
          toggle({.name = "short-circuit",
                  .key = "shortCircuit",
                  .label = "SHORTC",
                  .help = "Stop computing a distance once its partial sum is above ε²",
                  .details = "In G-DBSCAN auto means off"},
                 &Strategy::shortCircuit),
          toggle({.name = "dense-cells",
                  .key = "denseCells",
                  .label = "Dense cells",
                  .help = "Treat the points of a cell as one set if all of them are neighbours",
                  .use = OptionUse::Dbscan},
                 &Strategy::denseCells),
          toggle({.name = "early-stop",
                  .key = "earlyStop",
                  .label = "Early stop",
                  .help = "Stop counting neighbours at minPts",
                  .use = OptionUse::Dbscan},
                 &Strategy::earlyStop)};
}

// How results come off a GPU, and how CPU and GPU share a join.
std::vector<Option> deviceOptions() {
  return {
      words({.name = "result-route",
             .key = "route",
             .label = "Result route",
             .help = "How a GPU returns pairs to the host",
             .placeholder = "WORD",
             .use = OptionUse::Pairs},
            kRoutes, &Strategy::route),
      numberOrAuto({.name = "batch-size",
                    .key = "batchPairs",
                    .label = "Batch size",
                    .help = "Pairs per batch",
                    .placeholder = "PAIRS"},
                   std::numeric_limits<std::uint64_t>::max(), &Strategy::batchPairs),
      numberOrAuto({.name = "streams",
                    .key = "streams",
                    .label = "Streams",
                    .help = "Number of CUDA streams for the batches",
                    .placeholder = "N"},
                   32, &Strategy::streams),
      numberOrAuto({.name = "block-size",
                    .key = "blockSize",
                    .label = "Block size",
                    .help = "Threads of a CUDA block, a multiple of 32",
                    .placeholder = "N"},
                   1024, &Strategy::blockSize),
      words({.name = "division",
             .key = "division",
             .label = "Division",
             .help = "How CPU and GPU share the queries; for the backend hybrid only",
             .details =
                 "The GPU takes the queries with the most candidates, the CPU those with the "
                 "fewest. HEGJoin-Dyn hands out batches on demand. SQ gives the GPU a fixed share "
                 "of the queries, SC a fixed share of the candidates. Adaptive is Clusterloom's "
                 "own: batches become smaller towards the end, so that both end together",
             .placeholder = "WORD"},
            kDivisions, &Strategy::division),
      words({.name = "cpu-method",
             .key = "cpuMethod",
             .label = "CPU method",
             .help = "How the CPU does its share; for the backend hybrid only",
             .placeholder = "WORD"},
            kCpuMethods, &Strategy::cpuMethod),
      numberOrAuto({.name = "cpu-batch",
                    .key = "cpuBatch",
                    .label = "CPU batch",
                    .help = "Queries that a CPU thread takes at once; for the backend hybrid only",
                    .details = "Auto means 1,024. The adaptive division begins with it",
                    .placeholder = "N"},
                   1U << 30, &Strategy::cpuBatch),
      epsOrAuto({.name = "reference-eps",
                 .key = "referenceEps",
                 .label = "Reference ε",
                 .help = "ε at which fixed shares are measured; for the divisions queries and "
                         "candidates only",
                 .details = "Both processors are timed at this ε with a sample of the queries. The "
                            "times are then scaled by the volume of the search, as in [Gallet "
                            "2020]. Auto means the ε of the join",
                 .placeholder = "E"},
                &Strategy::referenceEps)};
}

std::vector<Option> makeOptions() {
  std::vector<Option> all = searchOptions();
  for (const std::vector<Option>& more : {toggles(), deviceOptions()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

std::span<const StrategyOption> strategyOptions() {
  static const std::vector<StrategyOption> options = makeOptions();
  return options;
}

const StrategyOption* findStrategyOption(std::string_view name) {
  for (const StrategyOption& option : strategyOptions())
    if (option.name == name) return &option;
  return nullptr;
}

std::string choicesOf(const StrategyOption& option) {
  std::string text;
  for (const StrategyOption::Value& value : option.values)
    text += (text.empty() ? "" : ", ") + value.word;
  if (!option.values.empty()) return text;
  if (option.decimal) return option.automatic ? "a number above 0, or auto" : "a number above 0";
  text = option.most == std::numeric_limits<std::uint64_t>::max()
             ? "a whole number from " + std::to_string(option.least)
             : std::to_string(option.least) + " to " + std::to_string(option.most);
  return option.automatic ? text + ", or auto" : text;
}

std::string requirementOf(const StrategyOption& option) {
  if (!option.values.empty()) return "one of " + choicesOf(option);
  const bool unlimited = option.most == std::numeric_limits<std::uint64_t>::max();
  return (unlimited || option.decimal ? "" : "a whole number from ") + choicesOf(option);
}

namespace {

bool isLegalNumber(const StrategyOption& option, const std::string& text) {
  if (option.automatic && text == "auto") return true;
  if (option.decimal) return readNumber({}, text).value_or(0) > 0;
  return readUnsigned({}, text, option.least, option.most).has_value();
}

}  // namespace

Result<void> setOption(Strategy& strategy, const StrategyOption& option, const std::string& text) {
  const bool legal =
      option.values.empty()
          ? isLegalNumber(option, text)
          : std::any_of(option.values.begin(), option.values.end(),
                        [&](const StrategyOption::Value& value) { return value.word == text; });
  if (!legal)
    return badCall("--" + option.name + " needs " + requirementOf(option) + ", not " +
                   quotedText(text) + ".");
  option.set(strategy, text);
  return {};
}

}  // namespace clusterloom
